// Plans of small chains with figures computed by hand, and the sums every plan keeps.
#include "plan/plan.h"

#include "hwest/diagnostic.h"
#include "plan/memory_plan.h"
#include "plan/plan_fixture.h"
#include "plan/repeat.h"

namespace hwest {
namespace {

using test::PlanRun;

// The npu runs all but s.
constexpr char kChain[] = R"(<ir_version: 8, opset_import: ["" : 17]>
  g (float[1, 4000] x) => (float[1, 4000] y) {
    a = Relu(x)
    b = Relu(a)
    s = Softmax(b)
    c = Relu(s)
    y = Relu(c)
  })";

constexpr char kSkip[] = R"(<ir_version: 8, opset_import: ["" : 17]>
  g (float[1, 1000] x) => (float[1, 1000] y) {
    a = Relu(x)
    b = Relu(a)
    v = Identity(b)
    c = Relu(v)
    y = Add(a, c)
  })";

void CheckSums(const Plan& plan) {
  double groups = 0, segments = 0, busy = 0, energy = 0;
  for (const PlannedGroup& row : plan.groups) {
    if (!row.estimate.has_value()) continue;
    groups += row.estimate->time_s;
    CHECK(row.estimate->time_s >= std::max(row.estimate->compute_s, row.estimate->memory_s));
    CHECK(row.saved_bytes >= 0);
  }
  for (const Segment& segment : plan.segments) {
    segments += segment.transfer_s + segment.invoke_s;
    energy += segment.energy_j;
    CHECK_FALSE(segment.reason.empty());
  }
  for (const UnitTotals& unit : plan.units) busy += unit.busy_s;
  CHECK(groups + segments == Approx(plan.latency_s).epsilon(1e-9));
  CHECK(busy == Approx(groups));
  CHECK(energy == Approx(plan.energy_j));
  CHECK(plan.latency_low_s <= plan.latency_s);
  CHECK(plan.latency_high_s >= plan.latency_s);
  for (size_t g = 1; g < plan.groups.size(); ++g) CHECK(plan.groups[g].start_s >= plan.groups[g - 1].start_s);
}

TEST_CASE("what the accelerator refuses runs on the cpu") {
  PlanRun f(kChain);
  const Plan plan = f.MustPlace();
  CheckSums(plan);
  REQUIRE(f.Segments(plan) == "npu:a,b cpu:s npu:c,y");
  CHECK(plan.segments[0].reason == "first segment");
  CHECK(plan.segments[1].reason == "Softmax s: refused by npu: not supported (inferred: tiny manual)");
  CHECK(plan.segments[2].reason ==
        "npu runs Relu c and the 1 group after it; before it, Softmax s: refused by npu: not supported (inferred: "
        "tiny manual)");
  // Copies over the link: x and s into the npu (fp32 in the file and on the cpu), b out of it (int8), y to the host.
  CHECK(plan.segments[0].transfer_s == Approx(3e-6 + 16000e-9));
  CHECK(plan.segments[1].transfer_s == Approx(3e-6 + 4000e-9));
  CHECK(plan.segments[2].transfer_s == Approx(3e-6 + 16000e-9 + 3e-6 + 4000e-9));
  CHECK(plan.segments[0].invoke_s == 10e-6);
  CHECK(plan.segments[0].in_bytes == 4000);
  CHECK(plan.segments[0].out_bytes == 4000);
  CHECK(plan.units[UnitId(0u)].groups == 4);
}

TEST_CASE("a unit with a memory of its own is sent inputs as it reads them") {
  PlanRun f(kChain);
  f.target.memories.push_back(f.target.memories[1]);
  f.target.memories.back().name = "module";
  f.target.units[UnitId(0u)].memories.back() = 2;
  const Plan plan = f.MustPlace();
  REQUIRE(f.Segments(plan) == "npu:a,b cpu:s npu:c,y");
  CHECK(plan.segments[0].transfer_s == Approx(3e-6 + 4000e-9));
  CHECK(plan.segments[2].transfer_s == Approx(3e-6 + 16000e-9 + 3e-6 + 4000e-9));
}

TEST_CASE("values stay on chip inside a segment only") {
  PlanRun f(kChain);
  const Plan plan = f.MustPlace();
  // a never leaves the scratchpad; b is read by the cpu.
  CHECK(plan.groups[0].estimate->dram_bytes == 4000);
  CHECK(plan.groups[1].estimate->dram_bytes == 4000);
  f.target.memories[0].capacity_bytes = test::Figure(3000);
  CHECK(f.MustPlace().groups[0].estimate->dram_bytes == 8000);
}

