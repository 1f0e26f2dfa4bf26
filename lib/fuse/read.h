// Reads a graph as front ends of compilers do: finds where rows of the table of readings hold.
#pragma once

#include <memory>

#include "hwest/facts.h"
#include "hwest/graph.h"
#include "hwest/reading.h"
#include "hwest/work.h"

namespace hwest {

// The tables of one model that follow what its nodes are read as.
struct ReadTables {
  Facts& facts;
  IdMap<NodeId, NodeClass>& classes;
  WorkMap& work;
};

// MakeReading returns how `graph` is read, null when everything is as it is written. Then the tables become those of
// the reading: what is read as another operator has its class and work, parts and nodes that do nothing are views.
// `graph` has to outlive the reading.
std::shared_ptr<const Reading> MakeReading(const Graph& graph, DimPool& dims, ReadTables tables);

}  // namespace hwest
