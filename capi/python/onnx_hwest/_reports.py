"""Reports of every kind of handle."""

from __future__ import annotations

import ctypes
from functools import cached_property
from typing import Any, Dict, Literal, Mapping, Optional, Sequence, Tuple, Type, TypeVar, Union, cast

from . import _abi
from ._arguments import choose, count, integer, structure, text, words
from ._handles import Handle, Owner
from ._library import check, library

KINDS = {
    "analysis": _abi.HWEST_REPORT_ANALYSIS,
    "shapes": _abi.HWEST_REPORT_SHAPES,
    "support": _abi.HWEST_REPORT_SUPPORT,
    "explain": _abi.HWEST_REPORT_EXPLAIN,
    "graph": _abi.HWEST_REPORT_GRAPH,
}
FORMATS = {
    "text": _abi.HWEST_FORMAT_TEXT,
    "json": _abi.HWEST_FORMAT_JSON,
    "csv": _abi.HWEST_FORMAT_CSV,
    "markdown": _abi.HWEST_FORMAT_MARKDOWN,
    "dot": _abi.HWEST_FORMAT_DOT,
    "svg": _abi.HWEST_FORMAT_SVG,
    "png": _abi.HWEST_FORMAT_PNG,
    "pdf": _abi.HWEST_FORMAT_PDF,
    "perfetto": _abi.HWEST_FORMAT_PERFETTO,
    "netron": _abi.HWEST_FORMAT_NETRON,
    "model-explorer": _abi.HWEST_FORMAT_MODEL_EXPLORER,
    "speedscope": _abi.HWEST_FORMAT_SPEEDSCOPE,
    "html": _abi.HWEST_FORMAT_HTML,
    "jsonl": _abi.HWEST_FORMAT_JSONL,
    "junit": _abi.HWEST_FORMAT_JUNIT,
    "sarif": _abi.HWEST_FORMAT_SARIF,
    "codequality": _abi.HWEST_FORMAT_CODEQUALITY,
    "openmetrics": _abi.HWEST_FORMAT_OPENMETRICS,
    "benchmark": _abi.HWEST_FORMAT_BENCHMARK,
    "bencher": _abi.HWEST_FORMAT_BENCHER,
    "onnxtext": _abi.HWEST_FORMAT_ONNXTEXT,
}
COLORS = {
    None: _abi.HWEST_COLOR_BY_DEFAULT,
    "unit": _abi.HWEST_COLOR_BY_UNIT,
    "bound": _abi.HWEST_COLOR_BY_BOUND,
    "time": _abi.HWEST_COLOR_BY_TIME,
    "energy": _abi.HWEST_COLOR_BY_ENERGY,
    "intensity": _abi.HWEST_COLOR_BY_INTENSITY,
    "precision": _abi.HWEST_COLOR_BY_PRECISION,
    "measured": _abi.HWEST_COLOR_BY_MEASURED,
}
COLLAPSES = {
    "auto": _abi.HWEST_COLLAPSE_AUTO,
    "module": _abi.HWEST_COLLAPSE_MODULE,
    "segment": _abi.HWEST_COLLAPSE_SEGMENT,
    "none": _abi.HWEST_COLLAPSE_NONE,
}
CHARTS = {
    None: _abi.HWEST_CHART_NONE,
    "timeline": _abi.HWEST_CHART_TIMELINE,
    "memory": _abi.HWEST_CHART_MEMORY,
    "roofline": _abi.HWEST_CHART_ROOFLINE,
    "modules": _abi.HWEST_CHART_MODULES,
    "bounds": _abi.HWEST_CHART_BOUNDS,
}
_BINARY = ("png", "pdf")

# What report() of each kind of result takes; those of an analysis and its graph also take Binary, for bytes.
Binary = Literal["png", "pdf"]
TableFormat = Literal["text", "json", "csv", "markdown"]
AnalysisFormat = Literal["text", "json", "csv", "markdown", "dot", "svg", "html", "perfetto", "netron", "model-explorer",
                         "speedscope"]
GraphFormat = Literal["text", "json", "csv", "markdown", "dot", "svg", "onnxtext"]
ValidationFormat = Literal["text", "json", "csv", "markdown", "svg"]
WorkloadFormat = Literal["text", "json", "csv", "markdown", "svg", "html", "perfetto"]
DiffFormat = Literal["text", "json", "csv", "markdown", "html"]
CheckFormat = Literal["text", "json", "csv", "markdown", "junit", "sarif", "codequality", "openmetrics", "benchmark",
                      "bencher"]
