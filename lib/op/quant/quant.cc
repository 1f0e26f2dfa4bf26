// Quantisation: QuantizeLinear and its inverse, DynamicQuantizeLinear, and operators with quantised operands.
#include <utility>

#include "base/status_macros.h"
#include "op/check.h"
#include "op/conv/conv_common.h"
#include "op/conv/pool_common.h"
#include "op/count.h"
#include "op/families.h"
#include "op/matmul/matmul_common.h"

namespace hwest {
namespace {

// Rescaling, rounding and moving an accumulator to the zero point: three operations a result.
constexpr PerElement kRequantise = {.add = 1, .mul = 1, .compare = 1};

ElemType ElemOr(ElemType elem, ElemType fallback) { return elem == ElemType::kUndefined ? fallback : elem; }

ElemType OutputDtype(const OpView& op) { return static_cast<ElemType>(op.attr("output_dtype", int64_t{0})); }

absl::Status CheckTensor(const OpView& op, int inputs) {
  HWEST_RETURN_IF_ERROR(RequireInputs(op, inputs));
  return RequireRank(op, 0, 0);
}

// y has the type of the zero point, else output_dtype, else uint8.
absl::Status InferQuantize(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(CheckTensor(ctx, 2));
  const ElemType fallback = ElemOr(OutputDtype(ctx), ElemType::kUint8);
  ctx.set_out(0, ctx.has_input(2) ? ctx.in(2).elem : fallback, ctx.in(0).shape);
  return absl::OkStatus();
}

absl::StatusOr<Work> WorkQuantize(const OpView& op) {
  Work work;
  AddOps(op.dims(), work, OutElements(op, 0), kRequantise);
  return work;
}

// y has output_dtype when given (version 23), else the type of the scale.
absl::Status InferDequantize(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(CheckTensor(ctx, 2));
  ctx.set_out(0, ElemOr(OutputDtype(ctx), ctx.in(1).elem), ctx.in(0).shape);
  return absl::OkStatus();
}

absl::StatusOr<Work> WorkDequantize(const OpView& op) {
  Work work;
  AddOps(op.dims(), work, OutElements(op, 0), {.add = 1, .mul = 1});
  return work;
}

// Outputs y (uint8), y_scale and y_zero_point (scalars).
absl::Status InferDynamicQuantize(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(CheckTensor(ctx, 1));
  ctx.set_out(0, ElemType::kUint8, ctx.in(0).shape);
  ctx.set_out(1, ElemType::kFloat, Shape(Shape::Dims()));
  ctx.set_out(2, ElemType::kUint8, Shape(Shape::Dims()));
  return absl::OkStatus();
}

// Minimum and maximum of all elements, then quantisation.
absl::StatusOr<Work> WorkDynamicQuantize(const OpView& op) {
  return InputElementWork(op, {.add = 1, .mul = 1, .compare = 3});
}

// Inputs x, x_scale, x_zero_point, w, w_scale, w_zero_point, y_scale, y_zero_point, B?.
constexpr ConvArgs kQLinearConv = {.x = 0, .w = 3, .bias = 8};

// Operator set "a, scale, zero point, b, scale, zero point, y scale, y zero point": y has the type of its zero point.
absl::Status SetRequantised(InferContext& ctx, absl::StatusOr<Shape> shape, int zero_point) {
  HWEST_RETURN_IF_ERROR(shape.status());
  ctx.set_out(0, ctx.has_input(zero_point) ? ctx.in(zero_point).elem : ctx.in(0).elem, *std::move(shape));
  return absl::OkStatus();
}

absl::Status InferQLinearConv(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 8));
  return SetRequantised(ctx, ConvShape(ctx, kQLinearConv), 7);
}

absl::StatusOr<Work> WorkQLinearConv(const OpView& op) {
  HWEST_ASSIGN_OR_RETURN(Work work, ConvWork(op, kQLinearConv));
  AddOps(op.dims(), work, OutElements(op, 0), kRequantise);
  return work;
}

absl::Status InferQLinearMatMul(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 8));
  return SetRequantised(ctx, MatMulShape(ctx, 0, 3), 7);
}

