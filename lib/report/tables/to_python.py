"""The Python face of the tables: _abi.py, _row_types.py, _row_columns.py and _tables.py."""

import re

from schema import IDS
from to_c import in_lines, length_of, tables_of_handles, wrapped
from words import words_called

NUMBERS = {"int32_t": "c_int32", "uint32_t": "c_uint32", "int64_t": "c_int64", "uint64_t": "c_uint64",
           "size_t": "c_size_t", "double": "c_double", "hwest_status": "c_int32"}
WIDTH = 120
DECLARE = '''def declare(library: ctypes.CDLL) -> ctypes.CDLL:
    """Gives every function of `library` its signature."""
    for name, (restype, argtypes) in FUNCTIONS.items():
        function = getattr(library, name)
        function.restype = restype
        function.argtypes = argtypes
    return library'''


def constants_of(code):
    """Lines of constants, a block for each enum of the header."""
    blocks = []
    for body in re.findall(r"enum \{(.*?)\};", code, flags=re.S):
        blocks.append([f"{name} = {value}" for name, value in re.findall(r"(HWEST_\w+) = (\w+)", body)])
    blocks.append([])
    for name, value in re.findall(r"#define (HWEST_\w+) \(?(-?\w+)\)?$", code, flags=re.M):
        if re.match(r"-?\d", value):
            blocks[-1].append(f"{name} = {value[:-1].upper().replace('X', 'x') if value.endswith('u') else value}")
    return blocks


def ctype_of(c_type, name, handles, is_result=False):
    c_type = c_type.strip()
    base, stars = c_type.replace("const ", "").replace("const", "").replace("*", "").strip(), c_type.count("*")
    if c_type == "void":
        return "None"
    if base == "void":
        return "c_char_p" if c_type.startswith("const") else "c_void_p"
    if base == "char":
        if stars == 2:
            return "Strings"
        # Not text that ends at its first NUL.
        return "c_void_p" if name in ("data", "hwest_buffer_data") else "c_char_p"
    if base in handles:
        return "c_void_p" if stars == 1 else "POINTER(c_void_p)"
    plain = NUMBERS.get(base, base)
    return f"POINTER({plain})" if stars else plain


def parameter_types(parameters, handles):
    found = [re.fullmatch(r"(.*?)(\w+)", parameter) for parameter in parameters]
    return [ctype_of(parameter[1], parameter[2], handles) for parameter in found]


def declarations(code, handles):
    """Structs and callbacks, in the header's order."""
    pattern = r"typedef struct (\w+) \{(.*?)\n\} \w+;|typedef (\w+) \(\*(\w+)\)\(([^)]*)\);"
    for found in re.finditer(pattern, code, flags=re.S):
        if found[4]:
            types = [ctype_of(found[3], "", handles), *parameter_types(found[5].split(", "), handles)]
            yield found[4], f"{found[4]} = ctypes.CFUNCTYPE({', '.join(types)})"
            continue
        members = re.findall(r"([^;]*?)(\w+);", " ".join(found[2].split()))
        fields = [f'        ("{name}", {ctype_of(c_type, "", handles)}),' for c_type, name in members]
        yield found[1], "\n".join([f"class {found[1]}(ctypes.Structure):", "    _fields_ = [", *fields, "    ]"])


def signature(name, returns, parameters, handles):
    types = parameter_types(parameters, handles)
    arguments = ", ".join(types) + ("," if len(types) == 1 else "")
    head = f'    "{name}": ({ctype_of(returns, name, handles, True)}, ('
    if len(head + arguments) + 4 <= WIDTH:
        return f"{head}{arguments})),"
    lines = wrapped(" " * 7, arguments, " " * 8).splitlines()
    return head[:-1].rstrip() + "\n" + "\n".join(lines).replace(" " * 8, " " * 8 + "(", 1) + ")),"


