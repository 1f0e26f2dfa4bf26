// Analysis: the graph with every table that the stages filled. Reports read it and the C ABI hands it out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "hwest/convention.h"
#include "hwest/diagnostic.h"
#include "hwest/estimate.h"
#include "hwest/facts.h"
#include "hwest/graph.h"
#include "hwest/group.h"
#include "hwest/shared_map.h"
#include "hwest/target.h"
#include "hwest/work.h"

namespace hwest {

// Sizes and contents that the caller states: dims by symbol or "INPUT.AXIS", shapes by input ("" = each of that rank).
struct BindRequest {
  std::vector<std::pair<std::string, int64_t>> dims;
  std::vector<std::pair<std::string, std::vector<int64_t>>> shapes;
  std::optional<int64_t> batch;
  // New sizes of images or sequences that the file fixes; inference carries them through the file's constants.
  std::vector<std::pair<std::string, int64_t>> resized;
  std::string resized_as;  // what messages call them: "length 256"
  // Values of data-dependent symbols, which replace the typical ones, by name or by a pattern with * and ?. The last
  // match wins. A pattern's value is capped at the symbol's upper bound.
  std::vector<std::pair<std::string, int64_t>> expect;
  std::vector<std::pair<std::string, Constant>> values;                  // contents of inputs, by input name
  std::vector<std::pair<std::string, std::vector<Constant>>> sequences;  // as above, of inputs that hold sequences
};

enum class Objective : uint8_t { kLatency, kEnergy };
// Whether to time the chosen plan a second time, with independent branches in parallel on different units.
enum class Overlap : uint8_t { kNo, kYes };
// Which plan of a model is wanted: the one that the toolchain of the target's accelerator makes, or that of least cost.
enum class PlacementBy : uint8_t { kToolchain, kBest };
// Whether the CPU behind an accelerator module may take work that the module supports, where the objective gains.
enum class HostCompetes : uint8_t { kNo, kYes };
// Whether units that state a sparse rate run constant weights as 2:4 sparse.
enum class Sparsity : uint8_t { kNone, kTwoOfFour };

// OP@UNIT or NODE@UNIT.
struct Pin {
  std::string what;
  std::string unit;
};

struct FusionRules;  // lib/fuse/fusion_rules.h
struct Profile;      // hwest/profile.h, as is MeasuredTimes
struct MeasuredTimes;
struct Reading;    // hwest/reading.h
class ModelCache;  // lib/analysis/model_cache.h

// Called before each stage, in the thread that analyses, and again while a stage plans part of a batch. Returning false
// ends the analysis with kCancelled.
using StageWatcher = std::function<bool(absl::string_view stage, size_t index, size_t count)>;

struct AnalysisRequest {
  BindRequest bind;
  std::optional<Convention> flops_as;  // also count the model as this tool does
  std::string op_rules;                // text of a file of rules for custom operators; empty = none
  std::string target;                  // built-in name, alias or path; empty = no target (shapes only)
  std::string mode;                    // empty = the target's default
  std::string precision = "auto";  // "auto", a name such as "fp16", "mixed", or "UNIT=NAME,.."; see ChoosePrecisions
  std::string precision_of;        // text of a file of layers with a precision of their own; see ParseLayerFormats
  std::string fusions;             // "" = the toolchains' own, "none" = no fusion
  std::string fusion_rules;        // text of a file of further patterns; empty = none
  std::string rewrite_rules;       // text of a file of further rules of `rewrite`, used where it is tried; empty = none
  std::vector<std::pair<std::string, std::string>> toolchains;  // by unit, in place of the target's own
  std::shared_ptr<const Target> loaded;  // used in place of `target`, before the mode; null = load `target`
  Objective objective = Objective::kLatency;
  std::vector<std::string> only;  // units; the CPU may always run what they refuse
  std::vector<Pin> deny;
  std::vector<Pin> assume;
  std::vector<Pin> pin;
  std::optional<int> max_segments;
  std::optional<double> power_cap_w;  // average power of one inference after the other
  Overlap overlap = Overlap::kNo;
  HostCompetes host_competes = HostCompetes::kNo;
  // What a toolchain does not weigh (energy, a power cap, a host that competes) is placed by cost whatever stands here.
  PlacementBy placement = PlacementBy::kToolchain;
  bool finds_best = true;  // beside a plan of the toolchain's, what the best one would take
  Sparsity sparsity = Sparsity::kNone;
  std::shared_ptr<const Profile> measured_profile;  // laid beside the plan; null = none
  StageWatcher watch;                               // may be null
};

// Counts of one node with every dim known (data-dependent ones at their typical or stated size). Empty = unknown.
struct NodeCounts {
  std::optional<int64_t> macs, int_macs, flops, params;
  std::optional<int64_t> in_bytes, weight_bytes, out_bytes;
  std::optional<int64_t> causal_macs;  // macs when what a causal mask hides is skipped; empty also when nothing is

