#!/usr/bin/env python3
"""The tables of `validate` agree with each other and with the file of measurements.

usage: validation_check.py TOOL MODELS[,MODELS...] MEASUREMENTS.csv...

Recomputed from points[] alone: which points a row of rows[] sums up, their number, families, median, p90, bias, rank
correlation, coverage and noise. Every row of the CSV is a point or counted as skipped, points repeat what the CSV says,
and on one target a second run writes the same bytes. A model that ran fits its target. How large the errors may be is
not checked here. Exits with 77 when a folder or file is not there.
"""

import csv
import json
import math
import os
import statistics
import subprocess
import sys

from folders import SKIPPED, Folders

KEYS = ("target", "device", "unit", "runtime", "mode", "precision", "metric")
THING = ("model", "bind", "batch", "device", "unit", "runtime", "precision", "mode", "metric", "source")
COPIED = ("model", "family", "bind", "match", "device", "unit", "runtime", "mode", "precision", "metric", "source",
          "source_version")

ROUNDING = 1e-12


def run(tool, path, models, *more):
    folders = [word for folder in models.folders for word in ("--models", folder)]
    command = [tool, "validate", "--measurements", path, *folders, "--format", "json", *more]
    done = subprocess.run(command, capture_output=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: status {done.returncode}\n{done.stderr.decode(errors='replace')}")
    return done.stdout


def error_of(point):
    return math.exp(abs(math.log(point["predicted"] / point["measured"]))) - 1


def quantile(values, share):
    values = sorted(values)
    at = share * (len(values) - 1)
    low = int(at)
    return values[low] + (at - low) * (values[min(low + 1, len(values) - 1)] - values[low])


def ranks(logs):
    """Ranks from 1 of logarithms; those that are equal but for rounding share their mean rank."""
    order = sorted(range(len(logs)), key=logs.__getitem__)
    found, first = [0.0] * len(logs), 0
    while first < len(order):
        last = first
        while last < len(order) and logs[order[last]] - logs[order[first]] <= ROUNDING:
            last += 1
        for i in order[first:last]:
            found[i] = (first + 1 + last) / 2
        first = last
    return found


def spearman(points):
    merged = {}
    for point in points:
        key = (point["model"], point["precision"], point["mode"], point["batch"])
        merged.setdefault(key, []).append(point)
    if len(merged) < 3:
        return None
    x, y = (ranks([statistics.fmean(math.log(row[side]) for row in rows) for rows in merged.values()])
            for side in ("predicted", "measured"))
    if len(set(x)) < 2 or len(set(y)) < 2:
        return None
    return statistics.correlation(x, y)


def noise(points):
    versions = {}
    for point in points:
        if point["source_version"] is not None:
            thing = tuple(point[key] for key in THING)
            versions.setdefault(thing, {}).setdefault(point["source_version"], []).append(math.log(point["measured"]))
    errors = []
    for values in versions.values():
        means = [statistics.fmean(values[version]) for version in sorted(values)]
        errors += [math.exp(abs(b - a)) - 1 for a, b in zip(means, means[1:])]
    return statistics.median(errors) if errors else None


def differs(a, b):
    if a is None or b is None:
        return a is not b
    return abs(a - b) > 1e-6 * max(1, abs(a))


def check_row(row, points):
    expected = {
        "n": len(points),
        "families": len({point["family"] for point in points}),
        "median": statistics.median(map(error_of, points)),
        "p90": quantile(map(error_of, points), 0.9),
        "bias": math.exp(statistics.fmean(math.log(p["predicted"] / p["measured"]) for p in points)) - 1,
        "coverage80": statistics.fmean(p["low"] <= p["measured"] <= p["high"] for p in points),
        "spearman": spearman(points),
        "noise": noise(points),
    }
    return [f"{[row[key] for key in KEYS]}: {name} is {row[name]}, its points give {value}"
            for name, value in expected.items() if differs(row[name], value)]


def check_points(points, rows):
    problems = []
    for point in points:
        written = rows[point["row"] - 1]
        for column in COPIED:
            if (point[column] or "") != written[column]:
                problems.append(f"row {point['row']}: {column} is {point[column]!r}, the file has {written[column]!r}")
        if point["measured"] != float(written["value"]):
            problems.append(f"row {point['row']}: measured is {point['measured']}, the file has {written['value']}")
        if not 0 < point["low"] <= point["predicted"] <= point["high"]:
            problems.append(f"row {point['row']}: {point['predicted']} is not in its interval")
    return problems


def check(tool, path, models, *more):
    first, problems = run(tool, path, models, *more), []
    if more and run(tool, path, models, *more) != first:
        problems.append("a second run writes other bytes")
    document = json.loads(first)
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    points, skipped = document["points"], sum(row["count"] for row in document["skipped"])
    if len(points) + skipped != len(rows):
        problems.append(f"{len(points)} points and {skipped} skipped rows of {len(rows)}")
    if len({point["row"] for point in points}) != len(points):
        problems.append("a row is two points")
    problems += check_points(points, rows)
    if not more:  # on the device that it was measured on
        problems += [f"row {point['row']} ran, and {point['target']} is said not to hold it: {point['model']}, batch "
                     f"{point['batch']}, {point['precision']}" for point in points if point["fits"] is False]
    groups = {}
    for point in points:
        if point["match"] == "exact":
            groups.setdefault(tuple(point[key] for key in KEYS), []).append(point)
    table = {tuple(row[key] for key in KEYS): row for row in document["rows"]}
    if set(table) != set(groups):
        problems.append(f"rows without points or points without a row: {set(table) ^ set(groups)}")
    for key, row in table.items():
        problems += check_row(row, groups.get(key, [])) if key in groups else []
    print(f"{os.path.basename(path)} {' '.join(more)}: {len(rows)} rows, {len(points)} points in {len(table)} rows, "
          f"{skipped} skipped, {len(problems)} problems")
    return problems


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    tool, models, paths = sys.argv[1], Folders(sys.argv[2]), sys.argv[3:]
    missing = [path for path in paths if not os.path.isfile(path)]
    lack = models.lack() or (f"DID NOT RUN: {', '.join(missing)} not there; nothing was checked" if missing else None)
    if lack:
        print(lack)
        sys.exit(SKIPPED)
    problems = []
    for path in paths:
        problems += check(tool, path, models)
    problems += check(tool, paths[0], models, "--target", "sa8295p")
    print("\n".join(problems[:50]))
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
