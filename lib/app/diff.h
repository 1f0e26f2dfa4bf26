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

// What differs on the other side of one model; empty = as asked.
struct Against {
  std::string target;
  std::shared_ptr<const Target> loaded = nullptr;  // in place of `target`
  std::string mode, precision;

  bool is_asked() const { return !target.empty() || loaded != nullptr || !mode.empty() || !precision.empty(); }
};

struct DiffRequest {
  std::vector<std::string> paths;  // two, of models or of saved reports; with `against` one
  RequestDraft draft;              // of models; without a target that of a saved report beside it
  Against against;
};

struct DiffReport {
  DiffSide a, b;
  DiffResult diff;
  std::shared_ptr<const Analysis> of_a, of_b;  // null = a saved report
};

// Side is one side of a comparison with the analysis that it is of.
struct Side {
  DiffSide side;
  std::shared_ptr<const Analysis> analysis;  // null = a saved report
};
DiffReport Compared(Side a, Side b);

// DiffAgainst compares one model with itself; `draft` names a target. Errors: those of Analyze.
absl::StatusOr<DiffReport> DiffAgainst(const Analyzer& analyzer, const std::string& name, const RequestDraft& draft,
                                       const Against& against);

// Diff analyses what is no saved report and compares. Errors: those of loading, analysing and ReadSide; kUsage without
// a target.
absl::StatusOr<DiffReport> Diff(const DiffRequest& request);

// Whether a comparison of these files can be shown so. Errors: kUsage.
absl::Status CheckDiffFormat(const std::vector<std::string>& paths, Format format);
// Formats: text, json, csv (the nodes), markdown and, of two analyses, html.
absl::Status WriteDiff(const DiffReport& report, const ReportOptions& options, Sink sink);

}  // namespace hwest::app
