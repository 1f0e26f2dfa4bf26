#include "workload/bound.h"

#include "support/catch.h"
#include "support/effort.h"
#include "workload/evaluate.h"
#include "workload/simulate.h"
#include "workload/stacks.h"

namespace hwest {
namespace {

using test::Compute;
using test::MakeTask;
using test::RandomStack;
using test::Streaming;
using test::TwoUnits;
using test::WithIdle;

uint64_t NumStacks() { return test::Cases(150); }

TEST_CASE("no simulated response is above the bound") {
  size_t bounded = 0, finite = 0;
  for (uint64_t seed = 1; seed <= NumStacks(); ++seed) {
    const Stack stack = RandomStack(seed).Make();
    const ResponseBounds bounds = BoundResponses(stack, Ends::kPoint);
    for (const uint64_t run : {0, 1, 2}) {
      const Simulation simulation =
          Simulate(stack, {.most_s = 1, .most_jobs = 3000, .seed = run, .reversed = run == 1});
      for (size_t t = 0; t < stack.tasks.size(); ++t) {
        INFO("stack " << seed << ", run " << run << ", task " << t);
        ++bounded;
        if (!bounds.response_s[t].has_value()) continue;
        ++finite;
        CHECK(simulation.tasks[t].worst_s <= *bounds.response_s[t] * (1 + 1e-9));
      }
    }
  }
  CHECK(finite * 2 > bounded);  // else the test would say little
}

TEST_CASE("no task holds without a bound, or above its deadline") {
  size_t held = 0, unbounded = 0;
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    Stack stack = RandomStack(seed).Make();
    if (seed % 2 == 0) {
      for (StackTask& task : stack.tasks) task.release.deadline_s.reset();
    }
    const Evaluation evaluation = Evaluate(stack, {.simulate = {.most_s = 1, .most_jobs = 3000}});
    for (size_t t = 0; t < stack.tasks.size(); ++t) {
      INFO("stack " << seed << ", task " << t);
      const std::optional<double>& bound = evaluation.bounds.response_s[t];
      unbounded += !bound.has_value();
      if (evaluation.verdicts[t] != TaskVerdict::kHolds) continue;
      ++held;
      REQUIRE(bound.has_value());
      CHECK(*bound <= stack.tasks[t].release.deadline_s.value_or(1e9) * (1 + 1e-9));
      CHECK(evaluation.WorstOf(t) <= *bound);
    }
  }
  CHECK(held > 20);
  CHECK(unbounded > 20);  // else the test would say little
}

TEST_CASE("one task with an unknown time leaves none with a bound, unless it never runs") {
  Stack stack = RandomStack(3).Make();
  stack.tasks[0].load.unknown_groups = 1;
  const Evaluation evaluation = Evaluate(stack, {.simulate = {.most_s = 1}});
  for (size_t t = 0; t < stack.tasks.size(); ++t) {
    CHECK_FALSE(evaluation.bounds.response_s[t].has_value());
    CHECK(evaluation.verdicts[t] != TaskVerdict::kHolds);
  }
  stack.tasks[0].release.probability = 0;
  CHECK_FALSE(stack.IsIncomplete());
}

TEST_CASE("upper ends of intervals raise a bound, never lower it") {
  for (uint64_t seed = 1; seed <= NumStacks(); ++seed) {
    const Stack stack = RandomStack(seed).Make();
    const ResponseBounds point = BoundResponses(stack, Ends::kPoint), high = BoundResponses(stack, Ends::kHigh);
    for (size_t t = 0; t < stack.tasks.size(); ++t) {
      INFO("stack " << seed << ", task " << t);
      if (high.response_s[t].has_value()) CHECK(point.response_s[t].value_or(1e9) <= *high.response_s[t] * (1 + 1e-12));
    }
  }
}

// No task's bound is lower in `after` than in `before`, task by task of `before`.
void CheckNotLower(const Stack& before, const Stack& after, uint64_t seed) {
  const ResponseBounds a = BoundResponses(before, Ends::kHigh), b = BoundResponses(after, Ends::kHigh);
  for (size_t t = 0; t < before.tasks.size(); ++t) {
    INFO("stack " << seed << ", task " << t);
    if (b.response_s[t].has_value()) CHECK(a.response_s[t].value_or(1e9) <= *b.response_s[t] * (1 + 1e-9));
  }
}

TEST_CASE("a copy of a task never lowers a bound") {
  for (uint64_t seed = 1; seed <= NumStacks(); ++seed) {
    const Stack stack = RandomStack(seed).Make();
    Stack more = stack;
    more.tasks.push_back(stack.tasks[seed % stack.tasks.size()]);
    CheckNotLower(stack, more, seed);
  }
}

TEST_CASE("an idle task changes no bound, no demand and no verdict") {
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    const Stack stack = RandomStack(seed).Make(), more = WithIdle(stack);
    const EvaluateOptions options{.simulate = {.most_s = 0.5, .most_jobs = 3000}, .random_runs = 2};
    const Evaluation a = Evaluate(stack, options), b = Evaluate(more, options);
    for (size_t r = 0; r < stack.resources.size(); ++r) CHECK(a.bounds.demand[r].share == b.bounds.demand[r].share);
    for (size_t t = 0; t < stack.tasks.size(); ++t) {
      INFO("stack " << seed << ", task " << t);
      CHECK(a.bounds.response_s[t] == b.bounds.response_s[t + 2]);
      CHECK(a.verdicts[t] == b.verdicts[t + 2]);
      CHECK(a.WorstOf(t) == b.WorstOf(t + 2));
    }
  }
}

