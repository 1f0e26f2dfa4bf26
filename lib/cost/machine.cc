#include "cost/machine.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "base/status_macros.h"
#include "cost/cost.h"
#include "cost/figures_class.h"
#include "cost/precision.h"
#include "target/names.h"
#include "target/params.h"

namespace hwest {

// Each in the file of its kind.
extern const KindRow kSimtGpuRow, kSystolicRow, kVectorDspRow, kSimdCpuRow, kDataflowRow;

namespace {

// exp, erf, tanh and division take several passes on lanes that have no unit of their own for them.
constexpr double kTranscendentalShare = 0.25;

const KindRow* const kKinds[] = {&kSimtGpuRow, &kSystolicRow, &kVectorDspRow, &kSimdCpuRow, &kDataflowRow};

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

// The exact row of the type or, of a half precision one, that of the other. TF32 is a type of matrix units alone: what
// they do not multiply stays in FP32.
const Rate* TwinRate(const Unit& unit, WorkKind work, Precision precision) {
  const Rate* rate = RateFor(unit, work, precision);
  const Num twin = precision.act == Num::kTf32 ? Num::kFp32 : TwinOf(precision.act);
  if (rate != nullptr || twin == Num::kUnset) return rate;
  return RateFor(unit, work, {twin, twin});
}

double PerCycle(const Rate* rate) { return rate != nullptr ? rate->per_cycle.value_or(0) : 0; }
double Joules(const Rate* rate) { return rate != nullptr ? rate->energy_j.value_or(0) : 0; }

bool CoversReadsOf(const Rate* rate, const Memory* memory) {
  return rate != nullptr && memory != nullptr && absl::c_linear_search(rate->energy_covers, memory->name);
}

absl::StatusOr<const KindRow*> KindOf(const Unit& unit) {
  for (const KindRow* row : kKinds) {
    if (row->kind == unit.kind) return row;
  }
  return absl::UnimplementedError(absl::StrCat("no cost model for units of kind ", UnitKindName(unit.kind)));
}

class MachineMaker {
 public:
  MachineMaker(const Target& target, const Unit& unit, const KindRow& row, Precision precision)
      : unit_(unit),
        class_name_(FiguresClass(unit, precision)),
        machine_{.target = target, .unit = unit, .kind = row, .precision = precision} {}

  Machine Make() && {
    machine_.clock_hz = unit_.clock_hz.value_or(0) * Param("clock_scale") * Param("format_scale");
    machine_.full_clock = Param("full_clock");
    machine_.launch_s = unit_.launch_s.value_or(0) * Param("launch_scale");
    machine_.launch_gap = Param("launch_gap");
    const Toolchain* toolchain = ToolchainOf(machine_.target, unit_);
    machine_.transforms_windows =
        toolchain != nullptr && absl::c_linear_search(toolchain->winograd, machine_.precision.act);
    machine_.step_kernels = Param("step_kernels");
    FillEngines();
    FillEfficiencies();
    FillRates();
    FillTiles();
    FillMemories();
    machine_.static_w = StaticWatts(machine_.target, unit_);
    machine_.interval_factor = IntervalFactor(unit_, machine_.precision);
    return std::move(machine_);
  }

 private:
  double Param(absl::string_view name) const { return ParamAt(unit_, name, class_name_); }

  bool HasThreadPerCore() const {
    const Toolchain* toolchain = ToolchainOf(machine_.target, unit_);
    return toolchain != nullptr && toolchain->thread_per_core;
  }

  void FillEngines() {
    machine_.engines = static_cast<double>(unit_.cores) * unit_.instances;
    if (machine_.kind.cores != Cores::kBarrier) return;
    machine_.fastest_core = std::max(1.0, Param("fastest_core"));
    machine_.engines += machine_.fastest_core - 1;
    if (HasThreadPerCore()) {
      machine_.engines *= Param("pool_share");
      const double calling = Param("calling_core");
      if (calling != 1) machine_.fastest_core = calling;
      machine_.launch_s /= calling;
    }
    // Amdahl: the rest of each kernel is not spread over the cores, and the fastest one takes it.
    const double spread = std::clamp(Param("parallel_efficiency"), 0.0, 1.0);
    machine_.engines = 1 / ((1 - spread) / machine_.fastest_core + spread / machine_.engines);
  }

