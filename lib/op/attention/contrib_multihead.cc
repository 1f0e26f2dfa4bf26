// ONNX Runtime's attention on projected operands: MultiHeadAttention and DecoderMaskedMultiHeadAttention.
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "op/attention/attention_common.h"
#include "op/check.h"
#include "op/families.h"
#include "op/runtime/contrib_common.h"

namespace hwest {
namespace {

constexpr int kMhaQuery = 0, kMhaKey = 1, kMhaValue = 2;

// Where the two operators keep the rest.
struct MultiHeadArgs {
  int bias, past_key, past_length;
};
constexpr MultiHeadArgs kMultiHead = {.bias = 3, .past_key = 6, .past_length = 8};
constexpr MultiHeadArgs kMasked = {.bias = 10, .past_key = 5, .past_length = 7};

MultiHeadArgs MultiHeadArgsOf(const OpView& op) { return op.op() == "MultiHeadAttention" ? kMultiHead : kMasked; }

struct MultiHead {
  AttentionProduct product;
  Dim new_length;    // keys of this call
  Dim cache_length;  // of present_key and present_value
};

absl::Status CheckOperands(const OpView& op, const MultiHeadArgs& args) {
  HWEST_RETURN_IF_ERROR(RequireInputs(op, 1));
  for (const int i : {kMhaQuery, kMhaKey, kMhaValue}) HWEST_RETURN_IF_ERROR(RequireRank(op, i, 3, 5));
  for (const int i : {args.past_key, args.past_key + 1}) HWEST_RETURN_IF_ERROR(RequireRank(op, i, 4, 4));
  return RequireRank(op, args.bias, 1, 1);
}

absl::StatusOr<Dim> SplitHeads(const OpView& op, Dim width, int64_t heads) {
  if (width.is_constant() && width.value() % heads != 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("a width of ", width.value(), " is no multiple of ", heads, " heads"));
  }
  return op.dims().ExactDiv(width, heads);
}

// Query [B, S, heads * head], or [B, S, heads, 3, head] and [B, S, 3 * heads * head] with key and value packed in.
absl::Status ReadQuery(const OpView& op, int64_t heads, MultiHead& multi) {
  AttentionProduct& p = multi.product;
  const Shape& query = op.in(kMhaQuery).shape;
  p.batch = DimOr(query, 0);
  p.query_length = DimOr(query, 1);
  if (!query.ranked() || query.rank() == 4) return absl::OkStatus();
  if (query.rank() == 5) {
    p.head_size = query.dim(4);
  } else {
    HWEST_ASSIGN_OR_RETURN(p.head_size, SplitHeads(op, query.dim(2), op.has_input(kMhaKey) ? heads : 3 * heads));
  }
  if (!op.has_input(kMhaKey)) {
    p.value_head_size = p.head_size;
    multi.new_length = p.query_length;
  }
  return absl::OkStatus();
}

// Key and value [B, L, heads * head], packed together [B, L, heads, 2, head], or heads first [B, heads, L, head].
absl::Status ReadKeyValue(const OpView& op, int64_t heads, MultiHead& multi) {
  AttentionProduct& p = multi.product;
  const Shape& key = op.in(kMhaKey).shape;
  const Shape& value = op.in(kMhaValue).shape;
  if (key.ranked()) multi.new_length = key.dim(key.rank() == 4 ? 2 : 1);
  if (key.ranked() && key.rank() == 5) p.value_head_size = key.dim(4);
  if (key.ranked() && key.rank() != 3 && p.head_size.is_unknown()) p.head_size = key.dim(key.rank() - 1);
  if (!value.ranked()) return absl::OkStatus();
  if (value.rank() == 3) {
    HWEST_ASSIGN_OR_RETURN(p.value_head_size, SplitHeads(op, value.dim(2), heads));
  } else if (value.rank() == 4) {
    p.value_head_size = value.dim(3);
  }
  return absl::OkStatus();
}

// One buffer for past and present when past_sequence_length says how much of it is in use.
void ReadCache(const OpView& op, const MultiHeadArgs& args, MultiHead& multi) {
  DimPool& dims = op.dims();
  AttentionProduct& p = multi.product;
  p.key_length = multi.cache_length = multi.new_length;
  if (!op.has_input(args.past_key)) return;
  const Dim past = DimOr(op.in(args.past_key).shape, 2);
  if (op.has_input(args.past_length) || op.attr("past_present_share_buffer", int64_t{0}) != 0) {
    const Dim used = KnownSize(op, args.past_length);
    p.key_length = used.is_unknown() ? past : dims.Add(used, multi.new_length);
    p.past = dims.Sub(p.key_length, p.query_length);
    multi.cache_length = past;
  } else {
    p.past = past;
    p.key_length = multi.cache_length = dims.Add(past, multi.new_length);
  }
}

absl::StatusOr<MultiHead> ReadMultiHead(const OpView& op) {
  const MultiHeadArgs args = MultiHeadArgsOf(op);
  HWEST_RETURN_IF_ERROR(CheckOperands(op, args));
  HWEST_ASSIGN_OR_RETURN(const int64_t heads, PositiveAttr(op, "num_heads"));
  MultiHead multi{.product = {.heads = heads}};
  HWEST_RETURN_IF_ERROR(ReadQuery(op, heads, multi));
  HWEST_RETURN_IF_ERROR(ReadKeyValue(op, heads, multi));
  ReadCache(op, args, multi);
  return multi;
}

// Outputs: output [B, S, heads * value head], present_key and present_value [B, heads, total, head], scores.
absl::Status InferMultiHead(InferContext& ctx) {
  HWEST_ASSIGN_OR_RETURN(const MultiHead multi, ReadMultiHead(ctx));
  const AttentionProduct& p = multi.product;
  const ElemType elem = ctx.in(kMhaQuery).elem;
  const Dim width = ctx.dims().Mul(p.value_head_size, p.heads);
  ctx.set_out(0, elem, Shape(Shape::Dims{p.batch, p.query_length, width}));
  ctx.set_out(1, elem, Shape(Shape::Dims{p.batch, p.heads, multi.cache_length, p.head_size}));
  ctx.set_out(2, elem, Shape(Shape::Dims{p.batch, p.heads, multi.cache_length, p.value_head_size}));
  ctx.set_out(3, elem, Shape(Shape::Dims{p.batch, p.heads, p.query_length, p.key_length}));
  return absl::OkStatus();
}

// Attention; the bias of the projections is added to query, and to key and value where these are new.
absl::StatusOr<Work> WorkMultiHead(const OpView& op) {
  HWEST_ASSIGN_OR_RETURN(const MultiHead multi, ReadMultiHead(op));
  const AttentionProduct& p = multi.product;
  DimPool& dims = op.dims();
  Work work;
  if (op.has_input(MultiHeadArgsOf(op).bias)) {
    const Shape& key = op.in(kMhaKey).shape;
    const bool cached = key.ranked() && key.rank() == 4;
    const Dim query = dims.Mul(p.query_length, p.head_size);
    const Dim fresh = dims.Mul(multi.new_length, dims.Add(p.head_size, p.value_head_size));
    AddOps(dims, work, dims.Product({p.batch, p.heads, cached ? query : dims.Add(query, fresh)}), {.add = 1});
  }
  const bool causal = op.attr("unidirectional", int64_t{0}) != 0;
  AddAttention(dims, work, p, causal ? AttentionMask::kCausal : AttentionMask::kDense);
  return work;
}

// clang-format off
constexpr OpRule kContribMultiHeadRules[] = {
    {.domain = kMicrosoft, .op = "DecoderMaskedMultiHeadAttention", .versions = "1", .infer = InferMultiHead,
     .work = WorkMultiHead, .shape_inputs = Inputs({7})},
    {.domain = kMicrosoft, .op = "MultiHeadAttention", .versions = "1", .infer = InferMultiHead, .work = WorkMultiHead,
     .shape_inputs = Inputs({8}), .parameters = Inputs({3})},
};
// clang-format on

}  // namespace

absl::Span<const OpRule> ContribMultiHeadRules() { return kContribMultiHeadRules; }

}  // namespace hwest
