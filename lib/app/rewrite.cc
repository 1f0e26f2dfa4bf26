#include "app/rewrite.h"

#include <utility>

#include "app/watching.h"
#include "base/status_macros.h"
#include "rewrite/search.h"

namespace hwest::app {

absl::StatusOr<EditedModel> OpenForEdits(const LoadedModel& model) {
  if (model.bytes.data() != nullptr) return EditedModel::FromMemory(model.bytes, model.name, model.source.limits);
  if (model.source.path.empty()) {
    return absl::FailedPreconditionError("the model is not from a file: hand over its bytes once more, as `data`");
  }
  return EditedModel::Open(model.source.path, model.source.limits);
}

absl::StatusOr<Rewritten> Rewrite(const LoadedModel& model, const RequestMaker& request, const RewriteOptions& options,
                                  const Watch& watch) {
  HWEST_ASSIGN_OR_RETURN(EditedModel opened, OpenForEdits(model));
  const auto watched = [&](const Graph& graph) -> absl::StatusOr<AnalysisRequest> {
    HWEST_ASSIGN_OR_RETURN(AnalysisRequest asked, request(graph));
    if (watch.stop != nullptr) asked.watch = StagesOf(watch);
    return asked;
  };
  return RewriteOpened(std::move(opened), watched, options, StepsOf(watch));
}

}  // namespace hwest::app
