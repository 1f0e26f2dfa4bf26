// A language model from files on runtimes of targets.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "hwest/llm.h"

namespace hwest::app {

struct LlmFiles {
  std::vector<std::string> models;   // paths, see ReadDecoder
  std::vector<std::string> targets;  // built-in names, aliases or paths; "all" = every one with a runtime
  std::string mode;                  // empty = the default one of each
  std::string draft;                 // path; empty = none
  double acceptance = 0.7;
  int64_t draft_tokens = 4;
  LlmRequest request;
};

// Ranked: what runs and fits first, the answer that is there first in front. Errors: those of ReadDecoder, SharedTarget
// and EstimateLlm; kUsage without a model or a target, or where no target has the runtime.
absl::StatusOr<LlmReport> Llm(const LlmFiles& files);

// Checks what --strict asks for. Errors: kIncomplete where nothing runs, or does not fit.
absl::Status CheckRuns(const LlmReport& report);

}  // namespace hwest::app
