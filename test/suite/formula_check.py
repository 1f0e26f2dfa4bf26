#!/usr/bin/env python3
"""The MACs formula of transformers with symbolic batch and sequence, evaluated at 20 bindings, against bound runs.

usage: formula_check.py TOOL MODELS[,MODELS...] STEM...

Exit status: 0 every figure is equal to the integer, 1 not, 77 a model is not there, so nothing was checked.
"""
import json
import os
import subprocess
import sys

from folders import SKIPPED, Folders

BINDINGS = [(batch, seq) for batch in (1, 2, 3, 7) for seq in (2, 5, 16, 61, 128)]
HELPERS = {"__builtins__": {}, "min": min, "max": max, "ceildiv": lambda a, b: -(-a // b),
           "broadcast": lambda a, b: b if a == 1 else a}


def shapes(tool, model, flags=()):
    command = [tool, "shapes", model, *flags, "--format", "json", "--quiet"]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def check(tool, model):
    """True when the formula is one and equals all bound runs. Inputs are [batch, sequence]."""
    unbound = shapes(tool, model)
    formula, inputs = unbound["summary"]["macs"], unbound["model"]["inputs"]
    print(f"{os.path.basename(model)}: macs = {formula}")
    if not isinstance(formula, str):
        return False
    good = True
    for binding in BINDINGS:
        sizes = {str(name): size for row in inputs for name, size in zip(row["shape"], binding)}
        flags = [flag for row in inputs for flag in ("--shape", row["name"] + "={}x{}".format(*binding))]
        expected = eval(formula, HELPERS, sizes)
        found = shapes(tool, model, flags)["summary"]["macs"]
        if found != expected:
            print(f"  {binding}: the formula gives {expected}, the bound run {found}")
            good = False
    return good


def main():
    tool, folders = sys.argv[1], Folders(sys.argv[2])
    models = [folders.path(stem) for stem in sys.argv[3:]]
    missing = [model for model in models if not os.path.exists(model)]
    if missing:
        print(f"DID NOT RUN: {', '.join(missing)} not there; nothing was checked")
        return SKIPPED
    verdicts = [check(tool, model) for model in models]  # each says what is wrong with it
    return 0 if all(verdicts) else 1


if __name__ == "__main__":
    sys.exit(main())
