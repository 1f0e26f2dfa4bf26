"""The tables of each kind of handle, read when they are first looked at. Written by lib/report/tables/generate.py."""

from functools import cached_property

from . import _abi
from ._handles import Owner
from ._row_types import (Accuracy, Board, BoundTotal, Change, CheckLine, CheckTotal, Diagnostic, DiffInfo, DiffModule,
                         DiffNode, DiffTotal, Event, Fact, Fit, Fusion, Group, Lifetime, LogNode, LogTotals,
                         MeasuredEntry, MemoryNeed, Miss, ModelInfo, Module, Move, Node, Opset, Point, Refusal, Segment,
                         Skipped, Support, Symbol, TargetInfo, TargetMode, TargetUnit, Totals, Traffic, Unit, Value,
                         WorkloadFix, WorkloadSegment, WorkloadSlowdown, WorkloadTask, WorkloadTotal, WorkloadTraffic,
                         WorkloadUnit)
from ._rows import Rows, read_rows, read_struct


class ModelTables(Owner):
    @cached_property
    def diagnostics(self) -> Rows[Diagnostic]:
        """What reading the model had to say."""
        return read_rows(Diagnostic, _abi.hwest_diagnostic, "hwest_model_diagnostic", self._open().pointer)

    @cached_property
    def info(self) -> ModelInfo:
        """What the file says of itself."""
        return read_struct(ModelInfo, _abi.hwest_model_info, "hwest_model_describe", self._open().pointer)

    @cached_property
    def opsets(self) -> Rows[Opset]:
        """Operator sets the model uses."""
        return read_rows(Opset, _abi.hwest_opset, "hwest_model_opset", self._open().pointer)

    @cached_property
    def inputs(self) -> Rows[Value]:
        """Inputs of the model as the file declares them, initialisers left out. A dim that the file leaves open is a
        symbol named INPUT.AXIS."""
        return read_rows(Value, _abi.hwest_value, "hwest_model_input", self._open().pointer)

    @cached_property
    def outputs(self) -> Rows[Value]:
        """Outputs as the file declares them; analyses know more."""
        return read_rows(Value, _abi.hwest_value, "hwest_model_output", self._open().pointer)

    @cached_property
    def symbols(self) -> Rows[Symbol]:
        """Free dims of the inputs: what `dims` or `shapes` must bind before a target can be named."""
        return read_rows(Symbol, _abi.hwest_symbol, "hwest_model_symbol", self._open().pointer)


class TargetTables(Owner):
    @cached_property
    def info(self) -> TargetInfo:
        """The target in a few words."""
        return read_struct(TargetInfo, _abi.hwest_target_info, "hwest_target_describe", self._open().pointer)

    @cached_property
    def units(self) -> Rows[TargetUnit]:
        """Engines, in the default power mode."""
        return read_rows(TargetUnit, _abi.hwest_target_unit, "hwest_target_unit", self._open().pointer)

    @cached_property
    def modes(self) -> Rows[TargetMode]:
        """Power modes."""
        return read_rows(TargetMode, _abi.hwest_target_mode, "hwest_target_mode", self._open().pointer)

    @cached_property
    def facts(self) -> Rows[Fact]:
        """Every figure with its source, in the order of the file."""
        return read_rows(Fact, _abi.hwest_fact, "hwest_target_fact", self._open().pointer)


