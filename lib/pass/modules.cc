#include "pass/modules.h"

#include "pass/runs.h"
#include "pass/weights.h"
#include "pass/work.h"

namespace hwest {

std::vector<ModuleRow> RollUpModules(const Graph& graph, const IdMap<NodeId, NodeClass>& classes,
                                     const WorkMap& work,
                                     const CountsMap& counts,
                                     const IdMap<GraphId, Dim>& runs, DimPool& dims) {
  std::vector<ModuleRow> rows;
  for (size_t s = 0; s < graph.scopes().size(); ++s) {
    const Scope& scope = graph.scope(ScopeId(s));
    rows.push_back({.scope = ScopeId(s),
                    .path = std::string(graph.str(scope.path)),
                    .parent = scope.parent.valid() ? std::string(graph.str(graph.scope(scope.parent).path)) : "",
                    .class_name = std::string(graph.str(scope.class_name))});
  }
  for (size_t n = 0; n < graph.nodes().size(); ++n) {
    const NodeId node(n);
    const bool counted = classes[node] != NodeClass::kConstant && work[node].has_value();
    const Dim times = runs[graph.node(node).graph];
    const Dim macs = counted ? OverRuns(work[node]->macs, times, dims) : Dim(0);
    const Dim flops = counted ? OverRuns(FlopsOf(*work[node], dims), times, dims) : Dim(0);
    for (ScopeId scope = graph.node(node).scope; scope.valid(); scope = graph.scope(scope).parent) {
      ModuleRow& row = rows[scope.index()];
      ++row.nodes;
      row.params = SaturatingAdd(row.params, counts[node].params.value_or(0));
      if (!macs.is_unknown()) row.macs = dims.Add(row.macs, macs);
      if (!flops.is_unknown()) row.flops = dims.Add(row.flops, flops);
    }
  }
  return rows;
}

namespace {

NodeId DearestNode(const Group& group, const CountsMap& counts) {
  NodeId dearest = group.root;
  for (const NodeId node : group.nodes) {
    if (counts[node].macs.value_or(0) > counts[dearest].macs.value_or(0)) dearest = node;
  }
  return dearest;
}

}  // namespace

void AddModuleTimes(const Graph& graph, const CountsMap& counts, const Plan& plan,
                    std::vector<ModuleRow>& modules) {
  for (ModuleRow& row : modules) row.time_s = row.energy_j = 0;
  for (const PlannedGroup& group : plan.groups) {
    const ScopeId own = graph.node(DearestNode(group.group, counts)).scope;
    for (ScopeId scope = own; scope.valid(); scope = graph.scope(scope).parent) {
      ModuleRow& row = modules[scope.index()];
      if (!group.estimate.has_value()) {
        row.time_s.reset();
        row.energy_j.reset();
      }
      if (!row.time_s.has_value() || !group.estimate.has_value()) continue;
      *row.time_s += group.estimate->time_s;
      *row.energy_j += group.estimate->energy.total();
    }
  }
}

}  // namespace hwest
