// Axes: place values along the sides of a plot, with ticks at round numbers.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/strings/string_view.h"
#include "chart/drawing.h"

namespace hwest {

using FigureText = absl::FunctionRef<std::string(double)>;  // "2.000 ms"

// A figure as a tick shows it: "2 ms", not "2.000 ms".
std::string ShortFigure(const std::string& figure);

// A stretch of the page; for values that grow upwards, `from` is below `to`.
struct Stretch {
  double from = 0, to = 0;
};

class Axis {
 public:
  // From 0 to `end`, with at most `most` ticks besides that of 0.
  static Axis Linear(double end, Stretch on, int most);
  // From a round number below to one above, with ticks there and at decades; if those are few, also at 2 and 5 times
  // them.
  static Axis Log(double least, double most, Stretch on);
  // Logarithmic where values lie far apart, else from 0 on, with room above.
  static Axis Of(const std::vector<double>& values, Stretch on);
  // Steps at equal distances, the first half a distance from the edge.
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

// The texts of an axis's ticks, in one unit unless the axis is logarithmic: "0", "0.5 ms", "1 ms".
std::vector<std::string> TickTexts(const Axis& axis, FigureText words);

// The rectangle in which values are drawn.
struct Plot {
  double left = 0, top = 0, width = 0, height = 0;
  double right() const { return left + width; }
  double bottom() const { return top + height; }
  Stretch Across() const { return {left, right()}; }
  Stretch Up() const { return {bottom(), top}; }
};

// Draws grid lines, tick texts that do not touch earlier ones, and the axis title.
void DrawAxisBelow(const Plot& plot, const Axis& axis, FigureText words, absl::string_view title, Drawing* drawing);
void DrawAxisAtLeft(const Plot& plot, const Axis& axis, FigureText words, absl::string_view title, Drawing* drawing);

}  // namespace hwest
