#!/usr/bin/env python3
"""Lays times, traffic and memory beside what the vendors' compilers print for the same models, by model and by kernel.

usage: toolchain_costs.py PROGRAM MODELS TOOLCHAINS [--only SUBSTRING] [--worst N] [FLAG...]

TOOLCHAINS and MODELS are those of toolchains.py; beside COMPILER.CHIP.PRECISION.models.csv, .layers.csv has a row per
kernel of the compiler, with the nodes in it. Other FLAGS go to PROGRAM. Prints ours over theirs: median, p10 and p90.
Kernels and groups are compared as the smallest sets that both divide alike. A compiler's own model of its chip is no
measurement; the first line of each file says how far it can be trusted. Exit status: 0, or 77 when the folder is not
there.
"""

import argparse
import collections
import concurrent.futures
import os
import sys

from toolchains import FILES, SKIPPED, analyze, bind_flags, read

KB = 1024

# What the first column of a file's name says of the figures. Shares are of compiler over measured time.
BIASES = {
    "rknn": "cycles of products and convolutions alone, the longer of DDR and NPU: a lower bound, 0.34 to 0.76 of "
            "measured",
    "qnn": "simulated without the call, 0.84 (fp16) and 0.93 (int8) of measured; far off for SegFormer, Swin and "
           "RT-DETR",
    "bpu": "hbdk's estimate at its default level: two to five times that of its best level",
    "bpu.o3": "hbdk's estimate at its best level, 0.64 of measured",
    "tpu": "the compiler's cost model with loads and stores, 0.79 to 0.90 of measured; far off for SegFormer and Swin",
}
# Of the files whose times are cycles; as the target files state them.
CLOCKS_HZ = {"rknn.rk3588": 1e9, "rknn.rk3576": 950e6, "rknn.rk3566": 781e6, "qnn.52": 1497.6e6}


def on_accelerator(document):
    """The groups that no CPU runs."""
    cpus = {unit["name"] for unit in document["units"] if unit["is_cpu"]}
    return [group for group in document["groups"] if group["unit"] and group["unit"] not in cpus]


def our_time_s(document):
    """Without invocations, which no compiler counts."""
    return sum(group["time_s"] or 0 for group in on_accelerator(document))


def our_traffic(document):
    return sum(group["dram_bytes"] or 0 for group in on_accelerator(document))


def our_reads(document):
    return sum(reads_of(group) for group in on_accelerator(document))


def reads_of(group):
    return (group["in_bytes"] or 0) + (group["weight_bytes"] or 0)


def our_weights(document):
    return document["model"]["deployed_bytes"]


def our_spills(document):
    """What crosses the memory beside weights, each once, and what segments take and leave; none below 1 % of it all."""
    cpus = {unit["name"] for unit in document["units"] if unit["is_cpu"]}
    ends = sum(segment["in_bytes"] + segment["out_bytes"] for segment in document["segments"]
               if segment["unit"] not in cpus)
    spills = our_traffic(document) - our_weights(document) - ends
    return spills if spills > our_traffic(document) / 100 else 0


def our_internal(document):
    return document["summary"]["peak_memory_bytes"] - our_weights(document)


def column(name, factor):
    return lambda row: float(row.get(name) or 0) * factor


def columns(names, factor):
    return lambda row: sum(float(row.get(name) or 0) for name in names) * factor


def figures_of(name):
    """Rows of (title, theirs of a row of .models.csv, ours of a document); times in seconds, the rest in bytes."""
    if name.startswith("rknn"):
        return (("cycles", column("mcycles", 1e6 / clock_of(name)), our_time_s),
                ("bytes read", column("rw_kb", KB), our_reads),
                ("internal memory", column("internal_kb", KB), our_internal),
                ("weights", column("weight_kb", KB), our_weights))
    if name.startswith("qnn"):
        return (("simulated time", column("sim_us", 1e-6), our_time_s),
                ("traffic", columns(("ddr_read_kb", "ddr_write_kb"), KB), our_traffic),
                ("spills and fills", columns(("spill_kb", "fill_kb"), KB), our_spills),
                ("weights (context)", column("context_kb", KB), our_weights))
    if name.startswith("tpu"):
        return (("estimated time", column("vendor_us", 1e-6), our_time_s),
                ("traffic", columns(("dram_read_kb", "dram_write_kb"), KB), our_traffic),
                ("internal memory", column("runtime_kb", KB), our_internal),
                ("weights", column("weight_kb", KB), our_weights))
    traffic = column("ddr_bytes", 1) if name == "bpu.o3" else column("ddr_kb", KB)
    return (("estimated time", column("hbdk_us", 1e-6), our_time_s), ("traffic", traffic, our_traffic))


def clock_of(name):
    return next(clock_hz for start, clock_hz in CLOCKS_HZ.items() if name.startswith(start))


def busiest_s(row, clock_hz):
    """Of a node of qnn.*.csv: the thread that works longest on it."""
    cycles = [int(part.partition(":")[2]) for part in row["busy_cycles"].split() if not part.startswith("dma")]
    return max(cycles, default=0) / clock_hz


def kernels_of(folder, name):
    """By model, rows of (names of nodes, title, {figure: theirs}); empty for compilers that print none."""
    kernels = collections.defaultdict(list)
    path = os.path.join(folder, name + ".layers.csv")
    if os.path.exists(path):
        for row in read(path):
            theirs = {"cycles": int(row["total"]) / clock_of(name), "bytes read": int(row["rw_kb"]) * KB}
            if row["unit"] == "NPU" and row["nodes"]:
                kernels[row["model"]].append((row["nodes"].split(), row["type"], theirs))
    elif name.startswith("qnn"):
        for row in read(os.path.join(folder, name + ".csv")):
            if row["unit"] == "npu" and row["busy_cycles"]:
                theirs = {"busy cycles": busiest_s(row, clock_of(name))}
                kernels[row["model"]].append(([row["node"]], row["op"], theirs))
    return kernels


