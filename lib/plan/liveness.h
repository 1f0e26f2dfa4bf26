// Liveness: the most bytes of activations that are alive at once.
#pragma once

#include <cstdint>
#include <vector>

#include "plan/run_group.h"

namespace hwest {

// When a value is alive, as positions in an order; both ends included.
struct Life {
  static constexpr size_t kNever = SIZE_MAX;
  size_t first = kNever;
  size_t last = 0;
  int64_t bytes = 0;  // as deployed, 0 = not known
  bool valid() const { return first != kNever; }
};

// FindLives walks along `order`. A value lives from its producer (model inputs: from the start) to its last reader
// (model outputs: to the end); views share their source's bytes; a group's inputs and outputs are alive together.
IdMap<ValueId, Life> FindLives(const ModelView& model, const std::vector<const RunGroup*>& order);

// The most bytes of these lives that are there at once.
int64_t PeakLiveBytes(const ModelView& model, const std::vector<const RunGroup*>& order);

}  // namespace hwest
