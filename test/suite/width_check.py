#!/usr/bin/env python3
"""Holds `width` to its word: the figure of a layer at another width again, by a run of the model written with it.

usage: width_check.py TOOL MODELS [--layers N] [--seed S] [--keep FOLDER]

Takes N random layers and widths over models and targets. Exit status: 0 all good, 1 findings, 77 a folder is not there.
"""

import argparse
import math
import os
import random
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from folders import SKIPPED, Folders
from onnx_edit import resize_model
from shared_suite import run

MODELS = ["resnet50.ts", "mobilenetv2_140.ts", "yolov8n_320.ts", "vit_tiny_patch16_224.ts", "efficientnet_b0.ts",
          "resnet18.ts", "hf-resnet50.ts", "mobilenet_v3_large.ts", "deeplabv3_mobilenet_v3_large_520.ts"]
TARGETS = ["jetson-orin", "tda4vm", "rk3588", "sa8295p", "hailo-8", "x86-avx512"]


def layers_of(tool, path, target):
    code, plain, error = run(tool, "width", path, "--target", target)
    if code:
        return None, [f"exit {code}: {error}"]
    problems = []
    base = plain["totals"]["latency_s"]
    for change in plain["changes"]:
        if not math.isclose(change["saving_s"], base - change["latency_s"], rel_tol=1e-9, abs_tol=1e-12 * base):
            problems.append(f"{change['layer']}: saving {change['saving_s']} is no difference")
    for row in plain["layers"]:
        if (row["set"] is None) != (row["fixed"] is not None):
            problems.append(f"{row['layer']}: set {row['set']}, fixed {row['fixed']}")
        if row["filled"] is not None and row["filled"] < row["width"]:
            problems.append(f"{row['layer']}: filled {row['filled']} below {row['width']}")
    return [row for row in plain["layers"] if row["set"] is not None], problems


def check_layer(tool, path, target, layer, width, folder):
    """None = the layer does not take the width."""
    code, asked, error = run(tool, "width", path, "--target", target, "--layer", layer, "--at", str(width))
    if code:
        return [f"exit {code}: {error}"]
    changes = [change for change in asked["changes"] if change["width"] == width]
    if not changes:
        return None if asked["layers"][0]["fixed"] else [f"{layer} at {width}: neither a figure nor a reason"]
    changed = os.path.join(folder, "changed.onnx")
    resize_model(path, changed, changes[0]["edits"])
    code, again, error = run(tool, changed, "--target", target)
    if code:
        return [f"{layer} at {width}: the changed model: exit {code}: {error}"]
    problems = []
    for key in ("latency_s", "energy_j", "macs"):
        said, found = changes[0][key], again["summary"][key]
        if (said is None) != (found is None) or (said and not math.isclose(said, found, rel_tol=1e-9)):
            problems.append(f"{layer} at {width}: {key} {said}, run again {found}")
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool")
    parser.add_argument("models", type=Folders)
    parser.add_argument("--layers", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", help="folder for the changed models")
    options = parser.parse_args()
    lack = options.models.lack()
    if lack:
        print(lack)
        return SKIPPED
    random.seed(options.seed)
    known, bad, checked, refused = {}, 0, 0, 0
    pairs = [(model, target) for model in MODELS for target in TARGETS if os.path.exists(options.models.path(model))]
    with tempfile.TemporaryDirectory() as temporary:
        while checked < options.layers and refused < 10 * options.layers and pairs:
            model, target = random.choice(pairs)
            path = options.models.path(model)
            if (model, target) not in known:
                known[model, target], problems = layers_of(options.tool, path, target)
                for problem in problems:
                    print(f"{model} on {target}: {problem}")
                bad += len(problems)
            if not known[model, target]:
                pairs.remove((model, target))
                continue
            row = random.choice(known[model, target])
            width = random.randint(max(1, row["width"] // 2), 2 * row["width"])
            problems = check_layer(options.tool, path, target, row["layer"], width, temporary)
            if problems is None:
                refused += 1
                continue
            checked += 1
            for problem in problems:
                print(f"{model} on {target}: {problem}")
            bad += len(problems)
            if options.keep:
                os.replace(os.path.join(temporary, "changed.onnx"),
                           os.path.join(options.keep, f"{checked}-{model}-{width}.onnx"))
    print(f"{checked} layers at another width, {refused} widths that a layer does not take: {bad} findings")
    if checked < options.layers:
        print("DID NOT RUN: too few layers take another width")
        return 1
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
