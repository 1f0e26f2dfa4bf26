// Slowdowns from one precision to another that the target file itself states.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "hwest/estimate.h"
#include "hwest/target.h"

namespace hwest::test {

struct Slowdown {
  double factor = 1;   // no work takes longer by more than this; at least 1
  std::string figure;  // the one that is slowest, e.g. "launch"; empty = none is slower
};

// StatedSlowdown compares the figures that hold for `unit` at `narrow` with those at `wide`: rates with their shares of
// the peak, bandwidths, launches, what is lost at edges. Errors: those of MakeMachine.
absl::StatusOr<Slowdown> StatedSlowdown(const Target& target, const Unit& unit, Precision wide, Precision narrow);

// Whether the unit states rates at both precisions, and none for contractions that is lower at `narrow`.
bool RatesGrow(const Unit& unit, Precision wide, Precision narrow);

// The target without work that takes extra time if a file states a rate for it (images, channels, windows,
// searches), which it may at one precision only.
Target WithoutOwnTimes(Target target);

// The target without figures of single precisions.
Target WithoutClasses(Target target);

}  // namespace hwest::test
