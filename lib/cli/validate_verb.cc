// validate: predicts measured figures and says how far off the predictions are.
#include "fit/validate.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "base/enumerators.h"
#include "base/status_macros.h"
#include "cli/measured.h"
#include "cli/output.h"
#include "cli/setters.h"
#include "cli/verbs.h"
#include "fit/fold_fitter.h"

namespace hwest {
namespace {

constexpr size_t kProgressSteps = 10;

absl::Status CheckPaths(const ValidateVerbOptions& options) {
  const bool no_rows = options.measurements.empty();
  if (!no_rows && !options.models.empty()) return absl::OkStatus();
  return MakeError(Code::kUsage, absl::StrCat("`validate` needs ", no_rows ? "--measurements" : "--models"),
                   "write onnx-hwest validate --measurements FILE.csv --models DIR");
}

// What the format cannot show is reported before the work, not after it.
absl::Status CheckFormat(const ValidateVerbOptions& options) {
  return WriteValidation({}, {}, options.report, [](absl::string_view) { return absl::OkStatus(); });
}

PredictOptions PredictOptionsOf(const ValidateVerbOptions& options, const Streams& streams) {
  const auto progress = [&options, &streams](size_t done, size_t total) {
    const size_t step = total / kProgressSteps + 1;
    if (done % step != 0) return;
    PrintProgress(absl::StrCat(done, " of ", total, " analyses"), options, streams);
  };
  return {.models = options.models, .progress = progress};
}

absl::Status AddFitter(const std::vector<Measurement>& rows, const ValidateVerbOptions& options, const Streams& streams,
                       ValidateOptions* study) {
  if (study->leave_out == LeaveOut::kNone) return absl::OkStatus();
  FitStudyOptions fit{.rows = {.predict = study->predict, .target = study->target},
                      .fit = {},
                      .priors = PriorFrom::kStated,
                      .data = options.measurements,
                      .progress = {}};
  fit.progress = [&options, &streams](size_t done, size_t total) {
    const size_t step = total / kProgressSteps + 1;
    if (done % step == 0) PrintProgress(absl::StrCat(done, " of ", total, " fits"), options, streams);
  };
  HWEST_ASSIGN_OR_RETURN(study->fitter, MakeFitter(rows, fit));
  return absl::OkStatus();
}

}  // namespace

absl::Status RunValidate(const ValidateVerbOptions& options, const Streams& streams) {
  HWEST_RETURN_IF_ERROR(CheckPaths(options));
  HWEST_RETURN_IF_ERROR(CheckFormat(options));
  HWEST_ASSIGN_OR_RETURN(const std::vector<Measurement> rows, ReadMeasured(options));
  ValidateOptions study{.predict = PredictOptionsOf(options, streams), .leave_out = options.leave_out};
  if (!options.request.target.empty()) {
    HWEST_ASSIGN_OR_RETURN(Target target, LoadTarget(options.request.target));
    study.target = std::make_shared<const Target>(std::move(target));
  }
  HWEST_RETURN_IF_ERROR(AddFitter(rows, options, streams, &study));
  HWEST_ASSIGN_OR_RETURN(const Validation validation, Validate(rows, study));
  const ValidationRequest request{.measurements = options.measurements,
                                  .models = options.models,
                                  .leave_out = std::string(LeaveOutName(options.leave_out)),
                                  .target = study.target == nullptr ? "" : study.target->name};
  return Deliver(options, streams,
                 [&](Sink sink) { return WriteValidation(validation, request, options.report, sink); });
}

namespace {

// clang-format off: a paragraph a flag
constexpr Flag kValidateFlags[] = {
    {.name = "--leave-out", .value = "WHAT", .help = "none: as the targets are; all else: fitted without it",
     .group = "Study", .set = SetChoice<&ValidateVerbOptions::leave_out>,
     .named_choices = NamesOf<LeaveOutName, LeaveOut, kNumEnumerators<LeaveOut>>, .default_text = "none"},
};
// clang-format on

}  // namespace

absl::Span<const Flag> ValidateFlags() { return kValidateFlags; }

}  // namespace hwest
