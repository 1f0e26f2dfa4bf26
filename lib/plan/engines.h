// Engines: equal units that each take a part of the images of a batch.
#pragma once

#include <cstdint>
#include <vector>

#include "hwest/analysis.h"
#include "hwest/target.h"
#include "partition/support.h"

namespace hwest {

// EqualEngines lists the first set of two or more accelerators that the request may use and that are alike in kind,
// figures and precision, so that a plan for one is a plan for each; empty when there is none. Units that a pin, a denial or
// an assumption names are alike no longer, and pipelines, whose images overlap on one unit, are left out.
std::vector<UnitId> EqualEngines(const Target& target, const AnalysisRequest& request, const UnitPrecisions& precisions);

// SideBySide returns the plan of `runs` times `once`, a plan whose accelerator is engines[0], dealt out to `engines`: one
// engine runs its share one after the other, while the others run theirs; what other units do happens for one run after
// the other. The rate is that of all engines, as long as those other units keep up. Rows carry the work and energy of all
// runs and the time that one engine takes, so that times still add up to the latency. Power that the board draws whatever
// runs is counted once.
Plan SideBySide(Plan once, int64_t runs, const std::vector<UnitId>& engines, const Target& target);

}  // namespace hwest
