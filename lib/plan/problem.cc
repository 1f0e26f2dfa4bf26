// Gathers what placement needs: atoms, the values between them, and what each runs as on each unit.
#include <algorithm>

#include "cost/cost.h"
#include "plan/draft.h"

namespace hwest {
namespace {

class Maker {
 public:
  Maker(const PlanInput& input, RunGroups& groups, Fallback fallback)
      : input_(input), groups_(groups), fallback_(fallback) {}

  Problem Run(const IdMap<NodeId, UnitId>& pins, const std::vector<UnitChoice>& units, Weights weights) {
    problem_.usable = MakeUsable(input_.model, input_.support, pins, input_.overlays, units);
    problem_.atoms = BuildAtoms(input_.model, input_.target, problem_.usable);
    problem_.flow = MakeFlow(input_.model, problem_.atoms);
    rows_ = units.size();
    ListGroups();
    EstimateAtoms();
    ListUnplaced();
    Reweigh(input_, weights, &problem_);
    return std::move(problem_);
  }

 private:
  UnitId UnitOfRow(size_t row) const { return problem_.usable.units[row].unit; }
  const Unit& UnitAt(size_t row) const { return input_.target.units[UnitOfRow(row)]; }
  bool MayRun(size_t atom, size_t row) const;
  void ListGroups();
  void ListUnplaced();
  void EstimateAtoms();
  void EstimateRow(size_t row);

  const PlanInput& input_;
  RunGroups& groups_;
  Fallback fallback_;
  Problem problem_;
  size_t rows_ = 0;
};

bool Maker::MayRun(size_t atom, size_t row) const {
  const Atom::Feasible& feasible = problem_.atoms.atoms[atom].feasible;
  if (!feasible[row]) return false;
  if (fallback_ == Fallback::kEverywhere || !problem_.usable.units[row].fallback) return true;
  for (size_t other = 0; other < rows_; ++other) {
    if (feasible[other] && !problem_.usable.units[other].fallback) return false;
  }
  return true;
}

void Maker::ListGroups() {
  problem_.runs = &groups_;
  problem_.first_group = {0};
  for (uint32_t atom = 0; atom < problem_.atoms.atoms.size(); ++atom) {
    for (size_t row = 0; row < rows_; ++row) {
      if (MayRun(atom, row)) {
        for (const GroupRef& ref : GroupsOn(input_.model, problem_.usable, problem_.atoms, atom, row)) {
          problem_.groups.push_back({groups_.Get(UnitOfRow(row), ref)});
        }
      }
      problem_.first_group.push_back(static_cast<uint32_t>(problem_.groups.size()));
    }
  }
}

// Atoms that no unit can run, or none with a known cost, stay unplaced.
void Maker::ListUnplaced() {
  problem_.first_unplaced = {0};
  for (size_t atom = 0; atom < problem_.atoms.atoms.size(); ++atom) {
    bool placeable = false;
    for (size_t row = 0; row < rows_; ++row) {
      placeable = placeable || AtomCost(problem_, atom, row, kInSeconds) < kInfeasible;
    }
    for (const NodeId node : problem_.atoms.atoms[atom].nodes) {
      if (!placeable) problem_.unplaced.push_back({groups_.GetUnplaced(node), groups_.NotKnown()});
    }
    problem_.first_unplaced.push_back(static_cast<uint32_t>(problem_.unplaced.size()));
  }
}

void Maker::EstimateAtoms() {
  for (size_t row = 0; row < rows_; ++row) EstimateRow(row);
}

void Maker::EstimateRow(size_t row) {
  const size_t num_atoms = problem_.atoms.atoms.size();
  std::vector<const RunGroup*> order;
  for (size_t atom = 0; atom < num_atoms; ++atom) {
    for (const PricedGroup& priced : problem_.GroupsOf(atom, row)) order.push_back(priced.group);
  }
  problem_.on_chip.push_back(FindOnChip(input_.model, input_.target, UnitAt(row), order));
  for (size_t atom = 0; atom < num_atoms; ++atom) {
    const size_t part = atom * rows_ + row;
    for (uint32_t g = problem_.first_group[part]; g < problem_.first_group[part + 1]; ++g) {
      PricedGroup& priced = problem_.groups[g];
      const Residency residency = ResidencyOf(*priced.group, problem_.on_chip[row], Spilled());
      priced.estimate = groups_.EstimateOf(input_.target, UnitOfRow(row), priced.group->work, residency);
    }
  }
}

}  // namespace

Problem MakeProblem(const PlanInput& input, RunGroups& groups, const IdMap<NodeId, UnitId>& pins,
                    const std::vector<UnitChoice>& units, Fallback fallback, Weights weights) {
  return Maker(input, groups, fallback).Run(pins, units, weights);
}

}  // namespace hwest
