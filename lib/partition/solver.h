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

// PlacementProblem: atoms in their fixed order, each to be put on one unit. Costs are seconds or joules, all >= 0. The
// cost of a plan is the atoms' own costs + one move per (value, unit that reads it and is not its source) + one invoke
// per maximal run of atoms on one unit (a segment) + what it costs to spill: the atoms' own costs take for granted that
// values stay in a unit's own memory, which they do inside a segment only.
struct PlacementProblem {
  struct Atom {
    using Values = absl::InlinedVector<uint32_t, 2>;
    Values reads;                    // values, no duplicates
    Values writes;                   // each value is written by at most one atom
    std::vector<double> read_spill;  // [read * num_units + unit]: more to read it in another segment; empty = nothing
    uint32_t nodes = 1;
  };
  static constexpr uint32_t kMostUnits = 47;  // sets of units are the low bits of a word
  struct UnitLimits {
    std::optional<uint32_t> max_segments;
    uint32_t min_nodes = 0;    // a segment with fewer nodes is not allowed
    bool prefix_only = false;  // only as one segment from the first atom on
    bool is_free = false;      // its segments do not count in PlacementProblem::max_segments
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
  std::vector<double> spill;  // [value * num_units + unit]: more to make it there for another segment; empty = nothing
  std::vector<UnitLimits> limits;        // [unit]
  std::optional<uint32_t> max_segments;  // over all units that are not free

  double CostOf(size_t atom, uint32_t unit) const { return cost[atom * num_units + unit]; }
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

// LongestSegments walks the order and takes, where a segment starts, the unit that can go on longest (ties: cheaper).
// None when an atom has no unit or a limit is broken.
std::optional<Assignment> LongestSegments(const PlacementProblem& problem);

struct SolverOptions {
  size_t max_states = 4096;          // states kept per atom
  size_t max_transitions = 300'000;  // in all; lowers max_states on long problems and where many values live
  size_t max_cells = 250'000'000;    // places of values in states; beyond, one state an atom, or the best seed
};

struct Placement {
  Assignment units;
  double cost = kInfeasible;
  double lower_bound = 0;  // of every plan of this problem; = cost when exact
  size_t peak_states = 0;
  size_t peak_live = 0;  // most values at once whose place matters later
};

// SolvePlacement minimises the cost by dynamic programming along the order. A state is the last unit, which live values
// were made in its segment, the units that hold each of them and what the limits have used up. States that provably
// cannot win are dropped. While no more than max_states are left the result is exact; beyond that the most promising
// are kept, and lower_bound is the least that a dropped one could have reached. `seeds` are known plans whose cost
// bounds the search. None when no plan is feasible, or none was found among the kept states.
std::optional<Placement> SolvePlacement(const PlacementProblem& problem, const SolverOptions& options,
                                        const std::vector<Assignment>& seeds);

}  // namespace hwest
