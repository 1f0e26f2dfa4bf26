// Written by lib/report/tables/generate.py from the .table files beside it.
#include "tables.h"

#include "handles.h"
#include "rows.h"

namespace hwest::capi {

ModelTables::ModelTables(const hwest_model& of)
    : diagnostics([&of](auto* table) { FillTable(of.state->graph->diagnostics(), table); }),
      info([&of](auto* table) { FillOne(of.state->graph->info(), table, *of.state->graph); }),
      opsets([&of](auto* table) { FillTable(of.state->graph->info().opsets, table, *of.state->graph); }),
      inputs([&of](auto* table) { FillTable(InputsAsDeclared(*of.state->graph), table); }),
      outputs([&of](auto* table) { FillTable(OutputsAsDeclared(*of.state->graph), table); }),
      symbols([&of](auto* table) { FillTable(FreeSymbols(*of.state->graph), table); }) {}

TargetTables::TargetTables(const hwest_target& of)
    : info([&of](auto* table) { FillOne(SummaryOf(*of.target), table); }),
      units([&of](auto* table) { FillUnits(*of.target, table); }),
      modes([&of](auto* table) { FillTable(of.target->modes, table, *of.target); }),
      facts([&of](auto* table) { FillTable(FactsOf(*of.target), table); }) {}

TargetListTables::TargetListTables(const hwest_target_list& of)
    : rows([&of](auto* table) { FillTable(of.targets, table); }) {}

LintTables::LintTables(const hwest_lint& of)
    : problem([&of](auto* table) { FillTable(of.report.problems, table); }) {}

AnalysisTables::AnalysisTables(const hwest_analysis& of)
    : groups([&of](auto* table) { FillTable(of.view().groups, table, of.view()); }),
      traffic([&of](auto* table) { FillTable(TrafficRowsOf(of.view()), table, of.view()); }),
      measured([&of](auto* table) { FillTable(MeasuredEntriesOf(of.view()), table, of.view()); }),
      segments([&of](auto* table) { FillTable(of.view().segments, table, of.view()); }),
      units([&of](auto* table) { FillTable(of.view().units, table); }),
      bounds([&of](auto* table) { FillTable(of.view().bounds, table, of.view()); }),
      modules([&of](auto* table) { FillTable(of.view().modules, table); }),
      support([&of](auto* table) { FillTable(of.view().support, table, of.view()); }),
      timeline([&of](auto* table) { FillEvents(of.state->analysis, of.view(), table); }),
      lifetimes([&of](auto* table) { FillTable(LifetimesOf(of.state->analysis), table, *of.state->analysis.graph); }),
      totals([&of](auto* table) { FillOne(of.view().summary, table, of.view()); }),
      memory_needs([&of](auto* table) { FillTable(of.view().memory_needs, table); }),
      diagnostics([&of](auto* table) { FillTable(DiagnosticsOf(of.state->analysis), table); }),
      nodes([&of](auto* table) { FillTable(of.view().nodes, table, of.view()); }),
      values([&of](auto* table) { FillTable(of.view().values, table); }),
      inputs([&of](auto* table) { FillTable(ValuesOf(of.view(), of.state->analysis.graph->main().inputs), table); }),
      outputs([&of](auto* table) { FillTable(ValuesOf(of.view(), of.state->analysis.graph->main().outputs), table); }),
      symbols([&of](auto* table) { FillTable(of.view().symbols, table); }) {}

WhatIfTables::WhatIfTables(const hwest_what_if& of)
    : changes([&of](auto* table) { FillTable(of.rows, table, of.view()); }) {}

RefusalsTables::RefusalsTables(const hwest_refusals& of)
    : rows([&of](auto* table) { FillTable(of.rows, table, of.view()); }) {}

ImportLogTables::ImportLogTables(const hwest_import_log& of)
    : nodes([&of](auto* table) { FillTable(of.result.nodes, table, of.view()); }),
      totals([&of](auto* table) { FillOne(of.result, table); }) {}

GenerationTables::GenerationTables(const hwest_generation& of)
    : context([&of](auto* table) { FillTable(of.rows, table); }) {}

ExplanationTables::ExplanationTables(const hwest_explanation& of)
    : fusion([&of](auto* table) { FillOne(of.fusion(), table); }),
      misses([&of](auto* table) { FillTable(of.view.get().misses, table); }),
      moves([&of](auto* table) { FillTable(*of.result.moves, table, *of.of->analysis.target); }) {}

ValidationTables::ValidationTables(const hwest_validation& of)
    : pools([&of](auto* table) { FillPools(of.result.pools(), table); }),
      devices([&of](auto* table) { FillDevices(of.result.rows(), table); }),
      points([&of](auto* table) { FillTable(of.result.validation->points, table); }),
      skipped([&of](auto* table) { FillTable(of.result.skipped(), table); }) {}

CalibrationTables::CalibrationTables(const hwest_calibration& of)
    : before([&of](auto* table) { FillPools(of.result.calibration.before, table); }),
      after([&of](auto* table) { FillPools(of.result.calibration.after, table); }),
      skipped([&of](auto* table) { FillTable(of.result.calibration.skipped, table); }),
      fits([&of](auto* table) { FillTable(of.result.calibration.facts, table); }) {}

WorkloadTables::WorkloadTables(const hwest_workload& of)
    : diagnostics([&of](auto* table) { FillTable(of.report.diagnostics, table); }),
      tasks([&of](auto* table) { FillTable(of.report.tasks, table); }),
      units([&of](auto* table) { FillTable(of.report.units, table); }),
      traffic([&of](auto* table) { FillTable(of.report.memory.tasks, table); }),
      slowdowns([&of](auto* table) { FillTable(of.report.slowdown, table); }),
      segments([&of](auto* table) { FillTable(of.report.segments, table, of.report); }),
      fixes([&of](auto* table) { FillTable(of.report.fixes, table); }),
      totals([&of](auto* table) { FillOne(of.report, table); }) {}

BoardsTables::BoardsTables(const hwest_boards& of)
    : rows([&of](auto* table) { FillTable(of.report.boards, table); }) {}

DiffTables::DiffTables(const hwest_diff& of)
    : info([&of](auto* table) { FillOne(of.state, table); }),
      totals([&of](auto* table) { FillTable(of.state.diff.totals, table); }),
      modules([&of](auto* table) { FillTable(of.state.diff.modules, table); }),
      nodes([&of](auto* table) { FillTable(of.state.diff.nodes, table); }) {}

CheckTables::CheckTables(const hwest_check& of)
    : lines([&of](auto* table) { FillTable(of.state.lines, table); }),
      totals([&of](auto* table) { FillOne(of.state, table); }) {}

SweepTables::SweepTables(const hwest_sweep& of)
    : row([&of](auto* table) { FillTable(of.rows, table); }) {}

}  // namespace hwest::capi

