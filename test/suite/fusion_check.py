#!/usr/bin/env python3
"""Finds attention, normalisation and activation chains from the nodes alone, and asks whether each became one group.

usage: fusion_check.py TOOL MODELS[,MODELS...] [--only SUBSTRING] [--known FILE] [--list] [--every N]

The chains are looked for in the nodes of the JSON report, without the program's own patterns; then each has to lie in
one group of a pattern of that kind under TensorRT. Beside that the law of fusion: no group moves more bytes than its
nodes did alone, nor does the whole model. Exit status: 0 all good, 1 findings, 77 the folder is not there.
"""

import argparse
import collections
import concurrent.futures
import sys

from folders import SKIPPED, Folders, sampled
from shared_suite import bind_flags, read_known, run

TARGET = ("--target", "jetson-orin", "--only", "gpu", "--precision", "fp16")
VIEWS = {"Identity", "Cast", "CastLike", "Dropout", "Reshape", "Squeeze", "Unsqueeze", "Flatten"}
LAYOUT = VIEWS | {"Transpose", "Expand", "Slice", "Concat", "Split", "Pad", "QuantizeLinear", "DequantizeLinear"}
SCORES = LAYOUT | {"Add", "Sub", "Mul", "Div", "Where", "Clip", "Max", "Min"}
WEIGHTS = LAYOUT | {"Where", "Mul"}
PRODUCTS = {"MatMul", "Einsum"}
ACTIVATED = {"conv_act", "conv_add_act", "gemm_act", "matmul_bias_act", "horizontal"}
KINDS = {
    "attention": {"attention"},
    "layer_norm": {"layer_norm", "skip_layer_norm", "group_norm", "instance_norm"},
    "rms_norm": {"rms_norm", "skip_layer_norm"},
    "gelu": ACTIVATED | {"gelu_erf", "gelu_tanh", "glu"},
    "silu": ACTIVATED | {"silu", "conv_silu", "glu", "se_block"},
}


class Model:
    """The nodes that run, with who makes and who reads each value. Values without a maker that runs are constants."""

    def __init__(self, document):
        self.maker, self.readers = {}, collections.defaultdict(list)
        self.nodes = [node for node in document["nodes"] if node["class"] not in ("constant", "shape", "dead")]
        self.inputs = {value["name"] for value in document["model"]["inputs"]}
        for node in self.nodes:
            for name in node["outputs"]:
                self.maker[name] = node
            for name in node["inputs"]:
                self.readers[name].append(node)

    def runs(self, name):
        return name in self.maker or name in self.inputs

    def source(self, name, ops=frozenset(VIEWS)):
        """The value `name` stands for, seen through `ops`."""
        while name in self.maker and self.maker[name]["op"] in ops:
            name = self.maker[name]["inputs"][0]
        return name

    def of(self, name, *ops):
        """The node of one of `ops` that makes `name`, seen through views; else None."""
        node = self.maker.get(self.source(name))
        return node if node is not None and node["op"] in ops else None

    def is_product(self, node):
        return node["op"] in PRODUCTS and len([name for name in node["inputs"] if self.runs(name)]) >= 2

    def users(self, name):
        for node in self.readers[name]:
            if node["op"] in VIEWS:
                yield from self.users(node["outputs"][0])
            else:
                yield node


def walk(starts, step, passes, stops):
    """Nodes that `stops`, reached over nodes whose operator is in `passes`."""
    found, seen, todo = [], set(), list(starts)
    while todo:
        node = todo.pop()
        if node["id"] in seen:
            continue
        seen.add(node["id"])
        if stops(node):
            found.append(node)
        elif node["op"] in passes:
            todo += step(node)
    return found


def attentions(model):
    def before(node):
        return [model.maker[name] for name in node["inputs"] if name in model.maker]

    def after(node):
        return [user for name in node["outputs"] for user in model.readers[name]]

    for node in model.nodes:
        if node["op"] != "Softmax":
            continue
        scores = walk(before(node), before, SCORES, model.is_product)
        mixes = walk(after(node), after, WEIGHTS, model.is_product)
        if scores and mixes:
            yield node, [[node], scores, mixes]


def is_mean_of(model, mean, value):
    node = model.of(mean, "ReduceMean")
    return node is not None and model.source(node["inputs"][0]) == model.source(value)


def roots(model, squared):
    """Last nodes of x / sqrt(mean(squared) + eps), in any of its spellings."""
    for mean in model.users(squared):
        for total in model.users(mean["outputs"][0]) if mean["op"] == "ReduceMean" else ():
            for root in model.users(total["outputs"][0]) if total["op"] == "Add" else ():
                for last in model.users(root["outputs"][0]) if root["op"] in ("Sqrt", "Pow") else ():
                    if last["op"] == "Mul" or (last["op"] == "Div" and model.of(last["inputs"][1], "Sqrt")):
                        yield mean, root, last
                    if last["op"] in ("Reciprocal", "Div"):
                        for end in model.users(last["outputs"][0]):
                            if end["op"] == "Mul":
                                yield mean, root, end


def norms(model):
    for node in model.nodes:
        if node["op"] not in ("Pow", "Mul") or not node["inputs"]:
            continue
        if node["op"] == "Mul" and model.source(node["inputs"][0]) != model.source(node["inputs"][1]):
            continue
        centred = model.of(node["inputs"][0], "Sub")
        is_layer = centred is not None and is_mean_of(model, centred["inputs"][1], centred["inputs"][0])
        for mean, root, last in list(roots(model, node["outputs"][0]))[:1]:
            parts = [[centred], [node]] if is_layer else [[node]]
            yield "layer_norm" if is_layer else "rms_norm", root, parts + [[mean], [root], [last]]


