#include "ir/builder.h"

#include <string>
#include <vector>

#include "hwest/diagnostic.h"
#include "support/catch.h"
#include "support/graphs.h"

namespace hwest {
namespace {

using test::BuildBytes;
using test::GraphFromText;
using test::Message;
using test::NodeOf;
using test::ValueOf;

constexpr char kHead[] = "<ir_version: 8, opset_import: [\"\" : 17]> ";

std::vector<std::string> Ops(const Graph& graph) {
  std::vector<std::string> ops;
  for (size_t n = 0; n < graph.nodes().size(); ++n) ops.emplace_back(graph.op(NodeId(n)));
  return ops;
}

Code CodeOfBuild(absl::string_view text, const BuildOptions& options = {}) {
  const auto graph = BuildBytes(test::ModelFromText(text), options);
  REQUIRE_FALSE(graph.ok());
  return DiagnosticOf(graph.status()).code;
}

TEST_CASE("nodes are sorted, the file's order is kept where legal") {
  const Graph graph = GraphFromText(std::string(kHead) +
                                    "agraph (float[4] x) => (float[4] y) {"
                                    " y = Add(b, a)  a = Relu(x)  c = Neg(x)  b = Abs(a) }");
  CHECK(Ops(graph) == std::vector<std::string>{"Relu", "Neg", "Abs", "Add"});
}

TEST_CASE("captures of a body count as uses when sorting") {
  const Graph graph = GraphFromText(std::string(kHead) +
                                    "agraph (bool c, float[4] x) => (float[4] y) {"
                                    " y = If (c) <then_branch = t () => (float[4] p) { p = Relu(a) }, else_branch = e "
                                    "() => (float[4] q) { q = Neg(a) }>"
                                    " a = Abs(x) }");
  CHECK(Ops(graph) == std::vector<std::string>{"Abs", "Relu", "Neg", "If"});
  const NodeId branch = NodeOf(graph, "p");
  CHECK(graph.body(graph.node(branch).graph).owner == NodeOf(graph, "y"));
  CHECK(graph.inputs(branch)[0] == ValueOf(graph, "a"));
}

TEST_CASE("refused graphs name what is wrong") {
  struct Case {
    std::string name, body;
  };
  const auto c = GENERATE(values<Case>({
      {"cycle", "agraph (float[4] x) => (float[4] y) { y = Add(x, z)  z = Relu(y) }"},
      {"two producers", "agraph (float[4] x) => (float[4] y) { y = Relu(x)  y = Neg(x) }"},
      {"undefined input", "agraph (float[4] x) => (float[4] y) { y = Add(x, nothing) }"},
      {"undefined output", "agraph (float[4] x) => (float[4] z) { y = Relu(x) }"},
      {"writes an input", "agraph (float[4] x) => (float[4] x) { x = Relu(x) }"},
  }));
  INFO(c.name);
  CHECK(CodeOfBuild(std::string(kHead) + c.body) == Code::kModelRefused);
}

TEST_CASE("a local function becomes nodes with ids and a scope of its own") {
  const Graph graph = GraphFromText(
      "<ir_version: 8, opset_import: [\"\" : 17, \"local\" : 1]> agraph (float[4] x) => (float[4] y) {"
      " h = local.block(x)  y = local.block(h) }"
      "<domain: \"local\", opset_import: [\"\" : 13]> block (a) => (b) { t = Relu(a)  b = Neg(t) }");
  CHECK(Ops(graph) == std::vector<std::string>{"Relu", "Neg", "Relu", "Neg"});
  CHECK(graph.node(NodeId(0u)).opset == 13);
  CHECK(graph.name(graph.outputs(NodeId(0u))[0]) == "h/t");
  CHECK(graph.name(graph.outputs(NodeId(1u))[0]) == "h");
  const Scope& scope = graph.scope(graph.node(NodeId(0u)).scope);
  CHECK(graph.str(scope.path) == "h");
  CHECK(graph.str(scope.class_name) == "block");
  CHECK(graph.OriginOf(NodeId(0u)) == Origin::kModule);
}

TEST_CASE("function attributes are substituted; an argument left out drops the attribute") {
  const std::string text =
      "<ir_version: 8, opset_import: [\"\" : 17, \"local\" : 1]> agraph (float[4] x) => (float[4] y) {"
      " h = local.f<slope = 0.5>(x)  y = local.f(h) }"
      "<domain: \"local\", opset_import: [\"\" : 17]> f <slope>(a) => (b) { b = LeakyRelu<alpha: float = @slope>(a) }";
  const Graph graph = GraphFromText(text);
  const Attribute* given = graph.FindAttribute(NodeId(0u), "alpha");
  REQUIRE(given != nullptr);
  CHECK(given->f == 0.5f);
  CHECK(graph.FindAttribute(NodeId(1u), "alpha") == nullptr);
}

TEST_CASE("a function that hands its input through becomes an Identity under the caller's name") {
  const Graph graph = GraphFromText(
      "<ir_version: 8, opset_import: [\"\" : 17, \"local\" : 1]> agraph (float[4] x) => (float[4] y) {"
      " y = local.same(x) }"
      "<domain: \"local\", opset_import: [\"\" : 17]> same (a) => (a) { unused = Relu(a) }");
  CHECK(graph.op(NodeOf(graph, "y")) == "Identity");
}

TEST_CASE("recursion of functions is refused") {
  CHECK(CodeOfBuild("<ir_version: 8, opset_import: [\"\" : 17, \"local\" : 1]> agraph (float[4] x) => (float[4] y) {"
                    " y = local.f(x) }"
                    "<domain: \"local\", opset_import: [\"local\" : 1]> f (a) => (b) { b = local.f(a) }") ==
        Code::kModelRefused);
}

TEST_CASE("the node cap holds after inlining") {
  BuildOptions options;
  options.limits.max_nodes = 3;
  CHECK(CodeOfBuild(std::string(kHead) + "agraph (float[4] x) => (float[4] e) {"
                                         " b = Relu(x)  c = Relu(b)  d = Relu(c)  e = Relu(d) }",
                    options) == Code::kModelRefused);
}

TEST_CASE("what inlining makes beside nodes is capped too") {
  const std::string text = std::string(
      "<ir_version: 8, opset_import: [\"\" : 17, \"local\" : 1]> agraph (float[4] x) =>"
      " (float[4] y) { t = local.f(x)  y = local.f(t) }"
      "<domain: \"local\", opset_import: [\"\" : 17]> f (a) => (b) { c = Relu(a)"
      "  b = LeakyRelu <alpha = 0.5> (c) }");
  BuildOptions options;
  CHECK(BuildBytes(test::ModelFromText(text), options).ok());
  options.limits.max_items = 10;
  CHECK(CodeOfBuild(text, options) == Code::kModelRefused);
  options.limits = {};
  options.limits.max_name_bytes = 3;
  CHECK(CodeOfBuild(text, options) == Code::kModelRefused);
}

TEST_CASE("warnings are listed up to a hundred of a kind and then counted") {
  Message shape, graph;
  for (int i = 0; i < 50; ++i) shape.Sub(1, Message().Varint(1, -1));
  for (const char* name : {"x", "y", "z"}) {
    graph.Sub(11, Message().Bytes(1, name).Sub(2, Message().Sub(1, Message().Varint(1, 1).Sub(2, shape))));
  }
  const auto built = BuildBytes(test::Model(graph).bytes());
  REQUIRE(built.ok());
  REQUIRE(built->diagnostics().size() == 101);
  CHECK(built->diagnostics().back().message == "50 more of this kind");
}

TEST_CASE("opset imports may be missing") {
  struct Case {
    int64_t ir, want;
  };
  const auto c = GENERATE(values<Case>({{2, 1}, {4, 9}, {8, 18}, {10, 22}}));
  const Message graph = Message()
                            .Sub(1, test::Node("Relu", {"x"}, {"y"}))
                            .Sub(11, test::TensorValue("x", 1, {4}))
                            .Sub(12, test::TensorValue("y", 1, {4}));
  const auto built = BuildBytes(Message().Varint(1, c.ir).Sub(7, graph).bytes());
  REQUIRE(built.ok());
  CHECK(built->node(NodeId(0u)).opset == c.want);
  CHECK(built->diagnostics().size() == (c.ir < 3 ? 0u : 1u));
}

TEST_CASE("initialisers that are inputs too are no model inputs") {
  const Message graph = Message()
                            .Sub(1, test::Node("Add", {"x", "w"}, {"y"}))
                            .Sub(5, test::RawTensor("w", 1, {1}, std::string(4, '\0')))
                            .Sub(11, test::TensorValue("x", 1, {4}))
                            .Sub(11, test::TensorValue("w", 1, {1}))
                            .Sub(12, test::TensorValue("y", 1, {4}));
  const auto built = BuildBytes(test::Model(graph).bytes());
  REQUIRE(built.ok());
  REQUIRE(built->main().inputs.size() == 1);
  CHECK(built->name(built->main().inputs[0]) == "x");
  CHECK(built->value(ValueOf(*built, "w")).is_initializer);
}

TEST_CASE("an unnamed input dim of -1 is unknown, a zero dim stays zero") {
  const Message graph = Message()
                            .Sub(1, test::Node("Relu", {"x"}, {"y"}))
                            .Sub(11, test::TensorValue("x", 1, {-1, 0}))
                            .Sub(12, test::TensorValue("y", 1, {}));
  const auto built = BuildBytes(test::Model(graph).bytes());
  REQUIRE(built.ok());
  const Type* type = built->declared(ValueOf(*built, "x"));
  REQUIRE(type != nullptr);
  CHECK(type->shape.dim(0).is_unknown());
  CHECK(type->shape.dim(1).IsConstant(0));
}

TEST_CASE("uses are indexed by value") {
  const Graph graph =
      GraphFromText(std::string(kHead) + "agraph (float[4] x) => (float[4] y) { a = Relu(x)  y = Add(a, a) }");
  const auto uses = graph.uses(ValueOf(graph, "a"));
  REQUIRE(uses.size() == 2);
  CHECK(uses[0].input == 0);
  CHECK(uses[1].input == 1);
  CHECK(graph.uses(ValueOf(graph, "y")).empty());
}

TEST_CASE("Constant nodes carry their payload whatever attribute holds it") {
  const Graph graph = GraphFromText(std::string(kHead) +
                                    "agraph () => (int64[2] a, float b) {"
                                    " a = Constant<value_ints = [3, 4]>()  b = Constant<value_float = 0.5>() }");
  const Constant& ints = graph.constant(graph.value(ValueOf(graph, "a")).constant);
  CHECK(ints.elem == ElemType::kInt64);
  CHECK(ints.dims == std::vector<int64_t>{2});
  CHECK(ints.data.size() == 16);
  CHECK(graph.constant(graph.value(ValueOf(graph, "b")).constant).dims.empty());
}

}  // namespace
}  // namespace hwest
