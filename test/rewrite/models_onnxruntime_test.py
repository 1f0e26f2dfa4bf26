#!/usr/bin/env python3
"""Rewrites whole models for targets and compares ONNX Runtime's results before and after.

usage: models_onnxruntime_test.py ONNX_HWEST TARGET,.. MODEL...

Weights that are not there are drawn at random, as onnx_hwest.measure does. Exits with 77 where onnxruntime,
onnx or numpy is missing: nothing was tested then.
"""

import importlib.util
import json
import pathlib
import re
import subprocess
import sys
import tempfile

try:
    import numpy
    import onnx
    import onnxruntime
except ImportError as missing:
    print(f"DID NOT RUN: {missing}; nothing was checked")
    sys.exit(77)

ROOT = pathlib.Path(__file__).resolve().parents[2]
LARGEST = 1e-4
SEQUENCE = 32  # tokens where a size is free


def measuring():
    spec = importlib.util.spec_from_file_location("measure_model",
                                                  ROOT / "capi" / "python" / "onnx_hwest" / "_measure_model.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["measure_model"] = module
    spec.loader.exec_module(module)
    return module


def tool(*words):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def free_dims(program, model, target):
    """The flags that bind what is free."""
    code, _, error = tool(program, model, "--target", target, "--json", "--quiet")
    if code != 5:
        return []
    flags = []
    for name, size in re.findall(r"--dim (\S+?)=(\d+)", error):
        flags += ["--dim", f"{name}={size if 'batch' in name.lower() else SEQUENCE}"]
    return flags


def session_of(path):
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def difference(before, after):
    largest = 0.0
    for a, b in zip(before, after, strict=True):
        if not isinstance(a, numpy.ndarray):
            continue
        if a.shape != b.shape or a.dtype != b.dtype:
            return float("inf")
        if a.dtype.kind != "f" or a.size == 0:
            continue
        good = numpy.isfinite(a)
        if not numpy.array_equal(good, numpy.isfinite(b)):
            return float("inf")
        if not good.any():
            continue
        scale = max(float(numpy.max(numpy.abs(a[good]))), 1e-6)
        largest = max(largest, float(numpy.max(numpy.abs(a[good].astype(numpy.float64) - b[good]))) / scale)
    return largest


def check(program, measure, source, target, folder):
    filled, output, again = folder / "filled.onnx", folder / "rewritten.onnx", folder / "again.onnx"
    model = onnx.load(str(source), load_external_data=False)
    measure.fill_weights(model, str(source.parent), 1)
    for graph in measure.graphs_of(model.graph):
        for tensor in graph.initializer:
            del tensor.external_data[:]
            tensor.ClearField("data_location")
    filled.write_bytes(model.SerializeToString())
    flags = free_dims(program, filled, target)
    code, text, error = tool(program, "rewrite", filled, "--target", target, *flags, "--json", "--quiet", "--output",
                             output)
    if code != 0:
        raise RuntimeError(error.strip()[:200])
    document = json.loads(text)
    before, after = document["before"]["summary"]["latency_s"], document["after"]["summary"]["latency_s"]
    if after > before:
        raise RuntimeError(f"slower: {before} s, then {after} s")
    # The sizes that were bound are in the file.
    code, text, error = tool(program, output, "--target", target, "--json", "--quiet")
    reread = json.loads(text)["summary"]["latency_s"] if code == 0 else None
    if reread is None or abs(reread - after) > 1e-9 * after:
        raise RuntimeError(f"the file itself takes {reread} s, not {after} s: {error.strip()[:120]}")
    session = session_of(filled)
    dims = dict(pair.split("=") for pair in flags[1::2])
    random, rows, feeds = numpy.random.default_rng(1), measure.table_rows(model.graph), {}
    for value in session.get_inputs():
        shape = measure.shape_of(value.name, value.shape, {name: int(size) for name, size in dims.items()})
        feeds[value.name] = measure.make_input(value.name, value.type, shape, rows.get(value.name), random)
    found = difference(session.run(None, feeds), session_of(output).run(None, feeds))
    if found > LARGEST:
        raise RuntimeError(f"the largest relative difference is {found:.2g} after "
                           f"{[r['name'] for r in document['rules']]}")
    code, text, error = tool(program, "rewrite", output, "--target", target, "--json", "--quiet", "--output", again)
    if code != 0:
        raise RuntimeError(f"it cannot be rewritten once more: {error.strip()[:120]}")
    twice = json.loads(text)["rules"]
    if twice:
        raise RuntimeError(f"rewriting once more changes it: {[row['name'] for row in twice]}")
    rules = ", ".join(f"{row['name']} x {row['places']}" for row in document["rules"]) or "none"
    return f"{before * 1e3:.3f} ms, then {after * 1e3:.3f} ms, largest difference {found:.1e}; rules: {rules}"


def main():
    program, targets, models = sys.argv[1], sys.argv[2].split(","), [pathlib.Path(path) for path in sys.argv[3:]]
    measure, problems, checked = measuring(), [], 0
    with tempfile.TemporaryDirectory() as folder:
        for model in models:
            for target in targets:
                try:
                    print(f"{model.stem} on {target}: {check(program, measure, model, target, pathlib.Path(folder))}",
                          flush=True)
                    checked += 1
                except Exception as problem:  # whatever is wrong is wrong with this model
                    problems.append(f"{model.stem} on {target}: {type(problem).__name__}: {str(problem)[:300]}")
                    print(problems[-1], flush=True)
    print(f"{checked} checked, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
