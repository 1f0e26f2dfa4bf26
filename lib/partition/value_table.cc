#include "partition/value_table.h"

#include <algorithm>

namespace hwest {
namespace {

constexpr uint32_t kNoAtom = ValueFacts::kNone;

// Units that can run `atom`, a bit each.
uint64_t UnitsOf(const PlacementProblem& problem, size_t atom) {
  uint64_t units = 0;
  for (uint32_t unit = 0; unit < problem.num_units; ++unit) {
    if (problem.CostOf(atom, unit) < kInfeasible) units |= uint64_t{1} << unit;
  }
  return units;
}

}  // namespace

uint32_t OnlyUnit(const PlacementProblem& problem, size_t atom) {
  uint32_t only = kNoAtom;
  for (uint32_t unit = 0; unit < problem.num_units; ++unit) {
    if (problem.CostOf(atom, unit) == kInfeasible) continue;
    if (only != kNoAtom) return kNoAtom;
    only = unit;
  }
  return only;
}

ValueTable::ValueTable(const PlacementProblem& problem) : problem_(problem), facts_(problem.num_values) {
  FindReaders();
  FindSpills();
  FindSettled();
  for (uint32_t value = 0; value < facts_.size(); ++value) {
    ValueFacts& facts = facts_[value];
    facts.tracked = facts.first != kNoAtom && facts.settled == kNoAtom && (facts.spills || CostsToMove(value));
  }
}

void ValueTable::FindReaders() {
  for (uint32_t atom = 0; atom < problem_.atoms.size(); ++atom) {
    const uint64_t units = UnitsOf(problem_, atom);
    for (const uint32_t value : problem_.atoms[atom].writes) facts_[value].producer = atom;
    for (const uint32_t value : problem_.atoms[atom].reads) {
      if (facts_[value].first == kNoAtom) facts_[value].first = atom;
      facts_[value].last = atom;
      facts_[value].readers |= units;
    }
  }
}

void ValueTable::FindSpills() {
  const uint32_t units = problem_.num_units;
  for (uint32_t value = 0; value < facts_.size(); ++value) {
    double costliest = 0, most_spill = 0;
    for (uint32_t from = 0; from <= units; ++from) {
      double all = 0;
      for (uint32_t to = 0; to < units; ++to) all += problem_.Move(value, from, to);
      costliest = std::max(costliest, all);
      most_spill = std::max(most_spill, problem_.Spill(value, from));
    }
    facts_[value].slack = costliest + most_spill;
    facts_[value].spills = most_spill > 0;
  }
  for (const PlacementProblem::Atom& atom : problem_.atoms) {
    for (size_t r = 0; r < atom.reads.size() && !atom.read_spill.empty(); ++r) {
      const auto first = atom.read_spill.begin() + static_cast<ptrdiff_t>(r * units);
      const double costliest = *std::max_element(first, first + units);
      ValueFacts& facts = facts_[atom.reads[r]];
      facts.slack += costliest;
      facts.spills = facts.spills || costliest > 0;
    }
  }
}

void ValueTable::FindSettled() {
  std::vector<bool> decided(facts_.size(), false);
  for (size_t a = 0; a < problem_.atoms.size(); ++a) {
    const uint32_t only = OnlyUnit(problem_, a);
    for (size_t r = 0; r < problem_.atoms[a].reads.size(); ++r) {
      const uint32_t value = problem_.atoms[a].reads[r];
      ValueFacts& facts = facts_[value];
      const bool plain = only != kNoAtom && problem_.ReadSpill(a, r, only) == 0 && problem_.Spill(value, only) == 0;
      const bool agrees = plain && (!decided[value] || facts.settled == only);
      facts.settled = agrees ? only : kNoAtom;
      decided[value] = true;
    }
  }
}

bool ValueTable::CostsToMove(uint32_t value) const {
  const bool is_input = facts_[value].producer == kNoAtom;
  const uint32_t first = is_input ? problem_.num_units : 0;
  const uint32_t end = problem_.num_units + (is_input ? 1 : 0);
  for (uint32_t from = first; from < end; ++from) {
    for (uint32_t to = 0; to < problem_.num_units; ++to) {
      if (problem_.Move(value, from, to) > 0) return true;
    }
  }
  return false;
}

double ValueTable::WriteCost(size_t atom, uint32_t unit) const {
  double cost = 0;
  for (const uint32_t value : problem_.atoms[atom].writes) {
    if (problem_.is_output[value]) cost += problem_.Move(value, unit, problem_.num_units);
    const uint32_t settled = facts_[value].settled;
    if (settled != kNoAtom && settled != unit)
      cost += problem_.Move(value, unit, settled) + problem_.Spill(value, unit);
  }
  return cost;
}

}  // namespace hwest
