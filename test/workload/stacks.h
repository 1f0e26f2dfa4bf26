// Stacks made by hand and at random.
#pragma once

#include <random>
#include <string>
#include <utility>
#include <vector>

#include "workload/stack.h"

namespace hwest::test {

// Two units and a link on one memory of 10 GB/s: "a" runs segment by segment, "b" as it is told.
inline Stack TwoUnits(PolicyKind policy = PolicyKind::kFifo, Preemption preemption = Preemption::kNever,
                      double slice_s = 0) {
  Stack stack;
  stack.pools = {{.bytes_per_s = 10e9}};
  stack.resources = {{.name = "a"},
                     {.name = "b", .policy = policy, .preemption = preemption, .slice_s = slice_s},
                     {.name = "to b", .is_link = true}};
  return stack;
}

inline Piece Compute(double seconds) { return {.compute_s = seconds}; }
inline Piece Streaming(double seconds, double bytes_per_s) {
  return {.memory_s = seconds, .dram_s = seconds, .bytes = seconds * bytes_per_s};
}

// A task every `num`/`den` seconds, with the period as its deadline.
inline StackTask MakeTask(std::vector<Stage> stages, Fraction period) {
  StackTask task;
  task.load.stages = std::move(stages);
  task.load.kept_bytes.assign(3, 0);
  task.release.period = period;
  task.release.deadline_s = period.value();
  return task;
}

// The stack with a task before all others that they do not follow, and one more behind that: neither ever runs.
inline Stack WithIdle(const Stack& stack) {
  Stack more = stack;
  for (StackTask& task : more.tasks) {
    if (task.release.after != kNoTask) task.release.after += 2;
    if (task.shares_model_of != kNoTask) task.shares_model_of += 2;
  }
  StackTask idle = stack.tasks[0];
  idle.release = {.after = 2, .pace = Fraction{7, 3}, .probability = 0};
  StackTask behind = idle;
  behind.release = {.after = 0, .ratio = 0.4, .probability = 0.5};
  more.tasks.insert(more.tasks.begin(), {idle, behind});
  return more;
}

// One to six tasks with all that a stack may have.
class RandomStack {
 public:
  explicit RandomStack(uint64_t seed) : random_(seed) {}

  Stack Make() {
    static constexpr std::pair<PolicyKind, Preemption> kPolicies[] = {
        {PolicyKind::kFifo, Preemption::kNever},
        {PolicyKind::kPriority, Preemption::kBetweenPieces},
        {PolicyKind::kPriority, Preemption::kNever},
        {PolicyKind::kRoundRobin, Preemption::kSlices},
        {PolicyKind::kRoundRobin, Preemption::kBetweenPieces},
        {PolicyKind::kRoundRobin, Preemption::kNever}};
    Stack stack = TwoUnits();
    for (Resource& resource : stack.resources) {
      if (resource.is_link) continue;
      std::tie(resource.policy, resource.preemption) = kPolicies[Pick(6)];
      if (resource.preemption == Preemption::kSlices) resource.slice_s = 1e-3 * (1 + Pick(4));
      resource.servers = Chance(0.2) ? 2 : 1;
      resource.forgets = Chance(0.4);
      resource.switch_s = resource.forgets ? 1e-4 * Pick(5) : 0;
      resource.bytes_per_s = 5e9;
    }
    const uint32_t count = 1 + Pick(6);
    for (uint32_t t = 0; t < count; ++t) stack.tasks.push_back(Task(t, stack));
    for (uint32_t t = 1; t < count; ++t) {
      if (Chance(0.3)) stack.tasks[t].shares_model_of = stack.ModelOf(Pick(t));
    }
    return stack;
  }

 private:
  uint32_t Pick(uint32_t count) { return static_cast<uint32_t>(random_() % count); }
  bool Chance(double share) { return static_cast<double>(random_() % 1000) < share * 1000; }
  double Between(double low, double high) {
    return low + (high - low) * static_cast<double>(random_() % 10001) / 10000;
  }

  Piece AnyPiece() {
    Piece piece{.compute_s = Between(0, 2e-3),
                .memory_s = Between(0, 2e-3),
                .other_s = Chance(0.3) ? Between(0, 2e-4) : 0,
                .serial = Between(0, 1)};
    piece.dram_s = piece.memory_s * Between(0, 1);
    piece.bytes = piece.dram_s * Between(1e9, 10e9);
    piece.held_bytes = Chance(0.3) ? 1e5 : 0;
    return piece;
  }

  StackTask Task(uint32_t index, const Stack& stack) {
    StackTask task;
    const uint32_t stages = 1 + Pick(3);
    for (uint32_t s = 0; s < stages; ++s) {
      Stage stage{.resource = Pick(3)};
      const uint32_t pieces = stage.resource == 2 ? 1 : 1 + Pick(4);
      for (uint32_t p = 0; p < pieces; ++p) stage.pieces.push_back(AnyPiece());
      task.load.stages.push_back(std::move(stage));
    }
    task.load.kept_bytes = {Chance(0.5) ? 1e6 : 0, Chance(0.5) ? 5e5 : 0, 0};
    task.load.high = Between(1, 1.5);
    task.release.priority = static_cast<int32_t>(Pick(3));
    if (index > 0 && Chance(0.3)) {
      task.release.after = Pick(index);
      task.release.ratio = Chance(0.3) ? 0.5 : Chance(0.2) ? 0.4 : 1;
      task.release.probability = Chance(0.3) ? 0.5 : 1;
      if (const std::optional<double> before = stack.PeriodOf(task.release.after); before.has_value())
        task.release.deadline_s = *before;
      return task;
    }
    static constexpr int64_t kPeriods_ms[] = {5, 8, 10, 16, 20, 33, 40, 66};
    if (Chance(0.9)) task.release.period = Fraction{kPeriods_ms[Pick(8)], 1000};
    if (task.release.period.has_value()) task.release.deadline_s = task.release.period->value() * Between(0.5, 3);
    if (task.release.period.has_value() && Chance(0.3)) task.release.jitter_s = Between(0, 3e-3);
    if (Chance(0.2)) task.release.offset_s = Between(0, 1e-2);
    return task;
  }

  std::mt19937_64 random_;
};

}  // namespace hwest::test
