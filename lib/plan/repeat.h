// Repeat: a plan that runs several times in one inference.
#pragma once

#include <cstdint>

#include "hwest/analysis.h"
#include "hwest/estimate.h"

namespace hwest {

// Scale returns the estimate of `runs` executions.
Estimate Scale(const Estimate& once, int64_t runs);
// As above of the bytes that stay on the chip.
Residency Scale(const Residency& once, int64_t runs);

// Repeat returns the plan of `images` inferences in sequence, given that of one. Memory and segments stay those of one
// inference.
Plan Repeat(Plan plan, int64_t images);

}  // namespace hwest
