// How often each body of control flow runs per inference.
#pragma once

#include <optional>

#include "hwest/facts.h"
#include "hwest/graph.h"
#include "hwest/work.h"

namespace hwest {

// Runs by body: 1 for the main graph; of an If the taken branch (when its condition is known, else the dearest by
// flops) runs as often as its parent and the other one 0 times. Bodies of operators without a rule run once.
IdMap<GraphId, int64_t> CountRuns(const Graph& graph, const Facts& facts,
                                  const IdMap<NodeId, std::optional<Work>>& work, DimPool& dims);

}  // namespace hwest
