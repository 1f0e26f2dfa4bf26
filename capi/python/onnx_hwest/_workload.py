"""Several models on one chip."""

from __future__ import annotations

import ctypes
from typing import Any, Optional

from ._arguments import PathLike, path, path_or_none, text
from ._callbacks import Callbacks, Cancel, Progress
from ._formats import WorkloadFormat
from ._handles import Handle
from ._library import library
from ._reports import Result, text_report
from ._tables import WorkloadTables


class Workload(WorkloadTables, Result):
    """The results of several models on one chip; made by workload()."""

    def __init__(self, pointer: Any) -> None:
        super().__init__(Handle(pointer, library().hwest_workload_free))

    def report(self, format: WorkloadFormat = "text") -> str:
        """As text, json, csv, markdown or html; as svg or perfetto the timeline of the first hyperperiod."""
        return self._saved(format) or text_report("hwest_workload_report", self._open(), format)

    def _repr_html_(self) -> str:
        return self.tasks._repr_html_()


def workload(file: PathLike, target: Optional[PathLike] = None, *, mode: Optional[str] = None,
             progress: Optional[Progress] = None, cancel: Optional[Cancel] = None) -> Workload:
    """Places the tasks of a workload file together, simulates them and bounds their responses. Raises Error; Cancelled
    when `progress` returns False or `cancel` asks for it.

    file: as `onnx-hwest workload` reads it. target, mode: override the file's.
    """
    callbacks, pointer = Callbacks(progress, cancel=cancel), ctypes.c_void_p()
    callbacks.check(library().hwest_workload_run_with(path("file", file), path_or_none("target", target),
                                                      text("mode", mode), ctypes.byref(callbacks.watch()),
                                                      ctypes.byref(pointer)))
    return Workload(pointer.value)
