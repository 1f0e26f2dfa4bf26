#!/usr/bin/env python3
"""What the program prints to terminals, pipes and under other locales.

usage: terminal_test.py ONNX_HWEST MODEL
"""

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import tempfile
import termios
import unittest

PROGRAM, MODEL = sys.argv[1:3]
del sys.argv[1:]
TARGET = "jetson-orin"
COLOR = re.compile(r"\x1b\[[0-9]*m")


def environment(**changes):
    kept = {name: value for name, value in os.environ.items()
            if not name.startswith("LC_") and name not in ("LANG", "COLUMNS")}
    return {**kept, **changes}


def in_terminal(columns, *words, **changes):
    """What a terminal of so many columns shows, without colour."""
    outer, inner = pty.openpty()
    fcntl.ioctl(inner, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    process = subprocess.Popen([PROGRAM, *words], stdout=inner, stderr=subprocess.DEVNULL, env=environment(**changes))
    os.close(inner)
    read = b""
    try:
        while block := os.read(outer, 65536):
            read += block
    except OSError:  # the other side is closed
        pass
    os.close(outer)
    assert process.wait() == 0
    return COLOR.sub("", read.decode()).replace("\r\n", "\n")


def in_pipe(*words, **changes):
    return subprocess.run([PROGRAM, *words], check=True, capture_output=True,
                          env=environment(**changes)).stdout.decode()


class TerminalTest(unittest.TestCase):
    def test_fits_the_terminal(self):
        for columns in (60, 80, 100, 200):
            for words in ((MODEL, "--target", TARGET), (MODEL, "--target", TARGET, "--level", "module"), ("targets",)):
                with self.subTest(columns=columns, words=words):
                    widest = max(in_terminal(columns, *words).splitlines(), key=len)
                    self.assertLessEqual(len(widest), columns, widest)

    def test_help_is_one_screen(self):
        for columns, changes, most in ((80, {}, 80), (120, {}, 120), (80, {"COLUMNS": "120"}, 120), (60, {}, 60)):
            with self.subTest(columns=columns, changes=changes):
                lines = in_terminal(columns, "--help", **changes).splitlines()
                self.assertLessEqual(max(map(len, lines)), most)
                self.assertLess(len(lines), 24 if columns >= 80 else 40)
                widest = max(len(line) for line in in_terminal(columns, "help", "check", **changes).splitlines()
                             if not line.startswith("  onnx-hwest "))
                self.assertLessEqual(widest, most)
        self.assertEqual(in_pipe("--help"), in_terminal(80, "--help"))
        self.assertEqual(in_pipe("help", "check", COLUMNS="200"), in_pipe("help", "check"))

    def test_points_of_a_sweep_take_a_line_each(self):
        points = ("sweep", MODEL, "--target", "jetson-orin,tda4vm,snapdragon-8-elite-for-galaxy", "--mode", "all",
                  "--batch", "1,4")
        for columns in (80, 100, 120):
            with self.subTest(columns=columns):
                lines = in_terminal(columns, *points).splitlines()
                self.assertLessEqual(max(map(len, lines)), columns)
                self.assertIn("latency ms", lines[2])
                self.assertEqual(sum("jetson-agx-orin-64gb" in line for line in lines), lines.index(
                    next(line for line in lines if "tda4vm" in line)) - 3)
                self.assertIn("--format csv has every column", " ".join(" ".join(lines).split()))
        self.assertNotIn("every column", in_pipe(*points))

    def test_columns_overrule_the_terminal(self):
        self.assertEqual(in_terminal(60, "targets", COLUMNS="200"), in_terminal(200, "targets"))

    def test_no_name_is_cut_in_a_pipe(self):
        text = in_pipe(MODEL, "--target", TARGET, "--top", "0", COLUMNS="40")
        self.assertNotIn("…", text)
        self.assertIn("…", in_terminal(70, MODEL, "--target", TARGET, "--top", "0"))

    def test_long_graphs_are_paged_on_a_terminal_alone(self):
        with tempfile.TemporaryDirectory() as folder:
            seen = os.path.join(folder, "seen")
            pager = f"cat > {seen}; echo paged"
            shown = in_terminal(100, "graph", MODEL, PAGER=pager)
            self.assertEqual(shown, "paged\n")
            with open(seen, encoding="utf-8") as file:
                self.assertEqual(COLOR.sub("", file.read()), in_terminal(100, "graph", MODEL, PAGER="cat"))
            os.remove(seen)
            for words, changes in ((("--quiet",), {}), (("--max-nodes", "2"), {}), (("--json",), {}),
                                   ((), {"TERM": "dumb"}),
                                   ((), {"PAGER": ""}), ((), {"PAGER": "cat"})):
                with self.subTest(words=words, changes=changes):
                    self.assertIn("conv" if words[:1] != ("--max-nodes",) else "2 of ",
                                  in_terminal(100, "graph", MODEL, *words, **{"PAGER": pager, **changes}))
                    self.assertFalse(os.path.exists(seen))
            self.assertNotIn("paged", in_pipe("graph", MODEL, PAGER=pager))
            self.assertFalse(os.path.exists(seen))

    def test_a_pager_that_is_not_there_or_leaves_early_loses_nothing(self):
        whole = in_terminal(100, "graph", MODEL, PAGER="cat")
        self.assertTrue(in_terminal(100, "graph", MODEL, PAGER="no-such-pager-anywhere 2>/dev/null").endswith(whole))
        self.assertEqual(in_terminal(100, "graph", MODEL, PAGER="true"), "")

    def test_width_overrules_terminal_and_pipe(self):
        narrow = in_pipe("graph", MODEL, "--width", "60")
        self.assertLessEqual(max(map(len, narrow.splitlines())), 60)
        self.assertIn("…", narrow)
        self.assertNotIn("…", in_terminal(60, "graph", MODEL, "--width", "0", PAGER="cat"))

    def test_ids_of_the_report_can_be_explained(self):
        text = in_pipe(MODEL, "--target", TARGET)
        ids = re.findall(r"^ +(g\d+) ", text, re.M)
        self.assertTrue(ids)
        for name in ids[:3]:
            explained = in_pipe("explain", MODEL, name, "--target", TARGET)
            self.assertIn(f"Group {name}:", explained)
            node = re.search(r"^(#\d+) ", explained, re.M).group(1)
            alone = in_pipe("explain", MODEL, node, "--target", TARGET)
            self.assertEqual(alone.split("\nUnits\n")[0], explained.split("\nUnits\n")[0])
            members = re.findall(r"^    (#\d+) ", explained, re.M)  # all of them move, not the root alone
            pins = re.findall(r"--pin (#\d+)@gpu", explained)
            self.assertEqual(sorted(pins), sorted(members))

    def test_ascii_where_the_locale_is_not_utf8(self):
        words = (MODEL, "--target", TARGET)
        for changes in ({"LC_ALL": "C"}, {"LC_CTYPE": "POSIX", "LANG": "en_US.UTF-8"}, {"LANG": "de_DE.ISO-8859-1"}):
            with self.subTest(changes=changes):
                self.assertTrue(in_pipe(*words, **changes).isascii())
                self.assertTrue(in_terminal(70, *words, **changes).isascii())
        for changes in ({}, {"LC_ALL": "C.UTF-8"}, {"LC_ALL": "", "LANG": "de_DE.utf8"}):
            with self.subTest(changes=changes):
                self.assertIn("█", in_pipe(*words, **changes))

    def test_targets_are_one_line_each(self):
        lines = in_pipe("targets").splitlines()
        names = subprocess.run([PROGRAM, "targets", "--format", "csv"], check=True, capture_output=True,
                               text=True).stdout
        self.assertEqual(len(lines), len(names.splitlines()) + 1)  # a head line in both, and the closing one
        head = [line.split()[0] for line in lines[:-1]]
        for columns in (60, 100):
            self.assertEqual([line.split()[0] for line in in_terminal(columns, "targets").splitlines()[:len(head)]],
                             head)


if __name__ == "__main__":
    unittest.main()
