#!/usr/bin/env python3
"""Tests `onnx-hwest llm`: its first line, tables, refusals and forms, on configurations of models.

usage: llm_test.py PROGRAM
"""

import csv
import io
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from language_models import write_decoder, write_gguf

PROGRAM = os.path.abspath(sys.argv.pop(1))
ROOT = pathlib.Path(__file__).resolve().parents[2]
TINY = {"model_type": "llama", "vocab_size": 32000, "hidden_size": 2048, "intermediate_size": 5632,
        "num_hidden_layers": 22, "num_attention_heads": 32, "num_key_value_heads": 4,
        "max_position_embeddings": 2048, "tie_word_embeddings": False}
LARGE = dict(TINY, hidden_size=8192, intermediate_size=28672, num_hidden_layers=80, num_attention_heads=64,
             num_key_value_heads=8)


def run(*args, code=0):
    result = subprocess.run([PROGRAM, "llm", *args], capture_output=True, text=True)
    if result.returncode != code:
        raise AssertionError(f"{args}: {result.returncode}, not {code}: {result.stderr}")
    return result


class Llm(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.tiny, cls.large = (str(pathlib.Path(cls.folder.name) / name) for name in ("config.json", "large.json"))
        pathlib.Path(cls.tiny).write_text(json.dumps(TINY))
        pathlib.Path(cls.large).write_text(json.dumps(LARGE))

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_first_line(self):
        line = " ".join(run("--config", self.tiny, "--target", "rk3588", "--runtime", "rkllm").stdout.split("\n\n")[0]
                        .split())
        for part in ("Fits: ", "to the first token", "tokens/s", "a token with RKLLM (npu of rk3588, 3 cores)",
                     "weights w8a8", "work space", "at the largest that fits, 2048."):
            self.assertIn(part, line)

    def test_what_is_published_in_16_bits_runs_in_the_usual_format(self):
        path = str(pathlib.Path(self.folder.name) / "published.json")
        pathlib.Path(path).write_text(json.dumps(dict(TINY, torch_dtype="bfloat16")))
        for target, usual, wide in (("jetson-agx-orin-64gb", "int4_awq", "fp16"), ("raspberry-pi-5", "q4_k_m", "f16")):
            for extra, weights in (((), usual), (("--weights", "fp16"), wide)):
                document = json.loads(run("--config", path, "--target", target, "--json", *extra).stdout)
                self.assertEqual(document["results"][0]["weights"], weights, (target, extra))

    def test_what_does_not_fit_names_weights_that_do(self):
        path = str(pathlib.Path(self.folder.name) / "of_8_billion.json")
        pathlib.Path(path).write_text(json.dumps(dict(LARGE, hidden_size=4096, intermediate_size=14336,
                                                      num_hidden_layers=32, num_attention_heads=32)))
        args = ("--config", path, "--target", "raspberry-pi-5")
        text = " ".join(run(*args, "--weights", "fp16").stdout.split())
        self.assertIn("Does not fit", text)
        widest = text.split("it fits with --weights ")[1].split()[0].rstrip(".;")
        self.assertIn("Fits", run(*args, "--weights", widest).stdout)

    def test_the_page_says_what_the_text_says(self):
        for targets in ("rk3588", "rk3588,jetson-agx-orin-64gb,ethos-u55-256"):
            page = run("--config", self.tiny, "--target", targets, "--format", "html").stdout
            text = run("--config", self.tiny, "--target", targets).stdout
            for line in [" ".join(text.split("\n\n")[0].split()), "largest context"][:1 + ("," in targets)]:
                self.assertIn(line, page)
            for part in ("By context", "Times rest on constants of RKLLM"):
                self.assertIn(part, page)
            if "," not in targets:
                self.assertIn("A prompt of 128: ", page)
            else:
                self.assertIn("Does not run on ethos-u55-256", page)

    def test_how_states_are_moved_is_known_less_well(self):
        """On a device without rows of its own."""
        path = str(pathlib.Path(self.folder.name) / "hybrid.json")
        pathlib.Path(path).write_text(json.dumps(dict(
            TINY, model_type="qwen3_5_text", head_dim=256, num_attention_heads=8, num_hidden_layers=24,
            full_attention_interval=4, attn_output_gate=True, linear_num_key_heads=16, linear_num_value_heads=16,
            linear_key_head_dim=128, linear_value_head_dim=128, linear_conv_kernel_dim=4)))
        widths = []
        for config in (self.tiny, path):
            document = json.loads(run("--config", config, "--target", "jetson-orin-nx-16gb", "--json").stdout)
            shares = {part["part"]: part["seconds"] for part in document["results"][0]["prompt_parts"]}
            self.assertEqual("states" in shares, config == path)
            first = document["runs"][0]
            widths.append(first["ttft_high_s"] / first["ttft_low_s"])
        self.assertGreater(widths[1], 1.2 * widths[0])

    def test_rows_by_context_are_of_one_runtime(self):
        """RKLLM ends at 16384 tokens: llama.cpp, which goes on, must not pass for it."""
        path = str(pathlib.Path(self.folder.name) / "long.json")
        pathlib.Path(path).write_text(json.dumps(dict(TINY, max_position_embeddings=131072)))
        document = json.loads(run("--config", path, "--target", "rk3588", "--json").stdout)
        self.assertEqual({row["runtime"] for row in document["by_context"]}, {"rkllm"})
        self.assertEqual(max(row["context"] for row in document["by_context"]), 16384)

    def test_forms_agree(self):
        args = ("--config", self.tiny, "--target", "rk3576", "--runtime", "rkllm", "--prompt", "128,512")
        document = json.loads(run(*args, "--json").stdout)
        rows = list(csv.DictReader(io.StringIO(run(*args, "--format", "csv").stdout)))
        self.assertEqual(document["kind"], "llm")
        self.assertEqual([row["prompt"] for row in document["rows"]], [128, 512])
        for row, line in zip(document["rows"], rows):
            self.assertAlmostEqual(float(line["ttft_s"]), row["ttft_s"], places=6)
            self.assertAlmostEqual(row["tokens_per_s"] * row["token_s"], 1)
            self.assertAlmostEqual(row["j_per_token"] * row["total_tokens_per_s"], row["power_w"])
            self.assertAlmostEqual(row["weights_bytes"] + row["cache_bytes"] + row["work_bytes"], row["memory_bytes"],
                                   delta=1)
        first = document["results"][0]
        for parts, total in (("token_parts", "token_s"), ("prompt_parts", "ttft_s")):
            self.assertAlmostEqual(sum(part["seconds"] for part in first[parts]), first[total]["value"])

    def test_ranked(self):
        targets = "raspberry-pi-5,rk3588,ethos-u55-256,jetson-agx-orin-64gb"
        args = ("--config", self.tiny, "--target", targets)
        results = json.loads(run(*args, "--json").stdout)["results"]
        self.assertEqual(results[-1]["target"], "ethos-u55-256")
        self.assertIn("no runtime of language models", results[-1]["refusal"])
        text = run(*args).stdout
        self.assertIn("runs and fits on 3 of 4 targets", text)
        self.assertIn("Does not run on ethos-u55-256", text)
        run(*args, "--strict", code=7)

    def test_all_targets(self):
        results = json.loads(run("--config", self.tiny, "--target", "all", "--json").stdout)["results"]
        names = [result["target"] for result in results]
        self.assertGreater(len(names), 20)
        self.assertEqual(len(names), len(set(names)))
        self.assertNotRegex(run("--config", self.tiny, "--target", "all").stdout, r"\de\+")
        for result in results:
            self.assertTrue(result["runtime"] or result["refusal"], result["target"])
            self.assertNotIn("no runtime of language models", result["refusal"] or "")

    def test_two_saved_results_compare(self):
        paths = [str(pathlib.Path(self.folder.name) / name) for name in ("a.json", "b.json")]
        for path, weights in zip(paths, ("w8a8", "w4a16")):
            run("--config", self.tiny, "--target", "rk3576", "--weights", weights, "--json", "--output", path)
        rows = [json.loads(pathlib.Path(path).read_text())["rows"][0] for path in paths]
        done = subprocess.run([PROGRAM, "diff", *paths, "--json"], capture_output=True, text=True, check=True)
        totals = {row["key"]: row for row in json.loads(done.stdout)["totals"]}
        for key in ("ttft_s", "tokens_per_s", "memory_bytes", "weights_bytes"):
            self.assertEqual((totals[key]["a"], totals[key]["b"]), (rows[0][key], rows[1][key]), key)
            self.assertAlmostEqual(totals[key]["share"], rows[1][key] / rows[0][key] - 1)
        text = subprocess.run([PROGRAM, "diff", *paths], capture_output=True, text=True, check=True).stdout
        for part in ("first token", "tokens/s", "memory", "rkllm w8a8", "rkllm w4a16"):
            self.assertIn(part, text)
        limit = subprocess.run([PROGRAM, "diff", *reversed(paths), "--fail-on", "tokens_per_s:-5%"],
                               capture_output=True, text=True)
        self.assertEqual(limit.returncode, 8, limit.stderr)

    def test_task_of_a_workload(self):
        stack = pathlib.Path(self.folder.name) / "stack.json"
        task = {"name": "llm", "model": "config.json", "context": 1024, "weights": "w8a8"}

        def tasks(**more):
            cameras = [{"name": "camera", "time": "20 ms", "only": ["npu"], "rate": "10 FPS", "memory": "5 GB/s"}]
            stack.write_text(json.dumps({"target": "rk3588", "task": [dict(task, **more), *cameras]}))
            done = subprocess.run([PROGRAM, "workload", str(stack), "--json"], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            return json.loads(done.stdout)

        alone = json.loads(run("--config", self.tiny, "--target", "rk3588", "--weights", "w8a8", "--context", "1024",
                               "--json").stdout)["rows"][0]
        report = tasks()
        llm = report["tasks"][0]
        self.assertAlmostEqual(llm["alone_s"], alone["token_s"], delta=1e-9)
        self.assertEqual(llm["precision"], "w8a8")
        self.assertGreater(llm["response_mean_s"], alone["token_s"])  # the camera takes its unit
        self.assertLess(llm["reached_per_s"], alone["tokens_per_s"])
        self.assertTrue(any("all 3 cores of npu" in row["message"] for row in report["diagnostics"]))
        slow = {(row["task"], row["by"]): row["factor"] for row in report["slowdown"]}
        self.assertGreater(slow["llm", "camera"], 1.05)
        self.assertGreater(slow["camera", "llm"], 1.05)
        rated = tasks(rate="5 tokens/s")["tasks"][0]
        self.assertAlmostEqual(rated["rate_per_s"], 5)

    def test_task_of_a_workload_refused(self):
        stack = pathlib.Path(self.folder.name) / "bad.json"
        for more, words in (({"context": 0}, "context has to be 1 or more"),
                            ({"context": 64, "precision": "int8"}, "its runtime decides"),
                            ({"context": 64, "runtime": "genie"}, "no runtime 'genie'")):
            stack.write_text(json.dumps({"target": "rk3588", "task": [dict(model="config.json", name="llm", **more)]}))
            done = subprocess.run([PROGRAM, "workload", str(stack)], capture_output=True, text=True)
            self.assertEqual(done.returncode, 2, done.stdout)
            self.assertIn(words, " ".join(done.stderr.split()))

    def test_graph_in_other_verbs(self):
        def run_verb(*args):
            return subprocess.run([PROGRAM, *args], capture_output=True, text=True)

        decoder = str(pathlib.Path(self.folder.name) / "decoder.onnx")
        write_decoder(decoder)
        args = (decoder, "--target", "rk3588")
        first = json.loads(run(*args, "--json").stdout)["rows"][0]
        done = run_verb("check", *args, "--max-memory", "1 kB", "--fits", "--json")
        lines = {line["figure"]: line for line in json.loads(done.stdout)["checks"][0]["lines"]}
        memory = lines["peak_memory"]
        self.assertAlmostEqual(memory["value"], first["memory_bytes"], delta=1)
        self.assertEqual((memory["verdict"], done.returncode), ("over", 8))
        self.assertIn("work space", memory["why"])
        self.assertEqual(lines["missing_memory"]["value"], 0)
        done = run_verb("sweep", *args, "--json")
        self.assertIn("`onnx-hwest llm " + decoder + " --target rk3588`", json.loads(done.stdout)["rows"][0]["message"])
        stack = pathlib.Path(self.folder.name) / "graph.json"
        stack.write_text(json.dumps({"target": "rk3588", "task": [{"name": "llm", "model": decoder}]}))
        task = json.loads(run_verb("workload", str(stack), "--json").stdout)["tasks"][0]
        self.assertAlmostEqual(task["alone_s"], first["token_s"], delta=1e-9)

    def sweep(self, *args, code=0):
        done = subprocess.run([PROGRAM, "sweep", *args], capture_output=True, text=True)
        self.assertEqual(done.returncode, code, done.stderr)
        return done.stdout

    def models(self):
        """One language model in each form that `llm` accepts."""
        folder = pathlib.Path(self.folder.name)
        (folder / "named").mkdir(exist_ok=True)
        shutil.copy(self.tiny, folder / "named" / "config.json")
        (folder / "graphs").mkdir(exist_ok=True)
        for graph in (folder / "graph.onnx", folder / "graphs" / "graph.onnx"):
            write_decoder(graph)
        write_gguf(folder / "model.gguf")
        named = [str(folder / name) for name in ("graph.onnx", "graphs", "named", "model.gguf")]
        return [*named, self.tiny, self.large]

    def test_a_sweep_has_the_figures_of_llm(self):
        targets = ("rk3588", "jetson-agx-orin-64gb", "snapdragon-8-elite", "raspberry-pi-5")
        models = self.models()
        rows = json.loads(self.sweep(*models, "--target", ",".join(targets), "--batch", "1,4", "--json"))["rows"]
        self.assertEqual(len(rows), len(models) * len(targets) * 2)
        seen = set()
        for row in rows:
            args = (row["model"], "--target", row["target"], "--batch", str(row["batch"]))
            llm = json.loads(run(*args, "--json").stdout)
            alone = llm["runs"][0]
            if alone["message"] is not None:  # Genie answers one request at a time
                self.assertEqual(row["status"], "error", row)
                self.assertIn(llm["results"][0]["refusal"], row["message"])
                continue
            seen.add((row["model"], row["batch"]))
            self.assertEqual(row["status"], "ok", row)
            for key in ("runtime", "weights", "kv", "prompt", "context", "ttft_s", "ttft_low_s", "ttft_high_s",
                        "tokens_per_s", "tokens_per_s_low", "tokens_per_s_high", "energy_per_token_j", "max_context"):
                self.assertEqual(row[key], alone[key], (key, row["model"], row["target"]))
            self.assertEqual(row["runtime_fits"], alone["fits"])
            self.assertAlmostEqual(row["runtime_memory_bytes"], alone["memory"]["total_bytes"], delta=1)
            self.assertIsNone(row["latency_s"], "no kernel was timed")
            self.assertIsNone(row["pareto"])
            self.assertEqual(row["code"], None if alone["fits"] else "does_not_fit")
        self.assertEqual(seen, {(model, batch) for model in models for batch in (1, 4)})

    def test_a_sweep_in_a_mode_and_with_other_figures_of_the_target(self):
        args = (self.tiny, "--target", "jetson-agx-orin-64gb")
        for mode in ("15W", "30W"):
            row = json.loads(self.sweep(*args, "--mode", mode, "--json"))["rows"][0]
            alone = json.loads(run(*args, "--mode", mode, "--json").stdout)["runs"][0]
            self.assertEqual((row["mode"], row["ttft_s"], row["tokens_per_s"]),
                             (mode, alone["ttft_s"], alone["tokens_per_s"]))
        rows = json.loads(self.sweep(*args, "--set", "dram.bandwidth=100GB/s,200GB/s", "--json"))["rows"]
        self.assertGreater(rows[1]["tokens_per_s"], 1.3 * rows[0]["tokens_per_s"])
        self.assertEqual([row["set"] for row in rows], [{"dram.bandwidth": 1e11}, {"dram.bandwidth": 2e11}])

    def test_a_sweep_of_kernels_and_of_a_runtime(self):
        """Where the sizes of a decoder are given, both are in its row."""
        decoder = self.models()[0]
        sizes = ("--dim", "b=1", "--dim", "seq=1", "--dim", "past=512", "--dim", "total_length=513")
        row = json.loads(self.sweep(decoder, "--target", "rk3588", *sizes, "--precision", "int8", "--json"))["rows"][0]
        alone = json.loads(run(decoder, "--target", "rk3588", "--json").stdout)["runs"][0]
        self.assertEqual((row["status"], row["tokens_per_s"]), ("ok", alone["tokens_per_s"]), row["message"])
        self.assertGreater(row["latency_s"], 0)
        self.assertIn("precision, dims are of kernels alone", row["message"])
        nowhere = json.loads(self.sweep(decoder, "--target", "tda4vm", *sizes, "--json"))["rows"][0]
        self.assertEqual((nowhere["status"], nowhere["runtime"], nowhere["ttft_s"]), ("ok", None, None))
        self.assertIn("kernel by kernel: the target has no runtime of language models", nowhere["message"])
        self.sweep(decoder, "--target", "tda4vm", code=5)
        refused = self.sweep(self.tiny, "--target", "tda4vm,ethos-u55-256", code=2)
        self.assertIn("2  usage: the target has no runtime of language models", refused)

    def test_a_sweep_shows_runtimes_in_a_table_of_their_own(self):
        args = ("--target", "rk3588,jetson-agx-orin-64gb")
        resnet = str(ROOT / "examples" / "models" / "resnet18.onnx")
        heading, note = "Language models, as their runtimes run them", "best, front and pareto are of kernels"
        plain = {form: self.sweep(resnet, *args, "--format", form) for form in ("text", "markdown", "html")}
        for form, text in plain.items():
            for part in (heading, "first token", "runtime", "tokens"):
                self.assertNotIn(part, text, form)
            mixed = self.sweep(resnet, self.tiny, *args, "--precision", "int8", "--format", form).replace("\\", "")
            for part in (heading, "first token", "tokens/s", "rkllm", "w8a8", "tensorrt-edge-llm", "int4_awq"):
                self.assertIn(part, mixed, form)
            self.assertIn(note, " ".join(mixed.split()), form)
        alone = self.sweep(self.tiny, *args)
        self.assertNotIn("rate/s", alone)
        tokens = json.loads(run(self.tiny, "--target", "rk3588", "--json").stdout)["runs"][0]["tokens_per_s"]
        self.assertIn(f"  {tokens:.2f}  ", alone)
        best = self.sweep(self.tiny, *args, "--top", "1")
        self.assertIn("tensorrt-edge-llm", best)
        self.assertNotIn("rkllm", best)
        named = self.sweep(resnet, self.tiny, *args, "--columns", "model,target,latency_s,tokens_per_s")
        self.assertNotIn(heading, named)
        self.assertEqual(named.count("config.json"), 2)
        lines = list(csv.DictReader(io.StringIO(self.sweep(resnet, self.tiny, *args, "--format", "csv"))))
        self.assertEqual([bool(line["latency_s"]) for line in lines], [True, True, False, False])
        self.assertEqual([line["runtime"] for line in lines], ["", "", "rkllm", "tensorrt-edge-llm"])
        picture = self.sweep(resnet, self.tiny, *args, "--format", "svg")
        self.assertIn("2 of language models, in the tables alone", picture)

    def test_a_sweep_says_what_does_not_fit(self):
        args = (self.large, self.tiny, "--target", "rk3588")
        text = self.sweep(*args)
        self.assertIn("1 does not fit into memory", text)
        self.assertRegex(text, r"no fit +large\.json")
        self.sweep(*args, "--strict", code=7)
        self.sweep(self.tiny, "--target", "rk3588", "--strict")
        with_sizes = json.loads(self.sweep(str(ROOT / "examples" / "models" / "resnet18.onnx"), self.tiny, "--target",
                                           "rk3588", "--size", "224,320", "--json"))
        self.assertEqual([row["size"] for row in with_sizes["rows"]], [224, 320, None])
        self.assertIn("--size at", with_sizes["diagnostics"][0]["message"])

    def test_a_sweep_of_language_models_goes_on(self):
        path = pathlib.Path(self.folder.name) / "rows.csv"
        args = (*self.models(), "--target", "rk3588,jetson-agx-orin-64gb", "--output", str(path))
        self.sweep(*args)
        whole = path.read_text()
        path.write_text("".join(whole.splitlines(keepends=True)[:4]))
        self.sweep(*args, "--resume")
        self.assertEqual(path.read_text(), whole)

    def test_does_not_fit(self):
        text = run("--config", self.large, "--target", "rk3588", "--runtime", "rkllm").stdout
        self.assertTrue(text.startswith("Does not fit: "), text)
        self.assertIn("not even the weights fit", " ".join(text.split()))

    def test_another_runtime_fits(self):
        config = str(pathlib.Path(self.folder.name) / "eight.json")
        large = dict(TINY, hidden_size=4096, intermediate_size=14336, num_hidden_layers=36, vocab_size=128256)
        pathlib.Path(config).write_text(json.dumps(large))
        text = " ".join(run("--config", config, "--target", "jetson-orin-nano-8gb").stdout.split())
        self.assertTrue(text.startswith("Does not fit: "), text)
        self.assertIn("it fits with --runtime ", text)

    def test_what_if(self):
        text = run("--config", self.tiny, "--target", "rk3576", "--runtime", "rkllm", "--what-if").stdout
        self.assertIn("In other formats", text)
        self.assertIn("w4a16_g128", text)

    def test_refused(self):
        for flags, words in (((), "no target was named"),
                             (("--target", "rk3588", "--runtime", "nothing"), "is no runtime of language models"),
                             (("--target", "rk3588", "--weights", "foo"), "'foo' is no format"),
                             (("--target", "rk3588", "--kv", "foo"), "'foo' is no format"),
                             (("--target", "rk3588", "--prompt", "0"), "--prompt"),
                             (("--target", "rk3588", "--acceptance", "2"), "--acceptance"),
                             (("--target", "rk3588", "--new", "99999999999"), "--new"),
                             (("--target", "rk3588", "--context", "x"), "--context"),
                             (("--target", "rk3588", "--format", "dot"), "format dot")):
            self.assertIn(words, run("--config", self.tiny, *flags, code=2).stderr, flags)
        self.assertIn("no model was named", run("--target", "rk3588", code=2).stderr)
        named = run("--config", self.tiny, "--target", "rk3588", "--runtime", "genie").stdout
        self.assertTrue(named.startswith("Does not run on rk3588: no runtime 'genie' is stated"), named)
        known = run("--config", self.tiny, "--target", "rk3588", "--runtime", "rkllm", "--weights", "nvfp4").stdout
        self.assertTrue(known.startswith("Does not run on rk3588: RKLLM has no weights 'nvfp4'"), known)

    def test_cpu_of_an_accelerator(self):
        def notes(target):
            return " ".join(run("--config", self.tiny, "--target", target).stdout.split())

        self.assertIn("is stated for gpu of mi300x: these are figures of its CPU", notes("mi300x"))
        self.assertNotIn("these are figures of its CPU", notes("rk3588"))

    def test_whole_bytes(self):
        memory = json.loads(run("--config", self.tiny, "--target", "rk3588", "--json").stdout)["results"][0]["memory"]
        self.assertTrue(all(isinstance(value, int) for value in memory.values() if value is not None), memory)
        self.assertEqual(memory["weights_bytes"] + memory["cache_bytes"] + memory["work_bytes"], memory["total_bytes"])


if __name__ == "__main__":
    unittest.main()
