"""The Python package over the library."""

import copy
import dataclasses
import functools
import gc
import html
import inspect
import json
import os
import pathlib
import pickle
import re
import subprocess
import sys
import tempfile
import threading
import unittest
from typing import get_args

import onnx_hwest

SOURCE = os.environ["HWEST_SOURCE_DIR"]
RESNET = os.path.join(SOURCE, "examples", "models", "resnet18.onnx")
BERT = os.path.join(SOURCE, "test", "models", "bert-base_128.ts.onnx")
DECODER = os.path.join(SOURCE, "test", "capi", "decoder.onnx")
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

    def test_precision_by_unit_and_a_host_that_competes(self):
        with onnx_hwest.load(RESNET) as model:
            mixed = model.analyze("jetson-orin", precision="dla0=int8", only=["dla0"]).totals
            self.assertEqual(mixed.precision, "dla0=int8")
            self.assertTrue(mixed.precisions.startswith("int8="))
            with self.assertRaisesRegex(onnx_hwest.Error, "dla0 runs"):
                model.analyze("jetson-orin", precision="npu=int8")
            self.assertFalse(model.analyze("hailo-8l").totals.host_competes)
            self.assertTrue(model.analyze("hailo-8l", host_competes=True).totals.host_competes)

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

    def test_sparsity(self):
        model = onnx_hwest.load(RESNET)
        dense, sparse = model.analyze("a100"), model.analyze("a100", sparsity="2:4")
        self.assertIsNone(dense.totals.sparse_macs)
        self.assertLess(sparse.totals.latency_s, dense.totals.latency_s)
        self.assertEqual(sparse.to_dict()["summary"]["sparse_macs"], sparse.totals.sparse_macs)
        self.assertNotIn("sparse_macs", dense.to_dict()["summary"])
        with self.assertRaisesRegex(onnx_hwest.Error, "sparsity cannot be"):
            model.analyze("a100", sparsity="1:2")

    def test_host(self):
        model = onnx_hwest.load(RESNET)
        own = model.analyze("hailo-8", only=["cpu"])
        lent = model.analyze("hailo-8", only=["cpu"], host="raspberry-pi-4")
        self.assertGreater(lent.totals.latency_s, own.totals.latency_s)
        self.assertEqual([report.to_dict()["request"]["host"] for report in (own, lent)],
                         ["x86-avx2", "raspberry-pi-4"])
        with self.assertRaises(onnx_hwest.Error) as caught:
            model.analyze("jetson-orin", host="x86-avx2")
        self.assertIn("its CPU is part of it", str(caught.exception))

    @unittest.skipIf(os.environ.get("HWEST_NO_GRAPHVIZ"), "there is no Graphviz for this machine")
    def test_reports(self):
        analysis = onnx_hwest.load(RESNET).analyze("jetson-orin")
        self.assertIn("jetson-agx-orin-64gb", analysis.report())
        self.assertEqual(len(analysis.report("csv", top=3).splitlines()), 4)
        self.assertEqual(len(analysis.report("csv", level="node", top=0).splitlines()), 1 + analysis.totals.nodes)
        units = analysis.report("csv", level="unit").splitlines()
        self.assertEqual(len(units), 1 + len(analysis.units))
        self.assertEqual(analysis.to_dict("explain", node="#20")["kind"], "explain")
        self.assertTrue(analysis.report("png").startswith(b"\x89PNG"))


class ArgumentTest(unittest.TestCase):
    """Arguments that make no sense are refused by name, before anything is computed."""

    @classmethod
    def setUpClass(cls):
        cls.model = onnx_hwest.load(RESNET)

    def refused(self, error, words, call, *args, **options):
        with self.assertRaises(error) as caught:
            call(*args, **options)
        for word in words:
            self.assertIn(word, str(caught.exception))

    def test_integers_do_not_wrap(self):
        analyze = self.model.analyze
        huge = 2**64 + 5
        for options, name in (({"batch": huge}, "batch"), ({"dims": {"n": huge}}, "dims['n']"),
                              ({"shapes": {"x": (1, huge)}}, "shapes['x']"), ({"expect": {"n": huge}}, "expect['n']"),
                              ({"max_segments": 2**31}, "max_segments")):
            self.refused(OverflowError, [f"{name} is", "use at most"], analyze, "jetson-orin", **options)
        self.refused(OverflowError, ["top is", "use at most"], analyze("jetson-orin").report, top=huge)
        self.refused(OverflowError, ["contexts is"], self.model.generation, "jetson-orin", [huge])
        self.refused(OverflowError, ["max_depth is"], onnx_hwest.load, RESNET, max_depth=2**40)
        self.refused(OverflowError, ["threads is"], onnx_hwest.validate, "x.csv", ".", threads=2**40)

    def test_what_is_no_integer(self):
        for value, error in ((True, TypeError), (2.0, TypeError), ("2", TypeError), (-1, ValueError), (0, ValueError)):
            self.refused(error, [f"batch is {value!r}"], self.model.analyze, batch=value)
        self.refused(TypeError, ["dims['n'] is 1.5"], self.model.analyze, dims={"n": 1.5})
        self.refused(ValueError, ["shapes['x'] is -1"], self.model.analyze, shapes={"x": (-1,)})
        self.refused(TypeError, ["contexts is True"], self.model.generation, "jetson-orin", [True])
        self.refused(ValueError, ["power_cap_w is -5"], self.model.analyze, "jetson-orin", power_cap_w=-5)

    def test_what_is_no_text(self):
        analyze = self.model.analyze
        for options, words in (({"mode": 5}, ["mode is 5", "string"]), ({"only": "gpu"}, ["only is 'gpu'", "list"]),
                               ({"deny": [1]}, ["deny is 1"]), ({"dims": [("n", 1)]}, ["dims is", "dict"]),
                               ({"toolchains": {"gpu": None}}, ["toolchains['gpu'] is None"])):
            self.refused(TypeError, words, analyze, "jetson-orin", **options)
        for call in (onnx_hwest.load_target, onnx_hwest.parse_target, onnx_hwest.lint_target):
            self.refused(TypeError, ["is None"], call, None)
        self.refused(TypeError, ["target is 5"], analyze, 5)

    def test_sources_of_a_model(self):
        with open(RESNET, "rb") as file:
            model = onnx_hwest.load(file)
            self.assertEqual(model.analyze().totals.macs, MACS)
            self.assertIn("resnet18.onnx", repr(model))
        self.assertEqual(onnx_hwest.load(pathlib.Path(RESNET)).analyze().totals.macs, MACS)
        with open(RESNET, encoding="latin-1") as file:
            self.refused(TypeError, ["text mode", "'rb'"], onnx_hwest.load, file)
        for source in (None, 5, 1.5, [b"x"]):
            self.refused(TypeError, [f"source is {source!r}", "path", "bytes", "file"], onnx_hwest.load, source)

    def test_repr(self):
        analysis = self.model.analyze("jetson-orin")
        shown = f"{analysis.totals.latency_s * 1e3:.4g} ms"
        self.assertEqual(repr(analysis), f"<onnx_hwest.Analysis {RESNET} on jetson-agx-orin-64gb: {shown}>")
        self.assertEqual(repr(self.model.analyze()), f"<onnx_hwest.Analysis {RESNET} without a target>")
        self.assertEqual(str(analysis), analysis.report("text"))
        self.assertIn("FPS on jetson-agx-orin-64gb", str(analysis))
        kept = pickle.loads(pickle.dumps(analysis))
        self.assertEqual(str(kept), repr(kept))

    def test_messages_name_arguments(self):
        with self.assertRaises(onnx_hwest.Error) as caught:
            onnx_hwest.load(BERT).analyze("jetson-orin")
        self.assertIn('dims={"batch": 1, "seq": 128}', str(caught.exception))
        with self.assertRaises(onnx_hwest.Error) as caught:
            self.model.analyze("jetson-orin", power_cap_w=1e-3)
        self.assertIn("power_cap_w", str(caught.exception))
        self.assertNotIn("--", str(caught.exception))
        for row in self.model.analyze("jetson-orin").diagnostics:
            self.assertNotIn("--", row.remedy or "")
        with self.assertRaises(onnx_hwest.Error) as caught:
            onnx_hwest.load_target("nowhere-at-all")
        self.assertIn("onnx_hwest.targets()", str(caught.exception))

    def test_lint_says_how_grave_a_problem_is(self):
        text = ('name: "x" base: "hailo-8" sources { key: "s" title: "S" date: "2026" }\n'
                'unit { name: "npu" clock_hz { value: 1e6 source: "s" trust: PUBLISHED } }')
        self.assertEqual([row.severity for row in onnx_hwest.lint_target(text)], ["warning"])
        self.assertEqual([row.severity for row in onnx_hwest.lint_target("nonsense: 1")], ["error"])