absl::StatusOr<Work> WorkQLinearMatMul(const OpView& op) {
  HWEST_ASSIGN_OR_RETURN(Work work, MatMulWork(op, 0, 3));
  AddOps(op.dims(), work, OutElements(op, 0), kRequantise);
  return work;
}

// Inputs A, scale, zero point, B, scale, zero point, C?, y_scale?, y_zero_point?; without y_scale the result is float.
absl::Status InferQGemm(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 6));
  HWEST_ASSIGN_OR_RETURN(Shape shape, GemmShape(ctx, 0, 3, 6));
  if (ctx.has_input(7)) return SetRequantised(ctx, std::move(shape), 8);
  ctx.set_out(0, ElemType::kFloat, std::move(shape));
  return absl::OkStatus();
}

absl::StatusOr<Work> WorkQGemm(const OpView& op) {
  HWEST_ASSIGN_OR_RETURN(Work work, GemmWork(op, 0, 3, 6));
  AddOps(op.dims(), work, OutElements(op, 0), kRequantise);
  return work;
}

// Inputs A, scale, zero point?, B, scale, zero point?, C scale, C zero point?.
absl::Status InferQLinearAdd(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(CheckTensor(ctx, 2));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 3, 0));
  if (!ctx.has_input(3)) return absl::InvalidArgumentError("QLinearAdd: input 3 (B) is absent");
  HWEST_ASSIGN_OR_RETURN(Shape shape, ctx.Broadcast(ctx.in(0).shape, ctx.in(3).shape));
  ctx.set_out(0, ctx.in(0).elem, std::move(shape));
  return absl::OkStatus();
}

// Two differences and products to dequantise, the sum fused with the requantisation's product and move.
absl::StatusOr<Work> WorkQLinearAdd(const OpView& op) {
  Work work;
  AddOps(op.dims(), work, OutElements(op, 0), {.add = 3, .mul = 3});
  return work;
}

// Inputs X, x_scale, x_zero_point, y_scale, y_zero_point.
absl::Status InferQLinearGlobalAveragePool(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 5));
  const bool last = ctx.attr("channels_last", int64_t{0}) != 0;
  return SetRequantised(ctx, GlobalPoolShape(ctx, last ? ChannelOrder::kLast : ChannelOrder::kFirst), 4);
}

// clang-format off
constexpr OpRule kQuantRules[] = {
    {.op = "DequantizeLinear", .versions = "10 13 19 21 23 24 25", .infer = InferDequantize, .work = WorkDequantize,
     .traits = trait::kKeepsElements | trait::kDequantizes, .scales = Inputs({1, 2}), .weights = Inputs({0})},
    {.op = "DynamicQuantizeLinear", .versions = "11", .infer = InferDynamicQuantize, .work = WorkDynamicQuantize},
    {.op = "QLinearConv", .versions = "10", .infer = InferQLinearConv, .work = WorkQLinearConv,
     .scales = Inputs({1, 2, 4, 5, 6, 7}), .weights = Inputs({3, 8})},
    {.op = "QLinearMatMul", .versions = "10 21", .infer = InferQLinearMatMul, .work = WorkQLinearMatMul,
     .scales = Inputs({1, 2, 4, 5, 6, 7}), .weights = Inputs({3})},
    {.op = "QuantizeLinear", .versions = "10 13 19 21 23 24 25", .infer = InferQuantize, .work = WorkQuantize,
     .traits = trait::kQuantizes, .scales = Inputs({1, 2}), .weights = Inputs({0})},
    {.domain = "com.microsoft", .op = "QGemm", .versions = "1", .infer = InferQGemm, .work = WorkQGemm,
     .scales = Inputs({1, 2, 4, 5, 7, 8}), .weights = Inputs({3, 6})},
    {.domain = "com.microsoft", .op = "QLinearAdd", .versions = "1", .infer = InferQLinearAdd, .work = WorkQLinearAdd,
     .scales = Inputs({1, 2, 4, 5, 6, 7}), .weights = Inputs({3})},
    {.domain = "com.microsoft", .op = "QLinearGlobalAveragePool", .versions = "1",
     .infer = InferQLinearGlobalAveragePool, .work = WorkGlobalAveragePool, .scales = Inputs({1, 2, 3, 4})},
};
// clang-format on

}  // namespace

absl::Span<const OpRule> QuantRules() { return kQuantRules; }

}  // namespace hwest
