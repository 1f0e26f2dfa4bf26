// FlexAttention: attention whose scores and probabilities pass through bodies.
#include <utility>

#include "base/status_macros.h"
#include "op/attention/attention_common.h"
#include "op/body.h"
#include "op/check.h"
#include "op/control/rules.h"
#include "op/control/state.h"

namespace hwest {
namespace {

constexpr absl::string_view kBodies[] = {"score_mod", "prob_mod"};

Shape ScoresOf(const OpView& op) {
  return Shape(
      {DimOr(op.in(0).shape, 0), DimOr(op.in(0).shape, 1), DimOr(op.in(0).shape, 2), DimOr(op.in(1).shape, 2)});
}

}  // namespace

// Both bodies map all scores at once.
bool FollowFlexAttention(InferContext& ctx, int round, Effort) {
  const auto is_attention = [&](int i) { return !ctx.in(i).shape.ranked() || ctx.in(i).shape.rank() == 4; };
  if (round > 0 || !is_attention(0) || !is_attention(1)) return round == 0;
  for (const absl::string_view name : kBodies) {
    const GraphId body = FindBody(ctx, name);
    if (!body.valid() || ctx.graph().body(body).inputs.empty()) continue;
    SetState(ctx, ctx.graph().body(body).inputs[0], {Type::Tensor(ctx.in(0).elem, ScoresOf(ctx)), nullptr, nullptr});
    SetTrips(ctx, body, 1);
  }
  return true;
}

absl::Status InferFlexAttention(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 3));
  for (int i = 0; i < 3; ++i) HWEST_RETURN_IF_ERROR(RequireRank(ctx, i, 4, 4));
  const Shape& q = ctx.in(0).shape;
  const Shape& k = ctx.in(1).shape;
  const Shape& v = ctx.in(2).shape;
  HWEST_RETURN_IF_ERROR(ctx.Unify(DimOr(q, 3), DimOr(k, 3)).status());
  HWEST_RETURN_IF_ERROR(ctx.Unify(DimOr(k, 2), DimOr(v, 2)).status());
  HWEST_ASSIGN_OR_RETURN(const Dim batch, ctx.Unify(DimOr(q, 0), DimOr(v, 0)));
  ctx.set_out(0, ctx.in(0).elem, Shape({batch, DimOr(q, 1), DimOr(q, 2), DimOr(v, 3)}));
  return absl::OkStatus();
}

absl::StatusOr<Work> WorkFlexAttention(const OpView& op) {
  for (int i = 0; i < 3; ++i) HWEST_RETURN_IF_ERROR(RequireRank(op, i, 4, 4));
  const Shape& q = op.in(0).shape;
  Work work;
  AddAttention(op.dims(), work,
               {.batch = DimOr(q, 0),
                .heads = DimOr(q, 1),
                .query_length = DimOr(q, 2),
                .key_length = DimOr(op.in(1).shape, 2),
                .head_size = DimOr(q, 3),
                .value_head_size = DimOr(op.in(2).shape, 3)},
               AttentionMask::kDense);
  return work;
}

}  // namespace hwest
