#include "app/import_log.h"

#include "base/status_macros.h"
#include "report/report.h"

namespace hwest::app {

absl::StatusOr<LogComparison> ImportLog(const ImportLogRequest& request, const Analysis& analysis) {
  HWEST_ASSIGN_OR_RETURN(const CompilerLog log, ReadCompilerLog(request.text, request.name, request.format));
  return CompareLog(log, request.name, analysis);
}

absl::Status WriteImportLog(const LogComparison& result, const Analysis& analysis, const ReportOptions& options,
                            Sink sink) {
  return WriteLogComparison(result, analysis, options, sink);
}

}  // namespace hwest::app
