#include "report/picture.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "base/status_macros.h"
#include "base/text.h"
#include "report/text_parts.h"
#include "report/text_table.h"
#include "report/writers.h"

namespace hwest {
namespace {

constexpr size_t kMaxLabel = 36;
constexpr uint32_t kNone = UINT32_MAX;
constexpr size_t kMaxDepth = 64;

// Item is what is drawn when everything fits: a group, or a node.
struct Item {
  std::vector<NodeId> nodes;
  NodeId root;
  GroupId group;
  UnitId unit;
  SegmentId segment;
  std::optional<double> time_s;
  std::optional<int64_t> macs;
};

// Boxes of a picture: for each item the box that it is in.
struct Grouping {
  std::vector<uint32_t> box_of;
  std::vector<std::string> names;  // by box; empty text = the item's own label
  size_t boxes = 0;
  std::string note;
};

bool IsKernel(NodeClass c) { return c != NodeClass::kView && c != NodeClass::kShape && c != NodeClass::kConstant; }

Item ItemOf(const View& view, const GroupRow& group) {
  Item item{.nodes = {group.nodes.begin(), group.nodes.end()},
            .root = group.nodes.back(),
            .group = group.id,
            .unit = group.unit,
            .segment = group.segment};
  if (group.estimate) item.time_s = group.estimate->time_s;
  item.macs = group.macs;
  for (const NodeId node : group.nodes) {
    if (view.nodes[node.index()].label == group.label) item.root = node;
  }
  return item;
}

Item ItemOf(const View& view, const NodeRow& node) {
  Item item{.nodes = {node.id}, .root = node.id, .group = node.group};
  if (const auto* macs = std::get_if<int64_t>(&node.macs)) item.macs = *macs;
  if (node.group.valid()) item.unit = view.groups[node.group.index()].unit;
  return item;
}

bool DrawsNodes(const View& view, const ReportOptions& options) {
  return view.groups.empty() || options.level == Level::kNode;
}

std::vector<Item> ItemsOf(const View& view, const ReportOptions& options) {
  std::vector<Item> items;
  if (DrawsNodes(view, options)) {
    for (const NodeRow& node : view.nodes) {
      if (IsKernel(node.node_class) || node.node_class == NodeClass::kView) items.push_back(ItemOf(view, node));
    }
  } else {
    for (const GroupRow& group : view.groups) items.push_back(ItemOf(view, group));
  }
  return items;
}

// Scopes from the root module to the node's own.
std::vector<ScopeId> ScopeChain(const Graph& graph, NodeId node) {
  std::vector<ScopeId> chain;
  for (ScopeId scope = graph.node(node).scope; scope.valid() && chain.size() < kMaxDepth;
       scope = graph.scope(scope).parent) {
    chain.push_back(scope);
  }
  std::reverse(chain.begin(), chain.end());
  return chain;
}

Grouping ByScope(const std::vector<Item>& items, const std::vector<std::vector<ScopeId>>& chains, size_t depth,
                 const Graph& graph) {
  Grouping grouping;
  std::map<std::tuple<ScopeId, UnitId>, uint32_t> boxes;
  for (size_t i = 0; i < items.size(); ++i) {
    const std::vector<ScopeId>& chain = chains[i];
    const ScopeId scope = chain.empty() ? ScopeId() : chain[std::min(depth, chain.size() - 1)];
    const auto [at, is_new] = boxes.try_emplace({scope, items[i].unit}, static_cast<uint32_t>(boxes.size()));
    if (is_new) {
      const absl::string_view path = scope.valid() ? graph.str(graph.scope(scope).path) : "";
      grouping.names.push_back(path.empty() ? "(root)" : std::string(path));
    }
    grouping.box_of.push_back(at->second);
  }
  grouping.boxes = boxes.size();
  grouping.note = absl::StrCat(items.size(), " boxes were drawn by module as ", boxes.size());
  return grouping;
}

Grouping ByRun(const std::vector<Item>& items) {
  Grouping grouping;
  const size_t length = (items.size() + kMaxBoxes - 1) / kMaxBoxes;
  for (size_t i = 0; i < items.size(); ++i) {
    grouping.box_of.push_back(static_cast<uint32_t>(i / length));
    if (i % length == 0) grouping.names.push_back(absl::StrCat(i, " to ", std::min(i + length, items.size()) - 1));
  }
  grouping.boxes = grouping.names.size();
  grouping.note =
      absl::StrCat(items.size(), " boxes were drawn as ", grouping.boxes, " runs; the file names no modules");
  return grouping;
}

Grouping GroupingOf(const View& view, const std::vector<Item>& items, const ReportOptions& options) {
  Grouping each;
  each.boxes = items.size();
  for (size_t i = 0; i < items.size(); ++i) each.box_of.push_back(static_cast<uint32_t>(i));
  each.names.resize(items.size());
  if (items.size() <= kMaxBoxes && options.level != Level::kModule) return each;
  std::vector<std::vector<ScopeId>> chains;
  size_t deepest = 0;
  for (const Item& item : items) {
    chains.push_back(ScopeChain(*view.graph, item.root));
    deepest = std::max(deepest, chains.back().size());
  }
  for (size_t depth = deepest; depth-- > 0;) {
    Grouping grouping = ByScope(items, chains, depth, *view.graph);
    if (grouping.boxes <= kMaxBoxes && grouping.boxes > 1) return grouping;
  }
  return items.size() <= kMaxBoxes ? each : ByRun(items);
}

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
    const std::string shape = ShapeToText(view.values[values.begin()->index()].shape);
    rows.push_back({ends.first, ends.second,
                    Shorten(values.size() == 1 ? shape : absl::StrCat(shape, " +", values.size() - 1), kMaxLabel)});
  }
  return rows;
}

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

