// A picture in the DOT language.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "report/picture.h"

namespace hwest {
namespace {

// Layout limits keep the time of large graphs in seconds; fonts must be measurable, or labels leave their boxes.
constexpr char kDefaults[] =
    "  graph [charset=\"UTF-8\", fontname=\"DejaVu Sans\", fontsize=12, labelloc=t, rankdir=TB, nodesep=0.2, "
    "ranksep=0.35,\n"
    "         splines=polyline, nslimit=2, nslimit1=2, mclimit=0.5, color=\"#888888\"];\n"
    "  node [shape=box, style=\"rounded,filled\", fontname=\"DejaVu Sans\", fontsize=10, margin=\"0.14,0.07\"];\n"
    "  edge [fontname=\"DejaVu Sans\", fontsize=8, color=\"#666666\", arrowsize=0.6];\n";

// A DOT string with escapes for what Graphviz would interpret in labels: backslashes and HTML entities. Two code points
// of Unicode are invalid in XML, which a picture may become.
std::string Escaped(absl::string_view line) {
  return absl::StrReplaceAll(
      line,
      {{"\\", "\\\\"}, {"&", "&amp;"}, {"\"", "\\\""}, {"\xEF\xBF\xBE", "\\\\uFFFE"}, {"\xEF\xBF\xBF", "\\\\uFFFF"}});
}

// The same between angle brackets.
std::string EscapedHtml(absl::string_view line) {
  return absl::StrReplaceAll(line, {{"&", "&amp;"},
                                    {"<", "&lt;"},
                                    {">", "&gt;"},
                                    {"\"", "&quot;"},
                                    {"\xEF\xBF\xBE", "\\uFFFE"},
                                    {"\xEF\xBF\xBF", "\\uFFFF"}});
}

std::string LabelOf(const std::vector<std::string>& lines) {
  std::string label;
  for (const std::string& line : lines) absl::StrAppend(&label, label.empty() ? "" : "\\n", Escaped(line));
  return label;
}

// The title's lines, above the legend.
std::string TitleOf(const Picture& picture) {
  std::string rows;
  for (const std::string& line : picture.title) {
    absl::StrAppend(&rows, "<tr><td>", EscapedHtml(line), "</td></tr>");
  }
  if (!picture.legend.entries.empty()) {
    absl::StrAppend(
        &rows,
        "<tr><td><table fixedsize=\"true\" border=\"0\" cellborder=\"1\" cellspacing=\"4\" cellpadding=\"3\"><tr>",
        "<td border=\"0\">", EscapedHtml(picture.legend.title), "</td>");
    for (const Palette::Entry& entry : picture.legend.entries) {
      absl::StrAppend(&rows, "<td bgcolor=\"", entry.paint.fill, "\" color=\"", entry.paint.line,
                      entry.paint.is_dashed ? "\" style=\"dashed\">" : "\">", EscapedHtml(entry.text), "</td>");
    }
    const bool any_mark = std::any_of(picture.boxes.begin(), picture.boxes.end(),
                                      [](const PictureBox& box) { return box.is_bottleneck; });
    if (any_mark)
      absl::StrAppend(&rows, "<td color=\"#b3261e\" border=\"3\">bottleneck, 5 % of the latency or more</td>");
    absl::StrAppend(&rows, "</tr></table></td></tr>");
  }
  return absl::StrCat("<<table border=\"0\" cellborder=\"0\" cellspacing=\"0\" cellpadding=\"1\">", rows, "</table>>");
}

std::string BoxText(const PictureBox& box, size_t index, absl::string_view indent) {
  return absl::StrCat(indent, "n", index, " [label=\"", LabelOf(box.lines), "\", tooltip=\"", Escaped(box.tooltip),
                      "\", fillcolor=\"", box.paint.fill,
                      box.paint.is_dashed ? "\", style=\"rounded,filled,dashed" : "", "\", color=\"",
                      box.is_bottleneck ? "#b3261e\", penwidth=3" : absl::StrCat(box.paint.line, "\""), "];\n");
}

class DotWriter {
 public:
  explicit DotWriter(const Picture& picture) : picture_(picture) {
    for (size_t i = 0; i < picture.boxes.size(); ++i) {
      const PictureBox& box = picture.boxes[i];
      const bool has_segment = box.segment.valid() && box.segment.index() < picture.segments.size();
      frames_[{has_segment ? box.segment.index() : kNone, box.column, box.repeat}].push_back(i);
    }
  }

