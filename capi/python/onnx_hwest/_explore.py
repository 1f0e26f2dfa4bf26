"""Exploration of one's own chip."""

from __future__ import annotations

import ctypes
import os
from typing import Any, Dict, Iterable, Mapping, Optional, Union, get_args

from ._arguments import PathLike, path
from ._callbacks import Callbacks, Cancel, Progress
from ._formats import Binary, ExploreFormat
from ._handles import Handle
from ._library import library
from ._options import options_of
from ._structs import explore_options, report_options
from ._target import Target


def texts_of(values: Mapping[str, Any]) -> Dict[str, str]:
    """Values of a target's figures as texts: {"sram.size": "1MB,2MB"}."""
    return {name: str(some) if isinstance(some, (str, int, float)) else ",".join(map(str, some))
            for name, some in values.items()}


def _content(pointer: ctypes.c_void_p) -> bytes:
    buffer = Handle(pointer.value, library().hwest_buffer_free)
    return ctypes.string_at(library().hwest_buffer_data(buffer.pointer), library().hwest_buffer_size(buffer.pointer))


def explore(target: Union[PathLike, Target], models: Union[PathLike, Iterable[PathLike]], vary: Mapping[str, Any],
            format: Union[ExploreFormat, Binary] = "json", *, objective: Optional[str] = None,
            constraint: Optional[str] = None, search: Optional[str] = None, budget: Optional[int] = None,
            process_nm: Optional[float] = None, best: Optional[PathLike] = None, progress: Optional[Progress] = None,
            cancel: Optional[Cancel] = None, **options: Any) -> Union[str, bytes]:
    """Which values of a target's figures make models fast, frugal or small: the Pareto set, sensitivities and the
    layers that change, as a report. Raises Error; Cancelled when `cancel` asks for it.

    vary: {"npu.rows": "16:64:x2", "sram.size": ["1MB", "2MB"]}, by the paths in the column `set` of `targets show`.
    objective: what the best point has least of: "latency", "energy" or "edp". constraint: "area<4mm2,power<2W".
    search: "grid" or "anneal", which asks for `budget` points. process_nm: of the chip; areas, and energies that the
    file does not state, are estimated for it. best: a file for the target with the best point; raises ValueError
    where no point keeps the constraint. options: of every model, as for Model.analyze().
    """
    files = [models] if isinstance(models, (str, bytes)) or hasattr(models, "__fspath__") else list(models)
    callbacks, report, text = Callbacks(progress, cancel=cancel), ctypes.c_void_p(), ctypes.c_void_p()
    form = report_options(format=format)
    loaded = target._open() if isinstance(target, Target) else None
    asked = explore_options(models=[path("models", file).decode("utf-8", "surrogateescape") for file in files],
                            vary=texts_of(vary), objective=objective,
                            constraint=constraint, search=search, budget=budget, process_nm=process_nm,
                            output=best)
    shared = options_of(loaded, target, callbacks, **options)
    callbacks.check(library().hwest_explore(ctypes.byref(asked), ctypes.byref(shared), ctypes.byref(form),
                                            ctypes.byref(report), ctypes.byref(text) if best is not None else None))
    content = _content(report)
    if best is not None:
        if text.value is None:
            raise ValueError(f"no point keeps {constraint}: allow more, or vary other figures")
        with open(os.fspath(best), "wb") as file:
            file.write(_content(text))
    return content if format in get_args(Binary) else content.decode("utf-8", "replace")
