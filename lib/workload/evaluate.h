// Evaluates a stack: simulations from several starts, bounds, and the verdicts that follow.
#pragma once

#include <string>
#include <vector>

#include "workload/bound.h"
#include "workload/simulate.h"
#include "workload/stack.h"

namespace hwest {

struct EvaluateOptions {
  SimulateOptions simulate;
  int random_runs = 0;
  bool verdicts_alone = false;  // no further runs once it is known whether any task is missed
};

struct Evaluation {
  std::vector<Simulation> runs;       // the first one from the critical instant
  ResponseBounds bounds;              // of an incomplete stack no response has one
  std::vector<TaskVerdict> verdicts;  // of an incomplete stack none holds
  std::vector<std::string> reasons;

  double WorstOf(size_t task) const;  // of all runs; 0 = no job ended
};

Evaluation Evaluate(const Stack& stack, const EvaluateOptions& options);

}  // namespace hwest
