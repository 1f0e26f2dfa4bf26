#!/usr/bin/env python3
"""Predictions of language models are no worse than docs/llm.md states.

usage: language_check.py TOOL LLM.csv MODELS_DIR [--table]

Medians of the error of every runtime with twenty rows or more, and the share of measured figures within the interval,
against LIMITS. --table prints the rows of docs/llm.md. Exits with 77 when the files are not there.
"""

import collections
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "bench"))
import llm_configs

# Per cent, of the median row: tokens a second, time to the first token, memory. As measured, and a fifth more.
LIMITS = {
    "genie": (7.4, 5.8, 0),
    "llama.cpp-cuda": (1.7, 6.4, 0),
    "openvino-genai-2024": (7.7, 16.5, 13.1),
    "rkllm": (5.8, 11.5, 3.9),
    "tensorrt-edge-llm": (7.2, 11.3, 5.1),
    "tensorrt-edge-llm-0.8": (8, 12.5, 6),
}
LEAST_ROWS = 20
INSIDE = 0.7  # at least, of an interval that should hold 0.8 of rows that no fit has seen; it has seen these
NAMES = {"decode_tokens_per_s": 0, "ttft_ms": 1, "memory_mb": 2}


def points_of(tool, measurements, models, configs):
    command = [tool, "validate", "--measurements", measurements, "--models", models, "--configs", configs,
               "--format", "json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: status {done.returncode}\n{done.stderr}")
    document = json.loads(done.stdout)
    return document["points"], document["skipped"]


def error_of(point):
    return 100 * (math.exp(abs(math.log(point["predicted"] / point["measured"]))) - 1)


def main(arguments):
    tool, measurements, models = arguments[:3]
    if not (os.path.isfile(measurements) and os.path.isdir(models)):
        print(f"DID NOT RUN: no {measurements} or no folder {models}")
        return 77
    with tempfile.TemporaryDirectory() as configs:
        llm_configs.main(measurements, configs)
        points, skipped = points_of(tool, measurements, models, configs)
    groups = collections.defaultdict(list)
    for point in points:
        groups[point["runtime"], point["metric"]].append(point)
    findings = [] if points else ["no point"]
    for (runtime, metric), rows in sorted(groups.items()):
        errors = sorted(map(error_of, rows))
        median, p90 = statistics.median(errors), errors[int(0.9 * (len(errors) - 1))]
        inside = sum(p["low"] <= p["measured"] <= p["high"] for p in rows) / len(rows)
        print(f"| {runtime} | {metric} | {len(rows)} | {median:.1f} % | {p90:.0f} % | {100 * inside:.0f} % |")
        if len(rows) < LEAST_ROWS:
            continue
        limit = LIMITS.get(runtime)
        if limit is not None and median > limit[NAMES[metric]]:
            findings.append(f"{runtime} {metric}: median error {median:.1f} %, {limit[NAMES[metric]]} % stated")
        if inside < INSIDE:
            findings.append(f"{runtime} {metric}: {100 * inside:.0f} % of the rows within the interval")
    missing = sorted(set(LIMITS) - {runtime for runtime, _ in groups})
    findings += [f"{runtime}: no row" for runtime in missing]
    if "--table" in arguments:
        for row in skipped:
            print(f"  {row['count']:5} passed over: {row['reason']}")
    print("\n".join(findings))
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
