// Floor division and modulo: the simplifications applied when such an atom is built.
#include <numeric>

#include "base/checked_math.h"
#include "ir/dim_impl.h"

namespace hwest {
namespace {

constexpr int kMaxRewrites = 64;

// The index of the only monomial atom*1 whose atom is a floor division; none when there is no such or several.
template <class IsFloorDiv>
std::optional<size_t> OnlyFloorDiv(const Poly& poly, IsFloorDiv is_floor_div) {
  std::optional<size_t> found;
  for (size_t i = 0; i < poly.size(); ++i) {
    if (poly[i].coef != 1 || !poly[i].is_linear() || !is_floor_div(poly[i].factors[0].atom.term)) continue;
    if (found) return std::nullopt;
    found = i;
  }
  return found;
}

Poly Without(const Poly& poly, size_t index) {
  Poly rest = poly;
  rest.erase(rest.begin() + static_cast<ptrdiff_t>(index));
  return rest;
}

// a + b * c; none past int64.
std::optional<Poly> MulAdd(const Poly& a, const Poly& b, const Poly& c) {
  const auto product = MulPoly(b, c);
  return product ? AddPoly(a, *product) : std::nullopt;
}

// The value outer + scale * op(num, den) while op(num, den) is being simplified; op is floor division or mod. A rewrite
// returns true when it changed something; `failed` means that an intermediate result left int64.
struct Quotient {
  Poly outer;
  Poly scale = ConstantPoly(1);
  Poly num;
  Poly den;
  bool failed = false;

  // Takes the value of `poly`, or notes the failure.
  bool Set(Poly* target, std::optional<Poly> poly) {
    if (!poly) failed = true;
    if (poly) *target = *std::move(poly);
    return !failed;
  }
  // outer += scale * poly
  bool AddOuter(const Poly& poly) { return Set(&outer, MulAdd(outer, scale, poly)); }
  bool Negate(Poly* poly) { return Set(poly, ScalePoly(*poly, -1)); }
};

// Makes the leading coefficient of the divisor positive: a // b = -a // -b, a % b = -(-a % -b).
bool FixDivisorSign(Quotient& q, TermKind kind) {
  if (LeadingCoef(q.den) > 0) return false;
  return q.Negate(&q.den) && q.Negate(&q.num) && (kind == TermKind::kFloorDiv || q.Negate(&q.scale));
}

// Cancels the atoms common to both: (x*p) // (x*d) = p // d, (x*p) % (x*d) = x * (p % d).
bool CancelFactors(Quotient& q, TermKind kind) {
  if (q.num.empty()) return false;
  const Factors common = CommonFactors(q.num, q.den);
  if (common.empty()) return false;
  q.num = DivideByFactors(q.num, common);
  q.den = DivideByFactors(q.den, common);
  if (kind == TermKind::kMod) q.Set(&q.scale, MulPoly(q.scale, Poly{Monomial{.coef = 1, .factors = common}}));
  return true;
}

// Cancels the greatest common divisor g of all coefficients. With a positive divisor the dividend's constant k need
// not be a multiple: (g*p + k) // (g*d) = (p + k//g) // d, (g*p + k) % (g*d) = g*((p + k//g) % d) + k % g.
bool CancelContent(Quotient& q, TermKind kind, bool positive) {
  const auto constant = positive ? ConstantTerm::kSkip : ConstantTerm::kInclude;
  const int64_t content = std::gcd(ContentOf(q.num, constant), ContentOf(q.den, ConstantTerm::kInclude));
  if (content <= 1) return false;
  if (kind == TermKind::kMod) {
    if (!q.AddOuter(ConstantPoly(*CheckedMod(ConstantOf(q.num), content)))) return false;
    q.Set(&q.scale, ScalePoly(q.scale, content));
  }
  q.num = DivideCoefs(q.num, content);
  q.den = DivideCoefs(q.den, content);
  return true;
}

// Takes the multiples of the divisor out of the dividend.
void Reduce(Quotient& q, TermKind kind) {
  const auto division = DividePoly(q.num, q.den);
  if (!division) return;
  if (kind == TermKind::kFloorDiv && !q.AddOuter(division->quotient)) return;
  q.num = division->remainder;
}

// Coefficients of a dividend modulo a constant: in (-den/2, den/2], the constant term in [0, den).
void BalanceResidues(Quotient& q) {
  const int64_t divisor = ConstantOf(q.den);
  Poly balanced;
  for (const Monomial& term : q.num) {
    int64_t coef = *CheckedMod(term.coef, divisor);
    if (!term.is_constant() && coef > divisor / 2) coef -= divisor;
    if (coef != 0) balanced.push_back(Monomial{.coef = coef, .factors = term.factors});
  }
  q.num = std::move(balanced);
}

}  // namespace

// The rewrites that look into atoms.
struct QuotientRules {
  DimStore& pool;

