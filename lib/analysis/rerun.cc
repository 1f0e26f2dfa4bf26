#include "analysis/rerun.h"

#include <utility>

#include "base/status_macros.h"

namespace hwest {
namespace {

absl::Status RunStages(Needs needs, Workspace& workspace) {
  for (const AnalysisStage& stage : Stages()) {
    if (stage.needs == needs) HWEST_RETURN_IF_ERROR(stage.run(workspace));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Rerun> Rerun::Start(std::shared_ptr<const Graph> graph, const AnalysisRequest& request) {
  Rerun rerun;
  Analysis& analysis = rerun.workspace_.analysis;
  analysis.dims = std::make_unique<DimPool>(&graph->dims());
  analysis.graph = std::move(graph);
  analysis.request = request;
  HWEST_RETURN_IF_ERROR(RunStages(Needs::kModel, rerun.workspace_));
  return rerun;
}

absl::StatusOr<const Analysis*> Rerun::Plan(const AnalysisRequest& request) {
  workspace_.analysis.request = request;
  workspace_.analysis.plan.reset();
  workspace_.analysis.diagnostics.clear();
  workspace_.overlays = {};
  HWEST_RETURN_IF_ERROR(RunStages(Needs::kTarget, workspace_));
  return &workspace_.analysis;
}

}  // namespace hwest
