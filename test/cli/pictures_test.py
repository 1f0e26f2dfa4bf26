#!/usr/bin/env python3
"""Pictures and charts are well-formed XML whatever a model calls its nodes, and say what they are.

usage: pictures_test.py ONNX_HWEST MODEL
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "test" / "bench"))
sys.dont_write_bytecode = True
import onnx_wire as wire

PROGRAM, MODEL = os.path.abspath(sys.argv[1]), sys.argv[2]
del sys.argv[1:]

CHARTS = ("timeline", "memory", "roofline", "modules")
NAMES = ("</script><script>alert(1)</script>", "]]>&amp;<!--", "a\x1b[31m\x07b", "\u202eright to left", "n" * 10000,
         "\"'><img src=x onerror=alert(1)>", "\\N\\G\\l", "{a|b}<c>", "\ufffe\uffff", "\U0001f600")


def chain(name):
    """Two Relu nodes whose names, values and module are `name`."""
    text = name.encode("utf-8", "surrogatepass")
    first, second = (wire.node(b"Relu", [a], [b]) for a, b in ((text, text + b"1"), (text + b"1", text + b"2")))
    nodes = [node + wire.field(3, b"/" + text + b"/" + text) for node in (first, second)]
    dims = b"".join(wire.field(1, wire.field(1, size)) for size in (1, 8))
    typed = wire.field(2, wire.field(1, wire.field(1, 1) + wire.field(2, dims)))
    graph = (b"".join(wire.field(1, node) for node in nodes) + wire.field(2, text) +
             wire.field(11, wire.field(1, text) + typed) + wire.field(12, wire.field(1, text + b"2") + typed))
    return wire.field(1, 8) + wire.field(7, graph) + wire.field(8, wire.field(2, 17))


def drawn(*words):
    return subprocess.run([PROGRAM, *words, "--quiet"], check=True, capture_output=True).stdout


class PicturesTest(unittest.TestCase):
    def check_picture(self, svg):
        root = xml.etree.ElementTree.fromstring(svg)
        self.assertTrue(root.tag.endswith("svg"))
        kinds = {element.tag.split("}")[1] for element in root.iter()}
        self.assertFalse(kinds & {"script", "img", "foreignObject", "image"}, kinds)
        return root

    def test_hostile_names(self):
        with tempfile.TemporaryDirectory() as folder:
            model = os.path.join(folder, "m.onnx")
            for name in NAMES:
                pathlib.Path(model).write_bytes(chain(name))
                with self.subTest(name=name[:40]):
                    self.check_picture(drawn("graph", model, "--format", "svg"))
                    self.check_picture(drawn(model, "--target", "jetson-orin", "--format", "svg", "--color-by", "time"))
                    for chart in CHARTS:
                        self.check_picture(drawn(model, "--target", "jetson-orin", "--chart", chart))

    def test_every_chart_and_colour(self):
        for chart in CHARTS:
            texts = "".join(self.check_picture(drawn(MODEL, "--target", "tda4vm", "--chart", chart)).itertext())
            self.assertIn("tda4vm", texts)
            self.assertIn("latency", texts)
        for key in ("unit", "bound", "time", "energy", "intensity", "precision"):
            self.check_picture(drawn(MODEL, "--target", "tda4vm", "--format", "svg", "--color-by", key))

    def test_a_chart_is_no_table(self):
        result = subprocess.run([PROGRAM, MODEL, "--target", "tda4vm", "--chart", "memory", "--json"],
                                capture_output=True)
        self.assertEqual(result.returncode, 2)
        self.assertIn(b"--chart draws", result.stderr)

    def test_the_same_bytes_again(self):
        for words in (("--chart", "roofline", "--format", "pdf"), ("--format", "svg"), ("--format", "perfetto")):
            self.assertEqual(drawn(MODEL, "--target", "tda4vm", *words), drawn(MODEL, "--target", "tda4vm", *words))


if __name__ == "__main__":
    unittest.main()
