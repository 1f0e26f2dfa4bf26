#!/usr/bin/env python3
"""Measures models with ONNX Runtime on this machine and writes rows that `onnx-hwest calibrate` and `validate` read.

    python3 measure_onnxruntime.py models/*.onnx --device "my board" --output mine.csv
    python3 measure_onnxruntime.py bert.onnx --dim batch=1 --dim seq=128 --threads 4 --device "my board" --output mine.csv
    python3 measure_onnxruntime.py yolo.onnx --provider tensorrt --fp16 --device "my board" --output mine.csv

    onnx-hwest calibrate --target x86-avx512 --measurements mine.csv --models models --output mine.textproto

Models need no weights: tensors whose payload is not in the file, nor in a file beside it, get random ones, as inputs do.
Needs onnxruntime (or onnxruntime-gpu), onnx and numpy. Rows of the same model, sizes, device and runtime in the output
file are replaced, the others stay. Exit status: 0 every model was measured, 1 some were not (the others are written),
2 nothing was done.
"""

from __future__ import annotations

import argparse
import array
import csv
import datetime
import math
import os
import random
import statistics
import struct
import sys
import tempfile
import time
from collections.abc import Iterator

COLUMNS = ("model", "family", "bind", "batch", "match", "device", "chipset", "unit", "runtime", "precision", "mode",
           "metric", "value", "power_w", "source", "source_version", "trust", "note")
SAME = ("model", "bind", "batch", "device", "unit", "runtime", "precision", "mode", "metric")  # one measurement
PROVIDERS = {"cpu": ("CPUExecutionProvider", "CPU", "CPU"), "cuda": ("CUDAExecutionProvider", "GPU", "CUDA"),
             "tensorrt": ("TensorrtExecutionProvider", "GPU", "TensorRT")}
MAX_PROTO_BYTES = 1 << 30  # of weights in one message; above, they go into a file of their own
BLOCK = 1 << 16            # random numbers that a payload repeats

# ONNX element types: bits, and how a payload of them is made.
FLOAT, UINT8, INT8, UINT16, INT16, INT32, INT64, BOOL, FLOAT16, DOUBLE, UINT32, UINT64, BFLOAT16, UINT4, INT4 = (
    1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 13, 16, 21, 22)
BITS = {FLOAT: 32, UINT8: 8, INT8: 8, UINT16: 16, INT16: 16, INT32: 32, INT64: 64, BOOL: 8, FLOAT16: 16, DOUBLE: 64,
        UINT32: 32, UINT64: 64, BFLOAT16: 16, UINT4: 4, INT4: 4}
FLOATS = (FLOAT, FLOAT16, BFLOAT16, DOUBLE)

# What a weight is to the operator that reads it: inputs that have to be above zero, steps of quantisation, biases.
POSITIVE = {("BatchNormalization", 1), ("BatchNormalization", 4), ("InstanceNormalization", 1),
            ("LayerNormalization", 1), ("GroupNormalization", 1), ("SimplifiedLayerNormalization", 1),
            ("SkipLayerNormalization", 2), ("SkipSimplifiedLayerNormalization", 2)}
STEPS = {("QuantizeLinear", 1), ("DequantizeLinear", 1), ("QLinearConv", 1), ("QLinearConv", 4), ("QLinearConv", 6),
         ("QLinearMatMul", 1), ("QLinearMatMul", 4), ("QLinearMatMul", 6), ("MatMulNBits", 2)}
BIASES = {("Conv", 2), ("ConvTranspose", 2), ("Gemm", 2)}
# Operators that look ids up: the input of the ids, and that of the table.
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
    # As networks are initialised, so that activations neither vanish nor overflow: both run at other speeds.
    spread = math.sqrt(2 / max(1, math.prod(dims[1:]) if len(dims) > 1 else dims[0] if dims else 1))
    make = {"weight": lambda: source.gauss(0, spread), "bias": lambda: source.gauss(0, 0.01),
            "positive": lambda: source.uniform(0.5, 1.5), "step": lambda: source.uniform(0.005, 0.02)}[role]
    numbers = [make() for _ in range(count)]
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
    """What the operators that read a tensor take it for. One axis that no one explains is a scale or a bias."""
    for name, table in (("step", STEPS), ("positive", POSITIVE), ("bias", BIASES)):
        if any(use in table for use in uses):
            return name
    return "weight" if len(dims) > 1 or uses else "positive"


def graphs_of(graph) -> Iterator:
    """The graph and the bodies inside it."""
    yield graph
    for node in graph.node:
        for attribute in node.attribute:
            if attribute.HasField("g"):
                yield from graphs_of(attribute.g)


def is_missing(tensor, folder: str) -> bool:
    """Whether the payload is neither in the tensor nor in a file beside the model."""
    if tensor.data_location == 1:
        places = {entry.key: entry.value for entry in tensor.external_data}
        return not os.path.isfile(os.path.join(folder, places.get("location", "")))
    if math.prod(tensor.dims) == 0 or tensor.raw_data:
        return False
    return not any(len(getattr(tensor, field)) for field in
                   ("float_data", "int32_data", "int64_data", "double_data", "uint64_data", "string_data"))


