// The module roll-up: counts per scope of the source program, children included.
#pragma once

#include <vector>

#include "hwest/analysis.h"

namespace hwest {

// One row per scope in order of first appearance; none for a file that names no modules. The root is the whole model:
// nodes that belong to no module count for it alone. Nodes of class shape and constant count as nodes but not as work.
// A weight counts once in every module that uses it, so modules that share one add up to more than their parent.
std::vector<ModuleRow> RollUpModules(const Graph& graph, const IdMap<NodeId, NodeClass>& classes, const WorkMap& work,
                                     const IdMap<GraphId, Dim>& runs, DimPool& dims);

// Adds time and energy of the plan, unknown where a group has none. A group's figures go to the scope of its most
// expensive node (most MACs, else its root) and all its ancestors; the root has latency and energy of the model, and
// with them what lies between groups: transfers, invokes, the filling of pipelines.
void AddModuleTimes(const Graph& graph, const CountsMap& counts, const Plan& plan, std::vector<ModuleRow>& modules);

}  // namespace hwest
