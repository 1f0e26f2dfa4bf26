"""Analyses: their tables, reports and further questions."""

from __future__ import annotations

import ctypes
import json
from typing import Any, Dict, Optional, Sequence, Union, cast, overload

from ._arguments import text
from ._callbacks import Callbacks, Cancel, Progress
from ._errors import Error
from ._formats import AnalysisFormat, Binary, GraphFormat, TableFormat
from ._handles import Handle
from ._library import library
from ._reports import Result, report, text_report
from ._row_types import Group
from ._rows import Rows, framed, html_table
from ._tables import AnalysisTables, ExplanationTables, RefusalsTables, WhatIfTables

_SHOWN = ("target", "mode", "precision", "batch", "latency_s", "interval_s", "energy_j", "peak_memory_bytes", "macs",
          "params", "incomplete")


class Analysis(AnalysisTables, Result):
    """The results for one model on one target; made by Model.analyze(). Outlives its model.

    Tables load on first access; without a target those about the plan are empty. An analysis can be pickled, with its
    tables, report("json") and to_dict().
    """

    def __init__(self, pointer: Any, name: Optional[str] = None) -> None:
        super().__init__(Handle(pointer, library().hwest_analysis_free))
        self._name = name or "model"

    def __repr__(self) -> str:
        return f"<onnx_hwest.Analysis {'closed' if self._closed() else f'{self._name}{self._summary()}'}>"

    def __str__(self) -> str:
        """The text report; of a pickled or closed one what repr() says."""
        return repr(self) if self._handle is None else self.report()

    def _summary(self) -> str:
        totals = self.totals
        if totals.target is None:
            return " without a target"
        least = "at least " if totals.incomplete else ""
        time = "latency unknown" if totals.latency_s is None else f"{least}{totals.latency_s * 1e3:.4g} ms"
        return f" on {totals.target}: {time}"

    @overload
    def report(self, format: Binary, *, kind: str = ..., level: Optional[str] = ..., top: Optional[int] = ...,
               node: Optional[str] = ..., color: bool = ..., color_by: Optional[str] = ..., collapse: str = ...,
               unfold: bool = ..., chart: Optional[str] = ...) -> bytes: ...

    @overload
    def report(self, format: Union[AnalysisFormat, GraphFormat] = ..., *, kind: str = ..., level: Optional[str] = ...,
               top: Optional[int] = ..., node: Optional[str] = ..., color: bool = ..., color_by: Optional[str] = ...,
               collapse: str = ..., unfold: bool = ..., chart: Optional[str] = ...) -> str: ...

    @overload
    def report(self, format: str, *, kind: str = ..., level: Optional[str] = ..., top: Optional[int] = ...,
               node: Optional[str] = ..., color: bool = ..., color_by: Optional[str] = ..., collapse: str = ...,
               unfold: bool = ..., chart: Optional[str] = ...) -> Union[str, bytes]: ...

    def report(self, format: str = "text", *, kind: str = "analysis", level: Optional[str] = None,
               top: Optional[int] = None, node: Optional[str] = None, color: bool = False,
               color_by: Optional[str] = None, collapse: str = "auto", unfold: bool = False,
               chart: Optional[str] = None) -> Union[str, bytes]:
        """A report as str, or bytes for png and pdf. Raises Error.

        format: "text", "json", "csv", "markdown", "dot", "svg", "png", "pdf" or "html"; of an analysis with a target
        also "perfetto", "netron" or "model-explorer". "html" tries the changes that may help, as
        what_if() does. kind: "analysis", "shapes", "support", "explain" (of `node`) or "graph". level: "node", "group",
        "segment", "module" or "unit". top: rows shown, 0 for all.

        Of pictures: color_by "unit", "bound", "time", "energy", "intensity", "precision" or, of an analysis with a
        measured profile, "measured"; collapse "auto", "module", "segment" or "none"; unfold draws every one of equal
        blocks in a row; chart "timeline", "memory", "roofline" or "modules" draws that instead of the graph.
        """
        saved = self._saved(format) if kind == "analysis" else None
        return saved or report("hwest_report", self._open(), format, kind=kind, level=level, top=top, node=node,
                               color=color, color_by=color_by, collapse=collapse, unfold=unfold, chart=chart)

    @overload
    def graph(self, format: Binary, *, start: Optional[int] = ..., end: Optional[int] = ...,
              around: Union[None, str, int] = ..., context: Optional[int] = ..., max_nodes: Optional[int] = ...,
              ops: Sequence[str] = ..., units: Sequence[str] = ..., bounds: Sequence[str] = ...,
              module: Optional[str] = ..., grep: Optional[str] = ..., columns: Sequence[str] = ...,
              color_by: Optional[str] = ..., collapse: str = ..., unfold: bool = ...) -> bytes: ...

    @overload
    def graph(self, format: GraphFormat = ..., *, start: Optional[int] = ..., end: Optional[int] = ...,
              around: Union[None, str, int] = ..., context: Optional[int] = ..., max_nodes: Optional[int] = ...,
              ops: Sequence[str] = ..., units: Sequence[str] = ..., bounds: Sequence[str] = ...,
              module: Optional[str] = ..., grep: Optional[str] = ..., columns: Sequence[str] = ...,
              color_by: Optional[str] = ..., collapse: str = ..., unfold: bool = ...) -> str: ...

    @overload
    def graph(self, format: str, *, start: Optional[int] = ..., end: Optional[int] = ...,
              around: Union[None, str, int] = ..., context: Optional[int] = ..., max_nodes: Optional[int] = ...,
              ops: Sequence[str] = ..., units: Sequence[str] = ..., bounds: Sequence[str] = ...,
              module: Optional[str] = ..., grep: Optional[str] = ..., columns: Sequence[str] = ...,
              color_by: Optional[str] = ..., collapse: str = ..., unfold: bool = ...) -> Union[str, bytes]: ...

    def graph(self, format: str = "text", *, start: Optional[int] = None, end: Optional[int] = None,
              around: Union[None, str, int] = None, context: Optional[int] = None, max_nodes: Optional[int] = None,
              ops: Sequence[str] = (), units: Sequence[str] = (), bounds: Sequence[str] = (),
              module: Optional[str] = None, grep: Optional[str] = None, columns: Sequence[str] = (),
              color_by: Optional[str] = None, collapse: str = "auto", unfold: bool = False) -> Union[str, bytes]:
        """Every node in order, or those that fit all conditions, as str, or bytes for png and pdf. Raises Error.

        format: as for report(), or "onnxtext", the nodes in the text form of ONNX. start, end: ids, both included.
        around: a node's name, the name of an output, an id or "gN"; `context` nodes on either side of it (5).
        max_nodes: only the first matches. ops, units, bounds: any of these; unit "none" selects nodes that no unit
        runs. module: nodes in it. grep: this text in a name, operator, value, module or source line. columns: keys of
        the table, for text, csv and markdown. The last three: as for report().
        """
        return report("hwest_report", self._open(), format, kind="graph", start=start, end=end, around=around,
                      context=context, max_nodes=max_nodes, ops=ops, units=units, bounds=bounds, module=module,
                      grep=grep, columns=columns, color_by=color_by, collapse=collapse, unfold=unfold)

    @property
    def plot(self) -> Plots:
        """Charts of this analysis; each call returns one as SVG, which notebooks display."""
        return Plots(self)

    def to_dict(self, kind: str = "analysis", *, node: Optional[str] = None) -> Dict[str, Any]:
        """The complete JSON report as Python objects."""
        document: Dict[str, Any] = json.loads(self.report("json", kind=kind, node=node))
        return document

    def to_pandas(self, table: str = "groups") -> Any:
        """A table of this analysis, such as "nodes" or "timeline", as a pandas.DataFrame."""
        rows = getattr(self, table, None)
        if not isinstance(rows, Rows):
            raise ValueError(f"table is {table!r}: use the name of a table, such as 'groups' or 'nodes'")
        return rows.to_pandas()

    def to_arrow(self, table: str = "groups") -> Any:
        """A table of this analysis, such as "nodes" or "timeline", as a pyarrow.Table."""
        rows = getattr(self, table, None)
        if not isinstance(rows, Rows):
            raise ValueError(f"table is {table!r}: use the name of a table, such as 'groups' or 'nodes'")
        return rows.to_arrow()

    def what_if(self, progress: Optional[Progress] = None, *, cancel: Optional[Cancel] = None) -> WhatIf:
        """Tries each change that may help, and sets of them. Raises Error without a target.

        progress: called with (change, index, 0) before each one; False ends with Cancelled. cancel: as for analyze().
        """
        callbacks, pointer = Callbacks(progress, cancel=cancel), ctypes.c_void_p()
        callbacks.check(library().hwest_what_if_create_with(self._open().pointer, ctypes.byref(callbacks.watch()),
                                                            ctypes.byref(pointer)))
        return WhatIf(pointer.value, self)

    def refusals(self, progress: Optional[Progress] = None, *, cancel: Optional[Cancel] = None) -> Refusals:
        """What accelerators refuse, by reason, with the shortest change that ends it. Raises Error without a target.

        progress: called with (change, index, 0) before each change is tried; False ends with Cancelled. cancel: as for
            analyze().
        """
        callbacks, pointer = Callbacks(progress, cancel=cancel), ctypes.c_void_p()
        callbacks.check(library().hwest_refusals_create(self._open().pointer, ctypes.byref(callbacks.watch()),
                                                        ctypes.byref(pointer)))
        return Refusals(pointer.value)

    def explain(self, node: str, *, progress: Optional[Progress] = None,
                cancel: Optional[Cancel] = None) -> Explanation:
        """Why `node` (its name, the name of an output, "#id", or "gN" for group N) runs where it does. Raises Error.

        progress: called with (unit, index, 0) before each unit is tried; False ends with Cancelled. cancel: as for
            analyze().
        """
        callbacks, pointer = Callbacks(progress, cancel=cancel), ctypes.c_void_p()
        callbacks.check(library().hwest_explain_with(self._open().pointer, text("node", node),
                                                     ctypes.byref(callbacks.watch()), ctypes.byref(pointer)))
        return Explanation(pointer.value, self)

    def _repr_html_(self) -> str:
        """The page of report("html"), which loads nothing and cannot reach the notebook, with tables below it; these
        alone after pickling, or where the library was built without the page."""
        totals = self.totals.to_dict()
        rows = [[name, totals[name]] for name in _SHOWN if totals[name] is not None]
        costliest = sorted(self.groups, key=lambda group: -(group.time_s or 0))[:10]
        tables = html_table(["total", "value"], rows) + (Rows.of(Group, costliest)._repr_html_() if costliest else "")
        try:
            page = str(self.report("html"))
        except (Error, ValueError):
            return tables
        return framed(page, repr(self)[1:-1].split(" ", 1)[1]) + f"<details><summary>tables</summary>{tables}</details>"


