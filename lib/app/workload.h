// Several models on one chip, from a file or as streams of models.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "hwest/watch.h"
#include "hwest/workload.h"

namespace hwest::app {

struct WorkloadRequest {
  std::vector<std::string> files;                 // one workload file, or with `streams` models
  int64_t streams = 0;                            // tasks of each model; 0 = none
  std::string rate = {};                          // of each task; empty = back to back
  std::string target = {}, mode = {}, host = {};  // in place of the file's
  Watch watch = {};
};

// Errors: those of LoadWorkload and WorkloadOfStreams, and of RunWorkload.
absl::StatusOr<WorkloadReport> RunWorkload(const WorkloadRequest& request);

// Checks what --strict asks for. Errors: kCheckFailed for missed deadlines, kDoesNotFit, kIncomplete for unknown
// times.
absl::Status CheckDeadlines(const WorkloadReport& report);

}  // namespace hwest::app
