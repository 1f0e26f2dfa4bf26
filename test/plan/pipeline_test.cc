// Plans with a spatial dataflow unit: the segment has its own times.
#include "plan/plan.h"
#include "plan/plan_fixture.h"

namespace hwest {
namespace {

using test::Figure;
using test::PlanRun;

// The npu runs all but s.
constexpr char kPipelineChain[] = R"(<ir_version: 8, opset_import: ["" : 17]>
  g (float[2, 4000] x) => (float[2, 4000] y) {
    a = Relu(x)
    b = Sigmoid(a)
    c = Relu(b)
    y = Sigmoid(c)
  })";

constexpr char kCut[] = R"(<ir_version: 8, opset_import: ["" : 17]>
  g (float[1, 4000] x) => (float[1, 4000] y) {
    a = Relu(x)
    s = Softmax(a)
    y = Relu(s)
  })";

void MakeDataflow(PlanRun& f) {
  Unit& unit = f.target.units[UnitId(0u)];
  unit.kind = UnitKind::kDataflow;
  unit.launch_s = Fact();
  unit.switch_s = Figure(1e-3);
  unit.static_w = Figure(2);
  // Moves are the same for both plans below.
  f.request.only = {"npu"};
}

double GroupSeconds(const Plan& plan, SegmentId segment) {
  double seconds = 0;
  for (const PlannedGroup& row : plan.groups) {
    if (row.segment == segment) seconds += row.estimate->time_s;
  }
  return seconds;
}

TEST_CASE("a segment that fits gives a result every interval") {
  PlanRun f(kPipelineChain);
  MakeDataflow(f);
  const Plan plan = f.MustPlace();
  REQUIRE(plan.segments.size() == 1);
  const Segment& segment = plan.segments[0];
  CHECK(segment.contexts == 1);
  CHECK(segment.reloaded_bytes == 0);
  CHECK(segment.interval_s == Approx(GroupSeconds(plan, SegmentId(0u))));
  CHECK(plan.interval_s == Approx(std::max(segment.interval_s, segment.transfer_s)));
  CHECK(plan.latency_s == Approx(segment.transfer_s + segment.invoke_s + segment.time_s));
  CHECK(plan.interval_s < plan.latency_s);
  for (const PlannedGroup& row : plan.groups) CHECK(row.start_s == Approx(segment.transfer_s + segment.invoke_s));
}

TEST_CASE("contexts are paid for by every inference") {
  PlanRun fits(kPipelineChain), cut(kPipelineChain);
  MakeDataflow(fits);
  MakeDataflow(cut);
  test::SetParam(cut.target.units[UnitId(0u)], "context_layers", 1);
  const Plan whole = fits.MustPlace();
  const Plan plan = cut.MustPlace();
  REQUIRE(plan.segments.size() == 1);
  CHECK(plan.segments[0].contexts == 2);
  CHECK(plan.segments[0].interval_s == plan.segments[0].time_s);
  // Both contexts take as long, the second one until one value of 2 x 4000 INT8 is written and read over 1 GB/s.
  CHECK(plan.segments[0].interval_s == Approx(GroupSeconds(plan, SegmentId(0u)) / 2 + 16e-6 + 2e-3));
  CHECK(plan.segments[0].reloaded_bytes == 2 * 8000);
  // The value over DRAM, and the board and the unit while they wait.
  const double waiting_s = plan.interval_s - whole.segments[0].interval_s;
  CHECK(plan.energy_j == Approx(whole.energy_j + 16000 * 40e-12 + waiting_s * 2.5));
}

