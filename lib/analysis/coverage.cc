#include "analysis/coverage.h"

#include "pass/infer.h"

namespace hwest {
namespace {

bool TakesNoTime(NodeClass node_class) { return node_class == NodeClass::kView || IsFolded(node_class); }

bool OutputsTyped(const Analysis& analysis, NodeId node) {
  for (const ValueId output : analysis.graph->outputs(node)) {
    if (output.valid() && analysis.facts.IsNeeded(output) && !IsTyped(analysis.facts.values[output])) return false;
  }
  return true;
}

bool Counted(const Analysis& analysis, NodeId node) {
  const auto& work = analysis.work[node];
  if (!work.has_value() || work->macs.is_unknown()) return false;
  for (const Dim ops : work->ops) {
    if (ops.is_unknown()) return false;
  }
  return true;
}

// Inside a body of a node that is folded before run time.
bool IsInFolded(const Analysis& analysis, NodeId node) {
  const NodeId owner = analysis.graph->body(analysis.graph->node(node).graph).owner;
  return owner.valid() && IsFolded(analysis.classes[owner]);
}

// The planned group of the node, null when it has none.
const PlannedGroup* GroupOf(const Analysis& analysis, NodeId node) {
  if (!analysis.plan.has_value()) return nullptr;
  const GroupId group = analysis.plan->group_of[node];
  return group.valid() ? &analysis.plan->groups[group.index()] : nullptr;
}

// Share of the counted macs that have a time, and of the time itself. How long a group without a time takes is not
// known, so the latter is 1 or nothing.
void AddShares(const Analysis& analysis, Coverage& coverage) {
  int64_t macs = 0, costed_macs = 0;
  bool all_costed = true;
  for (const PlannedGroup& group : analysis.plan->groups) {
    macs += group.work.macs;
    all_costed = all_costed && group.estimate.has_value();
    if (group.estimate.has_value()) costed_macs += group.work.macs;
  }
  coverage.macs_share = macs == 0 ? 1.0 : static_cast<double>(costed_macs) / static_cast<double>(macs);
  if (all_costed) coverage.time_share = 1.0;
}

}  // namespace

Coverage CoverageOf(const Analysis& analysis) {
  Coverage coverage;
  const Graph& graph = *analysis.graph;
  const bool planned = analysis.plan.has_value();
  for (size_t n = 0; n < graph.nodes().size(); ++n) {
    const NodeId node(n);
    if (analysis.classes[node] == NodeClass::kDead) continue;
    ++coverage.nodes;
    // Runs of a loop that is folded as a whole may differ in their shapes: no value of them is there at run time.
    const bool folded = IsInFolded(analysis, node);
    const bool typed = folded || OutputsTyped(analysis, node);
    const bool counted = folded || Counted(analysis, node);
    const PlannedGroup* group = GroupOf(analysis, node);
    const bool free = TakesNoTime(analysis.classes[node]);
    const bool costed = planned && (free || (group != nullptr && group->estimate.has_value()));
    const bool placed = planned && (free || (group != nullptr && group->unit.valid()));
    coverage.typed += typed;
    coverage.counted += counted;
    coverage.costed += costed;
    coverage.placed += placed;
    if (!typed || !counted || (planned && (!costed || !placed))) coverage.unknown_nodes.push_back(node);
  }
  for (size_t s = 0; s < analysis.dims->num_symbols(); ++s) {
    if (analysis.dims->symbol(SymbolId(s)).data_dependent) coverage.data_dependent.push_back(SymbolId(s));
  }
  if (planned) AddShares(analysis, coverage);
  return coverage;
}

}  // namespace hwest
