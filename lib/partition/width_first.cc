#include "partition/width_first.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <string>
#include <tuple>

#include "cost/model_view.h"
#include "op/traits.h"
#include "pass/classify.h"

namespace hwest {
namespace {

constexpr int64_t kRowsRank = 3;  // positions of channels, which become an image

class TurnFinder {
 public:
  TurnFinder(const ModelView& model, const IdMap<NodeId, uint32_t>& block_of, const std::vector<bool>& on_host,
             const std::vector<std::string>& last)
      : model_(model), block_of_(block_of), on_host_(on_host), last_(last) {}

  Turn Run(absl::Span<const NodeId> nodes) const {
    Turn turn = Turn::kFolded;
    Parts parts;
    for (const NodeId node : nodes) {
      if (IsFolded(model_.classes[node])) continue;
      turn = std::max(turn, Turn::kOne);
      if (IsNamedLast(node)) return Turn::kLast;
      if (IsKernel(model_.classes[node])) Add(node, parts);
    }
    if (nodes.empty() || !parts.is_kernel) return turn;
    if (on_host_[block_of_[nodes[0]]]) return parts.computes ? turn : Turn::kMoved;
    if (parts.reads_rows) return Turn::kLast;
    if (parts.is_wide) return Turn::kWide;
    if (!parts.has_weights || parts.applied == 0) return turn;
    return parts.adds ? Turn::kSummed : Turn::kActivated;
  }

 private:
  struct Parts {
    bool is_kernel = false;
    bool computes = false;
    bool has_weights = false;  // a product with weights
    bool is_wide = false;
    bool adds = false;
    bool reads_rows = false;
    size_t applied = 0;  // operators beside the product
  };

  bool IsNamedLast(NodeId node) const {
    const absl::string_view op = model_.graph.str(model_.graph.node(node).op);
    return std::find(last_.begin(), last_.end(), op) != last_.end();
  }

  void Add(NodeId node, Parts& parts) const {
    parts.is_kernel = true;
    parts.computes |= model_.classes[node] != NodeClass::kLayout || !HasTrait(model_, node, trait::kKeepsElements);
    size_t values = 0, others = 0;
    for (const ValueId input : model_.graph.inputs(node)) {
      if (!input.valid() || IsConstant(model_, input)) continue;
      ++values;
      others += !IsMadeIn(block_of_[node], input);
      parts.reads_rows |= IsRowOfHost(input, block_of_[node]);
    }
    if (HasProduct(node)) {
      (values > 1 ? parts.is_wide : parts.has_weights) = true;
    } else if (HasTrait(model_, node, trait::kTakesStatistics)) {
      parts.is_wide = true;
    } else if (values > 1 || !HasTrait(model_, node, trait::kCommutes)) {  // else a bias or a factor
      ++parts.applied;
      parts.adds |= values > 1 && others > 0;
    }
  }

  bool IsMadeIn(uint32_t block, ValueId value) const {
    const NodeId producer = model_.graph.value(value).producer;
    return producer.valid() && block_of_[producer] == block;
  }

  bool HasProduct(NodeId node) const {
    return model_.work[node].has_value() && !model_.work[node]->contractions.empty();
  }

  bool IsRowOfHost(ValueId value, uint32_t reader) const {
    const NodeId producer = model_.graph.value(value).producer;
    if (!producer.valid() || block_of_[producer] == reader || !on_host_[block_of_[producer]]) return false;
    const Shape& shape = model_.facts.values[value].type.shape;
    return shape.ranked() && shape.rank() == kRowsRank;
  }

  const ModelView& model_;
  const IdMap<NodeId, uint32_t>& block_of_;
  const std::vector<bool>& on_host_;
  const std::vector<std::string>& last_;
};

}  // namespace

std::vector<Turn> TurnsOf(const ModelView& model, const BlockGraph& blocks, const IdMap<NodeId, uint32_t>& block_of,
                          const std::vector<bool>& on_host, const std::vector<std::string>& last) {
  const auto num_blocks = static_cast<uint32_t>(blocks.before.size());
  const BlockMembers members(block_of, num_blocks, [](NodeId) { return true; });
  const TurnFinder finder(model, block_of, on_host, last);
  std::vector<Turn> turns;
  for (uint32_t block = 0; block < num_blocks; ++block) turns.push_back(finder.Run(members[block]));
  return turns;
}

std::vector<uint32_t> WidthFirst(const BlockGraph& blocks, const std::vector<Turn>& turns) {
  const auto num_blocks = static_cast<uint32_t>(blocks.before.size());
  std::vector<std::vector<uint32_t>> readers(num_blocks);
  std::vector<size_t> missing(num_blocks);
  using Ready = std::tuple<Turn, uint32_t, uint32_t>;  // turn, which one it is to become ready, block
  std::priority_queue<Ready, std::vector<Ready>, std::greater<>> ready;
  uint32_t count = 0;
  for (uint32_t block = 0; block < num_blocks; ++block) {
    for (const uint32_t needed : blocks.before[block]) readers[needed].push_back(block);
    missing[block] = blocks.before[block].size();
    if (missing[block] == 0) ready.emplace(turns[block], count++, block);
  }
  std::vector<uint32_t> order;
  while (!ready.empty()) {
    const uint32_t block = std::get<2>(ready.top());
    ready.pop();
    order.push_back(block);
    for (const uint32_t reader : readers[block]) {
      if (--missing[reader] == 0) ready.emplace(turns[reader], count++, reader);
    }
  }
  return order;
}

}  // namespace hwest
