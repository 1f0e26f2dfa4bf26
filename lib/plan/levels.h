// Levels: which kernels of an overlay wait for no result of each other.
#pragma once

#include "cost/model_view.h"
#include "hwest/group.h"

namespace hwest {

// KernelsBeside returns, by group, how many kernels, its own counted, stand behind as many others on the longest way
// from an input. Over a chain it is 1 throughout, and the sum of 1 / KernelsBeside over all kernels is the length of
// the longest way. A group without a kernel has 1.
IdMap<GroupId, int> KernelsBeside(const ModelView& model, const Overlay& overlay);

}  // namespace hwest
