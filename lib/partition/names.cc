#include "partition/names.h"

#include <algorithm>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "hwest/diagnostic.h"

namespace hwest {
namespace {

bool Matches(const Graph& graph, NodeId node, absl::string_view what) {
  if (graph.op(node) == what || graph.name(node) == what) return true;
  if (absl::StrCat(graph.domain(node), "::", graph.op(node)) == what) return true;
  const absl::Span<const ValueId> outputs = graph.outputs(node);
  return std::any_of(outputs.begin(), outputs.end(),
                     [&](ValueId output) { return output.valid() && graph.name(output) == what; });
}

}  // namespace

absl::StatusOr<std::vector<NodeId>> FindNodes(const Graph& graph, absl::string_view what) {
  std::vector<NodeId> nodes;
  uint32_t index = 0;
  if (!what.empty() && what[0] == '#' && absl::SimpleAtoi(what.substr(1), &index) && index < graph.nodes().size()) {
    return std::vector<NodeId>{NodeId(index)};
  }
  for (uint32_t n = 0; n < graph.nodes().size(); ++n) {
    if (!what.empty() && Matches(graph, NodeId(n), what)) nodes.push_back(NodeId(n));
  }
  if (!nodes.empty()) return nodes;
  return MakeError(Code::kUsage, absl::StrCat("no node or operator is called '", what, "'"),
                   "give an operator, a node's name, an output's name or #id; `onnx-hwest support` lists them");
}

}  // namespace hwest
