// A watcher sees every stage of an analysis and can end it before any of them.
#include <string>
#include <utility>
#include <vector>

#include "analysis/load.h"
#include "analysis/stages.h"
#include "hwest/analysis.h"
#include "support/catch.h"
#include "support/graphs.h"
#include "support/source_dir.h"

namespace hwest {
namespace {

constexpr char kWatched[] =
    "<ir_version: 8, opset_import: [\"\" : 17]> agraph (float[n, 4] x, float[4, 8] w) => (float[n, 8] y) {"
    " m = MatMul(x, w)  y = Relu(m) }";

std::shared_ptr<const Graph> Load() { return std::make_shared<const Graph>(test::GraphFromText(kWatched)); }

AnalysisRequest On(absl::string_view target) {
  AnalysisRequest request;
  request.target = std::string(target);
  request.bind.dims = {{"n", 1}};
  return request;
}

std::vector<std::string> StagesFor(bool has_target) {
  std::vector<std::string> names;
  for (const AnalysisStage& stage : Stages()) {
    if (has_target || stage.needs == Needs::kModel) names.emplace_back(stage.name);
  }
  return names;
}

TEST_CASE("every stage is announced, in order, with its place among those that run") {
  const std::string target = GENERATE("", "jetson-orin");
  std::vector<std::string> names;
  AnalysisRequest request = On(target);
  const std::vector<std::string> want = StagesFor(!target.empty());
  request.watch = [&](absl::string_view stage, size_t index, size_t count) {
    CHECK(index == names.size());
    CHECK(count == want.size());
    names.emplace_back(stage);
    return true;
  };
  REQUIRE(Analyze(Load(), request).ok());
  CHECK(names == want);
}

TEST_CASE("false ends the analysis before the stage") {
  const size_t last = GENERATE(size_t{0}, size_t{3}, size_t{12});
  size_t told = 0;
  AnalysisRequest request = On("jetson-orin");
  request.watch = [&](absl::string_view, size_t index, size_t) {
    ++told;
    return index != last;
  };
  const auto analysis = Analyze(Load(), request);
  REQUIRE_FALSE(analysis.ok());
  CHECK(analysis.status().code() == absl::StatusCode::kCancelled);
  CHECK(DiagnosticOf(analysis.status()).code == Code::kInterrupted);
  CHECK(told == last + 1);
}

TEST_CASE("a plan of single images is told of, and ends when the watcher says so") {
  const auto graph = LoadModel(std::string(HWEST_SOURCE_DIR) + "/test/models/mobilenet_v2.ts.onnx");
  REQUIRE(graph.ok());
  AnalysisRequest request;
  request.target = "coral-usb";
  request.bind.batch = 8;
  int plans = 0;
  request.watch = [&](absl::string_view stage, size_t, size_t) {
    plans += stage == "plan" ? 1 : 0;
    return plans < 2;
  };
  const auto analysis = Analyze(*graph, request);
  REQUIRE_FALSE(analysis.ok());
  CHECK(DiagnosticOf(analysis.status()).code == Code::kInterrupted);
  CHECK(plans == 2);
}

TEST_CASE("a stage reads what earlier ones fill") {
  Tables filled = 0;
  for (const AnalysisStage& stage : Stages()) {
    INFO(stage.name);
    CHECK((stage.reads & ~filled) == 0);
    CHECK(stage.fills != 0);
    // Its own tables, but for the plan, which others decide.
    if (stage.name != "plan") CHECK((stage.fills & filled) == 0);
    filled |= stage.fills;
  }
  CHECK(filled == (Tables{2} << static_cast<uint32_t>(Table::kCoverage)) - 1);
}

TEST_CASE("limits of loading hold") {
  struct Case {
    const char* name;
    LoadOptions options;
    bool ok;
  };
  LoadOptions few_nodes, few_objects;
  few_nodes.max_nodes = 1;
  few_objects.read.max_objects = 2;
  const auto c = GENERATE_COPY(
      values<Case>({{"default", {}, true}, {"nodes", few_nodes, false}, {"objects", few_objects, false}}));
  INFO(c.name);
  const auto graph = LoadModelFromMemoryWith(test::ModelFromText(kWatched), "test.onnx", c.options);
  CHECK(graph.ok() == c.ok);
  if (!c.ok) CHECK(DiagnosticOf(graph.status()).code == Code::kModelRefused);
}

TEST_CASE("inputs name what a target needs bound") {
  const auto graph = Load();
  const auto inputs = InputsOf(*graph);
  REQUIRE(inputs.ok());
  REQUIRE(inputs->types.size() == 2);
  REQUIRE(inputs->symbols.size() == 1);
  CHECK(inputs->dims->symbol(inputs->symbols[0]).name == "n");
}

}  // namespace
}  // namespace hwest
