// Estimates: seconds and joules of a group on a unit, of a segment, of a whole model.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "hwest/id.h"
#include "hwest/target.h"
#include "hwest/work.h"

namespace hwest {

enum class Bound : uint8_t { kCompute, kMemory, kOverhead, kTransfer, kBalanced };
absl::string_view BoundName(Bound bound);  // "compute", ...

// Precision a group runs at. Activations and weights may differ (w8a16: act int16, weight int8). For the integer
// kernels of a quantised graph, `floating` is the type of the values that stay unquantised. `sparse`: constant weights
// run as 2:4 sparse. `stored`: what activations are read and written in, where that is narrower than `act`.
struct Precision {
  Num act = Num::kUnset;
  Num weight = Num::kUnset;
  Num floating = Num::kUnset;
  bool sparse = false;
  Num stored = Num::kUnset;  // unset = act
  bool operator==(const Precision&) const = default;
};
// "int8", "fp16", "w8a16", ...
std::string PrecisionName(Precision precision);

// Where the operands of a contraction are, seen from its group. Bytes are those of the whole operand as deployed.
struct OperandBytes {
  static constexpr int64_t kAsSized = -1;  // what the sizes of the contraction say at the precision of the group

  int64_t left = kAsSized;       // activations; 0 = made inside the group
  int64_t right = kAsSized;      // weights or other activations; 0 = made inside the group
  int64_t halo = 0;              // of `left`: what the window of the next row of an image reads again
  int64_t alike = 1;             // products of the batch that share one right side
  bool result_is_inner = false;  // read inside the group alone

  bool operator==(const OperandBytes&) const = default;
  template <class H>
  friend H AbslHashValue(H state, const OperandBytes& o) {
    return H::combine(std::move(state), o.left, o.right, o.halo, o.alike, o.result_is_inner);
  }
};

// A contraction with all sizes known; see Contraction.
struct ContractionSize {
  ContractionKind kind = ContractionKind::kMatMul;
  int64_t batch = 1, m = 0, n = 0, k = 0;
  int64_t kernel_elements = 1;
  OperandBytes operands;
  int64_t height = 0;    // m of an image, in rows of m / height; 0 = no image
  int64_t stride = 1;    // positions that the window of a convolution goes on by, along its first axis
  bool integer = false;  // both operands integer in the graph
  bool sparse = false;   // the weights are taken as 2:4 sparse
  int64_t macs() const { return batch * m * n * k; }

  bool operator==(const ContractionSize&) const = default;
  template <class H>
  friend H AbslHashValue(H state, const ContractionSize& c) {
    return H::combine(std::move(state), c.kind, c.batch, c.m, c.n, c.k, c.kernel_elements, c.operands, c.height,
                      c.stride, c.integer, c.sparse);
  }
};

// Rows that a layout node reorders. A row spans the innermost axis of the graph's order and every axis that moves along
// with it; 1 if that is unknown.
struct MovedRows {
  int64_t elements = 0;
  int64_t from = 1;      // elements of a row before
  int64_t to = 1;        // and after
  bool is_kept = false;  // the axes stay innermost: rows change places, elements of a row do not
  int64_t positions =
      0;  // of a table whose channels are divided into fewer parts than it has positions; 0 = another move
  bool is_in_parts = false;  // what reads it takes one part each
  int64_t cut = 0;           // parts of channels begin and end at multiples of it; 0 = none are cut out or put together
  bool is_copied = false;    // among copied_elements

  bool operator==(const MovedRows&) const = default;
  template <class H>
  friend H AbslHashValue(H state, const MovedRows& r) {
    return H::combine(std::move(state), r.elements, r.from, r.to, r.is_kept, r.positions, r.is_in_parts, r.cut,
                      r.is_copied);
  }
};

// A value that its group writes in one format and a layer with a precision of its own reads in another: a kernel of its
// own behind the group brings it there, once for all who read it so.
struct Conversion {
  int64_t elements = 0;
  Num from = Num::kUnset, to = Num::kUnset;

