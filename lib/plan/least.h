// A lower bound on the time of a model without fusion, found without placing it.
#pragma once

#include "plan/plan.h"

namespace hwest {

// LeastUnfusedSeconds is a lower bound on the latency of any plan of `input`: each node on its fastest unit, with every
// value on chip that could stay there, and without moves. It stops adding above `enough`. It is 0 with fusions, bodies
// of control flow or units whose groups overlap. `input.support` may belong to other overlays; a node that runs only in
// one of their groups does not run here.
double LeastUnfusedSeconds(const PlanInput& input, double enough);

}  // namespace hwest