using hwest::capi::CountRows;
using hwest::capi::GetOne;
using hwest::capi::GetRow;
using hwest::capi::ReadRows;

uint64_t hwest_model_diagnostic_count(const hwest_model* model) {
  return CountRows(model, &hwest::capi::ModelTables::diagnostics);
}
hwest_status hwest_model_diagnostic_get(const hwest_model* model, uint64_t index, hwest_diagnostic* row) {
  return GetRow(model, &hwest::capi::ModelTables::diagnostics, index, row);
}
hwest_status hwest_model_diagnostic_read(const hwest_model* model, uint64_t first, uint64_t count,
                                         hwest_diagnostic* rows, size_t stride) {
  return ReadRows(model, &hwest::capi::ModelTables::diagnostics, first, count, rows, stride);
}
hwest_status hwest_model_describe(const hwest_model* model, hwest_model_info* info) {
  return GetOne("model", model, "info", &hwest::capi::ModelTables::info, info);
}
uint64_t hwest_model_opset_count(const hwest_model* model) {
  return CountRows(model, &hwest::capi::ModelTables::opsets);
}
hwest_status hwest_model_opset_get(const hwest_model* model, uint64_t index, hwest_opset* row) {
  return GetRow(model, &hwest::capi::ModelTables::opsets, index, row);
}
hwest_status hwest_model_opset_read(const hwest_model* model, uint64_t first, uint64_t count, hwest_opset* rows,
                                    size_t stride) {
  return ReadRows(model, &hwest::capi::ModelTables::opsets, first, count, rows, stride);
}
uint64_t hwest_model_input_count(const hwest_model* model) {
  return CountRows(model, &hwest::capi::ModelTables::inputs);
}
hwest_status hwest_model_input_get(const hwest_model* model, uint64_t index, hwest_value* row) {
  return GetRow(model, &hwest::capi::ModelTables::inputs, index, row);
}
hwest_status hwest_model_input_read(const hwest_model* model, uint64_t first, uint64_t count, hwest_value* rows,
                                    size_t stride) {
  return ReadRows(model, &hwest::capi::ModelTables::inputs, first, count, rows, stride);
}
uint64_t hwest_model_output_count(const hwest_model* model) {
  return CountRows(model, &hwest::capi::ModelTables::outputs);
}
hwest_status hwest_model_output_get(const hwest_model* model, uint64_t index, hwest_value* row) {
  return GetRow(model, &hwest::capi::ModelTables::outputs, index, row);
}
hwest_status hwest_model_output_read(const hwest_model* model, uint64_t first, uint64_t count, hwest_value* rows,
                                     size_t stride) {
  return ReadRows(model, &hwest::capi::ModelTables::outputs, first, count, rows, stride);
}
uint64_t hwest_model_symbol_count(const hwest_model* model) {
  return CountRows(model, &hwest::capi::ModelTables::symbols);
}
hwest_status hwest_model_symbol_get(const hwest_model* model, uint64_t index, hwest_symbol* row) {
  return GetRow(model, &hwest::capi::ModelTables::symbols, index, row);
}
hwest_status hwest_model_symbol_read(const hwest_model* model, uint64_t first, uint64_t count, hwest_symbol* rows,
                                     size_t stride) {
  return ReadRows(model, &hwest::capi::ModelTables::symbols, first, count, rows, stride);
}

