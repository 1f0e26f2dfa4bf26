// Speeds of pieces that run at the same time on one shared memory.
#pragma once

#include <vector>

#include "absl/types/span.h"
#include "workload/stack.h"

namespace hwest {

// What a piece asks of its memory.
struct Demand {
  const Piece* piece = nullptr;
  double mean_bytes_per_s = 0;
  double burst_bytes_per_s = 0;
};
Demand DemandOf(const Piece& piece);

// The factor by which the memory part of `own` takes longer beside others that ask for `others_bytes_per_s`: the memory
// is shared in proportion to what is asked.
double StretchOf(const Demand& own, double others_bytes_per_s, const SharedPool& pool);

// SecondsOf returns how long each piece takes from begin to end while all of them run. A piece in its memory part meets
// the others at their mean traffic; where that would move more than the memory delivers, their bursts meet as much more
// often as it takes for the sum to fit. No piece takes longer than if all bursts met all the time.
void SecondsOf(absl::Span<const Demand> running, const SharedPool& pool, std::vector<double>* seconds);

}  // namespace hwest
