// Element-wise operators. Formulas are those of the ONNX operator specification; operations per element follow its
// definitions, one transcendental function counting as one operation.
#include "op/pointwise.h"

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "op/check.h"
#include "op/count.h"
#include "op/families.h"
#include "op/known.h"
#include "op/scalar_math.h"

namespace hwest {

absl::Status RequireSameElem(const OpView& op, int a, int b) {
  const ElemType x = op.in(a).elem, y = op.in(b).elem;
  if (x == ElemType::kUndefined || y == ElemType::kUndefined || x == y) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(op.op(), " expects one element type, found ", ElemTypeName(x),
                                                 " for input ", a, " and ", ElemTypeName(y), " for input ", b));
}

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
  HWEST_RETURN_IF_ERROR(RequireSameElem(ctx, 0, 1));
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
  for (int i = 1; i < ctx.num_inputs(); ++i) HWEST_RETURN_IF_ERROR(RequireSameElem(ctx, 0, i));
  HWEST_ASSIGN_OR_RETURN(const Shape shape, BroadcastInputs(ctx, ctx.num_inputs(), 8));
  ctx.set_out(0, FirstElem(ctx, 0, ctx.num_inputs()), shape);
  return absl::OkStatus();
}

// Y = slope < 0 ? slope * X : X; the slope broadcasts to X, not the other way round.
absl::Status InferPRelu(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 2));
  HWEST_RETURN_IF_ERROR(RequireSameElem(ctx, 0, 1));
  HWEST_RETURN_IF_ERROR(RequireRank(ctx, 1, 0));
  return InferSameAsInput(ctx);
}

