#!/usr/bin/env python3
"""Holds the estimates of every export of the same network against each other.

usage: exports_check.py TOOL MODELS [--known FILE] [--only NETWORK] [--every N]

A network is the stem of a file's name in MODELS/index.csv (resnet18 of resnet18.ts), with exports of the same input
shapes and MACs; files that are quantised or of half precision are networks of their own. On every target the slowest
export may take at most LIMIT times what the fastest takes. FILE lists what differs more: network, target, reason, with
tabs between, and, where the exports still differ once `--rewrite` has done what it can for each, the reason for that;
an entry whose exports agree is a finding itself. Exit status: 0 all good, 1 findings, 77 the folder is not there.
"""

import argparse
import collections
import concurrent.futures
import json
import re
import subprocess
import sys

from folders import SKIPPED, Folders, sampled

LIMIT = 1.1
TARGETS = ("jetson-orin", "sa8295p", "hailo-8", "rk3588", "x86-avx512", "tda4vm")
OTHER_PRECISIONS = {"dynamic-int8", "qdq", "qoperator", "qdq-perchannel", "fp16", "genai-fp16", "genai-int4"}


def networks(models, only):
    """Exports by (stem, shapes, MACs): [(suffix, flags that bind its dims)], two or more each."""
    found = collections.defaultdict(list)
    for row in models.rows():
        stem, _, suffix = row["model"].rpartition(".")
        if suffix in OTHER_PRECISIONS or only not in stem:
            continue
        shapes, flags = bind(stem, row["inputs"])
        found[stem, tuple(sorted(shapes)), row["torch_macs"]].append((suffix, flags))
    return {key: exports for key, exports in found.items() if len(exports) > 1}


def bind(stem, inputs):
    """Shapes with free dims bound: the first to 1, others to the length in the name."""
    length = re.search(r"_(\d+)$", stem)
    shapes, flags = [], []
    for name, _, shape in (text.rpartition("=") for text in inputs.split()):
        dims = shape.split("x")
        free = ["1"] + [length.group(1) if length else "128"] * len(dims)
        bound = [dim if dim.isdigit() else free[at] for at, dim in enumerate(dims)]
        shapes.append("x".join(bound))
        if bound != dims:
            flags += ["--shape", f"{name}={shapes[-1]}"]
    return shapes, flags


def latency(tool, path, target, flags, rewritten):
    asked = ["--rewrite"] if rewritten else []
    done = subprocess.run([tool, "analyze", path, "--target", target, "--format", "json", "--quiet", *asked, *flags],
                          capture_output=True, text=True)
    if done.returncode != 0:
        return None
    document = json.loads(done.stdout)
    return (document["rewritten"] if rewritten else document)["summary"]["latency_s"]


def compare(options, key, exports, target, rewritten=False):
    """The ratio of the slowest to the fastest export, and their times as text."""
    times = {suffix: latency(options.tool, options.models.path(f"{key[0]}.{suffix}"), target, flags, rewritten)
             for suffix, flags in exports}
    text = ", ".join(f"{suffix} {'-' if time is None else f'{time * 1e3:.3f} ms'}" for suffix, time in times.items())
    if None in times.values():
        return float("inf"), text
    return max(times.values()) / min(times.values()), text


def read_known(path):
    if not path:
        return {}
    with open(path) as file:
        lines = [line.rstrip("\n").split("\t") for line in file if "\t" in line and not line.startswith("#")]
    return {(network, target): (reason, *after) for network, target, reason, *after in lines}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool")
    parser.add_argument("models", type=Folders)
    parser.add_argument("--known", help="file of differences that are understood")
    parser.add_argument("--only", default="", help="networks whose name holds this text")
    parser.add_argument("--every", type=int, default=1, help="each Nth network")
    options = parser.parse_args()
    if options.models.lack():
        print(options.models.lack())
        return SKIPPED
    known = read_known(options.known)
    found = sampled(sorted(networks(options.models, options.only).items()), options.every)
    jobs = [(key, exports, target) for key, exports in found for target in TARGETS]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        results = list(pool.map(lambda job: compare(options, *job), jobs))
        differing = [job for job, (ratio, _) in zip(jobs, results) if ratio > LIMIT]
        after = list(pool.map(lambda job: compare(options, *job, rewritten=True), differing))
    bad = 0
    for (key, _, target), (ratio, text) in zip(jobs, results):
        if (ratio > LIMIT) == ((key[0], target) in known):
            continue
        bad += 1
        print(f"{key[0]} on {target}: " + ("they agree: remove it from the known list" if ratio <= LIMIT else
                                           f"{ratio:.2f} times: {text}"))
    for (key, _, target), (ratio, text) in zip(differing, after):
        if (ratio > LIMIT) == (len(known.get((key[0], target), ())) > 1):
            continue
        bad += 1
        print(f"{key[0]} on {target}, rewritten: " + ("they agree: remove the second reason" if ratio <= LIMIT else
                                                      f"{ratio:.2f} times: {text}"))
    still = sum(ratio > LIMIT for ratio, _ in after)
    print(f"exports: {len(found)} networks on {len(TARGETS)} targets, {len(differing)} of {len(jobs)} pairs differ by "
          f"more "
          f"than {LIMIT}, {still} after rewriting, {bad} findings")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
