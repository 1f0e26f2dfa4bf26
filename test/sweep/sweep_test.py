#!/usr/bin/env python3
"""Sweeps through the program: rows equal single runs, and nothing is lost or done twice however a sweep ends.

usage: sweep_test.py ONNX_HWEST MODELS
"""

import csv
import io
import json
import math
import os
import random
import resource
import shlex
import signal
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree

PROGRAM, MODELS = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
# Where each analysis takes long, as under a sanitizer, a few targets stand for all.
TARGETS = "jetson-orin,tda4vm,hailo-8" if "--few" in sys.argv[3:] else "all"
NET, RESNET = (os.path.join(MODELS, name) for name in ("mobilenet_v2.ts.onnx", "simple_resnet.ts.onnx"))
BERT = os.path.join(MODELS, "bert-base_128.ts.onnx")
failures = []


def check(truth, what):
    if not truth:
        failures.append(what)
        print("FAILED:", what)


def run(*words, **options):
    return subprocess.run([PROGRAM, *words], capture_output=True, text=True, timeout=300, **options)


def rows_of(*words):
    return json.loads(run("sweep", *words, "--json").stdout)["rows"]


def equal_to_single_runs():
    words = ["--target", "jetson-orin,tda4vm", "--mode", "all", "--precision", "auto,int8", "--batch", "1,4"]
    rows = rows_of(NET, RESNET, *words)
    targets = {row["name"]: row for row in json.loads(run("targets", "--json").stdout)["targets"]}
    modes = sum(max(1, len(targets[name]["modes"])) for name in ("jetson-agx-orin-64gb", "tda4vm"))
    check(len(rows) == 2 * modes * 2 * 2, "rows in every combination")
    for row in random.Random(1).sample(rows, 12):
        flags = ["--mode", row["mode"]] if row["mode"] else []
        single = json.loads(run(row["model"], "--target", row["target"], "--precision", row["precision"],
                                "--batch", str(row["batch"]), *flags, "--json").stdout)
        for key in ("latency_s", "latency_low_s", "latency_high_s", "interval_s", "throughput_per_s", "energy_j",
                    "power_w", "peak_memory_bytes", "macs", "flops", "moved_bytes", "intensity", "grade", "dram_bytes",
                    "onchip_bytes", "dram_intensity", "utilisation", "fits"):
            check(single["summary"][key] == row[key], f"{key} of {row['model']} on {row['target']}")
        check(len(single["segments"]) == row["segments"], "segments")
    lines = run(NET, RESNET, *words, "--format", "jsonl").stdout.splitlines()
    check([dict(json.loads(line), pareto=None) for line in lines] == [dict(row, pareto=None) for row in rows],
          "models and targets without a verb are a sweep")


def order_and_dims():
    rows = rows_of(BERT, NET, "--target", "jetson-orin,nowhere", "--dim", "batch=1,2", "--dim", "seq=64:256:x2")
    check([(row["dims"]["batch"], row["dims"]["seq"]) for row in rows[:6]] ==
          [(b, s) for b in (1, 2) for s in (64, 128, 256)], "dims turn in the order given")
    check([row["status"] for row in rows] == ["ok"] * 6 + ["error"] * 6 + ["ok", "error"],
          "a target that is not there is a row")
    check({row["code"] for row in rows[6:12]} == {"target_unknown"}, "why the target failed")
    check([row["dims"] for row in rows[12:]] == [{}] * 2, "dims apply to the models that have them")
    alone = rows_of(NET, "--target", "jetson-orin", "--dim", "seq=64")
    check([row["code"] for row in alone] == ["bind_conflict"], "a dim that the one model does not have")
    table = list(csv.DictReader(io.StringIO(run("sweep", BERT, "--target", "jetson-orin", "--dim", "batch=1",
                                                "--dim", "seq=64,128", "--format", "csv").stdout)))
    check([row["dims"] for row in table] == ["batch=1;seq=64", "batch=1;seq=128"], "dims in CSV")
    check(list(table[0]) == list(rows[0]), "CSV has the columns of JSON")


