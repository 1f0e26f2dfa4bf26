#!/usr/bin/env python3
"""Measures a small model with examples/measure_onnxruntime.py, and calibrates to the rows.

usage: measure_run.py TOOL. Exit status: 0 good, 1 not, 77 there is no onnxruntime, so nothing was checked.
"""

import csv
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SCRIPT = os.path.join(ROOT, "examples", "measure_onnxruntime.py")
MODELS = os.path.join(ROOT, "test", "models")


def run(*words, status=0):
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode != status:
        sys.exit(f"{' '.join(words)}: status {done.returncode}, not {status}\n{done.stdout}{done.stderr}")
    return done


def main():
    try:
        import numpy  # noqa: F401
        import onnx  # noqa: F401
        import onnxruntime  # noqa: F401
    except ImportError as error:
        print(f"DID NOT RUN: {error}; nothing was checked")
        return 77
    tool = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        rows, target = os.path.join(folder, "rows.csv"), os.path.join(folder, "mine.textproto")
        paths = [os.path.join(MODELS, name) for name in
                 ("mnasnet0_5.ts.onnx", "mobilenet_v2.ts.onnx", "lstm_tagger_50.ts.onnx", "bert-base_128.ts.onnx")]
        common = ("--device", "my board", "--output", rows, "--runs", "3", "--seconds", "1", "--warmup", "1")
        # Without sizes the two sequence models are named and the others measured.
        done = run(sys.executable, SCRIPT, *paths, *common, status=1)
        if "free sizes: --dim batch=N --dim seq=N" not in done.stderr or "mobilenet_v2.ts: " not in done.stdout:
            sys.exit(done.stdout + done.stderr)
        run(sys.executable, SCRIPT, *paths[2:3], *common, "--dim", "batch=1", "--dim", "seq=16", "--threads", "2")
        with open(rows, newline="") as file:
            found = [(row["model"], row["bind"], row["mode"]) for row in csv.DictReader(file)]
        want = [("lstm_tagger_50.ts", "batch=1;seq=16", "2 threads"), ("mnasnet0_5.ts", "", "1 threads"),
                ("mobilenet_v2.ts", "", "1 threads")]
        if found != want:
            sys.exit(f"rows {found}, not {want}")
        run(tool, "calibrate", "--target", "x86-avx2", "--measurements", rows, "--models", MODELS, "--output", target)
        report = run(tool, paths[1], "--target", target)
        if "Latency" not in report.stdout:
            sys.exit(report.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main())
