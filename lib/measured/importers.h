// Two functions for each form but CSV: whether a tree has that form, and its rows. One file per program.
#pragma once

#include <vector>

#include "absl/status/statusor.h"
#include "measured/import_tree.h"
#include "profile/read_profile.h"

namespace hwest {

constexpr double kMicrosecondsPerMillisecond = 1e3;

// trtexec --exportTimes: the median of the GPU compute times of the trace.
bool IsTrtexecTimes(const Tree& tree);
absl::StatusOr<std::vector<Measurement>> ReadTrtexecTimes(const Imported& file);
// trtexec --exportProfile: the sum over the layers; see ReadTrtexecLayers.
absl::StatusOr<std::vector<Measurement>> ReadTrtexecProfile(const Imported& file);

// ONNX Runtime, SessionOptions.enable_profiling: the median of its runs, the first left out where there are more. The
// provider that took most of the nodes' time gives unit and runtime, the type that most of it was spent on the
// precision.
absl::StatusOr<std::vector<Measurement>> ReadOnnxRuntimeProfile(const Imported& file);

// Qualcomm AI Hub Models, perf.yaml or the same as JSON, of every release: a row for each job that passed and ran
// wholly on one unit.
bool IsAiHubPerf(const Tree& tree);
absl::StatusOr<std::vector<Measurement>> ReadAiHubPerf(const Imported& file);
// Qualcomm AI Hub, the results of one profile job: its estimated inference time.
bool IsAiHubJob(const Tree& tree);
absl::StatusOr<std::vector<Measurement>> ReadAiHubJob(const Imported& file);

}  // namespace hwest