class DocumentationTest(unittest.TestCase):
    def test_help_shows_them(self):
        for row in (onnx_hwest.Totals, onnx_hwest.Group, onnx_hwest.Unit, onnx_hwest.Problem):
            for field in dataclasses.fields(row):
                self.assertRegex(inspect.getdoc(row), rf"(?m)^ *{field.name}: .")
        self.assertIn("latency_s: of one inference: warm, steady clocks", onnx_hwest.Totals.__doc__)


class WorkloadTest(unittest.TestCase):
    FILE = pathlib.Path(__file__).resolve().parents[2] / "examples" / "workloads" / "two_detectors.textproto"

    def test_tasks_and_report(self):
        steps = []
        workload = onnx_hwest.workload(self.FILE, mode="30W", progress=lambda what, done, total: steps.append(what))
        self.assertEqual([task.name for task in workload.tasks], ["front", "rear"])
        for task in workload.tasks:
            self.assertIn(task.verdict, ("holds", "simulated", "missed"))
            self.assertGreaterEqual(task.response_worst_s, task.alone_s * (1 - 1e-9))
        self.assertEqual(workload.totals.tasks, 2)
        self.assertEqual(len(workload.slowdowns), 2)
        self.assertEqual(len(workload.fixes), 0)
        self.assertEqual([row.task for row in workload.traffic], ["front", "rear"])
        self.assertTrue(all(0 < row.mean_bytes_per_s < row.peak_bytes_per_s for row in workload.traffic))
        self.assertEqual(len(workload.diagnostics), 0)
        self.assertIn("traceEvents", workload.report("perfetto"))
        self.assertTrue(all(segment.start_s < segment.end_s for segment in workload.segments))
        self.assertIn("Who slows whom", workload.report())
        self.assertIn("simulating", steps)

    def test_errors(self):
        with self.assertRaises(onnx_hwest.Error):
            onnx_hwest.workload("nowhere.textproto")
        with self.assertRaises(onnx_hwest.Cancelled):
            onnx_hwest.workload(self.FILE, progress=lambda what, done, total: False)


class ExploreTest(unittest.TestCase):
    NPU = os.path.join(SOURCE, "examples", "my_npu.textproto")

    def test_progress_and_cancel(self):
        told = []
        vary = {"sram.size": "1MB,2MB"}
        onnx_hwest.explore(self.NPU, RESNET, vary, progress=lambda *step: told.append(step))
        self.assertIn(("points", 2, 2), told)
        with self.assertRaises(onnx_hwest.Cancelled):
            onnx_hwest.explore(self.NPU, RESNET, vary, progress=lambda what, *_: what != "points")

    def test_errors(self):
        for vary, options, words in [
                ({}, {}, "vary"),
                ({"sram.sizes": "1MB"}, {}, "sram.size"),
                ({"sram.size": "1MB"}, {"objective": "speed"}, 'explore.objective is "speed": use one of: latency'),
                ({"sram.size": "1MB"}, {"search": "all"}, "grid, anneal"),
                ({"sram.size": "1MB"}, {"process_nm": 3}, "explore.process_nm is 3"),
                ({"sram.size": "1MB"}, {"constraint": "area<4"}, "process_nm")]:
            with self.subTest(vary=vary, options=options), self.assertRaises(onnx_hwest.Error) as refused:
                onnx_hwest.explore(self.NPU, RESNET, vary, **options)
            self.assertIn(words, str(refused.exception))
        with self.assertRaisesRegex(ValueError, "no point keeps area<0.001"):
            onnx_hwest.explore(self.NPU, RESNET, {"sram.size": "1MB"}, constraint="area<0.001", process_nm=16,
                               best="never.textproto")


