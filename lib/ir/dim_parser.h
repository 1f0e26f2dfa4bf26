// Text of exporters about sizes: dim expressions (DimPool::Parse) and range constraints of symbols.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace hwest {

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
