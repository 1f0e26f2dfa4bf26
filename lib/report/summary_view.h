// Totals of the whole graph. Written by lib/report/tables/generate.py from the .table files beside it.
#pragma once

#include "report/summary_parts.h"

namespace hwest {

struct SummaryView {
  std::optional<Grade> grade;  // how far the target's figures can be trusted; none = no target
  Count macs;  // multiply-accumulates of contractions
  Count int_macs;  // the part of macs whose operands are integer in the graph
  Count flops;  // 2 * macs + other float operations
  std::optional<int64_t> moved_bytes;  // read and written by all groups, before residency
  std::optional<int64_t> peak_memory_bytes;  // deployed weights + largest sum of live activations + what their
                                             // addresses leave unused, data-dependent sizes at their upper bound
  bool counts_partial = false;  // some node has no counts: macs and flops are those of the others
  bool bytes_partial = false;  // some value has no known size: memory and traffic are those of the others
  std::optional<double> intensity;  // flops per moved byte
  std::optional<double> latency_s;  // of one inference: warm, steady clocks, without pre- and post-processing
  std::optional<double> latency_low_s;  // of the prediction interval
  std::optional<double> latency_high_s;  // of the prediction interval; none as energy_high_j and power_w where a node
                                         // has no time: the other figures are bounds then
  std::optional<double> interval_s;  // between results when inferences follow each other
  std::optional<double> throughput_per_s;  // batch / interval_s
  std::optional<double> energy_j;  // of one inference
  std::optional<double> energy_low_j;  // of the prediction interval
  std::optional<double> energy_high_j;  // of the prediction interval
  std::optional<PlanEnergy> energy;  // where it goes
  std::optional<double> power_w;  // energy_j / interval_s
  std::optional<double> gap;  // how far from the best placement this one can be at most, share of it; 0 = optimal
  Count causal_macs;  // macs when what causal masks hide is skipped; unknown also when nothing is causal
  std::optional<ConventionView> flops_as;  // counts in the convention of another tool, when one was asked for; filled
                                           // by MakeView
  std::optional<double> transfer_s;  // part of latency_s that moves values between units
  std::optional<double> greedy_latency_s;  // of the plan that takes the longest segments, for comparison
  std::optional<double> overlap_latency_s;  // with HWEST_OVERLAP_YES
  std::optional<bool> incomplete;  // some node has no time; none = no target
  NamedShares precisions;  // of the MACs, largest first; empty = unknown
  std::optional<GradeShares> grades;  // none = no latency
  std::optional<double> evidence_share;  // of latency_s, in operators and shapes that calibration covers
  std::vector<UnseenWork> unseen;  // what calibration does not cover, most first
  std::optional<SizeRange> size_range;  // none = no data-dependent sizes
  std::optional<double> tokens_per_s;  // new tokens; of runs over several per sequence, tokens processed; none = no
                                       // token model
  std::optional<bool> host_competes;  // a discrete host may run what the accelerator takes, too; none = no target
  std::optional<int64_t> sparse_macs;  // the part of macs whose weights were taken as 2:4 sparse; none = not asked for
  std::optional<std::string> power_of;  // what energy_j and power_w cover, e.g. "the card without its host"; none = not
                                        // stated
  std::optional<std::string> placement;  // "toolchain" = as the toolchain of the target's accelerator divides the
                                         // model, "best" = the plan of least cost; none = no target
  std::optional<std::string> placed_as;  // that toolchain with its version; none = none decides, as on a CPU alone
  std::optional<double> best_latency_s;  // of the plan of least cost; none = moving layers saves no more than 5 %
  std::optional<double> best_gain;  // the share of latency_s that it takes less
  std::optional<std::string> best_means;  // how the toolchain keeps operators off its unit; none = not stated
  std::optional<int64_t> dram_bytes;  // that cross the shared memory in one inference: the sum over the groups; none =
                                      // of some group unknown
  std::optional<int64_t> onchip_bytes;  // the same over the memories on the chip
  std::optional<double> dram_intensity;  // flops per byte that crosses the shared memory; none = none does, or counts
                                         // unknown
  std::optional<double> utilisation;  // share of latency_s that the MACs would take at the dense peak of the units that
                                      // run them; none = of some group unknown
  std::optional<bool> fits;  // the memories of the target hold weights, activations and caches; none = no target, or
                             // sizes that are not known may decide
};

SummaryView SummaryOf(const Analysis& analysis);

}  // namespace hwest
