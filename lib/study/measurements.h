// Measurements: published or own figures of models on devices, one per row of a CSV file.
//
// Columns are found by name, in any order; unknown ones are passed over. Needed: model, device, unit, runtime,
// precision, metric, value. The others may be missing or empty:
//   family          what is left out together; missing = the model itself
//   bind            sizes of symbolic dims, "name=value;..."
//   batch           images per inference, or "offline": as many as the device likes; missing = as exported
//   match           exact (the same computation; missing) or near (a detail differs)
//   mode            power mode as published
//   source, source_version   who published it; two versions of one thing tell how much the source itself varies
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
  size_t row = 0;  // 1-based, the header not counted
  std::string model;  // file name without ".onnx"
  std::string family;
  std::string bind;   // as written; `dims` holds it read
  std::string batch;  // as written; `images` holds it read
  std::string device, unit, runtime, precision, mode, metric;  // as published
  std::string source, source_version;
  std::vector<std::pair<std::string, int64_t>> dims;
  std::optional<int64_t> images;  // none = offline, or as exported
  Closeness closeness = Closeness::kExact;
  double value = 0;  // in the unit of the metric, positive
};

// ReadMeasurements reads a file; ParseMeasurements its text, `name` stands for it in errors.
// Errors: kUsage for a file that cannot be read, columns that are missing (all of them named), and, with FILE:LINE,
// for a row that cannot be understood.
absl::StatusOr<std::vector<Measurement>> ReadMeasurements(const std::string& path);
absl::StatusOr<std::vector<Measurement>> ParseMeasurements(absl::string_view text, absl::string_view name);

}  // namespace hwest
