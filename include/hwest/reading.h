// Reading: the graph as compilers' front ends read it, whichever operators the exporter wrote.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "hwest/graph.h"
#include "hwest/id.h"

namespace hwest {

struct Analysis;
struct ReadingRow;  // lib/target/readings.h

// How one node is read.
struct ReadAs {
  const ReadingRow* row = nullptr;
  NodeId into;                // the node read as the operation; may be the node itself
  std::vector<NodeId> parts;  // of that node: the others merged into it, ascending
};

// Reading keeps the ids of the file's nodes and values. A node in `nodes` has another operator or other operands in
// this graph; its parts have no operands and never run.
struct Reading {
  Graph graph;
  absl::flat_hash_map<NodeId, ReadAs> nodes;
};

// "read as GlobalAveragePool: the mean over the spatial axes", "part of NODE, read as Conv: ..."; empty when the node
// is read as it is written. `reading` may be null.
std::string ReadingText(const Graph& graph, const Reading* reading, NodeId node);

// The graph to which the units, groups and costs of the analysis refer.
const Graph& GraphAsRead(const Analysis& analysis);

}  // namespace hwest
