// Attention over packed tokens, paged caches and sparse patterns. Where lengths are data the counts are upper bounds.
#include <algorithm>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "op/attention/attention_common.h"
#include "op/check.h"
#include "op/families.h"
#include "op/runtime/contrib_common.h"

namespace hwest {
namespace {

// A token of a packed batch attends to at most `longest` keys, so T tokens make at most T * longest scores.
struct Packed {
  Dim tokens, longest, input_width, width, value_width;
  int64_t heads = 1;

  AttentionProduct Product(DimPool& dims) const {
    // clang-format off
    return {.batch = 1, .heads = heads, .query_length = tokens, .key_length = longest,
            .head_size = dims.ExactDiv(width, heads), .value_head_size = dims.ExactDiv(value_width, heads)};
    // clang-format on
  }
};

absl::Status CheckHeads(Dim width, int64_t heads) {
  if (!width.is_constant() || width.value() % heads == 0) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("a width of ", width.value(), " is no multiple of ", heads, " heads"));
}

// Inputs: input [T, Din], weights [Din, Dq + Dk + Dv], bias, token_offset [B, S], cumulative_sequence_length.
absl::StatusOr<Packed> ReadPackedAttention(const OpView& op) {
  HWEST_RETURN_IF_ERROR(RequireInputs(op, 5));
  for (const int i : {0, 1, 3}) HWEST_RETURN_IF_ERROR(RequireRank(op, i, 2, 2));
  HWEST_ASSIGN_OR_RETURN(const int64_t heads, PositiveAttr(op, "num_heads"));
  const Shape& weights = op.in(1).shape;
  Packed packed{.tokens = DimOr(op.in(0).shape, 0),
                .longest = DimOr(op.in(3).shape, 1),
                .input_width = DimOr(weights, 0),
                .heads = heads};
  const absl::Span<const int64_t> listed = op.ints("qkv_hidden_sizes");
  packed.width = listed.size() == 3 ? Dim(listed[0]) : op.dims().ExactDiv(DimOr(weights, 1), 3);
  packed.value_width = listed.size() == 3 ? Dim(listed[2]) : packed.width;
  HWEST_RETURN_IF_ERROR(CheckHeads(packed.width, heads));
  HWEST_RETURN_IF_ERROR(CheckHeads(packed.value_width, heads));
  return packed;
}

absl::Status InferPackedAttention(InferContext& ctx) {
  HWEST_ASSIGN_OR_RETURN(const Packed packed, ReadPackedAttention(ctx));
  HWEST_RETURN_IF_ERROR(UnifyAxis(ctx, ctx.in(0).shape, 1, packed.input_width));
  ctx.set_out(0, ctx.in(0).elem, Shape(Shape::Dims{packed.tokens, packed.value_width}));
  return absl::OkStatus();
}

absl::StatusOr<Work> WorkPackedAttention(const OpView& op) {
  HWEST_ASSIGN_OR_RETURN(const Packed packed, ReadPackedAttention(op));
  DimPool& dims = op.dims();
  const Dim width = dims.Sum({packed.width, packed.width, packed.value_width});
  Work work;
  AddProduct(dims, work, packed.tokens, width, packed.input_width);
  AddOps(dims, work, dims.Mul(packed.tokens, width), {.add = 1});
  AddAttention(dims, work, packed.Product(dims), AttentionMask::kDense);
  return work;
}

// Inputs: query [T, D], or [T, heads, 3, head] with key and value packed in, key?, value?, bias?, token_offset [B, S].
absl::StatusOr<Packed> ReadPackedMultiHead(const OpView& op) {
  HWEST_RETURN_IF_ERROR(RequireInputs(op, 1));
  HWEST_RETURN_IF_ERROR(RequireRank(op, 0, 2, 4));
  for (const int i : {1, 2, 4}) HWEST_RETURN_IF_ERROR(RequireRank(op, i, 2, 2));
  HWEST_ASSIGN_OR_RETURN(const int64_t heads, PositiveAttr(op, "num_heads"));
  const Shape& query = op.in(0).shape;
  Packed packed{.tokens = DimOr(query, 0), .longest = DimOr(op.in(4).shape, 1), .heads = heads};
  if (query.ranked() && query.rank() == 4) {
    packed.width = packed.value_width = op.dims().Mul(query.dim(3), heads);
  } else {
    packed.width = query.ranked() && query.rank() == 2 ? query.dim(1) : Dim::Unknown();
    packed.value_width = DimOr(op.in(2).shape, 1);
  }
  HWEST_RETURN_IF_ERROR(CheckHeads(packed.width, heads));
  HWEST_RETURN_IF_ERROR(CheckHeads(packed.value_width, heads));
  return packed;
}

absl::Status InferPackedMultiHead(InferContext& ctx) {
  HWEST_ASSIGN_OR_RETURN(const Packed packed, ReadPackedMultiHead(ctx));
  ctx.set_out(0, ctx.in(0).elem, Shape(Shape::Dims{packed.tokens, packed.value_width}));
  return absl::OkStatus();
}

absl::StatusOr<Work> WorkPackedMultiHead(const OpView& op) {
  HWEST_ASSIGN_OR_RETURN(const Packed packed, ReadPackedMultiHead(op));
  DimPool& dims = op.dims();
  Work work;
  if (op.has_input(3)) {
    const Dim width = dims.Sum({packed.width, packed.width, packed.value_width});
    AddOps(dims, work, dims.Mul(packed.tokens, width), {.add = 1});
  }
  AddAttention(dims, work, packed.Product(dims), AttentionMask::kDense);
  return work;
}

constexpr int kPagedKeyCache = 3, kPagedValueCache = 4, kBlockTable = 7, kPagedCosCache = 8, kPagedSinCache = 9;

// Inputs: query [T, heads * head] (or with key and value packed behind it), key?, value?, key_cache [blocks, block
// size, kv heads, head], value_cache?, cumulative_sequence_length, past_seqlens, block_table [B, blocks per sequence].
absl::StatusOr<Packed> ReadPaged(const OpView& op) {
  HWEST_RETURN_IF_ERROR(RequireInputs(op, 1));
  HWEST_RETURN_IF_ERROR(RequireRank(op, 0, 2, 2));
  for (const int i : {kPagedKeyCache, kPagedValueCache}) HWEST_RETURN_IF_ERROR(RequireRank(op, i, 4, 4));
  for (const int i : {kBlockTable, kPagedCosCache, kPagedSinCache}) HWEST_RETURN_IF_ERROR(RequireRank(op, i, 2, 2));
  HWEST_ASSIGN_OR_RETURN(const int64_t heads, PositiveAttr(op, "num_heads"));
  HWEST_ASSIGN_OR_RETURN(const int64_t key_heads, PositiveAttr(op, "kv_num_heads"));
  DimPool& dims = op.dims();
  const Shape& cache = op.in(kPagedKeyCache).shape;
  const bool latent = op.attr("kv_cache_layout", "SEPARATE") == "LATENT";
  const int64_t packed_heads = op.has_input(1) || latent ? heads : heads + 2 * key_heads;
  const Dim width = DimOr(op.in(0).shape, 1);
  HWEST_RETURN_IF_ERROR(CheckHeads(width, packed_heads));
  const Dim head_size = dims.ExactDiv(width, packed_heads);
  const int64_t value_head = op.attr("v_head_size", int64_t{0});
  return Packed{.tokens = DimOr(op.in(0).shape, 0),
                .longest = dims.Mul(DimOr(op.in(kBlockTable).shape, 1), DimOr(cache, 1)),
                .width = dims.Mul(head_size, heads),
                .value_width = dims.Mul(value_head > 0 ? Dim(value_head) : head_size, heads),
                .heads = heads};
}

// Outputs: output [T, heads * value head], and both caches under new names.
absl::Status InferPaged(InferContext& ctx) {
  HWEST_ASSIGN_OR_RETURN(const Packed packed, ReadPaged(ctx));
  ctx.set_out(0, ctx.in(0).elem, Shape(Shape::Dims{packed.tokens, packed.value_width}));
  for (const int i : {kPagedKeyCache, kPagedValueCache}) {
    if (ctx.has_input(i)) ctx.set_out(i - kPagedKeyCache + 1, ctx.in(i));
  }
  return absl::OkStatus();
}

absl::StatusOr<Work> WorkPaged(const OpView& op) {
  HWEST_ASSIGN_OR_RETURN(const Packed packed, ReadPaged(op));
  DimPool& dims = op.dims();
  Work work;
  AddAttention(dims, work, packed.Product(dims), AttentionMask::kDense);
  if (op.attr("do_rotary", int64_t{0}) != 0) {
    const Dim rotary = dims.Mul(DimOr(op.in(kPagedCosCache).shape, 1), 2);
    const int64_t heads = packed.heads + op.attr("kv_num_heads", int64_t{0});
    AddRotation(dims, work, dims.Product({packed.tokens, heads, rotary}));
    for (const int i : {kPagedCosCache, kPagedSinCache}) {
      SetRead(work, i, dims.Mul(packed.tokens, DimOr(op.in(i).shape, 1)));
    }
  }
  return work;
}

enum SparseInput { kSparsePastKey = 3, kSparsePastValue, kBlockRows, kBlockColumns, kSparseTotalLength, kKeyLengths };

struct Sparse {
  AttentionProduct product;
  int64_t key_heads = 1;
};

// Of block_rows^2 blocks at most nnz are computed, so a query meets key_length * nnz / block_rows^2 keys on average.
Dim SparseKeys(const OpView& op, Dim key_length) {
  DimPool& dims = op.dims();
  const Dim block_rows = dims.Sub(DimOr(op.in(kBlockRows).shape, 1), 1);
  if (block_rows.is_constant() && block_rows.value() < 1) return Dim::Unknown();
  const Dim blocks = DimOr(op.in(kBlockColumns).shape, 1);
  return dims.Min(key_length, dims.CeilDiv(dims.Mul(key_length, blocks), dims.Mul(block_rows, block_rows)));
}

absl::StatusOr<Sparse> ReadSparse(const OpView& op) {
  HWEST_RETURN_IF_ERROR(RequireInputs(op, 1));
  for (const int i : {0, 1, 2}) HWEST_RETURN_IF_ERROR(RequireRank(op, i, 3, 3));
  for (const int i : {kSparsePastKey, kSparsePastValue}) HWEST_RETURN_IF_ERROR(RequireRank(op, i, 4, 4));
  for (const int i : {kBlockRows, kBlockColumns}) HWEST_RETURN_IF_ERROR(RequireRank(op, i, 2, 2));
  HWEST_ASSIGN_OR_RETURN(const int64_t heads, PositiveAttr(op, "num_heads"));
  HWEST_ASSIGN_OR_RETURN(const int64_t key_heads, PositiveAttr(op, "kv_num_heads"));
  const Shape& query = op.in(0).shape;
  const int64_t packed_heads = op.has_input(1) ? heads : heads + 2 * key_heads;
  HWEST_RETURN_IF_ERROR(CheckHeads(DimOr(query, 2), packed_heads));
  const Dim head_size = op.dims().ExactDiv(DimOr(query, 2), packed_heads);
  const Dim total = KnownSize(op, kSparseTotalLength);
  const Dim length = total.is_unknown() ? DimOr(op.in(kSparsePastKey).shape, 2) : total;
  Sparse sparse{.key_heads = key_heads};
  // clang-format off
  sparse.product = {.batch = DimOr(query, 0), .heads = heads, .query_length = DimOr(query, 1),
                    .key_length = SparseKeys(op, length), .head_size = head_size, .value_head_size = head_size};
  // clang-format on
  return sparse;
}

// Outputs: output [B, S, heads * head], and both caches updated in place.
absl::Status InferSparse(InferContext& ctx) {
  HWEST_ASSIGN_OR_RETURN(const Sparse sparse, ReadSparse(ctx));
  const AttentionProduct& p = sparse.product;
  ctx.set_out(0, ctx.in(0).elem, Shape(Shape::Dims{p.batch, p.query_length, ctx.dims().Mul(p.head_size, p.heads)}));
  for (const int i : {kSparsePastKey, kSparsePastValue}) {
    if (ctx.has_input(i)) ctx.set_out(i - kSparsePastKey + 1, ctx.in(i));
  }
  return absl::OkStatus();
}

absl::StatusOr<Work> WorkSparse(const OpView& op) {
  HWEST_ASSIGN_OR_RETURN(const Sparse sparse, ReadSparse(op));
  const AttentionProduct& p = sparse.product;
  DimPool& dims = op.dims();
  Work work;
  AddAttention(dims, work, p, AttentionMask::kDense);
  if (op.attr("do_rotary", int64_t{0}) != 0) {
    const Dim heads = dims.Add(p.heads, sparse.key_heads);
    AddRotation(dims, work, dims.Product({p.batch, p.query_length, heads, p.head_size}));
  }
  return work;
}

// Where the two Longformer operators keep their weights and global flags.
struct LongformerArgs {
  int weight, bias, global;
};

LongformerArgs LongformerArgsOf(const OpView& op) {
  if (op.op() == "QOrderedLongformerAttention") return {.weight = 2, .bias = 4, .global = 12};
  return {.weight = 1, .bias = 2, .global = 6};
}

// Tokens of the sequence with the most global ones: counted when the flags are known, at most all of them.
Dim GlobalTokens(const OpView& op, int input, Dim length) {
  const auto flags = op.known_ints(input);
  const Shape& shape = op.in(input).shape;
  if (!flags.has_value() || !shape.constant() || shape.rank() != 2) return length;
  if (flags->empty()) return 0;
  std::vector<int64_t> counts(static_cast<size_t>(shape.dim(0).value()), 0);
  for (size_t i = 0; i < flags->size(); ++i) {
    counts[i / static_cast<size_t>(shape.dim(1).value())] += (*flags)[i] != 0 ? 1 : 0;
  }
  return *std::max_element(counts.begin(), counts.end());
}

absl::Status InferLongformer(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 3));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 3, 3));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, LongformerArgsOf(ctx).weight, 2, 2));
  const Shape& x = ctx.in(0).shape;
  HWEST_RETURN_IF_ERROR(UnifyAxis(ctx, ctx.in(LongformerArgsOf(ctx).weight).shape, 0, DimOr(x, 2)));
  ctx.set_out(0, ctx.in(0).elem, x.ranked() ? x : Shape::UnknownDims(3));
  return absl::OkStatus();
}

