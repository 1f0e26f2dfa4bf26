#!/usr/bin/env python3
"""Writes one-operator models of a fixed spread, for compilers to be asked which of them run on their accelerator.

usage: operator_cases.py OUT [--seed N]      in a Python with onnx

Each case is an operator `op` between convolutions or matrix products `pre` and `post`, so that it is in the middle of
what an accelerator runs; its parameters are drawn from those that networks have and a little beyond. OUT gets a file
for each and list.json with their names.
"""

import argparse
import itertools
import json
import os
import random

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

PLAIN = ("Abs", "Neg", "Exp", "Log", "Sqrt", "Floor", "Ceil", "Erf", "Sin", "Cos", "Reciprocal", "Sigmoid", "Tanh",
         "HardSwish", "Softplus", "Softsign", "Mish", "Relu", "Round", "Selu", "Atan")
UNARY = {name: {} for name in PLAIN} | {"HardSigmoid": {"alpha": 1 / 6}, "Elu": {"alpha": 0.7},
                                        "LeakyRelu": {"alpha": 0.2}}
IMAGES = [(1, 16, 24, 24), (1, 32, 40, 40), (1, 24, 20, 28), (1, 64, 14, 14), (1, 48, 80, 80), (1, 12, 33, 17)]
ROWS = [(1, 49, 64), (1, 197, 192), (1, 400, 48), (1, 33, 40)]


class Case:
    """One model: `op` on a value of a shape, between products."""

    def __init__(self, random_):
        self.random, self.inputs, self.constants, self.nodes = random_, [], [], []

    def value(self, name, shape, kind=TensorProto.FLOAT):
        self.inputs.append(helper.make_tensor_value_info(name, kind, shape))
        return name

    def constant(self, array):
        name = f"c{len(self.constants)}"
        if array.dtype == np.float64:
            array = array.astype(np.float32)
        self.constants.append(numpy_helper.from_array(array, name))
        return name

    def weights(self, *shape):
        return self.constant(np.random.default_rng(len(self.constants)).standard_normal(shape) * 0.1)

    def product(self, name, source, shape, out):
        """A convolution of images or a product of rows, so that what it reads or makes is the accelerator's."""
        if len(shape) == 4:
            node = helper.make_node("Conv", [source, self.weights(shape[1], shape[1], 1, 1)], [out], name=name)
        else:
            node = helper.make_node("MatMul", [source, self.weights(shape[-1], shape[-1])], [out], name=name)
        self.nodes.append(node)
        return out

    def made(self, name, shape):
        """A value of the run, made by a product of its own."""
        return self.product("pre_" + name, self.value(name, shape), shape, name + "_made")

    def op(self, kind, operands, outputs=1, **attributes):
        names = [f"y{i}" for i in range(outputs)]
        self.nodes.append(helper.make_node(kind, operands, names, name="op", **attributes))
        return names

    def write(self, path):
        graph = helper.make_graph(self.nodes, "case", self.inputs, [], self.constants)
        results = self.nodes[-1].output if self.nodes[-1].name == "op" else []
        known = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=8)
        known.graph.output.extend(helper.make_empty_tensor_value_info(name) for name in results)
        found = onnx.shape_inference.infer_shapes(known, strict_mode=True, data_prop=True).graph
        types = {value.name: value.type for value in [*found.value_info, *found.output]}
        del known.graph.output[:]
        for i, name in enumerate(results):
            shape = [dim.dim_value for dim in types[name].tensor_type.shape.dim]
            if types[name].tensor_type.elem_type == TensorProto.FLOAT and len(shape) in (3, 4) and all(shape):
                out = self.product(f"post{i}", name, shape, f"z{i}")
                known.graph.node.append(self.nodes[-1])
                known.graph.initializer.append(self.constants[-1])
                known.graph.output.append(helper.make_tensor_value_info(out, TensorProto.FLOAT, shape))
            else:
                known.graph.output.append(helper.make_tensor_value_info(name, types[name].tensor_type.elem_type, shape))
        onnx.checker.check_model(known)
        onnx.save(known, path)


def unary(case, kind):
    shape = case.random.choice(IMAGES if case.random.random() < 0.7 else ROWS)
    case.op(kind, [case.made("x", shape)], **UNARY[kind])


