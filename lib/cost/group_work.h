// GroupWork: what a group does, counted at the precision it runs at.
#pragma once

#include <cstddef>
#include <optional>

#include "cost/model_view.h"
#include "hwest/estimate.h"
#include "hwest/group.h"

namespace hwest {

// MakeGroupWork counts one execution of `group`. An input used several times inside is read once, inner values not at
// all; nodes of class constant, shape and view add nothing; a control node adds no bytes. Counts that cannot be
// evaluated leave counts_known or bytes_known false and the figure at what is known.
GroupWork MakeGroupWork(const ModelView& model, const Group& group, Precision precision);

// Whether its producers wrote the parts of a Concat where they are, so that it launches and moves nothing.
bool IsInPlace(const Group& group);

// BytesAlone is what `node` moves as a group of its own: activations in, constants, results out.
int64_t BytesAlone(const ModelView& model, NodeId node, Precision precision);

// SparseWeightOf returns the input of `node` that is taken as 2:4 sparse at `precision`; none = its weights are dense.
// It is the largest constant of a convolution or product whose input channels come in fours, at the precision's own
// width.
std::optional<size_t> SparseWeightOf(const ModelView& model, NodeId node, Precision precision);
// Bits of an element of 2:4 sparse weights of `bits` each: two of four are kept, each with an index of 2 bits.
// Source: A. Mishra et al., Accelerating Sparse Deep Neural Networks, arXiv 2104.08378, section 3.1.
constexpr int SparseBits(int bits) { return bits / 2 + 1; }

// SingleNode returns `node` as a group of its own.
Group SingleNode(const ModelView& model, NodeId node);

// HasIntegerOperands is true when the group runs at a quantised graph's own precision. Every contraction has two
// integer operands and no other activation it reads is floating point: a residual that is added has to be quantised as
// well. Without contractions, all it reads and writes are integers of at most 16 bits. What comes straight from
// DequantizeLinear counts as an integer.
bool HasIntegerOperands(const ModelView& model, const Group& group);

// ConversionWork is what bringing a value into another format takes, as much as a DequantizeLinear. `stays`: the share
// of the value that is on the chip.
GroupWork ConversionWork(const Conversion& conversion, double stays, Residency* residency);

// FullWidthOf returns the 32-bit type that the group runs in whatever the precision of the model: fp32 where it sorts
// or selects by score, int32 where all it reads and writes are truth values and integers of more than 16 bits. Unset =
// the group computes at the precision of the model.
Num FullWidthOf(const ModelView& model, const Group& group);

// Scale returns the counts of `runs` executions.
GroupWork Scale(const GroupWork& work, int64_t runs);

}  // namespace hwest