TEST_CASE("the default plan is no worse than any unit alone") {
  for (const char* model : {kChain, kSkip}) {
    for (const Objective objective : {Objective::kLatency, Objective::kEnergy}) {
      PlanRun f(model);
      f.request.objective = objective;
      const Plan best = f.MustPlace();
      for (const char* unit : {"npu", "cpu"}) {
        f.request.only = {unit};
        const Plan alone = f.MustPlace();
        CheckSums(alone);
        if (objective == Objective::kLatency) CHECK(best.latency_s <= alone.latency_s * (1 + 1e-12));
        if (objective == Objective::kEnergy) CHECK(best.energy_j <= alone.energy_j * (1 + 1e-12));
      }
    }
  }
}

// The npu as a module: a memory of its own behind a link that costs more than the CPU takes for everything.
void MakeModule(PlanRun& f) {
  f.target.memories.push_back(f.target.memories[1]);
  f.target.memories.back().name = "module";
  f.target.units[UnitId(0u)].memories.back() = 2;
  f.target.links[0].latency_s = test::Figure(1e-3);
}

TEST_CASE("a discrete host runs what the module refuses and no more, unless it competes") {
  PlanRun f(kChain);
  f.target.links[0].latency_s = test::Figure(1e-3);
  CHECK(f.Segments(f.MustPlace()) == "cpu:a,b,s,c,y");  // the CPU of a SoC
  MakeModule(f);
  const Plan held = f.MustPlace();
  CheckSums(held);
  REQUIRE(f.Segments(held) == "npu:a,b cpu:s npu:c,y");
  CHECK_FALSE(held.host_competes);
  CHECK(held.gap == 0);
  CHECK(held.segments[2].reason == "Relu c: supported by npu, which goes first");
  f.request.only = {"npu"};
  CHECK(f.MustPlace().latency_s == held.latency_s);
  f.request.only = {"npu", "cpu"};
  CHECK(f.MustPlace().latency_s == held.latency_s);
  f.request.only = {"cpu"};
  CHECK(f.Segments(f.MustPlace()) == "cpu:a,b,s,c,y");
  f.request.only.clear();
  f.request.host_competes = HostCompetes::kYes;
  const Plan competing = f.MustPlace();
  CHECK(f.Segments(competing) == "cpu:a,b,s,c,y");
  CHECK(competing.host_competes);
  CHECK(competing.latency_s < held.latency_s);
}

TEST_CASE("a host that competes is that of a module only") {
  PlanRun f(kChain);
  f.request.host_competes = HostCompetes::kYes;
  CHECK_FALSE(f.MustPlace().host_competes);
}

// A toolchain that takes all it supports, and a link that makes the CPU the cheaper unit.
void TakeAll(PlanRun& f) {
  f.target.toolchains[0].partition = Partition{.means = "a deny list", .source = "test", .trust = Trust::kPublished};
  f.target.links[0].latency_s = test::Figure(1e-3);
}

TEST_CASE("a toolchain takes what it supports whatever that costs, and the best plan is told beside") {
  PlanRun f(kChain);
  TakeAll(f);
  const Plan compiled = f.MustPlace();
  CheckSums(compiled);
  REQUIRE(f.Segments(compiled) == "npu:a,b cpu:s npu:c,y");
  CHECK(f.target.units[compiled.compiled_for].name == "npu");
  CHECK(compiled.segments[2].reason == "Relu c: supported by npu; tiny takes every supported operator");
  f.request.placement = PlacementBy::kBest;
  const Plan best = f.MustPlace();
  CHECK(f.Segments(best) == "cpu:a,b,s,c,y");
  CHECK_FALSE(best.compiled_for.valid());
  CHECK_FALSE(best.best_latency_s.has_value());
  f.request.placement = PlacementBy::kToolchain;
  CHECK(f.WithBest().best_latency_s == best.latency_s);
  f.target.links[0].latency_s = test::Figure(0);
  CHECK_FALSE(f.WithBest().best_latency_s.has_value());
}

TEST_CASE("requests steer what a toolchain takes") {
  PlanRun f(kChain);
  TakeAll(f);
  struct Case {
    std::vector<Pin> pin, deny;
    std::vector<std::string> only;
    std::optional<int> max_segments;
    const char* segments;
  };
  const Case cases[] = {
      {{{"y", "cpu"}}, {}, {}, {}, "npu:a,b cpu:s npu:c cpu:y"},
      {{}, {{"b", "npu"}, {"c", "npu"}}, {}, {}, "npu:a cpu:b,s,c npu:y"},
      {{}, {}, {"npu", "cpu"}, {}, "npu:a,b cpu:s npu:c,y"},
      {{}, {}, {"cpu"}, {}, "cpu:a,b,s,c,y"},
      {{}, {}, {}, 1, "npu:a,b cpu:s,c,y"},
  };
  for (const Case& c : cases) {
    INFO(c.segments);
    f.request.pin = c.pin;
    f.request.deny = c.deny;
    f.request.only = c.only;
    f.request.max_segments = c.max_segments;
    CHECK(f.Segments(f.MustPlace()) == c.segments);
  }
}

