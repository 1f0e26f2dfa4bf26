// The timeline of a plan: its segments and groups one after the other.
#pragma once

#include "hwest/analysis.h"

namespace hwest {

// SetTimeline fills start_s of segments and groups, and latency_s and transfer_s of the plan, from the times of both.
// Groups of a pipelined segment start together.
void SetTimeline(Plan* plan);

}  // namespace hwest
