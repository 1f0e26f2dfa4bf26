// Residency: which values stay in a unit's on-chip memory between the group that makes them and those that read them.
#pragma once

#include <cstdint>
#include <vector>

#include "hwest/target.h"
#include "plan/run_group.h"

namespace hwest {

// OnChip is what fits when the unit runs `order` without interruption.
struct OnChip {
  IdMap<ValueId, uint8_t> stays;  // 1 = from its producer to its last reader
  bool weights_stay = false;      // all weights live in a cache that also holds the activations
};

// FindOnChip walks along `order` and keeps each new value that still fits beside those alive. Outputs of the model and
// values that no group of `order` reads or makes never stay.
OnChip FindOnChip(const ModelView& model, const Target& target, const Unit& unit,
                  const std::vector<const RunGroup*>& order);

// The bytes of `group` that stay; `leaves[value]` != 0 marks values that must be in shared memory all the same.
Residency ResidencyOf(const ModelView& model, const RunGroup& group, const OnChip& on_chip,
                      const IdMap<ValueId, uint8_t>& leaves);

// Bytes of the distinct constants that the groups read, as deployed; sizes that are unknown are left out.
int64_t WeightBytes(const ModelView& model, const std::vector<const RunGroup*>& groups);

}  // namespace hwest
