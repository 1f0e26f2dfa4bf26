// CountAs counts the model by the convention of another tool, operator by operator.
#pragma once

#include "hwest/convention.h"
#include "pass/work.h"

namespace hwest {

// Nodes of class constant are left out and every node counts as often as its body runs, as in SumTotals. An operator
// without a native rule is unknown to every convention.
ConventionTable CountAs(Convention convention, const Graph& graph, const Facts& facts,
                        const IdMap<NodeId, NodeClass>& classes, const WorkMap& work, const IdMap<GraphId, Dim>& runs,
                        DimPool& dims);

}  // namespace hwest
