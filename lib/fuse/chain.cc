#include "fuse/chain.h"

#include <algorithm>

#include "pass/classify.h"

namespace hwest {
namespace {

struct Chain {
  NodeId root;
  size_t kernels = 0;
  std::vector<NodeId> nodes;
};

class ChainFinder {
 public:
  ChainFinder(const GuardContext& context, const Matcher& matcher, const std::vector<uint8_t>& taken)
      : context_(context), matcher_(matcher), taken_(taken), chain_of_(context.graph.nodes().size(), kNone) {}

  std::vector<Match> Find() {
    for (size_t i = context_.graph.nodes().size(); i-- > 0;) Visit(NodeId(i));
    std::vector<Match> matches;
    for (Chain& chain : chains_) {
      if (chain.kernels < 2) continue;
      std::reverse(chain.nodes.begin(), chain.nodes.end());
      matches.push_back({.root = chain.root,
                         .core = NodeId(),
                         .weight = static_cast<uint32_t>(chain.kernels),
                         .nodes = std::move(chain.nodes)});
    }
    std::reverse(matches.begin(), matches.end());
    return matches;
  }

 private:
  static constexpr uint32_t kNone = UINT32_MAX;

  bool IsElementwise(NodeId node) const {
    return context_.classes[node] == NodeClass::kCompute && matcher_.HasTrait(node, trait::kElementwise) &&
           NeededOutputs(node) == 1;
  }

  int64_t NeededOutputs(NodeId node) const {
    const auto outputs = context_.graph.outputs(node);
    return std::count_if(outputs.begin(), outputs.end(),
                         [&](ValueId value) { return value.valid() && context_.facts.IsNeeded(value); });
  }

  const Shape& ShapeOf(NodeId node) const { return context_.facts.values[context_.graph.outputs(node)[0]].type.shape; }

  // The chain all users of the node's output are in; kNone when there is no such chain.
  uint32_t ChainOfUsers(NodeId node) const {
    const ValueId value = context_.graph.outputs(node)[0];
    if (context_.graph.value(value).is_output) return kNone;
    uint32_t chain = kNone;
    for (const Use& use : context_.graph.uses(value)) {
      if (!IsReadAtRun(context_.graph, context_.classes, use)) continue;
      const uint32_t of_user = chain_of_[use.node.index()];
      if (of_user == kNone || (chain != kNone && chain != of_user)) return kNone;
      chain = of_user;
    }
    return chain;
  }

  bool Fits(NodeId node, const Chain& chain) const {
    if (context_.graph.node(node).graph != context_.graph.node(chain.root).graph) return false;
    const auto ask = [&node_shape = ShapeOf(node), &root_shape = ShapeOf(chain.root)] {
      return node_shape.known() && node_shape == root_shape ? 1 : 0;
    };
    const bool fits = ask() != 0;
    if (context_.asked != nullptr) context_.asked->Add(&ShapeOf(chain.root), node.index(), ask, fits ? 1 : 0);
    return fits;
  }

  void Visit(NodeId node) {
    if (taken_[node.index()] != 0) return;
    const bool is_kernel = IsElementwise(node);
    if (!is_kernel && (!matcher_.IsPassed(node) || NeededOutputs(node) != 1)) return;
    uint32_t chain = ChainOfUsers(node);
    if (chain != kNone && !Fits(node, chains_[chain])) chain = kNone;
    if (chain == kNone) {
      if (!is_kernel) return;
      chain = static_cast<uint32_t>(chains_.size());
      chains_.push_back({.root = node, .kernels = 0, .nodes = {}});
    }
    chain_of_[node.index()] = chain;
    chains_[chain].nodes.push_back(node);
    if (is_kernel) ++chains_[chain].kernels;
  }

  const GuardContext& context_;
  const Matcher& matcher_;
  const std::vector<uint8_t>& taken_;
  std::vector<uint32_t> chain_of_;
  std::vector<Chain> chains_;
};

}  // namespace

std::vector<Match> FindChains(const GuardContext& context, const Matcher& matcher, const std::vector<uint8_t>& taken) {
  return ChainFinder(context, matcher, taken).Find();
}

}  // namespace hwest
