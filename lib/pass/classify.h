// Classify: what each node is at run time.
#pragma once

#include "hwest/facts.h"
#include "hwest/graph.h"

namespace hwest {

class OpRules;

// Classify decides from the graph's structure and element types, and from which sizes are known before run time:
// classes are those of any binding of the inputs' dims. It evaluates no contents, however large.
//  dead      no output of the model needs it (pass/needed.h)
//  constant  Constant nodes; nodes with constant inputs only; and what depends on shapes and constants alone, also in
//            bodies of loops and branches, if no size on the way is decided at run time
//  shape     every use is a shape operand (Reshape's target, Slice's bounds ...) or another shape node; or computed
//            from shapes and constants alone and of rank 0 or 1
//  view, layout, control, compute  by the op's rule; a Cast to the same type or an Expand to the same shape is a view
//  opaque    no rule, nor one for custom operators in `rules`
IdMap<NodeId, NodeClass> Classify(const Graph& graph, const Facts& facts, const DimPool& dims,
                                  const OpRules* rules = nullptr);

// True when the use reads contents at run time: by a node that is not folded, and for more than their type.
bool IsReadAtRun(const Graph& graph, const IdMap<NodeId, NodeClass>& classes, const Use& use);

// True when the value is an initialiser, a Constant, or computed from such alone.
bool IsConstantValue(const Graph& graph, const IdMap<NodeId, NodeClass>& classes, ValueId value);

// The value whose bytes `value` shares by a view; none when no view made it. Of a sum with zero it is the other one.
ValueId ViewedBy(const Graph& graph, const IdMap<NodeId, NodeClass>& classes, ValueId value);

}  // namespace hwest