class SequenceTest(unittest.TestCase):
    """python -m onnx_hwest --seq-len: needs no PyTorch for a file that is ONNX already."""

    def run_main(self, *words):
        return subprocess.run([sys.executable, "-m", "onnx_hwest", *words], capture_output=True, text=True)

    def test_a_free_sequence(self):
        done = self.run_main(BERT, "--target", "tda4vm", "--seq-len", "64", "--dim", "batch=1", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        shapes = [row["shape"] for row in json.loads(done.stdout)["model"]["inputs"]]
        self.assertTrue(all(shape == [1, 64] for shape in shapes), shapes)

    def test_what_takes_no_tokens_says_so(self):
        for words, message in (((RESNET, "--seq-len", "64"), "takes no tokens"),
                               ((BERT, "--seq-len", "0"), "whole number"),
                               ((RESNET, "--seq-len"), "needs a value")):
            done = self.run_main(*words, "--target", "tda4vm")
            self.assertEqual(done.returncode, 2)
            self.assertIn(message, done.stderr)

    def test_a_fixed_sequence_is_followed_or_the_node_is_named(self):
        with tempfile.TemporaryDirectory() as folder:
            # 13 positions are no rows of 4, nor 2 rows.
            for name, target, length, works in (("follows", "0, -1", 16, True), ("constant", "1, 8", 16, True),
                                                ("fixed", "2, 4", 13, False)):
                path = os.path.join(folder, name + ".onnx")
                pathlib.Path(path).write_bytes(static_model(target))
                done = self.run_main(path, "--target", "tda4vm", "--seq-len", str(length), "--json")
                if works:
                    self.assertEqual(json.loads(done.stdout)["model"]["outputs"][0]["shape"], [1, length])
                else:
                    self.assertEqual(done.returncode, 2)
                    self.assertIn("node 'r'", done.stderr)


def static_model(target):
    """r = Reshape(ids[1, 8], TARGET), as an ONNX file by hand."""
    def field(number, content):
        return bytes([number << 3 | 2, len(content)]) + content

    def value(name, *dims):
        shape = b"".join(field(1, bytes([8, dim])) for dim in dims)
        return field(1, name) + field(2, field(1, b"\x08\x07" + field(2, shape)))

    numbers = b"".join(int(number).to_bytes(8, "little", signed=True) for number in target.split(","))
    shape = b"\x08\x02\x10\x07" + field(8, b"s") + field(9, numbers)
    node = field(1, b"ids") + field(1, b"s") + field(2, b"out") + field(3, b"r") + field(4, b"Reshape")
    graph = field(1, node) + field(2, b"g") + field(5, shape) + field(11, value(b"ids", 1, 8)) + field(
        12, value(b"out", 1, 8))
    return b"\x08\x08" + field(7, graph) + field(8, b"\x10\x11")


class DiffTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.model = onnx_hwest.load(RESNET)

    def test_one_model_on_two_targets(self):
        diff = self.model.diff(target="jetson-orin", against="tda4vm")
        self.assertFalse(diff.same)
        self.assertEqual((diff.info.target_b, diff.info.model_a), ("tda4vm", RESNET))
        total = next(total for total in diff.totals if total.key == "latency_s")
        self.assertEqual(total.a, self.model.analyze("jetson-orin").totals.latency_s)
        self.assertAlmostEqual(total.delta, total.b - total.a, delta=1e-12)
        of_nodes = sum(node.delta_s for node in diff.nodes) + diff.info.segments_delta_s
        self.assertAlmostEqual(of_nodes, total.delta, delta=1e-9)
        self.assertTrue({node.change for node in diff.nodes} <= {"changed", "moved", "fused"})
        self.assertEqual(json.loads(diff.report("json"))["kind"], "diff")
        self.assertIn("| latency |", diff.report("markdown"))

    def test_other_modes_and_precisions(self):
        for against in ({"against_mode": "15W"}, {"against_precision": "int8"}):
            diff = self.model.diff(target="jetson-orin", **against)
            self.assertFalse(diff.same)
            self.assertEqual(diff.info.target_b, diff.info.target_a)

    def test_the_same_is_the_same(self):
        diff = onnx_hwest.diff(RESNET, self.model.analyze("tda4vm"))
        self.assertTrue(diff.same)
        self.assertEqual(len(diff.nodes), 0)
        self.assertIn("No difference", diff.report())
        diff.judge("latency:+0%")

    def test_a_saved_report(self):
        with tempfile.TemporaryDirectory() as folder:
            saved = pathlib.Path(folder) / "main.json"
            saved.write_text(self.model.analyze("tda4vm").report("json"))
            self.assertTrue(onnx_hwest.diff(saved, RESNET).same)  # target and mode are those of the report
            slower = onnx_hwest.diff(saved, self.model, "tda4vm", precision="w8a16")
            with self.assertRaises(onnx_hwest.Error) as caught:
                slower.judge("latency:+5%")
            self.assertEqual(caught.exception.code, "check_failed")
            self.assertIn("latency", str(caught.exception))

    def test_errors(self):
        with self.assertRaises(onnx_hwest.Error):
            onnx_hwest.diff(RESNET, RESNET)  # no target
        with self.assertRaises(onnx_hwest.Error):
            self.model.diff(target="jetson-orin", against="tda4vm").judge("latency:5")
        with self.assertRaises(TypeError):
            self.model.diff(RESNET, "jetson-orin", against="tda4vm")
        with self.assertRaises(TypeError):
            self.model.diff(target="jetson-orin")


class CheckTest(unittest.TestCase):
    def test_limits_of_a_call(self):
        check = onnx_hwest.check(RESNET, "jetson-orin", max_latency="1 s", min_rate="1 FPS", max_memory="1 GB")
        self.assertTrue(check)
        self.assertEqual((check.totals.limits, check.totals.verdict), (3, "ok"))
        self.assertEqual([line.figure for line in check.lines], ["latency", "rate", "peak_memory"])
        self.assertTrue(all(line.low <= line.value <= line.high for line in check.lines))

    def test_a_broken_limit_says_what_would_mend_it(self):
        check = onnx_hwest.check(onnx_hwest.load(RESNET).analyze("jetson-orin"), max_latency="0.1 ms")
        self.assertFalse(check)
        line = check.lines[0]
        self.assertEqual((line.verdict, line.limit, line.judge), ("over", 1e-4, "point"))
        self.assertLess(line.margin, 0)
        self.assertIn("most expensive", line.help[0])
        self.assertIsNone(line.file)
        self.assertIn("<failure", check.report("junit"))
        self.assertEqual(json.loads(check.report("sarif"))["version"], "2.1.0")

    def test_which_end_is_judged(self):
        line = onnx_hwest.check(RESNET, "tda4vm", max_latency="1 s").lines[0]
        inside = f"{line.high * 0.999:.9f} s"
        for judge, verdict in (("point", "ok"), ("upper", "over"), ("interval", "undecided")):
            check = onnx_hwest.check(RESNET, "tda4vm", max_latency=inside, judge=judge)
            self.assertEqual((check.lines[0].verdict, bool(check)), (verdict, verdict == "ok"))
            self.assertEqual("<failure" in check.report("junit"), verdict != "ok")
            self.assertAlmostEqual(check.lines[0].probability, 0.9, places=2)
        self.assertEqual(onnx_hwest.check(RESNET, "tda4vm", max_latency=f"{line.value / 1.35:.9f} s").totals.over, 1)

    def test_a_budget_file(self):
        with tempfile.TemporaryDirectory() as folder:
            budget = pathlib.Path(folder) / "b.budget"
            budget.write_text(f'check {{\n  model: "{RESNET}"\n  target: "tda4vm"\n  latency {{ max: "1 s" }}\n'
                              '  unknown { max: 0 }\n}\n')
            steps = []
            check = onnx_hwest.check(budget=budget, progress=lambda what, done, total: steps.append(what))
            self.assertEqual([(line.figure, line.line) for line in check.lines], [("latency", 4), ("unknown", 5)])
            self.assertTrue(any("checking" in step for step in steps))
            with self.assertRaises(onnx_hwest.Cancelled):
                onnx_hwest.check(budget=budget, progress=lambda what, done, total: False)

    def test_errors(self):
        for wrong in ({}, {"max_latency": "12"}, {"max_memory": "much"}):
            with self.assertRaises(onnx_hwest.Error):
                onnx_hwest.check(RESNET, "jetson-orin", **wrong)
        with self.assertRaises(onnx_hwest.Error):
            onnx_hwest.check(budget="nowhere.budget")
        with self.assertRaises(TypeError):
            onnx_hwest.check(budget="nowhere.budget", max_latency="1 s")
        with self.assertRaises(TypeError):
            onnx_hwest.check(RESNET, "jetson-orin", budget="nowhere.budget", max_latency="1 s")


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
        for options in ({"objective": "speed"}, {"batch": 0}, {"max_segments": -1}, {"mode": "a\0b"}):
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
        self.assertEqual(os.path.basename(found.strip()), "libhwest.so.0")

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
        code, out, err = self.run_main("missing.pt", "--target", "jetson-orin")
        self.assertEqual((code, out), (3, ""))
        self.assertIn("error: cannot open missing.pt: check the path", err)
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
            ("no.onnx", "--target", "jetson-orin"): 3,
            (BERT, "--target", "jetson-orin"): 5,
            (RESNET, "--batch", "0", "--target", "jetson-orin"): 2,
            (RESNET, "--shape", "1xA", "--target", "jetson-orin"): 2,
            (RESNET,): 2,
        }
        for args, want in cases.items():
            code, out, err = self.run_main(*args)
            self.assertEqual((code, out), (want, ""), msg=args)
            self.assertIn("error: ", err)


