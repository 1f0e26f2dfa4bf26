// CheckTypes: what runtimes refuse in the types of a file.
#pragma once

#include <vector>

#include "hwest/diagnostic.h"
#include "hwest/facts.h"
#include "hwest/graph.h"

namespace hwest {

// Reports nodes whose operands break the types that their operator states (see op/schemas.h), and values that the
// file declares with another element type than they have. Figures stay as inference found them. Operators whose types
// nobody states, and types that are not known, pass.
void CheckTypes(const Graph& graph, const Facts& facts, DimPool& dims, std::vector<Diagnostic>& diagnostics);

}  // namespace hwest
