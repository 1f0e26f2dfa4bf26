// Element-wise operators. Formulas are those of the ONNX operator specification; operations per element follow its
// definitions, one transcendental function counting as one operation.
#include "op/pointwise/pointwise.h"

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "op/check.h"
#include "op/count.h"
#include "op/families.h"
#include "op/known.h"
#include "op/scalar_math.h"

namespace hwest {

ElemType FirstElem(const OpView& op, int first, int last) {
  for (int i = first; i < last; ++i) {
    if (op.in(i).elem != ElemType::kUndefined) return op.in(i).elem;
  }
  return ElemType::kUndefined;
}

ElemType ElemAttr(const OpView& op, absl::string_view name) {
  const absl::string_view text = op.attr(name, absl::string_view());
  if (text.empty()) return static_cast<ElemType>(op.attr(name, int64_t{0}));
  for (int number = 1; number <= static_cast<int>(ElemType::kInt2); ++number) {
    const auto elem = static_cast<ElemType>(number);
    if (absl::AsciiStrToLower(text) == ElemTypeName(elem)) return elem;
  }
  return ElemType::kUndefined;
}

absl::Status InferSameAsInput(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 1));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 0));
  if (ctx.in(0).is_tensor()) ctx.set_out(0, ctx.in(0));
  return absl::OkStatus();
}

namespace {

enum class OutElem { kAsInput, kBool };

absl::Status InferUnaryBool(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 1));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 0));
  ctx.set_out(0, ElemType::kBool, ctx.in(0).shape);
  return absl::OkStatus();
}

// Broadcast of inputs [0, count); before opset `since` the shape of input 0.
absl::StatusOr<Shape> BroadcastInputs(InferContext& ctx, int count, int since) {
  Shape shape = ctx.in(0).shape;
  for (int i = 0; i < count; ++i) HWEST_RETURN_IF_ERROR(RequireRank(ctx, i, 0));
  if (OlderThan(ctx, since)) return shape;
  for (int i = 1; i < count; ++i) {
    HWEST_ASSIGN_OR_RETURN(shape, ctx.Broadcast(shape, ctx.in(i).shape));
  }
  return shape;
}

template <OutElem kOut>
absl::Status InferBinary(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 2));
  HWEST_ASSIGN_OR_RETURN(const Shape shape, BroadcastInputs(ctx, 2, 7));
  ctx.set_out(0, kOut == OutElem::kBool ? ElemType::kBool : FirstElem(ctx, 0, 2), shape);
  return absl::OkStatus();
}

// Pow: operands may differ in type, the result has that of the first.
absl::Status InferBinaryAsFirst(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 2));
  HWEST_ASSIGN_OR_RETURN(const Shape shape, BroadcastInputs(ctx, 2, 7));
  ctx.set_out(0, ctx.in(0).elem, shape);
  return absl::OkStatus();
}

absl::Status InferVariadic(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 1));
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, ctx.num_inputs()));
  HWEST_ASSIGN_OR_RETURN(const Shape shape, BroadcastInputs(ctx, ctx.num_inputs(), 8));
  ctx.set_out(0, FirstElem(ctx, 0, ctx.num_inputs()), shape);
  return absl::OkStatus();
}

// Y = slope < 0 ? slope * X : X; the slope broadcasts to X, not the other way round.
absl::Status InferPRelu(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 2));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 1, 0));
  return InferSameAsInput(ctx);
}

// Swish(A) * B, both of one shape.
absl::Status InferSwiGlu(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 2));
  for (const int i : {0, 1}) HWEST_RETURN_IF_ERROR(RequireRank(ctx, i, 0));
  Shape shape = ctx.in(0).shape.ranked() ? ctx.in(0).shape : ctx.in(1).shape;
  const Shape& b = ctx.in(1).shape;
  if (b.ranked()) HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, b.rank(), b.rank()));
  for (int axis = 0; b.ranked() && axis < shape.rank(); ++axis) {
    HWEST_ASSIGN_OR_RETURN(const Dim dim, ctx.Unify(shape.dim(axis), b.dim(axis)));
    shape.set_dim(axis, dim);
  }
  ctx.set_out(0, FirstElem(ctx, 0, 2), std::move(shape));
  return absl::OkStatus();
}

