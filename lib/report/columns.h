// The columns of every table that reports show, and the cells of one of its rows. Written by
// lib/report/tables/generate.py from the .table files beside it.
#pragma once

#include "report/getters.h"

namespace hwest {

const TextColumns& TextColumnsOf(const GroupRow*);
const Columns& ColumnsOf(const GroupRow*);  // group
Cells CellsOf(const GroupRow& row, const View& view);
const Columns& ColumnsOf(const MeasuredEntry*);  // measured_entry
Cells CellsOf(const MeasuredEntry& row, const View& view);
const Columns& ColumnsOf(const SegmentRow*);  // segment
Cells CellsOf(const SegmentRow& row, const View& view);
const Columns& ColumnsOf(const UnitRow*);  // unit
Cells CellsOf(const UnitRow& row);
const TextColumns& TextColumnsOf(const BoundRow*);
const Columns& ColumnsOf(const BoundRow*);  // bound_total
Cells CellsOf(const BoundRow& row, const View& view);
const Columns& ColumnsOf(const ModuleView*);  // module
Cells CellsOf(const ModuleView& row);
const Columns& ColumnsOf(const SupportRowView*);  // support
Cells CellsOf(const SupportRowView& row, const View& view);
const Columns& ColumnsOf(const RefusalRow*);  // refusal
Cells CellsOf(const RefusalRow& row, const View& view);
const Columns& ColumnsOf(const ExplainedUnit*);  // move_verdict
Cells CellsOf(const ExplainedUnit& row);
const Columns& ColumnsOf(const ToolchainRow*);  // toolchain_stats
Cells CellsOf(const ToolchainRow& row);
const TextColumns& TextColumnsOf(const SummaryView*);
const Columns& ColumnsOf(const SummaryView*);  // totals
Cells CellsOf(const SummaryView& row);
const Columns& ColumnsOf(const MemoryNeed*);  // memory_need
Cells CellsOf(const MemoryNeed& row);
const Columns& ColumnsOf(const Diagnostic*);  // diagnostic
Cells CellsOf(const Diagnostic& row);
const Columns& ColumnsOf(const NodeRow*);  // node
Cells CellsOf(const NodeRow& row, const View& view);
const TextColumns& TextColumnsOf(const GraphNodeRow*);
const Columns& ColumnsOf(const GraphNodeRow*);  // graph_node
Cells CellsOf(const GraphNodeRow& row, const View& view);
const Columns& ColumnsOf(const GraphTotals*);  // graph_totals
Cells CellsOf(const GraphTotals& row);
const Columns& ColumnsOf(const ValueRow*);  // value
Cells CellsOf(const ValueRow& row);
const Columns& ColumnsOf(const SymbolRow*);  // symbol
Cells CellsOf(const SymbolRow& row);
const Columns& ColumnsOf(const WhatIfRow*);  // change
Cells CellsOf(const WhatIfRow& row, const View& view);
const Columns& ColumnsOf(const GenerationRow*);  // context
Cells CellsOf(const GenerationRow& row);
const Columns& ColumnsOf(const FusionRow*);  // fusion
Cells CellsOf(const FusionRow& row);
const Columns& ColumnsOf(const MissRow*);  // miss
Cells CellsOf(const MissRow& row);
const Columns& ColumnsOf(const ValidationRow*);  // validation_row
Cells CellsOf(const ValidationRow& row);
const Columns& ColumnsOf(const Pool*);  // pool
Cells CellsOf(const Pool& row);
const Columns& ColumnsOf(const DeviceRows*);  // unknown_device
Cells CellsOf(const DeviceRows& row);
const Columns& ColumnsOf(const Point*);  // point
Cells CellsOf(const Point& row);
const Columns& ColumnsOf(const EvidenceBin*);  // evidence_bin
Cells CellsOf(const EvidenceBin& row);
const Columns& ColumnsOf(const TrustRow*);  // trust_row
Cells CellsOf(const TrustRow& row);
const Columns& ColumnsOf(const CalibratedEvidence*);  // evidence
Cells CellsOf(const CalibratedEvidence& row);
const Columns& ColumnsOf(const SkippedRows*);  // skipped
Cells CellsOf(const SkippedRows& row);
const Columns& ColumnsOf(const CalibratedFact*);  // fit
Cells CellsOf(const CalibratedFact& row);
const Columns& ColumnsOf(const LogNode*);  // log_node
Cells CellsOf(const LogNode& row, const View& view);
const Columns& ColumnsOf(const LogComparison*);  // log_totals
Cells CellsOf(const LogComparison& row);
const Columns& ColumnsOf(const TargetSummary*);  // target_info
Cells CellsOf(const TargetSummary& row);
const Columns& ColumnsOf(const TargetFact*);  // fact
Cells CellsOf(const TargetFact& row);
const Columns& ColumnsOf(const TaskRow*);  // workload_task
Cells CellsOf(const TaskRow& row);
const Columns& ColumnsOf(const WorkloadUnitRow*);  // workload_unit
Cells CellsOf(const WorkloadUnitRow& row);
const Columns& ColumnsOf(const WorkloadTraffic*);  // workload_traffic
Cells CellsOf(const WorkloadTraffic& row);
const Columns& ColumnsOf(const SlowdownRow*);  // workload_slowdown
Cells CellsOf(const SlowdownRow& row);
const Columns& ColumnsOf(const WorkloadSpan*);  // workload_segment
Cells CellsOf(const WorkloadSpan& row, const WorkloadReport& report);
const Columns& ColumnsOf(const FixRow*);  // workload_fix
Cells CellsOf(const FixRow& row);
const Columns& ColumnsOf(const CapacityRow*);  // board
Cells CellsOf(const CapacityRow& row);

}  // namespace hwest
