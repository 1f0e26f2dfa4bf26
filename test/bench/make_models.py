#!/usr/bin/env python3
"""Makes full-weight models for the benchmark: real bytes where a graph only refers to them.

usage: make_models.py GRAPHS OUT

GRAPHS holds vit_b_16.ts.onnx and resnet50.ts.onnx, graphs whose weights are external references. OUT receives
vit_b_16.onnx (346 MB), resnet50.onnx (102 MB) with random inline payloads, and inline_3gb.onnx: 3 GB of inline weights
in a sparse file, past what one protobuf message may hold elsewhere. Needs the onnx package of the distribution.
"""

import os
import random
import sys

import onnx
from onnx_wire import ModelFile, node, tensor_head

SIZES = {1: 4, 2: 1, 3: 1, 6: 4, 7: 8, 9: 1, 10: 2, 11: 8}  # bytes per element by data type


def fill(source, target):
    model = onnx.load(source, load_external_data=False)
    randomness = random.Random(0)
    for tensor in model.graph.initializer:
        if tensor.data_location != onnx.TensorProto.EXTERNAL:
            continue
        count = 1
        for dim in tensor.dims:
            count *= dim
        del tensor.external_data[:]
        tensor.ClearField("data_location")
        tensor.raw_data = randomness.randbytes(count * SIZES[tensor.data_type])
    with open(target, "wb") as file:
        file.write(model.SerializeToString())


def sparse_model(target, layers=6, size=11180):
    """A chain of MatMul nodes; each weight is a hole of size*size floats in the file."""
    model = ModelFile(target)
    for i in range(layers):
        model.node(node(b"MatMul", [b"x%d" % i, b"w%d" % i], [b"x%d" % (i + 1)]))
        model.sparse_initializer(tensor_head(b"w%d" % i, (size, size)), size * size * 4)
    model.input(b"x0", (1, size))
    model.output(b"x%d" % layers, (1, size))
    model.close()


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    graphs, out = sys.argv[1:]
    os.makedirs(out, exist_ok=True)
    for graph, name in (("vit_b_16.ts.onnx", "vit_b_16.onnx"), ("resnet50.ts.onnx", "resnet50.onnx")):
        fill(os.path.join(graphs, graph), os.path.join(out, name))
    sparse_model(os.path.join(out, "inline_3gb.onnx"))


if __name__ == "__main__":
    main()
