#include "partition/only_plan.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "partition/value_table.h"

namespace hwest {
namespace {

// Walks the order and adds up costs atom by atom, as the search does: another order of summation may round differently.
class OnlyWalk {
 public:
  OnlyWalk(const PlacementProblem& problem, const Assignment& units)
      : problem_(problem), units_(units), values_(problem), places_(problem.num_values, {problem.num_units}) {}

  double Cost() {
    double cost = 0;
    size_t start = 0;  // of the segment
    for (size_t atom = 0; atom < units_.size(); ++atom) {
      const uint32_t unit = units_[atom];
      const bool enters = atom == 0 || problem_.Starts(atom, units_[atom - 1], unit);
      if (enters) start = atom;
      const double before = cost + problem_.CostOf(atom, unit) + (enters ? problem_.invoke[unit] : 0);
      cost = before + Read(atom, unit, start) + values_.WriteCost(atom, unit);
      for (const uint32_t value : problem_.atoms[atom].writes) places_[value] = {unit};
    }
    return cost;
  }

  // The most values at once whose place matters later.
  size_t PeakLive() const {
    std::vector<int> change(units_.size() + 1, 0);
    for (uint32_t v = 0; v < values_.size(); ++v) {
      const ValueFacts& facts = values_[v];
      const uint32_t first = facts.producer != ValueFacts::kNone ? facts.producer : facts.first;
      if (!facts.tracked || facts.last <= first) continue;
      ++change[first];
      --change[facts.last];
    }
    int live = 0, most = 0;
    for (const int by : change) most = std::max(most, live += by);
    return static_cast<size_t>(most);
  }

 private:
  struct Place {
    uint32_t source;
    bool spilled = false;
    uint64_t holders = 0;  // units that received it, a bit each
  };

  double Read(size_t atom, uint32_t unit, size_t start) {
    double cost = 0;
    const auto& reads = problem_.atoms[atom].reads;
    for (size_t r = 0; r < reads.size(); ++r) {
      const uint32_t value = reads[r];
      const ValueFacts& facts = values_[value];
      const bool is_new_input = facts.producer == ValueFacts::kNone && facts.first == atom;
      if (!facts.tracked && !is_new_input) continue;
      Place& place = places_[value];
      const bool made_here = place.source == unit && facts.producer != ValueFacts::kNone && facts.producer >= start;
      if (facts.spills && !made_here) {
        if (!place.spilled) cost += problem_.Spill(value, place.source);
        place.spilled = true;
        cost += problem_.ReadSpill(atom, r, unit);
      }
      if (place.source == unit || ((place.holders >> unit) & 1u) != 0) continue;
      cost += problem_.Move(value, place.source, unit);
      place.holders |= uint64_t{1} << unit;
    }
    return cost;
  }

  const PlacementProblem& problem_;
  const Assignment& units_;
  const ValueTable values_;
  std::vector<Place> places_;  // by value
};

}  // namespace

std::optional<Assignment> OnlyAssignment(const PlacementProblem& problem) {
  Assignment units;
  units.reserve(problem.atoms.size());
  for (size_t atom = 0; atom < problem.atoms.size(); ++atom) {
    const uint32_t only = OnlyUnit(problem, atom);
    if (only == ValueFacts::kNone) return std::nullopt;
    units.push_back(only);
  }
  return units;
}

std::optional<Placement> PlaceOnly(const PlacementProblem& problem, Assignment units) {
  const double known = PlanCost(problem, units);
  if (known == kInfeasible) return std::nullopt;
  OnlyWalk walk(problem, units);
  const double cost = std::min(known, walk.Cost());
  const size_t peak_live = walk.PeakLive();
  const size_t peak_states = std::min<size_t>(1, units.size());
  return Placement{std::move(units), cost, cost, peak_states, peak_live};
}

}  // namespace hwest
