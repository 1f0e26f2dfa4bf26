// Attention of the standard domain: Attention, LinearAttention, RotaryEmbedding.
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "op/attention/attention_common.h"
#include "op/check.h"
#include "op/count.h"
#include "op/families.h"
#include "op/pointwise/pointwise.h"

namespace hwest {
namespace {

enum AttentionInput { kQuery, kKey, kValue, kMask, kPastKey, kPastValue, kNonpadLengths };

// One operand as [batch, heads, length, size].
struct Heads {
  Dim batch, heads, length, size;
};

absl::StatusOr<int64_t> HeadCount(const OpView& op, absl::string_view name) {
  const int64_t heads = op.attr(name, int64_t{0});
  if (heads >= 1 && heads <= INT32_MAX) return heads;
  return absl::InvalidArgumentError(
      absl::StrCat(op.op(), " expects a positive ", name, " for packed heads, found ", heads));
}

// Input `i` as [batch, length, heads * size], the heads counted by attribute `name`.
absl::StatusOr<Heads> ReadPacked(const OpView& op, int i, absl::string_view name) {
  HWEST_ASSIGN_OR_RETURN(const int64_t heads, HeadCount(op, name));
  const Shape& shape = op.in(i).shape;
  const Dim width = DimOr(shape, 2);
  if (width.is_constant() && width.value() % heads != 0) {
    return absl::InvalidArgumentError(absl::StrCat(op.op(), " expects input ", i, " to hold ", heads,
                                                   " heads of one size, found a width of ", width.value()));
  }
  return Heads{DimOr(shape, 0), heads, DimOr(shape, 1), op.dims().ExactDiv(width, heads)};
}

// Packed when of rank 3, else [batch, heads, length, size] as it stands. Nothing is known of an unranked operand.
absl::StatusOr<Heads> ReadHeads(const OpView& op, int i, absl::string_view name) {
  HWEST_RETURN_IF_ERROR(RequireRank(op, i, 3, 4));
  const Shape& shape = op.in(i).shape;
  if (!shape.ranked()) return Heads{};
  if (shape.rank() == 3) return ReadPacked(op, i, name);
  return Heads{shape.dim(0), shape.dim(1), shape.dim(2), shape.dim(3)};
}

struct AttentionOperands {
  Heads query, key, value;
  Dim past = 0;
  Dim total;  // past and current keys
};

Dim FirstKnown(Dim a, Dim b) { return a.is_unknown() ? b : a; }

absl::StatusOr<AttentionOperands> ReadAttention(const OpView& op) {
  HWEST_RETURN_IF_ERROR(RequireInputs(op, 3));
  for (const int i : {kPastKey, kPastValue}) HWEST_RETURN_IF_ERROR(RequireRank(op, i, 4, 4));
  AttentionOperands operands;
  HWEST_ASSIGN_OR_RETURN(operands.query, ReadHeads(op, kQuery, "q_num_heads"));
  HWEST_ASSIGN_OR_RETURN(operands.key, ReadHeads(op, kKey, "kv_num_heads"));
  HWEST_ASSIGN_OR_RETURN(operands.value, ReadHeads(op, kValue, "kv_num_heads"));
  if (op.has_input(kPastKey)) operands.past = DimOr(op.in(kPastKey).shape, 2);
  operands.total = op.dims().Add(operands.past, FirstKnown(operands.key.length, operands.value.length));
  return operands;
}

// Several query heads share one key head.
absl::Status CheckHeadGroups(const Heads& query, const Heads& key) {
  if (!query.heads.is_constant() || !key.heads.is_constant()) return absl::OkStatus();
  if (key.heads.value() > 0 && query.heads.value() % key.heads.value() == 0) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("Attention expects a multiple of ", key.heads.value(),
                                                 " key heads as query heads, found ", query.heads.value()));
}

// What operands have in common, the better known of each pair in its place.
absl::Status UnifyOperands(InferContext& ctx, AttentionOperands& a) {
  HWEST_RETURN_IF_ERROR(CheckHeadGroups(a.query, a.key));
  HWEST_ASSIGN_OR_RETURN(a.key.heads, ctx.Unify(a.key.heads, a.value.heads));
  HWEST_RETURN_IF_ERROR(ctx.Unify(a.key.length, a.value.length).status());
  HWEST_ASSIGN_OR_RETURN(a.key.size, ctx.Unify(a.query.size, a.key.size));
  for (const Heads* other : {&a.key, &a.value}) {
    HWEST_ASSIGN_OR_RETURN(a.query.batch, ctx.Unify(a.query.batch, other->batch));
  }
  for (const auto& [input, size] : {std::pair(kPastKey, a.key.size), std::pair(kPastValue, a.value.size)}) {
    const Shape& past = ctx.in(input).shape;
    for (const auto& [axis, dim] :
         {std::pair(0, a.query.batch), std::pair(1, a.key.heads), std::pair(2, a.past), std::pair(3, size)}) {
      if (past.ranked()) HWEST_RETURN_IF_ERROR(ctx.Unify(past.dim(axis), dim).status());
    }
  }
  return absl::OkStatus();
}

// Outputs Y (packed as the query is), present_key, present_value, and the scores at the stage of qk_matmul_output_mode.
absl::Status InferAttention(InferContext& ctx) {
  HWEST_ASSIGN_OR_RETURN(AttentionOperands a, ReadAttention(ctx));
  HWEST_RETURN_IF_ERROR(UnifyOperands(ctx, a));
  const Shape& query = ctx.in(kQuery).shape;
  const ElemType elem = ctx.in(kQuery).elem, value_elem = ctx.in(kValue).elem;
  const Dim batch = a.query.batch;
  Shape y;
  if (query.ranked() && query.rank() == 3) {
    y = Shape(Shape::Dims{batch, a.query.length, ctx.dims().Mul(a.query.heads, a.value.size)});
  } else if (query.ranked()) {
    y = Shape(Shape::Dims{batch, a.query.heads, a.query.length, a.value.size});
  }
  ctx.set_out(0, elem, std::move(y));
  ctx.set_out(1, elem, Shape(Shape::Dims{batch, a.key.heads, a.total, a.key.size}));
  ctx.set_out(2, value_elem, Shape(Shape::Dims{batch, a.key.heads, a.total, a.value.size}));
  ctx.set_out(3, elem, Shape(Shape::Dims{batch, a.query.heads, a.query.length, a.total}));
  return absl::OkStatus();
}

// How many keys before and behind its own position a query sees; none = all.
struct Window {
  std::optional<int64_t> left, right;
};

Window ReadWindow(const OpView& op) {
  Window window;
  const auto read = [&op](absl::string_view name) {
    const int64_t size = op.attr(name, int64_t{-1});
    return size >= 0 && size <= INT32_MAX ? std::optional(size) : std::nullopt;
  };
  window.left = read("left_window_size");
  window.right = op.attr("is_causal", int64_t{0}) != 0 ? 0 : read("right_window_size");
  return window;
}

// Query i stands at key past + i: behind the past keys, or at the end of a cache that is kept outside.
Dim QueryOffset(const OpView& op, const AttentionOperands& a) {
  if (op.has_input(kPastKey)) return a.past;
  return op.has_input(kNonpadLengths) ? op.dims().Sub(a.total, a.query.length) : Dim(0);
}

// Multiply-accumulates of the keys inside the window: those up to its right end less those before its left one.
Dim WindowMacs(DimPool& dims, AttentionProduct product, const Window& window) {
  const Dim offset = product.past;
  Dim macs = AttentionMacs(dims, product);
  if (window.right.has_value()) {
    product.past = dims.Add(offset, *window.right);
    macs = CausalAttentionMacs(dims, product);
  }
  if (!window.left.has_value()) return macs;
  // The queries at the first `left` positions see everything before them.
  const Dim first = dims.Sub(offset, *window.left + 1);
  product.query_length = dims.Max(dims.Add(product.query_length, dims.Min(first, 0)), 0);
  product.past = dims.Max(first, 0);
  return dims.Sub(macs, CausalAttentionMacs(dims, product));
}

// Dense; 5 operations a score for softmax and scale, one for a mask and one function for a soft cap. What a causal mask
// or a window leaves is counted beside.
absl::StatusOr<Work> WorkAttention(const OpView& op) {
  HWEST_ASSIGN_OR_RETURN(const AttentionOperands a, ReadAttention(op));
  DimPool& dims = op.dims();
  const AttentionProduct product{.batch = FirstKnown(FirstKnown(a.query.batch, a.key.batch), a.value.batch),
                                 .heads = a.query.heads,
                                 .query_length = a.query.length,
                                 .key_length = a.total,
                                 .head_size = FirstKnown(a.query.size, a.key.size),
                                 .value_head_size = a.value.size,
                                 .past = QueryOffset(op, a)};
  Work work;
  AddAttention(dims, work, product, AttentionMask::kDense);
  const Window window = ReadWindow(op);
  if (window.left.has_value() || window.right.has_value()) work.causal_macs = WindowMacs(dims, product, window);
  const Dim scores = dims.Product({product.batch, product.heads, product.query_length, product.key_length});
  const bool capped = op.attr("softcap", 0.0f) != 0.0f;
  AddOps(dims, work, scores, {.add = op.has_input(kMask), .transcendental = capped});
  return work;
}

enum LinearInput { kLinearQuery, kLinearKey, kLinearValue, kState };

struct LinearOperands {
  Heads query, key, value;
};

absl::StatusOr<LinearOperands> ReadLinear(const OpView& op) {
  HWEST_RETURN_IF_ERROR(RequireInputs(op, 3));
  for (const int i : {kLinearQuery, kLinearKey, kLinearValue}) HWEST_RETURN_IF_ERROR(RequireRank(op, i, 3, 3));
  HWEST_RETURN_IF_ERROR(RequireRank(op, kState, 4, 4));
  LinearOperands operands;
  HWEST_ASSIGN_OR_RETURN(operands.query, ReadPacked(op, kLinearQuery, "q_num_heads"));
  HWEST_ASSIGN_OR_RETURN(operands.key, ReadPacked(op, kLinearKey, "kv_num_heads"));
  HWEST_ASSIGN_OR_RETURN(operands.value, ReadPacked(op, kLinearValue, "kv_num_heads"));
  HWEST_RETURN_IF_ERROR(CheckHeadGroups(operands.query, operands.key));
  return operands;
}

// Outputs: output [B, T, query heads * value size], present_state [B, key heads, key size, value size].
absl::Status InferLinearAttention(InferContext& ctx) {
  HWEST_ASSIGN_OR_RETURN(const LinearOperands a, ReadLinear(ctx));
  HWEST_ASSIGN_OR_RETURN(Dim size, ctx.Unify(a.query.size, a.key.size));
  Dim batch = a.query.batch, length = a.query.length;
  for (const Heads* other : {&a.key, &a.value}) {
    HWEST_ASSIGN_OR_RETURN(batch, ctx.Unify(batch, other->batch));
    HWEST_ASSIGN_OR_RETURN(length, ctx.Unify(length, other->length));
  }
  Shape state(Shape::Dims{batch, a.key.heads, size, a.value.size});
  const Shape& past = ctx.in(kState).shape;
  for (int axis = 0; past.ranked() && axis < 4; ++axis) {
    HWEST_ASSIGN_OR_RETURN(const Dim dim, ctx.Unify(state.dim(axis), past.dim(axis)));
    state.set_dim(axis, dim);
  }
  const ElemType elem = ctx.in(kLinearQuery).elem;
  ctx.set_out(0, elem, Shape(Shape::Dims{batch, length, ctx.dims().Mul(a.query.heads, state.dim(3))}));
  ctx.set_out(1, ctx.has_input(kState) ? ctx.in(kState).elem : elem, std::move(state));
  return absl::OkStatus();
}

// A step updates the state [key size, value size] of every head by an outer product and reads it by the query; the
// delta rules read it by the key too, gates scale it.
absl::StatusOr<Work> WorkLinearAttention(const OpView& op) {
  HWEST_ASSIGN_OR_RETURN(const LinearOperands a, ReadLinear(op));
  const absl::string_view rule = op.attr("update_rule", "gated_delta");
  const bool gated = rule == "gated" || rule == "gated_delta", delta = rule == "delta" || rule == "gated_delta";
  if (!gated && !delta && rule != "linear") {
    return absl::InvalidArgumentError(absl::StrCat("LinearAttention has no update rule \"", rule, "\""));
  }
  DimPool& dims = op.dims();
  const Dim size = FirstKnown(a.query.size, a.key.size), length = a.query.length;
  const Dim batch = dims.Mul(a.query.batch, a.query.heads);
  const Dim macs = dims.Product({batch, length, size, a.value.size});
  const Contraction read{
      .kind = ContractionKind::kActivation, .batch = batch, .m = length, .n = a.value.size, .k = size};
  const Contraction update{
      .kind = ContractionKind::kActivation, .batch = batch, .m = size, .n = a.value.size, .k = length};
  Work work;
  AddContraction(dims, work, update, macs, Operands::kFloat);
  AddContraction(dims, work, read, macs, Operands::kFloat);
  if (delta) AddContraction(dims, work, read, macs, Operands::kFloat);
  if (gated) AddOps(dims, work, macs, {.mul = 1});
  return work;
}

enum RotaryInput { kRotated, kCosines, kSines, kPositions };

// X [batch, heads, length, size], or [batch, length, heads * size]; tables are rows to choose from by position_ids, or
// one row a position.
absl::Status InferRotary(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 3));
  HWEST_RETURN_IF_ERROR(ReadHeads(ctx, kRotated, "num_heads").status());
  const int rank = ctx.has_input(kPositions) ? 2 : 3;
  for (const int i : {kCosines, kSines}) HWEST_RETURN_IF_ERROR(RequireRank(ctx, i, rank, rank));
  HWEST_RETURN_IF_ERROR(
      ctx.Unify(DimOr(ctx.in(kCosines).shape, rank - 1), DimOr(ctx.in(kSines).shape, rank - 1)).status());
  return InferSameAsInput(ctx);
}

