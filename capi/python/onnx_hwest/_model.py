"""Models and analyses."""

import ctypes
import functools
import json
import os

from . import _abi
from ._handles import Handle, Owner
from ._library import check, encode, library
from ._rows import group_of, totals_of

_OBJECTIVES = {"latency": _abi.HWEST_OBJECTIVE_LATENCY, "energy": _abi.HWEST_OBJECTIVE_ENERGY}
_KINDS = {
    "analysis": _abi.HWEST_REPORT_ANALYSIS,
    "shapes": _abi.HWEST_REPORT_SHAPES,
    "support": _abi.HWEST_REPORT_SUPPORT,
    "explain": _abi.HWEST_REPORT_EXPLAIN,
}
_FORMATS = {
    "text": _abi.HWEST_FORMAT_TEXT,
    "json": _abi.HWEST_FORMAT_JSON,
    "csv": _abi.HWEST_FORMAT_CSV,
    "markdown": _abi.HWEST_FORMAT_MARKDOWN,
    "dot": _abi.HWEST_FORMAT_DOT,
    "svg": _abi.HWEST_FORMAT_SVG,
    "png": _abi.HWEST_FORMAT_PNG,
    "pdf": _abi.HWEST_FORMAT_PDF,
}
_BINARY = ("png", "pdf")
_LEVELS = {
    None: _abi.HWEST_LEVEL_DEFAULT,
    "node": _abi.HWEST_LEVEL_NODE,
    "group": _abi.HWEST_LEVEL_GROUP,
    "segment": _abi.HWEST_LEVEL_SEGMENT,
    "module": _abi.HWEST_LEVEL_MODULE,
}


def load(source, name=None):
    """Reads a model from a path, or from bytes; `name` is what reports call bytes. Raises Error."""
    pointer = ctypes.c_void_p()
    if isinstance(source, (bytes, bytearray, memoryview)):
        data = bytes(source)
        check(library().hwest_model_load_memory(data, len(data), encode(name), ctypes.byref(pointer)))
    else:
        check(library().hwest_model_load(encode(source), ctypes.byref(pointer)))
    return Model(pointer.value, source if isinstance(source, (str, os.PathLike)) else name)


class Model(Owner):
    """A model's graph; made by load()."""

    def __init__(self, pointer, name):
        super().__init__(Handle(pointer, library().hwest_model_free))
        self._name = name

    def __repr__(self):
        return f"<onnx_hwest.Model {self._name!r}>"

    def analyze(self, target=None, *, mode=None, precision=None, fusions=None, objective="latency", batch=None,
                dims=None, shapes=None, expect=None, only=(), deny=(), assume=(), pin=(), max_segments=None,
                values=None, op_rules=None):
        """Estimates this model on a target; without one, counts and shapes only. Raises Error.

        target: a built-in name or the path of a .textproto file. mode: its power mode. precision: "fp16", "int8", ...
        fusions: "none" for one kernel per node. batch: leading dim of every input.
        dims: {"seq": 128} or {"input.0": 1}. shapes: {"input": (1, 3, 224, 224)}, "" for every input of that rank.
        expect: {"symbol": 100}, assumed values of data-dependent sizes. only: names of units to use.
        deny, assume: "OP@UNIT". pin: "NODE@UNIT". max_segments: most runs on accelerators.
        values: {"input": [1, 2]}, contents of inputs: a number, nested lists, an array, or the path of a file.
        op_rules: text with the shape and cost of custom operators, see `onnx-hwest describe op-rules`.
        """
        options = _abi.hwest_options(
            struct_size=ctypes.sizeof(_abi.hwest_options),
            objective=_choose("objective", objective, _OBJECTIVES),
            target=encode(target),
            mode=encode(mode),
            precision=encode(precision),
            fusions=encode(fusions),
            batch=_count("batch", batch),
            dims=_strings(f"{key}={int(value)}" for key, value in (dims or {}).items()),
            shapes=_strings(_shape(key, value) for key, value in (shapes or {}).items()),
            expect=_strings(f"{key}={int(value)}" for key, value in (expect or {}).items()),
            only=_strings(_list("only", only)),
            deny=_strings(_list("deny", deny)),
            assume=_strings(_list("assume", assume)),
            pin=_strings(_list("pin", pin)),
            max_segments=_count("max_segments", max_segments),
            values=_strings(f"{key}={_contents(value)}" for key, value in (values or {}).items()),
            op_rules=encode(op_rules),
        )
        model, pointer = self._open(), ctypes.c_void_p()
        check(library().hwest_analyze(model.pointer, ctypes.byref(options), ctypes.byref(pointer)))
        return Analysis(pointer.value)


