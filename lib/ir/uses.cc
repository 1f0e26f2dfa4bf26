#include "ir/uses.h"

#include "absl/types/span.h"

namespace hwest {

void IndexUses(const IdMap<NodeId, Node>& nodes, const std::vector<ValueId>& edges, size_t num_values,
               std::vector<uint32_t>* begin, std::vector<Use>* uses) {
  const auto inputs_of = [&](const Node& node) {
    return absl::MakeConstSpan(edges).subspan(node.first_input, node.num_inputs);
  };
  begin->assign(num_values + 1, 0);
  for (const Node& node : nodes) {
    for (const ValueId input : inputs_of(node)) {
      if (input.valid()) ++(*begin)[input.index() + 1];
    }
  }
  for (size_t v = 1; v < begin->size(); ++v) (*begin)[v] += (*begin)[v - 1];
  uses->resize(begin->back());
  std::vector<uint32_t> next(begin->begin(), begin->end() - 1);
  for (size_t n = 0; n < nodes.size(); ++n) {
    const absl::Span<const ValueId> inputs = inputs_of(nodes[NodeId(n)]);
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (inputs[i].valid()) (*uses)[next[inputs[i].index()]++] = {NodeId(n), static_cast<uint32_t>(i)};
    }
  }
}

}  // namespace hwest
