// Explorations against single analyses, exhaustive search and areas worked out by hand.
#include "explore/explore.h"

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "explore/silicon.h"
#include "hwest/diagnostic.h"
#include "support/catch.h"
#include "support/source_dir.h"

namespace hwest {
namespace {

std::string PathOf(const char* name) { return absl::StrCat(HWEST_SOURCE_DIR, "/", name); }

std::shared_ptr<const Graph> ModelAt(const char* name) {
  auto graph = LoadModel(PathOf(name));
  REQUIRE(graph.ok());
  return *graph;
}

const std::shared_ptr<const Graph>& Resnet() {
  static const auto* const graph = new std::shared_ptr<const Graph>(ModelAt("examples/models/resnet18.onnx"));
  return *graph;
}

ExploreRequest RequestFor(Vary vary) {
  return {.target = PathOf("examples/my_npu.textproto"), .models = {{"resnet18", Resnet()}}, .vary = std::move(vary)};
}

Exploration Explored(const ExploreRequest& request) {
  auto found = Explore(request);
  INFO(found.status().message());
  REQUIRE(found.ok());
  return *std::move(found);
}

TEST_CASE("every point costs what an analysis of that target costs") {
  const Exploration found =
      Explored(RequestFor({{"npu.rows", "16,64"}, {"sram.size", "128KiB,2MiB"}, {"dram.bandwidth", "4GB/s,17GB/s"}}));
  REQUIRE(found.points.size() == 8);
  for (const ExplorePoint& point : found.points) {
    auto target = std::make_shared<Target>(*LoadTarget(PathOf("examples/my_npu.textproto")));
    for (size_t i = 0; i < found.figures.size(); ++i) SetFigure(found.figures[i], point.values[i], target.get());
    AnalysisRequest request;
    request.loaded = target;
    const auto analysis = Analyze(Resnet(), request);
    REQUIRE(analysis.ok());
    INFO(PointText(found, point));
    CHECK(point.geomean_latency_s == Approx(analysis->plan->latency_s).epsilon(1e-12));
    CHECK(*point.geomean_energy_j == Approx(analysis->plan->energy_j).epsilon(1e-12));
  }
}

TEST_CASE("annealing finds the best point of the grid") {
  struct Case {
    Vary vary;
    ExploreFor objective;
    const char* constraint;
    size_t budget;
  };
  const std::vector<Case> cases = {
      {{{"npu.rows", "8:128:x2"}, {"npu.columns", "8:128:x2"}, {"dram.bandwidth", "2GB/s:32GB/s:x2"}},
       ExploreFor::kEdp,
       "",
       60},
      {{{"sram.size", "64KiB:4MiB:x2"}, {"npu.clock", "0.25GHz:2GHz:+250MHz"}}, ExploreFor::kEnergy, "latency<6ms", 30},
      {{{"npu.rows", "16:128:x2"}, {"sram.size", "128KiB:2MiB:x2"}, {"npu.launch", "1us,4us,16us"}},
       ExploreFor::kLatency,
       "area<3mm2,power<2W",
       36},
  };
  for (const Case& c : cases) {
    ExploreRequest request = RequestFor(c.vary);
    request.objective = c.objective;
    request.constraint = c.constraint;
    request.process_nm = 16;
    const Exploration grid = Explored(request);
    request.search = SearchBy::kAnneal;
    request.budget = c.budget;
    const Exploration anneal = Explored(request);
    INFO(c.vary.front().first << " " << ExploreForName(c.objective));
    REQUIRE(grid.best.has_value());
    REQUIRE(anneal.best.has_value());
    CHECK(anneal.points.size() <= c.budget);
    CHECK(anneal.points.size() < grid.points.size());
    CHECK(*anneal.points[*anneal.best].score == *grid.points[*grid.best].score);
    CHECK(PointText(anneal, anneal.points[*anneal.best]) == PointText(grid, grid.points[*grid.best]));
    const Exploration again = Explored(request);
    REQUIRE(again.points.size() == anneal.points.size());
    for (size_t i = 0; i < again.points.size(); ++i) CHECK(again.points[i].point == anneal.points[i].point);
  }
}

TEST_CASE("nothing in the Pareto set is beaten, and everything outside is") {
  ExploreRequest request = RequestFor({{"npu.rows", "16:64:x2"}, {"sram.size", "128KiB:1MiB:x2"}});
  request.process_nm = 16;
  const Exploration found = Explored(request);
  const auto beats = [](const ExplorePoint& a, const ExplorePoint& b) {
    const bool no_worse = a.geomean_latency_s <= b.geomean_latency_s && *a.geomean_energy_j <= *b.geomean_energy_j &&
                          *a.area_mm2 <= *b.area_mm2;
    return no_worse && (a.geomean_latency_s < b.geomean_latency_s || *a.geomean_energy_j < *b.geomean_energy_j ||
                        *a.area_mm2 < *b.area_mm2);
  };
  size_t on_front = 0;
  for (const ExplorePoint& point : found.points) {
    bool is_beaten = false;
    for (const ExplorePoint& other : found.points) is_beaten = is_beaten || beats(other, point);
    CHECK(point.pareto == !is_beaten);
    on_front += point.pareto ? 1 : 0;
  }
  CHECK(on_front >= 2);
}

TEST_CASE("the file of the best target is that target") {
  ExploreRequest request = RequestFor({{"npu.rows", "64"},
                                       {"npu.clock", "1.5GHz"},
                                       {"sram.size", "1MiB"},
                                       {"npu.compute_efficiency", "0.55"},
                                       {"cpu.cores", "2"}});
  request.process_nm = 16;
  const Exploration found = Explored(request);
  const std::string text = BestTargetText(found, PathOf("examples/my_npu.textproto"));
  INFO(text);
  CHECK(ErrorsIn(LintTarget(text, "best.textproto")) == 0);
  auto target = ParseTarget(text, "best.textproto");
  REQUIRE(target.ok());
  AnalysisRequest analysis;
  analysis.loaded = std::make_shared<const Target>(*std::move(target));
  const auto again = Analyze(Resnet(), analysis);
  REQUIRE(again.ok());
  CHECK(again->plan->latency_s == Approx(found.points[*found.best].geomean_latency_s).epsilon(1e-12));
  CHECK(again->plan->energy_j == Approx(*found.points[*found.best].geomean_energy_j).epsilon(1e-12));
}

TEST_CASE("sensitivities are slopes: more of a rate costs no time, more time per kernel does") {
  const Exploration found = Explored(
      RequestFor({{"npu.clock", "1GHz"}, {"dram.bandwidth", "8.5GB/s"}, {"npu.launch", "4us"}, {"npu.rows", "32"}}));
  REQUIRE(found.sensitivities.size() == 4);
  double sum = 0;
  for (const Sensitivity& row : found.sensitivities) {
    INFO(row.path);
    REQUIRE(row.latency.has_value());
    const bool is_time = row.path == "npu.launch";
    CHECK((is_time ? *row.latency > 0 : *row.latency <= 0));
    CHECK(std::abs(*row.latency) < 1);
    CHECK(!row.classes.empty());
    sum += row.path == "npu.rows" ? 0 : is_time ? -*row.latency : *row.latency;
  }
  CHECK(sum > -1.1);
  CHECK(sum < -0.5);  // clock, bandwidth and launches are most of what the time is made of
}

TEST_CASE("areas by hand") {
  const auto target = LoadTarget(PathOf("examples/my_npu.textproto"));
  REQUIRE(target.ok());
  const double mac = (282 + 137) * 2 * 1e-6;  // mm2 at 45 nm
  const double bit = 0.346 / 0.7 * 1e-6;      // likewise
  CHECK(*AreaOf(*target, 45) == Approx(1024 * mac + 524288 * 8 * bit));
  CHECK(*AreaOf(*target, 28) == Approx(0.127 / 0.346 * *AreaOf(*target, 45)));
  CHECK(*AreaOf(*target, 7) == Approx(0.027 / 0.346 * *AreaOf(*target, 45)));
}

struct Refused {
  Vary vary;
  const char* constraint;
  const char* words;
};

TEST_CASE("what is refused, and with which words") {
  const std::vector<Refused> cases = {
      {{}, "", "nothing to explore"},
      {{{"npu.row", "8,16"}}, "", "did you mean npu.rows"},
      {{{"sram.size", "1MW"}}, "", "cannot be read"},
      {{{"sram.size", "2MB:1MB:x2"}}, "", "cannot be read"},
      {{{"npu.rows", "8,8"}}, "", "names 8 twice"},
      {{{"npu.clock", "1GHz"}, {"npu.clock_hz", "2GHz"}}, "", "names npu.clock twice"},
      {{{"npu.overlap", "1.5"}}, "", "out of range"},
      {{{"npu.rows", "8,16"}}, "area<4", "--process"},
      {{{"npu.rows", "8,16"}}, "aera<4", "did you mean area"},
      {{{"npu.rows", "8,16"}}, "power>4", "FIGURE<VALUE"},
  };
  for (const Refused& c : cases) {
    ExploreRequest request = RequestFor(c.vary);
    request.constraint = c.constraint;
    const auto found = Explore(request);
    REQUIRE(!found.ok());
    const Diagnostic error = DiagnosticOf(found.status());
    INFO(error.message << ": " << error.remedy);
    CHECK(error.code == Code::kUsage);
    CHECK(absl::StrContains(absl::StrCat(error.message, ": ", error.remedy), c.words));
  }
}

TEST_CASE("a constraint that no point keeps leaves no best point") {
  ExploreRequest request = RequestFor({{"npu.rows", "8,16"}});
  request.constraint = "latency<1us";
  const Exploration found = Explored(request);
  CHECK(!found.best.has_value());
  CHECK(found.sensitivities.empty());
  for (const ExplorePoint& point : found.points) CHECK(!point.pareto);
}

}  // namespace
}  // namespace hwest
