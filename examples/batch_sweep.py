"""The batch size that serves most inferences per second within a latency budget.

    python3 batch_sweep.py MODEL TARGET BUDGET_MS
"""

import sys

import onnx_hwest


def main(path, target, budget_ms):
    best = None
    print(f"{'batch':>5} {'latency ms':>11} {'per second':>11} {'mJ each':>8}")
    with onnx_hwest.load(path) as model:
        for batch in (1, 2, 4, 8, 16, 32):
            totals = model.analyze(target, batch=batch).totals
            energy_mj = "unknown" if totals.energy_j is None else f"{totals.energy_j / batch * 1e3:.3f}"
            print(f"{batch:5} {totals.latency_s * 1e3:11.3f} {totals.throughput_per_s:11.1f} {energy_mj:>8}")
            fits = totals.latency_s * 1e3 <= float(budget_ms)
            if fits and (best is None or totals.throughput_per_s > best.throughput_per_s):
                best = totals
    if best is None:
        print(f"no batch size meets {budget_ms} ms")
        return 1
    print(f"best within {budget_ms} ms: batch {best.batch}, {best.throughput_per_s:.1f} per second on {best.target}")
    return 0


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit("usage: batch_sweep.py MODEL TARGET BUDGET_MS")
    try:
        sys.exit(main(*sys.argv[1:]))
    except onnx_hwest.Error as error:
        sys.exit(f"batch_sweep: {error}")
