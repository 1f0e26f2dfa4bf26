"""The C++ face of the tables: the columns that JSON, CSV, Markdown and text show, and the cells of a row."""

import re

from schema import IDS
from to_c import context_of, wrapped, wrapped_code

PREFIXES = {"node": "#", "group": "g"}  # of ids as `explain` takes them


# How a number with this unit is printed, and what stands in its place when it is null.
SHOWN = {"s": ("kSeconds", "unknown"), "bytes": ("kBytes", "unknown"), "J": ("kJoules", "unknown"),
         "W": ("kWatts", "unknown"), "1/s": ("kPerSecond", "unknown"), "share": ("kShare", "-"),
         "FLOP/byte": ("kRatio", "-"), "ratio": ("kRatio", "-")}
FUNCTIONS = {"count": ("kCount", "unknown"), "share": ("kShareOfTotal", "-"), "bar": ("kBar", "")}


def signature(table):
    return f"Cells CellsOf(const {table.row}& row{context_of(table, table.json_columns())})"


def text_column(table, item):
    """One column of the plain text: TITLE=FUNCTION(COLUMN)/NULL~, of which COLUMN alone is needed."""
    found = re.fullmatch(r"(?:([^=(),]+)=)?(?:(\w+)\()?(\w+)\)?(?:/(\w+))?(~?)", item)
    columns = {column.name: column for column in reversed(table.json_columns())}  # of two faces the first
    if not found or found[3] not in columns or (found[2] and found[2] not in FUNCTIONS):
        raise SystemExit(f"table {table.name}: {item!r} is no column of text")
    title, function, name, unknown, shortened = found.groups()
    column = columns[name]
    how, null = FUNCTIONS[function] if function else SHOWN.get(column.unit, ("kPlain", "-"))
    if column.key in table.none_keys and null == "unknown":
        null = "-"
    keys = [key for key, _, _ in cells_of(table)]
    is_word = column.type in ("text", "texts", "enum", "list") or column.type[:-1] in IDS
    title = "" if function == "bar" else title or function or name
    text = (f'.title = "{title}", .column = {keys.index(column.key)}, .shown = Shown::{how}, '
            f'.null = "{unknown or null}"')
    marks = {".is_word": is_word, ".is_shortened": bool(shortened), ".is_dim": column.type in IDS}
    return "{" + ", ".join([text, *(f"{mark} = true" for mark, is_set in marks.items() if is_set)]) + "}"


def prefix_of(column):
    return PREFIXES.get(column.type if column.type in IDS else column.type[:-1], "")


def bound_of(column):
    """What a figure is where not all of it is known, and what has to be known of all nodes for it to be whole."""
    for attribute, word in (("least", "kAtLeast"), ("most", "kAtMost")):
        if needs := getattr(column, attribute):
            names = [f"need::k{word.capitalize()}" for word in needs.split(", ")]
            return [f".bound = BoundKind::{word}", f".needs = {' | '.join(names)}"]
    return []


def info_of(table, key, prefix):
    """What a ColumnInfo is made of."""
    marks = {".has_none": key in table.none_keys, ".is_asked": key in table.keys_of(table.asked),
             ".is_of_shapes": key in table.keys_of(table.shapes)}
    parts = [f'.id_prefix = "{prefix}"'] if prefix else []
    parts += [f"{mark} = true" for mark, is_set in marks.items() if is_set]
    parts += [part for column in table.json_columns() if column.json == key for part in bound_of(column)]
    return "{" + ", ".join([f'.key = "{key}"', *parts]) + "}" if parts else f'{{"{key}"}}'


def cell_of(column):
    call = {"count": "CountCell({})", "shape": "ShapeCell({})", "enum": "WordCell({})", "list": "{}"}.get(column.type)
    if call is None:
        call = "IdCell({})" if column.type in IDS else "IdsCell({})" if column.type[:-1] in IDS else "Cell({})"
    return call.format(column.getter)


def cells_of(table):
    """[(key, prefix, C++ expression)]; members of an object make one cell."""
    cells = []
    for column in table.json_columns():
        path, _, part = column.json.partition(".")
        if not part:
            cells.append([column.key, prefix_of(column), cell_of(column)])
        elif cells and cells[-1][0] == column.key:
            cells[-1][2].append((part, cell_of(column)))
        else:
            cells.append([column.key, "?" if path.endswith("?") else "", [(part, cell_of(column))]])
    for cell in cells:
        if isinstance(cell[2], list):
            text = "Cell{" + (",\n" + " " * 23).join(f'{{"{part}", {text}}}' for part, text in cell[2]) + "}"
            cell[1:] = ["", f"NullWithoutMembers({text})" if cell[1] else text]
    return cells


MEMBER_TYPES = {"int": "int64_t", "real": "double", "text": "std::string", "bool": "bool", "count": "Count"}


