"""Inputs of models that are compared: sizes of what is free, ranges of indices, random contents and samples."""

from __future__ import annotations

import json
import os
from importlib import import_module
from typing import Any

from ._measure_model import Failure, make_input

# Inputs that hold indices: operator, input with them, input that they index, the attribute with its axis and default.
INDEXED = {"Gather": (1, 0, 0), "GatherElements": (1, 0, 0), "ScatterElements": (1, 0, 0), "Scatter": (1, 0, 0),
           "EmbedLayerNormalization": (0, 2, 0), "GatherBlockQuantized": (1, 0, 0)}
# What leaves indices what they are, or changes them little.
PASSED = {"Cast", "Identity", "Reshape", "Squeeze", "Unsqueeze", "Flatten", "Transpose", "Expand", "Slice", "Concat",
          "Where", "Tile", "Gather"}
DEFAULT_SIZES = {"batch": 1, "channels": 3, "image": 64, "other": 16}
INTEGERS = ("int64", "int32", "int16", "int8", "uint16", "uint32", "uint64", "uint8")


class Input:
    """One input: name, type as ONNX Runtime writes it, and sizes, which are all known."""

    def __init__(self, name: str, kind: str, shape: list[int]) -> None:
        self.name, self.kind, self.shape = name, kind, shape

    @property
    def dtype(self) -> str:
        text = self.kind.removeprefix("tensor(").removesuffix(")")
        return {"float": "float32", "double": "float64"}.get(text, text)


def declared_of(model: Any) -> dict[str, list[Any]]:
    """By input that is no initialiser: its sizes as declared, numbers or names; "" is free without a name."""
    constants = {tensor.name for tensor in model.graph.initializer}
    shapes: dict[str, list[Any]] = {}
    for value in model.graph.input:
        if value.name in constants:
            continue
        kind = value.type.tensor_type
        shapes[value.name] = [dim.dim_value if dim.HasField("dim_value") else dim.dim_param for dim in kind.shape.dim]
    return shapes


def default_size(name: str, axis: int, rank: int) -> int:
    """A small size for an axis that nobody states: images stay large enough to be halved a few times."""
    if "batch" in name.lower() or (axis == 0 and rank > 1):
        return DEFAULT_SIZES["batch"]
    images = 4
    if rank == images:
        return DEFAULT_SIZES["channels"] if axis == 1 else DEFAULT_SIZES["image"]
    return DEFAULT_SIZES["other"]


def sizes_of(first: dict[str, list[Any]], second: dict[str, list[Any]], dims: dict[str, int],
             shapes: dict[str, list[int]]) -> tuple[dict[str, list[int]], dict[str, int]]:
    """By input its sizes, and what was assumed of them. What one file leaves open, the other one may state."""
    sizes: dict[str, list[int]] = {}
    assumed: dict[str, int] = {}
    symbols = dict(dims)
    for name, declared in first.items():  # symbols that the second file has as numbers
        for here, there in zip(declared, second.get(name, declared)):
            if isinstance(here, str) and here and isinstance(there, int) and there > 0:
                symbols.setdefault(here, there)
    for name, declared in first.items():
        other = second.get(name, declared)
        if len(other) != len(declared):
            raise Failure(f"input {name} has {len(declared)} axes in the first file and {len(other)} in the second")
        given = shapes.get(name, shapes.get("") if len(first) == 1 else None)
        if given is not None and len(given) != len(declared):
            raise Failure(f"--shape states {len(given)} sizes for input {name}, which has {len(declared)}")
        row: list[int] = []
        for axis, (here, there) in enumerate(zip(declared, other)):
            known = [size for size in (here, there) if isinstance(size, int) and size > 0]
            if len(set(known)) > 1:
                raise Failure(f"input {name} is {declared} in the first file and {other} in the second")
            key = here if isinstance(here, str) and here else f"{name}.{axis}"
            size = known[0] if known else None
            size = size or (given[axis] if given else None) or symbols.get(key) or dims.get(f"{name}.{axis}")
            if size is None:
                size = assumed[key] = symbols[key] = default_size(key, axis, len(declared))
            row.append(size)
        sizes[name] = row
    return sizes, assumed


