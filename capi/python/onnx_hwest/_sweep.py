"""Sweeps: many models, targets, modes, precisions and sizes, a row each, here or on a cluster."""

from __future__ import annotations

import concurrent.futures
import contextlib
import ctypes
import hashlib
import json
import mmap
import os
import sys
import threading
import time
from typing import Any, Callable, Dict, Iterable, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

from ._arguments import PathLike, integer
from ._callbacks import Cancel
from ._errors import Cancelled, Error
from ._explore import texts_of
from ._handles import Handle
from ._library import check, library
from ._model import Model, load
from ._reports import report
from ._row_types import SweepRow, TargetInfo
from ._sweep_points import (
    Axes,
    Chunk,
    Result,
    count_points,
    left_out,
    needed,
    packed,
    plan_of,
    run_chunk,
    run_points,
    same,
    schema,
    table_of,
    unpacked,
    write_part,
    written,
)
from ._target import Target, TargetText
from ._weights import without_weights

Source = Union[PathLike, bytes, Model]
Place = Union[PathLike, Target, TargetInfo]
_LISTED = {"target": "targets", "mode": "modes", "precision": "precisions", "batch": "batches", "image_size": "sizes"}
_POINT_NODES = 35_000  # nodes that are analysed in a third of a second or so
_MOST_POINTS = 512     # of a chunk
_CLOSED = ("closing", "closed")  # a client
_MOST_DEATHS = 10      # of workers under one chunk that a process of its own shields
_MOST_REPORTED = 200_000
_MORE_IS_BETTER = ("throughput_per_s", "accelerated_macs_share", "tokens_per_s", "max_context")


class Sweep:
    """Rows of a sweep, in the order of the points; made by sweep(). Unknown is null. Iterating gives SweepRows."""

    def __init__(self, dataset: Any, folder: Optional[str], notes: Sequence[str] = ()) -> None:
        self.dataset = dataset
        """The rows as a pyarrow.dataset.Dataset."""
        self.folder = folder
        """Where its parts are; None = in memory."""
        self.notes = tuple(notes)
        """What was left out of models that it does not fit."""

    def __repr__(self) -> str:
        return f"<onnx_hwest.Sweep of {len(self)} points>"

    def __len__(self) -> int:
        return int(self.dataset.count_rows())

    def __iter__(self) -> Iterator[SweepRow]:
        for batch in self.dataset.to_batches():
            columns = batch.to_pydict()
            for values in zip(*columns.values()):
                yield SweepRow(**dict(zip(columns, values)))

    @property
    def errors(self) -> Any:
        """The points that failed, with code and message, as a pyarrow.Table."""
        return self.dataset.to_table(filter=needed("pyarrow.dataset").field("status") == "error")

    def to_pandas(self) -> Any:
        """Every row as a pandas.DataFrame."""
        return self.dataset.to_table().to_pandas()

    def pareto(self, *figures: str) -> Any:
        """The rows that no other row of the same work (one model, one batch, the same sizes) beats in all of `figures`,
        by default latency_s, energy_j and peak_memory_bytes, as a pyarrow.Table. Leaves out rows with an unknown or
        incomplete figure. More is better for throughput_per_s, accelerated_macs_share, tokens_per_s and max_context."""
        figures = figures or ("latency_s", "energy_j", "peak_memory_bytes")
        known = set(self.dataset.schema.names)
        for figure in figures:
            if figure not in known:
                raise ValueError(f"figure is {figure!r}: use columns of the dataset, such as 'latency_s'")
        table = self.dataset.to_table()
        rows = table.select(list(dict.fromkeys((*figures, "model", "batch", "dims", "size", "status",
                                                "code")))).to_pylist()
        works: Dict[Tuple[Any, ...], List[Tuple[Tuple[float, ...], int]]] = {}
        for index, row in enumerate(rows):
            if row["status"] != "ok" or row["code"] is not None or any(row[figure] is None for figure in figures):
                continue
            costs = tuple(-row[figure] if figure in _MORE_IS_BETTER else row[figure] for figure in figures)
            works.setdefault((row["model"], row["batch"], row["dims"], row["size"]), []).append((costs, index))
        return table.take(sorted(index for points in works.values() for index in _front(points)))

    def report(self, format: str = "text", *, filter: Any = None, top: Optional[int] = None,
               columns: Iterable[str] = ()) -> Union[str, bytes]:
        """The rows as text, json, jsonl, csv, markdown, svg or html; filter: a pyarrow.dataset expression that chooses
        rows, at most 200,000, and the request of the report is what they hold. top: only this many of the fastest
        rows, in text and markdown. columns: for text, csv, markdown and html."""
        count = self.dataset.count_rows(filter=filter)
        if count > _MOST_REPORTED:
            raise ValueError(f"{count} rows are too many for one report: choose some of them with filter")
        lines = "".join(_line(row) for row in self.dataset.to_table(filter=filter).to_pylist()).encode()
        pointer = ctypes.c_void_p()
        check(library().hwest_sweep_from_rows(lines, len(lines), ctypes.byref(pointer)))
        return report("hwest_sweep_report", Handle(pointer.value, library().hwest_sweep_free), format, top=top,
                      columns=columns)

    def _repr_html_(self) -> str:
        return str(self.dataset.head(20).to_pandas()._repr_html_())


