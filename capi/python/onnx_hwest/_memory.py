"""What is where in memory."""

from __future__ import annotations

import ctypes
from typing import Any, Union, get_args

from ._callbacks import Callbacks
from ._formats import Binary
from ._handles import Handle
from ._library import library
from ._structs import report_options


def memory(model: Any, options: Any, how: Any, callbacks: Callbacks, format: str) -> Union[str, bytes]:
    """The report of hwest_memory(): str, or bytes for png and pdf."""
    form, pointer = report_options(format=format), ctypes.c_void_p()
    callbacks.check(library().hwest_memory(model, ctypes.byref(options), ctypes.byref(how), ctypes.byref(form),
                                           ctypes.byref(pointer)))
    buffer = Handle(pointer.value, library().hwest_buffer_free)
    content = ctypes.string_at(library().hwest_buffer_data(buffer.pointer), library().hwest_buffer_size(buffer.pointer))
    return content if format in get_args(Binary) else content.decode("utf-8", "replace")
