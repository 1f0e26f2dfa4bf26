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


def varint(value):
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def field(number, payload):
    if isinstance(payload, int):
        return varint(number << 3) + varint(payload)
    return varint(number << 3 | 2) + varint(len(payload)) + payload


def value_info(name, dims):
    shape = b"".join(field(1, field(1, dim)) for dim in dims)
    return field(1, name) + field(2, field(1, field(1, 1) + field(2, shape)))


def sparse_model(target, layers=6, size=11180):
    """A chain of MatMul nodes; each weight is a hole of size*size floats in the file."""
    payload = size * size * 4
    nodes, weights = b"", []
    for i in range(layers):
        node = field(1, b"x%d" % i) + field(1, b"w%d" % i) + field(2, b"x%d" % (i + 1)) + field(4, b"MatMul")
        nodes += field(1, node)
        head = varint(1 << 3) + varint(size) + varint(1 << 3) + varint(size) + field(2, 1) + field(8, b"w%d" % i)
        head += varint(9 << 3 | 2) + varint(payload)
        weights.append(varint(5 << 3 | 2) + varint(len(head) + payload) + head)
    tail = field(11, value_info(b"x0", (1, size))) + field(12, value_info(b"x%d" % layers, (1, size)))
    graph_size = len(nodes) + sum(len(weight) + payload for weight in weights) + len(tail)
    with open(target, "wb") as file:
        file.write(field(1, 8) + varint(7 << 3 | 2) + varint(graph_size) + nodes)
        for weight in weights:
            file.write(weight)
            file.seek(payload, os.SEEK_CUR)
        file.write(tail)
        file.write(field(8, field(2, 17)))


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
