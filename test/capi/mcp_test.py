#!/usr/bin/env python3
"""python -m onnx_hwest.mcp, asked over its standard input by the client of the package mcp. That lies in a virtual
environment outside the build: cmake/setup.sh --with-sweep makes it. ONNX_HWEST_SWEEP_PYTHON names the interpreter of
another one. Skipped (77) without."""

import asyncio
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

_DEFAULT = pathlib.Path.home() / ".cache/onnx-hwest/sweep-venv/bin/python"
_OTHER = os.environ.get("ONNX_HWEST_SWEEP_PYTHON", str(_DEFAULT))

try:
    from mcp import Client, StdioServerParameters
except ImportError:
    if not os.access(_OTHER, os.X_OK) or os.environ.get("HWEST_MCP_TEST"):
        print(f"DID NOT RUN: no package mcp at {_OTHER}: cmake/setup.sh --with-sweep installs it")
        sys.exit(77)
    os.execve(_OTHER, [_OTHER, *sys.argv], {**os.environ, "HWEST_MCP_TEST": "1"})

import onnx_hwest
from onnx_hwest import mcp as served

SOURCE = pathlib.Path(os.environ["HWEST_SOURCE_DIR"])
RESNET = SOURCE / "examples" / "models" / "resnet18.onnx"


class McpTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.outside = pathlib.Path(cls.scratch.name).resolve()
        cls.folder = cls.outside / "models"
        (cls.folder / "deep").mkdir(parents=True)
        shutil.copy(RESNET, cls.folder / "resnet18.onnx")
        shutil.copy(RESNET, cls.outside / "secret.onnx")
        (cls.folder / "deep" / "inner.onnx").symlink_to("../resnet18.onnx")
        (cls.folder / "link.onnx").symlink_to(cls.outside / "secret.onnx")
        (cls.folder / "way").symlink_to(cls.outside)
        (cls.folder / "loop.onnx").symlink_to("loop.onnx")
        (cls.folder / "broken.onnx").write_bytes(b"\x08\x08not a model")
        (cls.folder / "mine.textproto").write_text('name: "mine"\nbase: "sa8295p"\n')

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def ask(self, questions, *flags):
        """What the server answers to each (tool, arguments), or to a resource's address: (is an error, text)."""
        async def talk():
            answers = []
            environment = {name: os.environ[name] for name in ("HWEST_LIBRARY", "PYTHONPATH", "LD_LIBRARY_PATH")
                           if name in os.environ}
            server = StdioServerParameters(command=sys.executable, cwd=str(self.outside), env=environment,
                                           args=["-m", "onnx_hwest.mcp", "models", *flags])
            async with Client(server) as client:
                for question in questions:
                    if question == "tools":
                        answers.append(await client.list_tools())
                    elif isinstance(question, str):
                        try:
                            found = await client.read_resource(question)
                            answers.append((False, found.contents[0].text))
                        except Exception as error:
                            answers.append((True, str(error)))
                    else:
                        done = await client.call_tool(*question)
                        answers.append((done.is_error, done.content[0].text))
            return answers

        return asyncio.run(talk())

    def test_tools_answer_as_the_library_does(self):
        model = {"model": "resnet18.onnx", "target": "tda4vm"}
        tools, *answers = self.ask([
            "tools", ("analyze", model), ("analyze", {"model": "deep/inner.onnx"}), ("what_if", model),
            ("explain", {**model, "node": "g0"}), ("check", {**model, "max_latency": "1 us", "min_rate": "1 FPS"}),
            ("compare", {"a": "resnet18.onnx", "b": "resnet18.onnx", "target": "tda4vm", "against": "jetson-orin"}),
            ("rewrite", {**model, "output": "better.onnx"}), ("targets", {"contains": "tda4vm"}),
            ("analyze", {**model, "precision": "int8", "output": "deep/report.json"})])
        self.assertEqual({tool.name for tool in tools.tools},
                         {"analyze", "compare", "explain", "what_if", "rewrite", "check", "targets"})
        for tool in tools.tools:
            self.assertGreater(len(tool.description), 60, tool.name)
        for is_error, text in answers:
            self.assertFalse(is_error, text)
            self.assertNotIn(str(self.outside), text)
        texts = [text for _, text in answers]
        analysis = onnx_hwest.load(RESNET).analyze("tda4vm")
        latency = analysis.report("text").split("Latency")[1].split()[:2]
        self.assertEqual(texts[0].split("Latency")[1].split()[:2], latency)
        self.assertIn("1.814 G", texts[1])
        self.assertIn("over", texts[4])
        self.assertIn("jetson-agx-orin-64gb", texts[5])
        self.assertRegex(texts[6], r"latency 2\.\d+ ms before, 2\.\d+ ms after\nwritten to better.onnx")
        self.assertEqual(onnx_hwest.load(self.folder / "better.onnx").analyze().totals.macs, analysis.totals.macs)
        self.assertIn("tda4vm", texts[7])
        report = json.loads((self.folder / "deep" / "report.json").read_text())
        self.assertEqual((report["request"]["model"], report["request"]["precision"]), ("resnet18.onnx", "int8"))

    def test_nothing_outside_of_the_folder_is_read_or_written(self):
        target = {"target": "jetson-orin"}
        before = sorted(path.name for path in self.outside.iterdir())
        refused = [("analyze", {"model": path, **target}) for path in (
            "../secret.onnx", str(self.outside / "secret.onnx"), "link.onnx", "way/secret.onnx",
            "deep/../../secret.onnx", "way/models/../secret.onnx", "loop.onnx", "nothing.onnx", ".", "",
            "hf:gpt2", "-", "a\0b")]
        refused += [("rewrite", {"model": "resnet18.onnx", "output": path}) for path in (
            "../out.onnx", str(self.outside / "out.onnx"), "way/out.onnx", "link.onnx", "resnet18.onnx",
            "none/out.onnx", "out.txt")]
        refused += [("analyze", {"model": "resnet18.onnx", "output": path, **target}) for path in (
            "../out.html", "way/out.json", "out.sh", "mine.textproto")]
        refused += [("analyze", {"model": "resnet18.onnx", "target": path}) for path in (
            "mine.textproto", "./mine.textproto", "../mine.textproto", "/etc/passwd")]
        refused += [("compare", {"a": "resnet18.onnx", "b": "link.onnx", **target}), ("check", {
            "model": "link.onnx", "max_latency": "1 s", **target})]
        for question, (is_error, text) in zip(refused, self.ask(refused)):
            with self.subTest(question=question):
                self.assertTrue(is_error, text)
                self.assertRegex(text, r"Error executing tool \w+: .")  # without a reason nobody foresaw it
        self.assertEqual(sorted(path.name for path in self.outside.iterdir()), before)

    def test_errors_say_what_to_do(self):
        answers = self.ask([("analyze", {"model": "resnet18.onnx", "target": "tda4v"}),
                            ("analyze", {"model": "broken.onnx"}), ("analyze", {"model": "typo.onnx"}),
                            ("check", {"model": "resnet18.onnx", "target": "tda4vm"}),
                            ("explain", {"model": "resnet18.onnx", "target": "tda4vm", "node": "nothing"}),
                            ("targets", {"contains": "no such board"})])
        for (is_error, text), part in zip(answers, ("did you mean", "broken.onnx", "resnet18.onnx", "max_latency",
                                                    "nothing", "leave it out")):
            self.assertTrue(is_error)
            self.assertIn(part, text)

    def test_targets_of_the_one_who_starts_it(self):
        answers = self.ask([("analyze", {"model": "resnet18.onnx", "target": "mine"}), "hwest://targets/mine",
                            ("targets", {"contains": "tda4vm"})], "--target", "models/mine.textproto")
        for is_error, text in answers:
            self.assertFalse(is_error, text)
            self.assertIn("mine", text)

    def test_resources(self):
        (_, names), (_, one), (_, page), (_, verb), lost, escaped = self.ask([
            "hwest://targets", "hwest://targets/tda4vm", "hwest://docs/codes", "hwest://docs/verbs/rewrite",
            "hwest://targets/nothing", "hwest://targets/..%2Fmine.textproto"])
        self.assertEqual(len(names.splitlines()), len(onnx_hwest.targets()))
        self.assertIn("c7x-mma", one)
        self.assertIn("free_dims", page)
        self.assertIn("--allow-approximate", verb)
        self.assertTrue(lost[0] and escaped[0])

    def test_a_call_ends_in_time(self):
        space = served.Workspace(str(self.folder), timeout_s=0)
        tools = served.Tools(space)
        with self.assertRaisesRegex(served.Refused, "--timeout"):
            for _ in range(50):  # the timer is a thread, which may be late
                tools.what_if("resnet18.onnx", "tda4vm")

    def test_without_the_package(self):
        code = ("import sys; sys.modules['mcp'] = None; sys.modules['mcp.server.mcpserver'] = None\n"
                "from onnx_hwest.mcp import main; sys.exit(main([]))")
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        self.assertEqual(done.returncode, 2)
        self.assertIn("onnx-hwest[mcp]", done.stderr)


if __name__ == "__main__":
    unittest.main()
