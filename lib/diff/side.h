// One side of a comparison: a model on a target, from an analysis or a saved report.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "hwest/analysis.h"
#include "op/traits.h"
#include "report/cell.h"

namespace hwest {

// A value that an input reads: an output of a node, or one that the model begins with.
struct DiffEdge {
  int64_t node = -1;  // index of its producer; -1 = an input, an initialiser or nothing
  uint32_t output = 0;
  std::string leaf;  // of -1: what is known except its name
};

struct DiffNode {
  std::string name;  // as reports call it
  std::string op;    // with its domain, unless that is the default one
  std::string module;
  std::string unit, pattern, precision;  // of its group; "" = none
  bool is_root = false;                  // of its group
  std::optional<double> time_s;          // of its group, at the root
  Traits traits = 0;
  std::vector<DiffEdge> inputs;
  std::vector<std::string> outputs;                          // names
  std::vector<std::pair<std::string, std::string>> details;  // by name: attributes and types, or counts
  bool makes_output = false;                                 // of the model
};

struct DiffSide {
  std::string model;
  std::optional<std::string> target, mode, precision;
  Cell summary;                                                        // as in JSON
  bool all_typed = true, all_counted = true, all_costed = true;        // else figures leave out nodes, see IsWhole
  std::vector<DiffNode> nodes;                                         // index = id; in topological order
  std::vector<std::pair<std::string, std::optional<double>>> modules;  // path, time_s
  double segments_s = 0;     // transfers, invocations and filling of pipelines
  bool from_report = false;  // a saved report has no attributes and types
  bool is_llm = false;       // of a language model on a runtime: figures alone
};

// A figure of a language model that a comparison shows, in this order.
struct LlmFigure {
  absl::string_view key;
  const char* title;
  Shown shown;
};
const std::vector<LlmFigure>& LlmFigures();

// The column of a summary figure; for a key that this version does not know, one without a bound.
const ColumnInfo& SummaryFigure(absl::string_view key);
// Whether a figure covers all nodes of the side.
bool IsWhole(const DiffSide& side, const ColumnInfo& figure);

// The analysis must have a plan.
DiffSide SideOf(const Analysis& analysis, const std::string& model);

// Whether a file is a saved report, not a model: its first character opens a JSON object.
bool IsSavedReport(const std::string& path);
// Errors: kUsage when the file is no report of an analysis, or of a language model that some target runs.
absl::StatusOr<DiffSide> ReadSide(const std::string& path);

}  // namespace hwest
