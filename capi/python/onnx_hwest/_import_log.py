"""Lays a compiler's own log over an analysis."""

from __future__ import annotations

import ctypes
import os
import pathlib
from typing import Any, Optional

from ._analysis import Analysis
from ._arguments import PathLike, text
from ._formats import TableFormat
from ._handles import Handle
from ._library import check, library
from ._reports import Result, text_report
from ._tables import ImportLogTables


class ImportLog(ImportLogTables, Result):
    """A compiler's log beside an analysis; made by import_log()."""

    def __init__(self, pointer: Any) -> None:
        super().__init__(Handle(pointer, library().hwest_import_log_free))

    def report(self, format: TableFormat = "text", *, top: Optional[int] = None) -> str:
        """As text, json, csv or markdown (the nodes); top: disagreements listed, 0 for all."""
        return self._saved(format) or text_report("hwest_import_log_report", self._open(), format, top=top)


def import_log(log: PathLike, analysis: Analysis, *, format: str = "auto") -> ImportLog:
    """Lays the file of a compiler's own log over an analysis with a target. Raises Error.

    format: "rknn", "qnn", "ort", "tensorrt", "tidl", "hailo" or "openvino"; "auto" = by what the log holds.
    """
    name, pointer = os.fspath(log), ctypes.c_void_p()
    content = pathlib.Path(name).read_bytes()
    check(library().hwest_import_log_create(analysis._open().pointer, content, len(content), text("log", name),
                                            text("format", format), ctypes.byref(pointer)))
    return ImportLog(pointer.value)