TEST_CASE("what no toolchain weighs is placed by cost") {
  PlanRun f(kChain);
  TakeAll(f);
  f.request.objective = Objective::kEnergy;
  CHECK_FALSE(f.MustPlace().compiled_for.valid());
  f.request.objective = Objective::kLatency;
  f.request.host_competes = HostCompetes::kYes;
  CHECK_FALSE(f.MustPlace().compiled_for.valid());
  f.request.host_competes = HostCompetes::kNo;
  f.request.power_cap_w = 1000;
  CHECK_FALSE(f.MustPlace().compiled_for.valid());
}

TEST_CASE("of several accelerators the first that needs no asking takes all, and named ones those on request first") {
  PlanRun f(kChain);
  TakeAll(f);
  Unit second = f.target.units[UnitId(0u)];
  second.name = "dla";
  second.toolchain = "dla";
  f.target.units.push_back(second);
  f.target.links.push_back(f.target.links[0]);
  f.target.links.back().to = "dla";
  Toolchain dla = f.target.toolchains[0];
  dla.name = "dla";
  dla.partition->on_request = true;
  f.target.toolchains.push_back(dla);
  CHECK(f.Segments(f.MustPlace()) == "npu:a,b cpu:s npu:c,y");
  f.request.pin = {{"y", "dla"}};
  CHECK(f.Segments(f.MustPlace()) == "npu:a,b cpu:s npu:c dla:y");
  f.request.pin.clear();
  f.request.deny = {{"b", "dla"}, {"c", "dla"}};
  for (const std::vector<std::string>& only : {std::vector<std::string>{"npu", "dla"}, {"dla", "npu", "cpu"}}) {
    f.request.only = only;
    CHECK(f.Segments(f.MustPlace()) == "dla:a npu:b cpu:s npu:c dla:y");
  }
  f.request.only = {"dla"};
  CHECK(f.Segments(f.MustPlace()) == "dla:a cpu:b,s,c dla:y");
  std::swap(f.target.toolchains[0].partition->on_request, f.target.toolchains.back().partition->on_request);
  f.request.only.clear();
  f.request.deny.clear();
  CHECK(f.Segments(f.MustPlace()) == "dla:a,b cpu:s dla:c,y");
  f.target.toolchains.back().partition.reset();
  CHECK_FALSE(f.MustPlace().compiled_for.valid());
}

TEST_CASE("where limits leave no way round, a discrete host takes as little more as possible") {
  PlanRun f(kChain);
  MakeModule(f);
  SECTION("nothing returns to a unit that takes a prefix only") {
    f.target.toolchains[0].max_segments = 1;
    f.target.toolchains[0].prefix_only = true;
    CHECK(f.Segments(f.MustPlace()) == "npu:a,b cpu:s,c,y");
  }
  SECTION("the longer of two runs stays") {
    f.request.deny = {{"b", "npu"}};
    f.request.max_segments = 1;
    CHECK(f.Segments(f.MustPlace()) == "cpu:a,b,s npu:c,y");
  }
  SECTION("a limit that nothing keeps leaves all to it") {
    f.target.toolchains[0].min_nodes = 3;
    CHECK(f.Segments(f.MustPlace()) == "cpu:a,b,s,c,y");
  }
  SECTION("a pin") {
    f.request.pin = {{"b", "cpu"}};
    CHECK(f.Segments(f.MustPlace()) == "npu:a cpu:b,s npu:c,y");
  }
  SECTION("under a power cap") {
    f.request.power_cap_w = 100;
    CHECK(f.Segments(f.MustPlace()) == "npu:a,b cpu:s npu:c,y");
  }
  SECTION("for energy") {
    f.request.objective = Objective::kEnergy;
    CHECK(f.Segments(f.MustPlace()) == "npu:a,b cpu:s npu:c,y");
  }
  const Plan plan = f.MustPlace();
  CheckSums(plan);
  CHECK(plan.gap >= 0);
  CHECK(plan.gap <= 1);
}

TEST_CASE("requests steer the placement") {
  PlanRun f(kChain);
  SECTION("no segment on an accelerator") {
    f.request.max_segments = 0;
    CHECK(f.Segments(f.MustPlace()) == "cpu:a,b,s,c,y");
  }
  SECTION("one segment on an accelerator, however many the CPU has") {
    f.request.max_segments = 1;
    f.request.pin = {{"c", "npu"}};
    CHECK(f.Segments(f.MustPlace()) == "cpu:a,b,s npu:c,y");
  }
  SECTION("a pin") {
    f.request.pin = {{"c", "cpu"}};
    CHECK(f.Segments(f.MustPlace()).find("cpu:s,c") != std::string::npos);
  }
  SECTION("a pin the unit cannot keep") {
    f.request.pin = {{"s", "npu"}};
    CHECK(DiagnosticOf(f.Place().status()).code == Code::kUsage);
  }
  SECTION("an assumption") {
    f.request.assume = {{"Softmax", "npu"}};
    CHECK(f.Segments(f.MustPlace()) == "npu:a,b,s,c,y");
  }
  SECTION("a denial") {
    f.request.deny = {{"Relu", "npu"}};
    CHECK(f.Segments(f.MustPlace()) == "cpu:a,b,s,c,y");
  }
  SECTION("limits of the toolchain") {
    f.target.toolchains[0].max_segments = 1;
    CHECK(f.MustPlace().segments.size() <= 3);
    f.target.toolchains[0].min_nodes = 3;
    CHECK(f.Segments(f.MustPlace()) == "cpu:a,b,s,c,y");
  }
  SECTION("no way to keep them all") {
    f.request.max_segments = 1;
    f.request.pin = {{"a", "npu"}, {"c", "npu"}};
    CHECK(DiagnosticOf(f.Place().status()).code == Code::kUsage);
  }
}

