#!/usr/bin/env python3
"""quantize-plan --apply with the calibration of ONNX Runtime: the file loads there, and computes nearly the same.

usage: quantize_apply_test.py ONNX_HWEST SOURCE_DIR

See with_onnxruntime.py for the Python that it takes.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import with_onnxruntime

with_onnxruntime.need()

import numpy
import onnx
import onnx.parser
import onnxruntime
from onnxruntime import quantization

PROGRAM, SOURCE = pathlib.Path(sys.argv[-2]), pathlib.Path(sys.argv[-1])
del sys.argv[-2:]
PACKAGE = SOURCE / "capi" / "python"
ENVIRONMENT = {**os.environ, "PYTHON": sys.executable, "PYTHONPATH": str(PACKAGE), "PYTHONDONTWRITEBYTECODE": "1"}
GRAPH = """(float[1,3,32,32] x) => (float[1,10] y) {
 c = Conv<pads=[1,1,1,1], strides=[2,2]>(x, w1, b1)
 r = Relu(c)
 d = Conv<pads=[1,1,1,1], group=16>(r, w2)
 e = Conv(d, w3, b3)
 s = Add(e, r)
 u = ConvTranspose<strides=[2,2]>(s, w4)
 p = GlobalAveragePool(u)
 f = Flatten(p)
 t = Transpose<perm=[1,0]>(w5)
 m = MatMul(f, t)
 y = Gemm<transB=1>(m, w6, b6)
}"""
WEIGHTS = {"w1": (16, 3, 3, 3), "b1": (16,), "w2": (16, 1, 3, 3), "w3": (16, 16, 1, 1), "b3": (16,),
           "w4": (16, 8, 2, 2), "w5": (12, 8), "w6": (10, 12), "b6": (10,)}
TARGETS = ("jetson-orin", "rk3588", "sa8295p", "x86-avx512", "tda4vm")


def samples(count):
    source = numpy.random.default_rng(1)
    return [source.uniform(-1, 1, (1, 3, 32, 32)).astype(numpy.float32) for _ in range(count)]


class Reader(quantization.CalibrationDataReader):
    def __init__(self):
        self.left = iter(samples(8))

    def get_next(self):
        sample = next(self.left, None)
        return None if sample is None else {"x": sample}


class Apply(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        holder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(holder.cleanup)
        cls.folder = pathlib.Path(holder.name)
        cls.model = str(cls.folder / "model.onnx")
        model = onnx.parser.parse_model(f'<ir_version: 8, opset_import: ["" : 17]> agraph {GRAPH}')
        source = numpy.random.default_rng(0)
        for name, shape in WEIGHTS.items():
            scale = 1 / numpy.sqrt(max(1, numpy.prod(shape[1:])))
            weights = (source.standard_normal(shape) * scale).astype(numpy.float32)
            model.graph.initializer.append(onnx.numpy_helper.from_array(weights, name))
        onnx.save(model, cls.model)
        calibrator = quantization.create_calibrator(cls.model, None,
                                                    augmented_model_path=str(cls.folder / "augmented.onnx"),
                                                    calibrate_method=quantization.CalibrationMethod.MinMax)
        calibrator.collect_data(Reader())
        quantization.write_calibration_table(calibrator.compute_data().data, str(cls.folder))
        cls.ranges = str(cls.folder / "calibration.json")
        (cls.folder / "samples").mkdir()
        for at, sample in enumerate(samples(2)):
            numpy.savez(cls.folder / "samples" / f"{at}.npz", x=sample)

    def run_plan(self, *words):
        return subprocess.run([PROGRAM, "quantize-plan", self.model, *words], capture_output=True, text=True,
                              env=ENVIRONMENT)

    def test_runs_nearly_the_same(self):
        first = onnxruntime.InferenceSession(self.model)
        for target in TARGETS:
            with self.subTest(target=target):
                written = str(self.folder / f"{target}.onnx")
                done = self.run_plan("--target", target, "--formats", "int8", "--ranges", self.ranges, "--apply",
                                     written, "--verify", "2", "--samples", str(self.folder / "samples"), "--json")
                self.assertEqual(done.returncode, 0, done.stderr)
                report = json.loads(done.stdout)
                self.assertEqual(report["verify"]["verdict"], "equal")
                self.assertEqual(report["rules"][0]["name"], "quantize")
                onnx.checker.check_model(written, full_check=True)
                again = subprocess.run([PROGRAM, written, "--target", target, "--json", "--quiet"], capture_output=True,
                                       text=True)
                latency = json.loads(again.stdout)["summary"]["latency_s"]
                self.assertAlmostEqual(latency, report["after"]["summary"]["latency_s"], delta=1e-9 * latency)
                plan = self.run_plan("--target", target, "--formats", "int8", "--json", "--quiet")
                said = json.loads(plan.stdout)["plan"]["applied_latency_s"]
                self.assertAlmostEqual(latency, said, delta=1e-9 * latency)
                self.assertIn("as the plan said", done.stderr)
                second = onnxruntime.InferenceSession(written)
                for sample in samples(8):
                    one, two = (session.run(None, {"x": sample})[0] for session in (first, second))
                    self.assertLess(numpy.abs(one - two).max(), 0.05 * numpy.abs(one).max())

    def test_other_tables(self):
        written = str(self.folder / "other.onnx")
        ask = ["--target", "jetson-orin", "--formats", "int8", "--apply", written]
        for name in ("calibration.cache", "calibration.flatbuffers"):
            done = self.run_plan(*ask, "--ranges", str(self.folder / name))
            self.assertEqual(done.returncode, 2, done.stdout)
            self.assertIn("highest value alone", done.stderr)
        table = json.loads(pathlib.Path(self.ranges).read_text())
        lines = ["TRT-8501-EntropyCalibration2"]
        for name, entry in table.items():
            most = max(abs(float(numpy.max(entry[end]["data"]))) for end in ("lowest", "highest"))
            lines.append(f"{name}: {numpy.float32(most / 127).view(numpy.uint32):08x}")
        cache = self.folder / "trt.cache"
        cache.write_text("\n".join(lines) + "\n")
        done = self.run_plan(*ask, "--ranges", str(cache), "--verify", "2", "--samples", str(self.folder / "samples"))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("equal in 2 runs", done.stdout)

    def test_wrong_ranges_are_found(self):
        table = {name: [0, 1e-3] for name in json.loads(pathlib.Path(self.ranges).read_text())}
        wrong = self.folder / "wrong.json"
        wrong.write_text(json.dumps(table))
        done = self.run_plan("--target", "jetson-orin", "--formats", "int8", "--ranges", str(wrong),
                             "--apply", str(self.folder / "wrong.onnx"),
                             "--verify", "2", "--samples", str(self.folder / "samples"))
        self.assertEqual(done.returncode, 8, done.stdout)
        self.assertIn("differs", done.stdout)


if __name__ == "__main__":
    unittest.main()
