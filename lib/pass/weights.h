// Weights: which constants are parameters of the model, counted by tensor and by use.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/functional/function_ref.h"
#include "base/checked_math.h"
#include "hwest/analysis.h"
#include "hwest/facts.h"
#include "hwest/graph.h"

namespace hwest {

// A weight is
// - a float or quantised initialiser, or a tensor handed to a local function as attribute,
// - the tensor of a Constant node that ends in an operand the operator's row calls a weight, directly or moved there by
//   nodes that are folded, or a vector that is added to or multiplied with the result of such an operator,
// - a number that was trained in an attribute, as the thresholds of trees.
// Scales, zero points, index tensors and single numbers in Constant nodes are none. Identity is looked through.
// Elements are logical: packed block-quantised weights count N*K.
ParamTotals CountParams(const Graph& graph, const Facts& facts);

// Sum of two counts, both >= 0; INT64_MAX when it lies above, as in files that only claim to hold so much.
inline int64_t SaturatingAdd(int64_t a, int64_t b) { return CheckedAdd(a, b).value_or(INT64_MAX); }

// Bits per logical element of the weight that input `use.input` of `use.node` reads directly: 4 for packed 4-bit
// weights that are stored as bytes. None when it is no weight of the file.
std::optional<int> WeightBits(const Graph& graph, const Use& use);

// Weights answers for all nodes and values of a graph, which has to outlive it.
class Weights {
 public:
  explicit Weights(const Graph& graph);

  // Calls visit(tensor, elements) for every weight that `node` reads itself, once per use; buffers are not included.
  void ForEach(NodeId node, absl::FunctionRef<void(ConstantId, int64_t)> visit) const;
  // The sum of those elements and of the numbers that were trained in its attributes.
  int64_t Elements(NodeId node) const;
  // True for the constants that are weights or statistics, and for what is folded from such.
  bool IsWeight(ValueId value) const { return is_weight_[value.index()]; }

 private:
  friend ParamTotals CountParams(const Graph& graph, const Facts& facts);

  enum class Role : uint8_t { kNone, kWeight, kBuffer };
  // What a constant would be where it ends, a bit each.
  using Ends = uint8_t;
  static constexpr Ends kFloats = 1, kIntegers = 2, kStatistics = 4;

  static Role RoleAt(const Ends& ends, ElemType elem);
  static Ends EndsAt(const Graph& graph, const Use& use, const Constant* tensor);
  static bool FollowsWeights(const Graph& graph, NodeId node, uint32_t input);
  Ends EndsOf(const Use& use, const Constant* tensor) const;
  Role RoleOf(const Use& use, ValueId origin) const;
  void FindEnds();
  void FindWeights();

  const Graph& graph_;
  std::vector<Ends> ends_;       // by value: of all its uses; 0 for what is no constant
  std::vector<bool> is_weight_;  // by value
};

}  // namespace hwest
