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

namespace hwest::capi {
namespace {

template <class Row>
typename LazyTable<Row>::Fill FillOf(const AnalysisState* state,
                                     void (*fill)(const Analysis&, const View&, Table<Row>*)) {
  return [state, fill](Table<Row>* table) { fill(state->analysis, state->view.get(), table); };
}

// As the report of an analysis has them.
std::vector<Diagnostic> DiagnosticsOf(const Analysis& analysis) {
  std::vector<Diagnostic> all = analysis.diagnostics;
  const std::vector<Diagnostic> notes = app::NotesOnRewrites(analysis);
  all.insert(all.end(), notes.begin(), notes.end());
  return all;
}

absl::StatusOr<std::shared_ptr<const AnalysisState>> Run(const hwest_model& model, const hwest_options& options) {
  const std::shared_ptr<const Graph>& graph = model.state->graph;
  absl::StatusOr<AnalysisRequest> request = RequestOf(options, *graph);
  if (!request.ok()) return request.status();
  request->watch = WatcherOf(options.progress, options.progress_payload, options.cancel);
  absl::StatusOr<Analysis> result = model.state->analyzer.Analyze(*request);
  if (!result.ok()) return result.status();
  result->request.watch = nullptr;  // what it calls need not outlive this call
  if (options.log != nullptr) LogAll(DiagnosticsOf(*result), options.log, options.log_payload);
  return std::make_shared<const AnalysisState>(*std::move(result), model.state);
}

}  // namespace

AnalysisState::AnalysisState(Analysis result, std::shared_ptr<const ModelState> of)
    : analysis(std::move(result)), model(std::move(of)),
      view([this](View* made) { *made = MakeView(analysis, {.model_path = model->name}); }),
      totals(FillOf(this, FillTotals)), groups(FillOf(this, FillGroups)), nodes(FillOf(this, FillNodes)),
      values(FillOf(this, FillValues)), inputs(FillOf(this, FillInputs)), outputs(FillOf(this, FillOutputs)),
      symbols(FillOf(this, FillSymbols)), modules(FillOf(this, FillModules)), segments(FillOf(this, FillSegments)),
      units(FillOf(this, FillUnits)), events(FillOf(this, FillEvents)), lifetimes(FillOf(this, FillLifetimes)),
      bounds(FillOf(this, FillBounds)), support(FillOf(this, FillSupport)),
      measured(FillOf(this, FillMeasured)),
      diagnostics([this](auto* table) { FillTable(DiagnosticsOf(analysis), table); }) {}

}  // namespace hwest::capi

using hwest::capi::CopyIn;
using hwest::capi::CopyOut;
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

hwest_status hwest_analysis_totals(const hwest_analysis* analysis, hwest_totals* totals) {
  return Guard([&]() -> absl::Status {
    if (analysis == nullptr) return NullArgument("analysis");
    if (totals == nullptr) return NullArgument("totals");
    return CopyOut("totals", analysis->state->totals.get().rows[0], totals->struct_size, totals);
  });
}

HWEST_TABLE(hwest_analysis_group, hwest_analysis, hwest_group, state->groups)
HWEST_TABLE(hwest_analysis_node, hwest_analysis, hwest_node, state->nodes)
HWEST_TABLE(hwest_analysis_value, hwest_analysis, hwest_value, state->values)
HWEST_TABLE(hwest_analysis_input, hwest_analysis, hwest_value, state->inputs)
HWEST_TABLE(hwest_analysis_output, hwest_analysis, hwest_value, state->outputs)
HWEST_TABLE(hwest_analysis_symbol, hwest_analysis, hwest_symbol, state->symbols)
HWEST_TABLE(hwest_analysis_module, hwest_analysis, hwest_module, state->modules)
HWEST_TABLE(hwest_analysis_segment, hwest_analysis, hwest_segment, state->segments)
HWEST_TABLE(hwest_analysis_unit, hwest_analysis, hwest_unit, state->units)
HWEST_TABLE(hwest_analysis_event, hwest_analysis, hwest_event, state->events)
HWEST_TABLE(hwest_analysis_lifetime, hwest_analysis, hwest_lifetime, state->lifetimes)
HWEST_TABLE(hwest_analysis_bound, hwest_analysis, hwest_bound_total, state->bounds)
HWEST_TABLE(hwest_analysis_support, hwest_analysis, hwest_support, state->support)
HWEST_TABLE(hwest_analysis_measured, hwest_analysis, hwest_measured_entry, state->measured)
HWEST_TABLE(hwest_analysis_diagnostic, hwest_analysis, hwest_diagnostic, state->diagnostics)
