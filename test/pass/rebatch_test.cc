#include "pass/rebatch.h"

#include <string>

#include "pass/pass_fixture.h"
#include "support/catch.h"

namespace hwest {
namespace {

const std::string kHead = "<ir_version: 8, opset_import: [\"\" : 17]> ";

struct Case {
  std::string name;
  std::string graph;
  int64_t batch;
  std::string want;  // shape of y at that batch
};

TEST_CASE("constants that hold the exported batch follow it") {
  const Case c = GENERATE(values<Case>({
      {"leading size of a Reshape",
       "agraph (float[1, 6, 8] x, float[8, 5] w) => (float[1, 3, 2, 5] y) <int64[4] t = {1, 3, 2, 5}> {"
       " m = MatMul(x, w)  y = Reshape(m, t) }",
       4, "[4, 3, 2, 5]"},
      {"batch * heads",
       "agraph (float[1, 6, 8] x, float[8, 8] w) => (float[2, 6, 4] y) <int64[4] s = {1, 6, 2, 4},"
       " int64[3] t = {2, 6, 4}> { m = MatMul(x, w)  h = Reshape(m, s)  p = Transpose<perm = [0, 2, 1, 3]>(h)"
       " y = Reshape(p, t) }",
       3, "[6, 6, 4]"},
      {"heads split off behind the batch, then positions * batch and back",
       "agraph (float[1, 6, 8] x, float[8, 8] w) => (float[6, 1, 8] y) <int64[3] h = {6, 2, 4}, int64[2] f = {6, 8},"
       " int64[3] b = {6, 1, 8}> { s = Transpose<perm = [1, 0, 2]>(x)  p = Reshape(s, h)"
       " q = Transpose<perm = [1, 0, 2]>(p)  r = Transpose<perm = [1, 0, 2]>(q)  i = Reshape(r, b)"
       " o = Reshape(i, f)  m = MatMul(o, w)  y = Reshape(m, b) }",
       2, "[6, 2, 8]"},
      {"a batch of 2 halves",
       "agraph (float[2, 6, 8] x, float[8, 8] w) => (float[4, 3, 8] y) <int64[3] t = {4, 3, 8}> {"
       " m = MatMul(x, w)  y = Reshape(m, t) }",
       1, "[2, 3, 8]"},
      {"a target without a batch stays",
       "agraph (float[1, 6, 8] x, float[8, 8] w, float[8] v) => (float[1, 6, 8] y) <int64[3] t = {1, 1, 8}> {"
       " m = MatMul(x, w)  c = Reshape(v, t)  y = Add(m, c) }",
       2, "[2, 6, 8]"},
      {"a token expanded to the batch",
       "agraph (float[1, 6, 2] x, float[2, 2] w) => (float[1, 7, 2] y)"
       " <float[1, 1, 2] token = {1, 2}, int64[3] one = {1, 1, 2}> { m = MatMul(x, w)  e = Expand(token, one)"
       " y = Concat<axis = 1>(e, m) }",
       2, "[2, 7, 2]"},
      {"sizes of a Resize",
       "agraph (float[1, 3, 4, 4] x, float[5, 3, 1, 1] w) => (float[1, 5, 8, 8] y) <int64[4] t = {1, 5, 8, 8}> {"
       " m = Conv(x, w)  y = Resize(m, , , t) }",
       2, "[2, 5, 8, 8]"},
      {"a slice over the whole batch",
       "agraph (float[1, 6, 8] x, float[8, 8] w) => (float[1, 5, 8] y) <int64[2] from = {0, 1}, int64[2] to = {1, 6},"
       " int64[2] axes = {0, 1}> { m = MatMul(x, w)  y = Slice(m, from, to, axes) }",
       2, "[2, 5, 8]"},
  }));
  INFO(c.name);
  // Weights are inputs here: their leading size is another constant, or they would be batches themselves.
  auto one = test::RunPasses(kHead + c.graph);
  auto many = test::RunPasses(kHead + c.graph, {.batch = c.batch});
  CHECK(many.shape("y") == c.want);
  const int64_t exported = one.graph.declared(one.graph.main().inputs[0])->shape.dim(0).value();
  CHECK(many.totals.macs.value() * exported == one.totals.macs.value() * c.batch);
  CHECK(many.diagnostics.empty());
}

absl::StatusOr<Facts> InferAtBatch(const Graph& graph, int64_t batch, std::vector<Diagnostic>& diagnostics) {
  DimPool dims(&graph.dims());
  const BindRequest request = {.batch = batch};
  const auto bound = Bind(graph, request, dims);
  REQUIRE(bound.ok());
  return InferBound(graph, request, *bound, dims, diagnostics);
}

TEST_CASE("a node that cannot follow is named") {
  const Graph graph = test::GraphFromText(
      kHead + "agraph (float[3, 8, 8] image) => (float[3, 8, 8] y) <float[3, 1, 1] mean = {1, 2, 3}> {"
              " y = Sub(image, mean) }");
  std::vector<Diagnostic> diagnostics;
  const auto facts = InferAtBatch(graph, 6, diagnostics);
  REQUIRE_FALSE(facts.ok());
  const Diagnostic error = DiagnosticOf(facts.status());
  CHECK(error.code == Code::kBindConflict);
  CHECK_THAT(error.message, Catch::StartsWith("node 'y' cannot work at batch 6: Sub:"));
  CHECK_THAT(error.remedy, Catch::Contains("made for batch 3"));
}

TEST_CASE("a result that does not grow with the batch is noted") {
  const Graph graph = test::GraphFromText(
      kHead + "agraph (float[1, 8] x) => (float[1, 8] y) <int64[1] first = {0}> { y = Gather(x, first) }");
  std::vector<Diagnostic> diagnostics;
  REQUIRE(InferAtBatch(graph, 2, diagnostics).ok());
  REQUIRE(diagnostics.size() == 1);
  CHECK(diagnostics[0].code == Code::kAssumed);
  CHECK(diagnostics[0].value == "y");
}

// Nothing is a multiple of no image: sizes that constants hold stay.
TEST_CASE("a file made for a batch of 0 has nothing that could follow") {
  const Graph graph = test::GraphFromText(
      kHead + "agraph (float[0, 3] x) => (float[0, 3, 1] y) <int64[3] t = {0, 3, 1}> { y = Reshape(x, t) }");
  std::vector<Diagnostic> diagnostics;
  const auto facts = InferAtBatch(graph, 2, diagnostics);
  REQUIRE(facts.ok());
  CHECK(facts->values[graph.main().outputs[0]].type.shape == Shape({2, 3, 1}));
}

}  // namespace
}  // namespace hwest