TEST_CASE("more segments on accelerators never take longer, and are never more than asked for") {
  double last_s = std::numeric_limits<double>::infinity();
  for (const int most : {0, 1, 2, 3}) {
    INFO("at most " << most);
    PlanRun f(kChain);
    f.request.max_segments = most;
    const Plan plan = f.MustPlace();
    const std::string segments = f.Segments(plan);
    size_t on_npu = 0;
    for (size_t at = segments.find("npu:"); at != std::string::npos; at = segments.find("npu:", at + 1)) ++on_npu;
    CHECK(on_npu <= static_cast<size_t>(most));
    CHECK(plan.latency_s <= last_s);
    last_s = plan.latency_s;
  }
}

// Two chains that meet at the end; the npu refuses the one with the Softmax.
constexpr char kBranches[] = R"(<ir_version: 8, opset_import: ["" : 17]>
  g (float[1, 4000] x) => (float[1, 4000] y) {
    a = Relu(x)
    b = Relu(a)
    s = Softmax(x)
    y = Add(b, s)
  })";

TEST_CASE("overlap runs independent branches side by side") {
  PlanRun f(kBranches);
  f.request.overlap = Overlap::kYes;
  f.request.pin = {{"a", "npu"}, {"b", "npu"}, {"y", "npu"}};
  const Plan plan = f.MustPlace();
  CheckSums(plan);
  REQUIRE(plan.overlap_latency_s.has_value());
  CHECK(*plan.overlap_latency_s < plan.latency_s);
  for (const UnitTotals& unit : plan.units) CHECK(*plan.overlap_latency_s >= unit.busy_s);
  // The Softmax waits for nothing; what follows it does.
  const double softmax_s = plan.groups[plan.group_of[f.node("s")].index()].estimate->time_s;
  const double add_s = plan.groups[plan.group_of[f.node("y")].index()].estimate->time_s;
  CHECK(*plan.overlap_latency_s >= softmax_s + add_s);
}

TEST_CASE("overlap of a chain is the serial plan") {
  PlanRun f(kChain);
  CHECK_FALSE(f.MustPlace().overlap_latency_s.has_value());
  f.request.overlap = Overlap::kYes;
  const Plan plan = f.MustPlace();
  CHECK(*plan.overlap_latency_s == Approx(plan.latency_s).epsilon(1e-12));
}

TEST_CASE("a power cap is kept, and the least that is named can be reached") {
  PlanRun f(kChain);
  f.target.units[UnitId(0u)].static_w = test::Figure(20);
  f.target.units[UnitId(1u)].static_w = test::Figure(1);
  f.request.assume = {{"Softmax", "npu"}};
  const Plan fastest = f.MustPlace();
  const double power_w = fastest.energy_j / fastest.latency_s;
  f.request.power_cap_w = power_w * 1.01;
  CHECK(f.MustPlace().latency_s == Approx(fastest.latency_s).epsilon(1e-12));
  f.request.power_cap_w = power_w * 0.5;
  const Plan capped = f.MustPlace();
  CheckSums(capped);
  CHECK(capped.energy_j / capped.latency_s <= power_w * 0.5);
  CHECK(capped.latency_s > fastest.latency_s);
  CHECK(capped.gap > 0);

  f.request.power_cap_w = 1e-3;
  const Diagnostic error = DiagnosticOf(f.Place().status());
  CHECK(error.code == Code::kUsage);
  const size_t at = error.remedy.find("--power-cap ");
  REQUIRE(at != std::string::npos);
  f.request.power_cap_w = std::stod(error.remedy.substr(at + 12));
  const Plan least = f.MustPlace();
  CHECK(least.energy_j / least.latency_s <= *f.request.power_cap_w * (1 + 1e-9));
  f.request.power_cap_w = *f.request.power_cap_w * 0.99;
  CHECK_FALSE(f.Place().ok());
}

TEST_CASE("a power cap needs figures and one objective") {
  PlanRun f(kChain);
  f.request.power_cap_w = 5;
  f.request.objective = Objective::kEnergy;
  CHECK(DiagnosticOf(f.Place().status()).code == Code::kUsage);
}