absl::Status InferWhere(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 3));
  HWEST_ASSIGN_OR_RETURN(const Shape shape, BroadcastInputs(ctx, 3, 0));
  ctx.set_out(0, FirstElem(ctx, 1, 3), shape);
  return absl::OkStatus();
}

// Cast and BitCast read their type from `to`, CastLike from input 1.
ElemType CastTarget(const OpView& op) { return op.op() == "CastLike" ? op.in(1).elem : ElemAttr(op, "to"); }

absl::Status InferCast(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, ctx.op() == "CastLike" ? 2 : 1));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 0, 0));
  const ElemType to = CastTarget(ctx);
  if (to == ElemType::kUndefined && ctx.op() != "CastLike") {
    return absl::InvalidArgumentError(absl::StrCat(ctx.op(), " expects an element type in attribute \"to\""));
  }
  const int from_bits = ElemBits(ctx.in(0).elem), to_bits = ElemBits(to);
  if (ctx.op() == "BitCast" && from_bits > 0 && to_bits > 0 && from_bits != to_bits) {
    return absl::InvalidArgumentError(
        absl::StrCat("BitCast expects a type of ", from_bits, " bits, found ", ElemTypeName(to)));
  }
  ctx.set_out(0, to, ctx.in(0).shape);
  return absl::OkStatus();
}

template <ScalarFn kFn>
void KnownElementwise(InferContext& ctx) {
  ApplyElementwise(ctx, [&ctx](absl::Span<const Scalar> args) { return kFn(ctx, args); });
}

// As above for operators that align their operands by attribute `axis` before opset 7.
template <ScalarFn kFn>
void KnownBinary(InferContext& ctx) {
  if (OlderThan(ctx, 7) && ctx.in(0).shape != ctx.in(1).shape && ctx.in(1).shape.rank() != 0) return;
  KnownElementwise<kFn>(ctx);
}

void KnownFloor(InferContext& ctx) {
  KnownElementwise<FloorScalar>(ctx);
  KnownRoundedQuotient(ctx, Rounding::kFloor);
}

void KnownCeil(InferContext& ctx) {
  KnownElementwise<CeilScalar>(ctx);
  KnownRoundedQuotient(ctx, Rounding::kCeil);
}

void KnownCast(InferContext& ctx) {
  const ElemType from = ctx.in(0).elem, to = CastTarget(ctx);
  ApplyElementwise(ctx, [&](absl::Span<const Scalar> args) { return CastScalar(ctx.dims(), from, to, args[0]); }, 1);
  if (IsInteger(to)) KnownRoundedQuotient(ctx, Rounding::kTowardZero);
}

// Bounds were attributes before version 11.
void KnownClip(InferContext& ctx) {
  if (!OlderThan(ctx, 11)) return KnownElementwise<ClipScalar>(ctx);
  ApplyElementwise(ctx, [&ctx](absl::Span<const Scalar> args) {
    Scalar value = args[0];
    if (ctx.has_attr("min")) value = MaxScalars(ctx, {value, FromDouble(ctx.attr("min", 0.0f))});
    if (ctx.has_attr("max")) value = MinScalars(ctx, {value, FromDouble(ctx.attr("max", 0.0f))});
    return value;
  });
}

template <PerElement kPer>
absl::StatusOr<Work> WorkElements(const OpView& op) {
  return ElementWork(op, kPer);
}

template <PerElement kPerPair>
absl::StatusOr<Work> WorkVariadic(const OpView& op) {
  const int64_t pairs = op.num_inputs() - 1;
  return ElementWork(op, {.add = kPerPair.add * pairs, .compare = kPerPair.compare * pairs});
}

