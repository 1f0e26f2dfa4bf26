// Two kernels of the peak part by part: strips of rows, or parts of the channels.
#pragma once

#include <vector>

#include "hwest/memory.h"

namespace hwest::app {

// Adds what running the maker and the reader of the largest tensors at the peak part by part takes, so that the tensor
// between them is never whole, and what that costs.
void AddParts(const MemoryReport& report, std::vector<MemoryCure>* cures);

}  // namespace hwest::app
