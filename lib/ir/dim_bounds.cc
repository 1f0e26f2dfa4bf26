// What the bounds of symbols prove about expressions: interval arithmetic with int64 ends.
#include <algorithm>
#include <numeric>

#include "base/checked_math.h"
#include "ir/dim_impl.h"

namespace hwest {
namespace {

constexpr int64_t kMinusInf = Interval::kMinusInf;
constexpr int64_t kPlusInf = Interval::kPlusInf;

bool IsInf(int64_t end) { return end == kMinusInf || end == kPlusInf; }

int64_t Clamp(__int128 value) {
  if (value <= kMinusInf) return kMinusInf;
  if (value >= kPlusInf) return kPlusInf;
  return static_cast<int64_t>(value);
}

// Product of interval ends: 0 times infinity is 0.
int64_t MulEnds(int64_t a, int64_t b) {
  if (a == 0 || b == 0) return 0;
  if (IsInf(a) || IsInf(b)) return (a < 0) == (b < 0) ? kPlusInf : kMinusInf;
  return Clamp(static_cast<__int128>(a) * b);
}

int64_t AddMins(int64_t a, int64_t b) { return IsInf(a) || IsInf(b) ? kMinusInf : Clamp(static_cast<__int128>(a) + b); }
int64_t AddMaxes(int64_t a, int64_t b) { return IsInf(a) || IsInf(b) ? kPlusInf : Clamp(static_cast<__int128>(a) + b); }

Interval Hull(std::initializer_list<int64_t> ends) { return {std::min(ends), std::max(ends)}; }

Interval AddIntervals(Interval a, Interval b) { return {AddMins(a.min, b.min), AddMaxes(a.max, b.max)}; }

Interval MulIntervals(Interval a, Interval b) {
  return Hull({MulEnds(a.min, b.min), MulEnds(a.min, b.max), MulEnds(a.max, b.min), MulEnds(a.max, b.max)});
}

Interval PowInterval(Interval base, uint32_t power) {
  Interval result{1, 1};
  for (uint32_t i = 0; i < power; ++i) result = MulIntervals(result, base);
  if (power % 2 == 0) result.min = std::max<int64_t>(result.min, 0);
  return result;
}

// Quotient of interval ends toward minus infinity, b >= 1.
int64_t DivEnds(int64_t a, int64_t b) {
  if (IsInf(a)) return a;  // also over an end without bound: that may be the largest integer itself
  if (b == kPlusInf) return a < 0 ? -1 : 0;
  return *CheckedFloorDiv(a, b);
}

Interval FloorDivIntervals(Interval a, Interval b) {
  if (b.min < 0) return {};
  const Interval divisor{std::max<int64_t>(b.min, 1), std::max<int64_t>(b.max, 1)};
  return Hull({DivEnds(a.min, divisor.min), DivEnds(a.min, divisor.max), DivEnds(a.max, divisor.min),
               DivEnds(a.max, divisor.max)});
}

Interval ModIntervals(Interval a, Interval b) {
  if (b.min < 0) return {};
  const int64_t top = b.bounded_above() ? std::max<int64_t>(b.max, 1) - 1 : kPlusInf;
  return {0, a.min >= 0 ? std::min(top, a.max) : top};
}

Interval MinIntervals(Interval a, Interval b) { return {std::min(a.min, b.min), std::min(a.max, b.max)}; }
Interval MaxIntervals(Interval a, Interval b) { return {std::max(a.min, b.min), std::max(a.max, b.max)}; }

// The result is one of the two; when neither can be below 1 it is the greater one.
Interval BroadcastIntervals(Interval a, Interval b) {
  if (a.min >= 1 && b.min >= 1) return MaxIntervals(a, b);
  return {std::min(a.min, b.min), std::max(a.max, b.max)};
}

Interval AtomInterval(TermKind kind, Interval a, Interval b) {
  switch (kind) {
    case TermKind::kFloorDiv: return FloorDivIntervals(a, b);
    case TermKind::kMod: return ModIntervals(a, b);
    case TermKind::kMin: return MinIntervals(a, b);
    case TermKind::kMax: return MaxIntervals(a, b);
    case TermKind::kBroadcast: return BroadcastIntervals(a, b);
    case TermKind::kSymbol:
    case TermKind::kPoly: break;
  }
  return {};
}

// Walks an expression once. Upper bounds of data-dependent symbols are expressions themselves, so the walk is limited
// in steps; past the limit the answer is "no bound".
class Walk {
 public:
  explicit Walk(const DimStore& pool)
      : pool_(pool), most_steps_(pool.walked_terms < DimStore::kMaxWalkedTerms ? kMaxSteps : kFewSteps) {}
  ~Walk() { pool_.walked_terms += steps_; }