  bool operator==(const Conversion&) const = default;
  template <class H>
  friend H AbslHashValue(H state, const Conversion& c) {
    return H::combine(std::move(state), c.elements, c.from, c.to);
  }
};

// GroupWork is everything a cost model may look at: the counts of one group at the precision it runs at.
struct GroupWork {
  std::vector<ContractionSize> contractions;
  std::array<int64_t, kNumOpKinds> ops = {0, 0, 0, 0, 0};  // element operations, see OpKind
  int64_t macs = 0;
  int64_t int_macs = 0;
  int64_t flops = 0;                  // 2*macs + floating point ops
  int64_t in_bytes = 0;               // activations read from outside the group
  int64_t weight_bytes = 0;           // constants read, as deployed
  int64_t out_bytes = 0;              // written for use outside the group
  int64_t inner_bytes = 0;            // intermediates that fusion keeps out of memory (each written and read once)
  int64_t moved_elements = 0;         // elements that pass through layout nodes inside the group
  int64_t copied_elements = 0;        // those of moved_elements that keep their order, in runs
  std::vector<MovedRows> moved_rows;  // the others, as rows, and copies of parts of channels
  int64_t wide_window_ops = 0;        // those of ops in sliding windows too wide for kernels to unroll
  int64_t pooled_elements = 0;        // read by pooling in sliding windows
  int64_t pooled_ops = 0;             // those of ops in such windows
  int64_t search_ops = 0;             // those of ops that compare all elements of an axis
  int64_t scaled_elements = 0;        // elements scaled by sums or extremes over an axis of theirs
  int64_t visits = 0;                 // strings and map entries handled one by one
  // Of arithmetic with constants in a group without contraction:
  int64_t image_elements = 0;      // elements of what has at most four channels; of floating point its positions
  int64_t channel_elements = 0;    // elements of what has more, where each channel has a constant of its own
  int64_t slow_cycles = 0;         // of one core, of kernels that the runtime has no fast code for
  bool on_one_core = false;        // its kernels are not spread over the cores of a CPU
  bool reads_on_one_core = false;  // nor are the conversions of what they read
  int num_nodes = 0;               // kernels' worth of nodes (compute, layout, control, opaque)
  int num_kernels = 1;             // launches the unit needs: 1, or 0 for groups that cost nothing
  double launch_share = 1;         // of the unit's launch_s that each takes
  absl::InlinedVector<Conversion, 1> conversions;  // of what it writes; their kernels are in no other count
  Precision precision;
  bool has_opaque = false;   // a node without a rule: time unknown
  bool counts_known = true;  // false: macs, ops and flops are those of the nodes that could be counted
  bool bytes_known = true;   // false: bytes are those of the values whose size is known

  bool operator==(const GroupWork&) const = default;
  template <class H>
  friend H AbslHashValue(H state, const GroupWork& w) {
    return H::combine(std::move(state), w.contractions, w.ops, w.macs, w.int_macs, w.flops, w.in_bytes, w.weight_bytes,
                      w.out_bytes, w.inner_bytes, w.moved_elements, w.copied_elements, w.moved_rows, w.wide_window_ops,
                      w.pooled_elements, w.pooled_ops, w.search_ops, w.scaled_elements, w.visits, w.image_elements,
                      w.channel_elements, w.slow_cycles, w.on_one_core, w.reads_on_one_core, w.num_nodes, w.num_kernels,
                      w.launch_share, w.conversions, w.precision.act, w.precision.weight, w.precision.floating,
                      w.precision.sparse, w.precision.stored, w.has_opaque, w.counts_known, w.bytes_known);
  }
};

// Share of a group's traffic that stays in on-chip memory, decided from liveness against the unit's scratchpad.
struct Residency {
  int64_t in_bytes = 0;      // of GroupWork::in_bytes
  int64_t out_bytes = 0;     // of GroupWork::out_bytes
  int64_t weight_bytes = 0;  // of GroupWork::weight_bytes
  int64_t cached_bytes = 0;  // of the weights that do not stay: a cache has them before the memory is asked

