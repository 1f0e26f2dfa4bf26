#include "cost/cost.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "base/portable_math.h"
#include "base/status_macros.h"
#include "cost/machine.h"
#include "cost/precision.h"
#include "cost/traffic.h"
#include "target/kinds.h"
#include "target/params.h"

namespace hwest {
namespace {

// Waking a core of a CPU and waiting for it, in launches: 20 to 40 us for four on runtimes with thread pools, which
// hand out work to one thread after the other.
constexpr double kJoinLaunches = 1.25;
// Lanes for each element of a row that is put together from several.
constexpr double kMostLanes = 2;
// ComputeUse and memory time closer than this are called balanced.
constexpr double kBalance = 0.2;
// Eight of ten whole models lie within this factor of figures that no measurement says how far to trust: clocks,
// kernels and layouts of the toolchain are not in the sheet. Of 386 published figures of units without fits, 75 % lie
// within.
constexpr double kDataSheetFactor = 2;

// The rate of one contraction.
double PerCycleOf(const Rate& rate, const ContractionSize& size) {
  const double dense = rate.per_cycle.value_or(0);
  return size.sparse ? rate.sparse_per_cycle.value_or(dense) : dense;
}

// Seconds of all products at the peak. Instances and cores as stated: the roofline peak ignores parallel efficiency.
double PeakSeconds(const Machine& machine, const Rate& rate, const GroupWork& work) {
  const double engines = static_cast<double>(machine.unit.cores) * machine.unit.instances;
  double dense_macs = static_cast<double>(work.macs), sparse_s = 0;
  for (const ContractionSize& size : work.contractions) {
    if (machine.kind.products != nullptr) {
      dense_macs -= (1 - machine.kind.products(machine, size)) * static_cast<double>(size.macs());
    }
    if (!size.sparse) continue;
    dense_macs -= static_cast<double>(size.macs());
    sparse_s += static_cast<double>(size.macs()) / (PerCycleOf(rate, size) * engines * machine.clock_hz);
  }
  return std::max(dense_macs, 0.0) / (rate.per_cycle.value_or(0) * engines * machine.clock_hz) + sparse_s;
}

// Scores of queries and keys, then values weighted with them.
bool IsAttention(const GroupWork& work) {
  if (work.contractions.size() != 2) return false;
  const ContractionSize &scores = work.contractions[0], &values = work.contractions[1];
  return scores.kind == ContractionKind::kActivation && values.kind == ContractionKind::kActivation &&
         scores.batch == values.batch && scores.m == values.m && scores.n == values.k;
}

// As one kernel, where that takes less than the two products one after the other.
double AttentionSecondsOf(const Machine& machine, const GroupWork& work, double apart_s) {
  if (machine.kind.attention == nullptr || !IsAttention(work)) return apart_s;
  const double rate = PerCycleOf(*machine.contraction, work.contractions[0]);
  const double seconds = machine.kind.attention(machine, work.contractions[0], work.contractions[1], rate);
  return std::min(apart_s, seconds / machine.activation_efficiency);
}

// At the clock that the power of the device holds: it grows with the cube of the clock and with the multipliers in use.
double HeldSeconds(const Machine& machine, double seconds, double peak_s) {
  if (machine.full_clock >= 1 || seconds <= 0) return seconds;
  const double in_use = std::min(peak_s / seconds, 1.0);
  return seconds * std::max(1.0, portable::Pow(in_use, 1 / 3.0) / machine.full_clock);
}

absl::Status AddContractions(const Machine& machine, const GroupWork& work, ComputeUse& compute) {
  if (work.contractions.empty()) return absl::OkStatus();
  if (machine.contraction == nullptr || machine.contraction->per_cycle.value_or(0) <= 0) {
    return MissingFigure(machine.unit, absl::StrCat("contraction rate at ", PrecisionName(machine.precision)));
  }
  for (const ContractionSize& size : work.contractions) {
    const bool between_activations = size.kind == ContractionKind::kActivation;
    const double share = between_activations ? machine.activation_efficiency : 1;
    compute.seconds += machine.kind.seconds(machine, Folded(size), PerCycleOf(*machine.contraction, size)) / share;
  }
  compute.seconds = AttentionSecondsOf(machine, work, compute.seconds);
  if (!std::isfinite(compute.seconds)) return MissingFigure(machine.unit, "rate for its contractions");
  compute.peak_seconds = PeakSeconds(machine, *machine.contraction, work);
  compute.seconds = HeldSeconds(machine, compute.seconds, compute.peak_seconds);
  compute.energy_j += static_cast<double>(work.macs) * machine.contraction->energy_j.value_or(0);
  return absl::OkStatus();
}

// Elements that the empty lanes behind rows would hold. Where the innermost axis changes, rows are put together from
// vectors of several, so that half of the lanes are full.
double EmptyLanes(const Machine& machine, const MovedRows& rows) {
  const double lanes = machine.row_bytes * 8 / NumBits(machine.precision.act);
  const auto padded = [lanes](int64_t row) {
    const auto elements = static_cast<double>(std::max<int64_t>(row, 1));
    return lanes > 0 ? std::ceil(elements / lanes) * lanes / elements : 1;
  };
  const double factor =
      rows.is_kept ? padded(rows.to) : std::min(kMostLanes, std::max(padded(rows.from), padded(rows.to)));
  return (factor - 1) * static_cast<double>(rows.elements);
}

// Blocks of whole channels and positions stay as they are: who reads a head finds them by their addresses. Parts that
// are taken one by one are found so at any number of positions.
bool IsSplitByAddress(const Machine& machine, const MovedRows& rows) {
  return machine.split_positions > 0 && rows.positions > 0 && rows.to % machine.channel_block == 0 &&
         (rows.is_in_parts || rows.positions % machine.split_positions == 0);
}

// Parts of whole blocks of channels are found by their addresses, too, and pixels of them are copied as they are.
bool IsOfWholeBlocks(const Machine& machine, const MovedRows& rows) {
  return machine.split_positions > 0 && rows.cut > 0 && rows.cut % machine.channel_block == 0;
}

// Of what windows read that go on by two: its pixels become channels first, so that the array meets each of them once.
// Where the channels are few, StepsOf has that time.
double HalvedElements(const Machine& machine, const GroupWork& work) {
  constexpr int64_t kHalving = 2, kImageChannels = 4;
  double elements = 0;
  for (const ContractionSize& size : work.contractions) {
    const bool is_depthwise = size.kind == ContractionKind::kDepthwise;
    const int64_t channels = is_depthwise ? size.n : size.k / std::max<int64_t>(1, size.kernel_elements);
    if (size.stride != kHalving || size.kernel_elements <= 1) continue;
    if (!is_depthwise && channels <= kImageChannels) continue;
    const auto positions = static_cast<double>(size.batch) * static_cast<double>(size.m) * kHalving * kHalving;
    elements += positions * static_cast<double>(CeilDiv(channels, machine.channel_block) * machine.channel_block);
  }
  return elements;
}

void AddMoves(const Machine& machine, const GroupWork& work, ComputeUse& compute) {
  const auto add = [&](double elements, double rate) {
    if (elements <= 0 || rate <= 0) return;
    const double bytes = elements * NumBits(machine.precision.act) / 8;
    compute.seconds += bytes / (rate * machine.engines * machine.clock_hz);
  };
  auto moved = static_cast<double>(work.moved_elements - work.copied_elements);
  auto copied = static_cast<double>(work.copied_elements);
  for (const MovedRows& rows : work.moved_rows) {
    const auto elements = static_cast<double>(rows.elements);
    if (rows.is_copied) {
      copied -= IsOfWholeBlocks(machine, rows) ? elements : 0;
    } else if (IsOfWholeBlocks(machine, rows)) {
      moved -= elements;
      copied += elements;
    } else {
      moved += IsSplitByAddress(machine, rows) ? -elements : EmptyLanes(machine, rows);
    }
  }
  if (machine.halving_copies > 0) copied += machine.halving_copies * HalvedElements(machine, work);
  add(moved, machine.moved_bytes_per_cycle);
  add(copied, machine.copied_bytes_per_cycle);
}

// Runtimes without integer kernels of the type compute in floating point between conversions of what a group reads and
// writes, weights included. Where the toolchain widens a group, its weights are stored wide.
void AddConversions(const Machine& machine, const GroupWork& work, ComputeUse& compute) {
  if (work.num_kernels <= 0 || machine.converted_per_cycle <= 0) return;
  const Precision& precision = machine.precision;
  const bool is_widened = precision.stored != Num::kUnset;
  const auto elements = [](int64_t bytes, Num num) { return static_cast<double>(bytes) * 8 / NumBits(num); };
  const Num stored = is_widened ? precision.stored : precision.act;
  const double read =
      elements(work.in_bytes, stored) + (is_widened ? 0 : elements(work.weight_bytes, precision.weight));
  const double per_s = machine.converted_per_cycle * machine.clock_hz;
  const double readers = work.reads_on_one_core ? std::min(machine.fastest_core, machine.engines) : machine.engines;
  compute.seconds += read / (per_s * readers) + elements(work.out_bytes, stored) / (per_s * machine.engines);
}

// Cycles of element operations that run at a rate of their own, and how many of them `fast` counts no more.
struct OwnRate {
  double cycles = 0;
  double ops = 0;
};

OwnRate AtOwnRates(const Machine& machine, const GroupWork& work) {
  OwnRate own;
  const auto add = [&own](int64_t count, double per_cycle, bool is_counted) {
    if (count <= 0 || per_cycle <= 0) return;
    own.cycles += static_cast<double>(count) / per_cycle;
    own.ops += is_counted ? static_cast<double>(count) : 0;
  };
  if (work.pooled_elements > 0 && machine.pooled_per_cycle > 0) {
    double cycles = static_cast<double>(work.pooled_elements) / machine.pooled_per_cycle;
    if (machine.window_per_cycle > 0) {
      cycles = std::max(cycles, static_cast<double>(work.wide_window_ops) / machine.window_per_cycle);
    }
    own.cycles += cycles;
    own.ops += static_cast<double>(work.pooled_ops);
  } else {
    add(work.wide_window_ops, machine.window_per_cycle, true);
  }
  add(work.search_ops, machine.search_per_cycle, true);
  add(work.scaled_elements, machine.scaled_per_cycle, false);
  add(work.image_elements, machine.image_per_cycle, false);
  add(work.channel_elements, machine.channel_per_cycle, false);
  return own;
}

// Results in whole columns of the array that they leave, for each of them.
double FilledColumns(const Machine& machine, const GroupWork& work) {
  double padding = 1;
  for (const ContractionSize& size : work.contractions) {
    const bool is_grouped = size.kind == ContractionKind::kDepthwise;  // channels of all groups lie side by side
    if (machine.tiles.empty() || size.n <= 0 || is_grouped) continue;
    const int64_t columns = CeilDiv(size.n, machine.tiles[0].n) * machine.tiles[0].n;
    padding = std::max(padding, static_cast<double>(columns) / static_cast<double>(size.n));
  }
  return padding;
}

double LookupCycles(const Machine& machine, const GroupWork& work, double lookups) {
  return lookups * FilledColumns(machine, work) / machine.lookup_per_cycle;
}

// Of `results` that are looked up between the steps of the array that they leave.
double ActivationSeconds(const Machine& machine, const GroupWork& work, double results) {
  if (machine.tiles.empty()) return 0;
  const double steps = results * FilledColumns(machine, work) * machine.activation_steps;
  const double macs = steps * machine.tiles[0].k;
  const double rate = PerCycleOf(*machine.contraction, work.contractions[0]);
  return macs / (rate * machine.engines * machine.clock_hz * machine.compute_efficiency);
}

// Some warps of an attention kernel multiply while others exponentiate.
double HiddenSeconds(const Machine& machine, const GroupWork& work, double products_s, double between_s) {
  return IsAttention(work) ? machine.softmax_overlap * std::min(products_s, between_s) : 0;
}

// Of `fast` and `slow` operations at the vector units, or at the output stage of an array.
double ElementSeconds(const Machine& machine, const GroupWork& work, double fast, double slow, bool leaves_array) {
  const double per_cycle = machine.pointwise_per_cycle;
  const double efficiency = machine.pointwise_efficiency;
  const double own_rate = machine.transcendental_per_cycle * machine.transcendental_efficiency;
  const double slow_rate = leaves_array ? per_cycle * efficiency : own_rate;
  const OwnRate own = AtOwnRates(machine, work);
  const double fast_cycles = std::max(fast - own.ops, 0.0) / (per_cycle * efficiency) + own.cycles;
  // One look-up stands for all that is computed of a result, in a stage of its own.
  const bool looks_up = leaves_array && slow > 0 && machine.lookup_per_cycle > 0;
  const double cycles =
      looks_up ? std::max(fast_cycles, LookupCycles(machine, work, slow)) : fast_cycles + slow / slow_rate;
  return cycles / (machine.engines * machine.clock_hz);
}

absl::Status AddElementOps(const Machine& machine, const GroupWork& work, ComputeUse& compute) {
  const double slow = static_cast<double>(work.ops[static_cast<size_t>(OpKind::kTranscendental)]);
  double fast = -slow;
  for (const int64_t ops : work.ops) fast += static_cast<double>(ops);
  if (fast > 0 || slow > 0) {
    if (machine.pointwise_per_cycle <= 0) return MissingFigure(machine.unit, "rate for element-wise work");
    const bool leaves_array = machine.kind.epilogue == Epilogue::kOutputStage && !work.contractions.empty();
    if (leaves_array && machine.least_steps > 0) {  // biases and Relu are part of the steps
      compute.seconds += ActivationSeconds(machine, work, slow);
    } else {
      const double seconds = ElementSeconds(machine, work, fast, slow, leaves_array);
      const double hidden = HiddenSeconds(machine, work, compute.seconds, seconds);
      compute.seconds = leaves_array ? std::max(compute.seconds, seconds) : compute.seconds + seconds - hidden;
    }
  }
  AddMoves(machine, work, compute);
  AddConversions(machine, work, compute);
  compute.slow_seconds = static_cast<double>(work.slow_cycles) / (machine.engines * machine.clock_hz);
  compute.seconds += compute.slow_seconds;
  compute.energy_j += fast * machine.pointwise_j + slow * machine.transcendental_j;
  return absl::OkStatus();
}

absl::StatusOr<ComputeUse> ComputeOf(const Machine& machine, const GroupWork& work) {
  ComputeUse compute;
  HWEST_RETURN_IF_ERROR(AddContractions(machine, work, compute));
  const double contractions_s = compute.seconds;
  HWEST_RETURN_IF_ERROR(AddElementOps(machine, work, compute));
  // Behind a contraction that streams its results, element-wise work adds no rows of its own.
  if (IsStreaming(machine.unit) && !work.contractions.empty()) {
    compute.seconds = contractions_s;
    compute.slow_seconds = 0;
  }
  return compute;
}

// Uses all cores unless a single one is faster.
absl::Status JoinCores(const Machine& machine, const GroupWork& work, ComputeUse& compute) {
  if (machine.kind.cores != Cores::kBarrier || machine.engines <= 1) return absl::OkStatus();
  Machine one = machine;
  one.engines = work.on_one_core ? machine.fastest_core : std::min(machine.fastest_core, 1.0);
  HWEST_ASSIGN_OR_RETURN(const ComputeUse alone, ComputeOf(one, work));
  compute.seconds += 4 * kJoinLaunches * machine.launch_s;
  if (alone.seconds >= compute.seconds && !work.on_one_core) return absl::OkStatus();
  compute.seconds = alone.seconds;
  compute.slow_seconds = alone.slow_seconds;
  return absl::OkStatus();
}

// Strings and maps are handled one after the other.
absl::Status AddVisits(const Machine& machine, const GroupWork& work, ComputeUse& compute) {
  if (work.visits == 0) return absl::OkStatus();
  const double cycles = machine.kind.visit_cycles;
  if (cycles <= 0) return MissingFigure(machine.unit, "kernel for strings and maps");
  compute.seconds += static_cast<double>(work.visits) * cycles / (machine.fastest_core * machine.clock_hz);
  return absl::OkStatus();
}

// A memory has a port for what is nearer and another for what fills it; its bandwidth is that of the first.
double MemorySeconds(const Machine& machine, const GroupTraffic& traffic) {
  double seconds = 0;
  for (size_t i = 0; i < traffic.levels.size(); ++i) {
    const double bytes_per_s = machine.levels[i].bytes_per_s;
    const double cached = i + 1 == traffic.levels.size() ? traffic.cached_bytes : 0;
    if (bytes_per_s > 0) seconds = std::max(seconds, (traffic.levels[i].asked.total() - cached) / bytes_per_s);
  }
  return seconds;
}

EnergyParts EnergyOfParts(const Machine& machine, const GroupWork& work, const ComputeUse& compute,
                          const GroupTraffic& traffic, double time_s) {
  EnergyParts parts{.compute_j = compute.energy_j};
  for (size_t i = 0; i < traffic.levels.size(); ++i) {
    const MemoryLevel& level = machine.levels[i];
    if (level.is_covered && !work.contractions.empty()) continue;
    const bool is_shared = i + 1 == machine.levels.size();
    (is_shared ? parts.dram_j : parts.onchip_j) += traffic.levels[i].All().total() * level.energy_j_per_byte;
  }
  parts.static_j = machine.static_w * time_s;
  return parts;
}

Bound BoundOf(const Estimate& estimate) {
  const double longer = std::max(estimate.compute_s, estimate.memory_s);
  if (estimate.overhead_s >= longer) return Bound::kOverhead;
  if (std::min(estimate.compute_s, estimate.memory_s) >= (1 - kBalance) * longer) return Bound::kBalanced;
  return estimate.compute_s > estimate.memory_s ? Bound::kCompute : Bound::kMemory;
}

// Kernels that wait for none of each other start together where the unit can. A loop that the toolchain unrolls
// launches the kernels of each step one after the other.
double LaunchesOf(const Machine& machine, const GroupWork& work, int beside) {
  double launches =
      work.launch_share * work.num_kernels * (1 - machine.launch_overlap * (1 - 1.0 / std::max(beside, 1)));
  for (const ContractionSize& size : work.contractions) {
    if (size.kind != ContractionKind::kRecurrent) continue;
    launches += machine.step_kernels * static_cast<double>(size.batch);
  }
  return launches;
}

void AddTraffic(const Machine& machine, const GroupTraffic& traffic, Estimate& estimate) {
  for (size_t i = 0; i < traffic.levels.size(); ++i) {
    const CrossingBytes bytes = traffic.levels[i].All();
    estimate.traffic.push_back({.memory = machine.levels[i].memory,
                                .read_bytes = static_cast<int64_t>(bytes.read),
                                .written_bytes = static_cast<int64_t>(bytes.written)});
  }
  for (const MemoryTraffic& row : estimate.traffic) estimate.onchip_bytes += row.total();
  if (!estimate.traffic.empty()) {
    estimate.dram_bytes = estimate.traffic.back().total();
    estimate.onchip_bytes -= estimate.dram_bytes;
  }
  estimate.reload_bytes = static_cast<int64_t>(traffic.reload_bytes);
  estimate.tiling = traffic.tiling;
}

void AddTimes(const Machine& machine, const GroupWork& work, int beside, Estimate& estimate) {
  const double busy_s = std::max(estimate.compute_s, estimate.memory_s) +
                        (1 - machine.overlap) * std::min(estimate.compute_s, estimate.memory_s);
  const double launches_s = LaunchesOf(machine, work, beside) * machine.launch_s;
  // The host launches the next kernels while one runs; what it cannot hide is the gap between two.
  const double gap = work.launch_share > 0 ? std::min(1.0, machine.launch_gap / work.launch_share) : 1;
  estimate.overhead_s = std::max(gap * launches_s, launches_s - busy_s);
  estimate.time_s = busy_s + estimate.overhead_s;
  const double factor = machine.interval_factor;
  estimate.low_s = estimate.time_s / factor;
  estimate.high_s = estimate.time_s * factor;
}

}  // namespace

absl::StatusOr<Estimate> EstimateGroup(const Target& target, const Unit& unit, const GroupWork& work,
                                       const Residency& residency) {
  HWEST_ASSIGN_OR_RETURN(const Machine machine, MakeMachine(target, unit, work.precision));
  return EstimateOn(machine, work, residency);
}

absl::StatusOr<Estimate> EstimateOn(const Machine& machine, const GroupWork& work, const Residency& residency,
                                    int beside) {
  HWEST_ASSIGN_OR_RETURN(const ComputeUse compute, ComputeOn(machine, work));
  return EstimateWith(machine, work, compute, residency, beside);
}

absl::StatusOr<ComputeUse> ComputeOn(const Machine& machine, const GroupWork& work) {
  if (work.has_opaque || !work.counts_known || !work.bytes_known) {
    return absl::FailedPreconditionError("the group's work is not fully known");
  }
  HWEST_ASSIGN_OR_RETURN(ComputeUse compute, ComputeOf(machine, work));
  HWEST_RETURN_IF_ERROR(JoinCores(machine, work, compute));
  HWEST_RETURN_IF_ERROR(AddVisits(machine, work, compute));
  return compute;
}

absl::StatusOr<Estimate> EstimateWith(const Machine& machine, const GroupWork& work, const ComputeUse& compute,
                                      const Residency& residency, int beside) {
  const bool streams = IsStreaming(machine.unit);
  if (!streams && machine.shared_bytes_per_s <= 0) return MissingFigure(machine.unit, "memory bandwidth");
  const GroupTraffic traffic = TrafficOf(machine, work, residency);

  Estimate estimate{.compute_s = compute.seconds, .memory_s = streams ? 0 : MemorySeconds(machine, traffic)};
  if (compute.slow_seconds > 0) estimate.slow_share = static_cast<float>(compute.slow_seconds / compute.seconds);
  if (work.visits > 0) {
    estimate.assumptions.push_back(absl::StrCat("strings and entries of maps at ", machine.kind.visit_cycles,
                                                " cycles each, estimated: a third to three times that"));
  }
  AddTimes(machine, work, beside, estimate);
  estimate.energy = EnergyOfParts(machine, work, compute, traffic, estimate.time_s);
  estimate.bound = BoundOf(estimate);
  estimate.utilisation = estimate.time_s > 0 ? compute.peak_seconds / estimate.time_s : 0;
  AddTraffic(machine, traffic, estimate);
  return estimate;
}

const Memory* OnChipMemoryOf(const Target& target, const Unit& unit) {
  const Memory* largest = nullptr;
  for (size_t i = 0; i + 1 < unit.memories.size(); ++i) {
    const Memory& memory = target.memories[unit.memories[i]];
    if (!memory.capacity_bytes.known()) continue;
    if (largest == nullptr || memory.capacity_bytes.value_or(0) > largest->capacity_bytes.value_or(0)) {
      largest = &memory;
    }
  }
  return largest;
}

int64_t OnChipBytes(const Target& target, const Unit& unit) {
  const Memory* memory = OnChipMemoryOf(target, unit);
  return memory != nullptr ? RoomIn(unit, *memory) : 0;
}

int64_t RoomIn(const Unit& unit, const Memory& memory) {
  const double usable =
      memory.usable_bytes.known() ? memory.usable_bytes.value_or(0) : memory.capacity_bytes.value_or(0);
  const double fallback = memory.scratchpad ? kScratchpadShare : kCacheShare;
  return static_cast<int64_t>(usable * ParamOf(unit, "onchip_share").value_or(fallback));
}

double StaticWatts(const Target& target, const Unit& unit) {
  double watts = target.idle_w.value_or(0) + unit.static_w.value_or(0);
  if (!target.idle_w.known()) {
    for (const uint32_t index : unit.memories) watts += target.memories[index].static_w.value_or(0);
  }
  return watts;
}

Grade GradeOf(const Unit& unit) {
  const auto is_own = [](const Fact& fact) { return fact.fit.has_value() && fact.fit->shared_by.empty(); };
  if (is_own(unit.clock_hz) || is_own(unit.invoke_s)) return Grade::kMeasured;
  Grade grade = unit.placeable && LeavesToDefaults(unit) ? Grade::kAssumed : Grade::kDatasheet;
  for (const Param& param : unit.params) {
    if (is_own(param.fact)) return Grade::kMeasured;
    if (param.fact.fit.has_value()) grade = Grade::kFamily;
  }
  return grade;
}

double IntervalFactor(const Unit& unit, Precision precision, double unseen) {
  const Grade grade = GradeOf(unit);
  const absl::string_view name = grade == Grade::kMeasured ? "interval_ln" : "interval_ln_unmeasured";
  const std::string at = absl::StrCat(".", PrecisionName(precision));
  const std::optional<double> half_width = ParamOf(unit, absl::StrCat(name, at));
  if (half_width.has_value()) {
    // Misses of what was measured and of what was not are independent.
    const double more = unseen > 0 ? ParamOf(unit, absl::StrCat("interval_ln_unseen", at)).value_or(0) : 0;
    return portable::Exp(std::sqrt(*half_width * *half_width + unseen * more * more));
  }
  return kDataSheetFactor;
}

double EnergyIntervalFactor(double time_factor) { return std::max(kDataSheetFactor, time_factor); }

}  // namespace hwest