// Every token attends to `window` tokens on each side, itself and the global ones, at most to all.
absl::StatusOr<Work> WorkLongformer(const OpView& op) {
  HWEST_ASSIGN_OR_RETURN(const int64_t heads, PositiveAttr(op, "num_heads"));
  HWEST_ASSIGN_OR_RETURN(const int64_t window, PositiveAttr(op, "window"));
  const LongformerArgs args = LongformerArgsOf(op);
  DimPool& dims = op.dims();
  const Shape& x = op.in(0).shape;
  HWEST_RETURN_IF_ERROR(CheckHeads(DimOr(x, 2), heads));
  const Dim length = DimOr(x, 1), width = DimOr(x, 2);
  const Dim rows = dims.Mul(DimOr(x, 0), length);
  const Operands operands = IsIntegerProduct(op, 0, args.weight) ? Operands::kInteger : Operands::kFloat;
  Work work;
  AddProduct(dims, work, rows, dims.Mul(width, 3), width, operands);
  if (op.has_input(args.bias)) AddOps(dims, work, dims.Mul(rows, dims.Mul(width, 3)), {.add = 1});
  const Dim keys = dims.Min(length, dims.Add(2 * window + 1, GlobalTokens(op, args.global, length)));
  const Dim head_size = dims.ExactDiv(width, heads);
  // clang-format off
  AddAttention(dims, work,
               {.batch = DimOr(x, 0), .heads = heads, .query_length = length, .key_length = keys,
                .head_size = head_size, .value_head_size = head_size},
               AttentionMask::kDense, operands);
  // clang-format on
  return work;
}

