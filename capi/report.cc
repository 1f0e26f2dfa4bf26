// Reports of every kind, to a sink or into memory.
#include "report/report.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "app/analyze.h"
#include "base/status_macros.h"
#include "guard.h"
#include "handles.h"
#include "hwest.h"
#include "request.h"
#include "sweep/report.h"

namespace hwest::capi {
namespace {

using Writer = absl::FunctionRef<absl::Status(const hwest_report_options&, Sink)>;

absl::Status Write(const hwest_report_options* options, Writer write, Sink sink) {
  const absl::StatusOr<hwest_report_options> ours = CopyIn("options", options);
  if (!ours.ok()) return ours.status();
  return write(*ours, sink);
}

// The two ways a report leaves the library; `write` is not called for a NULL handle.
hwest_status ToSink(const void* handle, const hwest_report_options* options, hwest_sink sink, void* payload,
                    Writer write) {
  return Guard([&]() -> absl::Status {
    if (handle == nullptr) return NullArgument("the handle");
    if (sink == nullptr) return NullArgument("sink");
    return Write(options, write, [&](absl::string_view bytes) {
      if (sink(payload, bytes.data(), bytes.size()) == 0) return absl::OkStatus();
      return MakeError(Code::kInterrupted, "the sink ended the report", "");
    });
  });
}

hwest_status ToBuffer(const void* handle, const hwest_report_options* options, hwest_buffer** buffer, Writer write) {
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

// For documents that are not about an analysis only format, top and color count.
template <class Document>
auto WriterOf(Document document) {
  return [document](const hwest_report_options& options, Sink sink) -> absl::Status {
    absl::StatusOr<ReportRequest> request = ReportRequestOf(options);
    if (!request.ok()) return request.status();
    return document(request->options, sink);
  };
}

auto WriterOf(const hwest_analysis* analysis) {
  return [=](const hwest_report_options& options, Sink sink) { return WriteAnalysis(analysis->state, options, sink); };
}

auto WriterOf(const hwest_target* target) {
  return WriterOf([=](const ReportOptions& options, Sink sink) { return WriteTarget(*target->target, options, sink); });
}

auto WriterOf(const hwest_target_list* list) {
  return WriterOf([=](const ReportOptions& options, Sink sink) { return WriteTargets(list->targets, options, sink); });
}

auto WriterOf(const hwest_lint* lint) {
  return WriterOf([=](const ReportOptions& options, Sink sink) {
    return WriteLint(absl::MakeConstSpan(&lint->report, 1), options, sink);
  });
}

auto WriterOf(const hwest_validation* validation) {
  return WriterOf(
      [=](const ReportOptions& options, Sink sink) { return app::WriteValidation(validation->result, options, sink); });
}

auto WriterOf(const hwest_calibration* calibration) {
  return WriterOf([=](const ReportOptions& options, Sink sink) {
    return WriteCalibration(calibration->result.calibration, calibration->result.request, options, sink);
  });
}

auto WriterOf(const hwest_diff* diff) {
  return WriterOf([=](const ReportOptions& options, Sink sink) { return app::WriteDiff(diff->state, options, sink); });
}

auto WriterOf(const hwest_check* check) {
  return WriterOf([=](const ReportOptions& options, Sink sink) {
    return WriteCheck(check->state.budget, check->state.results, options, sink);
  });
}

auto WriterOf(const hwest_sweep* sweep) {
  return [=](hwest_report_options options, Sink sink) -> absl::Status {
    const std::vector<std::string> columns = TextsOf(std::exchange(options.columns, nullptr));
    absl::StatusOr<ReportRequest> request = ReportRequestOf(options);
    if (!request.ok()) return request.status();
    request->options.graph.columns = columns;
    return WriteSweep(sweep->rows, sweep->request, request->options, sink);
  };
}

auto WriterOf(const hwest_workload* workload) {
  return WriterOf(
      [=](const ReportOptions& options, Sink sink) { return WriteWorkload(workload->report, options, sink); });
}

}  // namespace
}  // namespace hwest::capi

// Defines NAME and NAME_buffer for a kind of handle.
#define HWEST_REPORT(name, handle_type)                                                                               \
  hwest_status name(const handle_type* handle, const hwest_report_options* options, hwest_sink sink, void* payload) { \
    return hwest::capi::ToSink(handle, options, sink, payload, hwest::capi::WriterOf(handle));                        \
  }                                                                                                                   \
  hwest_status name##_buffer(const handle_type* handle, const hwest_report_options* options, hwest_buffer** buffer) { \
    return hwest::capi::ToBuffer(handle, options, buffer, hwest::capi::WriterOf(handle));                             \
  }

HWEST_REPORT(hwest_report, hwest_analysis)
HWEST_REPORT(hwest_target_report, hwest_target)
HWEST_REPORT(hwest_target_list_report, hwest_target_list)
HWEST_REPORT(hwest_lint_report, hwest_lint)
HWEST_REPORT(hwest_validation_report, hwest_validation)
HWEST_REPORT(hwest_calibration_report, hwest_calibration)
HWEST_REPORT(hwest_workload_report, hwest_workload)
HWEST_REPORT(hwest_diff_report, hwest_diff)
HWEST_REPORT(hwest_check_report, hwest_check)
HWEST_REPORT(hwest_sweep_report, hwest_sweep)
