// The nodes that `graph` shows.
#pragma once

#include <vector>

#include "absl/status/statusor.h"
#include "report/report.h"
#include "report/view.h"

namespace hwest {

// Ids of the nodes that meet every condition, ascending. Errors: kUsage for unknown names, with the nearest ones, and
// for contradictory conditions.
absl::StatusOr<std::vector<NodeId>> SelectNodes(const View& view, const GraphSelection& selection);

// The condition in words, for the line below a table: "#50 to #80, op Conv"; "" when there is none.
std::string SelectionText(const GraphSelection& selection);

}  // namespace hwest
