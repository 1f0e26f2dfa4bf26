#include "partition/names.h"

#include <algorithm>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "hwest/diagnostic.h"
#include "hwest/reading.h"

namespace hwest {
namespace {

bool IsOperator(const Graph& graph, NodeId node, absl::string_view what) {
  return graph.op(node) == what || absl::StrCat(graph.domain(node), "::", graph.op(node)) == what;
}

bool Matches(const Graph& graph, NodeId node, absl::string_view what) {
  if (IsOperator(graph, node, what) || graph.name(node) == what) return true;
  const absl::Span<const ValueId> outputs = graph.outputs(node);
  return std::any_of(outputs.begin(), outputs.end(),
                     [&](ValueId output) { return output.valid() && graph.name(output) == what; });
}

}  // namespace

absl::StatusOr<std::vector<NodeId>> FindNodes(const ModelView& model, absl::string_view what) {
  const Graph& graph = model.written != nullptr ? *model.written : model.graph;
  const bool is_read = model.reading != nullptr;
  std::vector<NodeId> nodes;
  uint32_t index = 0;
  if (!what.empty() && what[0] == '#' && absl::SimpleAtoi(what.substr(1), &index) && index < graph.nodes().size()) {
    return std::vector<NodeId>{NodeId(index)};
  }
  for (uint32_t n = 0; n < graph.nodes().size(); ++n) {
    if (what.empty()) break;
    const NodeId node(n);
    const bool matches = Matches(graph, node, what) ||
                         (is_read && model.reading->nodes.contains(node) && IsOperator(model.graph, node, what));
    if (matches) nodes.push_back(node);
  }
  if (!nodes.empty()) return nodes;
  return MakeError(Code::kUsage, absl::StrCat("no node or operator is called '", what, "'"),
                   "give an operator, a node's name, an output's name or #id; `onnx-hwest support` lists them");
}

}  // namespace hwest
