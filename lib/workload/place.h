// Placement of several tasks: chooses one plan for each, together.
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
  std::vector<uint32_t> alike;  // by task: the first one that only its name tells it from; empty = none is alike
  // By task: the first one of the same model at the same precision and batch, whose candidates are its own; empty =
  // each has a model of its own.
  std::vector<uint32_t> models;

  Stack With(const Choice& choice) const;
};

// Lower is better: what tasks lose and which are missed, the highest priority first; then the largest response relative
// to its deadline, and energy per second. Of one priority the task that is worst off counts first, in factors of two:
// equal ones degrade alike, and none is parked where it hardly runs so that others miss nothing. What is missed anyway
// makes no other one miss for a little more of its own.
struct Score {
  std::vector<int> lost;  // of each priority halvings of the rate of the worst, tasks missed; last the sum in percent
  int missed = 0;         // of all
  double ratio = 0;
  double energy_w = 0;
};
bool IsBetter(const Score& a, const Score& b);

Score BoundedScore(const Stack& stack);  // by the bound at the estimates themselves
// By a simulation of the critical instant, and of sources that drift, unless the first one already shows it to be no
// better than `least`, which may be null.
Score SimulatedScore(const Stack& stack, const Score* least = nullptr);
Score WholeScore(const Stack& stack);  // by all that a report simulates

// ChoosePlans tries all choices by simulation where they are few. Else it takes the best ones by the bound, of all
// choices or, where these are many, of those that exchanges for one and for two tasks lead to, and simulates them
// beside the choice that each task would make alone. Where the report would show more misses of the best one than that
// look did, it is compared with the next ones as the report does.
Choice ChoosePlans(const StackFrame& frame);

}  // namespace hwest