def fill_weights(model, folder: str, seed: int) -> int:
    """Gives every tensor without a payload a random one, reads those in files; returns the bytes of all weights."""
    total = 0
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
            elif tensor.data_location == 1:
                from onnx import external_data_helper

                external_data_helper.load_external_data_for_tensor(tensor, folder)
                tensor.data_location = 0
                del tensor.external_data[:]
            total += len(tensor.raw_data)
    return total


def table_rows(graph) -> dict[str, int]:
    """By input of the model: rows of the smallest table that it looks ids up in."""
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


def shape_of(name: str, declared: list, dims: dict[str, int]) -> list[int]:
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


def make_input(name: str, kind: str, shape: list[int], rows: int | None, source):
    """Contents by the declared type: ids within their table, masks of ones, positions that count."""
    import numpy

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


def precision_of(model) -> str:
    """What the file itself computes in."""
    ops = {node.op_type for node in model.graph.node}
    if ops & {"QLinearConv", "QLinearMatMul", "MatMulInteger", "ConvInteger", "DynamicQuantizeMatMul", "DequantizeLinear"}:
        return "int8"
    bits: dict[int, int] = {}
    for tensor in model.graph.initializer:
        bits[tensor.data_type] = bits.get(tensor.data_type, 0) + math.prod(tensor.dims)
    widest = max((t for t in bits if t in FLOATS), key=lambda t: bits[t], default=FLOAT)
    return {FLOAT16: "fp16", BFLOAT16: "bf16"}.get(widest, "fp32")


def open_session(model, total: int, arguments: argparse.Namespace, threads: int, folder: str):
    """A session of the model, whose weights go through a file in `folder` when they are too many for one message."""
    import onnx
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.log_severity_level = 3
    provider = PROVIDERS[arguments.provider][0]
    if provider not in onnxruntime.get_available_providers():
        raise Failure(f"this onnxruntime has no {provider}")
    flags = {"trt_fp16_enable": True} if arguments.provider == "tensorrt" and arguments.fp16 else {}
    providers = [(provider, flags)]
    if arguments.provider == "tensorrt":
        providers.append(("CUDAExecutionProvider", {}))
    data = None
    if total < MAX_PROTO_BYTES:
        data = model.SerializeToString()
    else:
        data = os.path.join(folder, "model.onnx")
        onnx.save_model(model, data, save_as_external_data=True, location="weights.bin")
    session = onnxruntime.InferenceSession(data, options, providers=providers)
    if session.get_providers()[0] != provider:
        raise Failure(f"{provider} did not start, see the messages of onnxruntime")
    return session


def runner(session, feeds: dict, on_gpu: bool):
    """A function that runs the model once; on a GPU with inputs and outputs in its own memory."""
    if not on_gpu:
        return lambda: session.run(None, feeds)
    import onnxruntime

    binding = session.io_binding()
    for name, value in feeds.items():
        binding.bind_ortvalue_input(name, onnxruntime.OrtValue.ortvalue_from_numpy(value, "cuda", 0))
    for output in session.get_outputs():
        binding.bind_output(output.name, "cuda", 0)

    def run() -> None:
        session.run_with_iobinding(binding)
        binding.synchronize_outputs()

    return run


def time_runs(run, warmup: int, runs: int, seconds: float) -> list[float]:
    """Milliseconds of up to `runs` runs, at least three, no new one begun after `seconds`."""
    for _ in range(warmup):
        run()
    times: list[float] = []
    begin = time.perf_counter()
    while len(times) < runs and (len(times) < 3 or time.perf_counter() - begin < seconds):
        start = time.perf_counter()
        run()
        times.append((time.perf_counter() - start) * 1e3)
    return times


def row_of(stem: str, shape: list[int], precision: str, threads: int, version: str, times: list[float],
           arguments: argparse.Namespace) -> dict[str, str]:
    """One row of the output."""
    _, unit, runtime = PROVIDERS[arguments.provider]
    mode = arguments.mode if arguments.mode is not None else f"{threads} threads" if unit == "CPU" else ""
    return {
        "model": stem, "family": arguments.family or stem.split(".")[0],
        "bind": ";".join(f"{name}={size}" for name, size in sorted(arguments.dim.items())),
        "batch": str(shape[0]) if shape else "", "match": "exact", "device": arguments.device,
        "chipset": arguments.chipset, "unit": unit, "runtime": f"onnxruntime {version} {runtime}",
        "precision": arguments.precision or precision, "mode": mode, "metric": "latency_ms",
        "value": f"{min(times):.4f}", "power_w": "", "source": "own-onnxruntime",
        "source_version": datetime.date.today().isoformat(), "trust": "A",
        "note": f"best of {len(times)}; median {statistics.median(times):.4f} ms",
    }


