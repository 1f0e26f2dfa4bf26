#!/usr/bin/env python3
"""onnx_hwest.measure with runtimes that this machine lacks: programs and modules that answer in the documented form of
the real ones. What they check is how the tool asks and what it makes of the answers, not the runtimes."""

import contextlib
import csv
import io
import os
import sys
import tempfile
import types
import unittest
from types import SimpleNamespace

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "capi", "python"))
sys.dont_write_bytecode = True
from onnx_hwest import _measure_runtimes as runtimes
from onnx_hwest import measure

TIMES = """[
  { "startInMs" : 1.0, "endInMs" : 1.2, "startComputeMs" : 10, "endComputeMs" : 12.5, "startOutMs" : 12.5,
    "endOutMs" : 12.6, "inMs" : 0.2, "computeMs" : 2.5, "outMs" : 0.1, "latencyMs" : 2.8, "endToEndMs" : 2.9 }
, { "startInMs" : 3.0, "endInMs" : 3.2, "startComputeMs" : 20, "endComputeMs" : 21.5, "startOutMs" : 21.5,
    "endOutMs" : 21.6, "inMs" : 0.2, "computeMs" : 1.5, "outMs" : 0.1, "latencyMs" : 1.8, "endToEndMs" : 1.9 }
, { "startInMs" : 5.0, "endInMs" : 5.2, "startComputeMs" : 30, "endComputeMs" : 37, "startOutMs" : 37,
    "endOutMs" : 37.1, "inMs" : 0.2, "computeMs" : 7, "outMs" : 0.1, "latencyMs" : 7.3, "endToEndMs" : 7.4 }
]"""
LOG = """&&&& RUNNING TensorRT.trtexec [TensorRT v100300] # trtexec --onnx=model.onnx
[11/20/2024-10:00:00] [I] === Device Information ===
[11/20/2024-10:00:00] [I] Selected Device: Orin
[11/20/2024-10:00:00] [I] TensorRT version: 10.3.0
[11/20/2024-10:00:09] [I] GPU Compute Time: min = 1.5 ms, max = 7 ms, mean = 3.66667 ms, median = 2.5 ms
&&&& PASSED TensorRT.trtexec [TensorRT v100300] # trtexec --onnx=model.onnx
"""
REFUSED = """&&&& RUNNING TensorRT.trtexec [TensorRT v8502] # trtexec --onnx=model.onnx
[11/20/2024-10:00:01] [E] [TRT] ModelImporter.cpp:773: While parsing node number 3 [NonZero -> "y"]:
[11/20/2024-10:00:01] [E] Failed to parse onnx file
&&&& FAILED TensorRT.trtexec [TensorRT v8502] # trtexec --onnx=model.onnx
"""