def abi(code, functions):
    handles = set(re.findall(r"typedef struct (hwest_\w+) \1;", code))
    declared = list(declarations(code, handles))
    parts = ['"""hwest.h in ctypes: every constant, struct and function. '
             'Written by lib/report/tables/generate.py."""\n\n'
             "import ctypes\n"
             "from ctypes import POINTER, c_char_p, c_double, c_int32, c_int64, c_size_t, c_uint32, c_uint64, "
             "c_void_p\n"
             "from typing import Any, Dict, Tuple\n\n"
             'SONAME = "libhwest.so.' + re.search(r"HWEST_ABI_MAJOR (\d+)", code)[1] + '"']
    parts += ["\n".join(block) for block in constants_of(code)]
    parts.append("Strings = POINTER(c_char_p)")
    for _, text in declared:
        parts.append(text if " = " in text.splitlines()[0] else "\n" + text + "\n")
    structs = "".join(f"    {name},\n" for name, text in declared if text.startswith("class"))
    parts.append(f"\nSTRUCTS = (\n{structs})")
    lines = [signature(name, returns, parameters, handles) for name, returns, parameters in functions]
    parts.append("# name: (what it returns, its arguments). Handles are void pointers; so is a buffer's data, which "
                 "may hold NULs.\nFUNCTIONS: Dict[str, Tuple[Any, Tuple[Any, ...]]] = {\n" + "\n".join(lines) + "\n}")
    parts.append("\n" + DECLARE)
    return re.sub(r"\n{4,}", "\n\n\n", "\n\n".join(parts)) + "\n"


def words_of(column, every_words):
    """The words of an enum; the unknown one of a column that may be null is None."""
    texts = [word.text for word in words_called(every_words, column.words).words]
    return [text for text in texts if not (column.nullable and text == "unknown")]


def doc_of(column, every_words):
    text = re.sub(r"\bnull\b", "None", column.about)
    text = text.replace("HWEST_NO_ID", "None").replace("HWEST_OVERLAP_YES", "overlap=True")
    text = re.sub(r"\bhwest_(\w+)\.(\w+)", r"\2", text)
    if column.type == "enum":
        text += ": " + ", ".join(f"'{word}'" for word in words_of(column, every_words))
    return text.replace('"', "'")


def fields_of(table):
    """[(field, Python type, how it is read, column)]"""
    simple = {"int": ("int", "number"), "real": ("float", "number"), "text": ("str", "text"),
              "worded": ("str", "text"),
              "bool": ("bool", "bool"), "enum": ("str", "enum"), **dict.fromkeys(IDS, ("int", "number"))}
    fields = []
    for column in table.c_columns():
        if column.type == "count":
            fields.append((column.name, "Count", "count", column))
        elif column.type == "texts":
            fields.append((column.name, "Tuple[str, ...]", "texts", column))
        elif column.type == "shape":
            fields.append(("rank", "Optional[int]", "number", None))
            fields.append((column.name, "Optional[Tuple[Count, ...]]", "shape", column))
        elif column.type == "flag":
            fields.append((column.name, "bool", f"flag:{table.flags}_{column.name.upper()}", column))
        elif column.type[:-1] in IDS:
            kind = "Optional[int]" if "HWEST_NO_ID" in column.about else "int"
            fields.append((column.name, f"Tuple[{kind}, ...]", f"ids:{length_of(column.name)}", column))
        else:
            python, how = simple[column.type]
            how += (":" + column.words) if column.words else ""
            how += "?" if column.nullable and column.type in ("bool", "enum") else ""
            fields.append((column.name, f"Optional[{python}]" if column.nullable else python, how, column))
    return fields


def docstring(text):
    return wrapped('    """' + text.split()[0], " ".join(text.split()[1:]) + '"""', "    ")