hwest_status hwest_target_describe(const hwest_target* target, hwest_target_info* info) {
  return GetOne("target", target, "info", &hwest::capi::TargetTables::info, info);
}
uint64_t hwest_target_unit_count(const hwest_target* target) {
  return CountRows(target, &hwest::capi::TargetTables::units);
}
hwest_status hwest_target_unit_get(const hwest_target* target, uint64_t index, hwest_target_unit* row) {
  return GetRow(target, &hwest::capi::TargetTables::units, index, row);
}
hwest_status hwest_target_unit_read(const hwest_target* target, uint64_t first, uint64_t count,
                                    hwest_target_unit* rows, size_t stride) {
  return ReadRows(target, &hwest::capi::TargetTables::units, first, count, rows, stride);
}
uint64_t hwest_target_mode_count(const hwest_target* target) {
  return CountRows(target, &hwest::capi::TargetTables::modes);
}
hwest_status hwest_target_mode_get(const hwest_target* target, uint64_t index, hwest_target_mode* row) {
  return GetRow(target, &hwest::capi::TargetTables::modes, index, row);
}
hwest_status hwest_target_mode_read(const hwest_target* target, uint64_t first, uint64_t count,
                                    hwest_target_mode* rows, size_t stride) {
  return ReadRows(target, &hwest::capi::TargetTables::modes, first, count, rows, stride);
}
uint64_t hwest_target_fact_count(const hwest_target* target) {
  return CountRows(target, &hwest::capi::TargetTables::facts);
}
hwest_status hwest_target_fact_get(const hwest_target* target, uint64_t index, hwest_fact* row) {
  return GetRow(target, &hwest::capi::TargetTables::facts, index, row);
}
hwest_status hwest_target_fact_read(const hwest_target* target, uint64_t first, uint64_t count, hwest_fact* rows,
                                    size_t stride) {
  return ReadRows(target, &hwest::capi::TargetTables::facts, first, count, rows, stride);
}

uint64_t hwest_target_list_count(const hwest_target_list* list) {
  return CountRows(list, &hwest::capi::TargetListTables::rows);
}
hwest_status hwest_target_list_get(const hwest_target_list* list, uint64_t index, hwest_target_info* row) {
  return GetRow(list, &hwest::capi::TargetListTables::rows, index, row);
}
hwest_status hwest_target_list_read(const hwest_target_list* list, uint64_t first, uint64_t count,
                                    hwest_target_info* rows, size_t stride) {
  return ReadRows(list, &hwest::capi::TargetListTables::rows, first, count, rows, stride);
}

uint64_t hwest_lint_problem_count(const hwest_lint* lint) {
  return CountRows(lint, &hwest::capi::LintTables::problem);
}
hwest_status hwest_lint_problem_get(const hwest_lint* lint, uint64_t index, hwest_problem* row) {
  return GetRow(lint, &hwest::capi::LintTables::problem, index, row);
}
hwest_status hwest_lint_problem_read(const hwest_lint* lint, uint64_t first, uint64_t count, hwest_problem* rows,
                                     size_t stride) {
  return ReadRows(lint, &hwest::capi::LintTables::problem, first, count, rows, stride);
}

