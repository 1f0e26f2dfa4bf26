// Parts of reports about memory.
#pragma once

#include <string>
#include <vector>

#include "chart/drawing.h"
#include "hwest/memory.h"
#include "report/view.h"

namespace hwest {

// The activations in one memory, as rectangles of addresses over groups; the first of `memories` that holds any is
// drawn first.
Drawing MemoryMap(const MemoryReport& report, const View& view);

// The same in characters: a column for each group or few of them, a letter for each of the largest tensors.
std::string MemoryMapText(const MemoryReport& report, const View& view, size_t width);

// Rows by memory, then offset, then time.
std::vector<Lifetime> ByAddress(const MemoryReport& report);

}  // namespace hwest
