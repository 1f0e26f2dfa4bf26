// Operators with a state: linear attention and its gates, causal convolutions, and ONNX Runtime's LSTM variants.
#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "op/check.h"
#include "op/families.h"
#include "op/runtime/contrib_common.h"

namespace hwest {
namespace {

constexpr int64_t kMaxWindow = 1 << 20;

// Sizes of a recurrence over a state of key_size x value_size per head.
struct StateSizes {
  Dim batch, tokens, key_size, value_size;  // tokens of all sequences
  Dim query_heads, key_heads, state_heads;
};

// Every token adds an outer product to the state and reads it with the query; the delta rules read it with the key
// before, the gated ones scale it.
absl::StatusOr<Work> RecurrenceWork(const OpView& op, const StateSizes& s) {
  const absl::string_view rule = op.attr("update_rule", "gated_delta");
  const bool delta = rule == "delta" || rule == "gated_delta";
  if (!delta && rule != "linear" && rule != "gated") {
    return absl::InvalidArgumentError(absl::StrCat("unknown update_rule \"", rule, "\""));
  }
  DimPool& dims = op.dims();
  const Dim heads = dims.Mul(s.tokens, dims.Max(s.query_heads, s.state_heads));
  const Dim cells = dims.Product({heads, s.key_size, s.value_size});
  Work work;
  for (int i = 0; i < (delta ? 3 : 2); ++i) {
    // clang-format off
    Contraction step{.kind = ContractionKind::kActivation, .batch = heads, .m = 1, .n = s.value_size, .k = s.key_size,
                     .kernel_elements = 1};
    // clang-format on
    AddContraction(dims, work, std::move(step), cells, Operands::kFloat);
  }
  if (rule == "gated" || rule == "gated_delta") AddOps(dims, work, cells, {.mul = 1});
  return work;
}

// Inputs: query [B, T, Hq * Dk], key [B, T, Hkv * Dk], value [B, T, Hkv * Dv], past_state?, decay?, beta?.
absl::StatusOr<StateSizes> ReadLinearAttention(const OpView& op) {
  HWEST_RETURN_IF_ERROR(RequireInputs(op, 3));
  for (const int i : {0, 1, 2}) HWEST_RETURN_IF_ERROR(RequireRank(op, i, 3, 3));
  HWEST_ASSIGN_OR_RETURN(const int64_t query_heads, PositiveAttr(op, "q_num_heads"));
  HWEST_ASSIGN_OR_RETURN(const int64_t heads, PositiveAttr(op, "kv_num_heads"));
  DimPool& dims = op.dims();
  const Shape& query = op.in(0).shape;
  return StateSizes{.batch = DimOr(query, 0),
                    .tokens = dims.Mul(DimOr(query, 0), DimOr(query, 1)),
                    .key_size = dims.ExactDiv(DimOr(query, 2), query_heads),
                    .value_size = dims.ExactDiv(DimOr(op.in(2).shape, 2), heads),
                    .query_heads = query_heads,
                    .key_heads = heads,
                    .state_heads = heads};
}

absl::StatusOr<Shape> WithWindow(const OpView& op, Shape state) {
  const int64_t window = op.attr("state_window", int64_t{0});
  if (window < 0 || window > kMaxWindow) {
    return absl::InvalidArgumentError(absl::StrCat("state_window is ", window, ", expected 0 or more"));
  }
  if (window == 0 || !state.ranked()) return state;
  Shape::Dims dims = {window};
  dims.insert(dims.end(), state.dims().begin(), state.dims().end());
  return Shape(std::move(dims));
}

// Outputs: output [B, T, max(Hq, Hkv) * Dv], present_state [B, Hkv, Dk, Dv] with a window in front on request.
absl::Status InferLinearAttention(InferContext& ctx) {
  HWEST_ASSIGN_OR_RETURN(const StateSizes s, ReadLinearAttention(ctx));
  DimPool& dims = ctx.dims();
  const ElemType elem = ctx.in(0).elem;
  HWEST_ASSIGN_OR_RETURN(Shape state,
                         WithWindow(ctx, Shape(Shape::Dims{s.batch, s.state_heads, s.key_size, s.value_size})));
  const Dim width = dims.Mul(dims.Max(s.query_heads, s.state_heads), s.value_size);
  ctx.set_out(0, elem, Shape(Shape::Dims{s.batch, DimOr(ctx.in(0).shape, 1), width}));
  ctx.set_out(1, ctx.has_input(3) ? ctx.in(3).elem : elem, std::move(state));
  return absl::OkStatus();
}

absl::StatusOr<Work> WorkLinearAttention(const OpView& op) {
  HWEST_ASSIGN_OR_RETURN(const StateSizes s, ReadLinearAttention(op));
  return RecurrenceWork(op, s);
}

enum DeltaInput { kQuery, kKey, kValue, kCumulated, kDecay, kBeta, kInitialState };

// Inputs: query and key [T, Hk, Dk], value [T, Hv, Dv], or all of them [B, S, H, D]; cu_seqlens holds the batch
// [B + 1], the initial state [B, Hv, Dv, Dk] or the leading axis.
absl::StatusOr<StateSizes> ReadGatedDelta(const OpView& op) {
  HWEST_RETURN_IF_ERROR(RequireInputs(op, 3));
  for (const int i : {kQuery, kKey, kValue}) HWEST_RETURN_IF_ERROR(RequireRank(op, i, 3, 4));
  HWEST_RETURN_IF_ERROR(RequireRank(op, kCumulated, 1, 1));
  HWEST_RETURN_IF_ERROR(RequireRank(op, kInitialState, 4, 4));
  DimPool& dims = op.dims();
  const Shape& query = op.in(kQuery).shape;
  const auto from_end = [&](int input, int back) {
    const Shape& shape = op.in(input).shape;
    return shape.ranked() ? shape.dim(shape.rank() - back) : Dim::Unknown();
  };
  // clang-format off
  StateSizes s{.key_size = from_end(kQuery, 1), .value_size = from_end(kValue, 1), .query_heads = from_end(kQuery, 2),
               .key_heads = from_end(kKey, 2), .state_heads = from_end(kValue, 2)};
  // clang-format on
  if (query.ranked()) s.tokens = query.rank() == 4 ? dims.Mul(query.dim(0), query.dim(1)) : query.dim(0);
  if (op.has_input(kCumulated)) {
    s.batch = dims.Sub(DimOr(op.in(kCumulated).shape, 0), 1);
  } else {
    s.batch = query.ranked() && query.rank() == 4 ? query.dim(0) : DimOr(op.in(kInitialState).shape, 0);
  }
  return s;
}

// Outputs: output like value with max(Hq, Hv) heads, final_state [B, Hv, Dv, Dk], state_update [B, capacity * factors].
absl::Status InferGatedDelta(InferContext& ctx) {
  HWEST_ASSIGN_OR_RETURN(const StateSizes s, ReadGatedDelta(ctx));
  DimPool& dims = ctx.dims();
  Shape out = ctx.in(kValue).shape;
  if (out.ranked()) out.set_dim(out.rank() - 2, dims.Max(s.query_heads, s.state_heads));
  const int64_t capacity = ctx.attr("state_update_capacity", int64_t{0});
  if (capacity < 0 || capacity > kMaxWindow) {
    return absl::InvalidArgumentError(absl::StrCat("state_update_capacity is ", capacity));
  }
  const Dim factors =
      dims.Sum({s.state_heads, dims.Mul(s.key_heads, s.key_size), dims.Mul(s.state_heads, s.value_size)});
  ctx.set_out(0, ctx.in(kQuery).elem, std::move(out));
  ctx.set_out(1, ElemType::kFloat, Shape(Shape::Dims{s.batch, s.state_heads, s.value_size, s.key_size}));
  ctx.set_out(2, ElemType::kFloat, Shape(Shape::Dims{s.batch, dims.Mul(factors, capacity)}));
  return absl::OkStatus();
}

absl::StatusOr<Work> WorkGatedDelta(const OpView& op) {
  HWEST_ASSIGN_OR_RETURN(const StateSizes s, ReadGatedDelta(op));
  return RecurrenceWork(op, s);
}

// Inputs: a [B, T, H], dt_bias and decay_scale [H], b? [B, T, H]; outputs decay and beta.
absl::Status InferAttentionGate(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 3));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 3, 3));
  ctx.set_out(0, ctx.in(0).elem, ctx.in(0).shape);
  ctx.set_out(1, ctx.in(0).elem, ctx.in(0).shape);
  return absl::OkStatus();
}

