#include "cli/cli.h"

#include <cstring>
#include <iterator>

#include "absl/strings/str_cat.h"
#include "base/enumerators.h"
#include "base/status_macros.h"
#include "cli/evidence.h"
#include "cli/output.h"
#include "cli/verbs.h"

namespace hwest {
namespace {

using Run = absl::Status (*)(const Options&, const Streams&);

constexpr Run kRuns[] = {RunModelVerb, RunModelVerb, RunModelVerb, RunModelVerb,    RunModelVerb, RunTargets,
                         RunFusions,   RunDescribe,  RunValidate,  RunCalibrate,    RunRewrite,   RunSweepVerb,
                         RunCheckVerb, RunDiffVerb,  RunVerify,    RunWorkloadVerb};  // `help` ends in parsing
static_assert(std::size(kRuns) + 1 == kNumEnumerators<Verb>);

absl::Status Print(const std::string& text, const Streams& streams) {
  return Deliver(Options(), streams, [&](Sink sink) { return sink(text); });
}

absl::Status RunCommand(Options* options, const Streams& streams) {
  if (options->action == Action::kVersion) return Print("onnx-hwest " HWEST_VERSION "\n", streams);
  if (options->action == Action::kHelp) return Print(options->help, streams);
  HWEST_ASSIGN_OR_RETURN(options->report.format, FormatOf(*options, streams));
  options->report.color = ColorOf(*options, streams);
  options->report.width = options->width.has_value() ? *options->width : WidthOf(*options, streams);
  options->report.glyphs = GlyphsOf(*options);
  return kRuns[static_cast<size_t>(options->verb)](*options, streams);
}

// The exit code of an error, which is printed in one line and, when the report was to be JSON, as a document.
int Fail(const absl::Status& status, const std::vector<std::string>& args, bool as_document, const Streams& streams) {
  const Diagnostic error = WithCommand(DiagnosticOf(status), args);
  PrintError(error, streams);
  if (as_document) {
    ReportOptions report;
    report.format = Format::kJson;
    (void)Deliver(Options(), streams, [&](Sink sink) { return WriteError(error, report, sink); });
  }
  return InfoOf(error.code).exit_code;
}

}  // namespace

int RunCli(const std::vector<std::string>& args, const Streams& streams) {
  absl::StatusOr<Options> options = ParseOptions(args);
  if (!options.ok()) return Fail(options.status(), args, AsksForJson(args), streams);
  absl::Status status = CheckEvidencePath(*options);
  if (status.ok()) status = RunCommand(&*options, streams);
  if (status.ok() || IsAfterReport(status)) {
    const absl::Status recorded = Record(args, *options);
    if (!recorded.ok()) status = AfterReport(recorded);
  }
  if (status.ok()) return 0;
  // These come after a complete report, but for a model that --check refused.
  const Code code = DiagnosticOf(status).code;
  const bool reported = IsAfterReport(status) || code == Code::kIncomplete || (code == Code::kCheckFailed && options->check == Check::kNo);
  return Fail(status, args, options->report.format == Format::kJson && !reported, streams);
}

}  // namespace hwest
