// Order: dependencies between blocks of nodes, cycles among them, and the depth-first order.
#pragma once

#include <cstdint>
#include <vector>

#include "hwest/graph.h"

namespace hwest {

// BlockGraph is the quotient of the node graph by `block_of`. Body nodes depend on the inputs of the node that owns the
// body, and that node on its body's nodes.
struct BlockGraph {
  std::vector<std::vector<uint32_t>> before;  // by block: blocks it needs, in input order, no duplicates, not itself
};
BlockGraph MakeBlockGraph(const Graph& graph, const IdMap<NodeId, uint32_t>& block_of, uint32_t num_blocks);

// Components numbers the strongly connected components; blocks on no common cycle have numbers of their own.
std::vector<uint32_t> Components(const BlockGraph& blocks);

// DepthFirst returns the blocks so that each comes after all it needs, one branch after the other. Requires a graph
// without cycles.
std::vector<uint32_t> DepthFirst(const BlockGraph& blocks);

}  // namespace hwest
