#!/usr/bin/env python3
"""`explore` and `sweep --set` as programs: documents, files and exit codes, and that both say the same.

usage: explore_test.py PROGRAM SOURCE_DIR
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

PROGRAM, SOURCE = sys.argv.pop(1), pathlib.Path(sys.argv.pop(1)).resolve()
NPU = str(SOURCE / "examples/my_npu.textproto")
MODELS = [str(SOURCE / "examples/models/resnet18.onnx"), str(SOURCE / "test/models/mobilenet_v2.ts.onnx")]
VARY = [("npu.rows", "16,64"), ("dram.bandwidth", "4GB/s,17GB/s")]


def run(*words):
    return subprocess.run([PROGRAM, *words], capture_output=True, text=True)


def flags(name):
    return [word for path, values in VARY for word in (name, f"{path}={values}")]


class ExploreTest(unittest.TestCase):
    def test_points_are_the_rows_of_a_sweep(self):
        found = json.loads(run("explore", NPU, *MODELS, *flags("--vary"), "--json").stdout)
        swept = json.loads(run("sweep", *MODELS, "--target", NPU, *flags("--set"), "--json").stdout)
        self.assertEqual(found["kind"], "explore")
        self.assertEqual(len(found["points"]), 4)
        rows = {(row["model"], json.dumps(row["set"])): row for row in swept["rows"]}
        self.assertEqual(len(rows), 8)
        for point in found["points"]:
            for model in MODELS:
                row = rows[model, json.dumps(point["set"])]
                self.assertEqual(point["latency_s"][model], row["latency_s"])
                self.assertAlmostEqual(point["energy_j"][model] / row["energy_j"], 1, places=12)
            mean = (point["latency_s"][MODELS[0]] * point["latency_s"][MODELS[1]]) ** 0.5
            self.assertAlmostEqual(point["geomean_latency_s"] / mean, 1, places=12)
            self.assertIsNone(point["area_mm2"])
        self.assertEqual({row["path"] for row in found["sensitivities"]}, {path for path, _ in VARY})

    def test_csv_of_a_sweep_names_what_was_set(self):
        done = run("sweep", MODELS[0], "--target", NPU, *flags("--set"), "--format", "csv", "--columns",
                   "set,latency_s")
        lines = done.stdout.splitlines()
        self.assertEqual(lines[0], "set,latency_s")
        self.assertTrue(lines[1].startswith("npu.rows=16;dram.bandwidth=4000000000,"), lines[1])

    def test_a_set_clock_holds_in_every_mode(self):
        target = 'name: "two"\nbase: "%s"\nsources { key: "m" title: "modes" date: "2026" }\n' \
                 'mode { name: "slow" is_default: true source: "m" set { of: "npu" clock_hz ' \
                 '{ value: 1e8 source: "m" trust: PUBLISHED } } }\nmode { name: "full" source: "m" }\n' % NPU
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "two.textproto"
            path.write_text(target)
            done = run("sweep", MODELS[0], "--target", str(path), "--mode", "all", "--set", "npu.clock=1GHz", "--json")
        times = [row["latency_s"] for row in json.loads(done.stdout)["rows"]]
        self.assertEqual(len(times), 2)
        self.assertEqual(times[0], times[1])

    def test_a_file_of_rows_is_resumed(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("rows.csv", "rows.jsonl"):
                path = pathlib.Path(folder) / name
                words = ["sweep", *MODELS, "--target", NPU, *flags("--set"), "--output", str(path)]
                self.assertEqual(run(*words).returncode, 0)
                whole = path.read_text()
                path.write_text("".join(whole.splitlines(keepends=True)[:4]))
                again = run(*words, "--resume")
                self.assertEqual(again.returncode, 0, again.stderr)
                self.assertEqual(path.read_text(), whole)

    def test_the_best_target_is_written_and_can_be_used(self):
        with tempfile.TemporaryDirectory() as folder:
            best = pathlib.Path(folder) / "best.textproto"
            done = run("explore", NPU, MODELS[0], *flags("--vary"), "--json", "--output", str(best))
            self.assertEqual(done.returncode, 0, done.stderr)
            found = json.loads(done.stdout)
            self.assertEqual(run("targets", "lint", str(best)).returncode, 0)
            again = json.loads(run(MODELS[0], "--target", str(best), "--json").stdout)
            self.assertAlmostEqual(again["summary"]["latency_s"] / found["best"]["geomean_latency_s"], 1, places=12)

    def test_formats_and_width(self):
        text = run("explore", NPU, *MODELS, *flags("--vary"), "--process", "16", "--width", "80").stdout
        for part in ("Pareto set", "Sensitivities", "Layers whose time changes most", "Notes", "mm2"):
            self.assertIn(part, text)
        self.assertLessEqual(max(map(len, text.splitlines())), 80)
        page = run("explore", NPU, MODELS[0], *flags("--vary"), "--format", "html").stdout
        self.assertIn("<svg", page)
        self.assertNotIn("<script", page[:page.index("</main>")])
        self.assertEqual(run("explore", NPU, MODELS[0], *flags("--vary"), "--format", "svg").stdout[:5], "<?xml")
        rows = run("explore", NPU, MODELS[0], *flags("--vary"), "--format", "csv").stdout.splitlines()
        self.assertEqual(len(rows), 5)

    def test_what_is_refused(self):
        for code, words in ((2, ["explore", NPU]), (2, ["explore", NPU, MODELS[0]]),
                            (4, ["explore", "jetson-orrin", MODELS[0], "--vary", "gpu.clock=1GHz"]),
                            (3, ["explore", NPU, "nothing.onnx", *flags("--vary")]),
                            (2, ["explore", NPU, MODELS[0], "--vary", "npu.rows=16", "--process", "2"]),
                            (2, ["sweep", MODELS[0], "--target", NPU, "--set", "npu.rows"]),
                            (2, ["sweep", MODELS[0], "--target", NPU, "--set", "npu.row=8"])):
            done = run(*words)
            self.assertEqual(done.returncode, code, f"{words}: {done.stderr}")
            self.assertTrue(done.stderr.startswith("onnx-hwest: error: "), done.stderr)

    def test_defaults_that_decide_are_named(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "example.textproto"
            path.write_text(run("describe", "target-example").stdout)
            document = json.loads(run(MODELS[0], "--target", str(path), "--json").stdout)
        self.assertEqual(document["summary"]["grade"], "assumed")
        notes = [row["message"] for row in document["diagnostics"]]
        self.assertTrue(any(note.startswith("npu.dram_efficiency 0.7 by default: ") for note in notes), notes)
        self.assertFalse(any("compute_efficiency" in note for note in notes), "the file states it")

    def test_parameters_and_differences_of_targets(self):
        shown = json.loads(run("targets", "show", NPU, "--json").stdout)
        rows = {row["set"]: row for row in shown["parameters"]}
        self.assertEqual(rows["sram.size"]["value"], 524288)
        self.assertEqual((rows["npu.rows"]["value"], rows["npu.columns"]["value"]), (32, 32))
        self.assertEqual(rows["npu.dram_efficiency"]["default"], "0.7")
        self.assertTrue(all(row["meaning"] for row in shown["parameters"]))
        differing = json.loads(run("targets", "diff", "jetson-orin", "orin-nano", "--json").stdout)["differences"]
        self.assertIn("unit/gpu/cores", {row["path"] for row in differing})
        same = json.loads(run("targets", "diff", NPU, NPU, "--json").stdout)["differences"]
        self.assertEqual(same, [])


if __name__ == "__main__":
    unittest.main(verbosity=1)
