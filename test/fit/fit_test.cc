#include "fit/fit.h"

#include <cmath>

#include "fit/fit_fixture.h"
#include "support/catch.h"

namespace hwest::test {
namespace {

constexpr int kSteps = 20;

std::vector<uint8_t> All(const FitProblem& problem) { return std::vector<uint8_t>(problem.points.size(), 1); }

FitState Fitted(const FitProblem& problem, const std::vector<uint8_t>& used, size_t threads = 2) {
  const FitEngine engine(problem, {.threads = threads, .tolerance = 1e-7});
  auto state = engine.Fit(engine.Start(), used, kSteps);
  INFO((state.ok() ? std::string() : std::string(state.status().message())));
  REQUIRE(state.ok());
  return *std::move(state);
}

// Values that are no multiples of each other, so that none can stand in for another.
std::vector<std::pair<size_t, double>> Truth(const FitProblem& problem) {
  // clang-format off
  return {{IndexOf(problem, "compute_efficiency.int8", ""), 0.7}, {IndexOf(problem, "dram_efficiency.int8", ""), 0.6},
          {IndexOf(problem, "pointwise_efficiency.int8", ""), 0.3}, {IndexOf(problem, "launch_scale.int8", ""), 1.6},
          {IndexOf(problem, "clock_scale", "two"), 1.3},           {IndexOf(problem, "invoke_s", "one"), 3e-4}};
  // clang-format on
}

TEST_CASE("measurements made from known values lead back to them") {
  FitProblem problem = ToyProblem();
  const auto truth = Truth(problem);
  Measure(truth, &problem);
  for (FitProblem::Point& point : problem.points) point.weight = 100;  // more to say than the priors
  const FitState state = Fitted(problem, All(problem));
  const auto found = [&](const char* name, const char* target) {
    return std::exp(state.ln_values[IndexOf(problem, name, target)]);
  };
  CHECK(found("launch_scale.int8", "") == Approx(1.6).epsilon(0.03));
  CHECK(found("dram_efficiency.int8", "") == Approx(0.6).epsilon(0.03));
  CHECK(found("invoke_s", "one") == Approx(3e-4).epsilon(0.03));
  CHECK(found("invoke_s", "two") == Approx(2e-4).epsilon(0.03));
  // Times tell clocks apart, and products of clock and share; the priors part these.
  CHECK(found("clock_scale", "two") / found("clock_scale", "one") == Approx(1.3).epsilon(0.03));
  CHECK(found("clock_scale", "one") * found("compute_efficiency.int8", "") == Approx(0.7).epsilon(0.03));
  CHECK(found("clock_scale", "one") * found("pointwise_efficiency.int8", "") == Approx(0.3).epsilon(0.03));
  for (const auto& point : problem.points) CHECK(state.ln_seconds[point.plan] == Approx(point.ln_seconds).margin(0.01));
}

TEST_CASE("priors hold where nothing was measured, and give way the more the looser they are") {
  FitProblem problem = ToyProblem();
  Measure(Truth(problem), &problem);
  const FitState nothing = Fitted(problem, std::vector<uint8_t>(problem.points.size(), 0));
  for (size_t j = 0; j < problem.free.size(); ++j) {
    CHECK(std::exp(nothing.ln_values[j]) == Approx(problem.free[j].prior).epsilon(1e-6));
  }
  const size_t launch = IndexOf(problem, "launch_scale.int8", "");
  const double loose = Fitted(problem, All(problem)).ln_values[launch];
  problem.free[launch].spread = 0.01;
  const double tight = Fitted(problem, All(problem)).ln_values[launch];
  CHECK(loose > tight);
  CHECK(tight < 0.1);
}

TEST_CASE("a device whose rows are left out keeps its own numbers and takes the shared ones") {
  FitProblem problem = ToyProblem();
  Measure(Truth(problem), &problem);
  std::vector<uint8_t> used = All(problem);
  for (size_t i = 0; i < used.size(); ++i) used[i] = problem.plans[problem.points[i].plan].machine == 0;
  const FitState state = Fitted(problem, used);
  CHECK(std::exp(state.ln_values[IndexOf(problem, "clock_scale", "two")]) == Approx(1).epsilon(1e-6));
  CHECK(std::exp(state.ln_values[IndexOf(problem, "invoke_s", "two")]) == Approx(2e-4).epsilon(1e-6));
  CHECK(std::exp(state.ln_values[IndexOf(problem, "launch_scale.int8", "")]) > 1.3);
}

TEST_CASE("values stay inside their bounds") {
  FitProblem problem = ToyProblem();
  Measure({}, &problem);
  const double away = GENERATE(-6.0, 6.0);
  for (FitProblem::Point& point : problem.points) point.ln_seconds += away;
  const FitState state = Fitted(problem, All(problem));
  size_t at_bound = 0;
  for (size_t j = 0; j < problem.free.size(); ++j) {
    CHECK(state.ln_values[j] >= std::log(problem.free[j].min) - 1e-9);
    CHECK(state.ln_values[j] <= std::log(problem.free[j].max) + 1e-9);
    at_bound += std::fabs(state.ln_values[j] - std::log(problem.free[j].min)) < 1e-6 ||
                std::fabs(state.ln_values[j] - std::log(problem.free[j].max)) < 1e-6;
  }
  CHECK(at_bound > 0);
}

TEST_CASE("one thread and several find the same") {
  FitProblem problem = ToyProblem();
  Measure(Truth(problem), &problem);
  const FitState one = Fitted(problem, All(problem), 1);
  CHECK(one.ln_values == Fitted(problem, All(problem), 1).ln_values);
  CHECK(one.ln_values == Fitted(problem, All(problem), 3).ln_values);
}

TEST_CASE("rows that are left out have no say") {
  FitProblem problem = ToyProblem();
  Measure(Truth(problem), &problem);
  std::vector<uint8_t> used = All(problem);
  used[0] = used[7] = 0;
  const FitState before = Fitted(problem, used);
  problem.points[0].ln_seconds += 3;
  problem.points[7].ln_seconds -= 3;
  CHECK(Fitted(problem, used).ln_values == before.ln_values);
  CHECK(Fitted(problem, All(problem)).ln_values != before.ln_values);
}

TEST_CASE("an outlier moves a fit little") {
  FitProblem problem = ToyProblem();
  Measure({}, &problem);
  const FitState clean = Fitted(problem, All(problem));
  problem.points[0].ln_seconds += 5;
  const FitState outlier = Fitted(problem, All(problem));
  for (size_t j = 0; j < problem.free.size(); ++j) {
    CHECK(outlier.ln_values[j] == Approx(clean.ln_values[j]).margin(0.1));
  }
}

TEST_CASE("a jump from one layout to another is no slope") {
  FitProblem problem;
  Target chip = FitTarget("chip", 1e9);
  const Memory sram = {.name = "sram", .scratchpad = true, .capacity_bytes = Stated(1000), .bytes_per_s = Stated(1e12)};
  chip.memories.insert(chip.memories.begin(), sram);
  Unit& unit = chip.units[UnitId(0u)];
  unit.kind = UnitKind::kDataflow;
  unit.memories = {0, 1};
  unit.switch_s = Stated(1);  // a second context takes far longer than all work
  unit.params.push_back({.name = "weight_share", .fact = Stated(0.625), .min = 0.5, .max = 1});
  problem.machines = {chip};
  FitPlan plan;
  plan.invokes = {0};
  FitPlan::Pipeline& pipeline = plan.pipelines.emplace_back();
  pipeline.unit = UnitId(0u);
  pipeline.tenancy = Tenancy::kAlone;
  for (int i = 0; i < 2; ++i) {
    pipeline.works.push_back(MatMulWork(100, 40, 20));  // 800 weights: at 0.625 both fill the chip to the last byte
    pipeline.members.emplace_back();
  }
  problem.plans.push_back({plan, 0});
  problem.free = SharedFacts({Shared(chip)}, UnitKind::kDataflow, "int8", PriorFrom::kStated);
  const size_t share = problem.free.size();
  problem.free.push_back({.family = chip.family,
                          .kind = UnitKind::kDataflow,
                          .name = "weight_share.int8",
                          .precision = "int8",
                          .prior = 0.625,
                          .spread = 0.1,
                          .min = 0.5,
                          .max = 1,
                          .start = 0.625});
  const FitState below = FitEngine(problem, {}).Start();
  CHECK(below.ln_seconds[0] < std::log(0.1));
  CHECK(below.slopes[share] == 0);
  problem.free[share].start = 0.7;
  const FitState above = FitEngine(problem, {}).Start();
  CHECK(above.ln_seconds[0] > std::log(1.9));
  CHECK(above.slopes[IndexOf(problem, "compute_efficiency.int8", "")] < 0);
}

TEST_CASE("a stated range narrows the prior of what it is stated of, and widens none") {
  struct Row {
    std::optional<double> min, max;
    double want;
  };
  FitProblem problem = ToyProblem();
  Target chip = problem.machines[0];
  const auto spread = [&chip] {
    for (const FreeFact& fact : SharedFacts({Shared(chip)}, UnitKind::kSystolic, "int8", PriorFrom::kStated)) {
      if (fact.name == "move_efficiency.int8") return fact.spread;
    }
    return 0.0;
  };
  const double plain = spread();
  CHECK(plain > 0.5);
  Param param{.name = "move_efficiency", .fact = {.stated = 0.02}, .min = 1e-4, .max = 1};
  chip.units[UnitId(0u)].params.push_back(param);
  const Row rows[] = {{std::nullopt, std::nullopt, plain},
                      {0.01, 0.04, std::log(4.0) / 4},
                      {1e-4, 1, std::min(plain, std::log(1e4) / 4)}};
  for (const Row& row : rows) {
    chip.units[UnitId(0u)].params.back().fact.min = row.min;
    chip.units[UnitId(0u)].params.back().fact.max = row.max;
    CHECK(spread() == Approx(row.want));
  }
}

TEST_CASE("what the data say narrows the spread") {
  FitProblem problem = ToyProblem();
  Measure({}, &problem);
  const FitEngine engine(problem, {});
  const FitState state = engine.Start();
  const auto spreads = engine.Spreads(state, All(problem));
  const auto without = engine.Spreads(state, std::vector<uint8_t>(problem.points.size(), 0));
  for (size_t j = 0; j < problem.free.size(); ++j) CHECK(without[j] == Approx(problem.free[j].spread));
  CHECK(spreads[IndexOf(problem, "compute_efficiency.int8", "")] < 0.25);
  CHECK(spreads[IndexOf(problem, "activation_efficiency.int8", "")] == Approx(0.7));
}

}  // namespace
}  // namespace hwest::test