def products_with(model, value, other, depth=3):
    """Mul nodes that multiply something made of `value` with `other`, over factors and sums with constants."""
    for node in model.users(value):
        if node["op"] == "Mul" and other in [model.source(name) for name in node["inputs"]]:
            yield node
        elif depth > 0 and node["op"] in ("Mul", "Div", "Add") and sum(map(model.runs, node["inputs"])) == 1:
            yield from products_with(model, node["outputs"][0], other, depth - 1)


def halved(model, value):
    """Values that are `value` times a constant, itself included."""
    yield value
    for node in model.users(value):
        if node["op"] in ("Mul", "Div") and sum(map(model.runs, node["inputs"])) == 1:
            yield node["outputs"][0]


def gelus(model):
    for node in model.nodes:
        scaled = model.of(node["inputs"][0], "Mul", "Div") if node["op"] in ("Erf", "Tanh") else None
        if scaled is None:
            continue
        for name in map(model.source, filter(model.runs, scaled["inputs"])):
            inner = model.of(name, "Add") if node["op"] == "Tanh" else None
            for base in [name] if node["op"] == "Erf" else map(model.source, inner["inputs"]) if inner else ():
                ends = [end for x in halved(model, base) for end in products_with(model, node["outputs"][0], x)]
                if ends:
                    yield node, [[node], ends]


def silus(model):
    for node in model.nodes:
        if node["op"] == "Sigmoid":
            scaled = model.of(node["inputs"][0], "Mul")
            bases = [model.source(node["inputs"][0])]
            bases += [model.source(name) for name in scaled["inputs"] if model.runs(name)] if scaled else []
            ends = [end for base in bases for end in products_with(model, node["outputs"][0], base, 0)]
            if ends:
                yield node, [[node], ends]


def chains(model):
    for node, parts in attentions(model):
        yield "attention", node, parts
    yield from norms(model)
    for node, parts in gelus(model):
        yield "gelu", node, parts
    for node, parts in silus(model):
        yield "silu", node, parts


def is_grouped(kind, parts, document):
    groups = [{node["group"] for node in part} for part in parts]
    shared = set.intersection(*groups) - {None}
    return any(document["groups"][group]["pattern"] in KINDS[kind] for group in shared)


def moved(group):
    """Bytes; None when the size of a value is unknown."""
    sizes = [group["in_bytes"], group["weight_bytes"], group["out_bytes"]]
    return None if None in sizes else sum(sizes)


def check_law(fused, alone):
    """No group moves more than its nodes did alone in the same number format, nor do those groups together."""
    problems, single, total, total_alone = [], {}, 0, 0
    for group in alone["groups"]:
        single.update(dict.fromkeys(group["nodes"][:1], group))
    for group in fused["groups"]:
        parts = [single[node] for node in group["nodes"] if node in single]
        if any(part["precision"] != group["precision"] for part in parts):
            continue
        if moved(group) is None or None in map(moved, parts):
            continue
        before = sum(map(moved, parts))
        total, total_alone = total + moved(group), total_alone + before
        if moved(group) > before and len(group["nodes"]) > 1:
            problems.append(f"group {group['id']} {group['pattern']} moves {moved(group)} bytes, its nodes {before}")
        if group["saved_bytes"] < 0 or group["saved_launches"] < 0:
            problems.append(f"group {group['id']} {group['pattern']} saves less than nothing")
    if total > total_alone:
        problems.append(f"{total} bytes fused, {total_alone} without fusion")
    return problems


def check(tool, models, row):
    path = models.path(row["model"])
    code, fused, error = run(tool, path, *TARGET, *bind_flags(row))
    code_alone, alone, _ = run(tool, path, *TARGET, "--fusions", "none", *bind_flags(row))
    if code or code_alone:
        return {}, [f"exit {code} and {code_alone}: {error}"]
    counts, problems = collections.Counter(), check_law(fused, alone)
    for kind, node, parts in chains(Model(fused)):
        grouped = is_grouped(kind, parts, fused)
        counts[kind, "found"] += 1
        counts[kind, "in a group"] += grouped
        if not grouped:
            groups = sorted({fused["groups"][part["group"]]["pattern"] for nodes in parts for part in nodes
                             if part["group"] is not None})
            problems.append(f"{kind} at {node['name'] or node['outputs'][0]} is in {', '.join(groups)}")
    return counts, problems


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool")
    parser.add_argument("models")
    parser.add_argument("--only", default="", help="models whose name holds this text")
    parser.add_argument("--every", type=int, default=1, help="each Nth model")
    parser.add_argument("--known", help="chains left alone for a reason: `model<TAB>count<TAB>reason` lines")
    parser.add_argument("--list", action="store_true", help="print every finding")
    options = parser.parse_args()
    models = Folders(options.models)
    if models.lack():
        print(models.lack())
        return SKIPPED
    rows = sampled(models.rows(options.only), options.every)
    known, totals, bad = read_known(options.known), collections.Counter(), 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for row, (counts, problems) in zip(rows, pool.map(lambda row: check(options.tool, models, row), rows)):
            totals.update(counts)
            if str(len(problems)) == known.get(row["model"], ("0", ""))[0]:
                continue
            bad += 1
            for problem in problems if options.list else problems[:3]:
                print(f"{row['model']}: {problem}")
            print(f"{row['model']}: {len(problems)} findings")
    for kind in KINDS:
        print(f"{kind}: {totals[kind, 'found']} found, {totals[kind, 'in a group']} in a group of their kind")
    for model, (count, reason) in known.items():
        print(f"{model}: {count}: {reason}")
    print(f"fusion: {len(rows)} models, {bad} with findings, {len(known)} recorded differences")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
