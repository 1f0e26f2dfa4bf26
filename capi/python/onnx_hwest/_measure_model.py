"""Fills in what a model file lacks to run: random weights for tensors without a payload, and random inputs."""

from __future__ import annotations

import array
import math
import os
import random
import struct
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

BLOCK = 1 << 16  # random numbers that a payload repeats

# ONNX element types: bits, and how a payload of them is made.
FLOAT, UINT8, INT8, UINT16, INT16, INT32, INT64, BOOL, FLOAT16, DOUBLE, UINT32, UINT64, BFLOAT16, UINT4, INT4 = (
    1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 13, 16, 21, 22)
BITS = {FLOAT: 32, UINT8: 8, INT8: 8, UINT16: 16, INT16: 16, INT32: 32, INT64: 64, BOOL: 8, FLOAT16: 16, DOUBLE: 64,
        UINT32: 32, UINT64: 64, BFLOAT16: 16, UINT4: 4, INT4: 4}
FLOATS = (FLOAT, FLOAT16, BFLOAT16, DOUBLE)

# The role of a weight for the operator that reads it: inputs that must be positive, quantisation steps, biases.
POSITIVE = {("BatchNormalization", 1), ("BatchNormalization", 4), ("InstanceNormalization", 1),
            ("LayerNormalization", 1), ("GroupNormalization", 1), ("SimplifiedLayerNormalization", 1),
            ("SkipLayerNormalization", 2), ("SkipSimplifiedLayerNormalization", 2)}
STEPS = {("QuantizeLinear", 1), ("DequantizeLinear", 1), ("QLinearConv", 1), ("QLinearConv", 4), ("QLinearConv", 6),
         ("QLinearMatMul", 1), ("QLinearMatMul", 4), ("QLinearMatMul", 6), ("MatMulNBits", 2)}
BIASES = {("Conv", 2), ("ConvTranspose", 2), ("Gemm", 2)}
# Operators that look up ids: the index of the ids' input and of the table's.
LOOKUPS = {"Gather": ((1, 0),), "EmbedLayerNormalization": ((0, 2), (1, 4))}
VIEWS = {"Cast", "Identity", "Reshape", "Squeeze", "Unsqueeze", "Flatten"}


class Failure(Exception):
    """Why a model was not measured."""


