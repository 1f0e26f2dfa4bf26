// Substitution: rebuilds an expression with symbols replaced, so that every simplification applies again.
#include "ir/dim_impl.h"

namespace hwest {
namespace {

class Substitution {
 public:
  Substitution(DimStore& pool, const Binding& binding) : pool_(pool), binding_(binding) {}

  Dim Of(Dim dim) { return dim.is_symbolic() ? OfTerm(dim.term()) : dim; }

 private:
  Dim OfTerm(uint32_t id) {
    const auto found = done_.find(id);
    if (found != done_.end()) return found->second;
    const Dim result = Rebuild(id);
    done_.emplace(id, result);
    return result;
  }

  Dim Rebuild(uint32_t id) {
    const Term& term = pool_.term(id);
    if (term.kind == TermKind::kSymbol) return OfSymbol(id, term.symbol);
    if (term.kind == TermKind::kPoly) return OfPoly(id, term.poly);
    return OfAtom(id, term);
  }

  Dim OfSymbol(uint32_t id, SymbolId symbol) {
    const auto bound = binding_.find(symbol);
    if (bound != binding_.end()) return bound->second;
    const Definition* definition = pool_.DefinitionOf(symbol);
    if (definition == nullptr || pool_.substituted_terms > DimStore::kMaxSubstitutedTerms) return Dim::FromTerm(id);
    const Dim a = Of(definition->a), b = Of(definition->b);
    if (a == definition->a && b == definition->b) return Dim::FromTerm(id);
    return Apply(definition->op, a, b);
  }

  Dim OfPoly(uint32_t id, const Poly& poly) {
    bool changed = false;
    Dim sum = 0;
    for (const Monomial& monomial : poly) {
      Dim product = monomial.coef;
      for (const PolyFactor& factor : monomial.factors) {
        const Dim atom = OfTerm(factor.atom.term);
        changed |= atom != Dim::FromTerm(factor.atom.term);
        for (uint32_t i = 0; i < factor.power; ++i) product = Apply(DimOp::kMul, product, atom);
      }
      sum = Apply(DimOp::kAdd, sum, product);
    }
    return changed ? sum : Dim::FromTerm(id);
  }

  Dim OfAtom(uint32_t id, const Term& term) {
    bool changed = false;
    Dim result;
    for (size_t i = 0; i < term.args.size(); ++i) {
      const Dim arg = Of(term.args[i]);
      changed |= arg != term.args[i];
      result = i == 0 ? arg : Apply(OpOf(term.kind), result, arg);
    }
    return changed ? result : Dim::FromTerm(id);
  }

  static DimOp OpOf(TermKind kind) {
    switch (kind) {
      case TermKind::kFloorDiv: return DimOp::kFloorDiv;
      case TermKind::kMod: return DimOp::kMod;
      case TermKind::kMin: return DimOp::kMin;
      case TermKind::kMax: return DimOp::kMax;
      case TermKind::kBroadcast: return DimOp::kBroadcast;
      case TermKind::kSymbol:
      case TermKind::kPoly: break;
    }
    return DimOp::kAdd;
  }

  int64_t TermsOf(Dim dim) const {
    return dim.is_symbolic() ? 1 + static_cast<int64_t>(pool_.term(dim).poly.size()) : 1;
  }

  Dim Apply(DimOp op, Dim a, Dim b) {
    if (a.is_unknown() || b.is_unknown()) return Dim::Unknown();
    pool_.substituted_terms += TermsOf(a) + TermsOf(b);
    return pool_.Apply({op, a, b});
  }

  DimStore& pool_;
  const Binding& binding_;
  absl::flat_hash_map<uint32_t, Dim> done_;
};

}  // namespace

Dim DimPool::Substitute(Dim dim, const Binding& binding) { return Substitution(*impl_, binding).Of(dim); }

}  // namespace hwest
