// Figures that a file may state but no machine of today has: most are a wrong power of ten.
#pragma once

#include <string>
#include <vector>

#include "absl/types/span.h"
#include "hwest/target.h"
#include "target/proto.h"

namespace hwest {

// What a figure of `field` is on machines from a microcontroller's NPU to a data centre's GPU, with a decade to spare.
struct PlausibleRow {
  absl::string_view field;
  double min;
  double max;
  bool or_zero = false;  // 0 is credible, too
};
absl::Span<const PlausibleRow> PlausibleRanges();
// The row of a field; null when there is none.
const PlausibleRow* FindPlausible(absl::string_view field);

// MACs per second of a whole unit, from the slowest to the fastest.
inline constexpr double kLeastMacsPerS = 1e6;
inline constexpr double kMostMacsPerS = 1e17;

// CheckPlausible warns of figures, parameters and peak rates outside these ranges. Lines are not set.
std::vector<LintProblem> CheckPlausible(const proto::Target& target);

// Whether a field of a message of target.proto is listed for readers of the file and read by no estimate.
bool IsListedOnly(absl::string_view message, absl::string_view field);

// CheckUnread warns of figures that a file states and no estimate reads. Lines are not set.
std::vector<LintProblem> CheckUnread(const proto::Target& target);

}  // namespace hwest
