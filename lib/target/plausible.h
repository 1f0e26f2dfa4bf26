// Figures that a file may state but no current machine has: most are off by a power of ten.
#pragma once

#include <string>
#include <vector>

#include "absl/types/span.h"
#include "hwest/target.h"
#include "target/proto.h"

namespace hwest {

// The range of `field` from a microcontroller's NPU to a data centre's GPU, with a decade to spare.
struct PlausibleRow {
  absl::string_view field;
  double min;
  double max;
  bool or_zero = false;  // 0 is credible, too
};
absl::Span<const PlausibleRow> PlausibleRanges();
// The row of a field; null when there is none.
const PlausibleRow* FindPlausible(absl::string_view field);

// Bounds on the MACs per second of a whole unit.
inline constexpr double kLeastMacsPerS = 1e6;
inline constexpr double kMostMacsPerS = 1e17;

// CheckPlausible warns of figures, parameters and peak rates outside these ranges. Lines are not set.
std::vector<LintProblem> CheckPlausible(const proto::Target& target);

// Whether a field of a message of target.proto is only for readers of the file: no estimate uses it.
bool IsListedOnly(absl::string_view message, absl::string_view field);

// CheckUnread warns of figures that no estimate uses. Lines are not set.
std::vector<LintProblem> CheckUnread(const proto::Target& target);

}  // namespace hwest
