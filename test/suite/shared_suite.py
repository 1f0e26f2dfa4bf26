#!/usr/bin/env python3
"""Extra suite over a folder of real exports: shapes, MACs, re-batching, full analyses and the report's invariants.

usage: shared_suite.py TOOL MODELS[,MODELS...] {shapes|macs|batch|analyze} [--only SUBSTRING] [--known FILE] [--every N]

MODELS are folders as folders.py reads them. FILE holds
the findings that are understood, one model a line: the model, what is found and the reason, with tabs between. What is
found is a count of MACs or "refused" for macs and batch, else "N findings"; one that no longer occurs is a finding
itself. Exit status: 0 all good, 1 findings, 77 the folder is not there, so nothing was checked (ctest shows "Skipped").
"""

import argparse
import concurrent.futures
import json
import math
import os
import subprocess
import sys

from folders import SKIPPED, Folders, sampled

TARGETS = ("jetson-orin", "tda4vm", "sa8295p")
GENAI_DIMS = {
    "batch_size": 1,
    "sequence_length": 1,
    "past_sequence_length": 128,
    "total_sequence_length": 129,
    "kv_cache_dim": 64,
}
WIDE_HEADS = ("qwen2.5-1.5b", "qwen3")  # networks whose heads are 128 wide
DTYPES = {"float32": "float", "float64": "double"}
PLACED_CLASSES = ("compute", "layout", "control", "opaque")
UNCOUNTED_OPS = ("LSTM",)  # PyTorch's operator counter has no count for them


def run(tool, *arguments):
    done = subprocess.run([tool, *arguments, "--format", "json", "--quiet"], capture_output=True, text=True)
    document = json.loads(done.stdout) if done.stdout else None
    return done.returncode, document, done.stderr.strip()


def with_heads(dims, model):
    """The sizes with the width of the model's heads."""
    return {**dims, "kv_cache_dim": 128} if model.startswith(WIDE_HEADS) else dims


def bind_flags(row):
    """Flags that bind the symbolic dims of a model: sizes from its name, GenAI caches as documented."""
    if "genai" in row["model"]:
        dims = with_heads(GENAI_DIMS, row["model"])
        return [flag for name, value in dims.items() for flag in ("--dim", f"{name}={value}")]
    stem = row["model"].rsplit(".", 1)[0]
    size = stem.rsplit("_", 1)[-1]
    return ["--shape", f"1x{size}"] if size.isdigit() and is_symbolic(row) else []


def is_symbolic(row):
    shapes = [text.partition("=")[2] for text in row["inputs"].split()]
    return any(not part.isdigit() for shape in shapes for part in shape.split("x"))


def check_shapes(tool, models, row, _):
    path = models.shapes(row["model"])
    if not os.path.exists(path):
        return "", []
    with open(path) as file:
        want = json.load(file)
    flags = []
    for name, shape in want["inputs"].items():
        flags += ["--shape", name + "=" + "x".join(str(dim) for dim in shape)]
    for name, value in want["bind"].items():
        flags += ["--dim", f"{name}={value}"]
    code, document, error = run(tool, "shapes", models.path(row["model"]), *flags)
    if code != 0:
        return "refused", [f"exit {code}: {error}"]
    symbols = {symbol["name"]: symbol for symbol in document["symbols"]}
    found = {value["name"]: value for value in document["values"]}
    problems = []
    for name, (dtype, dims) in want["values"].items():
        value = found.get(name)
        if value is None:
            problems.append(f"{name}: not listed")
            continue
        dtype = DTYPES.get(dtype, dtype)
        if value["dtype"] != dtype:
            problems.append(f"{name}: dtype {value['dtype']}, want {dtype}")
        problems += compare_dims(name, value, dims, symbols)
    return counted(problems)


def counted(problems):
    """What a list of findings is recorded as, and the list."""
    return f"{len(problems)} findings", problems