uint64_t hwest_analysis_group_count(const hwest_analysis* analysis) {
  return CountRows(analysis, &hwest::capi::AnalysisTables::groups);
}
hwest_status hwest_analysis_group_get(const hwest_analysis* analysis, uint64_t index, hwest_group* row) {
  return GetRow(analysis, &hwest::capi::AnalysisTables::groups, index, row);
}
hwest_status hwest_analysis_group_read(const hwest_analysis* analysis, uint64_t first, uint64_t count,
                                       hwest_group* rows, size_t stride) {
  return ReadRows(analysis, &hwest::capi::AnalysisTables::groups, first, count, rows, stride);
}
uint64_t hwest_analysis_traffic_count(const hwest_analysis* analysis) {
  return CountRows(analysis, &hwest::capi::AnalysisTables::traffic);
}
hwest_status hwest_analysis_traffic_get(const hwest_analysis* analysis, uint64_t index, hwest_traffic* row) {
  return GetRow(analysis, &hwest::capi::AnalysisTables::traffic, index, row);
}
hwest_status hwest_analysis_traffic_read(const hwest_analysis* analysis, uint64_t first, uint64_t count,
                                         hwest_traffic* rows, size_t stride) {
  return ReadRows(analysis, &hwest::capi::AnalysisTables::traffic, first, count, rows, stride);
}
uint64_t hwest_analysis_measured_count(const hwest_analysis* analysis) {
  return CountRows(analysis, &hwest::capi::AnalysisTables::measured);
}
hwest_status hwest_analysis_measured_get(const hwest_analysis* analysis, uint64_t index, hwest_measured_entry* row) {
  return GetRow(analysis, &hwest::capi::AnalysisTables::measured, index, row);
}
hwest_status hwest_analysis_measured_read(const hwest_analysis* analysis, uint64_t first, uint64_t count,
                                          hwest_measured_entry* rows, size_t stride) {
  return ReadRows(analysis, &hwest::capi::AnalysisTables::measured, first, count, rows, stride);
}
uint64_t hwest_analysis_segment_count(const hwest_analysis* analysis) {
  return CountRows(analysis, &hwest::capi::AnalysisTables::segments);
}
hwest_status hwest_analysis_segment_get(const hwest_analysis* analysis, uint64_t index, hwest_segment* row) {
  return GetRow(analysis, &hwest::capi::AnalysisTables::segments, index, row);
}
hwest_status hwest_analysis_segment_read(const hwest_analysis* analysis, uint64_t first, uint64_t count,
                                         hwest_segment* rows, size_t stride) {
  return ReadRows(analysis, &hwest::capi::AnalysisTables::segments, first, count, rows, stride);
}
uint64_t hwest_analysis_unit_count(const hwest_analysis* analysis) {
  return CountRows(analysis, &hwest::capi::AnalysisTables::units);
}
hwest_status hwest_analysis_unit_get(const hwest_analysis* analysis, uint64_t index, hwest_unit* row) {
  return GetRow(analysis, &hwest::capi::AnalysisTables::units, index, row);
}
hwest_status hwest_analysis_unit_read(const hwest_analysis* analysis, uint64_t first, uint64_t count, hwest_unit* rows,
                                      size_t stride) {
  return ReadRows(analysis, &hwest::capi::AnalysisTables::units, first, count, rows, stride);
}
uint64_t hwest_analysis_bound_count(const hwest_analysis* analysis) {
  return CountRows(analysis, &hwest::capi::AnalysisTables::bounds);
}
hwest_status hwest_analysis_bound_get(const hwest_analysis* analysis, uint64_t index, hwest_bound_total* row) {
  return GetRow(analysis, &hwest::capi::AnalysisTables::bounds, index, row);
}
hwest_status hwest_analysis_bound_read(const hwest_analysis* analysis, uint64_t first, uint64_t count,
                                       hwest_bound_total* rows, size_t stride) {
  return ReadRows(analysis, &hwest::capi::AnalysisTables::bounds, first, count, rows, stride);
}
uint64_t hwest_analysis_module_count(const hwest_analysis* analysis) {
  return CountRows(analysis, &hwest::capi::AnalysisTables::modules);
}
hwest_status hwest_analysis_module_get(const hwest_analysis* analysis, uint64_t index, hwest_module* row) {
  return GetRow(analysis, &hwest::capi::AnalysisTables::modules, index, row);
}
hwest_status hwest_analysis_module_read(const hwest_analysis* analysis, uint64_t first, uint64_t count,
                                        hwest_module* rows, size_t stride) {
  return ReadRows(analysis, &hwest::capi::AnalysisTables::modules, first, count, rows, stride);
}
uint64_t hwest_analysis_support_count(const hwest_analysis* analysis) {
  return CountRows(analysis, &hwest::capi::AnalysisTables::support);
}
hwest_status hwest_analysis_support_get(const hwest_analysis* analysis, uint64_t index, hwest_support* row) {
  return GetRow(analysis, &hwest::capi::AnalysisTables::support, index, row);
}
hwest_status hwest_analysis_support_read(const hwest_analysis* analysis, uint64_t first, uint64_t count,
                                         hwest_support* rows, size_t stride) {
  return ReadRows(analysis, &hwest::capi::AnalysisTables::support, first, count, rows, stride);
}
uint64_t hwest_analysis_event_count(const hwest_analysis* analysis) {
  return CountRows(analysis, &hwest::capi::AnalysisTables::timeline);
}
hwest_status hwest_analysis_event_get(const hwest_analysis* analysis, uint64_t index, hwest_event* row) {
  return GetRow(analysis, &hwest::capi::AnalysisTables::timeline, index, row);
}
hwest_status hwest_analysis_event_read(const hwest_analysis* analysis, uint64_t first, uint64_t count,
                                       hwest_event* rows, size_t stride) {
  return ReadRows(analysis, &hwest::capi::AnalysisTables::timeline, first, count, rows, stride);
}
uint64_t hwest_analysis_lifetime_count(const hwest_analysis* analysis) {
  return CountRows(analysis, &hwest::capi::AnalysisTables::lifetimes);
}
hwest_status hwest_analysis_lifetime_get(const hwest_analysis* analysis, uint64_t index, hwest_lifetime* row) {
  return GetRow(analysis, &hwest::capi::AnalysisTables::lifetimes, index, row);
}
hwest_status hwest_analysis_lifetime_read(const hwest_analysis* analysis, uint64_t first, uint64_t count,
                                          hwest_lifetime* rows, size_t stride) {
  return ReadRows(analysis, &hwest::capi::AnalysisTables::lifetimes, first, count, rows, stride);
}
hwest_status hwest_analysis_totals(const hwest_analysis* analysis, hwest_totals* totals) {
  return GetOne("analysis", analysis, "totals", &hwest::capi::AnalysisTables::totals, totals);
}
uint64_t hwest_analysis_memory_need_count(const hwest_analysis* analysis) {
  return CountRows(analysis, &hwest::capi::AnalysisTables::memory_needs);
}
hwest_status hwest_analysis_memory_need_get(const hwest_analysis* analysis, uint64_t index, hwest_memory_need* row) {
  return GetRow(analysis, &hwest::capi::AnalysisTables::memory_needs, index, row);
}
hwest_status hwest_analysis_memory_need_read(const hwest_analysis* analysis, uint64_t first, uint64_t count,
                                             hwest_memory_need* rows, size_t stride) {
  return ReadRows(analysis, &hwest::capi::AnalysisTables::memory_needs, first, count, rows, stride);
}
uint64_t hwest_analysis_diagnostic_count(const hwest_analysis* analysis) {
  return CountRows(analysis, &hwest::capi::AnalysisTables::diagnostics);
}
hwest_status hwest_analysis_diagnostic_get(const hwest_analysis* analysis, uint64_t index, hwest_diagnostic* row) {
  return GetRow(analysis, &hwest::capi::AnalysisTables::diagnostics, index, row);
}
hwest_status hwest_analysis_diagnostic_read(const hwest_analysis* analysis, uint64_t first, uint64_t count,
                                            hwest_diagnostic* rows, size_t stride) {
  return ReadRows(analysis, &hwest::capi::AnalysisTables::diagnostics, first, count, rows, stride);
}
uint64_t hwest_analysis_node_count(const hwest_analysis* analysis) {
  return CountRows(analysis, &hwest::capi::AnalysisTables::nodes);
}
hwest_status hwest_analysis_node_get(const hwest_analysis* analysis, uint64_t index, hwest_node* row) {
  return GetRow(analysis, &hwest::capi::AnalysisTables::nodes, index, row);
}
hwest_status hwest_analysis_node_read(const hwest_analysis* analysis, uint64_t first, uint64_t count, hwest_node* rows,
                                      size_t stride) {
  return ReadRows(analysis, &hwest::capi::AnalysisTables::nodes, first, count, rows, stride);
}
uint64_t hwest_analysis_value_count(const hwest_analysis* analysis) {
  return CountRows(analysis, &hwest::capi::AnalysisTables::values);
}
hwest_status hwest_analysis_value_get(const hwest_analysis* analysis, uint64_t index, hwest_value* row) {
  return GetRow(analysis, &hwest::capi::AnalysisTables::values, index, row);
}
hwest_status hwest_analysis_value_read(const hwest_analysis* analysis, uint64_t first, uint64_t count,
                                       hwest_value* rows, size_t stride) {
  return ReadRows(analysis, &hwest::capi::AnalysisTables::values, first, count, rows, stride);
}
uint64_t hwest_analysis_input_count(const hwest_analysis* analysis) {
  return CountRows(analysis, &hwest::capi::AnalysisTables::inputs);
}
hwest_status hwest_analysis_input_get(const hwest_analysis* analysis, uint64_t index, hwest_value* row) {
  return GetRow(analysis, &hwest::capi::AnalysisTables::inputs, index, row);
}
hwest_status hwest_analysis_input_read(const hwest_analysis* analysis, uint64_t first, uint64_t count,
                                       hwest_value* rows, size_t stride) {
  return ReadRows(analysis, &hwest::capi::AnalysisTables::inputs, first, count, rows, stride);
}
uint64_t hwest_analysis_output_count(const hwest_analysis* analysis) {
  return CountRows(analysis, &hwest::capi::AnalysisTables::outputs);
}
hwest_status hwest_analysis_output_get(const hwest_analysis* analysis, uint64_t index, hwest_value* row) {
  return GetRow(analysis, &hwest::capi::AnalysisTables::outputs, index, row);
}
hwest_status hwest_analysis_output_read(const hwest_analysis* analysis, uint64_t first, uint64_t count,
                                        hwest_value* rows, size_t stride) {
  return ReadRows(analysis, &hwest::capi::AnalysisTables::outputs, first, count, rows, stride);
}
uint64_t hwest_analysis_symbol_count(const hwest_analysis* analysis) {
  return CountRows(analysis, &hwest::capi::AnalysisTables::symbols);
}
hwest_status hwest_analysis_symbol_get(const hwest_analysis* analysis, uint64_t index, hwest_symbol* row) {
  return GetRow(analysis, &hwest::capi::AnalysisTables::symbols, index, row);
}
hwest_status hwest_analysis_symbol_read(const hwest_analysis* analysis, uint64_t first, uint64_t count,
                                        hwest_symbol* rows, size_t stride) {
  return ReadRows(analysis, &hwest::capi::AnalysisTables::symbols, first, count, rows, stride);
}

