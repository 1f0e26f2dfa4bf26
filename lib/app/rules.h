// Rules of the user's, tried out on small models before they are used.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "report/report.h"

namespace hwest::app {

struct RulesRequest {
  std::string text;  // of the file
  std::string file;  // what messages call it
  bool run = false;  // also in ONNX Runtime
  int64_t runs = 3;  // sets of inputs, for each sign of the constants
};

// TryRules applies each rule to a small model that its pattern matches and says what is wrong: a result of another type
// or shape, a rule without end, one that an earlier rule leaves nothing. With `run` it compares what ONNX Runtime makes
// of both models. Errors: kUsage for a text that is no such file; kOutputUnwritable without a folder for the models.
absl::StatusOr<std::vector<RuleTrial>> TryRules(const RulesRequest& request);

// Errors: kCheckFailed when a trial found a problem, kIncomplete when it could not be run.
absl::Status StatusOf(const std::vector<RuleTrial>& trials);

}  // namespace hwest::app
