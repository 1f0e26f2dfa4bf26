// How often each body of control flow runs per inference.
#pragma once

#include <cstdint>
#include <optional>

#include "hwest/facts.h"
#include "hwest/graph.h"
#include "hwest/work.h"

namespace hwest {

// Runs by body: 1 for the main graph, else the runs of the parent times the trips of the body; symbolic where trip
// counts are. Of an If whose condition is open the branch with the most flops counts, the other one runs 0 times (the
// first one where neither is proven, or evaluates, to have more). Bodies of operators without a rule run once.
IdMap<GraphId, Dim> CountRuns(const Graph& graph, const Facts& facts, const WorkMap& work, DimPool& dims);

// Of all runs of a body: `once` at the mean iteration of the loops around it, times `runs`; 0 when there are none.
Dim OverRuns(Dim once, Dim runs, DimPool& dims);

// Runs as numbers, data-dependent trip counts at their assumed values. What does not evaluate is INT64_MAX, so that
// every count it multiplies is unknown.
IdMap<GraphId, int64_t> EvaluateRuns(const IdMap<GraphId, Dim>& runs, DimPool& dims);

}  // namespace hwest
