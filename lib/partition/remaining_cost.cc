#include "partition/remaining_cost.h"

#include <algorithm>

namespace hwest {
namespace {

constexpr size_t kBlockCells = size_t{1} << 20;  // of RemainingCost::block_, unless the rows are long
constexpr size_t kLeastBlockAtoms = 1024;

}  // namespace

// Reads of `atom` whose moves depend only on where it and the previous atom run: values made by that atom, and model
// inputs without an earlier reader.
RemainingCost::ReadRows RemainingCost::CertainReads(size_t atom) const {
  ReadRows rows;
  for (uint32_t r = 0; r < problem_.atoms[atom].reads.size(); ++r) {
    const ValueFacts& facts = values_[problem_.atoms[atom].reads[r]];
    const bool is_new_input = facts.producer == ValueFacts::kNone && facts.first == atom;
    const bool is_chained = atom != 0 && facts.producer == atom - 1 && facts.settled == ValueFacts::kNone;
    if (is_new_input || is_chained) rows.push_back(r);
  }
  return rows;
}

// The cost of the certain reads of `atom` on `to` when the previous atom ran on `from`.
double RemainingCost::Chained(size_t atom, const ReadRows& reads, uint32_t from, uint32_t to) const {
  double cost = 0;
  for (const uint32_t r : reads) {
    const uint32_t value = problem_.atoms[atom].reads[r];
    if (values_[value].producer == ValueFacts::kNone) {
      cost += problem_.Move(value, problem_.num_units, to);
    } else if (from != to) {
      cost += problem_.Move(value, from, to) + problem_.Spill(value, from) + problem_.ReadSpill(atom, r, to);
    }
  }
  return cost;
}

void RemainingCost::FindRow(size_t atom, const double* after, double* row) const {
  const size_t levels = budget_.segments + 1;
  std::fill(row, row + RowWidth(), kInfeasible);
  const ReadRows reads = CertainReads(atom);
  for (uint32_t to = 0; to < problem_.num_units; ++to) {
    if (problem_.CostOf(atom, to) == kInfeasible) continue;
    const double write_cost = values_.WriteCost(atom, to);
    for (uint32_t from = 0; from < problem_.num_units; ++from) {
      // Nothing needs the rest after a unit that cannot run the previous atom.
      if (atom != 0 && problem_.CostOf(atom - 1, from) == kInfeasible) continue;
      const bool starts = problem_.Starts(atom, from, to);
      const double switching = starts ? problem_.invoke[to] : 0;
      const double cost = problem_.CostOf(atom, to) + switching + Chained(atom, reads, from, to) + write_cost;
      const bool counts = budget_.is_set && starts &&
                          (budget_.unit == SegmentBudget::kNone ? !problem_.limits[to].is_free : budget_.unit == to);
      for (size_t used = 0; used + counts < levels; ++used) {
        double& least = row[from * levels + used];
        least = std::min(least, cost + after[to * levels + used + counts]);
      }
    }
  }
}

// The first block needs no checkpoint: nothing precedes it.
void RemainingCost::Find(const SegmentBudget& budget) {
  budget_ = budget;
  const size_t width = RowWidth();
  const size_t num_atoms = problem_.atoms.size();
  block_atoms_ = std::max(kLeastBlockAtoms, kBlockCells / width);
  checkpoints_.assign((num_atoms / block_atoms_ + 1) * width, 0);
  std::vector<double> row(width, 0), after(width, 0);
  for (size_t atom = num_atoms; atom-- > block_atoms_;) {
    row.swap(after);
    FindRow(atom, after.data(), row.data());
    if (atom % block_atoms_ != 0) continue;
    std::copy(row.begin(), row.end(), checkpoints_.begin() + static_cast<ptrdiff_t>(atom / block_atoms_ * width));
  }
}

void RemainingCost::Reach(size_t first) {
  if (first % block_atoms_ != 0) return;
  const size_t width = RowWidth();
  const size_t end = std::min(first + block_atoms_, problem_.atoms.size());
  block_first_ = first;
  block_.assign((end - first + 1) * width, 0);
  if (end < problem_.atoms.size()) {
    const auto next = checkpoints_.begin() + static_cast<ptrdiff_t>(end / block_atoms_ * width);
    std::copy(next, next + static_cast<ptrdiff_t>(width), block_.end() - static_cast<ptrdiff_t>(width));
  }
  for (size_t atom = end; atom-- > first;) {
    double* const row = block_.data() + (atom - first) * width;
    FindRow(atom, row + width, row);
  }
}

}  // namespace hwest
