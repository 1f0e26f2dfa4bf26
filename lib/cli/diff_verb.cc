// diff: two models, or one model against itself on another target, mode or precision.
#include "app/diff.h"
#include "base/status_macros.h"
#include "cli/output.h"
#include "cli/verbs.h"

namespace hwest {
namespace {

app::Against AgainstOf(const DiffOptions& diff) {
  return {.target = diff.target, .mode = diff.mode, .precision = diff.precision};
}

absl::Status CheckWords(const Options& options) {
  const size_t words = options.words.size();
  const bool against = AgainstOf(options.diff).is_asked();
  if (words == 2u && options.words[0] == "-" && options.words[1] == "-") {
    return MakeError(Code::kUsage, "standard input was named twice, and can be read once", "save one of the two as a file");
  }
  if (words == (against ? 1u : 2u)) return absl::OkStatus();
  return MakeError(Code::kUsage,
                   against ? "--against, --against-mode and --against-precision compare one model with itself"
                           : "a difference is between two models",
                   "write onnx-hwest diff A B --target T, or diff A --target T --against TARGET");
}

}  // namespace

absl::Status RunDiffVerb(const Options& options, const Streams& streams) {
  HWEST_RETURN_IF_ERROR(CheckWords(options));
  HWEST_RETURN_IF_ERROR(app::CheckDiffFormat(options.words, options.report.format));
  const app::DiffRequest request{.paths = options.words, .draft = options.request, .against = AgainstOf(options.diff)};
  HWEST_ASSIGN_OR_RETURN(const app::DiffReport report, app::Diff(request));
  const absl::Status limits = CheckFailOn(report.diff, options.diff.fail_on);
  if (!limits.ok() && DiagnosticOf(limits).code == Code::kUsage) return limits;
  HWEST_RETURN_IF_ERROR(
      Deliver(options, streams, [&](Sink sink) { return app::WriteDiff(report, options.report, sink); }));
  if (!limits.ok()) return AfterReport(limits);
  if (!options.diff.exit_code || report.diff.same) return absl::OkStatus();
  return AfterReport(MakeError(Code::kCheckFailed, "the two differ", "leave --exit-code out to accept that"));
}

}  // namespace hwest
