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

enum class WhatIfKind : uint8_t { kSupport, kActivation, kPrecision, kBatch, kBandwidth, kMode };
absl::string_view WhatIfKindName(WhatIfKind kind);  // "support", ...

// Replaces the node of the main graph that makes `output` by `op` of the default domain, with `input` as its one
// operand and without attributes.
struct ModelEdit {
  std::string output;
  std::string op;
  std::string input;
};

struct WhatIfRow {
  WhatIfKind kind = WhatIfKind::kSupport;
  std::string change;  // in words; for a larger batch with the time per input and per batch
  // How to reproduce it, one of: flags (each replaces the command's own flag of that name, unless it may repeat), edits
  // of nodes, or the text of a target file to use instead of the target.
  std::vector<std::string> flags;
  std::vector<ModelEdit> edits;
  std::string target_text;
  int64_t batch = 1;
  double latency_s = 0;  // of one run over `batch` inputs, like interval_s and energy_j
  double interval_s = 0;
  double saving_s = 0;  // for the inputs of the analysis: latency_s - this latency_s * (batch / this batch)
  std::optional<double> energy_j;
  int64_t peak_memory_bytes = 0;  // of values whose size is known
  int64_t segments = 0;
};

using StudyProgress = std::function<void(const std::string& what)>;  // may be null

// WhatIf tries each change that may help, alone, and returns those that save time, the largest saving first. `base` is
// an analysis of `graph` with a plan. Replacing activations needs the file at `model_path` ("-" or empty: not tried). A
// change that the model or the target refuses has no row.
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
