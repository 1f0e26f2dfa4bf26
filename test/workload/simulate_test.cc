#include "workload/simulate.h"

#include "support/catch.h"
#include "workload/bound.h"
#include "workload/quantity.h"
#include "workload/speeds.h"
#include "workload/stacks.h"

namespace hwest {
namespace {

using test::Compute;
using test::MakeTask;
using test::RandomStack;
using test::Streaming;
using test::TwoUnits;
using test::WithIdle;

double MeanOf(const Simulation& run, size_t t) { return run.tasks[t].sum_s / static_cast<double>(run.tasks[t].jobs); }

TEST_CASE("pieces side by side share the memory in proportion to what they ask") {
  struct Case {
    const char* name;
    std::vector<Piece> pieces;
    std::vector<double> seconds;
  };
  const SharedPool pool{.bytes_per_s = 10e9};
  const auto c = GENERATE_REF(values<Case>({
      {"alone", {Streaming(1, 10e9)}, {1}},
      {"below what there is", {Streaming(1, 4e9), Streaming(1, 5e9)}, {1, 1}},
      {"both all of it", {Streaming(1, 10e9), Streaming(1, 10e9)}, {2, 2}},
      {"8 + 6 of 10", {Streaming(1, 8e9), Streaming(1, 6e9)}, {1.4, 1.4}},
      {"compute is not slowed", {Compute(1), Streaming(1, 10e9)}, {1, 1}},
      // Half its time at the full rate: it meets the other one all the time, the other one meets it half the time.
      {"half",
       {{.compute_s = 0.5, .memory_s = 0.5, .dram_s = 0.5, .serial = 1, .bytes = 5e9}, Streaming(1, 10e9)},
       {1.5, 1.5}},
      // Memory hidden behind compute shows once it takes longer.
      {"hidden", {{.compute_s = 1, .memory_s = 0.8, .dram_s = 0.8, .bytes = 8e9}, Streaming(1, 10e9)}, {1.6, 2}},
  }));
  INFO(c.name);
  std::vector<Demand> demands;
  for (const Piece& piece : c.pieces) demands.push_back(DemandOf(piece));
  std::vector<double> seconds;
  SecondsOf(demands, pool, &seconds);
  for (size_t i = 0; i < seconds.size(); ++i) CHECK(seconds[i] == Approx(c.seconds[i]).margin(1e-9));
}

TEST_CASE("the memory never moves more than it delivers, and nothing is slowed more than by all bursts at once") {
  const SharedPool pool{.bytes_per_s = 10e9};
  for (size_t count = 2; count <= 12; ++count) {
    std::vector<Piece> pieces(count,
                              {.compute_s = 0.75, .memory_s = 0.25, .dram_s = 0.25, .serial = 1, .bytes = 2.5e9});
    std::vector<Demand> demands;
    for (const Piece& piece : pieces) demands.push_back(DemandOf(piece));
    std::vector<double> seconds;
    SecondsOf(demands, pool, &seconds);
    double moved = 0;
    for (const double s : seconds) moved += 2.5e9 / s;
    INFO(count);
    CHECK(moved <= 10e9 * (1 + 1e-6));
    CHECK(seconds[0] <= 0.75 + 0.25 * static_cast<double>(count) + 1e-9);
  }
}

TEST_CASE("a task alone takes what its pieces take") {
  Stack stack = TwoUnits();
  stack.tasks.push_back(
      MakeTask({{0, {Compute(2e-3), Streaming(1e-3, 9e9)}}, {2, {Compute(5e-4)}}, {1, {Compute(1e-3)}}}, {1, 30}));
  const Simulation run = Simulate(stack, {});
  CHECK(run.tasks[0].worst_s == Approx(4.5e-3).epsilon(1e-9));
  CHECK(MeanOf(run, 0) == Approx(4.5e-3).epsilon(1e-9));
  CHECK(run.busy_s[0][0] / run.counted_s == Approx(3e-3 * 30));
  CHECK(run.tasks[0].bytes / run.counted_s == Approx(9e6 * 30));
}

TEST_CASE("an idle task changes nothing") {
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    const Stack stack = RandomStack(seed).Make(), more = WithIdle(stack);
    CHECK(HyperperiodOf(stack) == HyperperiodOf(more));
    for (const uint64_t run : {0, 1}) {
      const Simulation a = Simulate(stack, {.most_s = 0.5, .seed = run}),
                       b = Simulate(more, {.most_s = 0.5, .seed = run});
      for (size_t t = 0; t < stack.tasks.size(); ++t) {
        INFO("stack " << seed << ", run " << run << ", task " << t);
        CHECK(a.tasks[t].worst_s == b.tasks[t + 2].worst_s);
        CHECK(a.tasks[t].sum_s == b.tasks[t + 2].sum_s);
        CHECK(a.tasks[t].jobs == b.tasks[t + 2].jobs);
      }
      CHECK(b.tasks[0].jobs + b.tasks[1].jobs == 0);
    }
  }
}

TEST_CASE("twice the hyperperiod gives the same figures") {
  size_t compared = 0;
  for (uint64_t seed = 1; seed <= 120; ++seed) {
    Stack stack = RandomStack(seed).Make();
    for (StackTask& task : stack.tasks) {
      task.release.jitter_s = 0;
      task.release.probability = task.release.probability < 1 ? 0 : 1;
      if (task.release.after != kNoTask) task.release.ratio = 1;
      if (task.release.after == kNoTask && !task.release.period.has_value()) task.release.period = Fraction{1, 50};
      for (Stage& stage : task.load.stages) {
        for (Piece& piece : stage.pieces)
          piece = {.compute_s = piece.compute_s / 4,
                   .memory_s = piece.memory_s / 4,
                   .dram_s = piece.dram_s / 4,
                   .bytes = piece.bytes / 4};
      }
    }
    if (HyperperiodOf(stack)->value() > 2) continue;
    const Simulation once = Simulate(stack, {}), twice = Simulate(stack, {.cycles = 2});
    ++compared;
    for (size_t t = 0; t < stack.tasks.size(); ++t) {
      INFO("stack " << seed << ", task " << t);
      CHECK(twice.tasks[t].jobs == 2 * once.tasks[t].jobs);
      CHECK(twice.tasks[t].sum_s == Approx(2 * once.tasks[t].sum_s).epsilon(1e-6).margin(1e-12));
      CHECK(twice.tasks[t].worst_s == Approx(once.tasks[t].worst_s).epsilon(1e-6));
      CHECK(twice.tasks[t].late + twice.tasks[t].dropped == 2 * (once.tasks[t].late + once.tasks[t].dropped));
    }
  }
  CHECK(compared > 50);
}

TEST_CASE("policies decide who waits") {
  struct Case {
    const char* name;
    PolicyKind policy;
    Preemption preemption;
    double first_s, second_s;  // worst of a job of 2 + 2 ms, and of a more urgent one of 1 ms that comes 1 ms later
  };
  const auto c = GENERATE(values<Case>({
      {"fifo", PolicyKind::kFifo, Preemption::kNever, 4e-3, 4e-3},
      {"priority between pieces", PolicyKind::kPriority, Preemption::kBetweenPieces, 5e-3, 2e-3},
      {"slices of 1 ms", PolicyKind::kRoundRobin, Preemption::kSlices, 5e-3, 1e-3},
  }));
  INFO(c.name);
  Stack stack = TwoUnits(c.policy, c.preemption, 1e-3);
  stack.tasks.push_back(MakeTask({{1, {Compute(2e-3), Compute(2e-3)}}}, {1, 20}));
  stack.tasks.push_back(MakeTask({{1, {Compute(1e-3)}}}, {1, 20}));
  stack.tasks[0].release.priority = 1;
  stack.tasks[0].release.offset_s = 0;
  stack.tasks[1].release.offset_s = 1e-3;
  const Simulation run = Simulate(stack, {});
  CHECK(run.tasks[0].worst_s == Approx(c.first_s));
  CHECK(run.tasks[1].worst_s == Approx(c.second_s));
}

TEST_CASE("groups of two models alternate where the unit gives one to each in turn") {
  Stack stack = TwoUnits(PolicyKind::kRoundRobin, Preemption::kBetweenPieces);
  stack.tasks.push_back(MakeTask({{1, std::vector<Piece>(3, Compute(1e-3))}}, {1, 20}));
  stack.tasks.push_back(MakeTask({{1, std::vector<Piece>(3, Compute(2e-3))}}, {1, 20}));
  const Simulation run = Simulate(stack, {});
  CHECK(run.tasks[0].worst_s == Approx(7e-3));  // its third one after two of the other
  CHECK(run.tasks[1].worst_s == Approx(9e-3));
}

TEST_CASE("equal cores take a task each") {
  Stack stack = TwoUnits();
  stack.resources[0].servers = 3;
  for (int i = 0; i < 4; ++i) stack.tasks.push_back(MakeTask({{0, {Compute(2e-3)}}}, {1, 50}));
  const Simulation run = Simulate(stack, {});
  for (int t = 0; t < 3; ++t) CHECK(run.tasks[static_cast<size_t>(t)].worst_s == Approx(2e-3));
  CHECK(run.tasks[3].worst_s == Approx(4e-3));
}

TEST_CASE("a unit of one model at a time loads weights again after another one") {
  Stack stack = TwoUnits();
  stack.resources[0].forgets = true;
  stack.resources[0].bytes_per_s = 1e9;
  stack.resources[0].switch_s = 2e-4;
  stack.tasks.push_back(MakeTask({{0, {Compute(2e-3)}}}, {1, 50}));
  stack.tasks[0].load.kept_bytes = {1e6, 0, 0};
  CHECK(Simulate(stack, {}).tasks[0].worst_s == Approx(2e-3));
  stack.tasks.push_back(MakeTask({{0, {Compute(1e-3)}}}, {1, 50}));
  const Simulation run = Simulate(stack, {});
  CHECK(run.tasks[0].worst_s == Approx(2e-3 + 1e-3 + 2e-4));
  CHECK(run.tasks[1].worst_s == Approx(2e-3 + 1e-3 + 2e-4 + 1e-3 + 2e-4));
}

TEST_CASE("tasks of one model load its weights once, and what waits in a scratchpad is each one's own") {
  Stack stack = TwoUnits();
  stack.resources[0] = {.name = "a",
                        .policy = PolicyKind::kPriority,
                        .preemption = Preemption::kBetweenPieces,
                        .forgets = true,
                        .switch_s = 2e-4,
                        .bytes_per_s = 1e9};
  for (int i = 0; i < 3; ++i) {
    Piece later = Compute(1e-3);
    later.held_bytes = 1e5;
    stack.tasks.push_back(MakeTask({{0, {Compute(1e-3), later}}}, {1, 50}));
    stack.tasks.back().load.kept_bytes = {1e6, 0, 0};
    stack.tasks.back().shares_model_of = i == 0 ? kNoTask : 0;
  }
  Simulation run = Simulate(stack, {});
  for (int i = 0; i < 3; ++i) CHECK(run.tasks[static_cast<size_t>(i)].worst_s == Approx(2e-3 * (i + 1)));
  for (const std::optional<double>& bound : BoundResponses(stack, Ends::kPoint).response_s) CHECK(*bound >= 6e-3);
  // The last one comes between the groups of the first one, which writes out and reads again what waits.
  stack.tasks[2].release.offset_s = 5e-4;
  stack.tasks[0].release.offset_s = stack.tasks[1].release.offset_s = 0;
  stack.tasks[2].release.priority = -1;
  run = Simulate(stack, {});
  CHECK(run.tasks[0].worst_s == Approx(1e-3 + 2e-3 + 2e-4 + 1e-3));
  // One of another model in between drives the weights out.
  stack.tasks[1].shares_model_of = kNoTask;
  CHECK(Simulate(stack, {}).tasks[1].worst_s > run.tasks[1].worst_s + 1e-3);
}

TEST_CASE("a chain ages by what each of its tasks takes") {
  Stack stack = TwoUnits();
  stack.tasks.push_back(MakeTask({{0, {Compute(2e-3)}}}, {1, 50}));
  stack.tasks.push_back(MakeTask({{1, {Compute(3e-3)}}}, {1, 50}));
  stack.tasks[1].release = {.after = 0, .ratio = 0.5};
  const Simulation run = Simulate(stack, {.most_s = 1});
  CHECK(run.tasks[1].worst_s == Approx(3e-3));
  CHECK(run.tasks[1].age_s == Approx(5e-3));
  CHECK(run.tasks[1].jobs * 2 == Approx(run.tasks[0].jobs).margin(2));
}

TEST_CASE("whatever the rate, a simulation ends") {
  const auto period = GENERATE(values<Fraction>({{1, 1'000'000'000}, {1, 1}, {INT64_MAX / 4, 3}, {999983, 1000003}}));
  Stack stack = TwoUnits();
  stack.tasks.push_back(MakeTask({{0, {Compute(1e-4)}}}, period));
  stack.tasks.push_back(MakeTask({{0, {Compute(1e-4)}}}, {1000, 29970}));
  const Simulation run = Simulate(stack, {});
  CHECK(run.jobs > 0);
  if (period.den == 1'000'000'000) CHECK(run.tasks[0].dropped > 1'000'000);
}

TEST_CASE("a hyperperiod of a nanosecond does not make a step of each") {
  Stack stack = TwoUnits();
  stack.tasks.push_back(MakeTask({{0, {Compute(1e-4)}}}, {1, 1'000'000'000}));
  const Simulation run = Simulate(stack, {.trace = true});
  CHECK(run.tasks[0].jobs == Approx(run.counted_s / 1e-4).margin(1));
  CHECK(run.tasks[0].dropped > 9 * run.tasks[0].jobs);
}

TEST_CASE("six models are simulated for ten seconds at the least") {
  Stack stack = TwoUnits();
  for (int i = 0; i < 6; ++i) {
    std::vector<Piece> pieces(100, {.compute_s = 2e-5, .memory_s = 1e-5, .dram_s = 1e-5, .bytes = 1e5});
    stack.tasks.push_back(MakeTask({{static_cast<uint32_t>(i % 2), pieces}}, {1, 30}));
    stack.tasks.back().release.jitter_s = 1e-3;
  }
  const Simulation run = Simulate(stack, {});
  CHECK(run.simulated_s >= 10);
  CHECK(run.jobs >= 1799);
}

TEST_CASE("quantities have units") {
  CHECK(ReadPeriod("30 FPS") == Fraction{1, 30});
  CHECK(ReadPeriod("29.97Hz") == Fraction{100, 2997});
  CHECK(ReadTime("33 ms") == Fraction{33, 1000});
  CHECK(ReadTime("1.5 s") == Fraction{3, 2});
  CHECK(ReadBandwidth("6 GB/s") == 6e9);
  CHECK(ReadShare("40 %") == 0.4);
  for (const char* text :
       {"", "30", "FPS", "-30 FPS", "0 FPS", "1e3 FPS", "3.3.3 FPS", "30 ms", "99999999999999999999 FPS", "nan FPS"}) {
    INFO(text);
    CHECK_FALSE(ReadPeriod(text).has_value());
  }
  for (const char* text : {"-5 ms", "5", "5 m", "1.0000000001 ms", "5e9 s"}) {
    INFO(text);
    CHECK_FALSE(ReadTime(text).has_value());
  }
  CHECK_FALSE(ReadShare("101 %").has_value());
  CHECK(LeastCommonMultiple({1, 30}, {1, 15}) == Fraction{1, 15});
  CHECK(LeastCommonMultiple({1, 30}, {1, 24}) == Fraction{1, 6});
  CHECK_FALSE(LeastCommonMultiple({INT64_MAX - 1, 3}, {INT64_MAX - 2, 7}).has_value());
}

}  // namespace
}  // namespace hwest
