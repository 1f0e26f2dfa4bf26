// The plan of a problem without a choice, such as a host that runs only what others refuse: nothing needs a search.
#pragma once

#include <optional>

#include "partition/solver.h"

namespace hwest {

// The units of the atoms if each has exactly one that can run it; else none.
std::optional<Assignment> OnlyAssignment(const PlacementProblem& problem);

// The same result as SolvePlacement, to the last digit. None when a limit is broken.
std::optional<Placement> PlaceOnly(const PlacementProblem& problem, Assignment units);

}  // namespace hwest
