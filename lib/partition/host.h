// Host: the CPU of the machine that an accelerator module is plugged into.
#pragma once

#include "hwest/analysis.h"
#include "hwest/target.h"

namespace hwest {

// Whether `unit` is a discrete host that runs only what the accelerators refuse, because the request does not let it
// compete.
bool IsHeldBack(const Target& target, const AnalysisRequest& request, UnitId unit);

}  // namespace hwest
