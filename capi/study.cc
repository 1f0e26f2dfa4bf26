// Studies: validation and calibration.
#include <memory>
#include <string>
#include <utility>

#include "app/calibrate.h"
#include "callbacks.h"
#include "fit/summary.h"
#include "guard.h"
#include "handles.h"
#include "hwest.h"
#include "hwest/validation.h"
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

absl::StatusOr<app::ValidateResult> RunValidation(const hwest_validate_options& options) {
  if (absl::Status status = CheckFiles(options); !status.ok()) return status;
  const absl::StatusOr<LeaveOut> leave_out = LeaveOutOf(options.leave_out);
  if (!leave_out.ok()) return leave_out.status();
  return app::Validate({.measurements = options.measurements,
                        .models = options.models,
                        .leave_out = *leave_out,
                        .target = options.target != nullptr ? options.target : "",
                        .loaded = options.loaded != nullptr ? options.loaded->state->target : nullptr,
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

hwest_accuracy AccuracyOf(const Summary& summary) {
  hwest_accuracy row = {};
  row.struct_size = sizeof row;
  row.points = static_cast<int64_t>(summary.n);
  row.families = static_cast<int64_t>(summary.families);
  row.median = OrUnknown(summary.median);
  row.p90 = OrUnknown(summary.p90);
  row.bias = OrUnknown(summary.bias);
  row.coverage80 = OrUnknown(summary.coverage80);
  row.noise = OrUnknown(summary.noise);
  row.roofline_median = OrUnknown(summary.roofline_median);
  row.flops_median = OrUnknown(summary.flops_median);
  return row;
}

void FillPools(const std::vector<Pool>& pools, Table<hwest_accuracy>* table) {
  Texts& texts = table->texts;
  for (const Pool& pool : pools) {
    hwest_accuracy row = AccuracyOf(pool.summary);
    row.family = texts.KeepText(NonEmpty(pool.family));
    row.unit = texts.KeepText(NonEmpty(pool.unit));
    row.runtime = texts.KeepText(NonEmpty(pool.runtime));
    row.precision = texts.KeepText(NonEmpty(pool.precision));
    row.metric = texts.KeepText(NonEmpty(pool.metric));
    row.devices = static_cast<int64_t>(pool.devices);
    row.fitted = static_cast<int64_t>(pool.fitted);
    row.spearman = OrUnknown(pool.least_spearman);
    table->rows.push_back(row);
  }
}

void FillDevices(const std::vector<ValidationRow>& devices, Table<hwest_accuracy>* table) {
  Texts& texts = table->texts;
  for (const ValidationRow& device : devices) {
    hwest_accuracy row = AccuracyOf(device.summary);
    row.target = texts.KeepText(NonEmpty(device.target));
    row.device = texts.KeepText(NonEmpty(device.device));
    row.unit = texts.KeepText(NonEmpty(device.unit));
    row.runtime = texts.KeepText(NonEmpty(device.runtime));
    row.mode = texts.KeepText(NonEmpty(device.mode));
    row.precision = texts.KeepText(NonEmpty(device.precision));
    row.metric = texts.KeepText(NonEmpty(device.metric));
    row.devices = -1;
    row.fitted = static_cast<int64_t>(device.fitted);
    row.spearman = OrUnknown(device.spearman);
    table->rows.push_back(row);
  }
}

}  // namespace
}  // namespace hwest::capi

hwest_validation::hwest_validation(hwest::app::ValidateResult found)
    : result(std::move(found)),
      pools([this](auto* table) { hwest::capi::FillPools(result.pools(), table); }),
      devices([this](auto* table) { hwest::capi::FillDevices(result.rows(), table); }),
      points([this](auto* table) { hwest::capi::FillTable(result.validation->points, table); }),
      skipped([this](auto* table) { hwest::capi::FillTable(result.skipped(), table); }) {}

hwest_calibration::hwest_calibration(hwest::app::CalibrateResult found)
    : result(std::move(found)),
      fits([this](auto* table) { hwest::capi::FillTable(result.calibration.facts, table); }),
      before([this](auto* table) { hwest::capi::FillPools(result.calibration.before, table); }),
      after([this](auto* table) { hwest::capi::FillPools(result.calibration.after, table); }),
      skipped([this](auto* table) { hwest::capi::FillTable(result.calibration.skipped, table); }) {}

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
    *validation = new hwest_validation(*std::move(result));
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
    *calibration = new hwest_calibration(*std::move(result));
    return absl::OkStatus();
  });
}

void hwest_calibration_free(hwest_calibration* calibration) { delete calibration; }

const char* hwest_calibration_target_text(const hwest_calibration* calibration) {
  return calibration == nullptr ? "" : calibration->result.calibration.file.c_str();
}

HWEST_TABLE(hwest_validation_pool, hwest_validation, hwest_accuracy, pools)
HWEST_TABLE(hwest_validation_device, hwest_validation, hwest_accuracy, devices)
HWEST_TABLE(hwest_validation_point, hwest_validation, hwest_point, points)
HWEST_TABLE(hwest_validation_skipped, hwest_validation, hwest_skipped, skipped)
HWEST_TABLE(hwest_calibration_fit, hwest_calibration, hwest_fit, fits)
HWEST_TABLE(hwest_calibration_before, hwest_calibration, hwest_accuracy, before)
HWEST_TABLE(hwest_calibration_after, hwest_calibration, hwest_accuracy, after)
HWEST_TABLE(hwest_calibration_skipped, hwest_calibration, hwest_skipped, skipped)
