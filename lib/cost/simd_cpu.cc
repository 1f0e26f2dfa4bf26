// SIMD CPU: register tiles of a blocked GEMM or of a direct convolution, spread over the cores. Convolutions that have
// no direct kernel build the matrix of their columns in memory first.
#include <algorithm>
#include <limits>

#include "cost/machine.h"

namespace hwest {
namespace {

// A string or an entry of a map is an object: an allocation or a look-up by hash and comparison, 50 to 450 cycles on
// one core (estimated).
constexpr double kVisitCycles = 150;
// Elements of k at which loading and storing the accumulators takes as long as the products.
constexpr double kDepthHalf = 16;
constexpr uint32_t kTileRows = 6;
constexpr uint32_t kTileVectors = 2;
// Networks of products take longer than those of convolutions on the same pipes: 124 measured rows with 40 % and more
// of their time in products are 7 % too fast with this share and 15 % without. A single product with constant weights
// takes as long as the convolution (ONNX Runtime, see docs/tiling.md), so the share stands for what lies around the
// kernels.
constexpr double kPlainShare = 0.85;
// Columns are written once and read by the product; a transposed convolution adds them up at their places.
constexpr double kScatterPasses = 2;
// F(4x4, 3x3) multiplies a quarter as often; the transforms take about as long again.
constexpr double kWinogradShare = 0.5;
// Its weights are transformed ahead: 6 x 6 numbers for each 3 x 3, in 16 bits where they were of 8.
constexpr double kWinogradWeights = 4;
// Rows of a recurrent step at which half of the products are hidden behind the loads of its weights: ONNX Runtime takes
// 0.34 of the pipes' rate at two rows on AVX-512 (own measurements of a tagger), TFLite 0.1 to 0.2 at one row on Arm.
constexpr double kRecurrentRowsHalf = 4;
constexpr double kDotProducts = 4;
constexpr int64_t kWindowTaps = 9;
constexpr double kLeastVectorBytes = 8;  // below that, registers of microcontrollers: CMSIS-NN has no such kernels
constexpr int64_t kWindowChannels = 16;

Tile RegisterTile(const Machine& machine, double) {
  const auto vector_bytes = static_cast<uint32_t>(machine.unit.vector_bytes.value_or(16));
  return Tile{.m = kTileRows, .n = std::max(1u, kTileVectors * vector_bytes / 4), .k = 1};
}

// Rows past the last full tile run as a smaller one; columns always fill whole vectors.
double SimdTiledSeconds(const Machine& machine, const ContractionSize& size, double rate, const Tile& tile) {
  const double columns = static_cast<double>(CeilDiv(size.n, tile.n) * tile.n);
  const double depth = static_cast<double>(CeilDiv(size.k, tile.k) * tile.k);
  const double macs = static_cast<double>(size.batch) * static_cast<double>(size.m) * columns * depth;
  const double tiles = static_cast<double>(size.batch) * static_cast<double>(CeilDiv(size.m, tile.m)) *
                       static_cast<double>(CeilDiv(size.n, tile.n));
  const double cores = std::min(machine.engines, tiles);
  const double fill = depth / (depth + kDepthHalf);
  return macs / (rate * cores * machine.clock_hz * machine.compute_efficiency * fill);
}

uint32_t Lanes(const Machine& machine) {
  const double bytes = std::max(1, NumBits(machine.precision.act) / 8);
  return static_cast<uint32_t>(std::max(1.0, machine.unit.vector_bytes.value_or(16) / bytes));
}

// Elements of the column matrix: none for kernels of one tap, and none where whole vectors of channels are at hand.
double ColumnElements(const Machine& machine, const ContractionSize& size) {
  if (size.kernel_elements <= 1) return 0;
  const double positions = static_cast<double>(size.batch) * static_cast<double>(size.m);
  if (size.kind == ContractionKind::kConvTranspose) {
    return kScatterPasses * positions * static_cast<double>(size.n) * static_cast<double>(size.kernel_elements);
  }
  const bool is_grouped = size.kind == ContractionKind::kConv && size.batch > 1;
  return is_grouped && size.n % Lanes(machine) != 0 ? positions * static_cast<double>(size.k) : 0;
}

double ColumnSeconds(const Machine& machine, const ContractionSize& size) {
  const double rate = machine.moved_bytes_per_cycle;
  if (rate <= 0) return 0;
  const double bytes = ColumnElements(machine, size) * NumBits(machine.precision.act) / 8;
  return bytes / (rate * machine.engines * machine.clock_hz);
}

double SinglePerCycle(const Machine& machine) {
  const Rate* rate = RateFor(machine.unit, WorkKind::kContraction, {Num::kFp32, Num::kFp32});
  return rate != nullptr ? rate->per_cycle.value_or(0) : 0;
}

// Products of 8 bits over four taps at once, four times the rate of single precision; else they widen to 16 bits.
bool HasDotProducts(const Machine& machine) {
  const double rate = machine.contraction != nullptr ? machine.contraction->per_cycle.value_or(0) : 0;
  return rate >= kDotProducts * SinglePerCycle(machine);
}

// Multiplications left of dense 3x3 windows over more than a few channels. The libraries that compute in half precision
// (ncnn, MNN) take them with Winograd's algorithm at stride 1, in 8 bits where products widen to 16 bits anyway; of
// those that stay in single precision some do, as their toolchains say.
double WindowShare(const Machine& machine, const ContractionSize& size) {
  const bool is_window = size.kind == ContractionKind::kConv && size.batch == 1 && size.kernel_elements == kWindowTaps;
  const bool has_vectors = machine.unit.vector_bytes.value_or(kLeastVectorBytes) >= kLeastVectorBytes;
  if (!is_window || size.stride > 1 || !has_vectors || Channels(size) < kWindowChannels) return 1;
  const Num act = machine.precision.act;
  const bool transforms =
      act == Num::kFp16 || (act == Num::kInt8 && !HasDotProducts(machine)) || machine.transforms_windows;
  return transforms ? kWinogradShare : 1;
}

double WindowWeights(const Machine& machine, const ContractionSize& size) {
  if (WindowShare(machine, size) >= 1) return 1;
  return machine.precision.act == Num::kInt8 ? 2 * kWinogradWeights : kWinogradWeights;
}

double PlainShare(const ContractionSize& size) {
  const bool is_direct = size.kind == ContractionKind::kConv || size.kind == ContractionKind::kDepthwise;
  return is_direct ? 1 : kPlainShare;
}

// A step of a recurrent layer waits for the one before and is too short to share: one core takes them all. It loads
// every weight for the few rows of a step, so loads bound it and not products. Gates stay in floating point where the
// rest of a network is of integers: TFLite takes as long for a recogniser of text in w8a8 as in float.
double RecurrentSeconds(const Machine& machine, const ContractionSize& size, double rate) {
  const double single = SinglePerCycle(machine);
  if (machine.precision.act == Num::kInt8 && single > 0) rate = std::min(rate, single);
  const double rows = static_cast<double>(size.m);
  const double share = machine.compute_efficiency * rows / (rows + kRecurrentRowsHalf);
  return static_cast<double>(size.macs()) / (rate * machine.fastest_core * machine.clock_hz * share);
}

double SimdSeconds(const Machine& machine, const ContractionSize& size, double rate) {
  if (size.kind == ContractionKind::kRecurrent) return RecurrentSeconds(machine, size, rate);
  double best = VectorSeconds(machine, size);
  for (const Tile& tile : machine.tiles) {
    best = std::min(best, SimdTiledSeconds(machine, size, rate * PlainShare(size) / WindowShare(machine, size), tile));
  }
  return best + ColumnSeconds(machine, size);
}

}  // namespace

extern const KindRow kSimdCpuRow = {.kind = UnitKind::kSimdCpu,
                                    .seconds = SimdSeconds,
                                    .default_tile = RegisterTile,
                                    .cores = Cores::kBarrier,
                                    .visit_cycles = kVisitCycles,
                                    .products = WindowShare,
                                    .weights = WindowWeights};

}  // namespace hwest
