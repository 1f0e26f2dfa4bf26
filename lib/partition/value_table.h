// ValueTable: what the placement search needs to know of each value, found once.
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
  // The one unit on which all readers run, when there is no choice and reading it there costs the same in every
  // segment. What that takes is paid when the value is made (an input: at its first reader), so nothing has to remember
  // where it is.
  uint32_t settled = kNone;
  uint64_t readers = 0;  // units on which some reader can run, a bit each
  bool spills = false;   // leaving its segment costs something on some unit
  bool tracked = false;  // where it is decides what later atoms cost
  double slack = 0;      // most that moving and spilling it for every reader can cost
};

// The only unit that can run `atom`; kNone when there are several or none.
uint32_t OnlyUnit(const PlacementProblem& problem, size_t atom);

class ValueTable {
 public:
  explicit ValueTable(const PlacementProblem& problem);

  const ValueFacts& operator[](uint32_t value) const { return facts_[value]; }
  size_t size() const { return facts_.size(); }
  // What the values that `atom` makes on `unit` cost for certain.
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
