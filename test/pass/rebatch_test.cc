#include <string>

#include "pass/infer_bound.h"
#include "pass/pass_fixture.h"
#include "support/catch.h"

namespace hwest {
namespace {

const std::string kBatchHead = "<ir_version: 8, opset_import: [\"\" : 17]> ";

struct BatchCase {
  std::string name;
  std::string graph;
  int64_t batch;
  std::string want;  // shape of y at that batch
};

TEST_CASE("constants that hold the exported batch follow it") {
  const BatchCase c = GENERATE(values<BatchCase>({
      {"leading size of a Reshape",
       "agraph (float[1, 6, 8] x) => (float[1, 3, 2, 5] y) <int64[4] t = {1, 3, 2, 5}> {"
       " w = RandomNormal<shape = [8, 5]>()  m = MatMul(x, w)  y = Reshape(m, t) }",
       4, "[4, 3, 2, 5]"},
      {"batch * heads",
       "agraph (float[1, 6, 8] x) => (float[2, 6, 4] y, float[1, 6, 8] m) <int64[4] s = {1, 6, 2, 4},"
       " int64[3] t = {2, 6, 4}> { w = RandomNormal<shape = [8, 8]>()  m = MatMul(x, w)  h = Reshape(m, s)"
       " p = Transpose<perm = [0, 2, 1, 3]>(h)  y = Reshape(p, t) }",
       3, "[6, 6, 4]"},
      {"heads of constant queries beside batch * heads",
       "agraph (float[1, 6, 8] x) => (float[2, 1, 6] y, float[1, 6, 8] m) <int64[4] s = {1, 6, 2, 4},"
       " int64[3] t = {2, 6, 4}, float[2, 1, 4] q = {1, 2, 3, 4, 5, 6, 7, 8}> { w = RandomNormal<shape = [8, 8]>()"
       " m = MatMul(x, w)  h = Reshape(m, s)  p = Transpose<perm = [0, 2, 1, 3]>(h)  k = Reshape(p, t)"
       " r = Transpose<perm = [0, 2, 1]>(k)  y = MatMul(q, r) }",
       3, "[6, 1, 6]"},
      {"heads split off behind the batch, then positions * batch and back",
       "agraph (float[1, 6, 8] x) => (float[6, 1, 8] y, float[1, 6, 8] z) <int64[3] h = {6, 2, 4}, int64[2] f = {6, 8},"
       " int64[3] b = {6, 1, 8}> { w = RandomNormal<shape = [8, 8]>()  z = Relu(x)"
       " s = Transpose<perm = [1, 0, 2]>(x)  p = Reshape(s, h)"
       " q = Transpose<perm = [1, 0, 2]>(p)  r = Transpose<perm = [1, 0, 2]>(q)  i = Reshape(r, b)"
       " o = Reshape(i, f)  m = MatMul(o, w)  y = Reshape(m, b) }",
       2, "[6, 2, 8]"},
      {"a batch of 2 halves",
       "agraph (float[2, 6, 8] x) => (float[4, 3, 8] y, float[2, 6, 8] m) <int64[3] t = {4, 3, 8}> {"
       " w = RandomNormal<shape = [8, 8]>()  m = MatMul(x, w)  y = Reshape(m, t) }",
       1, "[2, 3, 8]"},
      {"a target without a batch stays",
       "agraph (float[1, 6, 8] x, float[8] v) => (float[1, 6, 8] y) <int64[3] t = {1, 1, 8}> {"
       " w = RandomNormal<shape = [8, 8]>()  m = MatMul(x, w)  c = Reshape(v, t)  y = Add(m, c) }",
       2, "[2, 6, 8]"},
      {"a table in a form whose sizes are read off the images",
       "agraph (float[1, 6, 8] x) => (float[1, 2, 6, 8] y) <int64[1] heads = {2}, int64[1] rest = {4},"
       " int64[1] none = {0}> { table = RandomNormal<shape = [1, 6, 8]>()  w = RandomNormal<shape = [8, 8]>()"
       " m = MatMul(x, w)  s = Shape<end = 2>(m)  t = Concat<axis = 0>(s, heads, rest)  a = Reshape(m, t)"
       " b = Reshape(table, t)  c = Concat<axis = 3>(a, b)  y = Transpose<perm = [0, 2, 1, 3]>(c) }",
       3, "[3, 2, 6, 8]"},
      {"a token expanded to the batch",
       "agraph (float[1, 6, 2] x) => (float[1, 7, 2] y)"
       " <float[1, 1, 2] token = {1, 2}, int64[3] one = {1, 1, 2}> { w = RandomNormal<shape = [2, 2]>()"
       " m = MatMul(x, w)  e = Expand(token, one)  y = Concat<axis = 1>(e, m) }",
       2, "[2, 7, 2]"},
      {"sizes of a Resize",
       "agraph (float[1, 3, 4, 4] x) => (float[1, 5, 8, 8] y) <int64[4] t = {1, 5, 8, 8}> {"
       " w = RandomNormal<shape = [5, 3, 1, 1]>()  m = Conv(x, w)  y = Resize(m, , , t) }",
       2, "[2, 5, 8, 8]"},
      {"a slice over the whole batch",
       "agraph (float[1, 6, 8] x) => (float[1, 5, 8] y) <int64[2] from = {0, 1}, int64[2] to = {1, 6},"
       " int64[2] axes = {0, 1}> { w = RandomNormal<shape = [8, 8]>()  m = MatMul(x, w)"
       " y = Slice(m, from, to, axes) }",
       2, "[2, 5, 8]"},
      {"a position that all images share",
       "agraph (float[1, 1, 8] x, int64[1] position) => (float[1, 1, 5] y) {"
       " table = RandomNormal<shape = [9, 8]>()  w = RandomNormal<shape = [8, 5]>()  p = Gather(table, position)"
       " a = Add(x, p)  y = MatMul(a, w) }",
       2, "[2, 1, 5]"},
  }));
  INFO(c.name);
  auto one = test::RunPasses(kBatchHead + c.graph);
  auto many = test::RunPasses(kBatchHead + c.graph, {.batch = c.batch});
  CHECK(many.shape("y") == c.want);
  const int64_t exported = one.graph.declared(one.graph.main().inputs[0])->shape.dim(0).value();
  CHECK(many.totals.macs.value() * exported == one.totals.macs.value() * c.batch);
  CHECK(many.diagnostics.empty());
}

absl::StatusOr<Facts> InferAtBatch(const Graph& graph, int64_t batch, std::vector<Diagnostic>& diagnostics) {
  DimPool dims(&graph.dims());
  const BindRequest request = {.batch = batch};
  auto bound = Bind(graph, request, dims);
  if (!bound.ok()) return bound.status();
  return InferBound(graph, request, *bound, dims, diagnostics);
}

struct Refusal {
  std::string graph, error, remedy;
};

TEST_CASE("what a file would need for more images is said") {
  const Refusal c = GENERATE(values<Refusal>({
      {"agraph (float[3, 8, 8] image) => (float[3, 8, 8] y) <float[3, 1, 1] mean = {1, 2, 3}> { y = Sub(image, mean) }",
       "the 3 of input 'image' [3, 8, 8] is no batch: node 'y' cannot work at batch 6: Sub:",
       "export it with a batch as the leading dim of its inputs and outputs, e.g. 'image' as [N, 3, 8, 8], or leave"},
      {"agraph (float[1, 8] x) => (float[8] y) <int64[1] first = {0}> { y = Squeeze(x, first) }",
       "node 'y' cannot work at batch 6: Squeeze:", "the file is made for batch 1; export it with a dynamic batch"},
      {"agraph (float[1, 8] x) => (float[1, 8] y) <int64[1] first = {0}> { y = Gather(x, first) }",
       "no output follows it to 6", "the file is made for batch 1; export it with a dynamic batch"},
      {"agraph (float[1, 8] x, float[4, 8] z) => (float[4, 8] y) { y = Add(x, z) }",
       "the file has no batch: input 'x' [1, 8] and input 'z' [4, 8] have no leading dim in common",
       "export it with a batch as the leading dim of its inputs and outputs, e.g. 'x' as [N, 1, 8], or leave"},
      {"agraph (float[8] x) => (float[8] y) { y = Relu(x) }", "the file has no batch: no input has a rank of 2 or more",
       "export it with a batch as the leading dim of its inputs and outputs, e.g. 'x' as [N, 8], or leave"},
  }));
  const Graph graph = test::GraphFromText(kBatchHead + c.graph);
  std::vector<Diagnostic> diagnostics;
  const auto facts = InferAtBatch(graph, 6, diagnostics);
  REQUIRE_FALSE(facts.ok());
  const Diagnostic error = DiagnosticOf(facts.status());
  CHECK(error.code == Code::kBindConflict);
  CHECK_THAT(error.message, Catch::StartsWith(c.error));
  CHECK_THAT(error.remedy, Catch::StartsWith(c.remedy));
  // One image is what such a file takes, as it is.
  const auto one = InferAtBatch(graph, 1, diagnostics);
  REQUIRE(one.ok());
  const ValueId x = graph.main().inputs[0];
  CHECK(one->values[x].type.shape == graph.declared(x)->shape);
}

TEST_CASE("a result that does not grow with the batch is noted") {
  const Graph graph =
      test::GraphFromText(kBatchHead +
                          "agraph (float[1, 8] x) => (float[1, 8] y, float[1, 8] z) <int64[1] first = {0}> {"
                          " y = Gather(x, first)  z = Relu(x) }");
  std::vector<Diagnostic> diagnostics;
  REQUIRE(InferAtBatch(graph, 2, diagnostics).ok());
  REQUIRE(diagnostics.size() == 1);
  CHECK(diagnostics[0].code == Code::kAssumed);
  CHECK(diagnostics[0].value == "y");
}

struct Decided {
  std::string name, graph;
  std::vector<std::pair<std::string, int64_t>> dims;
  int64_t images;
  std::string missing;  // the start of the reason; empty = the file has a batch
};

TEST_CASE("the batch is what every input leads with and some output and the work follow") {
  // clang-format off
  const Decided c = GENERATE(values<Decided>({
      {"a fixed batch", "agraph (float[4, 8] x) => (float[4, 5] y) { w = RandomNormal<shape = [8, 5]>()"
       " y = MatMul(x, w) }", {}, 4, ""},
      {"one sequence of token ids", "agraph (int64[1, 8] ids) => (float[1, 8, 4] y) {"
       " table = RandomNormal<shape = [9, 4]>()  y = Gather(table, ids) }", {}, 1, ""},
      {"symbols that differ", "agraph (float[s1, 8] x, float[s2, 8] z) => (float[s1, 8] y) { y = Add(x, z) }",
       {{"s1", 2}, {"s2", 2}}, 2, ""},
      {"sizes that differ", "agraph (float[s1, 8] x, float[s2, 3] z) => (float[s1, 8] y, float[s2, 3] v) {"
       " y = Relu(x)  v = Relu(z) }", {{"s1", 2}, {"s2", 3}}, 1, "its inputs have no leading dim in common"},
      {"a name, behind the steps", "agraph (float[T, batch, 8] x) => (float[T, batch, 8] y) { y = Relu(x) }",
       {{"T", 7}, {"batch", 4}}, 4, ""},
      {"nodes of one graph", "agraph (float[n, n] edges, float[n, 4] x) => (float[n, 4] y) { y = MatMul(edges, x) }",
       {{"n", 5}}, 1, "the leading dim of input 'edges'"},
      {"a cache of stacked layers", "agraph (float[2, 1, 8] x, float[12, 5, 8] past) =>"
       " (float[2, 1, 5] y, float[12, 6, 8] present) { w = RandomNormal<shape = [8, 5]>()  y = MatMul(x, w)"
       " new = RandomNormal<shape = [12, 1, 8]>()  present = Concat<axis = 1>(past, new) }", {}, 2, ""},
      {"channels of an image", "agraph (float[3, 8, 8] x) => (float[3, 8, 8] y) <int64[1] first = {0},"
       " float[3, 3, 1, 1] w = {1, 2, 3, 4, 5, 6, 7, 8, 9}> { u = Unsqueeze(x, first)  c = Conv(u, w)  y = Squeeze(c, "
       "first) }",
       {}, 1, "the 3 of input 'x' [3, 8, 8] is no batch: node 'c' cannot work at batch 6"},
      {"channels or images", "agraph (float[3, 8, 8] x) => (float[3, 8, 8] y) { y = Relu(x) }", {}, 1,
       "the 3 of input 'x' [3, 8, 8] is no batch: nothing tells it from the channels"},
      {"pillars, of which one output has features", "agraph (float[12, 4] x, int64[12] at) =>"
       " (float[12, 5] y, float[1, 5, 8, 8] map) { w = RandomNormal<shape = [4, 5]>()"
       " v = RandomNormal<shape = [5, 5, 1, 1]>()  canvas = RandomNormal<shape = [1, 5, 8, 8]>()"
       " y = MatMul(x, w)  map = Conv(canvas, v) }", {}, 1,
       "the 12 of input 'x' [12, 4] is no batch: the work does not"},
      {"positions that look at each other", "agraph (float[6, 8] x) => (float[6, 8] y) {"
       " k = Transpose<perm = [1, 0]>(x)  s = MatMul(x, k)  y = MatMul(s, x) }", {}, 1,
       "the 6 of input 'x' [6, 8] is no batch: the work does not"},
      {"a data-dependent count", "agraph (float[2, 5] x) => (int64[2, n] y) { y = NonZero(x) }", {}, 1,
       "the 2 of input 'x' [2, 5] is no batch: no output follows it"},
      {"an output without it", "agraph (float[4, 8] x) => (float[8] y) { y = ReduceMax<axes = [0], keepdims = 0>(x) }",
       {}, 1, "no output leads with the 4 of input 'x' [4, 8]"},
  }));
  // clang-format on
  INFO(c.name);
  const Graph graph = test::GraphFromText(kBatchHead + c.graph);
  DimPool dims(&graph.dims());
  const BindRequest request = {.dims = c.dims};
  auto bound = Bind(graph, request, dims);
  REQUIRE(bound.ok());
  std::vector<Diagnostic> diagnostics;
  const auto facts = InferBound(graph, request, *bound, dims, diagnostics);
  REQUIRE(facts.ok());
  const BatchDecision found = DecideBatch(graph, request, *bound, *facts, dims, diagnostics);
  CHECK(found.images == c.images);
  CHECK(found.missing.empty() == c.missing.empty());
  CHECK_THAT(found.missing, Catch::StartsWith(c.missing));
}

// Nothing is a multiple of no image: sizes that constants hold stay.
TEST_CASE("a file made for a batch of 0 has nothing that could follow") {
  const Graph graph = test::GraphFromText(
      kBatchHead + "agraph (float[0, 3] x) => (float[0, 3, 1] y) <int64[3] t = {0, 3, 1}> { y = Reshape(x, t) }");
  std::vector<Diagnostic> diagnostics;
  const auto facts = InferAtBatch(graph, 2, diagnostics);
  REQUIRE(facts.ok());
  CHECK(facts->values[graph.main().outputs[0]].type.shape == Shape({2, 3, 1}));
}

}  // namespace
}  // namespace hwest
