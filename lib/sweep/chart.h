// Charts of a sweep: figures along its axis, how the plan changes along it, and which points are worth a look.
#pragma once

#include <vector>

#include "chart/drawing.h"
#include "sweep/row.h"

namespace hwest {

// DrawSweep draws latency, rate and memory along the batch, else along the image size or a dim that varies, with a line
// for each model, target, mode and precision; where time goes and how many kernels run, with changes outlined; and
// energy against latency, outlining points that no row of the same work beats. It omits unknown figures; a hollow dot
// marks a bound that leaves out nodes. The lines below the title say what is left out.
Drawing DrawSweep(const std::vector<SweepRow>& rows);

}  // namespace hwest