TEST_CASE("near an edge the interval holds both numbers of contexts, and the reason says the other") {
  PlanRun sure(kPipelineChain), near(kPipelineChain), cut(kPipelineChain);
  for (PlanRun* f : {&sure, &near, &cut}) MakeDataflow(*f);
  const auto layers = [](PlanRun& f, double count) {
    test::SetParam(f.target.units[UnitId(0u)], "context_layers", count);
  };
  layers(sure, 2.2);  // the four stages take 2
  layers(near, 2.2);
  layers(cut, 1.9);
  for (PlanRun* f : {&near, &cut}) test::SetParam(f->target.units[UnitId(0u)], "packing_margin", 0.2);
  const Plan alone = sure.MustPlace(), one = near.MustPlace(), two = cut.MustPlace();
  CHECK(alone.segments[0].reason.find("edge") == std::string::npos);
  REQUIRE(one.segments[0].contexts == 1);
  REQUIRE(two.segments[0].contexts == 2);
  CHECK(one.latency_s == alone.latency_s);
  CHECK(one.latency_low_s == alone.latency_low_s);
  // Alike but for what its layers make of a chip with a little more room: contexts cost a hundred times that.
  CHECK(one.latency_high_s == Approx(two.latency_high_s).epsilon(1e-3));
  CHECK(one.interval_low_s == alone.interval_low_s);
  CHECK(one.interval_high_s == Approx(two.interval_high_s).epsilon(1e-3));
  CHECK(two.latency_low_s == Approx(alone.latency_low_s).epsilon(0.01));
  CHECK(two.interval_low_s == Approx(alone.interval_low_s).epsilon(0.1));
  CHECK(one.segments[0].reason.find("if it takes 2 contexts") != std::string::npos);
  CHECK(two.segments[0].reason.find("if it takes 1 context") != std::string::npos);
}

TEST_CASE("groups take the time that they have in their context, and the energy is that of the interval") {
  PlanRun f(kPipelineChain), full(kPipelineChain);
  MakeDataflow(f);
  MakeDataflow(full);
  Unit& unit = f.target.units[UnitId(0u)];
  test::SetParam(unit, "context_layers", 2.2);  // most of which the four stages take at least
  const Plan plan = f.MustPlace(), faster = full.MustPlace();
  REQUIRE(plan.segments[0].contexts == 1);
  const double share = plan.segments[0].interval_s / faster.segments[0].interval_s;
  CHECK(share > 1.05);
  CHECK(plan.segments[0].interval_s == Approx(GroupSeconds(plan, SegmentId(0u))));
  for (size_t g = 0; g < plan.groups.size(); ++g) {
    CHECK(plan.groups[g].estimate->time_s == Approx(share * faster.groups[g].estimate->time_s));
    CHECK(plan.groups[g].estimate->utilisation == Approx(faster.groups[g].estimate->utilisation / share));
  }
  const double more_s = plan.segments[0].interval_s - faster.segments[0].interval_s;
  CHECK(plan.segments[0].energy_j == Approx(faster.segments[0].energy_j + more_s * 2.5));  // of the board and the unit
  // Nor are they faster where what is independent runs side by side.
  test::SetParam(unit, "stream_bytes", 1e-3);  // so that they take most of the time
  f.request.overlap = Overlap::kYes;
  const Plan overlapped = f.MustPlace();
  REQUIRE(overlapped.overlap_latency_s.has_value());
  for (const UnitTotals& total : overlapped.units) CHECK(*overlapped.overlap_latency_s >= total.busy_s);
}

TEST_CASE("segments of one chip push each other out, and the cpu works beside them") {
  PlanRun f(kCut);
  MakeDataflow(f);
  const Plan plan = f.MustPlace();
  REQUIRE(f.Segments(plan) == "npu:a cpu:s npu:y");
  double chip = 0, moves = 0, latency = 0;
  for (const Segment& segment : plan.segments) {
    latency += segment.transfer_s + segment.invoke_s + segment.time_s;
    if (segment.contexts == 0) continue;
    CHECK(segment.interval_s == Approx(GroupSeconds(plan, plan.groups[segment.groups[0].index()].segment) + 1e-3));
    chip += segment.interval_s;
    moves += segment.transfer_s;
  }
  CHECK(plan.latency_s == Approx(latency));
  const Segment& cpu = plan.segments[1];
  CHECK(cpu.contexts == 0);
  CHECK(plan.interval_s == Approx(std::max({chip, moves, cpu.transfer_s + cpu.invoke_s + cpu.time_s})));
}

}  // namespace
}  // namespace hwest
