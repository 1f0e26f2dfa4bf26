#!/usr/bin/env python3
"""Holds --what-if and explain to their word: every figure again, by a second run with the change that the row names.

usage: what_if_check.py TOOL MODELS [--full | --all [--every N] [--skip N] [--seconds S]]

Runs some models on some targets; --full: more of both; --all: the rows of every model on six targets, small models
first, or of every Nth pair, without `explain`; with --seconds until that time is over, which the last line says. Every
tenth pair is held against `cures`, too. Exit status: 0 all good, 1 findings, 77 the folder is not there.
"""

import argparse
import math
import os
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from folders import SKIPPED, Folders, sampled
from onnx_edit import edit_model, resize_model
from shared_suite import run

PAIRS = [("yolov8n_640.ts", "jetson-orin"), ("yolov10_det.aihub", "tda4vm"), ("resnet50.qdq-perchannel", "rk3588"),
         ("mobilenet_v3_large.dyn", "tda4vm"), ("bert-base_128.ts", "hexagon-698")]
MORE = [("yolov5s_640.ts", "tda4vm"), ("efficientnet_b0.ts", "sa8295p"), ("vit_tiny_patch16_224.ts", "tda4vm"),
        ("segformer-b0_512.ts", "jetson-orin"), ("gpt2_128.ts", "sa8295p"), ("resnet18.ts", "x86-avx2"),
        ("bert-base_128.ort-fused", "jetson-orin")]
TARGETS = ("jetson-orin", "tda4vm", "rk3588", "sa8295p", "hailo-8", "x86-avx512")
SYMBOLS = {model: ["--shape", "1x128"] for model in ("bert-base_128.ts", "bert-base_128.ort-fused", "gpt2_128.ts")}


def same_figure(a, b, scale):
    return math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-9 * scale)


def place(row):
    return ("same", "batch", "network", "board").index(row["scope"]), -row["saving_s"]


def again(tool, path, target, flags, row, folder):
    """The analysis with the change of the row in place."""
    if row["writes"]:
        written = os.path.join(folder, "better.onnx")
        if row["rules_text"]:
            rules = os.path.join(folder, "relu.rules")
            with open(rules, "w", encoding="utf-8") as file:
                file.write(row["rules_text"])
            row["rewrite"] += ["--rules", rules]
        code, _, error = run(tool, "rewrite", path, "--target", target, *flags, *row["flags"], *row["rewrite"],
                             "--output", written)
        if code:
            return code, {}, error
        path, flags = written, []  # the file takes no other sizes
    if row["outputs"]:
        path = cut_model(path, row, folder)
    if row["edits"]:
        edited = os.path.join(folder, "edited.onnx")
        edit_model(path, edited, row["edits"])
        path = edited
    if row["width"]:
        code, asked, error = run(tool, "width", path, "--target", target, *flags, *row["width"])
        if code:
            return code, {}, error
        width = int(row["width"][-1])
        path, now = os.path.join(folder, "changed.onnx"), path
        resize_model(now, path, next(change["edits"] for change in asked["changes"] if change["width"] == width))
    if row["precision_of"]:
        layers = os.path.join(folder, "layers.csv")
        with open(layers, "w", encoding="utf-8") as file:
            file.write(row["precision_of"])
        flags = [*flags, "--precision-of", layers]
    if row["target_text"]:
        target = os.path.join(folder, "what-if.textproto")
        with open(target, "w") as file:
            file.write(row["target_text"])
    return run(tool, path, "--target", target, *flags, *row["flags"])


def cut_model(path, row, folder):
    import onnx
    import onnx.utils
    model = onnx.load(path, load_external_data=False)
    typed = {value.name for values in (model.graph.value_info, model.graph.output) for value in values}
    model.graph.value_info.extend(onnx.ValueInfoProto(name=name) for name in {*row["inputs"], *row["outputs"]} - typed)
    cut = onnx.utils.Extractor(onnx.shape_inference.infer_shapes(model)).extract_model(row["inputs"], row["outputs"])
    written = os.path.join(folder, "cut.onnx")
    onnx.save(cut, written)
    return written


def check_what_if(tool, path, target, flags, folder, with_cures=True):
    code, plain, error = run(tool, path, "--target", target, *flags)
    if code and not flags and (flags := proposed(error)):
        code, plain, error = run(tool, path, "--target", target, *flags)
    code_study, study, error_study = run(tool, path, "--target", target, *flags, "--what-if")
    if code or code_study:
        return 0, [f"exit {code} {code_study}: {error} {error_study}"]
    rows, problems = study["what_if"], []
    base = plain["summary"]["latency_s"]
    if study["summary"] != plain["summary"]:
        problems.append("--what-if changes the summary")
    if [place(row) for row in rows] != sorted(place(row) for row in rows):
        problems.append("rows are not sorted by scope and by what they save")
    code, alone, error = run(tool, "cures", path, "--target", target, *flags) if with_cures else (0, study, "")
    if code or alone["what_if"] != rows:
        problems.append(f"cures lists other changes: exit {code}: {error}")
    for risks in (("none", "rounding"), ("none", "rounding", "calibration", "training")):
        same = [row for row in rows if row["scope"] == "same" and row["risk"] in risks]
        singles = [row["saving_s"] for row in same if row["kind"] != "recipe"]
        for row in same:
            if row["kind"] == "recipe" and row["risk"] == risks[-1] and row["saving_s"] < max(singles, default=0):
                problems.append(f"{row['change']}: saves less than one change alone")
    for row in rows:
        if row["saving_s"] < 5e-3 * base:
            problems.append(f"{row['change']}: saves {row['saving_s']}")
        if row["as_promised"] is False:
            problems.append(f"{row['change']}: the written file takes another time")
        try:
            code, changed, error = again(tool, path, target, flags, row, folder)
        except ImportError:
            continue  # cutting needs onnx
        if code:
            problems.append(f"{row['change']}: exit {code}: {error}")
            continue
        summary = changed["summary"]
        saving = base - ((summary["latency_s"] + (row["beside_s"] or 0)) * plain["request"]["batch"] /
                         changed["request"]["batch"])
        if not same_figure(row["saving_s"], saving, base):
            problems.append(f"{row['change']}: saving {row['saving_s']}, two runs {saving}")
        for key in ("latency_s", "throughput_per_s", "energy_j"):
            ours, theirs = row[key], summary[key]
            if (ours is None) != (theirs is None) or (ours and not same_figure(ours, theirs, theirs)):
                problems.append(f"{row['change']}: {key} {row[key]}, run again {summary[key]}")
    return len(rows), problems


