"""Latency, memory, energy, fusion and placement of an ONNX model on an accelerator.

    import onnx_hwest

    with onnx_hwest.load("resnet18.onnx") as model:
        analysis = model.analyze("jetson-orin", batch=4)
        print(analysis.totals.latency_s, analysis.totals.peak_memory_bytes)
        for group in analysis.groups:
            print(group.name, group.unit, group.time_s, group.bound)
        report = analysis.to_dict()

Unknown is None, never 0. The suffix of a name is its unit. Several threads may use a model or an analysis. Close them
in any order, or not at all.
"""

from ._analysis import Analysis, Explanation, Refusals, WhatIf
from ._callbacks import Cancel
from ._compare import Check, check, diff
from ._diff import Diff
from ._errors import Cancelled, Error
from ._explore import explore
from ._fit import Boards, fit
from ._import_log import ImportLog, import_log
from ._library import library_path, library_version
from ._llm import llm
from ._model import Model, load
from ._predictor import Predictor
from ._row_types import (
                         Accuracy,
                         Board,
                         BoundTotal,
                         Change,
                         CheckLine,
                         CheckTotal,
                         Context,
                         Diagnostic,
                         DiffInfo,
                         DiffModule,
                         DiffNode,
                         DiffTotal,
                         Event,
                         Fact,
                         Fit,
                         Fusion,
                         Group,
                         Lifetime,
                         LogNode,
                         LogTotals,
                         MeasuredEntry,
                         Miss,
                         ModelInfo,
                         Module,
                         Move,
                         Node,
                         Opset,
                         Point,
                         Problem,
                         Refusal,
                         Segment,
                         Skipped,
                         Support,
                         SweepRow,
                         Symbol,
                         TargetInfo,
                         TargetMode,
                         TargetUnit,
                         Totals,
                         Unit,
                         Value,
                         WorkloadFix,
                         WorkloadSegment,
                         WorkloadSlowdown,
                         WorkloadTask,
                         WorkloadTotal,
                         WorkloadTraffic,
                         WorkloadUnit,
)
from ._rows import Rows
from ._study import Calibration, Validation, calibrate, validate
from ._sweep import Sweep, sweep
from ._target import Target, lint_target, load_target, parse_target, targets
from ._version import __version__
from ._workload import Workload, workload

__all__ = [
    "Accuracy", "Analysis", "Board", "Boards", "BoundTotal", "Calibration", "Cancel", "Cancelled", "Change",
    "Check", "CheckLine", "CheckTotal", "Context", "Diagnostic", "Diff", "DiffInfo", "DiffModule", "DiffNode",
    "DiffTotal", "Error", "Event", "Explanation", "Fact", "Fit", "Fusion", "Group", "ImportLog", "Lifetime",
    "LogNode", "LogTotals", "MeasuredEntry", "Miss", "Model", "ModelInfo", "Module", "Move", "Node", "Opset",
    "Point", "Predictor", "Problem", "Refusal", "Refusals", "Rows", "Segment", "Skipped", "Support", "Sweep",
    "SweepRow", "Symbol", "Target", "TargetInfo", "TargetMode", "TargetUnit", "Totals", "Unit", "Validation",
    "Value", "WhatIf", "Workload", "WorkloadFix", "WorkloadSegment", "WorkloadSlowdown", "WorkloadTask",
    "WorkloadTotal", "WorkloadTraffic", "WorkloadUnit",
    "__version__", "calibrate", "check", "diff", "explore", "fit", "import_log", "library_path", "library_version",
    "lint_target", "llm", "load", "load_target", "parse_target", "sweep", "targets", "validate", "workload",
]
