"""Targets: listed, loaded, described, checked."""

from __future__ import annotations

import ctypes
import os
from dataclasses import dataclass
from typing import Any, Union

from . import _abi
from ._arguments import PathLike, path
from ._arguments import text as text_of
from ._formats import TableFormat
from ._handles import Handle
from ._library import check, library
from ._reports import text_report
from ._row_types import Problem, TargetInfo
from ._rows import Rows, read_rows
from ._tables import TargetTables


@dataclass(frozen=True)
class TargetText:
    """The source of a parsed target, from which another process makes it again."""

    text: bytes
    name: str

    def parse(self) -> Target:
        return parse_target(self.text, self.name)


class Target(TargetTables):
    """A device with all its known figures; made by load_target() or parse_target()."""

    def __init__(self, pointer: Any, source: Union[str, TargetText]) -> None:
        super().__init__(Handle(pointer, library().hwest_target_free))
        self._source = source

    def __repr__(self) -> str:
        return f"<onnx_hwest.Target {self.info.name!r}>" if self._handle else "<onnx_hwest.Target closed>"

    def report(self, format: TableFormat = "text") -> str:
        """The figures as text, json, csv or markdown."""
        return text_report("hwest_target_report", self._open(), format)

    def _repr_html_(self) -> str:
        return self.units._repr_html_()


def targets() -> Rows[TargetInfo]:
    """The built-in targets, sorted by name."""
    pointer = ctypes.c_void_p()
    check(library().hwest_target_list_create(ctypes.byref(pointer)))
    handle = Handle(pointer.value, library().hwest_target_list_free)
    return read_rows(TargetInfo, _abi.hwest_target_info, "hwest_target_list", handle.pointer)


def load_target(name: PathLike) -> Target:
    """A built-in target by name or alias, or one from a .textproto file. Raises Error."""
    pointer = ctypes.c_void_p()
    check(library().hwest_target_load(path("name", name), ctypes.byref(pointer)))
    return Target(pointer.value, os.fspath(name))


def parse_target(text: Union[str, bytes], name: str = "target") -> Target:
    """A target from the text of its file; messages call it `name`. Raises Error."""
    data, pointer = _bytes(text), ctypes.c_void_p()
    check(library().hwest_target_load_memory(data, len(data), text_of("name", name), ctypes.byref(pointer)))
    return Target(pointer.value, TargetText(data, name))


def lint_target(text: Union[str, bytes], name: str = "target") -> Rows[Problem]:
    """Every problem in the text of a target or toolchain file. Severity "warning" marks a figure that is not credible;
    without an "error" the file is usable."""
    data, pointer = _bytes(text), ctypes.c_void_p()
    check(library().hwest_lint_create(data, len(data), text_of("name", name), ctypes.byref(pointer)))
    handle = Handle(pointer.value, library().hwest_lint_free)
    return read_rows(Problem, _abi.hwest_problem, "hwest_lint_problem", handle.pointer)


def _bytes(text: Union[str, bytes]) -> bytes:
    if isinstance(text, str):
        return text.encode()
    if isinstance(text, (bytes, bytearray, memoryview)):
        return bytes(text)
    raise TypeError(f"text is {text!r}: use the text of a target file as str or bytes")