def payload(elem_type: int, dims: list[int], role: str, seed: int) -> bytes:
    """The little-endian bytes of a random tensor. `role` is weight, bias, positive or step."""
    if elem_type not in BITS:
        raise Failure(f"no random contents for tensors of element type {elem_type}")
    count = math.prod(dims)
    size = (count * BITS[elem_type] + 7) // 8
    source = random.Random(seed)
    if elem_type in FLOATS:
        block = float_block(elem_type, min(count, BLOCK), dims, role, source)
    elif elem_type in (UINT8, INT8, UINT4, INT4, UINT16, INT16):
        block = source.randbytes(min(size, BLOCK))
    else:
        block = b"\1" if elem_type == BOOL else b"\0"  # indices and sizes: 0 is always one that exists
    return (block * (size // max(1, len(block)) + 1))[:size]


def float_block(elem_type: int, count: int, dims: list[int], role: str, source: random.Random) -> bytes:
    # Scaled as networks are initialised: activations that vanish or overflow run at other speeds.
    spread = math.sqrt(2 / max(1, math.prod(dims[1:]) if len(dims) > 1 else dims[0] if dims else 1))
    makers: dict[str, Callable[[], float]] = {
        "weight": lambda: source.gauss(0, spread), "bias": lambda: source.gauss(0, 0.01),
        "positive": lambda: source.uniform(0.5, 1.5), "step": lambda: source.uniform(0.005, 0.02)}
    numbers = [makers[role]() for _ in range(count)]
    if elem_type == FLOAT16:
        return struct.pack(f"<{count}e", *numbers)
    if elem_type == DOUBLE:
        return struct.pack(f"<{count}d", *numbers)
    single = struct.pack(f"<{count}f", *numbers)
    if elem_type == FLOAT:
        return single
    halves = array.array("H", single)
    return halves[1::2].tobytes()


def role_of(dims: list[int], uses: list[tuple[str, int]]) -> str:
    """The role that a tensor has for its readers. An unexplained tensor with one axis is a scale or a bias."""
    for name, table in (("step", STEPS), ("positive", POSITIVE), ("bias", BIASES)):
        if any(use in table for use in uses):
            return name
    return "weight" if len(dims) > 1 or uses else "positive"


def graphs_of(graph: Any) -> Iterator[Any]:
    """The graph and the bodies inside it."""
    yield graph
    for node in graph.node:
        for attribute in node.attribute:
            if attribute.HasField("g"):
                yield from graphs_of(attribute.g)


def is_missing(tensor: Any, folder: str) -> bool:
    """Whether the payload is neither in the tensor nor in a file beside the model."""
    if tensor.data_location == 1:
        places = {entry.key: entry.value for entry in tensor.external_data}
        return not os.path.isfile(os.path.join(folder, places.get("location", "")))
    if math.prod(tensor.dims) == 0 or tensor.raw_data:
        return False
    return not any(len(getattr(tensor, field)) for field in
                   ("float_data", "int32_data", "int64_data", "double_data", "uint64_data", "string_data"))


def fill_weights(model: Any, folder: str, seed: int) -> tuple[int, int]:
    """Gives every tensor without a payload a random one and reads those in files; returns the bytes of all weights and
    the number of tensors filled."""
    total = filled = 0
    for graph in graphs_of(model.graph):
        uses: dict[str, list[tuple[str, int]]] = {}
        for node in graph.node:
            for i, name in enumerate(node.input):
                uses.setdefault(name, []).append((node.op_type, i))
        tensors = [(tensor, tensor.name) for tensor in graph.initializer]
        tensors += [(a.t, node.output[0]) for node in graph.node for a in node.attribute
                    if a.HasField("t") and node.op_type == "Constant"]
        for tensor, name in tensors:
            seed += 1
            if is_missing(tensor, folder):
                dims = list(tensor.dims)
                tensor.raw_data = payload(tensor.data_type, dims, role_of(dims, uses.get(name, [])), seed)
                tensor.data_location = 0
                del tensor.external_data[:]
                filled += 1
            elif tensor.data_location == 1:
                import_module("onnx.external_data_helper").load_external_data_for_tensor(tensor, folder)
                tensor.data_location = 0
                del tensor.external_data[:]
            total += len(tensor.raw_data)
    return total, filled


def table_rows(graph: Any) -> dict[str, int]:
    """By input of the model: rows of the smallest table in which its ids are looked up."""
    sizes = {tensor.name: tensor.dims[0] for tensor in graph.initializer if tensor.dims}
    origin = {value.name: value.name for value in graph.input}
    rows: dict[str, int] = {}
    for node in graph.node:
        if node.op_type in VIEWS and node.input[0] in origin:
            origin[node.output[0]] = origin[node.input[0]]
        for ids, table in LOOKUPS.get(node.op_type, ()):
            if len(node.input) <= max(ids, table) or node.input[ids] not in origin or node.input[table] not in sizes:
                continue
            name = origin[node.input[ids]]
            rows[name] = min(rows.get(name, sizes[node.input[table]]), sizes[node.input[table]])
    return rows


def shape_of(name: str, declared: list[Any], dims: dict[str, int]) -> list[int]:
    """The declared shape with every size a number. Raises Failure naming the flags that are missing."""
    shape, missing = [], []
    for axis, size in enumerate(declared):
        if not isinstance(size, int) or size < 1:
            size = dims.get(f"{name}.{axis}", dims.get(str(size), 0))
        if size < 1:
            missing.append(f"--dim {declared[axis] if isinstance(declared[axis], str) else f'{name}.{axis}'}=N")
        shape.append(size)
    if missing:
        raise Failure(f"input {name} has free sizes: {' '.join(missing)}")
    return shape


def make_input(name: str, kind: str, shape: list[int], rows: int | None, source: Any) -> Any:
    """Contents by the declared type: ids within their table, masks of ones, consecutive positions."""
    numpy = import_module("numpy")

    types = {"float": "float32", "double": "float64"}
    text = kind.removeprefix("tensor(").removesuffix(")")
    text = types.get(text, text)
    if text in ("float32", "float64", "float16"):
        return source.standard_normal(shape).astype(text)
    if text == "bool" or "mask" in name:
        return numpy.ones(shape, dtype=text)
    if "position" in name and shape:
        return numpy.broadcast_to(numpy.arange(shape[-1], dtype=text), shape).copy()
    if text in ("int64", "int32", "int16", "int8", "uint8", "uint16", "uint32", "uint64"):
        high = rows if rows is not None else 256 if text == "uint8" else 2
        return source.integers(0, high, shape).astype(text)
    raise Failure(f"no random contents for input {name} of type {kind}")


def precision_of(model: Any) -> str:
    """The precision in which the file itself computes."""
    ops = {node.op_type for node in model.graph.node}
    if ops & {"QLinearConv", "QLinearMatMul", "MatMulInteger", "ConvInteger", "DynamicQuantizeMatMul",
              "DequantizeLinear"}:
        return "int8"
    bits: dict[int, int] = {}
    for tensor in model.graph.initializer:
        bits[tensor.data_type] = bits.get(tensor.data_type, 0) + math.prod(tensor.dims)
    widest = max((t for t in bits if t in FLOATS), key=lambda t: bits[t], default=FLOAT)
    return {FLOAT16: "fp16", BFLOAT16: "bf16"}.get(widest, "fp32")
