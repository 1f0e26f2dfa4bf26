// CountWork: hardware-free counts of every node, symbolic where dims are, and their totals.
#pragma once

#include <optional>

#include "hwest/analysis.h"
#include "hwest/facts.h"
#include "hwest/graph.h"
#include "hwest/work.h"

namespace hwest {

class OpRules;

struct WorkTables {
  WorkMap work;        // none = no rule, or its inputs are not known well enough
  TrafficMap traffic;  // none = a size is unknown
};

// `rules` are those of custom operators.
WorkTables CountWork(const Graph& graph, const Facts& facts, const IdMap<NodeId, NodeClass>& classes, DimPool& dims,
                     const OpRules* rules = nullptr);

// Elements of a tensor, or of all tensors a sequence or optional holds; unknown when a size is.
Dim ElementsOf(const Facts& facts, ValueId value, DimPool& dims);

// flops = 2*macs + floating point element operations.
Dim FlopsOf(const Work& work, DimPool& dims);

// A dim as a number: constants as they are, data-dependent symbols at their assumed value. None when a symbol without
// one or an unknown remains.
std::optional<int64_t> EvaluateSymbolic(Dim dim, DimPool& dims);
inline std::optional<int64_t> Evaluate(Dim dim, DimPool& dims) {
  return dim.is_constant() ? std::optional<int64_t>(dim.value()) : EvaluateSymbolic(dim, dims);
}

// Totals over nodes that are not of class constant, each times the runs of its body.
Totals SumTotals(const Graph& graph, const WorkTables& tables, const IdMap<NodeId, NodeClass>& classes,
                 const IdMap<GraphId, Dim>& runs, DimPool& dims);

// CountNodes evaluates the tables to numbers, times the runs of each node's body; weights per node included.
CountsMap CountNodes(const Graph& graph, const WorkTables& tables, const IdMap<GraphId, Dim>& runs, DimPool& dims);

}  // namespace hwest