  Interval Of(const Poly& poly) {
    Interval sum{0, 0};
    for (const Monomial& monomial : poly) {
      Interval product{monomial.coef, monomial.coef};
      for (const PolyFactor& factor : monomial.factors) {
        product = MulIntervals(product, PowInterval(OfTerm(factor.atom.term), factor.power));
      }
      sum = AddIntervals(sum, product);
    }
    return sum;
  }

 private:
  static constexpr int kMaxSteps = 20000, kFewSteps = 32;  // few once the pool has walked very many
  static constexpr int kMaxBoundDepth = 16;

  Interval OfDim(Dim dim) {
    if (dim.is_unknown()) return {};
    return dim.is_constant() ? Interval{dim.value(), dim.value()} : OfTerm(dim.term());
  }

  Interval OfTerm(uint32_t id) {
    if (++steps_ > most_steps_) return {};
    const Term& term = pool_.term(id);
    if (term.kind == TermKind::kSymbol) return OfSymbol(pool_.symbol(term.symbol));
    if (term.kind == TermKind::kPoly) return Of(term.poly);
    Interval result = OfDim(term.args[0]);
    for (size_t i = 1; i < term.args.size(); ++i) result = AtomInterval(term.kind, result, OfDim(term.args[i]));
    return result;
  }

  Interval OfSymbol(const Symbol& symbol) {
    Interval result{symbol.min, symbol.max.value_or(kPlusInf)};
    if (!symbol.max_expr.is_unknown() && bound_depth_ < kMaxBoundDepth) {
      ++bound_depth_;
      result.max = std::min(result.max, OfDim(symbol.max_expr).max);
      --bound_depth_;
    }
    return result;
  }

  const DimStore& pool_;
  const int most_steps_;
  int steps_ = 0;
  int bound_depth_ = 0;
};

// Replaces monomial `index` = coef * atom by coef * bound.
std::optional<Poly> Replace(const Poly& poly, size_t index, const Poly& bound) {
  Poly rest = poly;
  rest.erase(rest.begin() + static_cast<ptrdiff_t>(index));
  const auto scaled = ScalePoly(bound, poly[index].coef);
  return scaled ? AddPoly(rest, *scaled) : std::nullopt;
}

}  // namespace

Interval DimStore::IntervalOf(const Poly& poly) const { return Walk(*this).Of(poly); }

Interval DimStore::IntervalOf(const Definition& definition) const {
  const Interval a = IntervalOf(definition.a), b = IntervalOf(definition.b);
  switch (definition.op) {
    case DimOp::kAdd: return AddIntervals(a, b);
    case DimOp::kMul: return MulIntervals(a, b);
    case DimOp::kFloorDiv: return FloorDivIntervals(a, b);
    case DimOp::kMod: return ModIntervals(a, b);
    case DimOp::kMin: return MinIntervals(a, b);
    case DimOp::kMax: return MaxIntervals(a, b);
    case DimOp::kBroadcast: return BroadcastIntervals(a, b);
  }
  return {};
}

bool DimStore::AtLeast(const Poly& poly, int64_t value) const { return IntervalOf(poly).min >= value; }

// Where the interval of b - a reaches below 0, linear terms are replaced by a bound that is itself an expression: a
// data-dependent symbol by its upper bound, min(...) and max(...) by their arguments.
bool DimStore::ProvenLessEqual(const Poly& a, const Poly& b) const {
  const auto difference = SubPoly(b, a);
  if (!difference) return false;
  if (AtLeast(*difference, 0)) return true;
  for (size_t i = 0; i < difference->size(); ++i) {
    const Monomial& monomial = (*difference)[i];
    if (!monomial.is_linear()) continue;
    const Term& atom = term(monomial.factors[0].atom.term);
    DimArgs bounds;
    if (monomial.coef < 0 && atom.kind == TermKind::kSymbol) bounds = {symbol(atom.symbol).max_expr};
    if (atom.kind == (monomial.coef < 0 ? TermKind::kMin : TermKind::kMax)) bounds = atom.args;
    for (const Dim bound : bounds) {
      if (bound.is_unknown()) continue;
      const auto relaxed = Replace(*difference, i, PolyOf(bound));
      if (relaxed && AtLeast(*relaxed, 0)) return true;
    }
  }
  return false;
}

bool DimStore::ProvenUnequal(const Poly& difference) const {
  if (hwest::IsConstant(difference)) return !difference.empty();
  const Interval range = IntervalOf(difference);
  if (range.min > 0 || range.max < 0) return true;
  const int64_t content = ContentOf(difference, ConstantTerm::kSkip);
  return content > 1 && ConstantOf(difference) % content != 0;
}

Bounds DimPool::BoundsOf(Dim dim) const {
  if (dim.is_unknown()) return {};
  const Interval interval = impl_->IntervalOf(dim);
  Bounds bounds;
  if (interval.bounded_below()) bounds.min = interval.min;
  if (interval.bounded_above()) bounds.max = interval.max;
  return bounds;
}

}  // namespace hwest
