// Turns option structs of the C ABI into requests.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "analysis/request_options.h"
#include "hwest.h"
#include "hwest/analysis.h"
#include "numbers.h"
#include "report/report.h"

namespace hwest::capi {

// The texts of a NULL-terminated array; none for a NULL array.
std::vector<std::string> TextsOf(const char* const* list);

// The part of the options that needs no model. Errors: kUsage, naming the option and what to write instead.
absl::StatusOr<RequestDraft> DraftOf(const hwest_options& options);

// The request for an analysis of `graph`. Errors: kUsage, naming the option and what to write instead; kBindConflict.
absl::StatusOr<AnalysisRequest> RequestOf(const hwest_options& options, const Graph& graph);

struct ReportRequest {
  ReportKind kind = ReportKind::kAnalysis;
  ReportOptions options;
};
absl::StatusOr<ReportRequest> ReportRequestOf(const hwest_report_options& options);

}  // namespace hwest::capi
