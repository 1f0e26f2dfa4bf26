#!/usr/bin/env python3
"""Holds energies to the published ones: each measured figure lies in the 80 % interval of the estimate, and the parts
of every estimate add up.

usage: energy_check.py TOOL MODELS

Measured figures are joules per inference: power over rate, or power times latency. Power is that of the chip (Hailo),
of the board (Orin Nano) or at the wall plug (AGX Orin at MaxQ, whose power supply takes a tenth or two more).
"""

import json
import os
import subprocess
import sys

from folders import Folders

# Target, mode, precision, units, model, batch, joules per image, source.
ANCHORS = [
    ("hailo-8", "", "int8", "npu", "resnet50.ts", 1, 2.40e-3, "hailo-model-zoo"),
    ("jetson-orin", "MaxQ", "int8", "gpu", "resnet50.ts", 1, 21.9e-3, "MLPerf v3.0 single stream"),
    ("jetson-orin", "MaxQ", "int8", "gpu", "resnet50.ts", 8, 10.0e-3, "MLPerf v3.0 multi stream"),
    ("jetson-orin-nano-8gb", "15W", "int8", "gpu", "yolov8n_640.ts", 1, 44.5e-3, "jetson-orin-nano-benchmarks"),
    ("jetson-orin-nano-8gb", "15W", "fp16", "gpu", "yolov8n_640.ts", 1, 62.6e-3, "jetson-orin-nano-benchmarks"),
    ("jetson-orin-nano-8gb", "15W", "tf32", "gpu", "yolov8n_640.ts", 1, 120.1e-3, "jetson-orin-nano-benchmarks"),
    ("jetson-orin-nano-8gb", "MAXN_SUPER", "int8", "gpu", "yolov8n_640.ts", 1, 43.6e-3, "jetson-orin-nano-benchmarks"),
    ("jetson-orin-nano-8gb", "MAXN_SUPER", "fp16", "gpu", "yolov8n_640.ts", 1, 62.6e-3, "jetson-orin-nano-benchmarks"),
    ("jetson-orin-nano-8gb", "MAXN_SUPER", "tf32", "gpu", "yolov8n_640.ts", 1, 119.5e-3, "jetson-orin-nano-benchmarks"),
]
PARTS = ("compute", "onchip", "dram", "static", "moves")


def summary_of(tool, models, anchor):
    target, mode, precision, units, model, batch = anchor[:6]
    command = [tool, models.path(model), "--target", target, "--precision", precision,
               "--only", units, "--batch", str(batch), "--json", "--quiet"]
    if mode:
        command += ["--mode", mode]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    return json.loads(run.stdout)["summary"]


def problems_of(summary, anchor):
    batch, joules, source = anchor[5:]
    low, high = summary["energy_low_j"] / batch, summary["energy_high_j"] / batch
    if not low <= joules <= high:
        yield f"{source}: {joules * 1e3:.1f} mJ is outside {low * 1e3:.1f} to {high * 1e3:.1f} mJ"
    total = sum(summary["energy_parts_j"][part] for part in PARTS)
    if abs(total - summary["energy_j"]) > 1e-9 * summary["energy_j"]:
        yield f"parts add up to {total}, not {summary['energy_j']}"


def main():
    tool, models = sys.argv[1], Folders(sys.argv[2])
    anchors = [a for a in ANCHORS if os.path.exists(models.path(a[4]))]
    if not anchors:
        print(f"DID NOT RUN: none of the models is in {sys.argv[2]}")
        sys.exit(77)
    failed = 0
    for anchor in anchors:
        summary = summary_of(tool, models, anchor)
        ratio = summary["energy_j"] / anchor[5] / anchor[6]
        print(f"{' '.join(str(field) for field in anchor[:6])}: {ratio:.2f} of {anchor[6] * 1e3:.1f} mJ")
        for problem in problems_of(summary, anchor):
            failed += 1
            print("  " + problem)
    if failed:
        sys.exit(f"{failed} problems")


if __name__ == "__main__":
    main()
