// Draft: one placement problem of a model (a choice of units), its solution, and what the solution costs in full.
#pragma once

#include <optional>
#include <vector>

#include "partition/flow.h"
#include "partition/solver.h"
#include "plan/plan.h"
#include "plan/residency.h"
#include "plan/run_group.h"

namespace hwest {

struct Problem {
  Usable usable;
  Atoms atoms;
  Flow flow;
  std::vector<std::vector<std::vector<const RunGroup*>>> groups;             // [atom][row], empty when infeasible
  std::vector<std::vector<std::vector<std::optional<Estimate>>>> estimates;  // the same shape, at the best residency
  std::vector<OnChip> on_chip;                                               // [row]
  PlacementProblem solver;     // units = rows of usable, then one more row for atoms that no unit runs
  PlacementProblem seconds;    // the same in seconds whatever the objective
  std::vector<double> link_j_per_byte;  // by edge, as in PlacementProblem
};

// Fallback units run only what no other unit can, or everything: the latter for limits that leave no other way.
enum class Fallback : uint8_t { kRefusedOnly, kEverywhere };

// MakeProblem fills everything placement needs for these units.
Problem MakeProblem(const PlanInput& input, RunGroups& groups, const IdMap<NodeId, UnitId>& pins,
                    const std::vector<UnitChoice>& units, Fallback fallback);

// One step of the plan: a group on its unit.
struct Step {
  const RunGroup* group = nullptr;
  UnitId unit;                        // none = no unit runs it
  SegmentId segment;
  std::optional<Estimate> estimate;   // of one execution
};

struct Draft {
  Assignment units;
  std::vector<Step> steps;
  std::vector<Segment> segments;      // without groups and reasons
  std::vector<uint32_t> first_atom;   // by segment, one past the last atom at the end
  double latency_s = 0;
  double energy_j = 0;
};

// Evaluate prices one assignment in full: values that cross segments go through shared memory.
Draft Evaluate(const PlanInput& input, const Problem& problem, const Assignment& units);

}  // namespace hwest
