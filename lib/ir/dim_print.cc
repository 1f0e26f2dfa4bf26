// Prints dims as Python expressions.
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "ir/dim_impl.h"

namespace hwest {
namespace {

// a // c with a constant c and c - 1 as the constant term of a: the form every ceil-div has.
bool IsCeilDiv(const Poly& dividend, Dim divisor) {
  return divisor.is_constant() && divisor.value() > 1 && ConstantOf(dividend) == divisor.value() - 1;
}

class Printer {
 public:
  explicit Printer(const DimStore& pool) : pool_(pool) {}

  std::string Text(Dim dim) const {
    if (dim.is_unknown()) return "?";
    return dim.is_constant() ? absl::StrCat(dim.value()) : TextOfPoly(pool_.PolyOf(dim));
  }

 private:
  std::string TextOfPoly(const Poly& poly) const {
    std::string text;
    for (const Monomial& monomial : poly) {
      const bool negative = monomial.coef < 0;
      absl::StrAppend(&text, text.empty() ? (negative ? "-" : "") : (negative ? " - " : " + "));
      absl::StrAppend(&text, TextOfMonomial(monomial, negative && &monomial == poly.data()));
    }
    return text.empty() ? "0" : text;
  }

  // The monomial without its sign.
  std::string TextOfMonomial(const Monomial& monomial, bool after_minus) const {
    const auto bits = static_cast<uint64_t>(monomial.coef);
    const uint64_t size = monomial.coef < 0 ? -bits : bits;
    if (monomial.is_constant()) return absl::StrCat(size);
    if (size == 1 && monomial.is_linear() && !after_minus) return TextOfAtom(monomial.factors[0].atom.term);
    std::string text = size == 1 ? "" : absl::StrCat(size);
    for (const PolyFactor& factor : monomial.factors) {
      absl::StrAppend(&text, text.empty() ? "" : "*", Operand(factor.atom.term));
      if (factor.power > 1) absl::StrAppend(&text, "**", factor.power);
    }
    return text;
  }

  std::string TextOfAtom(uint32_t id) const {
    const Term& term = pool_.term(id);
    switch (term.kind) {
      case TermKind::kSymbol: return pool_.symbol(term.symbol).name;
      case TermKind::kFloorDiv: return TextOfFloorDiv(term.args[0], term.args[1]);
      case TermKind::kMod: return absl::StrCat(Operand(term.args[0]), " % ", Operand(term.args[1]));
      case TermKind::kMin: return Call("min", term.args);
      case TermKind::kMax: return Call("max", term.args);
      case TermKind::kBroadcast: return Call("broadcast", term.args);
      case TermKind::kPoly: return TextOfPoly(term.poly);
    }
    return "?";
  }

  std::string TextOfFloorDiv(Dim a, Dim b) const {
    Poly dividend = pool_.PolyOf(a);
    if (!IsCeilDiv(dividend, b)) return absl::StrCat(Operand(a), "//", Operand(b));
    dividend.pop_back();
    return absl::StrCat("ceildiv(", TextOfPoly(dividend), ", ", b.value(), ")");
  }

  std::string Call(absl::string_view name, const DimArgs& args) const {
    const auto append = [this](std::string* out, Dim arg) { absl::StrAppend(out, Text(arg)); };
    return absl::StrCat(name, "(", absl::StrJoin(args, ", ", append), ")");
  }

  // Parenthesised unless a name, a number or a call.
  std::string Operand(Dim dim) const {
    if (dim.is_symbolic()) return Operand(dim.term());
    return dim.is_constant() && dim.value() < 0 ? absl::StrCat("(", Text(dim), ")") : Text(dim);
  }

  std::string Operand(uint32_t id) const {
    const Term& term = pool_.term(id);
    const bool infix = term.kind == TermKind::kPoly || term.kind == TermKind::kMod ||
                       (term.kind == TermKind::kFloorDiv && !IsCeilDiv(pool_.PolyOf(term.args[0]), term.args[1]));
    return infix ? absl::StrCat("(", TextOfAtom(id), ")") : TextOfAtom(id);
  }

  const DimStore& pool_;
};

}  // namespace

std::string DimPool::ToString(Dim dim) const { return Printer(*impl_).Text(dim); }

}  // namespace hwest
