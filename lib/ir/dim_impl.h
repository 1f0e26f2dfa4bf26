// The storage behind DimPool, shared by the dim_*.cc files: one per concern (atoms, bounds, printing, substitution).
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/container/inlined_vector.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "hwest/dim.h"
#include "ir/dim_poly.h"

namespace hwest {

enum class TermKind : uint8_t { kSymbol, kPoly, kFloorDiv, kMod, kMin, kMax, kBroadcast };

using DimArgs = absl::InlinedVector<Dim, 2>;

// One hash-consed expression: a polynomial, or an atom. Arguments of min, max and broadcast are sorted, flat, distinct.
struct Term {
  TermKind kind = TermKind::kPoly;
  SymbolId symbol;
  DimArgs args;
  Poly poly;
  uint32_t size = 1;   // symbols, constants and operators of the expression written out
  uint32_t depth = 1;  // nesting of atoms

  bool operator==(const Term& other) const {
    return kind == other.kind && symbol == other.symbol && args == other.args && poly == other.poly;
  }
  template <class H>
  friend H AbslHashValue(H state, const Term& term) {
    return H::combine(std::move(state), term.kind, term.symbol, term.args, term.poly);
  }
};

struct TermHash {
  size_t operator()(const Term* term) const { return absl::Hash<Term>()(*term); }
};
struct TermEqual {
  bool operator()(const Term* a, const Term* b) const { return *a == *b; }
};

// Closed range of values; the two ends of int64 stand for "no bound".
struct Interval {
  static constexpr int64_t kMinusInf = INT64_MIN;
  static constexpr int64_t kPlusInf = INT64_MAX;
  int64_t min = kMinusInf;
  int64_t max = kPlusInf;

  bool bounded_below() const { return min != kMinusInf; }
  bool bounded_above() const { return max != kPlusInf; }
};

// Operation behind an opaque symbol, kept so that substitution stays exact.
enum class DimOp : uint8_t { kAdd, kMul, kFloorDiv, kMod, kMin, kMax, kBroadcast };

struct Definition {
  DimOp op = DimOp::kAdd;
  Dim a, b;
  uint32_t depth = 1;  // nesting of atoms, those behind opaque symbols included: what substitution recurses into

  bool operator==(const Definition& other) const { return op == other.op && a == other.a && b == other.b; }
  template <class H>
  friend H AbslHashValue(H state, const Definition& definition) {
    return H::combine(std::move(state), definition.op, definition.a, definition.b);
  }
};

// DimStore is the state of a DimPool. Operands of its functions are known unless a comment says otherwise.
struct DimStore {
  static constexpr size_t kMaxTerms = 64;
  static constexpr uint32_t kMaxDegree = 8;
  static constexpr uint32_t kMaxSize = 1024;
  static constexpr uint32_t kMaxDepth = 48;
  static constexpr size_t kMaxArgs = 32;
  static constexpr uint32_t kMaxDefinitionDepth = 512;
  // Of one pool, so that a model with many long sizes ends. Beyond the first, opaque symbols are not looked behind;
  // beyond the second, texts are names and no expressions; beyond the third, only short sizes have bounds.
  static constexpr int64_t kMaxSubstitutedTerms = 4'000'000;
  static constexpr int64_t kMaxParsedTerms = 500'000;
  static constexpr int64_t kMaxWalkedTerms = 20'000'000;

  explicit DimStore(const DimStore* parent_pool);

  // Terms (dim.cc). Ids below the base belong to the parent.
  const Term& term(uint32_t id) const;
  const Term& term(Dim dim) const { return term(dim.term()); }
  uint32_t num_terms() const { return term_base + static_cast<uint32_t>(terms.size()); }
  uint32_t Intern(Term term);
  std::optional<uint32_t> FindTerm(const Term& term) const;
  uint32_t SizeOf(const Poly& poly) const;
  uint32_t DepthOf(const Poly& poly) const;
  AtomRef AtomOf(uint32_t id) const { return {.term = id, .composite = term(id).kind != TermKind::kSymbol}; }
  // The polynomial of a known dim.
  Poly PolyOf(Dim dim) const;
  bool Fits(const Poly& poly) const;
  Dim FromPoly(const Poly& poly);
  // The dim of an exact result: unknown and counted when none, opaque when it does not fit.
  Dim Finish(const std::optional<Poly>& poly, const Definition& definition);
  Dim Overflowed();
  Dim Opaque(Definition definition);
  const Definition* DefinitionOf(SymbolId id) const;

  // Symbols (dim_symbols.cc).
  size_t num_symbols() const { return symbol_base + symbols.size(); }
  const hwest::Symbol& symbol(SymbolId id) const;
  hwest::Symbol& mutable_symbol(SymbolId id);
  uint32_t SymbolTerm(SymbolId id) const;
  std::optional<SymbolId> FindText(absl::string_view text) const;
  bool NameTaken(absl::string_view name) const;
  // The first free one of `wanted`, `wanted`_2, `wanted`_3, ...
  std::string UniqueName(absl::string_view wanted);
  Dim AddSymbol(hwest::Symbol record);
  Dim SymbolOf(absl::string_view text);
  Dim Fresh(absl::string_view prefix, hwest::Symbol record);

  // Arithmetic and atoms (dim_atoms.cc, dim_quotient.cc).
  Dim Apply(const Definition& definition);
  Dim Add(Dim a, Dim b);
  Dim Mul(Dim a, Dim b);
  Dim FloorDiv(Dim a, Dim b);
  Dim Mod(Dim a, Dim b);
  Dim MinMax(TermKind kind, Dim a, Dim b);
  Dim Broadcast(Dim a, Dim b);
  Dim Atom(TermKind kind, DimArgs args, const Definition& definition);

  // Bounds (dim_bounds.cc).
  Interval IntervalOf(const Poly& poly) const;
  Interval IntervalOf(Dim dim) const { return IntervalOf(PolyOf(dim)); }
  Interval IntervalOf(const Definition& definition) const;
  // Proven for every value the symbols can take.
  bool AtLeast(const Poly& poly, int64_t value) const;
  bool ProvenLessEqual(const Poly& a, const Poly& b) const;
  bool ProvenUnequal(const Poly& difference) const;

  // The symbols written in `dim` itself, in no order; what stands behind opaque ones is not looked at.
  void CollectSymbols(Dim dim, std::vector<SymbolId>* out) const;

  const DimStore* parent = nullptr;
  uint32_t term_base = 0;
  size_t symbol_base = 0;
  std::deque<Term> terms;
  absl::flat_hash_map<const Term*, uint32_t, TermHash, TermEqual> term_ids;
  std::deque<hwest::Symbol> symbols;
  std::vector<uint32_t> symbol_terms;
  absl::flat_hash_map<std::string, SymbolId> by_text;
  absl::flat_hash_map<std::string, Dim> parsed;  // texts that are expressions
  absl::flat_hash_set<std::string> names;
  absl::flat_hash_map<std::string, uint32_t> next_suffix;
  absl::flat_hash_map<SymbolId, std::unique_ptr<hwest::Symbol>> local_copies;  // of the parent's symbols
  absl::flat_hash_map<Definition, Dim> opaque_dims;
  absl::flat_hash_map<SymbolId, Definition> definitions;
  int64_t overflows = 0;
  int64_t substituted_terms = 0;
  int64_t stored_terms = 0;                       // of polynomials, each counted with one more
  mutable std::atomic<int64_t> walked_terms = 0;  // bounds may be asked for in several threads
};

struct DimPool::Impl : DimStore {
  using DimStore::DimStore;
};

}  // namespace hwest
