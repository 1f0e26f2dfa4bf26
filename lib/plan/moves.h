// Moves: the cost of handing a value from one unit to another.
#pragma once

#include "cost/precision.h"
#include "hwest/target.h"

namespace hwest {

struct MoveCost {
  bool possible = true;
  double fixed_s = 0;
  double s_per_byte = 0;
  double j_per_byte = 0;

  bool operator==(const MoveCost&) const = default;
};

// MoveBetween follows the link of the two units: its latency per value, and its bandwidth when bytes are copied or
// change layout (another kind of unit or another precision). Without a link, units of one shared memory hand over for
// free and others not at all.
MoveCost MoveBetween(const Target& target, UnitId from, UnitId to, bool changes_layout);

// MoveFromHost is for inputs of the model, which lie in the memory of the CPU: free inside a chip, a copy over a link
// that copies. The same holds for outputs.
MoveCost MoveFromHost(const Target& target, UnitId to);

// True when the unit reads another memory than the CPU, so that inputs of the model are sent to it as it reads them.
bool HasOwnMemory(const Target& target, UnitId unit);

}  // namespace hwest
