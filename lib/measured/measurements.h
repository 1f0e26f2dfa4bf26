// Measurements: published or own figures of models on devices, one per row of a CSV file.
//
// Columns are found by name, in any order; unknown ones are passed over, and those that are not needed may be missing
// or empty. AllMeasurementColumns() lists them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace hwest {

enum class Closeness : uint8_t { kExact, kNear };

struct Measurement {
  size_t row = 0;     // 1-based, the header not counted
  std::string model;  // file name without ".onnx"
  std::string family;
  std::string bind;                                            // as written; `dims` holds it read
  std::string batch;                                           // as written; `images` holds it read
  std::string device, unit, runtime, precision, mode, metric;  // as published
  std::string source, source_version;
  std::string trust;  // "A", "B+" or "B"; empty = not rated
  std::string note;   // what else the source says
  std::vector<std::pair<std::string, int64_t>> dims;
  std::optional<int64_t> images;  // none = offline, or as exported
  Closeness closeness = Closeness::kExact;
  double value = 0;  // in the unit of the metric, positive
};

// What the row says beside one of trust A or not rated: measured for checking, or with an overhead that is known.
double TrustWeight(const Measurement& row);

// MeasurementDefaults is what the caller knows about a file that does not say it itself; empty = not known. What the
// file says takes precedence.
struct MeasurementDefaults {
  // The model file, without ".onnx", by what the measured file calls a part of it; "" = its only one, or all.
  std::vector<std::pair<std::string, std::string>> models;
  std::string device, unit, runtime, precision, mode;
  std::vector<std::pair<std::string, int64_t>> dims;
  std::optional<int64_t> images;
};

struct MeasurementColumn {
  absl::string_view name;
  absl::string_view needed;  // "yes", "no", or the flag that may say it in place of the column
  absl::string_view meaning;
};
// Every column that a file may have.
std::vector<MeasurementColumn> AllMeasurementColumns();

// ParseMeasurements reads the text of a CSV file, `name` stands for it in errors. A needed column may be missing when
// `defaults` has its text. Errors: kUsage for columns that are missing (all of them named), and, with FILE:LINE, for a
// row that cannot be understood.
absl::StatusOr<std::vector<Measurement>> ParseMeasurements(absl::string_view text, absl::string_view name,
                                                           const MeasurementDefaults& defaults = {});

}  // namespace hwest
