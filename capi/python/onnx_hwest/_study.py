"""Studies: predictions beside measurements, and targets fitted to them."""

from __future__ import annotations

import ctypes
import os
from functools import cached_property
from typing import Any, Optional, Union

from . import _abi
from ._arguments import PathLike, choose, count, path, structure
from ._callbacks import Callbacks, Cancel, Progress
from ._handles import Handle
from ._library import decode, library
from ._reports import Result, TableFormat, ValidationFormat, text_report
from ._row_types import Accuracy, Fit, Point, Skipped
from ._rows import Rows, read_rows
from ._target import Target

_LEAVE_OUT = {
    "none": _abi.HWEST_LEAVE_OUT_NONE,
    "family": _abi.HWEST_LEAVE_OUT_FAMILY,
    "device": _abi.HWEST_LEAVE_OUT_DEVICE,
    "source": _abi.HWEST_LEAVE_OUT_SOURCE,
    "family,device": _abi.HWEST_LEAVE_OUT_FAMILY_DEVICE,
}


class Validation(Result):
    """How far predictions are from measurements; made by validate()."""

    def __init__(self, pointer: Any) -> None:
        super().__init__(Handle(pointer, library().hwest_validation_free))

    def _rows(self, row_type: Any, struct: Any, table: str) -> Rows[Any]:
        return read_rows(row_type, struct, f"hwest_validation_{table}", self._open().pointer)

    @cached_property
    def pools(self) -> Rows[Accuracy]:
        """Errors by kind of machine."""
        return self._rows(Accuracy, _abi.hwest_accuracy, "pool")

    @cached_property
    def devices(self) -> Rows[Accuracy]:
        """Errors by device and way of measuring."""
        return self._rows(Accuracy, _abi.hwest_accuracy, "device")

    @cached_property
    def points(self) -> Rows[Point]:
        """Measurements and predictions."""
        return self._rows(Point, _abi.hwest_point, "point")

    @cached_property
    def skipped(self) -> Rows[Skipped]:
        """Rows that were passed over, by reason."""
        return self._rows(Skipped, _abi.hwest_skipped, "skipped")

    def report(self, format: ValidationFormat = "text", *, top: Optional[int] = None) -> str:
        """As text, json, csv, markdown or svg; top: points furthest off that are listed, 0 for all."""
        return self._saved(format) or text_report("hwest_validation_report", self._open(), format, top=top)

    def _repr_html_(self) -> str:
        return self.pools._repr_html_()


class Calibration(Result):
    """A target, or a family of them, fitted to measurements; made by calibrate()."""

    def __init__(self, pointer: Any) -> None:
        super().__init__(Handle(pointer, library().hwest_calibration_free))

    def _rows(self, row_type: Any, struct: Any, table: str) -> Rows[Any]:
        return read_rows(row_type, struct, f"hwest_calibration_{table}", self._open().pointer)

    @cached_property
    def fits(self) -> Rows[Fit]:
        """The fitted figures."""
        return self._rows(Fit, _abi.hwest_fit, "fit")

    @cached_property
    def before(self) -> Rows[Accuracy]:
        """Errors without the fit."""
        return self._rows(Accuracy, _abi.hwest_accuracy, "before")

    @cached_property
    def after(self) -> Rows[Accuracy]:
        """Errors of each family of models by a fit to the others."""
        return self._rows(Accuracy, _abi.hwest_accuracy, "after")

    @cached_property
    def skipped(self) -> Rows[Skipped]:
        """Rows that were passed over, by reason."""
        return self._rows(Skipped, _abi.hwest_skipped, "skipped")

    @cached_property
    def target_text(self) -> str:
        """Text of the target file with what was found."""
        return decode(library().hwest_calibration_target_text(self._open().pointer)) or ""

    def save(self, path: PathLike) -> None:
        """Writes target_text to a .textproto file, to be named as a target."""
        with open(os.fspath(path), "w", encoding="utf-8") as file:
            file.write(self.target_text)

    def report(self, format: TableFormat = "text") -> str:
        """As text, json, csv or markdown."""
        return self._saved(format) or text_report("hwest_calibration_report", self._open(), format)

    def _repr_html_(self) -> str:
        return self.fits._repr_html_()


def validate(measurements: PathLike, models: PathLike, target: Union[PathLike, Target, None] = None, *,
             leave_out: str = "none", threads: Optional[int] = None, progress: Optional[Progress] = None,
             cancel: Optional[Cancel] = None) -> Validation:
    """Predicts measured figures. Raises Error; Cancelled when `progress` returns False or `cancel` asks for it.

    measurements: CSV file. models: folder of the models its rows name. target: predicts every row on this one.
    leave_out: "none", "family", "device", "source" or "family,device": predict by targets that were fitted without it.
    """
    callbacks, pointer = Callbacks(progress, cancel=cancel), ctypes.c_void_p()
    loaded = target._open() if isinstance(target, Target) else None
    options = structure(
        _abi.hwest_validate_options,
        leave_out=choose("leave_out", leave_out, _LEAVE_OUT),
        measurements=path("measurements", measurements),
        models=path("models", models),
        target=None if target is None or isinstance(target, Target) else path("target", target),
        loaded=loaded.pointer if loaded else None,
        progress=callbacks.progress,
        cancel=callbacks.cancel,
        threads=count("threads", threads),
    )
    callbacks.check(library().hwest_validate(ctypes.byref(options), ctypes.byref(pointer)))
    return Validation(pointer.value)


def calibrate(measurements: PathLike, models: PathLike, target: PathLike, *, threads: Optional[int] = None,
              progress: Optional[Progress] = None, cancel: Optional[Cancel] = None) -> Calibration:
    """Fits a target (name or path), or a family of built-in ones, to measured figures. Raises as validate()."""
    callbacks, pointer = Callbacks(progress, cancel=cancel), ctypes.c_void_p()
    options = structure(
        _abi.hwest_calibrate_options,
        threads=count("threads", threads),
        measurements=path("measurements", measurements),
        models=path("models", models),
        target=path("target", target),
        progress=callbacks.progress,
        cancel=callbacks.cancel,
    )
    callbacks.check(library().hwest_calibrate(ctypes.byref(options), ctypes.byref(pointer)))
    return Calibration(pointer.value)
