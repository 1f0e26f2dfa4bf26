// Pools, their global forms, pools of regions, and the inverse of MaxPool.
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "op/check.h"
#include "op/conv/pool_common.h"
#include "op/conv/window.h"
#include "op/count.h"
#include "op/families.h"
#include "op/operands.h"

namespace hwest {
namespace {

absl::Status InferMaxPool(InferContext& ctx) {
  HWEST_ASSIGN_OR_RETURN(const Shape shape, PoolShape(ctx));
  ctx.set_out(0, ctx.in(0).elem, shape);
  ctx.set_out(1, ElemType::kInt64, shape);
  return absl::OkStatus();
}

absl::Status InferAveragePool(InferContext& ctx) {
  HWEST_ASSIGN_OR_RETURN(Shape shape, PoolShape(ctx));
  ctx.set_out(0, ctx.in(0).elem, std::move(shape));
  return absl::OkStatus();
}

// Also notes what a window that steps over rows reads.
absl::StatusOr<Dim> WindowTaps(const OpView& op, Work& work) {
  HWEST_ASSIGN_OR_RETURN(const int spatial, SpatialAxes(op, op.out(0).shape, Shape()));
  if (spatial < 1) return Dim::Unknown();
  HWEST_ASSIGN_OR_RETURN(const SlidingWindow window, ReadWindow(op, spatial, Shape()));
  const auto touched = TouchedElements(op.dims(), window, op.in(0).shape, op.out(0).shape, 2);
  if (touched.has_value()) SetRead(work, 0, *touched);
  return Taps(op.dims(), window);
}

// Sums under a window that slides. One that stands still over the whole map is a reduction.
void AddWindowSums(const OpView& op, Dim results, Dim taps, Work& work) {
  const Shape& out = op.out(0).shape;
  bool slides = false;
  for (int axis = 2; out.ranked() && axis < out.rank(); ++axis) slides = slides || !out.dim(axis).IsConstant(1);
  if (!slides) return;
  work.window_ops = op.dims().Mul(results, taps);
  work.window_taps = taps;
}

// One add per window element and one division per result.
absl::StatusOr<Work> WorkAveragePool(const OpView& op) {
  Work work;
  HWEST_ASSIGN_OR_RETURN(const Dim taps, WindowTaps(op, work));
  const Dim results = OutElements(op, 0);
  AddOps(op.dims(), work, op.dims().Mul(results, taps), {.add = 1}, op.in(0).elem);
  AddOps(op.dims(), work, results, {.mul = 1}, op.in(0).elem);
  AddWindowSums(op, results, taps, work);
  return work;
}

// |x|^p a window element, their sum, and a root a result; the power counts as one product.
absl::StatusOr<Work> WorkLpPool(const OpView& op) {
  Work work;
  HWEST_ASSIGN_OR_RETURN(const Dim taps, WindowTaps(op, work));
  const Dim results = OutElements(op, 0);
  AddOps(op.dims(), work, op.dims().Mul(results, taps), {.add = 1, .mul = 1}, op.in(0).elem);
  AddOps(op.dims(), work, results, {.transcendental = 1}, op.in(0).elem);
  AddWindowSums(op, results, taps, work);
  return work;
}

absl::StatusOr<Work> WorkGlobalLpPool(const OpView& op) {
  Work work = InputElementWork(op, {.add = 1, .mul = 1});
  AddOps(op.dims(), work, OutElements(op, 0), {.transcendental = 1}, op.in(0).elem);
  return work;
}

// X [N, C, H, W], rois [n, 5] -> [n, C, pooled_shape...].
absl::Status InferMaxRoiPool(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 2));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 4, 4));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 1, 2, 2));
  HWEST_RETURN_IF_ERROR(ctx.Unify(DimOr(ctx.in(1).shape, 1), 5).status());
  const absl::Span<const int64_t> pooled = ctx.ints("pooled_shape");
  if (pooled.size() != 2 || pooled[0] < 1 || pooled[1] < 1) {
    return absl::InvalidArgumentError("MaxRoiPool expects two positive sizes in pooled_shape");
  }
  ctx.set_out(0, ctx.in(0).elem,
              Shape(Shape::Dims{DimOr(ctx.in(1).shape, 0), DimOr(ctx.in(0).shape, 1), pooled[0], pooled[1]}));
  return absl::OkStatus();
}

// One compare an element of a bin. Bins follow the regions; at most they share out the whole map.
absl::StatusOr<Work> WorkMaxRoiPool(const OpView& op) {
  Dim bin = 1;
  for (const int axis : {2, 3}) {
    bin = op.dims().Mul(bin, op.dims().CeilDiv(DimOr(op.in(0).shape, axis), DimOr(op.out(0).shape, axis)));
  }
  Work work;
  AddOps(op.dims(), work, op.dims().Mul(OutElements(op, 0), bin), {.compare = 1}, op.in(0).elem);
  return work;
}

// The size whose pooling gives X: batch and channels of X, spatial sizes from the inverse of the window.
absl::StatusOr<Shape> UnpooledShape(InferContext& ctx) {
  const Shape& x = ctx.in(0).shape;
  HWEST_ASSIGN_OR_RETURN(const int spatial, SpatialAxes(ctx, x, Shape()));
  if (spatial < 1) return Shape();
  HWEST_ASSIGN_OR_RETURN(const SlidingWindow window, ReadWindow(ctx, spatial, Shape()));
  Shape shape(Shape::Dims{DimOr(x, 0), DimOr(x, 1)});
  for (int axis = 0; axis < spatial; ++axis) {
    HWEST_ASSIGN_OR_RETURN(const Dim size, TransposedSize(ctx.dims(), window, axis, DimOr(x, axis + 2), 0));
    shape.push_back(size);
  }
  return shape;
}

