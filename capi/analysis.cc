// Analyses and their tables.
#include "hwest/analysis.h"

#include <memory>
#include <utility>
#include <vector>

#include "app/analyze.h"
#include "callbacks.h"
#include "guard.h"
#include "handles.h"
#include "hwest.h"
#include "request.h"
#include "rows.h"

namespace hwest::capi {
namespace {

absl::StatusOr<std::shared_ptr<const AnalysisState>> Run(const hwest_model& model, const hwest_options& options) {
  const std::shared_ptr<const Graph>& graph = model.state->graph;
  absl::StatusOr<AnalysisRequest> request = RequestOf(options, *graph);
  if (!request.ok()) return request.status();
  request->watch = WatcherOf(options.progress, options.progress_payload, options.cancel);
  absl::StatusOr<Analysis> result = model.state->analyzer.Analyze(*request);
  if (!result.ok()) return result.status();
  result->request.watch = nullptr;  // its callback may die after this call
  if (options.log != nullptr) LogAll(DiagnosticsOf(*result), options.log, options.log_payload);
  return std::make_shared<const AnalysisState>(*std::move(result), model.state);
}

}  // namespace

AnalysisState::AnalysisState(Analysis result, std::shared_ptr<const ModelState> of)
    : analysis(std::move(result)),
      model(std::move(of)),
      view([this](View* made) { *made = MakeView(analysis, {.model_path = model->name}); }) {}

}  // namespace hwest::capi

using hwest::capi::CopyIn;
using hwest::capi::Guard;
using hwest::capi::NullArgument;

hwest_status hwest_analyze(const hwest_model* model, const hwest_options* options, hwest_analysis** analysis) {
  return Guard([&]() -> absl::Status {
    if (model == nullptr) return NullArgument("model");
    if (analysis == nullptr) return NullArgument("analysis");
    const absl::StatusOr<hwest_options> ours = CopyIn("options", options);
    if (!ours.ok()) return ours.status();
    auto state = hwest::capi::Run(*model, *ours);
    if (!state.ok()) return state.status();
    *analysis = new hwest_analysis{*std::move(state)};
    return absl::OkStatus();
  });
}

void hwest_analysis_free(hwest_analysis* analysis) { delete analysis; }