class Svg(str):
    """A picture as SVG text; notebooks display it."""

    def _repr_svg_(self) -> str:
        return str(self)


class Plots:
    """Charts of an analysis with a target; each is an Svg. They raise Error without a target."""

    def __init__(self, analysis: Analysis) -> None:
        self._analysis = analysis

    def _draw(self, chart: Optional[str], **options: Any) -> Svg:
        return Svg(self._analysis.report("svg", chart=chart, **options))

    def timeline(self) -> Svg:
        """When each unit is busy, and with what."""
        return self._draw("timeline")

    def memory(self) -> Svg:
        """Weights and activations over time, naming the largest at the peak."""
        return self._draw("memory")

    def roofline(self) -> Svg:
        """Every group under the roofline of its unit."""
        return self._draw("roofline")

    def modules(self) -> Svg:
        """The latency by module."""
        return self._draw("modules")

    def graph(self, color_by: Optional[str] = None, collapse: str = "auto", unfold: bool = False) -> Svg:
        """The graph, with a box for each kernel."""
        return self._draw(None, color_by=color_by, collapse=collapse, unfold=unfold)


class WhatIf(WhatIfTables, Result):
    """Changes tried on an analysis; made by Analysis.what_if()."""

    def __init__(self, pointer: Any, analysis: Analysis) -> None:
        super().__init__(Handle(pointer, library().hwest_what_if_free))
        self._analysis: Optional[Handle] = analysis._open()  # None of one that was pickled

    @overload
    def report(self, format: Binary, *, top: Optional[int] = ...) -> bytes: ...

    @overload
    def report(self, format: AnalysisFormat = ..., *, top: Optional[int] = ...) -> str: ...

    @overload
    def report(self, format: str, *, top: Optional[int] = ...) -> Union[str, bytes]: ...

    def report(self, format: str = "text", *, top: Optional[int] = None) -> Union[str, bytes]:
        """The report of the analysis, including these changes."""
        return self._saved(format) or report("hwest_report", cast(Handle, self._analysis), format, top=top,
                                             what_if=self._open())


class Refusals(RefusalsTables, Result):
    """What accelerators refuse; made by Analysis.refusals()."""

    def __init__(self, pointer: Any) -> None:
        super().__init__(Handle(pointer, library().hwest_refusals_free))


class Explanation(ExplanationTables, Result):
    """Why a node runs where it does; made by Analysis.explain()."""

    def __init__(self, pointer: Any, analysis: Analysis) -> None:
        super().__init__(Handle(pointer, library().hwest_explanation_free))
        self._analysis: Optional[Handle] = analysis._open()  # None of one that was pickled

    def report(self, format: TableFormat = "text") -> str:
        """The explanation as text, json, csv or markdown."""
        return self._saved(format) or text_report("hwest_report", cast(Handle, self._analysis), format, kind="explain",
                                                  explanation=self._open())
