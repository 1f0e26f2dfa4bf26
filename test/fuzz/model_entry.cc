#include <utility>

#include "fuzz/entries.h"
#include "fuzz/model_check.h"
#include "fuzz/require.h"
#include "hwest/analysis.h"

namespace hwest::test {
namespace {

// A GPU with its engines, a systolic unit and vector units, each with a CPU beside it.
constexpr const char* kTargets[] = {"jetson-orin", "tda4vm", "sa8295p"};

}  // namespace

void RunModel(absl::string_view bytes) {
  const std::shared_ptr<const Graph> graph = LoadChecked(bytes);
  if (graph == nullptr) return;
  const std::optional<Analysis> unbound = AnalyzeChecked(graph, {});
  CheckReports(*unbound);
  AnalysisRequest request;
  request.bind = SmallBind(*unbound, 1);
  request.target = kTargets[bytes.size() % std::size(kTargets)];
  const std::optional<Analysis> planned = AnalyzeChecked(graph, request);
  if (planned.has_value()) CheckReports(*planned);
}

}  // namespace hwest::test
