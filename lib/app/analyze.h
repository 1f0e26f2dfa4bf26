// An analysis and what its report shows beside it: what would help, what rewriting brings, what a longer context costs,
// where else a node could run.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "app/model.h"
#include "hwest/analysis.h"
#include "hwest/report.h"
#include "hwest/watch.h"

namespace hwest::app {

struct AnalyzeRequest {
  ReportKind kind = ReportKind::kAnalysis;
  Format format = Format::kText;
  AnalysisRequest analysis;
  std::vector<int64_t> contexts;  // a language model is timed at; empty = not asked
  bool what_if = false;           // a page of an analysis has it anyway, unless the model is very large
  bool rewrite = false;
  std::string rewrite_command;    // see AnalyzeResult
  std::string node;               // of kExplain
  std::vector<Diagnostic> notes;  // of the caller's own
  Watch watch;
};

// Errors: those of Analyze and of the studies.
absl::StatusOr<AnalyzeResult> Analyze(const LoadedModel& model, AnalyzeRequest request);

// AddStudies adds what the report of `request` shows, but for contexts, to an analysis that was made before. A study
// that is there stays. Errors: those of the studies; kUsage for a node that there is not.
absl::Status AddStudies(const LoadedModel& model, const AnalyzeRequest& request, AnalyzeResult* result);

// Rules that could help nodes which the accelerators refuse now, as a note; empty when there are none.
std::vector<Diagnostic> NotesOnRewrites(const Analysis& analysis);

// What --strict refuses. Errors: kIncomplete with what would settle it.
absl::Status CheckComplete(const Analysis& analysis);

}  // namespace hwest::app