  bool operator==(const NodeCounts&) const = default;
  template <class H>
  friend H AbslHashValue(H state, const NodeCounts& c) {
    for (const auto* count :
         {&c.macs, &c.int_macs, &c.flops, &c.params, &c.in_bytes, &c.weight_bytes, &c.out_bytes, &c.causal_macs}) {
      state = HashOptional(std::move(state), *count);
    }
    return state;
  }
};
using CountsMap = SharedMap<NodeId, NodeCounts>;

// Weight totals. params = elements of distinct weight tensors; by_use counts every use; buffers = BatchNormalization
// statistics. stored = bytes in the file, of weights.
struct ParamTotals {
  int64_t params = 0;
  int64_t params_by_use = 0;
  int64_t buffers = 0;
  int64_t stored_bytes = 0;
};

struct Coverage {
  int64_t nodes = 0;
  int64_t typed = 0;    // nodes whose outputs all have a known type and shape
  int64_t counted = 0;  // nodes with a work rule that could be evaluated
  int64_t costed = 0;   // nodes with a time: in a costed group, or of a class that costs nothing
  int64_t placed = 0;
  std::vector<NodeId> unknown_nodes;
  std::vector<SymbolId> data_dependent;
  double macs_share = 0;             // of the counted macs that are costed
  std::optional<double> time_share;  // of the time that is known: 1 when every group has one, else not known itself
};

// Totals of a graph, symbolic or bound: the main row of `shapes` and of the summary.
struct Totals {
  Dim macs = 0;
  Dim int_macs = 0;
  Dim flops = 0;
  Dim causal_macs = Dim::Unknown();  // macs with causal attention at its causal count; unknown = none is causal
};

// One row of the plan's groups: the group, where it runs, what it costs.
struct PlannedGroup {
  Group group;
  UnitId unit;  // none = no unit runs it
  SegmentId segment;
  GroupWork work;                    // of all executions, as are residency and estimate
  Accesses reads, writes;            // activations, of one execution
  Residency residency;               // what of `work` stays on the chip
  std::optional<Estimate> estimate;  // none = cost unknown
  int64_t saved_bytes = 0;
  int64_t saved_launches = 0;
  double start_s = 0;
};

// Why a unit does not run a node.
enum class Verdict : uint8_t { kYes, kNo, kNoted };
// Whether the host brings what a node reads, or makes, into another order between kernels of the unit.
struct Copies {
  bool before = false;
  bool after = false;
  bool given = false;  // what the model gives out of what the node makes

  bool operator==(const Copies&) const = default;
  template <class H>
  friend H AbslHashValue(H state, const Copies& c) {
    return H::combine(std::move(state), c.before, c.after, c.given);
  }
};

struct Support {
  Verdict verdict = Verdict::kNo;
  std::string limit;  // as in the toolchain's file, e.g. "attr:kernel_shape", or "not stated", or its note
  std::string found;
  std::string allowed;
  std::string source;
  bool only_in_group = false;  // runs only as a member of the fused group the toolchain states
  std::string what;            // a typed limit in words, e.g. "kernel size"; empty for the others
  Copies copies;

