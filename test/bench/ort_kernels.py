#!/usr/bin/env python3
"""Times ONNX Runtime's CPU kernels of one operator, in fp32 and between Q and DQ of 8 bits, beside PROGRAM's estimates.

usage: ort_kernels.py PROGRAM [--only OP] [--target x86-avx512] [--mode "1 thread"] [--ghz 3.4]

It needs a Python with the packages onnx and onnxruntime. Each line has the kernels that ONNX Runtime made of a model of
one operator, whether they read integers, microseconds on one core, cycles for each element of the larger of input and
output at --ghz, and the estimate's share of the measured time. The rows `widens` and `slow` of onnxruntime-cpu rest on
it: a row is slow where its share is far below that of Conv, which stands for how this processor differs from the
target.
"""

import argparse
import collections
import json
import os
import subprocess
import sys
import tempfile

IMAGE = (1, 64, 112, 112)
SCALE, ZERO = 0.02, 128


def weights(*shape):
    return ("weights", shape)


def plain(*values, kind="float32"):
    return ("plain", values, kind)


# operator: (shapes of inputs, attributes, constants, opset)
def cases():
    rows = {
        "Conv": ([(1, 64, 56, 56)], {"pads": [1] * 4}, [weights(64, 64, 3, 3)]),
        "Conv depthwise": ([(1, 128, 56, 56)], {"pads": [1] * 4, "group": 128}, [weights(128, 1, 3, 3)]),
        "Conv 3-D": ([(1, 64, 8, 28, 28)], {"pads": [1] * 6}, [weights(64, 64, 3, 3, 3)]),
        "Conv 3-D depthwise": ([(1, 64, 8, 28, 28)], {"pads": [1] * 6, "group": 64}, [weights(64, 1, 3, 3, 3)]),
        "Conv 1-D depthwise": ([(1, 256, 1000)], {"pads": [15] * 2, "group": 256}, [weights(256, 1, 31)]),
        "ConvTranspose": ([(1, 64, 56, 56)], {"strides": [2, 2]}, [weights(64, 64, 2, 2)]),
        "MatMul": ([(1, 12, 197, 64), (1, 12, 64, 197)], {}, []),
        "Einsum": ([(1, 4, 64, 32), (1, 4, 32, 64)], {"equation": "bhij,bhjk->bhik"}, []),
        "Softmax": ([(1, 12, 197, 197)], {"axis": -1}, []),
        "Softmax over channels": ([(1, 21, 128, 128)], {"axis": 1}, []),
        "LayerNormalization": ([(1, 197, 768)], {}, [plain(*[1.0] * 768), plain(*[0.0] * 768)]),
        "InstanceNormalization": ([IMAGE], {}, [plain(*[1.0] * 64), plain(*[0.0] * 64)]),
        "BatchNormalization": ([IMAGE], {}, [plain(*[1.0] * 64)] * 4),
        "PRelu": ([IMAGE], {}, [weights(64, 1, 1)]),
        "Pow by 0.7": ([IMAGE], {}, [plain(0.7)]),
        "Resize nearest": ([(1, 64, 56, 56)], {"mode": "nearest"}, [None, plain(1, 1, 2, 2)]),
        "Resize linear": ([(1, 64, 56, 56)], {"mode": "linear"}, [None, plain(1, 1, 2, 2)]),
        "Resize cubic": ([(1, 64, 56, 56)], {"mode": "cubic"}, [None, plain(1, 1, 2, 2)]),
        "Pad": ([IMAGE], {}, [plain(0, 0, 1, 1, 0, 0, 1, 1, kind="int64")]),
        "Slice": ([IMAGE], {}, [plain(0, kind="int64"), plain(16, kind="int64"), plain(1, kind="int64")]),
        "ReduceMean": ([IMAGE], {"axes": [2, 3]}, []),
        "LRN": ([IMAGE], {"size": 5}, []),
        "DepthToSpace": ([IMAGE], {"blocksize": 2}, []),
        "SpaceToDepth": ([IMAGE], {"blocksize": 2}, []),
        "Transpose": ([IMAGE], {"perm": [0, 2, 3, 1]}, []),
        "Concat": ([IMAGE] * 2, {"axis": 1}, []),
    }
    for op in ("Add", "Div", "Max", "Mul", "Sub"):
        rows[op] = ([IMAGE] * 2, {}, [])
    for op in ("Abs", "Celu", "Cos", "Elu", "Erf", "Exp", "GlobalMaxPool", "HardSigmoid", "HardSwish", "LeakyRelu",
               "Log", "Mish", "Neg", "Reciprocal", "Relu", "Selu", "Sigmoid", "Softplus", "Softsign", "Sqrt", "Tanh"):
        rows[op] = ([IMAGE], {}, [])
    return {name: (*row, 18 if name == "Mish" else 17) for name, row in rows.items()}


