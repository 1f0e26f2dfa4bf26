// Several models on one chip.
#include "app/workload.h"

#include <utility>

#include "absl/types/span.h"
#include "callbacks.h"
#include "guard.h"
#include "handle_report.h"
#include "handles.h"
#include "hwest.h"

namespace hwest::capi {
namespace {

auto WriterOf(const hwest_workload* workload) {
  return DocumentWriter(
      [=](const ReportOptions& options, Sink sink) { return WriteWorkload(workload->report, options, sink); });
}

}  // namespace
}  // namespace hwest::capi

using hwest::capi::CopyIn;
using hwest::capi::Guard;
using hwest::capi::NullArgument;

hwest_status hwest_workload_run(const char* path, const char* target, const char* mode, hwest_progress progress,
                                void* payload, hwest_workload** workload) {
  const hwest_watch watch = {sizeof watch, 0, progress, payload, nullptr};
  return hwest_workload_run_with(path, target, mode, &watch, workload);
}

hwest_status hwest_workload_run_with(const char* path, const char* target, const char* mode, const hwest_watch* watch,
                                     hwest_workload** workload) {
  return Guard([&]() -> absl::Status {
    if (path == nullptr) return NullArgument("path");
    if (workload == nullptr) return NullArgument("workload");
    const absl::StatusOr<hwest_watch> ours = CopyIn("watch", watch);
    if (!ours.ok()) return ours.status();
    absl::StatusOr<hwest::WorkloadReport> report = hwest::app::RunWorkload({.files = {path},
                                                                            .target = target != nullptr ? target : "",
                                                                            .mode = mode != nullptr ? mode : "",
                                                                            .watch = hwest::capi::WatchOf(*ours)});
    if (!report.ok()) return report.status();
    *workload = new hwest_workload{*std::move(report)};
    return absl::OkStatus();
  });
}

void hwest_workload_free(hwest_workload* workload) { delete workload; }

HWEST_REPORT(hwest_workload_report, hwest_workload)
