// GraphEdit derives a graph with the same node and value ids, in which some nodes have another operator or other
// operands.
#pragma once

#include <cstdint>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "hwest/graph.h"

namespace hwest {

class GraphEdit {
 public:
  // Copies `base`, which has to outlive the edit and the graph made of it.
  explicit GraphEdit(const Graph& base);

  // The graph as it stands. Uses that nodes gave up are gone from it; those they gained come with Finish.
  const Graph& graph() const { return graph_; }
  StrId Intern(absl::string_view text);

  // The node computes `op` over `inputs`; its outputs, name, body and scope stay.
  void Become(NodeId node, StrId domain, StrId op, int32_t opset, absl::Span<const ValueId> inputs,
              absl::Span<const Attribute> attributes);
  // The node reads nothing.
  void Silence(NodeId node);
  // The node makes these values, which other nodes made.
  void TakeOutputs(NodeId node, absl::Span<const ValueId> outputs);

  Graph Finish() &&;

 private:
  void GiveUpUses(NodeId node);
  void GiveUpUse(ValueId value, NodeId node);

  Graph graph_;
};

}  // namespace hwest
