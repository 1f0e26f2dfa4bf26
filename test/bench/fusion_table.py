#!/usr/bin/env python3
"""What fuses and what falls back: groups, segments, bytes saved and refused operators by model and toolchain.

usage: fusion_table.py TOOL MODELS [--model NAME]...

Prints a Markdown table. `refused` lists operators that the accelerator does not run, with the number of their nodes and
the limit that most of these violate. Columns count the nodes of the plan of the whole target, of the one unit and the
CPU where a column names a unit.
"""

import argparse
import collections
import csv
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "suite"))
from shared_suite import bind_flags

MODELS = (
    "resnet18.ts", "resnet50.ts", "mobilenet_v2.ts", "efficientnet_b0.ts", "yolov5s_640.ts", "yolov8n_640.ts",
    "bert-base_128.ts", "gpt2_128.ts", "detr-resnet50_640.ts", "swinv2-tiny_256.ts", "segformer-b0_512.ts",
    "vit_b_16.ts",
)
# Toolchain, target, unit.
COLUMNS = (
    ("TensorRT", "jetson-orin", "gpu"),
    ("TensorRT-DLA", "jetson-orin", "dla0"),
    ("TIDL", "tda4vm", "c7x-mma"),
    ("QNN", "sa8295p", "htp"),
    ("Edge TPU", "coral-usb", "edgetpu"),
)


def report(tool, *arguments):
    done = subprocess.run([tool, *arguments, "--json", "--quiet"], capture_output=True, text=True)
    document = json.loads(done.stdout)
    if done.returncode != 0:
        sys.exit(f"{' '.join(arguments)}: {document['diagnostics'][0]['message']}")
    return document


def refusals(tool, model, target, unit):
    document = report(tool, "support", *model, "--target", target, "--only", unit)
    by_op = collections.defaultdict(collections.Counter)
    for row in document["rows"]:
        if row["unit"] == unit and row["supported"] == "no":
            found = f" {row['found']}" if row["found"] else ""
            by_op[row["op"]][f"{row['what'] or row['limit']}{found}"] += 1
    texts = []
    for op, limits in sorted(by_op.items(), key=lambda item: (-sum(item[1].values()), item[0])):
        texts.append(f"{op} {sum(limits.values())} ({limits.most_common(1)[0][0]})")
    return texts


def line(tool, model, toolchain, target, unit):
    """`model` is its path and the flags that bind its free dims."""
    plan = report(tool, "analyze", *model, "--target", target, "--only", unit)
    groups, segments = plan["groups"], plan["segments"]
    kernels = sum(1 for node in plan["nodes"] if node["group"] is not None)
    on_unit = [group for group in groups if group["unit"] == unit]
    saved = sum(group["saved_bytes"] for group in groups)
    share = sum(group["macs"] or 0 for group in on_unit) / max(1, plan["summary"]["macs"])
    refused = refusals(tool, model, target, unit)
    return (f"| {toolchain} | {kernels} | {len(groups)} | {len(on_unit)} | {len(segments)} | {share:.1%} |"
            f" {saved / 1e6:.1f} MB | {sum(group['saved_launches'] for group in groups)} |"
            f" {'; '.join(refused[:4]) or 'none'}{f'; and {len(refused) - 4} more' if len(refused) > 4 else ''} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool")
    parser.add_argument("models")
    parser.add_argument("--model", action="append", help="instead of the built-in list")
    options = parser.parse_args()
    with open(os.path.join(options.models, "index.csv")) as file:
        flags = {row["model"]: bind_flags(row) for row in csv.DictReader(file)}
    for model in options.model or MODELS:
        arguments = (os.path.join(options.models, model + ".onnx"), *flags[model])
        print(f"\n**{model}**\n")
        print("| toolchain | nodes in groups | groups | on the accelerator | segments | of the MACs | saved | "
              "launches saved |"
              " refused |\n|---|---|---|---|---|---|---|---|---|")
        for toolchain, target, unit in COLUMNS:
            print(line(options.tool, arguments, toolchain, target, unit), flush=True)


if __name__ == "__main__":
    main()