  // Boxes inside the frames of their repeat and of their segment, which has one in every column with its boxes.
  std::string Boxes() {
    std::string text;
    for (auto frame = frames_.begin(); frame != frames_.end();) {
      const auto [segment, column, ignored] = frame->first;
      const bool framed = segment != kNone;
      if (framed) absl::StrAppend(&text, Frame(SegmentLabel(segment), "rounded", "  "));
      for (; frame != frames_.end() && std::get<0>(frame->first) == segment && std::get<1>(frame->first) == column;
           ++frame) {
        absl::StrAppend(&text, Repeated(std::get<2>(frame->first), frame->second, framed ? "    " : "  "));
      }
      if (framed) absl::StrAppend(&text, "  }\n");
    }
    return text;
  }

  // Arrows. An arrow to another column ends in a numbered circle and continues from the circle of that number.
  std::string Edges() const {
    std::map<size_t, std::map<uint32_t, std::vector<const PictureEdge*>>> jumps;  // by box, then by column
    std::string text;
    for (const PictureEdge& edge : picture_.edges) {
      const uint32_t column = picture_.boxes[edge.to].column;
      if (picture_.boxes[edge.from].column == column) {
        absl::StrAppend(&text, Arrow(absl::StrCat("n", edge.from), absl::StrCat("n", edge.to), edge.label));
      } else {
        jumps[edge.from][column].push_back(&edge);
      }
    }
    size_t number = 0;
    for (const auto& [from, columns] : jumps) {
      const std::string out = absl::StrCat("out", ++number);
      absl::StrAppend(&text, Circle(out, number),
                      Arrow(absl::StrCat("n", from), out, columns.begin()->second.front()->label));
      for (const auto& [column, edges] : columns) {
        const std::string in = absl::StrCat("in", number, "_", column);
        absl::StrAppend(&text, Circle(in, number));
        for (const PictureEdge* edge : edges)
          absl::StrAppend(&text, Arrow(in, absl::StrCat("n", edge->to), edge->label));
      }
    }
    return text;
  }

 private:
  static constexpr uint32_t kNone = UINT32_MAX;  // after every segment

  std::string Frame(const std::string& label, absl::string_view style, absl::string_view indent) {
    return absl::StrCat(indent, "subgraph cluster_", frame_++, " {\n", indent, "  graph [label=\"", Escaped(label),
                        "\", labeljust=l, style=\"", style, "\"];\n");
  }

  std::string SegmentLabel(uint32_t segment) {
    const std::string& label = picture_.segments[segment];
    if (seen_.insert(segment).second) return label;
    return absl::StrCat(label.substr(0, label.find(',')), ", continued");
  }

  std::string Repeated(uint32_t repeat, const std::vector<size_t>& boxes, const std::string& indent) {
    const bool framed = repeat > 0;
    const bool is_new = drawn_.insert(repeat).second;
    const std::string label = framed ? absl::StrCat(picture_.repeats[repeat - 1], is_new ? "" : ", continued") : "";
    std::string text = framed ? Frame(label, "rounded,bold", indent) : "";
    for (const size_t box : boxes)
      absl::StrAppend(&text, BoxText(picture_.boxes[box], box, framed ? indent + "  " : indent));
    return framed ? absl::StrCat(text, indent, "}\n") : text;
  }

  static std::string Arrow(const std::string& from, const std::string& to, absl::string_view label) {
    const std::string text =
        label.empty() ? "" : absl::StrCat(" [label=\" ", Escaped(label), "\"]");  // clear of its line
    return absl::StrCat("  ", from, " -> ", to, text, ";\n");
  }

  static std::string Circle(const std::string& name, size_t number) {
    return absl::StrCat("  ", name, " [label=\"", number,
                        "\", shape=circle, margin=0, width=0.25, height=0.25, fontsize=8, ",
                        "fillcolor=\"#ffffff\", color=\"#666666\", tooltip=\"goes on in another column\"];\n");
  }

  const Picture& picture_;
  std::map<std::tuple<uint32_t, uint32_t, uint32_t>, std::vector<size_t>> frames_;  // by segment, column, repeat
  std::set<uint32_t> seen_;                                                         // segments
  std::set<uint32_t> drawn_;                                                        // repeats
  int frame_ = 0;
};

}  // namespace

std::string DotText(const Picture& picture) {
  DotWriter writer(picture);
  return absl::StrCat("digraph model {\n", kDefaults, "  label=", TitleOf(picture), ";\n", writer.Boxes(),
                      writer.Edges(), "}\n");
}

}  // namespace hwest
