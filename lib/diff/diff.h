// Differences between two models, or between one model on two targets, modes or precisions, and the time each costs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "diff/side.h"
#include "report/report.h"

namespace hwest {

enum class ChangeKind : uint8_t { kRemoved, kAdded, kChanged, kMoved, kFused };
absl::string_view ChangeKindName(ChangeKind kind);  // "removed", ...

struct NodeChange {
  ChangeKind kind = ChangeKind::kChanged;
  std::optional<int64_t> a, b;        // ids
  std::string op;                     // b's, if there is one
  std::string name_a, name_b;         // "" = none
  std::vector<std::string> what;      // "attribute strides: [1, 1] -> [2, 2]"
  std::optional<double> delta_s = 0;  // of its group, at the group's root; none = unknown on one side
};

// A member of the summary. Texts have no delta.
struct TotalChange {
  std::string key;
  Cell a, b;
  bool a_whole = true, b_whole = true;  // see IsWhole
  BoundKind bound = BoundKind::kNone;   // what a partial side still says
  std::optional<double> delta, share;   // b - a, and that over a; none unless both are numbers and whole
};

struct ModuleChange {
  std::string path;
  std::optional<double> a_s, b_s;  // none = absent or unknown
  std::optional<double> delta_s;   // an absent module takes 0 s
};

struct DiffResult {
  std::vector<TotalChange> totals;    // every number of the summary, changed or not
  std::vector<ModuleChange> modules;  // modules whose time differs, in the order of a, then b
  std::vector<NodeChange> nodes;      // in the order of a, then those only in b
  std::vector<int64_t> b_of_a;        // node of b by node of a, changed or not; -1 = none
  double segments_delta_s = 0;        // transfers and invocations; with the nodes' the difference of the latencies
  bool same = true;                   // nothing differs
  bool is_llm = false;                // both are of a language model on a runtime
};

DiffResult CompareSides(const DiffSide& a, const DiffSide& b);

// "latency:+5%": b may exceed a by that much at most; "rate:-5%": fall short by that much. KEY is latency, rate,
// energy, power, memory, macs or a member of the summary.
struct FailOn {
  std::string key;   // of the summary
  std::string text;  // as written
  double share = 0;  // signed
};
absl::StatusOr<std::vector<FailOn>> ParseFailOn(absl::string_view flag, absl::string_view text);

// Errors: kCheckFailed, naming what exceeds its limit; kIncomplete where a figure is unknown on either side.
absl::Status CheckFailOn(const DiffResult& diff, const std::vector<FailOn>& limits);

// Formats: text, json, csv (the nodes), markdown. options.top is the number of nodes in text and markdown, by default
// 20. Errors: kUsage for other formats; those of `sink`.
absl::Status WriteDiff(const DiffSide& a, const DiffSide& b, const DiffResult& diff, const ReportOptions& options,
                       Sink sink);

// One HTML file: the differences, and both reports side by side with one selection. options.top is the number of nodes
// listed, by default 2000. Errors: kUsage when an analysis is null, as for a saved report; those of WriteHtmlPage.
absl::Status WriteDiffPage(const DiffSide& a, const DiffSide& b, const DiffResult& diff, const Analysis* analysis_a,
                           const Analysis* analysis_b, const ReportOptions& options, Sink sink);

}  // namespace hwest