  // The constant divisor of a monomial k * (y op d) when it is one, else 0.
  int64_t ConstantDivisor(const Monomial& term, TermKind kind) const {
    if (!term.is_linear()) return 0;
    const Term& atom = pool.term(term.factors[0].atom.term);
    return atom.kind == kind && atom.args[1].is_constant() ? atom.args[1].value() : 0;
  }

  // k * (y % d) in a dividend by a constant c with c | k*d: y % d = y - d*(y // d), and the last part is a multiple of
  // c: it goes out of a quotient and vanishes from a remainder.
  bool ExpandMod(Quotient& q, TermKind kind) const {
    const int64_t divisor = ConstantOf(q.den);
    for (size_t i = 0; i < q.num.size(); ++i) {
      const int64_t inner = ConstantDivisor(q.num[i], TermKind::kMod);
      const auto multiple = CheckedMul(q.num[i].coef, inner);
      if (inner == 0 || !multiple || *multiple % divisor != 0) continue;
      const Term& atom = pool.term(q.num[i].factors[0].atom.term);
      const Dim y = atom.args[0];
      const int64_t coef = q.num[i].coef;
      const Dim whole = kind == TermKind::kFloorDiv ? pool.FloorDiv(y, inner) : Dim(0);
      if (whole.is_unknown()) return false;
      if (!q.Set(&q.num, MulAdd(Without(q.num, i), pool.PolyOf(y), ConstantPoly(coef)))) return false;
      const auto taken = ScalePoly(pool.PolyOf(whole), -(*multiple / divisor));
      if (!taken) q.failed = true;
      return taken && q.AddOuter(*taken);
    }
    return false;
  }

  // (x + y // d) // c = (x*d + y) // (c*d) for positive c and d.
  bool MergeFloorDiv(Quotient& q) const {
    const auto index = OnlyFloorDiv(q.num, [&](uint32_t id) { return pool.term(id).kind == TermKind::kFloorDiv; });
    if (!index) return false;
    const Term& atom = pool.term(q.num[*index].factors[0].atom.term);
    const Poly inner = pool.PolyOf(atom.args[1]);
    if (!pool.AtLeast(inner, 0)) return false;
    const auto num = MulAdd(pool.PolyOf(atom.args[0]), Without(q.num, *index), inner);
    const auto den = MulPoly(q.den, inner);
    if (!num || !den || !pool.Fits(*num) || !pool.Fits(*den)) return false;
    q.num = *num;
    q.den = *den;
    return true;
  }

  // Makes the leading coefficient of a dividend positive: a // b = -1 - (-a - 1) // b for positive b.
  bool FixDividendSign(Quotient& q) const {
    if (LeadingCoef(q.num) > 0) return false;
    if (!q.AddOuter(ConstantPoly(-1)) || !q.Negate(&q.scale) || !q.Negate(&q.num)) return false;
    return q.Set(&q.num, AddConstant(q.num, -1));
  }