def _front(points: List[Tuple[Tuple[float, ...], int]]) -> Iterator[int]:
    """Points on the front: no other point is at least as good in every figure and better in one."""
    front: List[Tuple[float, ...]] = []
    for costs, index in sorted(points):
        if not any(all(a <= b for a, b in zip(other, costs)) and other != costs for other in front):
            front.append(costs)
            yield index


def _line(row: Dict[str, Any]) -> str:
    def members(text: Optional[str], number: Callable[[str], float]) -> Optional[Dict[str, float]]:
        parts = [part.rpartition("=") for part in (text or "").split(";") if part]
        return {name: number(value) for name, _, value in parts}

    shares = {name: members(row[name], float) or None for name in ("units", "bounds")}
    return json.dumps({**row, "dims": members(row["dims"], int), "set": members(row["set"], float), **shares}) + "\n"


class _Loaded(NamedTuple):
    name: str
    data: Optional[bytes]  # without weights, unless it is to be rewritten; None = it cannot be read
    digest: str
    points: int  # of a chunk
    model: Optional[Model]
    why: Optional[str] = None  # it cannot be read, where the library does not find out by itself


def _content(source: Source) -> Tuple[str, Any]:
    """The name and bytes of a model; the bytes may be a mapped file."""
    if isinstance(source, Model):
        return source._name, source._data if source._data is not None else _mapped(source._name)
    if isinstance(source, (bytes, bytearray, memoryview)):
        return "model", source
    name = os.fspath(source)
    return name, _fetched(name) if "://" in name else _mapped(name)


class _Unreachable(Exception):
    """A URL cannot be read, although something is there."""


def _fetched(url: str) -> bytes:
    fsspec = needed("fsspec")
    try:
        with fsspec.open(url, "rb") as file:
            return bytes(file.read())
    except (FileNotFoundError, ImportError):
        raise
    except Exception as error:  # stores have errors of their own
        raise _Unreachable(f"cannot read {url}: {error}") from error


def _mapped(path: str) -> Any:
    with open(path, "rb") as file:
        size = os.fstat(file.fileno()).st_size
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if size else b""


