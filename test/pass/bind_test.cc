#include "pass/bind.h"

#include <string>

#include "hwest/diagnostic.h"
#include "support/catch.h"
#include "support/graphs.h"

namespace hwest {
namespace {

constexpr char kTwoInputs[] =
    "<ir_version: 8, opset_import: [\"\" : 17]> agraph (int64[batch, seq] ids, float[other, 3, 8, 8] image) =>"
    " (int64[batch, seq] y, float[other, 3, 8, 8] z) { y = Identity(ids)  z = Relu(image) }";

struct Case {
  std::string name;
  BindRequest request;
  std::string want;  // shapes of the inputs, or the start of the error
};

TEST_CASE("bindings") {
  const Case c = GENERATE(values<Case>({
      {"nothing", {}, "[batch, seq] [other, 3, 8, 8]"},
      {"by symbol", {.dims = {{"seq", 128}}}, "[batch, 128] [other, 3, 8, 8]"},
      {"by input and axis", {.dims = {{"image.0", 2}, {"ids.1", 7}}}, "[batch, 7] [2, 3, 8, 8]"},
      {"shape of one input", {.shapes = {{"ids", {4, 5}}}}, "[4, 5] [other, 3, 8, 8]"},
      {"shape by rank", {.shapes = {{"", {1, 128}}}}, "[1, 128] [other, 3, 8, 8]"},
      {"static dims may be replaced", {.shapes = {{"image", {1, 3, 16, 16}}}}, "[batch, seq] [1, 3, 16, 16]"},
      {"batch", {.batch = 4}, "[4, seq] [4, 3, 8, 8]"},
      {"unknown name", {.dims = {{"sequence", 1}}}, "error: 'sequence' is neither"},
      {"contradiction", {.dims = {{"seq", 1}}, .shapes = {{"ids", {1, 2}}}}, "error: 'seq' is bound to both 1 and 2"},
      {"negative", {.dims = {{"seq", -1}}}, "error: a dim cannot be -1"},
      {"no such rank", {.shapes = {{"", {1, 2, 3}}}}, "error: no input has rank 3"},
      {"wrong rank", {.shapes = {{"ids", {1, 2, 3}}}}, "error: input 'ids' has rank 2"},
      {"no such axis", {.dims = {{"ids.2", 3}}}, "error: input 'ids' has no axis 2"},
  }));
  INFO(c.name);
  const Graph graph = test::GraphFromText(kTwoInputs);
  DimPool dims(&graph.dims());
  const auto bound = Bind(graph, c.request, dims);
  std::string found;
  if (bound.ok()) {
    found = ToString(bound->inputs[0].shape, dims) + " " + ToString(bound->inputs[1].shape, dims);
  } else {
    CHECK(DiagnosticOf(bound.status()).code == Code::kBindConflict);
    found = ("error: " + DiagnosticOf(bound.status()).message).substr(0, c.want.size());
  }
  CHECK(found == c.want);
}

TEST_CASE("the error of free dims names every symbol and flag") {
  const Graph graph = test::GraphFromText(kTwoInputs);
  DimPool dims(&graph.dims());
  const auto bound = Bind(graph, {.dims = {{"seq", 3}}}, dims);
  REQUIRE(bound.ok());
  CHECK(FreeSymbols(*bound, dims).size() == 2);
  const Diagnostic error = DiagnosticOf(FreeDimsError(graph, *bound, dims));
  CHECK(error.code == Code::kFreeDims);
  CHECK(error.remedy == "--dim batch=1 --dim other=1");
}

TEST_CASE("an input dim without a name is called INPUT.AXIS") {
  const Graph graph = test::GraphFromText(
      "<ir_version: 8, opset_import: [\"\" : 17]> agraph (float[?, 4] x) => (float[?, 4] y) { y = Relu(x) }");
  DimPool dims(&graph.dims());
  const auto free = Bind(graph, {}, dims);
  REQUIRE(free.ok());
  CHECK(FreeSymbols(*free, dims).size() == 1);
  DimPool again(&graph.dims());
  const auto bound = Bind(graph, {.dims = {{"x.0", 6}}}, again);
  REQUIRE(bound.ok());
  CHECK(bound->inputs[0].shape.dim(0).IsConstant(6));
}

}  // namespace
}  // namespace hwest