def compare_dims(name, value, dims, symbols):
    shape = value["shape"]
    if shape is None or len(shape) != len(dims):
        return [f"{name}: shape {shape}, want {dims} (blocked by {value['blocked_by']})"]
    problems = []
    for found, wanted in zip(shape, dims):
        if isinstance(found, int):
            if found != wanted:
                problems.append(f"{name}: shape {shape}, want {dims}")
                break
        elif found is None:
            problems.append(f"{name}: unknown dim in {shape}, want {dims} (blocked by {value['blocked_by']})")
            break
        elif not bounded(found, wanted, symbols):
            problems.append(f"{name}: dim {found} of {shape} does not admit {wanted}, or has no bound and cause")
            break
    return problems


def bounded(expression, wanted, symbols):
    """A dim that is no integer has to be an expression of data-dependent symbols with a bound and a cause."""
    names = [name for name in symbols if name in expression]
    if not names or any(symbols[name]["max"] is None or not symbols[name]["cause"] for name in names):
        return False
    helpers = {"min": min, "max": max, "ceildiv": lambda a, b: -(-a // b), "broadcast": lambda a, b: b if a == 1 else a}
    top = eval(expression, {"__builtins__": {}}, {**helpers,
                                                  **{name: upper(symbols[name], symbols, helpers) for name in names}})
    return wanted <= top


def upper(symbol, symbols, helpers):
    if isinstance(symbol["max"], int):
        return symbol["max"]
    names = [name for name in symbols if name in symbol["max"] and name != symbol["name"]]
    values = {name: upper(symbols[name], symbols, helpers) for name in names}
    return eval(symbol["max"], {"__builtins__": {}}, {**helpers, **values})


def check_macs(tool, models, row, _):
    """The count equals the independent one."""
    if not row["torch_macs"]:
        return "", []
    code, document, error = run(tool, "shapes", models.path(row["model"]), *bind_flags(row))
    if code != 0:
        return "refused", [f"exit {code}: {error}"]
    macs = document["summary"]["macs"]
    by_op = {}
    for node in document["nodes"]:
        if node["class"] not in ("constant", "dead") and node["macs"]:
            by_op[node["op"]] = by_op.get(node["op"], 0) + node["macs"]
    if isinstance(macs, int) and macs - sum(by_op.get(op, 0) for op in UNCOUNTED_OPS) == int(row["torch_macs"]):
        return "", []
    return str(macs), [f"macs {macs}, torch {row['torch_macs']} ({row['torch_macs_by_op']}); ours by op {by_op}"]


def check_analyses(tool, models, row, targets):
    problems = []
    path = models.path(row["model"])
    for target in targets:
        code, document, error = run(tool, path, "--target", target, *bind_flags(row))
        if code != 0:
            problems.append(f"{target}: exit {code}: {error}")
            continue
        problems += [f"{target}: {problem}" for problem in invariants(document)]
    return counted(problems)


def invariants(document):
    problems = []
    nodes, groups, segments = document["nodes"], document["groups"], document["segments"]
    coverage, summary = document["coverage"], document["summary"]
    for key in ("typed", "counted", "costed", "placed"):
        if coverage[key] != coverage["nodes"]:
            problems.append(f"coverage.{key} is {coverage[key]} of {coverage['nodes']}")
    if coverage["unknown_nodes"]:
        problems.append(f"unknown nodes {coverage['unknown_nodes'][:5]}")
    if coverage["macs_share"] != 1:
        problems.append(f"macs_share {coverage['macs_share']}")
    member = {}
    for group in groups:
        for node in group["nodes"]:
            problems += [f"node {node} is in two groups"] if node in member else []
            member[node] = group["id"]
    for node in nodes:
        if node["class"] in PLACED_CLASSES and node["id"] not in member:
            problems.append(f"node {node['id']} {node['name']} of class {node['class']} is in no group")
    in_segment = [group for segment in segments for group in segment["groups"]]
    if sorted(in_segment) != [group["id"] for group in groups if group["unit"] is not None]:
        problems.append("groups with a unit are not in exactly one segment each")
    node_macs = sum(node["macs"] or 0 for node in nodes if node["class"] not in ("constant", "dead"))
    group_macs = sum(group["macs"] or 0 for group in groups)
    if not node_macs == group_macs == summary["macs"]:
        problems.append(f"macs: nodes {node_macs}, groups {group_macs}, summary {summary['macs']}")
    serial = sum(group["time_s"] or 0 for group in groups)
    serial += sum(segment["transfer_s"] + segment["invoke_s"] for segment in segments)
    if not math.isclose(serial, summary["latency_s"], rel_tol=1e-9):
        problems.append(f"sum of times {serial}, latency {summary['latency_s']}")
    bounds = sum(bound["time_s"] for bound in document["bounds"])
    if not math.isclose(bounds, summary["latency_s"], rel_tol=1e-9):
        problems.append(f"sum of bounds {bounds}, latency {summary['latency_s']}")
    for group in groups:
        if group["time_s"] is not None and group["time_s"] < max(group["compute_s"], group["memory_s"]) * (1 - 1e-12):
            problems.append(f"group {group['id']} is faster than its bounds")
        if group["time_s"] is not None and not group["low_s"] <= group["time_s"] <= group["high_s"]:
            problems.append(f"group {group['id']}: interval does not hold the value")
    high_s = math.inf if summary["incomplete"] else summary["latency_high_s"]
    if not summary["latency_low_s"] <= summary["latency_s"] <= high_s:
        problems.append("latency outside its interval")
    return problems


def check_batch(tool, models, row, _):
    """A static export re-batched to twice its leading dim does twice the MACs."""
    if is_symbolic(row):
        return "", []
    path = models.path(row["model"])
    batch = int(row["inputs"].split()[0].partition("=")[2].split("x")[0])
    outcomes = []
    for flags in ([], ["--batch", str(2 * batch)]):
        code, document, error = run(tool, "shapes", path, *flags)
        outcomes.append(document["summary"]["macs"] if code == 0 else "refused")
    once, twice = outcomes
    if isinstance(once, int) and twice == 2 * once:
        return "", []
    return str(twice), [f"macs {once} with batch {batch}, {twice} with twice that: {error}"]


CHECKS = {"shapes": check_shapes, "macs": check_macs, "batch": check_batch, "analyze": check_analyses}


def read_known(path):
    if not path:
        return {}
    with open(path) as file:
        lines = [line.rstrip("\n").split("\t") for line in file if "\t" in line and not line.startswith("#")]
    return {model: (found, reason) for model, found, reason in lines}


def unexpected(found, problems, known):
    """The findings that the known list does not hold, or that it holds and are not there."""
    if known is None or (problems and found != known[0]):
        return problems
    return [] if problems else [f"{known[0]} is not found: remove it from the known list"]


def jobs_of(rows, targets, every, known):
    """(row, targets) of every Nth pair; models of the known list in full, which is about the whole of them."""
    jobs = {}
    for row, target in sampled([(row, target) for row in rows for target in targets], every):
        jobs.setdefault(row["model"], (row, []))[1].append(target)
    jobs.update((row["model"], (row, targets)) for row in rows if row["model"] in known)
    return [jobs[model] for model in sorted(jobs)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool")
    parser.add_argument("models")
    parser.add_argument("check", choices=sorted(CHECKS))
    parser.add_argument("--only", default="", help="models whose name holds this text")
    parser.add_argument("--known", help="file of findings that are understood")
    parser.add_argument("--every", type=int, default=1, help="each Nth pair of a model and a target, or Nth model")
    options = parser.parse_args()
    models = Folders(options.models)
    if models.lack():
        print(models.lack())
        return SKIPPED
    rows, known, check = models.rows(options.only), read_known(options.known), CHECKS[options.check]
    jobs = jobs_of(rows, TARGETS if options.check == "analyze" else ("",), options.every, known)
    bad = 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        results = pool.map(lambda job: check(options.tool, models, *job), jobs)
        for (row, _), (found, all_problems) in zip(jobs, results):
            problems = unexpected(found, all_problems, known.get(row["model"]))
            bad += bool(problems)
            for problem in problems[:6]:
                print(f"{row['model']}: {problem}")
            if len(problems) > 6:
                print(f"{row['model']}: ... {len(problems)} findings")
    for model, (found, reason) in known.items():
        print(f"{model}: {found}: {reason}")
    for model in sorted(known.keys() - {row["model"] for row in rows}) if not options.only else []:
        print(f"{model}: not in the folder: remove it from the known list")
        bad += 1
    print(f"{options.check}: {len(jobs)} of {len(rows)} models, {bad} with findings, {len(known)} recorded differences")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
