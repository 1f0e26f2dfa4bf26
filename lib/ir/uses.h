// The index of uses: which node reads a value, and as which input.
#pragma once

#include <cstdint>
#include <vector>

#include "hwest/graph.h"

namespace hwest {

// Uses of value v come to stand in uses[begin[v], begin[v + 1]), by node and input. `edges` holds the operands of
// `nodes`.
void IndexUses(const IdMap<NodeId, Node>& nodes, const std::vector<ValueId>& edges, size_t num_values,
               std::vector<uint32_t>* begin, std::vector<Use>* uses);

}  // namespace hwest
