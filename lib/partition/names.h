// Finds nodes by the names that a request uses.
#pragma once

#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "cost/model_view.h"

namespace hwest {

// Nodes that `what` names, ascending: "#id", an operator ("Softmax", "com.microsoft::Gelu"), a node's name, or an
// output's name. Operators are those of the file and those that nodes are read as. Errors: kUsage when there is none.
absl::StatusOr<std::vector<NodeId>> FindNodes(const ModelView& model, absl::string_view what);

}  // namespace hwest
