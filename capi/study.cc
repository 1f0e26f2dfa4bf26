// Studies: validation and calibration.
#include <memory>
#include <string>
#include <utility>

#include "callbacks.h"
#include "fit/calibrate.h"
#include "fit/fold_fitter.h"
#include "fit/validate.h"
#include "guard.h"
#include "handles.h"
#include "hwest.h"
#include "measured/import.h"
#include "request.h"

namespace hwest::capi {
namespace {

absl::Status Missing(absl::string_view option) {
  return MakeError(Code::kUsage, absl::StrCat("options.", option, " is NULL"), "name it");
}

template <class Options>
absl::Status CheckFiles(const Options& options) {
  if (options.measurements == nullptr) return Missing("measurements");
  if (options.models == nullptr) return Missing("models");
  if (options.threads < 0) return BadOption("options.threads", options.threads, "use 0 or more");
  return absl::OkStatus();
}

template <class Options>
PredictOptions PredictOptionsOf(const Options& options, const StudyWatch& watch) {
  PredictOptions predict{.models = options.models, .progress = watch.Progress("analyses"), .stop = watch.Stop()};
  if (options.threads > 0) predict.threads = static_cast<size_t>(options.threads);
  return predict;
}

absl::StatusOr<std::shared_ptr<const Target>> TargetOf(const hwest_validate_options& options) {
  if (options.loaded != nullptr) return options.loaded->target;
  if (options.target == nullptr) return std::shared_ptr<const Target>();
  absl::StatusOr<Target> target = LoadTarget(options.target);
  if (!target.ok()) return target.status();
  return std::make_shared<const Target>(*std::move(target));
}

absl::Status AddFitter(const std::vector<Measurement>& rows, const std::string& data, const StudyWatch& watch,
                       ValidateOptions* study) {
  if (study->leave_out == LeaveOut::kNone) return absl::OkStatus();
  FitStudyOptions fit{.rows = {.predict = study->predict, .target = study->target},
                      .fit = {},
                      .priors = PriorFrom::kStated,
                      .data = data,
                      .progress = watch.Progress("fits")};
  absl::StatusOr<Fitter> fitter = MakeFitter(rows, fit);
  if (!fitter.ok()) return fitter.status();
  study->fitter = *std::move(fitter);
  return watch.status();
}

absl::StatusOr<hwest_validation*> RunValidation(const hwest_validate_options& options) {
  if (absl::Status status = CheckFiles(options); !status.ok()) return status;
  LeaveOut leave_out = LeaveOut::kNone;
  if (absl::Status status = Choose("options.leave_out", options.leave_out, &leave_out); !status.ok()) return status;
  const absl::StatusOr<std::vector<Measurement>> rows = ReadMeasurements(options.measurements);
  if (!rows.ok()) return rows.status();
  absl::StatusOr<std::shared_ptr<const Target>> target = TargetOf(options);
  if (!target.ok()) return target.status();
  const StudyWatch watch(options.progress, options.progress_payload, options.cancel);
  ValidateOptions study{
      .predict = PredictOptionsOf(options, watch), .target = *target, .targets = {}, .leave_out = leave_out};
  if (absl::Status status = AddFitter(*rows, options.measurements, watch, &study); !status.ok()) return status;
  absl::StatusOr<Validation> validation = Validate(*rows, study);
  if (absl::Status status = watch.status(); !status.ok()) return status;
  if (!validation.ok()) return validation.status();
  return new hwest_validation{*std::move(validation), {.measurements = options.measurements,
                                                       .models = options.models,
                                                       .leave_out = std::string(LeaveOutName(leave_out)),
                                                       .target = *target == nullptr ? "" : (*target)->name}};
}

absl::StatusOr<hwest_calibration*> RunCalibration(const hwest_calibrate_options& options) {
  if (absl::Status status = CheckFiles(options); !status.ok()) return status;
  if (options.target == nullptr) return Missing("target");
  const absl::StatusOr<std::vector<Measurement>> rows = ReadMeasurements(options.measurements);
  if (!rows.ok()) return rows.status();
  const StudyWatch watch(options.progress, options.progress_payload, options.cancel);
  const std::string path = options.measurements;
  const CalibrateOptions study{.predict = PredictOptionsOf(options, watch),
                               .target = options.target,
                               .data = path.substr(path.rfind('/') + 1),
                               .progress = watch.Progress("fits")};
  absl::StatusOr<Calibration> calibration = Calibrate(*rows, study);
  if (absl::Status status = watch.status(); !status.ok()) return status;
  if (!calibration.ok()) return calibration.status();
  return new hwest_calibration{
      *std::move(calibration),
      {.target = options.target, .measurements = path, .models = options.models, .output = ""}};
}

}  // namespace
}  // namespace hwest::capi

using hwest::capi::CopyIn;
using hwest::capi::Guard;
using hwest::capi::NullArgument;

hwest_status hwest_validate(const hwest_validate_options* options, hwest_validation** validation) {
  return Guard([&]() -> absl::Status {
    if (options == nullptr) return NullArgument("options");
    if (validation == nullptr) return NullArgument("validation");
    const absl::StatusOr<hwest_validate_options> ours = CopyIn("options", options);
    if (!ours.ok()) return ours.status();
    auto result = hwest::capi::RunValidation(*ours);
    if (!result.ok()) return result.status();
    *validation = *result;
    return absl::OkStatus();
  });
}

void hwest_validation_free(hwest_validation* validation) { delete validation; }

hwest_status hwest_calibrate(const hwest_calibrate_options* options, hwest_calibration** calibration) {
  return Guard([&]() -> absl::Status {
    if (options == nullptr) return NullArgument("options");
    if (calibration == nullptr) return NullArgument("calibration");
    const absl::StatusOr<hwest_calibrate_options> ours = CopyIn("options", options);
    if (!ours.ok()) return ours.status();
    auto result = hwest::capi::RunCalibration(*ours);
    if (!result.ok()) return result.status();
    *calibration = *result;
    return absl::OkStatus();
  });
}

void hwest_calibration_free(hwest_calibration* calibration) { delete calibration; }

const char* hwest_calibration_target_text(const hwest_calibration* calibration) {
  return calibration == nullptr ? "" : calibration->calibration.file.c_str();
}
