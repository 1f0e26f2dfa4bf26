#!/usr/bin/env python3
"""Laws of diff, on edits of real exports made byte by byte.

usage: diff_test.py ONNX_HWEST SOURCE_DIR [MODELS [EDITS]]    by default the models of the tests, and ten edits of each
       kind, or HWEST_EFFORT percent of ten
"""

import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

PROGRAM, SOURCE = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2])
sys.dont_write_bytecode = True
sys.path[:0] = [str(SOURCE / folder) for folder in ("test/suite", "test/bench", "test/report/viewer")]
import page_models
from onnx_edit import GRAPH, INPUT, NAME, NODE, OP_TYPE, OUTPUT, fields
from onnx_wire import field, node

INITIALIZER, GRAPH_INPUT, GRAPH_OUTPUT, VALUE_INFO = 5, 11, 12, 13
UNARY = {b"Relu", b"Clip", b"Sigmoid", b"Tanh", b"Erf", b"Identity"}
SUBGRAPHS = {b"If", b"Loop", b"Scan"}
failures = []


def check(truth, what):
    if not truth:
        failures.append(what)
        print("FAILED:", what)
    return truth


class Model:
    """Nodes as lists of fields; everything else as bytes."""

    def __init__(self, path):
        self.head, self.graph, self.nodes = [], [], []
        for number, value, raw in fields(memoryview(pathlib.Path(path).read_bytes())):
            if number != GRAPH:
                self.head.append(bytes(raw))
                continue
            for inner, part, text in fields(value):
                if inner == NODE:
                    self.nodes.append([(n, bytes(v) if not isinstance(v, int) else v, bytes(t))
                                       for n, v, t in fields(part)])
                else:
                    self.graph.append((inner, bytes(part) if not isinstance(part, int) else part, bytes(text)))
        self.results = {first(value, 1) for number, value, _ in self.graph if number == GRAPH_OUTPUT}

    def write(self, path, nodes, graph=None):
        parts = [field(NODE, b"".join(text for _, _, text in row)) for row in nodes]
        parts += [text for _, _, text in (self.graph if graph is None else graph)]
        pathlib.Path(path).write_bytes(b"".join(self.head) + field(GRAPH, b"".join(parts)))


def first(message, number):
    return next((bytes(value) for n, value, _ in fields(message) if n == number), b"")


def values(row, number):
    return [value for n, value, _ in row if n == number]


def op(row):
    return values(row, OP_TYPE)[0]


def replaced(row, number, change):
    return [(n, change(v), field(n, change(v))) if n == number else (n, v, t) for n, v, t in row]


def renamed(model):
    """Every name there is gets another one."""
    new = lambda text: b"r/" + text[::-1] if text else text
    nodes = []
    for row in model.nodes:
        for number in (INPUT, OUTPUT, NAME):
            row = replaced(row, number, new)
        nodes.append(row)
    graph = []
    for number, value, text in model.graph:
        name = {INITIALIZER: 8, GRAPH_INPUT: 1, GRAPH_OUTPUT: 1}.get(number)
        if number == VALUE_INFO:
            continue
        if name is not None:
            parts = [(n, bytes(v) if not isinstance(v, int) else v, bytes(t)) for n, v, t in fields(value)]
            value = b"".join(t for _, _, t in replaced(parts, name, new))
            text = field(number, value)
        graph.append((number, value, text))
    return nodes, graph


def permuted(model, dice):
    """The nodes in another order that is topological, too."""
    made = {output: i for i, row in enumerate(model.nodes) for output in values(row, OUTPUT)}
    waits = [{made[name] for name in values(row, INPUT) if name in made} for row in model.nodes]
    done, order, left = set(), [], set(range(len(model.nodes)))
    while left:
        ready = sorted(i for i in left if waits[i] <= done)
        chosen = dice.choice(ready)
        order.append(model.nodes[chosen])
        done.add(chosen)
        left.remove(chosen)
    return order


def read_instead(nodes, old, new, but=None):
    return [row if row is but else replaced(row, INPUT, lambda name: new if name == old else name) for row in nodes]


