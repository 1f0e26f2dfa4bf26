#!/usr/bin/env python3
"""The tables of accuracy: how far predictions are from measurements, in README.md by the pools that are asked for most,
in docs/accuracy.md by all and, where a kind has few points, one by one.

usage: accuracy_table.py STORED.json FAMILY.json DEVICE.json

    onnx-hwest validate --measurements FILE.csv --models DIR --json --output STORED.json
    onnx-hwest validate --measurements FILE.csv --models DIR --leave-out family --json --output FAMILY.json
    onnx-hwest validate --measurements FILE.csv --models DIR --leave-out device --json --output DEVICE.json
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
MANY = 150
SMALL = ("jetson-orin", "rockchip", "ti-c7x")


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


def errors(pool):
    return f"{share(pool['median'])}, {share(pool['p90'])}"


def short_table(stored, family, device):
    """Pools of many rows, and the largest of each kind of board in SMALL."""
    others = {key(pool): pool for pool in family["pools"]}, {key(pool): pool for pool in device["pools"]}
    main = list(filter(is_main, stored["pools"]))
    largest = {pool["family"]: pool for pool in sorted(main, key=lambda pool: pool["n"])}
    yield "| pool | rows | median, p90 as stored | family left out | device left out | in 80 % interval |"
    yield "|---|---|---|---|---|---|"
    for pool in main:
        if pool["n"] < MANY and (pool["family"] not in SMALL or pool is not largest[pool["family"]]):
            continue
        by_family, by_device = (other[key(pool)] for other in others)
        cells = (title(pool), pool["n"], errors(pool), errors(by_family), errors(by_device),
                 f"{share(by_family['coverage80'])}, {share(by_device['coverage80'])}")
        yield "| " + " | ".join(map(str, cells)) + " |"


def pool_table(stored, family, device):
    others = {key(pool): pool for pool in family["pools"]}, {key(pool): pool for pool in device["pools"]}
    yield ("| family, runtime, precision | n | fitted | median, p90 as stored | family left out | in 80 % "
           "| device left out | in 80 % | rank | roofline | FLOPs | noise |")
    yield "|---|---|---|---|---|---|---|---|---|---|---|---|"
    for pool in filter(is_main, stored["pools"]):
        out, apart = (other[key(pool)] for other in others)
        rank = "-" if out["least_spearman"] is None else f"{out['least_spearman']:.3f}"
        cells = (title(pool), pool["n"], out["fitted"], errors(pool), errors(out), share(out["coverage80"]),
                 errors(apart), share(apart["coverage80"]), rank,
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
    for name in ("stored", "family", "device"):
        parser.add_argument(name)
    args = parser.parse_args()
    runs = [json.load(open(path, encoding="utf-8")) for path in (args.stored, args.family, args.device)]
    for table in (short_table(*runs), pool_table(*runs), point_table(runs[0])):
        print("\n".join(table), end="\n\n")


if __name__ == "__main__":
    sys.exit(main())
