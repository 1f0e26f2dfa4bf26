// Arenas: addresses for buffers whose lifetimes are known, so that no two overlap while both are alive.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"

namespace hwest {

// A stretch of a buffer and the steps during which it is taken, both included. Pieces of one buffer move together.
struct ArenaPiece {
  int64_t bytes = 0;
  size_t first = 0, last = 0;
  uint32_t buffer = 0;
  int64_t at = 0;  // from the start of the buffer; >= 0
};

struct Arena {
  std::vector<int64_t> offsets;  // by buffer
  int64_t bytes = 0;             // one past the highest address
  int64_t least_bytes = 0;       // the largest sum of bytes alive at once: no arena is smaller
};

// PackArena gives every buffer an offset that is a multiple of `alignment`. It places them greedily by size, by how
// much is alive around them and by time, each at the best and at the lowest fit, then moves up in the order what ends
// highest, and keeps the smallest arena. It stops where none can be smaller. Equal pieces make equal arenas.
Arena PackArena(absl::Span<const ArenaPiece> pieces, size_t num_buffers, int64_t alignment);

}  // namespace hwest
