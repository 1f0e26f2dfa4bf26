"""Weights of two model files that are compared: held once, and drawn alike in both where a file lacks them."""

from __future__ import annotations

import math
import os
import zlib
from collections.abc import Iterator
from importlib import import_module
from typing import Any

from ._measure_model import Failure, graphs_of, is_missing, payload, role_of

LEAST_BYTES = 1024  # smaller tensors stay in the graph: shapes and axes follow from their contents
# ONNX element types that NumPy holds as they are.
DTYPES = {1: "float32", 2: "uint8", 3: "int8", 4: "uint16", 5: "int16", 6: "int32", 7: "int64", 9: "bool",
          10: "float16", 11: "float64", 12: "uint32", 13: "uint64"}


class Weights:
    """The large weights of two files, by name, apart from their graphs.

    Those drawn are `gain` times as large as where a network begins to learn."""

    def __init__(self, seed: int, gain: float = 1.0) -> None:
        self.seed, self.gain = seed, gain
        self.filled: set[str] = set()
        self._drawn: dict[str, bytes] = {}
        self._first: dict[str, Any] = {}

    def take(self, model: Any, folder: str) -> dict[str, Any]:
        """Takes the large weights of the main graph out of `model`, as arrays by name; what is absent is drawn."""
        numpy = import_module("numpy")
        taken: dict[str, Any] = {}
        for graph in graphs_of(model.graph):
            for tensor, name, uses in _tensors(graph):
                if is_missing(tensor, folder):
                    self._fill(tensor, name, uses)
                is_own = graph is model.graph and tensor.name == name
                size = math.prod(tensor.dims) * numpy.dtype(DTYPES.get(tensor.data_type, "V")).itemsize
                if is_own and size >= LEAST_BYTES and (tensor.raw_data or tensor.data_location == 1):
                    taken[name] = self._shared(name, _array(tensor, folder))
                    _point_outside(tensor)
                elif tensor.data_location == 1:
                    _bring_in(tensor, folder)
        if not self._first:
            self._first = taken
        return taken

    def _fill(self, tensor: Any, name: str, uses: list[tuple[str, int]]) -> None:
        """Random contents, of the same bytes wherever a tensor of that name, type and size is absent."""
        dims = list(tensor.dims)
        key = f"{name}:{tensor.data_type}:{dims}"
        if key not in self._drawn:
            seed = self.seed + zlib.crc32(name.encode())
            role = role_of(dims, uses)
            self._drawn[key] = payload(tensor.data_type, dims, role, seed)
            if role == "weight" and self.gain != 1 and DTYPES.get(tensor.data_type, "").startswith("float"):
                numpy = import_module("numpy")
                numbers = numpy.frombuffer(self._drawn[key], dtype=DTYPES[tensor.data_type])
                self._drawn[key] = (numbers * numbers.dtype.type(self.gain)).tobytes()
        tensor.raw_data = self._drawn[key]
        tensor.data_location = 0
        del tensor.external_data[:]
        self.filled.add(name)

    def _shared(self, name: str, array: Any) -> Any:
        first = self._first.get(name)
        if first is None or first.shape != array.shape or first.dtype != array.dtype:
            return array
        return first if first.tobytes() == array.tobytes() else array


def _tensors(graph: Any) -> Iterator[tuple[Any, str, list[tuple[str, int]]]]:
    """The constants of a graph with their names and readers."""
    uses: dict[str, list[tuple[str, int]]] = {}
    for node in graph.node:
        for i, name in enumerate(node.input):
            uses.setdefault(name, []).append((node.op_type, i))
    for tensor in graph.initializer:
        yield tensor, tensor.name, uses.get(tensor.name, [])
    for node in graph.node:
        for attribute in node.attribute:
            if attribute.HasField("t") and node.op_type == "Constant":
                yield attribute.t, node.output[0], uses.get(node.output[0], [])


def _place_of(tensor: Any, folder: str) -> tuple[str, int, int]:
    """The file of an external tensor, and where its bytes are. Raises Failure for a name that leaves the folder."""
    entries = {entry.key: entry.value for entry in tensor.external_data}
    path = os.path.realpath(os.path.join(folder, entries.get("location", "")))
    if os.path.commonpath([path, os.path.realpath(folder or ".")]) != os.path.realpath(folder or "."):
        raise Failure(f"the weights of {tensor.name} lie outside of the model's folder")
    return path, int(entries.get("offset", 0)), int(entries.get("length", -1))


def _array(tensor: Any, folder: str) -> Any:
    """The contents of a tensor; those in a file are mapped, not read."""
    numpy = import_module("numpy")
    dtype, dims = numpy.dtype(DTYPES[tensor.data_type]), tuple(tensor.dims)
    if tensor.data_location == 1:
        path, offset, _ = _place_of(tensor, folder)
        return numpy.memmap(path, dtype=dtype, mode="r", offset=offset, shape=dims)
    return numpy.frombuffer(tensor.raw_data, dtype=dtype).reshape(dims)


def _bring_in(tensor: Any, folder: str) -> None:
    path, offset, length = _place_of(tensor, folder)
    with open(path, "rb") as file:
        file.seek(offset)
        tensor.raw_data = file.read(length) if length >= 0 else file.read()
    tensor.data_location = 0
    del tensor.external_data[:]


def _point_outside(tensor: Any) -> None:
    """Leaves the name in the graph, whose contents the session is handed."""
    tensor.ClearField("raw_data")
    del tensor.external_data[:]
    entry = tensor.external_data.add()
    entry.key, entry.value = "location", "shared"
    tensor.data_location = 1
