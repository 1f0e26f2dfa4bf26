#!/usr/bin/env python3
"""Holds `rewrite --opset` to its word: ONNX Runtime computes the same before and after.

usage: opset_onnxruntime_test.py ONNX_HWEST

Exits with 77 where onnxruntime, onnx or numpy is missing: nothing was tested then.
"""

import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import rules_onnxruntime_test as sides  # exits with 77 where something is missing

# isort: split
import numpy
import onnx
import opset_cases

LARGEST = 1e-4


def check(program, case, folder, random):
    """The largest relative difference; raises when something is wrong."""
    newer, older, graph = case
    source, output = folder / "before.onnx", folder / "after.onnx"
    model = sides.model_of({"graph": graph, "opset": newer}, random)
    onnx.save(model, source)
    command = [program, "rewrite", str(source), "--opset", str(older), "--rule", "dead_removed", "--output",
               str(output)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(done.stderr.strip())
    onnx.checker.check_model(str(output), full_check=True)
    imports = {each.domain: each.version for each in onnx.load(output).opset_import}
    if imports[""] != older:
        raise RuntimeError(f"the file is of operator set {imports['']}")
    feeds = {}
    for value in model.graph.input:
        shape = [dim.dim_value for dim in value.type.tensor_type.shape.dim]
        feeds[value.name] = (random.standard_normal(shape) * 2).astype(numpy.float32)
    before, after = sides.run(source, feeds), sides.run(output, feeds)
    found = sides.difference([each.astype(numpy.float32) for each in before],
                             [each.astype(numpy.float32) for each in after])
    if found > LARGEST:
        raise RuntimeError(f"the largest relative difference is {found:.2g}")
    return found


def main():
    problems = 0
    with tempfile.TemporaryDirectory() as folder:
        for index, case in enumerate(opset_cases.CASES):
            body = " ".join(case[2].split("{\n", 1)[1].split())
            name = f"{case[0]} to {case[1]}: {body[:80]}"
            try:
                found = check(sys.argv[1], case, pathlib.Path(folder), numpy.random.default_rng(index))
                print(f"{name:100} {found:.1e}")
            except Exception as problem:  # whatever is wrong is wrong with this case
                problems += 1
                print(f"{name}: {str(problem)[:400]}")
    print(f"{len(opset_cases.CASES)} cases, {problems} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
