#include "cost/traffic.h"

#include <algorithm>

#include "target/kinds.h"

namespace hwest {
namespace {

constexpr double kAccumulatorBytes = 4;

double Elements(int64_t a, int64_t b) { return static_cast<double>(a) * static_cast<double>(b); }

// Operands that lie in the on-chip memory already.
struct Stays {
  bool left = false, right = false, result = false;
};

// Of what a group reads, as much stays that the rest cannot be the whole operand.
bool IsMostlyThere(int64_t operand, int64_t there, int64_t all) {
  return operand > 0 && there > 0 && all - there < operand;
}

Stays StaysOf(const ContractionSize& size, const GroupWork& work, const Residency& residency) {
  const OperandBytes& operands = size.operands;
  const bool is_weight = size.kind != ContractionKind::kActivation;
  const bool weights_stay = work.weight_bytes > 0 && residency.weight_bytes >= work.weight_bytes;
  return {
      .left = IsMostlyThere(operands.left, residency.in_bytes, work.in_bytes),
      .right = is_weight ? weights_stay : IsMostlyThere(operands.right, residency.in_bytes, work.in_bytes),
      .result = work.out_bytes > 0 && residency.out_bytes >= work.out_bytes,
  };
}

// One of `count` equal products.
TiledProduct ProductOf(const ContractionSize& size, Precision precision, double count, const Stays& stays) {
  const OperandBytes& operands = size.operands;
  TiledProduct product{.m = size.m * operands.alike, .n = size.n, .k = size.k};
  const double rows = static_cast<double>(product.m);
  const double left = rows * static_cast<double>(size.k) * NumBits(precision.act) / 8;
  const double right = Elements(size.n, size.k) * NumBits(precision.weight) / 8;
  const double results = rows * static_cast<double>(size.n);
  const auto operand = [](double bytes, bool is_outside, bool is_there) {
    return TiledOperand{.bytes = is_there ? 0 : bytes, .crosses = is_outside && !is_there};
  };
  product.a =
      operand(operands.left > 0 ? static_cast<double>(operands.left) / count : left, operands.left != 0, stays.left);
  product.b = operand(operands.right > 0 ? static_cast<double>(operands.right) / count : right, operands.right != 0,
                      stays.right);
  product.c = operand(results * NumBits(precision.act) / 8, !operands.result_is_inner, stays.result);
  product.sum_bytes = results * kAccumulatorBytes;
  product.halo_bytes = stays.left ? 0 : static_cast<double>(operands.halo) / count;
  product.k_step = std::max<int64_t>(1, size.kernel_elements);
  product.rows = size.kind == ContractionKind::kRecurrent ? size.m : 0;
  return product;
}

// What crosses in front of one memory past each byte once.
struct Reloads {
  CrossingBytes bytes;
  std::optional<Tiling> tiling;
};

Reloads ReloadsOf(const Machine& machine, const MemoryLevel& level, const GroupWork& work, const Residency& residency) {
  Reloads reloads;
  if (level.nearer_bytes <= 0) return reloads;
  int64_t most_macs = 0;
  for (const ContractionSize& size : work.contractions) {
    const double count = static_cast<double>(size.batch / std::max<int64_t>(1, size.operands.alike));
    const Stays stays = level.is_outside ? StaysOf(size, work, residency) : Stays();
    const TiledProduct product = ProductOf(size, work.precision, count, stays);
    const TiledLoops best = BestTiling(product, level.nearer_bytes, machine.tile_buffers);
    const CrossingBytes once = Compulsory(product);
    reloads.bytes.read += count * (best.crossing.read - once.read);
    reloads.bytes.written += count * (best.crossing.written - once.written);
    if (size.macs() <= most_macs) continue;
    most_macs = size.macs();
    reloads.tiling = best.tiling;
  }
  return reloads;
}

void Add(const CrossingBytes& bytes, CrossingBytes& to) {
  to.read += bytes.read;
  to.written += bytes.written;
}

CrossingBytes OnceOf(const GroupWork& work, const Residency& there) {
  const int64_t read = work.in_bytes + work.weight_bytes - there.in_bytes - there.weight_bytes;
  const int64_t written = work.out_bytes - there.out_bytes;
  return {.read = std::max(0.0, static_cast<double>(read)), .written = std::max(0.0, static_cast<double>(written))};
}

// How many times their bytes the weights of a group take as the kernels have them laid out.
double LaidOut(const Machine& machine, const GroupWork& work) {
  if (machine.kind.weights == nullptr) return 1;
  double plain = 0, laid_out = 0;
  for (const ContractionSize& size : work.contractions) {
    if (size.kind == ContractionKind::kActivation) continue;
    const double weights = Elements(size.n, size.k);
    plain += weights;
    laid_out += weights * machine.kind.weights(machine, size);
  }
  return plain > 0 ? laid_out / plain : 1;
}

// Blocks of weights come from the shared memory filled up.
void AddPadding(const Machine& machine, const GroupWork& work, const Residency& residency, GroupTraffic* traffic) {
  const double padding = PaddedShare(machine.weight_blocks, work) * LaidOut(machine, work) - 1;
  const int64_t weights = std::max<int64_t>(0, work.weight_bytes - residency.weight_bytes);
  traffic->levels.back().asked.read += padding * static_cast<double>(weights);
  traffic->cached_bytes = (1 + padding) * static_cast<double>(std::min(residency.cached_bytes, weights));
}

}  // namespace

GroupTraffic TrafficOf(const Machine& machine, const GroupWork& work, const Residency& residency) {
  GroupTraffic traffic;
  const size_t count = machine.levels.size();
  traffic.levels.resize(count);
  if (count == 0) return traffic;
  traffic.levels[0].asked = OnceOf(work, count == 1 ? residency : Residency());
  // The layers of a pipeline hand each other rows on the chip; its contexts are what crosses.
  if (IsStreaming(machine.unit)) return traffic;
  for (size_t i = 1; i < count; ++i) {
    const MemoryLevel& level = machine.levels[i];
    const Reloads reloads = ReloadsOf(machine, level, work, residency);
    CrossingBytes& asked = traffic.levels[i].asked;
    asked = OnceOf(work, level.is_outside ? residency : Residency());
    Add(reloads.bytes, asked);
    traffic.levels[i - 1].filled = {.read = asked.written, .written = asked.read};
    // What comes to the nearest memory goes on to the unit.
    if (i == 1) Add(reloads.bytes, traffic.levels[0].asked);
    traffic.reload_bytes = reloads.bytes.total();
    traffic.tiling = reloads.tiling;
  }
  AddPadding(machine, work, residency, &traffic);
  return traffic;
}

}  // namespace hwest