// (x0 + x1 + ...) / n
absl::StatusOr<Work> WorkMean(const OpView& op) { return ElementWork(op, {.add = op.num_inputs() - 1, .mul = 1}); }

// One selection per element, counted in the type of the data, not of the condition.
absl::StatusOr<Work> WorkWhere(const OpView& op) {
  Work work;
  AddOps(op.dims(), work, OutElements(op, 0), {.compare = 1}, op.out(0).elem);
  return work;
}

// One conversion per element; integer work only between types without a fraction.
absl::StatusOr<Work> WorkCast(const OpView& op) {
  Work work;
  const ElemType elem = IsFloat(op.in(0).elem) ? op.in(0).elem : op.out(0).elem;
  AddOps(op.dims(), work, OutElements(op, 0), {.add = 1}, elem);
  return work;
}

constexpr WorkFn kOneAdd = WorkElements<PerElement{.add = 1}>;
constexpr WorkFn kOneMul = WorkElements<PerElement{.mul = 1}>;
constexpr WorkFn kOneCompare = WorkElements<PerElement{.compare = 1}>;
constexpr WorkFn kOneInteger = WorkElements<PerElement{.integer = 1}>;
constexpr WorkFn kOneFunction = WorkElements<PerElement{.transcendental = 1}>;
constexpr WorkFn kSigmoid = WorkElements<PerElement{.add = 1, .mul = 1, .transcendental = 1}>;    // 1 / (1 + exp(-x))
constexpr WorkFn kExpLinear = WorkElements<PerElement{.add = 1, .mul = 1, .transcendental = 1}>;  // a * (exp(x) - 1)
constexpr WorkFn kSoftplus = WorkElements<PerElement{.add = 1, .transcendental = 2}>;             // log(exp(x) + 1)
constexpr WorkFn kMish = WorkElements<PerElement{.add = 1, .mul = 1, .transcendental = 3}>;  // x*tanh(log(exp(x) + 1))
constexpr WorkFn kSwish = WorkElements<PerElement{.add = 1, .mul = 2, .transcendental = 1}>;
constexpr WorkFn kSwiGlu = WorkElements<PerElement{.add = 1, .mul = 3, .transcendental = 1}>;
constexpr WorkFn kHardSigmoid = WorkElements<PerElement{.add = 1, .mul = 1, .compare = 2}>;  // max(0, min(1, a*x + b))
constexpr WorkFn kHardSwish = WorkElements<PerElement{.add = 1, .mul = 2, .compare = 2}>;
constexpr WorkFn kLeaky = WorkElements<PerElement{.mul = 1, .compare = 1}>;
constexpr WorkFn kSoftsign = WorkElements<PerElement{.add = 1, .mul = 1, .compare = 1}>;  // x / (1 + |x|)
constexpr WorkFn kShrink = WorkElements<PerElement{.add = 1, .compare = 1}>;
constexpr WorkFn kTwoCompares = WorkElements<PerElement{.compare = 2}>;
constexpr WorkFn kReduceAdd = WorkVariadic<PerElement{.add = 1}>;
constexpr WorkFn kReduceCompare = WorkVariadic<PerElement{.compare = 1}>;

constexpr InferFn kArithmetic = InferBinary<OutElem::kAsInput>;
constexpr InferFn kPredicate = InferBinary<OutElem::kBool>;

