// The placement problem over plain arrays, free of graphs and targets, and its solvers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "absl/container/inlined_vector.h"

namespace hwest {

inline constexpr double kInfeasible = std::numeric_limits<double>::infinity();

// PlacementProblem: atoms in their fixed order, each to be placed on one unit. Costs are seconds or joules, all >= 0.
// The cost of a plan is the atoms' own costs + one move per (value, reading unit other than its source) + one invoke
// per maximal run of atoms on one unit between cuts (a segment) + spills: the atoms' own costs assume that values stay
// in a unit's own memory, which holds only inside a segment.
struct PlacementProblem {
  struct Atom {
    using Values = absl::InlinedVector<uint32_t, 2>;
    Values reads;                    // values, no duplicates
    Values writes;                   // each value is written by at most one atom
    std::vector<double> read_spill;  // [read * num_units + unit]: extra if read in another segment; empty = nothing
    uint32_t nodes = 1;
    uint64_t cuts = 0;  // bit by unit: one that ran the atom before it starts another segment here
  };
  static constexpr uint32_t kMostUnits = 47;  // sets of units are the low bits of a word
  struct UnitLimits {
    std::optional<uint32_t> max_segments;
    uint32_t min_nodes = 0;    // smaller segments are not allowed
    bool prefix_only = false;  // only one segment, starting at the first atom
    bool is_free = false;      // its segments do not count for PlacementProblem::max_segments
  };

  uint32_t num_units = 0;  // at most kMostUnits
  uint32_t num_values = 0;
  std::vector<Atom> atoms;
  std::vector<double> cost;    // [atom * num_units + unit], kInfeasible where the unit cannot
  std::vector<double> invoke;  // [unit]
  // Moving value v from unit a to b costs fixed[a, b] + bytes[v, a] * per_byte[a, b]. Source num_units is the memory
  // of the model's inputs (values no atom writes), destination num_units that of its outputs.
  std::vector<double> fixed;     // [a * (num_units + 1) + b]
  std::vector<double> per_byte;  // [a * (num_units + 1) + b]
  std::vector<double> bytes;     // [value * (num_units + 1) + source]
  std::vector<bool> is_output;   // [value]
  std::vector<double> spill;     // [value * num_units + unit]: extra if made there for another segment; empty = nothing
  std::vector<UnitLimits> limits;        // [unit]
  std::optional<uint32_t> max_segments;  // over all units that are not free

  double CostOf(size_t atom, uint32_t unit) const { return cost[atom * num_units + unit]; }
  // Whether `unit` starts a segment at `atom` after `before`, the unit of the atom before it; num_units = none.
  bool Starts(size_t atom, uint64_t before, uint32_t unit) const {
    return before != unit || ((atoms[atom].cuts >> unit) & 1u) != 0;
  }
  double Spill(uint32_t value, uint32_t unit) const {
    return spill.empty() || unit >= num_units ? 0 : spill[size_t{value} * num_units + unit];
  }
  double ReadSpill(size_t atom, size_t read, uint32_t unit) const {
    return atoms[atom].read_spill.empty() ? 0 : atoms[atom].read_spill[read * num_units + unit];
  }
  double Move(uint32_t value, uint32_t from, uint32_t to) const {
    const size_t edge = size_t{from} * (num_units + 1) + to;
    return from == to ? 0 : fixed[edge] + bytes[size_t{value} * (num_units + 1) + from] * per_byte[edge];
  }
};

using Assignment = std::vector<uint32_t>;  // unit of each atom

// PlanCost evaluates one assignment; kInfeasible when an atom or a limit forbids it.
double PlanCost(const PlacementProblem& problem, const Assignment& units);

// LongestSegments walks the order and starts each segment on the unit that can continue longest (ties: the cheaper).
// None when an atom has no unit or a limit is broken.
std::optional<Assignment> LongestSegments(const PlacementProblem& problem);

struct SolverOptions {
  size_t max_states = 4096;          // states kept per atom
  size_t max_transitions = 300'000;  // in all; lowers max_states for long problems and many live values
  size_t max_cells = 250'000'000;    // places of values in states; beyond, one state per atom, or the best seed
};

struct Placement {
  Assignment units;
  double cost = kInfeasible;
  double lower_bound = 0;  // of every plan of this problem; = cost when exact
  size_t peak_states = 0;
  size_t peak_live = 0;  // most values at once whose place matters later
};

// SolvePlacement minimises the cost by dynamic programming along the order. A state is the last unit, which live values
// were made in its segment, the units that hold each of them and what the limits have used up. It drops states that
// provably cannot win. With at most max_states left the result is exact; otherwise it keeps the most promising ones,
// and lower_bound is the least that a dropped one could have reached. `seeds` are known plans whose cost bounds the
// search. None when no plan is feasible, or none was found among the kept states.
std::optional<Placement> SolvePlacement(const PlacementProblem& problem, const SolverOptions& options,
                                        const std::vector<Assignment>& seeds);

}  // namespace hwest
