// Liveness: when activations are in memory, and how many bytes of them at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/types/span.h"
#include "hwest/analysis.h"
#include "plan/run_group.h"

namespace hwest {

// When a value is alive, as positions in an order; both ends included.
struct LiveRange {
  static constexpr size_t kNever = SIZE_MAX;
  size_t first = kNever;
  size_t last = 0;
  std::optional<int64_t> bytes;  // as deployed; none = not known
  bool is_output = false;        // of the model
  bool valid() const { return first != kNever; }
};

// FindLiveRanges walks along `order`. A value lives from its producer (model inputs: from the start) to its last reader
// (model outputs: to the end); views share their source's bytes; a group's inputs and outputs are alive together.
IdMap<ValueId, LiveRange> FindLiveRanges(const ModelView& model, const std::vector<const RunGroup*>& order);

// Bytes alive during each group, of the values whose size is known.
std::vector<int64_t> LiveBytesOf(absl::Span<const Lifetime> lifetimes, size_t num_groups);

// Peak of simultaneously live bytes.
int64_t PeakLiveBytes(absl::Span<const Lifetime> lifetimes, size_t num_groups);

}  // namespace hwest
