// Alike: nodes that no limit of a toolchain can tell apart, as networks repeat their layers.
#pragma once

#include "hwest/facts.h"
#include "hwest/graph.h"

namespace hwest {

// FindAlike returns, of each node, the first one like it (itself when there is none): the same operator, version and
// attributes, inputs and outputs of the same types, contents and roles, between the same operators. CheckLimit answers
// the same for both. `roots` are the values behind views.
IdMap<NodeId, NodeId> FindAlike(const Graph& graph, const Facts& facts, const IdMap<NodeId, NodeClass>& classes,
                                const IdMap<ValueId, ValueId>& roots);

// Whether two attributes of one graph say the same.
bool SameAttribute(const Attribute& a, const Attribute& b);

}  // namespace hwest
