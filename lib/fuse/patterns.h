// The expressions of the table of fusion patterns.
#pragma once

#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "fuse/pattern.h"
#include "target/patterns.h"

namespace hwest {

// The parsed expression of a row of AllPatterns(), which has to be an expression. Parsed once in a process.
const Pattern& PatternOf(const PatternRow& row);
absl::Span<const Fragment> PatternVocabulary();

// Names of the guards the row's expression demands, in order of first use.
std::vector<absl::string_view> GuardsOf(const PatternRow& row, absl::Span<const Fragment> vocabulary);

}  // namespace hwest
