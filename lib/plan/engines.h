// Engines: equal units among which the images of a batch are divided.
#pragma once

#include <cstdint>
#include <vector>

#include "hwest/analysis.h"
#include "hwest/target.h"
#include "partition/support.h"

namespace hwest {

// EqualEngines lists the first set of two or more accelerators that the request may use and that are alike in kind,
// figures and precision, so that a plan for one is a plan for each; empty when there is none. Units that a pin, a
// denial or an assumption names are alike no longer, and pipelines, whose images overlap on one unit, are left out.
std::vector<UnitId> EqualEngines(const Target& target, const AnalysisRequest& request,
                                 const UnitPrecisions& precisions);

// SideBySide returns a plan that runs `once`, whose accelerator is engines[0], `runs` times, dealt out to `engines`.
// The engines work in parallel, each through its share in sequence; other units serve one run after the other. The rate
// is that of all engines together, as long as the other units keep up. Rows carry the work and energy of all runs and
// the time of one engine, so times still add up to the latency. Power that the board draws in any case counts once.
Plan SideBySide(Plan once, int64_t runs, const std::vector<UnitId>& engines, const Target& target);

}  // namespace hwest
