// Cuts: where the host copies values between kernels of an accelerator, so that a segment ends there.
#pragma once

#include <cstdint>
#include <vector>

#include "cost/model_view.h"
#include "partition/atoms.h"

namespace hwest {

// By atom, a bit for each unit of `usable`: whether another segment of the unit begins there, as the host copies values
// in front of it: what the atom reads, or what the one before it made, as soon as it is there. What the host makes
// itself, inputs of the model and constants need no cut. Empty = none.
std::vector<uint64_t> CutsOf(const ModelView& model, const Usable& usable, const Atoms& atoms);

}  // namespace hwest
