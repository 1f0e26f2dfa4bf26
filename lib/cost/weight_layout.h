// How weights lie in memory as a unit's compiler lays them out: channels fill blocks, the last of which is filled up.
#pragma once

#include "hwest/estimate.h"
#include "hwest/target.h"

namespace hwest {

struct WeightBlocks {
  int64_t inputs = 1;   // channels
  int64_t outputs = 1;  // channels
};

// What the unit states at `precision`.
WeightBlocks WeightBlocksOf(const Unit& unit, Precision precision);

// How many times their bytes the weights of one contraction take; 1 where it has none.
double PaddedShare(const WeightBlocks& blocks, const ContractionSize& size);

// The same of all weights of a group.
double PaddedShare(const WeightBlocks& blocks, const GroupWork& work);

}  // namespace hwest
