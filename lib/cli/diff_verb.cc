// diff: two models, or one model against itself on another target, mode or precision.
#include "app/diff.h"
#include "base/status_macros.h"
#include "cli/output.h"
#include "cli/setters.h"
#include "cli/verbs.h"

namespace hwest {
namespace {

app::Against AgainstOf(const DiffOptions& options) {
  return {.target = options.against_target, .mode = options.against_mode, .precision = options.against_precision};
}

absl::Status CheckWords(const DiffOptions& options) {
  const size_t words = options.words.size();
  const bool against = AgainstOf(options).is_asked();
  if (words == 2u && options.words[0] == "-" && options.words[1] == "-") {
    return MakeError(Code::kUsage, "standard input was named twice, and can be read once",
                     "save one of the two as a file");
  }
  if (words == (against ? 1u : 2u)) return absl::OkStatus();
  return MakeError(Code::kUsage,
                   against ? "--against, --against-mode and --against-precision compare one model with itself"
                           : "a difference is between two models",
                   "write onnx-hwest diff A B --target T, or diff A --target T --against TARGET");
}

}  // namespace

absl::Status RunDiffVerb(const DiffOptions& options, const Streams& streams) {
  HWEST_RETURN_IF_ERROR(CheckWords(options));
  HWEST_RETURN_IF_ERROR(app::CheckDiffFormat(options.words, options.report.format));
  const app::DiffRequest request{.paths = options.words, .draft = options.request, .against = AgainstOf(options)};
  HWEST_ASSIGN_OR_RETURN(const app::DiffReport report, app::Diff(request));
  const absl::Status limits = CheckFailOn(report.diff, options.fail_on);
  if (!limits.ok() && DiagnosticOf(limits).code == Code::kUsage) return limits;
  HWEST_RETURN_IF_ERROR(
      Deliver(options, streams, [&](Sink sink) { return app::WriteDiff(report, options.report, sink); }));
  if (!limits.ok()) return AfterReport(limits);
  if (!options.exit_code || report.diff.same) return absl::OkStatus();
  return AfterReport(MakeError(Code::kCheckFailed, "the two differ", "leave --exit-code out to accept that"));
}

namespace {

absl::Status SetAgainstPrecision(const Flag&, const std::string& value, Options* options) {
  RequestDraft checked;
  HWEST_RETURN_IF_ERROR(Give(RequestOptionNamed("precision"), value, &checked));
  dynamic_cast<DiffOptions&>(*options).against_precision = checked.precision;
  return absl::OkStatus();
}

absl::Status AddFailOn(const Flag& flag, const std::string& value, Options* options) {
  HWEST_ASSIGN_OR_RETURN(const std::vector<FailOn> limits, ParseFailOn(flag.name, value));
  std::vector<FailOn>& all = dynamic_cast<DiffOptions&>(*options).fail_on;
  all.insert(all.end(), limits.begin(), limits.end());
  return absl::OkStatus();
}

// clang-format off: a paragraph a flag
constexpr Flag kDiffFlags[] = {
    {.name = "--against", .value = "TARGET", .help = "compare the model with itself on that target", .group = "Compare",
     .set = SetText<&DiffOptions::against_target>, .example = "tda4vm", .path = PathIn::kTarget},
    {.name = "--against-mode", .value = "MODE", .help = "in that power mode", .group = "Compare",
     .set = SetText<&DiffOptions::against_mode>, .example = "15W"},
    {.name = "--against-precision", .value = "P", .help = "at that precision", .group = "Compare",
     .set = SetAgainstPrecision, .example = "int8"},
    {.name = "--exit-code", .help = "exit with 8 when anything differs", .group = "Compare",
     .set = Switch<true, &DiffOptions::exit_code>},
    {.name = "--fail-on", .value = "KEY:+P%,..",
     .help = "exit with 8 when latency, rate, energy, power, memory, macs or a number of the summary changes by more",
     .group = "Compare", .set = AddFailOn, .example = "latency:+5%,rate:-5%", .repeats = true},
};
// clang-format on

}  // namespace

absl::Span<const Flag> DiffFlags() { return kDiffFlags; }

}  // namespace hwest
