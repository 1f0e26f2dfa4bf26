#!/usr/bin/env python3
"""Holds that no node of an export is unknown, on any built-in target.

usage: unknown_check.py MODELS [--only TEXT] [--every N] [--targets T,T]

Every file of MODELS/index.csv is analysed on every target through the Python package (PYTHONPATH, HWEST_LIBRARY). A
node counts as known when its types, work, time and unit are. Prints each finding and the totals. Exit status: 0 all
good, 1 findings, 77 the folder is not there.
"""

import argparse
import concurrent.futures
import re
import sys

from folders import SKIPPED, Folders, sampled
from shared_suite import GENAI_DIMS, with_heads


def binding(row):
    """What binds the free dims: sizes by symbol, or shapes with the first dim 1 and others the length in the name."""
    if "genai" in row["model"]:
        return {"dims": with_heads(GENAI_DIMS, row["model"])}
    length = re.search(r"_(\d+)(\.|$)", row["model"])
    shapes = {}
    for name, _, shape in (text.rpartition("=") for text in row["inputs"].split()):
        dims = shape.split("x")
        free = ["1"] + [length.group(1) if length else "128"] * len(dims)
        bound = [dim if dim.isdigit() else free[at] for at, dim in enumerate(dims)]
        if bound != dims:
            shapes[name] = [int(dim) for dim in bound]
    return {"shapes": shapes}


def unknown(model, target, bound):
    totals = model.analyze(target, **bound).totals
    known = min(totals.typed_nodes, totals.counted_nodes, totals.costed_nodes, totals.placed_nodes)
    return max(totals.unknown_nodes, totals.nodes - known)


def check(hwest, models, row, targets):
    findings = []
    model = hwest.load(models.path(row["model"]))
    bound = binding(row)
    for target in targets:
        try:
            count = unknown(model, target, bound)
        except hwest.Error as error:
            findings.append(f"{row['model']} on {target}: {error}")
            continue
        if count:
            findings.append(f"{row['model']} on {target}: {count} nodes are unknown")
    return findings


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models")
    parser.add_argument("--only", default="", help="models whose name holds this text")
    parser.add_argument("--every", type=int, default=1, help="each Nth model")
    parser.add_argument("--targets", help="instead of all")
    options = parser.parse_args()
    models = Folders(options.models)
    if models.lack():
        print(models.lack())
        return SKIPPED
    import onnx_hwest as hwest
    rows = sampled(models.rows(options.only), options.every)
    targets = options.targets.split(",") if options.targets else [target.name for target in hwest.targets()]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        findings = sum(pool.map(lambda row: check(hwest, models, row, targets), rows), [])
    for finding in findings:
        print(finding)
    print(f"unknown: {len(rows)} exports on {len(targets)} targets, {len(findings)} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
