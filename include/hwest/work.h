// Work: what a node computes and moves, independent of hardware. Counts are exact and may be symbolic.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "hwest/dim.h"
#include "hwest/id.h"
#include "hwest/shared_map.h"

namespace hwest {

// Kinds of element operation. Floating point work of the first four kinds counts into `flops`; integer work does not.
enum class OpKind : uint8_t { kAdd, kMul, kCompare, kTranscendental, kInteger };
inline constexpr int kNumOpKinds = 5;

// Shape of a contraction as hardware sees it: `batch` independent products [m, k] x [k, n], macs = batch*m*n*k.
// Convolution: batch = N*groups, m = output positions, n = Cout/groups, k = Cin/groups * kernel elements.
enum class ContractionKind : uint8_t {
  kConv,       // weights times sliding window
  kDepthwise,  // convolution with one input channel per group
  kConvTranspose,
  kMatMul,      // activation times weights
  kActivation,  // activation times activation (attention scores, bmm)
  kRecurrent,   // one step after another: `batch` steps cannot run in parallel
};

struct Contraction {
  ContractionKind kind = ContractionKind::kMatMul;
  Dim batch, m, n, k;
  Dim kernel_elements = 1;  // taps of one filter, convolutions only

  bool operator==(const Contraction&) const = default;
  template <class H>
  friend H AbslHashValue(H state, const Contraction& c) {
    return H::combine(std::move(state), c.kind, c.batch, c.m, c.n, c.k, c.kernel_elements);
  }
};

// Work of one node. A default Work is "no arithmetic, bytes by the default rule" (every input is read once, every
// output written once). `reads[i]` overrides the elements read from input i (Gather reads the rows it takes).
struct Work {
  Dim macs = 0;
  Dim int_macs = 0;  // part of macs whose two operands are integer
  std::array<Dim, kNumOpKinds> ops = {0, 0, 0, 0, 0};
  std::vector<Contraction> contractions;
  std::vector<std::optional<Dim>> reads;  // elements per input; shorter or empty = default
  Dim causal_macs = Dim::Unknown();       // macs when the causal half is skipped; unknown = not causal
  Dim window_ops = 0;                     // those of ops that sum or average under a sliding window
  Dim window_taps = 0;                    // elements of that window
  Dim visits = 0;                         // strings and map entries handled one by one
  Dim table_bytes = 0;                    // read from tables in the node's attributes
  bool full_width = false;                // sorts or selects: computes in 32 bits whatever the precision

  Dim& op(OpKind kind) { return ops[static_cast<size_t>(kind)]; }
  const Dim& op(OpKind kind) const { return ops[static_cast<size_t>(kind)]; }

  bool operator==(const Work&) const = default;
  template <class H>
  friend H AbslHashValue(H state, const Work& w) {
    for (const std::optional<Dim>& read : w.reads) state = HashOptional(std::move(state), read);
    return H::combine(std::move(state), w.macs, w.int_macs, w.ops, w.contractions, w.causal_macs, w.window_ops,
                      w.window_taps, w.visits, w.table_bytes, w.full_width);
  }
};

// Bytes of one node as typed in the file.
struct Traffic {
  Dim in_bytes = 0;      // activations read
  Dim weight_bytes = 0;  // constants and tables read, shape and index operands not included
  Dim out_bytes = 0;     // written; 0 for views

  bool operator==(const Traffic&) const = default;
  template <class H>
  friend H AbslHashValue(H state, const Traffic& t) {
    return H::combine(std::move(state), t.in_bytes, t.weight_bytes, t.out_bytes);
  }
};

// By node; none = no rule, or a count or size is unknown.
using WorkMap = SharedMap<NodeId, std::optional<Work>>;
using TrafficMap = SharedMap<NodeId, std::optional<Traffic>>;

}  // namespace hwest
