"""Several models on one chip."""

from __future__ import annotations

import ctypes
from functools import cached_property
from typing import Any, Optional

from . import _abi
from ._arguments import PathLike, path, path_or_none, text
from ._callbacks import Callbacks, Cancel, Progress
from ._handles import Handle
from ._library import library
from ._reports import Result, WorkloadFormat, text_report
from ._row_types import (Diagnostic, WorkloadFix, WorkloadSegment, WorkloadSlowdown, WorkloadTask, WorkloadTotal,
                         WorkloadTraffic, WorkloadUnit)
from ._rows import Rows, read_rows, read_struct


class Workload(Result):
    """What becomes of several models on one chip; made by workload()."""

    def __init__(self, pointer: Any) -> None:
        super().__init__(Handle(pointer, library().hwest_workload_free))

    def _rows(self, row_type: Any, struct: Any, table: str) -> Rows[Any]:
        return read_rows(row_type, struct, f"hwest_workload_{table}", self._open().pointer)

    @cached_property
    def totals(self) -> WorkloadTotal:
        """Figures of the whole chip."""
        return read_struct(WorkloadTotal, _abi.hwest_workload_total, "hwest_workload_totals", self._open().pointer)

    @cached_property
    def tasks(self) -> Rows[WorkloadTask]:
        """Responses, bounds and verdicts, in the order of the file."""
        return self._rows(WorkloadTask, _abi.hwest_workload_task, "task")

    @cached_property
    def units(self) -> Rows[WorkloadUnit]:
        """Units and who keeps them busy."""
        return self._rows(WorkloadUnit, _abi.hwest_workload_unit, "unit")

    @cached_property
    def traffic(self) -> Rows[WorkloadTraffic]:
        """What each task and load asks of the memory."""
        return self._rows(WorkloadTraffic, _abi.hwest_workload_traffic, "traffic")

    @cached_property
    def slowdowns(self) -> Rows[WorkloadSlowdown]:
        """Who slows whom."""
        return self._rows(WorkloadSlowdown, _abi.hwest_workload_slowdown, "slowdown")

    @cached_property
    def segments(self) -> Rows[WorkloadSegment]:
        """What runs when in the first hyperperiod."""
        return self._rows(WorkloadSegment, _abi.hwest_workload_segment, "segment")

    @cached_property
    def fixes(self) -> Rows[WorkloadFix]:
        """What would make missed tasks hold."""
        return self._rows(WorkloadFix, _abi.hwest_workload_fix, "fix")

    @cached_property
    def diagnostics(self) -> Rows[Diagnostic]:
        """What was assumed, and what is not known."""
        return self._rows(Diagnostic, _abi.hwest_diagnostic, "diagnostic")

    def report(self, format: WorkloadFormat = "text") -> str:
        """As text, json, csv, markdown or html; as svg or perfetto the timeline of the first hyperperiod."""
        return self._saved(format) or text_report("hwest_workload_report", self._open(), format)

    def _repr_html_(self) -> str:
        return self.tasks._repr_html_()


def workload(file: PathLike, target: Optional[PathLike] = None, *, mode: Optional[str] = None,
             progress: Optional[Progress] = None, cancel: Optional[Cancel] = None) -> Workload:
    """Places the tasks of a workload file together, simulates them and bounds their responses. Raises Error; Cancelled
    when `progress` returns False or `cancel` asks for it.

    file: as `onnx-hwest workload` reads it. target, mode: in place of the file's.
    """
    callbacks, pointer = Callbacks(progress, cancel=cancel), ctypes.c_void_p()
    callbacks.check(library().hwest_workload_run_with(path("file", file), path_or_none("target", target),
                                                      text("mode", mode), ctypes.byref(callbacks.watch()),
                                                      ctypes.byref(pointer)))
    return Workload(pointer.value)
