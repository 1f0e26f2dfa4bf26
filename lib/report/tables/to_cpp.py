"""The C++ face of the tables: the columns that JSON, CSV, Markdown and text show, and the cells of a row."""

from schema import IDS
from to_c import wrapped_code

PREFIXES = {"node": "#", "group": "g"}  # of ids as `explain` takes them


def signature(table):
    context = f", {table.context}" if table.context else ""
    return f"Cells CellsOf(const {table.row}& row{context})"


def prefix_of(column):
    return PREFIXES.get(column.type if column.type in IDS else column.type[:-1], "")


def cell_of(column):
    call = {"count": "CountCell({})", "shape": "ShapeCell({})", "enum": "WordCell({})", "list": "{}"}.get(column.type)
    if call is None:
        call = "IdCell({})" if column.type in IDS else "IdsCell({})" if column.type[:-1] in IDS else "Cell({})"
    return call.format(column.getter)


def cells_of(table):
    """[(key, prefix, C++ expression)]; members of an object make one cell."""
    cells = []
    for column in table.json_columns():
        key, _, part = column.json.partition(".")
        if not part:
            cells.append([key, prefix_of(column), cell_of(column)])
        elif cells and cells[-1][0] == key:
            cells[-1][2].append((part, cell_of(column)))
        else:
            cells.append([key, "", [(part, cell_of(column))]])
    for cell in cells:
        if isinstance(cell[2], list):
            cell[2] = "Cell{" + ", ".join(f'{{"{part}", {text}}}' for part, text in cell[2]) + "}"
    return cells


def columns_header(tables):
    lines = ["// The columns of every table that reports show, and the cells of one of its rows. Written by",
             "// lib/report/tables/generate.py from the .table files beside it.", "#pragma once", "",
             '#include "report/getters.h"', "", "namespace hwest {", ""]
    for table in tables:
        if table.has_json:
            lines += [f"const Columns& ColumnsOf(const {table.row}*);  // {table.name}", wrapped_code(signature(table) + ";")]
    return "\n".join(lines + ["", "}  // namespace hwest"]) + "\n"


def columns_source(tables):
    lines = ["// Written by lib/report/tables/generate.py from the .table files beside it.", '#include "report/columns.h"', "",
             "namespace hwest {", "", "using namespace getters;"]
    for table in tables:
        if not table.has_json:
            continue
        cells = cells_of(table)
        columns = [f'{{"{key}", "{prefix}"}}' if prefix else f'{{"{key}"}}' for key, prefix, _ in cells]
        lines += ["", f"const Columns& ColumnsOf(const {table.row}*) {{", "  static const auto* const columns = new Columns{"]
        lines += [f"      {column}," for column in columns]
        lines += ["  };", "  return *columns;", "}", "", signature(table) + " {", "  Cells cells;",
                  f"  cells.reserve({len(cells)});"]
        lines += [f"  cells.push_back({text});" for _, _, text in cells]
        lines += ["  return cells;", "}"]
    return "\n".join(lines + ["", "}  // namespace hwest"]) + "\n"