def where_they_fit(folder):
    """Flags that name parts of a model apply to the models that have them, and one note says where they did not."""
    words = ["--target", "jetson-orin", "--dim", "batch=1", "--dim", "seq=64,128", "--size", "224,320"]
    done = run("sweep", NET, BERT, *words, "--json")
    document = json.loads(done.stdout)
    rows = document["rows"]
    check([(row["dims"], row["size"]) for row in rows] ==
          [({}, 224), ({}, 320), ({"batch": 1, "seq": 64}, None), ({"batch": 1, "seq": 128}, None)], f"{rows}")
    check(all(row["status"] == "ok" for row in rows), f"{[row['message'] for row in rows]}")
    check(done.stderr.count("note: ") == 1 and all(text in done.stderr
                                                   for text in ("--dim batch at", "--dim seq at", "--size at")),
          done.stderr)
    check([row["code"] for row in document["diagnostics"]] == ["assumed"], "the document says so, too")
    for form in ("markdown", "html"):
        check("--dim seq at " in run("sweep", NET, BERT, *words, "--format", form, "--quiet").stdout.replace("\\", ""),
              form)
    rows = rows_of(NET, BERT, "--target", "jetson-orin", "--dim", "batch=1", "--seq-len", "64", "--shape",
                   "input=1x3x96x96")
    check([row["status"] for row in rows] == ["ok", "ok"], f"{[row['message'] for row in rows]}")
    check(rows[0]["macs"] < rows_of(NET, "--target", "jetson-orin")[0]["macs"], "and they do apply")
    nowhere = run("sweep", NET, BERT, "--target", "jetson-orin", "--dim", "sequence=64")
    check(nowhere.returncode == 2 and "--dim sequence fits none of the models" in nowhere.stderr and not nowhere.stdout,
          nowhere.stderr)
    path = os.path.join(folder, "fit.jsonl")
    check(run("sweep", NET, BERT, *words, "--output", path).returncode == 0, "rows into a file")
    whole = open(path).read()
    open(path, "w").write("".join(whole.splitlines(keepends=True)[:3]))
    check(run("sweep", NET, BERT, *words, "--output", path, "--resume").returncode == 0 and open(path).read() == whole,
          "a sweep of different dims goes on")


def columns(folder):
    words = [NET, "--target", "jetson-orin", "--batch", "1,4"]
    rows = rows_of(*words)
    for row in rows:
        check(row["energy_per_input_j"] == row["energy_j"] / row["batch"], "energy of an input")
        check(abs(sum(row["bounds"].values()) - 1) < 1e-9 and
              list(row["bounds"]) == ["compute", "memory", "overhead", "transfer", "balanced"], f"{row['bounds']}")
        single = json.loads(run(NET, "--target", "jetson-orin", "--batch", str(row["batch"]), "--json").stdout)
        bounds = {bound["class"]: bound["time_s"] / row["latency_s"] for bound in single["bounds"]}
        check(all(abs(row["bounds"][key] - bounds[key]) < 1e-12 for key in bounds), "bounds of the single run")
        check((row["params"], row["nodes"]) == (single["model"]["params"], single["coverage"]["nodes"]),
              "params and nodes")
        check(row["dram_bytes"] == sum(group["dram_bytes"] for group in single["groups"]), "bytes of the groups")
        at_peak_s = sum(group["utilisation"] * group["time_s"] for group in single["groups"])
        check(abs(row["utilisation"] - at_peak_s / row["latency_s"]) < 1e-12, "utilisation of the groups")
    keys = ["bounds", "energy_per_input_j", "model", "params"]
    done = run("sweep", *words, "--format", "csv", "--columns", ",".join(keys))
    table = list(csv.DictReader(io.StringIO(done.stdout)))
    check(list(table[0]) == keys and table[0]["params"] == str(rows[0]["params"]), f"{done.stdout} {done.stderr}")
    path = os.path.join(folder, "columns.csv")
    run("sweep", *words, "--columns", ",".join(keys), "--output", path)
    check(open(path).read() == done.stdout, "the same in a file")
    check(json.loads(run("sweep", *words, "--columns", "params", "--json").stdout)["rows"] == rows,
          "JSON has every column")
    for form in ("text", "markdown", "html"):
        head = run("sweep", *words, "--columns", "utilisation,nodes", "--format", form).stdout
        check("utilisation" in head and "nodes" in head and "rate/s" not in head, form)
    check("energy/input mJ" in run("sweep", *words).stdout, "beside the rate")
    wrong = run("sweep", *words, "--columns", "utilization")
    check(wrong.returncode == 2 and "did you mean utilisation" in wrong.stderr, wrong.stderr)
    refused = run("sweep", *words, "--columns", "params", "--output", path, "--resume")
    check(refused.returncode == 2 and "leave --columns out" in refused.stderr, refused.stderr)


