// The graph as ONNX text, read back by libonnx's parser.
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_join.h"
#include "report_fixture.h"

namespace hwest::test {
namespace {

constexpr char kModel[] = R"(<ir_version: 8, opset_import: ["" : 17, "my.domain" : 1]>
sample (float[N, 4] x, bool[1] c) => (float[N, 4] out, float[M] odd) <float[4, 4] w, int64[2] shape = {-1, 4}> {
  a = MatMul(x, w)
  b = Reshape <allowzero = 0> (a, shape)
  k = Constant <value = float[2] {0.5, 2.0}> ()
  s = Clip(b, , k)
  i = If (c) <then_branch = yes () => (float[N, 4] t) { t = Relu(s) },
              else_branch = no () => (float[N, 4] e) { r = Abs(s) e = MatMul(r, w) }>
  odd = my.domain.Foo <mode = "a b", scales = [0.5, 1.0], axes = [0, -1]> (i, x)
  out = Add(i, x)
})";

const Analysis& Sample() {
  static const auto& analysis = *new Analysis(*Analyze(std::make_shared<const Graph>(GraphFromText(kModel)), {}));
  return analysis;
}

std::string TextOf(const Analysis& analysis, const GraphSelection& selection = {}) {
  return ReportText(analysis, ReportKind::kGraph, {.format = Format::kOnnxText, .graph = selection});
}

// What a node is, by names.
std::string NodeText(const Graph& graph, NodeId node) {
  const auto names = [&](absl::Span<const ValueId> values) {
    std::vector<std::string> each;
    for (const ValueId value : values) each.emplace_back(value.valid() ? graph.name(value) : "");
    return absl::StrJoin(each, ",");
  };
  std::vector<std::string> attributes;
  for (const Attribute& attribute : graph.attributes(node)) {
    attributes.push_back(absl::StrCat(graph.str(attribute.name), "/", static_cast<int>(attribute.kind), "/",
                                      attribute.i, "/", graph.str(attribute.s), "/", absl::StrJoin(attribute.ints, ","),
                                      "/", absl::StrJoin(attribute.floats, ",")));
  }
  return absl::StrCat(graph.domain(node), ".", graph.op(node), " ", names(graph.inputs(node)), " > ",
                      names(graph.outputs(node)), " ", absl::StrJoin(attributes, " "));
}

std::vector<std::string> NodesOf(const Graph& graph) {
  std::vector<std::string> nodes;
  for (uint32_t n = 0; n < graph.nodes().size(); ++n) nodes.push_back(NodeText(graph, NodeId(n)));
  return nodes;
}

std::string Ports(const Graph& graph, const std::vector<ValueId>& values) {
  std::vector<std::string> names;
  for (const ValueId value : values) names.emplace_back(graph.name(value));
  return absl::StrJoin(names, ",");
}

TEST_CASE("the text of a graph is the graph when it is read again") {
  const std::string text = TextOf(Sample());
  INFO(text);
  const Graph again = GraphFromText(text);
  CHECK(NodesOf(again) == NodesOf(*Sample().graph));
  CHECK(Ports(again, again.main().inputs) == "x,c");
  CHECK(Ports(again, again.main().outputs) == "out,odd");
  CHECK(absl::StrContains(text, "int64[2] shape = {-1, 4}"));
  CHECK(absl::StrContains(text, "float[4,4] w"));
}

TEST_CASE("the text of a part takes what it reads and gives what others read") {
  struct Case {
    GraphSelection selection;
    std::vector<std::string> ops;
    const char* inputs;
    const char* outputs;
  };
  const auto c = GENERATE(values<Case>({
      {{.ops = {"Reshape", "Clip"}}, {"Reshape", "Clip"}, "a", "s"},  // the constants become weights
      {{.ops = {"MatMul"}}, {"MatMul", "MatMul"}, "x,r", "a,e"},      // one of them in a body
      {{.ops = {"Relu"}}, {"Relu"}, "s", "t"},                        // of a body whose owner is not shown
      {{.ops = {"If"}}, {"Relu", "Abs", "MatMul", "If"}, "s,c", "i"},
  }));
  const std::string text = TextOf(Sample(), c.selection);
  INFO(text);
  CHECK(absl::StartsWith(text, "# "));
  const Graph part = GraphFromText(text);
  std::vector<std::string> ops;
  for (uint32_t n = 0; n < part.nodes().size(); ++n) ops.emplace_back(part.op(NodeId(n)));
  CHECK(ops == c.ops);
  CHECK(Ports(part, part.main().inputs) == c.inputs);
  CHECK(Ports(part, part.main().outputs) == c.outputs);
}

TEST_CASE("comments say the place in the plan, names are quoted, and controls do not reach a terminal") {
  const std::string text = TextOf(TinyAnalysis());
  CHECK(absl::StrContains(text, "r = Relu (c)  # float[1,2,4,4]; g0 on npu, 9.000 us, compute"));
  CHECK(absl::StrContains(text, "c = Conv (image, w)  # float[1,2,4,4]; g0 on npu\n"));
  Message node = Node("Relu", std::vector<std::string>{"x"}, std::vector<std::string>{"a/b \"\\ \x1b[31m"});
  Message graph;
  graph.Sub(1, node).Bytes(2, "g").Sub(11, TensorValue("x", 1, std::vector<int64_t>{2}));
  Message model;
  model.Varint(1, 8).Sub(7, graph).Sub(8, OpsetImport("", 17));
  const std::string hostile = TextOf(*Analyze(std::make_shared<const Graph>(*BuildBytes(model.bytes())), {}));
  CHECK(absl::StrContains(hostile, R"("a/b \"\\ \x1b[31m" = Relu (x))"));
}

TEST_CASE("the text form is of `graph` alone") {
  const absl::Status status = WriteReport(TinyAnalysis(), ReportKind::kAnalysis, {.format = Format::kOnnxText},
                                          [](absl::string_view) { return absl::OkStatus(); });
  REQUIRE_FALSE(status.ok());
  CHECK(absl::StrContains(DiagnosticOf(status).remedy, "onnx-hwest graph"));
}

}  // namespace
}  // namespace hwest::test
