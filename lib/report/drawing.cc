#include "report/drawing.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "base/enumerators.h"
#include "base/text.h"
#include "report/graphviz.h"
#include "report/text_table.h"

namespace hwest {
namespace {

constexpr double kCharacter = 0.58;  // width of a character of DejaVu Sans, of its size, on average
constexpr double kWidest = 1.4;      // what a text of wide or bold characters may take of that
constexpr double kInch = 72;

std::string Escaped(const std::string& text) {
  return absl::StrReplaceAll(EscapeControl(text), {{"&", "&amp;"},
                                                   {"<", "&lt;"},
                                                   {">", "&gt;"},
                                                   {"\"", "&quot;"},
                                                   {"\xEF\xBF\xBE", "\\uFFFE"},
                                                   {"\xEF\xBF\xBF", "\\uFFFF"}});
}

std::string Stroke(const Mark& mark) {
  if (mark.line.empty()) return "";
  const double width = mark.kind == Mark::Kind::kLine ? mark.size : 1;
  return absl::StrCat(absl::StrFormat(" stroke=\"%s\"", mark.line),
                      width == 1 ? "" : absl::StrFormat(" stroke-width=\"%g\"", width),
                      mark.is_dashed ? " stroke-dasharray=\"4 3\"" : "");
}

std::string Closed(const std::string& element, const Mark& mark) {
  if (mark.text.empty()) return absl::StrCat("<", element, "/>\n");
  return absl::StrCat("<", element, "><title>", Escaped(mark.text), "</title></", element.substr(0, element.find(' ')),
                      ">\n");
}

std::string SvgOf(const Mark& mark) {
  switch (mark.kind) {
    case Mark::Kind::kBox:
      return Closed(absl::StrFormat("rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"%s\"%s", mark.x,
                                    mark.y, mark.width, mark.height, mark.fill, Stroke(mark)),
                    mark);
    case Mark::Kind::kDot:
      return Closed(absl::StrFormat("circle cx=\"%.2f\" cy=\"%.2f\" r=\"%.2f\" fill=\"%s\" fill-opacity=\"0.7\"%s",
                                    mark.x, mark.y, mark.width / 2, mark.fill, Stroke(mark)),
                    mark);
    case Mark::Kind::kLine:
      return absl::StrFormat("<line x1=\"%.2f\" y1=\"%.2f\" x2=\"%.2f\" y2=\"%.2f\"%s/>\n", mark.x, mark.y,
                             mark.x + mark.width, mark.y + mark.height, Stroke(mark));
    case Mark::Kind::kText:
      break;
  }
  constexpr const char* kAnchors[] = {"", " text-anchor=\"middle\"", " text-anchor=\"end\""};
  static_assert(std::size(kAnchors) == kNumEnumerators<Anchor>);
  return absl::StrFormat("<text x=\"%.2f\" y=\"%.2f\" font-size=\"%g\"%s%s>%s</text>\n", mark.x, mark.y, mark.size,
                         kAnchors[static_cast<size_t>(mark.anchor)], mark.is_bold ? " font-weight=\"bold\"" : "",
                         Escaped(mark.text));
}

std::string DotLabel(const std::string& text) {
  return absl::StrReplaceAll(
      EscapeControl(text),
      {{"\\", "\\\\"}, {"&", "&amp;"}, {"\"", "\\\""}, {"\xEF\xBF\xBE", "\\\\uFFFE"}, {"\xEF\xBF\xBF", "\\\\uFFFF"}});
}

struct Page {
  double width = 0, height = 0;
};

// A mark as nodes and edges at fixed places; `y` grows upwards there.
std::string DotOf(const Mark& mark, size_t index, const Page& page) {
  const auto place = [&](double x, double y) { return absl::StrFormat("%.2f,%.2f", x, page.height - y); };
  const std::string color = mark.line.empty() ? "transparent" : mark.line;
  switch (mark.kind) {
    case Mark::Kind::kBox:
    case Mark::Kind::kDot: {
      const bool is_box = mark.kind == Mark::Kind::kBox;
      const double x = is_box ? mark.x + mark.width / 2 : mark.x, y = is_box ? mark.y + mark.height / 2 : mark.y;
      return absl::StrFormat(
          "  m%d [shape=%s, pos=\"%s\", width=%.4f, height=%.4f, fillcolor=\"%s\", color=\"%s\", tooltip=\"%s\"];\n",
          index, is_box ? "box" : "circle", place(x, y), mark.width / kInch,
          (is_box ? mark.height : mark.width) / kInch, mark.fill, color, DotLabel(mark.text));
    }
    case Mark::Kind::kLine: {
      // Edges lie above all nodes, so straight lines are thin boxes in their place.
      if (!mark.is_dashed && (mark.width == 0 || mark.height == 0)) {
        const double left = std::min(mark.x, mark.x + mark.width), top = std::min(mark.y, mark.y + mark.height);
        return DotOf({.x = left - mark.size / 2,
                      .y = top - mark.size / 2,
                      .width = std::abs(mark.width) + mark.size,
                      .height = std::abs(mark.height) + mark.size,
                      .fill = mark.line},
                     index, page);
      }
      const double x = mark.x + mark.width, y = mark.y + mark.height;
      std::string path = place(mark.x, mark.y);
      for (const double part : {1.0 / 3, 2.0 / 3, 1.0}) {
        absl::StrAppend(&path, " ", place(mark.x + mark.width * part, mark.y + mark.height * part));
      }
      constexpr char kEnd[] = "  m%d%s [shape=point, style=invis, pos=\"%s\", width=0.01, height=0.01];\n";
      return absl::StrCat(absl::StrFormat(kEnd, index, "a", place(mark.x, mark.y)),
                          absl::StrFormat(kEnd, index, "b", place(x, y)),
                          absl::StrFormat("  m%da -> m%db [pos=\"%s\", color=\"%s\", penwidth=%g%s];\n", index, index,
                                          path, color, mark.size, mark.is_dashed ? ", style=dashed" : ""));
    }
    case Mark::Kind::kText:
      break;
  }
  constexpr const char* kEnds[] = {"\\l", "", "\\r"};
  static_assert(std::size(kEnds) == kNumEnumerators<Anchor>);
  const double likely = TextWidth(mark.text, mark.size), height = mark.size * 1.4;
  double width = likely * kWidest;
  // Room that it will not need must not widen the page.
  if (mark.anchor == Anchor::kStart) width = std::min(width, std::max(likely * 1.1, page.width - mark.x));
  const double left = mark.anchor == Anchor::kStart ? mark.x
                      : mark.anchor == Anchor::kEnd ? mark.x - width
                                                    : mark.x - width / 2;
  return absl::StrFormat(
      "  m%d [shape=plaintext, style=\"\", margin=0, pos=\"%s\", width=%.4f, height=%.4f, fontsize=%g, "
      "label=\"%s%s\"%s];\n",
      index, place(left + width / 2, mark.y - mark.size * 0.35), width / kInch, height / kInch, mark.size,
      DotLabel(mark.text), kEnds[static_cast<size_t>(mark.anchor)],
      mark.is_bold ? ", fontname=\"DejaVu Sans Bold\"" : "");
}

std::string DotText(const Drawing& drawing) {
  std::string text =
      "digraph chart {\n"
      "  graph [charset=\"UTF-8\", pad=0, margin=0, outputorder=nodesfirst];\n"
      "  node [label=\"\", fixedsize=true, style=filled, penwidth=0.7, fontname=\"DejaVu Sans\", "
      "fontcolor=\"#222222\"];\n"
      "  edge [arrowhead=none];\n";
  const Page page{drawing.width, drawing.height};
  absl::StrAppend(&text, DotOf({.width = page.width, .height = page.height, .fill = "#ffffff"}, 0, page));
  for (size_t i = 0; i < drawing.marks.size(); ++i)
    absl::StrAppend(&text, DotOf(drawing.marks[i], i + 1, page));
  return absl::StrCat(text, "}\n");
}

}  // namespace

double TextWidth(const std::string& text, double size) {
  return static_cast<double>(DisplayWidth(text)) * size * kCharacter;
}

void Drawing::Box(double x, double y, double w, double h, std::string fill, std::string line, std::string tooltip) {
  marks.push_back({.kind = Mark::Kind::kBox,
                   .x = x,
                   .y = y,
                   .width = w,
                   .height = h,
                   .fill = std::move(fill),
                   .line = std::move(line),
                   .text = std::move(tooltip)});
}

void Drawing::Dot(double x, double y, double diameter, std::string fill, std::string line, std::string tooltip) {
  marks.push_back({.kind = Mark::Kind::kDot,
                   .x = x,
                   .y = y,
                   .width = diameter,
                   .fill = std::move(fill),
                   .line = std::move(line),
                   .text = std::move(tooltip)});
}

void Drawing::Line(double x, double y, double to_x, double to_y, std::string color, double w, bool is_dashed) {
  marks.push_back({.kind = Mark::Kind::kLine,
                   .x = x,
                   .y = y,
                   .width = to_x - x,
                   .height = to_y - y,
                   .line = std::move(color),
                   .size = w,
                   .is_dashed = is_dashed});
}

void Drawing::Text(double x, double y, std::string words, Anchor anchor, double size, bool is_bold) {
  marks.push_back({.kind = Mark::Kind::kText,
                   .x = x,
                   .y = y,
                   .text = std::move(words),
                   .anchor = anchor,
                   .size = size,
                   .is_bold = is_bold});
}

std::string SvgText(const Drawing& drawing) {
  std::string text = absl::StrFormat(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" "
      "height=\"%.0f\" "
      "viewBox=\"0 0 %.0f %.0f\" font-family=\"DejaVu Sans, Arial, sans-serif\" fill=\"#222222\">\n<title>%s</title>\n"
      "<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n",
      drawing.width, drawing.height, drawing.width, drawing.height, Escaped(drawing.title));
  for (const Mark& mark : drawing.marks) absl::StrAppend(&text, SvgOf(mark));
  return absl::StrCat(text, "</svg>\n");
}

absl::StatusOr<std::string> RenderDrawing(const Drawing& drawing, Format format) {
  if (format == Format::kSvg) return SvgText(drawing);
  const std::string dot = DotText(drawing);
  return format == Format::kDot ? dot : RenderDot(dot, DotEngine::kPlaced, format);
}

}  // namespace hwest
