#include <utility>

#include "fuzz/entries.h"
#include "fuzz/model_check.h"
#include "fuzz/require.h"
#include "hwest/analysis.h"

namespace hwest::test {
namespace {

// A GPU with its engines, a systolic unit and vector units, each with a CPU beside it.
constexpr const char* kTargets[] = {"jetson-orin", "tda4vm", "sa8295p"};

// A target that is read once.
const std::shared_ptr<const Target>& OneTarget() {
  static const auto& target = *new std::shared_ptr<const Target>([] {
    absl::StatusOr<Target> loaded = LoadTarget("tda4vm");
    RequireKnownError(loaded.status());
    return std::make_shared<const Target>(*std::move(loaded));
  }());
  return target;
}

}  // namespace

void RunModel(absl::string_view bytes) {
  const std::shared_ptr<const Graph> graph = LoadChecked(bytes);
  if (graph == nullptr) return;
  const std::optional<Analysis> unbound = AnalyzeChecked(graph, {});
  AnalysisRequest request;
  request.bind = SmallBind(*unbound, 1);
  request.loaded = OneTarget();
  AnalyzeChecked(graph, request);
}

void RunReports(absl::string_view bytes) {
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