class Recorded(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.rows = os.path.join(self.folder, "rows.csv")
        self.loaded, measure.load = measure.load, lambda path, seed: (None, 0, 0)
        self.addCleanup(setattr, measure, "load", self.loaded)

    def path(self, name, text="", mode=0o644):
        path = os.path.join(self.folder, name)
        with open(path, "w") as file:
            file.write(text)
        os.chmod(path, mode)
        return path

    def run_tool(self, *words):
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = measure.main([*words, "--output", self.rows, "--device", "my board", "--runs", "3", "--seconds",
                                 "0.1"])
        found = []
        if os.path.exists(self.rows):
            with open(self.rows, newline="") as file:
                found = list(csv.DictReader(file))
        return code, out.getvalue(), err.getvalue(), found

    def module(self, name, **members):
        module = types.ModuleType(name)
        module.__dict__.update(members)
        before = sys.modules.get(name)
        sys.modules[name] = module
        self.addCleanup(lambda: sys.modules.update({name: before}) if before else sys.modules.pop(name))

    def feeds(self, *shapes):
        """Inputs without numpy or onnx."""
        made = {f"x{i}": SimpleNamespace(ndim=len(shape), shape=shape) for i, shape in enumerate(shapes)}
        self.addCleanup(setattr, runtimes, "feeds_of", runtimes.feeds_of)
        self.addCleanup(setattr, runtimes, "declared_inputs", runtimes.declared_inputs)
        runtimes.feeds_of = lambda job, declared: (made, str(shapes[0][0]))
        runtimes.declared_inputs = lambda model: []
        measure.load = lambda path, seed: (SimpleNamespace(), 0, 0)
        self.module("numpy")
        self.module("onnx")


class Trtexec(Recorded):
    def trtexec(self, log, times=TIMES, code=0):
        self.path("times", times)
        self.path("log", log)
        return self.path("trtexec", f"""#!/bin/sh
echo "$@" >>{self.folder}/asked
for word in "$@"; do
  case $word in --exportTimes=*) [ {code} -ne 0 ] || cp {self.folder}/times "${{word#*=}}" ;; esac
done
cat {self.folder}/log
exit {code}
""", 0o755)

    def asked(self):
        with open(os.path.join(self.folder, "asked")) as file:
            return file.read().split()

    def test_a_row_is_the_median_of_the_compute_times(self):
        program = self.trtexec(LOG)
        code, out, _, rows = self.run_tool(self.path("net.onnx"), "--runtime", f"trtexec:{program}", "--precision",
                                           "fp16",
                                           "--runtime-argument=--useCudaGraph", "--profile", self.folder)
        self.assertEqual(code, 0)
        row = rows[0]
        self.assertEqual((row["value"], row["unit"], row["runtime"], row["precision"]),
                         ("2.5000", "GPU", "TensorRT 10.3.0", "fp16"))
        self.assertIn("median of 3, 1.5000 to 7.0000 ms", row["note"])
        for word in ("--fp16", "--useCudaGraph", "--iterations=3", "--separateProfileRun",
                     f"--exportProfile={self.folder}/net.trtexec.json"):
            self.assertIn(word, self.asked())
        self.assertIn("onnx-hwest calibrate --target ", out)

    def test_dla(self):
        program = self.trtexec(LOG)
        _, _, _, rows = self.run_tool(self.path("net.onnx"), "--runtime", f"trtexec:{program}",
                                      "--runtime-argument=--useDLACore=0", "--precision", "int8")
        self.assertEqual((rows[0]["unit"], rows[0]["runtime"]), ("NPU", "TensorRT DLA 10.3.0"))

    def test_a_model_that_is_refused_does_not_stop_the_others(self):
        program = self.trtexec(REFUSED, code=1)
        code, out, err, rows = self.run_tool(self.path("a.onnx"), self.path("b.onnx"), "--runtime",
                                             f"trtexec:{program}")
        self.assertEqual((code, out, rows), (2, "", []))
        self.assertEqual(err.count('While parsing node number 3 [NonZero -> "y"]:'), 2)

    def test_versions(self):
        self.assertEqual([runtimes.trtexec_version(log) for log in (LOG, REFUSED, "[TensorRT v100300]", "none")],
                         ["10.3.0", "8.5.2", "10.3.0", ""])

    def test_older_times(self):
        self.assertEqual(runtimes.trtexec_times([{"startComputeMs": 1, "endComputeMs": 3.5}]), [2.5])
        with self.assertRaisesRegex(runtimes.Failure, "no times above 0"):
            runtimes.trtexec_times([{"computeMs": 0}])


class Rknn(Recorded):
    def rknn(self, load=0, answer=("y",)):
        calls = []

        class RKNNLite:
            NPU_CORE_0, NPU_CORE_0_1_2 = 1, 7

            def load_rknn(self, path):
                calls.append(("load_rknn", os.path.basename(path)))
                return load

            def init_runtime(self, core_mask=0):
                calls.append(("init_runtime", core_mask))
                return 0

            def inference(self, inputs, data_format=None):
                calls.append(("inference", tuple(data_format)))
                return answer

            def get_sdk_version(self):
                return "API version: 2.3.0 (c949ad889d@2024-11-07T11:35:33)\nDRV version: 0.9.8"

            def release(self):
                calls.append(("release", None))

        self.feeds((1, 3, 8, 8), (1, 4))
        self.module("rknnlite")
        self.module("rknnlite.api", RKNNLite=RKNNLite)
        self.path("net.rknn")
        return calls

    def test_a_row(self):
        calls = self.rknn()
        code, _, _, rows = self.run_tool(self.path("net.onnx"), "--runtime", "rknn:0_1_2", "--artifacts", self.folder)
        self.assertEqual(code, 0)
        self.assertEqual((rows[0]["unit"], rows[0]["runtime"], rows[0]["precision"], rows[0]["mode"], rows[0]["batch"]),
                         ("NPU", "RKNN 2.3.0", "int8", "cores 0_1_2", "1"))
        self.assertEqual(calls[:2] + calls[-1:], [("load_rknn", "net.rknn"), ("init_runtime", 7), ("release", None)])
        self.assertEqual(calls.count(("inference", ("nchw", "nhwc"))), 1 + 3 + 3)  # one to see, three to warm up, three

    def test_failures_name_what_is_missing(self):
        for words, why in (((), "name the folder with --artifacts"),
                           (("--artifacts", "/nowhere"), "there is no /nowhere/net.rknn")):
            self.rknn()
            self.assertIn(why, self.run_tool(self.path("net.onnx"), "--runtime", "rknn", *words)[2])
        self.rknn(load=-1)
        self.assertIn("load_rknn ended with -1",
                      self.run_tool(self.path("net.onnx"), "--runtime", "rknn", "--artifacts", self.folder)[2])
        self.rknn(answer=None)
        self.assertIn("inference returned nothing",
                      self.run_tool(self.path("net.onnx"), "--runtime", "rknn", "--artifacts", self.folder)[2])


class Tidl(Recorded):
    def test_a_row_says_what_the_subgraphs_took(self):
        asked = []

        class InferenceSession:
            def __init__(self, source, options, providers):
                asked.append((source, providers))

            def get_providers(self):
                return ["TIDLExecutionProvider", "CPUExecutionProvider"]

            def get_inputs(self):
                return []

            def run(self, names, feeds):
                return []

            def get_TI_benchmark_data(self):
                return {"ts:run_start": 0, "ts:run_end": 9_000_000, "ts:subgraph_12_copy_in_start": 0,
                        "ts:subgraph_12_copy_in_end": 500_000, "ts:subgraph_12_proc_start": 500_000,
                        "ts:subgraph_12_proc_end": 3_500_000, "ts:subgraph_12_copy_out_start": 3_500_000,
                        "ts:subgraph_12_copy_out_end": 3_750_000, "ts:subgraph_14_proc_start": 4_000_000,
                        "ts:subgraph_14_proc_end": 5_000_000, "ddr:read_start": 0, "ddr:read_end": 1024}

        self.feeds((1, 3, 8, 8))
        self.module("onnxruntime", InferenceSession=InferenceSession, SessionOptions=lambda: SimpleNamespace(),
                    __version__="1.14.0+9.2", get_available_providers=lambda: ["TIDLExecutionProvider"])
        os.mkdir(os.path.join(self.folder, "net"))
        path = self.path("net.onnx")
        code, _, err, rows = self.run_tool(path, "--runtime", "tidl", "--artifacts", self.folder)
        self.assertEqual((code, err), (0, ""))
        self.assertEqual((rows[0]["unit"], rows[0]["runtime"], rows[0]["precision"]),
                         ("NPU", "TIDL 1.14.0+9.2", "int8"))
        self.assertIn("2 subgraphs computed 4.000 ms and copied 0.750 ms in the last run; int8 assumed",
                      rows[0]["note"])
        source, providers = asked[0]
        self.assertEqual(source, path)
        self.assertEqual(providers[0][1]["artifacts_folder"], os.path.join(self.folder, "net"))


class Missing(Recorded):
    def test_a_runtime_that_is_not_there_says_what_to_install(self):
        code, _, err, _ = self.run_tool("a.onnx", "--runtime", "rknn")
        self.assertEqual(code, 2)
        self.assertRegex(err, "rknnlite.*: rknn-toolkit-lite2 and numpy|No module named 'numpy'")
        self.assertEqual(self.run_tool("a.onnx", "--runtime", "abacus")[0], 2)

    def test_no_file(self):
        self.assertEqual(self.loaded.__module__, "onnx_hwest.measure")
        program = self.path("trtexec", "#!/bin/sh\necho no such file; exit 1\n", 0o755)
        code, _, err, _ = self.run_tool("nowhere.onnx", "--runtime", f"trtexec:{program}")
        self.assertEqual((code, err), (2, "[1/1] nowhere: trtexec ended with 1: no such file\n"))


if __name__ == "__main__":
    unittest.main()
