#!/usr/bin/env python3
"""Runs every rewritten export against its original in ONNX Runtime, as `rewrite --verify` does.

usage: verify_check.py TOOL MODELS [--targets NAME,..] [--every N] [--skip N] [--only TEXT,..] [--seconds S] [--each S]
                       [--gib N]

For each model, small ones first, the files that `rewrite` writes for the targets and that differ from each other are
compared with the model on one set of inputs, within what their rules allow; weights that are absent are drawn. --every
and --skip: each Nth model, without the first ones; --only: those with one of the texts in their names; --seconds: no
model begins after these; --each and --gib: of one comparison, which is not run where it needs more time or memory.
Exit status: 0 all good, 1 findings, 77 nothing was checked: the folder, or onnxruntime, onnx or numpy is not there.
"""

import argparse
import hashlib
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

from folders import SKIPPED, Folders, sampled
from what_if_check import TARGETS, proposed

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "capi" / "python"))
CLASSES = ("exact", "rounding", "approximate")  # finest first


def skip(why):
    print(f"DID NOT RUN: {why}; nothing was checked")
    sys.exit(SKIPPED)


try:
    import numpy  # noqa: F401  here and below: loaded once for all comparisons
    import onnx  # noqa: F401
    import onnxruntime  # noqa: F401
except ImportError as missing:
    skip(f"{missing}. Name a Python with onnxruntime, onnx and numpy by -DHWEST_ORT_PYTHON=...")
from onnx_hwest.verify import verify


def rewritten(tool, path, target, output):
    """The flags that bind the model's sizes, and the report of `rewrite`. Raises RuntimeError."""
    flags = []
    while True:
        done = subprocess.run([tool, "rewrite", path, "--target", target, *flags, "--output", output, "--json",
                               "--quiet"], capture_output=True, text=True)
        if done.returncode == 0:
            return flags, json.loads(done.stdout)
        if flags or not proposed(done.stderr):
            raise RuntimeError(f"exit {done.returncode}: {done.stderr.strip()[:200]}")
        flags = proposed(done.stderr)


def compared(first, second, by_class, dims, seconds, gib):
    """What verify() returns, in a process of its own: ONNX Runtime may take all memory, or for ever."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        import resource
        os.close(reader)
        resource.setrlimit(resource.RLIMIT_AS, (gib << 30, gib << 30))
        signal.alarm(int(seconds))
        try:
            document = verify(first, second, runs=1, by_class=by_class, dim=dims)
        except (MemoryError, OSError, ValueError, RuntimeError) as error:
            document = {"verdict": "not_run", "message": f"{type(error).__name__}: {error}", "choices": []}
        os.write(writer, json.dumps(document).encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        text = pipe.read()
    _, status = os.waitpid(child, 0)
    if text:
        return json.loads(text)
    timed_out = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGALRM
    return {"verdict": "not_run", "message": "longer than the limit" if timed_out else f"ended with status {status}",
            "choices": []}


def work_of(row):
    return int(row["torch_macs"] or 0) + int(row["weight_bytes"] or 0) or 1 << 40


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool")
    parser.add_argument("models", type=Folders)
    parser.add_argument("--targets", default=",".join(TARGETS))
    parser.add_argument("--seconds", type=float, default=0, help="0 = no end")
    parser.add_argument("--each", type=float, default=300)
    parser.add_argument("--gib", type=int, default=8)
    parser.add_argument("--only", default="")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--skip", type=int, default=0)
    options = parser.parse_args()
    if options.models.lack():
        skip(options.models.lack())
    rows = sorted(options.models.rows(), key=work_of)[options.skip:]
    rows = [row for row in rows if any(text in row["model"] for text in options.only.split(","))]
    rows = sampled(rows, options.every)
    started, counts, bad, checked = time.monotonic(), {"equal": 0, "differs": 0, "not_run": 0}, 0, 0
    for row in rows:
        if options.seconds and time.monotonic() - started > options.seconds:
            break
        checked += 1
        path, seen = options.models.path(row["model"]), set()
        for target in options.targets.split(","):
            with tempfile.TemporaryDirectory() as folder:
                output = os.path.join(folder, "rewritten.onnx")
                try:
                    flags, report = rewritten(options.tool, path, target, output)
                except RuntimeError as problem:
                    print(f"{row['model']} for {target}: {problem}", flush=True)
                    bad += 1
                    continue
                with open(output, "rb") as file:
                    digest = hashlib.sha256(file.read()).digest()
                if not report["rules"] or digest in seen:
                    continue
                seen.add(digest)
                by_class = max((rule["exactness"] for rule in report["rules"]), key=CLASSES.index)
                dims = {name: int(size) for name, size in (pair.split("=") for pair in flags[1::2])}
                found = compared(path, output, by_class, dims, options.each, options.gib)
            counts[found["verdict"]] += 1
            bad += found["verdict"] == "differs"
            names = ", ".join(rule["name"] for rule in report["rules"])
            largest = max((output["max_rel"] or 0 for output in found.get("outputs", [])), default=None)
            turned = ", ".join(f"{choice['name']} of {choice['operator']}" for choice in found["choices"][:3])
            print(f"{row['model']} for {target}: {found['verdict']}, {largest} ({by_class}; {names}) "
                  f"{found.get('message') or ''} {found.get('first_difference') or ''} "
                  f"{f'rounding turned {turned}' if turned else ''}".rstrip(), flush=True)
    print(f"{checked} of {len(rows)} models; files: {counts['equal']} equal, {counts['differs']} differ, "
          f"{counts['not_run']} not run; {bad} findings")
    return 1 if bad or not counts["equal"] else 0


if __name__ == "__main__":
    sys.exit(main())
