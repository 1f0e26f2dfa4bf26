// ONNX Runtime's element-wise operators: activations with their bias, gated sums, dropout, complex products, hashes.
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "op/check.h"
#include "op/families.h"
#include "op/pointwise/pointwise.h"
#include "op/runtime/contrib_common.h"

namespace hwest {
namespace {

// The last axis of input 0 and a vector in input `i` have one size.
absl::Status UnifyLastAxis(InferContext& ctx, int i) {
  const Shape& x = ctx.in(0).shape;
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, i, 1, 1));
  if (!x.ranked() || x.rank() == 0) return absl::OkStatus();
  return UnifyAxis(ctx, ctx.in(i).shape, 0, x.dim(x.rank() - 1));
}

absl::Status InferFastGelu(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 1));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, ctx.has_input(1) ? 1 : 0));
  HWEST_RETURN_IF_ERROR(UnifyLastAxis(ctx, 1));
  return InferSameAsInput(ctx);
}

// The approximation by the hyperbolic tangent.
absl::StatusOr<Work> WorkFastGelu(const OpView& op) {
  return ElementWork(op, {.add = op.has_input(1) ? 3 : 2, .mul = 6, .transcendental = 1});
}

// X [N, S, D] plus bias [D]: the left half of the last axis times the GELU of the right half.
absl::Status InferBiasSplitGelu(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 2));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 1));
  HWEST_RETURN_IF_ERROR(UnifyLastAxis(ctx, 1));
  const Shape& x = ctx.in(0).shape;
  const Dim width = x.ranked() ? x.dim(x.rank() - 1) : Dim::Unknown();
  if (width.is_constant() && width.value() % 2 != 0) {
    return absl::InvalidArgumentError(absl::StrCat("a width of ", width.value(), " has no halves"));
  }
  ctx.set_out(0, ctx.in(0).elem, WithLastDim(x, ctx.dims().ExactDiv(width, 2)));
  return absl::OkStatus();
}

// Inputs X, bias [C], skip: all of X's shape but the bias.
absl::Status InferBiasAdd(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 3));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 1));
  HWEST_RETURN_IF_ERROR(UnifyLastAxis(ctx, 1));
  return InferSameAsInput(ctx);
}

absl::Status InferTwoInputs(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 2));
  return InferSameAsInput(ctx);
}

// Outputs: output, and which elements were kept, as bools or packed into 32-bit words.
absl::Status InferDropout(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(InferSameAsInput(ctx));
  if (ctx.op() == "BiasDropout") {
    ctx.set_out(1, ElemType::kBool, ctx.in(0).shape);
  } else {
    const Dim words = ctx.dims().CeilDiv(InElements(ctx, 0), 32);
    ctx.set_out(1, ElemType::kUint32, Shape(Shape::Dims{words}));
  }
  return absl::OkStatus();
}

// Numbers lie along the last axis, real and imaginary part; the other axes broadcast.
absl::Status InferComplexMul(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 2));
  for (const int i : {0, 1}) {
    HWEST_RETURN_IF_ERROR(RequireRank(ctx, i, 1));
    const Shape& shape = ctx.in(i).shape;
    if (shape.ranked()) HWEST_RETURN_IF_ERROR(UnifyAxis(ctx, shape, shape.rank() - 1, 2));
  }
  HWEST_ASSIGN_OR_RETURN(Shape shape, ctx.Broadcast(ctx.in(0).shape, ctx.in(1).shape));
  ctx.set_out(0, FirstElem(ctx, 0, 2), std::move(shape));
  return absl::OkStatus();
}

absl::Status InferHash(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 1));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 0));
  const bool positive = ctx.attr("positive", int64_t{1}) != 0;
  ctx.set_out(0, positive ? ElemType::kUint32 : ElemType::kInt32, ctx.in(0).shape);
  return absl::OkStatus();
}

absl::StatusOr<Work> WorkHash(const OpView& op) {
  Work work;
  AddOps(op.dims(), work, OutElements(op, 0), {.integer = 1});
  return work;
}

// One bool for all inputs.
absl::Status InferAllFinite(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 1));
  for (int i = 0; i < ctx.num_inputs(); ++i) HWEST_RETURN_IF_ERROR(RequireRank(ctx, i, 0));
  ctx.set_out(0, ElemType::kBool, Shape::Scalar());
  return absl::OkStatus();
}

