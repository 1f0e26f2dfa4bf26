// The module roll-up: counts per scope of the source program, children included.
#pragma once

#include <vector>

#include "hwest/analysis.h"

namespace hwest {

// One row per scope in order of first appearance. Nodes of class shape and constant count as nodes but not as work.
std::vector<ModuleRow> RollUpModules(const Graph& graph, const IdMap<NodeId, NodeClass>& classes,
                                     const WorkMap& work,
                                     const CountsMap& counts,
                                     const IdMap<GraphId, Dim>& runs, DimPool& dims);

// Adds time and energy of the plan: a group's figures go to the scope of its dearest node (most MACs, else its root)
// and all its ancestors.
void AddModuleTimes(const Graph& graph, const CountsMap& counts, const Plan& plan,
                    std::vector<ModuleRow>& modules);

}  // namespace hwest
