// An Analyzer gives the same results as Analyze, whatever it analysed before.
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "hwest/analysis.h"
#include "hwest/target.h"
#include "support/catch.h"
#include "support/graphs.h"
#include "support/source_dir.h"

namespace hwest {
namespace {

// Detections: a size that depends on the data, and a free batch.
const char kBoxDetector[] =
    "<ir_version: 8, opset_import: [\"\" : 17]> agraph (float[n, 8, 16, 16] x, float[8, 8, 3, 3] w) => (int64[r, k] y) "
    "{"
    " c = Conv<pads = [1, 1, 1, 1]>(x, w)  a = Relu(c)  y = NonZero(a) }";

std::shared_ptr<const Graph> Parsed(absl::string_view text) {
  return *LoadModelFromMemory(test::ModelFromText(text), "test.onnx");
}

// All that a request decides, in one text.
std::string Fingerprint(const absl::StatusOr<Analysis>& result) {
  if (!result.ok()) return std::string(result.status().message());
  const Analysis& a = *result;
  std::string text = absl::StrCat("macs ", a.dims->ToString(a.totals.macs), " flops ", a.dims->ToString(a.totals.flops),
                                  " batch ", a.batch, " precision ", a.precision, "\n");
  for (const Body& body : a.graph->bodies()) {
    for (const ValueId output : body.outputs)
      absl::StrAppend(&text, ToString(a.facts.values[output].type.shape, *a.dims), "\n");
  }
  for (const ModuleRow& row : a.modules) absl::StrAppend(&text, row.path, " ", a.dims->ToString(row.macs), "\n");
  for (const Diagnostic& note : a.diagnostics) absl::StrAppend(&text, note.message, "; ", note.remedy, "\n");
  if (a.flops_as.has_value()) absl::StrAppend(&text, "as ", a.dims->ToString(a.flops_as->total), "\n");
  if (!a.plan.has_value()) return text;
  absl::StrAppend(&text, "latency ", a.plan->latency_s, " energy ", a.plan->energy_j, " peak ",
                  a.plan->peak_memory_bytes);
  for (const PlannedGroup& group : a.plan->groups) {
    absl::StrAppend(&text, " ", group.group.pattern, "@", group.unit.valid() ? a.target->units[group.unit].name : "-");
  }
  return text;
}

std::vector<AnalysisRequest> Requests() {
  std::vector<AnalysisRequest> requests;
  const auto add = [&](auto change) {
    AnalysisRequest request{.target = "jetson-orin"};
    request.bind.dims = {{"n", 1}};
    change(request);
    requests.push_back(std::move(request));
  };
  add([](auto&) {});
  add([](auto& r) { r.mode = "30W"; });
  add([](auto& r) { r.precision = "int8"; });
  add([](auto& r) { r.target = "rk3588"; });
  add([](auto& r) { r.target = ""; });
  add([](auto& r) { r.target = "", r.bind.dims.clear(); });
  add([](auto& r) { r.bind.dims = {{"n", 2}}; });
  add([](auto& r) { r.bind.dims.clear(); });  // an error: n is free
  add([](auto& r) { r.bind.batch = 4, r.bind.dims.clear(); });
  add([](auto& r) { r.bind.expect = {{"nonzero*", 5}}; });
  add([](auto& r) { r.flops_as = AllConventions()[1].convention; });
  add([](auto& r) { r.fusions = "none"; });
  add([](auto& r) { r.target = "no-such-target"; });
  return requests;
}

TEST_CASE("an analyzer gives what a fresh analysis gives, in any order") {
  for (const std::shared_ptr<const Graph>& graph :
       {Parsed(kBoxDetector), *LoadModel(std::string(HWEST_SOURCE_DIR) + "/test/models/simple_resnet.ts.onnx")}) {
    const Analyzer analyzer(graph);
    const std::vector<AnalysisRequest> requests = Requests();
    for (int round = 0; round < 2; ++round) {
      for (size_t i = 0; i < requests.size(); ++i) {
        CAPTURE(round, i);
        CHECK(Fingerprint(analyzer.Analyze(requests[i])) == Fingerprint(Analyze(graph, requests[i])));
      }
    }
  }
}

// What an analyzer holds stays as it is when the analyses that share it are gone, and the other way round.
TEST_CASE("an analysis outlives its analyzer") {
  const auto graph = Parsed(kBoxDetector);
  auto analyzer = std::make_unique<Analyzer>(graph);
  const AnalysisRequest request = Requests()[0];
  {
    const auto first = analyzer->Analyze(request);
  }
  const auto second = analyzer->Analyze(request);
  analyzer.reset();
  CHECK(Fingerprint(second) == Fingerprint(Analyze(graph, request)));
}

TEST_CASE("threads share an analyzer") {
  const auto graph = Parsed(kBoxDetector);
  const Analyzer analyzer(graph);
  const std::vector<AnalysisRequest> requests = Requests();
  std::vector<std::string> found(4 * requests.size());
  std::vector<std::thread> threads;
  for (size_t t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (size_t i = 0; i < requests.size(); ++i) {
        found[t * requests.size() + i] = Fingerprint(analyzer.Analyze(requests[(i + t) % requests.size()]));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (size_t t = 0; t < 4; ++t) {
    for (size_t i = 0; i < requests.size(); ++i) {
      CHECK(found[t * requests.size() + i] == found[(i + t) % requests.size()]);
    }
  }
}

// The stages of the model run once for requests that ask the same of it.
TEST_CASE("an analyzer infers once per binding") {
  const auto graph = Parsed(kBoxDetector);
  const Analyzer analyzer(graph);
  const std::vector<AnalysisRequest> requests = Requests();
  const auto one = analyzer.Analyze(requests[0]), mode = analyzer.Analyze(requests[1]),
             other = analyzer.Analyze(requests[6]);
  REQUIRE(one.ok());
  REQUIRE(other.ok());
  CHECK(one->shared != nullptr);
  CHECK(one->shared == mode->shared);
  CHECK(one->shared != other->shared);
  AnalysisRequest contents = requests[0];
  contents.bind.values.emplace_back("none", Constant());
  CHECK_FALSE(analyzer.Analyze(contents).ok());
}

// Several sets of tables of a large graph would take more memory than the analysis itself.
TEST_CASE("an analyzer keeps no tables of large graphs") {
  struct SwitchCase {
    int nodes;
    bool is_kept;
  };
  for (const SwitchCase& c : {SwitchCase{100'000, true}, SwitchCase{100'001, false}}) {
    CAPTURE(c.nodes);
    std::string nodes = "v0 = Relu(x)";
    for (int n = 1; n < c.nodes; ++n) absl::StrAppend(&nodes, " v", n, " = Relu(v", n - 1, ")");
    const auto graph = Parsed(absl::StrCat("<ir_version: 8, opset_import: [\"\" : 17]> agraph (float[4] x) => ",
                                           "(float[4] v", c.nodes - 1, ") { ", nodes, " }"));
    const auto analysis = Analyzer(graph).Analyze({});
    REQUIRE(analysis.ok());
    CHECK((analysis->shared != nullptr) == c.is_kept);
  }
}

// Fusions of a built-in toolchain are found once, whichever targets have it.
TEST_CASE("targets of one toolchain share what it fuses") {
  const auto graph = Parsed(kBoxDetector);
  const Analyzer analyzer(graph);
  const auto overlay_of = [&](absl::string_view target, absl::string_view unit, std::string rules) {
    AnalysisRequest request = Requests()[0];
    request.target = std::string(target);
    request.precision = "fp16";
    request.fusion_rules = std::move(rules);
    const auto analysis = analyzer.Analyze(request);
    REQUIRE(analysis.ok());
    return analysis->overlays[UnitIdOf(*analysis->target, unit)];
  };
  const auto orin = overlay_of("jetson-agx-orin-64gb", "gpu", "");
  CHECK(overlay_of("jetson-orin-nano-8gb", "gpu", "") == orin);
  CHECK(overlay_of("jetson-agx-orin-64gb", "cpu", "") != orin);
  CHECK(overlay_of("jetson-agx-orin-64gb", "gpu", "own = Relu(Conv(x, w))\n") != orin);
}

// A plan image by image takes the plan of one image, which another batch size of the sweep has found.
TEST_CASE("batches take the plan of one image from each other") {
  const auto graph = Parsed(kBoxDetector);
  const Analyzer analyzer(graph);
  AnalysisRequest request{.target = "hailo-8"};
  for (const int64_t batch : {2, 1, 4, 8}) {
    CAPTURE(batch);
    request.bind.batch = batch;
    CHECK(Fingerprint(analyzer.Analyze(request)) == Fingerprint(Analyze(graph, request)));
    request.only = {"cpu"};
    CHECK(Fingerprint(analyzer.Analyze(request)) == Fingerprint(Analyze(graph, request)));
    request.only.clear();
  }
}

}  // namespace
}  // namespace hwest
