"""A network under a latency budget: which widths of its stages keep most multiplications for the time they take.

    python3 narrow_network.py TARGET BUDGET_MS

Draws residual networks of four stages at random, times all their layers at once, and keeps the ones that no other beats
in both time and work. Work stands for accuracy here; a real search trains or scores the networks that are left.
"""

import sys

import numpy as np
import onnx_hwest

NETWORKS = 2000
BLOCKS = (2, 2, 2, 2)
SIZES = (56, 28, 14, 7)


def layers_of(widths):
    """In channels, out channels, size, kernel and stride of each layer: an array of layers for an array of networks."""
    rows, before = [], 64
    for width, blocks, size in zip(widths, BLOCKS, SIZES):
        for block in range(blocks):
            stride = 2 if block == 0 and size < SIZES[0] else 1
            rows.append((before, width, size * stride, 3, stride))
            rows.append((width, width, size, 3, 1))
            if block == 0:
                rows.append((before, width, size * stride, 1, stride))
            before = width
    columns = [np.stack(np.broadcast_arrays(*column)) for column in zip(*rows)]
    return [column if column.ndim == 2 else column[:, None] for column in columns]


def main(target, budget_ms):
    random = np.random.default_rng(0)
    predictor = onnx_hwest.Predictor(target)
    widths = [random.integers(base // 8, base // 4, NETWORKS) * 8 for base in (64, 128, 256, 512)]
    inputs, outputs, size, kernel, stride = layers_of(widths)
    seconds = predictor.conv(inputs, outputs, size, kernel, stride=stride, activation="Relu").sum(axis=0)
    macs = (inputs * outputs * kernel**2 * (size // stride)**2).sum(axis=0)
    if np.isnan(seconds).all():
        print(f"{target} runs none of these layers")
        return 1
    fits = np.flatnonzero(seconds * 1e3 <= float(budget_ms))
    print(f"{len(fits)} of {NETWORKS} networks within {budget_ms} ms on {target}")
    best = sorted(fits, key=lambda network: -macs[network])[:5]
    for network in best:
        print(f"{seconds[network] * 1e3:8.3f} ms {macs[network] / 1e9:6.2f} GMACs  widths",
              " ".join(str(width[network]) for width in widths))
    return 0


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: narrow_network.py TARGET BUDGET_MS")
    try:
        sys.exit(main(*sys.argv[1:]))
    except onnx_hwest.Error as error:
        sys.exit(f"narrow_network: {error}")
