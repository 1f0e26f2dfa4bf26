#!/usr/bin/env python3
"""Makes huge graphs of small tensors.

usage: make_graphs.py OUT NODES...

OUT receives four files per number of nodes, named KIND_NODES.onnx:
chain       elementwise operators, one after the other
mesh        layers of eight elementwise nodes, each reading two of the layer before
mixed       a chain of residual blocks: Conv, Relu, Add, Transpose, Reshape, MatMul with weights of their own
mixed_mesh  layers of eight such nodes, each reading one or two of the layer before
"""

import os
import sys

from onnx_wire import ModelFile, ints, node, tensor_head

WIDTH = 8
CHANNELS, SIDE = 8, 8
IMAGE = (1, CHANNELS, SIDE, SIDE)
UNARY = (b"Relu", b"Sigmoid", b"Tanh", b"Neg")
BINARY = (b"Add", b"Mul", b"Max", b"Sub")


def chain(model, nodes):
    value = b"x"
    for i in range(nodes):
        result = b"y" if i + 1 == nodes else b"v%d" % i
        op = UNARY[i // 2 % 4] if i % 2 == 0 else BINARY[i // 2 % 4]
        model.node(node(op, [value] if i % 2 == 0 else [value, b"x"], [result], b"n%d" % i))
        value = result


def mesh(model, nodes):
    layer = [b"x"] * WIDTH
    for i in range(0, nodes, WIDTH):
        made = [b"v%d" % (i + k) for k in range(WIDTH)]
        for k in range(WIDTH):
            model.node(node(BINARY[(i // WIDTH + k) % 4], [layer[k], layer[(k + 3) % WIDTH]], [made[k]],
                            b"n%d" % (i + k)))
        layer = made
    gather(model, layer)


def gather(model, layer):
    model.node(node(b"Sum", layer, [b"y"], b"last"))


def weight(model, name, dims):
    count = 1
    for dim in dims:
        count *= dim
    model.sparse_initializer(tensor_head(name, dims), 4 * count)


def block(model, first, value, result):
    """Eight nodes from an image to an image of the same size."""
    at = lambda text: b"%s%d" % (text, first)
    name = lambda text: b"/blocks.%d/%s" % (first // 8, text)
    weight(model, at(b"w"), (CHANNELS, CHANNELS, 3, 3))
    weight(model, at(b"b"), (CHANNELS,))
    weight(model, at(b"m"), (CHANNELS, CHANNELS))
    pads = ints(b"pads", (1, 1, 1, 1))
    model.node(node(b"Conv", [value, at(b"w"), at(b"b")], [at(b"c")], name(b"conv/Conv"), [pads]))
    model.node(node(b"Relu", [at(b"c")], [at(b"r")], name(b"act/Relu")))
    model.node(node(b"Add", [at(b"r"), value], [at(b"a")], name(b"Add")))
    model.node(node(b"Transpose", [at(b"a")], [at(b"t")], name(b"Transpose"), [ints(b"perm", (0, 2, 3, 1))]))
    model.node(node(b"Reshape", [at(b"t"), b"rows"], [at(b"f")], name(b"Reshape")))
    model.node(node(b"MatMul", [at(b"f"), at(b"m")], [at(b"p")], name(b"linear/MatMul")))
    model.node(node(b"Reshape", [at(b"p"), b"image"], [at(b"i")], name(b"Reshape_1")))
    model.node(node(b"Transpose", [at(b"i")], [result], name(b"Transpose_1"), [ints(b"perm", (0, 3, 1, 2))]))


def shapes(model):
    for name, dims in ((b"rows", (SIDE * SIDE, CHANNELS)), (b"image", (1, SIDE, SIDE, CHANNELS))):
        payload = b"".join(dim.to_bytes(8, "little") for dim in dims)
        head = tensor_head(name, (len(dims),)).replace(b"\x10\x01", b"\x10\x07")  # int64
        model.initializer(head, payload)


def mixed(model, nodes):
    shapes(model)
    value = b"x"
    for i in range(0, nodes, 8):
        result = b"y" if i + 8 >= nodes else b"o%d" % i
        block(model, i, value, result)
        value = result


def mixed_mesh(model, nodes):
    layer = [b"x"] * WIDTH
    for i in range(0, nodes, WIDTH):
        made = [b"v%d" % (i + k) for k in range(WIDTH)]
        for k in range(WIDTH):
            at, name = i + k, b"/layers.%d/%d" % (i // WIDTH, k)
            kind = (i // WIDTH + k) % 4
            if kind == 0:
                weight(model, b"w%d" % at, (CHANNELS, CHANNELS, 3, 3))
                conv = [layer[k], b"w%d" % at]
                model.node(node(b"Conv", conv, [made[k]], name + b"/Conv", [ints(b"pads", (1, 1, 1, 1))]))
            elif kind == 1:
                model.node(node(b"Relu", [layer[k]], [made[k]], name + b"/Relu"))
            elif kind == 2:
                model.node(node(b"Add", [layer[k], layer[(k + 3) % WIDTH]], [made[k]], name + b"/Add"))
            else:
                model.node(node(b"MatMul", [layer[k], layer[(k + 1) % WIDTH]], [made[k]], name + b"/MatMul"))
        layer = made
    gather(model, layer)


KINDS = {"chain": chain, "mesh": mesh, "mixed": mixed, "mixed_mesh": mixed_mesh}


def make(path, kind, nodes):
    model = ModelFile(path)
    model.input(b"x", IMAGE)
    KINDS[kind](model, nodes)
    model.output(b"y", IMAGE)
    model.close()


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    out = sys.argv[1]
    os.makedirs(out, exist_ok=True)
    for nodes in map(int, sys.argv[2:]):
        for kind in KINDS:
            make(os.path.join(out, f"{kind}_{nodes}.onnx"), kind, nodes)


if __name__ == "__main__":
    main()