def deleted(model, dice):
    """Without one node that has one result; who read that reads what the node read."""
    made = {output for row in model.nodes for output in values(row, OUTPUT)}
    choices = [row for row in model.nodes if op(row) in UNARY and values(row, OUTPUT)[0] not in model.results and
               values(row, INPUT)[0] in made]
    if not choices:
        return None
    gone = dice.choice(choices)
    nodes = read_instead([row for row in model.nodes if row is not gone], values(gone, OUTPUT)[0],
                         values(gone, INPUT)[0])
    return nodes, {("removed", values(gone, OUTPUT)[0])}


def inserted(model, dice):
    made = [output for row in model.nodes for output in values(row, OUTPUT) if output
            and op(row) in UNARY | {b"Conv", b"Gemm", b"MatMul"}]
    made = [name for name in made if name not in model.results]
    if not made:
        return None
    value = dice.choice(made)
    text = node(b"Sigmoid", [value], [b"inserted"], b"inserted_node")
    row = [(n, bytes(v), bytes(t)) for n, v, t in fields(text)]
    at = next(i for i, other in enumerate(model.nodes) if value in values(other, OUTPUT)) + 1
    nodes = read_instead(model.nodes, value, b"inserted")
    return nodes[:at] + [row] + nodes[at:], {("added", b"inserted")}


def doubled(model, dice):
    """A node of the same operator before one: the structure does not tell which of both is new, the names do."""
    made = {output for row in model.nodes for output in values(row, OUTPUT)}
    choices = [row for row in model.nodes if op(row) in UNARY - {b"Clip"} and values(row, INPUT)[0] in made]
    if not choices:
        return None
    second = dice.choice(choices)
    text = node(op(second), values(second, INPUT), [b"inserted"], b"inserted_node")
    first = [(n, bytes(v) if not isinstance(v, int) else v, bytes(t)) for n, v, t in fields(text)]
    nodes = []
    for row in model.nodes:
        nodes += [first, replaced(row, INPUT, lambda _: b"inserted")] if row is second else [row]
    return nodes, {("added", b"inserted")}


def other_op(model, dice):
    choices = [row for row in model.nodes if op(row) in UNARY - {b"Identity"}]
    if not choices:
        return None
    chosen = dice.choice(choices)
    change = [part for part in replaced(chosen, OP_TYPE, lambda _: b"Softsign") if part[0] not in (INPUT, 5)]
    change += [(INPUT, values(chosen, INPUT)[0], field(INPUT, values(chosen, INPUT)[0]))]
    return [change if row is chosen else row for row in model.nodes], {("changed", values(chosen, OUTPUT)[0])}


def diff(a, b, *flags):
    done = subprocess.run([PROGRAM, "diff", a, b, "--json", "--quiet", *flags], capture_output=True, text=True,
                          timeout=300)
    if not check(done.returncode == 0, f"{a} {b}: {done.stderr}"):
        sys.exit(1)
    return json.loads(done.stdout)


def check_sum(document, what):
    delta = next(row["delta"] for row in document["totals"] if row["key"] == "latency_s")
    if any(row["delta_s"] is None for row in document["nodes"]):
        check(delta is None, f"no difference of latencies that are not known: {what}")
        return
    parts = sum(row["delta_s"] for row in document["nodes"]) + document["segments_delta_s"]
    check(abs(parts - delta) <= 1e-9 * max(abs(delta), document["a"]["summary"]["latency_s"]), f"sum of parts: {what}")


def check_reverse(there, back, what):
    swapped = {"removed": "added", "added": "removed"}
    known = lambda delta, sign: (delta is not None, sign * (delta or 0))
    rows = sorted((swapped.get(row["change"], row["change"]), row["b"] or -1, row["a"] or -1,
                   known(row["delta_s"], -1)) for row in back["nodes"])
    check(rows == sorted((row["change"], row["a"] or -1, row["b"] or -1, known(row["delta_s"], 1))
                         for row in there["nodes"]), f"reverse: {what}")
    check(there["segments_delta_s"] == -back["segments_delta_s"], f"reverse of segments: {what}")


# What follows from an edit elsewhere, and is no edit of the node itself.
CONSEQUENCES = ("time", "another node", "group:", "unit:", "precision:", "output ")


