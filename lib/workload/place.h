// Placement of several tasks: one of the plans of each, chosen together.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "workload/bound.h"
#include "workload/candidates.h"
#include "workload/simulate.h"
#include "workload/stack.h"

namespace hwest {

using Choice = std::vector<uint32_t>;  // a candidate for each task

// A stack whose loads are still open.
struct StackFrame {
  Stack stack;                                    // tasks in the order of the workload, then loads on units
  std::vector<std::vector<TaskPlan>> candidates;  // by task

  Stack With(const Choice& choice) const;
};

// Lower is better: what tasks lose, the highest priority first; then tasks missed, the largest response relative to its
// deadline, and energy per second. Of one priority the task that loses most counts before what all lose together: equal
// ones degrade alike, and none is parked where it hardly runs so that others lose nothing.
struct Score {
  std::vector<int> lost;  // in percent of the jobs: of each priority the most of a task, then the sum
  int missed = 0;
  double ratio = 0;
  double energy_w = 0;
};
bool IsBetter(const Score& a, const Score& b);

Score BoundedScore(const Stack& stack);    // by the bound at the estimates themselves
Score SimulatedScore(const Stack& stack);  // by a simulation of the critical instant

// ChoosePlans tries all choices by simulation where they are few. Else it takes the best ones by the bound, of all
// choices or, where these are many, of those that exchanges for one and for two tasks lead to, and simulates them
// beside the choice that each task would make alone.
Choice ChoosePlans(const StackFrame& frame);

}  // namespace hwest