  bool operator==(const Residency&) const = default;
  template <class H>
  friend H AbslHashValue(H state, const Residency& r) {
    return H::combine(std::move(state), r.in_bytes, r.out_bytes, r.weight_bytes, r.cached_bytes);
  }
};

struct EnergyParts {
  double compute_j = 0;
  double onchip_j = 0;
  double dram_j = 0;
  double static_j = 0;
  double total() const { return compute_j + onchip_j + dram_j + static_j; }
};

// Which operand of a contraction waits in the buffer while the others stream past it.
enum class LoopOrder : uint8_t { kWeightStationary, kInputStationary, kOutputStationary };
absl::string_view LoopOrderName(LoopOrder order);  // "weight_stationary", ...

// The tiles of a contraction that the memory nearest to the shared one holds: m x k of the left side, k x n of the
// right one, m x n of the result.
struct Tiling {
  LoopOrder order = LoopOrder::kOutputStationary;
  int64_t m = 0, n = 0, k = 0;
};

// Bytes that one memory of the unit gives and takes, whoever asks: filling a nearer memory reads here and writes there.
struct MemoryTraffic {
  uint32_t memory = 0;  // index into Target::memories
  int64_t read_bytes = 0;
  int64_t written_bytes = 0;

  int64_t total() const { return read_bytes + written_bytes; }
};

// Estimate of one group on one unit. time_s >= max(compute_s, memory_s); low_s <= time_s <= high_s.
struct Estimate {
  double compute_s = 0;
  double memory_s = 0;
  double overhead_s = 0;
  double conversion_s = 0;  // of time_s: kernels for GroupWork::conversions, which are in no other part
  double time_s = 0;
  double low_s = 0;
  double high_s = 0;
  EnergyParts energy;
  Bound bound = Bound::kOverhead;
  float slow_share = 0;      // of compute_s: GroupWork::slow_cycles
  double utilisation = 0;    // compute at dense peak / time_s
  int64_t dram_bytes = 0;    // that actually cross the shared memory
  int64_t onchip_bytes = 0;  // that the memories in front of it give and take; 0 without one
  int64_t reload_bytes = 0;  // those of dram_bytes that cross once more because tiles do not hold a whole operand
  absl::InlinedVector<MemoryTraffic, 2> traffic;  // nearest memory first, the shared one last; empty = not known
  std::optional<Tiling> tiling;                   // of the largest contraction; none = none, or no buffer of known size
  std::vector<std::string> assumptions;
};

// How far a target's figures can be trusted; kAssumed = what decides its times is a default of this program.
enum class Grade : uint8_t { kMeasured, kFamily, kDatasheet, kAssumed };
absl::string_view GradeName(Grade grade);

// Packing is what a segment takes if its unit holds more or less at once than is estimated.
struct Packing {
  int contexts = 0;  // 0 = as many as estimated, and no other time
  double time_s = 0;
  double interval_s = 0;
};

// Segment: maximal run of groups on one unit.
struct Segment {
  UnitId unit;
  std::vector<GroupId> groups;  // in execution order
  int64_t in_bytes = 0;         // read from other segments or graph inputs
  int64_t out_bytes = 0;
  double transfer_s = 0;  // moving or re-laying its inputs
  double invoke_s = 0;
  double start_s = 0;
  double time_s = 0;    // groups, without transfer and invoke
  double energy_j = 0;  // groups, transfer and invoke
  std::string reason;   // why it starts here
  // Units of kind DATAFLOW, whose groups overlap: time_s is no sum of theirs.
  int contexts = 0;            // parts loaded one after the other; 0 = not such a unit
  double interval_s = 0;       // between results when inferences follow each other, without transfers
  int64_t reloaded_bytes = 0;  // weights and boundary values that cross the shared memory because of contexts
  Packing looser, tighter;     // more contexts than estimated, and fewer
};

}  // namespace hwest
