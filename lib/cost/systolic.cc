// Systolic array: an n x k block of weights stays in the array while rows of activations stream through, so both sides
// round up to the array and narrow inputs leave rows of it empty.
#include <algorithm>
#include <cmath>
#include <limits>

#include "cost/machine.h"

namespace hwest {
namespace {

// Positions of a window take a step each, except where their channels are few and the array packs them.
int64_t StepsOf(const Machine& machine, const ContractionSize& size, const Tile& tile) {
  constexpr int64_t kHalving = 2;  // every other position is left out of a step
  const double needed = size.stride == kHalving ? 1 : 0.5;
  const bool is_packed = machine.window_packing >= needed && Channels(size) <= tile.k;
  return is_packed ? 1 : std::max<int64_t>(1, size.kernel_elements);
}

// An image of one row or one column: its positions lie one after the other.
bool IsSignal(const ContractionSize& size) { return size.height == 1 || size.height == size.m; }

// Sets of positions that an array takes at once; of an image they are blocks of rows.
int64_t SetsOf(const ContractionSize& size, const Tile& tile) {
  if (tile.m_height == 0 || size.height == 0 || IsSignal(size)) return CeilDiv(size.m, tile.m);
  return CeilDiv(size.height, tile.m_height) * CeilDiv(size.m / size.height, std::max(1u, tile.m / tile.m_height));
}

double SystolicTiledSeconds(const Machine& machine, const ContractionSize& size, double rate, const Tile& tile) {
  const double blocks = static_cast<double>(size.batch) * static_cast<double>(SetsOf(size, tile)) *
                        static_cast<double>(CeilDiv(size.n, tile.n));
  const double rounds = std::ceil(blocks / machine.engines);
  const double channels = static_cast<double>(Channels(size));
  const int64_t taps = StepsOf(machine, size, tile);
  const auto steps = static_cast<double>(taps * CeilDiv(CeilDiv(size.k, taps), tile.k));
  const double depth = std::max(steps, machine.least_steps) * tile.k;
  const double block_macs = static_cast<double>(tile.m) * tile.n * depth;
  const double fill = channels / (channels + machine.channels_half);
  return rounds * block_macs / (rate * machine.clock_hz * machine.compute_efficiency * fill);
}

// A square array of that many multipliers.
Tile SquareTile(const Machine&, double rate) {
  const uint32_t side = std::max(1u, static_cast<uint32_t>(std::lround(std::sqrt(rate))));
  return Tile{.m = 1, .n = side, .k = side};
}

double SystolicSeconds(const Machine& machine, const ContractionSize& size, double rate) {
  double best = VectorSeconds(machine, size);
  for (const Tile& tile : machine.tiles) best = std::min(best, SystolicTiledSeconds(machine, size, rate, tile));
  return best;
}

}  // namespace

extern const KindRow kSystolicRow = {.kind = UnitKind::kSystolic,
                                     .seconds = SystolicSeconds,
                                     .default_tile = SquareTile,
                                     .epilogue = Epilogue::kOutputStage};

}  // namespace hwest
