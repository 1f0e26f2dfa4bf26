// Campaign: an entry on mutated inputs in a process of its own, which may end in any way.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fuzz/entries.h"

namespace hwest::test {

struct CampaignOptions {
  double seconds = 10;
  int64_t executions = INT64_MAX;  // whichever comes first
  uint64_t seed = 1;
  unsigned limit_s = 20;  // for one input
};

struct Finding {
  std::string input;  // what the entry did not survive
  std::string how;    // "ended with signal 6 (Aborted)"
};

struct CampaignResult {
  int64_t executions = 0;
  std::optional<Finding> finding;  // the first; the campaign ends with it
};

CampaignResult RunCampaign(const Entry& entry, std::vector<std::string> inputs, std::vector<std::string> words,
                           const CampaignOptions& options);

}  // namespace hwest::test
