#!/usr/bin/env python3
"""Tests `onnx-hwest memory`: addresses, verdicts and forms, against what the analysis says and what can be counted.

usage: memory_test.py PROGRAM SOURCE_DIR
"""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.dom.minidom

PROGRAM, MODELS = sys.argv[1], pathlib.Path(sys.argv[2]) / "test" / "models"
MOBILENET = str(MODELS / "mobilenet_v2.ts.onnx")
sys.path.insert(0, str(pathlib.Path(sys.argv[2]) / "test" / "bench"))
import onnx_wire as wire

TARGETS = ("jetson-orin", "tda4vm", "ethos-u55-256", "stm32n6", "snapdragon-8-gen-3", "hailo-8", "raspberry-pi-5",
           "dgx-spark")


def run(*args, code=0):
    result = subprocess.run([PROGRAM, *args], capture_output=True, text=True)
    if result.returncode != code:
        raise AssertionError(f"{args}: {result.returncode}, not {code}: {result.stderr}")
    return result


def memory(*args):
    return json.loads(run("memory", *args, "--json").stdout)


def overlaps(tensors):
    """Pairs of tensors that are alive at once and share an address."""
    for i, a in enumerate(tensors):
        for b in tensors[:i]:
            if (a["memory"] == b["memory"] and a["first"] <= b["last"] and b["first"] <= a["last"] and
                    a["offset"] < b["offset"] + b["bytes"] and b["offset"] < a["offset"] + a["bytes"]):
                yield a["name"], b["name"]


def most_alive(tensors):
    steps = range(max((row["last"] for row in tensors), default=0) + 1)
    return max(sum(row["bytes"] for row in tensors if row["first"] <= step <= row["last"]) for step in steps)


def model_with_batch():
    """y = x + Sigmoid(Relu(x)) of shape [n, 3, 128, 128]."""
    shape = wire.field(1, wire.field(2, b"n")) + b"".join(wire.field(1, wire.field(1, dim)) for dim in (3, 128, 128))
    info = [wire.field(1, name) + wire.field(2, wire.field(1, wire.field(1, 1) + wire.field(2, shape)))
            for name in (b"x", b"y")]
    nodes = (wire.node(b"Relu", [b"x"], [b"a"]), wire.node(b"Sigmoid", [b"a"], [b"b"]),
             wire.node(b"Add", [b"x", b"b"], [b"y"]))
    graph = (b"".join(wire.field(1, node) for node in nodes) + wire.field(2, b"batches") + wire.field(11, info[0]) +
             wire.field(12, info[1]))
    return wire.field(1, 8) + wire.field(7, graph) + wire.field(8, wire.field(1, b"") + wire.field(2, 17))


class PlanTest(unittest.TestCase):
    def test_addresses(self):
        for model in sorted(MODELS.glob("*.onnx")):
            for target in TARGETS:
                with self.subTest(model=model.stem, target=target):
                    self.check(str(model), target)

    def check(self, model, target):
        result = subprocess.run([PROGRAM, "memory", model, "--target", target, "--json"], capture_output=True,
                                text=True)
        if result.returncode == 5:
            return  # free dims
        self.assertEqual(result.returncode, 0, result.stderr)
        plan = json.loads(result.stdout)
        tensors = [row for row in plan["tensors"] if row["bytes"] is not None]
        self.assertEqual(list(overlaps(tensors)), [])
        self.assertEqual(plan["lower_bound_bytes"], most_alive(tensors))
        gaps = 0
        for row in plan["memories"]:
            there = [tensor for tensor in tensors if tensor["memory"] == row["name"]]
            highest = max((tensor["offset"] + tensor["bytes"] for tensor in there), default=0)
            self.assertEqual(row["activations_bytes"], highest)
            self.assertEqual(row["used_bytes"], row["weights_bytes"] + highest)
            gaps += highest - (most_alive(there) if there else 0)
        self.assertEqual(plan["peak"]["bytes"], plan["lower_bound_bytes"] + gaps)
        self.assertEqual(sum(row["bytes"] for row in plan["peak"]["tensors"]), plan["lower_bound_bytes"])
        analysis = json.loads(run(model, "--target", target, "--json").stdout)
        deployed = analysis["model"]["deployed_bytes"]
        self.assertEqual(analysis["summary"]["peak_memory_bytes"], deployed + plan["peak"]["bytes"])
        self.assertEqual(sum(row["weights_bytes"] for row in plan["memories"]), deployed)

    def test_flash_takes_no_activations(self):
        plan = memory(MOBILENET, "--target", "ethos-u55-256", "--precision", "int8")
        self.assertEqual({row["memory"] for row in plan["tensors"]}, {"sram"})
        self.assertEqual([row["holds"] for row in plan["memories"] if row["name"] == "dram"], ["flash"])

    def test_cures_are_what_they_say(self):
        plan = memory(MOBILENET, "--target", "raspberry-pi-5")
        flags = [row for row in plan["cures"] if row["command"] is not None]
        self.assertTrue(flags)
        for row in flags:
            with self.subTest(row["change"]):
                then = memory(MOBILENET, "--target", "raspberry-pi-5", *row["command"].split())
                self.assertEqual(then["peak"]["bytes"], row["peak_bytes"])
        self.assertTrue(all(row["peak_bytes"] < plan["peak"]["bytes"] for row in plan["cures"]))


