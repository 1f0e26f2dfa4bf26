// Charts of a sweep: figures along the axis that it has, what the plan does along it, and which points are worth a
// look.
#pragma once

#include <vector>

#include "chart/drawing.h"
#include "sweep/row.h"

namespace hwest {

// DrawSweep draws latency, rate and memory along the batch, else along the image size or a dim that varies, a line for
// each model, target, mode and precision; where the time goes and how many kernels there are, with what changes
// outlined; and latency beside energy, those outlined that no row of the same work beats. Figures that are not known
// are not drawn; of what leaves nodes out a hollow dot says that it is a bound. What is left out is said below the
// title.
Drawing DrawSweep(const std::vector<SweepRow>& rows);

}  // namespace hwest
