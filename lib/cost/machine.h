// What the kinds of machine share: figures looked up once, fallbacks, and the row each kind adds to the table in
// machine.cc.
#pragma once

#include <cstdint>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "cost/weight_layout.h"
#include "hwest/estimate.h"
#include "hwest/target.h"

namespace hwest {

struct KindRow;

// One memory of a unit.
struct MemoryLevel {
  uint32_t memory = 0;     // index into Target::memories
  double bytes_per_s = 0;  // that it is held to; 0 = never the limit
  double energy_j_per_byte = 0;
  double nearer_bytes = 0;  // for tiles in the nearer memories; 0 = none has a known size
  bool is_covered = false;  // energy of a MAC includes its accesses there
  bool is_outside = false;  // of the memory that values stay in between groups
};

// Machine is a unit at one precision with all that the cost model asks of its file. The target outlives it.
struct Machine {
  const Target& target;
  const Unit& unit;
  const KindRow& kind;
  Precision precision;
  double clock_hz = 0;      // that it holds: clock_scale applied
  double full_clock = 1;    // share of it that power holds while all multipliers are in use
  double engines = 1;       // cores of all instances
  double fastest_core = 1;  // speed of the fastest core of a CPU over that of the others
  double launch_s = 0;      // launch_scale applied
  double launch_gap = 1;    // of launch_s, that each kernel takes behind the one before even where the host is ahead
  double step_kernels = 0;  // launches of each step of a recurrent layer; 0 = its loop is one kernel
  // Parameters at this precision, as ParamAt.
  double activation_efficiency = 1;
  double compute_efficiency = 0;
  double pointwise_efficiency = 0;
  double transcendental_efficiency = 0;
  double dram_efficiency = 0;
  double overlap = 0;
  double launch_overlap = 0;
  double channels_half = 0;
  double window_packing = 1;
  bool transforms_windows = false;  // of 3 x 3, as the unit's toolchain says of this format
  double least_steps = 0;           // of an array, for each of its blocks of results
  double activation_steps = 0;      // more of them where results are looked up on their way out
  double waves_half = 0;
  double block_cycles = 0;   // of each thread block beside its products
  double step_cycles = 0;    // of a thread block that waits for the operands of one step along k
  double most_slices = 1;    // of k, that blocks of their own take
  double window_slices = 1;  // the same of windows
  double softmax_overlap = 0;
  double core_bytes = 0;     // per cycle, that one core reads from the last-level cache; 0 = as much as there is
  double channel_bytes = 0;  // of input channels that matrix units take at once; 0 = any number
  // Rates per cycle and engine; 0 = not stated.
  double pointwise_per_cycle = 0;  // operations: the stated row, else vector lanes of vector_bytes
  double transcendental_per_cycle = 0;
  double vector_macs_per_cycle = 0;   // the DEPTHWISE row times its efficiency, else half the pointwise rate
  double moved_bytes_per_cycle = 0;   // the MOVE row, else vector lanes where the file states move_efficiency, times
                                      // that share; 0 = moving costs no more than its memory traffic
  double copied_bytes_per_cycle = 0;  // the same of what keeps its order: copy_efficiency in place of move_efficiency
  int64_t split_positions = 0;        // whose multiples are divided into heads by address; 0 = by a move
  int64_t channel_block = 1;          // channels of such a head
  double halving_copies = 0;          // of what windows that go on by two read
  double row_bytes = 0;               // of the vectors that each row of a transpose fills anew; 0 = no gaps
  double window_per_cycle = 0;        // operations under wide windows; 0 = they run like others
  double pooled_per_cycle = 0;        // elements that pooling reads; 0 = its operations run like others
  double lookup_per_cycle = 0;        // results that look up a table on their way out of an array; 0 = like others
  double search_per_cycle = 0;        // comparisons of all elements of an axis; 0 = they run like others
  double image_per_cycle = 0;         // GroupWork::image_elements; 0 = no time of their own
  double scaled_per_cycle = 0;        // GroupWork::scaled_elements; 0 = no time of their own
  double channel_per_cycle = 0;       // elements that a constant of their channel is applied to; 0 = as above
  double converted_per_cycle = 0;     // elements between formats; 0 = no time of their own
  WeightBlocks weight_blocks;
  const Rate* contraction = nullptr;  // null = not stated
  double pointwise_j = 0;             // per operation
  double transcendental_j = 0;
  // The unit's tiles for its activation type, for a half precision one without any those of the other; tiles without a
  // type hold for all. Where the file states none, the kind's own.
  absl::InlinedVector<Tile, 2> tiles;
  double shared_bytes_per_s = 0;  // as SharedBytesPerS
  const Memory* shared = nullptr;
  const Memory* on_chip = nullptr;  // as OnChipMemoryOf
  std::vector<MemoryLevel> levels;  // nearest first, the shared memory last
  int tile_buffers = 2;             // of each operand of a contraction
  double static_w = 0;              // as StaticWatts
  double interval_factor = 1;       // as IntervalFactor
};

// Errors: Unimplemented for kinds without a model; FailedPrecondition without a clock.
absl::StatusOr<Machine> MakeMachine(const Target& target, const Unit& unit, Precision precision);

absl::Status MissingFigure(const Unit& unit, absl::string_view what);

// The parameter `name.class_name` of the unit, else, for one half precision class, that of the other, else `name`, else
// the default in the table of target/kinds.cc, which has a row for each `name` here.
double ParamAt(const Unit& unit, absl::string_view name, absl::string_view class_name);

// Bytes per second of the unit's shared memory as it is held, dram_scale applied; 0 when none is stated.
double SharedBytesPerS(const Target& target, const Unit& unit, absl::string_view class_name);

// The row of `work` whose activation type is nearest: exact, wider, narrower. Null = none is stated.
const Rate* NearestRate(const Unit& unit, WorkKind work, Precision precision);

// Seconds of one contraction at `rate` per cycle and engine.
using ContractionSeconds = double (*)(const Machine& machine, const ContractionSize& size, double rate_per_cycle);

// Seconds of attention as one kernel: products of queries with keys and of their weights with values.
using AttentionSeconds = double (*)(const Machine& machine, const ContractionSize& scores,
                                    const ContractionSize& values, double rate_per_cycle);

// Element-wise work fused behind a contraction: extra passes of the same lanes, or an output stage that results pass on
// their way out of the array, where a table look-up takes no longer than any other operation.
enum class Epilogue : uint8_t { kExtraPasses, kOutputStage };

// kBarrier: the cores of a kernel synchronise at its end, so Amdahl's law applies.
enum class Cores : uint8_t { kIndependent, kBarrier };

// How the kind takes its time; what else differs between kinds stands in target/kinds.h.
struct KindRow {
  UnitKind kind;
  ContractionSeconds seconds;
  AttentionSeconds attention = nullptr;                                           // null = as two products
  Tile (*default_tile)(const Machine& machine, double rate_per_cycle) = nullptr;  // null = it has none
  Epilogue epilogue = Epilogue::kExtraPasses;
  Cores cores = Cores::kIndependent;
  double visit_cycles = 0;  // of one string or entry of a map; 0 = has no such kernels
  double (*products)(const Machine& machine, const ContractionSize& size) = nullptr;  // share of its MACs that are
                                                                                      // multiplied; null = all
  double (*weights)(const Machine& machine, const ContractionSize& size) = nullptr;   // times their bytes that weights
                                                                                      // take as laid out; null = once
  double sum_bytes = 0;  // of results that each core holds in registers, beside what its memories hold
};

// Times the rows of an image that its blocks hold.
double EmptyRows(const Machine& machine, const ContractionSize& size);

// MACs on vector lanes, spread over the engines by output channel and row; infinity without such a rate.
double VectorSeconds(const Machine& machine, const ContractionSize& size);

// ceil(a / b) for positive sizes.
inline int64_t CeilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }

// Input channels of the contraction.
inline int64_t Channels(const ContractionSize& size) {
  return size.kernel_elements > 0 ? CeilDiv(size.k, size.kernel_elements) : size.k;
}

// A product with shared weights has no batch of its own: its rows are all rows.
ContractionSize Folded(const ContractionSize& size);

}  // namespace hwest
