#include "pass/resized.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "pass/infer_bound.h"
#include "pass/pass_fixture.h"
#include "support/catch.h"

namespace hwest {
namespace {

const std::string kResizedHead = "<ir_version: 8, opset_import: [\"\" : 17]> ";

struct Result {
  absl::Status status;
  std::string y;  // its shape
  std::vector<Diagnostic> diagnostics;
};

Result InferAt(const std::string& text, std::vector<std::pair<std::string, int64_t>> resized,
               std::optional<int64_t> batch = std::nullopt) {
  const Graph graph = test::GraphFromText(kResizedHead + text);
  DimPool dims(&graph.dims());
  const BindRequest request = {.batch = batch, .resized = std::move(resized), .resized_as = "length 12"};
  auto bound = Bind(graph, request, dims);
  Result result;
  result.status = bound.status();
  if (!bound.ok()) return result;
  const auto facts = InferBound(graph, request, *bound, dims, result.diagnostics);
  result.status = facts.status();
  for (size_t v = 0; facts.ok() && v < graph.values().size(); ++v) {
    if (graph.name(ValueId(v)) == "y") result.y = ToString(facts->values[ValueId(v)].type.shape, dims);
  }
  return result;
}

struct SizeCase {
  std::string name, graph;
  std::vector<std::pair<std::string, int64_t>> resized;
  std::string want;
};

TEST_CASE("constants that hold the exported sizes follow others") {
  // clang-format off
  const SizeCase c = GENERATE(values<SizeCase>({
      {"heads of a longer sequence, and back",
       "agraph (float[1, 6, 8] x) => (float[1, 6, 8] y) <int64[4] s = {1, 6, 2, 4}, int64[3] t = {1, 6, 8}> {"
       " h = Reshape(x, s)  p = Transpose<perm = [0, 2, 1, 3]>(h)  q = Transpose<perm = [0, 2, 1, 3]>(p)"
       " y = Reshape(q, t) }",
       {{"x.1", 12}}, "[1, 12, 8]"},
      {"both axes of scores, merged with the heads",
       "agraph (float[1, 6, 8] x) => (float[2, 6, 6] y) <int64[4] s = {1, 6, 2, 4}, int64[3] t = {2, 6, 6}> {"
       " h = Reshape(x, s)  p = Transpose<perm = [0, 2, 1, 3]>(h)  k = Transpose<perm = [0, 1, 3, 2]>(p)"
       " m = MatMul(p, k)  y = Reshape(m, t) }",
       {{"x.1", 12}}, "[2, 12, 12]"},
      {"a size that the heads share is not taken for the sequence",
       "agraph (float[1, 4, 16] x) => (float[1, 4, 4, 4] y) <int64[4] s = {1, 4, 4, 4}> { y = Reshape(x, s) }",
       {{"x.1", 12}}, "[1, 12, 4, 4]"},
      {"positions of an image as rows and columns",
       "agraph (float[1, 3, 8, 8] x) => (float[1, 3, 4, 4] y) <int64[3] s = {1, 3, 16}, int64[4] t = {1, 3, 4, 4}> {"
       " p = MaxPool<kernel_shape = [2, 2], strides = [2, 2]>(x)  f = Reshape(p, s)  y = Reshape(f, t) }",
       {{"x.2", 16}, {"x.3", 16}}, "[1, 3, 8, 8]"},
      {"sizes of a Resize",
       "agraph (float[1, 3, 8, 8] x) => (float[1, 3, 8, 8] y) <int64[4] t = {1, 3, 8, 8}> {"
       " p = MaxPool<kernel_shape = [2, 2], strides = [2, 2]>(x)  y = Resize(p, , , t) }",
       {{"x.2", 12}, {"x.3", 12}}, "[1, 3, 12, 12]"},
      {"a slice that takes all positions but the first",
       "agraph (float[1, 6, 8] x) => (float[1, 5, 8] y) <int64[1] from = {1}, int64[1] to = {6}, int64[1] axes = {1}> {"
       " y = Slice(x, from, to, axes) }",
       {{"x.1", 12}}, "[1, 11, 8]"},
      {"what a target leaves open stays open",
       "agraph (float[1, 6, 8] x) => (float[1, 6, 8] y) <int64[3] t = {0, -1, 8}> { y = Reshape(x, t) }",
       {{"x.1", 12}}, "[1, 12, 8]"},
  }));
  // clang-format on
  INFO(c.name);
  const Result result = InferAt(c.graph, c.resized);
  INFO(result.status.ToString());
  REQUIRE(result.status.ok());
  CHECK(result.y == c.want);
  CHECK(result.diagnostics.empty());
}

TEST_CASE("one entry for each position is taken as an export at the other size would have it, and said") {
  const Result result = InferAt(
      "agraph (float[1, 6, 2] x) => (float[1, 6, 2] y)"
      " <float[1, 6, 2] table = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}> { y = Add(x, table) }",
      {{"x.1", 12}});
  REQUIRE(result.status.ok());
  CHECK(result.y == "[1, 12, 2]");
  REQUIRE(result.diagnostics.size() == 1);
  CHECK(result.diagnostics[0].code == Code::kAssumed);
  CHECK_THAT(result.diagnostics[0].message, Catch::Contains("'table'") && Catch::Contains("length 12"));
}

TEST_CASE("a node that works at the exported size only is named") {
  // Weights are no positions, whatever their size.
  const Result result = InferAt(
      "agraph (float[1, 2, 3] x) => (float[1, 2] y) <int64[2] t = {1, 6}> {"
      " w = RandomNormal<shape = [6, 2]>()  f = Reshape(x, t)  y = MatMul(f, w) }",
      {{"x.2", 12}});
  REQUIRE_FALSE(result.status.ok());
  const Diagnostic error = DiagnosticOf(result.status);
  CHECK(error.code == Code::kBindConflict);
  CHECK_THAT(error.message, Catch::StartsWith("node 'y' cannot work at length 12: MatMul:"));
}

struct KeptCase {
  std::string name, graph;
  std::vector<std::pair<std::string, int64_t>> resized;
  std::string of_one;   // the shape at batch 1, without its batch
  std::string widened;  // what the note names; "" = no note
};

TEST_CASE("another batch beside other sizes") {
  // clang-format off
  const KeptCase c = GENERATE(values<KeptCase>({
      {"heads, and one entry for each position",
       "agraph (float[1, 6, 8] x) => (float[1, 6, 8] y) <int64[4] s = {1, 6, 2, 4}, int64[3] t = {1, 6, 8},"
       " float[1, 6, 1] table = {1, 2, 3, 4, 5, 6}> { w = RandomNormal<shape = [8, 8]>()  a = Add(x, table)"
       " m = MatMul(a, w)  h = Reshape(m, s)  p = Transpose<perm = [0, 2, 1, 3]>(h)"
       " q = Transpose<perm = [0, 2, 1, 3]>(p)  y = Reshape(q, t) }",
       {{"x.1", 12}}, ", 12, 8]", "'table'"},
      {"a mask of two positions that was expanded for the batch",
       "agraph (float[1, 6, 8] x) => (float[1, 2, 6, 6] y) <int64[4] s = {1, 6, 2, 4}> {"
       " mask = RandomNormal<shape = [1, 1, 6, 6]>()  h = Reshape(x, s)  p = Transpose<perm = [0, 2, 1, 3]>(h)"
       " k = Transpose<perm = [0, 1, 3, 2]>(p)  m = MatMul(p, k)  y = Add(m, mask) }",
       {{"x.1", 12}}, ", 2, 12, 12]", "'mask'"},
      {"heads merged with the batch, and scores split from it",
       "agraph (float[1, 6, 8] x) => (float[1, 2, 6, 6] y)"
       " <int64[4] s = {1, 6, 2, 4}, int64[3] t = {2, 6, 4}, int64[4] u = {1, 2, 6, 6}> {"
       " h = Reshape(x, s)  p = Transpose<perm = [0, 2, 1, 3]>(h)  f = Reshape(p, t)"
       " k = Transpose<perm = [0, 2, 1]>(f)  m = MatMul(f, k)  y = Reshape(m, u) }",
       {{"x.1", 12}}, ", 2, 12, 12]", ""},
      {"positions of an image as rows and columns",
       "agraph (float[1, 3, 8, 8] x) => (float[1, 5, 4, 4] y) <int64[3] s = {1, 5, 16}, int64[4] t = {1, 5, 4, 4}> {"
       " w = RandomNormal<shape = [5, 3, 2, 2]>()  p = Conv<kernel_shape = [2, 2], strides = [2, 2]>(x, w)"
       " f = Reshape(p, s)  y = Reshape(f, t) }",
       {{"x.2", 16}, {"x.3", 16}}, ", 5, 8, 8]", ""},
      {"sizes of a Resize",
       "agraph (float[1, 3, 8, 8] x) => (float[1, 5, 8, 8] y) <int64[4] t = {1, 5, 8, 8}> {"
       " w = RandomNormal<shape = [5, 3, 2, 2]>()  p = Conv<kernel_shape = [2, 2], strides = [2, 2]>(x, w)"
       " y = Resize(p, , , t) }",
       {{"x.2", 24}, {"x.3", 24}}, ", 5, 24, 24]", ""},
      {"a slice to the end of the positions",
       "agraph (float[1, 6, 8] x) => (float[1, 5, 8] y) <int64[1] from = {1}, int64[1] to = {6}, int64[1] axes = {1}> {"
       " w = RandomNormal<shape = [8, 8]>()  m = MatMul(x, w)  y = Slice(m, from, to, axes) }",
       {{"x.1", 12}}, ", 11, 8]", ""},
  }));
  // clang-format on
  const int64_t batch = GENERATE(2, 3);  // 2 is the ratio of the lengths, too
  INFO(c.name << " at batch " << batch);
  const Result result = InferAt(c.graph, c.resized, batch);
  INFO(result.status.ToString());
  REQUIRE(result.status.ok());
  CHECK(result.y == absl::StrCat("[", batch, c.of_one));
  REQUIRE(result.diagnostics.size() == (c.widened.empty() ? 0 : 1));
  if (!c.widened.empty()) CHECK_THAT(result.diagnostics[0].message, Catch::Contains(c.widened));
}

TEST_CASE("a node that works at the exported batch only is named with all that was asked for") {
  const Result result = InferAt(
      "agraph (float[1, 6, 8] x) => (float[1, 6, 8] y) <int64[3] t = {6, 1, 8}> { w = RandomNormal<shape = [8, 8]>()"
      " m = MatMul(x, w)  f = Reshape(m, t)  e = RandomNormal<shape = [6, 1, 8]>()  a = Concat<axis = 1>(f, e)"
      " y = Transpose<perm = [1, 0, 2]>(a) }",
      {{"x.1", 12}}, 3);
  REQUIRE_FALSE(result.status.ok());
  const Diagnostic error = DiagnosticOf(result.status);
  CHECK(error.code == Code::kBindConflict);
  CHECK_THAT(error.message, Catch::StartsWith("node 'a' cannot work at "));
}

}  // namespace
}  // namespace hwest
