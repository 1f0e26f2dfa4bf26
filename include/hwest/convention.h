// Conventions: what other tools count for the same model, and why their figures differ.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "hwest/dim.h"

namespace hwest {

enum class Convention : uint8_t { kNative, kFvcore, kTorch, kThop, kOnnxTool };

struct ConventionInfo {
  Convention convention;
  absl::string_view name;     // as --flops-as takes it
  absl::string_view version;  // the tool and the version whose rules these are
  absl::string_view counts;   // what its figure means, in words
};
absl::Span<const ConventionInfo> AllConventions();
const ConventionInfo& InfoOf(Convention convention);
const ConventionInfo* FindConvention(absl::string_view name);  // null when there is none

// ConventionRow covers all nodes of one operator that the tool counts by one rule. Unknown counts stay unknown.
struct ConventionRow {
  std::string op;
  int64_t nodes = 0;
  Dim native_macs = 0;
  Dim native_flops = 0;
  Dim theirs = 0;
  std::string reason;
};

// ConventionTable is the model in another tool's convention. total is the sum of the rows, unknown when one is.
struct ConventionTable {
  Convention convention = Convention::kNative;
  Dim total = 0;
  std::vector<ConventionRow> rows;  // by operator, then in order of first appearance
};

}  // namespace hwest