TEST_CASE("the search says what it had to do") {
  PlanRun f(kSkip);
  const Plan plan = f.MustPlace();
  CHECK(plan.search.atoms == 4);
  CHECK(plan.search.states > 0);
  CHECK(plan.search.live == 2);
  CHECK(plan.search.exact);
}

TEST_CASE("a node without a unit stays unplaced and is no time") {
  PlanRun f(kChain);
  f.target.units[UnitId(1u)].placeable = false;
  const Plan plan = f.MustPlace();
  CHECK(f.Segments(plan) == "npu:a,b npu:c,y");
  CHECK_FALSE(plan.groups[2].unit.valid());
  CHECK_FALSE(plan.groups[2].estimate.has_value());
  CHECK(plan.segments[1].reason == "after nodes that no unit runs");
  CheckSums(plan);
}

TEST_CASE("fusion saves the bytes between its members") {
  PlanRun f(kSkip);
  f.target.units[UnitId(1u)].placeable = false;
  const Plan apart = f.MustPlace();
  f.joined = {{f.node("c"), f.node("y")}};
  const Plan fused = f.MustPlace();
  REQUIRE(fused.groups.size() + 1 == apart.groups.size());
  CHECK(fused.groups.back().saved_bytes == 2000);
  CHECK(fused.groups.back().saved_launches == 1);
  CHECK(fused.latency_s < apart.latency_s);
}

TEST_CASE("peak memory is the largest sum of live values, and what alignment adds, beside the weights") {
  PlanRun f(kSkip);
  f.request.only = {"npu"};
  // int8: at b's step a and b live; at y's step a, c and y. The view of b is b. Of two on the chip the upper one begins
  // at 1024.
  CHECK(f.MustPlace().peak_memory_bytes == 3000 + 24);
  f.request.only = {"cpu"};
  // One of the operands gives its place to y.
  CHECK(f.MustPlace().peak_memory_bytes == 8000 + 32);
}

TEST_CASE("weights count once, at the deployed width") {
  PlanRun f(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[2, 4] x) => (float[2, 4] y) <float[4, 4] w = {0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15}> {
      h = MatMul(x, w)
      y = MatMul(h, w)
    })");
  f.request.only = {"npu"};
  const Plan plan = f.MustPlace();
  CHECK(plan.deployed_bytes == 16);
  CHECK(plan.peak_memory_bytes == 16 + 16);
  CHECK(plan.units[UnitId(0u)].macs == 64);
}

TEST_CASE("a cache behind the scratchpad keeps a part of the weights from one inference to the next") {
  PlanRun f(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[2, 4] x) => (float[2, 4] y) <float[4, 4] w = {0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15}> {
      y = MatMul(x, w)
    })");
  f.request.only = {"npu"};
  const auto kept_of = [&](double kept) {
    test::SetParam(f.target.units[UnitId(0u)], "kept_weight_bytes", kept);
    return f.MustPlace().groups[0].residency.cached_bytes;
  };
  CHECK(f.MustPlace().groups[0].residency.cached_bytes == 0);
  CHECK(kept_of(4) == 4);
  CHECK(kept_of(16) == 16);
  CHECK(kept_of(1000) == 16);
}

TEST_CASE("what such a cache keeps crosses all the same, but the memory is not waited for") {
  PlanRun f(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[2, 4] x) => (float[2, 4] y) <float[4, 4] w = {0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15}> {
      y = MatMul(x, w)
    })");
  f.request.only = {"npu"};
  const Estimate read = *f.MustPlace().groups[0].estimate;
  test::SetParam(f.target.units[UnitId(0u)], "kept_weight_bytes", 1000);
  const Estimate kept = *f.MustPlace().groups[0].estimate;
  CHECK(kept.dram_bytes == read.dram_bytes);
  CHECK(kept.memory_s == Approx(read.memory_s - 16e-9));
}

TEST_CASE("where chains run in tiles, what is read last makes room, and the rest stays") {
  struct Row {
    double capacity, tile_chain;
    std::vector<int64_t> dram_bytes;  // of a, b, c, y
  };
  const Row rows[] = {
      {1500, 0, {1001, 1000, 2000, 2000}},  // a stays, and the weight is read
      {1500, 1, {2001, 0, 0, 2000}},        // b finds a before it goes, y reads it back
      {2500, 1, {1501, 0, 0, 1500}},        // a half of a goes
      {500, 1, {2001, 500, 500, 2000}},     // a and c pass in tiles, of b a half does not fit
  };
  for (const Row& row : rows) {
    INFO(row.capacity << " bytes, " << row.tile_chain << " in a row");
    PlanRun f(R"(<ir_version: 8, opset_import: ["" : 17]>
      g (float[1, 1, 10, 100] x) => (float[1, 1, 10, 100] y) <float[1, 1, 1, 1] w = {1}> {
        a = Conv(x, w)
        b = Relu(a)
        c = Relu(b)
        y = Add(a, c)
      })");
    f.request.only = {"npu"};
    f.target.memories[0].capacity_bytes = test::Figure(row.capacity);
    test::SetParam(f.target.units[UnitId(0u)], "tile_chain.int8", row.tile_chain);
    const Plan plan = f.MustPlace();
    std::vector<int64_t> dram_bytes;
    for (const PlannedGroup& group : plan.groups) dram_bytes.push_back(group.estimate->dram_bytes);
    CHECK(dram_bytes == row.dram_bytes);
    CheckSums(plan);
  }
}

