#!/usr/bin/env python3
"""Measures small models with onnx_hwest.measure in ONNX Runtime and OpenVINO, and calibrates to the rows.

usage: run_test.py TOOL. Exit status: 0 good, 1 not, 77 there is no onnxruntime, so nothing was checked.
"""

import csv
import json
import os
import shlex
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MODELS = os.path.join(ROOT, "test", "models")


def run(*words, status=0):
    environment = {**os.environ, "PYTHONPATH": os.path.join(ROOT, "capi", "python"), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(words, capture_output=True, text=True, env=environment)
    if done.returncode != status:
        sys.exit(f"{' '.join(words)}: status {done.returncode}, not {status}\n{done.stdout}{done.stderr}")
    return done


def measure(*words, status=0):
    return run(sys.executable, "-m", "onnx_hwest.measure", *words, status=status)


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
        done = measure(*paths, *common, "--profile", folder, status=1)
        if "free sizes: --dim batch=N --dim seq=N" not in done.stderr or "mobilenet_v2.ts: " not in done.stdout:
            sys.exit(done.stdout + done.stderr)
        # The same command measures nothing again; other threads are another measurement.
        done = measure(*paths[:2], *common)
        if done.stdout.count(": measured before") != 2:
            sys.exit(done.stdout)
        measure(paths[2], *common, "--dim", "batch=1", "--dim", "seq=16", "--threads", "2")
        with open(rows, newline="") as file:
            found = [(row["model"], row["bind"], row["mode"]) for row in csv.DictReader(file)]
        want = [("lstm_tagger_50.ts", "batch=1;seq=16", "2 threads"), ("mnasnet0_5.ts", "", "1 threads"),
                ("mobilenet_v2.ts", "", "1 threads")]
        if found != want:
            sys.exit(f"rows {found}, not {want}")
        # The commands of the last lines work, and the profile is one that they read as well.
        for line in done.stdout.splitlines()[-2:]:
            words = shlex.split(line.replace("TARGET", "x86-avx2").replace("./", "").replace("mine.textproto", target))
            report = run(tool, *words[1:])
        if "3 rows: 3 predicted" not in report.stdout:
            sys.exit(report.stdout)
        profile = os.path.join(folder, "mnasnet0_5.ts.onnxruntime.json")
        run(tool, "validate", "--target", "x86-avx2", "--measurements", f"mnasnet0_5.ts={profile}", "--device",
            "my board",
            "--precision", "fp32", "--models", MODELS)
        try:
            import openvino  # noqa: F401
        except ImportError as error:
            print(f"OpenVINO DID NOT RUN: {error}")
            return 0
        measure(paths[0], *common, "--runtime", "openvino", "--profile", folder)
        with open(rows, newline="") as file:
            if [row["unit"] for row in csv.DictReader(file) if row["runtime"].startswith("OpenVINO ")] != ["CPU"]:
                sys.exit("no row of OpenVINO")
        with open(os.path.join(folder, "mnasnet0_5.ts.openvino.json")) as file:
            if not any(layer["type"] == "Convolution" and layer["real_us"] > 0 for layer in json.load(file)):
                sys.exit("no layers in the profile of OpenVINO")
    return 0


if __name__ == "__main__":
    sys.exit(main())