// Two products and a sum for each element turned; without rotary_embedding_dim all of them.
absl::StatusOr<Work> WorkRotary(const OpView& op) {
  HWEST_ASSIGN_OR_RETURN(const Heads x, ReadHeads(op, kRotated, "num_heads"));
  const int64_t part = op.attr("rotary_embedding_dim", int64_t{0});
  if (part < 0 || part > INT32_MAX) {
    return absl::InvalidArgumentError(absl::StrCat("RotaryEmbedding turns ", part, " elements"));
  }
  DimPool& dims = op.dims();
  const Dim turned = part > 0 ? Dim(part) : x.size;
  const Dim positions = dims.Mul(x.batch, x.length);
  Work work;
  AddOps(dims, work, dims.Product({positions, x.heads, turned}), {.add = 1, .mul = 2}, op.in(kRotated).elem);
  if (!op.has_input(kPositions)) return work;
  for (const int i : {kCosines, kSines}) SetRead(work, i, dims.Mul(positions, DimOr(op.in(i).shape, 1)));
  return work;
}

constexpr OpRule kStandardAttentionRules[] = {
    {.op = "Attention", .versions = "23 24 25", .infer = InferAttention, .work = WorkAttention},
    {.op = "LinearAttention", .versions = "27", .infer = InferLinearAttention, .work = WorkLinearAttention},
    {.op = "RotaryEmbedding", .versions = "23", .infer = InferRotary, .work = WorkRotary},
};

}  // namespace

absl::Span<const OpRule> StandardAttentionRules() { return kStandardAttentionRules; }

}  // namespace hwest