  bool operator==(const Support&) const = default;
  template <class H>
  friend H AbslHashValue(H state, const Support& s) {
    return H::combine(std::move(state), s.verdict, s.limit, s.found, s.allowed, s.source, s.only_in_group, s.what,
                      s.copies);
  }
};
using SupportTable = IdMap<UnitId, SharedMap<NodeId, Support>>;

// How many of a toolchain's conditions are typed; SupportStats defines the first two. not_stated = operators of the
// default domain without a row; 0 if the toolchain runs everything.
struct ToolchainStats {
  std::string toolchain;
  int64_t typed = 0;
  int64_t noted = 0;
  int64_t not_stated = 0;
};

struct UnitTotals {
  int64_t groups = 0;
  double busy_s = 0;
  double energy_j = 0;
  int64_t macs = 0;
};

struct ModuleRow {
  ScopeId scope;
  std::string path;
  std::string parent;
  std::string class_name;
  int64_t nodes = 0;
  Dim macs = 0;
  Dim flops = 0;
  int64_t params = 0;
  std::optional<double> time_s;
  std::optional<double> energy_j;
};

// How hard the placement search was.
struct PlacementSearch {
  size_t atoms = 0;
  size_t states = 0;   // most that were left after one atom
  size_t live = 0;     // most values between units at once
  bool exact = false;  // no state was dropped that could have won
};

// Latency of one placement with data-dependent sizes at their assumed and at their largest values.
struct SizeRange {
  double low_s = 0;
  std::optional<double> high_s;  // none = a size has no upper bound, or a time is not known at it
};

// Shares of the latency by the grade of the figures behind it; they add up to 1.
struct GradeShares {
  double measured = 0;
  double family = 0;
  double datasheet = 0;
  double assumed = 0;
};

// A value as deployed while it has bytes of its own: from the group that makes it (inputs of the model: the first one)
// to the last that reads it (outputs of the model: the last one), both included, or, where another value takes over its
// place or hands it over, up to the group before that one or from the next one on (see plan/memory_plan.h). Views, and
// what always lies in another's place, have no row.
struct Lifetime {
  ValueId value;
  std::optional<int64_t> bytes;  // data-dependent sizes at their upper bound; none = not known
  GroupId first;
  GroupId last;
  uint32_t memory = 0;  // index into Target::memories
  int64_t offset = 0;   // in it, among activations
  ValueId place;        // values of one `place` lie together: parts in a whole, results on operands
};

// Part of the latency in kinds of work that the measurements behind a unit's figures do not cover.
struct UnseenWork {
  std::string what;  // class of operators in words, e.g. "Transpose 5-D"
  double share = 0;  // of the latency
};

// Deployed constants that are not trained weights: masks, grids, scales, canvases; stored in the file or folded from
// sizes.
struct OtherConstants {
  int64_t bytes = 0;
  ValueId largest;  // none = there are none
  int64_t largest_bytes = 0;
};

// What a model needs at once of one memory of its target, data-dependent sizes at their largest value.
struct MemoryNeed {
  std::string memory;                 // its name
  std::optional<int64_t> size_bytes;  // none = the target does not state it
  int64_t weight_bytes = 0;           // constants as deployed
  int64_t cache_bytes = 0;            // of what is alive at the peak, what one run hands to the next
  int64_t activation_bytes = 0;       // the rest of it
  int64_t system_bytes = 0;           // what the target says that software keeps for itself
  bool is_part = false;               // some size is not known: the bytes are at least these
  std::optional<bool> fits;           // none = what is known of its size, or of what lies there, does not decide
  std::string why;                    // that is not known; empty otherwise

