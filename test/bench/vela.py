#!/usr/bin/env python3
"""Compares estimates for Arm Ethos-U with the cycles that Arm's compiler Vela computes, on ten int8 networks.

usage: vela.py PROGRAM MODELS      in a Python with the packages ethos-u-vela and onnx

Each network is written as an int8 TFLite file with random weights, compiled by `vela` for the default system of each
target and estimated by PROGRAM at int8. Prints milliseconds of both, their ratio, and how many groups the estimate
places on the NPU. Vela's cycles are an estimate, too: its own model of the hardware, no measurement.
"""

import argparse
import csv
import importlib
import json
import math
import pathlib
import subprocess
import sys
import tempfile

import flatbuffers
import numpy as np
import onnx

MODELS = ("resnet18.ts", "resnet50.ts", "mobilenetv1_100.ts", "mobilenet_v2.ts", "efficientnet_lite0.ts",
          "mobilenetv4_conv_small.ts", "squeezenet1_0.ts", "squeezenet1_1.ts", "repvgg_a1_deploy.ts", "gpunet-p0.ts")
TARGETS = ("ethos-u55-256", "ethos-u65-512", "ethos-u85-1024")  # named as Vela names its accelerators
INT8, INT32 = 9, 2           # of TensorType
SAME, VALID = 0, 1           # of Padding
NONE, RELU, RELU6 = 0, 1, 3  # of ActivationFunctionType
CODES = {"ADD": 0, "AVERAGE_POOL_2D": 1, "CONCATENATION": 2, "CONV_2D": 3, "DEPTHWISE_CONV_2D": 4, "FULLY_CONNECTED": 9,
         "MAX_POOL_2D": 17, "RESHAPE": 22}
OPTIONS = {"ADD": 11, "AVERAGE_POOL_2D": 5, "CONCATENATION": 10, "CONV_2D": 1, "DEPTHWISE_CONV_2D": 2,
           "FULLY_CONNECTED": 8, "MAX_POOL_2D": 5, "RESHAPE": 17}  # number in BuiltinOptions
TABLES = {"ADD": "AddOptions", "AVERAGE_POOL_2D": "Pool2DOptions", "CONCATENATION": "ConcatenationOptions",
          "CONV_2D": "Conv2DOptions", "DEPTHWISE_CONV_2D": "DepthwiseConv2DOptions",
          "FULLY_CONNECTED": "FullyConnectedOptions", "MAX_POOL_2D": "Pool2DOptions", "RESHAPE": "ReshapeOptions"}


def schema(name):
    return importlib.import_module(f"ethosu.vela.tflite.{name}")


class TfLiteFile:
    """Tensors and operators of one graph, written at the end."""

    def __init__(self):
        self.builder = flatbuffers.Builder(1 << 20)
        self.buffers, self.tensors, self.operators = [b""], [], []
        self.random = np.random.default_rng(1)

    def vector(self, table, field, offsets):
        getattr(schema(table), f"{table}Start{field}Vector")(self.builder, len(offsets))
        for offset in reversed(offsets):
            self.builder.PrependUOffsetTRelative(offset)
        return self.builder.EndVector()

    def ints(self, values):
        return self.builder.CreateNumpyVector(np.asarray(values, np.int32))

    def table(self, name, **fields):
        module = schema(name)
        getattr(module, f"{name}Start")(self.builder)
        for field, value in fields.items():
            getattr(module, f"{name}Add{field}")(self.builder, value)
        return getattr(module, f"{name}End")(self.builder)

    def tensor(self, name, shape, kind=INT8, scale=0.05, data=None):
        if data is not None:
            self.buffers.append(data.tobytes())
        scales = self.builder.CreateNumpyVector(np.asarray([scale], np.float32))
        zeros = self.builder.CreateNumpyVector(np.asarray([0], np.int64))
        fields = {"Shape": self.ints(shape), "Name": self.builder.CreateString(name),
                  "Quantization": self.table("QuantizationParameters", Scale=scales, ZeroPoint=zeros)}
        buffer = len(self.buffers) - 1 if data is not None else 0
        self.tensors.append(self.table("Tensor", Type=kind, Buffer=buffer, **fields))
        return len(self.tensors) - 1

    def weights(self, name, shape):
        data = self.random.integers(-127, 128, shape, np.int8)
        return self.tensor(name, shape, scale=0.01, data=data)

    def bias(self, name, size):
        return self.tensor(name, [size], INT32, 0.0005, np.zeros(size, np.int32))

    def operator(self, name, inputs, outputs, **options):
        made = self.table(TABLES[name], **options)
        fields = {"Inputs": self.ints(inputs), "Outputs": self.ints(outputs)}
        self.operators.append(self.table("Operator", OpcodeIndex=sorted(CODES).index(name),
                                         BuiltinOptionsType=OPTIONS[name], BuiltinOptions=made, **fields))

    def write(self, path, inputs, outputs):
        codes = [self.table("OperatorCode", DeprecatedBuiltinCode=CODES[name], BuiltinCode=CODES[name],
                            Version=1 if name == "RESHAPE" else 3)
                 for name in sorted(CODES)]
        buffers = []
        for data in self.buffers:
            stored = self.builder.CreateByteVector(data) if data else None
            buffers.append(self.table("Buffer", **({"Data": stored} if data else {})))
        graph = {"Tensors": self.vector("SubGraph", "Tensors", self.tensors), "Inputs": self.ints(inputs),
                 "Outputs": self.ints(outputs), "Operators": self.vector("SubGraph", "Operators", self.operators)}
        subgraphs = [self.table("SubGraph", **graph)]
        model = {"OperatorCodes": self.vector("Model", "OperatorCodes", codes),
                 "Subgraphs": self.vector("Model", "Subgraphs", subgraphs),
                 "Buffers": self.vector("Model", "Buffers", buffers)}
        self.builder.Finish(self.table("Model", Version=3, **model), b"TFL3")
        path.write_bytes(bytes(self.builder.Output()))


