// workload: several models on one chip.
#include <algorithm>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/status_macros.h"
#include "base/text.h"
#include "cli/output.h"
#include "cli/setters.h"
#include "cli/verbs.h"
#include "hwest/workload.h"

namespace hwest {
namespace {

absl::Status CheckWorkloadFormat(const WorkloadVerbOptions& options) {
  WorkloadReport none;
  none.target = std::make_shared<const Target>();
  return WriteWorkload(none, options.report, [](absl::string_view) { return absl::OkStatus(); });
}

absl::Status StrictVerdict(const WorkloadVerbOptions& options, const WorkloadReport& report) {
  const auto missed = std::count_if(report.tasks.begin(), report.tasks.end(),
                                    [](const TaskRow& task) { return task.verdict == TaskVerdict::kMissed; });
  if (options.strict == Strict::kNo) return absl::OkStatus();
  if (missed > 0) {
    return MakeError(Code::kCheckFailed,
                     absl::StrCat(missed, " of ", report.tasks.size(), " tasks miss their deadlines"),
                     "the report says why, and what would make them hold");
  }
  const auto unknown = std::find_if(report.tasks.begin(), report.tasks.end(),
                                    [](const TaskRow& task) { return task.unknown_groups > 0; });
  if (unknown == report.tasks.end()) return absl::OkStatus();
  return MakeError(Code::kIncomplete,
                   absl::StrCat("task \"", EscapeControl(unknown->name), "\" has groups without a known time"),
                   "leave --strict out to accept that");
}

absl::StatusOr<Workload> WorkloadOf(const WorkloadVerbOptions& options) {
  if (options.streams > 0) return WorkloadOfStreams(options.words, options.streams, options.rate);
  if (options.words.size() == 1 && !absl::EndsWith(options.words[0], ".onnx")) return LoadWorkload(options.words[0]);
  return MakeError(Code::kUsage, "a workload is one file, or models in streams",
                   "add --streams 1 to run models, or name one file; `onnx-hwest describe workload` lists its keys");
}

}  // namespace

absl::Status RunWorkloadVerb(const WorkloadVerbOptions& options, const Streams& streams) {
  HWEST_RETURN_IF_ERROR(CheckWorkloadFormat(options));
  HWEST_ASSIGN_OR_RETURN(const Workload workload, WorkloadOf(options));
  WorkloadOptions run{
      .target = options.request.target, .mode = options.request.mode, .host = options.request.host};
  run.progress = [&](const std::string& what) {
    PrintProgress(what, options, streams);
    return true;
  };
  HWEST_ASSIGN_OR_RETURN(const WorkloadReport report, RunWorkload(workload, run));
  HWEST_RETURN_IF_ERROR(
      Deliver(options, streams, [&](Sink sink) { return WriteWorkload(report, options.report, sink); }));
  if (options.report.format != Format::kText) PrintNotes(report.diagnostics, options, streams);
  return StrictVerdict(options, report);
}

namespace {

// N, or N@RATE.
absl::Status SetStreams(const Flag& flag, const std::string& value, Options* options) {
  const std::pair<absl::string_view, absl::string_view> parts = absl::StrSplit(value, absl::MaxSplits('@', 1));
  auto& to = dynamic_cast<WorkloadVerbOptions&>(*options);
  if (!absl::SimpleAtoi(parts.first, &to.streams) || to.streams < 1) {
    return BadValue(flag.name, value, "write how many, e.g. --streams 4, or with a rate --streams 4@30FPS");
  }
  to.rate = std::string(parts.second);
  return absl::OkStatus();
}

// clang-format off: a paragraph a flag
constexpr Flag kWorkloadFlags[] = {
    {.name = "--streams", .value = "N[@RATE]",
     .help = "the words are models, and N streams of each run at once, back to back or at a rate", .group = "Study",
     .set = SetStreams, .example = "4@30FPS"},
    {.name = "--strict", .help = "exit with 8 when a task is missed, with 7 when anything is unknown",
     .group = "Report", .set = Switch<Strict::kYes, &Options::strict>},
};
// clang-format on

}  // namespace

absl::Span<const Flag> WorkloadFlags() { return kWorkloadFlags; }

}  // namespace hwest
