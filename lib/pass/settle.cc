#include "pass/settle.h"

#include <algorithm>
#include <optional>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/status_macros.h"
#include "hwest/diagnostic.h"
#include "pass/work.h"

namespace hwest {
namespace {

enum class Take { kTypical, kLargest };

// An upper bound as far as it is known: of `max_expr` while that does not evaluate none, unless `constant_only`.
std::optional<int64_t> BoundOf(const Symbol& symbol, DimPool& dims, bool constant_only) {
  std::optional<int64_t> bound = Evaluate(symbol.max_expr, dims);
  if (!bound.has_value() && !symbol.max_expr.is_unknown() && !constant_only) return std::nullopt;
  if (symbol.max.has_value()) bound = std::min(bound.value_or(*symbol.max), *symbol.max);
  return bound;
}

class Settler {
 public:
  Settler(DimPool& dims, Take take) : dims_(dims), take_(take) {}

  // Values depend on other symbols, mostly earlier ones: few sweeps settle them. Bounds whose expression stays open
  // count by their constant.
  void Run() {
    while (Sweep(false) || Sweep(true)) {
    }
  }

 private:
  bool Sweep(bool constant_only) {
    bool settled = false;
    for (size_t i = 0; i < dims_.num_symbols(); ++i) {
      const SymbolId id(i);
      if (!dims_.symbol(id).data_dependent || dims_.Assumed(id).has_value()) continue;
      const auto value = ValueOf(id, constant_only);
      if (!value.has_value()) continue;
      dims_.SetAssumed(id, *value);
      settled = true;
    }
    return settled;
  }

  std::optional<int64_t> ValueOf(SymbolId id, bool constant_only) {
    if (dims_.IsDerived(id)) return Evaluate(dims_.OfSymbol(id), dims_);
    const Symbol& symbol = dims_.symbol(id);
    const std::optional<int64_t> bound = BoundOf(symbol, dims_, constant_only);
    std::optional<int64_t> value = bound;
    if (!symbol.typical.is_unknown() && (take_ == Take::kTypical || symbol.counts_runs)) {
      value = Evaluate(symbol.typical, dims_);
      const bool is_open = !bound.has_value() && !symbol.max_expr.is_unknown();
      if (is_open && !constant_only) return std::nullopt;
      if (value.has_value() && bound.has_value()) value = std::min(*value, *bound);
    }
    if (value.has_value()) value = std::max(*value, symbol.min);
    return value;
  }

  DimPool& dims_;
  const Take take_;
};

bool IsPattern(absl::string_view name) { return name.find_first_of("*?") != absl::string_view::npos; }

absl::Status FollowsFrom(const std::string& name, SymbolId id, const DimPool& dims) {
  std::vector<std::string> parts;
  constexpr size_t kShown = 4;
  for (const SymbolId part : dims.SymbolsOf(dims.OfSymbol(id))) {
    if (!dims.IsDerived(part) && dims.symbol(part).data_dependent) parts.push_back(dims.symbol(part).name);
  }
  const std::string more = parts.size() > kShown ? ", .." : "";
  parts.resize(std::min(parts.size(), kShown));
  return MakeError(Code::kBindConflict, absl::StrCat("'", name, "' follows from other sizes"),
                   absl::StrCat("state those: ", absl::StrJoin(parts, ", "), more));
}

absl::Status OutsideBounds(const std::string& name, int64_t value, const Symbol& symbol) {
  return MakeError(Code::kBindConflict, absl::StrCat("'", name, "' cannot be ", value),
                   absl::StrCat("give a size from ", symbol.min,
                                symbol.max.has_value() ? absl::StrCat(" to ", *symbol.max) : " up"));
}

// States a value by the symbol's own name.
absl::Status ExpectNamed(const std::string& name, int64_t value, SymbolId id, DimPool& dims) {
  if (dims.IsDerived(id)) return FollowsFrom(name, id, dims);
  const Symbol& symbol = dims.symbol(id);
  if (value < symbol.min || value > symbol.max.value_or(value)) return OutsideBounds(name, value, symbol);
  dims.SetAssumed(id, value);
  dims.mutable_symbol(id).typical = value;
  return absl::OkStatus();
}

// Settling keeps it within the bounds.
void ExpectLike(int64_t value, SymbolId id, DimPool& dims) {
  Symbol& symbol = dims.mutable_symbol(id);
  symbol.assumed.reset();
  symbol.typical = value;
}

absl::Status Expect(const std::string& name, int64_t value, DimPool& dims) {
  bool found = false;
  const bool is_pattern = IsPattern(name);
  for (size_t i = 0; i < dims.num_symbols(); ++i) {
    const SymbolId id(i);
    const Symbol& symbol = dims.symbol(id);
    if (!symbol.data_dependent) continue;
    if (symbol.name == name || symbol.text == name) return ExpectNamed(name, value, id, dims);
    if (!is_pattern || dims.IsDerived(id) || symbol.counts_runs || !FitsPattern(symbol.name, name)) continue;
    ExpectLike(value, id, dims);
    found = true;
  }
  if (found) return absl::OkStatus();
  return MakeError(Code::kBindConflict,
                   is_pattern ? absl::StrCat("no data-dependent size of this model fits '", name, "'")
                              : absl::StrCat("'", name, "' is no data-dependent size of this model"),
                   "list them with `onnx-hwest shapes MODEL`");
}

}  // namespace

bool FitsPattern(absl::string_view text, absl::string_view pattern) {
  size_t t = 0, p = 0, star = absl::string_view::npos, resume = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p;
      ++t;
    } else if (star != absl::string_view::npos) {
      p = star + 1;
      t = ++resume;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

absl::Status SettleSymbols(const std::vector<std::pair<std::string, int64_t>>& expect, DimPool& dims) {
  for (const auto& [name, value] : expect) HWEST_RETURN_IF_ERROR(Expect(name, value, dims));
  Settler(dims, Take::kTypical).Run();
  return absl::OkStatus();
}

bool SettleLargest(DimPool& dims) {
  std::vector<std::pair<SymbolId, std::optional<int64_t>>> before;
  for (size_t i = 0; i < dims.num_symbols(); ++i) {
    const SymbolId id(i);
    if (!dims.symbol(id).data_dependent) continue;
    before.emplace_back(id, dims.Assumed(id));
    dims.mutable_symbol(id).assumed.reset();
  }
  Settler(dims, Take::kLargest).Run();
  bool bounded = true;
  for (const auto& [id, value] : before) {
    if (dims.Assumed(id).has_value() || !value.has_value() || dims.IsDerived(id)) continue;
    dims.SetAssumed(id, *value);
    bounded = false;
  }
  Settler(dims, Take::kLargest).Run();
  return bounded;
}

bool HasDataDependent(const DimPool& dims) {
  for (size_t i = 0; i < dims.num_symbols(); ++i) {
    const Symbol& symbol = dims.symbol(SymbolId(i));
    if (symbol.data_dependent && !symbol.counts_runs && !dims.IsDerived(SymbolId(i))) return true;
  }
  return false;
}

}  // namespace hwest