class Converter:
    """A network of convolutions, pools, sums and products in ONNX as TFLite: activations fused, channels last."""

    def __init__(self, model):
        self.graph = onnx.shape_inference.infer_shapes(model).graph
        known = [*self.graph.value_info, *self.graph.input, *self.graph.output]
        self.shapes = {value.name: [dim.dim_value for dim in value.type.tensor_type.shape.dim] for value in known}
        self.shapes.update({weight.name: list(weight.dims) for weight in self.graph.initializer})
        self.file, self.made = TfLiteFile(), {}
        self.readers = {}
        for node in self.graph.node:
            for name in node.input:
                self.readers.setdefault(name, []).append(node)

    def run(self, path):
        first = self.graph.input[0].name
        self.made[first] = self.file.tensor(first, self.last(first))
        for node in self.graph.node:
            if node.output[0] not in self.made and node.op_type not in ("Constant", "Relu", "Clip"):
                getattr(self, node.op_type.lower())(node)
        self.file.write(path, [self.made[first]], [self.made[self.graph.output[0].name]])
        return len(self.file.operators)

    def last(self, name):
        shape = self.shapes[name]
        return [shape[0], *shape[2:], shape[1]] if len(shape) == 4 else shape

    def output(self, node):
        """The tensor of the node's result, and the activation that goes into it."""
        readers = self.readers.get(node.output[0], [])
        fused = readers[0] if len(readers) == 1 and readers[0].op_type in ("Relu", "Clip") else None
        tensor = self.file.tensor(node.output[0], self.last(node.output[0]))
        self.made[node.output[0]] = tensor
        if fused is None:
            return tensor, NONE
        self.made[fused.output[0]] = tensor
        return tensor, RELU if fused.op_type == "Relu" else RELU6

    @staticmethod
    def attributes(node):
        return {attribute.name: onnx.helper.get_attribute_value(attribute) for attribute in node.attribute}

    def padding(self, node, stride):
        sizes, results = self.shapes[node.input[0]][2:], self.shapes[node.output[0]][2:]
        return SAME if results == [math.ceil(size / step) for size, step in zip(sizes, stride)] else VALID

    def conv(self, node):
        attributes, name = self.attributes(node), node.output[0]
        out, depth, *window = self.shapes[node.input[1]]
        stride = attributes.get("strides", [1, 1])
        depthwise = depth == 1 and attributes.get("group", 1) == out
        weights = self.file.weights(name + ".w", [1, *window, out] if depthwise else [out, *window, depth])
        bias = self.file.bias(name + ".b", out)
        tensor, activation = self.output(node)
        options = {"DepthMultiplier": 1} if depthwise else {}
        self.file.operator("DEPTHWISE_CONV_2D" if depthwise else "CONV_2D", [self.made[node.input[0]], weights, bias],
                           [tensor], Padding=self.padding(node, stride), StrideH=stride[0], StrideW=stride[1],
                           DilationHFactor=1, DilationWFactor=1, FusedActivationFunction=activation, **options)

    def gemm(self, node):
        out, inner = self.shapes[node.input[1]]
        weights, bias = self.file.weights(node.name + ".w", [out, inner]), self.file.bias(node.name + ".b", out)
        tensor, activation = self.output(node)
        self.file.operator("FULLY_CONNECTED", [self.made[node.input[0]], weights, bias], [tensor],
                           FusedActivationFunction=activation)

    def add(self, node):
        tensor, activation = self.output(node)
        self.file.operator("ADD", [self.made[name] for name in node.input], [tensor],
                           FusedActivationFunction=activation)

    def concat(self, node):
        tensor, activation = self.output(node)
        self.file.operator("CONCATENATION", [self.made[name] for name in node.input], [tensor], Axis=3,
                           FusedActivationFunction=activation)

    def pool(self, node, name, window, stride, padding):
        tensor, activation = self.output(node)
        self.file.operator(name, [self.made[node.input[0]]], [tensor], Padding=padding, FilterHeight=window[0],
                           FilterWidth=window[1], StrideH=stride[0], StrideW=stride[1],
                           FusedActivationFunction=activation)

    def maxpool(self, node):
        attributes = self.attributes(node)
        stride = attributes.get("strides", [1, 1])
        self.pool(node, "MAX_POOL_2D", attributes["kernel_shape"], stride, self.padding(node, stride))

    def globalaveragepool(self, node):
        self.pool(node, "AVERAGE_POOL_2D", self.shapes[node.input[0]][2:], [1, 1], VALID)

    def flatten(self, node):
        shape = self.file.tensor(node.output[0] + ".shape", [2], INT32,
                                 data=np.asarray(self.shapes[node.output[0]], np.int32))
        tensor, _ = self.output(node)
        self.file.operator("RESHAPE", [self.made[node.input[0]], shape], [tensor])

    def identity(self, node):
        if node.input[0] in self.made:
            self.made[node.output[0]] = self.made[node.input[0]]


