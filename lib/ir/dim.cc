#include "hwest/dim.h"

#include <algorithm>

#include "base/checked_math.h"
#include "ir/dim_impl.h"

namespace hwest {

DimStore::DimStore(const DimStore* parent_pool) : parent(parent_pool) {
  if (parent == nullptr) return;
  term_base = parent->num_terms();
  symbol_base = parent->num_symbols();
}

const Term& DimStore::term(uint32_t id) const {
  const DimStore* pool = this;
  while (id < pool->term_base) pool = pool->parent;
  return pool->terms[id - pool->term_base];
}

std::optional<uint32_t> DimStore::FindTerm(const Term& wanted) const {
  for (const DimStore* pool = this; pool != nullptr; pool = pool->parent) {
    const auto found = pool->term_ids.find(&wanted);
    if (found != pool->term_ids.end()) return found->second;
  }
  return std::nullopt;
}

uint32_t DimStore::Intern(Term added) {
  if (const auto found = FindTerm(added)) return *found;
  const uint32_t id = num_terms();
  stored_terms += 1 + static_cast<int64_t>(added.poly.size());
  terms.push_back(std::move(added));
  term_ids.emplace(&terms.back(), id);
  return id;
}

uint32_t DimStore::SizeOf(const Poly& poly) const {
  uint64_t size = 0;
  for (const Monomial& monomial : poly) {
    size += 1;
    for (const PolyFactor& factor : monomial.factors) size += term(factor.atom.term).size;
  }
  return static_cast<uint32_t>(std::min<uint64_t>(size, UINT32_MAX));
}

uint32_t DimStore::DepthOf(const Poly& poly) const {
  uint32_t depth = 0;
  for (const Monomial& monomial : poly) {
    for (const PolyFactor& factor : monomial.factors) depth = std::max(depth, term(factor.atom.term).depth);
  }
  return depth;
}

Poly DimStore::PolyOf(Dim dim) const {
  if (!dim.is_symbolic()) return ConstantPoly(dim.value());
  const Term& found = term(dim);
  if (found.kind == TermKind::kPoly) return found.poly;
  return Poly{Monomial{.coef = 1, .factors = {PolyFactor{.atom = AtomOf(dim.term())}}}};
}

bool DimStore::Fits(const Poly& poly) const {
  return poly.size() <= kMaxTerms && Degree(poly) <= kMaxDegree && SizeOf(poly) <= kMaxSize;
}

Dim DimStore::FromPoly(const Poly& poly) {
  if (hwest::IsConstant(poly)) return Dim(ConstantOf(poly));
  if (poly.size() == 1 && poly[0].coef == 1 && poly[0].is_linear()) return Dim::FromTerm(poly[0].factors[0].atom.term);
  return Dim::FromTerm(
      Intern(Term{.kind = TermKind::kPoly, .poly = poly, .size = SizeOf(poly), .depth = DepthOf(poly)}));
}

Dim DimStore::Overflowed() {
  ++overflows;
  return Dim::Unknown();
}

Dim DimStore::Finish(const std::optional<Poly>& poly, const Definition& definition) {
  if (!poly) return Overflowed();
  return Fits(*poly) ? FromPoly(*poly) : Opaque(definition);
}

const Definition* DimStore::DefinitionOf(SymbolId id) const {
  for (const DimStore* pool = this; pool != nullptr; pool = pool->parent) {
    const auto found = pool->definitions.find(id);
    if (found != pool->definitions.end()) return &found->second;
  }
  return nullptr;
}

Dim DimStore::Opaque(Definition definition) {
  for (const DimStore* pool = this; pool != nullptr; pool = pool->parent) {
    const auto found = pool->opaque_dims.find(definition);
    if (found != pool->opaque_dims.end()) return found->second;
  }
  const Interval interval = IntervalOf(definition);
  hwest::Symbol record{.min = interval.min, .cause = "expression past 64 terms or degree 8"};
  if (interval.bounded_above()) record.max = interval.max;
  std::vector<SymbolId> used;
  CollectSymbols(definition.a, &used);
  CollectSymbols(definition.b, &used);
  uint32_t behind = 0;
  for (const SymbolId id : used) {
    record.data_dependent |= symbol(id).data_dependent;
    if (const Definition* inner = DefinitionOf(id)) behind = std::max(behind, inner->depth);
  }
  for (const Dim operand : {definition.a, definition.b}) {
    if (operand.is_symbolic()) definition.depth = std::max(definition.depth, term(operand).depth + 1);
  }
  definition.depth += behind;
  const Dim dim = Fresh("expr", std::move(record));
  opaque_dims.emplace(definition, dim);
  if (definition.depth <= kMaxDefinitionDepth) definitions.emplace(term(dim).symbol, definition);
  return dim;
}

DimPool::DimPool(const DimPool* parent)
    : impl_(std::make_unique<Impl>(parent == nullptr ? nullptr : parent->impl_.get())) {}
DimPool::~DimPool() = default;
DimPool::DimPool(DimPool&&) noexcept = default;
DimPool& DimPool::operator=(DimPool&&) noexcept = default;

Dim DimPool::Symbol(absl::string_view text) { return impl_->SymbolOf(text); }

Dim DimPool::Fresh(absl::string_view prefix, hwest::Symbol info) { return impl_->Fresh(prefix, std::move(info)); }

// Most are numbers.
Dim DimPool::Add(Dim a, Dim b) {
  if (a.is_constant() && b.is_constant()) {
    if (const auto sum = CheckedAdd(a.value(), b.value())) return Dim(*sum);
  }
  if (a.is_unknown() || b.is_unknown()) return Dim::Unknown();
  return impl_->Add(a, b);
}

Dim DimPool::Sub(Dim a, Dim b) { return Add(a, Neg(b)); }

Dim DimPool::Mul(Dim a, Dim b) {
  if (a.is_constant() && b.is_constant()) {
    if (const auto product = CheckedMul(a.value(), b.value())) return Dim(*product);
  }
  if (a.is_unknown() || b.is_unknown()) return Dim::Unknown();
  return impl_->Mul(a, b);
}

Dim DimPool::Neg(Dim a) { return Mul(a, -1); }

Dim DimPool::FloorDiv(Dim a, Dim b) {
  if (a.is_unknown() || b.is_unknown()) return Dim::Unknown();
  return impl_->FloorDiv(a, b);
}

Dim DimPool::CeilDiv(Dim a, Dim b) { return Neg(FloorDiv(Neg(a), b)); }

Dim DimPool::ExactDiv(Dim a, Dim b) { return FloorDiv(a, b); }

Dim DimPool::Mod(Dim a, Dim b) {
  if (a.is_unknown() || b.is_unknown()) return Dim::Unknown();
  return impl_->Mod(a, b);
}

Dim DimPool::Min(Dim a, Dim b) {
  if (a.is_unknown() || b.is_unknown()) return Dim::Unknown();
  return impl_->MinMax(TermKind::kMin, a, b);
}

Dim DimPool::Max(Dim a, Dim b) {
  if (a.is_unknown() || b.is_unknown()) return Dim::Unknown();
  return impl_->MinMax(TermKind::kMax, a, b);
}

Dim DimPool::Broadcast(Dim a, Dim b) {
  if (a.is_unknown() || b.is_unknown()) return Dim::Unknown();
  return impl_->Broadcast(a, b);
}

Dim DimPool::Product(absl::Span<const Dim> dims) {
  int64_t plain = 1;  // of numbers alone, as long as it fits
  size_t i = 0;
  while (i < dims.size() && dims[i].is_constant() && !__builtin_mul_overflow(plain, dims[i].value(), &plain)) ++i;
  if (i == dims.size()) return Dim(plain);
  Dim constant(1), symbolic(1);
  for (const Dim dim : dims) {
    if (dim.is_unknown()) return dim;
    if (dim.IsConstant(0)) constant = 0;
  }
  if (constant == Dim(0)) return constant;
  for (const Dim dim : dims) {
    Dim& part = dim.is_constant() ? constant : symbolic;
    part = Mul(part, dim);
  }
  return Mul(symbolic, constant);
}

Dim DimPool::Sum(absl::Span<const Dim> dims) {
  Dim sum = 0;
  for (const Dim dim : dims) sum = Add(sum, dim);
  return sum;
}

Tri DimPool::Equal(Dim a, Dim b) const {
  if (a.is_unknown() || b.is_unknown()) return Tri::kUndecided;
  if (a == b) return Tri::kTrue;
  if (a.is_constant() && b.is_constant()) return Tri::kFalse;
  const auto differs = [this](Dim x, Dim y) {
    const auto difference = SubPoly(impl_->PolyOf(x), impl_->PolyOf(y));
    return difference && impl_->ProvenUnequal(*difference);
  };
  // Past int64 in one direction only, it may be proven in the other.
  return differs(a, b) || differs(b, a) ? Tri::kFalse : Tri::kUndecided;
}

Tri DimPool::LessEqual(Dim a, Dim b) const {
  if (a.is_unknown() || b.is_unknown()) return Tri::kUndecided;
  if (a.is_constant() && b.is_constant()) return a.value() <= b.value() ? Tri::kTrue : Tri::kFalse;
  const Poly left = impl_->PolyOf(a);
  const Poly right = impl_->PolyOf(b);
  if (impl_->ProvenLessEqual(left, right)) return Tri::kTrue;
  const auto above = AddConstant(right, 1);
  return above && impl_->ProvenLessEqual(*above, left) ? Tri::kFalse : Tri::kUndecided;
}

SymbolId DimPool::AsSymbol(Dim dim) const {
  if (!dim.is_symbolic()) return SymbolId();
  const Term& found = impl_->term(dim);
  return found.kind == TermKind::kSymbol ? found.symbol : SymbolId();
}

Dim DimPool::OfSymbol(SymbolId id) const { return Dim::FromTerm(impl_->SymbolTerm(id)); }
bool DimPool::IsDerived(SymbolId id) const { return impl_->DefinitionOf(id) != nullptr; }

std::vector<SymbolId> DimPool::SymbolsOf(Dim dim) const {
  std::vector<SymbolId> found;
  impl_->CollectSymbols(dim, &found);
  absl::flat_hash_set<SymbolId> seen;
  std::vector<SymbolId> symbols;
  while (!found.empty()) {
    const SymbolId id = found.back();
    found.pop_back();
    if (!seen.insert(id).second) continue;
    symbols.push_back(id);
    if (const Definition* definition = impl_->DefinitionOf(id)) {
      impl_->CollectSymbols(definition->a, &found);
      impl_->CollectSymbols(definition->b, &found);
    }
  }
  std::sort(symbols.begin(), symbols.end());
  return symbols;
}

size_t DimPool::num_symbols() const { return impl_->num_symbols(); }
const hwest::Symbol& DimPool::symbol(SymbolId id) const { return impl_->symbol(id); }
hwest::Symbol& DimPool::mutable_symbol(SymbolId id) { return impl_->mutable_symbol(id); }
void DimPool::SetAssumed(SymbolId id, int64_t value) { impl_->mutable_symbol(id).assumed = value; }
std::optional<int64_t> DimPool::Assumed(SymbolId id) const { return impl_->symbol(id).assumed; }

int64_t DimPool::overflows() const {
  int64_t total = 0;
  for (const DimStore* pool = impl_.get(); pool != nullptr; pool = pool->parent) total += pool->overflows;
  return total;
}

}  // namespace hwest