class EqualsTheProgramTest(unittest.TestCase):
    """python -m onnx_hwest and onnx-hwest write the same bytes and end with the same code."""

    COMMANDS = (
        (RESNET, "--target", "jetson-orin", "--format", "json", "--what-if"),
        ("shapes", BERT),
        ("support", RESNET, "--target", "hailo-8l"),
        ("explain", RESNET, "#20", "--target", "jetson-orin"),
        ("targets",),
        ("targets", "show", "hailo-8l", "--format", "csv"),
        ("fusions",),
        ("describe", "codes", "--format", "markdown"),
        ("validate", "--measurements", "no.csv", "--models", "."),
        ("calibrate", "--measurements", "no.csv"),
        ("--version",),
        ("--help",),
        (BERT, "--target", "jetson-orin"),
    )

    @unittest.skipUnless(os.environ.get("HWEST_PROGRAM"), "HWEST_PROGRAM names no program to compare with")
    def test_every_verb(self):
        for words in self.COMMANDS:
            with self.subTest(words=words):
                runs = [subprocess.run([*program, *words], capture_output=True) for program in
                        ([os.environ["HWEST_PROGRAM"]], [sys.executable, "-m", "onnx_hwest"])]
                self.assertEqual(runs[0].returncode, runs[1].returncode)
                self.assertEqual(runs[0].stdout, runs[1].stdout)
                self.assertEqual(runs[0].stderr, runs[1].stderr)