def row_types(tables, every_words):
    parts = ['"""Rows of the C ABI as dataclasses, written by lib/report/tables/generate.py. None is unknown; '
             'units are the\nsuffix of a name."""\n\n'
             "from dataclasses import dataclass\nfrom typing import Optional, Tuple, Union\n\n"
             "from ._rows import Row\n\n"
             "Count = Union[int, str, None]  # a str is a Python expression over the model's free dims\n"]
    for table in tables:
        lines = ["\n@dataclass(frozen=True)", f"class {table.title}(Row):",
                 docstring(f"{table.about} See {table.struct} in hwest_rows.h."), ""]
        for name, python, _, column in fields_of(table):
            lines += [f"    {name}: {python}",
                      docstring("number of axes; None = unknown" if column is None else doc_of(column, every_words))]
        parts.append("\n".join(lines) + "\n")
    return "\n".join(parts)


def shown_of(table, most=10):
    """The fields that notebooks show: those that the table names, else those of the plain text, then the first ones."""
    fields = [name for name, *_ in fields_of(table)]
    wanted = [re.sub(r".*[=(]|[~)]|/.*", "", part.strip()) for part in (table.shown or table.text).split(",")]
    unknown = [name for name in wanted if table.shown and name not in fields]
    if unknown or (table.shown and len(wanted) > most):
        raise SystemExit(f"{table.name}: `shown` names {unknown or len(wanted)}; there are {', '.join(fields)}")
    return list(dict.fromkeys([name for name in wanted if name in fields] + fields))[:most]


def row_columns(tables, every_words):
    lines = ['"""How each field of a row is read from its struct, and what it is; and which fields notebooks show. '
             'Written by',
             'lib/report/tables/generate.py."""', "", "from typing import Dict, Tuple", "",
             "COLUMNS: Dict[str, Dict[str, Tuple[str, str]]] = {"]
    for table in tables:
        lines.append(f'    "{table.title}": {{')
        for name, _, how, column in fields_of(table):
            doc = "number of axes; None = unknown" if column is None else doc_of(column, every_words)
            lines.append(f'        "{name}": ("{how}", {doc!r}),')
        lines.append("    },")
    lines += ["}", "", "SHOWN: Dict[str, Tuple[str, ...]] = {"]
    for table in tables:
        names = [f'"{name}"' for name in shown_of(table)]
        lines.append(wrapped(f'    "{table.title}": ({names[0]},', ", ".join(names[1:]) + "),", " " * 8))
    return "\n".join(lines + ["}"]) + "\n"


def python_doc(about):
    return re.sub(r"\bhwest_options\.(\w+) or \.(\w+)", r"`\1` or `\2`", about)


def property_text(read, table):
    row = [table.title, f"_abi.{table.struct}", f'"{read.prefix}"', "self._open().pointer"]
    returns, call = (table.title, "read_struct") if read.is_one else (f"Rows[{table.title}]", "read_rows")
    text = python_doc(read.about)
    return "\n".join(["    @cached_property", f"    def {read.member}(self) -> {returns}:",
                      wrapped(f'        """{text.split()[0]}', " ".join(text.split()[1:]) + '"""', " " * 8),
                      in_lines(f"        return {call}(", row, ")", 16 + len(call))])


def tables_of_python(tables, handles):
    """The tables of each class over a handle, as properties."""
    found = [(title, [(read, table) for read, table in reads if read.member])
             for _, title, reads in tables_of_handles(tables, handles)]
    found = [(title, reads) for title, reads in found if reads]
    names = sorted({table.title for _, reads in found for _, table in reads})
    parts = ['"""The tables of each kind of handle, read when they are first looked at. Written by '
             'lib/report/tables/generate.py."""\n\n'
             "from functools import cached_property\n\nfrom . import _abi\nfrom ._handles import Owner\n"
             + wrapped(f"from ._row_types import ({names[0]},", ", ".join(names[1:]) + ")", " " * 25)
             + "\nfrom ._rows import Rows, read_rows, read_struct\n"]
    for title, reads in found:
        body = "\n\n".join(property_text(read, table) for read, table in reads)
        parts.append(f"\nclass {title}(Owner):\n{body}\n")
    return "\n".join(parts)
