"""Arguments of Python as the C ABI takes them."""

from __future__ import annotations

import ctypes
import json
import os
from typing import Any, Iterable, Mapping, Optional, Sequence, Union

from ._library import encode

PathLike = Union[str, "os.PathLike[str]"]


def choose(what: str, word: Any, numbers: Mapping[Any, int]) -> int:
    if word not in numbers:
        raise ValueError(f"{what} is {word!r}: use one of {', '.join(map(repr, numbers))}")
    return numbers[word]


def count(what: str, number: Optional[int]) -> int:
    if number is None:
        return 0
    if int(number) != number or number < 1:
        raise ValueError(f"{what} is {number!r}: use a whole number of at least 1")
    return int(number)


def words(what: str, texts: Iterable[str]) -> Iterable[str]:
    if isinstance(texts, str):
        raise TypeError(f"{what} is a string: use a list of strings")
    return texts


def strings(texts: Iterable[str]) -> Any:
    """An array that ends in NULL; None for no texts."""
    encoded = [encode(text) for text in texts]
    return (ctypes.c_char_p * (len(encoded) + 1))(*encoded, None) if encoded else None


def sizes(pairs: Optional[Mapping[str, int]]) -> Any:
    return strings(f"{key}={int(value)}" for key, value in (pairs or {}).items())


def shapes(by_input: Optional[Mapping[str, Sequence[int]]]) -> Any:
    def text(name: str, dims: Sequence[int]) -> str:
        joined = "x".join(str(int(dim)) for dim in dims)
        return f"{name}={joined}" if name else joined

    return strings(text(name, dims) for name, dims in (by_input or {}).items())


def contents(value: Any) -> str:
    """Contents of an input as the library reads them."""
    if isinstance(value, os.PathLike):
        path = os.fspath(value)
        return path if "/" in path else os.path.join(".", path)
    if hasattr(value, "tolist"):  # an array of numpy and its like
        value = value.tolist()
    return value if isinstance(value, str) else json.dumps(value)
