// The trade-off of an exploration as a picture.
#pragma once

#include "chart/drawing.h"
#include "explore/explore.h"

namespace hwest {

// A dot for each point: latency across, area upwards (where areas are unknown the energy, else the slowest model),
// coloured by the values of the first figure that varies. Outlined and joined is the Pareto set; crosses mark the best
// point and the target as it is; hollow dots break a constraint.
Drawing DrawExploration(const Exploration& found);

}  // namespace hwest
