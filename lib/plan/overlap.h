// Overlap: a placed plan timed once more with its independent branches side by side.
#pragma once

#include "plan/draft.h"

namespace hwest {

// OverlappedSeconds runs the steps of `draft` again: each unit keeps its own order and does one thing at a time, an
// atom starts when everything it reads is made, and units whose groups want more of a shared memory than it gives are
// slowed down alike. Never more than the serial plan, never less than the longest chain of atoms or the busiest unit.
double OverlappedSeconds(const PlanInput& input, const Problem& problem, const Draft& draft);

}  // namespace hwest
