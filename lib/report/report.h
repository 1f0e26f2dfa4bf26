// Reports about targets, studies and the program itself; those about an analysis are in hwest/report.h.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "complog/compare.h"
#include "fit/calibrate.h"
#include "fit/operators.h"
#include "fit/summary.h"
#include "hwest/analysis.h"
#include "hwest/report.h"
#include "hwest/rewrite.h"
#include "hwest/workload.h"

namespace hwest {

// Writes targets, tables of this program, or errors. Formats: text, json, csv, markdown.
absl::Status WriteTargets(absl::Span<const TargetSummary> targets, const ReportOptions& options, Sink sink);
absl::Status WriteTarget(const Target& target, const ReportOptions& options, Sink sink);
// What differs between two targets: figures, parameters in effect, and how the units are built.
absl::Status WriteTargetDiff(const Target& a, const Target& b, const ReportOptions& options, Sink sink);
absl::Status WriteLint(absl::Span<const LintReport> reports, const ReportOptions& options, Sink sink);

// What documents of the kind can be written as, in the order of Format: what CheckFormat lets pass.
std::vector<Format> FormatsOf(ReportKind kind);

// A table about the program itself: `describe ops|targets|formats|codes|patterns`, `fusions`.
struct Listing {
  struct Column {
    std::string name;
    bool is_list = false;  // otherwise one text, none = unknown
  };
  using Row = std::vector<std::vector<std::string>>;  // a list of texts per column

  std::string key;  // JSON member, e.g. "ops"
  std::vector<Column> columns;
  std::vector<Row> rows;
};
absl::Status WriteListing(ReportKind kind, const Listing& listing, const ReportOptions& options, Sink sink);
// A validation as requested.
struct ValidationRequest {
  std::string measurements;  // paths as the user wrote them
  std::string models;
  std::string leave_out;  // "none", ...
  std::string target;     // empty = by the rows' devices
};
// Formats: text, markdown, json, csv (the points), svg (predicted against measured). options.top is the number of
// points furthest off that are listed: ten in text and none in markdown when not given; csv then holds only these.
absl::Status WriteValidation(const Validation& validation, const ValidationRequest& request,
                             const ReportOptions& options, Sink sink);
// The same by operator. Formats: text, markdown, json, csv (the points). options.top as of WriteValidation.
absl::Status WriteOperatorValidation(const OperatorValidation& validation, const ValidationRequest& request,
                                     const ReportOptions& options, Sink sink);
// A calibration as requested.
struct CalibrationRequest {
  std::string target;        // or family
  std::string measurements;  // paths as the user wrote them
  std::string models;
  std::string output;
};
// Formats: text, markdown, json, csv (the fitted figures).
absl::Status WriteCalibration(const Calibration& calibration, const CalibrationRequest& request,
                              const ReportOptions& options, Sink sink);
// A rewritten model, and where it was written.
struct RewriteReport {
  std::string output;  // path as the user wrote it
  RewriteTotals totals;
  std::optional<Verification> verify;  // none = not asked
};
// Formats: text, json, csv and markdown (the rules).
absl::Status WriteRewriteReport(const Rewritten& rewritten, const RewriteReport& report, const ReportOptions& options,
                                Sink sink);
// What trying out a rule of the user's found.
struct RuleTrial {
  std::string name;
  int64_t line = 0;
  Exactness exactness = Exactness::kRounding;
  std::string verdict;  // of lint ok, problem or untried; of test as Verification, or problem
  int64_t runs = 0;
  std::optional<double> max_rel;
  std::string finding;  // what is wrong; "" = nothing
};
// Formats: text, json, csv and markdown.
absl::Status WriteRuleTrials(const std::vector<RuleTrial>& trials, const std::string& file,
                             const ReportOptions& options, Sink sink);
// A compiler's log beside the plan of `analysis`. Formats: text, json, csv and markdown (the nodes).
absl::Status WriteLogComparison(const LogComparison& log, const Analysis& analysis, const ReportOptions& options,
                                Sink sink);
// Results of a workload. Formats: text, markdown, json, csv (the tasks), html, svg and perfetto (the timeline of the
// first hyperperiod).
absl::Status WriteWorkload(const WorkloadReport& report, const ReportOptions& options, Sink sink);
// The JSON document of an error: kind "error" with its diagnostic.
absl::Status WriteError(const Diagnostic& error, const ReportOptions& options, Sink sink);

}  // namespace hwest
