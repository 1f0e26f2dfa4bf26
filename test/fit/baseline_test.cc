#include "fit/baseline.h"

#include "fit/study_fixture.h"
#include "support/catch.h"

namespace hwest::test {
namespace {

// 1000 MACs per cycle at 1 GHz on every unit: 1e12 per second. Memory: 1e9 bytes per second.
Analysis TwoGroups(const Fact& bandwidth = Stated(1e9)) {
  Analysis analysis;
  Target target = ToyTarget("toy");
  target.memories.push_back({.name = "dram", .bytes_per_s = bandwidth});
  for (Unit& unit : target.units) unit.memories = {0};
  analysis.target = std::make_shared<const Target>(std::move(target));
  Plan plan;
  PlannedGroup compute;
  compute.unit = UnitIdOf(*analysis.target, "npu0");
  compute.work.macs = 3'000'000'000;
  compute.work.in_bytes = 1000;
  compute.work.precision = {Num::kInt8, Num::kInt8};
  PlannedGroup memory;
  memory.unit = UnitIdOf(*analysis.target, "cpu");
  memory.work.in_bytes = 500'000;
  memory.work.weight_bytes = 300'000;
  memory.work.out_bytes = 200'000;
  memory.work.precision = {Num::kFp32, Num::kFp32};
  plan.groups = {compute, memory};
  analysis.plan = plan;
  return analysis;
}

TEST_CASE("peaks alone") {
  const Baselines baselines = BaselinesOf(TwoGroups());
  CHECK(baselines.flops_s.value() == Approx(3e-3));
  CHECK(baselines.roofline_s.value() == Approx(3e-3 + 1e-3));
}

TEST_CASE("a unit without a peak for what it does has no roofline") {
  Analysis analysis = TwoGroups();
  analysis.plan->groups[1].work.macs = 1000;
  analysis.plan->groups[1].work.precision = {Num::kFp16, Num::kFp16};  // the CPU states none
  CHECK(BaselinesOf(analysis).flops_s.value() == Approx(3.000001e-3));
  CHECK_FALSE(BaselinesOf(analysis).roofline_s.has_value());
  analysis.plan->groups[1].work.macs = 4'000'000'000;
  CHECK_FALSE(BaselinesOf(analysis).flops_s.has_value());
}

TEST_CASE("unknown bandwidth, no unit, nothing multiplied") {
  Analysis analysis = TwoGroups(Fact());
  CHECK_FALSE(BaselinesOf(analysis).roofline_s.has_value());
  analysis = TwoGroups();
  analysis.plan->groups[1].unit = UnitId();
  CHECK_FALSE(BaselinesOf(analysis).roofline_s.has_value());
  analysis = TwoGroups();
  analysis.plan->groups[0].work.macs = 0;
  CHECK_FALSE(BaselinesOf(analysis).flops_s.has_value());
}

}  // namespace
}  // namespace hwest::test