// clang-format off
constexpr OpRule kPointwiseRules[] = {
    {.op = "Abs", .versions = "1 6 13", .infer = InferSameAsInput, .known = KnownElementwise<AbsScalar>,
     .work = kOneAdd, .traits = trait::kElementwise},
    {.op = "Acos", .versions = "7 22", .infer = InferSameAsInput, .work = kOneFunction},
    {.op = "Acosh", .versions = "9 22", .infer = InferSameAsInput, .work = kOneFunction},
    {.op = "Add", .versions = "1 6 7 13 14", .infer = kArithmetic, .known = KnownBinary<AddScalars>, .work = kOneAdd,
     .traits = trait::kElementwise | trait::kCommutes, .parameters = Inputs({0, 1})},
    {.op = "And", .versions = "1 7", .infer = kPredicate, .known = KnownBinary<AndScalars>, .work = kOneInteger,
     .traits = trait::kElementwise | trait::kCommutes},
    {.op = "Asin", .versions = "7 22", .infer = InferSameAsInput, .work = kOneFunction},
    {.op = "Asinh", .versions = "9 22", .infer = InferSameAsInput, .work = kOneFunction},
    {.op = "Atan", .versions = "7 22", .infer = InferSameAsInput, .work = kOneFunction},
    {.op = "Atanh", .versions = "9 22", .infer = InferSameAsInput, .work = kOneFunction},
    {.op = "BitCast", .versions = "26", .infer = InferCast, .op_class = OpClass::kView},
    {.op = "BitShift", .versions = "11", .infer = kArithmetic, .work = kOneInteger},
    {.op = "BitwiseAnd", .versions = "18", .infer = kArithmetic, .work = kOneInteger, .traits = trait::kElementwise},
    {.op = "BitwiseNot", .versions = "18", .infer = InferSameAsInput, .work = kOneInteger,
     .traits = trait::kElementwise},
    {.op = "BitwiseOr", .versions = "18", .infer = kArithmetic, .work = kOneInteger, .traits = trait::kElementwise},
    {.op = "BitwiseXor", .versions = "18", .infer = kArithmetic, .work = kOneInteger, .traits = trait::kElementwise},
    {.op = "Cast", .versions = "1 6 9 13 19 21 23 24 25", .infer = InferCast, .known = KnownCast, .work = WorkCast,
     .traits = trait::kElementwise | trait::kConverts | trait::kPassesThrough, .moved = Inputs({0})},
    {.op = "CastLike", .versions = "15 19 21 23 24 25", .infer = InferCast, .known = KnownCast, .work = WorkCast,
     .traits = trait::kElementwise | trait::kConverts | trait::kPassesThrough, .shape_inputs = Inputs({1}),
     .type_inputs = Inputs({1})},
    {.op = "Ceil", .versions = "1 6 13", .infer = InferSameAsInput, .known = KnownCeil, .work = kOneAdd,
     .traits = trait::kElementwise},
    {.op = "Celu", .versions = "12 28", .infer = InferSameAsInput, .work = kExpLinear, .traits = trait::kElementwise,
     .activation = "ELU"},
    {.op = "Clip", .versions = "1 6 11 12 13", .infer = InferSameAsInput, .known = KnownClip, .work = kTwoCompares,
     .traits = trait::kElementwise | trait::kClamps},
    {.op = "Cos", .versions = "7 22", .infer = InferSameAsInput, .work = kOneFunction, .traits = trait::kElementwise},
    {.op = "Cosh", .versions = "9 22", .infer = InferSameAsInput, .work = kOneFunction},
    {.op = "Div", .versions = "1 6 7 13 14", .infer = kArithmetic, .known = KnownBinary<DivScalars>, .work = kOneMul,
     .traits = trait::kElementwise},
    {.op = "Elu", .versions = "1 6 22", .infer = InferSameAsInput, .work = kExpLinear, .traits = trait::kElementwise,
     .activation = "ELU"},
    {.op = "Equal", .versions = "1 7 11 13 19", .infer = kPredicate, .known = KnownBinary<EqualScalars>,
     .work = kOneCompare, .traits = trait::kElementwise | trait::kCommutes},
    {.op = "Erf", .versions = "9 13", .infer = InferSameAsInput, .work = kOneFunction, .traits = trait::kElementwise},
    {.op = "Exp", .versions = "1 6 13", .infer = InferSameAsInput, .work = kOneFunction, .traits = trait::kElementwise},
    {.op = "Floor", .versions = "1 6 13", .infer = InferSameAsInput, .known = KnownFloor, .work = kOneAdd,
     .traits = trait::kElementwise},
    {.op = "Greater", .versions = "1 7 9 13", .infer = kPredicate, .known = KnownBinary<GreaterScalars>,
     .work = kOneCompare, .traits = trait::kElementwise},
    {.op = "GreaterOrEqual", .versions = "12 16", .infer = kPredicate, .known = KnownBinary<GreaterOrEqualScalars>,
     .work = kOneCompare, .traits = trait::kElementwise},
    {.op = "HardSigmoid", .versions = "1 6 22", .infer = InferSameAsInput, .work = kHardSigmoid,
     .traits = trait::kElementwise},
    {.op = "HardSwish", .versions = "14 22", .infer = InferSameAsInput, .work = kHardSwish,
     .traits = trait::kElementwise, .activation = "HardSwish"},
    {.op = "IsInf", .versions = "10 20", .infer = InferUnaryBool, .work = kOneCompare, .traits = trait::kElementwise},
    {.op = "IsNaN", .versions = "9 13 20", .infer = InferUnaryBool, .known = KnownElementwise<IsNanScalar>,
     .work = kOneCompare, .traits = trait::kElementwise},
    {.op = "LeakyRelu", .versions = "1 6 16", .infer = InferSameAsInput, .work = kLeaky, .traits = trait::kElementwise},
    {.op = "Less", .versions = "1 7 9 13", .infer = kPredicate, .known = KnownBinary<LessScalars>, .work = kOneCompare,
     .traits = trait::kElementwise},
    {.op = "LessOrEqual", .versions = "12 16", .infer = kPredicate, .known = KnownBinary<LessOrEqualScalars>,
     .work = kOneCompare, .traits = trait::kElementwise},
    {.op = "Log", .versions = "1 6 13", .infer = InferSameAsInput, .work = kOneFunction, .traits = trait::kElementwise},
    {.op = "Max", .versions = "1 6 8 12 13", .infer = InferVariadic, .known = KnownElementwise<MaxScalars>,
     .work = kReduceCompare, .traits = trait::kElementwise | trait::kCommutes},
    {.op = "Mean", .versions = "1 6 8 13", .infer = InferVariadic, .work = WorkMean, .traits = trait::kCommutes},
    {.op = "Min", .versions = "1 6 8 12 13", .infer = InferVariadic, .known = KnownElementwise<MinScalars>,
     .work = kReduceCompare, .traits = trait::kElementwise | trait::kCommutes},
    {.op = "Mish", .versions = "18 22", .infer = InferSameAsInput, .work = kMish, .traits = trait::kElementwise,
     .activation = "Mish"},
    {.op = "Mod", .versions = "10 13", .infer = kArithmetic, .known = KnownBinary<ModScalars>, .work = kOneMul,
     .traits = trait::kElementwise},
    {.op = "Mul", .versions = "1 6 7 13 14", .infer = kArithmetic, .known = KnownBinary<MulScalars>, .work = kOneMul,
     .traits = trait::kElementwise | trait::kCommutes, .parameters = Inputs({0, 1})},
    {.op = "Neg", .versions = "1 6 13", .infer = InferSameAsInput, .known = KnownElementwise<NegScalar>,
     .work = kOneAdd, .traits = trait::kElementwise},
    {.op = "Not", .versions = "1", .infer = InferUnaryBool, .known = KnownElementwise<NotScalar>, .work = kOneInteger,
     .traits = trait::kElementwise},
    {.op = "Or", .versions = "1 7", .infer = kPredicate, .known = KnownBinary<OrScalars>, .work = kOneInteger,
     .traits = trait::kElementwise | trait::kCommutes},
    {.op = "PRelu", .versions = "1 6 7 9 16", .infer = InferPRelu, .work = kLeaky, .traits = trait::kElementwise,
     .parameters = Inputs({1})},
    {.op = "Pow", .versions = "1 7 12 13 15", .infer = InferBinaryAsFirst, .known = KnownBinary<PowScalars>,
     .work = kOneFunction, .traits = trait::kElementwise},
    {.op = "Reciprocal", .versions = "1 6 13", .infer = InferSameAsInput, .known = KnownElementwise<ReciprocalScalar>,
     .work = kOneMul, .traits = trait::kElementwise},
    {.op = "Relu", .versions = "1 6 13 14", .infer = InferSameAsInput, .known = KnownElementwise<ReluScalar>,
     .work = kOneCompare, .traits = trait::kElementwise},
    {.op = "Round", .versions = "11 22", .infer = InferSameAsInput, .known = KnownElementwise<RoundScalar>,
     .work = kOneAdd, .traits = trait::kElementwise},
    {.op = "Selu", .versions = "1 6 22", .infer = InferSameAsInput, .work = kExpLinear, .traits = trait::kElementwise,
     .activation = "ELU"},
    {.op = "Shrink", .versions = "9", .infer = InferSameAsInput, .work = kShrink},
    {.op = "Sigmoid", .versions = "1 6 13", .infer = InferSameAsInput, .work = kSigmoid, .traits = trait::kElementwise},
    {.op = "Sign", .versions = "9 13", .infer = InferSameAsInput, .known = KnownElementwise<SignScalar>,
     .work = kOneCompare, .traits = trait::kElementwise},
    {.op = "Sin", .versions = "7 22", .infer = InferSameAsInput, .work = kOneFunction, .traits = trait::kElementwise},
    {.op = "Sinh", .versions = "9 22", .infer = InferSameAsInput, .work = kOneFunction},
    {.op = "Softplus", .versions = "1 22", .infer = InferSameAsInput, .work = kSoftplus, .traits = trait::kElementwise,
     .activation = "Softplus"},
    {.op = "Softsign", .versions = "1 22", .infer = InferSameAsInput, .work = kSoftsign, .traits = trait::kElementwise},
    {.op = "Sqrt", .versions = "1 6 13", .infer = InferSameAsInput, .known = KnownElementwise<SqrtScalar>,
     .work = kOneFunction, .traits = trait::kElementwise},
    {.op = "Sub", .versions = "1 6 7 13 14", .infer = kArithmetic, .known = KnownBinary<SubScalars>, .work = kOneAdd,
     .traits = trait::kElementwise},
    {.op = "Sum", .versions = "1 6 8 13", .infer = InferVariadic, .known = KnownElementwise<AddScalars>,
     .work = kReduceAdd, .traits = trait::kElementwise | trait::kCommutes},
    {.op = "SwiGLU", .versions = "28", .infer = InferSwiGlu, .work = kSwiGlu},
    {.op = "Swish", .versions = "24", .infer = InferSameAsInput, .work = kSwish, .traits = trait::kElementwise,
     .activation = "SiLU"},
    {.op = "Tan", .versions = "7 22", .infer = InferSameAsInput, .work = kOneFunction},
    {.op = "Tanh", .versions = "1 6 13", .infer = InferSameAsInput, .work = kOneFunction,
     .traits = trait::kElementwise},
    {.op = "ThresholdedRelu", .versions = "10 22", .infer = InferSameAsInput, .work = kOneCompare,
     .traits = trait::kElementwise},
    {.op = "Where", .versions = "9 16", .infer = InferWhere, .known = KnownElementwise<WhereScalars>, .work = WorkWhere,
     .traits = trait::kElementwise, .moved = Inputs({1, 2})},
    {.op = "Xor", .versions = "1 7", .infer = kPredicate, .known = KnownBinary<XorScalars>, .work = kOneInteger,
     .traits = trait::kElementwise | trait::kCommutes},
};
// clang-format on

}  // namespace

absl::Span<const OpRule> PointwiseRules() { return kPointwiseRules; }

}  // namespace hwest