def standard_input():
    """It is read once, whatever needs the model again."""
    words = ["--target", "tda4vm", "--rewrite", "--json"]
    with open(RESNET, "rb") as model:
        data = model.read()
    named = {"sweep": json.loads(run("sweep", RESNET, *words).stdout)["rows"],
             "analyze": json.loads(run(RESNET, *words).stdout)["rewritten"]["summary"]}
    for verb in ("sweep", "analyze"):
        done = subprocess.run([PROGRAM, verb, "-", *words], input=data, capture_output=True, timeout=300)
        check(done.returncode == 0, f"{verb}: {done.stderr.decode()}")
        if done.returncode == 0 and verb == "sweep":
            check([dict(row, model="") for row in json.loads(done.stdout)["rows"]] == [dict(row, model="")
                                                                                       for row in named["sweep"]], verb)
        elif done.returncode == 0:
            check(json.loads(done.stdout)["rewritten"]["summary"] == named["analyze"], verb)


def odd_names(folder):
    """Words behind -- are files, whatever they are called."""
    for name in ("--json", "sweep", "--target=x", "a,b"):
        with open(os.path.join(folder, name), "wb") as odd, open(RESNET, "rb") as model:
            odd.write(model.read())
    names = ["--json", "sweep", "--target=x", "a,b"]
    done = run("sweep", "--target", "jetson-orin", "--format", "jsonl", "--", *names, cwd=folder)
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    check([(row["model"], row["status"]) for row in rows] == [(name, "ok") for name in names], f"{done.stderr}")
    for words in (["--target", "jetson-orin", "--quiet", "--", "--json"], ["shapes", "--quiet", "--", "sweep"],
                  ["--target", "jetson-orin", "--quiet", "--", "sweep"],
                  ["diff", "--target", "jetson-orin", "--", "--json", "sweep"],
                  ["graph", "--", "--target=x"], ["support", "--target", "jetson-orin", "--", "a,b"],
                  ["check", "--target", "jetson-orin", "--max-latency", "1s", "--", "--json"]):
        done = run(*words, cwd=folder)
        check(done.returncode == 0 and not done.stdout.startswith("{"), f"{words}: {done.stderr}")
    record = run("--target", "jetson-orin", "--evidence", "record.json", "--quiet", "--", "--json", cwd=folder)
    check(record.returncode == 0 and run("verify", "record.json", cwd=folder).returncode == 0,
          f"record: {record.stderr}")


UNITS_S = {"us": 1e-6, "ms": 1e-3, "s": 1}


