// Symbolic dimensions: exact integer expressions over named symbols, canonical when built.
//
//   DimPool pool;
//   Dim n = pool.Symbol("batch");
//   Dim e = pool.Mul(pool.Add(n, 1), 4);      // 4*batch + 4
//   pool.ToString(e);                          // "4*batch + 4"
//   pool.FloorDiv(e, 4) == pool.Add(n, 1);     // true: same expression, same id
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "hwest/id.h"

namespace hwest {

// Dim is a constant, an expression of one DimPool, or unknown. Constants need no pool. Two Dims of one pool are equal
// as expressions exactly when they compare equal; unknown equals unknown only as a value, never as a size.
class Dim {
 public:
  constexpr Dim() = default;                                                     // unknown
  constexpr Dim(int64_t value) : bits_(IsReserved(value) ? kUnknown : value) {}  // NOLINT: implicit by design
  static constexpr Dim Unknown() { return Dim(); }
  static constexpr Dim FromTerm(uint32_t term) {
    Dim dim;
    dim.bits_ = kReserved + term;
    return dim;
  }

  constexpr bool is_constant() const { return !IsReserved(bits_); }
  constexpr bool is_unknown() const { return bits_ == kUnknown; }
  constexpr bool is_symbolic() const { return IsReserved(bits_) && bits_ != kUnknown; }
  // Requires is_constant().
  constexpr int64_t value() const { return bits_; }
  // Requires is_symbolic(): index into the pool that built it.
  constexpr uint32_t term() const { return static_cast<uint32_t>(bits_ - kReserved); }
  constexpr bool operator==(const Dim&) const = default;
  constexpr bool IsConstant(int64_t v) const { return is_constant() && bits_ == v; }

  template <class H>
  friend H AbslHashValue(H state, Dim dim) {
    return H::combine(std::move(state), dim.bits_);
  }

 private:
  // Terms and unknown are numbers of a range far from every size and from the ends of int64, which mean "to the end" in
  // slices. A constant of that range reads as unknown.
  static constexpr int64_t kReserved = -0x5add1e0000000000;
  static constexpr int64_t kUnknown = kReserved + UINT32_MAX;
  static constexpr bool IsReserved(int64_t bits) { return bits >= kReserved && bits <= kUnknown; }
  int64_t bits_ = kUnknown;
};

// Symbol is one free or data-dependent size. `name` is a Python identifier; `text` the file's own spelling.
struct Symbol {
  std::string name;
  std::string text;
  int64_t min = 0;
  std::optional<int64_t> max;      // none = no upper bound known
  Dim max_expr;                    // upper bound as an expression (data-dependent symbols); unknown = none
  std::string cause;               // node that made it, empty for symbols of the file
  bool data_dependent = false;     // depends on tensor contents, hence never free
  std::optional<int64_t> assumed;  // value taken when a figure is needed
  Dim typical;                     // that value as an expression, where it is not the upper bound; unknown = none
  bool counts_runs = false;        // which run of a body it is: sums over all runs take it at `typical`, its mean
};

struct Bounds {
  std::optional<int64_t> min;
  std::optional<int64_t> max;
};

enum class Tri { kFalse, kTrue, kUndecided };

// A binding maps symbols to dims (constants or other expressions of the same pool).
using Binding = absl::flat_hash_map<SymbolId, Dim>;

// DimPool owns symbols and hash-consed expressions: polynomials with int64 coefficients whose atoms are symbols,
// floor-div, ceil-div, mod, min, max and broadcast. A child pool sees its parent's terms by the same ids and adds its
// own, so many analyses share a frozen model pool without locks. Every operation propagates unknown; a constant past
// int64 is unknown and counted by overflows(); past 64 terms or degree 8 an expression becomes an opaque symbol.
// Not thread-safe for writing; a const pool may be read by any number of threads.
class DimPool {
 public:
  explicit DimPool(const DimPool* parent = nullptr);
  ~DimPool();
  DimPool(DimPool&&) noexcept;
  DimPool& operator=(DimPool&&) noexcept;

  // Symbol returns the symbol whose text is `text`, making it when new. A text that is no identifier is renamed.
  Dim Symbol(absl::string_view text);
  // Fresh makes a new symbol with a unique name starting with `prefix`.
  Dim Fresh(absl::string_view prefix, hwest::Symbol info);
  // Parse reads an exporter's dim expression (+ - * // % ** / Max Min Mod FloorDiv CeilToInt FloorToInt IntTrueDiv
  // ...). A text that cannot be parsed becomes an opaque symbol with that text, digits too; a placeholder ("?") is
  // unknown.
  Dim Parse(absl::string_view text);

  Dim Add(Dim a, Dim b);
  Dim Sub(Dim a, Dim b);
  Dim Mul(Dim a, Dim b);
  Dim Neg(Dim a);
  Dim FloorDiv(Dim a, Dim b);  // toward minus infinity; division by constant 0 is unknown
  Dim CeilDiv(Dim a, Dim b);
  // Divides when b is a factor of a as polynomials (cancelling equal factors), else FloorDiv.
  Dim ExactDiv(Dim a, Dim b);
  Dim Mod(Dim a, Dim b);  // Python sign: result has the sign of b
  Dim Min(Dim a, Dim b);
  Dim Max(Dim a, Dim b);
  // Broadcast is the result size of numpy broadcasting. 1 with x is x; equal is itself; a constant other than 1 wins
  // over a symbol (the equality is a constraint); two undecided symbols stay broadcast(a, b).
  Dim Broadcast(Dim a, Dim b);
  Dim Product(absl::Span<const Dim> dims);
  Dim Sum(absl::Span<const Dim> dims);

  Bounds BoundsOf(Dim dim) const;
  Tri Equal(Dim a, Dim b) const;  // undecided is a possible constraint, never an error
  Tri LessEqual(Dim a, Dim b) const;
  // Evaluate replaces bound symbols; symbols outside the binding stay.
  Dim Substitute(Dim dim, const Binding& binding);
  // Every symbol of the expression, ascending.
  std::vector<SymbolId> SymbolsOf(Dim dim) const;
  // The symbol when `dim` is exactly one, else none.
  SymbolId AsSymbol(Dim dim) const;
  // The symbol as an expression.
  Dim OfSymbol(SymbolId id) const;
  // True for an opaque symbol whose expression is kept: its value follows from those of SymbolsOf.
  bool IsDerived(SymbolId id) const;

  // Python expression over symbol names: integers, + - * // % ** ( ) and min, max, ceildiv, broadcast.
  // A constant prints as digits, unknown as "?".
  std::string ToString(Dim dim) const;

  size_t num_symbols() const;
  const hwest::Symbol& symbol(SymbolId id) const;
  hwest::Symbol& mutable_symbol(SymbolId id);  // own symbols only
  // Makes a local copy of a parent's symbol record, so that bounds and assumptions of one analysis stay its own.
  void SetAssumed(SymbolId id, int64_t value);
  std::optional<int64_t> Assumed(SymbolId id) const;
  int64_t overflows() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace hwest