// Inputs X, I (places of the elements), output_shape? (all sizes; the window then does not matter).
absl::Status InferMaxUnpool(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 2));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 3));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 1, 3));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 2, 1, 1));
  const Shape& x = ctx.in(0).shape;
  if (!ctx.has_input(2)) {
    HWEST_ASSIGN_OR_RETURN(Shape shape, UnpooledShape(ctx));
    ctx.set_out(0, ctx.in(0).elem, std::move(shape));
    return absl::OkStatus();
  }
  const Operand sizes = ReadOperand(ctx, 2, "");
  if (sizes.length.has_value() && x.ranked() && *sizes.length != x.rank()) {
    return absl::InvalidArgumentError(
        absl::StrCat("MaxUnpool expects ", x.rank(), " sizes in output_shape, found ", *sizes.length));
  }
  Shape shape = x.ranked() ? Shape::UnknownDims(x.rank()) : Shape();
  if (sizes.length.has_value()) {
    shape = Shape::Scalar();
    for (const Scalar& size : sizes.Padded()) {
      shape.push_back(size.is_int() ? size.dim() : Dim());
      HWEST_RETURN_IF_ERROR(RequireSize(ctx, shape.dim(shape.rank() - 1)));
    }
  }
  ctx.set_out(0, ctx.in(0).elem, std::move(shape));
  return absl::OkStatus();
}

// clang-format off
constexpr OpRule kPoolRules[] = {
    {.op = "AveragePool", .versions = "1 7 10 11 19 22", .infer = InferAveragePool, .work = WorkAveragePool},
    {.op = "GlobalAveragePool", .versions = "1 22", .infer = InferGlobalPool, .work = WorkGlobalAveragePool},
    {.op = "GlobalLpPool", .versions = "1 2 22", .infer = InferGlobalPool, .work = WorkGlobalLpPool},
    {.op = "GlobalMaxPool", .versions = "1 22", .infer = InferGlobalPool, .work = WorkGlobalMaxPool},
    {.op = "LpPool", .versions = "1 2 11 18 22", .infer = InferAveragePool, .work = WorkLpPool},
    {.op = "MaxPool", .versions = "1 8 10 11 12 22", .infer = InferMaxPool, .work = WorkMaxPool},
    {.op = "MaxRoiPool", .versions = "1 22", .infer = InferMaxRoiPool, .work = WorkMaxRoiPool},
    {.op = "MaxUnpool", .versions = "9 11 22", .infer = InferMaxUnpool, .op_class = OpClass::kLayout,
     .shape_inputs = Inputs({2})},
};
// clang-format on

}  // namespace

absl::StatusOr<Shape> PoolShape(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 1));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 3));
  const Shape& x = ctx.in(0).shape;
  HWEST_ASSIGN_OR_RETURN(const int spatial, SpatialAxes(ctx, x, Shape()));
  if (spatial < 1) return Shape();
  HWEST_ASSIGN_OR_RETURN(const SlidingWindow window, ReadWindow(ctx, spatial, Shape()));
  Shape shape(Shape::Dims{DimOr(x, 0), DimOr(x, 1)});
  for (int axis = 0; axis < spatial; ++axis) {
    HWEST_ASSIGN_OR_RETURN(const Dim size, WindowedSize(ctx.dims(), window, axis, DimOr(x, axis + 2)));
    shape.push_back(size);
  }
  return shape;
}

absl::StatusOr<Shape> GlobalPoolShape(const OpView& op, ChannelOrder order) {
  HWEST_RETURN_IF_ERROR(RequireInputs(op, 1));
  HWEST_RETURN_IF_ERROR(RequireRank(op, 0, 2));
  const Shape& x = op.in(0).shape;
  if (!x.ranked()) return Shape();
  Shape shape = x;
  const int first = order == ChannelOrder::kLast ? 1 : 2;
  for (int axis = first; axis < first + x.rank() - 2; ++axis) shape.set_dim(axis, 1);
  return shape;
}

absl::Status InferGlobalPool(InferContext& ctx) {
  HWEST_ASSIGN_OR_RETURN(Shape shape, GlobalPoolShape(ctx, ChannelOrder::kFirst));
  ctx.set_out(0, ctx.in(0).elem, std::move(shape));
  return absl::OkStatus();
}

absl::StatusOr<Work> WorkMaxPool(const OpView& op) {
  Work work;
  HWEST_ASSIGN_OR_RETURN(const Dim taps, WindowTaps(op, work));
  AddOps(op.dims(), work, op.dims().Mul(OutElements(op, 0), taps), {.compare = 1}, op.in(0).elem);
  return work;
}

absl::StatusOr<Work> WorkGlobalAveragePool(const OpView& op) { return InputElementWork(op, {.add = 1}); }
absl::StatusOr<Work> WorkGlobalMaxPool(const OpView& op) { return InputElementWork(op, {.compare = 1}); }

absl::Span<const OpRule> PoolRules() { return kPoolRules; }

}  // namespace hwest