def index_limits(model: Any) -> dict[str, int | None]:
    """By input that indexes something: the smallest axis that it indexes, None = of unknown size."""
    onnx = import_module("onnx")
    shapes = {tensor.name: list(tensor.dims) for tensor in model.graph.initializer}
    try:
        inferred = onnx.shape_inference.infer_shapes(model).graph
    except Exception:  # sizes that are not there are unknown
        inferred = model.graph
    for value in [*inferred.value_info, *inferred.input]:
        shapes.setdefault(value.name, [dim.dim_value for dim in value.type.tensor_type.shape.dim])
    numbers = {tensor.name: tensor for tensor in model.graph.initializer}
    origin = {name: {name} for name in declared_of(model)}
    limits: dict[str, int | None] = {}

    def limit(name: str, size: int | None) -> None:
        for source in origin.get(name, ()):
            known = limits.get(source)
            limits[source] = size if known is None else min(known, size) if size else known

    for node in model.graph.node:
        if node.op_type in INDEXED:
            ids, table, default = INDEXED[node.op_type]
            axis = next((a.i for a in node.attribute if a.name == "axis"), default)
            if len(node.input) > max(ids, table):
                shape = shapes.get(node.input[table], [])
                limit(node.input[ids], shape[axis] or None if -len(shape) <= axis < len(shape) else None)
        elif node.op_type in ("GatherND", "ScatterND") and len(node.input) > 1:
            known = [size for size in shapes.get(node.input[0], []) if size]
            limit(node.input[1], min(known) if known else None)
        elif node.op_type == "OneHot" and node.input[1] in numbers:
            depth = onnx.numpy_helper.to_array(numbers[node.input[1]])
            limit(node.input[0], int(depth.reshape(-1)[0]))
        if node.op_type in PASSED:
            reached: set[str] = set()
            for name in node.input[:1] if node.op_type not in ("Concat", "Where") else node.input:
                reached |= origin.get(name, set())
            for name in node.output:
                origin.setdefault(name, set()).update(reached)
    return limits


def drawn(entry: Input, limits: dict[str, int | None], source: Any) -> Any:
    """Random contents of an input."""
    numpy = import_module("numpy")
    if entry.dtype == "string":
        return numpy.array(source.choice(["0", "1"], entry.shape), dtype=object)
    if entry.dtype == "bool" and "mask" not in entry.name:
        return source.integers(0, 2, entry.shape).astype("bool")
    is_plain = entry.dtype in INTEGERS and entry.name not in limits and "mask" not in entry.name
    if is_plain and "position" not in entry.name:  # a length of 0 would hide all else
        return source.integers(1, 256 if entry.dtype == "uint8" else 10, entry.shape).astype(entry.dtype)
    return make_input(entry.name, entry.kind, entry.shape, limits.get(entry.name) or None, source)


def read_value(path: str, entry: Input) -> Any:
    """The array in an .npy file, or the numbers of a JSON literal, in the type of the input."""
    numpy = import_module("numpy")
    try:
        array = numpy.load(path, allow_pickle=False) if os.path.exists(path) else numpy.array(json.loads(path))
    except (OSError, ValueError) as error:
        raise Failure(f"input {entry.name}: no .npy file and no JSON literal: {path} ({error})") from error
    return fitted(array, entry, path)


def fitted(array: Any, entry: Input, path: str) -> Any:
    if array.size != 1 and list(array.shape) != entry.shape:
        raise Failure(f"{path} has the shape {list(array.shape)}, input {entry.name} {entry.shape}")
    return array.astype(entry.dtype).reshape(entry.shape) if array.size != 1 else numpy_full(entry, array)


def numpy_full(entry: Input, array: Any) -> Any:
    return import_module("numpy").full(entry.shape, array.reshape(-1)[0], dtype=entry.dtype)


def sample_of(path: str, entries: list[Input]) -> dict[str, Any]:
    """The inputs that one entry of a folder of samples holds: an .npz file, an .npy file of the only input, or a folder
    with NAME.npy, or with input_0.pb and so on as ONNX's own test data."""
    numpy = import_module("numpy")
    if path.endswith(".npz"):
        with numpy.load(path, allow_pickle=False) as file:
            return {entry.name: fitted(file[entry.name], entry, path) for entry in entries if entry.name in file}
    if path.endswith(".npy"):
        if len(entries) != 1:
            raise Failure(f"{path}: the model has {len(entries)} inputs; write .npz files with an array of each name")
        return {entries[0].name: fitted(numpy.load(path, allow_pickle=False), entries[0], path)}
    found: dict[str, Any] = {}
    for i, entry in enumerate(entries):
        array, proto = os.path.join(path, f"{entry.name}.npy"), os.path.join(path, f"input_{i}.pb")
        if os.path.isfile(array):
            found[entry.name] = fitted(numpy.load(array, allow_pickle=False), entry, array)
        elif os.path.isfile(proto):
            onnx = import_module("onnx")
            with open(proto, "rb") as file:
                tensor = onnx.TensorProto.FromString(file.read())
            found[entry.name] = fitted(onnx.numpy_helper.to_array(tensor), entry, proto)
    return found


def samples_in(folder: str) -> list[str]:
    """The samples of a folder by name. Raises Failure when there are none."""
    if not os.path.isdir(folder):
        raise Failure(f"--samples {folder} is no folder")
    paths = [os.path.join(folder, name) for name in sorted(os.listdir(folder))]
    paths = [path for path in paths if path.endswith((".npz", ".npy")) or os.path.isdir(path)]
    if not paths:
        raise Failure(f"{folder} has no sample: .npz or .npy files, or folders with NAME.npy or input_0.pb")
    return paths
