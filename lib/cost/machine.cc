#include "cost/machine.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "absl/strings/strip.h"
#include "cost/precision.h"

namespace hwest {
namespace {

// exp, erf, tanh and division take several passes on lanes that have no unit of their own for them.
constexpr double kTranscendentalShare = 0.25;

// The two half precision types run on the same lanes and through the same kernels: where a file states a figure for one
// of them only, it holds for the other.
struct Twins {
  Num num;
  Num twin;
};
constexpr Twins kTwins[] = {{Num::kFp16, Num::kBf16}, {Num::kBf16, Num::kFp16}};

Num TwinOf(Num num) {
  for (const Twins& row : kTwins) {
    if (row.num == num) return row.twin;
  }
  return Num::kUnset;
}

// The class of the other half precision type; empty for other classes.
absl::string_view TwinClass(absl::string_view class_name) {
  for (const Twins& row : kTwins) {
    if (NumName(row.num) == class_name) return NumName(row.twin);
  }
  return "";
}

const Param* FindParam(const Unit& unit, absl::string_view name, absl::string_view class_name) {
  for (const Param& row : unit.params) {
    absl::string_view text = row.name;
    if (!row.fact.known() || !absl::ConsumePrefix(&text, name)) continue;
    if (class_name.empty() ? text.empty() : absl::ConsumePrefix(&text, ".") && text == class_name) return &row;
  }
  return nullptr;
}

double NearestPerCycle(const Machine& machine, WorkKind work) {
  const Rate* rate = NearestRate(machine.unit, work, machine.precision);
  return rate != nullptr ? rate->per_cycle.value_or(0) : 0;
}

// The exact row of the machine's type or, of a half precision one, that of the other.
const Rate* TwinRate(const Machine& machine, WorkKind work) {
  const Rate* rate = RateFor(machine.unit, work, machine.precision);
  const Num twin = TwinOf(machine.precision.act);
  if (rate != nullptr || twin == Num::kUnset) return rate;
  return RateFor(machine.unit, work, {twin, twin});
}

}  // namespace

const Rate* NearestRate(const Unit& unit, WorkKind work, Precision precision) {
  const int bits = NumBits(precision.act);
  const Rate* best = nullptr;
  int best_distance = std::numeric_limits<int>::max();
  for (const Rate& rate : unit.rates) {
    if (rate.work != work || !rate.per_cycle.known()) continue;
    const int difference = NumBits(rate.act) - bits;
    int distance = difference >= 0 ? difference : 1000 - difference;
    if (rate.act != precision.act) ++distance;
    if (distance >= best_distance) continue;
    best_distance = distance;
    best = &rate;
  }
  return best;
}

double Machine::param(absl::string_view name, double fallback) const {
  return ParamAt(unit, name, class_name, fallback);
}

double ParamAt(const Unit& unit, absl::string_view name, absl::string_view class_name, double fallback) {
  const absl::string_view twin = TwinClass(class_name);
  const Param* row = class_name.empty() ? nullptr : FindParam(unit, name, class_name);
  if (row == nullptr && !twin.empty()) row = FindParam(unit, name, twin);
  if (row == nullptr) row = FindParam(unit, name, "");
  return row != nullptr ? *row->fact.value() : fallback;
}

double SharedBytesPerS(const Target& target, const Unit& unit, absl::string_view class_name) {
  const Memory* shared = SharedMemoryOf(target, unit);
  if (shared == nullptr) return 0;
  return shared->bytes_per_s.value_or(0) * ParamAt(unit, "dram_scale", class_name, 1);
}

double PointwisePerCycle(const Machine& machine) {
  const double stated = NearestPerCycle(machine, WorkKind::kPointwise);
  if (stated > 0) return stated;
  const double bytes = std::max(1, NumBits(machine.precision.act) / 8);
  return machine.unit.vector_bytes.value_or(0) / bytes;
}

double TranscendentalPerCycle(const Machine& machine) {
  const double stated = NearestPerCycle(machine, WorkKind::kTranscendental);
  return stated > 0 ? stated : kTranscendentalShare * PointwisePerCycle(machine);
}

double MovedBytesPerCycle(const Machine& machine) {
  const double efficiency = machine.param("move_efficiency", 0);
  const Rate* move = TwinRate(machine, WorkKind::kMove);
  const double stated = move != nullptr ? move->per_cycle.value_or(0) : 0;
  if (stated > 0) return efficiency > 0 ? stated * efficiency : stated;
  return machine.unit.vector_bytes.value_or(0) * efficiency;
}

double VectorMacsPerCycle(const Machine& machine) {
  const Rate* depthwise = TwinRate(machine, WorkKind::kDepthwise);
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
  Num act = machine.precision.act;
  const auto is_of = [&](const Tile& tile) { return tile.num == act; };
  const bool has_own = std::any_of(machine.unit.tiles.begin(), machine.unit.tiles.end(), is_of);
  if (!has_own && TwinOf(act) != Num::kUnset) act = TwinOf(act);
  std::vector<Tile> tiles;
  for (const Tile& tile : machine.unit.tiles) {
    if (tile.m == 0 || tile.n == 0 || tile.k == 0) continue;
    if (tile.num == Num::kUnset || is_of(tile)) tiles.push_back(tile);
  }
  return tiles;
}

}  // namespace hwest
