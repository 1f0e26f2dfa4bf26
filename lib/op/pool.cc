// Pools: MaxPool, AveragePool and their global forms.
#include <utility>

#include "base/status_macros.h"
#include "op/check.h"
#include "op/count.h"
#include "op/families.h"
#include "op/pool_common.h"
#include "op/window.h"

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

absl::StatusOr<Dim> WindowTaps(const OpView& op) {
  HWEST_ASSIGN_OR_RETURN(const int spatial, SpatialAxes(op, op.out(0).shape, Shape()));
  if (spatial < 1) return Dim::Unknown();
  HWEST_ASSIGN_OR_RETURN(const SlidingWindow window, ReadWindow(op, spatial, Shape()));
  return Taps(op.dims(), window);
}

// One add per window element and one division per result.
absl::StatusOr<Work> WorkAveragePool(const OpView& op) {
  HWEST_ASSIGN_OR_RETURN(const Dim taps, WindowTaps(op));
  const Dim results = OutElements(op, 0);
  Work work;
  AddOps(op.dims(), work, op.dims().Mul(results, taps), {.add = 1}, op.in(0).elem);
  AddOps(op.dims(), work, results, {.mul = 1}, op.in(0).elem);
  return work;
}

constexpr OpRule kRules[] = {
    {.domain = "", .op = "AveragePool", .versions = "1 7 10 11 19 22", .infer = InferAveragePool, .known = nullptr,
     .work = WorkAveragePool, .op_class = OpClass::kCompute},
    {.domain = "", .op = "GlobalAveragePool", .versions = "1 22", .infer = InferGlobalPool, .known = nullptr,
     .work = WorkGlobalAveragePool, .op_class = OpClass::kCompute},
    {.domain = "", .op = "GlobalMaxPool", .versions = "1 22", .infer = InferGlobalPool, .known = nullptr,
     .work = WorkGlobalMaxPool, .op_class = OpClass::kCompute},
    {.domain = "", .op = "MaxPool", .versions = "1 8 10 11 12 22", .infer = InferMaxPool, .known = nullptr,
     .work = WorkMaxPool, .op_class = OpClass::kCompute},
};

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
  HWEST_ASSIGN_OR_RETURN(const Dim taps, WindowTaps(op));
  Work work;
  AddOps(op.dims(), work, op.dims().Mul(OutElements(op, 0), taps), {.compare = 1}, op.in(0).elem);
  return work;
}

absl::StatusOr<Work> WorkGlobalAveragePool(const OpView& op) { return InputElementWork(op, {.add = 1}); }
absl::StatusOr<Work> WorkGlobalMaxPool(const OpView& op) { return InputElementWork(op, {.compare = 1}); }

absl::Span<const OpRule> PoolRules() { return kRules; }

}  // namespace hwest
