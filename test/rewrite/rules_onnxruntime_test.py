#!/usr/bin/env python3
"""Holds every rewrite rule to its word: ONNX Runtime computes the same before and after.

usage: rules_onnxruntime_test.py ONNX_HWEST [RULE...]

See with_onnxruntime.py for the Python that it takes.
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import with_onnxruntime

with_onnxruntime.need()

import cases
import numpy
import onnx
import onnx.parser
import onnxruntime

LARGEST = {"exact": 1e-4, "rounding": 1e-4, "approximate": 2e-3}
DRAWN = re.compile(r"(float|uint8|int8)\[([\d,]+)\] (w\d*|positive)\b(?!\s*=)")


def model_of(case, random):
    """The case as a model; initialisers without contents are drawn."""
    drawn = {}

    def take(match):
        shape = [int(size) for size in match.group(2).split(",")]
        numbers = random.standard_normal(shape).astype(numpy.float32) * 0.5
        if match.group(1) != "float":
            span = numpy.iinfo(match.group(1))
            numbers = random.integers(span.min, span.max, shape, match.group(1), endpoint=True)
        drawn[match.group(3)] = numpy.abs(numbers) + 0.5 if match.group(3) == "positive" else numbers
        return ""

    head, body = case["graph"].split("{ y", 1) if "{ y" in case["graph"] else case["graph"].split("{\n", 1)
    joint = "{ y" if "{ y" in case["graph"] else "{\n"
    head = DRAWN.sub(take, head)
    head = re.sub(r"<[\s,]*>", "", re.sub(r",(\s*,)+", ",", head))
    head = re.sub(r",\s*>", ">", re.sub(r"<\s*,\s*", "<", head))
    text = (f'<ir_version: 8, opset_import: ["" : {case["opset"]}, "{cases.MS}" : 1]>\n'
            f"agraph {head}{joint}{body}")
    model = onnx.parser.parse_model(text)
    for name, numbers in drawn.items():
        model.graph.initializer.append(onnx.numpy_helper.from_array(numbers, name))
    return model


def run(path, feeds):
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    return session.run(None, feeds)


def difference(before, after):
    largest = 0.0
    for a, b in zip(before, after, strict=True):
        if a.shape != b.shape or a.dtype != b.dtype:
            return float("inf")
        scale = max(float(numpy.max(numpy.abs(a))), 1e-6)
        largest = max(largest, float(numpy.max(numpy.abs(a.astype(numpy.float64) - b))) / scale)
    return largest


def optimise(path):
    """Replaces the model by what ONNX Runtime saves behind its optimiser; whether that is in blocks of channels."""
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL
    options.optimized_model_filepath = str(path)
    options.log_severity_level = 3
    onnxruntime.InferenceSession(path.read_bytes(), options, providers=["CPUExecutionProvider"])
    return any(node.domain == "com.microsoft.nchwc" for node in onnx.load(path).graph.node)


def rewrite(program, rule, source, output):
    command = [program, "rewrite", str(source), "--rule", rule, "--allow-approximate", "--output", str(output),
               "--json",
               "--quiet"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(done.stderr.strip())
    return json.loads(done.stdout)


def check(program, case, folder, random):
    """Returns (largest relative difference, places); raises when something is wrong."""
    source, output, again = folder / "before.onnx", folder / "after.onnx", folder / "again.onnx"
    model = model_of(case, random)
    onnx.save(model, source)
    if case.get("optimised") and not optimise(source):
        print(f"{case['rule']}: DID NOT RUN, ONNX Runtime has no blocks of channels on this machine")
        return 0.0, 0, "rounding"
    document = rewrite(program, case["rule"], source, output)
    rules = {row["name"]: row for row in document["rules"]}
    if case["rule"] not in rules:
        raise RuntimeError("the rule did not apply")
    if case.get("check", True):
        onnx.checker.check_model(str(output), full_check=True)
    feeds = {}
    for value in model.graph.input:
        shape = [dim.dim_value for dim in value.type.tensor_type.shape.dim]
        kind = onnx.helper.tensor_dtype_to_np_dtype(value.type.tensor_type.elem_type)
        is_integer = numpy.issubdtype(kind, numpy.integer)
        drawn = random.integers(-3, 3, shape) if is_integer else random.standard_normal(shape) * 2
        feeds[value.name] = drawn.astype(kind)
    found = difference(run(source, feeds), run(output, feeds))
    if found > LARGEST[rules[case["rule"]]["exactness"]]:
        raise RuntimeError(f"the largest relative difference is {found:.2g}")
    if rewrite(program, case["rule"], output, again)["rules"] or again.read_bytes() != output.read_bytes():
        raise RuntimeError("rewriting the result once more changes it")
    return found, rules[case["rule"]]["places"], rules[case["rule"]]["exactness"]


def main():
    program, wanted = sys.argv[1], sys.argv[2:]
    listed = json.loads(subprocess.run([program, "describe", "rewrites", "--json"], capture_output=True,
                                       check=True).stdout)
    names = [row["name"] for row in listed["rewrites"]]
    problems = [f"{name}: no case in cases.py" for name in names if name not in {case["rule"] for case in cases.CASES}]
    with tempfile.TemporaryDirectory() as folder:
        for index, case in enumerate(cases.CASES):
            if wanted and case["rule"] not in wanted:
                continue
            try:
                found, places, exactness = check(program, case, pathlib.Path(folder), numpy.random.default_rng(index))
                print(f"{case['rule']:32} {exactness:12} {places:2} places, largest relative difference {found:.1e}")
            except Exception as problem:  # whatever is wrong is wrong with this case
                problems.append(f"{case['rule']}: {str(problem)[:400]}")
    print("\n".join(problems + [f"{len(names)} rules, {len(cases.CASES)} cases, {len(problems)} problems"]))
    return 1 if problems or len(names) < 40 else 0


if __name__ == "__main__":
    sys.exit(main())
