// Sums, products, minima, maxima and broadcasts of a DimPool; floor division and modulo are in dim_quotient.cc.
#include <algorithm>

#include "base/checked_math.h"
#include "ir/dim_impl.h"

namespace hwest {
namespace {

bool ArgBefore(Dim a, Dim b) {
  if (a.is_constant() != b.is_constant()) return b.is_constant();
  return a.is_constant() ? a.value() < b.value() : a.term() < b.term();
}

void SortDistinct(DimArgs& args) {
  std::sort(args.begin(), args.end(), ArgBefore);
  args.erase(std::unique(args.begin(), args.end()), args.end());
}

// The arguments of both sides, those of nested atoms of the same kind spread out.
DimArgs Flatten(const DimStore& pool, TermKind kind, Dim a, Dim b) {
  DimArgs args;
  for (const Dim dim : {a, b}) {
    if (dim.is_symbolic() && pool.term(dim).kind == kind) {
      const DimArgs& inner = pool.term(dim).args;
      args.insert(args.end(), inner.begin(), inner.end());
    } else {
      args.push_back(dim);
    }
  }
  SortDistinct(args);
  return args;
}

}  // namespace

Dim DimStore::Atom(TermKind kind, DimArgs args, const Definition& definition) {
  Term atom{.kind = kind, .args = std::move(args)};
  for (const Dim arg : atom.args) {
    if (!arg.is_symbolic()) continue;
    atom.size += term(arg).size;
    atom.depth = std::max(atom.depth, term(arg).depth + 1);
  }
  if (atom.size > kMaxSize || atom.depth > kMaxDepth || atom.args.size() > kMaxArgs) return Opaque(definition);
  return Dim::FromTerm(Intern(std::move(atom)));
}

Dim DimStore::Apply(const Definition& d) {
  switch (d.op) {
    case DimOp::kAdd: return Add(d.a, d.b);
    case DimOp::kMul: return Mul(d.a, d.b);
    case DimOp::kFloorDiv: return FloorDiv(d.a, d.b);
    case DimOp::kMod: return Mod(d.a, d.b);
    case DimOp::kMin: return MinMax(TermKind::kMin, d.a, d.b);
    case DimOp::kMax: return MinMax(TermKind::kMax, d.a, d.b);
    case DimOp::kBroadcast: return Broadcast(d.a, d.b);
  }
  return Dim::Unknown();
}

Dim DimStore::Add(Dim a, Dim b) {
  if (a.is_unknown() || b.is_unknown()) return Dim::Unknown();
  if (a.is_constant() && b.is_constant()) {
    const auto sum = CheckedAdd(a.value(), b.value());
    return sum ? Dim(*sum) : Overflowed();
  }
  if (a.IsConstant(0)) return b;
  if (b.IsConstant(0)) return a;
  return Finish(AddPoly(PolyOf(a), PolyOf(b)), {DimOp::kAdd, a, b});
}

Dim DimStore::Mul(Dim a, Dim b) {
  if (a.is_unknown() || b.is_unknown()) return Dim::Unknown();
  if (a.is_constant() && b.is_constant()) {
    const auto product = CheckedMul(a.value(), b.value());
    return product ? Dim(*product) : Overflowed();
  }
  if (a.IsConstant(1)) return b;
  if (b.IsConstant(1)) return a;
  return Finish(MulPoly(PolyOf(a), PolyOf(b)), {DimOp::kMul, a, b});
}

Dim DimStore::MinMax(TermKind kind, Dim a, Dim b) {
  const DimArgs args = Flatten(*this, kind, a, b);
  const auto dominates = [&](Dim winner, Dim loser) {
    const Dim low = kind == TermKind::kMin ? winner : loser;
    const Dim high = kind == TermKind::kMin ? loser : winner;
    return ProvenLessEqual(PolyOf(low), PolyOf(high));
  };
  DimArgs kept;
  for (const Dim arg : args) {
    if (std::any_of(kept.begin(), kept.end(), [&](Dim other) { return dominates(other, arg); })) continue;
    kept.erase(std::remove_if(kept.begin(), kept.end(), [&](Dim other) { return dominates(arg, other); }), kept.end());
    kept.push_back(arg);
  }
  if (kept.size() == 1) return kept[0];
  return Atom(kind, std::move(kept), {kind == TermKind::kMin ? DimOp::kMin : DimOp::kMax, a, b});
}

Dim DimStore::Broadcast(Dim a, Dim b) {
  const DimArgs args = Flatten(*this, TermKind::kBroadcast, a, b);
  DimArgs symbolic;
  Dim constant(1);
  for (const Dim arg : args) {
    if (arg.is_symbolic()) symbolic.push_back(arg);
    if (!arg.is_constant() || arg.IsConstant(1)) continue;
    if (!constant.IsConstant(1)) return Dim::Unknown();
    constant = arg;
  }
  if (!constant.IsConstant(1) || symbolic.empty()) return constant;
  for (const Dim arg : symbolic) {
    if (AtLeast(PolyOf(arg), 2)) return arg;
  }
  if (symbolic.size() == 1) return symbolic[0];
  return Atom(TermKind::kBroadcast, std::move(symbolic), {DimOp::kBroadcast, a, b});
}

}  // namespace hwest
