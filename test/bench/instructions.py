"""Counts instructions, which a shared machine does not disturb, with valgrind's callgrind.

usage: instructions.py PROGRAM ANALYSIS_BENCH MODELS [--target T]

PROGRAM is the command line, ANALYSIS_BENCH the benchmark of that name, MODELS a folder of exports. Prints, per model,
the instructions of a whole command and those of one more analysis of the loaded model, of the graph alone and with an
Analyzer, each with what its stages take. Needs valgrind; about a minute.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile

# Model, and the options of the command that is counted.
COMMANDS = [("resnet50.ts", []), ("mobilenet_v2.ts", []), ("yolov8n_640.ts", []), ("vit_b_16.ts", ["--json"])]
# Model, and what its inputs leave open.
ANALYSES = [("resnet50.ts", []), ("mobilenet_v2.ts", []), ("yolov8n_640.ts", []), ("vit_b_16.ts", []),
            ("bert-base_128.ts", ["--dim", "batch=1", "--dim", "seq=128"]), ("swinv2-tiny_256.ts", [])]
STAGE = re.compile(r"^\s*([\d,]+) .*anonymous namespace\)::Run([A-Z][a-z]+)\(hwest::Workspace")


def collected(command, out):
    """Instructions of a command; its profile goes to the file `out`."""
    run = subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", *command],
                         stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    found = re.search(r"Collected : (\d+)", run.stderr)
    if run.returncode != 0 or not found:
        sys.exit(f"instructions.py: {' '.join(command)} failed:\n{run.stderr[-2000:]}")
    return int(found[1])


def stages(out):
    """Inclusive instructions by stage of a profile."""
    text = subprocess.run(["callgrind_annotate", "--inclusive=yes", out], capture_output=True, text=True).stdout
    return {found[2].lower(): int(found[1].replace(",", "")) for found in map(STAGE.match, text.splitlines()) if found}


def one_more(bench, model, target, options, scratch):
    """Instructions of the second of two analyses, and of its stages."""
    counts, tables = [], []
    for runs in ("1", "2"):
        out = os.path.join(scratch, "bench.out")
        counts.append(collected([bench, "--count", runs, model, "--target", target, *options], out))
        tables.append(stages(out))
    return counts[1] - counts[0], {name: tables[1][name] - tables[0].get(name, 0) for name in tables[1]}


def parts(table):
    """The stages of a table that count, the largest first."""
    largest = sorted(table.items(), key=lambda item: -item[1])
    return ", ".join(f"{stage} {count / 1e6:.1f}" for stage, count in largest if count >= 50_000)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("bench")
    parser.add_argument("models")
    parser.add_argument("--target", default="jetson-orin")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        print("millions of instructions, whole command")
        for name, options in COMMANDS:
            model = os.path.join(args.models, name + ".onnx")
            count = collected([args.program, model, "--target", args.target, *options], os.path.join(scratch, "out"))
            print(f"  {name:24} {' '.join(options) or 'text':8} {count / 1e6:8.1f}", flush=True)
        print("millions of instructions, one more analysis of the loaded model")
        for name, options in ANALYSES:
            model = os.path.join(args.models, name + ".onnx")
            fresh, table = one_more(args.bench, model, args.target, options, scratch)
            kept, kept_table = one_more(args.bench, model, args.target, [*options, "--kept"], scratch)
            print(f"  {name:24} fresh {fresh / 1e6:6.1f}: {parts(table)}", flush=True)
            print(f"  {'':24} with an Analyzer {kept / 1e6:6.1f}: {parts(kept_table)}", flush=True)


if __name__ == "__main__":
    main()