class TablesTest(unittest.TestCase):
    def setUp(self):
        self.analysis = onnx_hwest.load(RESNET).analyze("jetson-orin")

    TABLES = ("groups", "nodes", "values", "inputs", "outputs", "modules", "segments", "units", "timeline",
              "lifetimes", "bounds", "support", "measured", "diagnostics", "symbols")

    def test_every_table(self):
        for name in self.TABLES:
            with self.subTest(table=name):
                rows = getattr(self.analysis, name)
                self.assertIsInstance(rows, onnx_hwest.Rows)
                self.assertEqual(len(rows.to_dicts()), len(rows))
                self.assertTrue(rows._repr_html_().startswith("<table>"))

    def test_rows_refer_to_each_other(self):
        nodes, values, groups = self.analysis.nodes, self.analysis.values, self.analysis.groups
        for node in nodes:
            self.assertEqual([values[i].producer for i in node.outputs], [node.id] * len(node.outputs))
            self.assertEqual(node.unit, None if node.group is None else groups[node.group].unit)
        self.assertEqual(self.analysis.inputs[0].dims, (1, 3, 224, 224))
        self.assertTrue(self.analysis.inputs[0].is_input)
        self.assertEqual(self.analysis.timeline[-1].end_s, self.analysis.totals.latency_s)
        self.assertEqual(self.analysis.timeline[-1].kind, "group")
        self.assertTrue(self.analysis.units[0].is_placeable)

    def test_rows_outlive_everything(self):
        groups = self.analysis.groups
        self.analysis.close()
        gc.collect()
        self.assertEqual(sum(group.macs for group in groups), MACS)
        self.assertEqual(groups[0].to_dict()["id"], 0)

    def test_pandas_or_a_clear_error(self):
        try:
            import pandas
        except ImportError:
            with self.assertRaisesRegex(ImportError, "needs pandas"):
                self.analysis.to_pandas()
            return
        frame = self.analysis.to_pandas("nodes")
        self.assertIsInstance(frame, pandas.DataFrame)
        self.assertEqual(len(frame), self.analysis.totals.nodes)
        self.assertIn("op", frame.columns)

    def test_pandas_of_no_table(self):
        with self.assertRaisesRegex(ValueError, "totals"):
            self.analysis.to_pandas("totals")

    @unittest.skipIf(os.environ.get("HWEST_NO_GRAPHVIZ"), "there is no Graphviz for this machine")
    def test_plots_are_pictures_that_notebooks_show(self):
        import xml.etree.ElementTree
        for draw in ("timeline", "memory", "roofline", "modules", "graph"):
            svg = getattr(self.analysis.plot, draw)()
            self.assertTrue(xml.etree.ElementTree.fromstring(svg).tag.endswith("svg"), draw)
            self.assertEqual(svg._repr_svg_(), svg)
        self.assertIn("bound by", self.analysis.plot.graph(color_by="bound"))
        with self.assertRaises(ValueError):
            self.analysis.plot.graph(color_by="colour")
        with self.assertRaises(onnx_hwest.Error):
            onnx_hwest.load(RESNET).analyze().plot.timeline()

    def test_graph_and_exchange_files(self):
        graph = self.analysis.to_dict("graph")
        self.assertEqual(len(graph["nodes"]), self.analysis.totals.nodes)
        self.assertEqual(graph["totals"]["macs"], self.analysis.totals.macs)
        for name in ("perfetto", "netron", "model-explorer"):
            self.assertIsInstance(json.loads(self.analysis.report(name)), dict)

    def test_measured_profile(self):
        profile = json.dumps([{"count": 5}, {"name": "/conv1/Conv + /relu/Relu", "timeMs": 0.5, "averageMs": 0.1},
                              {"name": "copy", "timeMs": 0.05, "averageMs": 0.01}])
        model = onnx_hwest.load(RESNET)
        analysis = model.analyze("jetson-orin", measured_profile=profile)
        first = analysis.groups[0]
        self.assertAlmostEqual(first.measured_s, 1e-4)
        self.assertAlmostEqual(first.measured_ratio, first.measured_s / first.time_s)
        self.assertEqual({group.measured_s for group in analysis.groups[1:]}, {None})
        self.assertEqual([(row.name, row.match, row.groups) for row in analysis.measured],
                         [("/conv1/Conv + /relu/Relu", "groups", (0,)), ("copy", "none", ())])
        self.assertAlmostEqual(analysis.measured[0].set_predicted_s, first.time_s)
        self.assertEqual(len(self.analysis.measured), 0)
        self.assertAlmostEqual(analysis.to_dict()["measured"]["time_s"], 1.1e-4)
        with self.assertRaisesRegex(onnx_hwest.Error, "measured-profile: .*JSON"):
            model.analyze("jetson-orin", measured_profile="{")
        with self.assertRaisesRegex(onnx_hwest.Error, "measured_profile is laid beside a plan"):
            model.analyze(measured_profile=profile)

    def test_graph_as_onnx_text(self):
        text = self.analysis.graph("onnxtext", ops=["Gemm"])
        self.assertIn('= Gemm <', text)
        self.assertEqual(text.count(" = "), text.count(" = Gemm") + text.count("alpha = ") + text.count("beta = ")
                         + text.count("transB = ") + text.count("transA = "))
        self.assertEqual(self.analysis.graph("onnxtext").count("# "), self.analysis.totals.nodes)

    def test_graph_of_some_nodes(self):
        def ids(**conditions):
            return [int(line) for line in self.analysis.graph("csv", columns=["id"], **conditions).split()[1:]]
        self.assertEqual(ids(), list(range(self.analysis.totals.nodes)))
        self.assertEqual(ids(start=18, end=20), [18, 19, 20])
        self.assertEqual(ids(end=0), [0])
        self.assertEqual(ids(around=19, context=1), [18, 19, 20])
        self.assertEqual(ids(around=self.analysis.nodes[19].name, context=0), [19])
        self.assertEqual(ids(ops=["Conv", "Gemm"]),
                         [id for id, node in enumerate(self.analysis.nodes) if node.op in ("Conv", "Gemm")])
        self.assertEqual(ids(units=["gpu"], max_nodes=2), [16, 17])
        self.assertEqual(ids(module="layer1/layer1.0", grep="CONV2"), [21, 22])
        self.assertTrue(0 < len(ids(bounds=["compute"])) < self.analysis.totals.nodes)
        self.assertEqual(len(json.loads(self.analysis.graph("json", ops=["Add"]))["nodes"]), 8)
        with self.assertRaisesRegex(onnx_hwest.Error, "ops: the model has no operator 'Cnv'.*Conv"):
            ids(ops=["Cnv"])
        with self.assertRaisesRegex(onnx_hwest.Error, "^context needs the node it is around"):
            ids(context=3)
        with self.assertRaisesRegex(TypeError, "ops is 'Conv'"):
            ids(ops="Conv")
        with self.assertRaisesRegex(ValueError, "end is -1"):
            ids(end=-1)

    def test_arrow_or_a_clear_error(self):
        try:
            import pyarrow
        except ImportError:
            with self.assertRaisesRegex(ImportError, "needs pyarrow"):
                self.analysis.to_arrow()
        else:
            for name in ("nodes", "groups", "segments", "units", "bounds", "timeline", "lifetimes", "values"):
                table = self.analysis.to_arrow(name)
                self.assertIsInstance(table, pyarrow.Table)
                self.assertEqual(table.num_rows, len(getattr(self.analysis, name)), name)
            formulas = onnx_hwest.load(BERT).analyze().to_arrow("values")
            self.assertEqual(formulas.num_columns, len(self.analysis.values._columns()))
        with self.assertRaisesRegex(ValueError, "totals"):
            self.analysis.to_arrow("totals")

    def test_columns_of_arrow_are_of_one_type(self):
        from onnx_hwest import _rows
        self.assertEqual(_rows._of_one_type([1, None, 2]), [1, None, 2])
        self.assertEqual(_rows._of_one_type([1, "2*n", None]), ["1", "2*n", None])
        self.assertEqual(_rows._of_one_type([(1, "n"), (2, 3), None]), [["1", "n"], ["2", "3"], None])
        self.assertEqual(_rows._of_one_type([(1, 2)]), [(1, 2)])

    def test_html(self):
        shown = self.analysis._repr_html_()
        self.assertIn("latency_s", shown)
        self.assertIn("jetson-agx-orin-64gb", shown)

    def test_a_notebook_shows_the_page(self):
        try:
            page = self.analysis.report("html")
        except onnx_hwest.Error:  # a build without Node.js
            self.assertNotIn("<iframe", self.analysis._repr_html_())
            return
        shown = self.analysis._repr_html_()
        frame = re.match(r'<iframe srcdoc="([^"]*)" title="([^"]*)" sandbox="([^"]*)"', shown)
        self.assertEqual(html.unescape(frame[1]), page)
        self.assertIn("resnet18.onnx on jetson-agx-orin-64gb", frame[2])
        self.assertNotIn("allow-same-origin", frame[3])
        self.assertIn("Content-Security-Policy", page)
        self.assertEqual(shown.count("<th>"), 2 + 10)  # totals, and the most expensive groups
        self.assertIn("<iframe", onnx_hwest.load(RESNET).analyze()._repr_html_())

    def rewritten(self, model, **options):
        with tempfile.TemporaryDirectory() as folder:
            return model.rewrite(output=os.path.join(folder, "out.onnx"), **options)

    def test_rewrite(self):
        model = onnx_hwest.load(RESNET)
        data = model.rewrite(rules=["dead_removed"])
        self.assertIsInstance(data, bytes)
        self.assertEqual(len(onnx_hwest.load(data).outputs), len(model.outputs))
        with tempfile.TemporaryDirectory() as folder:
            output = os.path.join(folder, "out.onnx")
            report = onnx_hwest.load(data).rewrite("jetson-orin", output)
            self.assertEqual((report["kind"], report["output"]["path"]), ("rewrite", output))
            self.assertEqual(report["output"]["bytes"], os.path.getsize(output))
            self.assertLessEqual(report["after"]["summary"]["latency_s"], report["before"]["summary"]["latency_s"])
            before = os.stat(output)
            with self.assertRaises(onnx_hwest.Error):
                model.rewrite("no-such-target", output)
            self.assertEqual((os.stat(output), os.listdir(folder)), (before, ["out.onnx"]))
        with self.assertRaisesRegex(onnx_hwest.Error, "no rule"):
            model.rewrite(rules=["no_such_rule"])
        with self.assertRaises(TypeError):
            model.rewrite(rules="dead_removed")
        own = "relu_by_max = Relu(x) -> Max(x, 0)"
        report = self.rewritten(model, rewrite_rules=own)
        self.assertEqual((report["rules"][0]["name"], report["verify"]), ("relu_by_max", None))
        with self.assertRaisesRegex(onnx_hwest.Error, "rewrite-rules:1:1"):
            model.rewrite(rewrite_rules="Nonsense = Relu(x) -> x")
        with self.assertRaisesRegex(onnx_hwest.Error, "relu_by_shape makes int64"):
            model.rewrite(rewrite_rules="relu_by_shape = Relu(x) -> Shape(x)")
        for verify in (0, 3):
            with self.assertRaisesRegex(ValueError, "verify"):
                model.rewrite(verify=verify)
        older = onnx_hwest.load(model.rewrite(rules=["dead_removed"], opset=11))
        self.assertEqual(len(older.outputs), len(model.outputs))
        with self.assertRaisesRegex(onnx_hwest.Error, "opset"):
            older.rewrite(rules=["dead_removed"], opset=13)

    def test_what_if_and_explain(self):
        what_if = self.analysis.what_if()
        places = [(("same", "batch", "network", "board").index(change.scope), -change.saving_s)
                  for change in what_if.changes]
        self.assertEqual(places, sorted(places))
        self.assertTrue(all(change.saving_s > 0 and change.work for change in what_if.changes))
        self.assertTrue(all(change.how in what_if.report("json") for change in what_if.changes))
        self.assertIn(what_if.changes[0].change, what_if.report("json"))
        explanation = self.analysis.explain(self.analysis.nodes[20].label)
        self.assertEqual(explanation.fusion.node, 20)
        self.assertIn(self.analysis.nodes[20].unit, [move.unit for move in explanation.moves])
        self.assertIn(self.analysis.nodes[20].label, explanation.report())