def measure(path: str, arguments: argparse.Namespace) -> list[dict[str, str]]:
    """A row for each number of threads. Raises Failure, or whatever onnx and onnxruntime do."""
    import numpy
    import onnx
    import onnxruntime

    model = onnx.load(path, load_external_data=False)
    total = fill_weights(model, os.path.dirname(path), arguments.seed)
    precision = "fp16" if arguments.fp16 else precision_of(model)
    ids = table_rows(model.graph)
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for threads in arguments.threads:
            session = open_session(model, total, arguments, threads, folder)
            source = numpy.random.default_rng(arguments.seed)
            shapes = {i.name: shape_of(i.name, i.shape, arguments.dim) for i in session.get_inputs()}
            feeds = {i.name: make_input(i.name, i.type, shapes[i.name], ids.get(i.name), source)
                     for i in session.get_inputs()}
            times = time_runs(runner(session, feeds, arguments.provider != "cpu"), arguments.warmup, arguments.runs,
                              arguments.seconds)
            stem = os.path.basename(path).removesuffix(".onnx")
            first = next(iter(shapes.values()), [])
            rows.append(row_of(stem, first, precision, threads, onnxruntime.__version__, times, arguments))
    return rows


def read_rows(path: str) -> list[dict[str, str]]:
    """Rows of an earlier run; none when there is no file. Raises ValueError for one with other columns."""
    if not os.path.exists(path):
        return []
    with open(path, newline="", encoding="utf-8") as file:
        reader = csv.DictReader(file)
        rows = list(reader)
    if tuple(reader.fieldnames or ()) != COLUMNS:
        raise ValueError(f"{path} has other columns than rows of measurements; name another --output")
    return rows


def merge(old: list[dict[str, str]], new: list[dict[str, str]]) -> list[dict[str, str]]:
    """All rows, the new one where both measured the same, ordered by what they measured."""
    rows = {tuple(row[column] for column in SAME): row for row in old + new}
    return [rows[key] for key in sorted(rows)]


def write_rows(path: str, rows: list[dict[str, str]]) -> None:
    """Writes the file whole or not at all."""
    temporary = f"{path}.new"
    with open(temporary, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    os.replace(temporary, path)


def read_dim(text: str) -> tuple[str, int]:
    name, _, size = text.partition("=")
    if not name or not size.isdigit() or int(size) < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not NAME=N with a whole number N")
    return name, int(size)


def positive(text: str) -> int:
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is no whole number of at least 1")
    return int(text)


def read_arguments(words: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="+", metavar="MODEL.onnx")
    parser.add_argument("--device", required=True, help="what to call this machine")
    parser.add_argument("--output", required=True, metavar="FILE.csv", help="rows are added there")
    parser.add_argument("--provider", choices=sorted(PROVIDERS), default="cpu")
    parser.add_argument("--threads", type=positive, action="append", help="of the CPU, repeat for several; default 1")
    parser.add_argument("--dim", type=read_dim, action="append", default=[], metavar="NAME=N",
                        help="size of a symbol or of INPUT.AXIS")
    parser.add_argument("--runs", type=positive, default=30, help="at most, default 30")
    parser.add_argument("--seconds", type=float, default=10, help="no new run after that many, default 10")
    parser.add_argument("--warmup", type=positive, default=3, help="runs that are not timed, default 3")
    parser.add_argument("--fp16", action="store_true", help="let TensorRT compute in fp16")
    parser.add_argument("--precision", help="what to write, default what the file computes in")
    parser.add_argument("--mode", help="power mode to write, default the number of threads on a CPU")
    parser.add_argument("--chipset", default="", help="to write")
    parser.add_argument("--family", help="what is left out together, default the name up to its first dot")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args(words)
    arguments.dim = dict(arguments.dim)
    arguments.threads = arguments.threads or [1]
    return arguments


def main(words: list[str]) -> int:
    arguments = read_arguments(words)
    try:
        import numpy  # noqa: F401
        import onnx  # noqa: F401
        import onnxruntime  # noqa: F401
        rows = read_rows(arguments.output)
    except ImportError as error:
        print(f"measure_onnxruntime: {error}: pip install onnxruntime onnx numpy", file=sys.stderr)
        return 2
    except (OSError, ValueError) as error:
        print(f"measure_onnxruntime: {error}", file=sys.stderr)
        return 2
    measured = failed = 0
    for path in sorted(arguments.models):
        try:
            new = measure(path, arguments)
        except Exception as error:  # one model that the runtime refuses is no reason to lose the others
            print(f"{path}: {' '.join(str(error).split())}", file=sys.stderr)
            failed += 1
            continue
        rows = merge(rows, new)
        write_rows(arguments.output, rows)
        measured += 1
        for row in new:
            print(f"{row['model']}: {row['value']} ms, {row['mode'] or row['runtime']}; {row['note']}")
    return 0 if not failed else 1 if measured else 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