// clang-format off
constexpr OpRule kContribPackedRules[] = {
    {.domain = kMicrosoft, .op = "LongformerAttention", .versions = "1", .infer = InferLongformer,
     .work = WorkLongformer, .parameters = Inputs({1, 2, 4, 5})},
    {.domain = kMicrosoft, .op = "PackedAttention", .versions = "1", .infer = InferPackedAttention,
     .work = WorkPackedAttention, .parameters = Inputs({1, 2})},
    {.domain = kMicrosoft, .op = "PackedMultiHeadAttention", .versions = "1", .infer = InferPackedMultiHead,
     .work = WorkPackedMultiHead},
    {.domain = kMicrosoft, .op = "PagedAttention", .versions = "1", .infer = InferPaged, .work = WorkPaged,
     .scales = Inputs({14, 15})},
    {.domain = kMicrosoft, .op = "QOrderedLongformerAttention", .versions = "1", .infer = InferLongformer,
     .work = WorkLongformer, .scales = Inputs({1, 3, 5, 6, 9, 11, 13}), .weights = Inputs({2, 8})},
    {.domain = kMicrosoft, .op = "SparseAttention", .versions = "1", .infer = InferSparse, .work = WorkSparse,
     .shape_inputs = 1u << kSparseTotalLength},
};
// clang-format on

}  // namespace

absl::Span<const OpRule> ContribPackedRules() { return kContribPackedRules; }

}  // namespace hwest
