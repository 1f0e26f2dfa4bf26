#!/usr/bin/env python3
"""Writes what OpenVINO's CPU device makes of models, node by node, for toolchains.py to compare with.

usage: openvino_kernels.py MODELS OUT [--every N] [--only SUBSTRING]      in a Python with openvino, onnx and numpy

Every N-th model of MODELS (5 by default), with random weights and batch 1, is compiled for the CPU in fp32 and its
kernels are read from the runtime's own graph. OUT gets openvino.cpu.fp32.csv, a row per node with the kernels that name
it (none: folded into constants, or merged into a kernel that does not name it), and openvino.cpu.fp32.models.csv with
the number of kernels of each model, or why it was not compiled. A free size is 1 where it comes first, and else the
last number of the model's name, as the suites bind it; without one the model is left out.
"""

import argparse
import collections
import csv
import os
import re
import sys
import tempfile

import onnx
import openvino

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "capi", "python"))
from onnx_hwest._measure_model import fill_weights

# Layers of the runtime that no node of the file stands for, or that move nothing.
NO_KERNELS = ("Const", "Input", "Output", "Reorder", "Reshape")


def prepare(path):
    """The model with weights and sizes, node i named n<i>, and the (name, operator) that the nodes had."""
    model = onnx.load(path, load_external_data=False)
    fill_weights(model, os.path.dirname(path), seed=1)
    names = []
    for i, node in enumerate(model.graph.node):
        names.append((node.name, node.op_type))
        node.name = f"n{i}"
    size = re.search(r"_(\d+)\.", os.path.basename(path))
    for value in model.graph.input:
        for axis, dim in enumerate(value.type.tensor_type.shape.dim):
            if dim.dim_param and axis and not size:
                raise ValueError("free sizes, and none in its name")
            if dim.dim_param:
                dim.dim_value = int(size[1]) if axis else 1
    del model.graph.value_info[:]
    return model, names


def kernels_of(compiled, count):
    """By node: the kernels that name it, in their order. A name of a node may have a suffix of the runtime's."""
    kernels = collections.defaultdict(list)
    layers = [(op, op.get_rt_info()) for op in compiled.get_runtime_model().get_ordered_ops()]
    types = {op.get_friendly_name(): info["layerType"].astype(str) for op, info in layers}
    # What reads constants alone prepares weights, once.
    layers = [info for op, info in layers if types[op.get_friendly_name()] not in NO_KERNELS and
              any(types[value.get_source_output().get_node().get_friendly_name()] != "Const" for value in op.inputs())]
    for i, info in enumerate(layers):
        for name in info["originalLayersNames"].astype(str).split(","):
            found = re.match(r"n(\d+)(?!\d)", name)
            if found and int(found[1]) < count:
                label = f"{i}:{info['layerType'].astype(str)}"
                if label not in kernels[int(found[1])]:
                    kernels[int(found[1])].append(label)
    return kernels, len(layers)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models")
    parser.add_argument("out")
    parser.add_argument("--every", type=int, default=5)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    with open(os.path.join(options.models, "index.csv")) as file:
        names = [row["model"] for row in csv.DictReader(file)]
    os.makedirs(options.out, exist_ok=True)
    core = openvino.Core()
    with open(os.path.join(options.out, "openvino.cpu.fp32.csv"), "w") as nodes_file, \
            open(os.path.join(options.out, "openvino.cpu.fp32.models.csv"), "w") as models_file:
        nodes, models = csv.writer(nodes_file), csv.writer(models_file)
        nodes.writerow(["model", "toolchain", "version", "target", "precision", "node", "op", "unit", "layer"])
        models.writerow(["model", "result", "layers", "segments"])
        for name in [name for name in names if options.only in name][::options.every]:
            try:
                model, labels = prepare(os.path.join(options.models, name + ".onnx"))
                with tempfile.NamedTemporaryFile(suffix=".onnx") as file:
                    onnx.save(model, file.name)
                    compiled = core.compile_model(file.name, "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
                kernels, layers = kernels_of(compiled, len(labels))
            except (RuntimeError, ValueError) as error:
                models.writerow([name, str(error).strip().splitlines()[-1][:200], 0, 0])
                print(f"{name}: {str(error).strip().splitlines()[-1][:100]}", flush=True)
                continue
            for i, (node, op) in enumerate(labels):
                nodes.writerow([name, "openvino", openvino.__version__.split("-")[0], "x86-cpu", "fp32", node, op,
                                "device" if kernels[i] else "none", "+".join(kernels[i])])
            models.writerow([name, "ok", layers, 1])
            nodes_file.flush(), models_file.flush()
            print(f"{name}: {len(labels)} nodes, {layers} kernels", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
