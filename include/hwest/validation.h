// Validation: how far predictions are from measurements.
//
//   HWEST_ASSIGN_OR_RETURN(const app::ValidateResult found,
//                          app::Validate({.measurements = "measured.csv", .models = "models"}));
//   for (const Pool& pool : found.pools()) { ... pool.family, pool.summary.median ... }
//   HWEST_RETURN_IF_ERROR(app::WriteValidation(found, {.format = Format::kMarkdown}, sink));
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "hwest/report.h"
#include "hwest/target.h"
#include "hwest/watch.h"

namespace hwest {

// Which rows are predicted by targets that were fitted without them. kNone predicts every row with the values that the
// target files hold. kFamilyAndDevice predicts a family on a device with fits that have seen neither.
enum class LeaveOut : uint8_t { kNone, kFamily, kDevice, kSource, kFamilyAndDevice };

// Measures over points. Shares and errors, not per cent; none = not defined for these points.
struct Summary {
  size_t n = 0;
  size_t families = 0;
  std::optional<double> median;  // of the error, exp|ln(predicted / measured)| - 1
  std::optional<double> p90;
  std::optional<double> bias;
  std::optional<double> coverage80;  // share of the measured values inside the predicted interval
  std::optional<double> noise;       // median error between two versions of one source for the same thing
  std::optional<double> roofline_median;
  std::optional<double> flops_median;
};

// What was measured in one way on one device.
struct ValidationRow {
  std::string target, device, unit, runtime, mode, precision, metric;
  size_t fitted = 0;  // numbers fitted to measurements that a time at this precision is computed from
  Summary summary;
  std::optional<double> spearman;  // points of one (model, precision, mode, batch) merged to their geometric mean
};

// Rows of one kind of machine together: accelerators by target family, runtime with the most weight (its versions are
// one), precision and metric; CPUs all in one per metric.
struct Pool {
  std::string family, unit, runtime, precision, metric;  // family, runtime and precision are empty for CPUs
  size_t devices = 0;
  size_t fitted = 0;  // numbers fitted to measurements behind these points
  Summary summary;
  std::optional<double> least_spearman;  // of the devices with ten models or more
  size_t does_not_fit = 0;               // points that ran, and whose target is said not to hold them
};

struct SkippedRows {
  std::string reason;
  size_t count = 0;
};

struct Measurement;  // lib/measured/measurements.h
struct Validation;   // lib/fit/summary.h

namespace app {

struct ValidateRequest {
  std::string measurements;  // CSV file, or what another tool measured; reports name it so
  std::string models;        // folder of the models that its rows name, or several: "a, b"
  LeaveOut leave_out = LeaveOut::kNone;
  std::string target = {};                         // predicts every row on this one; empty = by the devices of the rows
  std::shared_ptr<const Target> loaded = nullptr;  // in place of `target`
  std::shared_ptr<const std::vector<Measurement>> rows = nullptr;  // of `measurements`; null = they are read
  size_t threads = 0;        // that analyse; 0 = 2. The result does not depend on it
  Watch watch = {};          // counts "analyses" and "fits"
  std::string configs = {};  // of rows of language models: folder of configurations of those without a graph
};

struct ValidateResult {
  std::shared_ptr<const Validation> validation;
  std::string measurements, models, leave_out, target;  // as asked for

  const std::vector<ValidationRow>& rows() const;   // exact matches, sorted by their texts
  const std::vector<Pool>& pools() const;           // the same points
  const std::vector<SkippedRows>& skipped() const;  // most first
};

// Every measurement becomes a point or is counted in `skipped`. Errors: kModelMissing without the folder of models;
// kTargetUnknown; kUsage for measurements that cannot be read; kInterrupted.
absl::StatusOr<ValidateResult> Validate(const ValidateRequest& request);

// Whether the file holds rows of language models, which name a runtime, formats, a prompt and a context: Validate asks
// the runtimes' laws for them. Those have no `leave_out`.
bool HoldsLanguageRows(const std::string& path);

// Formats: text, markdown, json, csv (the points), svg (predicted against measured).
absl::Status WriteValidation(const ValidateResult& result, const ReportOptions& options, Sink sink);

}  // namespace app
}  // namespace hwest
