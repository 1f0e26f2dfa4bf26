// The plan of a problem that leaves no choice, as a host that runs only what others refuse does: nothing is to be searched.
#pragma once

#include <optional>

#include "partition/solver.h"

namespace hwest {

// The units of the atoms where each has one that can run it; none where one has several, or none.
std::optional<Assignment> OnlyAssignment(const PlacementProblem& problem);

// What SolvePlacement finds then, to the last digit. None when a limit is broken.
std::optional<Placement> PlaceOnly(const PlacementProblem& problem, Assignment units);

}  // namespace hwest
