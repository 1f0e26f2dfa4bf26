// Plans beside that of the whole batch with every fusion of the toolchains: what can always be done instead.
#pragma once

#include "analysis/stages.h"

namespace hwest {

// TakeUnfused replaces the plan by that without the toolchains' fusions where it places more or is better by the request's
// objective: a fused group may miss the scratchpad, or the context, that its parts fit in. Support is then that of the
// parts. Graphs above 100,000 nodes keep their fusions.
void TakeUnfused(Workspace& workspace);

// TakeImages replaces the plan of a batch that the request asks for by that of one image, repeated, where that places
// more or is better: a scratchpad may hold the values of one image and not of all, and a toolchain may take one image and
// no more. Support is then that of one image.
void TakeImages(Workspace& workspace);

// TakeEngines replaces the plan of a batch that the request asks for by one that deals its images out to equal units (see
// plan/engines.h), where that is better: a placement of one inference runs on one unit after the other. Not under a power
// cap. Support is then that of one share.
void TakeEngines(Workspace& workspace);

}  // namespace hwest
