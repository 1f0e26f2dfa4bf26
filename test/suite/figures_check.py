#!/usr/bin/env python3
"""Two builds of the program, of one commit, print the same figures byte for byte: the whole JSON report, with what-if
rows, of every model on a target of each kind of machine. For builds of two compilers or two processors.

usage: figures_check.py TOOL OTHER_TOOL [MODEL.onnx...]

A tool is a path, or a command in one word: "qemu-aarch64-static build-aarch64/onnx-hwest". Without models, those of
this repository. Exit status: 0 the same, 1 not, 77 there is no first tool, so nothing was compared.
"""

import json
import os
import pathlib
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
TARGETS = ("coral-usb", "ethos-u55-256", "hailo-8", "jetson-agx-orin-64gb", "raspberry-pi-5", "rk3588",
           "snapdragon-8-gen-3",
           "tda4vm", "x86-avx512")
SIZES = ("--dim", "batch=2", "--dim", "seq=16")  # of models that leave them open


def models_of_tree():
    return sorted(str(path) for folder in ("test/models", "examples/models")
                  for path in (ROOT / folder).rglob("*.onnx"))


def report(tool, model, target, sizes=()):
    command = [*shlex.split(tool), "analyze", model, "--target", target, "--what-if", "--json", *sizes]
    return subprocess.run(command, capture_output=True, check=False)


def number_of_figures(value):
    if isinstance(value, dict):
        return sum(map(number_of_figures, value.values()))
    if isinstance(value, list):
        return sum(map(number_of_figures, value))
    return int(isinstance(value, float))


def first_difference(one, other):
    for number, (left, right) in enumerate(zip(one.splitlines(), other.splitlines()), 1):
        if left != right:
            at = next((i for i, pair in enumerate(zip(left, right)) if pair[0] != pair[1]), min(len(left), len(right)))
            return f"line {number}: ...{left[max(0, at - 60):at + 30]!r} and ...{right[max(0, at - 60):at + 30]!r}"
    return f"{len(one)} and {len(other)} bytes"


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    tool, other = sys.argv[1:3]
    if not os.access(shlex.split(tool)[-1], os.X_OK):
        print(f"DID NOT RUN: no {tool}; nothing was compared")
        return 77
    versions = {subprocess.run([*shlex.split(name), "--version"], capture_output=True, check=True).stdout
                for name in (tool, other)}
    if len(versions) != 1:
        sys.exit(f"two versions: {versions}")
    models = sys.argv[3:] or models_of_tree()
    same = differ = refused = figures = 0
    for model in models:
        # The same answer may be a refusal, which says nothing about figures.
        sizes = () if report(tool, model, TARGETS[0]).returncode == 0 else SIZES
        for target in TARGETS:
            one, two = (report(name, model, target, sizes) for name in (tool, other))
            if (one.returncode, one.stdout, one.stderr) != (two.returncode, two.stdout, two.stderr):
                differ += 1
                print(f"{model} on {target}: status {one.returncode} and {two.returncode}, "
                      f"{first_difference((one.stdout or one.stderr).decode(), (two.stdout or two.stderr).decode())}")
            elif one.returncode != 0:
                refused += 1
                print(f"{model} on {target}: {one.stderr.decode().strip()}")
            else:
                same += 1
                figures += number_of_figures(json.loads(one.stdout))
    print(f"{len(models)} models on {len(TARGETS)} targets: {same} reports with {figures} fractional figures are the "
          f"same, "
          f"{differ} differ, {refused} were refused by both")
    return 1 if differ or not same else 0


if __name__ == "__main__":
    sys.exit(main())
