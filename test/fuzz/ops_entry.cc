#include "fuzz/byte_model.h"
#include "fuzz/entries.h"
#include "fuzz/model_check.h"
#include "fuzz/require.h"

namespace hwest::test {

void RunOps(absl::string_view bytes) {
  const std::shared_ptr<const Graph> graph = LoadChecked(ModelOfBytes(bytes));
  if (graph == nullptr) return;
  const std::optional<Analysis> unbound = AnalyzeChecked(graph, {});
  for (const int64_t least : {1, 4}) {
    AnalysisRequest request;
    request.bind = SmallBind(*unbound, least);
    if (request.bind.dims.empty()) return;
    const std::optional<Analysis> bound = AnalyzeChecked(graph, request);
    if (bound.has_value()) CheckBindLaw(*unbound, *bound);
  }
}

}  // namespace hwest::test