// At the placement at hand; a lower rate is also one that a source may come at while it drifts.
TEST_CASE("a lower rate of one task makes no other one miss on random stacks") {
  size_t worse = 0, pairs = 0;
  for (uint64_t seed = 1; seed <= test::Cases(25); ++seed) {
    const Stack stack = RandomStack(seed).Make();
    const EvaluateOptions options{.simulate = {.most_s = 1, .most_jobs = 5'000}, .random_runs = 6};
    const Evaluation before = Evaluate(stack, options);
    for (uint32_t by = 0; by < stack.tasks.size(); ++by) {
      if (!stack.tasks[by].release.period.has_value()) continue;
      Stack slower = stack;
      Fraction& period = *slower.tasks[by].release.period;
      period = {period.num * 5, period.den * 4};
      const Evaluation then = Evaluate(slower, options);
      for (uint32_t t = 0; t < stack.tasks.size(); ++t) {
        if (t == by || before.verdicts[t] == TaskVerdict::kMissed) continue;
        ++pairs;
        if (then.verdicts[t] == TaskVerdict::kMissed) {
          ++worse;
          UNSCOPED_INFO(seed << ": " << t << " by " << by);
        }
      }
    }
  }
  INFO(pairs);
  CHECK(worse == 0);
}

TEST_CASE("a chain asks for what its probabilities release") {
  Stack stack = TwoUnits();
  stack.tasks.push_back(MakeTask({{0, {Compute(2e-3)}}}, {1, 100}));
  for (const double probability : {0.5, 1.0}) {
    stack.tasks.push_back(MakeTask({{1, {Compute(8e-3)}}}, {1, 100}));
    stack.tasks.back().release = {
        .deadline_s = 1, .after = static_cast<uint32_t>(stack.tasks.size() - 2), .probability = probability};
  }
  // Half of the jobs go on, to both of the others.
  CHECK(DemandOfUnits(stack)[1].share == Approx(0.8));
  CHECK(Evaluate(stack, {.simulate = {.most_s = 1}}).reasons[1].empty());
}

TEST_CASE("more bandwidth, or faster units, never raise a bound") {
  for (uint64_t seed = 1; seed <= NumStacks(); ++seed) {
    const Stack stack = RandomStack(seed).Make();
    Stack wider = stack, faster = stack;
    wider.pools[0].bytes_per_s *= 1.5;
    for (StackTask& task : faster.tasks) {
      for (Stage& stage : task.load.stages) {
        for (Piece& piece : stage.pieces) piece.compute_s *= 0.7;
      }
    }
    CheckNotLower(wider, stack, seed);
    CheckNotLower(faster, stack, seed);
  }
}

TEST_CASE("a task alone is bounded by what it takes, times its interval") {
  Stack stack = TwoUnits();
  stack.tasks.push_back(MakeTask({{0, {Compute(2e-3)}}, {1, {Streaming(1e-3, 8e9)}}}, {1, 100}));
  CHECK(*BoundResponses(stack, Ends::kPoint).response_s[0] == Approx(3e-3).epsilon(1e-12));
  stack.tasks[0].load.high = 2;
  CHECK(*BoundResponses(stack, Ends::kHigh).response_s[0] == Approx(6e-3).epsilon(1e-12));
}

TEST_CASE("bounds by policy, worked out by hand") {
  struct Case {
    const char* name;
    PolicyKind policy;
    Preemption preemption;
    double slice_s;
    double urgent_s;  // bound of a task of 1 ms in one piece
    double other_s;   // of one of 2 ms + 2 ms that matters less
  };
  const auto c = GENERATE(values<Case>({
      // The urgent one waits for all that came before it, or for a piece; the other one for its jobs in 10 ms.
      {"fifo", PolicyKind::kFifo, Preemption::kNever, 0, 5e-3, 5e-3},
      {"priority, between pieces", PolicyKind::kPriority, Preemption::kBetweenPieces, 0, 3e-3, 5e-3},
      {"priority, to the end", PolicyKind::kPriority, Preemption::kNever, 0, 5e-3, 5e-3},
      {"slices of 1 ms", PolicyKind::kRoundRobin, Preemption::kSlices, 1e-3, 3e-3, 5e-3},
      {"groups in turn", PolicyKind::kRoundRobin, Preemption::kBetweenPieces, 0, 3e-3, 5e-3},
  }));
  INFO(c.name);
  Stack stack = TwoUnits(c.policy, c.preemption, c.slice_s);
  stack.tasks.push_back(MakeTask({{1, {Compute(1e-3)}}}, {1, 50}));
  stack.tasks.push_back(MakeTask({{1, {Compute(2e-3), Compute(2e-3)}}}, {1, 50}));
  stack.tasks[1].release.priority = 1;
  const ResponseBounds bounds = BoundResponses(stack, Ends::kPoint);
  CHECK(*bounds.response_s[0] == Approx(c.urgent_s));
  CHECK(*bounds.response_s[1] == Approx(c.other_s));
}

TEST_CASE("as many tasks as cores wait for none, and load no model again") {
  Stack stack = TwoUnits();
  stack.resources[0].servers = 3;
  stack.resources[0].forgets = true;
  stack.resources[0].bytes_per_s = 1e9;
  for (int i = 0; i < 3; ++i) {
    stack.tasks.push_back(MakeTask({{0, {Compute(3e-3)}}}, {1, 100 + 10 * i}));
    stack.tasks.back().load.kept_bytes = {1e6, 0, 0};
  }
  for (const uint64_t seed : {0, 1}) {
    const Simulation run = Simulate(stack, {.most_s = 1, .seed = seed});
    for (const TaskStats& task : run.tasks) CHECK(task.worst_s == Approx(3e-3));
  }
  for (const std::optional<double>& bound : BoundResponses(stack, Ends::kPoint).response_s)
    CHECK(*bound == Approx(3e-3));
  stack.tasks.push_back(stack.tasks[0]);
  CHECK(*BoundResponses(stack, Ends::kPoint).response_s[0] > 4e-3);
}

TEST_CASE("more than all of a unit has no bound, is missed, and the unit is named") {
  Stack stack = TwoUnits();
  stack.tasks.push_back(MakeTask({{0, {Compute(6e-3)}}}, {1, 100}));
  stack.tasks.push_back(MakeTask({{0, {Compute(4.05e-3)}}}, {1, 100}));
  for (StackTask& task : stack.tasks) task.release.deadline_s = 1;  // far behind what a short simulation shows
  const Evaluation evaluation = Evaluate(stack, {.simulate = {.most_s = 1}});
  CHECK(evaluation.verdicts[0] == TaskVerdict::kMissed);
  CHECK_FALSE(evaluation.bounds.response_s[0].has_value());
  CHECK(evaluation.reasons[0] == "a is asked for 100 % of its time and busy for 100 % of it");
  stack.tasks[1].load.stages[0].pieces[0].compute_s = 6e-3;
  CHECK(Evaluate(stack, {.simulate = {.most_s = 1}}).reasons[0] ==
        "a is asked for 120 % of its time and busy for 100 % of it");
}

}  // namespace
}  // namespace hwest
