"""Reports of every kind of handle."""

from __future__ import annotations

import ctypes
from functools import cached_property
from typing import Any, Dict, Optional, Tuple, Type, TypeVar, Union, cast, get_args

from ._formats import Binary
from ._handles import Handle, Owner
from ._library import check, library
from ._structs import report_options

_BINARY = get_args(Binary)


def report(function: str, handle: Handle, format: str = "text", **options: Any) -> Union[str, bytes]:
    """What FUNCTION_buffer() writes: str, or bytes for png and pdf. options: members of hwest_report_options."""
    asked = report_options(format=format, **options)
    pointer = ctypes.c_void_p()
    write: Any = getattr(library(), function + "_buffer")
    check(write(handle.pointer, ctypes.byref(asked), ctypes.byref(pointer)))
    buffer = Handle(pointer.value, library().hwest_buffer_free)
    size = library().hwest_buffer_size(buffer.pointer)
    content = ctypes.string_at(library().hwest_buffer_data(buffer.pointer), size)
    return content if format in _BINARY else content.decode("utf-8", "replace")


def text_report(function: str, handle: Handle, format: str, **options: Any) -> str:
    """As report(), of what has no format of bytes."""
    return cast(str, report(function, handle, format, **options))


R = TypeVar("R", bound="Result")


class Result(Owner):
    """What a call found. It can be pickled: its tables and its report as json go along, reports in other formats and
    further questions do not."""

    _json: Optional[str] = None  # of one that was pickled

    def report(self, format: Any = "text") -> Union[str, bytes]:
        raise NotImplementedError

    def _saved(self, format: str) -> Optional[str]:
        return self._json if format == "json" else None

    def _closed(self) -> bool:
        return self._handle is None and self._json is None

    def _open(self) -> Handle:
        if self._json is not None:
            raise ValueError(f"the {type(self).__name__.lower()} was pickled: its tables and its report as json are "
                             f"here")
        return super()._open()

    def __copy__(self: R) -> R:
        return self  # nothing changes it

    def __deepcopy__(self: R, _: Any) -> R:
        return self

    def __reduce__(self) -> Tuple[Any, ...]:
        kept = {name: None if isinstance(value, Handle) else value for name, value in vars(self).items()}
        tables = {name: getattr(self, name) for kind in type(self).__mro__ for name, value in vars(kind).items()
                  if isinstance(value, cached_property)}
        return _restored, (type(self), {**kept, **tables, "_json": self.report("json")})


def _restored(kind: Type[R], attributes: Dict[str, Any]) -> R:
    result = kind.__new__(kind)
    vars(result).update(attributes)
    return result
