// Losses of classifiers.
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "op/check.h"
#include "op/count.h"
#include "op/families.h"

namespace hwest {
namespace {

// scores [N, C, d...], target [N, d...], weight [C]?: the shape of the loss of each sample, [N, d...].
absl::StatusOr<Shape> SampleShape(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 2));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 2));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 1, 1));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 2, 1, 1));
  const Shape& scores = ctx.in(0).shape;
  const Shape& target = ctx.in(1).shape;
  if (!scores.ranked()) return target;
  if (ctx.has_input(2)) HWEST_RETURN_IF_ERROR(ctx.Unify(scores.dim(1), DimOr(ctx.in(2).shape, 0)).status());
  if (target.ranked() && target.rank() != scores.rank() - 1) {
    return absl::InvalidArgumentError(
        absl::StrCat(ctx.op(), " expects a target of rank ", scores.rank() - 1, ", found ", target.rank()));
  }
  Shape samples = Shape::Scalar();
  for (int axis = 0; axis < scores.rank() - 1; ++axis) {
    HWEST_ASSIGN_OR_RETURN(const Dim size, ctx.Unify(scores.dim(axis == 0 ? 0 : axis + 1), DimOr(target, axis)));
    samples.push_back(size);
  }
  return samples;
}

// The loss is a scalar unless `reduction` is "none".
absl::Status InferLoss(InferContext& ctx) {
  HWEST_ASSIGN_OR_RETURN(Shape samples, SampleShape(ctx));
  const absl::string_view reduction = ctx.attr("reduction", absl::string_view("mean"));
  if (reduction != "none" && reduction != "mean" && reduction != "sum") {
    return absl::InvalidArgumentError(absl::StrCat(ctx.op(), " knows no reduction \"", reduction, "\""));
  }
  ctx.set_out(0, ctx.in(0).elem, reduction == "none" ? std::move(samples) : Shape::Scalar());
  return absl::OkStatus();
}

// Outputs: loss, log_prob.
absl::Status InferCrossEntropy(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(InferLoss(ctx));
  ctx.set_out(1, ctx.in(0).elem, ctx.in(0).shape);
  return absl::OkStatus();
}

// One product with the weight and one sum for each sample, whose score is the only one read.
absl::StatusOr<Work> WorkLikelihood(const OpView& op) {
  const Dim samples = InElements(op, 1);
  Work work;
  AddOps(op.dims(), work, samples, {.add = 1, .mul = 1});
  SetRead(work, 0, samples);
  return work;
}

// A log-softmax over all scores before that.
absl::StatusOr<Work> WorkCrossEntropy(const OpView& op) {
  Work work = InputElementWork(op, {.add = 3, .compare = 1, .transcendental = 1});
  AddOps(op.dims(), work, InElements(op, 1), {.add = 1, .mul = 1});
  return work;
}

constexpr OpRule kLossRules[] = {
    {.op = "NegativeLogLikelihoodLoss", .versions = "12 13 22", .infer = InferLoss, .work = WorkLikelihood},
    {.op = "SoftmaxCrossEntropyLoss", .versions = "12 13", .infer = InferCrossEntropy, .work = WorkCrossEntropy},
};

}  // namespace

absl::Span<const OpRule> LossRules() { return kLossRules; }

}  // namespace hwest
