"""Tables of the C ABI as tuples of rows that can be shown, converted and handed to pandas."""

from __future__ import annotations

import ctypes
import dataclasses
import functools
import html
import importlib
import math
from typing import Any, Callable, Dict, Iterable, List, Tuple, Type, TypeVar

from . import _abi
from ._library import check, decode, library


class Row:
    """Base of all rows; they are frozen dataclasses."""

    def to_dict(self) -> Dict[str, Any]:
        """The fields by name."""
        return dataclasses.asdict(self)  # type: ignore[call-overload,no-any-return]


T = TypeVar("T", bound=Row)


class Rows(Tuple[T, ...]):
    """A table: a tuple of rows of one kind."""

    row_type: Type[Row]

    @staticmethod
    def of(row_type: Type[T], rows: Iterable[T]) -> Rows[T]:
        table = Rows(rows)
        table.row_type = row_type
        return table

    def to_dicts(self) -> List[Dict[str, Any]]:
        """Every row as a dict."""
        return [row.to_dict() for row in self]

    def to_pandas(self) -> Any:
        """A pandas.DataFrame with a column for each field. Raises ImportError when pandas is not there."""
        try:
            pandas: Any = importlib.import_module("pandas")
        except ImportError as error:
            raise ImportError("to_pandas() needs pandas: install it, or use to_dicts()") from error
        return pandas.DataFrame(self.to_dicts(), columns=self._columns())

    def _columns(self) -> List[str]:
        return [field.name for field in dataclasses.fields(self.row_type)]  # type: ignore[arg-type]

    def _repr_html_(self) -> str:
        return html_table(self._columns(), [list(row.to_dict().values()) for row in self])


def html_table(columns: List[str], rows: List[List[Any]], most: int = 60) -> str:
    """A table for notebooks; rows past `most` are only counted."""
    def cells(tag: str, values: Iterable[Any]) -> str:
        return "".join(f"<{tag}>{html.escape(_shown(value))}</{tag}>" for value in values)

    body = "".join(f"<tr>{cells('td', row)}</tr>" for row in rows[:most])
    more = f"<p>{len(rows) - most} more rows</p>" if len(rows) > most else ""
    return f"<table><thead><tr>{cells('th', columns)}</tr></thead><tbody>{body}</tbody></table>{more}"


def _shown(value: Any) -> str:
    if value is None:
        return "unknown"
    if isinstance(value, float):
        return f"{value:.4g}"
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _words(prefix: str, unknown: str = "UNKNOWN") -> Dict[int, Any]:
    """Numbers of HWEST_<prefix>_* as words; the unknown one as None."""
    names = [name for name in vars(_abi) if name.startswith(f"HWEST_{prefix}_") and f"_{prefix}_IS_" not in name]
    words = {getattr(_abi, name): name[len(f"HWEST_{prefix}_"):].lower() for name in names}
    return {number: None if word == unknown.lower() else word for number, word in words.items()}


_ENUMS = {
    "bound": _words("BOUND"),
    "grade": _words("GRADE"),
    "node_class": _words("NODE"),
    "origin": _words("ORIGIN", unknown=""),
    "severity": _words("SEVERITY"),
    "trust": _words("TRUST"),
    "verdict": _words("VERDICT"),
}
_KINDS = {
    "hwest_value": _words("VALUE", unknown=""),
    "hwest_unit": _words("UNIT", unknown=""),
    "hwest_target_unit": _words("UNIT", unknown=""),
    "hwest_event": _words("EVENT"),
    "hwest_change": _words("CHANGE"),
}
_FLAGS = {
    "hwest_value": "VALUE",
    "hwest_unit": "UNIT",
    "hwest_target_unit": "UNIT",
}
_BOOLS = ("is_data_dependent", "is_default", "is_near", "only_in_group")
_LENGTHS = {"nodes": "node_count", "groups": "group_count", "inputs": "input_count", "outputs": "output_count"}


def _text(value: Any) -> Any:
    return decode(value)


def _number(value: Any) -> Any:
    if isinstance(value, float):
        return None if math.isnan(value) else value
    return None if value == -1 else value


def _count(value: Any) -> Any:
    return decode(value.text) if value.value < 0 else value.value


def _list(value: Any) -> Tuple[str, ...]:
    texts: List[str] = []
    while value and value[len(texts)] is not None:
        texts.append(decode(value[len(texts)]) or "")
    return tuple(texts)


def _reader(struct: Any, name: str, ctype: Any) -> Callable[[Any], Any]:
    """How the field `name` of a row is read from its struct."""
    kinds = _ENUMS.get(name) or (_KINDS.get(struct.__name__) if name == "kind" else None)
    if kinds is not None:
        return lambda row: kinds.get(getattr(row, name), "other")
    if name in _BOOLS:
        return lambda row: bool(getattr(row, name))
    if ctype is ctypes.c_char_p:
        return lambda row: _text(getattr(row, name))
    if ctype is _abi.Strings:
        return lambda row: _list(getattr(row, name))
    if ctype is _abi.hwest_count:
        return lambda row: _count(getattr(row, name))
    if name == "dims":
        return lambda row: None if row.rank < 0 else tuple(_count(row.dims[i]) for i in range(row.rank))
    if ctype is ctypes.POINTER(ctypes.c_uint32):
        return lambda row: tuple(None if i == _abi.HWEST_NO_ID else i
                                 for i in getattr(row, name)[:getattr(row, _LENGTHS[name])])
    return lambda row: _number(getattr(row, name))


def _flag(bit: int) -> Callable[[Any], bool]:
    return lambda row: bool(row.flags & bit)


@functools.lru_cache(maxsize=None)
def _readers(row_type: Type[Row], struct: Any) -> Tuple[Callable[[Any], Any], ...]:
    ctypes_of = dict(struct._fields_)
    readers = []
    for field in dataclasses.fields(row_type):  # type: ignore[arg-type]
        if field.name in ctypes_of:
            readers.append(_reader(struct, field.name, ctypes_of[field.name]))
        else:
            bit = f"HWEST_{_FLAGS[struct.__name__]}_{field.name.upper()}"
            readers.append(_flag(getattr(_abi, bit)))
    return tuple(readers)


def row_of(row_type: Type[T], struct: Any) -> T:
    """The row that a filled struct holds; nothing in it refers to the library's memory."""
    readers = _readers(row_type, type(struct))  # type: ignore[arg-type]
    return row_type(*(read(struct) for read in readers))


def read_struct(row_type: Type[T], struct_type: Any, function: str, pointer: Any) -> T:
    """The one struct that `function` fills."""
    struct = struct_type(struct_size=ctypes.sizeof(struct_type))
    check(getattr(library(), function)(pointer, ctypes.byref(struct)))
    return row_of(row_type, struct)


def read_rows(row_type: Type[T], struct_type: Any, prefix: str, pointer: Any) -> Rows[T]:
    """All rows of the table that PREFIX_count() and PREFIX_read() give."""
    count = getattr(library(), prefix + "_count")(pointer)
    structs = (struct_type * count)()
    check(getattr(library(), prefix + "_read")(pointer, 0, count, structs, ctypes.sizeof(struct_type)))
    return Rows.of(row_type, [row_of(row_type, struct) for struct in structs])
