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

void CheckBounds(DimPool& pool, Dim dim) {
  const Bounds bounds = pool.BoundsOf(dim);
  const std::string text = pool.ToString(dim);
  for (const int64_t offset : {1, 7}) {
    const Dim value = pool.Substitute(dim, SmallBinding(pool, offset));
    if (!value.is_constant()) continue;
    Require(!bounds.min.has_value() || *bounds.min <= value.value(), absl::StrCat("lower bound of ", text));
    Require(!bounds.max.has_value() || *bounds.max >= value.value(), absl::StrCat("upper bound of ", text));
  }
}

// Operations of inference on pairs of parsed sizes.
void Combine(DimPool& pool, Dim a, Dim b) {
  for (const Dim dim : {pool.Add(a, b), pool.Sub(a, b), pool.Mul(a, b), pool.FloorDiv(a, b), pool.CeilDiv(a, b),
                        pool.Mod(a, b), pool.Min(a, b), pool.Max(a, b), pool.Broadcast(a, b)}) {
    CheckBounds(pool, dim);
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
    CheckBounds(pool, dims.back());
  }
  for (size_t i = 1; i < dims.size(); ++i) Combine(pool, dims[i - 1], dims[i]);
}

}  // namespace hwest::test
