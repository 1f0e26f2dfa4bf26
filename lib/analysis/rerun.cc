#include "analysis/rerun.h"

#include <utility>

#include "base/status_macros.h"
#include "hwest/diagnostic.h"

namespace hwest {
namespace {

// Runs one stage, unless the watcher of the request says that nobody waits for it.
absl::Status RunStage(const AnalysisStage& stage, Workspace& workspace) {
  const StageWatcher watch = workspace.analysis.request.watch;
  workspace.go_on = [&] { return watch == nullptr || watch(stage.name, 0, 0); };
  if (!workspace.go_on()) return MakeError(Code::kInterrupted, "the analysis was cancelled", "");
  const absl::Status status = stage.run(workspace);
  workspace.go_on = nullptr;
  return status;
}

// Runs the stages that need a target, and those that read what these fill.
absl::Status RunTargetStages(Workspace& workspace) {
  Tables filled = 0;
  for (const AnalysisStage& stage : Stages()) {
    if (stage.needs != Needs::kTarget && (stage.reads & filled) == 0) continue;
    filled |= stage.fills;
    HWEST_RETURN_IF_ERROR(RunStage(stage, workspace));
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
  for (const AnalysisStage& stage : Stages()) {
    if (stage.needs == Needs::kModel) HWEST_RETURN_IF_ERROR(RunStage(stage, rerun.workspace_));
  }
  return rerun;
}

absl::StatusOr<const Analysis*> Rerun::Plan(const AnalysisRequest& request) {
  workspace_.analysis.request = request;
  workspace_.analysis.plan.reset();
  workspace_.analysis.diagnostics.clear();
  workspace_.analysis.overlays = {};
  HWEST_RETURN_IF_ERROR(RunTargetStages(workspace_));
  return &workspace_.analysis;
}

}  // namespace hwest
