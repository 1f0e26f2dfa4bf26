// What is where in memory, whether it fits, and what would take less.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "analysis/request_options.h"
#include "hwest/memory.h"

namespace hwest::app {

// A symbol, or INPUT.AXIS, and its first and last value.
struct DimRange {
  std::string name;
  int64_t first = 0, last = 0;
};
// "batch=1:64"; none when the text is no range.
std::optional<DimRange> ParseDimRange(absl::string_view text);

struct MemoryRequest {
  RequestDraft draft;           // with a target
  std::vector<int64_t> arenas;  // sizes in bytes
  std::optional<DimRange> range;
};

// Errors: those of Analyze; kUsage without a target.
absl::StatusOr<MemoryReport> Memory(const Analyzer& analyzer, const MemoryRequest& request);

// Checks what --strict asks for. Errors: kIncomplete where it does not fit, or that is not known.
absl::Status CheckFits(const MemoryReport& report);

}  // namespace hwest::app
