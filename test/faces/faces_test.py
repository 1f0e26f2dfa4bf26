#!/usr/bin/env python3
"""Every verb says the same through the command line, C and Python: JSON byte for byte, and the page of an analysis.

usage: faces_test.py FACES     FACES = the program of faces.c; HWEST_PROGRAM = the command line
"""

import json
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile
import unittest

import onnx_hwest

FACES = sys.argv.pop(1)
PROGRAM = shlex.split(os.environ["HWEST_PROGRAM"])
SOURCE = pathlib.Path(os.environ["HWEST_SOURCE_DIR"])
EXAMPLES = SOURCE / "examples"
RESNET = str(EXAMPLES / "models" / "resnet18.onnx")
MIX = str(EXAMPLES / "models" / "gated_mix.onnx")
COMPLOG = SOURCE / "test" / "complog"
MOBILENET = str(SOURCE / "test" / "models" / "mobilenet_v2.ts.onnx")
DECODER = str(SOURCE / "test" / "capi" / "decoder.onnx")
NPU = str(EXAMPLES / "my_npu.textproto")
WORKLOAD = str(EXAMPLES / "workloads" / "stated_times.textproto")
JSON, HTML = "1", "12"  # HWEST_FORMAT_*
KINDS = {"analysis": "0", "shapes": "1", "support": "2", "explain": "3", "graph": "4"}
ORIN, TDA = "jetson-orin", "tda4vm"


def command(*words):
    run = subprocess.run([*PROGRAM, *words, "--quiet"], capture_output=True, check=False)
    if not run.stdout:
        raise AssertionError(f"{words}: {run.stderr.decode()}")
    return run.stdout.decode()


def faces(*words, form=JSON):
    emulator = shlex.split(os.environ.get("EMULATOR", ""))
    run = subprocess.run([*emulator, FACES, form, *words], capture_output=True, check=False)
    if run.returncode != 0:
        raise AssertionError(f"{words}: {run.stderr.decode()}")
    return run.stdout.decode()