uint64_t hwest_what_if_change_count(const hwest_what_if* what_if) {
  return CountRows(what_if, &hwest::capi::WhatIfTables::changes);
}
hwest_status hwest_what_if_change_get(const hwest_what_if* what_if, uint64_t index, hwest_change* row) {
  return GetRow(what_if, &hwest::capi::WhatIfTables::changes, index, row);
}
hwest_status hwest_what_if_change_read(const hwest_what_if* what_if, uint64_t first, uint64_t count,
                                       hwest_change* rows, size_t stride) {
  return ReadRows(what_if, &hwest::capi::WhatIfTables::changes, first, count, rows, stride);
}

uint64_t hwest_refusals_row_count(const hwest_refusals* refusals) {
  return CountRows(refusals, &hwest::capi::RefusalsTables::rows);
}
hwest_status hwest_refusals_row_get(const hwest_refusals* refusals, uint64_t index, hwest_refusal* row) {
  return GetRow(refusals, &hwest::capi::RefusalsTables::rows, index, row);
}
hwest_status hwest_refusals_row_read(const hwest_refusals* refusals, uint64_t first, uint64_t count,
                                     hwest_refusal* rows, size_t stride) {
  return ReadRows(refusals, &hwest::capi::RefusalsTables::rows, first, count, rows, stride);
}

uint64_t hwest_import_log_node_count(const hwest_import_log* import_log) {
  return CountRows(import_log, &hwest::capi::ImportLogTables::nodes);
}
hwest_status hwest_import_log_node_get(const hwest_import_log* import_log, uint64_t index, hwest_log_node* row) {
  return GetRow(import_log, &hwest::capi::ImportLogTables::nodes, index, row);
}
hwest_status hwest_import_log_node_read(const hwest_import_log* import_log, uint64_t first, uint64_t count,
                                        hwest_log_node* rows, size_t stride) {
  return ReadRows(import_log, &hwest::capi::ImportLogTables::nodes, first, count, rows, stride);
}
hwest_status hwest_import_log_totals(const hwest_import_log* import_log, hwest_log_totals* totals) {
  return GetOne("import_log", import_log, "totals", &hwest::capi::ImportLogTables::totals, totals);
}