class AnalysisTables(Owner):
    @cached_property
    def groups(self) -> Rows[Group]:
        """One row per kernel, in execution order; empty without a target."""
        return read_rows(Group, _abi.hwest_group, "hwest_analysis_group", self._open().pointer)

    @cached_property
    def traffic(self) -> Rows[Traffic]:
        """Bytes that each memory of its unit gives and takes, for every group, the nearest to the unit first; empty
        without a target."""
        return read_rows(Traffic, _abi.hwest_traffic, "hwest_analysis_traffic", self._open().pointer)

    @cached_property
    def measured(self) -> Rows[MeasuredEntry]:
        """Kernels of the measured profile that the request had, and the groups that each is about; empty without
        one."""
        return read_rows(MeasuredEntry, _abi.hwest_measured_entry, "hwest_analysis_measured", self._open().pointer)

    @cached_property
    def segments(self) -> Rows[Segment]:
        """Runs of groups on one unit, in execution order."""
        return read_rows(Segment, _abi.hwest_segment, "hwest_analysis_segment", self._open().pointer)

    @cached_property
    def units(self) -> Rows[Unit]:
        """Engines of the target and what each does, in its order."""
        return read_rows(Unit, _abi.hwest_unit, "hwest_analysis_unit", self._open().pointer)

    @cached_property
    def bounds(self) -> Rows[BoundTotal]:
        """The latency split by what it is bound by, with every bound but unknown; empty without a target."""
        return read_rows(BoundTotal, _abi.hwest_bound_total, "hwest_analysis_bound", self._open().pointer)

    @cached_property
    def modules(self) -> Rows[Module]:
        """Modules of the source program; a parent comes before its children."""
        return read_rows(Module, _abi.hwest_module, "hwest_analysis_module", self._open().pointer)

    @cached_property
    def support(self) -> Rows[Support]:
        """Every kernel on every unit: whether it runs there, and which limit refuses it; by node and then unit, empty
        without a target."""
        return read_rows(Support, _abi.hwest_support, "hwest_analysis_support", self._open().pointer)

    @cached_property
    def timeline(self) -> Rows[Event]:
        """Intervals of one inference; those of no length are left out."""
        return read_rows(Event, _abi.hwest_event, "hwest_analysis_event", self._open().pointer)

    @cached_property
    def lifetimes(self) -> Rows[Lifetime]:
        """When each activation is in memory, by value."""
        return read_rows(Lifetime, _abi.hwest_lifetime, "hwest_analysis_lifetime", self._open().pointer)

    @cached_property
    def totals(self) -> Totals:
        """Totals of the whole graph."""
        return read_struct(Totals, _abi.hwest_totals, "hwest_analysis_totals", self._open().pointer)

    @cached_property
    def memory_needs(self) -> Rows[MemoryNeed]:
        """What each memory that the plan uses has to hold; empty without a target."""
        return read_rows(MemoryNeed, _abi.hwest_memory_need, "hwest_analysis_memory_need", self._open().pointer)

    @cached_property
    def diagnostics(self) -> Rows[Diagnostic]:
        """What the analysis had to say, what reading the model said included."""
        return read_rows(Diagnostic, _abi.hwest_diagnostic, "hwest_analysis_diagnostic", self._open().pointer)

    @cached_property
    def nodes(self) -> Rows[Node]:
        """Operator nodes, in topological order; the index is the id."""
        return read_rows(Node, _abi.hwest_node, "hwest_analysis_node", self._open().pointer)

    @cached_property
    def values(self) -> Rows[Value]:
        """Inputs, weights and what nodes make; the index is the id."""
        return read_rows(Value, _abi.hwest_value, "hwest_analysis_value", self._open().pointer)

    @cached_property
    def inputs(self) -> Rows[Value]:
        """Inputs of the model as they were bound."""
        return read_rows(Value, _abi.hwest_value, "hwest_analysis_input", self._open().pointer)

    @cached_property
    def outputs(self) -> Rows[Value]:
        """Outputs of the model as they were inferred."""
        return read_rows(Value, _abi.hwest_value, "hwest_analysis_output", self._open().pointer)

    @cached_property
    def symbols(self) -> Rows[Symbol]:
        """Symbols that formulas may name."""
        return read_rows(Symbol, _abi.hwest_symbol, "hwest_analysis_symbol", self._open().pointer)


class WhatIfTables(Owner):
    @cached_property
    def changes(self) -> Rows[Change]:
        """Changes that can be made, by scope, then the largest saving first."""
        return read_rows(Change, _abi.hwest_change, "hwest_what_if_change", self._open().pointer)


class RefusalsTables(Owner):
    @cached_property
    def rows(self) -> Rows[Refusal]:
        """By unit, the reasons for most nodes first."""
        return read_rows(Refusal, _abi.hwest_refusal, "hwest_refusals_row", self._open().pointer)


class ImportLogTables(Owner):
    @cached_property
    def nodes(self) -> Rows[LogNode]:
        """By id."""
        return read_rows(LogNode, _abi.hwest_log_node, "hwest_import_log_node", self._open().pointer)

    @cached_property
    def totals(self) -> LogTotals:
        """What the log and the plan say in common."""
        return read_struct(LogTotals, _abi.hwest_log_totals, "hwest_import_log_totals", self._open().pointer)


class ExplanationTables(Owner):
    @cached_property
    def fusion(self) -> Fusion:
        """The node and the pattern that made its group."""
        return read_struct(Fusion, _abi.hwest_fusion, "hwest_explanation_fusion", self._open().pointer)

    @cached_property
    def misses(self) -> Rows[Miss]:
        """Fusions that nearly happened, the largest first."""
        return read_rows(Miss, _abi.hwest_miss, "hwest_explanation_miss", self._open().pointer)

    @cached_property
    def moves(self) -> Rows[Move]:
        """What each placeable unit would make of the node, in the order of the target."""
        return read_rows(Move, _abi.hwest_move, "hwest_explanation_move", self._open().pointer)


class ValidationTables(Owner):
    @cached_property
    def pools(self) -> Rows[Accuracy]:
        """Errors by kind of machine."""
        return read_rows(Accuracy, _abi.hwest_accuracy, "hwest_validation_pool", self._open().pointer)

    @cached_property
    def devices(self) -> Rows[Accuracy]:
        """Errors by device and way of measuring."""
        return read_rows(Accuracy, _abi.hwest_accuracy, "hwest_validation_device", self._open().pointer)

    @cached_property
    def points(self) -> Rows[Point]:
        """Measurements and predictions, by row of the file."""
        return read_rows(Point, _abi.hwest_point, "hwest_validation_point", self._open().pointer)

    @cached_property
    def skipped(self) -> Rows[Skipped]:
        """Rows of the file that were passed over, by reason, most first."""
        return read_rows(Skipped, _abi.hwest_skipped, "hwest_validation_skipped", self._open().pointer)


