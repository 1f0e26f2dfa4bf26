#!/usr/bin/env python3
"""Tests `onnx-hwest llm`: its first line, tables, refusals and forms, on configurations of models.

usage: llm_test.py PROGRAM
"""

import csv
import io
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.path.abspath(sys.argv.pop(1))
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

    def test_does_not_fit(self):
        text = run("--config", self.large, "--target", "rk3588", "--runtime", "rkllm").stdout
        self.assertTrue(text.startswith("Does not fit: "), text)
        self.assertIn("not even the weights fit", " ".join(text.split()))

    def test_what_if(self):
        text = run("--config", self.tiny, "--target", "rk3576", "--runtime", "rkllm", "--what-if").stdout
        self.assertIn("In other formats", text)
        self.assertIn("w4a16_g128", text)

    def test_refused(self):
        for flags, words in (((), "no target was named"),
                             (("--target", "rk3588", "--runtime", "nothing"), "is no runtime of language models"),
                             (("--target", "rk3588", "--prompt", "0"), "--prompt"),
                             (("--target", "rk3588", "--acceptance", "2"), "--acceptance"),
                             (("--target", "rk3588", "--new", "99999999999"), "--new"),
                             (("--target", "rk3588", "--context", "x"), "--context"),
                             (("--target", "rk3588", "--format", "dot"), "format dot")):
            self.assertIn(words, run("--config", self.tiny, *flags, code=2).stderr, flags)
        self.assertIn("no model was named", run("--target", "rk3588", code=2).stderr)
        named = run("--config", self.tiny, "--target", "rk3588", "--runtime", "genie").stdout
        self.assertTrue(named.startswith("Does not run on rk3588: no runtime 'genie' is stated"), named)


if __name__ == "__main__":
    unittest.main()
