"""Reports of a model that no rows in Python have: memory, formats by layer, other widths."""

from __future__ import annotations

import ctypes
from typing import Any, Union, get_args

from ._callbacks import Callbacks
from ._formats import Binary
from ._handles import Handle
from ._library import library
from ._structs import report_options


def _written(function: Any, model: Any, options: Any, how: Any, callbacks: Callbacks,
             format: str) -> Union[str, bytes]:
    form, pointer = report_options(format=format), ctypes.c_void_p()
    callbacks.check(function(model, ctypes.byref(options), ctypes.byref(how), ctypes.byref(form),
                             ctypes.byref(pointer)))
    buffer = Handle(pointer.value, library().hwest_buffer_free)
    content = ctypes.string_at(library().hwest_buffer_data(buffer.pointer), library().hwest_buffer_size(buffer.pointer))
    return content if format in get_args(Binary) else content.decode("utf-8", "replace")


def memory(model: Any, options: Any, how: Any, callbacks: Callbacks, format: str) -> Union[str, bytes]:
    """The report of hwest_memory(): str, or bytes for png and pdf."""
    return _written(library().hwest_memory, model, options, how, callbacks, format)


def quantize_plan(model: Any, options: Any, how: Any, callbacks: Callbacks, format: str) -> Union[str, bytes]:
    """The report of hwest_quantize_plan(), likewise."""
    return _written(library().hwest_quantize_plan, model, options, how, callbacks, format)


def width(model: Any, options: Any, how: Any, callbacks: Callbacks, format: str) -> Union[str, bytes]:
    """The report of hwest_width(), likewise."""
    return _written(library().hwest_width, model, options, how, callbacks, format)
