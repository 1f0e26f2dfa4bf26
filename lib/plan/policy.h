// Policy: how the toolchain of the target's accelerator divides a model, whatever that costs.
#pragma once

#include <optional>
#include <vector>

#include "partition/usable.h"
#include "plan/plan.h"

namespace hwest {

// IsPlacedByCost is true for requests that ask for something no toolchain weighs: the best placement, energy, a power
// cap, a host that competes.
bool IsPlacedByCost(const AnalysisRequest& request);

// TurnsOf gives the units of `all` their turns as the toolchain does: its accelerator takes every operator that it
// supports, the CPUs the rest. Of several accelerators the first of the target that runs without being asked for takes
// all; with --only each that is named, those that run on request first. A unit that only pins name runs what is pinned
// to it. None where a request or a toolchain leaves it to the costs.
std::optional<std::vector<UnitChoice>> TurnsOf(const PlanInput& input, const std::vector<UnitChoice>& all);

// The unit of a choice whose turn is first.
UnitId FirstInTurn(const std::vector<UnitChoice>& choice);

}  // namespace hwest
