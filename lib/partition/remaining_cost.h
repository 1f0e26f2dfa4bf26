// RemainingCost: a lower bound on the cost of the atoms from a given one on, whatever plan precedes them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "partition/solver.h"
#include "partition/value_table.h"

namespace hwest {

// The limit that bounds and pruning track: segments of one unit, or of all that are not free (unit = kNone). The states
// themselves track others.
struct SegmentBudget {
  static constexpr uint32_t kNone = ValueFacts::kNone;
  uint32_t unit = kNone;
  size_t column = 0;      // of the state's row that counts it
  uint32_t segments = 0;  // allowed
  bool is_set = false;
};

// Rows by last unit and used budget, one for each atom. Only the row at the start of each block of atoms is kept; the
// search recomputes a block's rows from it on reaching the block.
class RemainingCost {
 public:
  RemainingCost(const PlacementProblem& problem, const ValueTable& values) : problem_(problem), values_(values) {}

  // Call this once, before the others.
  void Find(const SegmentBudget& budget);
  // Loads the block that begins at `atom`, if one does.
  void Reach(size_t atom);
  // The remaining cost from `atom` on after one that ran on `from`, with `used` of the budget used up. The block of
  // `atom` must be loaded, or `atom` must be the first of the next block.
  double At(size_t atom, uint32_t from, size_t used) const {
    return block_[(atom - block_first_) * RowWidth() + size_t{from} * (budget_.segments + 1) + used];
  }

 private:
  using ReadRows = absl::InlinedVector<uint32_t, 4>;

  size_t RowWidth() const { return size_t{problem_.num_units} * (budget_.segments + 1); }
  ReadRows CertainReads(size_t atom) const;
  double Chained(size_t atom, const ReadRows& reads, uint32_t from, uint32_t to) const;
  void FindRow(size_t atom, const double* after, double* row) const;

  const PlacementProblem& problem_;
  const ValueTable& values_;
  SegmentBudget budget_;
  std::vector<double> checkpoints_;
  std::vector<double> block_;
  size_t block_first_ = 0;
  size_t block_atoms_ = 1;
};

}  // namespace hwest