def bars_on_their_scale():
    """A bar ends where its figure lies between the ticks over it, on a linear and on a logarithmic scale."""
    for models, is_log in (([NET], False), ([NET, BERT], True)):
        words = [*models, "--target", "jetson-orin,rk3588", "--quiet",
                 *(["--dim", "batch=1", "--dim", "seq=512"] if is_log else ["--mode", "all"])]
        rows = rows_of(*words)
        nodes = list(xml.etree.ElementTree.fromstring(run("sweep", *words, "--format", "svg").stdout).iter())
        ends = [float(node.get("x")) + float(node.get("width")) for node in nodes if node.get("height") == "13.00"]
        centred = [node for node in nodes if node.get("text-anchor") == "middle"]
        ticks = []
        for node in (node for node in centred if node.get("y") == centred[0].get("y")):
            number, _, unit = node.text.partition(" ")
            ticks.append((float(node.get("x")), float(number) * UNITS_S.get(unit, 1)))
        check(any(node.text == "on a logarithmic scale" for node in nodes) == is_log and len(ticks) > 1,
              f"{models}: {ticks}")
        scale = math.log10 if is_log else float
        (x0, least), (x1, most) = ticks[0], ticks[-1]
        for row, end in zip(rows, ends):
            at = x0 + (scale(row["latency_s"]) - scale(least)) / (scale(most) - scale(least)) * (x1 - x0)
            check(abs(end - at) < 0.1, f"{row['target']}: a bar to {end} for {row['latency_s']}, which is at {at}")
        check(len(ends) == len(rows), f"{len(ends)} bars")


def pictures():
    words = ["sweep", NET, "--target", "jetson-orin,tda4vm", "--batch", "1,4,8"]
    svg = run(*words, "--format", "svg").stdout
    texts = [text.text or "" for text in xml.etree.ElementTree.fromstring(svg).iter() if text.tag.endswith("text")]
    for title in ("Latency by batch", "Rate by batch", "Peak memory by batch", "Energy and latency of an input"):
        check(title in texts, f"chart: {title}")
    row = rows_of(*words[1:])[-1]
    check(any(text.startswith(f"{row['groups']} kernels") for text in texts), "kernels of the last point")
    bars = run("sweep", NET, "--target", "jetson-orin", "--mode", "all", "--format", "svg").stdout
    check("Latency, with its 80 % interval" in bars and "by batch" not in bars, "bars where nothing can be gone along")
    check("kernels" not in bars, "kernels stand along an axis alone")
    page = run("sweep", NET, "no<b>&such.onnx", "--target", "jetson-orin", "--batch", "1,4", "--format", "html").stdout
    still = page[:page.index("</main>")]
    check("<svg" in still and "<script" not in still and "Content-Security-Policy" in still, "a still page")
    check("no&lt;b&gt;&amp;such.onnx" in page and "<b>" not in page, "names are text")
    check("2 failed" in page and page.count("<th>latency us</th>") + page.count("<th>latency ms</th>") == 1,
          "failures and points")
    rows = json.loads(run("sweep", NET, "--target", "all", "--json").stdout)["rows"]
    fits = sorted((row for row in rows if row["fits"] is not False and row["latency_s"]),
                  key=lambda row: row["latency_s"])
    drawn = xml.etree.ElementTree.fromstring(run("sweep", NET, "--target", "all", "--format", "svg").stdout)
    texts = [text.text or "" for text in drawn.iter() if text.tag.endswith("text")]
    check(any(f"the fastest 40 of {len(rows)} bars" in text for text in texts), "many boards: the fastest are drawn")
    named = [text.split(",")[0] for text in texts if text.split(",")[0] in {row["target"] for row in rows}]
    check(named[:40] == [row["target"] for row in fits[:40]], f"bars in order of latency: {named[:5]}")
    failed = run("sweep", "missing.onnx", "--target", "jetson-orin", "--batch", "1,4", "--format", "svg").stdout
    check("2 points, 2 failed" in failed and "circle" not in failed, "nothing is drawn of what is not known")
    check(run(*words, "--format", "svg").stdout == svg, "the same bytes again")


