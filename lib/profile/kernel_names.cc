#include "profile/kernel_names.h"

#include <algorithm>
#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

namespace hwest {
namespace {

// What runtimes write around the name of a node, or of an output of one.
struct Spelling {
  absl::string_view before, after;
};
constexpr Spelling kSpellings[] = {
    {"", ""},
    {"", "_nchwc"},         // ONNX Runtime: in a blocked layout, after the output
    {"fused ", ""},         // ONNX Runtime: with its activation
    {"", "_act"},           // Vela: what goes into a fused activation, after its result
    {"", "_intermediate"},  // Vela: the first of two parts of an operator
    {"", " copy"},          // TensorRT: an operand that a Concat does not take in place
    {"node_of_", ""},       // TensorRT: a node without a name, after its output
};

// ONNX Runtime makes names of nodes that it adds its own: "NAME_token_12".
absl::string_view WithoutToken(absl::string_view name) {
  const size_t at = name.rfind("_token_");
  if (at == absl::string_view::npos) return name;
  const absl::string_view number = name.substr(at + 7);
  const bool is_number = !number.empty() && std::all_of(number.begin(), number.end(), absl::ascii_isdigit);
  return is_number ? name.substr(0, at) : name;
}

// Copies between layouts that TensorRT puts before or behind a kernel, whose name they carry.
bool IsCopy(absl::string_view kernel) {
  return absl::StartsWith(kernel, "Reformatting CopyNode") || absl::StrContains(kernel, " input reformatter ") ||
         absl::StrContains(kernel, " output reformatter ");
}

// "PWN(a, b) + c || d": point-wise nodes, what is fused with them, and what runs in the same launch.
std::vector<std::string> PartsOf(absl::string_view kernel) {
  const std::string plain = absl::StrReplaceAll(kernel, {{"PWN(", ""}, {" || ", " + "}, {", ", " + "}});
  return absl::StrSplit(plain, " + ", absl::SkipEmpty());
}

void Add(absl::string_view name, NodeId node, absl::flat_hash_map<absl::string_view, NodeId>* to) {
  if (name.empty()) return;
  const auto [at, is_new] = to->try_emplace(name, node);
  if (!is_new && at->second != node) at->second = NodeId();
}

}  // namespace

KernelNames::KernelNames(const Graph& graph) {
  for (uint32_t n = 0; n < graph.nodes().size(); ++n) {
    const NodeId node(n);
    Add(graph.name(node), node, &nodes_);
    for (const ValueId output : graph.outputs(node)) {
      if (output.valid()) Add(graph.name(output), node, &outputs_);
    }
  }
}

NodeId KernelNames::Find(absl::string_view name) const {
  if (const auto node = nodes_.find(name); node != nodes_.end()) return node->second;
  const auto output = outputs_.find(name);
  return output != outputs_.end() ? output->second : NodeId();
}

NodeId KernelNames::Resolve(absl::string_view name) const {
  for (const absl::string_view whole : {name, WithoutToken(name)}) {
    for (const Spelling& spelling : kSpellings) {
      absl::string_view inner = whole;
      if (!absl::ConsumePrefix(&inner, spelling.before) || !absl::ConsumeSuffix(&inner, spelling.after)) continue;
      if (const NodeId node = Find(inner); node.valid()) return node;
    }
    // "NAME/GeluFusion/": what ONNX Runtime fused, after the node it put the result in the place of.
    constexpr size_t kNone = absl::string_view::npos;
    for (size_t slash = whole.rfind('/'); slash != kNone && slash > 0; slash = whole.rfind('/', slash - 1)) {
      const bool is_fusion = absl::StrContains(whole.substr(slash), "Fusion");
      const NodeId node = is_fusion ? Find(whole.substr(0, slash)) : NodeId();
      if (node.valid()) return node;
    }
  }
  return NodeId();
}

std::vector<NodeId> KernelNames::NodesOf(absl::string_view kernel) const {
  if (IsCopy(kernel)) return {};
  if (const NodeId node = Resolve(kernel); node.valid()) return {node};
  std::vector<NodeId> nodes;
  for (const std::string& part : PartsOf(kernel)) {
    absl::string_view name = part;
    NodeId node = Resolve(name);
    while (!node.valid() && absl::ConsumeSuffix(&name, ")")) node = Resolve(name);  // of a "PWN(" before it
    if (node.valid()) nodes.push_back(node);
  }
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return nodes;
}

std::optional<std::pair<NodeId, NodeId>> KernelNames::RangeOf(absl::string_view kernel) const {
  absl::string_view range = kernel;
  if (!absl::ConsumePrefix(&range, "{ForeignNode[") || !absl::ConsumeSuffix(&range, "]}")) return std::nullopt;
  const size_t dots = range.find("...");
  if (dots == absl::string_view::npos) return std::nullopt;
  const NodeId first = Resolve(range.substr(0, dots)), last = Resolve(range.substr(dots + 3));
  if (!first.valid() || !last.valid()) return std::nullopt;
  return std::minmax(first, last);
}

}  // namespace hwest