uint64_t hwest_generation_context_count(const hwest_generation* generation) {
  return CountRows(generation, &hwest::capi::GenerationTables::context);
}
hwest_status hwest_generation_context_get(const hwest_generation* generation, uint64_t index, hwest_context* row) {
  return GetRow(generation, &hwest::capi::GenerationTables::context, index, row);
}
hwest_status hwest_generation_context_read(const hwest_generation* generation, uint64_t first, uint64_t count,
                                           hwest_context* rows, size_t stride) {
  return ReadRows(generation, &hwest::capi::GenerationTables::context, first, count, rows, stride);
}

hwest_status hwest_explanation_fusion(const hwest_explanation* explanation, hwest_fusion* fusion) {
  return GetOne("explanation", explanation, "fusion", &hwest::capi::ExplanationTables::fusion, fusion);
}
uint64_t hwest_explanation_miss_count(const hwest_explanation* explanation) {
  return CountRows(explanation, &hwest::capi::ExplanationTables::misses);
}
hwest_status hwest_explanation_miss_get(const hwest_explanation* explanation, uint64_t index, hwest_miss* row) {
  return GetRow(explanation, &hwest::capi::ExplanationTables::misses, index, row);
}
hwest_status hwest_explanation_miss_read(const hwest_explanation* explanation, uint64_t first, uint64_t count,
                                         hwest_miss* rows, size_t stride) {
  return ReadRows(explanation, &hwest::capi::ExplanationTables::misses, first, count, rows, stride);
}
uint64_t hwest_explanation_move_count(const hwest_explanation* explanation) {
  return CountRows(explanation, &hwest::capi::ExplanationTables::moves);
}
hwest_status hwest_explanation_move_get(const hwest_explanation* explanation, uint64_t index, hwest_move* row) {
  return GetRow(explanation, &hwest::capi::ExplanationTables::moves, index, row);
}
hwest_status hwest_explanation_move_read(const hwest_explanation* explanation, uint64_t first, uint64_t count,
                                         hwest_move* rows, size_t stride) {
  return ReadRows(explanation, &hwest::capi::ExplanationTables::moves, first, count, rows, stride);
}

uint64_t hwest_validation_pool_count(const hwest_validation* validation) {
  return CountRows(validation, &hwest::capi::ValidationTables::pools);
}
hwest_status hwest_validation_pool_get(const hwest_validation* validation, uint64_t index, hwest_accuracy* row) {
  return GetRow(validation, &hwest::capi::ValidationTables::pools, index, row);
}
hwest_status hwest_validation_pool_read(const hwest_validation* validation, uint64_t first, uint64_t count,
                                        hwest_accuracy* rows, size_t stride) {
  return ReadRows(validation, &hwest::capi::ValidationTables::pools, first, count, rows, stride);
}
uint64_t hwest_validation_device_count(const hwest_validation* validation) {
  return CountRows(validation, &hwest::capi::ValidationTables::devices);
}
hwest_status hwest_validation_device_get(const hwest_validation* validation, uint64_t index, hwest_accuracy* row) {
  return GetRow(validation, &hwest::capi::ValidationTables::devices, index, row);
}
hwest_status hwest_validation_device_read(const hwest_validation* validation, uint64_t first, uint64_t count,
                                          hwest_accuracy* rows, size_t stride) {
  return ReadRows(validation, &hwest::capi::ValidationTables::devices, first, count, rows, stride);
}
uint64_t hwest_validation_point_count(const hwest_validation* validation) {
  return CountRows(validation, &hwest::capi::ValidationTables::points);
}
hwest_status hwest_validation_point_get(const hwest_validation* validation, uint64_t index, hwest_point* row) {
  return GetRow(validation, &hwest::capi::ValidationTables::points, index, row);
}
hwest_status hwest_validation_point_read(const hwest_validation* validation, uint64_t first, uint64_t count,
                                         hwest_point* rows, size_t stride) {
  return ReadRows(validation, &hwest::capi::ValidationTables::points, first, count, rows, stride);
}
uint64_t hwest_validation_skipped_count(const hwest_validation* validation) {
  return CountRows(validation, &hwest::capi::ValidationTables::skipped);
}
hwest_status hwest_validation_skipped_get(const hwest_validation* validation, uint64_t index, hwest_skipped* row) {
  return GetRow(validation, &hwest::capi::ValidationTables::skipped, index, row);
}
hwest_status hwest_validation_skipped_read(const hwest_validation* validation, uint64_t first, uint64_t count,
                                           hwest_skipped* rows, size_t stride) {
  return ReadRows(validation, &hwest::capi::ValidationTables::skipped, first, count, rows, stride);
}

