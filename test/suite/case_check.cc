#include "suite/case_check.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "op/known.h"

namespace hwest {
namespace {

Finding Wrong(std::string why) { return {Match::kWrong, std::move(why)}; }
Finding Unknown(std::string why) { return {Match::kUnknown, std::move(why)}; }

// The worse of two.
Finding Join(Finding a, Finding b) { return static_cast<int>(b.verdict) > static_cast<int>(a.verdict) ? b : a; }

std::string SymbolText(const Symbol& symbol) {
  return absl::StrCat(symbol.name, " in [", symbol.min, ", ", symbol.max ? absl::StrCat(*symbol.max) : "?", "]");
}

Finding CheckDim(DimPool& dims, Dim found, int64_t expected, const Binding& binding) {
  const Dim dim = dims.Substitute(found, binding);
  if (dim.is_unknown()) return Unknown("unknown dim");
  if (dim.is_constant()) {
    return dim.IsConstant(expected) ? Finding{} : Wrong(absl::StrCat("dim ", dim.value(), " is ", expected));
  }
  const Bounds bounds = dims.BoundsOf(dim);
  const bool below = bounds.min.has_value() && expected < *bounds.min;
  const bool above = bounds.max.has_value() && expected > *bounds.max;
  if (below || above) return Wrong(absl::StrCat("dim ", dims.ToString(dim), " does not admit ", expected));
  std::vector<std::string> symbols;
  bool bounded = bounds.max.has_value();
  for (const SymbolId id : dims.SymbolsOf(dim)) {
    symbols.push_back(SymbolText(dims.symbol(id)));
    bounded = bounded && dims.symbol(id).data_dependent;
  }
  const std::string why = absl::StrCat("dim ", dims.ToString(dim), " (", absl::StrJoin(symbols, ", "), ")");
  return {bounded ? Match::kBounded : Match::kUnknown, why};
}

Finding CheckType(DimPool& dims, ElemType elem, const Shape& shape, const Constant& expected, const Binding& binding) {
  if (elem != ElemType::kUndefined && elem != expected.elem) {
    return Wrong(absl::StrCat("element type ", ElemTypeName(elem), " is ", ElemTypeName(expected.elem)));
  }
  Finding finding;
  if (elem == ElemType::kUndefined) finding = Unknown("unknown element type");
  if (!shape.ranked()) return Unknown("unknown rank");
  if (shape.rank() != static_cast<int>(expected.dims.size())) {
    return Wrong(absl::StrCat("shape ", ToString(shape, dims), " is of rank ", expected.dims.size()));
  }
  for (int axis = 0; axis < shape.rank(); ++axis) {
    finding = Join(finding, CheckDim(dims, shape.dim(axis), expected.dims[static_cast<size_t>(axis)], binding));
  }
  return finding;
}

// The reference implementation computes in the element type, and truncates to bfloat16 where the standard rounds.
double ToleranceOf(ElemType elem) { return elem == ElemType::kBfloat16 ? 1.0 / 64 : IsFloat(elem) ? 1e-3 : 0; }

bool Agree(const Scalar& found, const Scalar& expected, double tolerance) {
  if (!found.is_constant() || !expected.is_constant() || found == expected) return true;
  const double a = found.number(), b = expected.number();
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) == std::isnan(b);
  if (!std::isfinite(a) || !std::isfinite(b)) return a == b;
  return std::abs(a - b) <= tolerance * std::max(1.0, std::abs(b));
}

// Contents that inference claims to know have to be the contents of the run.
Finding CheckContents(const Known& known, const Constant& expected) {
  if (known == nullptr) return {};
  const Known decoded = DecodeConstant(expected);
  if (decoded == nullptr) return {};
  if (decoded->size() != known->size()) return Wrong(absl::StrCat("contents of ", known->size(), " elements"));
  for (size_t i = 0; i < known->size(); ++i) {
    if (Agree((*known)[i], (*decoded)[i], ToleranceOf(expected.elem))) continue;
    return Wrong(absl::StrCat("element ", i, " is ", (*decoded)[i].number(), ", not ", (*known)[i].number()));
  }
  return {};
}

Finding CheckKind(const Type& type, const CaseValue& expected) {
  if (type.kind == ValueKind::kUnknown) return Unknown("unknown type");
  if (type.kind != expected.kind) {
    return Wrong(absl::StrCat(ValueKindName(type.kind), " is a ", ValueKindName(expected.kind)));
  }
  if (type.kind != ValueKind::kTensor && type.inner != expected.inner) {
    return Wrong(absl::StrCat("holds a ", ValueKindName(type.inner), ", is a ", ValueKindName(expected.inner)));
  }
  return {};
}

Finding CheckElements(const Analysis& analysis, const Elements& elements, const CaseValue& expected,
                      const Binding& binding) {
  if (elements->size() != static_cast<size_t>(expected.length)) {
    return Wrong(absl::StrCat(elements->size(), " elements are ", expected.length));
  }
  Finding finding;
  for (size_t i = 0; i < expected.tensors.size(); ++i) {
    const Type& type = (*elements)[i].type;
    finding = Join(finding, CheckType(*analysis.dims, type.elem, type.shape, expected.tensors[i], binding));
    finding = Join(finding, CheckContents((*elements)[i].known, expected.tensors[i]));
  }
  return finding;
}

// The joined element type has to admit every element.
Finding CheckJoined(const Analysis& analysis, const Type& type, const CaseValue& expected, const Binding& binding) {
  Finding finding;
  for (const Constant& tensor : expected.tensors) {
    finding = Join(finding, CheckType(*analysis.dims, type.elem, type.shape, tensor, binding));
  }
  if (type.kind != ValueKind::kSequence) return finding;
  return Join(finding, CheckDim(*analysis.dims, type.length, expected.length, binding));
}

}  // namespace

Finding CheckOutput(const Analysis& analysis, ValueId value, const CaseValue& expected, const Binding& binding) {
  const ValueFact& fact = analysis.facts.values[value];
  const Finding kind = CheckKind(fact.type, expected);
  if (kind.verdict != Match::kKnown) return kind;
  const auto elements = analysis.facts.elements.find(value);
  if (elements != analysis.facts.elements.end() && elements->second != nullptr) {
    return CheckElements(analysis, elements->second, expected, binding);
  }
  const Finding joined = CheckJoined(analysis, fact.type, expected, binding);
  return fact.type.is_tensor() ? Join(joined, CheckContents(fact.known, expected.tensors[0])) : joined;
}

Binding InputSizes(const Analysis& analysis, const std::vector<CaseValue>& inputs) {
  Binding binding;
  absl::flat_hash_set<SymbolId> differing;
  for (const ValueId id : analysis.graph->main().inputs) {
    for (const CaseValue& input : inputs) {
      const Shape& shape = analysis.facts.values[id].type.shape;
      if (input.name != analysis.graph->name(id) || !shape.ranked()) continue;
      for (const Constant& tensor : input.tensors) {
        if (static_cast<int>(tensor.dims.size()) != shape.rank()) continue;
        for (int axis = 0; axis < shape.rank(); ++axis) {
          const SymbolId symbol = analysis.dims->AsSymbol(shape.dim(axis));
          if (!symbol.valid()) continue;
          const Dim size = tensor.dims[static_cast<size_t>(axis)];
          const auto [entry, fresh] = binding.try_emplace(symbol, size);
          if (!fresh && !(entry->second == size)) differing.insert(symbol);
        }
      }
    }
  }
  for (const SymbolId symbol : differing) binding.erase(symbol);
  return binding;
}

}  // namespace hwest