class CalibrationTables(Owner):
    @cached_property
    def before(self) -> Rows[Accuracy]:
        """Errors without the fit."""
        return read_rows(Accuracy, _abi.hwest_accuracy, "hwest_calibration_before", self._open().pointer)

    @cached_property
    def after(self) -> Rows[Accuracy]:
        """Errors of each family of models by a fit to the others."""
        return read_rows(Accuracy, _abi.hwest_accuracy, "hwest_calibration_after", self._open().pointer)

    @cached_property
    def skipped(self) -> Rows[Skipped]:
        """Rows of the file that were passed over, by reason, most first."""
        return read_rows(Skipped, _abi.hwest_skipped, "hwest_calibration_skipped", self._open().pointer)

    @cached_property
    def fits(self) -> Rows[Fit]:
        """The fitted figures."""
        return read_rows(Fit, _abi.hwest_fit, "hwest_calibration_fit", self._open().pointer)


class WorkloadTables(Owner):
    @cached_property
    def diagnostics(self) -> Rows[Diagnostic]:
        """What was assumed, and what is not known."""
        return read_rows(Diagnostic, _abi.hwest_diagnostic, "hwest_workload_diagnostic", self._open().pointer)

    @cached_property
    def tasks(self) -> Rows[WorkloadTask]:
        """Responses, bounds and verdicts, in the order of the file."""
        return read_rows(WorkloadTask, _abi.hwest_workload_task, "hwest_workload_task", self._open().pointer)

    @cached_property
    def units(self) -> Rows[WorkloadUnit]:
        """Units and who keeps them busy, in the order of the target."""
        return read_rows(WorkloadUnit, _abi.hwest_workload_unit, "hwest_workload_unit", self._open().pointer)

    @cached_property
    def traffic(self) -> Rows[WorkloadTraffic]:
        """What each task and load asks of the memory: tasks, in the order of the file, then loads."""
        return read_rows(WorkloadTraffic, _abi.hwest_workload_traffic, "hwest_workload_traffic", self._open().pointer)

    @cached_property
    def slowdowns(self) -> Rows[WorkloadSlowdown]:
        """Who slows whom, by the one that slows."""
        return read_rows(WorkloadSlowdown, _abi.hwest_workload_slowdown, "hwest_workload_slowdown",
                         self._open().pointer)

    @cached_property
    def segments(self) -> Rows[WorkloadSegment]:
        """What runs when in the first hyperperiod, by its start."""
        return read_rows(WorkloadSegment, _abi.hwest_workload_segment, "hwest_workload_segment", self._open().pointer)

    @cached_property
    def fixes(self) -> Rows[WorkloadFix]:
        """What would make missed tasks hold; empty when all hold."""
        return read_rows(WorkloadFix, _abi.hwest_workload_fix, "hwest_workload_fix", self._open().pointer)

    @cached_property
    def totals(self) -> WorkloadTotal:
        """Figures of the whole chip."""
        return read_struct(WorkloadTotal, _abi.hwest_workload_total, "hwest_workload_totals", self._open().pointer)


class BoardsTables(Owner):
    @cached_property
    def rows(self) -> Rows[Board]:
        """One a target: those that hold the streams, those of which it is not known, the others."""
        return read_rows(Board, _abi.hwest_board, "hwest_boards_row", self._open().pointer)


class DiffTables(Owner):
    @cached_property
    def info(self) -> DiffInfo:
        """The two sides, and whether they are the same."""
        return read_struct(DiffInfo, _abi.hwest_diff_info, "hwest_diff_describe", self._open().pointer)

    @cached_property
    def totals(self) -> Rows[DiffTotal]:
        """Figures of the summaries, changed or not."""
        return read_rows(DiffTotal, _abi.hwest_diff_total, "hwest_diff_total", self._open().pointer)

    @cached_property
    def modules(self) -> Rows[DiffModule]:
        """Modules whose time differs, in the order of the first side."""
        return read_rows(DiffModule, _abi.hwest_diff_module, "hwest_diff_module", self._open().pointer)

    @cached_property
    def nodes(self) -> Rows[DiffNode]:
        """Nodes that differ, in the order of the first side, then those of the second alone."""
        return read_rows(DiffNode, _abi.hwest_diff_node, "hwest_diff_node", self._open().pointer)


class CheckTables(Owner):
    @cached_property
    def lines(self) -> Rows[CheckLine]:
        """Limits and what became of them, in the order of the budget, or of hwest_limits."""
        return read_rows(CheckLine, _abi.hwest_check_line, "hwest_check_line", self._open().pointer)

    @cached_property
    def totals(self) -> CheckTotal:
        """The verdict and how many limits have which."""
        return read_struct(CheckTotal, _abi.hwest_check_total, "hwest_check_totals", self._open().pointer)
