// Drawing: boxes, dots, lines and texts at fixed places, which become SVG.
#pragma once

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "chart/text_width.h"

namespace hwest {

// Light fills under black text that colour-blind readers can tell apart, with a darker line of the same hue.
struct Tint {
  const char* fill = "#eeeeee";
  const char* line = "#555555";
  bool is_dashed = false;
};
inline constexpr size_t kTints = 8;
Tint TintAt(size_t index);  // from kTints on those before, again

inline constexpr char kInk[] = "#222222", kPaper[] = "#ffffff", kGrid[] = "#e4e4e4";

struct LineStyle {
  double width = 1;
  bool is_dashed = false;
};

struct LegendEntry {
  std::string text;
  Tint tint;
};

// Drawing collects shapes, the later above those before. Places are points from the left top corner; a text's is on its
// base line, of a dot's the centre. A tooltip is shown under the pointer, "" = none; a colour is "#rrggbb", "" = none.
class Drawing {
 public:
  static constexpr double kMargin = 16;

  // Heads the page, whose title also names the file, with lines below the title; `y` is then where the rest begins.
  Drawing(double width, std::string title, const std::vector<std::string>& lines);

  void Box(double x, double y, double width, double height, absl::string_view fill, absl::string_view line,
           absl::string_view tooltip = "");
  void Dot(double x, double y, double diameter, absl::string_view fill, absl::string_view line,
           absl::string_view tooltip = "");
  void Line(double x, double y, double to_x, double to_y, absl::string_view color, const LineStyle& style = {});
  // Shortened where it would leave its room or the page.
  void Text(double x, double y, absl::string_view text, const TextStyle& style = {});
  // A name inside a bar that begins at x, shortened to what fits; nothing where only a few letters would.
  void Label(double x, double y, double width, absl::string_view text);
  // Squares and their texts in columns from x to `right`, the first at `y`, which then is below the last.
  void Legend(const std::vector<LegendEntry>& entries, double x, double right);

  std::string Svg() const;
  const std::string& title() const { return title_; }

  double y = 0;  // where the page goes on, at last its height

 private:
  void Close(absl::string_view tag, absl::string_view tooltip);

  double width_;
  std::string title_;
  std::string shapes_;
};

// An SVG that shows its hues on a dark page where the reader's system or browser asks for dark pages.
std::string WithDarkScheme(std::string svg);

}  // namespace hwest
