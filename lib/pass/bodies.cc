#include "pass/bodies.h"

#include "op/body.h"

namespace hwest {

std::vector<BodyRange> BodiesOf(const Graph& graph, NodeId owner) {
  std::vector<BodyRange> ranges;
  for (const Attribute& attribute : graph.attributes(owner)) {
    for (const GraphId id : attribute.graphs) {
      const std::vector<NodeId>& nodes = graph.body(id).nodes;
      BodyRange range{.body = id};
      if (!nodes.empty()) {
        range.begin = FirstOwned(graph, nodes.front()).index();
        range.end = nodes.back().index() + 1;
      }
      ranges.push_back(range);
    }
  }
  return ranges;
}

Owners::Owners(const Graph& graph) {
  for (size_t g = graph.bodies().size(); g-- > 1;) {
    const NodeId owner = graph.body(GraphId(g)).owner;
    if (owner.valid()) by_first_[FirstOwned(graph, owner).index()].push_back(owner);
  }
}

NodeId Owners::At(uint32_t first, uint32_t end) const {
  const auto found = by_first_.find(first);
  if (found == by_first_.end()) return NodeId();
  NodeId outermost;
  for (const NodeId owner : found->second) {
    if (owner.index() < end && (!outermost.valid() || outermost < owner)) outermost = owner;
  }
  return outermost;
}

void Forget(const Graph& graph, uint32_t begin, uint32_t end, Facts& facts) {
  for (uint32_t n = begin; n < end; ++n) {
    for (const ValueId output : graph.outputs(NodeId(n))) {
      if (!output.valid() || graph.value(output).constant.valid()) continue;
      facts.values[output] = ValueFact();
      facts.elements.erase(output);
    }
  }
}

}  // namespace hwest
