// Bodies in node order: where a node's bodies begin, and what to forget before another pass over them.
#pragma once

#include <vector>

#include "absl/container/flat_hash_map.h"
#include "hwest/facts.h"
#include "hwest/graph.h"

namespace hwest {

// BodyRange is the nodes of one body, nested ones included: contiguous ids, right before the owner or its next body.
struct BodyRange {
  GraphId body;
  uint32_t begin = 0;
  uint32_t end = 0;  // empty when begin == end
};
std::vector<BodyRange> BodiesOf(const Graph& graph, NodeId owner);

// Owners finds the nodes with bodies by the first node they own.
class Owners {
 public:
  explicit Owners(const Graph& graph);

  // The outermost owner below `end` whose bodies begin at `first` (a node with empty bodies begins at itself); none
  // when there is none.
  NodeId At(uint32_t first, uint32_t end) const;

 private:
  absl::flat_hash_map<uint32_t, std::vector<NodeId>> by_first_;  // ascending
};

// Forget resets what was found out about the values of nodes begin ... end - 1; constants stay.
void Forget(const Graph& graph, uint32_t begin, uint32_t end, Facts& facts);

}  // namespace hwest
