// The size to assume for a data-dependent dim that the request does not state: one figure for each kind of size,
// typical of usual contents. --expect replaces them.
#pragma once

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "op/rule.h"

namespace hwest {

// One kind of data-dependent size: what its symbols are called, which operators make it, and what it is taken at.
struct TypicalSize {
  absl::string_view name;    // its symbols are name, name_2, ...
  absl::string_view makers;  // operators, or what else makes it
  absl::string_view size;    // in words
  absl::string_view reason;
};

// All kinds, by name.
absl::Span<const TypicalSize> TypicalSizes();

// Elements that truth values in input `mask` select out of at most `most`: of scores above a threshold 1 %, of a
// comparison for equality a quarter, else all.
Dim TypicalSelected(const OpView& op, int mask, Dim most);

// Boxes of one class that pass the score threshold of a NonMaxSuppression, of `boxes`.
Dim TypicalCandidates(DimPool& dims, Dim boxes);
// Boxes that NonMaxSuppression keeps of one class: a quarter of the candidates, at most `limit`.
Dim TypicalKept(DimPool& dims, Dim candidates, Dim limit);
// Boxes that it keeps of one image where scores have a threshold, at most.
inline constexpr int64_t kTypicalDetections = 300;

// Characters of a string, parts and tokens it is split into, entries of a map: names, labels and short sentences.
inline constexpr int64_t kTypicalCharacters = 16;
inline constexpr int64_t kTypicalParts = 8;
inline constexpr int64_t kTypicalKeys = 16;

// K of a TopK over `size` elements.
Dim TypicalTop(DimPool& dims, Dim size);

// Runs of a body whose end its contents decide: half of `limit`, at least `min`; one where nothing limits them.
Dim TypicalTrips(DimPool& dims, int64_t min, Dim limit);

}  // namespace hwest
