// Reasons: why each segment starts where it does.
#pragma once

#include <string>
#include <vector>

#include "plan/draft.h"

namespace hwest {

// SegmentReasons returns one text per segment of `draft`: "first segment"; the node that the unit before does not run
// and the limit it breaks; what an accelerator goes on with behind a CPU and why it had left off; or what staying would
// have cost.
std::vector<std::string> SegmentReasons(const PlanInput& input, const Problem& problem, const Draft& draft);

// ViolationText says what is wrong with a row, e.g. "rank of input 0: 5, needs at most 4 (tidl-ops)".
std::string ViolationText(const Support& support);

}  // namespace hwest
