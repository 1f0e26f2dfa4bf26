// Fused attention: com.microsoft.GroupQueryAttention.
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "op/check.h"
#include "op/count.h"
#include "op/families.h"

namespace hwest {
namespace {

enum GroupQueryInput { kQuery, kKey, kValue, kPastKey, kPastValue, kSeqLens, kTotalLength, kCosCache, kSinCache };

// Sizes of one attention node; every dim may be unknown.
struct AttentionSizes {
  Dim batch, query_length, key_length, head_size;
  int64_t heads = 0, key_heads = 0;
};

// Past and present keys share one buffer when the file declares the same length for both.
bool SharesBuffer(const OpView& op) {
  if (!op.has_input(kPastKey) || !op.has_output(1)) return false;
  const Type* past = op.graph().declared(op.input(kPastKey));
  const Type* present = op.graph().declared(op.output(1));
  if (past == nullptr || present == nullptr) return false;
  if (!past->shape.ranked() || !present->shape.ranked()) return false;
  if (past->shape.rank() != 4 || present->shape.rank() != 4) return false;
  return !past->shape.dim(2).is_unknown() && past->shape.dim(2) == present->shape.dim(2);
}

Dim KeyLength(const OpView& op, Dim query_length) {
  if (!op.has_input(kPastKey)) return query_length;
  const Dim past = DimOr(op.in(kPastKey).shape, 2);
  return SharesBuffer(op) ? past : op.dims().Add(past, query_length);
}

// Query is [B, S, heads * head_size]; with key and value packed behind it [B, S, (heads + 2 * kv heads) * head_size].
absl::StatusOr<AttentionSizes> ReadGroupQuery(const OpView& op) {
  HWEST_RETURN_IF_ERROR(RequireInputs(op, 1));
  for (const int i : {kQuery, kKey, kValue}) HWEST_RETURN_IF_ERROR(RequireRank(op, i, 3, 3));
  for (const int i : {kPastKey, kPastValue}) HWEST_RETURN_IF_ERROR(RequireRank(op, i, 4, 4));
  AttentionSizes sizes;
  sizes.heads = op.attr("num_heads", int64_t{0});
  sizes.key_heads = op.attr("kv_num_heads", int64_t{0});
  if (sizes.heads < 1 || sizes.key_heads < 1 || sizes.heads % sizes.key_heads != 0 || sizes.heads > INT32_MAX) {
    return absl::InvalidArgumentError(absl::StrCat(
        "num_heads has to be a multiple of kv_num_heads, found ", sizes.heads, " and ", sizes.key_heads));
  }
  const Shape& query = op.in(kQuery).shape;
  const int64_t packed_heads = op.has_input(kKey) ? sizes.heads : sizes.heads + 2 * sizes.key_heads;
  const Dim width = DimOr(query, 2);
  if (width.is_constant() && width.value() % packed_heads != 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("a query width of ", width.value(), " is no multiple of ", packed_heads, " heads"));
  }
  sizes.batch = DimOr(query, 0);
  sizes.query_length = DimOr(query, 1);
  sizes.head_size = op.dims().ExactDiv(width, packed_heads);
  sizes.key_length = KeyLength(op, sizes.query_length);
  return sizes;
}

// Outputs: output [B, S, heads * head_size], present_key and present_value [B, kv heads, total, head_size], output_qk.
absl::Status InferGroupQuery(InferContext& ctx) {
  HWEST_ASSIGN_OR_RETURN(const AttentionSizes sizes, ReadGroupQuery(ctx));
  DimPool& dims = ctx.dims();
  const ElemType elem = ctx.in(kQuery).elem;
  ctx.set_out(0, elem,
              Shape(Shape::Dims{sizes.batch, sizes.query_length, dims.Mul(sizes.head_size, sizes.heads)}));
  // A 4-bit cache packs two values into a byte.
  const bool packed = ctx.attr("kv_cache_bit_width", int64_t{0}) == 4;
  for (const auto& [past, present] : {std::pair(kPastKey, 1), std::pair(kPastValue, 2)}) {
    const Shape& cache = ctx.in(past).shape;
    const Dim head = packed ? dims.CeilDiv(sizes.head_size, 2) : sizes.head_size;
    HWEST_ASSIGN_OR_RETURN(const Dim width, ctx.Unify(head, DimOr(cache, 3)));
    HWEST_RETURN_IF_ERROR(ctx.Unify(DimOr(cache, 1), sizes.key_heads).status());
    const ElemType cache_elem = ctx.has_input(past) ? ctx.in(past).elem : elem;
    ctx.set_out(present, cache_elem, Shape(Shape::Dims{sizes.batch, sizes.key_heads, sizes.key_length, width}));
  }
  ctx.set_out(3, elem, Shape(Shape::Dims{sizes.batch, sizes.heads, sizes.query_length, sizes.key_length}));
  return absl::OkStatus();
}

// Adds softmax(Q K^T) V: dense, each of the two products B * heads * Sq * Skv * head_size.
void AddAttention(DimPool& dims, const AttentionSizes& sizes, Work& work) {
  const Dim batch = dims.Mul(sizes.batch, sizes.heads);
  const Dim scores = dims.Product({batch, sizes.query_length, sizes.key_length});
  const Dim macs = dims.Mul(scores, sizes.head_size);
  Contraction product{.kind = ContractionKind::kActivation,
                      .batch = batch,
                      .m = sizes.query_length,
                      .n = sizes.key_length,
                      .k = sizes.head_size,
                      .kernel_elements = 1};
  AddContraction(dims, work, product, macs, Operands::kFloat);
  std::swap(product.n, product.k);
  AddContraction(dims, work, product, macs, Operands::kFloat);
  AddOps(dims, work, scores, {.add = 2, .mul = 1, .compare = 1, .transcendental = 1});
}

// Multiply-accumulates when query i attends to the keys up to its own position only:
// 2 * B * heads * head_size * (Sq * (Skv - Sq) + Sq * (Sq + 1) / 2).
Dim CausalMacs(DimPool& dims, const AttentionSizes& sizes) {
  const Dim q = sizes.query_length;
  const Dim before = dims.Mul(2, dims.Mul(q, dims.Sub(sizes.key_length, q)));
  const Dim pairs_twice = dims.Add(before, dims.Mul(q, dims.Add(q, 1)));
  return dims.Product({sizes.batch, sizes.heads, sizes.head_size, pairs_twice});
}

absl::StatusOr<Work> WorkGroupQuery(const OpView& op) {
  HWEST_ASSIGN_OR_RETURN(const AttentionSizes sizes, ReadGroupQuery(op));
  DimPool& dims = op.dims();
  Work work;
  AddAttention(dims, sizes, work);
  // The operator is causal unless told otherwise.
  if (op.attr("causal", int64_t{1}) != 0) work.causal_macs = CausalMacs(dims, sizes);
  if (op.attr("do_rotary", int64_t{0}) != 0) {
    const Dim positions = dims.Mul(sizes.batch, sizes.query_length);
    const Dim rotated = dims.Product({positions, sizes.heads + sizes.key_heads, sizes.head_size});
    AddOps(dims, work, rotated, {.add = 2, .mul = 4});
    for (const int i : {kCosCache, kSinCache}) {
      const Shape& cache = op.in(i).shape;
      if (cache.ranked() && cache.rank() == 2) SetRead(work, i, dims.Mul(positions, cache.dim(1)));
    }
  }
  return work;
}

constexpr OpRule kRules[] = {
    {.domain = "com.microsoft", .op = "GroupQueryAttention", .versions = "1", .infer = InferGroupQuery,
     .known = nullptr, .work = WorkGroupQuery, .op_class = OpClass::kCompute, .shape_inputs = 1u << kTotalLength},
};

}  // namespace

absl::Span<const OpRule> AttentionRules() { return kRules; }

}  // namespace hwest
