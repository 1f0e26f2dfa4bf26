// Matrix products, whatever the domain and the element types.
#pragma once

#include "op/rule.h"

namespace hwest {

// MatMulShape follows numpy: rank-1 operands lose their unit axis, leading axes broadcast. Unranked when an operand is.
// Errors: a rank-0 operand, inner sizes that differ.
absl::StatusOr<Shape> MatMulShape(InferContext& ctx, int a, int b);
// As above for operands seen under other shapes, e.g. transposed.
absl::StatusOr<Shape> MatMulShape(InferContext& ctx, const Shape& left, const Shape& right);
// MatMulWork counts one multiply-accumulate per output element and inner index.
absl::StatusOr<Work> MatMulWork(const OpView& op, int a, int b);
absl::StatusOr<Work> MatMulWork(const OpView& op, int a, int b, const Shape& left, const Shape& right);

// GemmShape returns [M, N] of op(A) op(B) with the transA and transB attributes; C, when present, has to broadcast.
absl::StatusOr<Shape> GemmShape(InferContext& ctx, int a, int b, int c);
// GemmWork counts M * N * K, one add per output element when there is a C, and one multiplication each for an alpha and
// a beta other than 1.
absl::StatusOr<Work> GemmWork(const OpView& op, int a, int b, int c);

}  // namespace hwest
