"""Models: loaded from files, bytes or memory, and analysed."""

from __future__ import annotations

import ctypes
import os
from typing import Any, Dict, Iterable, Optional, Sequence, Union

from . import _abi
from ._analysis import Analysis
from ._arguments import PathLike, integer, path, text
from ._callbacks import Callbacks, Cancel, Progress
from ._diff import Diff, Side, diff_against, diff_of, saved_report
from ._formats import Binary, LlmFormat, MemoryFormat, WidthFormat
from ._handles import Handle
from ._library import check, library
from ._memory import memory, quantize_plan, width
from ._options import Analyzable, options_of
from ._rewrite import rewrite, verified
from ._row_types import Context
from ._rows import Rows, read_rows
from ._structs import load_options, memory_options, quantize_options, rewrite_options, width_options
from ._tables import ModelTables
from ._target import Target


def load(source: Any, name: Optional[str] = None, *, max_nodes: Optional[int] = None,
         max_objects: Optional[int] = None, max_depth: Optional[int] = None) -> Model:
    """Reads a model from a path, from bytes, from a file open in binary mode, or from an onnx.ModelProto in memory;
    `name` is what reports call a model without a path. max_nodes, max_objects and max_depth are limits against hostile
    files. Raises Error; TypeError when `source` is none of these."""
    options = load_options(max_depth=max_depth, max_nodes=max_nodes, max_objects=max_objects)
    pointer = ctypes.c_void_p()
    if isinstance(source, (str, os.PathLike)):
        check(library().hwest_model_load_with(path("source", source), ctypes.byref(options), ctypes.byref(pointer)))
        return Model(pointer.value, os.fspath(source))
    data = _bytes_of(source)
    if name is None and isinstance(getattr(source, "name", None), str):
        name = source.name
    check(library().hwest_model_load_memory_with(data, len(data), text("name", name), ctypes.byref(options),
                                                 ctypes.byref(pointer)))
    return Model(pointer.value, name, data)


def _bytes_of(source: Any) -> bytes:
    if hasattr(source, "SerializeToString"):
        return bytes(source.SerializeToString())
    data = source.read() if hasattr(source, "read") else source
    if isinstance(data, str):
        raise TypeError("source is open in text mode: use open(path, 'rb')")
    try:
        return bytes(memoryview(data))
    except TypeError:
        raise TypeError(f"source is {source!r}: use a path, bytes, a file open in binary mode or an onnx.ModelProto"
                        ) from None


def opened(side: Side) -> Side:
    """A side of a comparison; loads a path unless it is a saved report's, and returns other sides unchanged."""
    return load(side) if isinstance(side, (str, os.PathLike)) and saved_report(side) is None else side


