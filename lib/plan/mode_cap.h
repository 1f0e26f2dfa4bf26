// Caps the power of a plan at what its power mode allows.
#pragma once

#include "hwest/analysis.h"

namespace hwest {

// KeepModeCap lowers the energies of a plan that would draw more than the mode of `target` allows. A device keeps its
// cap, so the estimated energies per operation and per powered unit must be too high by that factor. Times stay,
// because the mode's clocks and measurements already reflect the cap. A discrete host is outside the cap.
void KeepModeCap(const Target& target, Plan* plan);

}  // namespace hwest
