#!/usr/bin/env python3
"""quantize-plan: its keys, that its figures are those of `analyze --precision-of`, and what it refuses.

usage: quantize_test.py PROGRAM SOURCE_DIR
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

PROGRAM, SOURCE = sys.argv.pop(1), pathlib.Path(sys.argv.pop(1))
MODEL = str(SOURCE / "test/models/mobilenet_v2.ts.onnx")
ON = ["--target", "jetson-orin", "--formats", "int8,fp16"]


def run(*words):
    return subprocess.run([PROGRAM, *words], capture_output=True, text=True)


def report(*words):
    done = run(*words, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


class QuantizePlan(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.plain = report("quantize-plan", MODEL, *ON)

    def file(self, name, text):
        path = pathlib.Path(self.folder.name) / name
        path.write_text(text, encoding="utf-8")
        return str(path)

    def losses(self):
        layers = [row["node"] for row in self.plain["layers"]]
        rows = [f"{layer},int8,{(7 * i) % 10 + 1}" for i, layer in enumerate(layers)]
        return self.file("loss.csv", "\n".join(["node,format,loss", *rows]) + "\n")

    def test_keys(self):
        keys = {"schema", "kind", "tool", "plan", "layers", "choices", "frontier", "findings"}
        self.assertEqual(set(self.plain), keys)
        self.assertEqual(self.plain["kind"], "quantize_plan")
        self.assertEqual(self.plain["plan"]["formats"], ["fp16", "int8"])
        self.assertIsNone(self.plain["plan"]["chosen"])
        self.assertIsNone(self.plain["frontier"][0]["loss"])  # not stated is not zero
        self.assertEqual(self.plain["findings"][0]["kind"], "verdict")
        for row in self.plain["layers"]:
            self.assertIsNone(row["format"])
            self.assertEqual(row["loss"], {"fp16": None, "int8": None})
            self.assertEqual(row["gain_s"]["fp16"], 0)

    def test_plan_is_reproduced(self):
        plan = report("quantize-plan", MODEL, *ON, "--sensitivity", self.losses(), "--budget", "120")
        chosen = plan["frontier"][plan["plan"]["chosen"]]
        self.assertLessEqual(chosen["loss"], 120)
        self.assertLess(chosen["latency_s"], plan["plan"]["base_latency_s"])
        self.assertEqual(sorted(point["latency_s"] for point in plan["frontier"]),
                         [point["latency_s"] for point in reversed(plan["frontier"])])
        text = run("quantize-plan", MODEL, *ON, "--sensitivity", self.losses(), "--budget", "120", "--export", "hwest")
        self.assertEqual(text.returncode, 0, text.stderr)
        again = report("analyze", MODEL, "--target", "jetson-orin", "--precision", "fp16", "--precision-of",
                       self.file("plan.csv", text.stdout))
        self.assertAlmostEqual(again["summary"]["latency_s"], chosen["latency_s"], delta=1e-9 * chosen["latency_s"])

    def test_single_layers_are_reproduced(self):
        for row in self.plain["layers"][::17]:
            again = report("analyze", MODEL, "--target", "jetson-orin", "--precision", "fp16", "--precision-of",
                           self.file("one.csv", f"{row['node']},int8\n"))
            gain = self.plain["plan"]["base_latency_s"] - again["summary"]["latency_s"]
            self.assertAlmostEqual(gain, row["gain_s"]["int8"], delta=1e-9 * self.plain["plan"]["base_latency_s"])

    def test_text_and_chart(self):
        text = run("quantize-plan", MODEL, *ON, "--sensitivity", self.losses(), "--budget", "120").stdout
        self.assertIn("The fastest within a loss of 120", text)
        self.assertLessEqual(max(len(line) for line in text.splitlines()), 120)
        picture = run("quantize-plan", MODEL, *ON, "--sensitivity", self.losses(), "--format", "svg").stdout
        self.assertIn("<svg", picture)

    def test_refused(self):
        wrong = self.file("wrong.csv", "node,format,loss\nnothing_here,int8,1\n")
        for words, says in (
                ([], "no target"),
                (["--target", "jetson-orin", "--formats", "int7"], "does not run 'int7'"),
                ([*ON, "--budget", "1"], "--sensitivity"),
                ([*ON, "--budget", "much"], "--budget cannot be 'much'"),
                ([*ON, "--sensitivity", wrong], "nothing_here"),
                ([*ON, "--export", "ort"], "there is no plan to write"),
                ([*ON, "--apply", "out.onnx"], "what the values of each tensor lie between"),
                ([*ON, "--ranges", wrong], "add --apply OUT.onnx"),
                ([*ON, "--apply", "out.onnx", "--ranges", wrong, "--export", "ort"], "both write the plan"),
                ([*ON, "--apply", "out.onnx", "--ranges", wrong], "neither JSON nor"),
                ([*ON, "--export", "caffe"], "--export cannot be 'caffe'"),
                ([*ON, "--precision-of", self.file("layers.csv", "Conv,int8\n")], "--precision-of")):
            with self.subTest(words=words):
                done = run("quantize-plan", MODEL, *words)
                self.assertEqual(done.returncode, 2, done.stdout[:200])
                self.assertIn(says, done.stderr)


if __name__ == "__main__":
    unittest.main()
