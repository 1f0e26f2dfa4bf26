#include "fit/fit_plan.h"

#include <algorithm>

#include "support/catch.h"
#include "support/onnx_writer.h"

namespace hwest::test {
namespace {

constexpr char kTwice[] =
    "<ir_version: 8, opset_import: [\"\" : 17]> m (float[64, 64] x, float[64, 64] w) => (float[64, 64] y)"
    " { a = MatMul(x, w) b = MatMul(a, w) c = MatMul(b, w) d = MatMul(c, w) y = Erf(d) }";

constexpr char kBranches[] =
    "<ir_version: 8, opset_import: [\"\" : 17]> m (float[64, 64] x, float[64, 64] w) => (float[64, 64] y)"
    " { a = MatMul(x, w) b = Sigmoid(a) c = Tanh(a) y = Add(b, c) }";

Analysis Analysed(const Target& target, const char* unit = "htp", const char* model = kTwice) {
  const auto graph = LoadModelFromMemory(ModelFromText(model), "m.onnx");
  REQUIRE(graph.ok());
  AnalysisRequest request;
  request.target = target.name;
  request.loaded = std::make_shared<const Target>(target);
  request.only = {unit};
  request.precision = "int8";
  auto analysis = Analyze(*graph, request);
  REQUIRE(analysis.ok());
  return *std::move(analysis);
}

TEST_CASE("a plan takes as long as its analysis, on the target and on one that changed") {
  const auto loaded = LoadTarget("sa8295p");
  REQUIRE(loaded.ok());
  const Analysis analysis = Analysed(*loaded);
  const auto plan = MakeFitPlan(analysis);
  REQUIRE(plan.ok());
  CHECK(plan->steps.size() < analysis.plan->groups.size());  // those alike are one
  CHECK(*SecondsOf(*plan, *loaded) == Approx(analysis.plan->latency_s));

  Target slow = *loaded;
  Unit& htp = slow.units[UnitIdOf(slow, "htp")];
  htp.clock_hz.fit = Fit{.value = htp.clock_hz.value_or(0) / 2};
  htp.invoke_s.fit = Fit{.value = 1e-3};
  CHECK(*SecondsOf(*plan, slow) == Approx(Analysed(slow).plan->latency_s));
  htp.clock_hz = {};
  CHECK_FALSE(SecondsOf(*plan, slow).has_value());
}

TEST_CASE("kernels side by side launch together in the plan of a fit, too") {
  const auto loaded = LoadTarget("sa8295p");
  REQUIRE(loaded.ok());
  Target target = *loaded;
  Unit& htp = target.units[UnitIdOf(target, "htp")];
  std::erase_if(htp.params, [](const Param& param) { return param.name == "launch_overlap"; });
  const double apart = Analysed(target, "htp", kBranches).plan->latency_s;
  htp.params.push_back({.name = "launch_overlap", .fact = {.stated = 1}});
  const Analysis analysis = Analysed(target, "htp", kBranches);
  const auto& groups = analysis.plan->groups;
  REQUIRE(groups.size() == 4);
  CHECK(groups[1].estimate->overhead_s == Approx(groups[0].estimate->overhead_s / 2));
  CHECK(analysis.plan->latency_s < apart);
  const auto plan = MakeFitPlan(analysis);
  REQUIRE(plan.ok());
  CHECK(*SecondsOf(*plan, target) == Approx(analysis.plan->latency_s));

  htp.launch_s.fit = Fit{.value = 1e-3};
  CHECK(*SecondsOf(*plan, target) == Approx(Analysed(target, "htp", kBranches).plan->latency_s));
}

TEST_CASE("a plan with a pipeline takes its interval") {
  const auto loaded = LoadTarget("hailo-8");
  REQUIRE(loaded.ok());
  const Analysis analysis = Analysed(*loaded, "npu");
  REQUIRE(analysis.plan->segments[0].contexts == 1);
  const auto plan = MakeFitPlan(analysis);
  REQUIRE(plan.ok());
  REQUIRE(plan->pipelines.size() == 1);
  CHECK(plan->pipelines[0].works.size() + plan->steps.size() == analysis.plan->groups.size());
  CHECK(*SecondsOf(*plan, *loaded) == Approx(analysis.plan->interval_s));

  Target slow = *loaded;
  Unit& npu = slow.units[UnitIdOf(slow, "npu")];
  npu.clock_hz.fit = Fit{.value = npu.clock_hz.value_or(0) / 1000};
  npu.params.push_back({.name = "frame_s.int8", .fact = {.stated = 1e-3}});
  const auto slower = SecondsOf(*plan, slow);
  REQUIRE(slower.has_value());
  CHECK(*slower == Approx(Analysed(slow, "npu").plan->interval_s));
  CHECK(*slower > 1e-3);
  npu.params.push_back({.name = "context_layers.int8", .fact = {.stated = 1}});
  CHECK(*SecondsOf(*plan, slow) > *slower);
}

TEST_CASE("a card copies the next inputs while it computes, so results follow each other sooner than one takes") {
  const auto card = LoadTarget("a100");
  REQUIRE(card.ok());
  const Analysis analysis = Analysed(*card, "gpu");
  const Segment& first = analysis.plan->segments[0];
  REQUIRE(first.transfer_s > 0);
  CHECK(analysis.plan->interval_s == Approx(std::max(analysis.plan->latency_s - first.transfer_s, first.transfer_s)));
  const auto plan = MakeFitPlan(analysis);
  REQUIRE(plan.ok());
  CHECK(plan->copied_ahead_s == first.transfer_s);
  CHECK(*SecondsOf(*plan, *card) == Approx(analysis.plan->latency_s));

  // A module's GPU reads the memory that the inputs lie in.
  const auto module = LoadTarget("jetson-agx-orin-64gb");
  REQUIRE(module.ok());
  const Analysis shared = Analysed(*module, "gpu");
  CHECK(shared.plan->interval_s == shared.plan->latency_s);
}

TEST_CASE("an analysis without a time has no plan to fit") {
  Analysis analysis;
  CHECK_FALSE(MakeFitPlan(analysis).ok());
}

}  // namespace
}  // namespace hwest::test
