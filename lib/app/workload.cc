#include "app/workload.h"

#include <algorithm>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "base/text.h"

namespace hwest::app {
namespace {

absl::StatusOr<Workload> WorkloadOf(const WorkloadRequest& request) {
  const std::vector<std::string>& files = request.files;
  if (request.streams > 0) return WorkloadOfStreams(files, request.streams, request.rate);
  if (files.size() == 1 && !absl::EndsWith(files[0], ".onnx")) return LoadWorkload(files[0]);
  return MakeError(Code::kUsage, "a workload is one file, or models in streams",
                   "add --streams 1 to run models, or name one file; `onnx-hwest describe workload` lists its keys");
}

}  // namespace

absl::StatusOr<WorkloadReport> RunWorkload(const WorkloadRequest& request) {
  HWEST_ASSIGN_OR_RETURN(const Workload workload, WorkloadOf(request));
  WorkloadOptions options{.target = request.target, .mode = request.mode, .host = request.host};
  options.stop = request.watch.stop;
  options.progress = [&](const std::string& what) {
    if (request.watch.step != nullptr) request.watch.step(what, 0);
    return options.stop == nullptr || !options.stop();
  };
  return hwest::RunWorkload(workload, options);
}

absl::Status CheckDeadlines(const WorkloadReport& report) {
  const auto missed = std::count_if(report.tasks.begin(), report.tasks.end(),
                                    [](const TaskRow& task) { return task.verdict == TaskVerdict::kMissed; });
  if (missed > 0) {
    return MakeError(Code::kCheckFailed,
                     absl::StrCat(missed, " of ", report.tasks.size(), " tasks miss their deadlines"),
                     "the report says why, and what would make them hold");
  }
  if (!report.memory.fits.value_or(true)) {
    return MakeError(Code::kDoesNotFit, "the tasks do not fit into memory together",
                     "the report says how much is missing; leave --strict out to accept that");
  }
  const auto unknown = std::find_if(report.tasks.begin(), report.tasks.end(),
                                    [](const TaskRow& task) { return task.unknown_groups > 0; });
  if (unknown == report.tasks.end()) return absl::OkStatus();
  return MakeError(Code::kIncomplete,
                   absl::StrCat("task \"", EscapeControl(unknown->name), "\" has groups without a known time"),
                   "leave --strict out to accept that");
}

}  // namespace hwest::app
