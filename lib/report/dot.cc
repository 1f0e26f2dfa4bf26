// A picture in the DOT language.
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "report/picture.h"

namespace hwest {
namespace {

struct BoxColors {
  const char* fill;
  const char* line;
};

// Light fills under black text that colour-blind readers can tell apart.
constexpr std::array<BoxColors, 8> kUnitColors = {{{"#cfe8fc", "#1f6fb2"},
                                                  {"#fde3c0", "#c46a00"},
                                                  {"#d9f0d3", "#2e7d32"},
                                                  {"#f3d9ef", "#8e3a80"},
                                                  {"#fff3b0", "#9a7d00"},
                                                  {"#d6d6f5", "#4b4bb0"},
                                                  {"#f8d0cf", "#b3261e"},
                                                  {"#d3f1ee", "#00796b"}}};
constexpr BoxColors kNoUnitColors = {"#eeeeee", "#555555"};

BoxColors BoxColorsOf(UnitId unit) {
  return unit.valid() ? kUnitColors[unit.index() % kUnitColors.size()] : kNoUnitColors;
}

// Layout limits keep the time of large graphs in seconds; fonts must be measurable, or labels leave their boxes.
constexpr char kDefaults[] =
    "  graph [charset=\"UTF-8\", fontname=\"DejaVu Sans\", fontsize=12, labelloc=t, rankdir=TB, nodesep=0.2, ranksep=0.35,\n"
    "         splines=polyline, nslimit=2, nslimit1=2, mclimit=0.5, color=\"#888888\"];\n"
    "  node [shape=box, style=\"rounded,filled\", fontname=\"DejaVu Sans\", fontsize=10, margin=\"0.14,0.07\"];\n"
    "  edge [fontname=\"DejaVu Sans\", fontsize=8, color=\"#666666\", arrowsize=0.6];\n";

// A string of the language whose escapes, if any, are meant: Graphviz reads backslashes and HTML entities in labels.
std::string Escaped(absl::string_view line) {
  return absl::StrReplaceAll(line, {{"\\", "\\\\"}, {"&", "&amp;"}, {"\"", "\\\""}});
}

std::string LabelOf(const std::vector<std::string>& lines) {
  std::string label;
  for (const std::string& line : lines) absl::StrAppend(&label, label.empty() ? "" : "\\n", Escaped(line));
  return label;
}

void AppendBox(const PictureBox& box, size_t index, absl::string_view indent, std::string* text) {
  const BoxColors paint = BoxColorsOf(box.unit);
  absl::StrAppend(text, indent, "n", index, " [label=\"", LabelOf(box.lines), "\", tooltip=\"", Escaped(box.tooltip),
                  "\", fillcolor=\"", paint.fill, "\", color=\"", paint.line, "\"];\n");
}

void AppendSegment(const Picture& picture, size_t segment, std::string* text) {
  absl::StrAppend(text, "  subgraph cluster_", segment, " {\n    graph [label=\"", Escaped(picture.segments[segment]),
                  "\", style=rounded];\n");
  for (size_t i = 0; i < picture.boxes.size(); ++i) {
    const PictureBox& box = picture.boxes[i];
    if (box.segment.valid() && box.segment.index() == segment) AppendBox(box, i, "    ", text);
  }
  absl::StrAppend(text, "  }\n");
}

}  // namespace

std::string DotText(const Picture& picture) {
  std::string text = absl::StrCat("digraph model {\n", kDefaults);
  absl::StrAppend(&text, "  label=\"", LabelOf(picture.title), "\";\n");
  for (size_t i = 0; i < picture.segments.size(); ++i) AppendSegment(picture, i, &text);
  for (size_t i = 0; i < picture.boxes.size(); ++i) {
    const PictureBox& box = picture.boxes[i];
    if (!box.segment.valid() || box.segment.index() >= picture.segments.size()) AppendBox(box, i, "  ", &text);
  }
  for (const PictureEdge& edge : picture.edges) {
    absl::StrAppend(&text, "  n", edge.from, " -> n", edge.to,
                    edge.label.empty() ? "" : absl::StrCat(" [label=\"", Escaped(edge.label), "\"]"), ";\n");
  }
  return absl::StrCat(text, "}\n");
}

}  // namespace hwest
