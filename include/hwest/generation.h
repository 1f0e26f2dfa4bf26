// Generation: the cost of a decoder-only language model up to its first token and per token after that, by context
// length, from one export with a key/value cache.
//
//   HWEST_ASSIGN_OR_RETURN(const KeyValueCache cache, FindCache(graph, request));
//   HWEST_ASSIGN_OR_RETURN(const auto rows, ByContext(graph, request, cache, {128, 2048}, nullptr));
//
// Where the target has a runtime of language models, `hwest/llm.h` has the figures; this is for the others. The prompt
// is one run over all its tokens with an empty cache; each later token is one run over that token with the context in
// the cache. Both are whole analyses. As in one deployed model, every context length uses the placement found for the
// longest one (the plan of StepOf), so memory never falls as the context grows.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "hwest/analysis.h"
#include "hwest/study.h"

namespace hwest {

// KeyValueCache names the sizes of a decoder. Inputs that an output extends along one axis hold the cache.
struct KeyValueCache {
  std::string past;                                    // symbol: tokens in the cache before a step
  std::vector<std::pair<std::string, int64_t>> pasts;  // of other caches, and the most tokens that each holds; 0 = all
  std::string step;                                    // symbol: tokens of a step; empty when the file fixes it
  int64_t fixed_step = 1;                              // then this is it
  std::vector<std::string> totals;                     // symbols that hold past + step, e.g. of a mask
  std::vector<std::pair<std::string, int64_t>> sizes;  // the others: batch 1, and what the outputs state
  std::vector<ValueId> inputs;                         // that hold the cache
};

struct GenerationRow {
  int64_t context = 0;                  // tokens of the prompt, and in the cache when a token is made
  std::optional<double> first_token_s;  // the prompt in one run; none when the file fixes the tokens of a step
  double first_token_low_s = 0, first_token_high_s = 0;
  std::optional<double> first_token_j;  // none = not known
  double token_s = 0;                   // one token with `context` tokens in the cache
  double token_low_s = 0, token_high_s = 0;
  std::optional<double> token_j;  // none = not known
  int64_t cache_bytes = 0;        // of `context` tokens, in the type that the file declares
  int64_t peak_memory_bytes = 0;  // of making a token
  std::optional<bool> fits;       // the memories hold the prompt and each token; none = not known
  std::string runtime;            // of language models, whose laws the figures follow; empty = kernel by kernel
};

inline constexpr int64_t kMostContext = 1 << 24;  // tokens

// FindCache looks at the graph as `request` leaves it: what it binds stays bound. Errors: kUsage for a graph without a
// cache that grows; those of Analyze.
absl::StatusOr<KeyValueCache> FindCache(const std::shared_ptr<const Graph>& graph, const AnalysisRequest& request);

// StepOf returns the request with the sizes of one step bound: `tokens` new ones beside `past` in the cache.
AnalysisRequest StepOf(const KeyValueCache& cache, const AnalysisRequest& request, int64_t tokens, int64_t past);

// ByContext returns one row per context, in their order; `request` names a target. Errors: those of Analyze.
absl::StatusOr<std::vector<GenerationRow>> ByContext(const std::shared_ptr<const Graph>& graph,
                                                     const AnalysisRequest& request, const KeyValueCache& cache,
                                                     const std::vector<int64_t>& contexts,
                                                     const StudyProgress& progress);

}  // namespace hwest
