"""Tables of the C ABI as tuples of rows, for display, conversion and pandas."""

from __future__ import annotations

import ctypes
import dataclasses
import functools
import html
import importlib
import operator
from typing import Any, Callable, Dict, Iterable, List, Optional, Tuple, Type, TypeVar

from . import _abi
from ._library import check, decode, library
from ._row_columns import COLUMNS, SHOWN
from ._words import WORDS


class Row:
    """Base of all rows; they are frozen dataclasses."""

    def __init_subclass__(cls) -> None:
        columns = COLUMNS.get(cls.__name__, {})
        cls.__doc__ = "\n".join([cls.__doc__ or "", "", *(f"    {name}: {doc}" for name, (_, doc) in columns.items())])

    def to_dict(self) -> Dict[str, Any]:
        """The fields by name."""
        return {name: getattr(self, name) for name in _fields(type(self))}


T = TypeVar("T", bound=Row)


@functools.cache
def _fields(row_type: Type[Row]) -> Tuple[str, ...]:
    return tuple(field.name for field in dataclasses.fields(row_type))  # type: ignore[arg-type]


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
        """A pandas.DataFrame with a column for each field. Raises ImportError without pandas."""
        try:
            pandas: Any = importlib.import_module("pandas")
        except ImportError as error:
            raise ImportError("to_pandas() needs pandas: install it, or use to_dicts()") from error
        return pandas.DataFrame(self._by_column())

    def to_arrow(self) -> Any:
        """A pyarrow.Table with a column for each field; a formula makes a column of counts one of texts. Raises
        ImportError without pyarrow."""
        try:
            arrow: Any = importlib.import_module("pyarrow")
        except ImportError as error:
            raise ImportError("to_arrow() needs pyarrow: install it, or use to_dicts()") from error
        return arrow.table({name: arrow.array(_of_one_type(values)) for name, values in self._by_column().items()})

    def _columns(self) -> List[str]:
        return list(_fields(self.row_type))

    def _by_column(self) -> Dict[str, List[Any]]:
        return {name: list(map(operator.attrgetter(name), self)) for name in self._columns()}

    def _repr_html_(self) -> str:
        shown = list(SHOWN[self.row_type.__name__])
        more = len(self._columns()) - len(shown)
        note = f"<p>{more} more columns: to_pandas() has all</p>" if more else ""
        return html_table(shown, [[getattr(row, name) for name in shown] for row in self]) + note


def _of_one_type(values: List[Any]) -> List[Any]:
    """A column's values in one type: unchanged, or all as texts, also inside tuples."""
    def leaves(value: Any) -> Iterable[Any]:
        return (leaf for part in value for leaf in leaves(part)) if isinstance(value, (tuple, list)) else (value,)

    def texts(value: Any) -> Any:
        if isinstance(value, (tuple, list)):
            return [texts(part) for part in value]
        return None if value is None else str(value)

    types = {type(leaf) for value in values for leaf in leaves(value) if leaf is not None}
    return [texts(value) for value in values] if str in types and len(types) > 1 else values


def html_table(columns: List[str], rows: List[List[Any]], most: int = 60) -> str:
    """A table for notebooks; rows past `most` are only counted."""
    def cells(tag: str, values: Iterable[Any]) -> str:
        return "".join(f"<{tag}>{html.escape(_shown(value))}</{tag}>" for value in values)

    body = "".join(f"<tr>{cells('td', row)}</tr>" for row in rows[:most])
    more = f"<p>{len(rows) - most} more rows</p>" if len(rows) > most else ""
    return f"<table><thead><tr>{cells('th', columns)}</tr></thead><tbody>{body}</tbody></table>{more}"


def framed(page: str, title: str) -> str:
    """A whole HTML page inside a notebook: its scripts run, and see neither the notebook nor a network."""
    return (f'<iframe srcdoc="{html.escape(page)}" title="{html.escape(title)}" '
            f'sandbox="allow-scripts allow-downloads" loading="lazy" '
            f'style="width: 100%; height: 720px; border: 0"></iframe>')


def _shown(value: Any) -> str:
    if value is None:
        return "unknown"
    if isinstance(value, float):
        return f"{value:.4g}"
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _number(value: Any, _: Any) -> Any:
    return None if value == -1 or value != value else value


def _text(value: Any, _: Any) -> Any:
    return decode(value)


def _bool(value: Any, _: Any) -> bool:
    return bool(value)


def _maybe_bool(value: Any, _: Any) -> Optional[bool]:
    return None if value == -1 else bool(value)


def _count(value: Any, _: Any) -> Any:
    return decode(value.text) if value.value < 0 else value.value


def _texts(value: Any, _: Any) -> Tuple[str, ...]:
    texts: List[str] = []
    while value and value[len(texts)] is not None:
        texts.append(decode(value[len(texts)]) or "")
    return tuple(texts)


def _shape(value: Any, struct: Any) -> Any:
    return None if struct.rank < 0 else tuple(_count(value[i], struct) for i in range(struct.rank))


_CONVERTERS: Dict[str, Callable[[Any, Any], Any]] = {
    "bool": _bool,
    "bool?": _maybe_bool,
    "count": _count,
    "number": _number,
    "shape": _shape,
    "text": _text,
    "texts": _texts,
}


def _converter(how: str) -> Callable[[Any, Any], Any]:
    """A function that turns a member of a struct into a field, by the words of _row_columns.py."""
    kind, _, detail = how.partition(":")
    if kind == "enum":
        words = WORDS[detail.rstrip("?")]
        if detail.endswith("?"):
            words = tuple(None if word == "unknown" else word for word in words)
        return lambda value, _: words[value] if 0 <= value < len(words) else "other"
    if kind == "flag":
        bit = getattr(_abi, "HWEST_" + detail)
        return lambda value, _: bool(value & bit)
    if kind == "ids":
        return lambda value, row: tuple(None if i == _abi.HWEST_NO_ID else i for i in value[:getattr(row, detail)])
    return _CONVERTERS[how]


class _Plan:
    """Turns structs of one type into rows: fetches members at once, then converts each."""

    def __init__(self, row_type: Type[Row]) -> None:
        columns = COLUMNS[row_type.__name__]
        self.names = list(columns)
        self.converters = [_converter(how) for how, _ in columns.values()]
        self.fetch = operator.attrgetter(
            *("flags" if how.startswith("flag:") else name for name, (how, _) in columns.items()))


@functools.cache
def _plan(row_type: Type[Row]) -> _Plan:
    return _Plan(row_type)


def row_of(row_type: Type[T], struct: Any) -> T:
    """The row of a filled struct; it does not refer to the library's memory."""
    plan = _plan(row_type)  # type: ignore[arg-type]
    row = object.__new__(row_type)
    # Past the frozen dataclass's own __init__, which sets each field by a call.
    row.__dict__.update(
        (name, convert(value, struct)) for name, convert, value in zip(plan.names, plan.converters, plan.fetch(struct)))
    return row


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