  void FillEfficiencies() {
    machine_.activation_efficiency = Param("activation_efficiency");
    machine_.compute_efficiency = Param("compute_efficiency");
    machine_.pointwise_efficiency = Param("pointwise_efficiency");
    machine_.transcendental_efficiency = Param("transcendental_efficiency");
    machine_.dram_efficiency = Param("dram_efficiency");
    machine_.overlap = std::clamp(Param("overlap"), 0.0, 1.0);
    machine_.launch_overlap = std::clamp(Param("launch_overlap"), 0.0, 1.0);
    machine_.channels_half = Param("channels_half");
    machine_.waves_half = Param("waves_half");
    machine_.window_packing = Param("window_packing");
    machine_.least_steps = Param("least_steps");
    machine_.activation_steps = Param("activation_steps");
    machine_.block_cycles = Param("block_cycles");
    machine_.step_cycles = Param("step_cycles");
    machine_.most_slices = Param("most_slices");
    machine_.window_slices = Param("window_slices");
    machine_.softmax_overlap = Param("softmax_overlap");
    machine_.core_bytes = Param("core_bytes");
    machine_.channel_bytes = Param("channel_bytes");
  }

  void FillRates() {
    const Precision precision = machine_.precision;
    const Rate* pointwise = NearestRate(unit_, WorkKind::kPointwise, precision);
    const Rate* slow = NearestRate(unit_, WorkKind::kTranscendental, precision);
    const double vector_bytes = unit_.vector_bytes.value_or(0);
    machine_.contraction = RateFor(unit_, WorkKind::kContraction, precision);
    machine_.pointwise_per_cycle = PerCycle(pointwise);
    if (machine_.pointwise_per_cycle <= 0) {
      machine_.pointwise_per_cycle = vector_bytes / std::max(1, NumBits(precision.act) / 8);
    }
    machine_.transcendental_per_cycle = PerCycle(slow);
    if (machine_.transcendental_per_cycle <= 0) {
      machine_.transcendental_per_cycle = kTranscendentalShare * machine_.pointwise_per_cycle;
    }
    const double moved = PerCycle(TwinRate(unit_, WorkKind::kMove, precision));
    const auto moved_at = [&](double share) {
      return moved > 0 ? (share > 0 ? moved * share : moved) : vector_bytes * share;
    };
    const double share = Param("move_efficiency");
    machine_.moved_bytes_per_cycle = moved_at(share);
    machine_.copied_bytes_per_cycle = moved_at(Param("copy_efficiency"));
    machine_.row_bytes = Param("row_bytes");
    machine_.split_positions = static_cast<int64_t>(Param("split_positions"));
    machine_.halving_copies = Param("halving_copies");
    machine_.channel_block = static_cast<int64_t>(Param("channel_block"));
    machine_.window_per_cycle = machine_.pointwise_per_cycle * Param("window_efficiency");
    machine_.pooled_per_cycle = machine_.pointwise_per_cycle * Param("pool_efficiency");
    machine_.lookup_per_cycle = machine_.pointwise_per_cycle * Param("lookup_efficiency");
    machine_.search_per_cycle = machine_.pointwise_per_cycle * Param("search_efficiency");
    machine_.scaled_per_cycle = machine_.pointwise_per_cycle * Param("statistic_efficiency");
    machine_.image_per_cycle = machine_.pointwise_per_cycle * Param("image_efficiency");
    machine_.channel_per_cycle = machine_.pointwise_per_cycle * Param("channel_efficiency");
    if (precision.act == Num::kInt16) {  // its own figure alone: of a neighbour that has kernels it tells nothing
      machine_.converted_per_cycle =
          machine_.pointwise_per_cycle * ParamAt(unit_, "convert_efficiency", PrecisionName(precision));
    }
    if (precision.stored != Num::kUnset) {
      machine_.converted_per_cycle = machine_.pointwise_per_cycle * machine_.pointwise_efficiency;
    }
    const Rate* depthwise = TwinRate(unit_, WorkKind::kDepthwise, precision);
    const double macs = depthwise != nullptr ? PerCycle(depthwise) : machine_.pointwise_per_cycle / 2;
    const double efficiency = Param("depthwise_efficiency");
    machine_.vector_macs_per_cycle = macs * efficiency;
    machine_.pointwise_j = Joules(pointwise);
    machine_.transcendental_j = Joules(slow);
  }

  void FillTiles() {
    Num act = machine_.precision.act;
    const auto is_of = [&](const Tile& tile) { return tile.num == act; };
    if (!absl::c_any_of(unit_.tiles, is_of) && TwinOf(act) != Num::kUnset) act = TwinOf(act);
    for (const Tile& tile : unit_.tiles) {
      if (tile.m == 0 || tile.n == 0 || tile.k == 0) continue;
      if (tile.num == Num::kUnset || is_of(tile)) machine_.tiles.push_back(tile);
    }
    if (machine_.tiles.empty() && machine_.kind.default_tile != nullptr) {
      machine_.tiles.push_back(machine_.kind.default_tile(machine_, PerCycle(machine_.contraction)));
    }
  }