absl::StatusOr<Work> WorkAllFinite(const OpView& op) {
  Work work;
  for (int i = 0; i < op.num_inputs(); ++i) AddOps(op.dims(), work, InElements(op, i), {.compare = 1});
  return work;
}

constexpr WorkFn kErfGelu = WorkPerOutput<PerElement{.add = 1, .mul = 3, .transcendental = 1}>;
constexpr WorkFn kQuickGelu =
    WorkPerOutput<PerElement{.add = 1, .mul = 3, .transcendental = 1}>;  // x / (1 + exp(-a * x))
constexpr WorkFn kBiasSplitGelu = WorkPerOutput<PerElement{.add = 2, .mul = 4, .transcendental = 1}>;
constexpr WorkFn kBiasSoftmax = WorkPerInput<PerElement{.add = 3, .mul = 1, .compare = 1, .transcendental = 1}>;
constexpr WorkFn kTwoAdds = WorkPerOutput<PerElement{.add = 2}>;
constexpr WorkFn kGatedAdd = WorkPerOutput<PerElement{.add = 1, .mul = 1}>;
constexpr WorkFn kBiasDropout = WorkPerOutput<PerElement{.add = 2, .mul = 1}>;
constexpr WorkFn kDropout = WorkPerOutput<PerElement{.mul = 2}>;
constexpr WorkFn kComplexMul = WorkPerOutput<PerElement{.add = 1, .mul = 2}>;
constexpr WorkFn kSampleAdd = WorkPerOutput<PerElement{.add = 1}>;

// clang-format off
constexpr OpRule kContribActivationRules[] = {
    {.domain = kMicrosoft, .op = "BiasAdd", .versions = "1", .infer = InferBiasAdd, .work = kTwoAdds},
    {.domain = kMicrosoft, .op = "BiasDropout", .versions = "1", .infer = InferDropout, .work = kBiasDropout},
    {.domain = kMicrosoft, .op = "BiasSoftmax", .versions = "1", .infer = InferTwoInputs,
     .work = kBiasSoftmax, .traits = trait::kTakesStatistics},
    {.domain = kMicrosoft, .op = "BiasSplitGelu", .versions = "1", .infer = InferBiasSplitGelu, .work = kBiasSplitGelu},
    {.domain = kMicrosoft, .op = "BitmaskBiasDropout", .versions = "1", .infer = InferDropout, .work = kBiasDropout},
    {.domain = kMicrosoft, .op = "BitmaskDropout", .versions = "1", .infer = InferDropout, .work = kDropout},
    {.domain = kMicrosoft, .op = "ComplexMul", .versions = "1", .infer = InferComplexMul, .work = kComplexMul},
    {.domain = kMicrosoft, .op = "ComplexMulConj", .versions = "1", .infer = InferComplexMul, .work = kComplexMul},
    {.domain = kMicrosoft, .op = "FastGelu", .versions = "1", .infer = InferFastGelu, .work = WorkFastGelu,
     .parameters = Inputs({1})},
    {.domain = kMicrosoft, .op = "GatedAdd", .versions = "1", .infer = InferTwoInputs, .work = kGatedAdd},
    {.domain = kMicrosoft, .op = "Gelu", .versions = "1", .infer = InferSameAsInput, .work = kErfGelu,
     .activation = "GELU"},
    {.domain = kMicrosoft, .op = "IsAllFinite", .versions = "1", .infer = InferAllFinite, .work = WorkAllFinite},
    {.domain = kMicrosoft, .op = "MurmurHash3", .versions = "1", .infer = InferHash, .work = WorkHash},
    {.domain = kMicrosoft, .op = "QuickGelu", .versions = "1", .infer = InferSameAsInput, .work = kQuickGelu,
     .activation = "SiLU"},
    {.domain = kMicrosoft, .op = "SampleOp", .versions = "1", .infer = InferSameAsInput, .work = kSampleAdd},
};
// clang-format on

}  // namespace

absl::Span<const OpRule> ContribActivationRules() { return kContribActivationRules; }

}  // namespace hwest