def pareto():
    rows = [row for row in rows_of(NET, "--target", TARGETS) if row["status"] == "ok"]
    keys = ("latency_s", "energy_j", "peak_memory_bytes")
    for row in rows:
        if any(row[key] is None for key in keys):
            check(row["pareto"] is None, "a row with an unknown figure cannot be compared")
            continue
        beaten = any(all(other[key] is not None and other[key] <= row[key] for key in keys) and
                     any(other[key] < row[key] for key in keys) for other in rows)
        check(row["pareto"] is not beaten, f"front at {row['target']}")


def unknown_is_not_zero(folder):
    """Rows of a model with an operator that nobody knows say so, and stand on no front."""
    odd = os.path.join(folder, "odd.onnx")
    with open(RESNET, "rb") as known, open(odd, "wb") as unknown:
        unknown.write(known.read().replace(b"Flatten", b"Flattem"))
    words = [odd, RESNET, "--target", "jetson-orin,tda4vm"]
    rows = rows_of(*words)
    check([row["code"] for row in rows] == ["incomplete"] * 2 + [None] * 2, "which rows leave something out")
    check([row["pareto"] for row in rows[:2]] == [None] * 2 and all(row["pareto"] is not None for row in rows[2:]),
          "bounds are not compared")
    check(all(row["accelerated_macs_share"] is None and row["power_w"] is None for row in rows[:2]),
          "no share of unknown MACs")
    path = os.path.join(folder, "odd.csv")
    run("sweep", *words, "--output", path)
    check([row["pareto"] for row in csv.DictReader(open(path))][:2] == [""] * 2, "nor are they in a file")
    lines = [line for line in run("sweep", *words).stdout.splitlines() if "odd.onnx" in line]
    check(len(lines) == 2 and all(line.count(">= ") >= 3 and "<= " in line
                                  for line in lines), f"bounds in text: {lines}")


def start(output, *more):
    words = ["sweep", NET, "missing.onnx", RESNET, "--target", TARGETS, "--mode", "all", "--precision", "auto,int8",
             "--batch", "1,3", "--output", output, *more]
    return words, subprocess.Popen([PROGRAM, *words], stderr=subprocess.PIPE, text=True)


def wait_for(path, process):
    """Until the sweep has made its file."""
    while process.poll() is None and not os.path.exists(path):
        time.sleep(0.001)
    check(os.path.exists(path), f"{path} is not there")


def pasted(said):
    """Runs the command at the end of the message as a shell would."""
    command = said[said.index(": onnx-hwest ") + len(": onnx-hwest "):]
    return subprocess.run(shlex.quote(PROGRAM) + " " + command, shell=True, capture_output=True, text=True, timeout=300)


def whole_of(path):
    """What one run writes there, and the seconds that its rows take."""
    process = start(path)[1]
    wait_for(path, process)
    began = time.monotonic()
    process.communicate()
    return open(path, "rb").read(), time.monotonic() - began


def ends_early(folder, ending):
    """However the sweep ends, --resume makes the file that one run makes."""
    wanted, took_s = whole_of(os.path.join(folder, "whole" + ending))
    share, cut = random.Random(7), []
    for number, kind in enumerate((signal.SIGINT, signal.SIGKILL, signal.SIGINT, signal.SIGKILL)):
        path = os.path.join(folder, f"cut{number}{ending}")
        words, process = start(path, "--threads", str(1 + number % 2))
        wait_for(path, process)
        time.sleep(took_s * (0.2 + 0.4 * share.random()))
        process.send_signal(kind)
        said = process.communicate()[1]
        if process.returncode in (130, -signal.SIGKILL):
            cut.append(kind)
        else:
            check(process.returncode == 0, f"status {process.returncode}")
        if process.returncode == 130:
            check(said.startswith("onnx-hwest: error: interrupted after ") and said.rstrip().endswith("--resume"), said)
        with open(path, "ab") as file:
            file.write(b"a line that was cut sho")
        again = pasted(said) if process.returncode == 130 else run(*words, "--resume")
        check(again.returncode == 0, again.stderr)
        check(open(path, "rb").read() == wanted, f"resumed {ending} after {kind.name}")
        run(*words, "--resume")
        check(open(path, "rb").read() == wanted, "a complete file stays as it is")
    check(set(cut) == {signal.SIGINT, signal.SIGKILL}, f"sweeps of {took_s:.2f} s that were cut: {cut}")
    with open(path, "ab") as file:
        file.write(b"not,a,row\n")
    refused = run(*words, "--resume")
    check(refused.returncode == 2 and "leave --resume out" in refused.stderr, "rows of something else are no start")


