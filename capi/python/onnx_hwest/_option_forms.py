"""Arguments that are dicts in Python and lists of texts in C.
Written by lib/report/tables/generate.py from lib/analysis/request.table."""

DICTS = ["dims", "expect", "values", "toolchains"]  # of "NAME=TEXT"
SHAPES = ["shapes"]  # of "NAME=AxB"
