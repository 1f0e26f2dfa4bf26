// Concatenations that move nothing: producers write their part of the result where it ends up.
#pragma once

#include <string>

#include "fuse/guards.h"

namespace hwest {

// IsInPlace is true for a Concat whose every input one kernel of the same graph makes for it: no constant, no input or
// output of the model, nothing that is dequantised on the way, unless the whole is quantised at the same scale. A value
// that several concatenations take has a place in all of them only when they begin alike up to it, so that they share
// one buffer (`kNested`).
enum class Places : uint8_t { kOne, kNested };
bool IsInPlace(const GuardContext& context, NodeId concat, Places places);
// What keeps a Concat that runs from it, for people; empty when nothing does.
std::string WhyNotInPlace(const GuardContext& context, NodeId concat, Places places);

}  // namespace hwest
