// Classify: what each node is at run time.
#pragma once

#include "hwest/facts.h"
#include "hwest/graph.h"

namespace hwest {

class OpRules;

// Classify decides from the graph's structure and element types only, so that classes do not depend on a binding.
//  constant  Constant nodes, and nodes with constant inputs only
//  shape     every use is a shape operand (Reshape's target, Slice's bounds ...) or another shape node; or computed
//            from shapes and constants alone and of rank 0 or 1
//  view, layout, control, compute  by the op's rule; a Cast to the same type or an Expand to the same shape is a view
//  opaque    no rule, nor one for custom operators in `rules`
IdMap<NodeId, NodeClass> Classify(const Graph& graph, const Facts& facts, const OpRules* rules = nullptr);

// True when the value is an initialiser, a Constant, or computed from such alone.
bool IsConstantValue(const Graph& graph, const IdMap<NodeId, NodeClass>& classes, ValueId value);

}  // namespace hwest