def shards(folder):
    points = ["sweep", NET, RESNET, "--target", TARGETS, "--batch", "1,2"]
    whole = run(*points, "--format", "jsonl").stdout
    parts = "".join(run(*points, "--format", "jsonl", "--shard", f"{i}/5").stdout for i in range(1, 6))
    check(parts == whole, "shards in order are the whole")
    check(run(*points, "--format", "jsonl", "--threads", "1").stdout == whole, "as many rows with one thread")


def replaced_when_complete(folder):
    """A file that is there already stays until the sweep is complete; what an interrupt prints goes on beside it."""
    for ending in (".csv", ".jsonl"):
        wanted, took_s = whole_of(os.path.join(folder, "new" + ending))
        cut = 0
        for share in (0, 0, 0.3):  # before the first row, and behind some
            path = os.path.join(folder, "old" + ending)
            open(path, "w").write("what was there\n")
            process = start(path)[1]
            wait_for(path + ".part", process)
            time.sleep(took_s * share)
            process.send_signal(signal.SIGINT)
            said = process.communicate()[1]
            if process.returncode == 130:
                cut += 1
                check(open(path).read() == "what was there\n", "an old file stays until the sweep is complete")
                if ": onnx-hwest sweep " not in said:
                    check(False, said)
                    continue
                again = pasted(said)
                check(again.returncode == 0, f"goes on beside it: {again.stderr}")
            check(open(path, "rb").read() == wanted, "then takes its place")
            check(os.listdir(folder).count(f"old{ending}.part") == 0, "and leaves nothing behind")
        check(cut > 0, f"no sweep of {took_s:.2f} s was cut")


def refusals(folder):
    cases = [
        (["sweep", "--target", "jetson-orin"], 2, "needs MODEL"),
        (["sweep", NET], 2, "no target was named"),
        (["sweep", NET, "--target", "a,,b"], 2, "--target cannot be"),
        (["sweep", NET, NET, "--target", "jetson-orin"], 2, "was named twice"),
        (["sweep", NET, "--target", "jetson-orin,jetson-agx-orin-64gb"], 2, "was named twice"),
        (["sweep", NET, "--target", "jetson-orin", "--batch", "4:1:x2"], 2, "--batch cannot be"),
        (["sweep", NET, "--target", "jetson-orin", "--batch", "1:8:x1"], 2, "--batch cannot be"),
        (["sweep", NET, "--target", "jetson-orin", "--shard", "4/3"], 2, "--shard cannot be"),
        (["sweep", NET, "--target", "jetson-orin", "--precision", "fp17"], 2, "--precision cannot be"),
        (["sweep", NET, "--target", "jetson-orin", "--resume"], 2, "--resume goes on with a file"),
        (["sweep", NET, "--target", "jetson-orin", "--format", "dot"], 2, "cannot show a sweep"),
        (["sweep", NET, "--target", "jetson-orin", "--output", "/nowhere/a.csv"], 6, "cannot write"),
        (["sweep", NET, "--target", "jetson-orin", "--output", "/dev/full", "--format", "csv"], 6, "cannot write"),
        (["sweep", "missing.onnx", "--target", "jetson-orin"], 3, "cannot open"),
        (["sweep", NET, "missing.onnx", "--target", "jetson-orin", "--strict"], 7, "1 of 2 points failed"),
        (["sweep", BERT, "--target", "jetson-orin,tda4vm"], 5, "--dim batch=1 --dim seq=128"),
        (["analyze", NET, "--target", "jetson-orin", "--format", "jsonl"], 2, "format jsonl cannot show"),
    ]
    for words, code, said in cases:
        done = run(*words)
        check(done.returncode == code and said in done.stderr and done.stderr.count("onnx-hwest: error:") == 1,
              f"{words[1:]}: {done.returncode} {done.stderr}")
    # A file system that runs full in the middle: what was written stays, and the sweep can go on elsewhere.
    whole, cut = os.path.join(folder, "whole.csv"), os.path.join(folder, "full.csv")
    words = ["sweep", NET, "--target", TARGETS, "--mode", "all"]
    check(run(*words, "--output", whole).returncode == 0, "the sweep works where there is room")
    room = os.path.getsize(whole) // 2
    full = run(*words, "--output", cut, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (room, room)))
    check(full.returncode in (6, -signal.SIGXFSZ), f"full disk: {full.returncode} {full.stderr}")
    # Without the last column, `pareto`, which needs all rows.
    kept, rows = ([line.rpartition(",")[0] for line in open(path).read().splitlines()] for path in (cut, whole))
    check(len(kept) > 2 and set(kept[:-1]) <= set(rows), "rows that fitted stay")
    longest = max(map(len, open(whole).read().splitlines()))
    check(room - os.path.getsize(cut) <= longest, "no row that would have fitted is missing")


