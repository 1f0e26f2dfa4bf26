// Positions: rotary embeddings and relative position biases of ONNX Runtime.
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "op/check.h"
#include "op/families.h"
#include "op/runtime/contrib_common.h"

namespace hwest {
namespace {

constexpr int kRotaryCosCache = 2, kRotarySinCache = 3;

// Inputs: input [B, S, width] or [B, heads, S, head], position_ids, cos_cache and sin_cache [positions, rotated / 2].
absl::Status InferContribRotary(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 4));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 3, 4));
  for (const int i : {kRotaryCosCache, kRotarySinCache}) HWEST_RETURN_IF_ERROR(RequireRank(ctx, i, 2, 2));
  ctx.set_out(0, ctx.in(0).elem, ctx.in(0).shape);
  return absl::OkStatus();
}

// Rotated part of the input: all of it, or rotary_embedding_dim of every head.
Dim RotatedElements(const OpView& op, Dim tokens) {
  DimPool& dims = op.dims();
  const Shape& x = op.in(0).shape;
  const int64_t rotated = op.attr("rotary_embedding_dim", int64_t{0});
  if (rotated <= 0 || !x.ranked()) return InElements(op, 0);
  const int64_t heads = op.attr("num_heads", int64_t{0});
  if (x.rank() != 4 && heads <= 0) return Dim::Unknown();
  return dims.Product({tokens, x.rank() == 4 ? x.dim(1) : Dim(heads), rotated});
}

absl::StatusOr<Work> WorkContribRotary(const OpView& op) {
  DimPool& dims = op.dims();
  const Shape& x = op.in(0).shape;
  const Dim tokens = x.ranked() && x.rank() >= 3 ? dims.Mul(x.dim(0), x.dim(x.rank() == 4 ? 2 : 1)) : Dim::Unknown();
  Work work;
  AddRotation(dims, work, RotatedElements(op, tokens));
  for (const int i : {kRotaryCosCache, kRotarySinCache}) {
    const Shape& cache = op.in(i).shape;
    if (cache.ranked() && cache.rank() == 2) SetRead(work, i, dims.Mul(tokens, cache.dim(1)));
  }
  return work;
}

// Inputs: emb [B, S, head], q, q_rot, k and k_rot [B, heads, S, head]; outputs q and k rotated.
absl::Status InferGemmaRotary(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 5));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 3, 3));
  for (int i = 1; i < 5; ++i) HWEST_RETURN_IF_ERROR(RequireRank(ctx, i, 4, 4));
  ctx.set_out(0, ctx.in(1).elem, ctx.in(1).shape);
  ctx.set_out(1, ctx.in(3).elem, ctx.in(3).shape);
  return absl::OkStatus();
}

// Sine and cosine of the embedding, and q * cos + q_rot * sin for both.
absl::StatusOr<Work> WorkGemmaRotary(const OpView& op) {
  return ElementWork(op, {.add = 2, .mul = 4, .transcendental = 2});
}

// Inputs: bias_table [buckets, heads], query_length, key_length.
absl::Status InferRelativeBias(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 3));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 2, 2));
  for (const int i : {1, 2}) HWEST_RETURN_IF_ERROR(KnownSizes(ctx, i).status());
  ctx.set_out(0, ctx.in(0).elem,
              Shape(Shape::Dims{1, DimOr(ctx.in(0).shape, 1), KnownSize(ctx, 1), KnownSize(ctx, 2)}));
  return absl::OkStatus();
}

// Distance, its logarithm, the scaled bucket, and the choice between near and far.
absl::StatusOr<Work> WorkRelativeBias(const OpView& op) {
  Work work = ElementWork(op, {.add = 1, .mul = 1, .compare = 1, .transcendental = 1});
  SetRead(work, 0, OutElements(op, 0));
  return work;
}

struct GatedBias {
  Dim batch, length, head_size, gates;
  int64_t heads = 1;
};

// Inputs: query [B, S, heads * head] or [T, heads * head], query_bias, rel_pos [1, heads, S, S], weight [head, D],
// bias, eco_a, token_offset? [B, S].
absl::StatusOr<GatedBias> ReadGatedBias(const OpView& op) {
  HWEST_RETURN_IF_ERROR(RequireInputs(op, 4));
  HWEST_RETURN_IF_ERROR(RequireRank(op, 0, 2, 3));
  HWEST_RETURN_IF_ERROR(RequireRank(op, 2, 4, 4));
  for (const int i : {3, 6}) HWEST_RETURN_IF_ERROR(RequireRank(op, i, 2, 2));
  HWEST_ASSIGN_OR_RETURN(const int64_t heads, PositiveAttr(op, "num_heads"));
  const Shape& offsets = op.in(6).shape;
  const Shape& query = op.in(0).shape;
  const Shape padded = offsets.ranked() ? offsets : query.ranked() && query.rank() == 3 ? query : Shape();
  return GatedBias{.batch = DimOr(padded, 0),
                   .length = DimOr(padded, 1).is_unknown() ? DimOr(op.in(2).shape, 2) : DimOr(padded, 1),
                   .head_size = DimOr(op.in(3).shape, 0),
                   .gates = DimOr(op.in(3).shape, 1),
                   .heads = heads};
}

absl::Status InferGatedBias(InferContext& ctx) {
  HWEST_ASSIGN_OR_RETURN(const GatedBias bias, ReadGatedBias(ctx));
  ctx.set_out(0, ctx.in(0).elem, Shape(Shape::Dims{bias.batch, bias.heads, bias.length, bias.length}));
  return absl::OkStatus();
}

// One product [B * heads * S, head] x [head, D] for the gates; scale, shift and product with rel_pos.
absl::StatusOr<Work> WorkGatedBias(const OpView& op) {
  HWEST_ASSIGN_OR_RETURN(const GatedBias bias, ReadGatedBias(op));
  DimPool& dims = op.dims();
  Work work = ElementWork(op, {.add = 2, .mul = 2});
  AddProduct(dims, work, dims.Product({bias.batch, bias.heads, bias.length}), bias.gates, bias.head_size);
  return work;
}

// clang-format off
constexpr OpRule kContribPositionRules[] = {
    {.domain = kMicrosoft, .op = "GatedRelativePositionBias", .versions = "1", .infer = InferGatedBias,
     .work = WorkGatedBias},
    {.domain = kMicrosoft, .op = "GemmaRotaryEmbedding", .versions = "1", .infer = InferGemmaRotary,
     .work = WorkGemmaRotary},
    {.domain = kMicrosoft, .op = "MRotaryEmbedding", .versions = "1", .infer = InferContribRotary,
     .work = WorkContribRotary},
    {.domain = kMicrosoft, .op = "RelativePositionBias", .versions = "1", .infer = InferRelativeBias,
     .work = WorkRelativeBias, .shape_inputs = Inputs({1, 2})},
    {.domain = kMicrosoft, .op = "RotaryEmbedding", .versions = "1", .infer = InferContribRotary,
     .work = WorkContribRotary},
};
// clang-format on

}  // namespace

absl::Span<const OpRule> ContribPositionRules() { return kContribPositionRules; }

}  // namespace hwest
