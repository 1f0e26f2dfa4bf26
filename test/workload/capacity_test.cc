// Boards that hold streams: against workloads, one by one.
#include "hwest/capacity.h"

#include <algorithm>
#include <cmath>

#include "hwest/workload.h"
#include "support/catch.h"
#include "support/source_dir.h"

namespace hwest {
namespace {

const std::string kTestModels = std::string(HWEST_SOURCE_DIR) + "/test/models/";
const std::string kMobilenet = kTestModels + "mobilenet_v2.ts.onnx";
const std::string kSmallResnet = kTestModels + "simple_resnet.ts.onnx";

CapacityReport Found(const CapacityRequest& request) {
  const absl::StatusOr<CapacityReport> report = FindCapacity(request);
  INFO(report.status());
  REQUIRE(report.ok());
  return *report;
}

CapacityRow One(const CapacityRequest& request) {
  const CapacityReport report = Found(request);
  REQUIRE(report.boards.size() == 1);
  return report.boards[0];
}

WorkloadReport RunOf(const std::string& text) {
  const absl::StatusOr<Workload> workload = ParseWorkload(text, "fit.textproto");
  INFO(text << workload.status());
  REQUIRE(workload.ok());
  const absl::StatusOr<WorkloadReport> report = RunWorkload(*workload, {.studies = false});
  INFO(report.status());
  REQUIRE(report.ok());
  return *report;
}

bool Misses(const WorkloadReport& report) {
  return std::any_of(report.tasks.begin(), report.tasks.end(),
                     [](const TaskRow& task) { return task.verdict == TaskVerdict::kMissed; });
}

// The last number of streams before the first one that `onnx-hwest workload MODEL --streams N@RATE` misses.
int64_t CountedByHand(const std::string& model, const std::string& target, const std::string& mode,
                      const std::string& rate, int64_t most) {
  for (int64_t streams = 1; streams <= most; ++streams) {
    const absl::StatusOr<Workload> workload = WorkloadOfStreams({model}, streams, rate);
    REQUIRE(workload.ok());
    const absl::StatusOr<WorkloadReport> report =
        RunWorkload(*workload, {.target = target, .mode = mode, .studies = false});
    REQUIRE(report.ok());
    if (Misses(*report) || !report->memory.fits.value_or(true)) return streams - 1;
  }
  return most;
}

TEST_CASE("the number of streams is that of workloads, one stream more at a time") {
  struct Case {
    std::string model, target, mode, rate;
    Fraction period;
  };
  const Case c = GENERATE(as<Case>(), Case{kMobilenet, "tda4vm", "", "200 FPS", {1, 200}},
                          Case{kMobilenet, "jetson-orin-nano-8gb", "15W", "400 FPS", {1, 400}},
                          Case{kSmallResnet, "hailo-8", "", "200 FPS", {1, 200}},
                          Case{kMobilenet, "raspberry-pi-5", "4 threads", "15 FPS", {1, 15}},
                          Case{kMobilenet, "imx8m-plus", "", "29.97 FPS", {100, 2997}});
  INFO(c.model << " on " << c.target);
  CapacityRequest request{.models = {{c.model}}, .targets = {c.target}, .period = c.period};
  const auto target = SharedTarget(c.target, c.mode);
  REQUIRE(target.ok());
  request.modes = {(*target)->mode};
  const CapacityRow row = One(request);
  CHECK(row.streams == CountedByHand(c.model, c.target, c.mode, c.rate, row.streams + 2));
  CHECK(row.streams > 0);
  CHECK(row.shown == row.streams);
}

TEST_CASE("the workload of a row gives its figures") {
  const CapacityRequest request{
      .models = {{kMobilenet}, {kSmallResnet, Fraction{1, 12}}},
      .targets = {"tda4vm", "raspberry-pi-5", "hailo-8l"},
      .batches = {1, 2},
      .streams = 3,
      .period = {100, 2997},
      .deadline_s = 0.05,
      .stages = {*ParseCapacityStage("resize"), *ParseCapacityStage("planner=2ms"), *ParseCapacityStage("h265")}};
  const CapacityReport found = Found(request);
  const auto check = [](const CapacityRow& row, bool is_shown) {
    INFO(row.target << " " << row.mode << " " << row.batch << " " << row.shown << "\n" << row.workload);
    if (!row.verdict.has_value()) return;
    const WorkloadReport report = RunOf(row.workload);
    CHECK(Misses(report) == (*row.verdict == TaskVerdict::kMissed));
    CHECK(report.energy_j_per_s.has_value() == row.power_w.has_value());
    if (row.power_w.has_value()) CHECK(*report.energy_j_per_s == Approx(*row.power_w).epsilon(1e-9));
    double worst_s = 0;
    for (const TaskRow& task : report.tasks) worst_s = std::max(worst_s, task.worst_s.value_or(0));
    if (is_shown) CHECK(worst_s == Approx(row.worst_s.value_or(0)).epsilon(1e-9));
    // What was only counted has seen fewer runs.
    if (!is_shown) CHECK(worst_s >= row.worst_s.value_or(0) * (1 - 1e-9));
  };
  for (const CapacityRow& row : found.tried) check(row, false);
  for (const CapacityRow& row : found.boards) {
    if (row.holds.value_or(false)) check(row, true);
  }
}

// More streams never need a smaller board.
TEST_CASE("fewer streams hold wherever more do") {
  CapacityRequest request{.models = {{kMobilenet}},
                          .targets = {"tda4vm", "rk3588", "jetson-orin-nano-8gb", "raspberry-pi-5", "imx8m-plus"},
                          .period = {1, 60}};
  std::map<std::string, bool> held;
  for (request.streams = 1; request.streams <= 4; ++request.streams) {
    for (const CapacityRow& row : Found(request).boards) {
      INFO(row.target << " " << request.streams);
      REQUIRE(row.holds.has_value());
      if (request.streams > 1) CHECK((!*row.holds || held[row.target]));
      CHECK(*row.holds == (row.streams >= request.streams));
      held[row.target] = *row.holds;
    }
  }
}

TEST_CASE("neither more power nor a longer deadline costs streams") {
  CapacityRequest request{.models = {{kMobilenet}}, .targets = {"jetson-orin-nano-8gb"}, .period = {1, 300}};
  std::map<std::string, int64_t> before;
  const bool by_power = GENERATE(false, true);
  for (const double amount : {1.0, 4.0, 16.0}) {
    if (by_power) request.max_w = amount * 2;
    if (!by_power) request.deadline_s = amount * 1.5e-3;
    for (const CapacityRow& row : Found(request).boards) {
      INFO(row.target << " " << amount << " by power " << by_power);
      CHECK(row.streams >= before[row.target]);
      if (by_power && row.power_w.has_value()) CHECK(*row.power_w <= *request.max_w);
      before[row.target] = row.streams;
    }
  }
}

TEST_CASE("a decoder that is not stated leaves it open, one that is not there does not hold") {
  CapacityRequest request{.models = {{kSmallResnet}}, .streams = 1, .stages = {*ParseCapacityStage("h264")}};
  request.targets = {"jetson-orin"};
  CapacityRow row = One(request);
  CHECK(!row.holds.has_value());
  CHECK(row.first_limit == CapacityLimit::kUnknown);
  CHECK(row.reason == "decode of h264: not stated for this board");
  request.targets = {"raspberry-pi-5"};
  row = One(request);
  CHECK(row.holds == false);
  CHECK(row.streams == 0);
  CHECK(row.first_limit == CapacityLimit::kDecode);
  CHECK(row.reason == "no h264 decoder in hardware");
}

TEST_CASE("a decoder takes as many streams as its pixels") {
  CapacityRequest request{.models = {{kSmallResnet}}, .targets = {"am62a"}, .stages = {*ParseCapacityStage("h265")}};
  CapacityRow row = One(request);
  CHECK(row.streams == 8);  // 3840 x 2160 at 60 = 8 x 1920 x 1080 at 30
  CHECK(row.first_limit == CapacityLimit::kDecode);
  request.stages = {*ParseCapacityStage("h265@3840x2160")};
  CHECK(One(request).streams == 2);
  request.period = {1, 60};
  CHECK(One(request).streams == 1);
}

TEST_CASE("stages on the CPU take its time") {
  CapacityRequest request{.models = {{kSmallResnet}}, .targets = {"am62a"}};
  request.stages = {*ParseCapacityStage("planner=26ms")};  // of one of four cores, 30 times a second: a fifth of them
  const CapacityRow row = One(request);
  CHECK(row.streams >= 3);
  CHECK(row.streams <= 5);
  request.stages = {*ParseCapacityStage("planner=200ms")};
  const CapacityRow none = One(request);
  CHECK(none.streams == 0);
  CHECK(none.first_limit == CapacityLimit::kUnit);
}

TEST_CASE("stages are checked") {
  for (const char* text : {"", "h266", "h264@", "h264@0x1080", "h264@1920", "nms@640x640", "=2ms", "a=", "a=2",
                           "a=x ms", "resize@99999999x1"}) {
    INFO(text);
    const absl::Status status = ParseCapacityStage(text).status();
    REQUIRE(!status.ok());
    CHECK(DiagnosticOf(status).code == Code::kUsage);
    CHECK(!DiagnosticOf(status).remedy.empty());
  }
  const CapacityStage stage = *ParseCapacityStage("resize@3840x2160");
  CHECK(stage.cycles == Approx(4 * ParseCapacityStage("resize")->cycles));
  for (const NamedStage& row : CapacityStages()) {
    CHECK(!row.stage.figure.empty());
    CHECK(row.stage.trust != Trust::kUnset);
  }
}

TEST_CASE("boards are ordered by power, or by prices that are given") {
  CapacityRequest request{.models = {{kSmallResnet}}, .targets = {"jetson-orin", "tda4vm", "rk3588"}, .streams = 1};
  const CapacityReport by_power = Found(request);
  for (size_t i = 1; i < by_power.boards.size(); ++i) {
    CHECK(*by_power.boards[i - 1].power_w <= *by_power.boards[i].power_w);
  }
  request.prices = {{"jetson-agx-orin-64gb", 1}, {"rk3588", 2}};
  const CapacityReport by_price = Found(request);
  CHECK(by_price.boards[0].target == "jetson-agx-orin-64gb");
  CHECK(by_price.boards[1].target == "rk3588");
  CHECK(!by_price.boards[2].price.has_value());
}

TEST_CASE("groups of targets") {
  const std::vector<std::string> edge = *TargetsNamed({"edge"}), all = *TargetsNamed({"all"});
  const auto has = [](const std::vector<std::string>& names, const char* name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  CHECK(all.size() == ListTargets().size());
  for (const char* name : {"jetson-agx-orin-64gb", "rk3588", "tda4vm", "hailo-8", "raspberry-pi-5"})
    CHECK(has(edge, name));
  for (const char* name : {"h100", "l4", "rtx-4090", "xeon-8380-2s", "x86-avx512"}) CHECK(!has(edge, name));
  CHECK(*TargetsNamed({"jetson-orin", "jetson-agx-orin-64gb"}) == std::vector<std::string>{"jetson-agx-orin-64gb"});
  CHECK(DiagnosticOf(TargetsNamed({"rk3589"}).status()).code == Code::kTargetUnknown);
}

TEST_CASE("a request that asks for nothing, or for too much, says so") {
  const auto code_of = [](const CapacityRequest& request) { return DiagnosticOf(FindCapacity(request).status()).code; };
  CHECK(code_of({.targets = {"rk3588"}}) == Code::kUsage);
  CHECK(code_of({.models = {{kSmallResnet}}}) == Code::kUsage);
  CHECK(code_of({.models = {{kSmallResnet}}, .targets = {"rk3588"}, .streams = 65}) == Code::kUsage);
  CHECK(code_of({.models = {{"none.onnx"}}, .targets = {"rk3588"}}) == Code::kModelMissing);
  CapacityRequest request{.models = {{kSmallResnet}}, .targets = {"rk3588", "tda4vm"}, .streams = 2};
  request.watch.stop = [] { return true; };
  CHECK(code_of(request) == Code::kInterrupted);
}

}  // namespace
}  // namespace hwest
