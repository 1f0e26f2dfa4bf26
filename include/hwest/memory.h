// What is where in memory while a model runs, at which address, what makes the peak, and what would lower it.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "hwest/analysis.h"
#include "hwest/report.h"

namespace hwest {

enum class FitVerdict : uint8_t { kFits, kDoesNotFit, kUnknown };
absl::string_view FitVerdictName(FitVerdict verdict);  // "FITS", "DOES_NOT_FIT", "UNKNOWN"

// One memory of the target that holds something.
struct MemoryUse {
  std::string name;
  std::string holds;                  // "flash", "scratchpad" or "shared"
  std::optional<int64_t> size_bytes;  // what the toolchain leaves of it; none = not stated
  int64_t weights_bytes = 0;          // and other constants
  int64_t activations_bytes = 0;      // one past the highest address
  int64_t least_bytes = 0;            // the largest sum of activations alive at once
  int64_t cache_bytes = 0;            // of the activations: what one run hands to the next
  int64_t used_bytes() const { return weights_bytes + activations_bytes; }
  std::optional<bool> fits() const {
    return size_bytes.has_value() ? std::optional<bool>(used_bytes() <= *size_bytes) : std::nullopt;
  }
};

// A change that takes less at the peak.
struct MemoryCure {
  std::string what;
  int64_t peak_bytes = 0;  // of activations, with it
  std::string cost;        // what it takes; empty = nothing that is known
  std::string command;     // that shows it; empty = none does
};

// Whether the activations fit into one arena of a size.
struct ArenaFit {
  int64_t bytes = 0;
  FitVerdict verdict = FitVerdict::kUnknown;
  std::string advice;
};

// Whether the model fits for every value of one dim.
struct RangeFit {
  std::string dim;
  int64_t first = 0, last = 0;
  FitVerdict verdict = FitVerdict::kUnknown;
  std::optional<int64_t> from;  // the least value that does not fit
  std::string reason;
  std::vector<std::pair<int64_t, int64_t>> tried;  // value and bytes used of the memory that decides
};

struct MemoryReport {
  std::shared_ptr<const Analysis> analysis;  // with a range at its last value
  std::vector<MemoryUse> memories;
  int64_t peak_bytes = 0;         // of activations: what addresses take
  int64_t lower_bound_bytes = 0;  // no order of addresses takes less
  GroupId peak_group;             // where most is alive; none = there are no groups
  std::vector<Lifetime> at_peak;  // largest first
  std::vector<MemoryCure> cures;  // the least first
  std::vector<ArenaFit> arenas;
  std::optional<RangeFit> range;
  FitVerdict verdict = FitVerdict::kUnknown;
  std::string reason;  // of the verdict
};

// Formats: text, JSON, CSV (the tensors), Markdown; SVG, PNG and PDF as the map of addresses over time; HTML, and C as
// an array of offsets. `rows` is whether text lists every tensor. Errors: kUsage for other formats; those of `sink`.
enum class PlanRows : bool { kNo, kYes };
absl::Status WriteMemory(const MemoryReport& report, PlanRows rows, const ReportOptions& options, Sink sink);

}  // namespace hwest
