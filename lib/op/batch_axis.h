// Where an operator keeps the batch of its first input.
#pragma once

#include "hwest/graph.h"

namespace hwest {

// The axis of input 0 that counts independent inputs: 0, but 1 of recurrent cells whose steps lead (layout 0).
int BatchAxisOf(const Graph& graph, NodeId node);

}  // namespace hwest
