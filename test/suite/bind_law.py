#!/usr/bin/env python3
"""The bind law on real exports: the unbound result evaluated at a binding and the run bound to it never contradict each
other, and are equal wherever the first is fully known.

usage: bind_law.py TOOL MODELS[,MODELS...] [--only SUBSTRING]

Every model of MODELS with symbolic inputs, at two bindings: that of its recorded run (shapes/*.json) and one with other
sizes. Compared are type, shape and contents of every value and the counts of every node and of the model.
What only the bound run knows is listed by operator. Exit status: 0 all good, 1 findings, 77 nothing was checked.
"""

import argparse
import collections
import json
import os
import subprocess
import sys

from folders import SKIPPED, Folders
from shared_suite import GENAI_DIMS, is_symbolic, with_heads

BOUND_ONLY_SHARE = 0.01
OTHER_GENAI = {"batch_size": 3, "sequence_length": 5, "past_sequence_length": 9, "total_sequence_length": 14,
               "kv_cache_dim": 64}
COUNTS = ("macs", "int_macs", "flops", "params", "in_bytes", "weight_bytes", "out_bytes")
HELPERS = {"__builtins__": {}, "min": min, "max": max, "ceildiv": lambda a, b: -(-a // b),
           "broadcast": lambda a, b: b if a == 1 else a}


def other_size(size):
    """Another size: batches grow, sequences shrink, so that no limit on positions is met."""
    return 2 * size + 1 if size < 8 else size * 37 // 96


def bindings(models, row):
    """Two sizes of every free symbol."""
    path = models.shapes(row["model"])
    recorded = GENAI_DIMS
    if os.path.exists(path):
        with open(path) as file:
            recorded = json.load(file)["bind"]
    if "genai" in row["model"]:
        return [with_heads(recorded, row["model"]), with_heads(OTHER_GENAI, row["model"])]
    return [recorded, {name: other_size(size) for name, size in recorded.items()}]


def shapes(tool, model, binding):
    flags = [flag for name, size in binding.items() for flag in ("--dim", f"{name}={size}")]
    done = subprocess.run([tool, "shapes", model, *flags, "--format", "json", "--quiet"], capture_output=True,
                          text=True)
    if done.returncode != 0:
        raise RuntimeError(f"exit {done.returncode} with {' '.join(flags)}: {done.stderr.strip()}")
    return json.loads(done.stdout)


class Law:
    """Compares one figure after the other; `where` names the operator that makes it."""

    def __init__(self):
        self.equal, self.contradictions, self.bound_only = 0, [], collections.Counter()

    def compare(self, where, what, unbound, bound, binding):
        if isinstance(unbound, list) and isinstance(bound, list) and len(unbound) == len(bound):
            for one, other in zip(unbound, bound):
                self.compare(where, what, one, other, binding)
            return
        known, value = evaluate(unbound, binding)
        if known and value == bound:
            self.equal += 1
        elif known and value is not None:
            self.contradictions.append(f"{where} {what}: unbound {unbound} is {value}, bound {bound}")
        elif bound is None or isinstance(bound, str) and not known:
            self.equal += 1
        else:
            self.bound_only[where] += 1


def evaluate(figure, binding):
    """(True, value) when the figure follows from the binding; an expression of other symbols does not."""
    if not isinstance(figure, str):
        return True, figure
    try:
        return True, eval(figure, HELPERS, dict(binding))
    except NameError:
        return False, figure


def check(law, unbound, bound, binding):
    ops = {name: node["op"] for node in unbound["nodes"] for name in node["outputs"]}
    for one, other in zip(unbound["values"], bound["values"], strict=True):
        where, name = ops.get(one["name"], "input"), one["name"]
        if (one["name"], one["kind"]) != (other["name"], other["kind"]) or one["dtype"] not in (None, other["dtype"]):
            law.contradictions.append(f"{where} {name}: {one['kind']} {one['dtype']}, bound {other['kind']} "
                                      f"{other['dtype']}")
        law.compare(where, f"{name} shape", one["shape"], other["shape"], binding)
        law.compare(where, f"{name} value", one["value"], other["value"], binding)
    for one, other in zip(unbound["nodes"], bound["nodes"], strict=True):
        for count in COUNTS:
            law.compare(one["op"], f"{one['name']} {count}", one[count], other[count], binding)
    for count in ("macs", "int_macs", "flops"):
        law.compare("model", count, unbound["summary"][count], bound["summary"][count], binding)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool")
    parser.add_argument("models")
    parser.add_argument("--only", default="", help="models whose name holds this text")
    options = parser.parse_args()
    models = Folders(options.models)
    if models.lack():
        print(models.lack())
        return SKIPPED
    rows = [row for row in models.rows(options.only) if is_symbolic(row)]
    total, bad = Law(), False
    for row in rows:
        model, law = models.path(row["model"]), Law()
        unbound = shapes(options.tool, model, {})
        for binding in bindings(models, row):
            check(law, unbound, shapes(options.tool, model, binding), binding)
        only = sum(law.bound_only.values())
        print(f"{row['model']}: {law.equal} equal, {only} known when bound only, {len(law.contradictions)} "
              f"contradictions")
        for line in law.contradictions[:5]:
            print("  " + line)
        total.equal += law.equal
        total.bound_only += law.bound_only
        bad = bad or bool(law.contradictions)
    only = sum(total.bound_only.values())
    share = only / max(1, only + total.equal)
    print(f"{len(rows)} models: {total.equal} figures equal, {only} ({100 * share:.2f} %) known when bound only")
    for op, count in total.bound_only.most_common():
        print(f"  {op}: {count}")
    return 1 if bad or share > BOUND_ONLY_SHARE else 0


if __name__ == "__main__":
    sys.exit(main())
