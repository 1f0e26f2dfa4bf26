#include <memory>
#include <string>
#include <utility>
#include <vector>
#include <vector>

#include "absl/strings/str_cat.h"
#include "analysis/stages.h"
#include "base/status_macros.h"
#include "hwest/analysis.h"
#include "import/import.h"
#include "ir/builder.h"
#include "op/rule.h"

namespace hwest {
namespace {

absl::StatusOr<std::shared_ptr<const Graph>> Build(RawModel raw) {
  BuildOptions options;
  options.has_rule = &HasRule;
  HWEST_ASSIGN_OR_RETURN(Graph graph, BuildGraph(std::move(raw), options));
  return std::make_shared<const Graph>(std::move(graph));
}

}  // namespace

absl::StatusOr<std::shared_ptr<const Graph>> LoadModel(absl::string_view path) {
  HWEST_ASSIGN_OR_RETURN(RawModel raw, ReadModelFile(std::string(path)));
  return Build(std::move(raw));
}

absl::StatusOr<std::shared_ptr<const Graph>> LoadModelFromMemory(absl::string_view bytes, absl::string_view name) {
  HWEST_ASSIGN_OR_RETURN(RawModel raw, ReadModelMemory(bytes, std::string(name)));
  return Build(std::move(raw));
}

absl::StatusOr<Analysis> Analyze(std::shared_ptr<const Graph> graph, const AnalysisRequest& request) {
  Workspace workspace;
  Analysis& analysis = workspace.analysis;
  analysis.dims = std::make_unique<DimPool>(&graph->dims());
  analysis.diagnostics = graph->diagnostics();
  analysis.graph = std::move(graph);
  analysis.request = request;
  std::vector<const Stage*> stages;
  for (const Stage& stage : Stages()) {
    if (stage.needs == Needs::kModel || HasTarget(request)) stages.push_back(&stage);
  }
  for (size_t i = 0; i < stages.size(); ++i) {
    if (request.watch != nullptr && !request.watch(stages[i]->name, i, stages.size())) {
      return absl::CancelledError("the analysis was cancelled");
    }
    HWEST_RETURN_IF_ERROR(stages[i]->run(workspace));
  }
  return std::move(workspace.analysis);
}

}  // namespace hwest
