// Literals: a tensor written out, such as 0.5, true, [1, 2, 3] or [[1, 2], [3, 4]].
#pragma once

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "hwest/graph.h"
#include "hwest/type.h"

namespace hwest {

// ParseLiteral reads nested lists of equal length, or one number as a scalar. Numbers are decimal; bool is true, false,
// 1 or 0; strings stand between double quotes, a backslash escapes. Errors: kUsage, naming the place and what was
// expected there, a value that the type cannot hold, and element types that have no literals (float8 and smaller
// floats, complex).
absl::StatusOr<Constant> ParseLiteral(absl::string_view text, ElemType elem);

}  // namespace hwest
