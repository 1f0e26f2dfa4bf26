#!/usr/bin/env python3
"""Lays plans beside what the vendors' compilers did with the same models, node by node.

usage: toolchains.py PROGRAM MODELS TOOLCHAINS [--only SUBSTRING] [--disagreements N] [FLAG...]

TOOLCHAINS holds COMPILER.CHIP.PRECISION.csv, a row per node with the unit that runs it (none = folded or merged into
another node, mixed = both), and beside each a .models.csv with the number of accelerator segments by model; MODELS
holds the models. Other FLAGs go to PROGRAM, e.g. `--placement best`. Prints, per file: nodes that both place, the share
of them on the same unit, how many run on the CPU here and there, and on how many models the accelerator has as many
segments. Node units are compared where both have one. Exit status: 0, or 77 when the folder is not there.
"""

import argparse
import collections
import concurrent.futures
import csv
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "suite"))
from shared_suite import SKIPPED, bind_flags

# File: target and precision of the analysis, column of .models.csv with the accelerator's segments.
FILES = {"rknn.rk3588.int8": ("rk3588", "int8", "npu_segments"),
         "rknn.rk3588.fp16": ("rk3588", "fp16", "npu_segments"),
         "rknn.rk3576.int8": ("rk3576", "int8", "npu_segments"),
         "rknn.rk3566.int8": ("rk3566", "int8", "npu_segments"),
         "qnn.52.fp16": ("sa8775p", "fp16", "qnn_graphs"),
         "qnn.52.int8": ("sa8775p", "int8", "qnn_graphs"),
         "bpu.bayes-e": ("rdk-x5", "int8", "bpu_subgraphs"),
         "bpu.bernoulli2": ("rdk-x3", "int8", "bpu_subgraphs"),
         "tpu.bm1684x.F16": ("bm1684x", "fp16", "functions")}


def read(path):
    with open(path) as file:
        return list(csv.DictReader(file))


def analyze(program, path, target, precision, flags):
    done = subprocess.run([program, path, "--target", target, "--precision", precision, "--json", "--quiet", *flags],
                          capture_output=True, text=True)
    return json.loads(done.stdout) if done.returncode in (0, 7) else None


def compare(document, rows):
    """Nodes by (ours, theirs), and by operator where they differ; units are cpu or npu, the accelerator."""
    cpus = {unit["name"] for unit in document["units"] if unit["is_cpu"]}
    ours = {(node["name"], node["op"]): node["unit"] for node in document["nodes"] if node["unit"]}
    counts, differing = collections.Counter(), collections.Counter()
    for row in rows:
        unit = ours.get((row["node"], row["op"]))
        if unit is None or row["unit"] in ("none", "mixed"):
            continue
        pair = tuple("cpu" if is_cpu else "npu" for is_cpu in (unit in cpus, row["unit"] == "cpu"))
        counts[pair] += 1
        if pair[0] != pair[1]:
            differing[(row["op"], *pair)] += 1
    segments = sum(segment["unit"] not in cpus for segment in document["segments"])
    return counts, differing, segments


def line_of(name, counts, equal, models, failed):
    nodes = sum(counts.values())
    same = counts["cpu", "cpu"] + counts["npu", "npu"]
    here, there = (sum(count for pair, count in counts.items() if pair[side] == "cpu") for side in (0, 1))
    share = f"{100 * same / nodes:6.2f} %" if nodes else "     -"
    return (f"{name:18} {nodes:6} {share} {here:6} {there:6}   {equal:3} of {models:3}"
            + (f"   {failed} not analysed" if failed else ""))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("models")
    parser.add_argument("toolchains")
    parser.add_argument("--only", default="")
    parser.add_argument("--disagreements", type=int, default=0)
    options, flags = parser.parse_known_args()
    if not os.path.isdir(options.toolchains):
        print(f"DID NOT RUN: {options.toolchains} is not there; nothing was compared")
        return SKIPPED
    index = {row["model"]: row for row in read(os.path.join(options.models, "index.csv"))}
    print("file                nodes     same    cpu  cpu there   same segments")
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for name, (target, precision, column) in FILES.items():
            if options.only not in name:
                continue
            nodes = collections.defaultdict(list)
            for row in read(os.path.join(options.toolchains, name + ".csv")):
                nodes[row["model"]].append(row)
            models = {row["model"]: row for row in read(os.path.join(options.toolchains, name + ".models.csv"))}
            known = [model for model in nodes if model in index and models[model]["result"] == "ok"]

            documents = [
                pool.submit(analyze, options.program, os.path.join(options.models, model + ".onnx"), target, precision,
                            [*bind_flags(index[model]), *flags])
                for model in known
            ]
            counts, differing, equal, failed = collections.Counter(), collections.Counter(), 0, 0
            for model, answer in zip(known, documents):
                document = answer.result()
                if document is None:
                    failed += 1
                    continue
                found, different, segments = compare(document, nodes[model])
                counts += found
                differing += different
                equal += segments == int(models[model][column])
            print(line_of(name, counts, equal, len(known) - failed, failed), flush=True)
            for (op, here, there), count in differing.most_common(options.disagreements):
                print(f"    {op}: {here} here, {there} there: {count}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
