// A compiler's own log beside an analysis.
#include "app/import_log.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "base/enumerators.h"
#include "guard.h"
#include "handle_report.h"
#include "handles.h"
#include "hwest.h"
#include "request.h"

namespace hwest::capi {
namespace {

absl::StatusOr<LogFormat> FormatNamed(const char* name) {
  if (name == nullptr) return LogFormat::kAuto;
  std::string names;
  for (size_t i = 0; i < kNumEnumerators<LogFormat>; ++i) {
    const auto format = static_cast<LogFormat>(i);
    if (LogFormatName(format) == name) return format;
    absl::StrAppend(&names, names.empty() ? "" : ", ", LogFormatName(format));
  }
  return MakeError(Code::kUsage, absl::StrCat("format is '", name, "'"), absl::StrCat("use one of ", names));
}

auto WriterOf(const hwest_import_log* log) {
  return DocumentWriter([=](const ReportOptions& options, Sink sink) {
    ReportOptions named = options;
    named.model_path = log->of->model->name;
    return app::WriteImportLog(log->result, log->of->analysis, named, sink);
  });
}

}  // namespace
}  // namespace hwest::capi

using hwest::capi::Guard;
using hwest::capi::NullArgument;

hwest_status hwest_import_log_create(const hwest_analysis* analysis, const char* log, size_t size, const char* name,
                                     const char* format, hwest_import_log** import_log) {
  return Guard([&]() -> absl::Status {
    if (analysis == nullptr) return NullArgument("analysis");
    if (log == nullptr) return NullArgument("log");
    if (import_log == nullptr) return NullArgument("import_log");
    const absl::StatusOr<hwest::LogFormat> named = hwest::capi::FormatNamed(format);
    if (!named.ok()) return named.status();
    const hwest::app::ImportLogRequest request{
        .text = {log, size}, .name = name != nullptr ? name : "log", .format = *named};
    absl::StatusOr<hwest::LogComparison> result = hwest::app::ImportLog(request, analysis->state->analysis);
    if (!result.ok()) return result.status();
    *import_log = new hwest_import_log{*std::move(result), analysis->state};
    return absl::OkStatus();
  });
}

void hwest_import_log_free(hwest_import_log* import_log) { delete import_log; }

HWEST_REPORT(hwest_import_log_report, hwest_import_log)
