// SIMT GPU: a contraction is cut into output tiles, one thread block each, that fill the cores in waves. The library
// picks the tile and the number of slices of k that end first, as its autotuner would.
#include <algorithm>
#include <cmath>
#include <limits>

#include "cost/cost.h"
#include "cost/machine.h"
#include "cost/precision.h"
#include "target/names.h"

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
// Queries that a block of an attention kernel keeps; keys and elements of a head that it takes at once.
constexpr int64_t kQueryRows[] = {16, 64, 128};
constexpr int64_t kKeyStep = 64;
constexpr int64_t kHeadStep = 32;
// Bytes along k of one step of a block, in kernels of every number format.
constexpr double kStepBytes = 64;
// Bytes per cycle that one core reads from the last-level cache.
constexpr double kCacheBytesPerCycle = 64;
constexpr double kAccumulatorBytes = 4;

double CacheBytesPerS(const Machine& machine) {
  const Memory* cache = machine.on_chip;
  if (cache != nullptr && cache->bytes_per_s.value_or(0) > 0) return cache->bytes_per_s.value_or(0);
  return kCacheBytesPerCycle * machine.engines * machine.clock_hz;
}

// Blocks of a core take turns: some multiply while others start or write their results. As many fit as their sums do.
constexpr double kMostResidents = 8;
constexpr double kLeastResidents = 2;

// Cycles of a core that takes `blocks` of them one after the other, each `products` cycles of its multipliers. The
// operands of each of its `steps` arrive behind those of the one before.
double CyclesOf(const Machine& machine, double blocks, double products, double steps, double sum_bytes) {
  const double residents = std::clamp(std::floor(kSumBytes / sum_bytes), kLeastResidents, kMostResidents);
  const double alone = std::max(products, steps * machine.step_cycles) + machine.block_cycles;
  return machine.waves_half * products + alone + (blocks - 1) * std::max(products, alone / residents);
}

// Blocks run in whole waves; filling and draining the pipeline costs waves_half of one more. A block takes its operands
// through the port of its core, and cycles of its own before the first product and after the last one.
double SimtTiledSeconds(const Machine& machine, const ContractionSize& size, double rate, const Tile& tile,
                        int64_t slices) {
  const int64_t tiles = CeilDiv(size.m, tile.m) * CeilDiv(size.n, tile.n);
  const double blocks = static_cast<double>(size.batch) * static_cast<double>(tiles * slices);
  const double depth = static_cast<double>(CeilDiv(CeilDiv(size.k, slices), tile.k) * tile.k);
  const double waves = std::ceil(blocks / machine.engines);
  const double block_macs = static_cast<double>(tile.m) * tile.n * depth;
  const double operand_bytes = NumBits(machine.precision.act) / 8.0;
  const double block_bytes = (static_cast<double>(tile.m) + tile.n) * depth * operand_bytes;
  const double steps = depth * operand_bytes / kStepBytes;
  const double loads = machine.core_bytes > 0 ? block_bytes / machine.core_bytes : 0;
  const double cycles = std::max(block_macs / (rate * machine.compute_efficiency), loads);
  const double sum_bytes = kAccumulatorBytes * tile.m * tile.n;
  const double compute = CyclesOf(machine, waves, cycles, steps, sum_bytes) / machine.clock_hz;

  double cache_bytes = blocks * block_bytes;
  if (slices > 1) {
    cache_bytes += 2 * kAccumulatorBytes * static_cast<double>(slices) * static_cast<double>(size.batch) *
                   static_cast<double>(size.m) * static_cast<double>(size.n);
  }
  return std::max(compute, cache_bytes / CacheBytesPerS(machine));
}

bool IsWindow(const ContractionSize& size) {
  return size.kind == ContractionKind::kConv || size.kind == ContractionKind::kConvTranspose;
}