TEST_CASE("channels of an image fill blocks of the scratchpad, those of rows do not") {
  constexpr absl::string_view kImage = R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[1, 3, 8, 8] x) => (float[1, 3, 8, 8] y) <float[3, 3, 1, 1] w = {1,2,3,4,5,6,7,8,9}> {
      a = Conv(x, w)
      b = Relu(a)
      c = Relu(b)
      y = Add(a, c)
    })";
  constexpr absl::string_view kRows = R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[1, 3, 8, 8] x) => (float[1, 3, 8, 8] y) <float[1, 1, 8, 1] w = {1,2,3,4,5,6,7,8}> {
      a = Relu(x)
      b = Relu(a)
      c = Relu(b)
      d = MatMul(c, w)
      y = Add(a, d)
    })";
  const auto found_by_sum = [](absl::string_view model, double block) {
    PlanRun f(model);
    f.request.only = {"npu"};
    f.target.memories[0].capacity_bytes = test::Figure(4096);
    test::SetParam(f.target.units[UnitId(0u)], "tile_chain", 1);
    test::SetParam(f.target.units[UnitId(0u)], "channel_block", block);
    return f.MustPlace().groups.back().residency.in_bytes;
  };
  CHECK(found_by_sum(kImage, 1) == 384);
  CHECK(found_by_sum(kImage, 32) == 192);
  CHECK(found_by_sum(kRows, 32) == 192 + 24);
}

TEST_CASE("weights are deployed and read in blocks of channels") {
  struct Row {
    const char* model;
    double inputs, outputs;
    int64_t bytes;
  };
  constexpr char kProduct[] = R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[2, 4] x) => (float[2, 3] y) <float[4, 3] w = {0,1,2,3,4,5,6,7,8,9,10,11}> { y = MatMul(x, w) })";
  constexpr char kWindow[] = R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[1, 3, 4, 4] x) => (float[1, 2, 3, 3] y) <float[2, 3, 2, 2] w =
      {1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24}> { y = Conv(x, w) })";
  constexpr char kDepthwise[] = R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[1, 3, 4, 4] x) => (float[1, 3, 3, 3] y) <float[3, 1, 2, 2] w = {1,2,3,4,5,6,7,8,9,10,11,12}> {
      y = Conv <group = 3> (x, w)
    })";
  const Row rows[] = {{kProduct, 1, 1, 12},  {kProduct, 16, 1, 48},   {kProduct, 16, 32, 512},
                      {kWindow, 16, 1, 128}, {kWindow, 16, 32, 2048}, {kDepthwise, 16, 32, 64}};
  for (const Row& row : rows) {
    INFO(row.model << row.inputs << " x " << row.outputs);
    PlanRun f(row.model);
    f.request.only = {"npu"};
    const Plan plain = f.MustPlace();
    test::SetParam(f.target.units[UnitId(0u)], "weight_input_block.int8", row.inputs);
    test::SetParam(f.target.units[UnitId(0u)], "weight_output_block", row.outputs);
    const Plan plan = f.MustPlace();
    CHECK(plan.deployed_bytes == row.bytes);
    CHECK(plan.groups[0].estimate->dram_bytes - plain.groups[0].estimate->dram_bytes ==
          row.bytes - plain.deployed_bytes);
  }
}

TEST_CASE("a toolchain may compute groups in a wider format, between conversions") {
  PlanRun f(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[1, 1000] x) => (float[1, 1000] y) { y = Neg(x) })");
  f.request.only = {"npu"};
  const PlannedGroup narrow = f.MustPlace().groups[0];
  f.target.toolchains[0].widens = {{.groups = {"Neg"}, .from = Num::kInt8, .to = Num::kFp16}};
  CHECK(PrecisionName(f.MustPlace().groups[0].work.precision) == "int8");  // the unit has no such format
  f.target.units[UnitId(0u)].rates.push_back(test::MakeRate(WorkKind::kContraction, Num::kFp16, 512, 1e-12));
  const PlannedGroup wide = f.MustPlace().groups[0];
  CHECK(PrecisionName(wide.work.precision) == "fp16");
  CHECK(wide.work.in_bytes == narrow.work.in_bytes);
  CHECK(wide.work.out_bytes == narrow.work.out_bytes);
  CHECK(wide.estimate->compute_s == Approx(narrow.estimate->compute_s + 2000 / 32e9));
  f.target.toolchains[0].widens[0].from = Num::kInt16;
  CHECK(PrecisionName(f.MustPlace().groups[0].work.precision) == "int8");
}

