#include "app/generate.h"

#include <algorithm>
#include <utility>

#include "app/watching.h"
#include "base/status_macros.h"
#include "hwest/llm.h"

namespace hwest::app {
namespace {

GenerationRow ContextRowOf(const LlmRow& of, const std::string& runtime) {
  GenerationRow row{.context = of.prompt,
                    .first_token_s = of.ttft_s.value,
                    .first_token_low_s = of.ttft_s.low,
                    .first_token_high_s = of.ttft_s.high,
                    .token_s = of.token_s.value,
                    .token_low_s = of.token_s.low,
                    .token_high_s = of.token_s.high,
                    .cache_bytes = static_cast<int64_t>(of.memory.cache_bytes),
                    .peak_memory_bytes = static_cast<int64_t>(of.memory.total_bytes()),
                    .fits = of.fits,
                    .runtime = runtime};
  if (of.energy.has_value()) {
    row.first_token_j = of.energy->prompt_j;
    row.token_j = of.energy->j_per_token;
  }
  return row;
}

// As a runtime of the target has it; no rows where none takes the model.
absl::StatusOr<std::vector<GenerationRow>> ByRuntime(const std::shared_ptr<const Graph>& graph,
                                                     const AnalysisRequest& request,
                                                     const std::vector<int64_t>& contexts) {
  std::vector<GenerationRow> rows;
  HWEST_ASSIGN_OR_RETURN(const std::shared_ptr<const Target> target,
                         SharedTarget(request.loaded, request.target, request.mode));
  const absl::StatusOr<Decoder> decoder = DecoderOfGraph(graph);
  if (!decoder.ok() || decoder->head_weights == 0) return rows;
  for (const int64_t context : contexts) {
    const LlmRequest asked{.prompts = {context}, .contexts = {context}};
    HWEST_ASSIGN_OR_RETURN(const LlmResult result, EstimateLlm(*decoder, *target, asked));
    if (result.rows.empty()) return std::vector<GenerationRow>();
    rows.push_back(ContextRowOf(result.rows.front(), result.runtime));
  }
  return rows;
}

}  // namespace

absl::StatusOr<GenerateResult> Generate(const std::shared_ptr<const Graph>& graph, const AnalysisRequest& request,
                                        const std::vector<int64_t>& contexts, const Watch& watch) {
  HWEST_ASSIGN_OR_RETURN(const KeyValueCache cache, FindCache(graph, request));
  const int64_t longest = *std::max_element(contexts.begin(), contexts.end());
  const AnalysisRequest at_longest = StepOf(cache, request, cache.fixed_step, longest);
  HWEST_ASSIGN_OR_RETURN(std::vector<GenerationRow> rows, ByRuntime(graph, request, contexts));
  if (!rows.empty()) return GenerateResult{std::move(rows), at_longest};
  AnalysisRequest watched = request;
  if (watch.stop != nullptr) watched.watch = StagesOf(watch);
  const size_t runs_each = cache.step.empty() ? 1 : 2;
  HWEST_ASSIGN_OR_RETURN(rows, ByContext(graph, watched, cache, contexts, StepsOf(watch, runs_each * contexts.size())));
  return GenerateResult{std::move(rows), at_longest};
}

}  // namespace hwest::app
