#!/usr/bin/env python3
"""Every operator of a table of operators has a rule with the same versions.

usage: ops_check.py TOOL OPS_CSV

OPS_CSV has one row an operator: domain, op, since_versions, category. Operators of the training category that are
com.microsoft's own are left out; rows of "ai.onnx(ORT-only)" are versions that ONNX Runtime registers beside those of
ai.onnx, and "as ai.onnx" stands for the versions of the operator of that name elsewhere. Exit status: 0 all there, 1
something is missing or differs, 77 the table is not there, so nothing was checked (ctest shows "Skipped").
"""

import csv
import json
import os
import subprocess
import sys

SKIPPED = 77
DOMAINS = (
    "ai.onnx",
    "ai.onnx.ml",
    "ai.onnx.preview",
    "ai.onnx.preview.training",
    "com.microsoft",
    "com.microsoft.nchwc",
    "com.ms.internal.nhwc",
)
BESIDE = "ai.onnx(ORT-only)"


def rules_of(tool):
    done = subprocess.run([tool, "describe", "ops", "--format", "json"], capture_output=True, text=True, check=True)
    return {(row["domain"], row["op"]): set(map(int, row["versions"])) for row in json.loads(done.stdout)["ops"]}


def versions_of(row, rows):
    if not row["since_versions"].startswith("as "):
        beside = rows.get((BESIDE, row["op"])) if row["domain"] == "ai.onnx" else None
        text = row["since_versions"] + (" " + beside["since_versions"] if beside else "")
        return set(map(int, text.split()))
    twin = rows.get(("ai.onnx", row["op"])) or rows.get(("com.microsoft", row["op"]))
    return versions_of(twin, rows) if twin else {1}


def is_checked(row):
    return row["domain"] in DOMAINS and not (row["domain"] == "com.microsoft" and row["category"] == "training")


def main():
    tool, table = sys.argv[1:]
    if not os.path.exists(table):
        print(f"{table} is not there: nothing was checked")
        return SKIPPED
    with open(table) as file:
        rows = {(row["domain"], row["op"]): row for row in csv.DictReader(file)}
    rules = rules_of(tool)
    checked = {key: row for key, row in rows.items() if is_checked(row)}
    missing = [key for key in checked if key not in rules]
    wrong = [key for key, row in checked.items() if key in rules and rules[key] != versions_of(row, rows)]
    for domain, op in missing:
        print(f"{domain} {op}: no rule")
    for key in wrong:
        print(f"{key[0]} {key[1]}: rule has {sorted(rules[key])}, table {sorted(versions_of(checked[key], rows))}")
    for domain in DOMAINS:
        keys = [key for key in checked if key[0] == domain]
        good = [key for key in keys if key not in missing and key not in wrong]
        print(f"{domain}: {len(good)} of {len(keys)} operators")
    return 1 if missing or wrong else 0


if __name__ == "__main__":
    sys.exit(main())