def _loaded(source: Source, name: Optional[str], rewritten: bool) -> _Loaded:
    own = name
    try:
        own, data = _content(source)
        stripped = bytes(data) if rewritten else without_weights(data)
        model = load(stripped, name or own)
        nodes = model.info.nodes
    except (OSError, Error, _Unreachable) as error:
        named = name or own or os.fspath(source)  # type: ignore[arg-type]
        why = str(error) if isinstance(error, _Unreachable) else None
        return _Loaded(str(named), None, "", _MOST_POINTS, None, why)
    chunk = max(1, min(_MOST_POINTS, _POINT_NODES // max(nodes, 1)))
    return _Loaded(name or own, stripped, hashlib.sha256(stripped).hexdigest(), chunk, model)


def _names(what: str, given: Union[str, PathLike, Iterable[Any], None]) -> Tuple[str, ...]:
    if given is None:
        return ()
    if isinstance(given, (str, os.PathLike)):
        given = [given]
    return tuple(os.fspath(name) for name in given)


def _places(given: Union[Place, Iterable[Place]]) -> Tuple[Union[str, TargetText], ...]:
    if isinstance(given, (str, os.PathLike, Target, TargetInfo)):
        given = [given]
    return tuple(place._source if isinstance(place, Target) else place.name if isinstance(place, TargetInfo)
                 else os.fspath(place) for place in given)


def _fitting(loaded: List[_Loaded], axes: Axes) -> Tuple[List[Axes], List[str]]:
    """The axes of each model without what does not fit it, and what was left out."""
    if len(loaded) < 2:
        return [axes] * len(loaded), []
    plan = plan_of([model.name for model in loaded], axes, [model.model for model in loaded])
    by_model = [left_out(plan, i) if model.model else [] for i, model in enumerate(loaded)]
    notes = []
    for what in dict.fromkeys(what for each in by_model for what in each):
        without = [model.name for model, each in zip(loaded, by_model) if what in each]
        notes.append(f"{what} was left out of {', '.join(without)}, where it fits nothing")
    return [axes.without(each) if each else axes for each in by_model], notes


def _dim(name: str, sizes: Any) -> str:
    if isinstance(sizes, str):
        return f"{name}={sizes}"  # "128:2048:x2"
    several = [sizes] if hasattr(sizes, "__index__") else list(sizes)
    return f"{name}={','.join(str(integer('dims', size)) for size in several)}"


def sweep(models: Union[Source, Sequence[Source], Mapping[str, Source]],
          targets: Union[Place, Sequence[Place]], *, modes: Union[str, Sequence[str], None] = None,
          precisions: Union[str, Sequence[str], None] = None, batches: Iterable[int] = (),
          dims: Optional[Mapping[str, Any]] = None, sizes: Iterable[int] = (),
          settings: Optional[Mapping[str, Any]] = None, rewritten: bool = False,
          output: Optional[PathLike] = None, client: Any = None, workers: Optional[int] = None, resume: bool = True,
          progress: Union[bool, Callable[[int, int, int], Any]] = True, **options: Any) -> Sweep:
    """Analyses every combination of the lists, a row each. A point that fails becomes a row that says why. Raises Error
    for lists that make no sense; ImportError without the packages of onnx-hwest[sweep].

    models: paths, fsspec URLs, bytes or Models, or a dict of these by name. They travel without their weights. A
        language model may also be a config.json, a GGUF file or a folder, by its path: its rows have the figures of
        llm().
    targets: names, paths or Targets; "all" = every built-in one. modes: "all" = every mode of each target.
    precisions, batches, sizes: as for Model.analyze(), and height and width of images. dims: {"seq": [128, 256]} or
        {"seq": "128:2048:x2"}. With several models, these, seq_len, shapes and values apply where they fit, see
        Sweep.notes; a name that fits none raises Error.
    settings: figures of the targets: {"sram.size": ["1MB", "2MB"]} or {"npu.clock": "0.5GHz:2GHz:x2"}.
    rewritten: analyse each model after the rewrites that help it at that point; models then travel whole. options:
        what all points share, as for Model.analyze(): only=["gpu"], toolchains={"gpu": "pytorch-eager"}, ...
        output: a folder or fsspec URL for the rows as Parquet, a part for every chunk of neighbouring points, each
        written whole or not at all. None = in memory. resume: keep existing parts.
    client: a distributed.Client, the address of a scheduler, or None for threads here; `workers` is their number, by
        default that of the cores. Rows do not depend on it. On a cluster, another worker reruns the chunk of a lost
        one, and a point that ends its worker becomes a row with that error.
    progress: True shows a line on a terminal; a function is called with (done, failed, all) points.
    """
    needed("pyarrow.dataset")
    if isinstance(models, Mapping):
        named: List[Tuple[Optional[str], Source]] = list(models.items())
    else:
        several: Any = models
        if isinstance(models, (str, bytes, bytearray, memoryview, os.PathLike, Model)):
            several = [models]
        named = [(None, source) for source in several]
    for name in options:
        if name in _LISTED:
            raise TypeError(f"{name} is what a sweep lists: use {_LISTED[name]}")
    axes = Axes(_places(targets), _names("modes", modes), _names("precisions", precisions),
                tuple(integer("batches", batch) for batch in batches),
                tuple(_dim(name, of_name) for name, of_name in (dims or {}).items()),
                tuple(integer("sizes", size) for size in sizes), bool(rewritten), written(options),
                tuple(texts_of(settings or {}).items()))
    count_points(axes)
    loaded = [_loaded(source, name, bool(rewritten)) for name, source in named]
    names = [model.name for model in loaded]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"two models are called {name!r}: hand over a dict with a name for each")
    if not loaded:
        raise ValueError("no model was named: hand over one or more")
    fitting, notes = _fitting(loaded, axes)
    per_model = [count_points(each) for each in fitting]
    chunks = [Chunk(model.name, model.digest, each, first, min(model.points, count - first))
              for model, each, count in zip(loaded, fitting, per_model) for first in range(0, count, model.points)]
    work = _Work(chunks, {model.name: model for model in loaded},
                 os.fspath(output) if output is not None else None, _Progress(sum(per_model), progress))
    sweep = work.run(client, workers, resume)
    sweep.notes = tuple(notes)
    return sweep


class _Progress:
    """The progress so far."""

    def __init__(self, points: int, progress: Union[bool, Callable[[int, int, int], Any]]) -> None:
        self._points, self._done, self._failed = points, 0, 0
        self._tell = progress if callable(progress) else None
        self._shows = progress is True and sys.stderr.isatty()
        self._began, self._kept, self._seen = time.monotonic(), 0, 0.0
        self._lock = threading.Lock()

    def keep(self, points: int) -> None:
        self._kept += points
        self.add(points, 0)

    def add(self, points: int, failed: int) -> None:
        with self._lock:
            self._done += points
            self._failed += failed
            if self._tell:
                self._tell(self._done, self._failed, self._points)
            now = time.monotonic()
            if not self._shows or (now - self._seen < 0.25 and self._done < self._points):
                return
            self._seen = now
            rate = (self._done - self._kept) / max(now - self._began, 1e-9)
            left = self._points - self._done
            to_go = f", {left / rate:.0f} s to go" if rate > 0 else ""
            print(f"\r\x1b[Konnx-hwest: {self._done} of {self._points} points done, {self._failed} failed, {left} "
                  f"left, "
                  f"{rate:.0f} points/s{to_go}", end="", file=sys.stderr, flush=True)

    def end(self) -> None:
        if self._shows:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)

    def interrupted(self, keeps: bool) -> None:
        self.end()
        how = "the same call goes on" if keeps else "name an output to be able to go on later"
        print(f"onnx-hwest: interrupted after {self._done} of {self._points} points: {how}", file=sys.stderr)


