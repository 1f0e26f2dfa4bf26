#include "fuse/patterns.h"

#include <algorithm>
#include <vector>

namespace hwest {

std::vector<absl::string_view> GuardsOf(const PatternRow& row, absl::Span<const Fragment> vocabulary) {
  std::vector<absl::string_view> names;
  if (row.kind != RowKind::kExpression) return names;
  const auto pattern = ParsePattern(row.expression, vocabulary);
  if (!pattern.ok()) return names;
  for (const Expr& expr : pattern->exprs) {
    for (const Guard* guard : expr.guards) {
      if (std::find(names.begin(), names.end(), guard->name) == names.end()) names.push_back(guard->name);
    }
  }
  return names;
}

}  // namespace hwest
