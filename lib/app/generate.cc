#include "app/generate.h"

#include <algorithm>
#include <utility>

#include "app/watching.h"
#include "base/status_macros.h"

namespace hwest::app {

absl::StatusOr<GenerateResult> Generate(const std::shared_ptr<const Graph>& graph, const AnalysisRequest& request,
                                        const std::vector<int64_t>& contexts, const Watch& watch) {
  HWEST_ASSIGN_OR_RETURN(const KeyValueCache cache, FindCache(graph, request));
  AnalysisRequest watched = request;
  if (watch.stop != nullptr) watched.watch = StagesOf(watch);
  const size_t runs_each = cache.step.empty() ? 1 : 2;
  HWEST_ASSIGN_OR_RETURN(std::vector<GenerationRow> rows,
                         ByContext(graph, watched, cache, contexts, StepsOf(watch, runs_each * contexts.size())));
  const int64_t longest = *std::max_element(contexts.begin(), contexts.end());
  return GenerateResult{std::move(rows), StepOf(cache, request, cache.fixed_step, longest)};
}

}  // namespace hwest::app