def edits_of(document, outputs):
    """What was edited by the reports' ids: consequences left aside."""
    found = set()
    for row in document["nodes"]:
        own = [text for text in row["what"] if not text.startswith(CONSEQUENCES)]
        if row["change"] in ("removed", "added") or own:
            side = "a" if row["change"] == "removed" else "b"
            found.add((row["change"], outputs[side][row[side]]))
    return found


def outputs_of(path, flags):
    """The first result of every node, by id."""
    done = subprocess.run([PROGRAM, "shapes", path, "--json", "--quiet", *flags], capture_output=True, text=True)
    return [row["outputs"][0].encode() if row["outputs"] else b"" for row in json.loads(done.stdout)["nodes"]]


def laws_of(path, folder, dice, edits, flags):
    name, target = pathlib.Path(path).name, ["--target", "jetson-orin", *flags]
    model = Model(path)
    if any(op(row) in SUBGRAPHS for row in model.nodes):
        return 0
    same = diff(path, path, *target)
    check(same["same"] and not same["nodes"], f"{name} against itself")
    other = os.path.join(folder, "edited.onnx")
    model.write(other, *renamed(model))
    if not flags:  # bindings name inputs
        check(diff(path, other, *target)["same"], f"{name} renamed")
    model.write(other, permuted(model, dice))
    moved = diff(path, other, *target)
    check(not edits_of(moved, {"a": [b""] * 10**5, "b": [b""] * 10**5}),
          f"{name} in another order: {moved['nodes'][:3]}")
    check_sum(moved, f"{name} in another order")
    report = os.path.join(folder, "saved.json")
    subprocess.run([PROGRAM, path, *target, "--json", "--quiet", "--output", report], check=True, capture_output=True)
    check(diff(report, path, *flags)["same"] and diff(path, report, *target)["same"] and diff(report, report)["same"],
          f"{name} saved")
    count = 0
    before = outputs_of(path, flags)
    for kind in (deleted, inserted, doubled, other_op):
        for _ in range(edits):
            edit = kind(model, dice)
            if edit is None:
                break
            nodes, wanted = edit
            model.write(other, nodes)
            there = diff(path, other, *target)
            found = edits_of(there, {"a": before, "b": outputs_of(other, flags)})
            check(found == wanted, f"{name}: {kind.__name__} {wanted} found as {found}")
            check_sum(there, f"{name} {kind.__name__}")
            check_reverse(there, diff(other, path, *target), f"{name} {kind.__name__}")
            count += 1
    return count


