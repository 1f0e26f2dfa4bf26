// Known contents of small tensors: decoding constants and following values through element-wise operators.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/types/span.h"
#include "hwest/facts.h"
#include "hwest/graph.h"
#include "hwest/type.h"
#include "op/rule.h"

namespace hwest {

// FromDouble is the canonical Scalar of a floating point value: an integer up to 2^53 in magnitude is an integer
// expression, anything else (also -0.0, infinities and NaN) a float.
Scalar FromDouble(double value);
inline Scalar FromBool(bool value) { return Scalar::Int(value ? 1 : 0); }
Scalar FromTri(Tri value);  // undecided is unknown
// Truth of a bool element; none when unknown or not provably zero or other than zero.
std::optional<bool> Truth(const DimPool& pool, const Scalar& scalar);

// DecodeConstant reads the elements of a constant whose bytes are in memory. Every type with numbers is read: bool,
// integers down to 2 bits, floats down to 4 bits. Null for strings, complex numbers, sparse constants, bytes that are
// elsewhere, too few bytes, and more than kMaxKnownElements elements. A uint64 past int64 is an unknown element.
Known DecodeConstant(const Constant& constant);

// The value as a number of this type would hold it: rounded for floating point types, wrapped for nothing. Unknown when
// an integer does not fit the type; symbolic integers are taken as they are.
Scalar FitTo(ElemType elem, const Scalar& scalar);

// Contents as whole numbers, or as numbers; none unless every element is a constant one. Whole numbers past what a
// double holds, such as the end of a slice, stay what they are.
std::optional<std::vector<int64_t>> ConstantInts(absl::Span<const Scalar> contents);
std::optional<std::vector<double>> ConstantNumbers(absl::Span<const Scalar> contents);

// Row-major strides of a constant shape, 0 where they leave int64. Requires shape.constant().
std::vector<int64_t> StridesOf(const Shape& shape);
// Constant dims as integers; none unless shape.constant() and the product of those above 0 is at most
// kMaxKnownElements.
std::optional<std::vector<int64_t>> SmallDims(const Shape& shape);

// BroadcastKnown repeats `values` of shape `from` to shape `to` (numpy rules, both constant); null when either is
// unknown, too large or does not broadcast.
Known BroadcastKnown(const Known& values, const Shape& from, const Shape& to);

// ApplyElementwise sets output 0 to fn(elements of all inputs) under numpy broadcasting. fn is called once per run of
// equal elements, so it has to be pure. Absent and unknown inputs pass unknown elements. Does nothing when no input is
// known or the output's shape is not constant and small. Inputs from `num_operands` on, such as one that states a type,
// are not read.
void ApplyElementwise(InferContext& ctx, absl::FunctionRef<Scalar(absl::Span<const Scalar>)> fn,
                      int num_operands = std::numeric_limits<int>::max());

// PassKnown hands the contents of input `in` to output `out`, for operators that keep the elements in order.
void PassKnown(InferContext& ctx, int in, int out);

}  // namespace hwest
