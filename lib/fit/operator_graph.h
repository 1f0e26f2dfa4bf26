// A graph of one kernel, as a row of measured operators describes it.
#pragma once

#include <memory>

#include "absl/status/statusor.h"
#include "hwest/graph.h"
#include "measured/operators.h"

namespace hwest {

// OperatorGraph builds the operator that leads the row and what it says is fused behind it. Activations are inputs,
// weights are initialisers without contents. What the row does not say of a window follows from its shapes.
// Errors: NotFound, whose message says why there is no graph.
absl::StatusOr<std::shared_ptr<const Graph>> OperatorGraph(const MeasuredOperator& row);

}  // namespace hwest