class Model(ModelTables, Analyzable):
    """A model's graph; made by load()."""

    def __init__(self, pointer: Any, name: Optional[str], data: Optional[bytes] = None) -> None:
        super().__init__(Handle(pointer, library().hwest_model_free))
        self._name = name or "model"
        self._data = data  # of a model that is no file: what rewrite() copies from

    def __repr__(self) -> str:
        return f"<onnx_hwest.Model {self._name!r}>" if self._handle else "<onnx_hwest.Model closed>"

    def _analyze(self, target: Union[PathLike, Target, None], callbacks: Callbacks, **options: Any) -> Analysis:
        model, pointer = self._open(), ctypes.c_void_p()
        loaded = target._open() if isinstance(target, Target) else None
        callbacks.check(library().hwest_analyze(
            model.pointer, ctypes.byref(options_of(loaded, target, callbacks, **options)), ctypes.byref(pointer)))
        return Analysis(pointer.value, self._name)

    def rewrite(self, target: Union[PathLike, Target, None] = None, output: Optional[PathLike] = None, *,
                rules: Iterable[str] = (), no_rules: Iterable[str] = (), allow_approximate: bool = False,
                fold: bool = False, annotate: bool = False, opset: Optional[int] = None, verify: Optional[int] = None,
                progress: Optional[Progress] = None, cancel: Optional[Cancel] = None,
                **options: Any) -> Union[bytes, Dict[str, Any]]:
        """An equivalent model that runs better on `target`, or without one the canonical form. Returns its bytes or, if
        `output` names a file, the report of what was done; that file is replaced once the new one is complete. What no
        rule touches stays the same, byte for byte. Raises Error.

        rules: only these, wherever they apply; else those that help. no_rules: never these.
        allow_approximate: also rules that change results by more than rounding does.
        fold: compute constants and leave out dead nodes only. annotate: add the figures as metadata of the nodes only.
        opset: an older operator set for the model: nodes get its form, and operators that it lacks are written out.
        verify: run the model and `output` on that many sets of random inputs in ONNX Runtime; "verify" of the report is
        what onnx_hwest.verify.verify() found. It needs the packages of onnx-hwest[verify].
        options, progress, cancel: as for analyze().
        """
        if verify is not None and (output is None or verify < 1):
            raise ValueError(f"verify is {verify!r}: give at least 1, and `output`, which is what is run")
        callbacks = Callbacks(progress, cancel=cancel)
        loaded = target._open() if isinstance(target, Target) else None
        how = rewrite_options(rules=rules, no_rules=no_rules, allow_approximate=allow_approximate, fold=fold,
                              annotate=annotate, data=self._data, opset=opset)
        done = rewrite(self._open().pointer, options_of(loaded, target, callbacks, **options), how, callbacks, output)
        if verify is not None and isinstance(done, dict):
            done["verify"] = verified(self._data if self._data is not None else self._name, done, verify)
        return done

    def memory(self, target: Union[PathLike, Target], format: Union[MemoryFormat, Binary] = "json", *,
               rows: bool = False, arenas: Sequence[int] = (), dim_range: Optional[str] = None,
               **options: Any) -> Union[str, bytes]:
        """What is where in memory on `target`, at which address, whether it fits, and what takes less, as a report.
        Raises Error.

        rows: text lists every tensor, with the map. arenas: bytes of arenas that the activations may fit into.
        dim_range: "batch=1:64" says whether the model fits at each of these sizes of a symbol or INPUT.AXIS.
        options: as for analyze().
        """
        callbacks = Callbacks()
        loaded = target._open() if isinstance(target, Target) else None
        how = memory_options(rows=rows, arenas=arenas, dim_range=dim_range)
        return memory(self._open().pointer, options_of(loaded, target, callbacks, **options), how, callbacks, format)

    def quantize_plan(self, target: Union[PathLike, Target], format: Union[LlmFormat, Binary] = "json", *,
                      formats: Sequence[str] = (), sensitivity: Optional[str] = None, budget: Optional[float] = None,
                      export_as: Optional[str] = None, ranges: Optional[str] = None,
                      **options: Any) -> Union[str, bytes]:
        """Which format pays for which layer on `target`, which Q/DQ hinder, and the fastest formats within a loss, as a
        report. Raises Error.

        formats: that layers may have, such as "int8". sensitivity: the loss of each layer in each format, as the text
        of a CSV with the columns node, format and loss. budget: the most that losses may add up to.
        export_as: "hwest", "ort", "tensorrt", "qnn", "rknn", "tidl" or "hailo" returns the plan in that tool's form;
        "onnx" the bytes of the model with Q/DQ, by `ranges`, the text of ONNX Runtime's calibration.json.
        options: as for analyze().
        """
        callbacks = Callbacks()
        loaded = target._open() if isinstance(target, Target) else None
        how = quantize_options(formats=formats, sensitivity=sensitivity, export_as=export_as, ranges=ranges,
                               budget=None if budget is None else repr(float(budget)))
        return quantize_plan(self._open().pointer, options_of(loaded, target, callbacks, **options), how, callbacks,
                             format if export_as is None else "png" if export_as == "onnx" else "text")  # png: bytes

    def width(self, target: Union[PathLike, Target], format: Union[WidthFormat, Binary] = "json", *,
              layers: Sequence[str] = (), at: Optional[int] = None, progress: Optional[Progress] = None,
              cancel: Optional[Cancel] = None, **options: Any) -> Union[str, bytes]:
        """The steps that time takes over the output channels of each layer, and what the model takes at the steps
        beside the width now, as a report. Raises Error.

        layers: only these, by the names that the report lists. at: also what each layer takes with so many channels.
        options: as for analyze(). progress: as for what_if(). cancel: as for analyze().
        """
        callbacks = Callbacks(progress, cancel=cancel)
        loaded = target._open() if isinstance(target, Target) else None
        how = width_options(layers=layers, at=at, data=self._data)
        return width(self._open().pointer, options_of(loaded, target, callbacks, **options), how, callbacks, format)

    def diff(self, other: Optional[Side] = None, target: Union[PathLike, Target, None] = None, *,
             against: Union[PathLike, Target, None] = None, against_mode: Optional[str] = None,
             against_precision: Optional[str] = None, **options: Any) -> Diff:
        """Compares this model with `other`, which is anything that onnx_hwest.diff() takes; or this model on `target`
        with itself on the target `against`, in another mode or another precision. Raises Error.

        options: as for analyze().
        """
        again = any(value is not None for value in (against, against_mode, against_precision))
        if again == (other is not None):
            raise TypeError("name either another model, or one of against, against_mode and against_precision")
        if other is not None:
            return diff_of(self, opened(other), target, options)
        if target is None:
            raise TypeError("against compares this model on two targets: name the first one as target")
        return diff_against(self._open().pointer, target, against, against_mode, against_precision, options)

    def generation(self, target: Union[PathLike, Target], contexts: Iterable[int], *,
                   progress: Optional[Progress] = None, cancel: Optional[Cancel] = None,
                   **options: Any) -> Rows[Context]:
        """Time to first token and tokens per second of a language model with a key/value cache, a row for each length
        in `contexts`. Raises Error, also when the graph has no such cache.

        options: as for analyze(); `dims` must leave the context length and the tokens of a run free.
        progress: called with (run, index, count) before each run; False ends with Cancelled. cancel: as for analyze().
        """
        model, pointer = self._open(), ctypes.c_void_p()
        callbacks = Callbacks(progress, cancel=cancel)
        loaded = target._open() if isinstance(target, Target) else None
        lengths = [integer("contexts", length) for length in contexts]
        callbacks.check(library().hwest_generation_create(
            model.pointer, ctypes.byref(options_of(loaded, target, callbacks, **options)),
            (ctypes.c_int64 * len(lengths))(*lengths), len(lengths), ctypes.byref(pointer)))
        generation = Handle(pointer.value, library().hwest_generation_free)
        return read_rows(Context, _abi.hwest_context, "hwest_generation_context", generation.pointer)
