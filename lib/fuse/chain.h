// Element-wise chains: what generated point-wise kernels cover.
#pragma once

#include <cstdint>
#include <vector>

#include "fuse/guards.h"
#include "fuse/matcher.h"

namespace hwest {

// FindChains returns the largest sets of free element-wise nodes (`taken` is 0) of one output shape in which every
// value but the last is used inside only, each with two kernels or more, ordered by root. Linear in the graph.
std::vector<Match> FindChains(const GuardContext& context, const Matcher& matcher, const std::vector<uint8_t>& taken);

}  // namespace hwest
