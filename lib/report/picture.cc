#include "report/picture.h"

#include <algorithm>
#include <map>
#include <set>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/status_macros.h"
#include "base/text.h"
#include "report/picture_boxes.h"
#include "report/text_parts.h"
#include "report/text_table.h"
#include "report/writers.h"

namespace hwest {
namespace {

constexpr size_t kMaxLabel = 36;
constexpr uint32_t kNone = UINT32_MAX;
constexpr size_t kMostUnits = 4;

// The item that computes `value`: views in between are looked through. kNone for inputs and constants.
uint32_t SourceOf(const View& view, const std::vector<uint32_t>& item_of, ValueId value) {
  for (size_t steps = 0; value.valid() && steps <= view.nodes.size(); ++steps) {
    const NodeId producer = view.graph->value(value).producer;
    if (!producer.valid()) return kNone;
    if (item_of[producer.index()] != kNone) return item_of[producer.index()];
    if (view.nodes[producer.index()].node_class != NodeClass::kView) return kNone;
    const auto inputs = view.graph->inputs(producer);
    value = inputs.empty() ? ValueId() : inputs[0];
  }
  return kNone;
}

// Values that a node reads: its inputs, and for a control node what its bodies give back.
std::vector<ValueId> ReadsOf(const Graph& graph, NodeId node) {
  const auto inputs = graph.inputs(node);
  std::vector<ValueId> reads(inputs.begin(), inputs.end());
  for (const Attribute& attribute : graph.attributes(node)) {
    for (const GraphId body : attribute.graphs) {
      const std::vector<ValueId>& outputs = graph.body(body).outputs;
      reads.insert(reads.end(), outputs.begin(), outputs.end());
    }
  }
  return reads;
}

std::vector<PictureEdge> EdgesOf(const View& view, const std::vector<Item>& items, const Grouping& grouping) {
  std::vector<uint32_t> item_of(view.nodes.size(), kNone);
  for (size_t i = 0; i < items.size(); ++i) {
    for (const NodeId node : items[i].nodes) item_of[node.index()] = static_cast<uint32_t>(i);
  }
  std::map<std::pair<uint32_t, uint32_t>, std::set<ValueId>> edges;
  for (size_t i = 0; i < items.size(); ++i) {
    for (const NodeId node : items[i].nodes) {
      for (const ValueId value : ReadsOf(*view.graph, node)) {
        const uint32_t source = SourceOf(view, item_of, value);
        if (source == kNone) continue;
        const uint32_t from = grouping.box_of[source], to = grouping.box_of[i];
        if (from != to) edges[{from, to}].insert(value);
      }
    }
  }
  std::vector<PictureEdge> rows;
  for (const auto& [ends, values] : edges) {
    std::string label = ShapeToText(view.values[values.begin()->index()].shape);
    if (values.size() > 1) absl::StrAppend(&label, " +", values.size() - 1);
    // Arrows between units run both ways, too close together for shapes.
    if (grouping.of == Grouping::Of::kUnits) label = absl::StrCat(values.size(), values.size() == 1 ? " value" : " values");
    rows.push_back({ends.first, ends.second, Shorten(label, kMaxLabel)});
  }
  return rows;
}

bool IsKernel(NodeClass c) { return c != NodeClass::kView && !IsFolded(c); }

std::string UnitName(const View& view, UnitId unit) {
  return EscapeControl(unit.valid() ? absl::string_view(view.units[unit.index()].name) : "no unit");
}

std::string TimeText(std::optional<double> time_s) { return time_s ? FormatSeconds(*time_s) : "time unknown"; }

std::string OpsText(const View& view, const Item& item) {
  std::vector<std::string> ops;
  for (const NodeId node : item.nodes) {
    const NodeRow& row = view.nodes[node.index()];
    if (IsKernel(row.node_class)) ops.push_back(row.op);
  }
  if (ops.empty()) return view.nodes[item.root.index()].op;
  if (ops.size() <= 3) return absl::StrJoin(ops, "+");
  return absl::StrCat(item.group.valid() ? view.groups[item.group.index()].pattern : ops.front(), " (", ops.size(),
                      " ops)");
}

// The box of one group or node.
PictureBox OwnBox(const View& view, const Item& item, bool is_node) {
  PictureBox box{.unit = item.unit, .segment = item.segment};
  box.tooltip = EscapeControl(view.nodes[item.root.index()].label);
  box.lines.push_back(Shorten(EscapeControl(OpsText(view, item)), kMaxLabel));
  if (is_node) box.lines.push_back(Shorten(box.tooltip, kMaxLabel));
  if (view.groups.empty()) {
    box.lines.push_back(absl::StrCat(FormatCount(static_cast<double>(item.macs.value_or(0))), " MACs"));
  } else if (is_node) {
    box.lines.push_back(UnitName(view, item.unit));
  } else {
    const std::string precision = view.groups[item.group.index()].precision.value_or("");
    box.lines.push_back(absl::StrCat(UnitName(view, item.unit), precision.empty() ? "" : " ", precision));
    box.lines.push_back(TimeText(item.time_s));
  }
  return box;
}

// What the items of a box take on one unit.
struct UnitShare {
  UnitId unit;
  size_t items = 0;
  double time_s = 0;
  bool known = true;
};

struct BoxTotals {
  size_t items = 0;
  int64_t macs = 0;
  SegmentId segment;
  std::vector<UnitShare> units;  // the one that takes longest first

