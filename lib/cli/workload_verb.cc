// workload: several models on one chip.
#include "app/workload.h"

#include "base/status_macros.h"
#include "cli/output.h"
#include "cli/verbs.h"

namespace hwest {

absl::Status RunWorkloadVerb(const Options& options, const Streams& streams) {
  HWEST_RETURN_IF_ERROR(CheckFormat(ReportKind::kWorkload, options.report.format));
  const app::WorkloadRequest request{.files = options.words,
                                     .streams = options.streams.count,
                                     .rate = options.streams.rate,
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

}  // namespace hwest