  int64_t needed_bytes() const { return weight_bytes + cache_bytes + activation_bytes + system_bytes; }
};

// The share of its latency by which a plan has to be bettered for a report to say so.
inline constexpr double kWorthwhileGain = 0.05;

struct Plan {
  std::vector<PlannedGroup> groups;  // index = GroupId; the contract's groups[]
  IdMap<NodeId, GroupId> group_of;
  std::vector<Segment> segments;
  std::vector<Lifetime> lifetimes;  // of activations, ascending by value; weights are there all the time
  IdMap<UnitId, UnitTotals> units;
  double latency_s = 0;
  double latency_low_s = 0;
  double latency_high_s = 0;
  double interval_s = 0;
  double interval_low_s = 0;
  double interval_high_s = 0;
  double energy_j = 0;
  double energy_low_j = 0;
  double energy_high_j = 0;
  double kept_energy = 1;          // factor by which the mode's power cap scales the energies; already applied to them
  int64_t peak_memory_bytes = 0;   // of constants and activations as placed; data-dependent sizes at their largest
  int64_t deployed_bytes = 0;      // of all constants
  OtherConstants other_constants;  // those that are not weights
  Grade grade = Grade::kDatasheet;
  double gap = 0;  // proven distance from the optimum; 0 = exact
  double transfer_s = 0;
  std::optional<double> greedy_latency_s;   // of the greedy longest-segment plan; none under a power cap
  std::optional<double> overlap_latency_s;  // if requested
  UnitId compiled_for;                   // the accelerator whose toolchain divides the model so; none = placed by cost
  std::optional<double> best_latency_s;  // of a placement by cost, where that takes less by more than kWorthwhileGain
  PlacementSearch search;
  std::vector<std::pair<std::string, double>> precision_shares;  // of the MACs by precision name, largest first
  std::optional<GradeShares> grades;                             // none = no latency
  std::optional<double> evidence_share;  // of the latency, in work that measurements cover (see Evidence); none = no
                                         // unit at work was measured
  std::vector<UnseenWork> unseen;        // the rest of it, most first; empty without an evidence_share
  std::optional<SizeRange> size_range;   // none = no data-dependent sizes
  bool host_competes = false;            // a discrete host may also run what the accelerator supports
  std::optional<double> tokens_per_s;    // of a model that makes tokens
  std::optional<int64_t> sparse_macs;    // MACs with weights run as 2:4 sparse; none = not requested
};

struct Analysis {
  std::shared_ptr<const Graph> graph;
  std::shared_ptr<const void> shared;  // what `dims` builds on, see Analyzer; may be null
  AnalysisRequest request;
  std::unique_ptr<DimPool> dims;
  // The graph as compilers read it; null = as written. Tables of units, and all tables after them, refer to its graph;
  // so do facts, classes and work if there is a target.
  std::shared_ptr<const Reading> reading;
  Facts facts;
  IdMap<NodeId, NodeClass> classes;
  WorkMap work;  // none = no rule or not countable
  TrafficMap traffic;
  CountsMap counts;
  IdMap<NodeId, Precision> precisions;  // run precision per node, unset when none
  std::vector<ModuleRow> modules;
  ParamTotals params;
  Totals totals;
  std::optional<ConventionTable> flops_as;  // when the request names a convention
  Coverage coverage;
  std::shared_ptr<const Target> target;  // with the mode applied; null = none requested
  std::string mode;
  std::string precision;                 // assumed for the whole model, e.g. "fp16"; of a mix the request's own text
  int64_t batch = 1;                     // independent inputs of one run; 1 where the file has no batch
  std::optional<Plan> plan;              // when there is a target
  std::vector<MemoryNeed> memory_needs;  // of the plan, for each memory that it uses, in the target's order
  std::shared_ptr<const MeasuredTimes> measured;  // when the request has a profile and a target, else null
  SupportTable support;                           // when there is a target
  Overlays overlays;  // likewise: what each unit's toolchain can fuse, whether or not the plan uses it
  std::vector<ToolchainStats> toolchain_stats;      // of the target's toolchains, in their order
  std::shared_ptr<const FusionRules> fusion_rules;  // of request.fusion_rules; null = none
  std::vector<Diagnostic> diagnostics;
};

// Analyze runs every stage. Errors carry a Code (see DiagnosticOf): kFreeDims, kBindConflict, kTargetUnknown,
// kTargetInvalid, kUsage. Unknown ops and shapes are not errors; coverage counts them.
absl::StatusOr<Analysis> Analyze(std::shared_ptr<const Graph> graph, const AnalysisRequest& request);

// Analyzer answers many requests about one model. It computes once whatever depends only on the model and its input
// sizes, so another target, mode or precision costs only its own part. It is thread-safe, and analyses may outlive it.
//
//   const Analyzer analyzer(*LoadModel("resnet50.onnx"));
//   for (const TargetSummary& row : ListTargets()) {
//     HWEST_ASSIGN_OR_RETURN(Analysis analysis, analyzer.Analyze({.target = row.name}));
//   }
class Analyzer {
 public:
  explicit Analyzer(std::shared_ptr<const Graph> graph);
  ~Analyzer();

  const std::shared_ptr<const Graph>& graph() const { return graph_; }
  // Errors: as the function of that name.
  absl::StatusOr<Analysis> Analyze(const AnalysisRequest& request) const;

 private:
  std::shared_ptr<const Graph> graph_;
  std::unique_ptr<ModelCache> cache_;
};

// LoadModel reads a file ("-" = stdin). Errors: kModelMissing, kModelFormat, kModelCorrupt, kModelRefused.
absl::StatusOr<std::shared_ptr<const Graph>> LoadModel(absl::string_view path);
// The same from bytes in memory, which need to live only during the call.
absl::StatusOr<std::shared_ptr<const Graph>> LoadModelFromMemory(absl::string_view bytes, absl::string_view name);

}  // namespace hwest
