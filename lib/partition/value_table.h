// ValueTable: what the placement search needs to know about each value, computed once.
#pragma once

#include <cstdint>
#include <vector>

#include "partition/solver.h"

namespace hwest {

struct ValueFacts {
  static constexpr uint32_t kNone = UINT32_MAX;
  uint32_t producer = kNone;  // atom; kNone for inputs of the model
  uint32_t first = kNone;     // reader; kNone when it has none
  uint32_t last = 0;
  // The only unit that can run its readers, if reading it there costs the same in every segment. That cost is then paid
  // where the value is made (for an input, at its first reader), so no state has to track where it is.
  uint32_t settled = kNone;
  uint64_t readers = 0;  // units on which some reader can run, a bit each
  bool spills = false;   // leaving its segment has a cost on some unit
  bool tracked = false;  // its place affects the cost of later atoms
  double slack = 0;      // the most that moving and spilling it for every reader can cost
};

// The only unit that can run `atom`; kNone when there are several or none.
uint32_t OnlyUnit(const PlacementProblem& problem, size_t atom);

class ValueTable {
 public:
  explicit ValueTable(const PlacementProblem& problem);

  const ValueFacts& operator[](uint32_t value) const { return facts_[value]; }
  size_t size() const { return facts_.size(); }
  // The certain cost of the values that `atom` makes on `unit`.
  double WriteCost(size_t atom, uint32_t unit) const;

 private:
  void FindReaders();
  void FindSpills();
  void FindSettled();
  bool CostsToMove(uint32_t value) const;

  const PlacementProblem& problem_;
  std::vector<ValueFacts> facts_;
};

}  // namespace hwest
