#include "plan/least.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

#include "cost/cost.h"
#include "plan/pipeline.h"
#include "plan/residency.h"
#include "plan/run_group.h"
#include "plan/search.h"

namespace hwest {
namespace {

class Bounder {
 public:
  Bounder(const PlanInput& input, const std::vector<UnitChoice>& units)
      : input_(input),
        units_(units),
        groups_(input.model, input.runs, input.overlays, input.precisions, input.known_groups) {}

  double Run(double enough) {
    for (const UnitChoice& choice : units_) on_chip_.push_back(MostOn(choice.unit));
    double seconds = 0;
    for (uint32_t g = 0; g < NumGroups() && seconds <= enough; ++g) seconds += LeastOf(GroupId(g));
    return seconds;
  }

 private:
  // Without fusions the overlays of all units have the same groups in the same order.
  uint32_t NumGroups() const { return static_cast<uint32_t>(input_.overlays[units_[0].unit]->groups.size()); }
  bool Runs(UnitId unit, GroupId group) const {
    const Support& support = input_.support[unit][input_.overlays[unit]->groups[group].root];
    return support.verdict != Verdict::kNo && !support.only_in_group;
  }
  const RunGroup* On(UnitId unit, GroupId group) { return groups_.Get(unit, {group, NodeId()}); }

  OnChip MostOn(UnitId unit) {
    std::vector<const RunGroup*> order;
    for (uint32_t g = 0; g < NumGroups(); ++g) {
      if (Runs(unit, GroupId(g))) order.push_back(On(unit, GroupId(g)));
    }
    return MostOnChip(input_.model, input_.target, input_.target.units[unit], order);
  }

  // 0 where a time is not known, and where no unit runs it.
  double LeastOf(GroupId group) {
    double least = std::numeric_limits<double>::infinity();
    for (size_t unit = 0; unit < units_.size(); ++unit) {
      const UnitId id = units_[unit].unit;
      if (!Runs(id, group)) continue;
      const RunGroup& run = *On(id, group);
      const Residency residency = ResidencyOf(run, on_chip_[unit], StayingBytesOf(run, on_chip_[unit]));
      const std::optional<Estimate>& estimate = *groups_.EstimateOf(input_.target, id, run, residency);
      least = std::min(least, estimate.has_value() ? estimate->time_s * static_cast<double>(run.runs) : 0);
    }
    return least < std::numeric_limits<double>::infinity() ? least : 0;
  }

  const PlanInput& input_;
  const std::vector<UnitChoice>& units_;
  RunGroups groups_;
  std::vector<OnChip> on_chip_;  // by unit
};

bool IsUnfused(const Overlay& overlay) {
  return std::all_of(overlay.groups.begin(), overlay.groups.end(), [](const Group& g) { return g.nodes.size() == 1; });
}

// Pins take nodes, and their weights, from a unit; bodies may tie nodes together.
bool CanSay(const PlanInput& input, const std::vector<UnitChoice>& units) {
  if (units.empty() || !input.request.pin.empty() || input.model.graph.bodies().size() > 1) return false;
  return std::all_of(units.begin(), units.end(), [&](const UnitChoice& choice) {
    return IsUnfused(*input.overlays[choice.unit]) && !IsPipelined(input.target, choice.unit);
  });
}

}  // namespace

double LeastUnfusedSeconds(const PlanInput& input, double enough) {
  const absl::StatusOr<std::vector<UnitChoice>> units = ChooseUnits(input);
  return units.ok() && CanSay(input, *units) ? Bounder(input, *units).Run(enough) : 0;
}

}  // namespace hwest
