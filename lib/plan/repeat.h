// Repeat: a plan that runs several times in one inference.
#pragma once

#include <cstdint>

#include "hwest/analysis.h"
#include "hwest/estimate.h"
#include "hwest/graph.h"
#include "hwest/target.h"

namespace hwest {

// Scale returns the estimate of `runs` executions.
Estimate Scale(const Estimate& once, int64_t runs);
// As above of the bytes that stay on the chip.
Residency Scale(const Residency& once, int64_t runs);

// Repeat returns the plan of `images` inferences in sequence, given that of one. Memory and segments stay those of one
// inference, see HoldBatch.
Plan Repeat(Plan plan, int64_t images);

// HoldBatch makes room for the inputs and outputs of all images, `times` those that `plan` runs at once: they are there
// from the first image to the last.
void HoldBatch(const Graph& graph, const Target& target, int64_t times, Plan* plan);

}  // namespace hwest