// Swish(A) * B, both of one shape.
absl::Status InferSwiGlu(InferContext& ctx) {
  HWEST_RETURN_IF_ERROR(RequireInputs(ctx, 2));
  HWEST_RETURN_IF_ERROR(RequireSameElem(ctx, 0, 1));
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
  HWEST_RETURN_IF_ERROR(RequireSameElem(ctx, 1, 2));
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
    return absl::InvalidArgumentError(absl::StrCat("BitCast expects a type of ", from_bits, " bits, found ",
                                                   ElemTypeName(to)));
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
  ApplyElementwise(ctx, [&](absl::Span<const Scalar> args) { return CastScalar(ctx.dims(), from, to, args[0]); });
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
absl::StatusOr<Work> WorkMean(const OpView& op) {
  return ElementWork(op, {.add = op.num_inputs() - 1, .mul = 1});
}

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
constexpr WorkFn kSigmoid = WorkElements<PerElement{.add = 1, .mul = 1, .transcendental = 1}>;  // 1 / (1 + exp(-x))
constexpr WorkFn kExpLinear = WorkElements<PerElement{.add = 1, .mul = 1, .transcendental = 1}>;  // a * (exp(x) - 1)
constexpr WorkFn kSoftplus = WorkElements<PerElement{.add = 1, .transcendental = 2}>;  // log(exp(x) + 1)
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
constexpr OpClass kCompute = OpClass::kCompute;

constexpr OpRule kRules[] = {
    {"", "Abs", "1 6 13", InferSameAsInput, KnownElementwise<AbsScalar>, kOneAdd, kCompute},
    {"", "Acos", "7 22", InferSameAsInput, nullptr, kOneFunction, kCompute},
    {"", "Acosh", "9 22", InferSameAsInput, nullptr, kOneFunction, kCompute},
    {"", "Add", "1 6 7 13 14", kArithmetic, KnownBinary<AddScalars>, kOneAdd, kCompute},
    {"", "And", "1 7", kPredicate, KnownBinary<AndScalars>, kOneInteger, kCompute},
    {"", "Asin", "7 22", InferSameAsInput, nullptr, kOneFunction, kCompute},
    {"", "Asinh", "9 22", InferSameAsInput, nullptr, kOneFunction, kCompute},
    {"", "Atan", "7 22", InferSameAsInput, nullptr, kOneFunction, kCompute},
    {"", "Atanh", "9 22", InferSameAsInput, nullptr, kOneFunction, kCompute},
    {"", "BitCast", "26", InferCast, nullptr, nullptr, OpClass::kView},
    {"", "BitShift", "11", kArithmetic, nullptr, kOneInteger, kCompute},
    {"", "BitwiseAnd", "18", kArithmetic, nullptr, kOneInteger, kCompute},
    {"", "BitwiseNot", "18", InferSameAsInput, nullptr, kOneInteger, kCompute},
    {"", "BitwiseOr", "18", kArithmetic, nullptr, kOneInteger, kCompute},
    {"", "BitwiseXor", "18", kArithmetic, nullptr, kOneInteger, kCompute},
    {"", "Cast", "1 6 9 13 19 21 23 24 25", InferCast, KnownCast, WorkCast, kCompute},
    {"", "CastLike", "15 19 21 23 24 25", InferCast, KnownCast, WorkCast, kCompute, 0b10},
    {"", "Ceil", "1 6 13", InferSameAsInput, KnownCeil, kOneAdd, kCompute},
    {"", "Celu", "12 28", InferSameAsInput, nullptr, kExpLinear, kCompute},
    {"", "Clip", "1 6 11 12 13", InferSameAsInput, KnownClip, kTwoCompares, kCompute},
    {"", "Cos", "7 22", InferSameAsInput, nullptr, kOneFunction, kCompute},
    {"", "Cosh", "9 22", InferSameAsInput, nullptr, kOneFunction, kCompute},
    {"", "Div", "1 6 7 13 14", kArithmetic, KnownBinary<DivScalars>, kOneMul, kCompute},
    {"", "Elu", "1 6 22", InferSameAsInput, nullptr, kExpLinear, kCompute},
    {"", "Equal", "1 7 11 13 19", kPredicate, KnownBinary<EqualScalars>, kOneCompare, kCompute},
    {"", "Erf", "9 13", InferSameAsInput, nullptr, kOneFunction, kCompute},
    {"", "Exp", "1 6 13", InferSameAsInput, nullptr, kOneFunction, kCompute},
    {"", "Floor", "1 6 13", InferSameAsInput, KnownFloor, kOneAdd, kCompute},
    {"", "Greater", "1 7 9 13", kPredicate, KnownBinary<GreaterScalars>, kOneCompare, kCompute},
    {"", "GreaterOrEqual", "12 16", kPredicate, KnownBinary<GreaterOrEqualScalars>, kOneCompare, kCompute},
    {"", "HardSigmoid", "1 6 22", InferSameAsInput, nullptr, kHardSigmoid, kCompute},
    {"", "HardSwish", "14 22", InferSameAsInput, nullptr, kHardSwish, kCompute},
    {"", "IsInf", "10 20", InferUnaryBool, nullptr, kOneCompare, kCompute},
    {"", "IsNaN", "9 13 20", InferUnaryBool, KnownElementwise<IsNanScalar>, kOneCompare, kCompute},
    {"", "LeakyRelu", "1 6 16", InferSameAsInput, nullptr, kLeaky, kCompute},
    {"", "Less", "1 7 9 13", kPredicate, KnownBinary<LessScalars>, kOneCompare, kCompute},
    {"", "LessOrEqual", "12 16", kPredicate, KnownBinary<LessOrEqualScalars>, kOneCompare, kCompute},
    {"", "Log", "1 6 13", InferSameAsInput, nullptr, kOneFunction, kCompute},
    {"", "Max", "1 6 8 12 13", InferVariadic, KnownElementwise<MaxScalars>, kReduceCompare, kCompute},
    {"", "Mean", "1 6 8 13", InferVariadic, nullptr, WorkMean, kCompute},
    {"", "Min", "1 6 8 12 13", InferVariadic, KnownElementwise<MinScalars>, kReduceCompare, kCompute},
    {"", "Mish", "18 22", InferSameAsInput, nullptr, kMish, kCompute},
    {"", "Mod", "10 13", kArithmetic, KnownBinary<ModScalars>, kOneMul, kCompute},
    {"", "Mul", "1 6 7 13 14", kArithmetic, KnownBinary<MulScalars>, kOneMul, kCompute},
    {"", "Neg", "1 6 13", InferSameAsInput, KnownElementwise<NegScalar>, kOneAdd, kCompute},
    {"", "Not", "1", InferUnaryBool, KnownElementwise<NotScalar>, kOneInteger, kCompute},
    {"", "Or", "1 7", kPredicate, KnownBinary<OrScalars>, kOneInteger, kCompute},
    {"", "PRelu", "1 6 7 9 16", InferPRelu, nullptr, kLeaky, kCompute},
    {"", "Pow", "1 7 12 13 15", InferBinaryAsFirst, KnownBinary<PowScalars>, kOneFunction, kCompute},
    {"", "Reciprocal", "1 6 13", InferSameAsInput, KnownElementwise<ReciprocalScalar>, kOneMul, kCompute},
    {"", "Relu", "1 6 13 14", InferSameAsInput, KnownElementwise<ReluScalar>, kOneCompare, kCompute},
    {"", "Round", "11 22", InferSameAsInput, KnownElementwise<RoundScalar>, kOneAdd, kCompute},
    {"", "Selu", "1 6 22", InferSameAsInput, nullptr, kExpLinear, kCompute},
    {"", "Shrink", "9", InferSameAsInput, nullptr, kShrink, kCompute},
    {"", "Sigmoid", "1 6 13", InferSameAsInput, nullptr, kSigmoid, kCompute},
    {"", "Sign", "9 13", InferSameAsInput, KnownElementwise<SignScalar>, kOneCompare, kCompute},
    {"", "Sin", "7 22", InferSameAsInput, nullptr, kOneFunction, kCompute},
    {"", "Sinh", "9 22", InferSameAsInput, nullptr, kOneFunction, kCompute},
    {"", "Softplus", "1 22", InferSameAsInput, nullptr, kSoftplus, kCompute},
    {"", "Softsign", "1 22", InferSameAsInput, nullptr, kSoftsign, kCompute},
    {"", "Sqrt", "1 6 13", InferSameAsInput, KnownElementwise<SqrtScalar>, kOneFunction, kCompute},
    {"", "Sub", "1 6 7 13 14", kArithmetic, KnownBinary<SubScalars>, kOneAdd, kCompute},
    {"", "Sum", "1 6 8 13", InferVariadic, KnownElementwise<AddScalars>, kReduceAdd, kCompute},
    {"", "SwiGLU", "28", InferSwiGlu, nullptr, kSwiGlu, kCompute},
    {"", "Swish", "24", InferSameAsInput, nullptr, kSwish, kCompute},
    {"", "Tan", "7 22", InferSameAsInput, nullptr, kOneFunction, kCompute},
    {"", "Tanh", "1 6 13", InferSameAsInput, nullptr, kOneFunction, kCompute},
    {"", "ThresholdedRelu", "10 22", InferSameAsInput, nullptr, kOneCompare, kCompute},
    {"", "Where", "9 16", InferWhere, KnownElementwise<WhereScalars>, WorkWhere, kCompute},
    {"", "Xor", "1 7", kPredicate, KnownBinary<XorScalars>, kOneInteger, kCompute},
};

}  // namespace

absl::Span<const OpRule> PointwiseRules() { return kRules; }

}  // namespace hwest
