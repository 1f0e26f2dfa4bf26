// Average power under the caps of modes.
#include <map>

#include "hwest/analysis.h"
#include "support/catch.h"
#include "support/source_dir.h"

namespace hwest {
namespace {

Analysis Run(const std::string& target, const std::string& mode, std::optional<int64_t> batch = std::nullopt) {
  static const auto graph = LoadModel(std::string(HWEST_SOURCE_DIR) + "/examples/models/resnet18.onnx");
  REQUIRE(graph.ok());
  AnalysisRequest request{.target = target, .mode = mode};
  request.bind.batch = batch;
  absl::StatusOr<Analysis> analysis = Analyze(*graph, request);
  INFO(analysis.status());
  REQUIRE(analysis.ok());
  return *std::move(analysis);
}

double WattsOf(const Analysis& analysis) { return analysis.plan->energy_j / analysis.plan->interval_s; }

TEST_CASE("no mode draws more than it allows, and what was cut off is said") {
  int cut = 0;
  for (const TargetSummary& target : ListTargets()) {
    for (const std::string& mode : target.modes) {
      const Mode* row = nullptr;
      const Target loaded = *LoadTarget(target.name);
      row = ModeOf(loaded, mode);
      if (!row->cap_w.known()) continue;
      for (const std::optional<int64_t> batch : {std::optional<int64_t>(), std::optional<int64_t>(8)}) {
        const Analysis analysis = Run(target.name, mode, batch);
        INFO(target.name << " " << mode << " batch " << batch.value_or(1));
        CHECK(WattsOf(analysis) <= *row->cap_w.value() * (1 + 1e-9));
        double parts = 0;
        for (const Segment& segment : analysis.plan->segments) parts += segment.energy_j;
        CHECK(parts == Approx(analysis.plan->energy_j));
        const bool is_noted = std::any_of(
            analysis.diagnostics.begin(), analysis.diagnostics.end(),
            [](const Diagnostic& note) { return note.message.find("energies are scaled down") != std::string::npos; });
        CHECK(is_noted == (analysis.plan->kept_energy <= 1 - 1e-3));
        cut += is_noted;
      }
    }
  }
  CHECK(cut > 0);
}

// Published of YOLOv8n and ResNet-50: 4.6 to 5.3 W.
TEST_CASE("a mode with half the cores and two thirds of the clock draws less while nothing computes") {
  CHECK(WattsOf(Run("jetson-orin-nano-8gb", "7W")) < 6.5);
  const Target full = *LoadTarget("jetson-orin-nano-8gb"), low = *ApplyMode(full, "7W");
  const double share = 4.0 / 8 * 408e6 / 625e6;
  CHECK(*UnitOf(low, "gpu")->static_w.value() == Approx(*UnitOf(full, "gpu")->static_w.value() * share));
}

TEST_CASE("a power cap holds for inferences that overlap") {
  const auto graph = LoadModel(std::string(HWEST_SOURCE_DIR) + "/examples/models/resnet18.onnx");
  for (const char* target : {"l4", "jetson-orin", "hailo-8", "metis"}) {
    AnalysisRequest request{.target = target};
    const auto free = Analyze(*graph, request);
    REQUIRE(free.ok());
    request.power_cap_w = WattsOf(*free) * 1.0001;
    const auto capped = Analyze(*graph, request);
    INFO(target << " " << capped.status());
    REQUIRE(capped.ok());
    CHECK(WattsOf(*capped) <= *request.power_cap_w * (1 + 1e-9));
  }
}

}  // namespace
}  // namespace hwest
