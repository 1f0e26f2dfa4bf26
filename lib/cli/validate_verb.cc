// validate: predicts measured figures and reports how far off the predictions are, of models or of single operators.
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "app/validate_operators.h"
#include "base/enumerators.h"
#include "base/status_macros.h"
#include "cli/measured.h"
#include "cli/output.h"
#include "cli/setters.h"
#include "cli/verbs.h"
#include "hwest/validation.h"

namespace hwest {
namespace {

absl::Status CheckPaths(const ValidateVerbOptions& options) {
  const bool no_rows = options.measurements.empty();
  if (!no_rows && (!options.models.empty() || options.per_operator == PerOperator::kYes)) return absl::OkStatus();
  return MakeError(Code::kUsage, absl::StrCat("`validate` needs ", no_rows ? "--measurements" : "--models"),
                   "write onnx-hwest validate --measurements FILE.csv --models DIR");
}

absl::Status RunPerOperator(const ValidateVerbOptions& options, const Streams& streams) {
  if (options.leave_out != LeaveOut::kNone) {
    return MakeError(Code::kUsage, "--per-op fits nothing, so that nothing can be left out", "drop --leave-out");
  }
  HWEST_RETURN_IF_ERROR(CheckFormat(ReportKind::kOperators, options.report.format));
  app::ValidateOperatorsRequest request{
      .models = options.models, .target = options.request.target, .watch = WatchOf(options, streams)};
  for (const auto& [model, path] : options.measured) request.measurements.push_back(path);
  HWEST_ASSIGN_OR_RETURN(const OperatorValidation result, app::ValidateOperators(request));
  return Deliver(options, streams,
                 [&](Sink sink) { return app::WriteOperators(result, request, options.report, sink); });
}

}  // namespace

absl::Status RunValidate(const ValidateVerbOptions& options, const Streams& streams) {
  HWEST_RETURN_IF_ERROR(CheckPaths(options));
  if (options.per_operator == PerOperator::kYes) return RunPerOperator(options, streams);
  HWEST_RETURN_IF_ERROR(CheckFormat(ReportKind::kValidation, options.report.format));
  app::ValidateRequest request{.measurements = options.measurements,
                               .models = options.models,
                               .leave_out = options.leave_out,
                               .target = options.request.target,
                               .watch = WatchOf(options, streams),
                               .configs = options.configs};
  if (!app::HoldsLanguageRows(options.measurements)) {
    HWEST_ASSIGN_OR_RETURN(std::vector<Measurement> rows, ReadMeasured(options));
    request.rows = std::make_shared<const std::vector<Measurement>>(std::move(rows));
  }
  HWEST_ASSIGN_OR_RETURN(const app::ValidateResult result, app::Validate(request));
  return Deliver(options, streams, [&](Sink sink) { return app::WriteValidation(result, options.report, sink); });
}

namespace {

// clang-format off: a paragraph a flag
constexpr Flag kValidateFlags[] = {
    {.name = "--leave-out", .value = "WHAT", .help = "none: as the targets are; all else: fitted without it",
     .group = "Study", .set = SetChoice<&ValidateVerbOptions::leave_out>,
     .named_choices = NamesOf<LeaveOutName, LeaveOut, kNumEnumerators<LeaveOut>>, .default_text = "none"},
    {.name = "--per-op", .help = "the measurements are times of single operators, with their shapes", .group = "Study",
     .set = Switch<PerOperator::kYes, &ValidateVerbOptions::per_operator>},
    {.name = "--configs", .value = "DIR", .help = "of rows of language models: NAME.json of those without a graph",
     .group = "Study", .set = SetText<&ValidateVerbOptions::configs>, .example = "configs", .path = PathIn::kFolder},
};
// clang-format on

}  // namespace

absl::Span<const Flag> ValidateFlags() { return kValidateFlags; }

}  // namespace hwest
