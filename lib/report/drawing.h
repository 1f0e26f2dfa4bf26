// Drawing: rectangles, lines and texts at fixed places, for charts.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "report/report.h"

namespace hwest {

enum class Anchor : uint8_t { kStart, kMiddle, kEnd };

struct Mark {
  enum class Kind : uint8_t { kBox, kDot, kLine, kText };
  Kind kind = Kind::kBox;
  double x = 0, y = 0;           // left top corner, centre, beginning, or place on the base line; from the left top
  double width = 0, height = 0;  // of a line: what it goes on by; of a dot: its diameter twice
  std::string fill;              // of boxes and dots, and the colour of texts
  std::string line;              // "" = none
  std::string text;              // of texts; of boxes, dots what is shown under the pointer
  Anchor anchor = Anchor::kStart;
  double size = 11;  // of texts, in points; of lines their width
  bool is_dashed = false;
  bool is_bold = false;
};

struct Drawing {
  double width = 0, height = 0;  // points
  std::string title;
  std::vector<Mark> marks;  // later ones lie above

  void Box(double x, double y, double width, double height, std::string fill, std::string line, std::string tooltip);
  void Dot(double x, double y, double diameter, std::string fill, std::string line, std::string tooltip);
  void Line(double x, double y, double to_x, double to_y, std::string color, double width = 1, bool is_dashed = false);
  void Text(double x, double y, std::string text, Anchor anchor = Anchor::kStart, double size = 11,
            bool is_bold = false);
};

// What a text takes, about: no font is asked.
double TextWidth(const std::string& text, double size);

std::string SvgText(const Drawing& drawing);
// As svg, or through Graphviz: png, pdf, and its language dot. Errors: as RenderPicture.
absl::StatusOr<std::string> RenderDrawing(const Drawing& drawing, Format format);

}  // namespace hwest
