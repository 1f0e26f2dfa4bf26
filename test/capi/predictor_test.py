#!/usr/bin/env python3
"""onnx_hwest.Predictor: every time is that of the analysis of a model of the layer alone. NumPy lies in the environment
of onnx-hwest[sweep]. Skipped (77) without."""

import math
import os
import pathlib
import pickle
import random
import re
import subprocess
import sys
import unittest

_DEFAULT = pathlib.Path.home() / ".cache/onnx-hwest/sweep-venv/bin/python"
_OTHER = os.environ.get("ONNX_HWEST_SWEEP_PYTHON", str(_DEFAULT))

try:
    import numpy as np
except ImportError:
    if not os.access(_OTHER, os.X_OK) or os.environ.get("HWEST_PREDICTOR_TEST"):
        print(f"DID NOT RUN: no NumPy at {_OTHER}: cmake/setup.sh --with-sweep installs it")
        sys.exit(77)
    os.execve(_OTHER, [_OTHER, *sys.argv], {**os.environ, "HWEST_PREDICTOR_TEST": "1"})

import onnx_hwest

SOURCE = pathlib.Path(os.environ["HWEST_SOURCE_DIR"])
sys.path.insert(0, str(SOURCE / "test" / "bench"))
from onnx_wire import field

TARGETS = ["jetson-orin", "tda4vm", "rk3588", "sa8295p", "hailo-8", "x86-avx512", "stm32n6", "stm32h7"]
FLOAT = 1


def typed(name, dims):
    shape = b"".join(field(1, field(1, dim)) for dim in dims)
    return field(1, name.encode()) + field(2, field(1, field(1, FLOAT) + field(2, shape)))


def attribute(name, values):
    if isinstance(values, int):
        return field(5, field(1, name.encode()) + field(3, values) + field(20, 2))
    return field(5, field(1, name.encode()) + b"".join(field(8, value) for value in values) + field(20, 7))


def node(op, inputs, output, **attributes):
    return field(1, b"".join(field(1, name.encode()) for name in inputs) + field(2, output.encode()) +
                 field(4, op.encode()) + b"".join(attribute(*item) for item in attributes.items()))


def model(op, data, weights, activation, **attributes):
    """A model of one layer, written here: x and weights in another file."""
    place = field(13, field(1, b"location") + field(2, b"weights"))
    tensor = b"".join(field(1, dim) for dim in weights) + field(2, FLOAT) + field(8, b"w") + place + field(14, 1)
    nodes = node(op, ["x", "w"], "a" if activation else "y", **attributes)
    if activation == "SiLU":
        nodes += node("Sigmoid", ["a"], "s") + node("Mul", ["a", "s"], "y")
    elif activation:
        nodes += node(activation, ["a"], "y")
    graph = nodes + field(2, b"g") + field(5, tensor) + field(11, typed("x", data)) + field(12, field(1, b"y"))
    return field(1, 10) + field(7, graph) + field(8, field(1, b"") + field(2, 23))


def seconds_of(bytes_, target, **options):
    with onnx_hwest.load(bytes_) as loaded, loaded.analyze(target, **options) as analysis:
        times = [group.time_s for group in analysis.groups]
    return math.nan if None in times else sum(times)


