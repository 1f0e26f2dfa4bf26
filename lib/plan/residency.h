// Residency: which values stay in a unit's on-chip memory between the group that makes them and those that read them.
#pragma once

#include <cstdint>
#include <vector>

#include "hwest/target.h"
#include "plan/run_group.h"

namespace hwest {

// How much of a value stays on the chip from its producer to its last reader.
struct Stay {
  int64_t bytes = 0;
  uint32_t whole_until = 0;  // what readers up to this step find there whole, before a part makes room for others
  bool is_whole = false;     // all of it lies there at once, all the time
};

// OnChip is what fits when the unit runs `order` without interruption.
struct OnChip {
  IdMap<ValueId, Stay> stays;
  IdMap<NodeId, uint32_t> steps;  // of groups in `order`, by root
  double weights_share = 0;       // of each weight that does not cross again: 1 where a cache holds them, too
  double cached_share = 0;        // of each weight that a cache behind the scratchpad holds
};

// FindOnChip lets values stay one by one, each time the one that needs least room beside those that stay already, so
// that what stays in a memory stays in every larger one. In a cache the weights stay before the values, or not at all,
// whichever saves more bytes. Where the unit states that chains of kernels run in tiles, it walks along `order` instead
// and lets go of what is read last once more is alive than fits, except what passes to the next kernel in tiles.
// Outputs of the model and values that no group of `order` reads or makes never stay.
OnChip FindOnChip(const ModelView& model, const Target& target, const Unit& unit,
                  const std::vector<const RunGroup*>& order);

// MostOnChip is FindOnChip as if every value had the memory to itself: no plan keeps more.
OnChip MostOnChip(const ModelView& model, const Target& target, const Unit& unit,
                  const std::vector<const RunGroup*>& order);

// What `group` finds on the chip of a value that it reads, and leaves there of one that it writes.
int64_t StayingRead(const RunGroup& group, const OnChip& on_chip, const Access& read);
int64_t StayingWrite(const RunGroup& group, const OnChip& on_chip, const Access& write);

// StayingBytes is what a group reads and writes of values that stay. Subtract those of a value that does not although
// it would fit: it is read from, or made for, another segment.
struct StayingBytes {
  int64_t reads = 0, writes = 0;
};
StayingBytes StayingBytesOf(const RunGroup& group, const OnChip& on_chip);

// The bytes of `group` that need not be moved: no more than it moves.
Residency ResidencyOf(const RunGroup& group, const OnChip& on_chip, const StayingBytes& staying);

// Bytes of the weights that the groups of one unit read (see WeightCopies); none when they are more than `limit`.
std::optional<int64_t> WeightBytesUpTo(const ModelView& model, const std::vector<const RunGroup*>& groups,
                                       int64_t limit);

}  // namespace hwest