  void FillMemories() {
    machine_.shared = SharedMemoryOf(machine_.target, unit_);
    machine_.on_chip = OnChipMemoryOf(machine_.target, unit_);
    machine_.weight_blocks = WeightBlocksOf(unit_, machine_.precision);
    machine_.shared_bytes_per_s = SharedBytesPerS(machine_.target, unit_, class_name_);
    machine_.tile_buffers = static_cast<int>(Param("tile_buffers"));
    FillLevels();
  }

  void FillLevels() {
    const double sum_bytes = machine_.kind.sum_bytes * machine_.engines;
    double nearer_bytes = 0;
    bool is_outside = machine_.on_chip == nullptr;
    for (const uint32_t index : unit_.memories) {
      const Memory& memory = machine_.target.memories[index];
      if (&memory != machine_.shared && !memory.capacity_bytes.known()) continue;
      machine_.levels.push_back({.memory = index,
                                 .bytes_per_s = HeldBytesPerS(memory),
                                 .energy_j_per_byte = memory.energy_j_per_byte.value_or(0),
                                 .nearer_bytes = nearer_bytes > 0 ? nearer_bytes + sum_bytes : 0,
                                 .is_covered = CoversReadsOf(machine_.contraction, &memory),
                                 .is_outside = is_outside});
      nearer_bytes = std::max(nearer_bytes, static_cast<double>(RoomIn(unit_, memory)));
      is_outside = is_outside || &memory == machine_.on_chip;
    }
  }

  double HeldBytesPerS(const Memory& memory) const {
    const bool is_shared = &memory == machine_.shared;
    if (!is_shared) return memory.bytes_per_s.value_or(0);
    const double held = machine_.shared_bytes_per_s * machine_.dram_efficiency;
    const double ports = Param("port_bytes") * machine_.engines * machine_.clock_hz;
    return ports > 0 ? std::min(held, ports) : held;
  }

  const Unit& unit_;
  const std::string class_name_;
  Machine machine_;
};

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

double ParamAt(const Unit& unit, absl::string_view name, absl::string_view class_name) {
  const absl::string_view twin = TwinClass(class_name);
  const Param* row = class_name.empty() ? nullptr : FindParam(unit, name, class_name);
  if (row == nullptr && !twin.empty()) row = FindParam(unit, name, twin);
  if (row == nullptr) row = FindParam(unit, name, "");
  if (row != nullptr) return *row->fact.value();
  const ParamRow* param = FindParamRow(name);
  return param->absent_as.empty() ? DefaultOf(*param, unit.kind) : ParamAt(unit, param->absent_as, class_name);
}

double SharedBytesPerS(const Target& target, const Unit& unit, absl::string_view class_name) {
  const Memory* shared = SharedMemoryOf(target, unit);
  if (shared == nullptr) return 0;
  return shared->bytes_per_s.value_or(0) * ParamAt(unit, "dram_scale", class_name);
}

absl::Status MissingFigure(const Unit& unit, absl::string_view what) {
  return absl::FailedPreconditionError(absl::StrCat("unit ", unit.name, " states no ", what));
}

absl::StatusOr<Machine> MakeMachine(const Target& target, const Unit& unit, Precision precision) {
  HWEST_ASSIGN_OR_RETURN(const KindRow* row, KindOf(unit));
  if (!unit.clock_hz.known() || unit.clock_hz.value_or(0) <= 0) return MissingFigure(unit, "clock_hz");
  return MachineMaker(target, unit, *row, precision).Make();
}

// Images lie in blocks of as many rows as a tile takes; rows that are not there take the time of those that are.
double EmptyRows(const Machine& machine, const ContractionSize& size) {
  if (size.height <= 0 || machine.tiles.empty() || machine.tiles[0].m_height == 0) return 1;
  const int64_t block = machine.tiles[0].m_height;
  return static_cast<double>(CeilDiv(size.height, block) * block) / static_cast<double>(size.height);
}

double VectorSeconds(const Machine& machine, const ContractionSize& size) {
  const double rate = machine.vector_macs_per_cycle;
  if (rate <= 0) return std::numeric_limits<double>::infinity();
  return EmptyRows(machine, size) * static_cast<double>(size.macs()) / (rate * machine.engines * machine.clock_hz);
}

ContractionSize Folded(const ContractionSize& size) {
  if (size.kind != ContractionKind::kMatMul) return size;
  ContractionSize folded = size;
  folded.m = size.batch * size.m;
  folded.batch = 1;
  return folded;
}

}  // namespace hwest