OURS_OF_GROUP = {"cycles": lambda group: group["time_s"] or 0, "busy cycles": lambda group: group["compute_s"] or 0,
                 "bytes read": reads_of}


class Sets:
    """Disjoint sets of keys, joined as they are named together."""

    def __init__(self):
        self.parent = {}

    def find(self, key):
        self.parent.setdefault(key, key)
        while self.parent[key] != key:
            self.parent[key] = self.parent[self.parent[key]]
            key = self.parent[key]
        return key

    def join(self, keys):
        for key in keys[1:]:
            self.parent[self.find(key)] = self.find(keys[0])


def compare_kernels(document, kernels):
    """Rows of (figure, title, ours, theirs), one for each set of nodes that both divide alike."""
    node_names = [node["name"] for node in document["nodes"]]
    groups = [([node_names[n] for n in group["nodes"]], group) for group in on_accelerator(document)]
    sets = Sets()
    for names, *_ in [*groups, *kernels]:
        if names:
            sets.join(names)
    titles = collections.defaultdict(collections.Counter)
    sums = collections.defaultdict(lambda: collections.defaultdict(lambda: [0, 0]))
    for names, title, theirs in kernels:
        titles[sets.find(names[0])][title] += 1
        for figure, value in theirs.items():
            sums[sets.find(names[0])][figure][1] += value
    for names, group in groups:
        if names and sets.find(names[0]) in sums:
            for figure, both in sums[sets.find(names[0])].items():
                both[0] += OURS_OF_GROUP[figure](group)
    return [(figure, "+".join(sorted(titles[key])), *both)
            for key, figures in sums.items() for figure, both in figures.items()]


def share_at(ratios, share):
    return ratios[min(len(ratios) - 1, int(share * len(ratios)))]


def text_of(figure, value):
    is_time = "cycles" in figure or "time" in figure
    return f"{1e3 * value:10.3f} ms" if is_time else f"{value / 1e6:10.2f} MB"


class Table:
    """Pairs of ours and theirs by figure, and where they are from."""

    def __init__(self, worst):
        self.worst = worst
        self.rows = collections.defaultdict(list)
        self.only_one = collections.Counter()

    def add(self, figure, where, ours, theirs):
        if theirs > 0 and ours > 0:
            self.rows[figure].append((ours / theirs, where, ours, theirs))
        elif theirs > 0 or ours > 0:
            self.only_one[figure, "here" if ours > 0 else "there"] += 1

    def print(self):
        for figure, rows in self.rows.items():
            rows.sort(key=lambda row: row[0])
            ratios = [row[0] for row in rows]
            line = " ".join(f"{share_at(ratios, share):8.2f}" for share in (0.5, 0.1, 0.9))
            alone = "  ".join(f"{self.only_one[figure, side]} {side} alone" for side in ("here", "there")
                              if self.only_one[figure, side])
            print(f"  {figure:26} {len(rows):6} {line}   {alone}".rstrip(), flush=True)
            worst = sorted(rows, key=lambda row: -max(row[0], 1 / row[0]))[:self.worst]
            for ratio, where, ours, theirs in worst:
                print(f"      {ratio:8.2f}  {text_of(figure, ours)} here {text_of(figure, theirs)} there  {where}")


def bias_of(name):
    return BIASES[name] if name in BIASES else BIASES[name.partition(".")[0]]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("models")
    parser.add_argument("toolchains")
    parser.add_argument("--only", default="")
    parser.add_argument("--worst", type=int, default=0)
    options, flags = parser.parse_known_args()
    if not os.path.isdir(options.toolchains):
        print(f"DID NOT RUN: {options.toolchains} is not there; nothing was compared")
        return SKIPPED
    index = {row["model"]: row for row in read(os.path.join(options.models, "index.csv"))}
    chips = {**{name: row[:2] for name, row in FILES.items()}, "bpu.o3": ("rdk-x5", "int8")}
    print(f"{'ours over theirs':28} {'rows':>6} {'median':>8} {'p10':>8} {'p90':>8}")
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for name, (target, precision) in chips.items():
            if options.only not in name:
                continue
            file = name + (".csv" if name == "bpu.o3" else ".models.csv")
            models = {row["model"]: row for row in read(os.path.join(options.toolchains, file))}
            known = [model for model, row in models.items() if model in index and row.get("result", "ok") == "ok"]
            kernels = kernels_of(options.toolchains, name)
            documents = [
                pool.submit(analyze, options.program, os.path.join(options.models, model + ".onnx"), target, precision,
                            [*bind_flags(index[model]), *flags])
                for model in known
            ]
            by_model, by_kernel = Table(options.worst), Table(options.worst)
            for model, answer in zip(known, documents):
                document = answer.result()
                if document is None:
                    print(f"  {model}: not analysed")
                    continue
                for figure, theirs, ours in figures_of(name):
                    by_model.add(figure, model, ours(document), theirs(models[model]))
                for figure, title, ours, theirs in compare_kernels(document, kernels[model]):
                    by_kernel.add("by kernel: " + figure, f"{model} {title}", ours, theirs)
            print(f"{name} beside {target} {precision}: {bias_of(name)}")
            by_model.print()
            by_kernel.print()
    return 0


if __name__ == "__main__":
    sys.exit(main())