// scale * log(1 + exp(a + bias)), and the logistic function of b.
absl::StatusOr<Work> WorkAttentionGate(const OpView& op) {
  return ElementWork(op, op.has_input(3) ? PerElement{.add = 2, .mul = 2, .transcendental = 3}
                                         : PerElement{.add = 2, .mul = 1, .transcendental = 2});
}

// Positions of the past that the state of a causal convolution holds: (kernel - 1) * dilation.
absl::StatusOr<Dim> StateLength(const OpView& op) {
  const int64_t dilation = op.attr("dilation", int64_t{1});
  if (dilation < 1 || dilation > INT32_MAX) {
    return absl::InvalidArgumentError(absl::StrCat("dilation is ", dilation, ", expected at least 1"));
  }
  const Shape& w = op.in(1).shape;
  const Dim taps = w.ranked() ? w.dim(w.rank() - 1) : Dim::Unknown();
  if (taps.IsConstant(0)) return absl::InvalidArgumentError("expected a kernel of at least one tap, found none");
  return op.dims().Mul(op.dims().Sub(taps, 1), dilation);
}

// Depthwise along the last axis: one multiply-accumulate an output element and tap.
absl::StatusOr<Work> CausalConvWork(const OpView& op, int bias) {
  HWEST_ASSIGN_OR_RETURN(const PerElement activation, ActivationOps(op.attr("activation", "none")));
  const Shape& w = op.in(1).shape;
  DimPool& dims = op.dims();
  if (!w.ranked() || w.rank() < 3) return UnknownMacs();
  const Dim taps = dims.Product(w.dims().subspan(2)), results = OutElements(op, 0);
  // clang-format off
  Contraction contraction{.kind = ContractionKind::kDepthwise, .batch = w.dim(0),
                          .m = dims.ExactDiv(results, w.dim(0)), .n = 1, .k = taps, .kernel_elements = taps};
  // clang-format on
  Work work;
  AddContraction(dims, work, std::move(contraction), dims.Mul(results, taps), Operands::kFloat);
  if (op.has_input(bias)) AddOps(dims, work, results, {.add = 1});
  AddOps(dims, work, results, activation);
  return work;
}

