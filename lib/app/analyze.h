// An analysis and its studies: what would help, what rewriting gains, what a longer context costs, where else a node
// could run.
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
  bool what_if = false;           // an HTML page has it anyway, unless the model is very large
  bool rewrite = false;
  bool cures = true;            // of kSupport: what ends a refusal, unless the model is very large
  std::string rewrite_command;  // see AnalyzeResult, as is `flags`
  std::vector<std::string> flags;
  std::string node;               // of kExplain
  std::vector<Diagnostic> notes;  // the caller's own
  Watch watch;
};

// Errors: those of Analyze and of the studies.
absl::StatusOr<AnalyzeResult> Analyze(const LoadedModel& model, AnalyzeRequest request);

// AddStudies adds to an analysis the studies that the report of `request` shows, except contexts. It keeps those that
// are there. Errors: those of the studies; kUsage for a node that does not exist.
absl::Status AddStudies(const LoadedModel& model, const AnalyzeRequest& request, AnalyzeResult* result);

// A note on the rules that could help nodes that the accelerators refuse; empty when there are none.
std::vector<Diagnostic> NotesOnRewrites(const Analysis& analysis);

// Checks what --strict asks for. Errors: kDoesNotFit, and kIncomplete with what would settle it.
absl::Status CheckComplete(const Analysis& analysis);

}  // namespace hwest::app
