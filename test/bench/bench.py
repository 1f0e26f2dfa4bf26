#!/usr/bin/env python3
"""Benchmark: this tool beside the reference implementation on the same full-weight files, in the same run.

usage: bench.py BUILD MODELS [--runs N] [--python P]

BUILD is a build folder with onnx-hwest and library_bench, MODELS what make_models.py wrote, P a Python with onnx.
Prints medians of N alternating runs and their ratios, in processor time, which other work on the machine disturbs
least: the whole command line, text and JSON, against Python with onnx.load + infer_shapes, the library against
libonnx's parser + shape inference, peak memory, and bytes read from the file (with strace). The command line is a copy
of what was built, as an installation makes one: the file that a linker writes in pieces takes a tenth longer to map.
"""

import argparse
import os
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile

PYTHON = "import onnx, sys; onnx.shape_inference.infer_shapes(onnx.load(sys.argv[1]))"


def processor_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def timed(command):
    """Processor seconds of one run, the system's included."""
    start = processor_seconds()
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: status {done.returncode}")
    return processor_seconds() - start


def medians(commands, runs):
    """Alternating runs: one of each command in turn, medians at the end. One uncounted round warms the caches."""
    samples = [[] for _ in commands]
    for round_number in range(runs + 1):
        for i, command in enumerate(commands):
            seconds = timed(command)
            if round_number:
                samples[i].append(seconds)
    return [statistics.median(rows) for rows in samples]


def peak_bytes(command):
    """Peak resident bytes. GNU time forks small; a child of this interpreter would start at the interpreter's size."""
    done = subprocess.run(["/usr/bin/time", "-f", "%M", *command], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                          text=True, check=True)
    return int(done.stderr.split()[-1]) * 1024


def bytes_read(command, path):
    """Bytes the command read from `path`, from a system-call trace."""
    with tempfile.NamedTemporaryFile("r") as trace:
        subprocess.run(["strace", "-f", "-y", "-e", "trace=read,pread64,readv,preadv", "-o", trace.name, *command],
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        real = re.escape(os.path.realpath(path))
        return sum(int(match.group(1)) for match in re.finditer(rf"<{real}>.*= (\d+)$", trace.read(), re.M))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("models")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--python", default="python3")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        compare(options, shutil.copy(os.path.join(options.build, "onnx-hwest"), folder))


def compare(options, tool):
    library = os.path.join(options.build, "library_bench")
    path = lambda name: os.path.join(options.models, name)

    for name in ("vit_b_16.onnx", "resnet50.onnx"):
        ours = [tool, path(name), "--target", "jetson-orin"]
        text, json, theirs = medians([ours, [*ours, "--json"], [options.python, "-c", PYTHON, path(name)]],
                                     options.runs)
        print(f"command line, {name} ({os.path.getsize(path(name)) / 1e6:.0f} MB): text {text * 1e3:.1f} ms, "
              f"--json {json * 1e3:.1f} ms, onnx.load + infer_shapes {theirs * 1e3:.0f} ms, "
              f"ratios {theirs / text:.0f} and {theirs / json:.0f}", flush=True)
    for name in ("vit_b_16.onnx", "resnet50.onnx"):
        done = subprocess.run([library, path(name), str(options.runs)], capture_output=True, text=True, check=True)
        for line in done.stdout.splitlines():
            print(f"library, {name}, {line}", flush=True)
    (version,) = medians([[tool, "--version"]], options.runs)
    print(f"command line, --version: {version * 1e3:.1f} ms")
    for name in ("resnet50.onnx", "vit_b_16.onnx", "inline_3gb.onnx"):
        command = [tool, path(name), "--target", "jetson-orin"]
        (seconds,) = medians([command], options.runs)
        read = bytes_read(command, path(name))
        print(f"{name}: {os.path.getsize(path(name)) / 1e6:.0f} MB, {seconds * 1e3:.1f} ms, peak RSS "
              f"{peak_bytes(command) / 1e6:.1f} MB, "
              f"{read} bytes read, metadata {metadata_bytes(library, path(name))} bytes")


def metadata_bytes(library, path):
    done = subprocess.run([library, path, "metadata"], capture_output=True, text=True, check=True)
    return int(done.stdout)


if __name__ == "__main__":
    main()
