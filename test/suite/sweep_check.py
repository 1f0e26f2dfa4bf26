#!/usr/bin/env python3
"""Rows of sweeps are those of single runs, digit by digit: models x targets x modes x batches of a folder of exports.

usage: sweep_check.py ONNX_HWEST MODELS[,MODELS...] [--models N] [--targets N] [--every N]

The sweep runs once; of its points every Nth is run again alone. By default 12 models, 10 targets, 2 modes of each and
batches 1, 2 and 4. Models and targets are spread over the lists that there are; targets with two modes come first.
"""

import argparse
import json
import os
import subprocess
import sys

from folders import SKIPPED, Folders

BATCHES = (1, 2, 4)
MODES = 2
SUMMARY = ("latency_s", "latency_low_s", "latency_high_s", "interval_s", "throughput_per_s", "energy_j", "power_w",
           "peak_memory_bytes", "macs", "flops", "moved_bytes", "intensity", "grade")
RUNTIME = ("runtime", "weights", "kv", "prompt", "context", "ttft_s", "ttft_low_s", "ttft_high_s", "tokens_per_s",
           "tokens_per_s_low", "tokens_per_s_high", "energy_per_token_j", "max_context")


def exact(text):
    """JSON with its figures as they are written."""
    return json.loads(text, parse_float=str)


def spread(items, count):
    return [items[i * len(items) // count] for i in range(min(count, len(items)))]


def places(tool, count):
    """(target, mode), MODES of each target; None = a target without modes."""
    listed = json.loads(subprocess.run([tool, "targets", "--json"], capture_output=True, check=True).stdout)["targets"]
    several = [row for row in listed if len(row["modes"]) >= MODES]
    chosen = spread(several, min(count, len(several)))
    chosen += spread([row for row in listed if row not in several], max(0, count - len(chosen)))
    return [(row["name"], row["modes"][:MODES] or [None]) for row in chosen]


def sweep(tool, models, target, modes):
    named = ["--mode", ",".join(modes)] if modes[0] is not None else []
    done = subprocess.run([tool, "sweep", *models, "--target", target, *named, "--batch", ",".join(map(str, BATCHES)),
                           "--format", "jsonl", "--quiet"], capture_output=True, text=True)
    return [exact(line) for line in done.stdout.splitlines()]


def differences_of_runtime(tool, row, mode):
    """What `llm` says otherwise of a language model whose kernels cannot be timed without sizes."""
    named = ["--mode", mode] if mode is not None else []
    done = subprocess.run([tool, "llm", row["model"], "--target", row["target"], *named, "--batch", str(row["batch"]),
                           "--json", "--quiet"], capture_output=True, text=True)
    figures = exact(done.stdout)["runs"][0]
    return {key: (row[key], figures[key]) for key in RUNTIME if row[key] != figures[key]}


def differences(tool, row, mode):
    """What a single run says otherwise."""
    named = ["--mode", mode] if mode is not None else []
    done = subprocess.run([tool, row["model"], "--target", row["target"], *named, "--batch", str(row["batch"]),
                           "--json",
                           "--quiet"], capture_output=True, text=True)
    alone = exact(done.stdout)
    if alone["kind"] == "error":
        first = alone["diagnostics"][0]
        if row["runtime"] is not None and first["message"] in row["message"]:
            return differences_of_runtime(tool, row, mode)
        # What to do next is a whole command of the one run, and words in a row of many.
        if not row["message"].startswith(first["message"]):
            return {"message": (row["message"], first["message"])}
        wanted = {"status": "error", "code": first["code"]}
    else:
        wanted = {key: alone["summary"][key] for key in SUMMARY}
        wanted.update(status="ok", segments=len(alone["segments"]), groups=len(alone["groups"]))
        wanted.update({key: alone["request"][key] for key in ("mode", "precision", "batch")})
    return {key: (row[key], value) for key, value in wanted.items() if row[key] != value}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("folders")
    parser.add_argument("--models", type=int, default=12)
    parser.add_argument("--targets", type=int, default=10)
    parser.add_argument("--every", type=int, default=1)
    arguments = parser.parse_args()
    folders = Folders(arguments.folders)
    if folders.lack():
        print(folders.lack())
        return SKIPPED
    files = [folders.path(row["model"]) for row in folders.rows()]
    models = spread(files, arguments.models)
    failures = points = alone = failed = 0
    for target, modes in places(arguments.tool, arguments.targets):
        rows = sweep(arguments.tool, models, target, modes)
        wanted = [(model, mode, batch) for model in models for mode in modes for batch in BATCHES]
        if len(rows) != len(wanted):
            sys.exit(f"{target}: {len(rows)} rows for {len(wanted)} points")
        for row, (model, mode, batch) in zip(rows, wanted):
            points += 1
            failed += row["status"] != "ok"
            if row["model"] != model or row["batch"] != batch:
                sys.exit(f"{target}: rows are not in the order of the points: {row['model']} for {model}")
            if points % arguments.every:
                continue
            alone += 1
            found = differences(arguments.tool, row, mode)
            if found:
                failures += 1
                print(f"{os.path.basename(model)} on {target} in mode {mode} at batch {batch}: {found}")
    print(f"{points} points of {len(models)} models, {failed} of them errors; "
          f"{alone} were run alone, {failures} differ")
    return 1 if failures or alone == 0 or failed == points else 0


if __name__ == "__main__":
    sys.exit(main())
