// Polynomials over the atoms of a DimPool, as plain values: the arithmetic that needs no pool.
//
// A polynomial is a list of monomials in descending order (degree first, then atoms in ascending order), without zero
// coefficients, so equal polynomials are equal lists. Every result is exact; none stands for int64 overflow.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "hwest/dim.h"

namespace hwest {

// AtomRef names an atom by its term id. Symbols order before composite atoms, then by id.
struct AtomRef {
  uint32_t term = 0;
  bool composite = false;

  bool operator==(const AtomRef&) const = default;
  bool operator<(const AtomRef& other) const {
    return composite != other.composite ? other.composite : term < other.term;
  }
};

struct PolyFactor {
  AtomRef atom;
  uint32_t power = 1;  // at least 1

  bool operator==(const PolyFactor&) const = default;
};

using Factors = absl::InlinedVector<PolyFactor, 3>;

// coef * product of factor.atom ** factor.power, factors in ascending atom order.
struct Monomial {
  int64_t coef = 0;
  Factors factors;

  bool operator==(const Monomial&) const = default;
  bool is_constant() const { return factors.empty(); }
  // True for coef * atom.
  bool is_linear() const { return factors.size() == 1 && factors[0].power == 1; }
};

using Poly = absl::InlinedVector<Monomial, 2>;

template <class H>
H AbslHashValue(H state, const PolyFactor& factor) {
  return H::combine(std::move(state), factor.atom.term, factor.power);
}
template <class H>
H AbslHashValue(H state, const Monomial& monomial) {
  return H::combine(std::move(state), monomial.coef, monomial.factors);
}

Poly ConstantPoly(int64_t value);
uint32_t Degree(const Factors& factors);
uint32_t Degree(const Poly& poly);
// The constant term; 0 when there is none.
int64_t ConstantOf(const Poly& poly);
// True for the zero polynomial and for constants.
bool IsConstant(const Poly& poly);
// Coefficient of the leading monomial; requires a polynomial other than 0.
int64_t LeadingCoef(const Poly& poly);

std::optional<Poly> AddPoly(const Poly& a, const Poly& b);
std::optional<Poly> SubPoly(const Poly& a, const Poly& b);
std::optional<Poly> MulPoly(const Poly& a, const Poly& b);
std::optional<Poly> ScalePoly(const Poly& a, int64_t factor);
std::optional<Poly> AddConstant(const Poly& a, int64_t value);

// Quotient and remainder: a = quotient * b + remainder.
struct Division {
  Poly quotient;
  Poly remainder;
};

// DividePoly divides by the leading monomial of `b`. Coefficients divide toward zero, a constant by a constant toward
// minus infinity, so the remainder of equal dividends modulo b is the same. Requires b != 0. None past int64 or when
// the quotient grows beyond any use.
std::optional<Division> DividePoly(const Poly& a, const Poly& b);

// The greatest common divisor of the coefficients (without the constant term's when `skip_constant`); 0 for none.
enum class ConstantTerm { kInclude, kSkip };
int64_t ContentOf(const Poly& poly, ConstantTerm constant);
// The product of atoms that divides every monomial of both polynomials.
Factors CommonFactors(const Poly& a, const Poly& b);
// Divides every monomial by `factors`, which must divide each.
Poly DivideByFactors(const Poly& poly, const Factors& factors);
// Divides every coefficient by `divisor` > 0, the constant term toward minus infinity; the others must be multiples.
Poly DivideCoefs(const Poly& poly, int64_t divisor);

}  // namespace hwest
