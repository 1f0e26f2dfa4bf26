#!/usr/bin/env python3
"""Lays plans beside what the vendors' compilers did with the same models, node by node and edge by edge.

usage: toolchains.py PROGRAM MODELS TOOLCHAINS [--only SUBSTRING] [--disagreements N] [--edges N] [FLAG...]

TOOLCHAINS holds COMPILER.CHIP.PRECISION.csv, a row per node with the unit that runs it (none = folded or merged into
another node, mixed = both), and beside each a .models.csv with the number of accelerator segments by model; MODELS
holds the models. openvino_kernels.py makes the files of OpenVINO's CPU. Other FLAGs go to PROGRAM, e.g. `--placement
best`. Prints, per file: nodes that both place, the share of them on the same unit, how many run on the CPU here and
there, and on how many models the accelerator has as many segments. Node units are compared where both have one.

Kernels are compared edge by edge: from a node to one that reads it, both on the accelerator here and there. "edges" is
the share of them inside of one kernel in both or in neither; "fused" is, of those inside of one kernel here or there,
the share inside of one in both; then the share of our fused edges that are fused there, and of theirs that are fused
here. Views, nodes that were folded or merged and Q/DQ are looked through: what reads them reads what they read. A node
that became several kernels counts as the last of them. QNN prints cycles by node instead of kernels: one without any
runs in the kernel that reads it, and nodes that only move data are left out. Where no two nodes share a kernel there
(tpu-mlir and the BPU's tools list what is left after merging), only "edges" is given. --edges N lists the commonest
pairs of operators whose edges differ, and where.

Exit status: 0, or 77 when the folder is not there.
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

# File: target, or target@unit=toolchain, and precision of the analysis, column of .models.csv with the accelerator's
# segments.
FILES = {"rknn.rk3588.int8": ("rk3588@npu=rknn-2.5", "int8", "npu_segments"),
         "rknn.rk3588.fp16": ("rk3588@npu=rknn-2.5", "fp16", "npu_segments"),
         "rknn.rk3576.int8": ("rk3576", "int8", "npu_segments"),
         "rknn.rk3566.int8": ("rk3566", "int8", "npu_segments"),
         "rknn.rk3562.int8": ("rk3562", "int8", "npu_segments"),
         "qnn.52.fp16": ("sa8775p", "fp16", "qnn_graphs"),
         "qnn.52.int8": ("sa8775p", "int8", "qnn_graphs"),
         "bpu.bayes-e": ("rdk-x5", "int8", "bpu_subgraphs"),
         "bpu.bernoulli2": ("rdk-x3", "int8", "bpu_subgraphs"),
         "tpu.bm1684x.F16": ("bm1684x", "fp16", "functions"),
         "openvino.cpu.fp32": ("x86-avx512@cpu=openvino", "fp32", "segments")}
# Operators that are no kernels of their own beside others.
PASSED = ("QuantizeLinear", "DequantizeLinear")


def read(path):
    with open(path) as file:
        return list(csv.DictReader(file))


def analyze(program, path, target, precision, flags):
    target, _, toolchain = target.partition("@")
    flags = [*flags, *(["--toolchain", toolchain] if toolchain else [])]
    done = subprocess.run([program, path, "--target", target, "--precision", precision, "--json", "--quiet", *flags],
                          capture_output=True, text=True)
    return json.loads(done.stdout) if done.returncode in (0, 7) else None


def hosts_of(document):
    """The CPUs beside an accelerator. Where all units are CPUs, they are what the compiler is for."""
    cpus = {unit["name"] for unit in document["units"] if unit["is_cpu"]}
    return cpus if len(cpus) < len(document["units"]) else set()


def compare(document, rows):
    """Nodes by (ours, theirs), and by operator where they differ; units are cpu or npu, the accelerator."""
    cpus = hosts_of(document)
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


def runs_there(row):
    """Whether a row of a compiler's stands for a kernel of the accelerator, or a part of one."""
    if row is None or row["unit"] in ("none", "cpu"):
        return False
    return row["op"] not in PASSED if "busy_cycles" in row else bool(row["layer"])


def share_kernel(producer, reader):
    """Whether two rows, of a node and of one that reads it, are of one kernel."""
    if "busy_cycles" in producer:
        return not producer["busy_cycles"]
    layer = producer["layer"].split("+")[-1]
    return layer[0].isdigit() and layer == reader["layer"].split("+")[-1]