class GenerationTest(unittest.TestCase):
    def test_rows_are_those_of_the_program(self):
        told = []
        rows = onnx_hwest.load(DECODER).generation("x86-avx2", [64, 4096], precision="fp32",
                                                   progress=lambda *step: told.append(step))
        self.assertIsInstance(rows[0], onnx_hwest.Context)
        self.assertEqual([row.context for row in rows], [64, 4096])
        self.assertEqual([row.cache_bytes for row in rows], [2 * 4 * 4 * context for context in (64, 4096)])
        self.assertLess(rows[0].first_token_s, rows[1].first_token_s)
        self.assertEqual([step[1:] for step in told], [(i, 4) for i in range(4)])
        command = [sys.executable, "-m", "onnx_hwest", DECODER, "--target", "x86-avx2", "--precision", "fp32",
                   "--context", "64,4096", "--format", "json"]
        document = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
        for row, shown in zip(rows, document["generation"]):
            self.assertAlmostEqual(row.first_token_s, shown["ttft_s"])
            self.assertAlmostEqual(row.tokens_per_s / shown["tokens_per_s"], 1)
            self.assertEqual(row.peak_memory_bytes, shown["peak_memory_bytes"])

    def test_errors(self):
        model = onnx_hwest.load(DECODER)
        with self.assertRaisesRegex(onnx_hwest.Error, "keeps no key/value cache"):
            onnx_hwest.load(RESNET).generation("x86-avx2", [64])
        with self.assertRaises(onnx_hwest.Error):
            model.generation("x86-avx2", [])
        with self.assertRaises(ValueError):
            model.generation("x86-avx2", [0])
        with self.assertRaises(onnx_hwest.Cancelled):
            model.generation("x86-avx2", [64, 128], progress=lambda what, done, total: done < 2)


    def test_a_step_at_one_context(self):
        model = onnx_hwest.load(DECODER)
        row = model.generation("x86-avx2", [4096], precision="fp32")[0]
        step = model.analyze("x86-avx2", precision="fp32", context=4096)
        self.assertEqual(step.totals.latency_s, row.token_s)
        self.assertEqual(len(step.explain("g0").moves), 1)
        short = model.analyze("x86-avx2", precision="fp32", context=64)
        self.assertLess(short.totals.latency_s, step.totals.latency_s)
        compared = onnx_hwest.diff(model, step, "x86-avx2", precision="fp32", context=4096)
        self.assertTrue(compared.same)
        for context, analysis in ((64, short), (4096, step)):
            checked = onnx_hwest.check(model, "x86-avx2", precision="fp32", context=context, max_latency="1 s")
            self.assertEqual(checked.lines[0].value, analysis.totals.latency_s)
        with self.assertRaisesRegex(onnx_hwest.Error, "keeps no key/value cache"):
            onnx_hwest.load(RESNET).analyze("x86-avx2", context=64)
        with self.assertRaisesRegex(onnx_hwest.Error, "context"):
            model.generation("x86-avx2", [64], context=64)
        with self.assertRaises(ValueError):
            model.analyze("x86-avx2", context=0)


