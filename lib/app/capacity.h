// fit: which boards hold a number of streams.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "hwest/capacity.h"
#include "hwest/watch.h"

namespace hwest::app {

// As written; empty = as CapacityRequest has it.
struct FitWords {
  std::vector<std::string> models;  // "yolov8n.onnx", "segment.onnx=10FPS"
  std::vector<std::string> targets, modes, precisions;
  std::vector<int64_t> batches;
  int64_t streams = 0;
  std::string rate;                 // of each: "30FPS"
  std::string deadline, max_power;  // "50ms", "15W"
  std::vector<std::string> stages;  // see ParseCapacityStage
  std::string prices;               // path of a CSV of target and price
  std::string host;
  size_t threads = 0;
  Watch watch = {};
};

// Errors: kUsage, with what to write instead.
absl::StatusOr<CapacityRequest> RequestOf(const FitWords& words);
// Errors: of RequestOf and FindCapacity.
absl::StatusOr<CapacityReport> Fit(const FitWords& words);

// "target,price" a line, with a heading or without. Errors: kUsage with file and line.
absl::StatusOr<std::map<std::string, double>> ReadPrices(const std::string& path);

// Checks what --strict asks for. Errors: kCheckFailed where no board holds it, kIncomplete where none is known to.
absl::Status CheckHolds(const CapacityReport& report);

}  // namespace hwest::app
