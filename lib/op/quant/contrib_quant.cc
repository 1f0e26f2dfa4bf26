// ONNX Runtime's operators on quantised tensors: products with scales, element-wise QLinear operators, and conversions.
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "op/check.h"
#include "op/families.h"
#include "op/matmul/matmul_common.h"
#include "op/pointwise/pointwise.h"
#include "op/runtime/contrib_common.h"

namespace hwest {
namespace {

// Inputs A, B, b_scale, b_zero_point?, bias?: A is quantised on the fly, the product is one of integers.
absl::Status InferDynamicMatMul(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 3));
  HWEST_ASSIGN_OR_RETURN(Shape shape, MatMulShape(ctx, 0, 1));
  ctx.set_out(0, ctx.in(0).elem, std::move(shape));
  return absl::OkStatus();
}

// Minimum, maximum, scale, rounding and clipping of A.
absl::StatusOr<Work> WorkDynamicMatMul(const OpView& op) {
  HWEST_ASSIGN_OR_RETURN(Work work, MatMulWork(op, 0, 1));
  work.int_macs = work.macs;
  AddOps(op.dims(), work, InElements(op, 0), {.add = 1, .mul = 1, .compare = 3});
  if (op.has_input(4)) AddOps(op.dims(), work, OutElements(op, 0), {.add = 1});
  return work;
}

// Inputs A, B, a_scale, b_scale, a_zero_point?, b_zero_point?, bias?; the result has the type of the scales.
absl::Status InferMatMulToFloat(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 4));
  HWEST_ASSIGN_OR_RETURN(Shape shape, MatMulShape(ctx, 0, 1));
  ctx.set_out(0, ctx.in(2).elem, std::move(shape));
  return absl::OkStatus();
}

// Conversion of the accumulator and its scale.
absl::StatusOr<Work> WorkMatMulToFloat(const OpView& op) {
  HWEST_ASSIGN_OR_RETURN(Work work, MatMulWork(op, 0, 1));
  AddOps(op.dims(), work, OutElements(op, 0), {.add = op.has_input(6) ? 2 : 1, .mul = 1});
  return work;
}

// Inputs A, scale_A, B, scale_B, scale_Y, bias?, C?, scale_C?.
absl::Status InferOrderedMatMul(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 5));
  HWEST_ASSIGN_OR_RETURN(Shape shape, MatMulShape(ctx, 0, 2));
  ctx.set_out(0, ctx.in(0).elem, std::move(shape));
  return absl::OkStatus();
}

absl::StatusOr<Work> WorkOrderedMatMul(const OpView& op) {
  HWEST_ASSIGN_OR_RETURN(Work work, MatMulWork(op, 0, 2));
  if (op.has_input(5)) AddOps(op.dims(), work, OutElements(op, 0), {.add = 1});
  if (op.has_input(6)) AddOps(op.dims(), work, OutElements(op, 0), {.add = 1, .mul = 1});
  return work;
}

// Element type of zero point `i`, that of input `fallback` when it is absent.
ElemType ElemOfPoint(const OpView& op, int i, int fallback) {
  return op.has_input(i) ? op.in(i).elem : op.in(fallback).elem;
}

// Broadcast of the two or three operands of an element-wise operator.
absl::Status SetBroadcast(InferContext& ctx, const std::vector<int>& operands, ElemType elem) {
  for (const int i : operands) {
    if (!ctx.has_input(i)) return absl::InvalidArgumentError(absl::StrCat(ctx.op(), ": input ", i, " is absent"));
    HWEST_RETURN_IF_ERROR(RequireRank(ctx, i, 0));
  }
  Shape shape = ctx.in(operands[0]).shape;
  for (size_t i = 1; i < operands.size(); ++i) {
    HWEST_ASSIGN_OR_RETURN(shape, ctx.Broadcast(shape, ctx.in(operands[i]).shape));
  }
  ctx.set_out(0, elem, std::move(shape));
  return absl::OkStatus();
}

// Inputs A, scale, zero point?, B, scale, zero point?, C scale, C zero point?.
absl::Status InferQLinearMul(InferContext& ctx) { return SetBroadcast(ctx, {0, 3}, ElemOfPoint(ctx, 7, 0)); }
// Inputs condition, X, scale, zero point, Y, scale, zero point, Z scale, Z zero point.
absl::Status InferQLinearWhere(InferContext& ctx) { return SetBroadcast(ctx, {0, 1, 4}, ElemOfPoint(ctx, 8, 1)); }
// Inputs A, A zero point?, B, B zero point?.
absl::Status InferMulInteger(InferContext& ctx) { return SetBroadcast(ctx, {0, 2}, ElemType::kInt32); }

