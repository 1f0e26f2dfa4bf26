// The padding of a sliding window that its pads do not state.
#pragma once

#include "pass/limit_read.h"

namespace hwest {

// HasImpliedPads says whether auto_pad or the output_shape of a transposed convolution decides about the padding; the
// runtime does not read the attribute pads then.
bool HasImpliedPads(const Graph& graph, NodeId node);

// ReadImpliedPads returns that padding, the begins of all spatial axes, then the ends, as pads would list it. What
// depends on a size that is not known has no number.
LimitReadings ReadImpliedPads(const LimitContext& context, NodeId node);

}  // namespace hwest
