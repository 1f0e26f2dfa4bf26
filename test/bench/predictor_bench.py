#!/usr/bin/env python3
"""How many layers a second onnx_hwest.Predictor times: layers that all differ, those of a search over architectures,
and those that it remembers.

usage: predictor_bench.py BUILD_DIR [TARGET...]

Needs the target hwest, and NumPy. Each line is one run in one process.
"""

import os
import pathlib
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
ROWS = 20_000
NETWORKS, LAYERS = 5_000, 40


def rate(work, rows):
    start = time.perf_counter()
    work()
    return rows / (time.perf_counter() - start)


def main(build, *targets):
    os.environ.setdefault("HWEST_LIBRARY", str(pathlib.Path(build).resolve() / "capi" / "libhwest.so"))
    sys.path.insert(0, str(ROOT / "capi" / "python"))
    import numpy as np
    import onnx_hwest

    random = np.random.default_rng(1)
    for target in targets or ("jetson-orin", "tda4vm", "rk3588", "x86-avx512"):
        predictor = onnx_hwest.Predictor(target)
        inputs, outputs = random.integers(1, 1024, ROWS), random.integers(1, 1024, ROWS)
        size = random.integers(7, 113, ROWS)
        kernel = random.choice([1, 3, 5], ROWS)
        distinct = rate(lambda: predictor.conv(inputs, outputs, size, kernel), ROWS)
        # Widths in steps of 8, the sizes and windows of a network: rows repeat as they do in a search.
        shape = (NETWORKS, LAYERS)
        widths = random.integers(1, 33, shape) * 8
        before = np.roll(widths, 1, axis=1)
        sizes = np.repeat([112, 56, 28, 14, 7], LAYERS // 5)
        windows = np.where(np.arange(LAYERS) % 2 == 0, 1, 3)
        searched = onnx_hwest.Predictor(target)
        search = rate(lambda: searched.conv(before, widths, sizes, windows), widths.size)
        again = rate(lambda: searched.conv(before, widths, sizes, windows), widths.size)
        print(f"{target:16} {distinct:12,.0f} distinct/s {search:12,.0f} of a search/s {again:12,.0f} remembered/s")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(*sys.argv[1:])
