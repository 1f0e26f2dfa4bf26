"""Compares two models that are loaded, analysed, or saved as reports."""

from __future__ import annotations

import ctypes
import json
import os
from typing import Any, Optional, Union

from ._analysis import Analysis
from ._arguments import PathLike, path, path_or_none, text
from ._callbacks import Callbacks
from ._formats import DiffFormat
from ._handles import Handle
from ._library import check, library
from ._options import Analyzable, options_of
from ._reports import Result, text_report
from ._tables import DiffTables
from ._target import Target

Side = Union[PathLike, Analysis, Analyzable]  # a path is that of a saved report


class Diff(DiffTables, Result):
    """The differences between two models, and the time each accounts for; made by diff()."""

    def __init__(self, pointer: Any) -> None:
        super().__init__(Handle(pointer, library().hwest_diff_free))

    def __repr__(self) -> str:
        if self._closed():
            return "<onnx_hwest.Diff closed>"
        found = "same" if self.same else "different"
        return f"<onnx_hwest.Diff of {self.info.model_a} and {self.info.model_b}: {found}>"

    @property
    def same(self) -> bool:
        """Whether the sides are equal."""
        return self.info.same

    def judge(self, limits: str) -> None:
        """Raises Error with code "check_failed" when the second side exceeds the first by more than `limits` allow:
        "latency:+5%,memory:+2%". Code "incomplete": a side lacks the figure."""
        check(library().hwest_diff_judge(self._open().pointer, text("limits", limits)))

    def report(self, format: DiffFormat = "text", *, top: Optional[int] = None) -> str:
        """As text, json, csv (the nodes), markdown or, for two analyses, html: both reports side by side; top: nodes
        listed, 0 for all."""
        return self._saved(format) or text_report("hwest_diff_report", self._open(), format, top=top)

    def _repr_html_(self) -> str:
        return self.nodes._repr_html_()


def saved_report(side: Side) -> Optional[str]:
    """The path of a saved report; None if `side` is anything else."""
    if not isinstance(side, (str, os.PathLike)):
        return None
    name = os.fspath(side)
    try:
        with open(name, "rb") as file:
            return name if file.read(64).lstrip()[:1] == b"{" else None
    except OSError:
        return None  # who loads it says what is wrong


def analysed(side: Side, target: Union[PathLike, Target, None], options: Any) -> Analysis:
    if isinstance(side, Analysis):
        return side
    if isinstance(side, Analyzable):
        return side.analyze(target, **options)
    raise TypeError(f"{side!r} is no model: use one, its path, an Analysis or a saved report")


def _place_of(side: Side) -> Any:
    """The target and mode for which a saved report or an analysis was made."""
    if isinstance(side, Analysis):
        return side.totals.target, side.totals.mode
    name = saved_report(side)
    if name is None:
        return None, None
    with open(name, encoding="utf-8") as file:
        try:
            request = json.load(file).get("request", {})
        except ValueError:
            return None, None  # the library says what is wrong
    return request.get("target"), request.get("mode")


def diff_of(a: Side, b: Side, target: Union[PathLike, Target, None], options: Any) -> Diff:
    """Like onnx_hwest.diff(), for sides that are not paths of models."""
    if target is None and options.get("mode") is None:
        for side in (a, b):
            stated, mode = _place_of(side)
            if target is None and stated is not None:
                target, options = stated, {**options, "mode": mode}
    saved = [saved_report(side) for side in (a, b)]
    analyses = [None if name else analysed(side, target, options) for name, side in zip(saved, (a, b))]
    return _compare(analyses[0], saved[0], analyses[1], saved[1])


def _compare(a: Optional[Analysis], saved_a: Optional[str], b: Optional[Analysis], saved_b: Optional[str]) -> Diff:
    handles = [analysis._open() if analysis else None for analysis in (a, b)]
    pointer = ctypes.c_void_p()
    check(library().hwest_diff_create(
        handles[0].pointer if handles[0] else None, path("a", saved_a) if saved_a else None,
        handles[1].pointer if handles[1] else None, path("b", saved_b) if saved_b else None, ctypes.byref(pointer)))
    return Diff(pointer.value)


def diff_against(model: Any, target: Union[PathLike, Target], against: Union[PathLike, Target, None],
                 mode: Optional[str], precision: Optional[str], options: Any) -> Diff:
    """Compares a model, by its handle, as `options` say with itself on another target, mode or precision."""
    callbacks = Callbacks(*(options.pop(name, None) for name in ("progress", "log", "cancel")))
    first, second = (place._open() if isinstance(place, Target) else None for place in (target, against))
    named = None if isinstance(against, Target) else path_or_none("against", against)
    pointer = ctypes.c_void_p()
    callbacks.check(library().hwest_diff_against(
        model, ctypes.byref(options_of(first, target, callbacks, **options)), named, second.pointer if second else None,
        text("against_mode", mode), text("against_precision", precision), ctypes.byref(pointer)))
    return Diff(pointer.value)
