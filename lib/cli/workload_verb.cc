// workload: several models on one chip.
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "app/workload.h"
#include "base/status_macros.h"
#include "cli/output.h"
#include "cli/setters.h"
#include "cli/verbs.h"

namespace hwest {

absl::Status RunWorkloadVerb(const WorkloadVerbOptions& options, const Streams& streams) {
  HWEST_RETURN_IF_ERROR(CheckFormat(ReportKind::kWorkload, options.report.format));
  const app::WorkloadRequest request{.files = options.words,
                                     .streams = options.streams,
                                     .rate = options.rate,
                                     .target = options.request.target,
                                     .mode = options.request.mode,
                                     .host = options.request.host,
                                     .watch = WatchOf(options, streams)};
  HWEST_ASSIGN_OR_RETURN(const WorkloadReport report, app::RunWorkload(request));
  HWEST_RETURN_IF_ERROR(
      Deliver(options, streams, [&](Sink sink) { return WriteWorkload(report, options.report, sink); }));
  if (options.report.format != Format::kText) PrintNotes(report.diagnostics, options, streams);
  return options.strict == Strict::kYes ? app::CheckDeadlines(report) : absl::OkStatus();
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
