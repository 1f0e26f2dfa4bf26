// Memory needs: what a plan keeps in each memory of its target at once, and whether the memory holds it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "cost/model_view.h"
#include "hwest/analysis.h"
#include "plan/weight_copies.h"

namespace hwest {

// MemoryNeedsOf adds up `weights` and what is alive at the peak, by memory. A unit's data lie in the last of its
// memories, behind a card's window in that of its host; what the plan keeps in a scratchpad has its row there. Where a
// memory is read-only, weights lie there, and activations in the largest of the others. On a target whose plan keeps
// all in one memory the sum is its peak memory.
std::vector<MemoryNeed> MemoryNeedsOf(const ModelView& model, const Target& target, const Plan& plan,
                                      const WeightCopies& weights);

// The memory that data in `memory` lie in: a card's memory without a size of its own is a window on that of its host.
const Memory* BehindWindow(const Target& target, const Memory* memory);

// AddNeeds adds those of another model on the same target. The sums are not judged yet.
void AddNeeds(absl::Span<const MemoryNeed> more, std::vector<MemoryNeed>* sum);

// JudgeNeed fills what the target decides: size, fits and why. The size of an estimate is known within its range alone.
void JudgeNeed(const Target& target, MemoryNeed* need);

// Whether all of them fit; none = not known, or there are none.
std::optional<bool> FitsIn(absl::Span<const MemoryNeed> needs);

// "dram has to hold 131 GB (weights 130.9 GB, activations 152 MB), 62.3 GB more than its 68.7 GB" for each that does
// not, apart by "; ".
std::string MissingMemoryText(absl::Span<const MemoryNeed> needs);

// Why FitsIn is not known; empty when it is.
std::string UnknownFitText(absl::Span<const MemoryNeed> needs);

}  // namespace hwest
