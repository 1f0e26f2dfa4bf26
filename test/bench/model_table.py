#!/usr/bin/env python3
"""The README's first table: latency, rate, share of time per unit and peak memory, model by model and target by target.

usage: model_table.py TOOL MODELS [--targets T,T]
"""

import argparse
import json
import os
import subprocess
import sys

# Title, file, flags that bind its free dims.
MODELS = (
    ("YOLOv5s 640", "yolov5s_640.ts", ()),
    ("YOLOv8n 640", "yolov8n_640.ts", ()),
    ("YOLOv8s 640", "yolov8s_640.ts", ()),
    ("ResNet-18", "resnet18.ts", ()),
    ("HF ResNet-50", "hf-resnet50.ts", ()),
    ("MobileNetV2", "mobilenet_v2.ts", ()),
    ("EfficientNet-B0", "efficientnet_b0.ts", ()),
    ("FCN-ResNet50 640x360", "fcn_resnet50_640x360.ts", ()),
    ("UNet-ResNet34 256x512", "unet_resnet34_256x512.ts", ()),
    ("BERT-base 128", "bert-base_128.ts", ("--shape", "1x128")),
    ("GPT-2 64", "gpt2_128.ts", ("--shape", "1x64")),
    ("DETR-ResNet50 640", "detr-resnet50_640.ts", ()),
)


def analysis(tool, path, target, flags):
    command = [tool, path, "--target", target, *flags, "--json", "--quiet"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: {json.loads(done.stdout)['diagnostics'][0]['message']}")
    return json.loads(done.stdout)


def line(title, target, report):
    summary = report["summary"]
    busy = {unit["name"]: unit["busy_s"] or 0 for unit in report["units"]}
    total = sum(busy.values()) or 1
    shares = ", ".join(f"{name} {100 * part / total:.0f} %" for name, part in busy.items() if part / total >= 0.005)
    return (f"| {title} | {target} | {1e3 * summary['latency_s']:.2f} ms | {summary['throughput_per_s']:.0f} |"
            f" {shares} | {summary['peak_memory_bytes'] / 1e6:.1f} MB |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool")
    parser.add_argument("models")
    parser.add_argument("--targets", default="jetson-orin,tda4vm,sa8295p,hailo-8,coral-usb")
    options = parser.parse_args()
    print("| model | target | latency | results per s | share of time per unit | peak memory "
          "|\n|---|---|---|---|---|---|")
    for title, name, flags in MODELS:
        for target in options.targets.split(","):
            report = analysis(options.tool, os.path.join(options.models, name + ".onnx"), target, flags)
            print(line(title, target, report), flush=True)


if __name__ == "__main__":
    main()