def compiled(path, accelerator, scratch):
    """Seconds of an inference as Vela has them."""
    scratch = pathlib.Path(scratch) / accelerator
    run = subprocess.run([pathlib.Path(sys.executable).with_name("vela"), path, "--accelerator-config", accelerator,
                          "--output-dir", scratch, "--optimise", "Performance"], capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(f"vela.py: {path.name}: {(run.stderr or run.stdout).strip()[-2000:]}")
    summary = next(scratch.glob(f"{path.stem}_summary_*.csv"))
    with open(summary, newline="", encoding="utf-8") as file:
        row = next(csv.DictReader(file))
    return float(row["inference_time"])


def estimated(program, model, target):
    run = subprocess.run([program, model, "--target", target, "--precision", "int8", "--json"], capture_output=True,
                         text=True)
    if run.returncode != 0:
        sys.exit(f"vela.py: {run.stderr.strip()}")
    document = json.loads(run.stdout)
    placed = sum(1 for group in document["groups"] if group["unit"] == "npu")
    return document["summary"]["latency_s"], placed, len(document["groups"])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("program")
    parser.add_argument("models")
    args = parser.parse_args()
    print("| network | " + " | ".join(f"{target}: Vela, estimate, ratio" for target in TARGETS) +
          " | groups on the NPU |")
    print("|---" * (len(TARGETS) + 2) + "|")
    ratios = {target: [] for target in TARGETS}
    for name in MODELS:
        model = pathlib.Path(args.models) / f"{name}.onnx"
        cells, placed = [], ""
        with tempfile.TemporaryDirectory() as scratch:
            path = pathlib.Path(scratch) / f"{name}.tflite"
            Converter(onnx.load(model, load_external_data=False)).run(path)
            for target in TARGETS:
                vela_s = compiled(path, target, scratch)
                own_s, npu, groups = estimated(args.program, model, target)
                ratios[target].append(own_s / vela_s)
                cells.append(f"{vela_s * 1e3:.3g} ms, {own_s * 1e3:.3g} ms, {own_s / vela_s:.2f}")
                placed = f"{npu} of {groups}"
        print(f"| {name} | " + " | ".join(cells) + f" | {placed} |", flush=True)
    medians = [f"{np.median(values):.2f} ({min(values):.2f} to {max(values):.2f})" for values in ratios.values()]
    print("| median ratio | " + " | ".join(medians) + " | |")


if __name__ == "__main__":
    sys.exit(main())
