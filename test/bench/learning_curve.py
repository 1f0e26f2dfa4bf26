#!/usr/bin/env python3
"""How errors fall with the number of model families measured, per kind of machine.

usage: learning_curve.py PROGRAM MEASUREMENTS.csv MODELS [--left-out LEFT_OUT.json] [--unit UNIT] [--calibrate TARGET]

Takes an eighth, a quarter, a half and all of the families of the file, each part inside the next, and runs

    PROGRAM validate --measurements PART.csv --models MODELS --leave-out family --format json

on each: every family is predicted by fits to the others of its part. Prints, per pool, the median error with the number
of families. LEFT_OUT.json is that of the whole file, where it is there already. Needs about as long as two such runs.

--unit takes the rows of that unit alone. With --calibrate, errors are those that `calibrate --target TARGET` prints of
models it has not seen, which is how Hexagon is fitted.
"""

import argparse
import collections
import csv
import hashlib
import json
import pathlib
import subprocess
import sys
import tempfile

PARTS = (8, 4, 2, 1)  # one in so many families
LEAST_POINTS = 20     # of a pool that is shown
FEWEST_FAMILIES = 3   # of a part that says anything


def order_of(family):
    """Puts families in an order that has nothing to do with their names."""
    return hashlib.sha256(family.encode()).hexdigest()


def families_in(rows):
    return sorted({row["family"] for row in rows}, key=order_of)


def left_out(program, rows, columns, models, target):
    with tempfile.TemporaryDirectory() as scratch:
        path = pathlib.Path(scratch) / "part.csv"
        verb = (["calibrate", "--target", target, "--output", path.with_suffix(".textproto")] if target else
                ["validate", "--leave-out", "family"])
        with open(path, "w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, columns)
            writer.writeheader()
            writer.writerows(rows)
        run = subprocess.run([program, *verb, "--measurements", path, "--models", models, "--format", "json",
                              "--quiet"],
                             capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(f"learning_curve.py: {run.stderr.strip()}")
    document = json.loads(run.stdout)
    return document["after" if target else "pools"]


def key(pool):
    return tuple(pool[name] for name in ("family", "unit", "runtime", "precision", "metric"))


def title(pool):
    name = pool["family"] or "CPUs, every runtime"
    return " ".join(text for text in (name, pool["unit"] if pool["family"] else "", pool["runtime"], pool["precision"],
                                      "FPS" if pool["metric"] == "throughput_fps" else "") if text)


def share(value):
    return "-" if value is None else f"{100 * value:.3g} %"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("program")
    parser.add_argument("measurements")
    parser.add_argument("models")
    parser.add_argument("--left-out")
    parser.add_argument("--unit")
    parser.add_argument("--calibrate", metavar="TARGET")
    args = parser.parse_args()
    with open(args.measurements, newline="", encoding="utf-8") as file:
        reader = csv.DictReader(file)
        rows, columns = [row for row in reader if args.unit in (None, row["unit"])], reader.fieldnames
    families = families_in(rows)
    curve, pools = collections.defaultdict(dict), {}
    for part in PARTS:
        kept = set(families[:len(families) // part])
        if part == 1 and args.left_out:
            found = json.load(open(args.left_out, encoding="utf-8"))["pools"]
        else:
            found = left_out(args.program, [row for row in rows if row["family"] in kept], columns, args.models,
                             args.calibrate)
        for pool in found:
            curve[key(pool)][part] = pool
            pools[key(pool)] = pool
    print("| family, runtime, precision | " + " | ".join("all" if part == 1 else f"1 in {part}" for part in PARTS) +
          " |")
    print("|---" * (len(PARTS) + 1) + "|")
    for name, pool in sorted(pools.items(), key=lambda item: title(item[1])):
        if 1 not in curve[name] or curve[name][1]["n"] < LEAST_POINTS:
            continue
        cells = []
        for part in PARTS:
            at = curve[name].get(part)
            said = at is not None and at["families"] >= FEWEST_FAMILIES
            cells.append(f"{share(at['median'])} ({at['families']})" if said else "-")
        print("| " + " | ".join([title(pool), *cells]) + " |")


if __name__ == "__main__":
    sys.exit(main())
