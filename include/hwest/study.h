// Studies: what runs one model many times. What would help, and what would change if a node moved.
//
//   HWEST_ASSIGN_OR_RETURN(const std::vector<WhatIfRow> rows, WhatIf(graph, analysis, "model.onnx", nullptr));
//
// Every figure is that of a whole analysis with the change in place, so running it again with the named flag, target
// file or model gives the same.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "hwest/analysis.h"

namespace hwest {

enum class WhatIfKind : uint8_t { kSupport, kActivation, kPrecision, kBatch, kBandwidth, kMode };
absl::string_view WhatIfKindName(WhatIfKind kind);  // "support", ...

// The node of the main graph that makes `output` becomes `op` of the default domain; it reads `input` alone and has no
// attributes.
struct ModelEdit {
  std::string output;
  std::string op;
  std::string input;
};

struct WhatIfRow {
  WhatIfKind kind = WhatIfKind::kSupport;
  std::string change;              // in words; of a larger batch with its time per input and per batch
  // How to see it: flags (in place of the command's own of the same name, but those that repeat), nodes to edit, or the
  // text of a target file to use instead of the target. The others are empty.
  std::vector<std::string> flags;
  std::vector<ModelEdit> edits;
  std::string target_text;
  int64_t batch = 1;
  double latency_s = 0;            // of one run over `batch` inputs, as interval_s and energy_j
  double interval_s = 0;
  double saving_s = 0;             // for the inputs of the analysis: latency_s - this latency_s * (batch / this batch)
  std::optional<double> energy_j;
  int64_t peak_memory_bytes = 0;   // of values whose size is known
  int64_t segments = 0;
};

using StudyProgress = std::function<void(const std::string& what)>;  // may be null

// WhatIf tries the changes that may help, each alone, and returns those that save time, the largest saving first.
// `base` is an analysis of `graph` with a plan. Activations are changed in the file at
// `model_path` ("-" or empty: they are left out). A change that the model or the target refuses has no row.
absl::StatusOr<std::vector<WhatIfRow>> WhatIf(const std::shared_ptr<const Graph>& graph, const Analysis& base,
                                              const std::string& model_path, const StudyProgress& progress);

// One placeable unit for some nodes: what the request with --pin #NODE@UNIT for each of them returns.
struct MoveRow {
  UnitId unit;
  std::optional<double> time_s;     // of the groups that hold them there; none when they cannot run there
  std::optional<double> latency_s;  // of the whole model then
};

// MovesOf tries every placeable unit for `nodes`, all of them on one, in the order of the target. Empty without a plan and
// where one of the nodes is in no group.
absl::StatusOr<std::vector<MoveRow>> MovesOf(const std::shared_ptr<const Graph>& graph, const Analysis& base,
                                             const std::vector<NodeId>& nodes);

}  // namespace hwest
