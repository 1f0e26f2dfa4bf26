#!/usr/bin/env python3
"""What each binding costs: ns for a row of groups, ms for load + analyse, and ratios to the C++ call.

usage: binding_bench.py BUILD_DIR [MODEL [TARGET]]

Needs the targets binding_bench and hwest. Times are the best of the runs, in one process for C++ and C and one for
Python.
"""

import ctypes
import os
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
RUNS = 50


def best(work, runs=RUNS):
    """Seconds of the fastest run."""
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def in_python(model, target):
    """The same figures through ctypes and through the package's dataclasses."""
    import onnx_hwest
    from onnx_hwest import _abi, _row_types, _rows
    from onnx_hwest._library import library

    analysis = onnx_hwest.load(model).analyze(target)
    pointer, count = analysis._open().pointer, len(analysis.groups)
    get, group = library().hwest_analysis_group_get, _abi.hwest_group()
    reference, size = ctypes.byref(group), ctypes.sizeof(group)

    def get_rows():
        for index in range(count):
            group.struct_size = size
            get(pointer, index, reference)

    def read_rows():
        _rows.read_rows(_row_types.Group, _abi.hwest_group, "hwest_analysis_group", pointer)

    return {
        "ctypes_get_row_ns": 1e9 * best(lambda: [get_rows() for _ in range(20)]) / (20 * count),
        "python_row_ns": 1e9 * best(lambda: [read_rows() for _ in range(20)]) / (20 * count),
        "python_analyze_s": best(lambda: onnx_hwest.load(model).analyze(target)),
    }


def main(build, model=None, target="jetson-orin"):
    build = pathlib.Path(build).resolve()
    model = model or str(ROOT / "examples" / "models" / "resnet18.onnx")
    os.environ.setdefault("HWEST_LIBRARY", str(build / "capi" / "libhwest.so"))
    sys.path.insert(0, str(ROOT / "capi" / "python"))
    run = subprocess.run([build / "binding_bench", model, target, str(RUNS)], check=True, capture_output=True,
                         text=True)
    figures = {name: float(value) for name, value in (line.split() for line in run.stdout.splitlines())}
    figures.update(in_python(model, target))
    print(f"{model} on {target}, {figures['rows']:.0f} rows")
    for what, unit, scale, names in (
            ("a row", "ns", 1, ("cpp_row_ns", "c_read_row_ns", "c_get_row_ns", "ctypes_get_row_ns", "python_row_ns")),
            ("load + analyse", "ms", 1e3, ("cpp_analyze_s", "c_analyze_s", "python_analyze_s"))):
        for name in names:
            ratio = figures[name] / figures[names[0]]
            print(f"  {what:15} {name.rsplit('_', 1)[0]:16} {figures[name] * scale:10.2f} {unit}  {ratio:8.2f} x C++")


if __name__ == "__main__":
    if not 2 <= len(sys.argv) <= 4:
        sys.exit(__doc__.strip())
    main(*sys.argv[1:])
