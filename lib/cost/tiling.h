// How a contraction is cut into tiles that fit a buffer, and what crosses the edge of that buffer then. A pure function
// of sizes: it knows no operator, unit or target.
#pragma once

#include <cstdint>

#include "hwest/estimate.h"

namespace hwest {

// An operand as a whole.
struct TiledOperand {
  double bytes = 0;     // that its tiles take of the buffer, in parts of it
  bool crosses = true;  // false: made inside the buffer, or read there alone
};

// TiledProduct is [m, k] x [k, n].
struct TiledProduct {
  int64_t m = 0, n = 0, k = 0;
  TiledOperand a, b, c;
  double sum_bytes = 0;   // of all results while they are sums, at the width of an accumulator
  double halo_bytes = 0;  // of `a` that two tiles beside each other along m both read
  int64_t k_step = 1;     // least k of a tile: the taps of a window
  int64_t rows = 0;       // m goes so many rows at a time, each time after the last; 0 = in any order
};

// CrossingBytes is what a product moves across the edge of its buffer.
struct CrossingBytes {
  double read = 0;     // into the buffer
  double written = 0;  // out of it

  double total() const { return read + written; }
};

struct TiledLoops {
  Tiling tiling;
  CrossingBytes crossing;
};

// Each operand once: no tiling moves less.
CrossingBytes Compulsory(const TiledProduct& product);

// CrossingOf is what tiles of m x n x k move in that order. An operand stays in the buffer until a loop that it depends
// on goes on, so it crosses once for each step of the other loops outside of that one; sums that have to wait for the
// rest of k leave and come back at the width of accumulators. What two tiles beside each other both read stays there
// from one to the other, unless other parts of k come between them.
CrossingBytes CrossingOf(const TiledProduct& product, const Tiling& tiling);

// Bytes of the buffer that those tiles take. Each operand has `buffers` tiles, so that one loads while another is used,
// but one that is there as a whole.
double BufferBytesOf(const TiledProduct& product, const Tiling& tiling, int buffers);

// BestTiling minimises the bytes that cross a buffer of `buffer_bytes`. More room never moves more: for each choice of
// two sides of a tile, which do not depend on the room, the third is the largest that fits.
TiledLoops BestTiling(const TiledProduct& product, double buffer_bytes, int buffers);

}  // namespace hwest
