// Several models on one chip.
#include "app/workload.h"

#include <utility>

#include "absl/types/span.h"
#include "callbacks.h"
#include "guard.h"
#include "handles.h"
#include "hwest.h"

hwest_workload::hwest_workload(hwest::WorkloadReport found)
    : report(std::move(found)),
      tasks([this](auto* table) { hwest::capi::FillTable(report.tasks, table); }),
      units([this](auto* table) { hwest::capi::FillTable(report.units, table); }),
      traffic([this](auto* table) { hwest::capi::FillTable(report.memory.tasks, table); }),
      slowdowns([this](auto* table) { hwest::capi::FillTable(report.slowdown, table); }),
      segments([this](auto* table) { hwest::capi::FillTable(report.segments, table, report); }),
      fixes([this](auto* table) { hwest::capi::FillTable(report.fixes, table); }),
      diagnostics([this](auto* table) { hwest::capi::FillTable(report.diagnostics, table); }),
      totals([this](auto* table) { hwest::capi::FillTable(absl::MakeConstSpan(&report, 1), table); }) {}

using hwest::capi::CopyIn;
using hwest::capi::CopyOut;
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
    absl::StatusOr<hwest::WorkloadReport> report =
        hwest::app::RunWorkload({.files = {path},
                                 .target = target != nullptr ? target : "",
                                 .mode = mode != nullptr ? mode : "",
                                 .watch = hwest::capi::WatchOf(*ours)});
    if (!report.ok()) return report.status();
    *workload = new hwest_workload(*std::move(report));
    return absl::OkStatus();
  });
}

void hwest_workload_free(hwest_workload* workload) { delete workload; }

hwest_status hwest_workload_totals(const hwest_workload* workload, hwest_workload_total* total) {
  return Guard([&]() -> absl::Status {
    if (workload == nullptr) return NullArgument("workload");
    if (total == nullptr) return NullArgument("total");
    return CopyOut("total", workload->totals.get().rows[0], total->struct_size, total);
  });
}

HWEST_TABLE(hwest_workload_task, hwest_workload, hwest_workload_task, tasks)
HWEST_TABLE(hwest_workload_unit, hwest_workload, hwest_workload_unit, units)
HWEST_TABLE(hwest_workload_traffic, hwest_workload, hwest_workload_traffic, traffic)
HWEST_TABLE(hwest_workload_slowdown, hwest_workload, hwest_workload_slowdown, slowdowns)
HWEST_TABLE(hwest_workload_segment, hwest_workload, hwest_workload_segment, segments)
HWEST_TABLE(hwest_workload_fix, hwest_workload, hwest_workload_fix, fixes)
HWEST_TABLE(hwest_workload_diagnostic, hwest_workload, hwest_diagnostic, diagnostics)
