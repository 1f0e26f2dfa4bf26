#!/usr/bin/env python3
"""onnx_hwest.torch against a real PyTorch, which lies in a virtual environment outside the build: cmake/setup.sh
--with-torch makes it. ONNX_HWEST_TORCH_PYTHON names the interpreter of another one. Skipped (77) without."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import types
import unittest

_DEFAULT = pathlib.Path.home() / ".cache/onnx-hwest/torch-venv/bin/python"
_OTHER = os.environ.get("ONNX_HWEST_TORCH_PYTHON", str(_DEFAULT))

try:
    import torch
except ImportError:
    if not os.access(_OTHER, os.X_OK) or os.environ.get("HWEST_TORCH_TEST"):
        print(f"DID NOT RUN: no PyTorch at {_OTHER}: cmake/setup.sh --with-torch installs it")
        sys.exit(77)
    os.execve(_OTHER, [_OTHER, *sys.argv], {**os.environ, "HWEST_TORCH_TEST": "1"})

import onnx_hwest
import onnx_hwest.torch as hwest_torch
import torch_models as models
from onnx_hwest._torch_files import Refused, Unreadable, of_file

MASKED = {"input_ids": torch.ones(1, 16, dtype=torch.int64), "attention_mask": torch.ones(1, 16, dtype=torch.int64)}
# Model, what it is called with, MACs.
REFUSED_BY_FX = [
    (models.Detector, torch.zeros(1, 3, 32, 32), models.DETECTOR_MACS),
    (models.Checked, {"pixel_values": torch.zeros(1, 3, 16, 16)}, models.CHECKED_MACS),
    (models.Encoder, MASKED, models.ENCODER_MACS),
]


def inputs_of(analysis):
    return [row["name"] for row in analysis.to_dict()["model"]["inputs"]]


class ExportTest(unittest.TestCase):
    def test_what_symbolic_trace_refuses_is_reported(self):
        for make, example, macs in REFUSED_BY_FX:
            for exporter in ("auto", "torchscript"):
                with self.subTest(model=make.__name__, exporter=exporter):
                    net = make()
                    with self.assertRaises((torch.fx.proxy.TraceError, TypeError)):
                        torch.fx.symbolic_trace(net)
                    with hwest_torch.export(net, example, exporter=exporter) as model:
                        analysis = model.analyze("jetson-orin")
                        self.assertEqual(analysis.totals.macs, macs)
                        self.assertGreater(analysis.totals.latency_s, 0)
                        self.assertEqual(analysis.totals.unknown_nodes, 0)
                        self.assertIn(make.__name__, analysis.report())
                        if isinstance(example, dict):
                            self.assertEqual(inputs_of(analysis), list(example))

    def test_inputs_by_position(self):
        model = hwest_torch.export(models.Encoder(), tuple(MASKED.values()))
        self.assertEqual(inputs_of(model.analyze()), list(MASKED))
        model = hwest_torch.export(models.Encoder(), MASKED["input_ids"])
        self.assertEqual(inputs_of(model.analyze()), ["input_ids"])

    def test_modules_keep_their_names(self):
        rows = hwest_torch.export(models.Detector(), (1, 3, 32, 32)).analyze("jetson-orin").to_dict()["modules"]
        paths = " ".join(row["path"] for row in rows)
        for name in ("split", "split.inner.0", "heads.1"):
            self.assertIn(name, paths.replace("/", "."))

    def test_shapes_stand_for_zeros(self):
        totals = hwest_torch.export(models.Detector(), (1, 3, 32, 32)).analyze().totals
        self.assertEqual(totals.macs, models.DETECTOR_MACS)
        half = models.Branching().half()
        self.assertEqual(hwest_torch.export(half, {"x": (2, 8)}).analyze().totals.macs, 2 * 64)

    def test_lazy_modules(self):
        totals = hwest_torch.export(models.Lazy(), (1, 3, 6, 6)).analyze().totals
        self.assertEqual(totals.params, 4 * 27 + 4 + 64 * 5 + 5)

    def test_falls_back_to_torchscript(self):
        with self.assertRaises(hwest_torch.ExportError):
            hwest_torch.export(models.Branching(), (1, 8), exporter="dynamo")
        self.assertEqual(hwest_torch.export(models.Branching(), (1, 8)).analyze().totals.macs, 64)
        script = torch.jit.trace(models.Branching(), torch.zeros(1, 8))
        self.assertEqual(hwest_torch.export(script, (1, 8)).analyze().totals.macs, 64)

    def test_example_of_the_model(self):
        for name, value in (("example_input_array", torch.zeros(1, 3, 32, 32)),
                            ("dummy_inputs", {"x": torch.zeros(1, 3, 32, 32)}),
                            ("default_cfg", {"input_size": (3, 32, 32)})):
            net = models.Detector()
            setattr(net, name, value)
            self.assertEqual(hwest_torch.export(net).analyze().totals.macs, models.DETECTOR_MACS, msg=name)


class WeightsTest(unittest.TestCase):
    def test_weights_are_left_out_unless_wanted(self):
        with tempfile.TemporaryDirectory() as folder:
            for exporter in ("dynamo", "torchscript"):
                sizes = {}
                for weights in (False, True):
                    net = torch.nn.Linear(300, 300)
                    path = pathlib.Path(folder) / f"{exporter}{weights}.onnx"
                    model = hwest_torch.export(net, (1, 300), path=path, weights=weights, exporter=exporter)
                    self.assertEqual(model.analyze().totals.params, 300 * 300 + 300)
                    sizes[weights] = path.stat().st_size
                self.assertLess(sizes[False], 20_000)
                self.assertGreater(sizes[True], 4 * 300 * 300)

    def test_nothing_stays_without_a_path(self):
        with tempfile.TemporaryDirectory() as folder:
            before, tempfile.tempdir = tempfile.tempdir, folder
            try:
                hwest_torch.export(models.Branching(), (1, 8)).analyze("hailo-8")
                self.assertEqual([path.name for path in pathlib.Path(folder).glob("*.onnx")], [])
            finally:
                tempfile.tempdir = before


class ModelStaysTest(unittest.TestCase):
    def test_mode_hooks_and_random_state(self):
        net = models.Detector()
        net.split.eval()
        modes = [module.training for module in net.modules()]
        torch.manual_seed(7)
        want = torch.rand(3)
        torch.manual_seed(7)
        hwest_torch.export(net, (1, 3, 32, 32))
        self.assertTrue(torch.equal(torch.rand(3), want))
        self.assertEqual([module.training for module in net.modules()], modes)
        for module in net.modules():
            self.assertEqual(len(module._forward_hooks) + len(module._forward_pre_hooks), 0)

    def test_also_after_a_failure(self):
        net = models.Mismatched().train()
        with self.assertRaises(hwest_torch.ExportError):
            hwest_torch.export(net, (1, 8))
        self.assertTrue(all(module.training for module in net.modules()))
        self.assertEqual(len(net.body[1]._forward_pre_hooks), 0)


class FailureTest(unittest.TestCase):
    def test_forward_names_module_and_operator(self):
        with self.assertRaises(hwest_torch.ExportError) as caught:
            hwest_torch.export(models.Mismatched(), (1, 8))
        self.assertEqual(caught.exception.module, "body.1 (Linear)")
        self.assertIn("linear", caught.exception.operator)
        self.assertRegex(str(caught.exception),
                         r"the forward of Mismatched stopped in body\.1 .*linear.*cannot be multiplied")

    def test_export_names_module_and_operator(self):
        with self.assertRaises(hwest_torch.ExportError) as caught:
            hwest_torch.export(models.Unknown(), (1, 8))
        self.assertEqual(caught.exception.module, "body.1 (Twist)")
        self.assertRegex(caught.exception.operator, r"hwest_test.+twist")
        self.assertEqual(sorted(caught.exception.reasons), ["dynamo", "torchscript"])

    def test_torchscript_alone_names_them_too(self):
        with self.assertRaises(hwest_torch.ExportError) as caught:
            hwest_torch.export(models.Unknown(), (1, 8), exporter="torchscript")
        self.assertRegex(caught.exception.operator or "", r"twist")

    def test_programs_hold_their_inputs(self):
        program = torch.export.export(torch.nn.Linear(8, 8), (torch.zeros(2, 8),))
        self.assertEqual(hwest_torch.export(program).analyze().totals.macs, 2 * 64)
        for words in ({"example_inputs": (2, 8)}, {"exporter": "torchscript"}):
            with self.assertRaisesRegex(TypeError, "an ExportedProgram .*: leave"):
                hwest_torch.export(program, **words)

    def test_inputs_that_do_not_fit(self):
        for example, words in ((None, "name the inputs.*pixel_values"), (torch.zeros(1), "too many positional"),
                               ({"image": torch.zeros(1)}, "pixel_values")):
            with self.assertRaisesRegex(TypeError, words):
                hwest_torch.export(models.Checked(), example)
        with self.assertRaisesRegex(TypeError, "no nn.Module"):
            hwest_torch.export(lambda x: x, (1, 8))
        with self.assertRaisesRegex(ValueError, "dynamo or torchscript"):
            hwest_torch.export(models.Checked(), exporter="tflite")

    def test_without_torch(self):
        code = "import sys; sys.modules['torch'] = None; import onnx_hwest.torch as t; t.export(None)"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        self.assertIn("needs PyTorch (pip install torch)", done.stderr)


class UltralyticsTest(unittest.TestCase):
    """With a stand-in for ultralytics: what is called of it, not what it does."""

    def test_pt_file(self):
        class YOLO:
            def __init__(self, path):
                self.path, self.model = path, models.Detector()
                self.model.yaml, self.model.stride = {"channels": 3}, torch.tensor([8.0])

        module = types.ModuleType("ultralytics")
        module.YOLO = YOLO
        sys.modules["ultralytics"] = module
        try:
            totals = hwest_torch.export("yolo.pt").analyze().totals
            self.assertEqual(totals.macs, 400 * models.DETECTOR_MACS)
        finally:
            del sys.modules["ultralytics"]

    def test_pt_file_without_ultralytics(self):
        with self.assertRaisesRegex(ImportError, "yolo.pt needs ultralytics"):
            hwest_torch.export("yolo.pt")


TIMM = """
import torch
class Tiny(torch.nn.Sequential):
    pretrained_cfg = {"input_size": (3, 32, 32)}
