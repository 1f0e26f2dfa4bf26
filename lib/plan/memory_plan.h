// The memory plan: which activations of a plan share their place, in which memory each lies, and at which address.
//
// What needs no bytes of its own has none: a view; the parts of a Concat that its producers write where they end up;
// the parts of a Split of what ends there, where they are neighbours; the result of element-wise work on what it reads
// for the last time; what a Pad frames, where kernels write with strides. A value in another's place has its bytes
// until, or from, the group at which the other takes over.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "plan/draft.h"

namespace hwest {

// Of an address, where a unit does not state tensor_alignment_bytes: a line of the caches of most processors.
inline constexpr int64_t kTensorAlignment = 64;

// PlanMemory returns the rows of a plan's activations with their memories and offsets, ascending by value. A value lies
// in the scratchpad where it stays on the chip and has an address there, else in the shared memory of the unit that
// makes it; inputs lie where they are read first.
std::vector<Lifetime> PlanMemory(const PlanInput& input, const Problem& problem, const Draft& draft);

// The same of a finished plan whose groups run in another order; rows count in it. Sizes are the assumed ones.
std::vector<Lifetime> PlanMemoryInOrder(const ModelView& model, const Target& target, const Plan& plan,
                                        absl::Span<const GroupId> order);

// Gives the rows in `memory` their addresses anew, those of one place together: for sizes and lifetimes that changed.
void PlaceAnew(const Target& target, uint32_t memory, std::vector<Lifetime>* lifetimes);

// What the activations in one memory take.
struct ArenaUse {
  uint32_t memory = 0;
  int64_t bytes = 0;        // one past the highest address
  int64_t least_bytes = 0;  // the largest sum of bytes alive at once
};
// Ascending by memory; without those that hold no activation.
std::vector<ArenaUse> ArenasOf(absl::Span<const Lifetime> lifetimes, size_t num_groups);

// What activations take at the peak: the largest sum of bytes alive at once, in whichever memory, and what addresses
// leave unused below the highest one.
int64_t PeakOfActivations(absl::Span<const Lifetime> lifetimes, size_t num_groups);

// What is wrong with the rows, in words; empty when no two overlap in a memory while both are alive, and no offset is
// negative.
std::vector<std::string> ProblemsOf(absl::Span<const Lifetime> lifetimes);

}  // namespace hwest
