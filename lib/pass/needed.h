// Needed: which values an output of the model depends on. What nobody needs costs nothing and limits nothing.
#pragma once

#include <vector>

#include "hwest/facts.h"
#include "hwest/graph.h"

namespace hwest {

// FindUnneeded marks, by value id, what no output of the main graph needs: outputs of nodes that nobody reads, and all
// that leads only there. Who reads no more than a size that is known, or a type, needs no contents. Values that bodies
// read are needed where the body's result is; what a loop carries is needed where a later run or the result reads it; a
// branch that `facts` know is not taken needs nothing. A model without outputs needs everything: the result is empty.
std::vector<bool> FindUnneeded(const Graph& graph, const Facts& facts, const DimPool& dims);

// True when the type is that of a tensor and no dim is decided at run time: constants and sizes of inputs only.
bool IsSizeKnown(const Type& type, const DimPool& dims);

// True when no output of the node is needed.
bool IsDead(const Graph& graph, const Facts& facts, NodeId node);

}  // namespace hwest