def member_of(column):
    """Its declaration in the struct that is made from a table."""
    kind = column.cpp or MEMBER_TYPES.get(column.type) or (column.type == "enum" and column.words.capitalize())
    if not kind:
        raise SystemExit(f"{column.place}: a {column.type} is no member of a struct; see `TYPE` in README.md")
    if column.nullable and column.type != "count":
        kind = f"std::optional<{kind}>"
    return f"{kind} {column.name}{' = false' if kind == 'bool' else ' = 0' if kind in ('int64_t', 'double') else ''};"


def file_of(struct):
    return re.sub(r"\B(?=[A-Z])", "_", struct).lower()


def struct_header(table):
    about = table.about.partition(".")[0]
    lines = [f"// {about}. Written by lib/report/tables/generate.py from the .table files beside it.",
             "#pragma once", "", '#include "report/summary_parts.h"', "", "namespace hwest {", "",
             f"struct {table.row} {{"]
    for column in table.members:
        head = f"  {member_of(column)}  //"
        words = re.sub(r"\bnull\b", "none", column.about)
        lines.append(wrapped(head, words, " " * (len(head) - 2) + "// "))
    return "\n".join(lines + ["};", "", f"{table.row} {table.made};", "", "}  // namespace hwest"]) + "\n"


def maker_of(table):
    lines = ["// Written by lib/report/tables/generate.py from the .table files beside it.",
             f"{table.row} {table.made} {{", f"  {table.row} row;"]
    lines += [f"  row.{column.name} = {column.made};" for column in table.members if column.made]
    return "\n".join(lines + ["  return row;", "}"]) + "\n"


def columns_header(tables):
    lines = ["// The columns of every table that reports show, and the cells of one of its rows. Written by",
             "// lib/report/tables/generate.py from the .table files beside it.", "#pragma once", "",
             '#include "report/getters.h"', "", "namespace hwest {", ""]
    for table in tables:
        lines += declarations_of(table)
    return "\n".join(lines + ["", "}  // namespace hwest"]) + "\n"


def declarations_of(table):
    lines = [f"const TextColumns& TextColumnsOf(const {table.row}*);"] if table.text else []
    if table.has_json:
        lines += [f"const Columns& ColumnsOf(const {table.row}*);  // {table.name}",
                  wrapped_code(signature(table) + ";")]
    return lines


def columns_source(tables):
    lines = ["// Written by lib/report/tables/generate.py from the .table files beside it.",
             '#include "report/columns.h"', "",
             "namespace hwest {", "", "using namespace getters;"]
    for table in tables:
        lines += definitions_of(table)
    return "\n".join(lines + ["", "}  // namespace hwest"]) + "\n"


def definitions_of(table):
    if not table.has_json:
        return []
    cells = cells_of(table)
    columns = [info_of(table, key, prefix) for key, prefix, _ in cells]
    lines = ["", f"const Columns& ColumnsOf(const {table.row}*) {{",
             "  static const auto* const columns = new Columns{"]
    lines += [f"      {column}," for column in columns]
    lines += ["  };", "  return *columns;", "}", "", signature(table) + " {", "  Cells cells;",
              f"  cells.reserve({len(cells)});"]
    lines += [f"  cells.push_back({text});" for _, _, text in cells]
    lines += ["  return cells;", "}"]
    if table.text:
        lines += ["", f"const TextColumns& TextColumnsOf(const {table.row}*) {{",
                  "  static const auto* const columns = new TextColumns{"]
        lines += [f"      {text_column(table, item)}," for item in table.text.split(", ")]
        lines += ["  };", "  return *columns;", "}"]
    return lines


def placed_header(table):
    """The columns of a table of another folder than lib/report, which are read again, too."""
    lines = [f"// The columns of {table.row}. Written by lib/report/tables/generate.py from the .table files there.",
             "#pragma once", "", '#include "report/getters.h"', f'#include "{table.place}/row.h"', "",
             "namespace hwest {", "", *declarations_of(table),
             "// Reads the columns that a row holds as JSON shows them; the others stay as they are.",
             f"void ReadColumns(const Cell& from, {table.row}* to);", "", "}  // namespace hwest"]
    return "\n".join(lines) + "\n"


def placed_source(table):
    lines = ["// Written by lib/report/tables/generate.py from the .table files there.",
             f'#include "{table.place}/columns.h"', "", '#include "report/read_json.h"', "", "namespace hwest {", "",
             "using namespace getters;", *definitions_of(table), "",
             f"void ReadColumns(const Cell& from, {table.row}* to) {{"]
    for column in table.json_columns():
        if found := re.fullmatch(r"row\.([\w.]+)", column.getter):
            lines.append(f'  ReadMember(from, "{column.json}", &to->{found[1]});')
    return "\n".join(lines + ["}", "", "}  // namespace hwest"]) + "\n"
