// Notes name what depends on the contents of small inputs, with the flag that settles it.
#include "analysis/unsettled.h"

#include <string>

#include "analysis/literal.h"
#include "hwest/analysis.h"
#include "support/catch.h"
#include "support/graphs.h"
#include "support/source_dir.h"

namespace hwest {
namespace {

const std::string kHead = "<ir_version: 8, opset_import: [\"\" : 17]> agraph (";
const std::string kBranches =
    " <then_branch = t () => (float[2, 8] p) { p = Relu(x) }, else_branch = e () => (float[2, 8] q) { q = Exp(x) }>";

std::shared_ptr<const Graph> Load(const std::string& inputs, const std::string& nodes) {
  auto graph =
      LoadModelFromMemory(test::ModelFromText(kHead + inputs +
                                              ", float[2, 8] x) => (y) <int64 rate = {16000}, int64[1] start = {0}, "
                                              "int64[1] axis = {1}> { " +
                                              nodes + " }"),
                          "test.onnx");
  REQUIRE(graph.ok());
  return *graph;
}

Analysis Run(const std::shared_ptr<const Graph>& graph, const AnalysisRequest& request = {}) {
  auto analysis = Analyze(graph, request);
  REQUIRE(analysis.ok());
  return *std::move(analysis);
}

TEST_CASE("flags settle branches, trip counts, sizes and modes that hang on small inputs alone") {
  const std::string loop =
      "y = Loop(n, , x) <body = b (int64 i, bool c, float[2, 8] s) => (bool d, float[2, 8] r) {"
      " d = Identity(c) r = Relu(s) }>";
  struct Hanging {
    const char* name;
    std::string inputs, nodes, flags;
  };
  const Hanging rows[] = {
      {"the number it is compared with", "int64 sr", "c = Equal(sr, rate) y = If(c)" + kBranches, "--value sr=16000"},
      {"on the way to the comparison", "int32[1] sr",
       "l = Cast<to = 7>(sr) s = Squeeze(l) c = Equal(rate, s) y = If(c)" + kBranches, "--value 'sr=[16000]'"},
      {"a truth value", "bool flag", "y = If(flag)" + kBranches, "--value flag=true"},
      {"a trip count", "int64 n", loop, "--value n=1"},
      {"the end of a slice", "int64[1] end", "y = Slice(x, start, end, axis)", "--value 'end=[1]'"},
      {"training", "bool mode", "y = Dropout(x, , mode)", "--value mode=true"},
      {"two inputs", "int64 a, int64 b", "c = Less(a, b) y = If(c)" + kBranches, "--value a=1 --value b=1"},
      {"data", "float[1] data", "c = Cast<to = 9>(data) y = If(c)" + kBranches, ""},
      {"data as well", "int64 sr, float f", "g = Cast<to = 7>(f) c = Equal(sr, g) y = If(c)" + kBranches, ""},
      {"a shape", "int64 sr", "s = Shape(x) c = Equal(s, s) i = ReduceSum(s) y = Relu(x)", ""},
      {"a long list", "int64[99] many", "c = Gather(many, rate) y = If(c)" + kBranches, ""},
  };
  for (const Hanging& row : rows) {
    INFO(row.name);
    const Analysis analysis = Run(Load(row.inputs, row.nodes));
    CHECK(SettlingFlags(analysis) == row.flags);
    bool said = false;
    for (const Diagnostic& note : analysis.diagnostics) {
      said =
          said || (note.remedy == row.flags && !row.flags.empty() && note.message.find(row.flags) != std::string::npos);
    }
    CHECK(said == !row.flags.empty());
  }
}

TEST_CASE("what the caller states needs no flag") {
  const auto graph = Load("int64 sr", "c = Equal(sr, rate) y = If(c)" + kBranches);
  AnalysisRequest request;
  request.bind.values = {{"sr", *ParseLiteral("16000", ElemType::kInt64)}};
  const Analysis analysis = Run(graph, request);
  CHECK(SettlingFlags(analysis).empty());
}

TEST_CASE("a classifier that hands out maps has a time on every node") {
  auto graph = LoadModel(HWEST_SOURCE_DIR "/test/cases/l1_zipmap.onnx");
  REQUIRE(graph.ok());
  AnalysisRequest request{.target = "x86-avx512"};
  request.bind.dims = {{"x.0", 7}};
  const Analysis few = Run(*graph, request);
  CHECK(few.coverage.unknown_nodes.empty());
  bool assumed = false;
  for (const PlannedGroup& group : few.plan->groups) assumed = assumed || !group.estimate->assumptions.empty();
  CHECK(assumed);
  request.bind.dims = {{"x.0", 7000}};
  CHECK(Run(*graph, request).plan->latency_s > 2 * few.plan->latency_s);
  // Accelerators take no maps.
  request.target = "hailo-8";
  const Analysis beside = Run(*graph, request);
  CHECK(beside.target->units[beside.plan->groups.back().unit].kind == UnitKind::kSimdCpu);
}

TEST_CASE("weights in Constant nodes and in trees have their bytes in the file") {
  const auto graph = LoadModel(HWEST_SOURCE_DIR "/test/cases/i1_weights_in_constant_nodes.onnx");
  REQUIRE(graph.ok());
  const Analysis conv = Run(*graph, {.target = "x86-avx512"});
  CHECK(conv.params.params == 1152);
  CHECK(conv.params.stored_bytes == 4608);
  CHECK(conv.plan->deployed_bytes == 4608);
  CHECK(conv.plan->other_constants.bytes == 0);
  const auto trees = LoadModel(HWEST_SOURCE_DIR "/test/cases/i4_tree_attributes.onnx");
  REQUIRE(trees.ok());
  const Analysis forest = Run(*trees, {.target = "x86-avx512"});
  CHECK(forest.params.stored_bytes > 0);
  CHECK(forest.params.stored_bytes <= (*trees)->info().file_bytes);
  CHECK(forest.plan->deployed_bytes == forest.params.stored_bytes);
}

TEST_CASE("constants that are no weights stand apart") {
  const auto graph = Load("int64 sr",
                          "s = Constant<value = int64[2] {64, 8}>() z = ConstantOfShape(s)"
                          " c = Concat<axis = 0>(x, z) y = Relu(c)");
  const Analysis analysis = Run(graph, {.target = "x86-avx512"});
  CHECK(analysis.params.params == 0);
  CHECK(analysis.plan->other_constants.bytes == 64 * 8 * 4);
  CHECK(analysis.graph->name(analysis.plan->other_constants.largest) == "z");
  CHECK(analysis.plan->deployed_bytes == analysis.plan->other_constants.bytes);
}

}  // namespace
}  // namespace hwest
