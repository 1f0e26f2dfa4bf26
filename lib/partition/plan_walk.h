// The walk along a plan that defines its cost: the solver adds it up, the evaluator prices it in full, and the overlap
// lays it side by side.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "partition/solver.h"

namespace hwest {

// One cost of a plan at an atom, in the order of the walk. kRun comes first at each atom, then kEnter.
struct PlanEvent {
  enum class Kind : uint8_t {
    kEnter,      // a segment starts
    kRun,        // the atom itself
    kSpill,      // a value that could have stayed on `from` is written out for other segments
    kReadSpill,  // the atom's read number `read` comes from another segment
    kMoveIn,     // `value` moves `from` .. `to` for this atom and later ones
    kMoveOut,    // an output of the model goes to the caller
  };
  Kind kind;
  size_t atom;
  uint32_t unit;
  uint32_t value = 0;
  size_t read = 0;
  uint32_t from = 0, to = 0;
};

// WalkPlan calls visit(PlanEvent) along the order; if that returns false, so does the walk at once. A value moves once
// to each unit that reads it, and spills once.
template <class Visit>
bool WalkPlan(const PlacementProblem& problem, const Assignment& units, const Visit& visit) {
  using Kind = PlanEvent::Kind;
  std::vector<uint32_t> source(problem.num_values, problem.num_units);
  std::vector<uint64_t> holders(problem.num_values, 0);
  std::vector<size_t> made_in(problem.num_values, 0);  // segment, counted from 1
  std::vector<bool> spilled(problem.num_values, false);
  size_t segment = 0;
  for (size_t a = 0; a < units.size(); ++a) {
    const PlacementProblem::Atom& atom = problem.atoms[a];
    const uint32_t unit = units[a];
    if (!visit(PlanEvent{Kind::kRun, a, unit})) return false;
    const bool starts = a == 0 || problem.Starts(a, units[a - 1], unit);
    segment += starts;
    if (starts && !visit(PlanEvent{Kind::kEnter, a, unit})) return false;
    for (size_t r = 0; r < atom.reads.size(); ++r) {
      const uint32_t value = atom.reads[r], from = source[value];
      if (made_in[value] != segment) {
        if (!spilled[value] && !visit(PlanEvent{Kind::kSpill, a, unit, value, r, from})) return false;
        spilled[value] = true;
        if (!visit(PlanEvent{Kind::kReadSpill, a, unit, value, r, from})) return false;
      }
      if (from == unit || ((holders[value] >> unit) & 1u) != 0) continue;
      holders[value] |= uint64_t{1} << unit;
      if (!visit(PlanEvent{Kind::kMoveIn, a, unit, value, r, from, unit})) return false;
    }
    for (const uint32_t value : atom.writes) {
      source[value] = unit;
      made_in[value] = segment;
      if (!problem.is_output[value]) continue;
      if (!visit(PlanEvent{Kind::kMoveOut, a, unit, value, 0, unit, problem.num_units})) return false;
    }
  }
  return true;
}

}  // namespace hwest
