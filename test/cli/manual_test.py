#!/usr/bin/env python3
"""The manual page and the completions, read by the programs they are for: what is not installed is said and left out.

usage: manual_test.py ONNX_HWEST
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.path.abspath(sys.argv.pop(1))
# What is typed, where the last word is completed; what must be offered, and what must not.
CASES = [
    ("sh", ["shapes"], ["support"]),
    ("--form", ["--format"], ["--json"]),
    ("--format ", ["text", "json", "pdf"], ["shapes"]),
    ("m.onnx --pr", ["--precision", "--progress"], ["--pin"]),
    ("shapes m.onnx --pr", ["--progress"], ["--precision"]),
    ("m.onnx --target hailo-8", ["hailo-8", "hailo-8l"], ["tda4vm"]),
    ("m.onnx --objective ", ["latency", "energy"], ["auto"]),
    ("describe co", ["codes", "completions"], ["formats"]),
    ("describe completions --shell ", ["bash", "zsh", "fish"], ["text"]),
    ("targets show rk3588", ["rk3588"], ["show"]),
]


def run(*command, **options):
    return subprocess.run(command, check=True, capture_output=True, text=True, **options).stdout


class ManualTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def written(self, *words):
        path = pathlib.Path(self.folder.name) / "file"
        path.write_text(run(PROGRAM, "describe", *words))
        return str(path)

    def needs(self, program):
        if shutil.which(program) is None:
            self.skipTest(f"{program} is not installed")

    def test_man(self):
        self.needs("groff")
        page = subprocess.run(["groff", "-man", "-ww", "-Tascii", "-P-c", self.written("man")], capture_output=True,
                              text=True)
        self.assertEqual(page.stderr, "")
        text = re.sub(".\b", "", page.stdout)
        for line in run(PROGRAM, "--help-all").splitlines():
            for flag in re.findall(r"^  (?:-., )?(--[a-z-]+)", line):
                self.assertIn(flag, text)
        for word in ("SYNOPSIS", "EXIT STATUS", "EXAMPLES", "calibrate --target T", "5 free dims"):
            self.assertIn(word, text)

    def test_bash(self):
        path = self.written("completions", "--shell", "bash")
        for words, want, unwanted in CASES:
            script = (f'source {path}; compopt() {{ :; }}; COMP_WORDS=({PROGRAM} {words}{" " * words.endswith(" ")}'
                      f'{chr(34) * 2 if words.endswith(" ") else ""}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); '
                      'COMPREPLY=(); _onnx_hwest; printf "%s\\n" "${COMPREPLY[@]}"')
            self.check(words, run("bash", "-c", script).split(), want, unwanted)

    def test_bash_goes_on_to_files_only_where_they_are_meant(self):
        path = self.written("completions", "--shell", "bash")
        for words, want in (("shapes --output", ""), ("shapes --dim", "+o default\n"),
                            ("validate --models", "-o dirnames\n")):
            script = (f'source {path}; compopt() {{ echo "$*"; }}; COMP_WORDS=({PROGRAM} {words} ""); '
                      'COMP_CWORD=3; _onnx_hwest; printf "%s" "${COMPREPLY[@]}"')
            self.assertEqual(run("bash", "-c", script), want, msg=words)

    def test_fish(self):
        self.needs("fish")
        path = self.written("completions", "--shell", "fish")
        for words, want, unwanted in CASES:
            offered = run("fish", "-c", f"source {path}; complete -C '{PROGRAM} {words}'", cwd=self.folder.name)
            self.check(words, [line.split("\t")[0] for line in offered.splitlines()], want, unwanted)

    def test_zsh(self):
        self.needs("zsh")
        run("zsh", "-n", self.written("completions", "--shell", "zsh"))

    def check(self, words, offered, want, unwanted):
        for word in want:
            self.assertIn(word, offered, msg=words)
        for word in unwanted:
            self.assertNotIn(word, offered, msg=words)

    def test_refused(self):
        for words in (["completions"], ["man", "--json"], ["completions", "--shell", "tcsh"]):
            done = subprocess.run([PROGRAM, "describe", *words], capture_output=True, text=True)
            self.assertEqual(done.returncode, 2, msg=words)


if __name__ == "__main__":
    unittest.main(verbosity=2)
