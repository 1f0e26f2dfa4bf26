// Parses what exporters write about sizes: dim expressions (DimPool::Parse) and range constraints of symbols.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace hwest {

// NamesSize tells whether a dim_param says which size it means, so that a second one with its text is the same size. A
// placeholder says no more than that the size is open ("?", "-1", "None"): each is a size of its own. Words are names
// whatever stands between them ("batch-size", "input.1"), and so is a placeholder that is counted ("unk__12", "dim_0"):
// its exporter tells such sizes apart.
bool NamesSize(absl::string_view text);

// RangeConstraint says min <= name, and name <= max when there is a max.
struct RangeConstraint {
  std::string name;
  int64_t min = 0;
  std::optional<int64_t> max;
};

// ParseRangeConstraints reads an exported program's range constraints as torch prints them, e.g.
// "{s0: VR[2, 64], s1: VR[0, int_oo]}". Entries of another form are skipped, so the result may be empty.
std::vector<RangeConstraint> ParseRangeConstraints(absl::string_view text);

}  // namespace hwest
