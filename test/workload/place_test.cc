#include "workload/place.h"

#include <random>

#include "support/catch.h"
#include "support/effort.h"
#include "workload/stacks.h"

namespace hwest {
namespace {

using test::Compute;
using test::MakeTask;
using test::TwoUnits;

TaskPlan PlanOn(uint32_t resource, double seconds, double energy_j = 0) {
  TaskPlan plan;
  plan.load.stages = {{resource, {Compute(seconds)}}};
  plan.load.kept_bytes.assign(3, 0);
  plan.load.energy_j = energy_j;
  plan.latency_s = seconds;
  return plan;
}

StackFrame FrameOf(std::vector<std::vector<TaskPlan>> candidates, double deadline_s) {
  StackFrame frame;
  frame.stack = TwoUnits();
  for (size_t t = 0; t < candidates.size(); ++t) {
    frame.stack.tasks.push_back(MakeTask({}, {1, 50}));
    frame.stack.tasks.back().release.deadline_s = deadline_s;
  }
  frame.candidates = std::move(candidates);
  return frame;
}

TEST_CASE("deadlines decide, then the largest response, then energy") {
  struct Case {
    const char* name;
    std::vector<std::vector<TaskPlan>> candidates;
    double deadline_s;
    Choice choice;
  };
  const auto c = GENERATE_REF(values<Case>({
      {"alone, the fastest", {{PlanOn(0, 2e-3), PlanOn(1, 3e-3)}}, 20e-3, {0}},
      {"two that are fastest on one unit part",
       {{PlanOn(0, 4e-3), PlanOn(1, 6e-3)}, {PlanOn(0, 4e-3), PlanOn(1, 6e-3)}},
       7e-3,
       {0, 1}},
      {"of equal ones that with less energy", {{PlanOn(0, 2e-3, 5), PlanOn(1, 2e-3, 1)}}, 20e-3, {1}},
      {"who is short of time goes first",
       {{PlanOn(0, 9e-3), PlanOn(1, 30e-3)}, {PlanOn(0, 5e-3), PlanOn(1, 8e-3)}},
       10e-3,
       {0, 1}},
  }));
  INFO(c.name);
  CHECK(ChoosePlans(FrameOf(c.candidates, c.deadline_s)) == c.choice);
}

// A third task on the first unit takes some of the time of the others; the second one is fifty times as slow.
TEST_CASE("no task is parked on a slow unit so that others lose nothing") {
  const std::vector<TaskPlan> own = {PlanOn(0, 14e-3), PlanOn(1, 700e-3)};
  StackFrame frame = FrameOf({own, own, own}, 20e-3);  // every 20 ms
  frame.stack.resources[0].servers = 2;
  CHECK(ChoosePlans(frame) == Choice{0, 0, 0});
  // Those that matter more lose nothing first: in the queue of a unit that knows no priorities the third one would.
  frame.stack.tasks[2].release.priority = 1;
  CHECK(ChoosePlans(frame) == Choice{0, 0, 1});
  frame.stack.tasks[2].release.priority = -1;
  CHECK(ChoosePlans(frame)[2] == 0);
}

TEST_CASE("a task without a rate has the plan that is fast, not one that is slow on a unit of its own") {
  const std::vector<TaskPlan> own = {PlanOn(0, 8e-3), PlanOn(1, 96e-3)};
  StackFrame frame = FrameOf({own, own, own}, 0);
  frame.stack.resources[0].servers = 3;
  for (StackTask& task : frame.stack.tasks) task.release = {};
  CHECK(ChoosePlans(frame) == Choice{0, 0, 0});
}

StackFrame RandomFrame(uint64_t seed, size_t tasks, size_t plans) {
  std::mt19937_64 random(seed);
  const auto between = [&](double low, double high) {
    return low + (high - low) * static_cast<double>(random() % 1001) / 1000;
  };
  std::vector<std::vector<TaskPlan>> candidates(tasks);
  for (std::vector<TaskPlan>& own : candidates) {
    for (size_t p = 0; p < plans; ++p)
      own.push_back(PlanOn(static_cast<uint32_t>(p % 2), between(5e-4, 8e-3), between(0, 1)));
  }
  return FrameOf(std::move(candidates), between(4e-3, 2e-2));
}

// The best score over all choices.
Score BruteForce(const StackFrame& frame, Score (*score_of)(const Stack&)) {
  Choice choice(frame.candidates.size(), 0);
  Score best = score_of(frame.With(choice));
  while (true) {
    size_t t = choice.size();
    while (t > 0 && ++choice[t - 1] == frame.candidates[t - 1].size()) choice[--t] = 0;
    if (t == 0) return best;
    const Score score = score_of(frame.With(choice));
    if (IsBetter(score, best)) best = score;
  }
}

TEST_CASE("an idle task changes no choice of the others") {
  const StackFrame frame = RandomFrame(3, 4, 3);  // 81 choices, which are not all simulated
  const Choice choice = ChoosePlans(frame);
  StackFrame more = frame;
  StackTask idle = frame.stack.tasks[0];
  idle.release = {.after = 0, .probability = 0};
  more.stack.tasks.push_back(idle);
  more.candidates.push_back(std::vector<TaskPlan>(100, PlanOn(0, 5e-3)));
  Choice with_idle = ChoosePlans(more);
  with_idle.pop_back();
  CHECK(with_idle == choice);
}

TEST_CASE("few choices are as good as brute force") {
  for (uint64_t seed = 1; seed <= test::Cases(30); ++seed) {
    const StackFrame frame = RandomFrame(seed, 3, 3);
    INFO(seed);
    const Score best = BruteForce(frame, [](const Stack& stack) { return SimulatedScore(stack); });
    const Stack chosen = frame.With(ChoosePlans(frame));
    // What a short look likes better has more misses in a long one.
    if (IsBetter(best, SimulatedScore(chosen)))
      CHECK_FALSE(IsBetter(BruteForce(frame, WholeScore), WholeScore(chosen)));
  }
}

TEST_CASE("exchanges come near brute force where choices are many") {
  int equal = 0, count = 0;
  for (uint64_t seed = 1; seed <= test::Cases(6); ++seed) {
    const StackFrame frame = RandomFrame(seed, 8, 3);  // 6561
    const Score best = BruteForce(frame, BoundedScore), found = SimulatedScore(frame.With(ChoosePlans(frame)));
    INFO(seed);
    ++count;
    equal += found.missed <= best.missed;  // the bound misses at least what the simulation does
  }
  CHECK(equal == count);
}

}  // namespace
}  // namespace hwest
