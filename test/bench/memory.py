#!/usr/bin/env python3
"""Compares plans of memory with the arenas of TFLite and Vela, and with the least that any plan takes.

usage: memory.py PROGRAM MODELS    in a Python with the packages onnx, ai-edge-litert and ethos-u-vela

1. Every model of the folder that consists of convolutions, pools, sums, joins and products is written as an int8 TFLite
   file (see vela.py). TFLite's arena is what its interpreter's tensors span in memory, without delegates; Vela's is the
   SRAM that it reports. Both stand beside the activations of `PROGRAM memory` at int8.
2. Every model of the folder on three targets: the highest address over the largest sum of bytes alive at once.
"""

import argparse
import concurrent.futures
import csv
import functools
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

import onnx
import vela
from ai_edge_litert.interpreter import Interpreter, OpResolverType

TARGETS = ("raspberry-pi-5", "jetson-orin", "tda4vm")
ACCELERATOR = "ethos-u55-256"  # its arena lies in SRAM alone
OPERATORS = {"Conv", "Relu", "Clip", "Add", "Concat", "MaxPool", "GlobalAveragePool", "Flatten", "Gemm", "Identity",
             "Constant"}


def planned(program, model, target, *flags):
    """The document of `memory`; none when the model does not run there as it is."""
    run = subprocess.run([program, "memory", model, "--target", target, "--json", *flags], capture_output=True,
                         text=True, timeout=600)
    return json.loads(run.stdout) if run.returncode == 0 else None


def tflite_bytes(path):
    """From the first to the last byte of the tensors that an inference writes."""
    interpreter = Interpreter(str(path), experimental_op_resolver_type=OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES)
    interpreter.allocate_tensors()
    inputs = {detail["index"] for detail in interpreter.get_input_details()}
    made = inputs | {index for op in interpreter._get_ops_details() for index in op["outputs"]}
    spans = []
    for index in made:
        view = interpreter.tensor(int(index))()
        spans.append((view.__array_interface__["data"][0], view.nbytes))
    return max(begin + size for begin, size in spans) - min(begin for begin, _ in spans)


def vela_bytes(path, scratch, optimise):
    out = pathlib.Path(scratch) / optimise
    run = subprocess.run([pathlib.Path(sys.executable).with_name("vela"), path, "--accelerator-config", ACCELERATOR,
                          "--output-dir", out, "--optimise", optimise], capture_output=True, text=True)
    if run.returncode != 0:
        return None
    with open(next(out.glob(f"{path.stem}_summary_*.csv")), newline="", encoding="utf-8") as file:
        row = next(csv.DictReader(file))
    return round(float(row["sram_memory_used"]) * 1024)


def converted(model, path):
    """Whether the model could be written as TFLite."""
    graph = onnx.load(model, load_external_data=False)
    dims = graph.graph.input[0].type.tensor_type.shape.dim
    if {node.op_type for node in graph.graph.node} - OPERATORS or len(dims) != 4:
        return False
    try:
        vela.Converter(graph).run(path)
    except (AttributeError, IndexError, KeyError, TypeError, ValueError):
        return False  # a size or attribute that the small writer does not know
    return True


def compared(program, model):
    """Bytes of the plan, its lower bound, TFLite and Vela; none where the model has no TFLite form."""
    with tempfile.TemporaryDirectory() as scratch:
        path = pathlib.Path(scratch) / f"{model.stem}.tflite"
        if not converted(model, path):
            return None
        plan = planned(program, model, "raspberry-pi-5", "--precision", "int8")
        if plan is None:
            return None
        return (plan["peak"]["bytes"], plan["lower_bound_bytes"], tflite_bytes(path),
                vela_bytes(path, scratch, "Performance"), vela_bytes(path, scratch, "Size"))


def quantiles(values):
    values = sorted(values)
    return f"{statistics.median(values):.4f} | {values[int(0.9 * (len(values) - 1))]:.4f} | {values[-1]:.4f}"


def against_compilers(program, models):
    print("| network | plan | lower bound | TFLite | plan / TFLite | Vela, performance | Vela, size |")
    print("|---|---|---|---|---|---|---|")
    ratios = []
    for model in models:
        row = compared(program, model)
        if row is None:
            continue
        plan, least, tflite, fast, small = row
        ratios.append(plan / tflite)
        cells = [f"{value / 1e6:.3f}" if value is not None else "-" for value in (fast, small)]
        print(f"| {model.stem} | {plan / 1e6:.3f} | {least / 1e6:.3f} | {tflite / 1e6:.3f} | {plan / tflite:.3f} | "
              f"{cells[0]} | {cells[1]} |", flush=True)
    print(f"\n{len(ratios)} networks, MB; plan / TFLite in the median {statistics.median(ratios):.3f}, "
          f"{min(ratios):.3f} to {max(ratios):.3f}\n")


def against_bound(program, models, threads):
    print("| target | models | at the bound | median | 90 % | worst |\n|---|---|---|---|---|---|")
    with concurrent.futures.ThreadPoolExecutor(threads) as pool:
        for target in TARGETS:
            plans = [plan for plan in pool.map(functools.partial(planned, program, target=target), models) if plan]
            ratios = [plan["peak"]["bytes"] / plan["lower_bound_bytes"] for plan in plans if plan["lower_bound_bytes"]]
            exact = sum(1 for ratio in ratios if ratio == 1)
            print(f"| {target} | {len(ratios)} | {exact} | {quantiles(ratios)} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("program")
    parser.add_argument("models", type=pathlib.Path)
    parser.add_argument("--threads", type=int, default=2)
    args = parser.parse_args()
    models = sorted(args.models.glob("*.onnx"))
    against_compilers(args.program, models)
    against_bound(args.program, models, args.threads)


if __name__ == "__main__":
    sys.exit(main())
