"""Points of a sweep on the machine that runs them."""

from __future__ import annotations

import collections
import ctypes
import functools
import hashlib
import importlib
import json
import os
import pickle
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Tuple

from . import _abi
from ._arguments import structure, words
from ._callbacks import Callbacks, Cancel
from ._handles import Handle
from ._library import check, encode, library, library_version
from ._model import Model, load
from ._row_types import SweepRow
from ._rows import read_rows

Row = Dict[str, Any]
Result = Tuple[int, int, float, Optional[bytes]]
_MOST_MODELS = 8  # that one process keeps loaded
_models: "collections.OrderedDict[str, Model]" = collections.OrderedDict()
_models_lock = threading.Lock()


def needed(name: str) -> Any:
    """A package of onnx-hwest[sweep]."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise ImportError(f"a sweep needs {name.partition('.')[0]}: pip install 'onnx-hwest[sweep]'") from error


@dataclass(frozen=True)
class Axes:
    """What every model of a sweep is run over."""

    targets: Tuple[str, ...]
    modes: Tuple[str, ...]
    precisions: Tuple[str, ...]
    batches: Tuple[int, ...]
    dims: Tuple[str, ...]
    sizes: Tuple[int, ...]


@dataclass(frozen=True)
class Chunk:
    """Neighbouring points of one model."""

    name: str
    digest: str  # of the model without its weights; "" = it cannot be read
    axes: Axes
    first: int
    count: int

    def part(self) -> str:
        """The name of the file that holds its rows: another one for other points, models, targets or versions."""
        files = [hashlib.sha256(open(target, "rb").read()).hexdigest()
                 for target in self.axes.targets if os.path.isfile(target)]
        axes = self.axes
        points = [library_version(), self.name, self.digest, axes.targets, files, axes.modes, axes.precisions,
                  axes.batches, axes.dims, axes.sizes, self.first, self.count]
        return f"part-{hashlib.sha256(json.dumps(points).encode()).hexdigest()[:24]}.parquet"


@functools.lru_cache(maxsize=16)
def _plan(name: str, axes: Axes) -> Handle:
    """The points of one model; made once in this process, because that looks at every target."""
    lists = structure(
        _abi.hwest_sweep_lists, models=words("models", [name]), targets=words("targets", axes.targets),
        modes=words("modes", axes.modes), precisions=words("precisions", axes.precisions),
        batches=(ctypes.c_int64 * len(axes.batches))(*axes.batches), batch_count=len(axes.batches),
        dims=words("dims", axes.dims), sizes=(ctypes.c_int64 * len(axes.sizes))(*axes.sizes), size_count=len(axes.sizes))
    pointer = ctypes.c_void_p()
    check(library().hwest_sweep_plan_create(ctypes.byref(lists), ctypes.byref(pointer)))
    return Handle(pointer.value, library().hwest_sweep_plan_free)


def count_points(axes: Axes) -> int:
    """Points of one model. Raises Error for lists that make no sense."""
    return int(library().hwest_sweep_plan_points(_plan("model", axes).pointer))


def run_points(chunk: Chunk, model: Optional[Model], first: int, count: int, failed: Optional[str] = None,
               cancel: Optional[Cancel] = None) -> List[Row]:
    """Rows of some points of the chunk's model; with `failed` of points that cannot be run."""
    callbacks, pointer, plan = Callbacks(cancel=cancel), ctypes.c_void_p(), _plan(chunk.name, chunk.axes)
    loaded = (ctypes.c_void_p * 1)(model._open().pointer if model else None)
    options = structure(_abi.hwest_sweep_options, loaded=loaded, loaded_count=1, first=first, count=count,
                        failed=encode(failed), cancel=callbacks.cancel)
    callbacks.check(library().hwest_sweep_run(plan.pointer, ctypes.byref(options), ctypes.byref(pointer)))
    sweep = Handle(pointer.value, library().hwest_sweep_free)
    rows = read_rows(SweepRow, _abi.hwest_sweep_row, "hwest_sweep_row", sweep.pointer)
    return [{**vars(row), "pareto": None} for row in rows]  # a chunk knows nothing of other rows


def model_of(chunk: Chunk, data: Optional[bytes]) -> Optional[Model]:
    """The model of a chunk, loaded once in this process while it is among the last ones; None = it cannot be read."""
    if data is None:
        return None
    key = f"{chunk.digest} {chunk.name}"
    with _models_lock:
        model = _models.pop(key, None) or load(data, chunk.name)
        _models[key] = model
        while len(_models) > _MOST_MODELS:
            _models.popitem(last=False)
    return model


