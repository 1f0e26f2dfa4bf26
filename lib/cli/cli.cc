#include "cli/cli.h"

#include "base/status_macros.h"
#include "cli/completions.h"
#include "cli/evidence.h"
#include "cli/help.h"
#include "cli/output.h"
#include "cli/verbs.h"

namespace hwest {
namespace {

absl::Status Print(const std::string& text, const Streams& streams) {
  return Deliver(Options(), streams, [&](Sink sink) { return sink(text); });
}

int PrintOffers(const std::vector<std::string>& words, const Streams& streams) {
  return Print(OffersText(words), streams).ok() ? 0 : 1;
}

constexpr size_t kWidthOfPipes = 80;  // of help

std::string HelpText(const Options& options, const Streams& streams) {
  const size_t terminal = WidthOf(options, streams);
  const size_t width = terminal == 0 ? kWidthOfPipes : terminal;
  if (options.action == Action::kHelpAll) return HelpOnAll(width);
  return options.help_on.has_value() ? HelpOnVerb(InfoOf(*options.help_on), width) : HelpOnProgram(width);
}

absl::Status RunCommand(Options* options, const Streams& streams) {
  if (options->action == Action::kVersion) return Print("onnx-hwest " HWEST_VERSION "\n", streams);
  if (options->action != Action::kRun) return Print(HelpText(*options, streams), streams);
  HWEST_ASSIGN_OR_RETURN(options->report.format, FormatOf(*options, streams));
  options->report.color = ColorOf(*options, streams);
  options->report.width = options->width.has_value() ? *options->width : WidthOf(*options, streams);
  options->report.glyphs = GlyphsOf(*options);
  return InfoOf(options->verb).runs.run(*options, streams);
}

// Prints an error in one line and, if the report was to be JSON, as a document; returns its exit code.
int Fail(const absl::Status& status, const Command& command, bool as_document, const Streams& streams) {
  const Diagnostic error = WithCommand(DiagnosticOf(status), command);
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
  if (!args.empty() && args[0] == kCompletionFlag) return PrintOffers({args.begin() + 1, args.end()}, streams);
  const Command command = ReadCommand(args);
  const absl::StatusOr<std::unique_ptr<Options>> parsed = ParseOptions(command);
  if (!parsed.ok()) return Fail(parsed.status(), command, AsksForJson(command), streams);
  Options* const options = parsed->get();
  absl::Status status = CheckEvidencePath(*options);
  if (status.ok()) status = RunCommand(options, streams);
  if (status.ok() || IsAfterReport(status)) {
    const absl::Status recorded = Record(command, *options);
    if (!recorded.ok()) status = AfterReport(recorded);
  }
  if (status.ok()) return 0;
  // These follow a complete report, except for a model that --check refused.
  const Code code = DiagnosticOf(status).code;
  const bool reported = IsAfterReport(status) || code == Code::kIncomplete ||
                        (code == Code::kCheckFailed && options->check == Check::kNo);
  return Fail(status, command, options->report.format == Format::kJson && !reported, streams);
}

}  // namespace hwest