class _Work:
    """The chunks to run, and their rows."""

    def __init__(self, chunks: List[Chunk], loaded: Dict[str, _Loaded], folder: Optional[str],
                 progress: _Progress) -> None:
        self._chunks, self._loaded, self._folder, self._progress = chunks, loaded, folder, progress
        self._models = {name: model.data for name, model in loaded.items()}
        self._tables: List[Any] = [None] * len(chunks)

    def run(self, client: Any, workers: Optional[int], resume: bool) -> Sweep:
        there = self._parts() if resume else set()
        left = []
        for i, chunk in enumerate(self._chunks):
            if chunk.part() in there:
                self._progress.keep(chunk.count)
            else:
                left.append(i)
        try:
            # A model that cannot be read here makes error rows here.
            for i in [i for i in left if self._models[self._chunks[i].name] is None]:
                self._take(i, run_chunk(self._chunks[i], None, self._folder,
                                        failed=self._loaded[self._chunks[i].name].why))
            ready = [i for i in left if self._models[self._chunks[i].name] is not None]
            if client is None:
                self._run_here(ready, workers)
            else:
                self._run_there(ready, client)
        except KeyboardInterrupt:
            self._progress.interrupted(self._folder is not None)
            raise
        except BaseException:
            self._progress.end()
            raise
        self._progress.end()
        return Sweep(self._dataset(), self._folder)

    def _take(self, i: int, result: Result) -> None:
        points, failed, _, table = result
        self._tables[i] = table
        self._progress.add(points, failed)

    def _run_here(self, left: List[int], workers: Optional[int]) -> None:
        count = integer("workers", workers) if workers is not None else os.cpu_count() or 1
        cancel = Cancel()

        def one(i: int) -> None:
            if not cancel.requested:
                chunk = self._chunks[i]
                with contextlib.suppress(Cancelled):
                    self._take(i, run_chunk(chunk, self._models[chunk.name], self._folder, cancel=cancel))

        with concurrent.futures.ThreadPoolExecutor(count) as pool:
            futures = [pool.submit(one, i) for i in left]
            try:
                for future in concurrent.futures.as_completed(futures):
                    future.result()
            except BaseException:
                cancel.request()
                for future in futures:
                    future.cancel()
                raise

    def _run_there(self, left: List[int], client: Any) -> None:
        distributed = needed("distributed")
        own = distributed.Client(client) if isinstance(client, str) else None
        client = own or client
        try:
            _Cluster(distributed, client, self._chunks, self._models, self._folder, self._take).run(left)
        finally:
            if own is not None:
                own.close()

    def _files(self) -> Tuple[Any, str]:
        """The file system and folder of the output."""
        assert self._folder is not None
        if "://" in self._folder:
            files, root = needed("fsspec").core.url_to_fs(self._folder)
            return files, root
        return None, self._folder

    def _parts(self) -> Any:
        if self._folder is None:
            return set()
        files, root = self._files()
        if files is None:
            return set(os.listdir(root)) if os.path.isdir(root) else set()
        files.invalidate_cache()
        return {path.rpartition("/")[2] for path in files.ls(root, detail=False)} if files.exists(root) else set()

    def _dataset(self) -> Any:
        dataset, arrow = needed("pyarrow.dataset"), needed("pyarrow")
        if self._folder is None:
            return dataset.dataset(arrow.concat_tables(map(unpacked, self._tables)))
        there = self._parts()
        missing = [chunk.part() for chunk in self._chunks if chunk.part() not in there]
        if missing:
            raise OSError(f"{len(missing)} parts are not in {self._folder} as seen from here, such as {missing[0]}: "
                          "choose an output that the workers and this machine share")
        files, root = self._files()
        return dataset.dataset([f"{root}/{chunk.part()}" for chunk in self._chunks], filesystem=files, format="parquet",
                               schema=schema())


