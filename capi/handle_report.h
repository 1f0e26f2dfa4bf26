// Reports of handles, to a sink or into memory. The file of a handle says what writes its report:
//
//   auto WriterOf(const hwest_lint* lint) {
//     return DocumentWriter([=](const ReportOptions& options, Sink sink) { return WriteLint(..., options, sink); });
//   }
//   ...
//   HWEST_REPORT(hwest_lint_report, hwest_lint)
#pragma once

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "hwest.h"
#include "report/report.h"
#include "request.h"

namespace hwest::capi {

using ReportWriter = absl::FunctionRef<absl::Status(const hwest_report_options&, Sink)>;

// `write` is not called for a NULL handle.
hwest_status ToSink(const void* handle, const hwest_report_options* options, hwest_sink sink, void* payload,
                    ReportWriter write);
hwest_status ToBuffer(const void* handle, const hwest_report_options* options, hwest_buffer** buffer,
                      ReportWriter write);

// Documents that are not about an analysis: format, top and color alone count.
template <class Document>
auto DocumentWriter(Document document) {
  return [document](const hwest_report_options& options, Sink sink) -> absl::Status {
    absl::StatusOr<ReportRequest> request = ReportRequestOf(options);
    if (!request.ok()) return request.status();
    return document(request->options, sink);
  };
}

}  // namespace hwest::capi

// Defines NAME and NAME_buffer for a kind of handle.
#define HWEST_REPORT(name, handle_type)                                                                               \
  hwest_status name(const handle_type* handle, const hwest_report_options* options, hwest_sink sink, void* payload) { \
    return hwest::capi::ToSink(handle, options, sink, payload, hwest::capi::WriterOf(handle));                        \
  }                                                                                                                   \
  hwest_status name##_buffer(const handle_type* handle, const hwest_report_options* options, hwest_buffer** buffer) { \
    return hwest::capi::ToBuffer(handle, options, buffer, hwest::capi::WriterOf(handle));                             \
  }
