#!/usr/bin/env python3
"""The hooks of pre-commit run as they are written. test/capi/ci_test.py runs the action and the component.

usage: ci_examples_test.py ONNX_HWEST SOURCE_DIR
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAM, SOURCE = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
del sys.argv[1:]
sys.dont_write_bytecode = True
sys.path.insert(0, str(SOURCE / "test/suite"))
from onnx_edit import GRAPH, INPUT, NAME, NODE, OP_TYPE, OUTPUT, fields
from onnx_wire import field


def grown(model):
    """The model with its last convolution twice, one after the other."""

    def nodes_of(graph):
        return [[(n, bytes(v) if not isinstance(v, int) else v, bytes(t)) for n, v, t in fields(node)]
                for number, node, _ in fields(graph) if number == NODE]

    def with_names(row, inputs, outputs, name=None):
        kept = b"".join(t for n, _, t in row if n not in (INPUT, OUTPUT) and (n != NAME or name is None))
        texts = [field(INPUT, text) for text in inputs] + [field(OUTPUT, text) for text in outputs]
        return field(NODE, b"".join(texts) + (field(NAME, name) if name else b"") + kept)

    out = []
    for number, value, raw in fields(memoryview(model)):
        if number != GRAPH:
            out.append(bytes(raw))
            continue
        nodes = nodes_of(value)
        last = max(i for i, row in enumerate(nodes) if (OP_TYPE, b"Conv") in [(n, v) for n, v, _ in row])
        result = next(v for n, v, _ in nodes[last] if n == OUTPUT)
        parts = []
        for i, row in enumerate(nodes):
            inputs = [b"grown" if v == result else v for n, v, _ in row if n == INPUT]
            parts.append(with_names(row, inputs, [v for n, v, _ in row if n == OUTPUT]))
            if i == last:
                parts.append(with_names(row, [result] + inputs[1:], [b"grown"], b"grown_layer"))
        parts += [bytes(text) for inner, _, text in fields(value) if inner != NODE]
        out.append(field(GRAPH, b"".join(parts)))
    return b"".join(out)


class CiExamplesTest(unittest.TestCase):
    def setUp(self):
        self.holder = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.holder.name)
        (self.folder / "bin").mkdir()
        (self.folder / "bin/onnx-hwest").symlink_to(PROGRAM)
        shutil.copytree(SOURCE / "examples/ci", self.folder / "examples/ci")
        shutil.copytree(SOURCE / "examples/models", self.folder / "examples/models")

    def tearDown(self):
        self.holder.cleanup()

    def run_in(self, folder, command, **variables):
        path = f"{self.folder / 'bin'}:{os.environ['PATH']}"
        return subprocess.run(["sh", "-ec", command], capture_output=True, text=True, cwd=folder, timeout=100,
                              env={**os.environ, "PATH": path, **variables})

    def test_pre_commit(self):
        text = (self.folder / "examples/ci/pre-commit-config.yaml").read_text(encoding="utf-8")
        entry = re.search(r"entry: (.*)$", text, re.MULTILINE).group(1)
        done = self.run_in(self.folder / "examples/ci", entry)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        budget = self.folder / "examples/ci/hwest.budget"
        budget.write_text(budget.read_text(encoding="utf-8").replace('"2 ms"', '"2 us"'), encoding="utf-8")
        self.assertEqual(self.run_in(self.folder / "examples/ci", entry).returncode, 8)

    def test_the_hook_of_this_repository_is_that_of_the_example(self):
        def lines_of(path):
            text = (SOURCE / path).read_text(encoding="utf-8")
            return [line.strip(" -") for line in text[text.index("- id: "):].splitlines()]

        self.assertEqual(lines_of(".pre-commit-hooks.yaml"), lines_of("examples/ci/pre-commit-config.yaml"))

    def test_a_new_repository_refuses_a_model_that_grew_by_a_layer(self):
        """As a new user goes: limits, values of today beside them, the hook, a report of the main branch, a larger
        model."""
        repository = self.folder / "repository"
        repository.mkdir()
        text = (self.folder / "examples/ci/pre-commit-config.yaml").read_text(encoding="utf-8")
        entry = re.search(r"entry: (.*)$", text, re.MULTILINE).group(1)

        def run(command):
            return self.run_in(repository, command, GIT_CONFIG_GLOBAL=os.devnull, GIT_CONFIG_SYSTEM=os.devnull)

        def commit(message):
            return run(f"git add . && git -c user.name=U -c user.email=u@example.org commit -q -m '{message}'")

        self.assertEqual(run("git init -q .").returncode, 0)
        hook = repository / ".git/hooks/pre-commit"
        hook.parent.mkdir(exist_ok=True)
        hook.write_text(f"#!/bin/sh\nexec {entry}\n", encoding="utf-8")
        hook.chmod(0o755)
        shutil.copy(self.folder / "examples/models/resnet18.onnx", repository / "detector.onnx")
        self.assertEqual(run("onnx-hwest detector.onnx --target tda4vm --json --quiet --output main.json").returncode,
                         0)
        (repository / "hwest.budget").write_text(
            'check {\n  model: "detector.onnx"  target: "tda4vm"\n  macs { max: "1.9 G" }\n'
            '  growth { against: "main.json"  latency: 0.02 }\n}\n', encoding="utf-8")
        done = run("onnx-hwest check --update")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex((repository / "hwest.budget").read_text(encoding="utf-8"), r'"1.9 G" }  # now macs 1.814 G\n')
        done = commit("the first model")
        self.assertEqual(done.returncode, 0, done.stderr)

        model = repository / "detector.onnx"
        model.write_bytes(grown(model.read_bytes()))
        done = commit("one more layer")
        self.assertNotEqual(done.returncode, 0)
        self.assertEqual(run("git log --format=%s").stdout, "the first model\n")
        said = done.stdout + done.stderr
        self.assertRegex(said, r"over +macs at most 1.900 G .* hwest.budget:3\n")
        self.assertRegex(said, r"growth.latency at most 2 %")
        self.assertIn("most expensive: ", said)
        self.assertIn("limits are broken", said)
        done = run("onnx-hwest diff main.json detector.onnx --fail-on latency:+2%")
        self.assertEqual(done.returncode, 8, done.stderr)
        self.assertIn("grown_layer", done.stdout)

        budget = repository / "hwest.budget"
        budget.write_text(budget.read_text(encoding="utf-8").replace("1.9 G", "2 G").replace("0.02", "0.2"),
                          encoding="utf-8")
        done = commit("one more layer, agreed")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()
