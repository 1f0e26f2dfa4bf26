// Arithmetic on single elements of known tensors: exact on integer expressions, rounded as the element type rounds.
#pragma once

#include "absl/types/span.h"
#include "op/known.h"
#include "op/rule.h"

namespace hwest {

// ScalarFn computes one output element of `op` from the elements of its inputs at the same place. The element type is
// that of input 0 (of input 1 for Where). What cannot be determined is unknown.
using ScalarFn = Scalar (*)(const OpView& op, absl::Span<const Scalar> args);

Scalar AddScalars(const OpView& op, absl::Span<const Scalar> args);  // any number of operands, as Sum
Scalar SubScalars(const OpView& op, absl::Span<const Scalar> args);
Scalar MulScalars(const OpView& op, absl::Span<const Scalar> args);
Scalar DivScalars(const OpView& op, absl::Span<const Scalar> args);  // integers: toward zero
Scalar ModScalars(const OpView& op, absl::Span<const Scalar> args);  // reads attribute fmod
Scalar PowScalars(const OpView& op, absl::Span<const Scalar> args);
Scalar MinScalars(const OpView& op, absl::Span<const Scalar> args);
Scalar MaxScalars(const OpView& op, absl::Span<const Scalar> args);
Scalar ClipScalar(const OpView& op, absl::Span<const Scalar> args);  // bounds as inputs
Scalar NegScalar(const OpView& op, absl::Span<const Scalar> args);
Scalar AbsScalar(const OpView& op, absl::Span<const Scalar> args);
Scalar SignScalar(const OpView& op, absl::Span<const Scalar> args);
Scalar ReluScalar(const OpView& op, absl::Span<const Scalar> args);
Scalar FloorScalar(const OpView& op, absl::Span<const Scalar> args);
Scalar CeilScalar(const OpView& op, absl::Span<const Scalar> args);
Scalar RoundScalar(const OpView& op, absl::Span<const Scalar> args);  // ties to even
Scalar SqrtScalar(const OpView& op, absl::Span<const Scalar> args);
Scalar ReciprocalScalar(const OpView& op, absl::Span<const Scalar> args);

// Three-valued: undecided is unknown.
Scalar EqualScalars(const OpView& op, absl::Span<const Scalar> args);
Scalar LessScalars(const OpView& op, absl::Span<const Scalar> args);
Scalar LessOrEqualScalars(const OpView& op, absl::Span<const Scalar> args);
Scalar GreaterScalars(const OpView& op, absl::Span<const Scalar> args);
Scalar GreaterOrEqualScalars(const OpView& op, absl::Span<const Scalar> args);
Scalar NotScalar(const OpView& op, absl::Span<const Scalar> args);
Scalar AndScalars(const OpView& op, absl::Span<const Scalar> args);
Scalar OrScalars(const OpView& op, absl::Span<const Scalar> args);
Scalar XorScalars(const OpView& op, absl::Span<const Scalar> args);
Scalar IsNanScalar(const OpView& op, absl::Span<const Scalar> args);
Scalar WhereScalars(const OpView& op, absl::Span<const Scalar> args);

// CastScalar converts an element from one type to another; floats go to integers toward zero.
Scalar CastScalar(DimPool& dims, ElemType from, ElemType to, const Scalar& value);

// Quotient toward zero, also of expressions of either sign; unknown when the divisor may be zero or negative and is no
// constant.
Dim TruncDiv(DimPool& dims, Dim a, Dim b);

bool IsNonNegative(const DimPool& dims, Dim dim);
bool IsPositive(const DimPool& dims, Dim dim);

// KnownRoundedQuotient fills unknown elements of output 0 of Floor, Ceil and Cast to an integer type where input 0 is
// a quotient or product of integer expressions and fractions, e.g. Floor(Div(Cast(height), 2)), Cast(Mul(width, 0.5)).
enum class Rounding { kFloor, kCeil, kTowardZero };
void KnownRoundedQuotient(InferContext& ctx, Rounding rounding);

}  // namespace hwest
