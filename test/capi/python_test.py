"""The Python package over the library."""

import gc
import os
import pathlib
import pickle
import subprocess
import sys
import threading
import unittest

import onnx_hwest

SOURCE = os.environ["HWEST_SOURCE_DIR"]
RESNET = os.path.join(SOURCE, "examples", "models", "resnet18.onnx")
BERT = os.path.join(SOURCE, "test", "models", "bert-base_128.ts.onnx")
MACS = 1814073344


class ModelTest(unittest.TestCase):
    def test_totals_and_groups(self):
        with onnx_hwest.load(RESNET) as model:
            analysis = model.analyze("jetson-orin", only=["gpu"])
        totals = analysis.totals
        self.assertEqual(totals.macs, MACS)
        self.assertEqual(totals.target, "jetson-agx-orin-64gb")
        self.assertEqual(totals.costed_nodes, totals.nodes)
        self.assertGreater(totals.latency_s, 0)
        self.assertEqual(sum(group.macs for group in analysis.groups), MACS)
        self.assertEqual({group.unit for group in analysis.groups}, {"gpu"})
        self.assertEqual([group.id for group in analysis.groups], list(range(len(analysis.groups))))

    def test_rows_are_those_of_the_json_report(self):
        analysis = onnx_hwest.load(RESNET).analyze("jetson-orin")
        report = analysis.to_dict()
        self.assertEqual(report["schema"], "onnx-hwest/1")
        self.assertEqual(report["summary"]["macs"], analysis.totals.macs)
        self.assertAlmostEqual(report["summary"]["latency_s"], analysis.totals.latency_s)
        self.assertEqual(len(report["groups"]), len(analysis.groups))
        for row, group in zip(report["groups"], analysis.groups):
            self.assertEqual((row["pattern"], tuple(row["nodes"]), row["unit"], row["bound"], row["macs"]),
                             (group.pattern, group.nodes, group.unit, group.bound, group.macs))
            self.assertAlmostEqual(row["time_s"], group.time_s)

    def test_bytes(self):
        with open(RESNET, "rb") as file:
            data = file.read()
        for source in (data, bytearray(data), memoryview(data)):
            self.assertEqual(onnx_hwest.load(source, name="mine").analyze().totals.macs, MACS)

    def test_unknown_is_none(self):
        totals = onnx_hwest.load(RESNET).analyze().totals
        self.assertEqual(totals.macs, MACS)
        self.assertIsNone(totals.latency_s)
        self.assertIsNone(totals.peak_memory_bytes)
        self.assertIsNone(totals.target)
        self.assertIsNone(totals.grade)

    def test_free_dims_are_formulas_until_bound(self):
        model = onnx_hwest.load(BERT)
        self.assertIn("seq", model.analyze().totals.macs)
        for options in ({"dims": {"batch": 1, "seq": 128}}, {"shapes": {"": (1, 128)}},
                        {"shapes": {"input_ids": (1, 128)}, "dims": {"batch": 1}}):
            self.assertEqual(model.analyze("jetson-orin", **options).totals.macs, 11174215680)

    def test_contents_of_inputs(self):
        model = onnx_hwest.load(BERT)
        mask = {"attention_mask": [[1] * 16]}
        self.assertEqual(model.analyze(values=mask).totals.macs, model.analyze(shapes={"": (1, 16)}).totals.macs)
        with self.assertRaises(onnx_hwest.Error) as caught:
            model.analyze(values={"input_ids": pathlib.Path("none")})
        self.assertIn("./none", str(caught.exception))

    def test_options(self):
        model = onnx_hwest.load(RESNET)
        totals = model.analyze("jetson-orin", batch=2, mode="30W", precision="int8", objective="energy").totals
        self.assertEqual((totals.batch, totals.mode, totals.precision), (2, "30W", "int8"))
        fused, unfused = model.analyze("jetson-orin"), model.analyze("jetson-orin", fusions="none")
        self.assertGreater(len(unfused.groups), len(fused.groups))
        denied = model.analyze("jetson-orin", deny=["Gemm@gpu", "Gemm@dla0", "Gemm@dla1"])
        self.assertEqual(denied.groups[-1].unit, "cpu")

    def test_reports(self):
        analysis = onnx_hwest.load(RESNET).analyze("jetson-orin")
        self.assertIn("jetson-agx-orin-64gb", analysis.report())
        self.assertEqual(len(analysis.report("csv", top=3).splitlines()), 4)
        self.assertEqual(len(analysis.report("csv", level="node", top=0).splitlines()), 1 + analysis.totals.nodes)
        self.assertEqual(analysis.to_dict("explain", node="#20")["kind"], "explain")
        self.assertTrue(analysis.report("png").startswith(b"\x89PNG"))


