#!/usr/bin/env python3
"""Asks RKNN-Toolkit2 where it runs the operators of one-operator models, and lays that beside our plans of them.

usage: rknn_cases.py PROGRAM CASES TARGET PRECISION [--logs DIR]      in a Python with rknn-toolkit2

CASES holds models that operator_cases.py wrote, TARGET is a chip as both call it (rk3588), PRECISION int8 or fp16. Each
model is built in a process of its own; DIR keeps the logs, and those that are there are not made again. An operator
that the toolkit folds into its neighbours counts as the NPU's, and a model that it does not build as the CPU's.
"""

import argparse
import collections
import json
import os
import re
import subprocess
import sys
import tempfile

# Of the toolkit's layer table: number, type, precision, unit, ..., front end's type:name.
LAYER = re.compile(r"\] \d+\s+(\S+)\s+\S+\s+(CPU|NPU)\s.*?\s(\S+?):(\S*)")
TIMEOUT_S = 600


def build(path, target, precision):
    """One build; its log goes to the standard output of this process."""
    import numpy as np
    import onnx
    from rknn.api import RKNN
    inputs = onnx.load(path).graph.input
    names = [value.name for value in inputs]
    shapes = [[dim.dim_value for dim in value.type.tensor_type.shape.dim] for value in inputs]
    rknn = RKNN(verbose=True)
    rknn.config(target_platform=target)
    if rknn.load_onnx(model=path, inputs=names, input_size_list=shapes):
        return 1
    files = []
    for i, shape in enumerate(shapes):
        files.append(os.path.abspath(f"{i}.npy"))
        np.save(files[-1], np.random.default_rng(i).random(shape, dtype=np.float32))
    with open("inputs.txt", "w", encoding="utf-8") as file:
        file.write(" ".join(files) + "\n")
    is_int8 = precision == "int8"
    return rknn.build(do_quantization=is_int8, dataset="inputs.txt" if is_int8 else None)


def log_of(path, target, precision, folder):
    log = os.path.join(folder, f"{os.path.basename(path)[:-5]}.{target}.{precision}.log")
    if not os.path.exists(log):
        command = [sys.executable, os.path.abspath(__file__), "--build", os.path.abspath(path), target, precision]
        with tempfile.TemporaryDirectory() as scratch:
            done = subprocess.run(command, cwd=scratch, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                  errors="replace", timeout=TIMEOUT_S)
        with open(log, "w", encoding="utf-8") as file:
            file.write(re.sub(r"\x1b\[[0-9;]*m|[^\n]*\r", "", done.stdout))
    with open(log, encoding="utf-8", errors="replace") as file:
        return file.read()


def unit_there(log):
    """npu or cpu, and the layers that decide it. Views beside the operator move nothing."""
    if "rknn building done" not in log:
        return "cpu", "refused"
    layers = [found.groups() for found in LAYER.finditer(log)]
    own = [layer for layer in layers if re.match(r"op(?![a-z])", layer[3])]
    own = own or [layer for layer in layers if not re.match(r"pre|post", layer[3]) and "Operator" not in layer[0]]
    own = [layer for layer in own if layer[0] != "Reshape"] or own
    words = ", ".join(f"{layer[0]} on {layer[1]}" for layer in own) or "folded"
    return "cpu" if any(layer[1] == "CPU" for layer in own) else "npu", words


def unit_here(program, path, target, precision):
    done = subprocess.run([program, path, "--target", target, "--precision", precision, "--json", "--quiet"],
                          capture_output=True, text=True)
    node = next(node for node in json.loads(done.stdout)["nodes"] if node["name"] == "op")
    return "cpu" if node["unit"] not in (None, "npu") else "npu"


def main():
    if sys.argv[1:2] == ["--build"]:
        return build(*sys.argv[2:5])
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("program", "cases", "target", "precision"):
        parser.add_argument(name)
    parser.add_argument("--logs")
    options = parser.parse_args()
    with open(os.path.join(options.cases, "list.json"), encoding="utf-8") as file:
        names = json.load(file)
    counts = collections.Counter()
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.logs or scratch
        os.makedirs(folder, exist_ok=True)
        for name in names:
            path = os.path.join(options.cases, name + ".onnx")
            there, words = unit_there(log_of(path, options.target, options.precision, folder))
            here = unit_here(options.program, path, options.target, options.precision)
            counts[here == there] += 1
            if here != there:
                print(f"    {name}: {here} here, {there} there ({words})", flush=True)
    print(f"{options.target} {options.precision}: {counts[True]} of {sum(counts.values())} on the same unit")
    return 0


if __name__ == "__main__":
    sys.exit(main())
