// Topological order of a list of raw nodes, captures of nested bodies included.
#pragma once

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "ir/raw.h"

namespace hwest {

// Indices of `nodes` so that every value is defined before it is used. The file's order is kept where it is legal.
// Errors: kModelRefused naming the nodes of a cycle, or a value that two nodes produce.
absl::StatusOr<std::vector<uint32_t>> TopologicalOrder(const std::vector<RawNode>& nodes, const StringTable& strings);

}  // namespace hwest
