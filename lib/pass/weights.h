// Weights: which constants are parameters of the model, counted by tensor and by use.
#pragma once

#include <cstdint>
#include <optional>

#include "absl/functional/function_ref.h"
#include "base/checked_math.h"
#include "hwest/analysis.h"
#include "hwest/facts.h"
#include "hwest/graph.h"

namespace hwest {

// A weight is a float or quantised initialiser, or a tensor handed to a local function as attribute. Other Constant
// nodes, scales, zero points and index tensors are none. Identity is looked through. Elements are logical: packed
// block-quantised weights count N*K.
ParamTotals CountParams(const Graph& graph, const Facts& facts);

// Sum of two counts, both >= 0; INT64_MAX when it lies above, as in files that only claim to hold so much.
inline int64_t SaturatingAdd(int64_t a, int64_t b) { return CheckedAdd(a, b).value_or(INT64_MAX); }

// Bits per logical element of the weight that input `use.input` of `use.node` reads directly: 4 for packed 4-bit weights
// that are stored as bytes. None when it is no weight of the file.
std::optional<int> WeightBits(const Graph& graph, const Use& use);

// Calls visit(tensor, elements) for every weight that `node` reads itself, once per use; buffers are not included.
void ForEachWeight(const Graph& graph, NodeId node, absl::FunctionRef<void(ConstantId, int64_t)> visit);
// The sum of those elements.
int64_t WeightElements(const Graph& graph, NodeId node);

}  // namespace hwest
