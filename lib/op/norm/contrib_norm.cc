// Normalisations and embeddings of ONNX Runtime.
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "op/check.h"
#include "op/families.h"
#include "op/pointwise/pointwise.h"
#include "op/runtime/contrib_common.h"

namespace hwest {
namespace {

// Inputs X [N, spatial..., C] (or channels first), gamma and beta [C], skip?, bias? [C]; outputs Y, X + skip + bias.
absl::Status InferContribGroupNorm(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, ctx.op() == "SkipGroupNorm" ? 4 : 3));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 3));
  for (const int i : {1, 2, 4}) HWEST_RETURN_IF_ERROR(RequireRank(ctx, i, 1, 1));
  HWEST_ASSIGN_OR_RETURN(const int64_t groups, PositiveAttr(ctx, "groups"));
  const Shape& x = ctx.in(0).shape;
  const bool last = ctx.attr("channels_last", int64_t{1}) != 0;
  const Dim channels = x.ranked() ? x.dim(last ? x.rank() - 1 : 1) : Dim::Unknown();
  if (channels.is_constant() && channels.value() % groups != 0) {
    return absl::InvalidArgumentError(absl::StrCat(channels.value(), " channels make no ", groups, " groups"));
  }
  for (const int i : {1, 2, 4}) HWEST_RETURN_IF_ERROR(UnifyAxis(ctx, ctx.in(i).shape, 0, channels));
  for (const int i : {0, 1}) ctx.set_out(i, ctx.in(0).elem, x);
  return absl::OkStatus();
}

// The sums in front, the normalisation, and x * sigmoid(x) behind it on request.
absl::StatusOr<Work> WorkContribGroupNorm(const OpView& op) {
  PerElement per = {.add = 4, .mul = 4};
  if (op.has_input(3)) ++per.add;
  if (op.has_input(4)) ++per.add;
  Work work = InputElementWork(op, per);
  if (op.attr("activation", int64_t{0}) == 1) {
    AddOps(op.dims(), work, InElements(op, 0), {.add = 1, .mul = 2, .transcendental = 1});
  }
  return work;
}

constexpr int kIds = 0, kWords = 2, kPositions = 3, kSegments = 4;

// Inputs: input_ids [B, S], segment_ids?, tables of words, positions and segments? [rows, width], gamma, beta, mask?.
// Outputs: output [B, S, width], mask_index [B], sum of the embeddings.
absl::Status InferEmbedNorm(InferContext& ctx) {
  const bool quantised = ctx.op() == "QEmbedLayerNormalization";
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 1));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, kIds, 2, 2));
  for (const int i : {kWords, kPositions, kSegments}) HWEST_RETURN_IF_ERROR(RequireRank(ctx, i, 2, 2));
  HWEST_ASSIGN_OR_RETURN(const Dim width,
                         ctx.Unify(DimOr(ctx.in(kWords).shape, 1), DimOr(ctx.in(kPositions).shape, 1)));
  const Shape& ids = ctx.in(kIds).shape;
  const ElemType elem = quantised ? ElemType::kFloat : ctx.in(kWords).elem;
  const Shape out(Shape::Dims{DimOr(ids, 0), DimOr(ids, 1), width});
  ctx.set_out(0, elem, out);
  ctx.set_out(1, ElemType::kInt32, Shape(Shape::Dims{DimOr(ids, 0)}));
  ctx.set_out(2, elem, out);
  return absl::OkStatus();
}

// Two sums of embeddings and the normalisation, dequantisation of the tables before them; of every table only the rows
// looked up are read.
absl::StatusOr<Work> WorkEmbedNorm(const OpView& op) {
  PerElement per = {.add = 6, .mul = 4};
  if (op.op() == "QEmbedLayerNormalization") per = {.add = 7, .mul = 5};
  Work work;
  AddOps(op.dims(), work, OutElements(op, 0), per);
  for (const int i : {kWords, kPositions, kSegments}) {
    if (op.has_input(i)) SetRead(work, i, OutElements(op, 0));
  }
  return work;
}

// Inputs X [..., H * C], scale [C], gate [..., H * C].
absl::Status InferGatedNorm(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 3));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 1));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 1, 1, 1));
  return InferSameAsInput(ctx);
}

// Inputs key and query [B, S, connections, width], value [B, S, width], scales; outputs gate * value, and that
// normalised.
absl::Status InferEngramGate(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 3));
  for (const int i : {0, 1}) HWEST_RETURN_IF_ERROR(RequireRank(ctx, i, 4, 4));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 2, 3, 3));
  for (const int i : {0, 1}) ctx.set_out(i, ctx.in(0).elem, ctx.in(0).shape);
  return absl::OkStatus();
}

// Two RMS normalisations, a dot product, and the product with the value.
absl::StatusOr<Work> WorkEngramGate(const OpView& op) {
  PerElement per = {.add = 4, .mul = 8};
  if (op.has_output(1)) per = {.add = 5, .mul = 11};
  return ElementWork(op, per);
}

// RMS normalisation, gate * sigmoid(gate), their product.
constexpr WorkFn kGatedNorm = WorkPerInput<PerElement{.add = 2, .mul = 6, .transcendental = 1}>;

// clang-format off
constexpr OpRule kContribNormRules[] = {
    {.domain = kMicrosoft, .op = "EmbedLayerNormalization", .versions = "1", .infer = InferEmbedNorm,
     .work = WorkEmbedNorm, .traits = trait::kTakesStatistics, .parameters = Inputs({2, 3, 4, 5, 6})},
    {.domain = kMicrosoft, .op = "EngramGate", .versions = "1", .infer = InferEngramGate, .work = WorkEngramGate},
    {.domain = kMicrosoft, .op = "GatedRMSNorm", .versions = "1", .infer = InferGatedNorm,
     .work = kGatedNorm, .traits = trait::kTakesStatistics},
    {.domain = kMicrosoft, .op = "GroupNorm", .versions = "1", .infer = InferContribGroupNorm,
     .work = WorkContribGroupNorm, .traits = trait::kTakesStatistics, .parameters = Inputs({1, 2})},
    {.domain = kMicrosoft, .op = "QEmbedLayerNormalization", .versions = "1", .infer = InferEmbedNorm,
     .work = WorkEmbedNorm, .traits = trait::kTakesStatistics, .scales = Inputs({8, 9, 10, 11, 12, 13, 14, 15, 16, 17}),
     .weights = Inputs({2, 3, 4, 5, 6})},
    {.domain = kMicrosoft, .op = "SkipGroupNorm", .versions = "1", .infer = InferContribGroupNorm,
     .work = WorkContribGroupNorm, .traits = trait::kTakesStatistics, .parameters = Inputs({1, 2, 4})},
};
// clang-format on

}  // namespace

absl::Span<const OpRule> ContribNormRules() { return kContribNormRules; }

}  // namespace hwest