// Inputs: input [B, C, spatial...], or channels last [B, S, channels...]; weight [C, 1, kernel...], bias?, past_state?.
// Outputs: output as input, and the state, which keeps StateLength() positions of the causal axis.
absl::Status InferCausalConv(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 2));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 3));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 1, 3));
  HWEST_ASSIGN_OR_RETURN(const Dim length, StateLength(ctx));
  const Shape& x = ctx.in(0).shape;
  const bool last = ctx.attr("channels_last", int64_t{0}) != 0;
  if (!last) HWEST_RETURN_IF_ERROR(UnifyAxis(ctx, ctx.in(1).shape, 0, DimOr(x, 1)));
  Shape state = x;
  if (x.ranked()) state.set_dim(last ? 1 : x.rank() - 1, length);
  HWEST_ASSIGN_OR_RETURN(state, WithWindow(ctx, std::move(state)));
  ctx.set_out(0, ctx.in(0).elem, x);
  ctx.set_out(1, ctx.in(0).elem, std::move(state));
  return absl::OkStatus();
}

absl::StatusOr<Work> WorkCausalConv(const OpView& op) { return CausalConvWork(op, 2); }

// Inputs: input [T, C], weight [C, 1, k], cumulative_sequence_length [B + 1], bias?, initial_state [B, C, state].
// Outputs: output [T, C], final_state, state_update [B, capacity, C].
absl::Status InferVarlenCausalConv(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 3));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 2, 2));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 1, 3, 3));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 2, 1, 1));
  HWEST_ASSIGN_OR_RETURN(const Dim length, StateLength(ctx));
  const int64_t capacity = ctx.attr("state_update_capacity", int64_t{0});
  if (capacity < 0 || capacity > kMaxWindow) {
    return absl::InvalidArgumentError(absl::StrCat("state_update_capacity is ", capacity));
  }
  const ElemType elem = ctx.in(0).elem;
  const Dim batch = ctx.dims().Sub(DimOr(ctx.in(2).shape, 0), 1), channels = DimOr(ctx.in(0).shape, 1);
  ctx.set_out(0, elem, ctx.in(0).shape);
  ctx.set_out(1, elem, Shape(Shape::Dims{batch, channels, length}));
  ctx.set_out(2, elem, Shape(Shape::Dims{batch, capacity, channels}));
  return absl::OkStatus();
}

absl::StatusOr<Work> WorkVarlenCausalConv(const OpView& op) { return CausalConvWork(op, 3); }

// clang-format off
constexpr OpRule kContribRecurrentRules[] = {
    {.domain = kMicrosoft, .op = "CausalConvWithState", .versions = "1", .infer = InferCausalConv,
     .work = WorkCausalConv, .parameters = Inputs({1, 2})},
    {.domain = kMicrosoft, .op = "GatedDeltaNet", .versions = "1", .infer = InferGatedDelta, .work = WorkGatedDelta},
    {.domain = kMicrosoft, .op = "LinearAttention", .versions = "1", .infer = InferLinearAttention,
     .work = WorkLinearAttention},
    {.domain = kMicrosoft, .op = "LinearAttentionGate", .versions = "1", .infer = InferAttentionGate,
     .work = WorkAttentionGate},
    {.domain = kMicrosoft, .op = "VarlenCausalConvWithState", .versions = "1", .infer = InferVarlenCausalConv,
     .work = WorkVarlenCausalConv},
};
// clang-format on

}  // namespace

absl::Span<const OpRule> ContribRecurrentRules() { return kContribRecurrentRules; }

}  // namespace hwest