uint64_t hwest_calibration_before_count(const hwest_calibration* calibration) {
  return CountRows(calibration, &hwest::capi::CalibrationTables::before);
}
hwest_status hwest_calibration_before_get(const hwest_calibration* calibration, uint64_t index, hwest_accuracy* row) {
  return GetRow(calibration, &hwest::capi::CalibrationTables::before, index, row);
}
hwest_status hwest_calibration_before_read(const hwest_calibration* calibration, uint64_t first, uint64_t count,
                                           hwest_accuracy* rows, size_t stride) {
  return ReadRows(calibration, &hwest::capi::CalibrationTables::before, first, count, rows, stride);
}
uint64_t hwest_calibration_after_count(const hwest_calibration* calibration) {
  return CountRows(calibration, &hwest::capi::CalibrationTables::after);
}
hwest_status hwest_calibration_after_get(const hwest_calibration* calibration, uint64_t index, hwest_accuracy* row) {
  return GetRow(calibration, &hwest::capi::CalibrationTables::after, index, row);
}
hwest_status hwest_calibration_after_read(const hwest_calibration* calibration, uint64_t first, uint64_t count,
                                          hwest_accuracy* rows, size_t stride) {
  return ReadRows(calibration, &hwest::capi::CalibrationTables::after, first, count, rows, stride);
}
uint64_t hwest_calibration_skipped_count(const hwest_calibration* calibration) {
  return CountRows(calibration, &hwest::capi::CalibrationTables::skipped);
}
hwest_status hwest_calibration_skipped_get(const hwest_calibration* calibration, uint64_t index, hwest_skipped* row) {
  return GetRow(calibration, &hwest::capi::CalibrationTables::skipped, index, row);
}
hwest_status hwest_calibration_skipped_read(const hwest_calibration* calibration, uint64_t first, uint64_t count,
                                            hwest_skipped* rows, size_t stride) {
  return ReadRows(calibration, &hwest::capi::CalibrationTables::skipped, first, count, rows, stride);
}
uint64_t hwest_calibration_fit_count(const hwest_calibration* calibration) {
  return CountRows(calibration, &hwest::capi::CalibrationTables::fits);
}
hwest_status hwest_calibration_fit_get(const hwest_calibration* calibration, uint64_t index, hwest_fit* row) {
  return GetRow(calibration, &hwest::capi::CalibrationTables::fits, index, row);
}
hwest_status hwest_calibration_fit_read(const hwest_calibration* calibration, uint64_t first, uint64_t count,
                                        hwest_fit* rows, size_t stride) {
  return ReadRows(calibration, &hwest::capi::CalibrationTables::fits, first, count, rows, stride);
}

uint64_t hwest_workload_diagnostic_count(const hwest_workload* workload) {
  return CountRows(workload, &hwest::capi::WorkloadTables::diagnostics);
}
hwest_status hwest_workload_diagnostic_get(const hwest_workload* workload, uint64_t index, hwest_diagnostic* row) {
  return GetRow(workload, &hwest::capi::WorkloadTables::diagnostics, index, row);
}
hwest_status hwest_workload_diagnostic_read(const hwest_workload* workload, uint64_t first, uint64_t count,
                                            hwest_diagnostic* rows, size_t stride) {
  return ReadRows(workload, &hwest::capi::WorkloadTables::diagnostics, first, count, rows, stride);
}
uint64_t hwest_workload_task_count(const hwest_workload* workload) {
  return CountRows(workload, &hwest::capi::WorkloadTables::tasks);
}
hwest_status hwest_workload_task_get(const hwest_workload* workload, uint64_t index, hwest_workload_task* row) {
  return GetRow(workload, &hwest::capi::WorkloadTables::tasks, index, row);
}
hwest_status hwest_workload_task_read(const hwest_workload* workload, uint64_t first, uint64_t count,
                                      hwest_workload_task* rows, size_t stride) {
  return ReadRows(workload, &hwest::capi::WorkloadTables::tasks, first, count, rows, stride);
}
uint64_t hwest_workload_unit_count(const hwest_workload* workload) {
  return CountRows(workload, &hwest::capi::WorkloadTables::units);
}
hwest_status hwest_workload_unit_get(const hwest_workload* workload, uint64_t index, hwest_workload_unit* row) {
  return GetRow(workload, &hwest::capi::WorkloadTables::units, index, row);
}
hwest_status hwest_workload_unit_read(const hwest_workload* workload, uint64_t first, uint64_t count,
                                      hwest_workload_unit* rows, size_t stride) {
  return ReadRows(workload, &hwest::capi::WorkloadTables::units, first, count, rows, stride);
}
uint64_t hwest_workload_traffic_count(const hwest_workload* workload) {
  return CountRows(workload, &hwest::capi::WorkloadTables::traffic);
}
hwest_status hwest_workload_traffic_get(const hwest_workload* workload, uint64_t index, hwest_workload_traffic* row) {
  return GetRow(workload, &hwest::capi::WorkloadTables::traffic, index, row);
}
hwest_status hwest_workload_traffic_read(const hwest_workload* workload, uint64_t first, uint64_t count,
                                         hwest_workload_traffic* rows, size_t stride) {
  return ReadRows(workload, &hwest::capi::WorkloadTables::traffic, first, count, rows, stride);
}
uint64_t hwest_workload_slowdown_count(const hwest_workload* workload) {
  return CountRows(workload, &hwest::capi::WorkloadTables::slowdowns);
}
hwest_status hwest_workload_slowdown_get(const hwest_workload* workload, uint64_t index, hwest_workload_slowdown* row) {
  return GetRow(workload, &hwest::capi::WorkloadTables::slowdowns, index, row);
}
hwest_status hwest_workload_slowdown_read(const hwest_workload* workload, uint64_t first, uint64_t count,
                                          hwest_workload_slowdown* rows, size_t stride) {
  return ReadRows(workload, &hwest::capi::WorkloadTables::slowdowns, first, count, rows, stride);
}
uint64_t hwest_workload_segment_count(const hwest_workload* workload) {
  return CountRows(workload, &hwest::capi::WorkloadTables::segments);
}
hwest_status hwest_workload_segment_get(const hwest_workload* workload, uint64_t index, hwest_workload_segment* row) {
  return GetRow(workload, &hwest::capi::WorkloadTables::segments, index, row);
}
hwest_status hwest_workload_segment_read(const hwest_workload* workload, uint64_t first, uint64_t count,
                                         hwest_workload_segment* rows, size_t stride) {
  return ReadRows(workload, &hwest::capi::WorkloadTables::segments, first, count, rows, stride);
}
uint64_t hwest_workload_fix_count(const hwest_workload* workload) {
  return CountRows(workload, &hwest::capi::WorkloadTables::fixes);
}
hwest_status hwest_workload_fix_get(const hwest_workload* workload, uint64_t index, hwest_workload_fix* row) {
  return GetRow(workload, &hwest::capi::WorkloadTables::fixes, index, row);
}
hwest_status hwest_workload_fix_read(const hwest_workload* workload, uint64_t first, uint64_t count,
                                     hwest_workload_fix* rows, size_t stride) {
  return ReadRows(workload, &hwest::capi::WorkloadTables::fixes, first, count, rows, stride);
}
hwest_status hwest_workload_totals(const hwest_workload* workload, hwest_workload_total* total) {
  return GetOne("workload", workload, "total", &hwest::capi::WorkloadTables::totals, total);
}

