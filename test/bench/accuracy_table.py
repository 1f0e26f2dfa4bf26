#!/usr/bin/env python3
"""The README's tables of accuracy: how far predictions are from measurements, per kind of machine, and point by point
where a kind has few.

usage: accuracy_table.py STORED.json LEFT_OUT.json

    onnx-hwest validate --measurements FILE.csv --models DIR --format json --output STORED.json
    onnx-hwest validate --measurements FILE.csv --models DIR --leave-out family --format json --output LEFT_OUT.json
"""

import argparse
import collections
import json
import math
import sys

PRIMARY = ("qnn_dlc", "HailoRT int8", "HailoRT", "RKNN", "TensorRT", "TIDL onnxruntime(py)")
FEW = ("TensorRT", "TIDL", "TIOVX")  # few points each: printed one by one
BOARDS = ("jetson-", "tda4", "am6")  # of these
LEAST_POINTS = 8


def share(value):
    if value is None:
        return "-"
    return f"{100 * value:.3g} %" if value < 1 else f"{100 * value:.0f} %"


def key(pool):
    return tuple(pool[name] for name in ("family", "unit", "runtime", "precision", "metric"))


def title(pool):
    if pool["family"] is None:
        return "CPUs, every runtime"
    words = [text for text in (pool["family"], pool["runtime"], pool["precision"]) if text]
    rate = pool["metric"] == "throughput_fps" and "GPU" in pool["unit"]  # of cards latencies were published, too
    return " ".join(words + (["with " + pool["unit"][4:]] if pool["unit"].startswith("GPU+") else []) +
                    (["throughput"] if rate else []))


def is_main(pool):
    primary = pool["runtime"] is None or pool["runtime"].startswith(PRIMARY)
    return primary and pool["n"] >= LEAST_POINTS


def pool_table(stored, left):
    other = {key(pool): pool for pool in left["pools"]}
    yield ("| family, runtime, precision | n | fitted | median, p90 as stored | median, p90 left out | rank | in 80 % "
           "| roofline | FLOPs | noise |")
    yield "|---|---|---|---|---|---|---|---|---|---|"
    for pool in filter(is_main, stored["pools"]):
        out = other[key(pool)]
        rank = "-" if out["least_spearman"] is None else f"{out['least_spearman']:.3f}"
        cells = (title(pool), pool["n"], out["fitted"], f"{share(pool['median'])}, {share(pool['p90'])}",
                 f"{share(out['median'])}, {share(out['p90'])}", rank, share(out["coverage80"]),
                 share(out["roofline_median"]), share(out["flops_median"]), share(out["noise"]))
        yield "| " + " | ".join(map(str, cells)) + " |"


def mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def figure(value):
    return f"{value:.3g}" if value < 1000 else f"{value:.0f}"


def point_table(stored):
    """One row per device, way and model: the geometric means of its measurements and of the predictions for them."""
    rows = collections.defaultdict(list)
    for point in stored["points"]:
        is_shown = point["runtime"].startswith(FEW) and point["target"].startswith(BOARDS)
        if point["match"] == "exact" and is_shown:
            names = ("device", "mode", "unit", "runtime", "precision", "model", "batch", "metric")
            rows[tuple(str(point[name] or "-") for name in names)].append(point)
    yield "| device, mode | unit, runtime, precision | model, batch | rows | measured | predicted | 80 % interval |"
    yield "|---|---|---|---|---|---|---|"
    for (device, mode, unit, runtime, precision, model, batch, metric), points in sorted(rows.items()):
        what = {"latency_ms": "ms", "throughput_fps": "FPS"}.get(metric, metric)
        measured, predicted, low, high = (figure(mean([point[name] for point in points]))
                                          for name in ("measured", "predicted", "low", "high"))
        place = device if mode == "-" else f"{device}, {mode}"
        yield (f"| {place} | {unit} {runtime} {precision} | {model}, {batch} | {len(points)} | {measured} {what} | "
               f"{predicted} | {low} to {high} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("stored")
    parser.add_argument("left_out")
    args = parser.parse_args()
    stored, left = (json.load(open(path, encoding="utf-8")) for path in (args.stored, args.left_out))
    for row in pool_table(stored, left):
        print(row)
    print()
    for row in point_table(stored):
        print(row)


if __name__ == "__main__":
    sys.exit(main())
