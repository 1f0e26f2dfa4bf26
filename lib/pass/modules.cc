#include "pass/modules.h"

#include <algorithm>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "op/tables.h"
#include "pass/runs.h"
#include "pass/weights.h"
#include "pass/work.h"

namespace hwest {
namespace {

// The scope that holds all others; none without scopes.
ScopeId RootScope(const Graph& graph) {
  for (size_t s = 0; s < graph.scopes().size(); ++s) {
    if (!graph.scope(ScopeId(s)).parent.valid()) return ScopeId(s);
  }
  return ScopeId();
}

ScopeId ScopeOf(const Graph& graph, NodeId node, ScopeId root) {
  const ScopeId scope = graph.node(node).scope;
  return scope.valid() ? scope : root;
}

class RollUp {
 public:
  RollUp(const Graph& graph, std::vector<ModuleRow>& rows, DimPool& dims)
      : graph_(graph), root_(RootScope(graph)), index_(graph), rows_(rows), dims_(dims) {}

  void Add(NodeId node, Dim macs, Dim flops) {
    weights_.clear();
    const int64_t learned = LearnedElements(graph_, node);
    index_.ForEach(node, [this](ConstantId weight, int64_t elements) { weights_.push_back({weight, elements}); });
    for (ScopeId scope = ScopeOf(graph_, node, root_); scope.valid(); scope = graph_.scope(scope).parent) {
      ModuleRow& row = rows_[scope.index()];
      ++row.nodes;
      if (!macs.is_unknown()) row.macs = dims_.Add(row.macs, macs);
      if (!flops.is_unknown()) row.flops = dims_.Add(row.flops, flops);
      row.params = SaturatingAdd(row.params, learned);
      for (const auto& [weight, elements] : weights_) {
        if (seen_.emplace(scope.index(), weight.index()).second) row.params = SaturatingAdd(row.params, elements);
      }
    }
  }

 private:
  const Graph& graph_;
  const ScopeId root_;
  const Weights index_;
  std::vector<ModuleRow>& rows_;
  DimPool& dims_;
  std::vector<std::pair<ConstantId, int64_t>> weights_;  // of the node at hand
  absl::flat_hash_set<std::pair<size_t, size_t>> seen_;  // (scope, weight)
};

NodeId CostliestNode(const Group& group, const CountsMap& counts) {
  NodeId costliest = group.root;
  for (const NodeId node : group.nodes) {
    if (counts[node].macs.value_or(0) > counts[costliest].macs.value_or(0)) costliest = node;
  }
  return costliest;
}

void AddGroup(const PlannedGroup& group, ModuleRow& row) {
  if (!group.estimate.has_value()) {
    row.time_s.reset();
    row.energy_j.reset();
  }
  if (!row.time_s.has_value()) return;
  *row.time_s += group.estimate->time_s;
  *row.energy_j += group.estimate->energy.total();
}

}  // namespace

std::vector<ModuleRow> RollUpModules(const Graph& graph, const IdMap<NodeId, NodeClass>& classes, const WorkMap& work,
                                     const IdMap<GraphId, Dim>& runs, DimPool& dims) {
  std::vector<ModuleRow> rows;
  for (size_t s = 0; s < graph.scopes().size(); ++s) {
    const Scope& scope = graph.scope(ScopeId(s));
    rows.push_back({.scope = ScopeId(s),
                    .path = std::string(graph.str(scope.path)),
                    .parent = scope.parent.valid() ? std::string(graph.str(graph.scope(scope.parent).path)) : "",
                    .class_name = std::string(graph.str(scope.class_name))});
  }
  RollUp roll_up(graph, rows, dims);
  for (size_t n = 0; n < graph.nodes().size(); ++n) {
    const NodeId node(n);
    if (classes[node] == NodeClass::kDead) continue;
    const bool counted = classes[node] != NodeClass::kConstant && work[node].has_value();
    const Dim times = runs[graph.node(node).graph];
    roll_up.Add(node, counted ? OverRuns(work[node]->macs, times, dims) : Dim(0),
                counted ? OverRuns(FlopsOf(*work[node], dims), times, dims) : Dim(0));
  }
  return rows;
}

void AddModuleTimes(const Graph& graph, const CountsMap& counts, const Plan& plan, std::vector<ModuleRow>& modules) {
  const ScopeId root = RootScope(graph);
  if (!root.valid()) return;
  for (ModuleRow& row : modules) row.time_s = row.energy_j = 0;
  for (const PlannedGroup& group : plan.groups) {
    ScopeId scope = ScopeOf(graph, CostliestNode(group.group, counts), root);
    for (; scope.valid(); scope = graph.scope(scope).parent) AddGroup(group, modules[scope.index()]);
  }
  ModuleRow& model = modules[root.index()];
  if (!model.time_s.has_value()) return;
  model.time_s = plan.latency_s;
  model.energy_j = plan.energy_j;
}

}  // namespace hwest