  // The quotient when bounds leave only one value; requires a positive divisor.
  std::optional<int64_t> DecidedQuotient(const Quotient& q) const {
    if (IsConstant(q.den)) {
      const Interval range = pool.IntervalOf(q.num);
      if (!range.bounded_below() || !range.bounded_above()) return std::nullopt;
      const auto low = CheckedFloorDiv(range.min, ConstantOf(q.den));
      return low && low == CheckedFloorDiv(range.max, ConstantOf(q.den)) ? low : std::nullopt;
    }
    const auto next = AddConstant(q.num, 1);
    if (pool.AtLeast(q.num, 0) && next && pool.ProvenLessEqual(*next, q.den)) return 0;
    const auto sum = AddPoly(q.num, q.den);
    if (next && sum && pool.AtLeast(*sum, 0) && !pool.AtLeast(q.num, 0)) {
      const auto negative = ScalePoly(*next, -1);
      if (negative && pool.AtLeast(*negative, 0)) return -1;
    }
    return std::nullopt;
  }

  // One round of rewrites; true when another round may find more.
  bool Rewrite(Quotient& q, TermKind kind) const {
    if (FixDivisorSign(q, kind)) return true;
    const bool positive = pool.AtLeast(q.den, 0);  // 0 itself is undefined
    const bool constant = IsConstant(q.den);
    if (CancelFactors(q, kind) || CancelContent(q, kind, positive)) return true;
    Reduce(q, kind);
    if (constant && kind == TermKind::kMod) BalanceResidues(q);
    if (q.failed || q.num.empty()) return false;
    if (constant && ExpandMod(q, kind)) return true;
    if (!positive) return CancelFactors(q, kind) || CancelContent(q, kind, positive);
    if (kind == TermKind::kFloorDiv && (FixDividendSign(q) || MergeFloorDiv(q))) return true;
    return CancelFactors(q, kind) || CancelContent(q, kind, positive);
  }
};

Dim DimStore::FloorDiv(Dim a, Dim b) {
  if (b.IsConstant(0)) return Dim::Unknown();
  if (a.is_constant() && b.is_constant()) {
    const auto quotient = CheckedFloorDiv(a.value(), b.value());
    return quotient ? Dim(*quotient) : Overflowed();
  }
  if (b.IsConstant(1)) return a;
  const Definition definition{DimOp::kFloorDiv, a, b};
  const QuotientRules rules{*this};
  Quotient q{.num = PolyOf(a), .den = PolyOf(b)};
  for (int i = 0; i < kMaxRewrites && rules.Rewrite(q, TermKind::kFloorDiv); ++i) {
  }
  if (!q.failed && !q.num.empty() && AtLeast(q.den, 0)) {
    if (const auto value = rules.DecidedQuotient(q)) {
      q.AddOuter(ConstantPoly(*value));
      q.num.clear();
    }
  }
  if (q.failed || !Fits(q.num) || !Fits(q.den)) return Atom(TermKind::kFloorDiv, {a, b}, definition);
  if (q.num.empty()) return Finish(q.outer, definition);
  const Dim atom = Atom(TermKind::kFloorDiv, {FromPoly(q.num), FromPoly(q.den)}, definition);
  return Finish(MulAdd(q.outer, q.scale, PolyOf(atom)), definition);
}

Dim DimStore::Mod(Dim a, Dim b) {
  if (b.IsConstant(0)) return Dim::Unknown();
  if (a.is_constant() && b.is_constant()) return Dim(*CheckedMod(a.value(), b.value()));
  const Definition definition{DimOp::kMod, a, b};
  const QuotientRules rules{*this};
  Quotient q{.num = PolyOf(a), .den = PolyOf(b)};
  for (int i = 0; i < kMaxRewrites && rules.Rewrite(q, TermKind::kMod); ++i) {
  }
  if (!q.failed && !q.num.empty() && AtLeast(q.den, 0)) {
    if (const auto value = rules.DecidedQuotient(q)) {
      const auto taken = MulAdd(q.num, q.den, ConstantPoly(-*value));
      if (!taken || !q.AddOuter(*taken)) q.failed = true;
      q.num.clear();
    }
  }
  if (q.failed || !Fits(q.num) || !Fits(q.den)) return Atom(TermKind::kMod, {a, b}, definition);
  if (q.num.empty()) return Finish(q.outer, definition);
  const Dim atom = Atom(TermKind::kMod, {FromPoly(q.num), FromPoly(q.den)}, definition);
  return Finish(MulAdd(q.outer, q.scale, PolyOf(atom)), definition);
}

}  // namespace hwest
