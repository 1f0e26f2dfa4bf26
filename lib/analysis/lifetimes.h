// Lifetimes: when the activations of a plan are in memory.
#pragma once

#include <cstdint>
#include <vector>

#include "hwest/analysis.h"

namespace hwest {

// A value as deployed, from the group that makes it (inputs of the model: the first one) to the last that reads it
// (outputs of the model: the last one), both included. Views share the bytes of what they view and have no row.
struct Lifetime {
  ValueId value;
  int64_t bytes = 0;  // data-dependent sizes at their upper bound; 0 = not known
  GroupId first;
  GroupId last;
};

// Ascending by value; empty without a plan. Weights have no rows: all of them are there all the time.
std::vector<Lifetime> LifetimesOf(const Analysis& analysis);

// Bytes alive during each group; with the deployed weights their largest is the plan's peak_memory_bytes.
std::vector<int64_t> LiveBytesOf(const std::vector<Lifetime>& lifetimes, size_t num_groups);

}  // namespace hwest