// Inputs X, X scale, X zero point?, Y scale, Y zero point?.
absl::Status InferQLinearUnary(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 1));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 0));
  ctx.set_out(0, ElemOfPoint(ctx, 4, 0), ctx.in(0).shape);
  return absl::OkStatus();
}

// Inputs Y scale, Y zero point, then a tensor, its scale and its zero point for each part.
absl::Status InferQLinearConcat(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 3));
  Shape shape = ctx.in(2).shape;
  for (int i = 2; i < ctx.num_inputs(); i += 3) {
    HWEST_RETURN_IF_ERROR(RequireRank(ctx, i, 1));
    const Shape& part = ctx.in(i).shape;
    if (!part.ranked() || !shape.ranked()) {
      shape = Shape();
      continue;
    }
    if (part.rank() != shape.rank()) return absl::InvalidArgumentError("QLinearConcat joins tensors of one rank");
    HWEST_ASSIGN_OR_RETURN(const int axis, NormalizeAxis(ctx.attr("axis", int64_t{0}), shape.rank()));
    for (int k = 0; i > 2 && k < shape.rank(); ++k) {
      if (k == axis) {
        shape.set_dim(k, ctx.dims().Add(shape.dim(k), part.dim(k)));
      } else {
        HWEST_ASSIGN_OR_RETURN(const Dim size, ctx.Unify(shape.dim(k), part.dim(k)));
        shape.set_dim(k, size);
      }
    }
  }
  ctx.set_out(0, ctx.in(1).elem, std::move(shape));
  return absl::OkStatus();
}

// Shape of input 0 reduced along attribute `axes`, all of them when none is listed.
absl::StatusOr<Shape> ReducedShape(const OpView& op) {
  HWEST_RETURN_IF_ERROR(RequireInputs(op, 1));
  HWEST_RETURN_IF_ERROR(RequireRank(op, 0, 0));
  const Shape& x = op.in(0).shape;
  if (!x.ranked()) return Shape();
  std::vector<bool> reduced(static_cast<size_t>(x.rank()), op.ints("axes").empty());
  for (const int64_t listed : op.ints("axes")) {
    HWEST_ASSIGN_OR_RETURN(const int axis, NormalizeAxis(listed, x.rank()));
    reduced[static_cast<size_t>(axis)] = true;
  }
  const bool keep = op.attr("keepdims", int64_t{1}) != 0;
  Shape shape = Shape::Scalar();
  for (int axis = 0; axis < x.rank(); ++axis) {
    if (!reduced[static_cast<size_t>(axis)]) shape.push_back(x.dim(axis));
    if (reduced[static_cast<size_t>(axis)] && keep) shape.push_back(1);
  }
  return shape;
}

absl::Status InferQLinearReduceMean(InferContext& ctx) {
  HWEST_ASSIGN_OR_RETURN(Shape shape, ReducedShape(ctx));
  ctx.set_out(0, ElemOfPoint(ctx, 4, 0), std::move(shape));
  return absl::OkStatus();
}

absl::StatusOr<Work> WorkQLinearReduceMean(const OpView& op) {
  Work work;
  AddOps(op.dims(), work, InElements(op, 0), {.add = 1});
  AddOps(op.dims(), work, OutElements(op, 0), {.add = 1, .mul = 1, .compare = 1});
  return work;
}

// uint32 for unsigned data, else int32.
absl::Status InferReduceSumInteger(InferContext& ctx) {
  HWEST_ASSIGN_OR_RETURN(Shape shape, ReducedShape(ctx));
  ctx.set_out(0, ctx.in(0).elem == ElemType::kUint8 ? ElemType::kUint32 : ElemType::kInt32, std::move(shape));
  return absl::OkStatus();
}

absl::Status InferContribQuantize(InferContext& ctx) { return StandardRule("QuantizeLinear").infer(ctx); }
absl::Status InferContribDequantize(InferContext& ctx) { return StandardRule("DequantizeLinear").infer(ctx); }

absl::Status InferDequantizeOrdered(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 1));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 0));
  ctx.set_out(0, static_cast<ElemType>(ctx.attr("to", int64_t{1})), ctx.in(0).shape);
  return absl::OkStatus();
}

