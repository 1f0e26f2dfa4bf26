"""Writes an equivalent model that runs better: the whole file, or none."""

from __future__ import annotations

import ctypes
import json
import os
import tempfile
from typing import Any, Dict, List, Optional, Union

from . import _abi
from ._arguments import PathLike, path
from ._callbacks import Callbacks
from ._handles import Handle
from ._library import library


def _run(model: Any, options: Any, how: Any, callbacks: Callbacks, write: Any) -> Handle:
    """Calls the library; returns the report as a buffer. Raises again what `write` raises."""
    problems: List[BaseException] = []

    def take(_: Any, data: int, size: int) -> int:
        try:
            write(ctypes.string_at(data, size))
            return 0
        except BaseException as problem:  # raised again below
            problems.append(problem)
            return 1

    pointer = ctypes.c_void_p()
    sink = _abi.hwest_sink(take)
    status = library().hwest_rewrite(model, ctypes.byref(options), ctypes.byref(how), sink, None, ctypes.byref(pointer))
    if problems:
        raise problems[0]
    callbacks.check(status)
    return Handle(pointer.value, library().hwest_buffer_free)


def rewrite(model: Any, options: Any, how: Any, callbacks: Callbacks,
            output: Optional[PathLike]) -> Union[bytes, Dict[str, Any]]:
    """The bytes of the model, or the report once the file `output` is complete."""
    if output is None:
        parts: List[bytes] = []
        _run(model, options, how, callbacks, parts.append)
        return b"".join(parts)
    path("output", output)
    final = os.fspath(output)
    unfinished = f"{final}.{os.getpid()}.tmp"
    try:
        with open(unfinished, "xb") as file:
            buffer = _run(model, options, how, callbacks, file.write)
        os.replace(unfinished, final)
    except BaseException:
        if os.path.exists(unfinished):
            os.unlink(unfinished)
        raise
    content = ctypes.string_at(library().hwest_buffer_data(buffer.pointer), library().hwest_buffer_size(buffer.pointer))
    report: Dict[str, Any] = json.loads(content)
    report["output"]["path"] = final if isinstance(final, str) else os.fsdecode(final)
    return report


def verified(source: Union[bytes, str], report: Dict[str, Any], runs: int) -> Dict[str, Any]:
    """What ONNX Runtime makes of the model, a path or bytes, and of the file that `report` is of."""
    from .verify import CLASSES, verify

    names = {rule["exactness"] for rule in report["rules"]} or {"exact"}
    by_class = max(names, key=CLASSES.index)
    if isinstance(source, str):
        return verify(source, report["output"]["path"], runs=runs, by_class=by_class)
    with tempfile.TemporaryDirectory() as folder:
        first = os.path.join(folder, "model.onnx")
        with open(first, "wb") as file:
            file.write(source)
        return verify(first, report["output"]["path"], runs=runs, by_class=by_class)
