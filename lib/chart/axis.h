// Axes: where values lie along the sides of a plot, and their round numbers.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/strings/string_view.h"
#include "chart/drawing.h"

namespace hwest {

using FigureText = absl::FunctionRef<std::string(double)>;  // "2.000 ms"

// A figure as a tick says it: "2 ms", not "2.000 ms".
std::string ShortFigure(const std::string& figure);

// A stretch of the page; of what grows upwards, `from` is below `to`.
struct Stretch {
  double from = 0, to = 0;
};

class Axis {
 public:
  // From 0 to `end`, with at most `most` ticks beside that of 0.
  static Axis Linear(double end, Stretch on, int most);
  // From a round number below to one above, with ticks there and at decades; where those are few, also at twice and
  // five times them.
  static Axis Log(double least, double most, Stretch on);
  // By decades where values lie far apart, else from 0 on, with room above.
  static Axis Of(const std::vector<double>& values, Stretch on);
  // Steps at equal distances, the first half a distance from the end.
  static Axis Steps(size_t count, Stretch on);

  double At(double value) const;  // on the page
  bool is_log() const { return is_log_; }
  double low() const { return low_; }
  double high() const { return high_; }
  const std::vector<double>& ticks() const { return ticks_; }

 private:
  bool is_log_ = false;
  double low_ = 0, high_ = 1;
  Stretch on_;
  std::vector<double> ticks_;
};

// A tick of each axis as texts that share one unit where the axis is not logarithmic: "0", "0.5 ms", "1 ms".
std::vector<std::string> TickTexts(const Axis& axis, FigureText words);

// A rectangle that values are drawn in.
struct Plot {
  double left = 0, top = 0, width = 0, height = 0;
  double right() const { return left + width; }
  double bottom() const { return top + height; }
  Stretch Across() const { return {left, right()}; }
  Stretch Up() const { return {bottom(), top}; }
};

// Lines of the grid, texts of ticks where they are clear of those before, and what the axis shows.
void DrawAxisBelow(const Plot& plot, const Axis& axis, FigureText words, absl::string_view title, Drawing* drawing);
void DrawAxisAtLeft(const Plot& plot, const Axis& axis, FigureText words, absl::string_view title, Drawing* drawing);

}  // namespace hwest
