// Reasons: why a plan starts a new segment.
#pragma once

#include <string>
#include <vector>

#include "plan/draft.h"

namespace hwest {

// SegmentReasons returns one text per segment of `draft`: "first segment"; the node that the previous unit cannot run
// and the limit it breaks; for an accelerator that resumes after the CPU, why it had stopped; or the cost of staying on
// the previous unit.
std::vector<std::string> SegmentReasons(const PlanInput& input, const Problem& problem, const Draft& draft);

}  // namespace hwest