def binary(case, kind):
    shape = case.random.choice(IMAGES if case.random.random() < 0.6 else ROWS)
    form = case.random.choice(("same", "scalar", "channel", "last", "gate", "plane"))
    other = {"same": shape, "scalar": (1,), "last": shape[-1:], "plane": (1, *shape[-2:]),
             "channel": (shape[1], *[1] * (len(shape) - 2)), "gate": (*shape[:2], *[1] * (len(shape) - 2))}[form]
    x = case.made("x", shape)
    y = case.made("r", other) if form in ("same", "gate") else case.constant(
        np.random.default_rng(1).random(other) + (2.0 if kind in ("Pow", "Mod") else 0.5))
    case.op(kind, [x, y] if case.random.random() < 0.8 or kind in ("Pow", "Mod") else [y, x],
            **({"fmod": 1} if kind == "Mod" else {}))


def compare(case, kind):
    shape = case.random.choice(IMAGES)
    case.op(kind, [case.made("x", shape), case.constant(np.full((1,), 0.1))])


def reduce(case, kind):
    shape = case.random.choice(IMAGES if case.random.random() < 0.7 else ROWS)
    axes = case.random.choice([[-1], [1], [-2], [-2, -1], list(range(1, len(shape)))])
    keep = case.random.choice((0, 1, 1))
    if kind.startswith("Arg"):
        case.op(kind, [case.made("x", shape)], axis=axes[0], keepdims=keep)
    else:
        case.op(kind, [case.made("x", shape), case.constant(np.array(axes, np.int64))], keepdims=keep)


def softmax(case, kind):
    shape = case.random.choice([*IMAGES, *ROWS, (1, 4, 197, 197), (1, 3, 64, 49)])
    axis = case.random.choice([-1, -1, 1, 2])
    case.op(kind, [case.made("x", shape)], axis=axis)


