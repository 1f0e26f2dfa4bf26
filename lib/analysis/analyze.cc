#include <memory>
#include <utility>
#include <vector>

#include "analysis/stages.h"
#include "base/status_macros.h"
#include "hwest/analysis.h"

namespace hwest {
absl::StatusOr<Analysis> Analyze(std::shared_ptr<const Graph> graph, const AnalysisRequest& request) {
  Workspace workspace;
  Analysis& analysis = workspace.analysis;
  analysis.dims = std::make_unique<DimPool>(&graph->dims());
  analysis.diagnostics = graph->diagnostics();
  analysis.graph = std::move(graph);
  analysis.request = request;
  std::vector<const AnalysisStage*> stages;
  for (const AnalysisStage& stage : Stages()) {
    if (stage.needs == Needs::kModel || HasTarget(request)) stages.push_back(&stage);
  }
  for (size_t i = 0; i < stages.size(); ++i) {
    workspace.go_on = [&] { return request.watch == nullptr || request.watch(stages[i]->name, i, stages.size()); };
    if (!workspace.go_on()) return MakeError(Code::kInterrupted, "the analysis was cancelled", "");
    HWEST_RETURN_IF_ERROR(stages[i]->run(workspace));
  }
  return std::move(workspace.analysis);
}

}  // namespace hwest
