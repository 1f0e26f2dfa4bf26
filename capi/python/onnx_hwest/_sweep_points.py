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
import typing
from dataclasses import dataclass, replace
from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

from . import _abi
from ._arguments import contents
from ._callbacks import Callbacks, Cancel
from ._handles import Handle
from ._library import check, decode, library, library_version
from ._model import Model, load
from ._options import options_of
from ._row_types import SweepRow
from ._rows import read_rows
from ._structs import sweep_lists, sweep_options
from ._target import TargetText

Row = Dict[str, Any]
Result = Tuple[int, int, float, Optional[bytes]]
_MOST_MODELS = 8  # that one process keeps loaded
_models: collections.OrderedDict[str, Model] = collections.OrderedDict()
_models_lock = threading.Lock()


def needed(name: str) -> Any:
    """Imports a package of onnx-hwest[sweep]."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise ImportError(f"a sweep needs {name.partition('.')[0]}: pip install 'onnx-hwest[sweep]'") from error


@dataclass(frozen=True)
class Axes:
    """The axes of a sweep's model, and the options that its points share."""

    targets: Tuple[Union[str, TargetText], ...]
    modes: Tuple[str, ...]
    precisions: Tuple[str, ...]
    batches: Tuple[int, ...]
    dims: Tuple[str, ...]
    sizes: Tuple[int, ...]
    rewritten: bool
    options: str  # of Model.analyze(), as JSON
    settings: Tuple[Tuple[str, str], ...] = ()

    def without(self, left_out: Sequence[str]) -> Axes:
        """A copy without what does not fit a model, as hwest_sweep_plan_left_out() names it."""
        options = json.loads(self.options)
        options.pop("seq_len" if "seq_len" in left_out else "", None)
        shapes = options.get("shapes", {})
        values = options.get("values", {})
        return replace(
            self, sizes=() if "sizes" in left_out else self.sizes,
            dims=tuple(dim for dim in self.dims if "dims=" + dim.rpartition("=")[0] not in left_out),
            options=json.dumps({
                **options, "shapes": {name: shape for name, shape in shapes.items()
                                      if _named("shapes", name) not in left_out},
                "values": {name: text for name, text in values.items() if f"values={name}={text}" not in left_out}}))

    def files(self) -> List[str]:
        """Hashes of the named files."""
        options = json.loads(self.options)
        named = [*self.targets, options.get("host"), *options.get("toolchains", {}).values()]
        digests = []
        for name in named:
            if isinstance(name, str) and os.path.isfile(name):
                with open(name, "rb") as file:
                    digests.append(hashlib.sha256(file.read()).hexdigest())
        return digests


def _named(option: str, name: str) -> str:
    return f"{option}={name}" if name else option


def written(options: Dict[str, Any]) -> str:
    """Options of Model.analyze() as JSON."""
    def plain(value: Any) -> Any:
        return os.fspath(value) if isinstance(value, os.PathLike) else list(value)

    values = {name: contents(value) for name, value in (options.get("values") or {}).items()}
    return json.dumps({**options, **({"values": values} if values else {})}, default=plain)


@dataclass(frozen=True)
class Chunk:
    """Neighbouring points of one model."""

    name: str
    digest: str  # of the model, without its weights unless it is rewritten; "" = it cannot be read
    axes: Axes
    first: int
    count: int

    def part(self) -> str:
        """The name of the file for its rows; it differs for other points, models, targets or versions."""
        axes = self.axes
        targets = [target if isinstance(target, str) else [target.name, hashlib.sha256(target.text).hexdigest()]
                   for target in axes.targets]
        points = [library_version(), self.name, self.digest, targets, axes.files(), axes.modes, axes.precisions,
                  axes.batches, axes.dims, axes.sizes, axes.rewritten, axes.options, axes.settings, self.first,
                  self.count]
        return f"part-{hashlib.sha256(json.dumps(points).encode()).hexdigest()[:24]}.parquet"


