// Normalisations and softmax.
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "op/check.h"
#include "op/count.h"
#include "op/families.h"

namespace hwest {
namespace {

absl::Status CheckData(const OpView& op, int min_rank) {
  HWEST_RETURN_IF_ERROR(RequireInputs(op, 1));
  return RequireRank(op, 0, min_rank);
}

// Shape of the statistics of a normalisation over axes [axis, rank): these axes become 1.
absl::StatusOr<Shape> StatisticsShape(const Shape& x, int64_t axis) {
  if (!x.ranked()) return Shape();
  HWEST_ASSIGN_OR_RETURN(const int first, NormalizeAxis(axis, x.rank()));
  Shape shape = x;
  for (int i = first; i < x.rank(); ++i) shape.set_dim(i, 1);
  return shape;
}

// Before operator set 13 the axes from `axis` on were flattened into one; shape and counts are the same.
absl::Status InferSoftmax(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(CheckData(ctx, 0));
  const Shape& x = ctx.in(0).shape;
  if (x.ranked() && x.rank() > 0 && (ctx.has_attr("axis") || !OlderThan(ctx, 13))) {
    HWEST_RETURN_IF_ERROR(NormalizeAxis(ctx.attr("axis", int64_t{-1}), x.rank()).status());
  }
  ctx.set_out(0, ctx.in(0).elem, x);
  return absl::OkStatus();
}

// Maximum, difference, exponential, sum, quotient.
absl::StatusOr<Work> WorkSoftmax(const OpView& op) {
  return InputElementWork(op, {.add = 2, .mul = 1, .compare = 1, .transcendental = 1});
}

// As softmax, with a difference of logarithms in place of the quotient.
absl::StatusOr<Work> WorkLogSoftmax(const OpView& op) {
  return InputElementWork(op, {.add = 3, .compare = 1, .transcendental = 1});
}

absl::StatusOr<Work> WorkHardmax(const OpView& op) { return InputElementWork(op, {.compare = 1}); }

// Outputs Y, Mean, InvStdDev; ONNX Runtime registers the operator below version 17 too, with the type of Scale for Y.
absl::Status InferLayerNorm(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(CheckData(ctx, 1));
  const Type& x = ctx.in(0);
  HWEST_ASSIGN_OR_RETURN(const Shape statistics, StatisticsShape(x.shape, ctx.attr("axis", int64_t{-1})));
  const ElemType stash = static_cast<ElemType>(ctx.attr("stash_type", int64_t{1}));
  const bool scale_typed = OlderThan(ctx, 17) && ctx.in(1).elem != ElemType::kUndefined;
  ctx.set_out(0, scale_typed ? ctx.in(1).elem : x.elem, x.shape);
  ctx.set_out(1, stash, statistics);
  ctx.set_out(2, stash, statistics);
  return absl::OkStatus();
}

absl::StatusOr<Work> WorkLayerNorm(const OpView& op) { return InputElementWork(op, {.add = 4, .mul = 4}); }

// ONNX Runtime's operator in the default domain: Y of Scale's type, inv_std_var.
absl::Status InferSimplifiedLayerNorm(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(CheckData(ctx, 1));
  const Type& x = ctx.in(0);
  HWEST_ASSIGN_OR_RETURN(Shape statistics, StatisticsShape(x.shape, ctx.attr("axis", int64_t{-1})));
  const ElemType scale = ctx.in(1).elem;
  ctx.set_out(0, scale == ElemType::kUndefined ? x.elem : scale, x.shape);
  ctx.set_out(1, static_cast<ElemType>(ctx.attr("stash_type", int64_t{1})), std::move(statistics));
  return absl::OkStatus();
}

absl::StatusOr<Work> WorkSimplifiedLayerNorm(const OpView& op) { return InputElementWork(op, {.add = 1, .mul = 3}); }

// Outputs: output, mean, inv_std_var, input + skip + bias.
absl::Status InferSkipLayerNorm(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 2));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 2, 3));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 1, 2, 3));
  const Type& x = ctx.in(0);
  HWEST_RETURN_IF_ERROR(ctx.Broadcast(x.shape, ctx.in(1).shape).status());
  HWEST_ASSIGN_OR_RETURN(const Shape statistics, StatisticsShape(x.shape, -1));
  ctx.set_out(0, x.elem, x.shape);
  ctx.set_out(1, ElemType::kFloat, statistics);
  ctx.set_out(2, ElemType::kFloat, statistics);
  ctx.set_out(3, x.elem, x.shape);
  return absl::OkStatus();
}

absl::StatusOr<Work> WorkSkipLayerNorm(const OpView& op) { return InputElementWork(op, {.add = 5, .mul = 4}); }
absl::StatusOr<Work> WorkSkipSimplified(const OpView& op) { return InputElementWork(op, {.add = 2, .mul = 3}); }

