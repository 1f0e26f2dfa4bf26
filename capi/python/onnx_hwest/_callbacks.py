"""Python callbacks under the C ABI, and the cancellation token."""

from __future__ import annotations

import ctypes
from typing import Any, Callable, Optional

from . import _abi
from ._errors import Cancelled
from ._handles import Handle
from ._library import check, decode, library
from ._row_types import Diagnostic
from ._rows import row_of
from ._structs import watch

Progress = Callable[[str, int, int], Optional[bool]]  # (what, done, total); False stops
Log = Callable[[Diagnostic], None]


class Cancel:
    """Cancellation token. Any thread may set it."""

    def __init__(self) -> None:
        pointer = ctypes.c_void_p()
        check(library().hwest_cancel_create(ctypes.byref(pointer)))
        self._handle = Handle(pointer.value, library().hwest_cancel_free)

    def request(self) -> None:
        """Makes every call that has this token raise Cancelled before its next step."""
        library().hwest_cancel_request(self._handle.pointer)

    @property
    def requested(self) -> bool:
        return bool(library().hwest_cancel_requested(self._handle.pointer))


class Callbacks:
    """Keeps the C functions of one call alive, and any exception that a Python callback raised."""

    def __init__(self, progress: Optional[Progress] = None, log: Optional[Log] = None,
                 cancel: Optional[Cancel] = None) -> None:
        self._error: Optional[BaseException] = None
        self._cancel = cancel
        self.progress = _abi.hwest_progress(self._guard(progress, self._told)) if progress else _abi.hwest_progress()
        self.log = _abi.hwest_log(self._guard(log, self._logged)) if log else _abi.hwest_log()
        self.cancel = cancel._handle.pointer if cancel else None

    def _guard(self, function: Any, call: Callable[..., int]) -> Callable[..., int]:
        def guarded(*args: Any) -> int:
            try:
                return call(function, *args) if self._error is None else 1
            except BaseException as error:  # raised again by check()
                self._error = error
                return 1

        return guarded

    @staticmethod
    def _told(function: Progress, _: Any, what: bytes, done: int, total: int) -> int:
        return 1 if function(decode(what) or "", done, total) is False else 0

    @staticmethod
    def _logged(function: Log, _: Any, diagnostic: Any) -> int:
        function(row_of(Diagnostic, diagnostic.contents))
        return 0

    def watch(self) -> Any:
        """These as a hwest_watch."""
        return watch(progress=self.progress, cancel=self.cancel)

    def check(self, status: int) -> None:
        """Like the library's check(), but a callback's exception takes precedence. Call it right after the C call."""
        try:
            check(status)
        except Cancelled:
            if self._error is None:
                raise
        if self._error is not None:
            raise self._error