def plan_of(names: Sequence[str], axes: Axes, models: Sequence[Optional[Model]] = ()) -> Handle:
    """The points of models; the loaded ones, `models`, decide what fits which. Raises Error for senseless lists."""
    targets = [target.parse() if isinstance(target, TargetText) else None for target in axes.targets]
    asked = options_of(None, None, Callbacks(), **json.loads(axes.options))
    lists = sweep_lists(
        models=names, targets=[getattr(target, "name", target) for target in axes.targets], modes=axes.modes,
        precisions=axes.precisions, batches=axes.batches, dims=axes.dims, sizes=axes.sizes, rewritten=axes.rewritten,
        settings=dict(axes.settings),
        options=ctypes.pointer(asked), loaded=_handles(models), loaded_count=len(models),
        loaded_targets=_handles(targets))
    pointer = ctypes.c_void_p()
    check(library().hwest_sweep_plan_create(ctypes.byref(lists), ctypes.byref(pointer)))
    return Handle(pointer.value, library().hwest_sweep_plan_free)


def _handles(owners: Sequence[Any]) -> Any:
    return (ctypes.c_void_p * len(owners))(*(owner._open().pointer if owner else None for owner in owners))


@functools.lru_cache(maxsize=16)
def _plan(name: str, axes: Axes) -> Handle:
    """The points of one model; made only once in this process, because that visits every target."""
    return plan_of([name], axes)


def count_points(axes: Axes) -> int:
    """Points of one model. Raises Error for lists that make no sense."""
    return int(library().hwest_sweep_plan_points(_plan("model", axes).pointer))


def left_out(plan: Handle, model: int) -> List[str]:
    texts = library().hwest_sweep_plan_left_out(plan.pointer, model)
    found: List[str] = []
    while texts[len(found)] is not None:
        found.append(decode(texts[len(found)]) or "")
    return found


def run_points(chunk: Chunk, model: Optional[Model], first: int, count: int, failed: Optional[str] = None,
               cancel: Optional[Cancel] = None) -> List[Row]:
    """Rows of some points of the chunk's model; with `failed`, error rows for points that cannot run."""
    callbacks, pointer, plan = Callbacks(cancel=cancel), ctypes.c_void_p(), _plan(chunk.name, chunk.axes)
    data = model._data if model is not None else None  # that rewriting reads once more
    options = sweep_options(loaded=_handles([model]), loaded_count=1, first=first, count=count, failed=failed,
                            cancel=callbacks.cancel, data=(ctypes.c_char_p * 1)(data),
                            data_sizes=(ctypes.c_uint64 * 1)(len(data or b"")))
    callbacks.check(library().hwest_sweep_run(plan.pointer, ctypes.byref(options), ctypes.byref(pointer)))
    sweep = Handle(pointer.value, library().hwest_sweep_free)
    rows = read_rows(SweepRow, _abi.hwest_sweep_row, "hwest_sweep_row", sweep.pointer)
    return [{**vars(row), "pareto": None} for row in rows]  # a chunk knows nothing of other rows


def model_of(chunk: Chunk, data: Optional[bytes]) -> Optional[Model]:
    """The model of a chunk; this process keeps the most recent ones loaded. None = it cannot be read."""
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
    """Like run_points() for the whole chunk, in a separate process; a point that ends it becomes an error row."""
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
    """The columns of every part: those of the verb `sweep` in CSV."""
    pyarrow = needed("pyarrow")
    types = {bool: pyarrow.bool_(), int: pyarrow.int64(), float: pyarrow.float64(), str: pyarrow.string()}

    def type_of(hint: Any) -> Any:
        # A sweep binds all sizes, so a count is a number.
        return next(types[each] for each in types if each in (typing.get_args(hint) or (hint,)))

    return pyarrow.schema([(name, type_of(hint)) for name, hint in typing.get_type_hints(SweepRow).items()])


def table_of(rows: List[Row]) -> Any:
    columns = schema()
    return needed("pyarrow").table({name: [row[name] for row in rows] for name in columns.names}, schema=columns)


def packed(table: Any) -> bytes:
    """Serialises a table for another process."""
    pyarrow = needed("pyarrow")
    buffer = pyarrow.BufferOutputStream()
    with pyarrow.ipc.new_stream(buffer, table.schema) as stream:
        stream.write_table(table)
    return bytes(buffer.getvalue().to_pybytes())


def unpacked(data: bytes) -> Any:
    return needed("pyarrow").ipc.open_stream(data).read_all()


def write_part(folder: str, name: str, table: Any) -> None:
    """Writes the whole file or none."""
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
    """Runs a chunk, or with `failed` records why it cannot run, and writes its part. Returns (points, errors, seconds,
    the packed table if there is no folder)."""
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
