#include "profile/kernel_names.h"

#include <string>
#include <utility>
#include <vector>

#include "support/catch.h"
#include "support/graphs.h"

namespace hwest::test {
namespace {

// Nodes a/Conv, a/Relu, "b, c/Add", one without a name that makes "out", and two that share a name.
const Graph& TheGraph() {
  static const auto& built = *new Graph([] {
    const auto named = [](const char* op, const char* input, const char* output, const char* name) {
      Message node = Node(op, std::vector<std::string>{input}, std::vector<std::string>{output});
      if (*name != '\0') node.Bytes(3, name);
      return node;
    };
    Message graph;
    graph.Sub(1, named("Sigmoid", "x", "a/Conv_output_0", "a/Conv"));
    graph.Sub(1, named("Relu", "a/Conv_output_0", "a/Relu_output_0", "a/Relu"));
    graph.Sub(1, named("Relu", "a/Relu_output_0", "sum", "b, c/Add"));
    graph.Sub(1, named("Relu", "sum", "out", ""));
    graph.Sub(1, named("Relu", "out", "p", "twin"));
    graph.Sub(1, named("Relu", "p", "q", "twin"));
    const std::vector<int64_t> dims = {2};
    graph.Bytes(2, "g").Sub(11, TensorValue("x", 1, dims)).Sub(12, TensorValue("q", 1, dims));
    Message model;
    model.Varint(1, 8).Sub(7, graph).Sub(8, OpsetImport("", 17));
    return *BuildBytes(model.bytes());
  }());
  return built;
}

std::vector<uint32_t> Ids(const std::vector<NodeId>& nodes) {
  std::vector<uint32_t> ids;
  for (const NodeId node : nodes) ids.push_back(node.index());
  return ids;
}

TEST_CASE("names of kernels in the spellings of runtimes") {
  const auto [kernel, nodes] = GENERATE(table<std::string, std::vector<uint32_t>>({
      {"a/Conv", {0}},
      {"b, c/Add", {2}},
      {"a/Conv + a/Relu", {0, 1}},
      {"a/Conv + PWN(PWN(a/Relu), b, c/Add)", {0, 1}},  // a name with a separator is found whole alone
      {"PWN(a/Conv, a/Relu)", {0, 1}},
      {"a/Relu || a/Conv", {0, 1}},
      {"conv.weight + (Unnamed Layer* 3) [Shuffle] + a/Relu", {1}},
      {"node_of_out", {3}},
      {"out", {3}},
      {"a/Relu_output_0 copy", {1}},
      {"a/Relu_output_0_act", {1}},
      {"a/Relu_output_0_nchwc", {1}},
      {"a/Relu_output_0_nchwc_token_12", {1}},
      {"fused a/Conv", {0}},
      {"a/Conv/GeluFusion/", {0}},
      {"a/Conv/GeluFusion/_token_3", {0}},
      {"a/Conv/inner", {}},  // another node, of which the graph knows nothing
      {"Reformatting CopyNode for Input Tensor 0 to a/Conv + a/Relu", {}},
      {"a/Conv input reformatter 0", {}},
      {"twin", {}},
      {"p", {4}},
      {"", {}},
      {"(", {}},
      {"))) + )", {}},
  }));
  INFO(kernel);
  CHECK(Ids(KernelNames(TheGraph()).NodesOf(kernel)) == nodes);
}

TEST_CASE("a part that went to another compiler is named by its ends") {
  const KernelNames names(TheGraph());
  const auto range = names.RangeOf("{ForeignNode[a/Conv...sum]}");
  REQUIRE(range.has_value());
  CHECK(range->first == NodeId(0u));
  CHECK(range->second == NodeId(2u));
  CHECK(names.RangeOf("{ForeignNode[sum...a/Conv]}") == range);
  CHECK_FALSE(names.RangeOf("{ForeignNode[nobody...a/Conv]}").has_value());
  CHECK_FALSE(names.RangeOf("a/Conv...a/Relu").has_value());
}

}  // namespace
}  // namespace hwest::test
