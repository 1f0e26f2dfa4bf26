#include "chart/drawing.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "base/enumerators.h"
#include "base/text.h"

namespace hwest {
namespace {

constexpr Tint kTintList[] = {{"#cfe8fc", "#1f6fb2"}, {"#fde3c0", "#c46a00"}, {"#d9f0d3", "#2e7d32"},
                              {"#f3d9ef", "#8e3a80"}, {"#fff3b0", "#9a7d00"}, {"#d6d6f5", "#4b4bb0"},
                              {"#f8d0cf", "#b3261e"}, {"#d3f1ee", "#00796b"}};
static_assert(std::size(kTintList) == kTints);

// Two code points of Unicode are invalid in XML.
std::string Escaped(absl::string_view text) {
  return absl::StrReplaceAll(EscapeControl(text), {{"&", "&amp;"},
                                                   {"<", "&lt;"},
                                                   {">", "&gt;"},
                                                   {"\"", "&quot;"},
                                                   {"\xEF\xBF\xBE", "\\uFFFE"},
                                                   {"\xEF\xBF\xBF", "\\uFFFF"}});
}

std::string Paint(absl::string_view fill, absl::string_view line) {
  const std::string stroke = line.empty() ? "" : absl::StrCat(" stroke=\"", line, "\"");
  return absl::StrCat(" fill=\"", fill.empty() ? "none" : fill, "\"", stroke);
}

}  // namespace

Tint TintAt(size_t index) { return kTintList[index % kTints]; }

Drawing::Drawing(double width, std::string title, const std::vector<std::string>& lines)
    : y(24), width_(width), title_(std::move(title)) {
  Text(kMargin, y, title_, {.size = 14, .is_bold = true});
  if (!lines.empty()) y += 2;
  for (const std::string& line : lines) Text(kMargin, y += 16, line);
  y += 18;
}

void Drawing::Close(absl::string_view tag, absl::string_view tooltip) {
  const std::string title = absl::StrCat("><title>", Escaped(tooltip), "</title></", tag, ">\n");
  shapes_ += tooltip.empty() ? "/>\n" : title;
}

void Drawing::Box(double x, double top, double width, double height, absl::string_view fill, absl::string_view line,
                  absl::string_view tooltip) {
  absl::StrAppendFormat(&shapes_, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\"%s", x, top, width, height,
                        Paint(fill, line));
  Close("rect", tooltip);
}

void Drawing::Dot(double x, double middle, double diameter, absl::string_view fill, absl::string_view line,
                  absl::string_view tooltip) {
  absl::StrAppendFormat(&shapes_, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"%.2f\"%s fill-opacity=\"0.7\"", x, middle,
                        diameter / 2, Paint(fill, line));
  Close("circle", tooltip);
}

void Drawing::Line(double x, double from_y, double to_x, double to_y, absl::string_view color, const LineStyle& style) {
  absl::StrAppendFormat(&shapes_, "<line x1=\"%.2f\" y1=\"%.2f\" x2=\"%.2f\" y2=\"%.2f\" stroke=\"%s\"%s%s/>\n", x,
                        from_y, to_x, to_y, color,
                        style.width == 1 ? "" : absl::StrFormat(" stroke-width=\"%g\"", style.width),
                        style.is_dashed ? " stroke-dasharray=\"4 3\"" : "");
}

void Drawing::Text(double x, double base, absl::string_view text, const TextStyle& style) {
  constexpr const char* kAnchors[] = {"", " text-anchor=\"middle\"", " text-anchor=\"end\""};
  static_assert(std::size(kAnchors) == kNumEnumerators<Anchor>);
  constexpr double kEdge = 4;
  const double rooms[] = {width_ - kEdge - x, 2 * std::min(x, width_ - x) - kEdge, x - kEdge};
  static_assert(std::size(rooms) == kNumEnumerators<Anchor>);
  TextStyle fitted = style;
  fitted.room = std::min(style.room, rooms[static_cast<size_t>(style.anchor)]);
  const std::string shown = FitText(EscapeControl(text), fitted);
  if (shown.empty()) return;
  absl::StrAppendFormat(&shapes_, "<text x=\"%.2f\" y=\"%.2f\" font-size=\"%g\"%s%s>%s</text>\n", x, base, style.size,
                        kAnchors[static_cast<size_t>(style.anchor)], style.is_bold ? " font-weight=\"bold\"" : "",
                        Escaped(shown));
}

void Drawing::Label(double x, double base, double width, absl::string_view text) {
  constexpr double kPad = 3;
  const TextStyle style{.size = 9, .room = width - 2 * kPad};
  const std::string whole = EscapeControl(text), shown = FitText(whole, style);
  if (shown == whole || TextWidth(shown, style) > 4.5 * style.size) Text(x + kPad, base, shown, style);
}

void Drawing::Legend(const std::vector<LegendEntry>& entries, double x, double right) {
  constexpr double kSquare = 11, kIndent = 17, kGap = 20, kRow = 17, kSize = 10;
  if (entries.empty()) return;
  double column = 0;
  for (const LegendEntry& entry : entries) {
    column = std::max(column, kIndent + kGap + TextWidth(EscapeControl(entry.text), {.size = kSize}));
  }
  column = std::min(column, right - x + kGap);
  const auto most = static_cast<size_t>((right - x + kGap) / column);
  const size_t rows = (entries.size() + most - 1) / most, columns = (entries.size() + rows - 1) / rows;
  for (size_t i = 0; i < entries.size(); ++i) {
    if (i > 0 && i % columns == 0) y += kRow;
    const double at = x + column * static_cast<double>(i % columns);
    Box(at, y, kSquare, kSquare, entries[i].tint.fill, entries[i].tint.line);
    Text(at + kIndent, y + 9.5, entries[i].text, {.size = kSize, .room = column - kIndent - kGap});
  }
  y += kRow;
}

std::string Drawing::Svg() const {
  return WithDarkScheme(absl::StrFormat(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" "
      "height=\"%.0f\" "
      "viewBox=\"0 0 %.0f %.0f\" font-family=\"DejaVu Sans, Arial, sans-serif\" fill=\"%s\">\n<title>%s</title>\n"
      "<rect width=\"100%%\" height=\"100%%\" fill=\"%s\"/>\n%s</svg>\n",
      width_, y, width_, y, kInk, Escaped(title_), kPaper, shapes_));
}

std::string WithDarkScheme(std::string svg) {
  constexpr char kStyle[] =
      "\n<style>@media (prefers-color-scheme:dark){svg{filter:invert(.9) hue-rotate(180deg)}}</style>";
  return svg.insert(svg.find('>', svg.find("<svg")) + 1, kStyle);
}

}  // namespace hwest
