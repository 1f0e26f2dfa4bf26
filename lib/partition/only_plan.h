// The plan of a problem that leaves no choice, as where a host runs only what others refuse: there is nothing to
// search.
#pragma once

#include <optional>

#include "partition/solver.h"

namespace hwest {

// The units of the atoms where each has one that can run it; none where one has several, or none.
std::optional<Assignment> OnlyAssignment(const PlacementProblem& problem);

// What SolvePlacement finds then, to the last digit. None when a limit is broken.
std::optional<Placement> PlaceOnly(const PlacementProblem& problem, Assignment units);

}  // namespace hwest
