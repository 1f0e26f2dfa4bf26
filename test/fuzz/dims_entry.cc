#include <array>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "fuzz/entries.h"
#include "fuzz/require.h"
#include "hwest/dim.h"
#include "ir/dim_parser.h"

namespace hwest::test {
namespace {

constexpr size_t kMaxLines = 4;

// Every symbol at a small number within its bounds.
Binding SmallBinding(const DimPool& pool, int64_t offset) {
  Binding binding;
  for (size_t i = 0; i < pool.num_symbols(); ++i) {
    const Symbol& symbol = pool.symbol(SymbolId(i));
    if (!symbol.cause.empty()) continue;
    int64_t value = symbol.min + offset + static_cast<int64_t>(i % 3);
    if (symbol.max.has_value()) value = std::min(value, *symbol.max);
    binding[SymbolId(i)] = Dim(value);
  }
  return binding;
}

// What sizes are checked at.
using Bindings = std::array<Binding, 2>;

Bindings SmallBindings(const DimPool& pool) { return {SmallBinding(pool, 1), SmallBinding(pool, 7)}; }

void CheckBounds(DimPool& pool, Dim dim, const Bindings& bindings) {
  const Bounds bounds = pool.BoundsOf(dim);
  for (const Binding& binding : bindings) {
    const Dim value = pool.Substitute(dim, binding);
    if (!value.is_constant()) continue;
    const bool above = !bounds.min.has_value() || *bounds.min <= value.value();
    const bool below = !bounds.max.has_value() || *bounds.max >= value.value();
    if (!above || !below) Require(false, absl::StrCat(above ? "upper" : "lower", " bound of ", pool.ToString(dim)));
  }
}

// Operations of inference on pairs of parsed sizes.
void Combine(DimPool& pool, Dim a, Dim b, const Bindings& bindings) {
  for (const Dim dim : {pool.Add(a, b), pool.Sub(a, b), pool.Mul(a, b), pool.FloorDiv(a, b), pool.CeilDiv(a, b),
                        pool.Mod(a, b), pool.Min(a, b), pool.Max(a, b), pool.Broadcast(a, b)}) {
    CheckBounds(pool, dim, bindings);
  }
  const Tri equal = pool.Equal(a, b);
  Require(equal == pool.Equal(b, a), "equality is symmetric");
  Require(equal != Tri::kTrue || pool.LessEqual(a, b) != Tri::kFalse, "equal sizes are not greater");
}

}  // namespace

void RunDims(absl::string_view bytes) {
  DimPool pool;
  std::vector<Dim> dims;
  for (const absl::string_view line : absl::StrSplit(bytes, '\n')) {
    if (dims.size() == kMaxLines) break;
    for (const RangeConstraint& range : ParseRangeConstraints(line)) Require(!range.name.empty(), "ranges have names");
    dims.push_back(pool.Parse(line));
    Require(pool.Parse(line) == dims.back(), "the same text is the same size");
  }
  const Bindings bindings = SmallBindings(pool);  // operations make no symbols of a user's own
  for (const Dim dim : dims) {
    pool.ToString(dim);
    CheckBounds(pool, dim, bindings);
  }
  for (size_t i = 1; i < dims.size(); ++i) Combine(pool, dims[i - 1], dims[i], bindings);
}

}  // namespace hwest::test
