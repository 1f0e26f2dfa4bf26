// A compiler's own log, laid over the plan of a model.
#pragma once

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "complog/compare.h"
#include "hwest/analysis.h"
#include "hwest/report.h"

namespace hwest::app {

struct ImportLogRequest {
  absl::string_view text;  // of the log
  std::string name;        // of the log, in messages
  LogFormat format = LogFormat::kAuto;
};

// Errors: those of ReadCompilerLog and CompareLog.
absl::StatusOr<LogComparison> ImportLog(const ImportLogRequest& request, const Analysis& analysis);

// Formats: text, json, csv and markdown (the nodes).
absl::Status WriteImportLog(const LogComparison& result, const Analysis& analysis, const ReportOptions& options,
                            Sink sink);

}  // namespace hwest::app
