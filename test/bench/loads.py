#!/usr/bin/env python3
"""Holds the files of onnxruntime-cpu and openvino against what these runtimes load, operator by operator.

usage: loads.py PROGRAM TESTDATA [--only OP] [--list]

It needs a Python with the packages onnx, onnxruntime and openvino.

TESTDATA is the folder `data` of the distribution's libonnx-testdata. The first of its models of one node stands for
each operator, in every element type that the operator's schema allows for its first input. ONNX Runtime loads each on
its CPU provider and OpenVINO for its CPU device, and PROGRAM says what it supports. Prints, per runtime, models that
both take, both refuse, only PROGRAM takes and only the runtime takes; with --list the models of the last two. Exit
status: 0, or 77 without the folder.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import subprocess
import sys
import tempfile

SKIPPED = 77
TYPES = ("float", "float16", "bfloat16", "double", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64",
         "uint64", "bool", "string")
TOOLCHAINS = ("onnxruntime-cpu", "openvino")


def first_models(folder):
    """{(domain, operator): model} of one node, the first in alphabetical order."""
    import onnx
    models = {}
    for case in sorted(os.listdir(folder)):
        path = os.path.join(folder, case, "model.onnx")
        if not os.path.exists(path):
            continue
        model = onnx.load(path)
        nodes = model.graph.node
        if len(nodes) == 1 and nodes[0].domain in ("", "ai.onnx.ml"):
            models.setdefault((nodes[0].domain, nodes[0].op_type), model)
    return models


def type_names(schema, variable):
    """Element types that a schema allows for a type variable."""
    for constraint in schema.type_constraints:
        if constraint.type_param_str == variable:
            return {text[7:-1] for text in constraint.allowed_type_strs if text.startswith("tensor(")}
    return set()


def schema_of(node, model):
    import onnx
    version = next(item.version for item in model.opset_import if item.domain == node.domain)
    return onnx.defs.get_schema(node.op_type, version, node.domain)


def retyped(model, schema, kind):
    """A copy whose values of the first input's type variable are of `kind`; None = the schema has no such type."""
    import onnx
    node = model.graph.node[0]
    variable = schema.inputs[0].type_str if schema.inputs else ""
    if kind not in type_names(schema, variable):
        return None
    code = onnx.TensorProto.DataType.Value(kind.upper())
    copy = onnx.ModelProto()
    copy.CopyFrom(model)
    values = {value.name: value for value in [*copy.graph.input, *copy.graph.output]}
    for names, formals in ((node.input, schema.inputs), (node.output, schema.outputs)):
        for index, name in enumerate(names):
            formal = formals[min(index, len(formals) - 1)]
            if name in values and formal.type_str == variable and values[name].type.HasField("tensor_type"):
                values[name].type.tensor_type.elem_type = code
    return copy


def loads_onnxruntime(path):
    import onnxruntime
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    try:
        onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    except Exception:  # each kind of error means that it does not run
        return False
    return True


def loads_openvino(path):
    import openvino
    core = openvino.Core()
    try:
        core.compile_model(core.read_model(path), "CPU")
    except Exception:
        return False
    return True


def supported(program, path, toolchain):
    done = subprocess.run([program, "support", path, "--target", "x86-avx512", "--toolchain", f"cpu={toolchain}",
                           "--json", "--quiet"], capture_output=True, text=True)
    if done.returncode != 0:
        return None
    rows = [row for row in json.loads(done.stdout)["rows"] if row["unit"] == "cpu"]
    return all(row["supported"] != "no" for row in rows) if rows else None


def answers(program, path):
    """(runtime takes it, PROGRAM takes it) by toolchain."""
    taken = dict(zip(TOOLCHAINS, (loads_onnxruntime(path), loads_openvino(path))))
    return {name: (taken[name], supported(program, path, name)) for name in TOOLCHAINS}


def write_models(testdata, only, folder):
    """{(operator, element type): path}"""
    import onnx
    paths = {}
    for (domain, op), model in first_models(os.path.join(testdata, "node")).items():
        if only and op != only:
            continue
        schema = schema_of(model.graph.node[0], model)
        for kind in TYPES:
            copy = retyped(model, schema, kind)
            if copy is None:
                continue
            paths[domain, op, kind] = os.path.join(folder, f"{op}-{kind}.onnx")
            onnx.save(copy, paths[domain, op, kind])
    return paths


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("testdata")
    parser.add_argument("--only", default="")
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    if not os.path.isdir(options.testdata):
        print(f"DID NOT RUN: {options.testdata} is not there; nothing was loaded")
        return SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        paths = write_models(options.testdata, options.only, folder)
        with concurrent.futures.ProcessPoolExecutor(2) as pool:
            found = dict(zip(paths, pool.map(answers, [options.program] * len(paths), paths.values(), chunksize=8)))
    print("toolchain           models  both take  both refuse  only here  only the runtime")
    for name in TOOLCHAINS:
        pairs = {model: pair[name] for model, pair in found.items() if pair[name][1] is not None}
        counts = collections.Counter(pairs.values())
        print(f"{name:18} {len(pairs):7} {counts[True, True]:10} {counts[False, False]:12} {counts[False, True]:10} "
              f"{counts[True, False]:17}")
        for here, word in ((True, "only here"), (False, "only the runtime")):
            for domain, op, kind in sorted(model for model, pair in pairs.items() if pair == (not here, here)):
                if options.list:
                    print(f"    {word}: {domain + ' ' if domain else ''}{op} of {kind}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
