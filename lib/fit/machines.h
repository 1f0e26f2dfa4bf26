// Machines that are timed on again and again while their target's figures stay.
#pragma once

#include <deque>

#include "absl/status/statusor.h"
#include "cost/machine.h"
#include "hwest/target.h"

namespace hwest {

// The machines of one target, each made once: looking up its figures takes longer than timing a group on it. The target
// outlives them, and its figures stay.
class Machines {
 public:
  explicit Machines(const Target& target) : target_(target) {}

  const Target& target() const { return target_; }
  const absl::StatusOr<Machine>& At(UnitId unit, Precision precision);

 private:
  struct Row {
    UnitId unit;
    Precision precision;
    absl::StatusOr<Machine> machine;
  };

  const Target& target_;
  std::deque<Row> rows_;
};

}  // namespace hwest