class ResultTest(unittest.TestCase):
    """What holds for everything that a call finds."""

    @classmethod
    def setUpClass(cls):
        cls.model = onnx_hwest.load(RESNET)
        cls.analysis = cls.model.analyze("jetson-orin")
        cls.results = {
            "analysis": cls.analysis,
            "shapes": cls.model.analyze(),
            "what_if": cls.analysis.what_if(),
            "explanation": cls.analysis.explain("#20"),
            "diff": onnx_hwest.diff(cls.analysis, cls.model.analyze("tda4vm")),
            "check": onnx_hwest.check(cls.analysis, max_latency="1 ns"),
            "workload": onnx_hwest.workload(os.path.join(SOURCE, "examples/workloads/two_detectors.textproto")),
        }

    def test_pickled_results_keep_their_tables_and_their_json(self):
        for name, result in self.results.items():
            with self.subTest(result=name):
                again = pickle.loads(pickle.dumps(result))
                self.assertIs(type(again), type(result))
                tables = [key for kind in type(result).__mro__ for key, value in vars(kind).items()
                          if isinstance(value, functools.cached_property)]
                self.assertGreater(len(tables), 0)
                for table in tables:
                    rows, kept = getattr(result, table), getattr(again, table)
                    self.assertEqual(type(kept), type(rows))
                    self.assertEqual(repr(kept), repr(rows))
                self.assertEqual(again.report("json"), result.report("json"))
                self.assertEqual(repr(again).split(" at 0x")[0], repr(result).split(" at 0x")[0])
                self.assertEqual(pickle.dumps(pickle.loads(pickle.dumps(again))), pickle.dumps(again))
                with self.assertRaisesRegex(ValueError, "was pickled"):
                    again.report("text")
                again.close()
        again = pickle.loads(pickle.dumps(self.analysis))
        self.assertEqual(again.to_dict(), self.analysis.to_dict())
        self.assertIn(again._repr_html_(), self.analysis._repr_html_())  # the tables without the page
        with self.assertRaisesRegex(ValueError, "was pickled"):
            again.explain("#20")
        with self.assertRaisesRegex(ValueError, "was pickled"):
            again.to_dict("support")
        self.assertIs(copy.deepcopy(self.analysis), self.analysis)

    def test_what_is_closed_is_not_pickled(self):
        closed = self.model.analyze("jetson-orin")
        closed.close()
        with self.assertRaisesRegex(ValueError, "closed"):
            pickle.dumps(closed)

    def test_formats_are_those_that_annotations_name(self):
        from onnx_hwest import _abi, _formats, _words
        formats = _words.WORDS["FORMAT"]
        numbers = {value for name, value in vars(_abi).items() if name.startswith("HWEST_FORMAT_")}
        self.assertEqual(set(range(len(formats))), numbers)
        binary = set(get_args(_formats.Binary))
        reports = [
            (self.analysis.report, set(get_args(_formats.AnalysisFormat)) | binary),
            (self.analysis.graph, set(get_args(_formats.GraphFormat)) | binary),
            (self.results["what_if"].report, set(get_args(_formats.AnalysisFormat)) | binary),
            (self.results["explanation"].report, set(get_args(_formats.TableFormat))),
            (self.results["diff"].report, set(get_args(_formats.DiffFormat))),
            (self.results["check"].report, set(get_args(_formats.CheckFormat))),
            (self.results["workload"].report, set(get_args(_formats.WorkloadFormat))),
            (onnx_hwest.load_target("tda4vm").report, set(get_args(_formats.TableFormat))),
        ]
        pictures = {"dot", "svg", "png", "pdf"}
        for report, named in reports:
            for word in formats:
                if word in pictures and os.environ.get("HWEST_NO_GRAPHVIZ"):
                    continue
                with self.subTest(report=report.__qualname__, format=word):
                    try:
                        written = report(word)
                    except onnx_hwest.Error as error:
                        if "no HTML reports" not in str(error):  # of a build without the page
                            self.assertNotIn(word, named)
                    else:
                        self.assertIn(word, named)
                        self.assertIsInstance(written, bytes if word in binary else str)

    def test_tables_of_notebooks_have_ten_columns(self):
        from onnx_hwest import _row_columns
        self.assertEqual(set(_row_columns.SHOWN), set(_row_columns.COLUMNS))
        for name, columns in _row_columns.COLUMNS.items():
            shown = _row_columns.SHOWN[name]
            self.assertEqual(len(set(shown)), min(10, len(columns)), name)
            self.assertLessEqual(set(shown), set(columns))
        shown = self.analysis.groups._repr_html_()
        self.assertEqual(shown.count("<th>"), 10)
        self.assertEqual(shown.split("</tr>")[1].count("<td>"), 10)
        self.assertIn(f"{len(_row_columns.COLUMNS['Group']) - 10} more columns", shown)
        self.assertNotIn("more columns", self.results["diff"].nodes._repr_html_())

    def test_a_token_ends_every_study(self):
        stack = os.path.join(SOURCE, "examples/workloads/two_detectors.textproto")
        calls = [self.analysis.what_if, lambda **how: self.analysis.explain("#20", **how),
                 lambda **how: onnx_hwest.workload(stack, **how)]
        for call in calls:
            before, during = onnx_hwest.Cancel(), onnx_hwest.Cancel()
            before.request()
            with self.assertRaises(onnx_hwest.Cancelled):
                call(cancel=before)
            with self.assertRaises(onnx_hwest.Cancelled):
                call(cancel=during, progress=lambda what, done, total, at=during: at.request() if done == 1 else None)
            with self.assertRaises(onnx_hwest.Cancelled):
                call(progress=lambda what, done, total: done < 1)
            call(cancel=onnx_hwest.Cancel())

    def test_names_of_targets_and_precisions_in_any_case(self):
        plain = self.model.analyze("jetson-orin", precision="int8", mode="MAXN").report("json")
        for target, precision, mode in (("Jetson-Orin", "INT8", "maxn"), ("JETSON-AGX-ORIN-64GB", "Int8", "MaxN")):
            again = self.model.analyze(target, precision=precision, mode=mode)
            self.assertEqual(again.totals, self.model.analyze("jetson-orin", precision="int8", mode="MAXN").totals)
            self.assertEqual(json.loads(again.report("json"))["summary"], json.loads(plain)["summary"])
        mixed = self.model.analyze("jetson-orin", precision="gpu=FP16,dla0=INT8").totals
        self.assertEqual(mixed, self.model.analyze("jetson-orin", precision="gpu=fp16,dla0=int8").totals)
        self.assertEqual(onnx_hwest.load_target("TDA4VM").info.name, "tda4vm")