double BestSlices(const Machine& machine, const ContractionSize& size, double rate, const Tile& tile) {
  const double most = IsWindow(size) && size.kernel_elements > 1 ? machine.window_slices : machine.most_slices;
  double best = std::numeric_limits<double>::infinity();
  for (const int64_t slices : kSlices) {
    if (slices > 1 && (slices > most || slices * tile.k > size.k)) break;
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

// Matrix units take whole vectors of the input channels of a window, so that an image of three is filled up. TF32 has
// no such kernels: layers of so few channels stay on the lanes of FP32.
struct Filled {
  ContractionSize size;
  double rate = 0;
};

Filled FillChannels(const Machine& machine, const ContractionSize& size, double rate) {
  Filled filled{.size = size, .rate = rate};
  const Num act = machine.precision.act;
  const auto vector = static_cast<int64_t>(machine.channel_bytes * 8 / std::max(1, NumBits(act)));
  if (!IsWindow(size) || act == Num::kFp32 || vector <= 1) return filled;
  const int64_t channels = Channels(size);
  if (act != Num::kTf32) {
    filled.size.k = CeilDiv(channels, vector) * vector * std::max<int64_t>(1, size.kernel_elements);
  } else if (channels < vector) {
    const Rate* lanes = RateFor(machine.unit, WorkKind::kContraction, {Num::kFp32, Num::kFp32});
    if (lanes != nullptr) filled.rate = std::min(rate, lanes->per_cycle.value_or(rate));
  }
  return filled;
}

double SimtSeconds(const Machine& machine, const ContractionSize& size, double peak_rate) {
  const auto [filled, rate] = FillChannels(machine, size, peak_rate);
  ContractionSize step = filled;
  double steps = 1;
  if (size.kind == ContractionKind::kRecurrent) {
    steps = static_cast<double>(size.batch);
    step.batch = 1;
  }
  ContractionSize lanes = step;
  lanes.k = size.k;
  double best = VectorSeconds(machine, lanes);
  for (const Tile& tile : machine.tiles) best = std::min(best, BestFraction(machine, step, rate, tile));
  return steps * best;
}

// A block keeps some queries and walks along the keys and values, or along one of several parts of them that are joined
// at the end. Scores never leave it. Heads are filled up to whole steps of kHeadStep elements.
double SimtAttentionSeconds(const Machine& machine, const ContractionSize& scores, const ContractionSize& values,
                            double rate) {
  const auto filled = [](int64_t size) { return static_cast<double>(CeilDiv(size, kHeadStep) * kHeadStep); };
  const double head = filled(scores.k) + filled(values.n);
  const double operand_bytes = NumBits(machine.precision.act) / 8.0;
  double best = std::numeric_limits<double>::infinity();
  for (const int64_t rows : kQueryRows) {
    for (const int64_t slices : kSlices) {
      if (slices > 1 && slices * kKeyStep > scores.n) break;
      const double blocks = static_cast<double>(scores.batch * CeilDiv(scores.m, rows) * slices);
      const auto keys = static_cast<double>(CeilDiv(CeilDiv(scores.n, slices), kKeyStep) * kKeyStep);
      const double products = static_cast<double>(rows) * keys * head / (rate * machine.compute_efficiency);
      const double block_bytes = keys * head * operand_bytes;
      const double loads = machine.core_bytes > 0 ? block_bytes / machine.core_bytes : 0;
      const double waves = std::ceil(blocks / machine.engines);
      const double sum_bytes = kAccumulatorBytes * static_cast<double>(rows) * (filled(values.n) + kKeyStep);
      const double cycles = CyclesOf(machine, waves, std::max(products, loads), keys / kKeyStep, sum_bytes);
      best = std::min(best, std::max(cycles / machine.clock_hz, blocks * block_bytes / CacheBytesPerS(machine)));
    }
  }
  return best;
}

}  // namespace

extern const KindRow kSimtGpuRow = {.kind = UnitKind::kSimtGpu,
                                    .seconds = SimtSeconds,
                                    .attention = SimtAttentionSeconds,
                                    .default_tile = LargestTile,
                                    .sum_bytes = kSumBytes};

}  // namespace hwest
