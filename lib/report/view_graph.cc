// Rows of `graph`: what a node's own row leaves out.
#include <algorithm>
#include <memory>

#include "absl/strings/str_cat.h"
#include "base/text.h"
#include "hwest/reading.h"
#include "report/text_parts.h"
#include "report/view_parts.h"

namespace hwest {
namespace {

// Nodes that read an output of `node`, as an operand or as a result of one of their bodies.
std::vector<NodeId> UsersOf(const Graph& graph, NodeId node) {
  std::vector<NodeId> users;
  for (const ValueId output : graph.outputs(node)) {
    if (!output.valid()) continue;
    for (const Use& use : graph.uses(output)) users.push_back(use.node);
    const Value& value = graph.value(output);
    const NodeId owner = value.graph.valid() ? graph.body(value.graph).owner : NodeId();
    if (value.is_output && owner.valid()) users.push_back(owner);
  }
  std::sort(users.begin(), users.end());
  users.erase(std::unique(users.begin(), users.end()), users.end());
  return users;
}

// What a node's group costs, at the node that stands for it.
struct PlannedCost {
  std::optional<double> time_s;
  std::optional<int64_t> dram_bytes, onchip_bytes;
  std::optional<Bound> bound;
  std::optional<double> utilisation;
};

// A node without cost has no group.
PlannedCost CostOf(const Analysis& analysis, NodeId node) {
  if (!analysis.plan.has_value()) return {};
  const GroupId id = analysis.plan->group_of[node];
  if (!id.valid()) return {0.0, 0, 0, std::nullopt, std::nullopt};
  const PlannedGroup& planned = analysis.plan->groups[id.index()];
  if (!planned.estimate.has_value()) return {};
  const Estimate& all = *planned.estimate;
  if (node != RootOf(planned)) return {0.0, 0, 0, all.bound, all.utilisation};
  return {all.time_s, all.dram_bytes, all.onchip_bytes, all.bound, all.utilisation};
}

std::string WhyNoGroup(NodeClass node_class) {
  switch (node_class) {
    case NodeClass::kView: return "no kernel: the same bytes under another shape";
    case NodeClass::kShape: return "no kernel: arithmetic on shapes";
    case NodeClass::kConstant: return "no kernel: made from constants before run time";
    case NodeClass::kDead: return "no kernel: no output needs it";
    default: return "no kernel";
  }
}

std::string WhyThisGroup(const GroupRow& group) {
  if (group.nodes.size() == 1) return absl::StrCat("a kernel of its own, g", group.id.index());
  return absl::StrCat("one of ", group.nodes.size(), " nodes of g", group.id.index(), ", ", group.pattern,
                      group.fusion.empty() ? "" : absl::StrCat(" (", group.fusion, ")"));
}

std::string WhyThisUnit(const View& view, const GroupRow& group) {
  const bool has_accelerator = std::any_of(view.units.begin(), view.units.end(),
                                           [](const UnitRow& unit) { return !unit.is_cpu && unit.placeable; });
  if (!group.unit.valid()) return absl::StrCat("no unit runs it: ", WhyNotText(view, group));
  const UnitRow& unit = view.units[group.unit.index()];
  if (unit.is_cpu && has_accelerator) return absl::StrCat("on ", unit.name, ": ", WhyNotText(view, group));
  if (!group.segment.valid()) return absl::StrCat("on ", unit.name);
  const SegmentRow& segment = view.segments[group.segment.index()];
  return absl::StrCat("on ", unit.name, " in segment ", segment.id.index(), ": ", segment.reason);
}

std::string ReasonOf(const View& view, const NodeRow& node) {
  if (view.groups.empty() && !node.group.valid()) return "";
  if (!node.group.valid()) {
    const std::string reading = IsFolded(node.node_class) ? "" : ReadingText(*view.graph, view.reading, node.id);
    return reading.empty() ? WhyNoGroup(node.node_class) : absl::StrCat("no kernel: ", reading);
  }
  const GroupRow group = view.groups[node.group.index()];
  return absl::StrCat(WhyThisGroup(group), "; ", WhyThisUnit(view, group));
}

// A total of numbers and formulas. A formula so long that a name replaces it is useless here.
Count TotalOf(const DimPool& pool, Dim total) {
  if (total.is_symbolic() && pool.AsSymbol(total).valid() && pool.IsDerived(pool.AsSymbol(total))) return {};
  return CountOf(pool, total);
}

GraphTotals TotalsOf(const Analysis& analysis, DimPool* pool, const std::vector<NodeId>& nodes) {
  GraphTotals totals;
  totals.nodes = static_cast<int64_t>(nodes.size());
  if (analysis.plan.has_value()) totals.untimed = 0;
  Dim macs = 0, flops = 0, bytes = 0;
  double time_s = 0;
  int64_t timed = 0, dram_bytes = 0, onchip_bytes = 0;
  for (const NodeId node : nodes) {
    const PlannedCost cost = CostOf(analysis, node);
    const std::optional<double>& own_s = cost.time_s;
    timed += own_s.has_value() ? 1 : 0;
    time_s += own_s.value_or(0);
    dram_bytes += cost.dram_bytes.value_or(0);
    onchip_bytes += cost.onchip_bytes.value_or(0);
    if (totals.untimed.has_value() && !own_s.has_value()) ++*totals.untimed;
    if (IsFolded(analysis.classes[node]) && analysis.classes[node] != NodeClass::kShape) continue;
    const NodeDims dims = DimsOf(analysis, node, pool);
    if (dims.macs.is_unknown() || dims.flops.is_unknown() || dims.bytes.is_unknown()) ++totals.uncounted;
    if (!dims.macs.is_unknown()) macs = pool->Add(macs, dims.macs);
    if (!dims.flops.is_unknown()) flops = pool->Add(flops, dims.flops);
    if (!dims.bytes.is_unknown()) bytes = pool->Add(bytes, dims.bytes);
  }
  totals.macs = TotalOf(*pool, macs);
  totals.flops = TotalOf(*pool, flops);
  totals.bytes = TotalOf(*pool, bytes);
  if (timed > 0 || (analysis.plan.has_value() && nodes.empty())) {
    totals.time_s = time_s;
    totals.dram_bytes = dram_bytes;
    totals.onchip_bytes = onchip_bytes;
  }
  return totals;
}

}  // namespace

void FillGraph(const Analysis& analysis, View* view) {
  const auto pool = std::make_shared<DimPool>(analysis.dims.get());
  view->totals_of = [&analysis, pool](const std::vector<NodeId>& nodes) {
    return TotalsOf(analysis, pool.get(), nodes);
  };
  view->graph_node = [&analysis, pool](const View& of, NodeId id) {
    GraphNodeRow row;
    static_cast<NodeRow&>(row) = of.nodes[id.index()];
    row.users = UsersOf(*analysis.graph, id);
    row.source_line = std::string(analysis.graph->str(analysis.graph->node(id).source_line));
    row.bytes = CountOf(*pool, DimsOf(analysis, id, pool.get()).bytes);
    const PlannedCost planned = CostOf(analysis, id);
    row.time_s = planned.time_s;
    row.bound = planned.bound;
    row.dram_bytes = planned.dram_bytes;
    row.onchip_bytes = planned.onchip_bytes;
    row.utilisation = planned.utilisation;
    if (analysis.plan.has_value()) row.reason = ReasonOf(of, row);
    return row;
  };
}

}  // namespace hwest
