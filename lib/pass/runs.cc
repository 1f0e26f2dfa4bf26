#include "pass/runs.h"

#include <vector>

#include "pass/work.h"

namespace hwest {
namespace {

// Flops of a body with everything nested in it, all branches counted; what is unknown counts nothing here.
int64_t BodyFlops(const Graph& graph, GraphId body, const IdMap<NodeId, std::optional<Work>>& work, DimPool& dims) {
  int64_t flops = 0;
  for (const NodeId node : graph.body(body).nodes) {
    if (work[node].has_value()) flops += Evaluate(FlopsOf(*work[node], dims), dims).value_or(0);
    for (const Attribute& attribute : graph.attributes(node)) {
      for (const GraphId nested : attribute.graphs) flops += BodyFlops(graph, nested, work, dims);
    }
  }
  return flops;
}

// Index among `branches` of the one that counts.
size_t CountedBranch(const Graph& graph, NodeId node, const std::vector<GraphId>& branches, const Facts& facts,
                     const IdMap<NodeId, std::optional<Work>>& work, DimPool& dims) {
  const auto inputs = graph.inputs(node);
  if (!inputs.empty() && inputs[0].valid()) {
    const Known& condition = facts.values[inputs[0]].known;
    if (condition != nullptr && condition->size() == 1 && condition->front().is_constant()) {
      const bool taken = condition->front().number() != 0;
      for (size_t i = 0; i < branches.size(); ++i) {
        if ((graph.str(graph.body(branches[i]).attribute) == "then_branch") == taken) return i;
      }
    }
  }
  size_t dearest = 0;
  int64_t most = -1;
  for (size_t i = 0; i < branches.size(); ++i) {
    const int64_t flops = BodyFlops(graph, branches[i], work, dims);
    if (flops > most) {
      most = flops;
      dearest = i;
    }
  }
  return dearest;
}

}  // namespace

IdMap<GraphId, int64_t> CountRuns(const Graph& graph, const Facts& facts,
                                  const IdMap<NodeId, std::optional<Work>>& work, DimPool& dims) {
  IdMap<GraphId, int64_t> runs(graph.bodies().size(), 1);
  // Parents come before their bodies, so one ascending sweep settles nested control flow.
  for (size_t g = 1; g < graph.bodies().size(); ++g) {
    const Body& body = graph.body(GraphId(g));
    runs[GraphId(g)] = runs[body.parent];
    if (graph.op(body.owner) != "If" || !graph.domain(body.owner).empty()) continue;
    std::vector<GraphId> branches;
    for (const Attribute& attribute : graph.attributes(body.owner)) {
      branches.insert(branches.end(), attribute.graphs.begin(), attribute.graphs.end());
    }
    if (!(branches[CountedBranch(graph, body.owner, branches, facts, work, dims)] == GraphId(g))) runs[GraphId(g)] = 0;
  }
  return runs;
}

}  // namespace hwest
