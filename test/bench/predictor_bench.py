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


def rate(predictor, columns, activation=None):
    """Layers a second."""
    start = time.perf_counter()
    seconds = predictor.conv(*columns, activation=activation)
    return seconds.size / (time.perf_counter() - start)


def main(build, *targets):
    os.environ.setdefault("HWEST_LIBRARY", str(pathlib.Path(build).resolve() / "capi" / "libhwest.so"))
    sys.path.insert(0, str(ROOT / "capi" / "python"))
    import numpy as np
    import onnx_hwest

    random = np.random.default_rng(1)
    distinct = (random.integers(1, 1024, ROWS), random.integers(1, 1024, ROWS), random.integers(7, 113, ROWS),
                random.choice([1, 3, 5], ROWS))
    # Widths in steps of 8, the sizes and windows of a network: rows repeat as they do in a search.
    widths = random.integers(1, 33, (NETWORKS, LAYERS)) * 8
    search = (np.roll(widths, 1, axis=1), widths, np.repeat([112, 56, 28, 14, 7], LAYERS // 5),
              np.where(np.arange(LAYERS) % 2 == 0, 1, 3))
    for target in targets or ("jetson-orin", "tda4vm", "rk3588", "x86-avx512"):
        for activation in (None, "Relu"):
            apart = rate(onnx_hwest.Predictor(target), distinct, activation)
            predictor = onnx_hwest.Predictor(target)
            searched, again = rate(predictor, search, activation), rate(predictor, search, activation)
            print(f"{target:14} {activation or '':4} {apart:11,.0f} distinct/s {searched:11,.0f} of a search/s "
                  f"{again:11,.0f} remembered/s")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(*sys.argv[1:])
