#include "op/scalar_math.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/portable_math.h"

namespace hwest {
namespace {

bool AllInts(absl::Span<const Scalar> args) {
  return std::all_of(args.begin(), args.end(), [](const Scalar& s) { return s.is_int(); });
}

bool AllConstant(absl::Span<const Scalar> args) {
  return std::all_of(args.begin(), args.end(), [](const Scalar& s) { return s.is_constant(); });
}

ElemType ElemOf(const OpView& op) { return op.in(0).elem; }

// Folds operands pairwise, as integer expressions where all are, else as numbers.
template <class OnDims, class OnNumbers>
Scalar Fold(const OpView& op, absl::Span<const Scalar> args, OnDims on_dims, OnNumbers on_numbers) {
  if (args.empty()) return Scalar();
  if (AllInts(args)) {
    Dim result = args[0].dim();
    for (const Scalar& arg : args.subspan(1)) result = on_dims(op.dims(), result, arg.dim());
    return FitTo(ElemOf(op), Scalar::Int(result));
  }
  if (!AllConstant(args)) return Scalar();
  double result = args[0].number();
  for (const Scalar& arg : args.subspan(1)) result = on_numbers(result, arg.number());
  return FitTo(ElemOf(op), FromDouble(result));
}

template <class OnNumber>
Scalar MapNumber(const OpView& op, absl::Span<const Scalar> args, OnNumber on_number) {
  if (args.empty() || !args[0].is_constant()) return Scalar();
  return FitTo(ElemOf(op), FromDouble(on_number(args[0].number())));
}

// Rounding leaves integer expressions as they are.
template <class OnNumber>
Scalar RoundNumber(const OpView& op, absl::Span<const Scalar> args, OnNumber on_number) {
  if (!args.empty() && args[0].is_int()) return args[0];
  return MapNumber(op, args, on_number);
}

Scalar DivideFloats(const OpView& op, const Scalar& a, const Scalar& b) {
  if (a.is_constant() && b.is_constant()) return FitTo(ElemOf(op), FromDouble(a.number() / b.number()));
  if (!a.is_int() || !b.is_int()) return Scalar();
  const Dim quotient = op.dims().ExactDiv(a.dim(), b.dim());
  return op.dims().Mul(quotient, b.dim()) == a.dim() ? Scalar::Int(quotient) : Scalar();
}

Tri Negate(Tri value) {
  if (value == Tri::kUndecided) return value;
  return value == Tri::kTrue ? Tri::kFalse : Tri::kTrue;
}

Tri TriOf(bool value) { return value ? Tri::kTrue : Tri::kFalse; }

Tri EqualTo(const OpView& op, const Scalar& a, const Scalar& b) {
  if (a.is_int() && b.is_int()) return op.dims().Equal(a.dim(), b.dim());
  if (a.is_constant() && b.is_constant()) return TriOf(a.number() == b.number());
  return Tri::kUndecided;
}

Tri LessOrEqualTo(const OpView& op, const Scalar& a, const Scalar& b) {
  if (a.is_int() && b.is_int()) return op.dims().LessEqual(a.dim(), b.dim());
  if (a.is_constant() && b.is_constant()) return TriOf(a.number() <= b.number());
  return Tri::kUndecided;
}

Tri LessThan(const OpView& op, const Scalar& a, const Scalar& b) {
  if (a.is_int() && b.is_int()) return Negate(op.dims().LessEqual(b.dim(), a.dim()));
  if (a.is_constant() && b.is_constant()) return TriOf(a.number() < b.number());
  return Tri::kUndecided;
}

Scalar Wrap(ElemType to, int64_t value) {
  const int bits = ElemBits(to);
  if (!IsInteger(to) || bits <= 0 || bits >= 64) return FitTo(to, Scalar::Int(value));
  const uint64_t low = static_cast<uint64_t>(value) & ((uint64_t{1} << bits) - 1);
  const Scalar plain = FitTo(to, Scalar::Int(static_cast<int64_t>(low)));
  return plain.is_unknown() ? Scalar::Int(static_cast<int64_t>(low) - (int64_t{1} << bits)) : plain;
}

Scalar TruncateFloat(ElemType to, double value) {
  const Scalar whole = FromDouble(std::trunc(value) + 0.0);  // -0.5 truncates to 0, not to -0
  return whole.is_int() ? FitTo(to, whole) : Scalar();
}

// A remainder of floats that is zero has the divisor's sign.
Scalar SignedZero(const OpView& op, Dim remainder, Dim divisor) {
  const bool negative = divisor.is_constant() && divisor.value() < 0;
  if (IsFloat(ElemOf(op)) && remainder.IsConstant(0) && negative) return Scalar::Float(-0.0);
  return Scalar::Int(remainder);
}

}  // namespace

bool IsNonNegative(const DimPool& dims, Dim dim) { return dims.LessEqual(0, dim) == Tri::kTrue; }
bool IsPositive(const DimPool& dims, Dim dim) { return dims.LessEqual(1, dim) == Tri::kTrue; }

Dim TruncDiv(DimPool& dims, Dim a, Dim b) {
  if (a.is_unknown() || b.is_unknown() || b.IsConstant(0)) return Dim::Unknown();
  if (b.is_constant() && b.value() < 0) return TruncDiv(dims, dims.Neg(a), dims.Neg(b));
  const Dim quotient = dims.ExactDiv(a, b);
  if (dims.Mul(quotient, b) == a) return quotient;
  if (!b.is_constant() && !IsNonNegative(dims, b)) return Dim::Unknown();
  if (IsNonNegative(dims, a)) return quotient;
  if (dims.LessEqual(a, 0) == Tri::kTrue) return dims.Neg(dims.FloorDiv(dims.Neg(a), b));
  const Dim positive = dims.FloorDiv(dims.Max(a, 0), b);
  return dims.Sub(positive, dims.FloorDiv(dims.Max(dims.Neg(a), 0), b));
}

Scalar AddScalars(const OpView& op, absl::Span<const Scalar> args) {
  return Fold(op, args, [](DimPool& d, Dim a, Dim b) { return d.Add(a, b); }, std::plus<double>());
}

Scalar SubScalars(const OpView& op, absl::Span<const Scalar> args) {
  return Fold(op, args, [](DimPool& d, Dim a, Dim b) { return d.Sub(a, b); }, std::minus<double>());
}

Scalar MulScalars(const OpView& op, absl::Span<const Scalar> args) {
  const auto is_zero = [](const Scalar& s) { return s.is_int() && s.dim() == Dim(0); };
  const bool zero = std::any_of(args.begin(), args.end(), is_zero);
  if (zero && !IsFloat(ElemOf(op))) return Scalar::Int(0);
  return Fold(op, args, [](DimPool& d, Dim a, Dim b) { return d.Mul(a, b); }, std::multiplies<double>());
}

Scalar DivScalars(const OpView& op, absl::Span<const Scalar> args) {
  if (args.size() != 2 || args[0].is_unknown() || args[1].is_unknown()) return Scalar();
  if (IsFloat(ElemOf(op))) return DivideFloats(op, args[0], args[1]);
  if (!AllInts(args)) return Scalar();
  return FitTo(ElemOf(op), Scalar::Int(TruncDiv(op.dims(), args[0].dim(), args[1].dim())));
}

Scalar ModScalars(const OpView& op, absl::Span<const Scalar> args) {
  if (args.size() != 2) return Scalar();
  const bool c_sign = op.attr("fmod", int64_t{0}) != 0;
  if (AllInts(args)) {
    const Dim a = args[0].dim(), b = args[1].dim();
    if (b.IsConstant(0)) return Scalar();
    if (!c_sign) return SignedZero(op, op.dims().Mod(a, b), b);
    if (IsNonNegative(op.dims(), a) && IsPositive(op.dims(), b)) return Scalar::Int(op.dims().Mod(a, b));
  }
  if (!c_sign || !AllConstant(args)) return Scalar();
  return FitTo(ElemOf(op), FromDouble(std::fmod(args[0].number(), args[1].number())));
}

Scalar PowScalars(const OpView& op, absl::Span<const Scalar> args) {
  constexpr int64_t kMaxExponent = 64;
  if (args.size() != 2) return Scalar();
  if (AllInts(args) && args[1].is_constant()) {
    const int64_t exponent = args[1].dim().value();
    if (exponent >= 0 && exponent <= kMaxExponent) {
      Dim power = 1;
      for (int64_t i = 0; i < exponent; ++i) power = op.dims().Mul(power, args[0].dim());
      return FitTo(ElemOf(op), Scalar::Int(power));
    }
  }
  if (!AllConstant(args) || !IsFloat(ElemOf(op))) return Scalar();
  return FitTo(ElemOf(op), FromDouble(portable::Pow(args[0].number(), args[1].number())));
}

Scalar MinScalars(const OpView& op, absl::Span<const Scalar> args) {
  return Fold(
      op, args, [](DimPool& d, Dim a, Dim b) { return d.Min(a, b); },
      [](double a, double b) { return std::isnan(a) || a < b ? a : b; });
}

Scalar MaxScalars(const OpView& op, absl::Span<const Scalar> args) {
  return Fold(
      op, args, [](DimPool& d, Dim a, Dim b) { return d.Max(a, b); },
      [](double a, double b) { return std::isnan(a) || a > b ? a : b; });
}

Scalar ClipScalar(const OpView& op, absl::Span<const Scalar> args) {
  if (args.empty()) return Scalar();
  Scalar value = args[0];
  if (args.size() > 1 && op.has_input(1)) value = MaxScalars(op, {value, args[1]});
  if (args.size() > 2 && op.has_input(2)) value = MinScalars(op, {value, args[2]});
  return value;
}

Scalar NegScalar(const OpView& op, absl::Span<const Scalar> args) {
  if (args.empty() || args[0].is_unknown()) return Scalar();
  if (args[0].is_int()) return FitTo(ElemOf(op), Scalar::Int(op.dims().Neg(args[0].dim())));
  return FitTo(ElemOf(op), FromDouble(-args[0].number()));
}

Scalar AbsScalar(const OpView& op, absl::Span<const Scalar> args) {
  if (args.empty() || args[0].is_unknown()) return Scalar();
  if (args[0].is_float()) return FitTo(ElemOf(op), FromDouble(std::abs(args[0].number())));
  const Dim dim = args[0].dim();
  if (IsNonNegative(op.dims(), dim)) return args[0];
  const Dim negated = op.dims().Neg(dim);
  const bool negative = op.dims().LessEqual(dim, 0) == Tri::kTrue;
  return FitTo(ElemOf(op), Scalar::Int(negative ? negated : op.dims().Max(dim, negated)));
}

Scalar SignScalar(const OpView& op, absl::Span<const Scalar> args) {
  if (args.empty() || args[0].is_unknown()) return Scalar();
  if (args[0].is_float()) return MapNumber(op, args, [](double x) { return x > 0 ? 1.0 : x < 0 ? -1.0 : x; });
  const Dim dim = args[0].dim();
  if (dim.IsConstant(0)) return Scalar::Int(0);
  if (IsPositive(op.dims(), dim)) return Scalar::Int(1);
  return op.dims().LessEqual(dim, -1) == Tri::kTrue ? Scalar::Int(-1) : Scalar();
}

Scalar ReluScalar(const OpView& op, absl::Span<const Scalar> args) {
  return args.empty() ? Scalar() : MaxScalars(op, {args[0], Scalar::Int(0)});
}

Scalar FloorScalar(const OpView& op, absl::Span<const Scalar> args) {
  return RoundNumber(op, args, [](double x) { return std::floor(x); });
}

Scalar CeilScalar(const OpView& op, absl::Span<const Scalar> args) {
  return RoundNumber(op, args, [](double x) { return std::ceil(x); });
}

Scalar RoundScalar(const OpView& op, absl::Span<const Scalar> args) {
  return RoundNumber(op, args, [](double x) { return std::nearbyint(x); });
}

Scalar SqrtScalar(const OpView& op, absl::Span<const Scalar> args) {
  return MapNumber(op, args, [](double x) { return std::sqrt(x); });
}

Scalar ReciprocalScalar(const OpView& op, absl::Span<const Scalar> args) {
  return MapNumber(op, args, [](double x) { return 1.0 / x; });
}

Scalar EqualScalars(const OpView& op, absl::Span<const Scalar> args) {
  return args.size() == 2 ? FromTri(EqualTo(op, args[0], args[1])) : Scalar();
}

Scalar LessScalars(const OpView& op, absl::Span<const Scalar> args) {
  return args.size() == 2 ? FromTri(LessThan(op, args[0], args[1])) : Scalar();
}

Scalar LessOrEqualScalars(const OpView& op, absl::Span<const Scalar> args) {
  return args.size() == 2 ? FromTri(LessOrEqualTo(op, args[0], args[1])) : Scalar();
}

Scalar GreaterScalars(const OpView& op, absl::Span<const Scalar> args) {
  return args.size() == 2 ? FromTri(LessThan(op, args[1], args[0])) : Scalar();
}

Scalar GreaterOrEqualScalars(const OpView& op, absl::Span<const Scalar> args) {
  return args.size() == 2 ? FromTri(LessOrEqualTo(op, args[1], args[0])) : Scalar();
}

Scalar NotScalar(const OpView& op, absl::Span<const Scalar> args) {
  const auto truth = args.empty() ? std::nullopt : Truth(op.dims(), args[0]);
  return truth.has_value() ? FromBool(!*truth) : Scalar();
}

Scalar AndScalars(const OpView& op, absl::Span<const Scalar> args) {
  if (args.size() != 2) return Scalar();
  const auto a = Truth(op.dims(), args[0]), b = Truth(op.dims(), args[1]);
  if (a == false || b == false) return FromBool(false);
  return a.has_value() && b.has_value() ? FromBool(true) : Scalar();
}

Scalar OrScalars(const OpView& op, absl::Span<const Scalar> args) {
  if (args.size() != 2) return Scalar();
  const auto a = Truth(op.dims(), args[0]), b = Truth(op.dims(), args[1]);
  if (a == true || b == true) return FromBool(true);
  return a.has_value() && b.has_value() ? FromBool(false) : Scalar();
}

Scalar XorScalars(const OpView& op, absl::Span<const Scalar> args) {
  if (args.size() != 2) return Scalar();
  const auto a = Truth(op.dims(), args[0]), b = Truth(op.dims(), args[1]);
  return a.has_value() && b.has_value() ? FromBool(*a != *b) : Scalar();
}

Scalar IsNanScalar(const OpView&, absl::Span<const Scalar> args) {
  if (args.empty() || args[0].is_unknown()) return Scalar();
  return FromBool(args[0].is_float() && std::isnan(args[0].number()));
}

Scalar WhereScalars(const OpView& op, absl::Span<const Scalar> args) {
  if (args.size() != 3) return Scalar();
  const auto condition = Truth(op.dims(), args[0]);
  if (condition.has_value()) return *condition ? args[1] : args[2];
  return args[1] == args[2] ? args[1] : Scalar();
}

Scalar CastScalar(DimPool& dims, ElemType from, ElemType to, const Scalar& value) {
  if (value.is_unknown()) return value;
  if (to == ElemType::kBool) {
    const auto truth = Truth(dims, value);
    return truth.has_value() ? FromBool(*truth) : Scalar();
  }
  if (!IsFloat(to) && !IsInteger(to)) return Scalar();
  if (IsFloat(to) || !value.is_constant()) return FitTo(to, value);
  if (value.is_float()) return TruncateFloat(to, value.number());
  return IsFloat(from) ? FitTo(to, value) : Wrap(to, value.dim().value());
}

}  // namespace hwest
