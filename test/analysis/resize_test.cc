#include "analysis/resize.h"

#include <string>
#include <utility>
#include <vector>

#include "analysis/request_options.h"
#include "support/catch.h"
#include "support/graphs.h"

namespace hwest {
namespace {

using Dims = std::vector<std::pair<std::string, int64_t>>;

Graph GraphOf(const std::string& inputs) {
  return test::GraphFromText("<ir_version: 8, opset_import: [\"\" : 17]> agraph (" + inputs +
                             ") => (float[1] y) { y = Constant<value_float = 1.0>() }");
}

TEST_CASE("the length of a sequence is the second dim of integer inputs, and of those as long") {
  const Graph graph = GraphOf("int64[batch, seq] ids, int32[1, 8] types, float[1, 8] mask, float[1, 16] features");
  RequestDraft draft;
  draft.sequence = 64;
  const auto request = RequestFor(draft, graph);
  REQUIRE(request.ok());
  CHECK(request->bind.resized == Dims{{"ids.1", 64}, {"types.1", 64}, {"mask.1", 64}});
  CHECK(request->bind.resized_as == "length 64");
}

TEST_CASE("the size of images is the height and width of inputs with up to four channels") {
  const Graph graph =
      GraphOf("float[1, 3, 8, 8] first, float[1, 8, 8, 4] last, float[1, 64, 8, 8] features, int64[1, 8] ids");
  RequestDraft draft;
  draft.image_size = 32;
  draft.sequence = 4;
  const auto request = RequestFor(draft, graph);
  REQUIRE(request.ok());
  CHECK(request->bind.resized == Dims{{"ids.1", 4}, {"first.2", 32}, {"first.3", 32}, {"last.1", 32}, {"last.2", 32}});
  CHECK(request->bind.resized_as == "length 4 and image size 32");
}

TEST_CASE("a model that takes neither says so") {
  const Graph graph = GraphOf("float[1, 8] x");
  BindRequest bind;
  const Diagnostic tokens = DiagnosticOf(BindSequenceLength(graph, 4, &bind));
  CHECK(tokens.code == Code::kBindConflict);
  CHECK_THAT(tokens.message, Catch::Contains("takes no tokens"));
  const Diagnostic images = DiagnosticOf(BindImageSize(graph, 4, &bind));
  CHECK(images.code == Code::kBindConflict);
  CHECK_THAT(images.message, Catch::Contains("no input holds images"));
}

}  // namespace
}  // namespace hwest
