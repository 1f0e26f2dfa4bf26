// What the operators of ONNX Runtime's domains share.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "op/count.h"
#include "op/rule.h"

namespace hwest {

inline constexpr absl::string_view kMicrosoft = "com.microsoft";

// The rule of the default domain's operator of that name, which has to exist.
const OpRule& StandardRule(absl::string_view op);

// Output 0 has the shape of input 0 and element type `kElem`.
template <ElemType kElem>
absl::Status InferSameShape(InferContext& ctx);

// `kPer` operations per element of output 0 or input 0, in the element type of input 0.
template <PerElement kPer>
absl::StatusOr<Work> WorkPerOutput(const OpView& op) {
  return ElementWork(op, kPer);
}
template <PerElement kPer>
absl::StatusOr<Work> WorkPerInput(const OpView& op) {
  return InputElementWork(op, kPer);
}
// As above in floating point whatever the operands are, for operators that dequantise them first.
template <PerElement kPer>
absl::StatusOr<Work> WorkFloatPerOutput(const OpView& op) {
  Work work;
  AddOps(op.dims(), work, OutElements(op, 0), kPer);
  return work;
}

// Positive integer attribute `name`, within int32. Errors: absent or out of range.
absl::StatusOr<int64_t> PositiveAttr(const OpView& op, absl::string_view name);

// The only element of input `i` when it is known.
Dim KnownSize(const OpView& op, int i);

// Contents of input `i` as sizes; none when not all are known. Errors: a size that proves negative.
absl::StatusOr<std::optional<std::vector<Dim>>> KnownSizes(const OpView& op, int i);

// Rows of a product: every dim of `shape` but the last; unknown when unranked or a scalar.
Dim RowsOf(DimPool& dims, const Shape& shape);
// `shape` with its last dim replaced.
Shape WithLastDim(Shape shape, Dim last);

// Fails when `shape` is ranked and its axis disagrees with `dim`.
absl::Status UnifyAxis(InferContext& ctx, const Shape& shape, int axis, Dim dim);

// AddProduct adds [rows, k] times a weight [k, n].
void AddProduct(DimPool& dims, Work& work, Dim rows, Dim n, Dim k, Operands operands = Operands::kFloat);

// A Work whose multiply-accumulates are unknown.
Work UnknownMacs();

// Rotation of `elements` by positions: 2 products and 1 sum each.
void AddRotation(DimPool& dims, Work& work, Dim elements);

template <ElemType kElem>
absl::Status InferSameShape(InferContext& ctx) {
  if (!ctx.has_input(0) || !ctx.in(0).is_tensor()) return absl::InvalidArgumentError("input 0 is no tensor");
  ctx.set_out(0, kElem, ctx.in(0).shape);
  return absl::OkStatus();
}

}  // namespace hwest