class ModelFactsTest(unittest.TestCase):
    def test_info_and_free_dims(self):
        model = onnx_hwest.load(BERT)
        self.assertGreater(model.info.nodes, 100)
        self.assertEqual([symbol.name for symbol in model.symbols], ["batch", "seq"])
        self.assertEqual(model.inputs[0].dims, ("batch", "seq"))
        self.assertEqual(model.opsets[0].domain, "ai.onnx")

    def test_limits(self):
        with self.assertRaises(onnx_hwest.Error) as caught:
            onnx_hwest.load(RESNET, max_nodes=3)
        self.assertEqual(caught.exception.code, "model_refused")

    def test_model_proto(self):
        class Proto:  # what onnx.ModelProto has
            @staticmethod
            def SerializeToString():
                with open(RESNET, "rb") as file:
                    return file.read()

        self.assertEqual(onnx_hwest.load(Proto(), name="mine").analyze().totals.macs, MACS)


class TargetTest(unittest.TestCase):
    def test_list_and_load(self):
        names = [target.name for target in onnx_hwest.targets()]
        self.assertIn("jetson-agx-orin-64gb", names)
        self.assertEqual(names, sorted(names))
        target = onnx_hwest.load_target("jetson-orin")
        self.assertEqual(target.info.name, "jetson-agx-orin-64gb")
        self.assertIn("30W", [mode.name for mode in target.modes])
        self.assertEqual(target.units[0].kind, "simt_gpu")
        self.assertEqual(sum(fact.is_read for fact in target.facts), target.info.facts)
        self.assertIn("gpu", target.report())

    def test_own_target(self):
        own = onnx_hwest.parse_target('name: "own" base: "jetson-agx-orin-64gb" summary: "a copy"')
        totals = onnx_hwest.load(RESNET).analyze(own).totals
        self.assertEqual(totals.target, "own")
        self.assertEqual(onnx_hwest.lint_target('name: "x" nonsense: 1')[0].line, 1)
        with self.assertRaises(onnx_hwest.Error):
            onnx_hwest.parse_target("nonsense")


class CallbackTest(unittest.TestCase):
    def setUp(self):
        self.model = onnx_hwest.load(RESNET)

    def test_progress(self):
        steps = []
        self.model.analyze("jetson-orin", progress=lambda what, done, total: steps.append((what, done, total)))
        self.assertEqual([done for _, done, _ in steps], list(range(steps[0][2])))
        self.assertEqual(steps[0][0], "target")

    def test_false_cancels(self):
        with self.assertRaises(onnx_hwest.Cancelled) as caught:
            self.model.analyze("jetson-orin", progress=lambda what, done, total: done < 3)
        self.assertEqual((caught.exception.code, caught.exception.status), ("interrupted", 1))

    def test_exceptions_of_callbacks_come_out(self):
        def fail(*_):
            raise KeyError("mine")

        with self.assertRaisesRegex(KeyError, "mine"):
            self.model.analyze("jetson-orin", progress=fail)

    def test_false_cancels_what_if(self):
        with self.assertRaises(onnx_hwest.Cancelled):
            self.model.analyze("jetson-orin").what_if(progress=lambda what, done, total: done < 2)

    def test_cancel_from_another_thread(self):
        cancel = onnx_hwest.Cancel()

        def ask(what, done, total):
            if done == 2:
                thread = threading.Thread(target=cancel.request)
                thread.start()
                thread.join()

        with self.assertRaises(onnx_hwest.Cancelled):
            self.model.analyze("jetson-orin", progress=ask, cancel=cancel)
        self.assertTrue(cancel.requested)

    def test_log(self):
        told = []
        analysis = self.model.analyze("jetson-orin", precision="int8", log=told.append)
        self.assertEqual(told, list(analysis.diagnostics))


class StudyTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.measurements = self.folder / "measured.csv"
        rows = [f"resnet18,my board,GPU,trt,fp16,latency_ms,{0.5 + 0.3 * batch},{batch}" for batch in range(1, 9)]
        self.measurements.write_text(
            "\n".join(["model,device,unit,runtime,precision,metric,value,batch", *rows, ""]), encoding="utf-8")
        self.models = os.path.dirname(RESNET)

    def test_validate(self):
        validation = onnx_hwest.validate(self.measurements, self.models, "jetson-orin")
        self.assertEqual(len(validation.points), 8)
        self.assertEqual(validation.points[1].measured, 1.1)
        self.assertEqual(validation.pools[0].points, 8)
        self.assertIn("my board", validation.report())

    def test_cancelled(self):
        with self.assertRaises(onnx_hwest.Cancelled):
            onnx_hwest.validate(self.measurements, self.models, "jetson-orin", progress=lambda *_: False)

    def test_calibrate(self):
        calibration = onnx_hwest.calibrate(self.measurements, self.models, "rtx-3090")  # a clock that no rows set
        self.assertEqual(calibration.fits[0].count, 8)
        path = self.folder / "mine.textproto"
        calibration.save(path)
        before = calibration.before[0].median
        after = onnx_hwest.validate(self.measurements, self.models, path).pools[0].median
        self.assertLess(after, before / 1.5)


if __name__ == "__main__":
    unittest.main()
