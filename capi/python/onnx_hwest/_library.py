"""Finds and opens libhwest once, on first use."""

import ctypes
import functools
import os
import sysconfig
from typing import Any, Iterator, Optional, Union

from . import _abi
from ._errors import Cancelled, Error


def library_path() -> str:
    """Where libhwest comes from: $HWEST_LIBRARY, else the one installed with this package, else a name for the
    system's loader."""
    named = os.environ.get("HWEST_LIBRARY")
    if named:
        return named
    candidates = (os.path.join(folder, _abi.SONAME) for folder in _folders(os.path.dirname(os.path.abspath(__file__))))
    return next(filter(os.path.exists, candidates), _abi.SONAME)


def _folders(package: str) -> Iterator[str]:
    """Where an installation puts the library: in the package (a wheel), else below the package's prefix."""
    yield package
    folder = package
    while folder != os.path.dirname(folder):
        folder = os.path.dirname(folder)
        if os.path.basename(folder) not in ("lib", "lib64"):
            continue
        for name in dict.fromkeys((os.path.basename(folder), "lib", "lib64")):
            libraries = os.path.join(os.path.dirname(folder), name)
            yield libraries
            yield os.path.join(libraries, sysconfig.get_config_var("MULTIARCH") or "")


@functools.cache
def library() -> Any:
    path = library_path()
    try:
        opened = ctypes.CDLL(path)
    except OSError as error:
        raise ImportError(f"cannot open {path} ({error}): set HWEST_LIBRARY to the path of {_abi.SONAME}") from error
    try:
        declared = _abi.declare(opened)
    except AttributeError as error:
        raise ImportError(f"{path} is older than this package ({error})") from error
    declared.hwest_set_words(_abi.HWEST_WORDS_PYTHON)
    return declared


def library_version() -> str:
    """Version of the C library, e.g. "0.3.0"."""
    return str(library().hwest_version().decode())


def decode(text: Optional[bytes]) -> Optional[str]:
    """A borrowed C string as str; None for NULL. Names in a model file need not be valid UTF-8."""
    return None if text is None else text.decode("utf-8", "replace")


def encode(text: Union[str, bytes, "os.PathLike[str]", None]) -> Optional[bytes]:
    """A str, bytes or path as a C string; None for None. Raises ValueError for an embedded NUL."""
    if text is None:
        return None
    encoded = os.fsencode(text)
    if b"\0" in encoded:
        raise ValueError(f"embedded NUL in {text!r}")
    return encoded


def check(status: int) -> None:
    """Raises Error unless `status` is HWEST_OK. Call it right after the C call, in the same thread."""
    if status != _abi.HWEST_OK:
        error = Cancelled if status == _abi.HWEST_CANCELLED else Error
        message, code = library().hwest_last_error_message(), library().hwest_last_error_code()
        raise error(decode(message) or "", decode(code) or "", status)