class PredictorTest(unittest.TestCase):
    def same(self, found, wanted, what):
        if math.isnan(wanted):
            self.assertTrue(math.isnan(found), what)
        else:
            self.assertTrue(math.isclose(found, wanted, rel_tol=1e-12), f"{what}: {found}, analysed {wanted}")

    def test_times_are_those_of_a_model_of_the_layer(self):
        draw = random.Random(3)
        for target in TARGETS:
            predictor = onnx_hwest.Predictor(target)
            rows = []
            for _ in range(12):
                groups = draw.choice([1, 1, 1, 2, 0])
                inputs = draw.randint(1, 300) * max(groups, 1)
                outputs = inputs if groups == 0 else draw.randint(1, 300) * groups
                rows.append((inputs, outputs, draw.randint(5, 70), draw.choice([1, 3, 5, 7]), draw.choice([1, 2]),
                             inputs if groups == 0 else groups, draw.choice([1, 1, 4])))
            for activation in (None, "Relu", "SiLU", "HardSwish"):
                columns = [np.array(column) for column in zip(*rows)]
                found = predictor.conv(*columns[:4], stride=columns[4], groups=columns[5], batch=columns[6],
                                       activation=activation)
                for row, time in zip(rows, found):
                    inputs, outputs, size, kernel, stride, groups, batch = row
                    pad = (kernel - 1) // 2
                    written = model("Conv", (batch, inputs, size, size), (outputs, inputs // groups, kernel, kernel),
                                    activation, strides=[stride] * 2, pads=[pad] * 4, dilations=[1, 1], group=groups)
                    self.same(float(time), seconds_of(written, target), f"{target} {activation} {row}")
            for m, k, n in ((1, 1000, 37), (197, 192, 576), (64, 63, 65)):
                written = model("MatMul", (1, m, k), (k, n), "Relu")
                self.same(predictor.matmul(m, k, n, activation="Relu"), seconds_of(written, target), f"{target} {m}")

    def test_layers_of_one_kind_are_each_their_own(self):
        # What one of them is found to be holds for others only as far as no limit of their sizes says otherwise.
        draw = random.Random(5)
        channels, sizes = (1, 2, 3, 8, 16, 63, 64, 300, 1024, 2049, 5000, 20000), (1, 2, 3, 7, 56, 300, 1100)
        rows = [(draw.choice(channels), draw.choice(channels), draw.choice(sizes)) for _ in range(14)]
        rows += [(1, 1, 1), (1, 1, 300), (20000, 1, 1), (1, 20000, 2)]
        columns = [np.array(column) for column in zip(*rows)]
        for target in TARGETS + ["hexagon-698", "ethos-u65-512", "coral-usb"]:
            predictor = onnx_hwest.Predictor(target)
            for activation in (None, "Relu", "SiLU", "HardSwish", "Tanh"):
                found = predictor.conv(*columns, kernel=1, activation=activation)
                for (inputs, outputs, size), time in zip(rows, found):
                    written = model("Conv", (1, inputs, size, size), (outputs, inputs, 1, 1), activation,
                                    strides=[1, 1], pads=[0] * 4, dilations=[1, 1], group=1)
                    self.same(float(time), seconds_of(written, target),
                              f"{target} {activation} {inputs} {outputs} {size}")

    def test_precision_is_that_of_the_analysis(self):
        written = model("Conv", (1, 64, 28, 28), (128, 64, 3, 3), None, pads=[1] * 4)
        for precision in ("fp16", "int8"):
            predictor = onnx_hwest.Predictor("jetson-orin", precision=precision)
            wanted = seconds_of(written, "jetson-orin", precision=precision)
            self.same(predictor.conv(64, 128, 28, 3), wanted, precision)

    def test_arrays_broadcast_and_numbers_give_a_number(self):
        predictor = onnx_hwest.Predictor("rk3588")
        table = predictor.conv(np.arange(1, 5)[:, None], np.arange(8, 65, 8), 14, 3)
        self.assertEqual(table.shape, (4, 8))
        self.assertIsInstance(predictor.conv(3, 8, 14, 3), float)
        self.assertEqual(predictor.conv(3, 8, 14, 3), table[2, 0])
        self.assertEqual(predictor.conv(np.array([], dtype=int), 8, 14).shape, (0,))
        # Rows that were asked for are remembered, in any order.
        self.assertTrue((predictor.conv(np.arange(4, 0, -1)[:, None], np.arange(8, 65, 8), 14, 3) == table[::-1]).all())

    def test_what_is_no_layer_has_no_time(self):
        predictor = onnx_hwest.Predictor("rk3588")
        found = predictor.conv(np.array([0, 8, 8, 8]), np.array([8, 8, 8, -1]), np.array([14, 14, 1, 14]), 3,
                               groups=np.array([1, 3, 1, 1]), padding=0)
        self.assertTrue(np.isnan(found).all())
        with self.assertRaisesRegex(onnx_hwest.Error, "no activation is called Nothing"):
            predictor.conv(8, 8, 14, activation="Nothing")
        with self.assertRaises(TypeError):
            predictor.conv(8.5, 8, 14)
        with self.assertRaises(onnx_hwest.Error):
            onnx_hwest.Predictor("no-such-target")

    def test_pickled(self):
        predictor = onnx_hwest.Predictor("tda4vm", batch=2)
        again = pickle.loads(pickle.dumps(predictor))
        self.assertEqual(again.conv(16, 32, 28, 3), predictor.conv(16, 32, 28, 3))
        self.assertEqual(again.conv(16, 32, 28, 3), onnx_hwest.Predictor("tda4vm").conv(16, 32, 28, 3, batch=2))

    def test_model(self):
        path = str(SOURCE / "examples" / "models" / "resnet18.onnx")
        with onnx_hwest.load(path) as loaded, loaded.analyze("tda4vm") as analysis:
            self.assertEqual(onnx_hwest.Predictor("tda4vm").model(path), analysis.totals.latency_s)

    def test_example(self):
        done = subprocess.run([sys.executable, str(SOURCE / "examples" / "narrow_network.py"), "jetson-orin", "5"],
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = r"^\d+ of 2000 networks within 5 ms on jetson-orin\n( +[0-9.]+ ms.*widths.*\n){5}$"
        self.assertRegex(done.stdout, lines)

    def test_search(self):
        done = subprocess.run([sys.executable, str(SOURCE / "examples" / "evolve_network.py"), "jetson-orin", "2"],
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        found = re.findall(r"^generation +\d+: +\d+ of 64 in time, the best of all (\d+) MMACs in ([0-9.]+) ms$",
                           done.stdout, flags=re.M)
        self.assertGreater(len(found), 8)
        work = [int(macs) for macs, _ in found]
        self.assertEqual(work, sorted(work))
        self.assertGreater(work[-1], work[0])
        self.assertTrue(all(float(milliseconds) <= 2 for _, milliseconds in found))
        self.assertEqual(len(re.findall(r"^ *\d+ px: \d+ blocks, ", done.stdout, flags=re.M)), 5)


if __name__ == "__main__":
    unittest.main()