def pool(case, kind):
    shape = case.random.choice(IMAGES)
    window = case.random.choice([2, 3, 3, 5, 7, 9, 12])
    attributes = {"kernel_shape": [window, window], "strides": [case.random.choice((1, 2, window))] * 2}
    if case.random.random() < 0.5:
        attributes["pads"] = [window // 2] * 4
    if case.random.random() < 0.3:
        attributes["ceil_mode"] = 1
    if kind == "AveragePool" and case.random.random() < 0.5:
        attributes["count_include_pad"] = 1
    case.op(kind, [case.made("x", shape)], **attributes)


def pool_all(case, kind):
    case.op(kind, [case.made("x", case.random.choice([*IMAGES, (1, 32, 7, 7), (1, 16, 96, 96)]))])


def conv(case, kind):
    channels = case.random.choice((16, 32, 48))
    shape = (1, channels, case.random.choice((20, 32, 45)), 32)
    group = case.random.choice((1, 1, 4, channels))
    window = case.random.choice((1, 3, 5, 7, 13))
    dilation = case.random.choice((1, 1, 2, 5)) if window > 1 else 1
    stride = case.random.choice((1, 2, 3, 5))
    pad = dilation * (window // 2)
    out = channels if kind == "Conv" else channels // group
    weights = case.weights(out, channels // group, window, window) if kind == "Conv" else case.weights(
        channels, out, window, window)
    case.op(kind, [case.made("x", shape), weights], group=group, dilations=[dilation] * 2, strides=[stride] * 2,
            pads=[pad] * 4)


def resize(case, kind):
    shape = case.random.choice(IMAGES[:4])
    scale = case.random.choice((2, 3, 4, 8, 1.5, 0.5))
    mode = case.random.choice(("nearest", "linear", "linear"))
    coordinates = case.random.choice(("half_pixel", "asymmetric", "align_corners", "pytorch_half_pixel"))
    if mode == "nearest" and coordinates == "align_corners":
        coordinates = "asymmetric"
    case.op(kind, [case.made("x", shape), "", case.constant(np.array([1, 1, scale, scale], np.float32))], mode=mode,
            coordinate_transformation_mode=coordinates, **({"nearest_mode": "floor"} if mode == "nearest" else {}))


def transpose(case, kind):
    shape = case.random.choice([*IMAGES, *ROWS, (1, 8, 64, 32), (1, 197, 3, 64), (1, 32, 160, 120), (8, 16, 24, 24)])
    order = list(range(len(shape)))
    while order == list(range(len(shape))):
        case.random.shuffle(order)
    if case.random.random() < 0.6 and order[0]:  # networks seldom move the batch
        order.remove(0)
        order.insert(0, 0)
        if order == list(range(len(shape))):
            order[-1], order[-2] = order[-2], order[-1]
    case.op(kind, [case.made("x", shape)], perm=order)


def cut(case, kind):
    shape = case.random.choice(IMAGES)
    axis = case.random.choice((1, 2, 3))
    start, step = case.random.choice((0, 1, 4)), case.random.choice((1, 1, 1, 2))
    ends = case.random.choice((shape[axis], shape[axis] - 3, 8))
    case.op(kind, [case.made("x", shape), *(case.constant(np.array([value], np.int64)) for value in
                                            (start, ends, axis, step))])


def split(case, kind):
    shape = case.random.choice(IMAGES[:4])
    axis = case.random.choice((1, 2, 3))
    parts = [shape[axis] // 2] * 2 if case.random.random() < 0.6 else [4, shape[axis] - 4]
    case.op(kind, [case.made("x", shape), case.constant(np.array(parts, np.int64))], 2, axis=axis)


def concat(case, kind):
    shape = case.random.choice([*IMAGES, *ROWS])
    axis = case.random.randrange(len(shape))
    case.op(kind, [case.made("x", shape), case.made("r", shape)], axis=axis)


def gather(case, kind):
    shape = case.random.choice([*IMAGES, *ROWS])
    axis = case.random.randrange(1, len(shape))
    numbers = case.random.choice((np.array([2, 0, 1]), np.array(1), np.arange(4) * 2))
    case.op(kind, [case.made("x", shape), case.constant(numbers.astype(np.int64))], axis=axis)


def gather_elements(case, kind):
    shape = case.random.choice(IMAGES)
    case.op(kind, [case.made("x", shape), case.constant(np.zeros((1, shape[1], 4, shape[3]), np.int64))], axis=2)


def tile(case, kind):
    shape = case.random.choice(IMAGES[:4])
    repeats = [1] * 4
    repeats[case.random.choice((1, 2, 3))] = case.random.choice((2, 3))
    case.op(kind, [case.made("x", shape), case.constant(np.array(repeats, np.int64))])


def expand(case, kind):
    shape = case.random.choice([(1, 16, 1, 1), (1, 1, 20, 20), (1, 24, 1, 28), (1, 1, 64), (1, 49, 1)])
    wide = {4: (1, 16, 20, 28), 3: (1, 49, 64)}[len(shape)]
    wide = [max(a, 1) if a > 1 else b for a, b in zip(shape, wide)]
    case.op(kind, [case.made("x", shape), case.constant(np.array(wide, np.int64))])


def pad(case, kind):
    shape = case.random.choice(IMAGES)
    edges = [0, 0, *[case.random.choice((0, 1, 3)) for _ in range(2)], 0, 0, 1, 1]
    mode = case.random.choice(("constant", "constant", "reflect", "edge"))
    case.op(kind, [case.made("x", shape), case.constant(np.array(edges, np.int64))], mode=mode)


def blocks(case, kind):
    size = case.random.choice((2, 4))
    shape = (1, 16 * size * size // 4, 24, 24)
    attributes = {"mode": case.random.choice(("DCR", "CRD"))} if kind == "DepthToSpace" else {}
    case.op(kind, [case.made("x", shape)], blocksize=size, **attributes)


def normalize(case, kind):
    shape = case.random.choice(IMAGES if kind != "LayerNormalization" else ROWS)
    x = case.made("x", shape)
    if kind == "LayerNormalization":
        case.op(kind, [x, case.weights(shape[-1]), case.weights(shape[-1])], axis=-1, epsilon=1e-5)
    elif kind == "InstanceNormalization":
        case.op(kind, [x, case.weights(shape[1]), case.weights(shape[1])])
    elif kind == "LpNormalization":
        case.op(kind, [x], axis=case.random.choice((1, -1)), p=2)
    else:
        case.op(kind, [x], size=5)


def matmul(case, kind):
    a, b = case.random.choice([((1, 4, 50, 32), (1, 4, 32, 50)), ((1, 64, 48), (1, 48, 40)),
                               ((1, 6, 197, 64), (1, 6, 64, 197)), ((1, 16, 33, 20), (1, 16, 20, 12))])
    case.op(kind, [case.made("x", a), case.made("r", b)])


def recurrent(case, kind):
    gates = {"LSTM": 4, "GRU": 3, "RNN": 1}[kind]
    both = case.random.random() < 0.5
    directions, hidden, batch = 1 + both, 24, case.random.choice((1, 2))
    x = case.made("x", (10, batch, 32))
    attributes = {"linear_before_reset": 1} if kind == "GRU" else {}
    case.op(kind, [x, case.weights(directions, gates * hidden, 32), case.weights(directions, gates * hidden, hidden),
                   case.weights(directions, 2 * gates * hidden)], hidden_size=hidden,
            direction="bidirectional" if both else "forward", **attributes)


def top(case, kind):
    case.op(kind, [case.made("x", case.random.choice(ROWS)), case.constant(np.array([5], np.int64))], 2, axis=-1)


def sample(case, kind):
    x = case.made("x", case.random.choice(IMAGES))
    case.op(kind, [x, case.value("grid", (1, 12, 12, 2))], mode="bilinear")


def cumulate(case, kind):
    axis = case.constant(np.array(case.random.choice((1, 2)), np.int64))
    case.op(kind, [case.made("x", case.random.choice(ROWS)), axis])


def select(case, kind):
    shape = case.random.choice(IMAGES)
    mask = case.constant(np.random.default_rng(1).random(shape) < 0.5)
    case.op(kind, [mask, case.made("x", shape), case.constant(np.zeros((1,), np.float32))])


def cast(case, kind):
    to = case.random.choice((TensorProto.INT32, TensorProto.INT64))
    case.op(kind, [case.made("x", case.random.choice(IMAGES))], to=to)


def clip(case, kind):
    low, high = case.random.choice(((0, 6), (-1, 1), (0, 1), (-3, 3)))
    limits = [case.constant(np.array(value, np.float32)) for value in (low, high)]
    case.op(kind, [case.made("x", case.random.choice(IMAGES)), *limits])


# How operators are drawn, and how many of each.
SPREAD = (
    (unary, 1, list(UNARY)), (binary, 4, ["Add", "Sub", "Mul", "Div"]), (binary, 3, ["Max", "Min", "Pow"]),
    (binary, 1, ["Mod"]), (compare, 1, ["Equal", "Greater", "Less"]),
    (reduce, 3, ["ReduceMean", "ReduceMax", "ReduceSum"]), (reduce, 2, ["ArgMax"]),
    (reduce, 1, ["ReduceMin", "ReduceL2", "ReduceL1", "ReduceProd", "ReduceSumSquare", "ReduceLogSumExp"]),
    (softmax, 8, ["Softmax"]), (softmax, 1, ["LogSoftmax", "Hardmax"]),
    (pool, 6, ["AveragePool", "MaxPool"]), (pool_all, 3, ["GlobalAveragePool"]), (pool_all, 2, ["GlobalMaxPool"]),
    (conv, 14, ["Conv"]), (conv, 8, ["ConvTranspose"]), (resize, 12, ["Resize"]), (transpose, 20, ["Transpose"]),
    (cut, 7, ["Slice"]), (split, 5, ["Split"]), (concat, 6, ["Concat"]), (gather, 5, ["Gather"]),
    (gather_elements, 1, ["GatherElements"]), (tile, 4, ["Tile"]), (expand, 5, ["Expand"]), (pad, 6, ["Pad"]),
    (blocks, 3, ["DepthToSpace"]), (blocks, 2, ["SpaceToDepth"]), (normalize, 3, ["LayerNormalization"]),
    (normalize, 2, ["InstanceNormalization", "LpNormalization"]), (normalize, 1, ["LRN"]), (matmul, 5, ["MatMul"]),
    (recurrent, 3, ["LSTM", "GRU"]), (recurrent, 1, ["RNN"]), (top, 1, ["TopK"]), (sample, 1, ["GridSample"]),
    (cumulate, 2, ["CumSum"]), (select, 1, ["Where"]), (cast, 2, ["Cast"]), (clip, 3, ["Clip"]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    os.makedirs(options.out, exist_ok=True)
    names, seen = [], set()
    for draw, count, kinds in SPREAD:
        for kind, i in itertools.product(kinds, range(count)):
            for attempt in range(20):
                case = Case(random.Random(f"{options.seed} {kind} {i} {attempt}"))
                draw(case, kind)
                if (key := str(case.nodes) + str([t.raw_data for t in case.constants])) not in seen:
                    break
            seen.add(key)
            name = f"{kind}_{i}"
            try:
                case.write(os.path.join(options.out, name + ".onnx"))
            except Exception as error:  # a draw that is no valid model is left out
                print(f"{name}: {str(error).splitlines()[0]}")
                continue
            names.append(name)
    with open(os.path.join(options.out, "list.json"), "w", encoding="utf-8") as file:
        json.dump(names, file)
    print(len(names), "cases")


if __name__ == "__main__":
    main()
