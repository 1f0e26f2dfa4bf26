// Tables that a model keeps in the attributes of its nodes: trees, coefficients, vocabularies.
#pragma once

#include <cstdint>

#include "hwest/graph.h"

namespace hwest {

// Bytes of the lists and tensors among the attributes of `node`, as the file holds them; 0 unless its operator keeps
// tables there.
int64_t TableBytes(const Graph& graph, NodeId node);

// Of them the numbers that were trained: thresholds, leaves, coefficients.
int64_t LearnedElements(const Graph& graph, NodeId node);

}  // namespace hwest
