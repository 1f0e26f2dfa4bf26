#!/usr/bin/env python3
"""Prints the table of models and boards in docs/llm.md: tokens a second / first token of a prompt of 128.

usage: llm_table.py TOOL MODELS_DIR [--check DOCS]     with --check: exits 1 unless the file holds these lines
"""

import json
import pathlib
import subprocess
import sys

MODELS = ("qwen2.5-0.5b", "minicpm4-0.5b", "tinyllama-1.1b", "llama-3.2-1b", "qwen2.5-3b", "llama-3.2-3b", "qwen3-4b",
          "qwen2.5-7b", "llama-3.1-8b", "qwen3-8b")
BOARDS = ("rk3588", "rk3576", "snapdragon-8-elite", "jetson-orin-nano-8gb", "jetson-agx-orin-64gb", "jetson-agx-thor")


def cell(tool, model, target):
    command = [tool, "llm", str(model), "--target", target, "--weights", WEIGHTS[target], "--format", "json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    document = json.loads(done.stdout)
    rows = document.get("rows") or document.get("estimates") or []
    if not rows:
        return "–"
    row = rows[0]
    return f"{row['tokens_per_s']:.3g} / {1e3 * row['ttft_s']:.0f} ms"


WEIGHTS = {"rk3588": "w8a8", "rk3576": "w4a16", "snapdragon-8-elite": "w4a16", "jetson-orin-nano-8gb": "int4_awq",
           "jetson-agx-orin-64gb": "int4_awq", "jetson-agx-thor": "nvfp4"}


def main(arguments):
    tool, folder = arguments[:2]
    folder = pathlib.Path(folder)
    if not folder.is_dir():
        print(f"DID NOT RUN: no folder {folder}")
        return 77
    lines = ["| model | " + " | ".join(f"{b}, {WEIGHTS[b]}" for b in BOARDS) + " |", "|---" * (len(BOARDS) + 1) + "|"]
    for name in MODELS:
        path = folder / f"{name}.genai-int4.onnx"
        lines.append(f"| {name} | " + " | ".join(cell(tool, path, board) for board in BOARDS) + " |")
    print("\n".join(lines))
    if "--check" not in arguments:
        return 0
    held = pathlib.Path(arguments[arguments.index("--check") + 1]).read_text(encoding="utf-8").splitlines()
    return 0 if all(line in held for line in lines) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
