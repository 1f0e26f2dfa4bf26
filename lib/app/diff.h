// Comparing two models, each analysed here or saved as a report, or one model with itself.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "analysis/request_options.h"
#include "diff/diff.h"
#include "hwest/report.h"

namespace hwest::app {

// Overrides for the second side of one model; empty = the same.
struct Against {
  std::string target;
  std::shared_ptr<const Target> loaded = nullptr;  // in place of `target`
  std::string mode, precision;

  bool is_asked() const { return !target.empty() || loaded != nullptr || !mode.empty() || !precision.empty(); }
};

struct DiffRequest {
  std::vector<std::string> paths;  // of models or saved reports: two, or one with `against`
  RequestDraft draft;              // for models; without a target, the saved report's
  Against against;
};

struct DiffReport {
  DiffSide a, b;
  DiffResult diff;
  std::shared_ptr<const Analysis> of_a, of_b;  // null = a saved report
};

// Side is one side of a comparison with its analysis.
struct Side {
  DiffSide side;
  std::shared_ptr<const Analysis> analysis;  // null = a saved report
};
DiffReport Compared(Side a, Side b);

// DiffAgainst compares one model with itself; `draft` names a target. Errors: those of Analyze.
absl::StatusOr<DiffReport> DiffAgainst(const Analyzer& analyzer, const std::string& name, const RequestDraft& draft,
                                       const Against& against);

// Diff analyses every side that is no saved report, then compares. Errors: those of loading, analysing and ReadSide;
// kUsage without a target.
absl::StatusOr<DiffReport> Diff(const DiffRequest& request);

// Checks that `format` can show a comparison of these files. Errors: kUsage.
absl::Status CheckDiffFormat(const std::vector<std::string>& paths, Format format);
// Formats: text, json, csv (the nodes), markdown and, of two analyses, html.
absl::Status WriteDiff(const DiffReport& report, const ReportOptions& options, Sink sink);

}  // namespace hwest::app