  void Add(const Item& item) {
    ++items;
    macs += item.macs.value_or(0);
    segment = item.segment;
    auto share = std::find_if(units.begin(), units.end(), [&](const UnitShare& row) { return row.unit == item.unit; });
    if (share == units.end()) share = units.insert(units.end(), {.unit = item.unit});
    ++share->items;
    share->time_s += item.time_s.value_or(0);
    share->known = share->known && item.time_s.has_value();
  }
};

std::string ShareText(const View& view, const UnitShare& share) {
  const std::string unit = UnitName(view, share.unit);
  const bool is_unknown = !share.known && share.time_s <= 0;
  return absl::StrCat(unit, " ", is_unknown ? "time unknown" : AtLeast(FormatSeconds(share.time_s), share.time_s, !share.known));
}

// The segment's own time, which pipelined units take for all groups together, and what it takes beside that.
void AddSegmentLines(const SegmentRow& segment, std::vector<std::string>* lines) {
  lines->push_back(AtLeast(FormatSeconds(segment.time_s), segment.time_s, segment.incomplete));
  std::vector<std::string> parts;
  if (segment.transfer_s > 0) {
    parts.push_back(absl::StrCat(FormatBytes(static_cast<double>(segment.in_bytes)), " in, transfer ",
                                 FormatSeconds(segment.transfer_s)));
  }
  if (segment.invoke_s > 0) parts.push_back(absl::StrCat("invoke ", FormatSeconds(segment.invoke_s)));
  if (!parts.empty()) lines->push_back(absl::StrJoin(parts, ", "));
}

// The box of several groups or nodes.
PictureBox SharedBox(const View& view, const Grouping& grouping, size_t index, const BoxTotals& totals,
                     bool of_nodes) {
  const std::string name = EscapeControl(grouping.names[index]);
  PictureBox box{.tooltip = name, .unit = totals.units.front().unit};
  const absl::string_view what = of_nodes ? "node" : "group";
  box.lines.push_back(Shorten(name, kMaxLabel));
  const std::string macs = absl::StrCat(", ", FormatCount(static_cast<double>(totals.macs)), " MACs");
  box.lines.push_back(absl::StrCat(totals.items, " ", what, totals.items == 1 ? "" : "s", totals.macs > 0 ? macs : ""));
  if (view.groups.empty()) return box;
  if (grouping.of == Grouping::Of::kSegments && totals.segment.valid()) {
    AddSegmentLines(view.segments[totals.segment.index()], &box.lines);
    return box;
  }
  if (grouping.of == Grouping::Of::kUnits && box.unit.valid()) {
    box.lines.push_back(absl::StrCat("busy ", FormatSeconds(view.units[box.unit.index()].busy_s)));
    return box;
  }
  for (size_t u = 0; u < totals.units.size() && u < kMostUnits; ++u) box.lines.push_back(ShareText(view, totals.units[u]));
  if (totals.units.size() > kMostUnits) {
    box.lines.push_back(absl::StrCat(totals.units.size() - kMostUnits, " more units"));
  }
  return box;
}

std::vector<PictureBox> BoxesOf(const View& view, const std::vector<Item>& items, const Grouping& grouping,
                                const ReportOptions& options) {
  const bool nodes = DrawsNodes(view, options);
  std::vector<PictureBox> boxes;
  if (grouping.of == Grouping::Of::kItems) {
    for (const Item& item : items) boxes.push_back(OwnBox(view, item, nodes));
    return boxes;
  }
  std::vector<BoxTotals> totals(grouping.boxes);
  for (size_t i = 0; i < items.size(); ++i) totals[grouping.box_of[i]].Add(items[i]);
  for (size_t b = 0; b < totals.size(); ++b) {
    std::stable_sort(totals[b].units.begin(), totals[b].units.end(),
                     [](const UnitShare& x, const UnitShare& y) { return x.time_s > y.time_s; });
    boxes.push_back(SharedBox(view, grouping, b, totals[b], nodes));
  }
  return boxes;
}

std::vector<std::string> TitleOf(const View& view, const std::string& caption) {
  std::vector<std::string> lines;
  const RequestView& request = view.request;
  lines.push_back(
      EscapeControl(absl::StrCat(request.model, request.target ? absl::StrCat(" on ", *request.target) : "")));
  std::vector<std::string> facts;
  const SummaryView& summary = view.summary;
  const bool is_partial = summary.incomplete.value_or(false);
  const double latency_s = summary.latency_s.value_or(0);
  if (summary.latency_s || is_partial) facts.push_back(AtLeast(FormatSeconds(latency_s), latency_s, is_partial));
  if (is_partial) facts.push_back(MissingText(view));
  facts.push_back(absl::StrCat(summary.counts_partial ? "at least " : "", CountText(summary.macs), " MACs"));
  if (request.precision) facts.push_back(*request.precision);
  if (request.mode) facts.push_back(absl::StrCat("mode ", *request.mode));
  lines.push_back(EscapeControl(absl::StrJoin(facts, ", ")));
  std::vector<std::string> inputs;
  for (const PortRow& port : view.model.inputs) inputs.push_back(absl::StrCat(port.name, " ", ShapeToText(port.shape)));
  lines.push_back(Shorten(EscapeControl(absl::StrCat("inputs: ", absl::StrJoin(inputs, ", "))), 120));
  if (!caption.empty()) lines.push_back(caption);
  return lines;
}

}  // namespace

absl::StatusOr<Picture> MakePicture(const View& view, const ReportOptions& options) {
  Picture picture;
  const std::vector<Item> items = ItemsOf(view, options);
  HWEST_ASSIGN_OR_RETURN(const Grouping grouping, GroupingOf(view, items, options));
  picture.boxes = BoxesOf(view, items, grouping, options);
  picture.edges = EdgesOf(view, items, grouping);
  if (grouping.folded) picture.note = grouping.caption;
  picture.title = TitleOf(view, grouping.caption);
  if (!DrawsNodes(view, options) && grouping.of == Grouping::Of::kItems) {
    for (const SegmentRow& segment : view.segments) {
      const std::string unit = segment.unit.valid() ? view.units[segment.unit.index()].name : "no unit";
      picture.segments.push_back(EscapeControl(
          absl::StrCat("segment ", segment.id.index(), " on ", unit, ", ", AtLeast(FormatSeconds(segment.time_s), segment.time_s, segment.incomplete))));
    }
  }
  return picture;
}

absl::Status WritePicture(const Document& document, const ReportOptions& options, Sink sink) {
  if (document.view == nullptr || document.view->graph == nullptr) return absl::InternalError("a picture of no graph");
  const bool draws_modules = options.level == Level::kModule && document.view->graph != nullptr;
  if (options.level.has_value() && !draws_modules) HWEST_RETURN_IF_ERROR(LevelTable(document, options).status());
  HWEST_ASSIGN_OR_RETURN(const Picture picture, MakePicture(*document.view, options));
  if (!picture.note.empty() && options.notes != nullptr) {
    options.notes->push_back({.code = Code::kCollapsed, .message = picture.note});
  }
  HWEST_ASSIGN_OR_RETURN(const std::string bytes, RenderPicture(picture, options.format));
  return sink(bytes);
}

}  // namespace hwest
