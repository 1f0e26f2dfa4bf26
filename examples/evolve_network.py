"""A small architecture search: mutates the best networks found so far, and keeps those that a chip runs in time.

    python3 evolve_network.py TARGET BUDGET_MS

A network is five stages of inverted residual blocks: depth, width, expansion and kernel of each. A generation is
timed in one call. Work stands for accuracy here, which a real search trains or predicts.
"""

import sys

import numpy as np
import onnx_hwest

GENERATIONS, CHILDREN, PARENTS = 12, 64, 16
SIZES = (112, 56, 28, 14, 7)
CHOICES = {"depth": (1, 2, 3, 4), "width": tuple(range(16, 321, 8)), "expansion": (2, 3, 4, 6), "kernel": (3, 5, 7)}


def drawn(random):
    return [{what: int(random.choice(values)) for what, values in CHOICES.items()} for _ in SIZES]


def mutated(network, random):
    child = [dict(stage) for stage in network]
    what = str(random.choice(list(CHOICES)))
    child[random.integers(len(child))][what] = int(random.choice(CHOICES[what]))
    return child


def layers_of(network):
    """Rows of in channels, out channels, size of the input, kernel, stride, groups."""
    rows, before = [(3, 16, 224, 3, 2, 1)], 16
    for stage, size in zip(network, SIZES):
        for block in range(stage["depth"]):
            stride = 2 if block == 0 and size < SIZES[0] else 1
            wide = before * stage["expansion"]
            rows += [(before, wide, size * stride, 1, 1, 1), (wide, wide, size * stride, stage["kernel"], stride, wide),
                     (wide, stage["width"], size, 1, 1, 1)]
            before = stage["width"]
    return rows


def timed(predictor, networks):
    """Seconds and multiplications of each, all layers of a generation at once."""
    layers = [layers_of(network) for network in networks]
    of = np.repeat(np.arange(len(layers)), [len(rows) for rows in layers])
    inputs, outputs, size, kernel, stride, groups = np.array([row for rows in layers for row in rows]).T
    seconds = predictor.conv(inputs, outputs, size, kernel, stride=stride, groups=groups, activation="Relu")
    macs = inputs // groups * outputs * kernel**2 * (size // stride)**2
    return np.bincount(of, seconds), np.bincount(of, macs)


def main(target, budget_ms):
    random = np.random.default_rng(0)
    predictor = onnx_hwest.Predictor(target)
    found = []  # work, seconds, network; the best first
    children = [drawn(random) for _ in range(CHILDREN)]
    for generation in range(GENERATIONS):
        seconds, macs = timed(predictor, children)
        if np.isnan(seconds).all():
            print(f"{target} runs none of these layers")
            return 1
        fits = np.flatnonzero(seconds * 1e3 <= float(budget_ms))
        found += [(macs[child], seconds[child], children[child]) for child in fits]
        found = sorted(found, key=lambda entry: -entry[0])[:PARENTS]
        if found:
            print(f"generation {generation + 1:2}: {len(fits):2} of {CHILDREN} in time, the best of all "
                  f"{found[0][0] / 1e6:.0f} MMACs in {found[0][1] * 1e3:.3f} ms")
        children = [mutated(found[random.integers(len(found))][2], random) if found else drawn(random)
                    for _ in range(CHILDREN)]
    if not found:
        print(f"none within {budget_ms} ms on {target}")
        return 1
    for stage, size in zip(found[0][2], SIZES):
        print(f"{size:4} px: {stage['depth']} blocks, {stage['width']} channels, {stage['expansion']} times as wide "
              f"inside, {stage['kernel']} x {stage['kernel']}")
    return 0


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: evolve_network.py TARGET BUDGET_MS")
    try:
        sys.exit(main(*sys.argv[1:]))
    except onnx_hwest.Error as error:
        sys.exit(f"evolve_network: {error}")
