"""Studies: predictions compared with measurements, and targets fitted to them."""

from __future__ import annotations

import ctypes
import os
from functools import cached_property
from typing import Any, Optional, Union

from ._arguments import PathLike
from ._callbacks import Callbacks, Cancel, Progress
from ._formats import TableFormat, ValidationFormat
from ._handles import Handle
from ._library import decode, library
from ._reports import Result, text_report
from ._structs import calibrate_options, validate_options
from ._tables import CalibrationTables, ValidationTables
from ._target import Target


class Validation(ValidationTables, Result):
    """How far predictions are from measurements; made by validate()."""

    def __init__(self, pointer: Any) -> None:
        super().__init__(Handle(pointer, library().hwest_validation_free))

    def report(self, format: ValidationFormat = "text", *, top: Optional[int] = None) -> str:
        """As text, json, csv, markdown or svg; top: number of points listed, furthest off first, 0 for all."""
        return self._saved(format) or text_report("hwest_validation_report", self._open(), format, top=top)

    def _repr_html_(self) -> str:
        return self.pools._repr_html_()


class Calibration(CalibrationTables, Result):
    """A target, or a family of them, fitted to measurements; made by calibrate()."""

    def __init__(self, pointer: Any) -> None:
        super().__init__(Handle(pointer, library().hwest_calibration_free))

    @cached_property
    def target_text(self) -> str:
        """Text of the fitted target file."""
        return decode(library().hwest_calibration_target_text(self._open().pointer)) or ""

    def save(self, path: PathLike) -> None:
        """Writes target_text to a .textproto file, whose path then names a target."""
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

    measurements: CSV file. models: folder of the models its rows name, or several ("a, b"). target: predicts every row
    on this one.
    leave_out: "none", "family", "device", "source" or "family,device": predict each with targets fitted without it.
    """
    callbacks, pointer = Callbacks(progress, cancel=cancel), ctypes.c_void_p()
    loaded = target._open() if isinstance(target, Target) else None
    options = validate_options(
        leave_out=leave_out, measurements=measurements, models=models,
        target=None if isinstance(target, Target) else target, loaded=loaded,
        progress=callbacks.progress, cancel=callbacks.cancel, threads=threads)
    callbacks.check(library().hwest_validate(ctypes.byref(options), ctypes.byref(pointer)))
    return Validation(pointer.value)


def calibrate(measurements: PathLike, models: PathLike, target: PathLike, *, threads: Optional[int] = None,
              progress: Optional[Progress] = None, cancel: Optional[Cancel] = None) -> Calibration:
    """Fits a target (name or path), or a family of built-in ones, to measured figures. Raises as validate()."""
    callbacks, pointer = Callbacks(progress, cancel=cancel), ctypes.c_void_p()
    options = calibrate_options(threads=threads, measurements=measurements, models=models, target=target,
                                progress=callbacks.progress, cancel=callbacks.cancel)
    callbacks.check(library().hwest_calibrate(ctypes.byref(options), ctypes.byref(pointer)))
    return Calibration(pointer.value)