class Analysis(Owner):
    """What is known of one model on one target; made by Model.analyze(). Outlives the model it came from."""

    def __init__(self, pointer):
        super().__init__(Handle(pointer, library().hwest_analysis_free))

    def __repr__(self):
        return "<onnx_hwest.Analysis>"

    @functools.cached_property
    def totals(self):
        """Totals of the whole graph."""
        analysis = self._open()
        struct = _abi.hwest_totals(struct_size=ctypes.sizeof(_abi.hwest_totals))
        check(library().hwest_analysis_totals(analysis.pointer, ctypes.byref(struct)))
        return totals_of(struct)

    @functools.cached_property
    def groups(self):
        """One row per kernel, in execution order; empty without a target."""
        analysis = self._open()
        count = library().hwest_analysis_group_count(analysis.pointer)
        structs = (_abi.hwest_group * count)()
        stride = ctypes.sizeof(_abi.hwest_group)
        check(library().hwest_analysis_group_read(analysis.pointer, 0, count, structs, stride))
        return tuple(group_of(struct) for struct in structs)

    def report(self, format="text", *, kind="analysis", level=None, top=None, node=None):
        """A report as str, or bytes for png and pdf. Raises Error.

        format: "text", "json", "csv", "markdown", "dot", "svg", "png" or "pdf". kind: "analysis", "shapes", "support"
        or "explain" (of `node`). level: "node", "group", "segment" or "module". top: rows shown, 0 for all.
        """
        options = _abi.hwest_report_options(
            struct_size=ctypes.sizeof(_abi.hwest_report_options),
            kind=_choose("kind", kind, _KINDS),
            format=_choose("format", format, _FORMATS),
            level=_choose("level", level, _LEVELS),
            top=_abi.HWEST_TOP_ALL if top == 0 else _count("top", top),
            node=encode(node),
        )
        analysis, pointer = self._open(), ctypes.c_void_p()
        check(library().hwest_report_buffer(analysis.pointer, ctypes.byref(options), ctypes.byref(pointer)))
        buffer = Handle(pointer.value, library().hwest_buffer_free)
        size = library().hwest_buffer_size(buffer.pointer)
        content = ctypes.string_at(library().hwest_buffer_data(buffer.pointer), size)
        return content if format in _BINARY else content.decode("utf-8", "replace")

    def to_dict(self, kind="analysis", *, node=None):
        """The complete JSON report as Python objects."""
        return json.loads(self.report("json", kind=kind, node=node))


def _choose(what, word, numbers):
    if word not in numbers:
        raise ValueError(f"{what} is {word!r}: use one of {', '.join(map(repr, numbers))}")
    return numbers[word]


def _count(what, number):
    if number is None:
        return 0
    if int(number) != number or number < 1:
        raise ValueError(f"{what} is {number!r}: use a whole number of at least 1")
    return int(number)


def _list(what, words):
    if isinstance(words, str):
        raise TypeError(f"{what} is a string: use a list of strings")
    return words


def _strings(texts):
    encoded = [encode(text) for text in texts]
    return (ctypes.c_char_p * (len(encoded) + 1))(*encoded, None) if encoded else None


def _shape(name, dims):
    sizes = "x".join(str(int(dim)) for dim in dims)
    return f"{name}={sizes}" if name else sizes


def _contents(value):
    """Contents of an input as the library reads them."""
    if isinstance(value, os.PathLike):
        path = os.fspath(value)
        return path if "/" in path else os.path.join(".", path)
    if hasattr(value, "tolist"):  # an array of numpy and its like
        value = value.tolist()
    return value if isinstance(value, str) else json.dumps(value)
