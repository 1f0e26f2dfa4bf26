#include "cost/machine.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "cost/precision.h"

namespace hwest {
namespace {

// exp, erf, tanh and division take several passes on lanes that have no unit of their own for them.
constexpr double kTranscendentalShare = 0.25;

// The stated rate of `work` whose type is nearest to the machine's: exact, wider, narrower.
double NearestRate(const Machine& machine, WorkKind work) {
  const int bits = NumBits(machine.precision.act);
  double best = 0;
  int best_distance = std::numeric_limits<int>::max();
  for (const Rate& rate : machine.unit.rates) {
    if (rate.work != work || !rate.per_cycle.known()) continue;
    const int difference = NumBits(rate.act) - bits;
    int distance = difference >= 0 ? difference : 1000 - difference;
    if (rate.act != machine.precision.act) ++distance;
    if (distance >= best_distance) continue;
    best_distance = distance;
    best = *rate.per_cycle.value();
  }
  return best;
}

}  // namespace

double Machine::param(absl::string_view name, double fallback) const {
  return ParamAt(unit, name, class_name, fallback);
}

double ParamAt(const Unit& unit, absl::string_view name, absl::string_view class_name, double fallback) {
  const Param* general = nullptr;
  for (const Param& row : unit.params) {
    const absl::string_view text = row.name;
    if (text.substr(0, name.size()) != name || !row.fact.known()) continue;
    if (text.size() == name.size()) {
      general = &row;
    } else if (text[name.size()] == '.' && text.substr(name.size() + 1) == class_name) {
      return *row.fact.value();
    }
  }
  return general != nullptr ? *general->fact.value() : fallback;
}

double SharedBytesPerS(const Target& target, const Unit& unit, absl::string_view class_name) {
  const Memory* shared = SharedMemoryOf(target, unit);
  if (shared == nullptr) return 0;
  return shared->bytes_per_s.value_or(0) * ParamAt(unit, "dram_scale", class_name, 1);
}

double PointwisePerCycle(const Machine& machine) {
  const double stated = NearestRate(machine, WorkKind::kPointwise);
  if (stated > 0) return stated;
  const double bytes = std::max(1, NumBits(machine.precision.act) / 8);
  return machine.unit.vector_bytes.value_or(0) / bytes;
}

double TranscendentalPerCycle(const Machine& machine) {
  const double stated = NearestRate(machine, WorkKind::kTranscendental);
  return stated > 0 ? stated : kTranscendentalShare * PointwisePerCycle(machine);
}

double MovedBytesPerCycle(const Machine& machine) {
  const double efficiency = machine.param("move_efficiency", 0);
  const Rate* move = RateFor(machine.unit, WorkKind::kMove, machine.precision);
  const double stated = move != nullptr ? move->per_cycle.value_or(0) : 0;
  if (stated > 0) return efficiency > 0 ? stated * efficiency : stated;
  return machine.unit.vector_bytes.value_or(0) * efficiency;
}

double VectorMacsPerCycle(const Machine& machine) {
  const Rate* depthwise = RateFor(machine.unit, WorkKind::kDepthwise, machine.precision);
  const double rate = depthwise != nullptr ? depthwise->per_cycle.value_or(0) : PointwisePerCycle(machine) / 2;
  return rate * machine.depthwise_efficiency();
}

double VectorSeconds(const Machine& machine, const ContractionSize& size) {
  const double rate = VectorMacsPerCycle(machine);
  if (rate <= 0) return std::numeric_limits<double>::infinity();
  return static_cast<double>(size.macs()) / (rate * machine.engines * machine.clock_hz);
}

ContractionSize Folded(const ContractionSize& size) {
  if (size.kind != ContractionKind::kMatMul) return size;
  ContractionSize folded = size;
  folded.m = size.batch * size.m;
  folded.batch = 1;
  return folded;
}

std::vector<Tile> TilesOf(const Machine& machine) {
  std::vector<Tile> tiles;
  for (const Tile& tile : machine.unit.tiles) {
    if (tile.m == 0 || tile.n == 0 || tile.k == 0) continue;
    if (tile.num == Num::kUnset || tile.num == machine.precision.act) tiles.push_back(tile);
  }
  return tiles;
}

}  // namespace hwest
