"""Boards that hold a number of streams."""

from __future__ import annotations

import ctypes
from typing import Any, Iterable, Optional, Sequence, Union

from ._arguments import PathLike, path
from ._callbacks import Callbacks, Cancel, Progress
from ._formats import TableFormat
from ._handles import Handle
from ._library import library
from ._reports import Result, text_report
from ._structs import fit_options
from ._tables import BoardsTables


class Boards(BoardsTables, Result):
    """Boards with the streams that they hold; made by fit()."""

    def __init__(self, pointer: Any) -> None:
        super().__init__(Handle(pointer, library().hwest_boards_free))

    def report(self, format: TableFormat = "text") -> str:
        """As text, json, csv or markdown."""
        return self._saved(format) or text_report("hwest_boards_report", self._open(), format)

    def _repr_html_(self) -> str:
        return self.rows._repr_html_()


def _texts(values: Union[str, Iterable[str]]) -> Sequence[str]:
    return [values] if isinstance(values, str) else list(values)


def fit(models: Union[PathLike, Iterable[PathLike]], targets: Union[str, Iterable[str]] = "edge", *, streams: int = 0,
        rate: Optional[str] = None, deadline: Optional[str] = None, max_power: Optional[str] = None,
        modes: Union[str, Iterable[str]] = (), precisions: Union[str, Iterable[str]] = (), batches: Sequence[int] = (),
        stages: Union[str, Iterable[str]] = (), prices: Optional[PathLike] = None, host: Optional[str] = None,
        threads: Optional[int] = None, progress: Optional[Progress] = None, cancel: Optional[Cancel] = None) -> Boards:
    """Which boards hold a number of streams of one model or of several, in which mode, precision and batch, and how
    many streams each holds. Raises Error; Cancelled when `cancel` asks for it.

    models: paths, with "=10FPS" behind one that runs at a rate of its own. streams: 0 = as many as a board holds.
    rate: of each stream, "30FPS" by default. stages: before and behind the models, as --pre and --post take them.
    prices: a CSV of target and price, which boards are then ordered by. The others are as the flags of `fit`.
    """
    files = [models] if isinstance(models, (str, bytes)) or hasattr(models, "__fspath__") else list(models)
    callbacks, pointer = Callbacks(progress, cancel=cancel), ctypes.c_void_p()
    asked = fit_options(models=[path("models", file).decode("utf-8", "surrogateescape") for file in files],
                        targets=_texts(targets), modes=_texts(modes), precisions=_texts(precisions), batches=batches,
                        streams=streams, rate=rate, deadline=deadline, max_power=max_power, stages=_texts(stages),
                        prices=prices, host=host, threads=threads)
    callbacks.check(library().hwest_boards_create(ctypes.byref(asked), ctypes.byref(callbacks.watch()),
                                                  ctypes.byref(pointer)))
    return Boards(pointer.value)
