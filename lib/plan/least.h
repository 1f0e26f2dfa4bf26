// A bound from below on what a model takes when nothing is fused, found without placing it.
#pragma once

#include "plan/plan.h"

namespace hwest {

// LeastUnfusedSeconds is the latency below which no plan of `input` comes: every node on the unit that runs it fastest,
// with all that could stay there on chip, and without any move. It stops adding above `enough`. 0 where it cannot say:
// with fusions, with bodies of control flow, and with units whose groups overlap. `input.support` may be that of other
// overlays: what runs only in a group of those does not run here.
double LeastUnfusedSeconds(const PlanInput& input, double enough);

}  // namespace hwest
