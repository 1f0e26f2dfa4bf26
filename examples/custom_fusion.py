"""A fusion that a toolchain does not have yet: what would it save?

    python3 custom_fusion.py MODEL TARGET
"""

import sys

import onnx_hwest

# A convolution, its ReLU and the pooling behind it in one kernel; see `onnx-hwest describe fusions`.
RULES = """
conv_relu_pool = MaxPool(Relu(Conv(x, w, b?)))
"""


def main(path, target):
    with onnx_hwest.load(path) as model:
        before = model.analyze(target)
        after = model.analyze(target, fusion_rules=RULES)
    found = [group for group in after.groups if group.pattern == "conv_relu_pool"]
    print(f"kernels  {len(before.groups)} before, {len(after.groups)} with it")
    print(f"matches  {len(found)}, {sum(group.saved_bytes for group in found) / 1e6:.2f} MB less to move")
    saved_s = before.totals.latency_s - after.totals.latency_s
    print(f"latency  {before.totals.latency_s * 1e3:.3f} ms before, {saved_s * 1e6:.1f} us less with it")
    return 0 if found else 1


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: custom_fusion.py MODEL TARGET")
    try:
        sys.exit(main(*sys.argv[1:]))
    except onnx_hwest.Error as error:
        sys.exit(f"custom_fusion: {error}")
