// Reading: the graph as front ends of compilers read it, whatever operators the exporter wrote.
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
  NodeId into;                // the node that is read as the operation; itself where this is that node
  std::vector<NodeId> parts;  // of that node: the others that went into it, ascending
};

// Reading has the nodes and values of the graph in the file by id. A node in `nodes` is another operator there, or
// reads other operands; parts of it read nothing and run nowhere.
struct Reading {
  Graph graph;
  absl::flat_hash_map<NodeId, ReadAs> nodes;
};

// "read as GlobalAveragePool: the mean over the spatial axes", "part of NODE, read as Conv: ..."; empty when the node is
// read as it is written. `reading` may be null.
std::string ReadingText(const Graph& graph, const Reading* reading, NodeId node);

// The graph that units, groups and costs of the analysis are of.
const Graph& GraphAsRead(const Analysis& analysis);

}  // namespace hwest
