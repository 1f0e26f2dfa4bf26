// Gathers what placement needs: atoms, the values between them, and what each runs as on each unit.
#include <algorithm>
#include <limits>

#include "cost/cost.h"
#include "plan/draft.h"

namespace hwest {
namespace {

class Maker {
 public:
  Maker(const PlanInput& input, RunGroups& groups) : input_(input), groups_(groups) {}

  Problem Run(const IdMap<NodeId, UnitId>& pins, const std::vector<UnitChoice>& units, CostWeights weights) {
    problem_.usable = MakeUsable(input_.model, input_.support, pins, input_.overlays, units);
    for (const UnitChoice& choice : units) {
      const Toolchain* toolchain = ToolchainOf(input_.target, input_.target.units[choice.unit]);
      if (toolchain == nullptr || !toolchain->partition.has_value() || !toolchain->partition->width_first) continue;
      problem_.usable.width_first = toolchain->partition->last;
    }
    problem_.frame = FrameOf(input_.model, input_.target, input_.overlays, problem_.usable, input_.known_frames);
    num_units_ = units.size();
    ListGroups();
    EstimateAtoms();
    FindRuns();
    ListUnplaced();
    MarkHeld();
    Reweigh(input_, weights, &problem_);
    return std::move(problem_);
  }

 private:
  UnitId IdOf(size_t unit) const { return problem_.usable.units[unit].unit; }
  const Unit& UnitAt(size_t unit) const { return input_.target.units[IdOf(unit)]; }
  void ListGroups();
  void ListUnplaced();
  void MarkHeld();
  void EstimateAtoms();
  void EstimateOn(size_t unit);
  void FindRuns();

  const PlanInput& input_;
  RunGroups& groups_;
  Problem problem_;
  size_t num_units_ = 0;
  std::vector<uint8_t> runs_;  // by atom * num_units + unit: at a known cost
};

void Maker::ListGroups() {
  problem_.runs = &groups_;
  const PlacementFrame& frame = *problem_.frame;
  problem_.groups.reserve(frame.groups.size());
  for (size_t part = 0; part + 1 < frame.first_group.size(); ++part) {
    for (uint32_t g = frame.first_group[part]; g < frame.first_group[part + 1]; ++g) {
      problem_.groups.push_back({groups_.Get(IdOf(part % num_units_), frame.groups[g])});
    }
  }
}

// Atoms that no unit can run, or none with a known cost, stay unplaced.
void Maker::ListUnplaced() {
  problem_.first_unplaced = {0};
  for (size_t atom = 0; atom < problem_.atoms().size(); ++atom) {
    const auto first = runs_.begin() + static_cast<ptrdiff_t>(atom * num_units_);
    const auto end = first + static_cast<ptrdiff_t>(num_units_);
    const bool placeable = std::any_of(first, end, [](uint8_t runs) { return runs != 0; });
    for (const NodeId node : problem_.atoms()[atom].nodes) {
      if (!placeable) problem_.unplaced.push_back({groups_.GetUnplaced(node), groups_.NotKnown()});
    }
    problem_.first_unplaced.push_back(static_cast<uint32_t>(problem_.unplaced.size()));
  }
}

void Maker::MarkHeld() {
  const size_t num_atoms = problem_.atoms().size();
  problem_.held.assign(num_atoms * num_units_, 0);
  for (size_t atom = 0; atom < num_atoms; ++atom) {
    int first_turn = std::numeric_limits<int>::max();
    for (size_t unit = 0; unit < num_units_; ++unit) {
      if (runs_[atom * num_units_ + unit] != 0) first_turn = std::min(first_turn, problem_.usable.units[unit].turn);
    }
    for (size_t unit = 0; unit < num_units_; ++unit) {
      problem_.held[atom * num_units_ + unit] = problem_.usable.units[unit].turn > first_turn;
    }
  }
}

void Maker::FindRuns() {
  runs_.reserve(problem_.atoms().size() * num_units_);
  for (size_t atom = 0; atom < problem_.atoms().size(); ++atom) {
    for (size_t unit = 0; unit < num_units_; ++unit) {
      runs_.push_back(AtomCost(problem_, atom, unit, kInSeconds) < kInfeasible);
    }
  }
}

void Maker::EstimateAtoms() {
  for (size_t unit = 0; unit < num_units_; ++unit) EstimateOn(unit);
}

void Maker::EstimateOn(size_t unit) {
  const size_t num_atoms = problem_.atoms().size();
  std::vector<const RunGroup*> order;
  for (size_t atom = 0; atom < num_atoms; ++atom) {
    for (const PricedGroup& priced : problem_.GroupsOf(atom, unit)) order.push_back(priced.group);
  }
  problem_.on_chip.push_back(FindOnChip(input_.model, input_.target, UnitAt(unit), order));
  for (size_t atom = 0; atom < num_atoms; ++atom) {
    const size_t part = atom * num_units_ + unit;
    for (uint32_t g = problem_.frame->first_group[part]; g < problem_.frame->first_group[part + 1]; ++g) {
      PricedGroup& priced = problem_.groups[g];
      const OnChip& on_chip = problem_.on_chip[unit];
      priced.residency = ResidencyOf(*priced.group, on_chip, StayingBytesOf(*priced.group, on_chip));
      priced.estimate = groups_.EstimateOf(input_.target, IdOf(unit), *priced.group, priced.residency);
    }
  }
}

}  // namespace

Problem MakeProblem(const PlanInput& input, RunGroups& groups, const IdMap<NodeId, UnitId>& pins,
                    const std::vector<UnitChoice>& units, CostWeights weights) {
  return Maker(input, groups).Run(pins, units, weights);
}

}  // namespace hwest