// Batch statistics are computed: by attribute from version 14 on, before that when more than Y is asked for.
bool IsTraining(const OpView& op) {
  return OlderThan(op, 14) ? op.has_output(1) : op.attr("training_mode", int64_t{0}) != 0;
}

// X [N, C, ...] or [N]; scale, B, mean, var [C]. Outputs past Y have the shape and type of the given mean.
absl::Status InferBatchNorm(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(CheckData(ctx, 1));
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 5));
  const Type& x = ctx.in(0);
  const bool spatial = !OlderThan(ctx, 9) || ctx.attr("spatial", int64_t{1}) != 0;
  for (int i = 1; i < 5; ++i) {
    if (!spatial) break;
    HWEST_RETURN_IF_ERROR(RequireRank(ctx, i, 1, 1));
    const Dim channels = x.shape.ranked() && x.shape.rank() >= 2 ? x.shape.dim(1) : Dim::Unknown();
    HWEST_RETURN_IF_ERROR(ctx.Unify(channels, DimOr(ctx.in(i).shape, 0)).status());
  }
  ctx.set_out(0, x.elem, x.shape);
  for (int i = 1; i < ctx.num_outputs(); ++i) ctx.set_out(i, ctx.in(3).elem, ctx.in(3).shape);
  return absl::OkStatus();
}

// At inference the statistics fold into one multiplication and one addition.
absl::StatusOr<Work> WorkBatchNorm(const OpView& op) {
  return InputElementWork(op, IsTraining(op) ? PerElement{.add = 4, .mul = 4} : PerElement{.add = 1, .mul = 1});
}

absl::Status InferInstanceNorm(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(CheckData(ctx, 2));
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 3));
  const Type& x = ctx.in(0);
  for (const int i : {1, 2}) {
    HWEST_RETURN_IF_ERROR(RequireRank(ctx, i, 1, 1));
    HWEST_RETURN_IF_ERROR(ctx.Unify(DimOr(x.shape, 1), DimOr(ctx.in(i).shape, 0)).status());
  }
  ctx.set_out(0, x.elem, x.shape);
  return absl::OkStatus();
}

// X [N, C, ...]; scale and bias [C], [num_groups] before version 21.
absl::Status InferGroupNorm(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(CheckData(ctx, 2));
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 3));
  const Type& x = ctx.in(0);
  const Dim channels = DimOr(x.shape, 1);
  const int64_t groups = ctx.attr("num_groups", int64_t{0});
  if (groups < 1 || (channels.is_constant() && channels.value() % groups != 0)) {
    return absl::InvalidArgumentError(absl::StrCat("GroupNormalization expects num_groups to divide ",
                                                   ctx.dims().ToString(channels), " channels, found ", groups));
  }
  for (const int i : {1, 2}) {
    HWEST_RETURN_IF_ERROR(RequireRank(ctx, i, 1, 1));
    const Dim wanted = OlderThan(ctx, 21) ? Dim(groups) : channels;
    HWEST_RETURN_IF_ERROR(ctx.Unify(wanted, DimOr(ctx.in(i).shape, 0)).status());
  }
  ctx.set_out(0, x.elem, x.shape);
  return absl::OkStatus();
}

// Y has the type of scale, which broadcasts to X.
absl::Status InferRmsNorm(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(CheckData(ctx, 1));
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 2));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 1, 0));
  const Type& x = ctx.in(0);
  HWEST_RETURN_IF_ERROR(StatisticsShape(x.shape, ctx.attr("axis", int64_t{-1})).status());
  HWEST_RETURN_IF_ERROR(ctx.Broadcast(x.shape, ctx.in(1).shape).status());
  ctx.set_out(0, ctx.in(1).elem == ElemType::kUndefined ? x.elem : ctx.in(1).elem, x.shape);
  return absl::OkStatus();
}

absl::StatusOr<int64_t> LrnSize(const OpView& op) {
  const int64_t size = op.attr("size", int64_t{0});
  if (size >= 1 && size <= INT32_MAX) return size;
  return absl::InvalidArgumentError(absl::StrCat("LRN expects a size of 1 or more, found ", size));
}

absl::Status InferLrn(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(CheckData(ctx, 2));
  HWEST_RETURN_IF_ERROR(LrnSize(ctx).status());
  ctx.set_out(0, ctx.in(0).elem, ctx.in(0).shape);
  return absl::OkStatus();
}

// Squares of `size` neighbouring channels, their sum, scale and bias, the power, the quotient.
absl::StatusOr<Work> WorkLrn(const OpView& op) {
  HWEST_ASSIGN_OR_RETURN(const int64_t size, LrnSize(op));
  return InputElementWork(op, {.add = size + 1, .mul = size + 2, .transcendental = 1});
}

