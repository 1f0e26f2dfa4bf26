"""Comparisons: two models, or one beside its limits."""

from __future__ import annotations

import ctypes
import json
import os
from functools import cached_property
from typing import TYPE_CHECKING, Any, Optional, Union

from . import _abi
from ._analysis import Analysis
from ._arguments import PathLike, choose, path, structure, text
from ._callbacks import Callbacks, Cancel, Progress
from ._handles import Handle, Owner
from ._library import check as raise_unless_ok
from ._library import library
from ._reports import report
from ._row_types import CheckLine, CheckTotal, DiffInfo, DiffModule, DiffNode, DiffTotal
from ._rows import Rows, read_rows, read_struct
from ._target import Target

if TYPE_CHECKING:
    from ._model import Model

_JUDGES = {"point": _abi.HWEST_JUDGE_POINT, "upper": _abi.HWEST_JUDGE_UPPER, "interval": _abi.HWEST_JUDGE_INTERVAL}


class Diff(Owner):
    """What differs between two models, and what each difference is worth; made by diff()."""

    def __init__(self, pointer: Any) -> None:
        super().__init__(Handle(pointer, library().hwest_diff_free))

    def __repr__(self) -> str:
        if not self._handle:
            return "<onnx_hwest.Diff closed>"
        return f"<onnx_hwest.Diff of {self.info.model_a} and {self.info.model_b}: {'same' if self.same else 'different'}>"

    def _rows(self, row_type: Any, struct: Any, table: str) -> Rows[Any]:
        return read_rows(row_type, struct, f"hwest_diff_{table}", self._open().pointer)

    @cached_property
    def info(self) -> DiffInfo:
        """The two sides, and whether they are the same."""
        return read_struct(DiffInfo, _abi.hwest_diff_info, "hwest_diff_describe", self._open().pointer)

    @property
    def same(self) -> bool:
        """Whether nothing differs."""
        return self.info.same

    @cached_property
    def totals(self) -> Rows[DiffTotal]:
        """Figures of the summaries, changed or not."""
        return self._rows(DiffTotal, _abi.hwest_diff_total, "total")

    @cached_property
    def modules(self) -> Rows[DiffModule]:
        """Modules whose time differs."""
        return self._rows(DiffModule, _abi.hwest_diff_module, "module")

    @cached_property
    def nodes(self) -> Rows[DiffNode]:
        """Nodes that differ."""
        return self._rows(DiffNode, _abi.hwest_diff_node, "node")

    def judge(self, limits: str) -> None:
        """Raises Error, its code "check_failed", when the second side exceeds the first by more than `limits` let it:
        "latency:+5%,memory:+2%". Code "incomplete": a side does not know the figure."""
        raise_unless_ok(library().hwest_diff_judge(self._open().pointer, text("limits", limits)))

    def report(self, format: str = "text", *, top: Optional[int] = None) -> Union[str, bytes]:
        """As text, json, csv (the nodes), markdown or, of two analyses, html: both reports side by side; top: nodes that are
        listed, 0 for all."""
        return report("hwest_diff_report", self._open(), format, top=top)

    def _repr_html_(self) -> str:
        return self.nodes._repr_html_()


class Check(Owner):
    """Models beside their limits; made by check(). Its truth is whether every limit is ok."""

    def __init__(self, pointer: Any) -> None:
        super().__init__(Handle(pointer, library().hwest_check_free))

    def __bool__(self) -> bool:
        return self.totals.verdict == "ok"

    def __repr__(self) -> str:
        return f"<onnx_hwest.Check {self.totals.verdict}>" if self._handle else "<onnx_hwest.Check closed>"

    @cached_property
    def totals(self) -> CheckTotal:
        """The verdict and how many limits have which."""
        return read_struct(CheckTotal, _abi.hwest_check_total, "hwest_check_totals", self._open().pointer)

    @cached_property
    def lines(self) -> Rows[CheckLine]:
        """Limits and what became of them."""
        return read_rows(CheckLine, _abi.hwest_check_line, "hwest_check_line", self._open().pointer)

    def report(self, format: str = "text") -> Union[str, bytes]:
        """As text, json, csv, markdown, junit, sarif, codequality, openmetrics, benchmark or bencher."""
        return report("hwest_check_report", self._open(), format)

    def _repr_html_(self) -> str:
        return self.lines._repr_html_()


Side = Union[PathLike, Analysis, "Model"]


def _saved(side: Side) -> Optional[str]:
    """The path of a saved report; None when `side` is anything else."""
    if not isinstance(side, (str, os.PathLike)):
        return None
    name = os.fspath(side)
    try:
        with open(name, "rb") as file:
            return name if file.read(64).lstrip()[:1] == b"{" else None
    except OSError:
        return None  # the loader says what is wrong


