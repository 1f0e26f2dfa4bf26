// Reports of analyses, and how a report of any kind leaves the library.
#include "report/report.h"

#include <memory>
#include <string>
#include <utility>

#include "app/analyze.h"
#include "base/status_macros.h"
#include "guard.h"
#include "handle_report.h"
#include "handles.h"
#include "hwest.h"
#include "request.h"

namespace hwest::capi {
namespace {

absl::Status Write(const hwest_report_options* options, ReportWriter write, Sink sink) {
  const absl::StatusOr<hwest_report_options> ours = CopyIn("options", options);
  if (!ours.ok()) return ours.status();
  return write(*ours, sink);
}

absl::Status OfAnother(absl::string_view option) {
  const std::string name = absl::StrCat("options.", option);
  return MakeError(Code::kUsage, absl::StrCat(name, " is of another analysis"), "make it from the one that is reported",
                   {absl::string_view(name)});
}

absl::Status WriteAnalysis(const std::shared_ptr<const AnalysisState>& state, const hwest_report_options& options,
                           Sink sink) {
  HWEST_ASSIGN_OR_RETURN(ReportRequest request, ReportRequestOf(options));
  app::AnalyzeRequest asked{.kind = request.kind, .format = request.options.format};
  asked.node = options.node != nullptr ? options.node : "";
  AnalyzeResult result;
  result.analysis = std::shared_ptr<const Analysis>(state, &state->analysis);
  if (options.what_if != nullptr) {
    if (options.what_if->of != state) return OfAnother("what_if");
    result.what_if = options.what_if->rows;
    result.what_if_notes = options.what_if->notes;
  }
  if (options.explanation != nullptr) {
    if (options.explanation->of != state) return OfAnother("explanation");
    result.node = options.explanation->result.node;
    result.moves = options.explanation->result.moves;
  }
  HWEST_RETURN_IF_ERROR(CheckFormat(request.kind, request.options.format));
  HWEST_RETURN_IF_ERROR(app::AddStudies(ModelOf(*state->model), asked, &result));
  request.options.model_path = state->model->name;
  return WriteReport(result, request.kind, request.options, sink);
}

auto WriterOf(const hwest_analysis* analysis) {
  return [=](const hwest_report_options& options, Sink sink) { return WriteAnalysis(analysis->state, options, sink); };
}

}  // namespace

hwest_status ToSink(const void* handle, const hwest_report_options* options, hwest_sink sink, void* payload,
                    ReportWriter write) {
  return Guard([&]() -> absl::Status {
    if (handle == nullptr) return NullArgument("the handle");
    if (sink == nullptr) return NullArgument("sink");
    return Write(options, write, [&](absl::string_view bytes) {
      if (sink(payload, bytes.data(), bytes.size()) == 0) return absl::OkStatus();
      return MakeError(Code::kInterrupted, "the sink ended the report", "");
    });
  });
}

hwest_status ToBuffer(const void* handle, const hwest_report_options* options, hwest_buffer** buffer,
                      ReportWriter write) {
  return Guard([&]() -> absl::Status {
    if (handle == nullptr) return NullArgument("the handle");
    if (buffer == nullptr) return NullArgument("buffer");
    auto report = std::make_unique<hwest_buffer>();
    const absl::Status status = Write(options, write, [&](absl::string_view bytes) {
      report->bytes.append(bytes.data(), bytes.size());
      return absl::OkStatus();
    });
    if (status.ok()) *buffer = report.release();
    return status;
  });
}

}  // namespace hwest::capi

HWEST_REPORT(hwest_report, hwest_analysis)
