// What a language model costs at each context length.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "hwest/generation.h"
#include "hwest/watch.h"

namespace hwest::app {

struct GenerateResult {
  std::vector<GenerationRow> rows;  // one per context
  AnalysisRequest longest;          // of a token at the longest context
};

// Generate times at least one context. Errors: those of FindCache and ByContext.
absl::StatusOr<GenerateResult> Generate(const std::shared_ptr<const Graph>& graph, const AnalysisRequest& request,
                                        const std::vector<int64_t>& contexts, const Watch& watch);

}  // namespace hwest::app
