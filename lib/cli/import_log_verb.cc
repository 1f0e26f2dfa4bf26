// import-log: a compiler's own log, laid over the plan of a model.
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "app/import_log.h"
#include "base/enumerators.h"
#include "base/status_macros.h"
#include "base/text.h"
#include "cli/check.h"
#include "cli/output.h"
#include "cli/setters.h"
#include "cli/verbs.h"

namespace hwest {
namespace {

absl::Status CheckRequest(const ImportLogOptions& options) {
  if (!options.request.target.empty()) return CheckFormat(ReportKind::kImportLog, options.report.format);
  return MakeError(Code::kUsage, "no target was named",
                   "add --target NAME, the device that the log is for (`onnx-hwest targets` lists them)");
}

absl::StatusOr<std::string> ReadLog(const std::string& path) {
  std::error_code error;
  std::ifstream file(path, std::ios::binary);
  if (!file || !std::filesystem::is_regular_file(path, error)) {
    return MakeError(Code::kUsage, absl::StrCat("cannot read the log ", EscapeControl(path)),
                     "write onnx-hwest import-log LOG MODEL --target NAME");
  }
  std::string text(kMaxLogBytes + 1, '\0');  // one more than a reader takes
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<size_t>(file.gcount()));
  return text;
}

}  // namespace

absl::Status RunImportLog(const ImportLogOptions& options, const Streams& streams) {
  HWEST_RETURN_IF_ERROR(CheckRequest(options));
  HWEST_ASSIGN_OR_RETURN(const std::string text, ReadLog(options.words[0]));
  const std::string& path = options.words[1];
  HWEST_ASSIGN_OR_RETURN(const std::shared_ptr<const Graph> graph, LoadModel(path));
  HWEST_ASSIGN_OR_RETURN(const AnalysisRequest asked, RequestFor(options.request, *graph));
  std::vector<Diagnostic> notes;
  if (options.check == Check::kYes) HWEST_RETURN_IF_ERROR(CheckModel(path, &notes));
  HWEST_ASSIGN_OR_RETURN(const Analysis analysis, Analyze(graph, asked));
  const app::ImportLogRequest request{.text = text, .name = options.words[0], .format = options.log_format};
  HWEST_ASSIGN_OR_RETURN(const LogComparison result, app::ImportLog(request, analysis));
  ReportOptions report = options.report;
  report.model_path = path;
  HWEST_RETURN_IF_ERROR(
      Deliver(options, streams, [&](Sink sink) { return app::WriteImportLog(result, analysis, report, sink); }));
  PrintNotes(notes, options, streams);
  return absl::OkStatus();
}

namespace {

// clang-format off: a paragraph a flag
constexpr Flag kImportLogFlags[] = {
    {.name = "--log-format", .value = "FORMAT", .help = "whose log it is; auto = by what it holds", .group = "Study",
     .set = SetChoice<&ImportLogOptions::log_format>,
     .named_choices = NamesOf<LogFormatName, LogFormat, kNumEnumerators<LogFormat>>, .default_text = "auto"},
};
// clang-format on

}  // namespace

absl::Span<const Flag> ImportLogFlags() { return kImportLogFlags; }

}  // namespace hwest