absl::Status InferLpNorm(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(CheckData(ctx, 1));
  const Shape& x = ctx.in(0).shape;
  if (x.ranked()) HWEST_RETURN_IF_ERROR(NormalizeAxis(ctx.attr("axis", int64_t{-1}), x.rank()).status());
  ctx.set_out(0, ctx.in(0).elem, x);
  return absl::OkStatus();
}

// p = 1: absolute value, sum, quotient; p = 2: square, sum, quotient.
absl::StatusOr<Work> WorkLpNorm(const OpView& op) {
  const bool absolute = op.attr("p", int64_t{2}) == 1;
  return InputElementWork(op, absolute ? PerElement{.add = 2, .mul = 1} : PerElement{.add = 1, .mul = 2});
}

// Over axes [0, 2, 3] by default.
absl::Status InferMeanVarianceNorm(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(CheckData(ctx, 0));
  const Shape& x = ctx.in(0).shape;
  const absl::Span<const int64_t> axes = ctx.ints("axes");
  for (const int64_t axis : axes) {
    if (x.ranked()) HWEST_RETURN_IF_ERROR(NormalizeAxis(axis, x.rank()).status());
  }
  if (axes.empty()) HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 4));
  ctx.set_out(0, ctx.in(0).elem, x);
  return absl::OkStatus();
}

// Mean, difference, square, mean of squares; difference and quotient by the deviation.
absl::StatusOr<Work> WorkMeanVarianceNorm(const OpView& op) { return InputElementWork(op, {.add = 4, .mul = 2}); }

// clang-format off
constexpr OpRule kNormRules[] = {
    {.op = "BatchNormalization", .versions = "1 6 7 9 14 15", .infer = InferBatchNorm, .work = WorkBatchNorm,
     .traits = trait::kFoldsIntoWeights, .parameters = Inputs({1, 2}), .buffers = Inputs({3, 4})},
    {.op = "GroupNormalization", .versions = "18 21", .infer = InferGroupNorm, .work = WorkLayerNorm,
     .traits = trait::kWholeInput | trait::kTakesStatistics, .parameters = Inputs({1, 2})},
    {.op = "Hardmax", .versions = "1 11 13", .infer = InferSoftmax, .work = WorkHardmax},
    // PyTorch writes ones and zeros in Constant nodes where a normalisation has no weights of its own.
    {.op = "InstanceNormalization", .versions = "1 6 22", .infer = InferInstanceNorm, .work = WorkLayerNorm,
     .traits = trait::kWholeInput | trait::kTakesStatistics},
    {.op = "LRN", .versions = "1 13", .infer = InferLrn, .work = WorkLrn},
    {.op = "LayerNormalization", .versions = "1 17", .infer = InferLayerNorm,
     .work = WorkLayerNorm, .traits = trait::kTakesStatistics, .parameters = Inputs({1, 2})},
    {.op = "LogSoftmax", .versions = "1 11 13", .infer = InferSoftmax,
     .work = WorkLogSoftmax, .traits = trait::kTakesStatistics},
    {.op = "LpNormalization", .versions = "1 22", .infer = InferLpNorm,
     .work = WorkLpNorm, .traits = trait::kTakesStatistics},
    {.op = "MeanVarianceNormalization", .versions = "9 13", .infer = InferMeanVarianceNorm,
     .work = WorkMeanVarianceNorm, .traits = trait::kTakesStatistics},
    {.op = "RMSNormalization", .versions = "23", .infer = InferRmsNorm,
     .work = WorkSimplifiedLayerNorm, .traits = trait::kTakesStatistics, .parameters = Inputs({1})},
    {.op = "SimplifiedLayerNormalization", .versions = "1", .infer = InferSimplifiedLayerNorm,
     .work = WorkSimplifiedLayerNorm, .traits = trait::kTakesStatistics, .parameters = Inputs({1})},
    {.op = "Softmax", .versions = "1 11 13", .infer = InferSoftmax,
     .work = WorkSoftmax, .traits = trait::kTakesStatistics},
    {.domain = "com.microsoft", .op = "SkipLayerNormalization", .versions = "1", .infer = InferSkipLayerNorm,
     .work = WorkSkipLayerNorm, .traits = trait::kTakesStatistics, .parameters = Inputs({2, 3, 4})},
    {.domain = "com.microsoft", .op = "SkipSimplifiedLayerNormalization", .versions = "1", .infer = InferSkipLayerNorm,
     .work = WorkSkipSimplified, .traits = trait::kTakesStatistics, .parameters = Inputs({2, 3})},
};
// clang-format on

}  // namespace

absl::Span<const OpRule> NormRules() { return kNormRules; }

}  // namespace hwest