def constant(row, name, is_quantised):
    """(initialisers, nodes, name of the value) of a constant; weights of a quantised model are 8 bits."""
    import numpy
    import onnx
    if row is None:
        return [], [], ""
    if row[0] == "plain":
        return [onnx.numpy_helper.from_array(numpy.array(row[1], dtype=row[2]), name)], [], name
    values = (numpy.random.default_rng(0).random(row[1]) - 0.5).astype(numpy.float32)
    if not is_quantised:
        return [onnx.numpy_helper.from_array(values, name)], [], name
    narrow = numpy.clip(numpy.round(values / SCALE) + ZERO, 0, 255).astype(numpy.uint8)
    dequantise = onnx.helper.make_node("DequantizeLinear", [f"{name}_q", "s", "z"], [name])
    return [onnx.numpy_helper.from_array(narrow, f"{name}_q")], [dequantise], name


def between_qdq(value, result):
    import onnx
    return [onnx.helper.make_node("QuantizeLinear", [value, "s", "z"], [f"{result}_q"]),
            onnx.helper.make_node("DequantizeLinear", [f"{result}_q", "s", "z"], [result])]


def model_of(op, shapes, attributes, constants, opset, is_quantised):
    import numpy
    import onnx
    nodes, names, inits = [], [], []
    if is_quantised:
        inits = [onnx.numpy_helper.from_array(numpy.float32(SCALE), "s"),
                 onnx.numpy_helper.from_array(numpy.uint8(ZERO), "z")]
    for i in range(len(shapes)):
        names.append(f"d{i}" if is_quantised else f"x{i}")
        nodes += between_qdq(f"x{i}", f"d{i}") if is_quantised else []
    for i, row in enumerate(constants):
        made, before, name = constant(row, f"c{i}", is_quantised)
        inits += made
        nodes += before
        names.append(name)
    nodes.append(onnx.helper.make_node(op, names, ["y" if not is_quantised else "r"], **attributes))
    nodes += between_qdq("r", "y") if is_quantised else []
    kind = onnx.TensorProto.FLOAT
    inputs = [onnx.helper.make_tensor_value_info(f"x{i}", kind, shape) for i, shape in enumerate(shapes)]
    outputs = [onnx.helper.make_tensor_value_info("y", kind, None)]
    graph = onnx.helper.make_graph(nodes, "kernel", inputs, outputs, inits)
    return onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", opset)], ir_version=8)


def elements(shapes):
    import numpy
    return max((int(numpy.prod(next(iter(shape.values())))) for shape in shapes), default=0)


def timed(model, folder):
    """[(kernel, microseconds, elements)] of ONNX Runtime on one core: the fastest quarter of 30 runs."""
    import numpy
    import onnxruntime
    options = onnxruntime.SessionOptions()
    options.enable_profiling = True
    options.profile_file_prefix = os.path.join(folder, "profile")
    options.intra_op_num_threads = 1
    options.log_severity_level = 4
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    random = numpy.random.default_rng(0)
    feeds = {item.name: random.standard_normal(item.shape).astype(numpy.float32) for item in session.get_inputs()}
    for _ in range(30):
        session.run(None, feeds)
    with open(session.end_profiling(), encoding="utf-8") as profile:
        events = json.load(profile)
    times, sizes = collections.defaultdict(list), {}
    for event in events:
        if event.get("cat") == "Node" and event["name"].endswith("_kernel_time"):
            key = (event["name"], event["args"]["op_name"])
            times[key].append(event["dur"])
            sizes[key] = elements(event["args"]["input_type_shape"] + event["args"]["output_type_shape"])
    return [(key[1], float(numpy.percentile(own, 25)), sizes[key]) for key, own in times.items()]


def estimated_us(options, model, precision, folder):
    import onnx
    path = os.path.join(folder, "kernel.onnx")
    onnx.save(onnx.shape_inference.infer_shapes(model), path)
    command = [options.program, "analyze", path, "--target", options.target, "--mode", options.mode,
               "--precision", precision, "--json", "--quiet"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    groups = json.loads(done.stdout).get("groups") if done.returncode == 0 else None
    return sum(group["time_s"] for group in groups) * 1e6 if groups else None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--only", default="")
    parser.add_argument("--target", default="x86-avx512")
    parser.add_argument("--mode", default="1 thread")
    parser.add_argument("--ghz", type=float, default=3.4)
    options = parser.parse_args()
    print(f"{'operator':22} {'type':5} {'reads':8} {'us':>9} {'cycles':>7} {'ours':>6}  kernels")
    with tempfile.TemporaryDirectory() as folder:
        for name, (shapes, attributes, constants, opset) in cases().items():
            if options.only and not name.startswith(options.only):
                continue
            for precision in ("fp32", "int8"):
                model = model_of(name.split()[0], shapes, attributes, constants, opset, precision == "int8")
                rows = timed(model, folder)
                kernels = [row for row in rows if row[0] not in ("QuantizeLinear", "DequantizeLinear")]
                us = sum(row[1] for row in kernels)
                has_integer_kernel = any(row[0].startswith(("QLinear", "QGemm")) for row in kernels)
                is_narrow = has_integer_kernel or len(rows) - len(kernels) <= 2
                reads = "float" if precision == "fp32" else "integer" if is_narrow else "float"
                ours = estimated_us(options, model, precision, folder)
                cycles = us * options.ghz * 1e3 / max(row[2] for row in rows)
                share = f"{ours / us:6.2f}" if ours and us else "     -"
                made = " ".join(row[0] for row in rows)
                print(f"{name:22} {precision:5} {reads:8} {us:9.1f} {cycles:7.2f} {share}  {made}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