struct BoxTotals {
  size_t items = 0;
  std::optional<double> time_s;
  int64_t macs = 0;
};

std::string CostText(const View& view, UnitId unit, const BoxTotals& totals, const std::string& precision) {
  if (view.groups.empty()) return absl::StrCat(FormatCount(static_cast<double>(totals.macs)), " MACs");
  const std::string where = unit.valid() ? view.units[unit.index()].name : "no unit";
  const std::string time = totals.time_s ? FormatSeconds(*totals.time_s) : "time unknown";
  return absl::StrCat(where, precision.empty() ? "" : " ", precision, "\n", time);
}

std::vector<PictureBox> BoxesOf(const View& view, const std::vector<Item>& items, const Grouping& grouping,
                                const ReportOptions& options) {
  std::vector<PictureBox> boxes(grouping.boxes);
  std::vector<BoxTotals> totals(grouping.boxes);
  for (size_t i = 0; i < items.size(); ++i) {
    BoxTotals& total = totals[grouping.box_of[i]];
    ++total.items;
    total.macs += items[i].macs.value_or(0);
    if (items[i].time_s) total.time_s = total.time_s.value_or(0) + *items[i].time_s;
  }
  const bool nodes = DrawsNodes(view, options);
  for (size_t i = 0; i < items.size(); ++i) {
    const uint32_t index = grouping.box_of[i];
    PictureBox& box = boxes[index];
    if (!box.lines.empty()) continue;
    const Item& item = items[i];
    const std::string& name = grouping.names[index];
    box.unit = item.unit;
    box.segment = name.empty() ? item.segment : SegmentId();
    box.tooltip = EscapeControl(name.empty() ? view.nodes[item.root.index()].label : name);
    std::string precision;
    if (name.empty() && item.group.valid()) precision = view.groups[item.group.index()].precision.value_or("");
    const std::string what = name.empty()
                                 ? OpsText(view, item)
                                 : absl::StrCat(name, " (", totals[index].items, nodes ? " nodes)" : " groups)");
    box.lines.push_back(Shorten(EscapeControl(what), kMaxLabel));
    if (nodes && name.empty()) box.lines.push_back(Shorten(box.tooltip, kMaxLabel));
    if (nodes && !view.groups.empty() && name.empty()) {
      box.lines.push_back(item.unit.valid() ? view.units[item.unit.index()].name : "no unit");
      continue;
    }
    for (const absl::string_view line : absl::StrSplit(CostText(view, item.unit, totals[index], precision), '\n')) {
      box.lines.push_back(EscapeControl(line));
    }
  }
  return boxes;
}

std::vector<std::string> TitleOf(const View& view, const std::string& note) {
  std::vector<std::string> lines;
  const RequestView& request = view.request;
  lines.push_back(
      EscapeControl(absl::StrCat(request.model, request.target ? absl::StrCat(" on ", *request.target) : "")));
  std::vector<std::string> facts;
  if (view.summary.latency_s) facts.push_back(FormatSeconds(*view.summary.latency_s));
  facts.push_back(absl::StrCat(CountText(view.summary.macs), " MACs"));
  if (request.precision) facts.push_back(*request.precision);
  if (request.mode) facts.push_back(absl::StrCat("mode ", *request.mode));
  lines.push_back(EscapeControl(absl::StrJoin(facts, ", ")));
  std::vector<std::string> inputs;
  for (const PortRow& port : view.model.inputs) inputs.push_back(absl::StrCat(port.name, " ", ShapeToText(port.shape)));
  lines.push_back(Shorten(EscapeControl(absl::StrCat("inputs: ", absl::StrJoin(inputs, ", "))), 120));
  if (!note.empty()) lines.push_back(note);
  return lines;
}

}  // namespace

Picture MakePicture(const View& view, const ReportOptions& options) {
  Picture picture;
  const std::vector<Item> items = ItemsOf(view, options);
  const Grouping grouping = GroupingOf(view, items, options);
  picture.boxes = BoxesOf(view, items, grouping, options);
  picture.edges = EdgesOf(view, items, grouping);
  picture.note = grouping.note;
  picture.title = TitleOf(view, grouping.note);
  if (!DrawsNodes(view, options) && grouping.note.empty()) {
    for (const SegmentRow& segment : view.segments) {
      const std::string unit = segment.unit.valid() ? view.units[segment.unit.index()].name : "no unit";
      picture.segments.push_back(EscapeControl(
          absl::StrCat("segment ", segment.id.index(), " on ", unit, ", ", FormatSeconds(segment.time_s))));
    }
  }
  return picture;
}

absl::Status WritePicture(const Document& document, const ReportOptions& options, Sink sink) {
  if (document.view == nullptr || document.view->graph == nullptr) return absl::InternalError("a picture of no graph");
  const Picture picture = MakePicture(*document.view, options);
  if (!picture.note.empty() && options.notes != nullptr) {
    options.notes->push_back({.code = Code::kCollapsed, .message = picture.note});
  }
  HWEST_ASSIGN_OR_RETURN(const std::string bytes, RenderPicture(picture, options.format));
  return sink(bytes);
}

}  // namespace hwest
