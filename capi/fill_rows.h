// Rows of the C ABI from those of the library. Written by lib/report/tables/generate.py.
#pragma once

#include "fill.h"

namespace hwest::capi {

void FillRow(const GroupRow& row, const View& view, Texts* texts, hwest_group* to);
void FillRow(const TrafficRow& row, const View& view, Texts* texts, hwest_traffic* to);
void FillRow(const MeasuredEntry& row, const View& view, Texts* texts, hwest_measured_entry* to);
void FillRow(const SegmentRow& row, const View& view, Texts* texts, hwest_segment* to);
void FillRow(const UnitRow& row, Texts* texts, hwest_unit* to);
void FillRow(const BoundRow& row, const View& view, Texts* texts, hwest_bound_total* to);
void FillRow(const ModuleView& row, Texts* texts, hwest_module* to);
void FillRow(const SupportRowView& row, const View& view, Texts* texts, hwest_support* to);
void FillRow(const RefusalRow& row, const View& view, Texts* texts, hwest_refusal* to);
void FillRow(const Lifetime& row, const Graph& graph, Texts* texts, hwest_lifetime* to);
void FillRow(const SummaryView& row, const View& view, Texts* texts, hwest_totals* to);
void FillRow(const MemoryNeed& row, Texts* texts, hwest_memory_need* to);
void FillRow(const Diagnostic& row, Texts* texts, hwest_diagnostic* to);
void FillRow(const ModelInfo& row, const Graph& graph, Texts* texts, hwest_model_info* to);
void FillRow(const OpsetImport& row, const Graph& graph, Texts* texts, hwest_opset* to);
void FillRow(const NodeRow& row, const View& view, Texts* texts, hwest_node* to);
void FillRow(const ValueRow& row, Texts* texts, hwest_value* to);
void FillRow(const SymbolRow& row, Texts* texts, hwest_symbol* to);
void FillRow(const WhatIfRow& row, const View& view, Texts* texts, hwest_change* to);
void FillRow(const GenerationRow& row, Texts* texts, hwest_context* to);
void FillRow(const FusionRow& row, Texts* texts, hwest_fusion* to);
void FillRow(const MissRow& row, Texts* texts, hwest_miss* to);
void FillRow(const MoveRow& row, const Target& target, Texts* texts, hwest_move* to);
void FillRow(const Point& row, Texts* texts, hwest_point* to);
void FillRow(const SkippedRows& row, Texts* texts, hwest_skipped* to);
void FillRow(const CalibratedFact& row, Texts* texts, hwest_fit* to);
void FillRow(const LogNode& row, const View& view, Texts* texts, hwest_log_node* to);
void FillRow(const LogComparison& row, Texts* texts, hwest_log_totals* to);
void FillRow(const TargetSummary& row, Texts* texts, hwest_target_info* to);
void FillRow(const Unit& row, const Target& target, Texts* texts, hwest_target_unit* to);
void FillRow(const Mode& row, const Target& target, Texts* texts, hwest_target_mode* to);
void FillRow(const TargetFact& row, Texts* texts, hwest_fact* to);
void FillRow(const LintProblem& row, Texts* texts, hwest_problem* to);
void FillRow(const TaskRow& row, Texts* texts, hwest_workload_task* to);
void FillRow(const WorkloadUnitRow& row, Texts* texts, hwest_workload_unit* to);
void FillRow(const WorkloadTraffic& row, Texts* texts, hwest_workload_traffic* to);
void FillRow(const SlowdownRow& row, Texts* texts, hwest_workload_slowdown* to);
void FillRow(const WorkloadSpan& row, const WorkloadReport& report, Texts* texts, hwest_workload_segment* to);
void FillRow(const FixRow& row, Texts* texts, hwest_workload_fix* to);
void FillRow(const WorkloadReport& row, Texts* texts, hwest_workload_total* to);
void FillRow(const DiffState& row, Texts* texts, hwest_diff_info* to);
void FillRow(const TotalChange& row, Texts* texts, hwest_diff_total* to);
void FillRow(const ModuleChange& row, Texts* texts, hwest_diff_module* to);
void FillRow(const NodeChange& row, Texts* texts, hwest_diff_node* to);
void FillRow(const CheckLine& row, Texts* texts, hwest_check_line* to);
void FillRow(const CheckState& row, Texts* texts, hwest_check_total* to);
void FillRow(const SweepRow& row, Texts* texts, hwest_sweep_row* to);
void FillRow(const CapacityRow& row, Texts* texts, hwest_board* to);

}  // namespace hwest::capi
