// Nodes by the names a request uses for them.
#pragma once

#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "cost/model_view.h"

namespace hwest {

// Nodes that `what` names, ascending: "#id", an operator ("Softmax", "com.microsoft::Gelu"), a node's name, or the name
// of one of its outputs. Operators are those of the file, and those that nodes are read as. Error kUsage when there is
// none.
absl::StatusOr<std::vector<NodeId>> FindNodes(const ModelView& model, absl::string_view what);

}  // namespace hwest
