// What a power mode allows bounds what a plan may draw.
#pragma once

#include "hwest/analysis.h"

namespace hwest {

// KeepModeCap lowers the energies of a plan that would draw more than the mode of `target` allows: a device keeps its
// cap, so that figures per operation and of powered units, which are estimates, are too high there by as much. Times
// stay: the mode's clocks, and measurements in it, are what the cap leaves. A discrete host is outside of the cap.
void KeepModeCap(const Target& target, Plan* plan);

}  // namespace hwest