def check_explain(tool, path, target, flags):
    code, plain, error = run(tool, path, "--target", target, *flags)
    if code:
        return 0, [f"exit {code}: {error}"]
    base = plain["summary"]["latency_s"]
    kernels = [node for node in plain["nodes"] if node["class"] in ("compute", "layout")]
    problems, count = [], 0
    asked = [(f"#{node['id']}", [node["id"]]) for node in kernels[:: max(1, len(kernels) // 5)][:5]]
    several = [(f"g{group['id']}", group["nodes"]) for group in plain["groups"] if len(group["nodes"]) > 1]
    for name, nodes in asked + several[:: max(1, len(several) // 3)][:3]:
        code, explained, error = run(tool, "explain", path, name, "--target", target, *flags)
        if code:
            problems.append(f"explain {name}: exit {code}: {error}")
            continue
        for unit in explained["units"]:
            code, moved, _ = run(tool, path, "--target", target, *flags, *unit["flag"].split(" "))
            count += 1
            if code:
                if unit["latency_s"] is not None:
                    problems.append(f"{unit['flag']}: exit {code}, explain says {unit['latency_s']}")
                continue
            latency = moved["summary"]["latency_s"]
            where = {moved["nodes"][node]["group"] for node in nodes}
            time_s = sum(moved["groups"][group]["time_s"] for group in where)
            if unit["latency_s"] is None or not same_figure(unit["latency_s"], latency, base):
                problems.append(f"{unit['flag']}: latency {unit['latency_s']}, run again {latency}")
            elif not same_figure(unit["delta_s"], latency - base, base):
                problems.append(f"{unit['flag']}: delta {unit['delta_s']}, two runs {latency - base}")
            elif not unit["chosen"] and not same_figure(unit["time_s"], time_s, base):
                problems.append(f"{unit['flag']}: group {unit['time_s']}, run again {time_s}")
    return count, problems


def pairs_of_all(models, every, skip):
    """Every model on one target before any on a second one, small ones first."""
    names = [row["model"] for row in models.rows() if os.path.exists(models.path(row["model"]))]
    names.sort(key=lambda name: os.path.getsize(models.path(name)))
    pairs = [(names[i], TARGETS[(i + turn) % len(TARGETS)]) for turn in range(len(TARGETS)) for i in range(len(names))]
    return sampled(pairs[skip:], every)


def proposed(error):
    """The flags that the program proposes for sizes that are free."""
    words = error.split()
    return [word for at, word in enumerate(words) if "--dim" in (word, words[at - 1])]


def check_all(options):
    bad = checked = rows = 0
    started, pairs = time.monotonic(), pairs_of_all(options.models, options.every, options.skip)
    for model, target in pairs:
        if options.seconds and time.monotonic() - started > options.seconds:
            break
        path = options.models.path(model)
        with tempfile.TemporaryDirectory() as folder:
            count, problems = check_what_if(options.tool, path, target, [], folder, with_cures=checked % 10 == 0)
        checked += 1
        rows += count
        bad += len(problems)
        print(f"{model} on {target}: {count} changes run again", flush=True)
        for problem in problems:
            print(f"  {problem}", flush=True)
    print(f"{checked} of {len(pairs)} pairs, {rows} changes run again, {bad} findings")
    return 1 if bad or not checked else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool")
    parser.add_argument("models", type=Folders)
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--skip", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=0, help="of --all: no pair begins after these; 0 = no end")
    options = parser.parse_args()
    if options.all and not options.models.lack():
        return check_all(options)
    bad = checked = 0
    for model, target in PAIRS + (MORE if options.full else []):
        path = options.models.path(model)
        if not os.path.exists(path):
            continue
        checked += 1
        flags = SYMBOLS.get(model, [])
        with tempfile.TemporaryDirectory() as folder:
            rows, problems = check_what_if(options.tool, path, target, flags, folder)
        moves, more = check_explain(options.tool, path, target, flags)
        print(f"{model} on {target}: {rows} changes and {moves} moves run again")
        bad += len(problems) + len(more)
        for problem in problems + more:
            print(f"  {problem}")
    if not checked:
        print(f"DID NOT RUN: none of the models is in {options.models.text}")
        return SKIPPED
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
