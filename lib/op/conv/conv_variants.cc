// Convolutions that are more than a window: DeformConv, CausalConvWithState.
#include <utility>

#include "base/status_macros.h"
#include "op/check.h"
#include "op/conv/conv_common.h"
#include "op/count.h"
#include "op/families.h"

namespace hwest {
namespace {

enum DeformInput { kX, kW, kOffset, kDeformBias };

constexpr ConvArgs kDeformArgs = {.x = kX, .w = kW, .bias = kDeformBias};

// Inputs X [N, C, ...], W [M, C/group, kernel...], offset [N, groups * taps * axes, sizes of the result...], B?, mask?.
absl::Status InferDeformConv(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 3));
  HWEST_ASSIGN_OR_RETURN(Shape shape, ConvShape(ctx, kDeformArgs));
  const Shape& offset = ctx.in(kOffset).shape;
  if (shape.ranked()) HWEST_RETURN_IF_ERROR(RequireRank(ctx, kOffset, shape.rank(), shape.rank()));
  for (int axis = 0; shape.ranked() && offset.ranked() && axis < shape.rank(); ++axis) {
    if (axis == 1) continue;
    HWEST_ASSIGN_OR_RETURN(const Dim size, ctx.Unify(shape.dim(axis), offset.dim(axis)));
    shape.set_dim(axis, size);
  }
  ctx.set_out(0, ctx.in(kX).elem, std::move(shape));
  return absl::OkStatus();
}

// The convolution, and 8 operations to interpolate every element that a tap reads.
absl::StatusOr<Work> WorkDeformConv(const OpView& op) {
  HWEST_ASSIGN_OR_RETURN(Work work, ConvWork(op, kDeformArgs));
  DimPool& dims = op.dims();
  const Shape &w = op.in(kW).shape, &y = op.out(0).shape;
  Dim samples = Dim::Unknown();
  if (w.ranked() && y.ranked() && w.rank() >= 2 && y.rank() >= 2) {
    samples = dims.Product(
        {y.dim(0), DimOr(op.in(kX).shape, 1), dims.Product(w.dims().subspan(2)), dims.Product(y.dims().subspan(2))});
  }
  AddOps(dims, work, samples, {.add = 4, .mul = 4});
  return work;
}

enum CausalInput { kInput, kWeight, kBias, kState };

// Inputs input [B, C, L], weight [C, 1, k], bias [C]?, past_state [B, C, k - 1]?; outputs as input and past_state.
absl::Status InferCausalConv(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 2));
  for (const int i : {kInput, kWeight, kState}) HWEST_RETURN_IF_ERROR(RequireRank(ctx, i, 3, 3));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, kBias, 1, 1));
  const Shape &x = ctx.in(kInput).shape, &w = ctx.in(kWeight).shape, &past = ctx.in(kState).shape;
  HWEST_RETURN_IF_ERROR(ctx.Unify(DimOr(w, 1), 1).status());
  HWEST_ASSIGN_OR_RETURN(const Dim channels, ctx.Unify(DimOr(x, 1), DimOr(w, 0)));
  HWEST_RETURN_IF_ERROR(ctx.Unify(channels, DimOr(ctx.in(kBias).shape, 0)).status());
  HWEST_ASSIGN_OR_RETURN(const Dim kept, ctx.Unify(ctx.dims().Sub(DimOr(w, 2), 1), DimOr(past, 2)));
  HWEST_ASSIGN_OR_RETURN(const Dim batch, ctx.Unify(DimOr(x, 0), DimOr(past, 0)));
  ctx.set_out(0, ctx.in(kInput).elem, Shape(Shape::Dims{batch, channels, DimOr(x, 2)}));
  ctx.set_out(1, ctx.in(kInput).elem, Shape(Shape::Dims{batch, channels, kept}));
  return absl::OkStatus();
}

// One multiply-accumulate a result and tap; a bias is where the sum starts.
absl::StatusOr<Work> WorkCausalConv(const OpView& op) {
  HWEST_ASSIGN_OR_RETURN(const PerElement activation, ActivationOps(op.attr("activation", "")));
  DimPool& dims = op.dims();
  const Shape& y = op.out(0).shape;
  const Dim taps = DimOr(op.in(kWeight).shape, 2);
  Contraction contraction{.kind = ContractionKind::kDepthwise,
                          .batch = dims.Mul(DimOr(y, 0), DimOr(y, 1)),
                          .m = DimOr(y, 2),
                          .n = 1,
                          .k = taps,
                          .kernel_elements = taps};
  Work work;
  AddContraction(dims, work, std::move(contraction), dims.Mul(OutElements(op, 0), taps), Operands::kFloat);
  AddOps(dims, work, OutElements(op, 0), activation, op.in(kInput).elem);
  return work;
}

// clang-format off
constexpr OpRule kConvVariantRules[] = {
    {.op = "CausalConvWithState", .versions = "27", .infer = InferCausalConv, .work = WorkCausalConv,
     .parameters = Inputs({1, 2})},
    {.op = "DeformConv", .versions = "19 22", .infer = InferDeformConv, .work = WorkDeformConv,
     .parameters = Inputs({1, 3})},
};
// clang-format on

}  // namespace

absl::Span<const OpRule> ConvVariantRules() { return kConvVariantRules; }

}  // namespace hwest