TEST_CASE("elements of operators that a runtime has slow kernels for take cycles of a core on top") {
  // Neg writes 1000 elements; the convolution has windows of 3 x 3 over two channels at 2 x 2 positions.
  PlanRun f(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[1, 1000] x, float[1, 2, 4, 4] i) => (float[1, 1000] y, float[1, 4, 2, 2] c)
    <float[4, 2, 3, 3] w = {1,2,3,4,5,6,7,8,9,1,2,3,4,5,6,7,8,9,1,2,3,4,5,6,7,8,9,1,2,3,4,5,6,7,8,9,
                            1,2,3,4,5,6,7,8,9,1,2,3,4,5,6,7,8,9,1,2,3,4,5,6,7,8,9,1,2,3,4,5,6,7,8,9}> {
      y = Neg(x)
      c = Conv(i, w)
    })");
  f.request.only = {"npu"};
  const Plan plain = f.MustPlace();
  const auto slow = [](const char* op, double cycles) {
    return SlowKernel{.ops = {op}, .limits = {}, .cycles = Fact{.stated = cycles}};
  };
  f.target.toolchains[0].slow = {slow("Neg", 3), slow("Neg", 100), slow("Conv", 2)};
  const Plan plan = f.MustPlace();
  const double clock_hz = *f.target.units[UnitId(0u)].clock_hz.value();
  const std::map<std::string, double> cycles = {{"Neg", 3 * 1000}, {"Conv", 2 * 4 * 18}};
  for (size_t i = 0; i < plan.groups.size(); ++i) {
    INFO(plan.groups[i].group.pattern);
    const double more_s = cycles.at(std::string(plan.groups[i].group.pattern)) / clock_hz;
    CHECK(plan.groups[i].estimate->compute_s == Approx(plain.groups[i].estimate->compute_s + more_s));
    CHECK(plan.groups[i].estimate->slow_share == Approx(more_s / plan.groups[i].estimate->compute_s));
  }
  PlanRun huge(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[2000000, 2000000] x) => (float[2000000, 2000000] y) { y = Neg(x) })");
  huge.request.only = {"npu"};
  huge.target.toolchains[0].slow = {slow("Neg", 1e7)};
  CHECK(huge.MustPlace().groups[0].work.slow_cycles == 0);  // more than a count holds is not known, not wrapped round
  CHECK_FALSE(huge.MustPlace().groups[0].work.counts_known);
  for (const auto& [after, want] : {std::pair("Relu", 0), std::pair("Abs", 3 * 1000)}) {
    PlanRun behind(R"(<ir_version: 8, opset_import: ["" : 17]>
      g (float[10, 100] x) => (float[1000] y) <int64[1] all = {1000}> {
        a = Abs(x)
        v = Reshape(a, all)
        y = Neg(v)
      })");
    behind.request.only = {"npu"};
    behind.target.toolchains[0].slow = {slow("Neg", 3)};
    behind.target.toolchains[0].slow[0].after = {after};
    INFO(after);
    CHECK(behind.MustPlace().groups.back().work.slow_cycles == want);
  }
  // Images in whole blocks of 32 channels; a table has none.
  for (const auto& [shape, want] : {std::pair("1, 3, 5, 5", 32 * 25), std::pair("1, 64, 5, 5", 64 * 25),
                                    std::pair("2, 33, 5, 5", 2 * 64 * 25), std::pair("3, 5, 5", 3 * 25)}) {
    PlanRun image(absl::StrCat("<ir_version: 8, opset_import: [\"\" : 17]> g (float[", shape, "] x) => (float[", shape,
                               "] y) { y = Neg(x) }"));
    image.request.only = {"npu"};
    image.target.toolchains[0].slow = {slow("Neg", 1)};
    image.target.toolchains[0].slow[0].channel_block = 32;
    INFO(shape);
    CHECK(image.MustPlace().groups[0].work.slow_cycles == want);
  }
  f.target.toolchains[0].slow[0].limits = {{.kind = LimitKind::kRank, .max = 1, .text = "rank:0"}};
  f.target.toolchains[0].slow.erase(f.target.toolchains[0].slow.begin() + 1);
  CHECK(f.MustPlace().groups[0].work.slow_cycles == 0);  // a limit that does not hold
  // Kernels on one core; what runs behind a product takes the cores that it has.
  f.target.toolchains[0].slow = {slow("Neg", 0), slow("Conv", 0), slow("DequantizeLinear", 0)};
  for (SlowKernel& row : f.target.toolchains[0].slow) row.one_core = true;
  for (const PlannedGroup& planned : f.MustPlace().groups) {
    CHECK(planned.work.on_one_core);
    CHECK(planned.work.reads_on_one_core);
  }
  f.target.toolchains[0].slow = {slow("Relu", 0)};
  f.target.toolchains[0].slow[0].one_core = true;
  for (const PlannedGroup& planned : f.MustPlace().groups) {
    CHECK_FALSE(planned.work.on_one_core);
    CHECK_FALSE(planned.work.reads_on_one_core);
  }
}

