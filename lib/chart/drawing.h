// Drawing: boxes, dots, lines and texts at fixed places, written as SVG.
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
Tint TintAt(size_t index);  // repeats after kTints

inline constexpr char kInk[] = "#222222", kPaper[] = "#ffffff", kGrid[] = "#e4e4e4";

struct LineStyle {
  double width = 1;
  bool is_dashed = false;
};

struct LegendEntry {
  std::string text;
  Tint tint;
};

// Drawing collects shapes; later ones lie above earlier ones. Places are points from the top left corner: a text's lies
// on its base line, a dot's is its centre. A tooltip shows under the pointer, "" = none; a colour is "#rrggbb", "" =
// none.
class Drawing {
 public:
  static constexpr double kMargin = 16;

  // Heads the page with a title, which also titles the file, and lines below it; `y` is then where the rest begins.
  Drawing(double width, std::string title, const std::vector<std::string>& lines);

  void Box(double x, double y, double width, double height, absl::string_view fill, absl::string_view line,
           absl::string_view tooltip = "");
  void Dot(double x, double y, double diameter, absl::string_view fill, absl::string_view line,
           absl::string_view tooltip = "");
  void Line(double x, double y, double to_x, double to_y, absl::string_view color, const LineStyle& style = {});
  // Shortens a text that would leave its room or the page.
  void Text(double x, double y, absl::string_view text, const TextStyle& style = {});
  // A name inside a bar that begins at x, shortened to fit; nothing where only a few letters would.
  void Label(double x, double y, double width, absl::string_view text);
  // Squares with texts in columns from x to `right`, starting at `y`; moves `y` below the last.
  void Legend(const std::vector<LegendEntry>& entries, double x, double right);

  std::string Svg() const;
  const std::string& title() const { return title_; }

  double y = 0;  // where the page continues; at the end, its height

 private:
  void Close(absl::string_view tag, absl::string_view tooltip);

  double width_;
  std::string title_;
  std::string shapes_;
};

// The SVG with dark colours for readers whose system or browser prefers dark pages.
std::string WithDarkScheme(std::string svg);

}  // namespace hwest
