"""docs/tables.md: the columns of every table, for readers of JSON, CSV, C and Python."""

from schema import IDS


def escaped(text):
    return text.replace("|", "\\|").replace("<", "\\<")


def kind_of(column):
    if column.type == "enum":
        return "word"
    if column.type in ("flag", "bool"):
        return "bool"
    if column.type in IDS:
        return f"id of a {column.type}"
    if column.type[:-1] in IDS:
        return f"ids of {column.type}"
    return {"worded": "text", "count": "int or formula"}.get(column.type, column.type)


def line_of(table, column):
    name = f"`{column.name}`" if table.has_c and column.in_c and column.type != "list" else "-"
    key = f"`{column.json.replace('?', '')}`" if table.has_json and column.in_json else "-"
    null = "none" if column.key in table.none_keys else "unknown" if column.nullable else ""
    return (f"| {name} | {key} | {kind_of(column)} | {column.unit} | {null} | {column.since} | "
            f"{escaped(column.about)} |")


def tables_page(tables):
    lines = ["# Tables", "",
             "Every table of the program with its columns: the member of the C struct and field of the Python row, the",
             "key in JSON and column of CSV and Markdown, the unit, what null means where that may stand (`null` in",
             "JSON, empty in CSV, `None` in Python; in C -1, NaN, NULL or `_UNKNOWN`), and the version of the "
             "interface it",
             "came with. Markdown writes `unknown` for what is not known, and nothing where there is none.",
             "",
             "Written by `lib/report/tables/generate.py` from the `.table` files beside it."]
    for table in tables:
        faces = f" C: `{table.struct}`; Python: `{table.title}`." if table.has_c else ""
        lines += ["", f"## {table.title}", "", table.about + faces, ""]
        for read in table.reads:
            lines.append(f"- `{read.prefix}{'' if read.is_one else '_get'}()`: {read.about}")
        lines += [""] * bool(table.reads)
        lines += ["| C and Python | JSON | type | unit | null | since | what it is |", "|---|---|---|---|---|---|---|"]
        lines += [line_of(table, column) for column in table.columns if not column.cpp]
    return "\n".join(lines) + "\n"
