#!/usr/bin/env python3
"""Writes every face of the tables, words and option structs from the .table files beside this script, and of the
options of an analysis from lib/analysis/request.table.

usage: generate.py [--check]

With --check it writes nothing and fails when a file is not what it would write.
"""

import sys

import request
import structs
import to_c
import to_cpp
import to_docs
import to_python
import words
from schema import ROOT, VERSION, read_tables


def generated():
    """{path: text}"""
    every = read_tables()
    tables = [table for table in every if table.has_c]
    every_words, (option_structs, commands) = words.read_words(), structs.read_structs()
    handles = to_c.handles_of(to_c.header_text())
    rows = to_c.rows_header(tables, every_words, handles)
    analysis_options = request.read_options(every_words)
    options = request.generated(analysis_options, structs.for_c(option_structs))
    code = to_c.code_of(to_c.whole_header(rows, options["capi/hwest_options.h"]))
    functions = to_c.functions_of(code)
    python = "capi/python/onnx_hwest/"
    here = [table for table in every if table.place == "report"]
    made = [(f"lib/report/{to_cpp.file_of(table.row)}", table) for table in here if table.made]
    placed = [table for table in every if table.place != "report"]
    return {
        **options,
        **{f"lib/{table.place}/columns.h": to_cpp.placed_header(table) for table in placed},
        **{f"lib/{table.place}/columns.cc": to_cpp.placed_source(table) for table in placed},
        "capi/hwest_rows.h": rows,
        "capi/layout.c": to_c.layout(to_c.structs_of(code)),
        "capi/hwest.map": to_c.symbol_map(functions),
        "capi/option_words.cc": structs.option_words(analysis_options, option_structs, commands),
        "capi/numbers.h": to_c.numbers_header(every_words),
        "capi/tables.h": to_c.tables_header(tables, handles),
        "capi/tables.cc": to_c.tables_source(tables, handles),
        "capi/fill_rows.h": to_c.fills_header(tables),
        "capi/fill_rows.cc": to_c.fills_source(tables),
        **{f"{path}.h": to_cpp.struct_header(table) for path, table in made},
        **{f"{path}.inc": to_cpp.maker_of(table) for path, table in made},
        "lib/report/columns.h": to_cpp.columns_header(here),
        "lib/report/columns.cc": to_cpp.columns_source(here),
        python + "_version.py": f'__version__ = "{VERSION}"\n',
        python + "_abi.py": to_python.abi(code, functions),
        python + "_row_types.py": to_python.row_types(tables, every_words),
        python + "_row_columns.py": to_python.row_columns(tables, every_words),
        python + "_structs.py": structs.python_structs(option_structs, every_words),
        python + "_tables.py": to_python.tables_of_python(tables, handles),
        python + "_formats.py": words.python_formats(every_words),
        python + "_words.py": words.python_words(every_words),
        "lib/report/words.h": words.cpp_words(every_words, structs.words_of_flags(option_structs)),
        "docs/tables.md": to_docs.tables_page(every),
    }


def main(is_check):
    stale = []
    for name, text in generated().items():
        path = ROOT / name
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        stale.append(name)
        if not is_check:
            path.write_text(text, encoding="utf-8")
    if is_check and stale:
        print(f"{', '.join(stale)}: not what the tables say; run python3 lib/report/tables/generate.py")
    return 1 if is_check and stale else 0


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv[1:]))