TEST_CASE("what a runtime keeps on one core is shared once it is fused behind a product") {
  PlanRun f(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[1, 2, 4, 4] i) => (float[1, 1, 2, 2] y, float[1, 2, 4, 4] z)
    <float[1, 2, 3, 3] w = {1,2,3,4,5,6,7,8,9,1,2,3,4,5,6,7,8,9}> {
      c = Conv(i, w)
      y = Relu(c)
      z = Relu(i)
    })");
  f.request.only = {"npu"};
  f.joined = {{f.node("c"), f.node("y")}};
  SlowKernel row{.ops = {"Relu"}, .limits = {}, .cycles = Fact{.stated = 7}};
  row.one_core = true;
  f.target.toolchains[0].slow = {row};
  const Plan plan = f.MustPlace();
  REQUIRE(plan.groups.size() == 2);
  for (const PlannedGroup& planned : plan.groups) {
    const bool is_joined = planned.group.nodes.size() == 2;
    INFO(planned.group.pattern);
    CHECK(planned.work.on_one_core != is_joined);
    CHECK(planned.work.slow_cycles == 7 * (is_joined ? 4 : 32));  // which count on all cores, too
  }
}

TEST_CASE("kernels that wait for none of each other share a launch where the unit overlaps launches") {
  // Three levels: Relu, then two branches side by side, then their sum.
  PlanRun f(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[4, 4] x) => (float[4, 4] y) {
      a = Relu(x)
      b = Neg(a)
      c = Abs(a)
      y = Add(b, c)
    })");
  f.request.only = {"npu"};
  const auto overheads = [&](double overlap) {
    test::SetParam(f.target.units[UnitId(0u)], "launch_overlap", overlap);
    std::map<std::string, double> seconds;
    const Plan plan = f.MustPlace();
    CheckSums(plan);
    for (const char* name : {"a", "b", "c", "y"}) {
      seconds[name] = plan.groups[plan.group_of[f.node(name)].index()].estimate->overhead_s;
    }
    return seconds;
  };
  const std::map<std::string, double> apart = overheads(0), half = overheads(0.5), shared = overheads(1);
  const double launch = apart.at("a");
  REQUIRE(launch > 0);
  for (const auto& [name, seconds] : apart) CHECK(seconds == launch);
  for (const char* name : {"a", "y"}) CHECK(shared.at(name) == launch);
  for (const char* name : {"b", "c"}) {
    CHECK(half.at(name) == Approx(0.75 * launch));
    CHECK(shared.at(name) == Approx(launch / 2));
  }
}

TEST_CASE("the branch of an If that is not taken costs nothing") {
  PlanRun f(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (bool p, float[4, 4] x) => (float[4, 4] y) {
      y = If (p) <then_branch = t () => (float[4, 4] a) { a = MatMul(x, x) },
                  else_branch = e () => (float[4, 4] b) { b0 = MatMul(x, x) b = MatMul(b0, x) }>
    })");
  const Plan plan = f.MustPlace();
  CheckSums(plan);
  int64_t macs = 0;
  for (const PlannedGroup& row : plan.groups) macs += row.work.macs;
  CHECK(macs == 2 * 64);
  const PlannedGroup& idle = plan.groups[plan.group_of[f.node("a")].index()];
  CHECK(idle.work.macs == 0);
  CHECK(idle.estimate->time_s == 0);
  const PlannedGroup& control = plan.groups[plan.group_of[f.node("y")].index()];
  CHECK(control.work.in_bytes == 0);
  CHECK(control.estimate->time_s == control.estimate->overhead_s);
}

TEST_CASE("a batch in turns holds what the model takes and gives, not what its bodies do") {
  PlanRun f(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[1, 100] x, bool c) => (float[1, 100] y) {
      a = Relu(x)
      b = If (c) <then_branch = t () => (float[1, 100] p) { p = Neg(a) },
                  else_branch = e () => (float[1, 100] q) { q = Abs(a) }>
      y = Relu(b)
    })");
  const Plan one = f.MustPlace();
  Plan held = one;
  HoldBatch(f.run.graph, f.target, 3, &held);
  REQUIRE(held.lifetimes.size() == one.lifetimes.size());
  size_t grown = 0;
  for (size_t i = 0; i < one.lifetimes.size(); ++i) {
    const Value& value = f.run.graph.value(one.lifetimes[i].value);
    const bool is_of_model = value.graph == GraphId(0u) && (value.is_input || value.is_output);
    CHECK(*held.lifetimes[i].bytes == *one.lifetimes[i].bytes * (is_of_model ? 3 : 1));
    grown += is_of_model ? 1 : 0;
  }
  CHECK(grown >= 2);
  CHECK(ProblemsOf(held.lifetimes).empty());
  CHECK(held.peak_memory_bytes > one.peak_memory_bytes);
}

}  // namespace
}  // namespace hwest