class Edges:
    """Edges of one model between nodes that are in kernels of the accelerator, here and there."""

    def __init__(self, document, rows):
        self.there = {(row["node"], row["op"]): row for row in rows}
        self.has_cycles = "busy_cycles" in rows[0]
        self.is_known = not self.has_cycles or any(row["busy_cycles"] for row in rows)
        self.cpus = hosts_of(document)
        self.nodes = document["nodes"]
        self.producers = {value: node for node in self.nodes for value in node["output_ids"]}
        self.sources = {}  # by node: the nodes in kernels that it stands for

    def row_of(self, node):
        return self.there.get((node["name"], node["op"]))

    def is_in_kernel(self, node):
        if node["group"] is None or node["unit"] in self.cpus or not runs_there(self.row_of(node)):
            return False
        return not self.has_cycles or node["class"] == "compute"

    def is_passed(self, node):
        row = self.row_of(node)
        return node["group"] is None or node["op"] in PASSED or (row is not None and row["unit"] == "none")

    def sources_of(self, node):
        """The node, or what it reads where it is looked through."""
        if node["id"] not in self.sources:
            found = [node] if self.is_in_kernel(node) else self.read_by(node) if self.is_passed(node) else []
            self.sources[node["id"]] = found
        return self.sources[node["id"]]

    def read_by(self, node):
        producers = [self.producers[value] for value in node["input_ids"] if value in self.producers]
        found = [source for producer in producers for source in self.sources_of(producer)]
        return list({source["id"]: source for source in found}.values())

    def compare(self):
        """Edges by (fused here, fused there), and by operators where they differ."""
        counts, differing = collections.Counter(), collections.Counter()
        for node in self.nodes if self.is_known else []:  # in an order in which producers come first
            sources = self.read_by(node)
            if not self.is_in_kernel(node):
                continue
            for source in sources:
                pair = (source["group"] == node["group"], share_kernel(self.row_of(source), self.row_of(node)))
                counts[pair] += 1
                if pair[0] != pair[1]:
                    differing[(source["op"], node["op"], "here" if pair[0] else "there")] += 1
        return counts, differing


def percent(part, whole):
    return f"{100 * part / whole:6.2f} %" if whole else "       -"


def words_of_edges(counts):
    both, here, there = counts[True, True], counts[True, False], counts[False, True]
    same = percent(both + counts[False, False], sum(counts.values()))
    shares = [percent(both, whole if both + there else 0) for whole in (both + here + there, both + here, both + there)]
    return f"{sum(counts.values()):6} {same} " + " ".join(shares)


def line_of(name, counts, edges, equal, models, failed):
    nodes = sum(counts.values())
    same = counts["cpu", "cpu"] + counts["npu", "npu"]
    here, there = (sum(count for pair, count in counts.items() if pair[side] == "cpu") for side in (0, 1))
    return (f"{name:16} {nodes:6} {percent(same, nodes)} {here:6} {there:6}   {equal:3} of {models:3}   "
            + words_of_edges(edges) + (f"   {failed} not analysed" if failed else ""))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("models")
    parser.add_argument("toolchains")
    parser.add_argument("--only", default="")
    parser.add_argument("--disagreements", type=int, default=0)
    parser.add_argument("--edges", type=int, default=0)
    options, flags = parser.parse_known_args()
    if not os.path.isdir(options.toolchains):
        print(f"DID NOT RUN: {options.toolchains} is not there; nothing was compared")
        return SKIPPED
    index = {row["model"]: row for row in read(os.path.join(options.models, "index.csv"))}
    print("file              nodes     same    cpu  cpu there  segments      edges     same    fused     ours   theirs")
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for name, (target, precision, column) in FILES.items():
            if options.only not in name or not os.path.exists(os.path.join(options.toolchains, name + ".csv")):
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
            counts, differing, edges, apart = (collections.Counter() for _ in range(4))
            equal = failed = 0
            for model, answer in zip(known, documents):
                document = answer.result()
                if document is None:
                    failed += 1
                    continue
                found, different, segments = compare(document, nodes[model])
                counts += found
                differing += different
                found, different = Edges(document, nodes[model]).compare()
                edges += found
                apart += different
                equal += segments == int(models[model][column])
            print(line_of(name, counts, edges, equal, len(known) - failed, failed), flush=True)
            for (op, here, there), count in differing.most_common(options.disagreements):
                print(f"    {op}: {here} here, {there} there: {count}")
            for (source, reader, where), count in apart.most_common(options.edges):
                print(f"    {source} -> {reader}: one kernel {where} only: {count}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
