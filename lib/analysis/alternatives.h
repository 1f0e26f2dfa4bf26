// Alternatives to the plan of the whole batch with every fusion: without fusion, image by image, on several engines.
#pragma once

#include "analysis/stages.h"

namespace hwest {

// TakeUnfused replaces the plan by that without the toolchains' fusions where it places more or, for requests that are
// placed by cost, is better by the request's objective: a fused group may miss the scratchpad, or the context, that its
// parts fit in. Support is then that of the parts; the overlays stay those of the toolchains. Graphs above 100,000
// nodes keep their fusions.
void TakeUnfused(Workspace& workspace);

// TakeImages replaces the plan of a batch that the request asks for by that of one image, repeated, where that places
// more or is better: a scratchpad may hold the values of one image and not of all, and a toolchain may take one image
// and no more. What decided the plan, support and overlays, is then that of one image, as are the plan's lifetimes;
// counts and work stay those of the batch. A diagnostic says why one image alone has no plan. Errors: kInterrupted.
absl::Status TakeImages(Workspace& workspace);

// TakeEngines replaces the plan of a batch that the request asks for by one that deals its images out to equal units
// (see plan/engines.h), where that is better: a placement of one inference runs on one unit after the other. Not under
// a power cap. What decided the plan is then that of one share, and errors are as above.
absl::Status TakeEngines(Workspace& workspace);

}  // namespace hwest
