// Liveness: the most bytes of activations that are alive at once.
#pragma once

#include <cstdint>
#include <vector>

#include "plan/run_group.h"

namespace hwest {

// PeakLiveBytes walks along `order`. A value lives from its producer (model inputs: from the start) to its last reader
// (model outputs: to the end); views share their source's bytes; a group's inputs and outputs are alive together.
int64_t PeakLiveBytes(const ModelView& model, const std::vector<const RunGroup*>& order);

}  // namespace hwest