def guarded_points(chunk: Chunk, data: Optional[bytes]) -> List[Row]:
    """As run_points() of the whole chunk in a process of its own; a point that ends it becomes an error row."""
    rows: List[Row] = []
    while len(rows) < chunk.count:
        child = subprocess.Popen([sys.executable, "-m", "onnx_hwest._sweep_child"], stdin=subprocess.PIPE,
                                 stdout=subprocess.PIPE)
        assert child.stdin is not None and child.stdout is not None
        try:
            pickle.dump((chunk, data, len(rows)), child.stdin)
            child.stdin.close()
            while len(rows) < chunk.count:
                rows.append(pickle.load(child.stdout))
        except (EOFError, BrokenPipeError, pickle.UnpicklingError):
            pass
        finally:
            child.stdout.close()
            code = child.wait()
        if len(rows) < chunk.count:
            how = f"was killed by signal {-code}" if code < 0 else f"ended with status {code}"
            rows += run_points(chunk, model_of(chunk, data), chunk.first + len(rows), 1,
                               f"the process that ran this point {how}")
    return rows


def schema() -> Any:
    """The columns of every part: those of a CSV of the verb `sweep`."""
    pyarrow = needed("pyarrow")
    whole = ("batch", "size", "peak_memory_bytes", "macs", "flops", "moved_bytes", "segments", "groups")
    truths = ("rewritten", "pareto")
    texts = ("model", "sha256", "target", "mode", "precision", "dims", "status", "code", "message", "grade", "units")

    def type_of(name: str) -> Any:
        if name in whole:
            return pyarrow.int64()
        return pyarrow.bool_() if name in truths else pyarrow.string() if name in texts else pyarrow.float64()

    return pyarrow.schema([(name, type_of(name)) for name in SweepRow.__dataclass_fields__])


def table_of(rows: List[Row]) -> Any:
    columns = schema()
    return needed("pyarrow").table({name: [row[name] for row in rows] for name in columns.names}, schema=columns)


def packed(table: Any) -> bytes:
    """A table for another process."""
    pyarrow = needed("pyarrow")
    buffer = pyarrow.BufferOutputStream()
    with pyarrow.ipc.new_stream(buffer, table.schema) as stream:
        stream.write_table(table)
    return bytes(buffer.getvalue().to_pybytes())


def unpacked(data: bytes) -> Any:
    return needed("pyarrow").ipc.open_stream(data).read_all()


def write_part(folder: str, name: str, table: Any) -> None:
    """The whole file or none."""
    parquet = needed("pyarrow.parquet")
    if "://" in folder:
        files, root = needed("fsspec").core.url_to_fs(folder)
        buffer = needed("pyarrow").BufferOutputStream()
        parquet.write_table(table, buffer, compression="zstd")
        files.makedirs(root, exist_ok=True)
        files.pipe_file(f"{root}/{name}", buffer.getvalue().to_pybytes())  # one request, so whole or not at all
        return
    os.makedirs(folder, exist_ok=True)
    unfinished = os.path.join(folder, f".{name}.{os.getpid()}.{threading.get_ident()}.tmp")
    try:
        parquet.write_table(table, unfinished, compression="zstd")
        os.replace(unfinished, os.path.join(folder, name))
    except BaseException:
        if os.path.exists(unfinished):
            os.unlink(unfinished)
        raise


def run_chunk(chunk: Chunk, data: Optional[bytes], folder: Optional[str], guarded: bool = False,
              cancel: Optional[Cancel] = None, failed: Optional[str] = None) -> Result:
    """Runs a chunk, or with `failed` says why it cannot be run, and writes its part. (points, errors, seconds, the table,
    packed, when there is no folder)"""
    began = time.perf_counter()
    rows = (guarded_points(chunk, data) if guarded else
            run_points(chunk, model_of(chunk, data), chunk.first, chunk.count, failed, cancel=cancel))
    table = table_of(rows)
    if folder is not None:
        write_part(folder, chunk.part(), table)
    errors = sum(row["status"] != "ok" for row in rows)
    return len(rows), errors, time.perf_counter() - began, packed(table) if folder is None else None


def same(data: Any) -> Any:
    return data
