#!/usr/bin/env python3
"""Writes small models whose reports say what few do: nodes that nothing reads, an operator that no one knows, a cache
of tokens, two precisions, many modules in a row or side by side.

usage: page_models.py FOLDER
"""

import pathlib
import struct
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "test" / "bench"))
sys.dont_write_bytecode = True
from onnx_wire import ModelFile, field, ints, node, tensor_head


def named(name, dims, dtype=1):
    """ValueInfoProto whose dims are numbers or names."""
    shape = b"".join(field(1, field(1, dim) if isinstance(dim, int) else field(2, dim)) for dim in dims)
    return field(1, name) + field(2, field(1, field(1, dtype) + field(2, shape)))


def convolution(model, name, source, result, channels, scope):
    model.initializer(tensor_head(name + b".weight", (channels, channels, 3, 3)), bytes(4 * 9 * channels * channels))
    model.node(node(b"Conv", [source, name + b".weight"], [result], b"/" + scope + b"/" + name,
                    [ints(b"pads", [1] * 4)]))


def dead(path):
    """Half of its nodes feed nothing."""
    model = ModelFile(path)
    model.input(b"x", (1, 16, 56, 56))
    convolution(model, b"conv1", b"x", b"a", 16, b"body")
    model.node(node(b"Relu", [b"a"], [b"b"], b"/body/relu"))
    convolution(model, b"lost1", b"b", b"c", 16, b"lost")
    model.node(node(b"Softmax", [b"c"], [b"d"], b"/lost/softmax"))
    convolution(model, b"conv2", b"b", b"y", 16, b"head")
    model.output(b"y", (1, 16, 56, 56))
    model.close()


def unknown(path):
    """Of one operator nobody knows what it does."""
    model = ModelFile(path)
    model.input(b"x", (1, 16, 56, 56))
    convolution(model, b"conv1", b"x", b"a", 16, b"body")
    model.node(node(b"Filter", [b"a"], [b"b"], b"/body/filter") + field(7, b"acme"))
    convolution(model, b"conv2", b"b", b"c", 16, b"head")
    model.node(node(b"Softmax", [b"c"], [b"y"], b"/head/softmax"))
    model.file.write(field(13, named(b"b", (1, 16, 56, 56))))
    model.output(b"y", (1, 16, 56, 56))
    model.close()


def tokens(path):
    """Keys of two heads beside those of the tokens before, as decoders of language models have them."""
    model = ModelFile(path)
    model.file.write(field(11, named(b"input_ids", (b"b", b"seq"), 7)))
    model.file.write(field(11, named(b"past_key_values.0.key", (b"b", 2, b"past", 8))))
    model.initializer(tensor_head(b"embed.weight", (512, 16)), bytes(4 * 512 * 16))
    model.initializer(tensor_head(b"head.weight", (16, 512)), bytes(4 * 16 * 512))
    for name, dims in ((b"split", (0, 0, 2, 8)), (b"merge", (0, 0, 16))):
        model.file.write(field(5, field(1, len(dims)) + field(2, 7) + field(8, name) +
                               b"".join(field(7, dim) for dim in dims)))
    model.node(node(b"Gather", [b"embed.weight", b"input_ids"], [b"e"], b"/model/embed"))
    model.node(node(b"Reshape", [b"e", b"split"], [b"r"], b"/model/split"))
    model.node(node(b"Transpose", [b"r"], [b"q"], b"/model/heads", [ints(b"perm", [0, 2, 1, 3])]))
    concat = field(1, b"axis") + field(3, 2) + field(20, 2)
    model.node(node(b"Concat", [b"past_key_values.0.key", b"q"], [b"present.0.key"], b"/model/cache", [concat]))
    model.node(node(b"Transpose", [b"present.0.key"], [b"t"], b"/model/turn", [ints(b"perm", [0, 1, 3, 2])]))
    model.node(node(b"MatMul", [b"q", b"t"], [b"s"], b"/model/scores"))
    model.node(node(b"MatMul", [b"s", b"present.0.key"], [b"o"], b"/model/mix"))
    model.node(node(b"Transpose", [b"o"], [b"u"], b"/model/back", [ints(b"perm", [0, 2, 1, 3])]))
    model.node(node(b"Reshape", [b"u", b"merge"], [b"f"], b"/model/merge"))
    model.node(node(b"MatMul", [b"f", b"head.weight"], [b"logits"], b"/model/head"))
    model.file.write(field(12, named(b"logits", (b"b", b"seq", 512))))
    model.file.write(field(12, named(b"present.0.key", (b"b", 2, b"total", 8))))
    model.close()


def scalar(model, name, dtype, payload):
    model.file.write(field(5, field(2, dtype) + field(8, name) + field(9, payload)))


def mixed(path):
    """One convolution is quantised, the other is not."""
    model = ModelFile(path)
    model.input(b"x", (1, 16, 56, 56))
    scalar(model, b"scale", 1, struct.pack("<f", 0.02))
    scalar(model, b"zero", 3, b"\0")
    model.file.write(field(5, b"".join(field(1, dim) for dim in (16, 16, 3, 3)) + field(2, 3) + field(8, b"q.weight") +
                           field(9, bytes(9 * 256))))
    for source, result in ((b"x", b"xq"), (b"c", b"cq")):
        model.node(node(b"QuantizeLinear", [source, b"scale", b"zero"], [result], b"/body/quantize_" + source))
    for source, result in ((b"xq", b"xd"), (b"q.weight", b"wd"), (b"cq", b"cd")):
        model.node(node(b"DequantizeLinear", [source, b"scale", b"zero"], [result], b"/body/dequantize_" + source))
    model.node(node(b"Conv", [b"xd", b"wd"], [b"c"], b"/body/conv1", [ints(b"pads", [1] * 4)]))
    convolution(model, b"conv2", b"cd", b"d", 16, b"head")
    model.node(node(b"Softmax", [b"d"], [b"y"], b"/head/softmax"))
    model.output(b"y", (1, 16, 56, 56))
    model.close()


def stage(model, i, source, result):
    """A module; a neighbour is another form, so that they are no run of equal ones."""
    scope = b"stage%d" % i
    convolution(model, b"conv%d" % i, source, b"c%d" % i, 16, scope)
    model.node(node(b"Softmax" if i % 2 else b"Relu", [b"c%d" % i], [result], b"/" + scope + b"/last"))


def row(path):
    """Many modules, one after the other."""
    model = ModelFile(path)
    model.input(b"x", (1, 16, 56, 56))
    for i in range(24):
        stage(model, i, b"s%d" % (i - 1) if i else b"x", b"s%d" % i)
    model.output(b"s23", (1, 16, 56, 56))
    model.close()


def fan(path):
    """Many modules side by side."""
    model = ModelFile(path)
    model.input(b"x", (1, 16, 56, 56))
    for i in range(11):
        stage(model, i, b"x", b"s%d" % i)
    model.node(node(b"Sum", [b"s%d" % i for i in range(11)], [b"y"], b"/sum"))
    model.output(b"y", (1, 16, 56, 56))
    model.close()


def main():
    folder = pathlib.Path(sys.argv[1])
    for write in (dead, unknown, tokens, mixed, row, fan):
        write(folder / f"{write.__name__}.onnx")


if __name__ == "__main__":
    main()
