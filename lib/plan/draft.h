// Draft: one placement problem of a model (a choice of units), its solution, and what the solution costs in full.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "absl/types/span.h"
#include "partition/solver.h"
#include "plan/frame.h"
#include "plan/plan.h"
#include "plan/residency.h"
#include "plan/run_group.h"

namespace hwest {

// A group as a unit runs it, and its estimate at the best residency.
struct PricedGroup {
  const RunGroup* group = nullptr;
  const std::optional<Estimate>* estimate = nullptr;  // of one execution; none = not known
  Residency residency;                                // of one execution
};

// What a second and a joule count in the costs of the search.
struct CostWeights {
  double seconds = 1;
  double joules = 0;

  bool operator==(const CostWeights&) const = default;
};
inline constexpr CostWeights kInSeconds{.seconds = 1, .joules = 0};
inline constexpr CostWeights kInJoules{.seconds = 0, .joules = 1};

// Units run only what none of a lower turn can; where limits of toolchains leave no such placement, as few nodes more
// as possible.
enum class Fallback : uint8_t { kRefusedOnly, kAsLittleAsPossible };

struct Problem {
  Usable usable;
  Fallback fallback = Fallback::kRefusedOnly;
  std::shared_ptr<const PlacementFrame> frame;
  RunGroups* runs = nullptr;                   // owner of groups and estimates
  std::vector<PricedGroup> groups;             // those of the frame
  std::vector<PricedGroup> unplaced;           // by atom, of those that no unit runs
  std::vector<uint32_t> first_unplaced;        // by atom, one past the end included
  std::vector<uint8_t> held;                   // by atom * num_units + unit: a unit of a lower turn can run the atom
  double held_cost = 0;                        // in the costs of `solver`, of each node that a unit runs so
  std::vector<OnChip> on_chip;                 // [unit]
  PlacementProblem solver;                     // units of `usable`, then one more for atoms that no unit runs
  std::optional<PlacementProblem> in_seconds;  // the same in seconds where `solver` weighs otherwise
  std::vector<double> link_j_per_byte;         // by edge, as in PlacementProblem

  const std::vector<Atom>& atoms() const { return frame->atoms.atoms; }
  const Flow& flow() const { return frame->flow; }
  size_t num_units() const { return usable.units.size(); }
  // What `atom` runs as on unit `unit` of `usable`; num_units() = unplaced.
  absl::Span<const PricedGroup> GroupsOf(size_t atom, size_t unit) const {
    if (unit == num_units()) return Part(unplaced, first_unplaced, atom);
    return Part(groups, frame->first_group, atom * num_units() + unit);
  }
  const PlacementProblem& seconds() const { return in_seconds.has_value() ? *in_seconds : solver; }

 private:
  static absl::Span<const PricedGroup> Part(absl::Span<const PricedGroup> all, const std::vector<uint32_t>& first,
                                            size_t i) {
    return all.subspan(first[i], first[i + 1] - first[i]);
  }
};

// MakeProblem fills everything placement needs for these units, with Fallback::kRefusedOnly.
Problem MakeProblem(const PlanInput& input, RunGroups& groups, const IdMap<NodeId, UnitId>& pins,
                    const std::vector<UnitChoice>& units, CostWeights weights);

// What the cost of `units` in problem.solver has in it for nodes that run on another unit than the first in turn. It is
// no time and no energy: it is above what anything else can cost, so that plans with fewer such nodes win.
double HoldBackCost(const Problem& problem, const Assignment& units);

// Cost of `atom` on `unit`; kInfeasible where it cannot run or a time is not known that should be.
double AtomCost(const Problem& problem, size_t atom, size_t unit, CostWeights weights);

// Opened is `problem` where every unit may run what it can, whatever its turn. It is one of Fallback::kRefusedOnly with
// kInSeconds.
Problem Opened(const Problem& problem);

// Reweigh fills the costs of `problem` again. With a weight below zero every atom's costs are shifted so that the least
// is zero, and moves and invokes that would be below zero are free: plans compare as they should but for those.
void Reweigh(const PlanInput& input, CostWeights weights, Problem* problem);

// One step of the plan: a group on its unit.
struct Step {
  const RunGroup* group = nullptr;
  UnitId unit;  // none = no unit runs it
  SegmentId segment;
  const std::optional<Estimate>* estimate = nullptr;  // of one execution
  Residency residency;                                // of one execution
  double time_share = 1;                              // of a pipeline, see Context
};

struct Draft {
  Assignment units;
  std::vector<Step> steps;
  std::vector<Segment> segments;     // without groups and reasons
  std::vector<uint32_t> first_atom;  // by segment, one past the last atom at the end
  double latency_s = 0;
  double energy_j = 0;
};

// Evaluate prices one assignment in full: values that cross segments go through shared memory.
Draft Evaluate(const PlanInput& input, const Problem& problem, const Assignment& units);

}  // namespace hwest