uint64_t hwest_boards_row_count(const hwest_boards* boards) {
  return CountRows(boards, &hwest::capi::BoardsTables::rows);
}
hwest_status hwest_boards_row_get(const hwest_boards* boards, uint64_t index, hwest_board* row) {
  return GetRow(boards, &hwest::capi::BoardsTables::rows, index, row);
}
hwest_status hwest_boards_row_read(const hwest_boards* boards, uint64_t first, uint64_t count, hwest_board* rows,
                                   size_t stride) {
  return ReadRows(boards, &hwest::capi::BoardsTables::rows, first, count, rows, stride);
}

hwest_status hwest_diff_describe(const hwest_diff* diff, hwest_diff_info* info) {
  return GetOne("diff", diff, "info", &hwest::capi::DiffTables::info, info);
}
uint64_t hwest_diff_total_count(const hwest_diff* diff) {
  return CountRows(diff, &hwest::capi::DiffTables::totals);
}
hwest_status hwest_diff_total_get(const hwest_diff* diff, uint64_t index, hwest_diff_total* row) {
  return GetRow(diff, &hwest::capi::DiffTables::totals, index, row);
}
hwest_status hwest_diff_total_read(const hwest_diff* diff, uint64_t first, uint64_t count, hwest_diff_total* rows,
                                   size_t stride) {
  return ReadRows(diff, &hwest::capi::DiffTables::totals, first, count, rows, stride);
}
uint64_t hwest_diff_module_count(const hwest_diff* diff) {
  return CountRows(diff, &hwest::capi::DiffTables::modules);
}
hwest_status hwest_diff_module_get(const hwest_diff* diff, uint64_t index, hwest_diff_module* row) {
  return GetRow(diff, &hwest::capi::DiffTables::modules, index, row);
}
hwest_status hwest_diff_module_read(const hwest_diff* diff, uint64_t first, uint64_t count, hwest_diff_module* rows,
                                    size_t stride) {
  return ReadRows(diff, &hwest::capi::DiffTables::modules, first, count, rows, stride);
}
uint64_t hwest_diff_node_count(const hwest_diff* diff) {
  return CountRows(diff, &hwest::capi::DiffTables::nodes);
}
hwest_status hwest_diff_node_get(const hwest_diff* diff, uint64_t index, hwest_diff_node* row) {
  return GetRow(diff, &hwest::capi::DiffTables::nodes, index, row);
}
hwest_status hwest_diff_node_read(const hwest_diff* diff, uint64_t first, uint64_t count, hwest_diff_node* rows,
                                  size_t stride) {
  return ReadRows(diff, &hwest::capi::DiffTables::nodes, first, count, rows, stride);
}

uint64_t hwest_check_line_count(const hwest_check* check) {
  return CountRows(check, &hwest::capi::CheckTables::lines);
}
hwest_status hwest_check_line_get(const hwest_check* check, uint64_t index, hwest_check_line* row) {
  return GetRow(check, &hwest::capi::CheckTables::lines, index, row);
}
hwest_status hwest_check_line_read(const hwest_check* check, uint64_t first, uint64_t count, hwest_check_line* rows,
                                   size_t stride) {
  return ReadRows(check, &hwest::capi::CheckTables::lines, first, count, rows, stride);
}
hwest_status hwest_check_totals(const hwest_check* check, hwest_check_total* total) {
  return GetOne("check", check, "total", &hwest::capi::CheckTables::totals, total);
}

uint64_t hwest_sweep_row_count(const hwest_sweep* sweep) {
  return CountRows(sweep, &hwest::capi::SweepTables::row);
}
hwest_status hwest_sweep_row_get(const hwest_sweep* sweep, uint64_t index, hwest_sweep_row* row) {
  return GetRow(sweep, &hwest::capi::SweepTables::row, index, row);
}
hwest_status hwest_sweep_row_read(const hwest_sweep* sweep, uint64_t first, uint64_t count, hwest_sweep_row* rows,
                                  size_t stride) {
  return ReadRows(sweep, &hwest::capi::SweepTables::row, first, count, rows, stride);
}