LEVELS = {
    None: _abi.HWEST_LEVEL_DEFAULT,
    "node": _abi.HWEST_LEVEL_NODE,
    "group": _abi.HWEST_LEVEL_GROUP,
    "segment": _abi.HWEST_LEVEL_SEGMENT,
    "module": _abi.HWEST_LEVEL_MODULE,
    "unit": _abi.HWEST_LEVEL_UNIT,
}


def selected(*, start: Optional[int], end: Optional[int], around: Union[None, str, int], context: Optional[int],
             max_nodes: Optional[int], ops: Sequence[str], units: Sequence[str], bounds: Sequence[str],
             module: Optional[str], grep: Optional[str], columns: Sequence[str]) -> Dict[str, Any]:
    """Members of hwest_report_options that choose what a report of the graph shows."""
    if around is not None and not isinstance(around, str):
        around = f"#{integer('around', around, 0)}"
    return {
        "start": 0 if start is None else integer("start", start, 0),
        "end": _zero_meant("end", end),
        "max_nodes": count("max_nodes", max_nodes),
        "context": _zero_meant("context", context),
        "around": text("around", around),
        "module": text("module", module),
        "grep": text("grep", grep),
        "ops": words("ops", ops),
        "units": words("units", units),
        "bounds": words("bounds", bounds),
        "columns": words("columns", columns),
    }


def _zero_meant(what: str, number: Optional[int]) -> int:
    if number is None:
        return 0
    return integer(what, number, 0) or _abi.HWEST_ZERO


def report(function: str, handle: Handle, format: str = "text", *, kind: str = "analysis",
           level: Optional[str] = None, top: Optional[int] = None, node: Optional[str] = None,
           what_if: Optional[Handle] = None, explanation: Optional[Handle] = None,
           color: bool = False, color_by: Optional[str] = None, collapse: str = "auto", unfold: bool = False,
           chart: Optional[str] = None, selection: Optional[Mapping[str, Any]] = None) -> Union[str, bytes]:
    """What FUNCTION_buffer() writes: str, or bytes for png and pdf. selection: members that choose nodes."""
    options = structure(
        _abi.hwest_report_options,
        kind=choose("kind", kind, KINDS),
        format=choose("format", format, FORMATS),
        level=choose("level", level, LEVELS),
        top=_abi.HWEST_TOP_ALL if top == 0 and top is not False else count("top", top),
        node=text("node", node),
        what_if=what_if.pointer if what_if else None,
        explanation=explanation.pointer if explanation else None,
        color=int(color),
        color_by=choose("color_by", color_by, COLORS),
        collapse=choose("collapse", collapse, COLLAPSES),
        unfold=int(unfold),
        chart=choose("chart", chart, CHARTS),
        **(selection or {}),
    )
    pointer = ctypes.c_void_p()
    write: Any = getattr(library(), function + "_buffer")
    check(write(handle.pointer, ctypes.byref(options), ctypes.byref(pointer)))
    buffer = Handle(pointer.value, library().hwest_buffer_free)
    size = library().hwest_buffer_size(buffer.pointer)
    content = ctypes.string_at(library().hwest_buffer_data(buffer.pointer), size)
    return content if format in _BINARY else content.decode("utf-8", "replace")


def text_report(function: str, handle: Handle, format: str, **options: Any) -> str:
    """As report(), of what has no format of bytes."""
    return cast(str, report(function, handle, format, **options))


R = TypeVar("R", bound="Result")


class Result(Owner):
    """What a call found. It can be pickled: its tables and its report as json go along, reports in other formats and
    further questions do not."""

    _json: Optional[str] = None  # of one that was pickled

    def report(self, format: Any = "text") -> Union[str, bytes]:
        raise NotImplementedError

    def _saved(self, format: str) -> Optional[str]:
        return self._json if format == "json" else None

    def _closed(self) -> bool:
        return self._handle is None and self._json is None

    def _open(self) -> Handle:
        if self._json is not None:
            raise ValueError(f"the {type(self).__name__.lower()} was pickled: its tables and its report as json are here")
        return super()._open()

    def __copy__(self: R) -> R:
        return self  # nothing changes it

    def __deepcopy__(self: R, _: Any) -> R:
        return self

    def __reduce__(self) -> Tuple[Any, ...]:
        kept = {name: None if isinstance(value, Handle) else value for name, value in vars(self).items()}
        tables = {name: getattr(self, name) for kind in type(self).__mro__ for name, value in vars(kind).items()
                  if isinstance(value, cached_property)}
        return _restored, (type(self), {**kept, **tables, "_json": self.report("json")})


def _restored(kind: Type[R], attributes: Dict[str, Any]) -> R:
    result = kind.__new__(kind)
    vars(result).update(attributes)
    return result
