// Fused attention: com.microsoft.GroupQueryAttention.
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "op/attention/attention_common.h"
#include "op/check.h"
#include "op/count.h"
#include "op/families.h"

namespace hwest {
namespace {

enum GroupQueryInput {
  kGqaQuery,
  kGqaKey,
  kGqaValue,
  kGqaPastKey,
  kGqaPastValue,
  kGqaSeqLens,
  kGqaTotalLength,
  kGqaCosCache,
  kGqaSinCache
};

struct GroupQuery {
  AttentionProduct product;
  int64_t heads = 0, key_heads = 0;
};

// Past and present keys share one buffer when the file declares the same length for both.
bool SharesBuffer(const OpView& op) {
  if (!op.has_input(kGqaPastKey) || !op.has_output(1)) return false;
  const Type* past = op.graph().declared(op.input(kGqaPastKey));
  const Type* present = op.graph().declared(op.output(1));
  if (past == nullptr || present == nullptr) return false;
  if (!past->shape.ranked() || !present->shape.ranked()) return false;
  if (past->shape.rank() != 4 || present->shape.rank() != 4) return false;
  return !past->shape.dim(2).is_unknown() && past->shape.dim(2) == present->shape.dim(2);
}

Dim KeyLength(const OpView& op, Dim query_length) {
  if (!op.has_input(kGqaPastKey)) return query_length;
  const Dim past = DimOr(op.in(kGqaPastKey).shape, 2);
  return SharesBuffer(op) ? past : op.dims().Add(past, query_length);
}

// Query is [B, S, heads * head_size]; with key and value packed behind it [B, S, (heads + 2 * kv heads) * head_size].
absl::StatusOr<GroupQuery> ReadGroupQuery(const OpView& op) {
  HWEST_RETURN_IF_ERROR(RequireInputs(op, 1));
  for (const int i : {kGqaQuery, kGqaKey, kGqaValue}) HWEST_RETURN_IF_ERROR(RequireRank(op, i, 3, 3));
  for (const int i : {kGqaPastKey, kGqaPastValue}) HWEST_RETURN_IF_ERROR(RequireRank(op, i, 4, 4));
  GroupQuery sizes;
  sizes.heads = op.attr("num_heads", int64_t{0});
  sizes.key_heads = op.attr("kv_num_heads", int64_t{0});
  if (sizes.heads < 1 || sizes.key_heads < 1 || sizes.heads % sizes.key_heads != 0 || sizes.heads > INT32_MAX) {
    return absl::InvalidArgumentError(
        absl::StrCat("num_heads has to be a multiple of kv_num_heads, found ", sizes.heads, " and ", sizes.key_heads));
  }
  const Shape& query = op.in(kGqaQuery).shape;
  const int64_t packed_heads = op.has_input(kGqaKey) ? sizes.heads : sizes.heads + 2 * sizes.key_heads;
  const Dim width = DimOr(query, 2);
  if (width.is_constant() && width.value() % packed_heads != 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("a query width of ", width.value(), " is no multiple of ", packed_heads, " heads"));
  }
  const Dim head_size = op.dims().ExactDiv(width, packed_heads);
  const Dim query_length = DimOr(query, 1);
  const Dim key_length = KeyLength(op, query_length);
  sizes.product = {.batch = DimOr(query, 0),
                   .heads = sizes.heads,
                   .query_length = query_length,
                   .key_length = key_length,
                   .head_size = head_size,
                   .value_head_size = head_size,
                   .past = op.dims().Sub(key_length, query_length)};
  return sizes;
}

// Outputs: output [B, S, heads * head_size], present_key and present_value [B, kv heads, total, head_size], output_qk.
absl::Status InferGroupQuery(InferContext& ctx) {
  HWEST_ASSIGN_OR_RETURN(const GroupQuery sizes, ReadGroupQuery(ctx));
  const AttentionProduct& p = sizes.product;
  DimPool& dims = ctx.dims();
  const ElemType elem = ctx.in(kGqaQuery).elem;
  ctx.set_out(0, elem, Shape(Shape::Dims{p.batch, p.query_length, dims.Mul(p.head_size, sizes.heads)}));
  // A 4-bit cache packs two values into a byte.
  const bool packed = ctx.attr("kv_cache_bit_width", int64_t{0}) == 4;
  for (const auto& [past, present] : {std::pair(kGqaPastKey, 1), std::pair(kGqaPastValue, 2)}) {
    const Shape& cache = ctx.in(past).shape;
    const Dim head = packed ? dims.CeilDiv(p.head_size, 2) : p.head_size;
    HWEST_ASSIGN_OR_RETURN(const Dim width, ctx.Unify(head, DimOr(cache, 3)));
    HWEST_RETURN_IF_ERROR(ctx.Unify(DimOr(cache, 1), sizes.key_heads).status());
    const ElemType cache_elem = ctx.has_input(past) ? ctx.in(past).elem : elem;
    ctx.set_out(present, cache_elem, Shape(Shape::Dims{p.batch, sizes.key_heads, p.key_length, width}));
  }
  ctx.set_out(3, elem, Shape(Shape::Dims{p.batch, sizes.heads, p.query_length, p.key_length}));
  return absl::OkStatus();
}

absl::StatusOr<Work> WorkGroupQuery(const OpView& op) {
  HWEST_ASSIGN_OR_RETURN(const GroupQuery sizes, ReadGroupQuery(op));
  const AttentionProduct& p = sizes.product;
  DimPool& dims = op.dims();
  Work work;
  // The operator is causal by default.
  const bool causal = op.attr("causal", int64_t{1}) != 0;
  AddAttention(dims, work, p, causal ? AttentionMask::kCausal : AttentionMask::kDense);
  if (op.attr("do_rotary", int64_t{0}) != 0) {
    const Dim positions = dims.Mul(p.batch, p.query_length);
    const Dim rotated = dims.Product({positions, sizes.heads + sizes.key_heads, p.head_size});
    AddOps(dims, work, rotated, {.add = 2, .mul = 4});
    for (const int i : {kGqaCosCache, kGqaSinCache}) {
      const Shape& cache = op.in(i).shape;
      if (cache.ranked() && cache.rank() == 2) SetRead(work, i, dims.Mul(positions, cache.dim(1)));
    }
  }
  return work;
}

// clang-format off
constexpr OpRule kContribGroupQueryRules[] = {
    {.domain = "com.microsoft", .op = "GroupQueryAttention", .versions = "1", .infer = InferGroupQuery,
     .work = WorkGroupQuery, .shape_inputs = 1u << kGqaTotalLength, .scales = Inputs({12, 13})},
};
// clang-format on

}  // namespace

absl::Span<const OpRule> ContribGroupQueryRules() { return kContribGroupQueryRules; }

}  // namespace hwest
