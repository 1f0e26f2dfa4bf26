// Coverage: how much of the graph each stage understood.
#pragma once

#include "hwest/analysis.h"

namespace hwest {

// CoverageOf counts over the tables filled so far; without a plan `costed` and `placed` are 0.
Coverage CoverageOf(const Analysis& analysis);

}  // namespace hwest