def _analysed(side: Side, target: Union[PathLike, Target, None], options: Any) -> Analysis:
    from ._model import Model, load

    if isinstance(side, Analysis):
        return side
    model = side if isinstance(side, Model) else load(side)
    return model.analyze(target, **options)


def _place_of(side: Side) -> Any:
    """Target and mode that a side was analysed for, as a saved report or an analysis says."""
    if isinstance(side, Analysis):
        return side.totals.target, side.totals.mode
    name = _saved(side)
    if name is None:
        return None, None
    with open(name, encoding="utf-8") as file:
        try:
            request = json.load(file).get("request", {})
        except ValueError:
            return None, None  # the library says what is wrong
    return request.get("target"), request.get("mode")


def diff(a: Side, b: Side, target: Union[PathLike, Target, None] = None, **options: Any) -> Diff:
    """What differs between two models. Raises Error.

    a, b: each a Model or the path of one, an Analysis, or the path of a report that was saved as JSON, which knows
        nothing of attributes and types.
    target: of models; None = that of the other side. options: of Model.analyze(), for models.
    """
    if target is None and options.get("mode") is None:
        for side in (a, b):
            stated, mode = _place_of(side)
            if target is None and stated is not None:
                target, options = stated, {**options, "mode": mode}
    saved = [_saved(side) for side in (a, b)]
    analyses = [None if name else _analysed(side, target, options) for name, side in zip(saved, (a, b))]
    return _compare(analyses[0], saved[0], analyses[1], saved[1])


def _compare(a: Optional[Analysis], saved_a: Optional[str], b: Optional[Analysis], saved_b: Optional[str]) -> Diff:
    handles = [analysis._open() if analysis else None for analysis in (a, b)]
    pointer = ctypes.c_void_p()
    raise_unless_ok(library().hwest_diff_create(
        handles[0].pointer if handles[0] else None, path("a", saved_a) if saved_a else None,
        handles[1].pointer if handles[1] else None, path("b", saved_b) if saved_b else None, ctypes.byref(pointer)))
    return Diff(pointer.value)


def diff_against(model: Model, target: Union[PathLike, Target], against: Union[PathLike, Target, None],
                 against_mode: Optional[str], against_precision: Optional[str], options: Any) -> Diff:
    """One model twice: as `options` say, and with the other target, mode or precision."""
    other = dict(options)
    if against is not None:
        other["mode"] = None  # modes are each target's own
    if against_mode is not None:
        other["mode"] = against_mode
    if against_precision is not None:
        other["precision"] = against_precision
    first = model.analyze(target, **options)
    second = model.analyze(target if against is None else against, **other)
    return _compare(first, None, second, None)


def check(source: Optional[Side] = None, target: Union[PathLike, Target, None] = None, *,
          budget: Optional[PathLike] = None, max_latency: Optional[str] = None, min_rate: Optional[str] = None,
          max_energy: Optional[str] = None, max_power: Optional[str] = None, max_memory: Optional[str] = None,
          max_fallback: Optional[str] = None, judge: str = "point", progress: Optional[Progress] = None,
          cancel: Optional[Cancel] = None, **options: Any) -> Check:
    """Holds a model against limits, or every model of a budget file against its own. Raises Error; Cancelled.

    source: a Model or the path of one, or an Analysis; None = the models of `budget`, a file as `onnx-hwest check` reads
        it, by default hwest.budget.
    max_latency, min_rate, max_energy, max_power, max_memory, max_fallback: "12 ms", "30 FPS", "200 mJ", "15 W", "64 MB",
        "5%". judge: "point" (the estimate), "upper" (the worse end of its interval) or "interval" (both ends).
    progress: called with (what, index, 0) before each step; False ends with Cancelled. cancel: as of analyze().
    options: of Model.analyze(), for a model.
    """
    limits = {"max_latency": max_latency, "min_rate": min_rate, "max_energy": max_energy, "max_power": max_power,
              "max_memory": max_memory, "max_fallback": max_fallback}
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
    wanted = structure(_abi.hwest_limits, judge=choose("judge", judge, _JUDGES),
                       **{name: text(name, value) for name, value in limits.items()})
    analysis = _analysed(source, target, options)
    callbacks.check(library().hwest_check_analysis(analysis._open().pointer, ctypes.byref(wanted), callbacks.progress,
                                                   None, callbacks.cancel, ctypes.byref(pointer)))
    return Check(pointer.value)
