// Several models on one chip.
#include "hwest/workload.h"

#include <utility>

#include "absl/types/span.h"
#include "callbacks.h"
#include "guard.h"
#include "handles.h"
#include "hwest.h"

namespace hwest::capi {
namespace {

absl::StatusOr<WorkloadReport> RunFile(const char* path, const char* target, const char* mode,
                                       const StudyWatch& watch) {
  absl::StatusOr<Workload> workload = LoadWorkload(path);
  if (!workload.ok()) return workload.status();
  const StudyProgress step = watch.Steps(0);
  WorkloadOptions options;
  options.stop = watch.Stop();
  if (target != nullptr) options.target = target;
  if (mode != nullptr) options.mode = mode;
  options.progress = [&](const std::string& what) {
    if (step != nullptr) step(what);
    return !options.stop();
  };
  return RunWorkload(*workload, options);
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
    const hwest::capi::StudyWatch study(*ours);
    absl::StatusOr<hwest::WorkloadReport> report = hwest::capi::RunFile(path, target, mode, study);
    if (!report.ok()) return report.status();
    *workload = new hwest_workload{*std::move(report)};
    return absl::OkStatus();
  });
}

void hwest_workload_free(hwest_workload* workload) { delete workload; }
