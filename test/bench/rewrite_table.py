#!/usr/bin/env python3
"""The table of rewritten models in docs/using.md: latency as exported and after `--rewrite`, with the rules that made
it.

usage: rewrite_table.py TOOL MODELS
"""

import argparse
import json
import os
import subprocess
import sys

# Title, file, flags that bind its free dims.
MODELS = (
    ("BERT-base, 128 tokens", "bert-base_128.dyn", ("--shape", "1x128")),
    ("ViT-tiny", "vit_tiny_patch16_224.dyn", ()),
    ("EfficientNet-B0", "efficientnet_b0.dyn", ()),
    ("MobileNetV3-large", "mobilenet_v3_large.dyn", ()),
    ("Whisper-tiny encoder", "whisper-tiny-encoder.dyn", ()),
    ("SwinV2-tiny", "swinv2-tiny_256.dyn", ()),
    ("GPT-2, 128 tokens", "gpt2_128.dyn", ("--shape", "1x128")),
    ("SegFormer-B0, TorchScript", "segformer-b0_512.ts", ()),
)
# Title, and what is asked for.
TARGETS = (
    ("TDA4VM", ("--target", "tda4vm")),
    ("SA8295P", ("--target", "sa8295p")),
    ("Orin DLA", ("--target", "jetson-orin", "--only", "dla0")),
    ("RK3588", ("--target", "rk3588")),
)


def analysis(tool, path, flags):
    command = [tool, "analyze", path, *flags, "--rewrite", "--format", "json", "--quiet"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: {done.stderr.strip()}")
    return json.loads(done.stdout)


def duration(seconds):
    return f"{1e3 * seconds:.4g} ms"


def line(tool, models, title, name, flags):
    cells, rules = [], []
    for _, asked in TARGETS:
        report = analysis(tool, os.path.join(models, name + ".onnx"), (*asked, *flags))
        before, after = (part["summary"]["latency_s"] for part in (report, report["rewritten"]))
        used = [rule["name"] for rule in report["rewritten"]["rules"]]
        cells.append(f"{duration(before)} → {duration(after)}" if used else duration(before))
        rules += [rule for rule in used if rule not in rules]
    return f"| {title} | {' | '.join(cells)} |{' ' if rules else ''}{', '.join(rules)} |"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool")
    parser.add_argument("models")
    options = parser.parse_args()
    print(f"| model | {' | '.join(title for title, _ in TARGETS)} | rules |\n|---|{'---|' * len(TARGETS)}---|")
    for title, name, flags in MODELS:
        print(line(options.tool, options.models, title, name, flags), flush=True)


if __name__ == "__main__":
    main()
