#!/usr/bin/env python3
"""Records of reports: equal inputs give equal bytes, and verify says what differs.

usage: evidence_test.py ONNX_HWEST MODELS
"""

import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[1] / "bench")]
from onnx_wire import field, node, tensor_head, value_info

PROGRAM, MODELS = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
del sys.argv[1:]

WEIGHT_BYTES = 64 * 64 * 4


def model_with_weights(contents):
    """y = x @ w."""
    graph = (field(1, node(b"MatMul", [b"x", b"w"], [b"y"])) + field(2, b"g") +
             field(5, tensor_head(b"w", [64, 64]) + field(9, contents)) + field(11, value_info(b"x", [1, 64])) +
             field(12, value_info(b"y", [1, 64])))
    return field(1, 8) + field(7, graph) + field(8, field(2, 17))


class EvidenceTest(unittest.TestCase):
    def setUp(self):
        self.holder = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.holder.name)
        (self.folder / "records").mkdir()
        shutil.copy(os.path.join(MODELS, "simple_resnet.ts.onnx"), self.folder / "m.onnx")
        (self.folder / "mine.textproto").write_text('name: "mine"\nbase: "sa8295p"\n')
        (self.folder / "hwest.budget").write_text('check { model: "m.onnx" target: "jetson-orin" latency { max: "1 s" '
                                                  '} }\n')

    def tearDown(self):
        self.holder.cleanup()

    def run_it(self, *words, code=0):
        done = subprocess.run([PROGRAM, *words], capture_output=True, text=True, cwd=self.folder, timeout=100)
        self.assertEqual(done.returncode, code, done.stderr)
        return done

    def record(self, *words, name="records/e.json", code=0):
        self.run_it(*words, "--evidence", name, code=code)
        return json.loads((self.folder / name).read_text())

    def differences(self, name="records/e.json"):
        done = self.run_it("verify", name, "--json", code=8)
        return {row["what"] for row in json.loads(done.stdout)["differences"]}

    def test_a_record_writes_nothing(self):
        self.record("m.onnx", "--target", "tda4vm")
        path = self.folder / "records/e.json"
        text = path.read_text()
        for words in (["--output", "new.txt"], ["--evidence", "new.txt"], ["--output=new.txt"]):
            record = json.loads(text)
            record["command"] += words
            path.write_text(json.dumps(record))
            self.assertIn("a command that writes files", self.run_it("verify", "records/e.json", code=2).stderr)
            self.assertEqual(sorted(os.listdir(self.folder / "records")), ["e.json"])
        for command in (["rewrite", "../m.onnx", "--output", "new.onnx"],
                        ["check", "--budget", "../hwest.budget", "--update"]):
            record["command"] = command
            path.write_text(json.dumps(record))
            budget = (self.folder / "hwest.budget").read_text()
            self.assertIn("a command that writes files", self.run_it("verify", "records/e.json", code=2).stderr)
            self.assertEqual((self.folder / "hwest.budget").read_text(), budget)

    def test_what_a_record_holds(self):
        for words in (["m.onnx", "--target", "jetson-orin", "--batch", "4"], ["shapes", "m.onnx"],
                      ["support", "m.onnx", "--target", "tda4vm"], ["explain", "m.onnx", "g0", "--target", "tda4vm"],
                      ["sweep", "m.onnx", "--target", "jetson-orin,tda4vm"], ["check"],
                      ["diff", "m.onnx", "--target", "jetson-orin", "--against", "./mine.textproto"]):
            with self.subTest(words=words):
                record = self.record(*words)
                self.assertEqual(record["kind"], "evidence")
                self.assertEqual([model["path"] for model in record["models"]], ["../m.onnx"])
                self.assertEqual(record, self.record(*words))
                again = self.record(*words, "--format", "text", "--output", "out.txt")
                self.assertEqual(record, again)  # the form of the report does not count
                self.run_it("verify", "records/e.json")
                self.assertEqual(self.run_it("verify", "records/e.json", "--json").stdout,
                                 self.run_it("verify", "records/e.json", "--json").stdout)

    def test_the_report_is_that_of_the_command(self):
        record = self.record("m.onnx", "--target", "jetson-orin", name="e.json")
        report = subprocess.run([PROGRAM, "m.onnx", "--target", "jetson-orin", "--json"], capture_output=True,
                                cwd=self.folder).stdout
        self.assertEqual(record["report"]["sha256"], hashlib.sha256(report).hexdigest())
        self.assertEqual(record["report"]["bytes"], len(report))
        self.assertEqual(record["report"]["summary"], json.loads(report)["summary"])
        self.assertTrue(any("assumed" in text for text in record["assumptions"]), record["assumptions"])

    def test_what_changed_is_named(self):
        self.record("m.onnx", "--target", "./mine.textproto")
        (self.folder / "mine.textproto").write_text('name: "mine"\nbase: "sa8155p"\n')
        found = self.differences()
        self.assertIn("targets[0].sha256", found)
        self.assertIn("targets[0].figures_sha256", found)
        self.assertIn("report.summary.latency_s", found)
        self.assertFalse(any(what.startswith("models") for what in found), found)
        self.record("m.onnx", "--target", "jetson-orin")
        data = (self.folder / "m.onnx").read_bytes()
        (self.folder / "m.onnx").write_bytes(data.replace(b"relu", b"rexu"))
        found = self.differences()
        self.assertIn("models[0].graph_sha256", found)
        self.assertFalse(any(what.startswith("targets") for what in found), found)
        (self.folder / "m.onnx").unlink()
        self.assertIn("report.exit_code", self.differences())

    def test_weights_do_not_count(self):
        (self.folder / "m.onnx").write_bytes(model_with_weights(b"\1" * WEIGHT_BYTES))
        self.assertEqual(list(self.record("m.onnx", "--target", "jetson-orin")["models"][0]), ["path", "graph_sha256"])
        (self.folder / "m.onnx").write_bytes(model_with_weights(b"\2" * WEIGHT_BYTES))
        self.run_it("verify", "records/e.json")

    def test_a_broken_limit_is_recorded_all_the_same(self):
        (self.folder / "hwest.budget").write_text('check { model: "m.onnx" target: "jetson-orin" latency { max: "1 '
                                                  'ns" } }\n')
        record = self.record("check", code=8, name="e.json")
        self.assertEqual(record["report"]["exit_code"], 8)
        self.assertEqual([row["path"] for row in record["files"]], ["hwest.budget"])
        self.run_it("verify", "e.json")

    def test_paths_are_what_flags_and_verbs_take_as_paths(self):
        """Whatever files there are: these are called as words of the commands."""
        plain = [["m.onnx", "--target", "jetson-orin", "--precision", "fp16", "--mode", "30W", "--deny", "Conv@dla0"],
                 ["explain", "m.onnx", "g0", "--target", "tda4vm", "--max-segments", "3"],
                 ["graph", "m.onnx", "--target", "tda4vm", "--op", "Conv", "--unit", "c7x-mma", "--grep", "x"],
                 ["sweep", "m.onnx", "--target", "tda4vm", "--batch", "1,2", "--fusions", "none"]]
        for name in ("fp16", "30W", "Conv@dla0", "g0", "3", "Conv", "c7x-mma", "x", "tda4vm", "jetson-orin", "none",
                     "explain"):
            (self.folder / name).write_text("no word is a path because a file is called so")
        for words in plain:
            with self.subTest(words=words):
                record = self.record(*words)
                self.assertEqual(record["command"], ["../m.onnx" if word == "m.onnx" else word for word in words])
                self.assertEqual(record["files"], [])
                self.run_it("verify", "records/e.json")

    def test_every_path_of_a_command_is_seen_from_the_record(self):
        (self.folder / "m.onnx").write_bytes(model_with_weights(b"\1" * WEIGHT_BYTES))
        (self.folder / "sub").mkdir()
        (self.folder / "sub" / "x").write_bytes(tensor_head(b"x", [1, 64]) + field(9, b"\0" * 64 * 4))
        (self.folder / "compiler.textproto").write_text('name: "mine"\nbase: "onnxruntime-cpu"\n')
        (self.folder / "rules").write_text("mine = Relu(MatMul(x, y))\n")
        cases = [(["m.onnx", "--target", "./mine.textproto", "--value", "x=sub/x"],
                  ["../m.onnx", "--target", "../mine.textproto", "--value", "x=../sub/x"], {"../sub/x"}),
                 (["m.onnx", "--target=sa8295p", "--toolchain", "cpu=compiler.textproto", "--fusions=rules"],
                  ["../m.onnx", "--target=sa8295p", "--toolchain", "cpu=../compiler.textproto", "--fusions=../rules"],
                  {"../compiler.textproto", "../rules"}),
                 (["sweep", "m.onnx", "--target", "tda4vm,./mine.textproto"],
                  ["sweep", "../m.onnx", "--target", "tda4vm,../mine.textproto"], set())]
        for words, recorded, files in cases:
            with self.subTest(words=words):
                record = self.record(*words)
                self.assertEqual(record["command"], recorded)
                self.assertEqual({row["path"] for row in record["files"]}, files)
                self.run_it("verify", "records/e.json")
        self.record("m.onnx", "--target", "sa8295p", "--value", "x=sub/x", name="sub/e.json")
        self.run_it("verify", "sub/e.json")

    def test_refusals(self):
        (self.folder / "broken.json").write_text('{"kind": "evidence",\n "command": [}')
        done = self.run_it("verify", "broken.json", code=2)
        self.assertRegex(done.stderr, "^onnx-hwest: error: broken.json: .*line 2")
        (self.folder / "other.json").write_text('{"kind": "analysis"}')
        self.run_it("verify", "other.json", code=2)
        self.run_it("verify", "none.json", code=2)
        self.run_it("m.onnx", "--target", "jetson-orin", "--evidence", "nowhere/e.json", code=6)
        self.run_it("m.onnx", "--target", "jetson-orin", "--evidence", "/dev/full", code=6)
        self.run_it("m.onnx", "--target", "jetson-orin", "--evidence", "one.json", "--output", "./one.json", code=2)
        self.assertFalse((self.folder / "one.json").exists())


if __name__ == "__main__":
    unittest.main()
