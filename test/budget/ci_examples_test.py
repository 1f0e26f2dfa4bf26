#!/usr/bin/env python3
"""The checks of the CI examples run as they are written, in this tree, and leave the files that their services collect.

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

    def run_checks(self, name):
        """Every command of the file that checks; where it says `|| true`, without that, so that nothing is hidden."""
        text = (self.folder / "examples/ci" / name).read_text(encoding="utf-8")
        self.assertNotIn("pip install", text)  # it is on no index
        self.assertIn("cmake/setup.sh", text)
        budget = re.search(r"BUDGET: .*?([\w/.]+\.budget)", text).group(1)
        commands = re.findall(r"^ *- (?:run: )?(onnx-hwest .*)$|^ *run: (onnx-hwest .*)$", text, re.MULTILINE)
        self.assertGreaterEqual(len(commands), 4, text)
        for command in ("".join(pair) for pair in commands):
            done = self.run_in(self.folder, command.replace(" || true", ""), BUDGET=budget,
                               GITHUB_STEP_SUMMARY=str(self.folder / "summary.md"))
            self.assertEqual(done.returncode, 0, f"{command}: {done.stderr}")
        return text

    def test_github(self):
        text = self.run_checks("github.yml")
        collected = re.findall(r"(?:sarif_file|^ *path): ([\w.]+)$", text, re.MULTILINE)
        self.assertEqual(sorted(collected), ["figures.json", "hwest.sarif"])
        for name in [*collected, "summary.md"]:
            self.assertGreater((self.folder / name).stat().st_size, 0, name)

    def test_gitlab(self):
        text = self.run_checks("gitlab.yml")
        collected = re.findall(r"^ *(?:junit|codequality|metrics): ([\w.]+)$", text, re.MULTILINE)
        self.assertEqual(len(collected), 3)
        for name in collected:
            self.assertGreater((self.folder / name).stat().st_size, 0, name)

    def test_pre_commit(self):
        text = (self.folder / "examples/ci/pre-commit-config.yaml").read_text(encoding="utf-8")
        entry = re.search(r"entry: (.*)$", text, re.MULTILINE).group(1)
        done = self.run_in(self.folder / "examples/ci", entry)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        budget = self.folder / "examples/ci/hwest.budget"
        budget.write_text(budget.read_text(encoding="utf-8").replace('"2 ms"', '"2 us"'), encoding="utf-8")
        self.assertEqual(self.run_in(self.folder / "examples/ci", entry).returncode, 8)


if __name__ == "__main__":
    unittest.main()