def list_models(): return ["tiny", "tiny_wide"]
def is_model(name): return name in list_models()
def create_model(name, pretrained): return Tiny(torch.nn.Conv2d(3, 8 if name == "tiny" else 16, 3), torch.nn.ReLU())
"""


class CommandLineTest(unittest.TestCase):
    """python -m onnx_hwest over PyTorch files and names, with a stand-in for timm."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "timm.py").write_text(TIMM)

    def run_main(self, *words):
        environment = {**os.environ, "PYTHONPATH": f"{self.folder}{os.pathsep}{os.environ['PYTHONPATH']}",
                       "XDG_CACHE_HOME": str(self.folder / "cache")}
        return subprocess.run([sys.executable, "-m", "onnx_hwest", *map(str, words)], capture_output=True, text=True,
                              env=environment, cwd=self.folder)

    def macs_of(self, *words):
        done = self.run_main(*words, "--target", "jetson-orin", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)["summary"]["macs"]

    def test_a_model_by_name(self):
        done = self.run_main("timm:tiny", "--target", "jetson-orin")
        self.assertEqual(done.returncode, 0, done.stderr)
        for step in ("[1/4] loading timm:tiny", "[2/4] calling it with 1x3x32x32", "[3/4] exporting",
                     "[4/4] analysing"):
            self.assertIn(step, done.stderr)
        self.assertIn("timm_tiny.onnx on jetson-agx-orin-64gb", done.stdout)
        self.assertEqual(self.macs_of("timm:tiny_wide", "--batch", "4", "--export", "kept.onnx"), 4 * 16 * 30 * 30 * 27)
        self.assertTrue((self.folder / "kept.onnx").exists())

    def test_what_there_is(self):
        listed = self.run_main("--list").stdout
        self.assertIn("timm:tiny\ntimm:tiny_wide\n", listed)
        self.assertRegex(listed, "hf: needs transformers|hf:bert\n")
        done = self.run_main("timm:tiny_wid", "--target", "jetson-orin")
        self.assertEqual(done.returncode, 2)
        self.assertIn("such as tiny_wide", done.stderr)

    def test_several_models_and_batches(self):
        words = ("timm:tiny", "timm:tiny_wide", "--target", "jetson-orin", "--json")
        rows = json.loads(self.run_main("--quiet", *words, "--batch", "1,4").stdout)["rows"]
        macs = 8 * 30 * 30 * 27
        self.assertEqual([row["macs"] for row in rows], [macs, 4 * macs, 2 * macs, 8 * macs])
        document = json.loads(self.run_main("diff", *words).stdout)
        self.assertEqual(next(row["delta"] for row in document["totals"] if row["key"] == "macs"), macs)
        kept = self.run_main(*words, "--export", "kept.onnx")
        self.assertEqual((kept.returncode, kept.stdout), (2, ""))
        self.assertIn("--export keeps one file", kept.stderr)

    def test_programs_of_torch_export(self):
        net = torch.nn.Sequential(torch.nn.Conv2d(3, 8, 3))
        torch.export.save(torch.export.export(net, (torch.zeros(2, 3, 16, 16),)), self.folder / "net.pt2")
        self.assertEqual(self.macs_of("net.pt2"), 2 * 8 * 14 * 14 * 27)
        done = self.run_main("net.pt2", "--shape", "1x3x16x16", "--target", "jetson-orin")
        self.assertEqual(done.returncode, 2)
        self.assertIn("holds its inputs: leave --shape out", done.stderr)

    def test_nothing_of_a_file_is_run(self):
        torch.save(torch.nn.Linear(3, 4), self.folder / "module.pt")
        torch.save(torch.nn.Linear(3, 4), self.folder / "old.pth", _use_new_zipfile_serialization=False)
        (self.folder / "other.pt").write_text("weights")
        for name, kind, message in (("module.pt", Refused, "a pickled torch.nn.modules.linear.Linear and no program"),
                                    ("old.pth", Refused, "a pickled torch.nn.modules.linear.Linear and no program"),
                                    ("other.pt", Unreadable, "is no file of PyTorch"),
                                    ("missing.pt", Unreadable, "cannot open .*missing.pt")):
            with self.subTest(name), self.assertRaisesRegex(Refused, message) as caught:
                of_file(str(self.folder / name))
            self.assertIs(type(caught.exception), kind)

    def test_files(self):
        net = torch.nn.Sequential(torch.nn.Conv2d(3, 8, 3)).eval()
        torch.jit.trace(net, torch.zeros(1, 3, 16, 16)).save(self.folder / "script.pt")
        torch.save(net.state_dict(), self.folder / "state.pt")
        self.assertEqual(self.macs_of("script.pt", "--shape", "1x3x16x16"), 8 * 14 * 14 * 27)
        for words, message in ((("script.pt",), "add --shape"), (("state.pt",), "2 tensors and no program"),
                               (("script.pt", "--shape", "1x3x16x16", "--seq-len", "8"), "takes none")):
            done = self.run_main(*words, "--target", "jetson-orin")
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(message, done.stderr)
            self.assertEqual(done.stdout, "")


if __name__ == "__main__":
    print(f"torch {torch.__version__}, onnx_hwest {onnx_hwest.__version__}")
    unittest.main()
