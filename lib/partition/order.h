// Order: dependencies between blocks of nodes, cycles among them, and the depth-first order.
#pragma once

#include <cstdint>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "hwest/graph.h"

namespace hwest {

// The nodes of each block, ascending.
class BlockMembers {
 public:
  template <class Keep>
  BlockMembers(const IdMap<NodeId, uint32_t>& block_of, uint32_t num_blocks, Keep keep) : first_(num_blocks + 1, 0) {
    for (uint32_t n = 0; n < block_of.size(); ++n) first_[block_of[NodeId(n)] + 1] += keep(NodeId(n));
    for (uint32_t block = 0; block < num_blocks; ++block) first_[block + 1] += first_[block];
    nodes_.resize(first_.back());
    std::vector<uint32_t> next(first_.begin(), first_.end() - 1);
    for (uint32_t n = 0; n < block_of.size(); ++n) {
      if (keep(NodeId(n))) nodes_[next[block_of[NodeId(n)]]++] = NodeId(n);
    }
  }
  absl::Span<const NodeId> operator[](uint32_t block) const {
    return absl::MakeConstSpan(nodes_).subspan(first_[block], first_[block + 1] - first_[block]);
  }

 private:
  std::vector<uint32_t> first_;
  std::vector<NodeId> nodes_;
};

// BlockGraph is the quotient of the node graph by `block_of`. Body nodes depend on the inputs of the body's owner, and
// the owner depends on the body's nodes.
struct BlockGraph {
  std::vector<absl::InlinedVector<uint32_t, 2>>
      before;  // by block: other blocks that it needs, in input order, no duplicates
};
BlockGraph MakeBlockGraph(const Graph& graph, const IdMap<NodeId, uint32_t>& block_of, uint32_t num_blocks);

// Components numbers the strongly connected components; a block on no cycle has its own number.
std::vector<uint32_t> Components(const BlockGraph& blocks);

// DepthFirst orders the blocks so that each follows all it needs, one branch after the other. Requires an acyclic
// graph.
std::vector<uint32_t> DepthFirst(const BlockGraph& blocks);

}  // namespace hwest