def flags_and_codes(models, folder):
    net, resnet = (str(models / name) for name in ("mobilenet_v2.ts.onnx", "simple_resnet.ts.onnx"))
    here = ["--target", "jetson-orin"]
    for words in (["--against", "tda4vm"], ["--against-mode", "15W"], ["--against-precision", "int8"]):
        done = subprocess.run([PROGRAM, "diff", net, *here, *words, "--json", "--quiet"], capture_output=True,
                              text=True)
        document = json.loads(done.stdout)
        check(done.returncode == 0 and not document["same"], words)
        check({row["change"] for row in document["nodes"]} <= {"moved", "fused", "changed"},
              f"no node is gone: {words}")
        check_sum(document, words)
    report = os.path.join(folder, "saved.json")
    subprocess.run([PROGRAM, net, *here, "--json", "--quiet", "--output", report], check=True, capture_output=True)
    slower = json.loads(pathlib.Path(report).read_text())
    slower["summary"]["latency_s"] *= 0.96
    pathlib.Path(folder, "fast.json").write_text(json.dumps(slower))
    pathlib.Path(folder, "no.json").write_text("{}")
    fast = os.path.join(folder, "fast.json")
    cases = [
        ([net, net, *here, "--exit-code"], 0, ""),
        ([net, resnet, *here, "--exit-code"], 8, "differ"),
        ([fast, net, "--fail-on", "latency:+5%"], 0, ""),
        ([fast, net, "--fail-on", "latency:+4%"], 8, "latency_s by +4.17 %"),
        ([net, fast, *here, "--fail-on", "latency:+4%,rate:-5%"], 0, ""),
        ([net, fast, *here, "--fail-on", "latency:-1%"], 8, "latency_s by -4.00 %"),
        ([net, net, *here, "--fail-on", "nothing:+1%"], 2, "no figure"),
        ([net, net, *here, "--fail-on", "latency:5%"], 2, "--fail-on cannot be"),
        ([net, net], 2, "no target"),
        ([net, *here], 2, "between two models"),
        ([net, net, *here, "--against", "tda4vm"], 2, "one model with itself"),
        ([net, "missing.onnx", *here], 3, "cannot open"),
        ([net, os.path.join(folder, "no.json"), *here], 2, "no saved report"),
        ([net, net, "--target", "nowhere"], 4, "unknown target"),
        ([net, net, *here, "--format", "svg"], 2, "cannot show a difference"),
        ([report, net, "--format", "html"], 2, "is a saved report"),
        (["-", "-", *here], 2, "standard input was named twice"),
        (["missing.onnx", net], 3, "cannot open"),
        ([net, resnet, *here, "--output", "/dev/full"], 6, "cannot write"),
    ]
    for words, code, said in cases:
        done = subprocess.run([PROGRAM, "diff", *words, "--quiet"], capture_output=True, text=True)
        check(done.returncode == code and said in done.stderr and done.stderr.count("error:") == (code != 0),
              f"{words}: {done.returncode} {done.stderr}")
    for name in ("text", "markdown", "csv"):
        done = [subprocess.run([PROGRAM, "diff", net, resnet, *here, "--format", name], capture_output=True).stdout
                for _ in range(2)]
        check(done[0] == done[1] and done[0], name)


def unknown_is_not_zero(models, folder):
    """A side with an operator that nobody knows: its figures are bounds, and no difference is made of them."""
    net, odd = str(models / "simple_resnet.ts.onnx"), os.path.join(folder, "odd.onnx")
    pathlib.Path(odd).write_bytes(pathlib.Path(net).read_bytes().replace(b"Flatten", b"Flattem"))
    saved = os.path.join(folder, "odd.json")
    here = ["--target", "jetson-orin"]
    subprocess.run([PROGRAM, odd, *here, "--json", "--quiet", "--output", saved], check=True, capture_output=True)
    for a, b, other in ((net, odd, "b"), (odd, net, "a"), (net, saved, "b")):
        document = diff(a, b, *here)
        totals = {row["key"]: row for row in document["totals"]}
        for key in ("latency_s", "throughput_per_s", "energy_j", "peak_memory_bytes", "macs"):
            check(totals[key][other] is not None and totals[key]["delta"] is None and totals[key]["share"] is None,
                  f"{key} {a} {b}")
        deltas = {row["op"]: row["delta_s"] for row in document["nodes"]}
        check(deltas and all(delta is None for delta in deltas.values()), f"nodes without a time: {deltas}")
    # its results are declared: what it reads and does is unknown nevertheless
    typed = os.path.join(folder, "typed.onnx")
    page_models.unknown(typed)
    totals = {row["key"]: row for row in diff(net, typed, *here)["totals"]}
    check(totals["moved_bytes"]["delta"] is None and totals["peak_memory_bytes"]["delta"] is not None, f"{totals}")
    text = subprocess.run([PROGRAM, "diff", net, odd, *here, "--quiet"], capture_output=True, text=True).stdout
    check(all(f" {sign} " in text for sign in (">=", "<=")) and "unknown" in text, text)
    cases = [
        (net, odd, "latency:+5%", 8, "latency_s by at least +"),  # what is known is too much already
        (net, odd, "rate:-5%", 8, "throughput_per_s by at least -"),
        (net, odd, "latency:+500%", 7, "unknown on one side: latency"),
        (net, odd, "macs:+1%", 7, "unknown on one side: macs"),
        (odd, net, "latency:+5%", 7, "unknown on one side: latency"),
    ]
    for a, b, limit, code, said in cases:
        done = subprocess.run([PROGRAM, "diff", a, b, *here, "--quiet", "--fail-on", limit], capture_output=True,
                              text=True)
        check(done.returncode == code and said in done.stderr, f"{limit}: {done.returncode} {done.stderr}")


