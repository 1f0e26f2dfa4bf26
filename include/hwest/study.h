// Studies run one model many times: which changes would help, and what moving a node to another unit would change.
//
//   HWEST_ASSIGN_OR_RETURN(const std::vector<WhatIfRow> rows, WhatIf(graph, analysis, "model.onnx", nullptr));
//
// Each figure comes from a whole analysis with the change applied: the named flag, target file or model reproduces it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "hwest/analysis.h"
#include "hwest/support.h"

namespace hwest {

enum class WhatIfKind : uint8_t {
  kSupport,
  kActivation,
  kPrecision,
  kBatch,
  kBandwidth,
  kMode,
  kRewrite,
  kOpset,
  kToolchain,
  kPlacement,
  kCut,
  kSparsity,
  kRecipe,  // several of the above, together
  kWidth,
  kLayers,
};
absl::string_view WhatIfKindName(WhatIfKind kind);  // "support", ...

// What a change leaves as it is, in the order of the list.
enum class ChangeScope : uint8_t {
  kSame,     // network and board: how the file is written, compiled and run
  kBatch,    // these, too; a run takes several inputs, and longer
  kNetwork,  // the board: another network, which is to be trained
  kBoard,    // the network: another board, or a compiler that takes more
};
absl::string_view ChangeScopeName(ChangeScope scope);  // "same", ...

// What a change asks of the results, beyond what the analysis that it is compared with asks.
enum class AccuracyRisk : uint8_t { kNone, kRounding, kCalibration, kTraining };
absl::string_view AccuracyRiskName(AccuracyRisk risk);  // "none", ...

// Replaces the node of the main graph that makes `output` by `op` of the default domain, with `input` as its one
// operand and without attributes.
struct ModelEdit {
  std::string output;
  std::string op;
  std::string input;
};

struct WhatIfRow {
  WhatIfKind kind = WhatIfKind::kSupport;
  ChangeScope scope = ChangeScope::kSame;
  AccuracyRisk risk = AccuracyRisk::kNone;
  std::string change;  // in words; for a larger batch with the time per input and per batch
  std::string work;    // what it takes, in words
  // How to reproduce it: flags (each replaces the command's own flag of that name, unless it may repeat); with `writes`
  // a file that `rewrite` writes with these and `rewrite` beside them, by `rules_text` as --rules; the values that a
  // cut file begins and ends with; edits of nodes; flags of `width`, which lists the weights to reshape; or the text of
  // a file of --precision-of.
  std::vector<std::string> flags;
  bool writes = false;
  std::vector<std::string> rewrite;
  std::string rules_text;
  std::vector<std::string> inputs, outputs;
  std::vector<ModelEdit> edits;
  std::vector<std::string> width;
  std::string precision_of;
  std::string target_text;         // of a target file to use instead of the target
  std::vector<std::string> parts;  // of a recipe: its changes in words
  int64_t batch = 1;
  double latency_s = 0;  // of one run over `batch` inputs, like interval_s and energy_j
  double interval_s = 0;
  // For the inputs of the analysis: its latency_s - (latency_s + beside_s) * (its batch / this batch).
  double saving_s = 0;
  double saving_low_s = 0, saving_high_s = 0;  // between both latencies at their low ends, and both at their high ends
  std::optional<double> beside_s;              // of kCut: what is cut off, on the CPU
  std::optional<double> energy_j;
  int64_t peak_memory_bytes = 0;  // of values whose size is known
  int64_t segments = 0;
  // Of a file that is written: whether that, read again, takes latency_s to 1e-9. None = it was not tried, see WhatIf.
  std::optional<bool> as_promised;
};

using StudyProgress = std::function<void(const std::string& what)>;  // may be null

// WhatIf tries each change that may help, and sets of them, and returns those that save at least 0.5 % of the latency:
// by scope, then the largest saving first. `base` is an analysis of `graph` with a plan. Changes of the model need the
// file at `model_path` ("-" or empty: not tried). Rewritten files of up to 64 MB beside their weights are read again. A
// change that the model or the target refuses has no row. A recipe saves more than any part of it.
absl::StatusOr<std::vector<WhatIfRow>> WhatIf(const std::shared_ptr<const Graph>& graph, const Analysis& base,
                                              const std::string& model_path, const StudyProgress& progress);

// What kind of change ends a refusal.
enum class CureKind : uint8_t { kRewrite, kFold, kOpset, kToolchain, kPrecision, kCut };
absl::string_view CureKindName(CureKind kind);  // "rewrite", ...

// A change after which a unit runs nodes that it refuses now. It was made and the model analysed with it.
struct Cure {
  CureKind kind = CureKind::kRewrite;
  std::string change;                        // in words
  std::vector<std::string> flags;            // of `rewrite` for the first three kinds, of an analysis for the next two
  std::vector<std::string> inputs, outputs;  // of kCut: values that the model then begins and ends with
  std::vector<NodeId> nodes;                 // that are refused no longer, ascending
};

// Nodes of one operator that one unit refuses for one reason.
struct RefusalRow {
  UnitId unit;
  std::string op;
  Support support;  // of the first node
  std::optional<EvidenceKind> evidence;
  std::vector<NodeId> nodes;  // ascending
  double nodes_share = 0;     // of the kernels of the model
  int64_t macs = 0;           // where they are known
  std::optional<double> macs_share;
  std::optional<Cure> cure;  // the shortest of those that help most; none = no change that was tried helps
};

// RefusalsOf lists what the accelerators of an analysis refuse: by unit, the reasons for most nodes first.
std::vector<RefusalRow> RefusalsOf(const Analysis& analysis);

// Some nodes on one placeable unit: the result of the request with --pin #NODE@UNIT for each node.
struct MoveRow {
  UnitId unit;
  std::optional<double> time_s;     // of the groups that then hold the nodes; none if they cannot run there
  std::optional<double> latency_s;  // of the whole model then
};

// MovesOf tries to put all of `nodes` on each placeable unit, in the order of the target. Empty without a plan, or if
// one of the nodes is in no group.
absl::StatusOr<std::vector<MoveRow>> MovesOf(const std::shared_ptr<const Graph>& graph, const Analysis& base,
                                             const std::vector<NodeId>& nodes);

}  // namespace hwest
