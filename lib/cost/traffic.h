// What a group moves through each memory of its unit.
#pragma once

#include <optional>

#include "absl/container/inlined_vector.h"
#include "cost/machine.h"
#include "cost/tiling.h"
#include "hwest/estimate.h"

namespace hwest {

// Bytes of one memory: read from it, written to it.
struct LevelTraffic {
  CrossingBytes asked;   // by the unit, or by the memory in front
  CrossingBytes filled;  // by the memory behind it: written when it reads, read when it takes

  CrossingBytes All() const { return {asked.read + filled.read, asked.written + filled.written}; }
};

struct GroupTraffic {
  absl::InlinedVector<LevelTraffic, 3> levels;  // by Machine::levels
  double reload_bytes = 0;                      // of the last one, past each byte once
  double cached_bytes = 0;                      // of the last one that a cache in front of it holds: no one waits
  std::optional<Tiling> tiling;                 // of the largest contraction, in what is nearer than the last one
};

// TrafficOf follows each byte that the group needs from the shared memory to the unit and each result back. What stays
// on the chip does not come from outside. A contraction is tiled for the room in front of each memory, which decides
// what it asks of that memory (see BestTiling); filling a memory is an access of it, too. Requires known bytes. What a
// memory of unknown size holds is not known: nothing crosses twice then.
GroupTraffic TrafficOf(const Machine& machine, const GroupWork& work, const Residency& residency);

}  // namespace hwest
