#!/usr/bin/env python3
"""Lays plans for Ethos-U beside what Arm's compiler Vela leaves to the CPU of the same TensorFlow Lite files.

usage: vela_models.py PROGRAM FOLDER [--only SUBSTRING] [--disagreements N]      in a Python with ethos-u-vela

FOLDER holds int8 files, for instance those that `test/suite/tflite_pairs.py --folder` leaves there (*-int8.tflite).
Each is compiled for each target; operators of the file that Vela's result still has run on the CPU, all others on the
NPU, whose segments are the custom operators `ethos-u` there. An operator is known by the tensor that it writes. Prints,
per target: operators that both place, the share of them on the same unit, how many run on the CPU here and there, and
on how many files the NPU has as many segments.
"""

import argparse
import collections
import json
import pathlib
import subprocess
import sys
import tempfile

from ethosu.vela.tflite.BuiltinOperator import BuiltinOperator
from ethosu.vela.tflite.Model import Model

TARGETS = ("ethos-u55-256", "ethos-u65-512", "ethos-u85-1024")  # named as Vela names them
NAMES = {number: name for name, number in vars(BuiltinOperator).items() if not name.startswith("_")}


def operators(path):
    """(operator, name of the first tensor that it writes), and the number of NPU segments."""
    model = Model.GetRootAsModel(path.read_bytes(), 0)
    graph = model.Subgraphs(0)
    found, segments = [], 0
    for i in range(graph.OperatorsLength()):
        operator = graph.Operators(i)
        code = model.OperatorCodes(operator.OpcodeIndex())
        custom = code.CustomCode()
        if custom is not None and custom.startswith(b"ethos-u"):
            segments += 1
            continue
        kind = NAMES[max(code.BuiltinCode(), code.DeprecatedBuiltinCode())]
        found.append((kind, graph.Tensors(operator.Outputs(0)).Name().decode()))
    return found, segments


def compiled(path, target, scratch):
    """What Vela left to the CPU, by the tensor it writes, and its NPU segments; none if it does not take the file."""
    out = pathlib.Path(scratch) / target
    vela = pathlib.Path(sys.executable).with_name("vela")
    done = subprocess.run([vela, path, "--accelerator-config", target, "--output-dir", out],
                          capture_output=True, text=True)
    result = out / f"{path.stem}_vela.tflite"
    if done.returncode != 0 or not result.exists():
        print(f"    {path.stem}, {target}: {(done.stderr or done.stdout).strip().splitlines()[-1][:160]}")
        return None
    left, segments = operators(result)
    return {name for _, name in left}, segments


def planned(program, path, target):
    """Unit by the tensor that a node writes, and segments of the NPU."""
    done = subprocess.run([program, path, "--target", target, "--precision", "int8", "--json", "--quiet"],
                          capture_output=True, text=True)
    if done.returncode not in (0, 7):
        print(f"    {path.stem}, {target}: {done.stderr.strip()[-160:]}")
        return None
    document = json.loads(done.stdout)
    units = {name: (node["unit"], node["op"]) for node in document["nodes"] for name in node["outputs"] if node["unit"]}
    return units, sum(segment["unit"] == "npu" for segment in document["segments"])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--disagreements", type=int, default=0)
    options = parser.parse_args()
    print("target           operators     same    cpu  cpu there  segments")
    for target in TARGETS:
        counts, differing = collections.Counter(), collections.Counter()
        equal = files = 0
        for path in sorted(options.folder.glob("*.tflite")):
            if options.only not in path.stem:
                continue
            with tempfile.TemporaryDirectory() as scratch:
                there = compiled(path, target, scratch)
            here = planned(options.program, path, target)
            if there is None or here is None:
                continue
            files += 1
            equal += here[1] == there[1]
            if here[1] != there[1] and options.disagreements:
                print(f"    {path.stem}: {here[1]} segments here, {there[1]} there")
            for kind, name in operators(path)[0]:
                if name not in here[0]:
                    continue
                pair = ("npu" if here[0][name][0] == "npu" else "cpu", "cpu" if name in there[0] else "npu")
                counts[pair] += 1
                if pair[0] != pair[1]:
                    differing[(kind, here[0][name][1], *pair, path.stem)] += 1
        total, same = sum(counts.values()), counts["npu", "npu"] + counts["cpu", "cpu"]
        cpu = [sum(count for pair, count in counts.items() if pair[side] == "cpu") for side in (0, 1)]
        print(f"{target:16} {total:9} {100 * same / max(total, 1):7.2f} % {cpu[0]:5} {cpu[1]:6}     {equal} of {files}",
              flush=True)
        for (kind, op, here, there, name), count in differing.most_common(options.disagreements):
            print(f"    {kind} ({op}), {name}: {here} here, {there} there: {count}")


if __name__ == "__main__":
    main()