class FacesTest(unittest.TestCase):
    maxDiff = 4000

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.measurements = str(cls.folder / "measured.csv")
        rows = [f"resnet18,my board,GPU,trt,fp16,latency_ms,{0.5 + 0.3 * batch},{batch}" for batch in range(1, 9)]
        head = "model,device,unit,runtime,precision,metric,value,batch"
        pathlib.Path(cls.measurements).write_text("\n".join([head, *rows, ""]), encoding="utf-8")
        cls.models = str(EXAMPLES / "models")
        cls.budget = str(cls.folder / "hwest.budget")
        pathlib.Path(cls.budget).write_text(
            f'check {{ model: "{RESNET}" target: "{ORIN}" latency {{ max: "0.001 ms" }} }}\n', encoding="utf-8")

    def same(self, name, *texts):
        for text in texts:
            self.assertTrue(text)
            self.assertTrue(text == texts[0], f"{name}: {difference(texts[0], text)}")

    def test_analyses(self):
        """With nodes that fall back, and without a target."""
        for kind, verb, model, target, node in [
                ("analysis", "analyze", RESNET, ORIN, "-"),
                ("analysis", "analyze", MOBILENET, TDA, "-"),
                ("analysis", "analyze", MIX, ORIN, "-"),
                ("shapes", "shapes", RESNET, "-", "-"),
                ("support", "support", MOBILENET, TDA, "-"),
                ("explain", "explain", RESNET, ORIN, "#20"),
                ("explain", "explain", RESNET, ORIN, "g3"),
                ("graph", "graph", RESNET, "-", "-"),
                ("graph", "graph", MOBILENET, TDA, "-")]:
            with self.subTest(kind=kind, model=model, target=target, node=node):
                words = [verb, model] + ([node] if node != "-" else [])
                words += ["--target", target] if target != "-" else []
                analysis = onnx_hwest.load(model).analyze(None if target == "-" else target)
                self.same(kind, command(*words, "--json"), faces("analysis", KINDS[kind], model, target, node),
                          analysis.report("json", kind=kind, node=None if node == "-" else node))

    def test_explanations(self):
        for node in ("#20", "g3"):
            with self.subTest(node=node):
                explanation = onnx_hwest.load(RESNET).analyze(ORIN).explain(node)
                self.same("explain", command("explain", RESNET, node, "--target", ORIN, "--json"),
                          faces("explanation", KINDS["explain"], RESNET, ORIN, node), explanation.report("json"))

    def test_what_if(self):
        self.same("what-if", command("analyze", MOBILENET, "--target", TDA, "--what-if", "--json"),
                  faces("what_if", MOBILENET, TDA), onnx_hwest.load(MOBILENET).analyze(TDA).what_if().report("json"))

    def test_import_log(self):
        for model, target, log in [("tiny_net.onnx", "rk3588", "rknn.log"), ("tiny_mod.onnx", "sa8775p", "qnn.log")]:
            with self.subTest(log=log):
                model, log = str(COMPLOG / model), str(COMPLOG / "logs" / log)
                python = onnx_hwest.import_log(log, onnx_hwest.load(model).analyze(target))
                self.same("import-log", command("import-log", log, model, "--target", target, "--json"),
                          faces("import_log", model, target, log, log), python.report("json"))
                self.assertEqual(python.totals.nodes, len(python.nodes))

    def test_refusals(self):
        """The rows of C and Python are those of the report."""
        document = json.loads(command("support", MOBILENET, "--target", ORIN, "--json"))
        rows = onnx_hwest.load(MOBILENET).analyze(ORIN).refusals().rows
        self.assertTrue(rows)
        self.assertEqual(document["refusals"], [row.to_dict() for row in rows])

    def test_pages(self):
        """A page opens with what would help, whoever writes it."""
        html = onnx_hwest.load(RESNET).analyze(ORIN).report("html")
        self.same("html", command("analyze", RESNET, "--target", ORIN, "--format", "html"),
                  faces("analysis", KINDS["analysis"], RESNET, ORIN, "-", form=HTML), html)

    def test_contexts(self):
        """C and Python have the rows, and no report of them; their columns have other names."""
        names = {"ttft_s": "first_token_s", "ttft_low_s": "first_token_low_s", "ttft_high_s": "first_token_high_s",
                 "ttft_energy_j": "first_token_j", "token_energy_j": "token_j"}
        document = json.loads(command("analyze", DECODER, "--target", ORIN, "--context", "16,64", "--json"))
        said = [{names.get(key, key): value for key, value in row.items()} for row in document["generation"]]
        rows = onnx_hwest.load(DECODER).generation(ORIN, [16, 64])
        self.assertEqual(said, [row.to_dict() for row in rows])

    def test_targets(self):
        self.same("targets", command("targets", "--json"), faces("targets"))
        self.same("target", command("targets", "show", ORIN, "--json"), faces("target", ORIN),
                  onnx_hwest.load_target(ORIN).report("json"))
        self.same("lint", command("targets", "lint", NPU, "--json"), faces("lint", NPU))

    def test_validate(self):
        for leave_out, number in (("none", "0"), ("family", "1")):
            with self.subTest(leave_out=leave_out):
                words = ["--measurements", self.measurements, "--models", self.models, "--target", ORIN]
                validation = onnx_hwest.validate(self.measurements, self.models, ORIN, leave_out=leave_out)
                self.same("validate", command("validate", *words, "--leave-out", leave_out, "--json"),
                          faces("validate", self.measurements, self.models, ORIN, number), validation.report("json"))

    def test_calibrate(self):
        """The command line writes the target file itself, and says where."""
        target, output = "jetson-agx-orin-64gb", str(self.folder / "mine.textproto")
        said = command("calibrate", "--target", target, "--measurements", self.measurements, "--models", self.models,
                       "--output", output, "--json")
        calibration = onnx_hwest.calibrate(self.measurements, self.models, target)
        self.same("calibrate", said.replace(json.dumps(output), '""'),
                  faces("calibrate", self.measurements, self.models, target), calibration.report("json"))
        self.assertEqual(pathlib.Path(output).read_text(encoding="utf-8"), calibration.target_text)

    def test_rewrite(self):
        """The command line writes the model itself, and says where; Python has the report as objects."""
        output = str(self.folder / "better.onnx")
        said = command("rewrite", MOBILENET, "--target", TDA, "--output", output, "--json")
        self.same("rewrite", said.replace(json.dumps(output), '""'), faces("rewrite", MOBILENET, TDA))
        self.assertEqual(onnx_hwest.load(MOBILENET).rewrite(TDA, output), json.loads(said))

    def test_memory(self):
        for form, number in (("json", "1"), ("csv", "2"), ("c", "11")):
            with self.subTest(form=form):
                self.same("memory", command("memory", MOBILENET, "--target", TDA, "--format", form),
                          faces("memory", MOBILENET, TDA, form=number),
                          onnx_hwest.load(MOBILENET).memory(TDA, form))

    def test_quantize_plan(self):
        for form, number in (("json", "1"), ("csv", "2")):
            with self.subTest(form=form):
                self.same("quantize-plan",
                          command("quantize-plan", MOBILENET, "--target", TDA, "--formats", "int8,w8a16",
                                  "--format", form),
                          faces("quantize-plan", MOBILENET, TDA, form=number),
                          onnx_hwest.load(MOBILENET).quantize_plan(TDA, form, formats=["int8", "w8a16"]))

    def test_quantized_model_is_refused_in_one_way(self):
        model, how = onnx_hwest.load(MOBILENET), {"formats": ["int8"], "export_as": "onnx"}
        with self.assertRaisesRegex(onnx_hwest.Error, "ranges"):
            model.quantize_plan(TDA, **how)
        with self.assertRaisesRegex(onnx_hwest.Error, "the ranges lack"):
            model.quantize_plan(TDA, ranges='{"nothing": [0, 1]}', **how)

    def test_width(self):
        for form, number in (("json", "1"), ("csv", "2")):
            with self.subTest(form=form):
                self.same("width", command("width", MOBILENET, "--target", TDA, "--format", form),
                          faces("width", MOBILENET, TDA, form=number), onnx_hwest.load(MOBILENET).width(TDA, form))

    def test_llm(self):
        config = self.folder / "config.json"
        config.write_text(json.dumps({
            "model_type": "llama", "hidden_size": 2048, "intermediate_size": 8192, "num_hidden_layers": 16,
            "num_attention_heads": 32, "num_key_value_heads": 8, "vocab_size": 128256, "tie_word_embeddings": True,
        }), encoding="utf-8")
        for form, number in (("json", "1"), ("csv", "2")):
            with self.subTest(form=form):
                self.same("llm",
                          command("llm", str(config), "--target", "rk3588", "--prompt", "64,256", "--format", form),
                          faces("llm", str(config), "rk3588", form=number),
                          onnx_hwest.llm(config, "rk3588", form, prompts=[64, 256]))

    def test_sweep(self):
        said = command("sweep", RESNET, "--target", f"{ORIN},{TDA}", "--json")
        self.same("sweep", said, faces("sweep", RESNET, ORIN, TDA))
        try:
            rows = onnx_hwest.sweep([RESNET], [ORIN, TDA])
        except ImportError as missing:
            print(f"sweep through Python is left out: {missing}", file=sys.stderr)
            return
        # A data set outlives what was asked for: the request of its report is what its rows hold.
        asked, ours = json.loads(said), json.loads(rows.report("json"))
        held = {"targets": "target", "modes": "mode", "precisions": "precision", "batches": "batch"}
        for part, column in held.items():
            held_here = dict.fromkeys(row[column] for row in asked["rows"] if row[column] is not None)
            self.assertEqual(ours["request"][part], list(held_here))
        self.assertEqual(ours["request"]["models"], asked["request"]["models"])
        del asked["request"], ours["request"]
        self.assertEqual(ours, asked)

    def test_sweep_set(self):
        said = command("sweep", RESNET, "--target", NPU, "--set", "sram.size=1MB,2MB", "--json")
        self.assertEqual([row["set"] for row in json.loads(said)["rows"]], [{"sram.size": 1e6}, {"sram.size": 2e6}])
        self.same("sweep", said, faces("sweep_set", RESNET, NPU, "sram.size=1MB,2MB"))
        try:
            rows = onnx_hwest.sweep([RESNET], [NPU], settings={"sram.size": ["1MB", "2MB"]})
        except ImportError as missing:
            print(f"sweep through Python is left out: {missing}", file=sys.stderr)
            return
        self.assertEqual(json.loads(rows.report("json"))["rows"], json.loads(said)["rows"])

    def test_explore(self):
        best = str(self.folder / "best.textproto")
        words = ["explore", NPU, RESNET, "--vary", "sram.size=1MB,2MB", "--process", "16"]
        for form, number in (("json", "1"), ("text", "0"), ("csv", "2")):
            with self.subTest(form=form):
                self.same("explore", command(*words, "--format", form),
                          faces("explore", NPU, RESNET, "sram.size=1MB,2MB", "-", form=number),
                          onnx_hwest.explore(NPU, RESNET, {"sram.size": ["1MB", "2MB"]}, form, process_nm=16))
        command(*words, "--output", best)
        said = pathlib.Path(best).read_text(encoding="utf-8")
        onnx_hwest.explore(NPU, [RESNET], {"sram.size": "1MB,2MB"}, process_nm=16, best=best)
        self.same("best", said, faces("explore", NPU, RESNET, "sram.size=1MB,2MB", best),
                  pathlib.Path(best).read_text(encoding="utf-8"))

    def test_check(self):
        for limit in ("0.001 ms", "1 s"):
            with self.subTest(limit=limit):
                self.same("check", command("check", RESNET, "--target", ORIN, "--max-latency", limit, "--json"),
                          faces("check_model", RESNET, ORIN, limit),
                          onnx_hwest.check(RESNET, ORIN, max_latency=limit).report("json"))
        self.same("check", command("check", RESNET, "--target", ORIN, "--max-latency", "1 s", "--format", "junit"),
                  faces("check_model", RESNET, ORIN, "1 s", form="14"),
                  onnx_hwest.check(RESNET, ORIN, max_latency="1 s").report("junit"))
        self.same("budget", command("check", "--budget", self.budget, "--json"), faces("check_budget", self.budget),
                  onnx_hwest.check(budget=self.budget).report("json"))

    def test_diff(self):
        self.same("diff", command("diff", RESNET, MOBILENET, "--target", ORIN, "--json"),
                  faces("diff", RESNET, ORIN, MOBILENET, ORIN), onnx_hwest.diff(RESNET, MOBILENET, ORIN).report("json"))
        self.same("diff", command("diff", RESNET, "--target", ORIN, "--against", TDA, "--json"),
                  faces("against", RESNET, ORIN, TDA),
                  onnx_hwest.load(RESNET).diff(target=ORIN, against=TDA).report("json"))

    def test_workload(self):
        self.same("workload", command("workload", WORKLOAD, "--json"), faces("workload", WORKLOAD),
                  onnx_hwest.workload(WORKLOAD).report("json"))

    def test_fit(self):
        asked = ("fit", RESNET, "--target", TDA, "--streams", "2@25FPS", "--deadline", "35ms", "--pre", "h265",
                 "--post", "nms")
        found = onnx_hwest.fit(RESNET, TDA, streams=2, rate="25FPS", deadline="35ms", stages=["h265", "nms"])
        for form, number in (("json", "1"), ("text", "0")):
            self.same("fit", command(*asked, "--format", form), faces("fit", RESNET, TDA, form=number),
                      found.report(form))
        (board,) = found.rows
        self.assertEqual((board.target, board.holds, board.shown), (TDA, True, 2))


def difference(a, b):
    """The first place where two texts differ."""
    place = next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
    begin = max(place - 80, 0)
    return f"at {place}: {a[begin:place + 80]!r} against {b[begin:place + 80]!r}"


if __name__ == "__main__":
    unittest.main()
