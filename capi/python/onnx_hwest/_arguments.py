"""Converts Python arguments to what the C ABI takes."""

from __future__ import annotations

import ctypes
import json
import operator
import os
from typing import Any, Callable, Dict, Iterable, Mapping, Optional, Sequence, Union

from ._library import encode

PathLike = Union[str, "os.PathLike[str]"]


_INTEGERS = {ctypes.c_int32: 31, ctypes.c_uint32: 32, ctypes.c_int64: 63, ctypes.c_uint64: 64}  # bits of the number
_MOST = 2**63 - 1  # of sizes that go as text


def structure(struct_type: Any, **members: Any) -> Any:
    """A struct of the C ABI. Raises OverflowError for an integer that its member cannot hold; ctypes would truncate
    it."""
    for name, ctype in struct_type._fields_:
        if ctype in _INTEGERS and name in members:
            _fits(name, members[name], 2**_INTEGERS[ctype] - 1)
    given = {name: value for name, value in members.items() if value is not None}
    return struct_type(struct_size=ctypes.sizeof(struct_type), **given)


def _fits(what: str, number: int, most: int) -> int:
    if number > most:
        raise OverflowError(f"{what} is {number}: use at most {most}")
    return number


def choose(what: str, word: Any, words: Sequence[Optional[str]]) -> int:
    """The number of a word: its place."""
    if not isinstance(word, (str, type(None))) or word not in words:
        raise ValueError(f"{what} is {word!r}: use one of {', '.join(map(repr, words))}")
    return words.index(word)


def integer(what: str, number: Any, least: int = 1) -> int:
    """A whole number; refuses bools and floats."""
    if isinstance(number, bool) or not hasattr(number, "__index__"):
        raise TypeError(f"{what} is {number!r}: use a whole number")
    whole = operator.index(number)
    if whole < least:
        raise ValueError(f"{what} is {whole}: use a whole number of at least {least}")
    return _fits(what, whole, _MOST)


def count(what: str, number: Optional[int]) -> int:
    """A count, 0 for None."""
    return 0 if number is None else integer(what, number)


def id_or_first(what: str, number: Optional[int]) -> int:
    """The id of a node, 0 for None."""
    return 0 if number is None else integer(what, number, 0)


def count_or_zero(what: str, number: Optional[int]) -> int:
    """A count with an explicit 0, which C spells -1; 0 for None."""
    return 0 if number is None else integer(what, number, 0) or -1


def node_name(what: str, name: Union[None, str, int]) -> Optional[bytes]:
    """A node by its name or its id."""
    return text(what, f"#{integer(what, name, 0)}" if isinstance(name, int) else name)


def amount(what: str, number: Any) -> float:
    """A figure, 0 for None."""
    if number is None:
        return 0.0
    if isinstance(number, bool) or not hasattr(number, "__float__"):
        raise TypeError(f"{what} is {number!r}: use a number")
    if not 0 < float(number) < float("inf"):
        raise ValueError(f"{what} is {number!r}: use a number above 0")
    return float(number)


def text(what: str, value: Any) -> Optional[bytes]:
    """A text or None as a C string."""
    if value is not None and not isinstance(value, str):
        raise TypeError(f"{what} is {value!r}: use a string")
    return encode(value)


def path(what: str, value: Any) -> bytes:
    """A path or a name as a C string."""
    encoded = encode(value) if isinstance(value, (str, os.PathLike)) else None
    if encoded is None:
        raise TypeError(f"{what} is {value!r}: use a string or a path")
    return encoded


def path_or_none(what: str, value: Any) -> Optional[bytes]:
    return None if value is None else path(what, value)


def switch(what: str, value: Any) -> int:
    """1 if true, else 0."""
    return int(bool(value))


def words(what: str, texts: Iterable[str]) -> Any:
    """A list of strings as an array that ends in NULL; None when it is empty."""
    if isinstance(texts, (str, bytes)) or not hasattr(texts, "__iter__"):
        raise TypeError(f"{what} is {texts!r}: use a list of strings")
    return _array(text(f"an element of {what}", word) for word in texts)


def counted_texts(name: str, texts: Iterable[str]) -> Dict[str, Any]:
    """The array and count members of a list of strings."""
    array = words(name, texts)
    return {name: array, f"{name[:-1]}_count": len(array) - 1 if array else 0}


def counted_ints(name: str, numbers: Sequence[int]) -> Dict[str, Any]:
    """The array and count members of a list of numbers."""
    singular = name[:-2] if name.endswith("ches") else name[:-1]
    return {name: (ctypes.c_int64 * len(numbers))(*numbers), f"{singular}_count": len(numbers)}


def sized(data: Optional[bytes]) -> Dict[str, Any]:
    """The data and size members of bytes or None."""
    return {"data": data, "size": len(data or b"")}


def _array(encoded: Iterable[Optional[bytes]]) -> Any:
    rows = list(encoded)
    return (ctypes.c_char_p * (len(rows) + 1))(*rows, None) if rows else None


def pairs(what: str, by_name: Optional[Mapping[str, Any]], as_text: Callable[[str, Any], str]) -> Any:
    """A dict as an array of "NAME=TEXT" that ends in NULL; an empty name is left out. None when it is empty."""
    if by_name is not None and not hasattr(by_name, "items"):
        raise TypeError(f"{what} is {by_name!r}: use a dict")
    rows = []
    for name, value in (by_name or {}).items():
        if not isinstance(name, str):
            raise TypeError(f"a key of {what} is {name!r}: use a string")
        written = as_text(f"{what}[{name!r}]", value)
        rows.append(encode(f"{name}={written}" if name else written))
    return _array(rows)


def sizes(what: str, by_name: Optional[Mapping[str, int]]) -> Any:
    return pairs(what, by_name, lambda place, size: str(integer(place, size, least=0)))


def shapes(what: str, by_input: Optional[Mapping[str, Sequence[int]]]) -> Any:
    def written(place: str, dims: Sequence[int]) -> str:
        if isinstance(dims, (str, bytes)) or not hasattr(dims, "__iter__"):
            raise TypeError(f"{place} is {dims!r}: use a sequence of whole numbers")
        return "x".join(str(integer(place, dim, least=0)) for dim in dims)

    return pairs(what, by_input, written)


def names(what: str, by_name: Optional[Mapping[str, str]]) -> Any:
    def written(place: str, name: Any) -> str:
        if not isinstance(name, str):
            raise TypeError(f"{place} is {name!r}: use a string")
        return name

    return pairs(what, by_name, written)


def contents(value: Any) -> str:
    """Contents of an input as the library reads them."""
    if isinstance(value, os.PathLike):
        path = os.fspath(value)
        return path if "/" in path else os.path.join(".", path)
    if hasattr(value, "tolist"):  # an array of numpy and its like
        value = value.tolist()
    return value if isinstance(value, str) else json.dumps(value)


def contents_of_inputs(what: str, by_input: Optional[Mapping[str, Any]]) -> Any:
    return pairs(what, by_input, lambda _, value: contents(value))
