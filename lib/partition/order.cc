#include "partition/order.h"

#include <algorithm>

#include "absl/container/flat_hash_map.h"

namespace hwest {
namespace {

using BodiesByOwner = absl::flat_hash_map<NodeId, std::vector<GraphId>>;

// Visits the producers of `node`'s inputs and, in a body, those of its owners' inputs; for an owner, its body's nodes.
template <class Visit>
void VisitNeeds(const Graph& graph, NodeId node, const BodiesByOwner& bodies_of, Visit visit) {
  const auto visit_inputs = [&](NodeId user) {
    for (const ValueId input : graph.inputs(user)) {
      if (!input.valid()) continue;
      const NodeId producer = graph.value(input).producer;
      if (producer.valid()) visit(producer);
    }
  };
  visit_inputs(node);
  for (NodeId owner = graph.body(graph.node(node).graph).owner; owner.valid();
       owner = graph.body(graph.node(owner).graph).owner) {
    visit_inputs(owner);
  }
  const auto bodies = bodies_of.find(node);
  if (bodies == bodies_of.end()) return;
  for (const GraphId body : bodies->second) {
    for (const NodeId inner : graph.body(body).nodes) visit(inner);
  }
}

BodiesByOwner FindBodies(const Graph& graph) {
  BodiesByOwner bodies;
  for (uint32_t g = 0; g < graph.bodies().size(); ++g) {
    const NodeId owner = graph.body(GraphId(g)).owner;
    if (owner.valid()) bodies[owner].push_back(GraphId(g));
  }
  return bodies;
}

// Tarjan's algorithm with an explicit stack.
class Tarjan {
 public:
  explicit Tarjan(const BlockGraph& blocks)
      : blocks_(blocks),
        index_(blocks.before.size(), 0),
        low_(blocks.before.size(), 0),
        component_(blocks.before.size(), kOpen) {}

  std::vector<uint32_t> Run() {
    for (uint32_t block = 0; block < index_.size(); ++block) {
      if (index_[block] == 0) Walk(block);
    }
    return std::move(component_);
  }

 private:
  static constexpr uint32_t kOpen = UINT32_MAX;
  struct Frame {
    uint32_t block;
    size_t next = 0;
  };

  void Enter(uint32_t block) {
    index_[block] = low_[block] = ++count_;
    open_.push_back(block);
    frames_.push_back({block});
  }

  void Walk(uint32_t root) {
    Enter(root);
    while (!frames_.empty()) {
      Frame& frame = frames_.back();
      const uint32_t block = frame.block;
      const auto& before = blocks_.before[block];
      if (frame.next < before.size()) {
        const uint32_t other = before[frame.next++];
        if (index_[other] == 0) {
          Enter(other);
        } else if (component_[other] == kOpen) {
          low_[block] = std::min(low_[block], index_[other]);
        }
        continue;
      }
      if (low_[block] == index_[block]) Close(block);
      frames_.pop_back();
      if (!frames_.empty()) low_[frames_.back().block] = std::min(low_[frames_.back().block], low_[block]);
    }
  }

  void Close(uint32_t block) {
    uint32_t member;
    do {
      member = open_.back();
      open_.pop_back();
      component_[member] = num_components_;
    } while (member != block);
    ++num_components_;
  }

  const BlockGraph& blocks_;
  std::vector<uint32_t> index_, low_, component_, open_;
  std::vector<Frame> frames_;
  uint32_t count_ = 0;
  uint32_t num_components_ = 0;
};

}  // namespace

BlockGraph MakeBlockGraph(const Graph& graph, const IdMap<NodeId, uint32_t>& block_of, uint32_t num_blocks) {
  const BodiesByOwner bodies_of = FindBodies(graph);
  BlockGraph blocks;
  blocks.before.resize(num_blocks);
  const BlockMembers members(block_of, num_blocks, [](NodeId) { return true; });
  std::vector<uint32_t> seen_by(num_blocks, UINT32_MAX);
  for (uint32_t block = 0; block < num_blocks; ++block) {
    seen_by[block] = block;
    for (const NodeId node : members[block]) {
      VisitNeeds(graph, node, bodies_of, [&](NodeId needed) {
        const uint32_t other = block_of[needed];
        if (seen_by[other] == block) return;
        seen_by[other] = block;
        blocks.before[block].push_back(other);
      });
    }
  }
  return blocks;
}

std::vector<uint32_t> Components(const BlockGraph& blocks) { return Tarjan(blocks).Run(); }

std::vector<uint32_t> DepthFirst(const BlockGraph& blocks) {
  const auto num_blocks = static_cast<uint32_t>(blocks.before.size());
  std::vector<bool> is_needed(num_blocks, false);
  for (const auto& before : blocks.before) {
    for (const uint32_t other : before) is_needed[other] = true;
  }
  std::vector<uint32_t> order;
  std::vector<bool> entered(num_blocks, false);
  std::vector<std::pair<uint32_t, size_t>> stack;
  for (uint32_t sink = 0; sink < num_blocks; ++sink) {
    if (is_needed[sink]) continue;
    entered[sink] = true;
    stack.emplace_back(sink, 0);
    while (!stack.empty()) {
      const uint32_t block = stack.back().first;
      if (stack.back().second == blocks.before[block].size()) {
        order.push_back(block);
        stack.pop_back();
        continue;
      }
      const uint32_t other = blocks.before[block][stack.back().second++];
      if (entered[other]) continue;
      entered[other] = true;
      stack.emplace_back(other, 0);
    }
  }
  return order;
}

}  // namespace hwest
