// validate: predicts measured figures and reports how far off the predictions are.
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
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
  if (!no_rows && !options.models.empty()) return absl::OkStatus();
  return MakeError(Code::kUsage, absl::StrCat("`validate` needs ", no_rows ? "--measurements" : "--models"),
                   "write onnx-hwest validate --measurements FILE.csv --models DIR");
}

}  // namespace

absl::Status RunValidate(const ValidateVerbOptions& options, const Streams& streams) {
  HWEST_RETURN_IF_ERROR(CheckPaths(options));
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
    {.name = "--configs", .value = "DIR", .help = "of rows of language models: NAME.json of those without a graph",
     .group = "Study", .set = SetText<&ValidateVerbOptions::configs>, .example = "configs", .path = PathIn::kFolder},
};
// clang-format on

}  // namespace

absl::Span<const Flag> ValidateFlags() { return kValidateFlags; }

}  // namespace hwest
