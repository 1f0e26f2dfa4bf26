// Random numbers. Their contents are never followed: a drawn number is no constant.
#include <cmath>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/portable_math.h"
#include "base/status_macros.h"
#include "op/check.h"
#include "op/count.h"
#include "op/families.h"
#include "op/pointwise/pointwise.h"

namespace hwest {
namespace {

// One number costs as much as one transcendental function.
absl::StatusOr<Work> WorkDraw(const OpView& op) {
  Work work;
  AddOps(op.dims(), work, OutElements(op, 0), {.transcendental = 1});
  return work;
}

// The type that `dtype` names, else `fallback`.
ElemType Drawn(const OpView& op, ElemType fallback) {
  const ElemType elem = ElemAttr(op, "dtype");
  return elem == ElemType::kUndefined ? fallback : elem;
}

// RandomNormal, RandomUniform: the shape is an attribute.
absl::Status InferRandom(InferContext& ctx) {
  if (!ctx.has_attr("shape")) return absl::InvalidArgumentError(absl::StrCat(ctx.op(), " expects a shape"));
  Shape shape = Shape::Scalar();
  for (const int64_t dim : ctx.ints("shape")) {
    if (dim < 0) return absl::InvalidArgumentError(absl::StrCat(ctx.op(), " expects sizes, found ", dim));
    shape.push_back(dim);
  }
  ctx.set_out(0, Drawn(ctx, ElemType::kFloat), std::move(shape));
  return absl::OkStatus();
}

// Bernoulli, RandomNormalLike, RandomUniformLike.
absl::Status InferRandomLike(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 1));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 0));
  ctx.set_out(0, Drawn(ctx, ctx.in(0).elem), ctx.in(0).shape);
  return absl::OkStatus();
}

// Only the shape of the input is used.
absl::StatusOr<Work> WorkRandomLike(const OpView& op) {
  HWEST_ASSIGN_OR_RETURN(Work work, WorkDraw(op));
  SetRead(work, 0, 0);
  return work;
}

// input [B, C] of log-probabilities -> [B, sample_size].
absl::Status InferMultinomial(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 1));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 2, 2));
  const int64_t samples = ctx.attr("sample_size", int64_t{1});
  if (samples < 0) {
    return absl::InvalidArgumentError(absl::StrCat("Multinomial expects a sample_size of 0 or more, found ", samples));
  }
  ctx.set_out(0, Drawn(ctx, ElemType::kInt32), Shape({DimOr(ctx.in(0).shape, 0), samples}));
  return absl::OkStatus();
}

// Running sums over the classes, then a binary search for each sample.
absl::StatusOr<Work> WorkMultinomial(const OpView& op) {
  DimPool& dims = op.dims();
  const Shape& x = op.in(0).shape;
  const Dim classes = x.ranked() && x.rank() == 2 ? x.dim(1) : Dim::Unknown();
  Dim steps;
  if (classes.is_constant()) {
    steps =
        classes.value() < 2 ? 0 : static_cast<int64_t>(std::ceil(portable::Log2(static_cast<double>(classes.value()))));
  }
  Work work;
  AddOps(dims, work, InElements(op, 0), {.add = 1});
  AddOps(dims, work, dims.Mul(OutElements(op, 0), steps), {.compare = 1});
  return work;
}

// clang-format off
constexpr OpRule kRandomRules[] = {
    {.op = "Bernoulli", .versions = "15 22", .infer = InferRandomLike, .work = WorkDraw, .traits = trait::kRandom},
    {.op = "Multinomial", .versions = "7 22", .infer = InferMultinomial, .work = WorkMultinomial,
     .traits = trait::kRandom},
    {.op = "RandomNormal", .versions = "1 22", .infer = InferRandom, .work = WorkDraw, .traits = trait::kRandom},
    {.op = "RandomNormalLike", .versions = "1 22", .infer = InferRandomLike, .work = WorkRandomLike,
     .traits = trait::kRandom},
    {.op = "RandomUniform", .versions = "1 22", .infer = InferRandom, .work = WorkDraw, .traits = trait::kRandom},
    {.op = "RandomUniformLike", .versions = "1 22", .infer = InferRandomLike, .work = WorkRandomLike,
     .traits = trait::kRandom},
};
// clang-format on

}  // namespace

absl::Span<const OpRule> RandomRules() { return kRandomRules; }

}  // namespace hwest