// Outputs y (bytes), shape and strides of x. No value takes more than four bytes.
absl::Status InferQuantizeBfp(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 1));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 0));
  const Shape& x = ctx.in(0).shape;
  const Dim bytes = ctx.FreshSize("bfp", 0, ctx.dims().Mul(InElements(ctx, 0), 4));
  const Dim rank = x.ranked() ? Dim(x.rank()) : Dim::Unknown();
  ctx.set_out(0, ElemType::kUint8, Shape(Shape::Dims{bytes}));
  for (const int i : {1, 2}) ctx.set_out(i, ElemType::kInt64, Shape(Shape::Dims{rank}));
  return absl::OkStatus();
}

void KnownQuantizeBfp(InferContext& ctx) {
  const Shape& x = ctx.in(0).shape;
  if (!x.ranked()) return;
  std::vector<Scalar> sizes, strides(static_cast<size_t>(x.rank()));
  Dim stride = 1;
  for (int axis = x.rank() - 1; axis >= 0; --axis) {
    strides[static_cast<size_t>(axis)] = Scalar::Int(stride);
    stride = ctx.dims().Mul(stride, x.dim(axis));
  }
  for (const Dim dim : x.dims()) sizes.push_back(Scalar::Int(dim));
  ctx.set_known(1, std::move(sizes));
  ctx.set_known(2, std::move(strides));
}

// Inputs x (bytes), shape, strides.
absl::Status InferDequantizeBfp(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 2));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 1, 1, 1));
  constexpr int64_t kMaxRank = 64;
  const Dim rank = DimOr(ctx.in(1).shape, 0);
  Shape shape;
  HWEST_ASSIGN_OR_RETURN(const auto sizes, KnownSizes(ctx, 1));
  if (sizes.has_value()) {
    shape = Shape(Shape::Dims(sizes->begin(), sizes->end()));
  } else if (rank.is_constant() && rank.value() >= 0 && rank.value() <= kMaxRank) {
    shape = Shape::UnknownDims(static_cast<int>(rank.value()));
  }
  ctx.set_out(0, static_cast<ElemType>(ctx.attr("dtype", int64_t{1})), std::move(shape));
  return absl::OkStatus();
}

constexpr WorkFn kQuantize = WorkFloatPerOutput<PerElement{.add = 1, .mul = 1, .compare = 1}>;
constexpr WorkFn kDequantize = WorkFloatPerOutput<PerElement{.add = 1, .mul = 1}>;
// The operators between dequantisation (a difference and a product) and requantisation (a product, a sum, rounding).
constexpr WorkFn kLeakyRelu = WorkFloatPerOutput<PerElement{.add = 2, .mul = 2, .compare = 1}>;
constexpr WorkFn kMul = WorkFloatPerOutput<PerElement{.add = 3, .mul = 2}>;
constexpr WorkFn kQLinearSigmoid =
    WorkFloatPerOutput<PerElement{.add = 2, .mul = 2, .compare = 1, .transcendental = 1}>;
constexpr WorkFn kSoftmax = WorkFloatPerOutput<PerElement{.add = 3, .mul = 2, .compare = 2, .transcendental = 1}>;
constexpr WorkFn kWhere = WorkFloatPerOutput<PerElement{.add = 2, .mul = 2, .compare = 1}>;
constexpr WorkFn kGelu = WorkFloatPerOutput<PerElement{.add = 1, .mul = 4, .compare = 1, .transcendental = 1}>;
constexpr WorkFn kLayerNorm = WorkFloatPerOutput<PerElement{.add = 4, .mul = 5, .compare = 1}>;
constexpr WorkFn kMulInteger = WorkPerOutput<PerElement{.integer = 3}>;
constexpr WorkFn kSumInteger = WorkPerInput<PerElement{.integer = 1}>;
constexpr WorkFn kQuantizeBfp = WorkPerInput<PerElement{.add = 1, .mul = 1, .compare = 1}>;

