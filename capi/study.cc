// Studies: validation and calibration.
#include <memory>
#include <string>
#include <utility>

#include "app/calibrate.h"
#include "callbacks.h"
#include "fit/summary.h"
#include "guard.h"
#include "handle_report.h"
#include "handles.h"
#include "hwest.h"
#include "hwest/validation.h"
#include "request.h"

namespace hwest::capi {
namespace {

absl::Status Missing(absl::string_view option) {
  const std::string name = absl::StrCat("options.", option);
  return MakeError(Code::kUsage, absl::StrCat(name, " is NULL"), "name it", {absl::string_view(name)});
}

template <class Options>
absl::Status CheckFiles(const Options& options) {
  if (options.measurements == nullptr) return Missing("measurements");
  if (options.models == nullptr) return Missing("models");
  if (options.threads < 0) return BadOption("options.threads", options.threads, "use 0 or more");
  return absl::OkStatus();
}

absl::StatusOr<app::ValidateResult> RunValidation(const hwest_validate_options& options) {
  if (absl::Status status = CheckFiles(options); !status.ok()) return status;
  LeaveOut leave_out = LeaveOut::kNone;
  if (absl::Status status = Choose("options.leave_out", options.leave_out, &leave_out); !status.ok()) return status;
  return app::Validate({.measurements = options.measurements,
                        .models = options.models,
                        .leave_out = leave_out,
                        .target = options.target != nullptr ? options.target : "",
                        .loaded = options.loaded != nullptr ? options.loaded->target : nullptr,
                        .threads = static_cast<size_t>(options.threads),
                        .watch = WatchOf(options.progress, options.progress_payload, options.cancel)});
}

absl::StatusOr<app::CalibrateResult> RunCalibration(const hwest_calibrate_options& options) {
  if (absl::Status status = CheckFiles(options); !status.ok()) return status;
  if (options.target == nullptr) return Missing("target");
  return app::Calibrate({.target = options.target,
                         .measurements = options.measurements,
                         .models = options.models,
                         .threads = static_cast<size_t>(options.threads),
                         .watch = WatchOf(options.progress, options.progress_payload, options.cancel)});
}

auto WriterOf(const hwest_validation* validation) {
  return DocumentWriter(
      [=](const ReportOptions& options, Sink sink) { return app::WriteValidation(validation->result, options, sink); });
}

auto WriterOf(const hwest_calibration* calibration) {
  return DocumentWriter([=](const ReportOptions& options, Sink sink) {
    return WriteCalibration(calibration->result.calibration, calibration->result.request, options, sink);
  });
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
    *validation = new hwest_validation{*std::move(result)};
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
    *calibration = new hwest_calibration{*std::move(result)};
    return absl::OkStatus();
  });
}

void hwest_calibration_free(hwest_calibration* calibration) { delete calibration; }

const char* hwest_calibration_target_text(const hwest_calibration* calibration) {
  return calibration == nullptr ? "" : calibration->result.calibration.file.c_str();
}

HWEST_REPORT(hwest_validation_report, hwest_validation)
HWEST_REPORT(hwest_calibration_report, hwest_calibration)