class _Cluster:
    """Chunks on the workers of a distributed.Client."""

    def __init__(self, distributed: Any, client: Any, chunks: List[Chunk], models: Dict[str, Optional[bytes]],
                 folder: Optional[str], take: Callable[[int, Result], None]) -> None:
        self._distributed, self._client, self._chunks, self._models = distributed, client, chunks, models
        self._folder = folder
        if folder is not None and "://" not in folder:
            self._folder = os.path.abspath(folder)  # workers have folders of their own
        self._take = take
        self._sent: Dict[str, Any] = {}
        self._deaths: Dict[int, int] = {}

    def run(self, left: List[int]) -> None:
        """Keeps only a few chunks per thread waiting at the scheduler, so that losing a worker loses few."""
        waiting = list(reversed(left))
        at_work: Dict[str, int] = {}
        done = self._distributed.as_completed()
        try:
            while waiting or at_work:
                threads = self._threads() if len(at_work) % 8 == 0 else 0
                while waiting and (len(at_work) < max(2, 3 * threads)):
                    self._submit(waiting.pop(), at_work, done)
                future = next(done)
                i = at_work.pop(future.key)
                if future.status == "error" and isinstance(future.exception(), self._distributed.KilledWorker):
                    self._killed(i, at_work, done)
                elif future.status == "error":
                    future.result()  # raises what the worker did
                else:
                    with self._asking():
                        result = future.result()
                    self._take(i, result)
        finally:
            if self._client.status not in _CLOSED:
                self._client.cancel([*(future for future in done.futures), *self._sent.values()])

    @contextlib.contextmanager
    def _asking(self) -> Iterator[None]:
        """Wraps client calls that raise no worker's error: if one fails, the connection is lost."""
        try:
            yield
        except Exception as error:
            if not isinstance(error,
                              (OSError, concurrent.futures.CancelledError)) and self._client.status not in _CLOSED:
                raise
            how = "the same call goes on" if self._folder is not None else "name an output to be able to go on later"
            raise ConnectionError(f"the scheduler was lost, or others cancelled the sweep there: {how}") from error

    def _threads(self) -> int:
        with self._asking():
            return sum(self._client.nthreads().values())

    def _submit(self, i: int, at_work: Dict[str, int], done: Any) -> None:
        chunk = self._chunks[i]
        deaths = self._deaths.get(i, 0)
        with self._asking():
            if chunk.name not in self._sent:
                self._sent = {chunk.name: self._client.submit(same, self._models[chunk.name], pure=False)}
            # The scheduler reruns a task when its worker is lost, but does not restore scattered data.
            future = self._client.submit(run_chunk, chunk, self._sent[chunk.name], self._folder, deaths > 0, pure=False,
                                         retries=2, key=f"onnx-hwest-{i}-{deaths}-{id(self):x}")
        at_work[future.key] = i
        done.add(future)

    def _killed(self, i: int, at_work: Dict[str, int], done: Any) -> None:
        """Several workers ended while they ran a chunk; the cause may be that chunk or one beside it."""
        self._deaths[i] = self._deaths.get(i, 0) + 1
        if self._deaths[i] <= _MOST_DEATHS:
            self._submit(i, at_work, done)
            return
        chunk = self._chunks[i]
        rows = run_points(chunk, None, chunk.first, chunk.count, "every worker that this point was given to was lost")
        table = table_of(rows)
        if self._folder is not None:
            write_part(self._folder, chunk.part(), table)
        self._take(i, (len(rows), len(rows), 0.0, packed(table) if self._folder is None else None))
