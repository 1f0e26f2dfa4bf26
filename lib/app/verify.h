// Whether two files compute the same: run by the Python package, where ONNX Runtime is.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "hwest/rewrite.h"

namespace hwest::app {

struct VerifyRequest {
  std::string first, second;  // paths
  int64_t runs = 3;
  Exactness exactness = Exactness::kExact;  // what the second file may differ by
  std::vector<std::string> values;          // INPUT=FILE or INPUT=LITERAL
  std::string samples;                      // a folder; empty = random inputs
};

// Verify calls `python3 -m onnx_hwest.verify`, by the interpreter that the environment names as PYTHON. What keeps it
// from running is a verdict, not_run, with the reason.
Verification Verify(const VerifyRequest& request);

// What the report says as a status. Errors: kCheckFailed when the files differ, kIncomplete when they were not
// compared.
absl::Status StatusOf(const Verification& verification);

// The coarsest of the rules; exact when there are none.
Exactness CoarsestOf(const std::vector<AppliedRule>& rules);

}  // namespace hwest::app