def image_sizes():
    rows = rows_of(NET, "--target", "jetson-orin", "--size", "224,320")
    check(rows[0]["macs"] < rows[1]["macs"] and rows[1]["status"] == "ok", "a convolutional net takes other sizes")
    same = rows_of(NET, "--target", "jetson-orin")[0]
    check(rows[0]["latency_s"] == same["latency_s"], "its own size is as exported")
    rows = rows_of(BERT, "--target", "jetson-orin", "--dim", "batch=1", "--dim", "seq=128", "--size", "320")
    check(rows[0]["code"] == "bind_conflict", "a model without images has no size")


def after_rewrites(folder):
    words = [RESNET, NET, "--target", "tda4vm,jetson-orin"]
    plain, rows = rows_of(*words), rows_of(*words, "--rewrite")
    for row in rows:
        single = json.loads(run(row["model"], "--target", row["target"], "--rewrite", "--json").stdout)
        check(row["rewritten"] and row["latency_s"] == single["rewritten"]["summary"]["latency_s"],
              f"{row['model']} on {row['target']} is as the single run after its rewrites")
    check(not any(row["rewritten"] for row in plain) and any(b["latency_s"] < a["latency_s"]
                                                             for a, b in zip(plain, rows)),
          "rows without --rewrite are of the file as it is, and a rewrite helps one")
    check("after rewrites" in run("sweep", *words, "--rewrite").stdout, "the table says what its figures are of")
    path = os.path.join(folder, "rewritten.csv")
    check(run("sweep", *words, "--output", path).returncode == 0, "a sweep of the files as they are")
    refused = run("sweep", *words, "--rewrite", "--output", path, "--resume")
    check(refused.returncode == 2 and "--resume" in refused.stderr, f"their rows are no others' rows: {refused.stderr}")


def main():
    equal_to_single_runs()
    order_and_dims()
    pareto()
    pictures()
    bars_on_their_scale()
    image_sizes()
    standard_input()
    with tempfile.TemporaryDirectory() as folder:
        odd_names(folder)
        columns(folder)
        where_they_fit(folder)
        unknown_is_not_zero(folder)
        after_rewrites(folder)
        shards(folder)
        refusals(folder)
        replaced_when_complete(folder)
        for ending in (".csv", ".jsonl"):
            ends_early(folder, ending)
    print(f"{len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