class VerdictTest(unittest.TestCase):
    def test_arenas(self):
        peak = memory(MOBILENET, "--target", "raspberry-pi-5")["peak"]["bytes"]
        plan = memory(MOBILENET, "--target", "raspberry-pi-5", "--arena", f"{peak}B,{peak - 1}B,1GB")
        self.assertEqual([row["verdict"] for row in plan["arenas"]], ["FITS", "DOES_NOT_FIT", "FITS"])

    def test_strict(self):
        run("memory", MOBILENET, "--target", "raspberry-pi-5", "--strict")
        with tempfile.TemporaryDirectory() as folder:
            model = pathlib.Path(folder) / "batches.onnx"
            model.write_bytes(model_with_batch())
            found = run("memory", str(model), "--target", "ethos-u55-256", "--dim", "n=4000", "--strict", code=7)
            self.assertIn("does not fit", found.stderr)

    def test_range(self):
        with tempfile.TemporaryDirectory() as folder:
            model = str(pathlib.Path(folder) / "batches.onnx")
            pathlib.Path(model).write_bytes(model_with_batch())
            small = (model, "--target", "ethos-u55-256", "--precision", "int8")
            short, long = memory(*small, "--dim", "n=1:40"), memory(*small, "--dim", "n=1:4000")
            self.assertEqual(short["verdict"]["word"], "DOES_NOT_FIT")
            self.assertEqual(short["verdict"]["from"], long["verdict"]["from"])
            first = short["verdict"]["from"]
            for n, word in ((first - 1, "FITS"), (first, "DOES_NOT_FIT")):
                self.assertEqual(memory(*small, "--dim", f"n={n}")["verdict"]["word"], word)
            self.assertEqual(memory(*small, "--dim", f"n=1:{first - 1}")["verdict"]["word"], "FITS")
            wide = memory(model, "--target", "raspberry-pi-5", "--dim", "n=1:1000")["verdict"]
            self.assertEqual(wide["word"], "FITS")
            self.assertIn("serves every smaller value", wide["reason"])

    def test_usage(self):
        run("memory", MOBILENET, code=2)
        for flag, value in (("--arena", "small"), ("--dim", "n=3:1"), ("--dim", "n=1:2:3"), ("--format", "perfetto")):
            with self.subTest(flag=flag, value=value):
                run("memory", MOBILENET, "--target", "jetson-orin", flag, value, code=2)


class FormTest(unittest.TestCase):
    def test_text(self):
        text = run("memory", MOBILENET, "--target", "ethos-u55-256", "--precision", "int8", "--plan", "--width",
                   "80").stdout
        self.assertLessEqual(max(map(len, text.splitlines())), 80)
        for part in ("sram", "Peak: ", "Map of sram"):
            self.assertIn(part, text)

    def test_csv_has_every_tensor(self):
        lines = run("memory", MOBILENET, "--target", "tda4vm", "--format", "csv").stdout.splitlines()
        self.assertEqual(lines[0], "name,value,memory,offset,bytes,first,last,place")
        self.assertEqual(len(lines) - 1, len(memory(MOBILENET, "--target", "tda4vm")["tensors"]))

    def test_svg(self):
        svg = run("memory", MOBILENET, "--target", "tda4vm", "--format", "svg").stdout
        xml.dom.minidom.parseString(svg)
        self.assertIn("prefers-color-scheme", svg)

    def test_html(self):
        self.assertIn("<svg", run("memory", MOBILENET, "--target", "tda4vm", "--format", "html").stdout)

    @unittest.skipIf(shutil.which("cc") is None, "DID NOT RUN: no C compiler")
    def test_c(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "plan.c"
            run("memory", MOBILENET, "--target", "tda4vm", "--output", str(path))
            path.write_text(path.read_text() + "int main(void) { return tensor_places[0].bytes == 0; }\n")
            subprocess.run(["cc", "-std=c99", "-Wall", "-Wextra", "-Werror", path, "-o", path.with_suffix("")],
                           check=True)
            subprocess.run([path.with_suffix("")], check=True)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