def equal_names(models, folder):
    """Nodes that share a name, or have none, are told apart by id in saved reports; those without ids go by name."""
    # Projections that are read side by side make groups whose root is not their last node.
    net, here = models / "bert-base_128.ts.onnx", ["--target", "jetson-orin"]
    sizes = ["--dim", "batch=1", "--dim", "seq=64"]
    model = Model(net)
    for name in (b"same", b""):
        path, saved = os.path.join(folder, "names.onnx"), os.path.join(folder, "names.json")
        model.write(path, [replaced(row, NAME, lambda _, name=name: name) for row in model.nodes])
        subprocess.run([PROGRAM, path, *here, *sizes, "--json", "--quiet", "--output", saved], check=True,
                       capture_output=True)
        for a, b in ((saved, path), (path, saved), (saved, saved)):
            document = diff(a, b, *here, *sizes)
            check(document["same"], f"all called {name}: {document['nodes'][:2]}")
        slow = diff(saved, path, *here, *sizes, "--mode", "15W")
        check_sum(slow, f"all called {name}, another mode")
        check({row["change"] for row in slow["nodes"]} == {"changed"}, f"all called {name}, another mode")
    saved = os.path.join(folder, "old.json")
    subprocess.run([PROGRAM, net, *here, *sizes, "--json", "--quiet", "--output", saved], check=True,
                   capture_output=True)
    old = json.loads(pathlib.Path(saved).read_text())
    check(all(group.get("root", -1) in group["nodes"] for group in old["groups"]), "groups name their roots")
    for group in old["groups"]:
        group.pop("root", None)
    for row in old["nodes"]:
        del row["label"], row["input_ids"], row["output_ids"]
    pathlib.Path(saved).write_text(json.dumps(old))
    check(diff(saved, str(net), *here, *sizes)["same"], "a report from before there were ids")


def totals_first(models, folder):
    """Totals stand before what they are made of, below both names, which are whole."""
    deep = pathlib.Path(folder, *["a-rather-long-name-of-a-folder"] * 7)
    deep.mkdir(parents=True)
    net, other = deep / "net.onnx", deep / "other.onnx"
    net.write_bytes((models / "mobilenet_v2.ts.onnx").read_bytes())
    other.write_bytes((models / "simple_resnet.ts.onnx").read_bytes())
    for form in ("text", "markdown", "html"):
        text = subprocess.run([PROGRAM, "diff", net, other, "--target", "jetson-orin", "--quiet", "--format", form],
                              capture_output=True, text=True).stdout
        if form == "html" and "comparison" not in text:
            continue  # a build without the viewer
        plain = text.replace("\\", "")
        places = [plain.find(f"{path}, on jetson-agx-orin-64gb, mode MAXN, fp16") for path in (net, other)]
        check(min(places) >= 0, f"{form}: names are cut")
        if form != "html":
            check(max(places) < plain.find("latency") < plain.find("Modules") < plain.find("Nodes: "),
                  f"{form}: the order")


def main():
    models = pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 else SOURCE / "test/models"
    edits = int(sys.argv[4]) if len(sys.argv) > 4 else max(1, int(os.environ.get("HWEST_EFFORT", "100")) // 10)
    dice = random.Random(3)
    count = 0
    with tempfile.TemporaryDirectory() as folder:
        if len(sys.argv) <= 3:
            flags_and_codes(models, folder)
            unknown_is_not_zero(models, folder)
            equal_names(models, folder)
            totals_first(models, folder)
        for path in sorted(models.glob("*.onnx")):
            is_open = len(sys.argv) <= 3 and path.name.startswith(("bert", "lstm"))
            flags = ["--dim", "batch=1", "--dim", "seq=64"] if is_open else []
            if len(sys.argv) > 3 and subprocess.run([PROGRAM, path, "--target", "jetson-orin", "--quiet"],
                                                    capture_output=True).returncode != 0:
                continue  # needs sizes that nobody gave
            count += laws_of(str(path), folder, dice, edits, flags)
    print(f"{count} edits, {len(failures)} failures")
    return 1 if failures or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
