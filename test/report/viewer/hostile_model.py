#!/usr/bin/env python3
"""Writes a model whose names try to be more than text, and the names as JSON.

usage: hostile_model.py OUT.onnx NAMES.json
"""

import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "test" / "bench"))
sys.dont_write_bytecode = True
from onnx_wire import ModelFile, node

NAMES = [
    "</script><script>window.ran = 1</script>",
    "<!--<script>",
    "<img src=x onerror=\"window.ran = 2\">",
    "\"><svg onload=window.ran=3>",
    "x" * 10000,
    "\u05e9\u05dc\u05d5\u05dd \u0645\u0631\u062d\u0628\u0627",
    "left \u202eright to left\u202c",
    "\U0001f680 rocket \U0001f469\u200d\U0001f4bb",
    "a+b c&d#e=f%41?g",
    "~tilde",
    "~~two",
    "/~/after",
    "__proto__",
    "constructor",
    "#3",
    "g2",
    "  blanks  ",
    "tab\tand\nline",
    "${window.ran = 4}{{ran}}",
    "javascript:window.ran=5",
]


def main():
    path, names = sys.argv[1:]
    model = ModelFile(path)
    model.input(b"x", (1, 64, 32, 32))
    value = b"x"
    for i, name in enumerate(NAMES):
        result = b"y" if i + 1 == len(NAMES) else b"v%d" % i
        model.node(node(b"Softmax", [value], [result], name.encode()))
        value = result
    model.output(b"y", (1, 64, 32, 32))
    model.close()
    pathlib.Path(names).write_text(json.dumps(NAMES))


if __name__ == "__main__":
    main()
