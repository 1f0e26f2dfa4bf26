#include "ir/dim_poly.h"

#include <algorithm>
#include <numeric>

#include "base/checked_math.h"

namespace hwest {
namespace {

constexpr size_t kMaxDivisionSteps = 256;

// Order of monomials: negative when `a` comes first. Higher degree first, then the lower atom with the higher power.
int Compare(const Factors& a, const Factors& b) {
  const uint32_t degree_a = Degree(a), degree_b = Degree(b);
  if (degree_a != degree_b) return degree_a > degree_b ? -1 : 1;
  for (size_t i = 0; i < a.size() && i < b.size(); ++i) {
    if (a[i].atom != b[i].atom) return a[i].atom < b[i].atom ? -1 : 1;
    if (a[i].power != b[i].power) return a[i].power > b[i].power ? -1 : 1;
  }
  return 0;  // same degree and a common prefix: the same product
}

Factors Multiply(const Factors& a, const Factors& b) {
  Factors product;
  size_t i = 0, j = 0;
  while (i < a.size() || j < b.size()) {
    if (j == b.size() || (i < a.size() && a[i].atom < b[j].atom)) {
      product.push_back(a[i++]);
    } else if (i == a.size() || b[j].atom < a[i].atom) {
      product.push_back(b[j++]);
    } else {
      product.push_back(PolyFactor{.atom = a[i].atom, .power = a[i].power + b[j].power});
      ++i;
      ++j;
    }
  }
  return product;
}

std::optional<Factors> Divide(const Factors& a, const Factors& b) {
  Factors quotient;
  size_t j = 0;
  for (const PolyFactor& factor : a) {
    uint32_t power = factor.power;
    if (j < b.size() && b[j].atom == factor.atom) {
      if (b[j].power > power) return std::nullopt;
      power -= b[j++].power;
    }
    if (power > 0) quotient.push_back(PolyFactor{.atom = factor.atom, .power = power});
  }
  if (j != b.size()) return std::nullopt;
  return quotient;
}

// Sorts monomials and adds those of equal factors.
std::optional<Poly> Normalise(Poly terms) {
  std::sort(terms.begin(), terms.end(),
            [](const Monomial& a, const Monomial& b) { return Compare(a.factors, b.factors) < 0; });
  Poly sum;
  for (Monomial& term : terms) {
    if (!sum.empty() && sum.back().factors == term.factors) {
      const auto coef = CheckedAdd(sum.back().coef, term.coef);
      if (!coef) return std::nullopt;
      sum.back().coef = *coef;
    } else {
      if (!sum.empty() && sum.back().coef == 0) sum.pop_back();
      sum.push_back(std::move(term));
    }
  }
  if (!sum.empty() && sum.back().coef == 0) sum.pop_back();
  return sum;
}

std::optional<Poly> MulMonomial(const Poly& a, const Monomial& b) {
  Poly product;
  for (const Monomial& term : a) {
    const auto coef = CheckedMul(term.coef, b.coef);
    if (!coef) return std::nullopt;
    product.push_back(Monomial{.coef = *coef, .factors = Multiply(term.factors, b.factors)});
  }
  return product;
}

int64_t Gcd(int64_t a, int64_t b) {
  if (a == INT64_MIN || b == INT64_MIN) return 1;
  return std::gcd(a, b);
}

// The part of `term` that `divisor` takes out; none when it takes nothing.
std::optional<Monomial> QuotientTerm(const Monomial& term, const Monomial& divisor) {
  const auto factors = Divide(term.factors, divisor.factors);
  if (!factors || (term.coef == INT64_MIN && divisor.coef == -1)) return std::nullopt;
  const bool constants = term.is_constant() && divisor.is_constant();
  const int64_t coef = constants ? *CheckedFloorDiv(term.coef, divisor.coef) : term.coef / divisor.coef;
  if (coef == 0) return std::nullopt;
  return Monomial{.coef = coef, .factors = *factors};
}

}  // namespace

Poly ConstantPoly(int64_t value) { return value == 0 ? Poly{} : Poly{Monomial{.coef = value}}; }

uint32_t Degree(const Factors& factors) {
  uint32_t degree = 0;
  for (const PolyFactor& factor : factors) degree += factor.power;
  return degree;
}

uint32_t Degree(const Poly& poly) { return poly.empty() ? 0 : Degree(poly.front().factors); }

int64_t ConstantOf(const Poly& poly) { return !poly.empty() && poly.back().is_constant() ? poly.back().coef : 0; }

bool IsConstant(const Poly& poly) { return poly.empty() || poly.front().is_constant(); }

int64_t LeadingCoef(const Poly& poly) { return poly.front().coef; }

std::optional<Poly> AddPoly(const Poly& a, const Poly& b) {
  Poly terms = a;
  terms.insert(terms.end(), b.begin(), b.end());
  return Normalise(std::move(terms));
}

std::optional<Poly> SubPoly(const Poly& a, const Poly& b) {
  const auto negative = ScalePoly(b, -1);
  if (!negative) return std::nullopt;
  return AddPoly(a, *negative);
}

std::optional<Poly> MulPoly(const Poly& a, const Poly& b) {
  Poly terms;
  for (const Monomial& term : b) {
    const auto part = MulMonomial(a, term);
    if (!part) return std::nullopt;
    terms.insert(terms.end(), part->begin(), part->end());
  }
  return Normalise(std::move(terms));
}

std::optional<Poly> ScalePoly(const Poly& a, int64_t factor) {
  if (factor == 0) return Poly{};
  return MulMonomial(a, Monomial{.coef = factor});
}

std::optional<Poly> AddConstant(const Poly& a, int64_t value) { return AddPoly(a, ConstantPoly(value)); }

std::optional<Division> DividePoly(const Poly& a, const Poly& b) {
  Division division;
  Poly rest = a;
  const Monomial& lead = b.front();
  for (size_t steps = 0; !rest.empty(); ++steps) {
    if (steps == kMaxDivisionSteps) return std::nullopt;
    const auto quotient = QuotientTerm(rest.front(), lead);
    if (!quotient) {
      division.remainder.push_back(rest.front());
      rest.erase(rest.begin());
      continue;
    }
    division.quotient.push_back(*quotient);
    const auto taken = MulMonomial(b, *quotient);
    if (!taken) return std::nullopt;
    const auto left = SubPoly(rest, *taken);
    if (!left) return std::nullopt;
    const bool same_lead = !left->empty() && left->front().factors == rest.front().factors;
    rest = *left;
    if (!same_lead) continue;
    division.remainder.push_back(rest.front());
    rest.erase(rest.begin());
  }
  return division;
}

int64_t ContentOf(const Poly& poly, ConstantTerm constant) {
  int64_t content = 0;
  for (const Monomial& term : poly) {
    if (constant == ConstantTerm::kSkip && term.is_constant()) continue;
    content = Gcd(content, term.coef);
  }
  return content;
}

Factors CommonFactors(const Poly& a, const Poly& b) {
  Factors common = a.empty() ? Factors{} : a.front().factors;
  const auto intersect = [&common](const Poly& poly) {
    for (const Monomial& term : poly) {
      Factors kept;
      for (const PolyFactor& factor : common) {
        for (const PolyFactor& other : term.factors) {
          if (other.atom != factor.atom) continue;
          kept.push_back(PolyFactor{.atom = factor.atom, .power = std::min(factor.power, other.power)});
        }
      }
      common = std::move(kept);
    }
  };
  intersect(a);
  intersect(b);
  return common;
}

Poly DivideByFactors(const Poly& poly, const Factors& factors) {
  Poly quotient = poly;
  for (Monomial& term : quotient) {
    if (auto left = Divide(term.factors, factors)) term.factors = *std::move(left);
  }
  return quotient;
}

Poly DivideCoefs(const Poly& poly, int64_t divisor) {
  Poly quotient;
  for (const Monomial& term : poly) {
    const int64_t coef = *CheckedFloorDiv(term.coef, divisor);
    if (coef != 0) quotient.push_back(Monomial{.coef = coef, .factors = term.factors});
  }
  return quotient;
}

}  // namespace hwest
