#!/usr/bin/env python3
"""Writes a model of three layers that takes no place on a disk: its weights, 12 WIDTH WIDTH bytes, are holes.

usage: large_model.py FILE.onnx WIDTH
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "bench"))
sys.dont_write_bytecode = True
from onnx_wire import ModelFile, node, tensor_head


def main():
    model, width = ModelFile(sys.argv[1]), int(sys.argv[2])
    model.input(b"x0", (1, width))
    for i in range(3):
        name = b"w%d" % i
        model.sparse_initializer(tensor_head(name, (width, width)), 4 * width * width)
        model.node(node(b"MatMul", [b"x%d" % i, name], [b"x%d" % (i + 1)], b"/layer%d/MatMul" % i))
    model.output(b"x3", (1, width))
    model.close()


if __name__ == "__main__":
    main()
