#!/usr/bin/env python3
"""Writes a model of more than 5 GB that takes no place on a disk: its weights are holes.

usage: large_model.py FILE.onnx
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "bench"))
sys.dont_write_bytecode = True
from onnx_wire import ModelFile, node, tensor_head

WIDTH = 21000


def main():
    model = ModelFile(sys.argv[1])
    model.input(b"x0", (1, WIDTH))
    for i in range(3):
        name = b"w%d" % i
        model.sparse_initializer(tensor_head(name, (WIDTH, WIDTH)), 4 * WIDTH * WIDTH)
        model.node(node(b"MatMul", [b"x%d" % i, name], [b"x%d" % (i + 1)], b"/layer%d/MatMul" % i))
    model.output(b"x3", (1, WIDTH))
    model.close()


if __name__ == "__main__":
    main()
