// Nodes by the names a request uses for them.
#pragma once

#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "hwest/graph.h"

namespace hwest {

// Nodes that `what` names, ascending: "#id", an operator ("Softmax", "com.microsoft::Gelu"), a node's name, or the name
// of one of its outputs. Error kUsage when there is none.
absl::StatusOr<std::vector<NodeId>> FindNodes(const Graph& graph, absl::string_view what);

}  // namespace hwest
