// Evaluation of one assignment, and the greedy plan.
#include <algorithm>

#include "partition/plan_walk.h"
#include "partition/solver.h"

namespace hwest {
namespace {

// Tracks the limits on segments along the order.
class SegmentLimits {
 public:
  explicit SegmentLimits(const PlacementProblem& problem) : problem_(problem), segments_(problem.num_units, 0) {}

  // Takes the next atom on `unit`; false when a limit forbids it.
  bool Take(size_t atom, uint32_t unit) {
    if (problem_.Starts(atom, last_, unit)) {
      if (!Leave()) return false;
      const PlacementProblem::UnitLimits& limits = problem_.limits[unit];
      total_ += !limits.is_free;
      ++segments_[unit];
      if (problem_.max_segments.has_value() && total_ > *problem_.max_segments) return false;
      if (limits.max_segments.has_value() && segments_[unit] > *limits.max_segments) return false;
      if (limits.prefix_only && atom != 0) return false;
      last_ = unit;
      nodes_ = 0;
    }
    nodes_ += problem_.atoms[atom].nodes;
    return true;
  }
  // Ends the open segment; false when it is too small.
  bool Leave() const { return last_ == kNone || nodes_ >= problem_.limits[last_].min_nodes; }

 private:
  static constexpr uint32_t kNone = UINT32_MAX;
  const PlacementProblem& problem_;
  std::vector<uint32_t> segments_;
  uint32_t total_ = 0;
  uint32_t last_ = kNone;
  uint32_t nodes_ = 0;
};

// The last atom of the longest run from `first` on `unit`, and the cost of that run.
struct Run {
  size_t end = 0;
  double cost = 0;
};

Run LongestRun(const PlacementProblem& problem, size_t first, uint32_t unit) {
  Run run{.end = first};
  while (run.end < problem.atoms.size() && problem.CostOf(run.end, unit) < kInfeasible) {
    run.cost += problem.CostOf(run.end, unit);
    ++run.end;
  }
  return run;
}

}  // namespace

double PlanCost(const PlacementProblem& problem, const Assignment& units) {
  SegmentLimits limits(problem);
  double cost = 0;
  const auto add = [&](const PlanEvent& event) {
    switch (event.kind) {
      case PlanEvent::Kind::kRun:
        if (!limits.Take(event.atom, event.unit)) return false;
        cost += problem.CostOf(event.atom, event.unit);
        break;
      case PlanEvent::Kind::kEnter: cost += problem.invoke[event.unit]; break;
      case PlanEvent::Kind::kSpill: cost += problem.Spill(event.value, event.from); break;
      case PlanEvent::Kind::kReadSpill: cost += problem.ReadSpill(event.atom, event.read, event.unit); break;
      case PlanEvent::Kind::kMoveIn:
      case PlanEvent::Kind::kMoveOut: cost += problem.Move(event.value, event.from, event.to); break;
    }
    return true;
  };
  return WalkPlan(problem, units, add) && limits.Leave() ? cost : kInfeasible;
}

std::optional<Assignment> LongestSegments(const PlacementProblem& problem) {
  Assignment units;
  while (units.size() < problem.atoms.size()) {
    const size_t first = units.size();
    Run best{.end = first};
    uint32_t best_unit = 0;
    for (uint32_t unit = 0; unit < problem.num_units; ++unit) {
      if (problem.limits[unit].prefix_only && first != 0) continue;
      const Run run = LongestRun(problem, first, unit);
      if (run.end > best.end || (run.end == best.end && run.end > first && run.cost < best.cost)) {
        best = run;
        best_unit = unit;
      }
    }
    if (best.end == first) return std::nullopt;
    units.resize(best.end, best_unit);
  }
  return PlanCost(problem, units) < kInfeasible ? std::optional<Assignment>(units) : std::nullopt;
}

}  // namespace hwest
