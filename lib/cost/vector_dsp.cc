// Vector DSP: wide lanes along the output channels, short dot products along k, contexts that take whole rows.
#include <algorithm>
#include <cmath>

#include "cost/machine.h"

namespace hwest {
namespace {

constexpr int64_t kVectorAccumulatorBytes = 4;

// Lanes hold accumulators; each adds a dot product of as many activations as fit beside it.
Tile LaneTile(const Machine& machine, double) {
  const auto vector_bytes = static_cast<int64_t>(machine.unit.vector_bytes.value_or(64));
  const int64_t act_bytes = std::max(1, NumBits(machine.precision.act) / 8);
  return Tile{.m = 1,
              .n = static_cast<uint32_t>(std::max<int64_t>(1, vector_bytes / kVectorAccumulatorBytes)),
              .k = static_cast<uint32_t>(std::max<int64_t>(1, kVectorAccumulatorBytes / act_bytes))};
}

double VectorTiledSeconds(const Machine& machine, const ContractionSize& size, double rate, const Tile& tile) {
  const double rows = static_cast<double>(size.batch) * static_cast<double>(CeilDiv(size.m, tile.m));
  const double rounds = std::ceil(rows / machine.engines);
  const double row_macs = static_cast<double>(tile.m) * static_cast<double>(CeilDiv(size.n, tile.n) * tile.n) *
                          static_cast<double>(CeilDiv(size.k, tile.k) * tile.k);
  const double channels = static_cast<double>(Channels(size));
  const double fill = channels / (channels + machine.channels_half);
  return rounds * row_macs / (rate * machine.clock_hz * machine.compute_efficiency * fill);
}

double VectorDspSeconds(const Machine& machine, const ContractionSize& size, double rate) {
  double best = VectorSeconds(machine, size);
  for (const Tile& tile : machine.tiles) best = std::min(best, VectorTiledSeconds(machine, size, rate, tile));
  return best;
}

}  // namespace

extern const KindRow kVectorDspRow = {
    .kind = UnitKind::kVectorDsp, .seconds = VectorDspSeconds, .default_tile = LaneTile};

}  // namespace hwest
