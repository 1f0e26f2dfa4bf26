#!/usr/bin/env python3
"""Table of the placement search over a folder of models: atoms, states, values live at once, exact, gap and time.

usage: placement.py BENCH MODELS [--targets T,T] [--runs N] [--only SUBSTRING] [--all]

BENCH is placement_bench; MODELS holds *.onnx and index.csv. Prints the rows that matter (--all: every one): a gap
above 2 %, a time above 50 ms, and per target the largest figures. Exit status: 0 good, 1 a gap above 2 % although no
more than 6 values are live at once or a model of at most 2000 atoms above 50 ms, 77 the folder is not there.
"""

import argparse
import csv
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "suite"))
from shared_suite import SKIPPED, bind_flags

TARGETS = "jetson-orin,tda4vm,sa8295p,hexagon-698,x86-avx2"
MOST_GAP, MOST_LIVE = 0.02, 6
MOST_MS, MOST_ATOMS = 50, 2000


def measure(bench, target, runs, path, row):
    sizes = [flag for flag in bind_flags(row) if not flag.startswith("--")]
    done = subprocess.run([bench, target, str(runs), path, *sizes], capture_output=True, text=True)
    if done.returncode != 0:
        return None
    words = done.stdout.split()
    return {"model": row["model"], "target": target, "atoms": int(words[0]), "states": int(words[1]),
            "live": int(words[2]), "exact": words[3] == "1", "gap": float(words[4]), "ms": float(words[5])}


def line_of(entry):
    return (f"{entry['model']:42} {entry['target']:12} {entry['atoms']:6} {entry['states']:7} {entry['live']:5} "
            f"{'yes' if entry['exact'] else 'no':5} {100 * entry['gap']:7.3f} % {entry['ms']:8.2f} ms")


def is_bad(entry):
    wide = entry["gap"] > MOST_GAP and entry["live"] <= MOST_LIVE
    return wide or (entry["ms"] > MOST_MS and entry["atoms"] <= MOST_ATOMS)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bench")
    parser.add_argument("models")
    parser.add_argument("--targets", default=TARGETS)
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--only", default="")
    parser.add_argument("--all", action="store_true")
    options = parser.parse_args()
    index = os.path.join(options.models, "index.csv")
    if not os.path.exists(index):
        print(f"DID NOT RUN: {options.models} with index.csv is not there")
        return SKIPPED
    with open(index) as file:
        rows = [row for row in csv.DictReader(file) if options.only in row["model"]]
    print(f"{'model':42} {'target':12} {'atoms':>6} {'states':>7} {'live':>5} {'exact':5} {'gap':>9} {'time':>11}")
    bad = failed = 0
    for target in options.targets.split(","):
        entries = []
        for row in rows:
            path = os.path.join(options.models, row["model"] + ".onnx")
            entry = measure(options.bench, target, options.runs, path, row)
            failed += entry is None
            if entry is None:
                print(f"{row['model']:42} {target:12} failed")
                continue
            entries.append(entry)
            if options.all or is_bad(entry) or entry["gap"] > MOST_GAP or entry["ms"] > MOST_MS:
                print(line_of(entry), flush=True)
        bad += sum(map(is_bad, entries))
        exact = sum(entry["exact"] for entry in entries)
        print(f"{target}: {len(entries)} models, {exact} exact, largest gap "
              f"{100 * max(entry['gap'] for entry in entries):.3f} %, states {max(e['states'] for e in entries)}, "
              f"live {max(e['live'] for e in entries)}, {max(e['ms'] for e in entries):.1f} ms", flush=True)
    print(f"{bad} beyond the limits, {failed} failed")
    return 1 if bad or failed else 0


if __name__ == "__main__":
    sys.exit(main())
