// ONNX Runtime's attention with the projections inside: Attention and its quantised and decoding forms.
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "op/attention/attention_common.h"
#include "op/check.h"
#include "op/families.h"
#include "op/runtime/contrib_common.h"

namespace hwest {
namespace {

// Where an operator keeps its operands; -1 = nowhere. `weight` is [Din, Dq + Dk + Dv], or three inputs in a row.
struct AttentionArgs {
  int weight = 1;
  int weights = 1;
  int bias = 2;
  int past = 4;
  int past_length = 6;
  int out_type = 0;  // input that has the element type of output and cache
};

constexpr AttentionArgs kAttention;
constexpr AttentionArgs kMaskedSelfAttention;
constexpr AttentionArgs kQAttention = {.past = 8, .past_length = -1, .out_type = 3};
constexpr AttentionArgs kQOrderedAttention = {.weight = 5, .weights = 3, .bias = 11, .past = 18, .past_length = -1};

AttentionArgs AttentionArgsOf(const OpView& op) {
  if (op.op() == "QAttention") return kQAttention;
  if (op.op() == "QOrderedAttention") return kQOrderedAttention;
  return op.op() == "DecoderMaskedSelfAttention" ? kMaskedSelfAttention : kAttention;
}

// Widths of the projected query, key and value.
struct Widths {
  Dim q, k, v;
};

struct SelfAttention {
  AttentionProduct product;
  Dim input_width;
  Widths widths;
  Dim cache_length;  // of `present`
};

absl::StatusOr<Widths> ReadWidths(const OpView& op, const AttentionArgs& args) {
  const absl::Span<const int64_t> listed = op.ints("qkv_hidden_sizes");
  if (!listed.empty()) {
    if (listed.size() != 3 || listed[0] < 1 || listed[1] != listed[0] || listed[2] < 1) {
      return absl::InvalidArgumentError("qkv_hidden_sizes has to list three widths, the first two of them equal");
    }
    return Widths{listed[0], listed[1], listed[2]};
  }
  if (args.weights == 3) {
    const auto width = [&](int i) { return DimOr(op.in(args.weight + i).shape, 1); };
    return Widths{width(0), width(1), width(2)};
  }
  const Dim packed = DimOr(op.in(args.weight).shape, 1).is_unknown() ? DimOr(op.in(args.bias).shape, 0)
                                                                     : DimOr(op.in(args.weight).shape, 1);
  if (packed.is_constant() && packed.value() % 3 != 0) {
    return absl::InvalidArgumentError(absl::StrCat("a packed width of ", packed.value(), " is no multiple of 3"));
  }
  const Dim each = op.dims().ExactDiv(packed, 3);
  return Widths{each, each, each};
}

absl::StatusOr<Dim> HeadSize(const OpView& op, Dim width, int64_t heads) {
  if (width.is_constant() && width.value() % heads != 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("a width of ", width.value(), " is no multiple of ", heads, " heads"));
  }
  return op.dims().ExactDiv(width, heads);
}

absl::Status CheckOperands(const OpView& op, const AttentionArgs& args) {
  HWEST_RETURN_IF_ERROR(RequireInputs(op, 1));
  HWEST_RETURN_IF_ERROR(RequireRank(op, 0, 3, 3));
  for (int i = args.weight; i < args.weight + args.weights; ++i) {
    if (!op.has_input(i)) return absl::InvalidArgumentError(absl::StrCat(op.op(), ": input ", i, " is absent"));
    HWEST_RETURN_IF_ERROR(RequireRank(op, i, 2, 2));
  }
  HWEST_RETURN_IF_ERROR(RequireRank(op, args.bias, 1, 1));
  return RequireRank(op, args.past, 5, 5);
}

// Past and present share one buffer: its length is a capacity, what is in use is past_sequence_length + S.
void ReadCache(const OpView& op, const AttentionArgs& args, SelfAttention& self) {
  DimPool& dims = op.dims();
  const Dim length = self.product.query_length;
  self.product.key_length = self.cache_length = length;
  if (!op.has_input(args.past)) return;
  const Dim past = DimOr(op.in(args.past).shape, 3);
  if (op.attr("past_present_share_buffer", int64_t{0}) == 0) {
    self.product.past = past;
    self.product.key_length = self.cache_length = dims.Add(past, length);
    return;
  }
  self.cache_length = past;
  const Dim used = KnownSize(op, args.past_length);
  self.product.key_length = used.is_unknown() ? past : dims.Add(used, length);
  self.product.past = dims.Sub(self.product.key_length, length);
}

absl::StatusOr<SelfAttention> ReadSelfAttention(const OpView& op) {
  const AttentionArgs args = AttentionArgsOf(op);
  HWEST_RETURN_IF_ERROR(CheckOperands(op, args));
  HWEST_ASSIGN_OR_RETURN(const int64_t heads, PositiveAttr(op, "num_heads"));
  SelfAttention self;
  HWEST_ASSIGN_OR_RETURN(self.widths, ReadWidths(op, args));
  const Shape& x = op.in(0).shape;
  self.input_width = DimOr(x, 2).is_unknown() ? DimOr(op.in(args.weight).shape, 0) : DimOr(x, 2);
  self.product.batch = DimOr(x, 0);
  self.product.heads = heads;
  self.product.query_length = DimOr(x, 1);
  HWEST_ASSIGN_OR_RETURN(self.product.head_size, HeadSize(op, self.widths.q, heads));
  HWEST_ASSIGN_OR_RETURN(self.product.value_head_size, HeadSize(op, self.widths.v, heads));
  ReadCache(op, args, self);
  return self;
}

// Outputs: output [B, S, Dv], present [2, B, heads, total length, head size].
absl::Status InferSelfAttention(InferContext& ctx) {
  HWEST_ASSIGN_OR_RETURN(const SelfAttention self, ReadSelfAttention(ctx));
  const AttentionArgs args = AttentionArgsOf(ctx);
  const AttentionProduct& p = self.product;
  HWEST_RETURN_IF_ERROR(UnifyAxis(ctx, ctx.in(args.weight).shape, 0, DimOr(ctx.in(0).shape, 2)));
  const ElemType elem = ctx.in(args.out_type).elem;
  ctx.set_out(0, elem, Shape(Shape::Dims{p.batch, p.query_length, self.widths.v}));
  ctx.set_out(1, elem, Shape(Shape::Dims{2, p.batch, p.heads, self.cache_length, p.head_size}));
  return absl::OkStatus();
}

// The three projections, attention, and a rotation of query and key on request.
absl::StatusOr<Work> WorkSelfAttention(const OpView& op) {
  HWEST_ASSIGN_OR_RETURN(const SelfAttention self, ReadSelfAttention(op));
  const AttentionArgs args = AttentionArgsOf(op);
  DimPool& dims = op.dims();
  const Dim rows = dims.Mul(self.product.batch, self.product.query_length);
  const Dim width = dims.Sum({self.widths.q, self.widths.k, self.widths.v});
  const bool integer = IsIntegerProduct(op, 0, args.weight);
  Work work;
  AddProduct(dims, work, rows, width, self.input_width, integer ? Operands::kInteger : Operands::kFloat);
  if (op.has_input(args.bias)) AddOps(dims, work, dims.Mul(rows, width), {.add = 1});
  const bool causal = op.attr("unidirectional", int64_t{0}) != 0;
  // Only cublasLt's ordered form keeps scores and values in 8 bits.
  const bool quantised = op.op() == "QOrderedAttention";
  AddAttention(dims, work, self.product, causal ? AttentionMask::kCausal : AttentionMask::kDense,
               quantised ? Operands::kInteger : Operands::kFloat);
  if (op.attr("do_rotary", int64_t{0}) != 0) {
    AddRotation(dims, work, dims.Mul(rows, dims.Add(self.widths.q, self.widths.k)));
  }
  return work;
}

enum DecoderInput {
  kDecoderQuery,
  kDecoderKey,
  kQueryWeight,
  kKeyValueWeight,
  kBias,
  kKeyPaddingMask,
  kDecoderKeyCache,
  kDecoderValueCache,
  kStaticKv,
  kUsePast,
  kHasLayerState
};

// Which lengths a DecoderAttention works on follows from three flags that are inputs; unknown ones leave them unknown.
struct DecoderSizes {
  AttentionProduct product;
  Dim width;
  Dim projected;  // rows that keys and values are computed for, per batch
};

absl::StatusOr<DecoderSizes> ReadDecoder(const OpView& op) {
  HWEST_RETURN_IF_ERROR(RequireInputs(op, 5));
  for (const int i : {kDecoderQuery, kDecoderKey}) HWEST_RETURN_IF_ERROR(RequireRank(op, i, 3, 3));
  for (const int i : {kDecoderKeyCache, kDecoderValueCache}) HWEST_RETURN_IF_ERROR(RequireRank(op, i, 4, 4));
  HWEST_ASSIGN_OR_RETURN(const int64_t heads, PositiveAttr(op, "num_heads"));
  DimPool& dims = op.dims();
  const Shape& query = op.in(kDecoderQuery).shape;
  DecoderSizes sizes{.width = DimOr(query, 2)};
  HWEST_ASSIGN_OR_RETURN(const Dim head_size, HeadSize(op, sizes.width, heads));
  const Dim length = DimOr(query, 0);
  // clang-format off
  sizes.product = {.batch = DimOr(query, 1), .heads = heads, .query_length = length, .head_size = head_size,
                   .value_head_size = head_size};
  // clang-format on
  const Dim is_static = KnownSize(op, kStaticKv), use_past = KnownSize(op, kUsePast);
  const Dim has_state = KnownSize(op, kHasLayerState);
  if (!is_static.is_constant() || !use_past.is_constant() || !has_state.is_constant()) return sizes;
  const bool cross = is_static.value() != 0;
  const bool cached = use_past.value() != 0 && has_state.value() != 0;
  const Dim own = cross ? DimOr(op.in(kDecoderKey).shape, 0) : length;
  const Dim cache = DimOr(op.in(kDecoderKeyCache).shape, 2);
  sizes.projected = cross && cached ? Dim(0) : own;
  sizes.product.key_length = !cached ? own : cross ? cache : dims.Add(cache, own);
  return sizes;
}

// Outputs: output [S, B, width], new_key_cache and new_value_cache [B, heads, length, head size].
absl::Status InferDecoderAttention(InferContext& ctx) {
  HWEST_ASSIGN_OR_RETURN(const DecoderSizes sizes, ReadDecoder(ctx));
  const AttentionProduct& p = sizes.product;
  const ElemType elem = ctx.in(kDecoderQuery).elem;
  ctx.set_out(0, elem, Shape(Shape::Dims{p.query_length, p.batch, sizes.width}));
  for (const int i : {1, 2}) {
    ctx.set_out(i, elem, Shape(Shape::Dims{p.batch, p.heads, p.key_length, p.head_size}));
  }
  return absl::OkStatus();
}

absl::StatusOr<Work> WorkDecoderAttention(const OpView& op) {
  HWEST_ASSIGN_OR_RETURN(const DecoderSizes sizes, ReadDecoder(op));
  DimPool& dims = op.dims();
  const Dim rows = dims.Mul(sizes.product.batch, sizes.product.query_length);
  const Dim key_rows = dims.Mul(sizes.product.batch, sizes.projected);
  const Dim twice = dims.Mul(sizes.width, 2);
  Work work;
  AddProduct(dims, work, rows, sizes.width, sizes.width);
  AddProduct(dims, work, key_rows, twice, sizes.width);
  AddOps(dims, work, dims.Add(dims.Mul(rows, sizes.width), dims.Mul(key_rows, twice)), {.add = 1});
  AddAttention(dims, work, sizes.product, AttentionMask::kDense);
  return work;
}

constexpr uint32_t kPastLength = 1u << 6;

// clang-format off
constexpr OpRule kContribAttentionRules[] = {
    {.domain = kMicrosoft, .op = "Attention", .versions = "1", .infer = InferSelfAttention, .work = WorkSelfAttention,
     .shape_inputs = kPastLength, .parameters = Inputs({1, 2})},
    {.domain = kMicrosoft, .op = "DecoderAttention", .versions = "1", .infer = InferDecoderAttention,
     .work = WorkDecoderAttention, .shape_inputs = 1u << kStaticKv | 1u << kUsePast | 1u << kHasLayerState,
     .parameters = Inputs({2, 3, 4})},
    {.domain = kMicrosoft, .op = "DecoderMaskedSelfAttention", .versions = "1", .infer = InferSelfAttention,
     .work = WorkSelfAttention, .shape_inputs = kPastLength, .parameters = Inputs({1, 2})},
    {.domain = kMicrosoft, .op = "QAttention", .versions = "1", .infer = InferSelfAttention, .work = WorkSelfAttention,
     .scales = Inputs({3, 4, 6, 7}), .weights = Inputs({1}), .parameters = Inputs({2})},
    {.domain = kMicrosoft, .op = "QOrderedAttention", .versions = "1", .infer = InferSelfAttention,
     .work = WorkSelfAttention, .scales = Inputs({1, 2, 3, 4, 8, 9, 10, 14, 15, 16}), .weights = Inputs({5, 6, 7})},
};
// clang-format on

}  // namespace

absl::Span<const OpRule> ContribAttentionRules() { return kContribAttentionRules; }

}  // namespace hwest
