#include <memory>
#include <utility>
#include <vector>

#include "analysis/model_cache.h"
#include "analysis/stages.h"
#include "base/status_macros.h"
#include "hwest/analysis.h"

namespace hwest {
namespace {

// Whether the stage fills tables of the model: it reads nothing that a target decides.
bool IsOfModel(const AnalysisStage& stage, Tables of_model) {
  return stage.needs == Needs::kModel && (stage.reads & ~of_model) == 0;
}

}  // namespace

absl::StatusOr<Workspace> RunStages(std::shared_ptr<const Graph> graph, const AnalysisRequest& request,
                                    ModelCache* cache, RunUntil until) {
  Workspace workspace;
  workspace.cache = cache;
  Analysis& analysis = workspace.analysis;
  analysis.dims = std::make_unique<DimPool>(&graph->dims());
  analysis.diagnostics = graph->diagnostics();
  analysis.graph = std::move(graph);
  analysis.request = request;
  std::vector<const AnalysisStage*> stages;
  for (const AnalysisStage& stage : Stages()) {
    if (until == RunUntil::kPlan && (stage.fills & SetOf(Table::kPlan)) != 0) break;
    if (stage.needs == Needs::kModel || HasTarget(request)) stages.push_back(&stage);
  }
  std::shared_ptr<const ModelTables> known = cache != nullptr ? cache->Find(request) : nullptr;
  const bool is_new = known == nullptr;
  if (!is_new) TakeTables(std::move(known), &workspace);
  Tables of_model = 0;
  bool in_model = false;  // the stages at work fill tables of the model
  for (size_t i = 0; i < stages.size(); ++i) {
    const AnalysisStage& stage = *stages[i];
    workspace.go_on = [&] { return request.watch == nullptr || request.watch(stage.name, i, stages.size()); };
    if (!workspace.go_on()) return MakeError(Code::kInterrupted, "the analysis was cancelled", "");
    const bool is_of_model = IsOfModel(stage, of_model);
    if (in_model && !is_of_model && is_new && cache != nullptr) cache->Keep(&workspace);
    in_model = is_of_model;
    if (is_of_model) of_model |= stage.fills;
    if (is_new || !is_of_model) HWEST_RETURN_IF_ERROR(stage.run(workspace));
  }
  workspace.go_on = nullptr;
  return workspace;
}

absl::StatusOr<Analysis> AnalyzeWith(std::shared_ptr<const Graph> graph, const AnalysisRequest& request,
                                     ModelCache* cache) {
  HWEST_ASSIGN_OR_RETURN(Workspace workspace, RunStages(std::move(graph), request, cache, RunUntil::kEnd));
  // A larger batch of the same sweep asks for it.
  if (cache != nullptr && request.bind.batch == 1 && workspace.analysis.plan.has_value()) {
    const Analysis& a = workspace.analysis;
    cache->KeepPart(request, std::make_shared<const PlannedPart>(PlannedPart{*a.plan, a.overlays, a.support, a.batch}));
  }
  return std::move(workspace.analysis);
}

absl::StatusOr<Analysis> Analyze(std::shared_ptr<const Graph> graph, const AnalysisRequest& request) {
  return AnalyzeWith(std::move(graph), request, nullptr);
}

Analyzer::Analyzer(std::shared_ptr<const Graph> graph)
    : graph_(std::move(graph)), cache_(std::make_unique<ModelCache>()) {}
Analyzer::~Analyzer() = default;

absl::StatusOr<Analysis> Analyzer::Analyze(const AnalysisRequest& request) const {
  return AnalyzeWith(graph_, request, cache_.get());
}

}  // namespace hwest
