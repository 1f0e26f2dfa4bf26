// SIMD CPU: register tiles of a blocked GEMM, spread over the cores.
#include <algorithm>
#include <limits>

#include "cost/machine.h"

namespace hwest {
namespace {

constexpr KindDefaults kDefaults = {
    .dram_efficiency = 0.6,
    .compute_efficiency = 0.7,
    .depthwise_efficiency = 0.5,
    .pointwise_efficiency = 0.4,
    .overlap = 0.5,
};
// Elements of k at which loading and storing the accumulators takes as long as the products.
constexpr double kDepthHalf = 16;
constexpr uint32_t kTileRows = 6;
constexpr uint32_t kTileVectors = 2;

Tile RegisterTile(const Machine& machine) {
  const auto vector_bytes = static_cast<uint32_t>(machine.unit.vector_bytes.value_or(16));
  return Tile{.m = kTileRows, .n = std::max(1u, kTileVectors * vector_bytes / 4), .k = 1};
}

// Rows past the last full tile run as a smaller one; columns always fill whole vectors.
double TiledSeconds(const Machine& machine, const ContractionSize& size, double rate, const Tile& tile) {
  const double columns = static_cast<double>(CeilDiv(size.n, tile.n) * tile.n);
  const double depth = static_cast<double>(CeilDiv(size.k, tile.k) * tile.k);
  const double macs = static_cast<double>(size.batch) * static_cast<double>(size.m) * columns * depth;
  const double tiles = static_cast<double>(size.batch) * static_cast<double>(CeilDiv(size.m, tile.m)) *
                       static_cast<double>(CeilDiv(size.n, tile.n));
  const double cores = std::min(machine.engines, tiles);
  const double fill = depth / (depth + kDepthHalf);
  return macs / (rate * cores * machine.clock_hz * machine.compute_efficiency() * fill);
}

double Seconds(const Machine& machine, const ContractionSize& size, double rate) {
  std::vector<Tile> tiles = TilesOf(machine);
  if (tiles.empty()) tiles.push_back(RegisterTile(machine));
  double best = VectorSeconds(machine, size);
  for (const Tile& tile : tiles) best = std::min(best, TiledSeconds(machine, size, rate, tile));
  return best;
}

}  // namespace

const KindRow kSimdCpuRow = {.kind = UnitKind::kSimdCpu, .defaults = kDefaults, .seconds = Seconds};

}  // namespace hwest
