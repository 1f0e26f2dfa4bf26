"""Compares two models, or checks models against limits."""

from __future__ import annotations

import ctypes
from typing import Any, Optional, Union

from ._arguments import PathLike, path
from ._callbacks import Callbacks, Cancel, Progress
from ._diff import Diff, Side, analysed, diff_of
from ._formats import CheckFormat
from ._handles import Handle
from ._library import library
from ._model import opened
from ._reports import Result, text_report
from ._structs import limits as limits_of
from ._tables import CheckTables
from ._target import Target


class Check(CheckTables, Result):
    """Models checked against limits; made by check(). True when every limit is ok."""

    def __init__(self, pointer: Any) -> None:
        super().__init__(Handle(pointer, library().hwest_check_free))

    def __bool__(self) -> bool:
        return self.totals.verdict == "ok"

    def __repr__(self) -> str:
        return "<onnx_hwest.Check closed>" if self._closed() else f"<onnx_hwest.Check {self.totals.verdict}>"

    def report(self, format: CheckFormat = "text") -> str:
        """As text, json, csv, markdown, junit, sarif, codequality, openmetrics, benchmark or bencher."""
        return self._saved(format) or text_report("hwest_check_report", self._open(), format)

    def _repr_html_(self) -> str:
        return self.lines._repr_html_()


def diff(a: Side, b: Side, target: Union[PathLike, Target, None] = None, **options: Any) -> Diff:
    """What differs between two models. Raises Error.

    a, b: each a Model or the path of one, an Analysis, or the path of a report saved as JSON, which has no attributes
        and types.
    target: for models; None = the other side's. options: as for Model.analyze(), for models.
    """
    return diff_of(opened(a), opened(b), target, options)


def check(source: Optional[Side] = None, target: Union[PathLike, Target, None] = None, *,
          budget: Optional[PathLike] = None, max_latency: Optional[str] = None, min_rate: Optional[str] = None,
          max_energy: Optional[str] = None, max_power: Optional[str] = None, max_memory: Optional[str] = None,
          max_fallback: Optional[str] = None, max_ttft: Optional[str] = None, min_tokens_per_s: Optional[str] = None,
          fits: bool = False, judge: str = "point", progress: Optional[Progress] = None,
          cancel: Optional[Cancel] = None, **options: Any) -> Check:
    """Checks a model against limits, or every model of a budget file against its own. Raises Error; Cancelled.

    source: a Model or the path of one, or an Analysis; None = the models of `budget`, a file as `onnx-hwest check`
        reads it, by default hwest.budget.
    max_latency, min_rate, max_energy, max_power, max_memory, max_fallback: "12 ms", "30 FPS", "200 mJ", "15 W", "64
        MB", "5%". fits: the memories of the target hold the model.
    max_ttft, min_tokens_per_s: "500 ms", "10 FPS": of a language model on the target's runtime.
    judge: "point" (the estimate), "upper" (the worse end of its interval) or "interval" (both ends).
    progress: called with (what, index, 0) before each step; False ends with Cancelled. cancel: as for analyze().
    options: as for Model.analyze(), for a model.
    """
    limits = {"max_latency": max_latency, "min_rate": min_rate, "max_energy": max_energy, "max_power": max_power,
              "max_memory": max_memory, "max_fallback": max_fallback, "max_ttft": max_ttft,
              "min_tokens_per_s": min_tokens_per_s, "fits": fits or None}
    callbacks, pointer = Callbacks(progress, cancel=cancel), ctypes.c_void_p()
    if source is None:
        given = [name for name, value in {**limits, "target": target, **options}.items() if value is not None]
        if given:
            raise TypeError(f"{given[0]} stands in the budget file: name a model, or leave it out")
        callbacks.check(library().hwest_check_run(path("budget", "hwest.budget" if budget is None else budget),
                                                  callbacks.progress, None, callbacks.cancel, ctypes.byref(pointer)))
        return Check(pointer.value)
    if budget is not None:
        raise TypeError("budget names its models: leave out source, or budget")
    wanted = limits_of(judge=judge, **{**limits, "fits": fits})
    analysis = analysed(opened(source), target, options)
    callbacks.check(library().hwest_check_analysis(analysis._open().pointer, ctypes.byref(wanted), callbacks.progress,
                                                   None, callbacks.cancel, ctypes.byref(pointer)))
    return Check(pointer.value)
