// RemainingCost: the least that the atoms from one on cost, whatever the plan up to there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "partition/solver.h"
#include "partition/value_table.h"

namespace hwest {

// The limit that bounds and pruning keep an eye on: segments of one unit, or of all that are not free (unit = kNone).
// Others are left to the states themselves.
struct SegmentBudget {
  static constexpr uint32_t kNone = ValueFacts::kNone;
  uint32_t unit = kNone;
  size_t column = 0;      // of the state's row that counts it
  uint32_t segments = 0;  // allowed
  bool is_set = false;
};

// Rows by last unit and used budget, one an atom. Kept at the start of each block of atoms, from which the rows of one
// block are found again when the search gets there.
class RemainingCost {
 public:
  RemainingCost(const PlacementProblem& problem, const ValueTable& values) : problem_(problem), values_(values) {}

  // To be called once, before the others.
  void Find(const SegmentBudget& budget);
  // Loads the block that begins at `atom`, if one does.
  void Reach(size_t atom);
  // What is left from `atom` on after one that ran on `from`, with `used` of the budget used up. Requires that the
  // block of `atom` is loaded, or that it is the first of the next one.
  double At(size_t atom, uint32_t from, size_t used) const {
    return block_[(atom - block_first_) * RowWidth() + from * (budget_.segments + 1) + used];
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
