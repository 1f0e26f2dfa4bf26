// Host: the CPU that an accelerator module is plugged into.
#pragma once

#include "hwest/analysis.h"
#include "hwest/target.h"

namespace hwest {

// A CPU is a discrete host when the target has placeable accelerators and all of them have memories of their own: they
// are modules behind a link. The CPU of a SoC shares its memory with the engines beside it.
bool IsDiscreteHost(const Target& target, UnitId unit);

// Whether `unit` is a discrete host that runs what the accelerators refuse and no more: the request does not let it
// compete.
bool IsHeldBack(const Target& target, const AnalysisRequest& request, UnitId unit);

}  // namespace hwest