// clang-format off
constexpr OpRule kContribQuantRules[] = {
    {.domain = kMicrosoft, .op = "DequantizeBFP", .versions = "1", .infer = InferDequantizeBfp, .work = kDequantize,
     .shape_inputs = Inputs({1, 2})},
    {.domain = kMicrosoft, .op = "DequantizeLinear", .versions = "1", .infer = InferContribDequantize,
     .work = kDequantize,
     .traits = trait::kKeepsElements | trait::kDequantizes, .scales = Inputs({1, 2}), .weights = Inputs({0})},
    {.domain = kMicrosoft, .op = "DequantizeWithOrder", .versions = "1", .infer = InferDequantizeOrdered,
     .work = kDequantize, .scales = Inputs({1}), .weights = Inputs({0})},
    {.domain = kMicrosoft, .op = "DynamicQuantizeMatMul", .versions = "1", .infer = InferDynamicMatMul,
     .work = WorkDynamicMatMul, .scales = Inputs({2, 3}), .weights = Inputs({1})},
    {.domain = kMicrosoft, .op = "MatMulIntegerToFloat", .versions = "1", .infer = InferMatMulToFloat,
     .work = WorkMatMulToFloat, .scales = Inputs({2, 3, 4, 5}), .weights = Inputs({1})},
    {.domain = kMicrosoft, .op = "MulInteger", .versions = "1", .infer = InferMulInteger, .work = kMulInteger},
    {.domain = kMicrosoft, .op = "QLinearConcat", .versions = "1", .infer = InferQLinearConcat, .work = kQuantize,
     .scales = Inputs({0, 1}) | EveryThird(3) | EveryThird(4), .weights = EveryThird(2)},
    {.domain = kMicrosoft, .op = "QLinearLeakyRelu", .versions = "1", .infer = InferQLinearUnary, .work = kLeakyRelu,
     .scales = Inputs({1, 2, 3, 4})},
    {.domain = kMicrosoft, .op = "QLinearMul", .versions = "1", .infer = InferQLinearMul, .work = kMul,
     .scales = Inputs({1, 2, 4, 5, 6, 7}), .weights = Inputs({3})},
    {.domain = kMicrosoft, .op = "QLinearReduceMean", .versions = "1", .infer = InferQLinearReduceMean,
     .work = WorkQLinearReduceMean, .scales = Inputs({1, 2, 3, 4})},
    {.domain = kMicrosoft, .op = "QLinearSigmoid", .versions = "1", .infer = InferQLinearUnary, .work = kQLinearSigmoid,
     .scales = Inputs({1, 2, 3, 4})},
    {.domain = kMicrosoft, .op = "QLinearSoftmax", .versions = "1", .infer = InferQLinearUnary, .work = kSoftmax,
     .traits = trait::kTakesStatistics, .scales = Inputs({1, 2, 3, 4})},
    {.domain = kMicrosoft, .op = "QLinearWhere", .versions = "1", .infer = InferQLinearWhere, .work = kWhere,
     .scales = Inputs({2, 3, 5, 6, 7, 8}), .weights = Inputs({1, 4})},
    {.domain = kMicrosoft, .op = "QOrderedGelu", .versions = "1", .infer = InferSameAsInput, .work = kGelu,
     .scales = Inputs({1, 2})},
    {.domain = kMicrosoft, .op = "QOrderedLayerNormalization", .versions = "1", .infer = InferSameAsInput,
     .work = kLayerNorm, .traits = trait::kTakesStatistics, .scales = Inputs({1, 4})},
    {.domain = kMicrosoft, .op = "QOrderedMatMul", .versions = "1", .infer = InferOrderedMatMul,
     .work = WorkOrderedMatMul, .scales = Inputs({1, 3, 4, 7}), .weights = Inputs({2})},
    {.domain = kMicrosoft, .op = "QuantizeBFP", .versions = "1", .infer = InferQuantizeBfp, .known = KnownQuantizeBfp,
     .work = kQuantizeBfp},
    {.domain = kMicrosoft, .op = "QuantizeLinear", .versions = "1", .infer = InferContribQuantize, .work = kQuantize,
     .traits = trait::kQuantizes, .scales = Inputs({1, 2}), .weights = Inputs({0})},
    {.domain = kMicrosoft, .op = "QuantizeWithOrder", .versions = "1", .infer = InferSameShape<ElemType::kInt8>,
     .work = kQuantize, .scales = Inputs({1}), .weights = Inputs({0})},
    {.domain = kMicrosoft, .op = "ReduceSumInteger", .versions = "1", .infer = InferReduceSumInteger,
     .work = kSumInteger},
};
// clang-format on

}  // namespace

absl::Span<const OpRule> ContribQuantRules() { return kContribQuantRules; }

}  // namespace hwest
