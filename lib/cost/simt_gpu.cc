// SIMT GPU: a contraction is cut into output tiles, one thread block each, that fill the cores in waves. The library
// picks the tile and the number of slices of k that end first, as its autotuner would.
#include <algorithm>
#include <cmath>
#include <limits>

#include "cost/cost.h"
#include "cost/machine.h"

namespace hwest {
namespace {

// Of the 65,536 registers of 4 bytes in each multiprocessor half hold sums. Source: CUDA C++ programming guide, compute
// capabilities 3.0 to 12.0.
constexpr double kSumBytes = 131072;

// The largest output tile of one block where the file states none; k is one step of the main loop.
Tile LargestTile(const Machine&, double) { return {.m = 128, .n = 128, .k = 32}; }
// Libraries also carry kernels for fractions of the largest tile.
constexpr uint32_t kFractions[] = {1, 2, 4};
constexpr uint32_t kSmallestSide = 16;
constexpr int64_t kSlices[] = {1, 2, 4, 8, 16};
// Bytes per cycle that one core reads from the last-level cache.
constexpr double kCacheBytesPerCycle = 64;
constexpr double kAccumulatorBytes = 4;

double CacheBytesPerS(const Machine& machine) {
  const Memory* cache = machine.on_chip;
  if (cache != nullptr && cache->bytes_per_s.value_or(0) > 0) return cache->bytes_per_s.value_or(0);
  return kCacheBytesPerCycle * machine.engines * machine.clock_hz;
}

// Blocks run in whole waves; filling and draining the pipeline costs waves_half of one more.
double SimtTiledSeconds(const Machine& machine, const ContractionSize& size, double rate, const Tile& tile,
                        int64_t slices) {
  const int64_t tiles = CeilDiv(size.m, tile.m) * CeilDiv(size.n, tile.n);
  const double blocks = static_cast<double>(size.batch) * static_cast<double>(tiles * slices);
  const double depth = static_cast<double>(CeilDiv(CeilDiv(size.k, slices), tile.k) * tile.k);
  const double waves = std::ceil(blocks / machine.engines) + machine.waves_half;
  const double block_macs = static_cast<double>(tile.m) * tile.n * depth;
  const double compute = waves * block_macs / (rate * machine.clock_hz * machine.compute_efficiency);

  const double operand_bytes = NumBits(machine.precision.act) / 8.0;
  double cache_bytes = blocks * (static_cast<double>(tile.m) + tile.n) * depth * operand_bytes;
  if (slices > 1) {
    cache_bytes += 2 * kAccumulatorBytes * static_cast<double>(slices) * static_cast<double>(size.batch) *
                   static_cast<double>(size.m) * static_cast<double>(size.n);
  }
  return std::max(compute, cache_bytes / CacheBytesPerS(machine));
}

double BestSlices(const Machine& machine, const ContractionSize& size, double rate, const Tile& tile) {
  double best = std::numeric_limits<double>::infinity();
  for (const int64_t slices : kSlices) {
    if (slices > 1 && slices * tile.k > size.k) break;
    best = std::min(best, SimtTiledSeconds(machine, size, rate, tile, slices));
  }
  return best;
}

double BestFraction(const Machine& machine, const ContractionSize& size, double rate, const Tile& largest) {
  double best = std::numeric_limits<double>::infinity();
  for (const uint32_t rows : kFractions) {
    for (const uint32_t columns : kFractions) {
      Tile tile = largest;
      tile.m = std::max(std::min(kSmallestSide, largest.m), largest.m / rows);
      tile.n = std::max(std::min(kSmallestSide, largest.n), largest.n / columns);
      best = std::min(best, BestSlices(machine, size, rate, tile));
    }
  }
  return best;
}

double SimtSeconds(const Machine& machine, const ContractionSize& size, double rate) {
  ContractionSize step = size;
  double steps = 1;
  if (size.kind == ContractionKind::kRecurrent) {
    steps = static_cast<double>(size.batch);
    step.batch = 1;
  }
  double best = VectorSeconds(machine, step);
  for (const Tile& tile : machine.tiles) best = std::min(best, BestFraction(machine, step, rate, tile));
  return steps * best;
}

}  // namespace

extern const KindRow kSimtGpuRow = {
    .kind = UnitKind::kSimtGpu, .seconds = SimtSeconds, .default_tile = LargestTile, .sum_bytes = kSumBytes};

}  // namespace hwest
