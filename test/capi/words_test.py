#!/usr/bin/env python3
"""What a message says of options in the words of the program, of C and of Python."""

import os
import re
import subprocess
import unittest

import onnx_hwest
from onnx_hwest import _abi
from onnx_hwest._library import library

SOURCE = os.environ["HWEST_SOURCE_DIR"]
DECODER = os.path.join(SOURCE, "test", "capi", "decoder.onnx")
TARGET = "jetson-orin"
LEAST_W = re.compile(r"the least that one reaches is (\d+\.\d+) W")

# (call, arguments of the program, what each face says of it)
CASES = {
    "free dims": (
        lambda model: model.analyze(TARGET), ["--target", TARGET],
        "(for a language model, --context sets them): onnx-hwest {model} --target jetson-orin --dim b=1 --dim seq=1 "
        "--dim past=512 --dim total=513",
        "(for a language model, hwest_generation_create() sets them): "
        'options.dims = {"b=1", "seq=1", "past=512", "total=513"}',
        '(for a language model, Model.generation() sets them): dims={"b": 1, "seq": 1, "past": 512, "total": 513}'),
    "unknown target": (
        lambda model: model.analyze("jetson-orni"), ["--target", "jetson-orni"],
        "? `onnx-hwest targets` lists them; a path ends in .textproto or has a '/'",
        "? hwest_target_list_create() lists them; a path ends in .textproto or has a '/'",
        "? onnx_hwest.targets() lists them; a path ends in .textproto or has a '/'"),
    "list": (
        lambda model: model.analyze(deny=["Conv"]), ["--target", TARGET, "--deny", "Conv"],
        "--deny cannot be 'Conv': write --deny WHAT@UNIT, e.g. --deny Conv@cpu",
        "options.deny cannot be 'Conv': write options.deny = {\"WHAT@UNIT\"}, e.g. options.deny = {\"Conv@cpu\"}",
        "deny cannot be 'Conv': write deny=['WHAT@UNIT'], e.g. deny=['Conv@cpu']"),
    "number": (
        lambda model: model.analyze(TARGET, context=64, power_cap_w=0.001),
        ["--target", TARGET, "--dim", "b=1", "--dim", "seq=1", "--dim", "past=64", "--dim", "total=65",
         "--power-cap", "0.001"],
        "write --power-cap {watts} or more, or choose a slower --mode",
        "write options.power_cap_w = {watts} or more, or choose a slower options.mode",
        "write power_cap_w={watts} or more, or choose a slower mode"),
    "placeholder": (
        lambda model: model.analyze().graph(units=["gpu"]), ["graph", "--unit", "gpu"],
        "--unit asks for what only a target decides: add --target NAME",
        "options.units asks for what only a target decides: add options.target = NAME",
        "units asks for what only a target decides: add target=NAME"),
    "dict with a placeholder": (
        lambda model: model.analyze(image_size=64), ["shapes", "--size", "64"],
        "use --dim INPUT.AXIS=N for the sizes of other inputs",
        'use options.dims = {"INPUT.AXIS=N"} for the sizes of other inputs',
        'use dims={"INPUT.AXIS": N} for the sizes of other inputs'),
    "two options of a report": (
        lambda model: model.analyze().graph(start=8, end=3), ["graph", "--start", "8", "--end", "3"],
        "--start 8 is after --end 3: swap them; both are ids and both are shown",
        "options.start = 8 is after options.end = 3: swap them; both are ids and both are shown",
        "start=8 is after end=3: swap them; both are ids and both are shown"),
    "one flag, another option": (
        lambda model: model.analyze().graph(context=2), ["graph", "--context", "2"],
        "--context needs the node it is around: add --around NODE",
        "options.context needs the node it is around: add options.around = NODE",
        "context needs the node it is around: add around=NODE"),
    "switch": (
        lambda model: model.rewrite(annotate=True, opset=11),
        ["rewrite", "--annotate", "--opset", "11", "--output", "/dev/null"],
        "--annotate contradicts --opset: give one of them",
        "rewrite.annotate = 1 contradicts rewrite.opset: give one of them",
        "annotate=True contradicts opset: give one of them"),
    "chart": (
        lambda model: model.analyze(TARGET, context=64).report("svg", chart="modules"), None,
        None,
        "the file names no modules to draw: use options.chart timeline, memory or roofline",
        "the file names no modules to draw: use chart timeline, memory or roofline"),
}


class WordsTest(unittest.TestCase):
    def setUp(self):
        self.model = onnx_hwest.load(DECODER)
        self.addCleanup(library().hwest_set_words, _abi.HWEST_WORDS_PYTHON)

    def said(self, words, call):
        library().hwest_set_words(words)
        with self.assertRaises(onnx_hwest.Error) as caught:
            call(self.model)
        return str(caught.exception)

    def test_errors(self):
        for name, (call, arguments, program, c, python) in CASES.items():
            with self.subTest(name):
                in_c, in_python = self.said(_abi.HWEST_WORDS_C, call), self.said(_abi.HWEST_WORDS_PYTHON, call)
                # Estimates change; every face has to say the same one.
                watts = LEAST_W.search(in_c)
                self.assertEqual("{watts}" in c, watts is not None)
                least = watts.group(1) if watts else ""
                self.assertIn(c.replace("{watts}", least), in_c)
                self.assertIn(python.replace("{watts}", least), in_python)
                if arguments is not None:
                    verb = [arguments[0]] if not arguments[0].startswith("-") else []
                    run = subprocess.run([os.environ["HWEST_PROGRAM"], *verb, DECODER, *arguments[len(verb):]],
                                         capture_output=True, text=True, check=False)
                    self.assertIn(program.format(model=DECODER, watts=least), run.stderr)

    def test_diagnostics(self):
        texts = {_abi.HWEST_WORDS_C: "leave options.sparsity out for dense weights",
                 _abi.HWEST_WORDS_PYTHON: "leave sparsity out for dense weights"}
        for words, text in texts.items():
            library().hwest_set_words(words)
            analysis = self.model.analyze(TARGET, context=64, sparsity="2:4")
            self.assertIn(text, [diagnostic.remedy for diagnostic in analysis.diagnostics])

    def test_an_unknown_number_changes_nothing(self):
        library().hwest_set_words(99)
        self.assertIn("deny cannot be 'Conv'", self.said(_abi.HWEST_WORDS_PYTHON, CASES["list"][0]))


if __name__ == "__main__":
    unittest.main()
