#!/usr/bin/env python3
"""Benchmark: time and memory per node on generated graphs of 1 k to 1 M nodes.

usage: scale.py BUILD GRAPHS [--sizes N,..] [--kinds K,..] [--runs N] [--check]

BUILD is a build folder with onnx-hwest; GRAPHS keeps what make_graphs.py makes, made when missing. Each command is the
whole process: reading, analysing and writing the report to a pipe. Prints processor time per node (least of the runs,
system time included) and peak memory, and the ratio of the largest size to 10 k nodes. --check: status 1 when a ratio
is above 1.5 or a process took more than 2 GB.
"""

import argparse
import os
import subprocess
import sys

sys.dont_write_bytecode = True
import make_graphs

COMMANDS = {
    "shapes": ["shapes"],
    "jetson-orin": ["analyze", "--target", "jetson-orin"],
    "tda4vm": ["analyze", "--target", "tda4vm"],
    "jetson-orin json": ["analyze", "--target", "jetson-orin", "--json"],
    "tda4vm json": ["analyze", "--target", "tda4vm", "--json"],
}
BASE = 10_000
MAX_RATIO = 1.5
MAX_BYTES = 2_000_000_000


def measure(command):
    """Processor seconds and peak resident bytes. GNU time forks small: a child of this interpreter would start
    large."""
    started = subprocess.Popen(["/usr/bin/time", "-f", "%M", *command], stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE, text=True)
    said = started.stderr.read()
    _, status, usage = os.wait4(started.pid, 0)
    if status != 0:
        sys.exit(f"{' '.join(command)}: status {status}\n{said}")
    return usage.ru_utime + usage.ru_stime, int(said.split()[-1]) * 1024


def graph(folder, kind, nodes):
    path = os.path.join(folder, f"{kind}_{nodes}.onnx")
    if not os.path.exists(path):
        os.makedirs(folder, exist_ok=True)
        make_graphs.make(path, kind, nodes)
    return path


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("graphs")
    parser.add_argument("--sizes", default="1000,10000,100000,1000000")
    parser.add_argument("--kinds", default=",".join(make_graphs.KINDS))
    parser.add_argument("--commands", default=",".join(COMMANDS), help="of " + ", ".join(COMMANDS))
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    tool = os.path.join(options.build, "onnx-hwest")
    sizes = sorted(int(size) for size in options.sizes.split(","))

    print(f"{'graph':11} {'command':17}" + "".join(f"{size:>10} nodes: us/node, MB" for size in sizes) + "    ratio")
    failures = []
    for kind in options.kinds.split(","):
        for name in options.commands.split(","):
            verb, *rest = COMMANDS[name]
            per_node, line = {}, f"{kind:11} {name:17}"
            for size in sizes:
                command = [tool, verb, graph(options.graphs, kind, size), "--quiet", *rest]
                samples = [measure(command) for _ in range(options.runs if size > BASE else 3 * options.runs)]
                seconds, peak = min(s for s, _ in samples), max(b for _, b in samples)
                per_node[size] = seconds / size
                line += f"{seconds / size * 1e6:21.2f} {peak / 1e6:10.0f}"
                if peak > MAX_BYTES:
                    failures.append(f"{kind} {name} {size}: {peak / 1e6:.0f} MB")
            if BASE in per_node and sizes[-1] > BASE:
                ratio = per_node[sizes[-1]] / per_node[BASE]
                line += f"{ratio:9.2f}"
                if ratio > MAX_RATIO:
                    failures.append(f"{kind} {name}: {ratio:.2f} x the time per node of {BASE}")
            print(line, flush=True)
    for failure in failures:
        print("over the limit:", failure)
    sys.exit(1 if options.check and failures else 0)


if __name__ == "__main__":
    main()