class ErrorTest(unittest.TestCase):
    def error_of(self, call, *args, **options):
        with self.assertRaises(onnx_hwest.Error) as caught:
            call(*args, **options)
        return caught.exception

    def test_message_code_and_status(self):
        error = self.error_of(onnx_hwest.load, "no/such/model.onnx")
        self.assertEqual((error.code, error.status), ("model_missing", 5))
        self.assertIn("no/such/model.onnx", str(error))
        self.assertEqual(error.message, str(error))
        self.assertEqual(pickle.loads(pickle.dumps(error)).code, "model_missing")

    def test_codes(self):
        model = onnx_hwest.load(BERT)
        self.assertEqual(self.error_of(onnx_hwest.load, b"not a model").code, "model_format")
        self.assertEqual(self.error_of(model.analyze, "jetson-orin").code, "free_dims")
        error = self.error_of(model.analyze, "jetson-orni", dims={"batch": 1, "seq": 8})
        self.assertEqual(error.code, "target_unknown")
        self.assertEqual(self.error_of(model.analyze, dims={"nobody": 1}).code, "bind_conflict")
        self.assertEqual(self.error_of(model.analyze, deny=["Conv"]).code, "usage")
        self.assertIn("op-rules:1:10", str(self.error_of(model.analyze, op_rules="my::A(x) y")))

    def test_arguments(self):
        model = onnx_hwest.load(RESNET)
        for options in ({"objective": "speed"}, {"batch": 0}, {"batch": 1.5}, {"max_segments": -1}, {"mode": "a\0b"}):
            with self.assertRaises(ValueError, msg=options):
                model.analyze("jetson-orin", **options)
        with self.assertRaises(TypeError):
            model.analyze("jetson-orin", only="gpu")
        with self.assertRaises(ValueError):
            model.analyze().report("yaml")


class LifetimeTest(unittest.TestCase):
    def test_closed(self):
        with onnx_hwest.load(RESNET) as model:
            with model.analyze() as analysis:
                pass
            with self.assertRaisesRegex(ValueError, "analysis is closed"):
                analysis.report()
        model.close()
        with self.assertRaisesRegex(ValueError, "model is closed"):
            model.analyze()

    def test_any_order(self):
        model = onnx_hwest.load(RESNET)
        first, second = model.analyze("jetson-orin"), model.analyze("jetson-orin")
        del first
        model.close()
        gc.collect()
        self.assertEqual(second.totals.macs, MACS)

    def test_threads_share_a_model(self):
        model, macs = onnx_hwest.load(RESNET), {}

        def analyze(batch):
            macs[batch] = model.analyze("jetson-orin", batch=batch).totals.macs

        threads = [threading.Thread(target=analyze, args=(batch,)) for batch in (1, 2, 4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(macs, {n: n * MACS for n in (1, 2, 4)})


class LibraryTest(unittest.TestCase):
    def test_versions_agree(self):
        self.assertEqual(onnx_hwest.library_version(), onnx_hwest.__version__)

    def test_library_is_looked_for_in_order(self):
        self.assertEqual(onnx_hwest.library_path(), os.environ["HWEST_LIBRARY"])
        code = "import os, onnx_hwest; del os.environ['HWEST_LIBRARY']; print(onnx_hwest.library_path())"
        found = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
        self.assertEqual(os.path.basename(found.strip()), "libhwest.so.1")

    def test_missing_library(self):
        environment = dict(os.environ, HWEST_LIBRARY="/no/such/libhwest.so")
        command = [sys.executable, "-m", "onnx_hwest", RESNET]
        run = subprocess.run(command, env=environment, capture_output=True, text=True)
        self.assertNotEqual(run.returncode, 0)
        self.assertIn("set HWEST_LIBRARY", run.stderr)


class MainTest(unittest.TestCase):
    def run_main(self, *args):
        run = subprocess.run([sys.executable, "-m", "onnx_hwest", *args], capture_output=True, text=True)
        return run.returncode, run.stdout, run.stderr

    def test_text(self):
        code, out, err = self.run_main(RESNET, "--target", "jetson-orin")
        self.assertEqual((code, err), (0, ""))
        self.assertIn("jetson-agx-orin-64gb", out)

    def test_binding(self):
        dims = ("--dim", "batch=1", "--dim", "seq=128")
        code, out, _ = self.run_main(BERT, "--target", "jetson-orin", *dims, "--format", "json")
        self.assertEqual(code, 0)
        self.assertIn("11174215680", out)

    def test_exit_codes(self):
        cases = {
            (RESNET, "--target", "nowhere"): 4,
            ("no.onnx",): 3,
            (BERT, "--target", "jetson-orin"): 5,
            (RESNET, "--batch", "0"): 2,
            (RESNET, "--shape", "1xA"): 2,
        }
        for args, want in cases.items():
            code, out, err = self.run_main(*args)
            self.assertEqual((code, out), (want, ""), msg=args)
            self.assertIn("error: ", err)


if __name__ == "__main__":
    unittest.main()
