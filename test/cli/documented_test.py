#!/usr/bin/env python3
"""Every `onnx-hwest` command of the README, the guides in docs/, the manual page, the help pages and the messages in
the sources runs.

The commands run in a scratch folder in which the names that they use stand for small files: STAND_INS and WORDS below
say which. A command that does not exit with 0, or an example of another program that names a file which is not there,
is a failure; so is a command of a program that SKIPPED does not know.

usage: documented_test.py PROGRAM
"""

import importlib.util
import json
import os
import pathlib
import re
import shlex
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "test" / "bench"))
sys.dont_write_bytecode = True
import onnx_wire as wire

PROGRAM = os.path.abspath(sys.argv.pop(1))

# Programs whose commands are not run, and why.
SKIPPED = {
    "cmake": "builds or installs",
    "cmake/setup.sh": "installs packages and builds",
    "cmake/wheel.sh": "builds a wheel",
    "pip": "installs",
    "ctest": "runs this test",
    "cpack": "makes packages",
    "cd": "of a build folder",
    ".": "of a virtual environment",
    "cc": "needs an installed library; test/package types it",
    "out/estimate_cpp": "needs an installed library; test/package types it",
    "python3": "needs packages that the tests do not",
    "test/bench/bench.py": "needs the tools that it compares with",
}
# Names of files in the commands, and the files of this repository that stand for them.
STAND_INS = {
    "model.onnx": "examples/models/resnet18.onnx",
    "model.tflite": "test/models/tflite/net_int8.tflite",
    "MODEL": "examples/models/resnet18.onnx",
    "resnet18.onnx": "examples/models/resnet18.onnx",
    "vit.onnx": "test/models/mobilenet_v2.ts.onnx",
    "yolov8n.onnx": "test/models/mnasnet0_5.ts.onnx",
    "yolov10s.onnx": "test/models/mnasnet0_5.ts.onnx",
    "resnet50_qdq.onnx": "examples/models/resnet18.onnx",
    "model_int8.onnx": "examples/models/resnet18.onnx",
    "bert.onnx": "test/models/bert-base_128.ts.onnx",
    "llm.onnx": "test/capi/decoder.onnx",
    "examples/models/resnet18.onnx": "examples/models/resnet18.onnx",
    "npu.textproto": "examples/my_npu.textproto",
    "examples/models/gated_mix.onnx": "examples/models/gated_mix.onnx",
    "examples/models/qwen3-4b.json": "examples/models/qwen3-4b.json",
}
# Other words that stand for something.
WORDS = {"NODE": "/layer1/layer1.0/conv1/Conv", "Conv_12": "/layer1/layer1.0/conv1/Conv", "T": "jetson-orin",
         "MODELS": "models", "Softmax@dla0": "Gemm@dla0", "nms=100": "nonzero=100", "NAME": "jetson-orin",
         "FILE": "mine.textproto", "VERB": "shapes"}
# Commands of which the documentation shows the beginning: what follows it there is said in words.
COMPLETED = {
    "targets lint": "mine.textproto",
    "workload": "stack.textproto",
    "explain": "model.onnx Conv_12 --target jetson-orin",
    "calibrate": "--help",
    "validate": "--help",
    "support": "--help",
    "describe completions": "--shell bash",
    "llm": "llama-8b --target rk3588",
    "fit": "yolov8n.onnx --target rk3588",
    "explore": "npu.textproto resnet18.onnx --vary npu.rows=16:64:x2",
}
MEASURED = ("resnet18", "mobilenet_v2", "mnasnet0_5", "simple_resnet")


def value_info(name, elem_type, dims):
    shape = b"".join(wire.field(1, wire.field(2, dim) if isinstance(dim, bytes) else wire.field(1, dim))
                     for dim in dims)
    return wire.field(1, name) + wire.field(2, wire.field(1, wire.field(1, elem_type) + wire.field(2, shape)))


def model_with_contents():
    """Inputs `sizes` and `mask`, whose contents shape outputs, and one whose contents stay open: the size `nonzero`."""
    graph = (wire.field(1, wire.node(b"NonZero", [b"scores"], [b"boxes"])) +
             wire.field(1, wire.node(b"Expand", [b"x", b"sizes"], [b"wide"])) +
             wire.field(1, wire.node(b"NonZero", [b"mask"], [b"found"])) + wire.field(2, b"contents") +
             b"".join(wire.field(11, info) for info in (value_info(b"x", 1, [1, 1, 1]), value_info(b"sizes", 7, [3]),
                                                        value_info(b"mask", 9, [4]), value_info(b"scores", 1, [200]))) +
             wire.field(12, value_info(b"wide", 1, [b"a", b"b", b"c"])) +
             wire.field(12, value_info(b"found", 7, [1, b"true"])) + wire.field(12, value_info(b"boxes", 7, [1, b"n"])))
    return wire.field(1, 8) + wire.field(7, graph) + wire.field(8, wire.field(1, b"") + wire.field(2, 17))


def model_with_weights():
    """A convolution of 8 channels behind one of 3, and what its values lie between."""
    def weights(name, dims):
        count = dims[0] * dims[1] * dims[2] * dims[3]
        raw = b"".join(struct.pack("<f", (at % 7 - 3) / 10) for at in range(count))
        return wire.field(5, b"".join(wire.field(1, dim) for dim in dims) + wire.field(2, 1) + wire.field(8, name) +
                          wire.field(9, raw))

    nodes = (wire.node(b"Conv", [b"x", b"w"], [b"c"]), wire.node(b"Relu", [b"c"], [b"r"]),
             wire.node(b"Conv", [b"r", b"v"], [b"y"]))
    graph = (b"".join(wire.field(1, node) for node in nodes) + wire.field(2, b"weights") +
             weights(b"w", [8, 3, 3, 3]) + weights(b"v", [8, 8, 3, 3]) +
             wire.field(11, value_info(b"x", 1, [1, 3, 64, 64])) + wire.field(12, value_info(b"y", 1, [1, 8, 60, 60])))
    model = wire.field(1, 8) + wire.field(7, graph) + wire.field(8, wire.field(1, b"") + wire.field(2, 17))
    return model, json.dumps({name: [-4, 4] for name in "xcry"})


def prepare(folder):
    for name, source in STAND_INS.items():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / source, target)
    (folder / "docs").mkdir()
    for name in ("contents.onnx", "ssd.onnx"):
        (folder / name).write_bytes(model_with_contents())
    config = json.dumps({"model_type": "llama", "vocab_size": 32000, "hidden_size": 2048, "intermediate_size": 5632,
                         "num_hidden_layers": 22, "num_attention_heads": 32, "num_key_value_heads": 4,
                         "max_position_embeddings": 2048, "tie_word_embeddings": False})
    for name in ("config.json", "llama-8b/config.json", "llama-1b/config.json"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(config)
    model, ranges = model_with_weights()
    (folder / "classifier.onnx").write_bytes(model)
    (folder / "calibration.json").write_text(ranges)
    (folder / "mask.pb").write_bytes(wire.field(1, 4) + wire.field(2, 9) + wire.field(9, b"\1\0\1\1"))
    (folder / "loss.csv").write_text("node,format,loss\n/layer1/layer1.0/conv1/Conv,int8,0.004\n"
                                     "/layer1/layer1.0/conv2/Conv,int8,0.02\n")
    (folder / "prices.csv").write_text("target,price\nrk3588,149\nrk3576,79\n")
    (folder / "mine.textproto").write_text('name: "mine"\nbase: "sa8295p"\n')
    (folder / "stack.textproto").write_text('target: "jetson-orin" task { model: "resnet18.onnx" rate: "30 FPS" }\n')
    for page in sorted((ROOT / "docs").glob("*.md")):  # a fence that begins with "```json NAME" is the file NAME
        for name, text in re.findall(r"^```\w+ ([\w/-]+\.\w+)\n((?:.*\n)*?)```$", page.read_text(), re.M):
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_text(text)
    (folder / "mine.rules").write_text(rules_of_guide())
    (folder / "own.rules").write_text("scale_into_weights = Mul(MatMul(x, w[const]), s[const, scalar]) -> "
                                      "MatMul(x, Mul(w, s))\n")
    (folder / "mine.txt").write_text("my_conv = Relu(Conv(x, w, b?))\n")
    models = folder / "models"
    models.mkdir()
    rows = ["model,device,unit,runtime,precision,mode,metric,value"]
    for index, name in enumerate(MEASURED):
        source = next(ROOT.glob(f"*/models/{name}*.onnx"))
        shutil.copy(source, models / f"{name}.onnx")
        rows.append(f"{name},SA8295P ADP,NPU,qnn_dlc,w8a8,,latency_ms,{0.8 + 0.3 * index}")
        rows.append(f"{name},x86 server 2.8 GHz AVX-512 (2 vCPU),CPU,onnxruntime,fp32,2 "
                    f"threads,latency_ms,{9 + 5 * index}")
    for name in ("mine.csv", "measured.csv"):
        (folder / name).write_text("\n".join(rows) + "\n")
    (folder / "llm.csv").write_text(
        "model,device,unit,runtime,weights,prompt_len,decode_tok_s,graph,target\n"
        "llama,RK3588,NPU,RKLLM 1.2.1,int8,128,12.5,,rk3588\n")
    shutil.copy(models / "resnet18.onnx", models / "resnet50.onnx")
    (folder / "hwest.budget").write_text('check { model: "resnet18.onnx" target: "jetson-orin" latency { max: "1 s" } '
                                         '}\n')
    subprocess.run([PROGRAM, "resnet18.onnx", "--target", "jetson-orin", "--json", "--output", "main.json",
                    "--evidence",
                    "evidence.json"], check=True, cwd=folder, capture_output=True)
    (folder / "profile.json").write_text(json.dumps([{"count": 5},
                                                     {"name": "/conv1/Conv + /relu/Relu", "averageMs": 0.02},
                                                     {"name": "/fc/Gemm", "averageMs": 0.01}]))
    (folder / "build.log").write_text("D RKNN: [1] 1  ConvRelu  INT8  NPU  (1)  (1)  1/2/3  4  Conv:/conv1/Conv\n")
    (folder / "times.json").write_text(json.dumps([{"computeMs": 1.0, "latencyMs": 1.1}] * 5))


def rules_of_guide():
    text = (ROOT / "docs" / "using.md").read_text()
    return re.search(r"```\n(my\.domain::.*?)```", text, re.S).group(1)


def blocks(text):
    """Lines of the code blocks: fenced ones without a language, and indented ones."""
    fence = None
    for line in text.splitlines():
        if line.startswith("```"):
            fence = line[3:].strip() if fence is None else None
        elif fence == "" or (fence is None and line.startswith("    ")):
            yield line.strip()


def commands_in(line):
    """The commands of a line: up to the words that explain it, parted at &&."""
    line = re.sub(r"\$\([^)]*\)", "", re.split(r"\s{2,}", line.strip())[0])
    for part in re.sub(r"[()]", " ", line).split("&&") if "onnx-hwest" not in line else line.split("&&"):
        words = shlex.split(part)
        while words and re.fullmatch(r"[A-Z_]+=\S*", words[0]):
            words = words[1:]
        if words:
            yield words


def is_ours(words):
    return os.path.basename(words[0]) == "onnx-hwest"


def inline(text):
    return [re.sub(r"\n\s*(//|\*|#)?\s*", " ", match) for match in re.findall(r"`((?:build/)?onnx-hwest [^`]+)`", text)]


def of_page(path):
    text = path.read_text()
    lines = [line for line in blocks(text)
             if re.match(r"(build/)?onnx-hwest |[a-z0-9/_.-]+\.(sh|py) |(cmake|cc|pip|ctest|python3) ", line)]
    return lines + inline(re.sub(r"```.*?```", "", text, flags=re.S))


def of_manual():
    page = subprocess.run([PROGRAM, "describe", "man"], check=True, capture_output=True, text=True).stdout
    examples = page.split(".SH EXAMPLES\n.EX\n")[1].split(".EE")[0]
    plain = re.sub(r"\\f[A-Z]", "", page.replace("\\-", "-"))
    return examples.replace("\\-", "-").strip().splitlines() + inline(plain)


def of_help():
    def page(*words):
        return subprocess.run([PROGRAM, *words], check=True, capture_output=True, text=True).stdout

    verbs = page("--help-all")
    names = re.findall(r"^  ([a-z-]+)\b", verbs.split("Estimate:")[1].split("\nTarget:")[0], re.M)
    pages = [page("help"), verbs, *(page("help", name) for name in names)]
    return [line.strip() for page in pages for line in page.splitlines() if line.startswith("  onnx-hwest ")] + \
        [command for page in pages for command in inline(page)]


def of_sources():
    """Commands that messages and headers name; those that are put together at run time are left out."""
    found = []
    for folder in ("lib", "capi", "include", "examples", "docs"):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in (".cc", ".h", ".py", ".md", ".in"):
                found += [command for command in inline(path.read_text()) if '"' not in command]
    return found


class DocumentedTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.scratch.name)
        prepare(cls.folder)
        cls.ran = {}

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    def run_ours(self, words):
        words = [WORDS.get(word, word) for word in words]
        beginning = " ".join(words)
        words += [WORDS.get(word, word) for word in shlex.split(COMPLETED.get(beginning, ""))]
        if any(word.startswith(("sizes=", "mask=")) for word in words):
            words = ["contents.onnx" if word == "model.onnx" else word for word in words]
        key = tuple(words)
        if key not in self.ran:
            self.ran[key] = subprocess.run([PROGRAM, *words], cwd=self.folder, capture_output=True, text=True,
                                           errors="replace")
        return self.ran[key]

    def check_words(self, words):
        """What is wrong with the command; None when nothing is."""
        if not is_ours(words):
            if words[0] not in SKIPPED and not words[0].startswith("test/bench/"):
                return "is neither run nor known to SKIPPED"
            missing = [word for word in words if re.match(r"(cmake|examples|test|capi)/\S+\.\w+$", word)
                       and not (ROOT / word).exists()]
            return f"names {missing}, which are not there" if missing else None
        done = self.run_ours(words[1:])
        # What runs models says where ONNX Runtime is missing; test/rewrite/verify_test.py has it.
        is_not_verified = done.returncode == 7 and "onnx-hwest[verify]" in done.stderr
        if done.returncode == 0 or is_not_verified:
            return None
        return f"exits with {done.returncode}: {done.stderr.strip()}"

    def check(self, lines, least):
        count = 0
        for line in lines:
            for words in commands_in(line):
                count += is_ours(words)
                with self.subTest(command=" ".join(words)):
                    wrong = self.check_words(words)
                    self.assertIsNone(wrong, msg=f"{' '.join(words)}: {wrong}")
        self.assertGreaterEqual(count, least, msg="commands found")

    def test_readme(self):
        self.check(of_page(ROOT / "README.md"), 8)

    def test_a_line_of_a_page_can_be_pasted(self):
        """Words behind a command are a comment, so that the shell takes the whole line."""
        seen = 0
        for page in [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]:
            for line in blocks(page.read_text()):
                parts = re.split(r"\s{2,}", line, maxsplit=1)
                is_command = any(is_ours(words) or words[0] in SKIPPED for words in commands_in(line))
                if len(parts) < 2 or not is_command:
                    continue
                seen += 1
                self.assertTrue(parts[1].startswith("# "), msg=f"{page.name}: {line}")
        self.assertGreater(seen, 80)

    def test_the_picture_of_the_first_minutes(self):
        page = ROOT / "docs/first-five-minutes.md"
        picture = re.search(r"!\[.+?\]\((.+?)\)", page.read_text())[1]
        words = next(words for line in of_page(page) for words in commands_in(line) if words[-1] == picture)
        self.assertEqual(self.run_ours(words[1:]).returncode, 0)
        drawn = (self.folder / picture).read_text()
        self.assertEqual(drawn, (ROOT / "docs" / picture).read_text(),
                         msg=f"{' '.join(words)} draws another picture: run it again")
        self.assertLess(len(drawn), 100_000)

    def test_the_readme_is_short_and_its_links_lead_somewhere(self):
        text = (ROOT / "README.md").read_text()
        self.assertLess(len(text.splitlines()), 120)
        for page in [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]:
            text = re.sub(r"```.*?```|`[^`]*`", "", page.read_text(), flags=re.S)
            for link in re.findall(r"\]\((?!https?:|#)([^)#]+)", text):
                self.assertTrue((page.parent / link).exists(), msg=f"{page.name}: {link}")

    def test_the_site_has_every_guide(self):
        """As docs/site.py gathers them; links between pages and to files of the tree lead somewhere there."""
        spec = importlib.util.spec_from_file_location("site_of_docs", ROOT / "docs/site.py")
        site = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(site)
        listed = {name for part in site.NAV.values() for name in part.values()}
        self.assertEqual(set(site.pages()), listed)
        with tempfile.TemporaryDirectory() as name:
            site.gather(pathlib.Path(name))
            for page in listed:
                text = re.sub(r"```.*?```|`[^`]*`", "", (pathlib.Path(name) / page).read_text(), flags=re.S)
                for link in re.findall(r"\]\((?!https?:|#)([^)#]+)", text):
                    self.assertTrue((pathlib.Path(name) / page).parent.joinpath(link).exists(), msg=f"{page}: {link}")

    def test_pip_has_a_virtual_environment(self):
        """Debian 12 and Ubuntu 24.04 refuse to install beside what the distribution manages."""
        lines = [line for line in of_page(ROOT / "README.md") if "pip install" in line]
        self.assertTrue(lines)
        for line in lines:
            self.assertRegex(line, r"python3 -m venv (\S+) && \. \1/bin/activate && pip install")

    def test_guides(self):
        self.check([line for path in sorted((ROOT / "docs").glob("*.md")) for line in of_page(path)], 20)

    def test_manual(self):
        self.check(of_manual(), 8)

    def test_help(self):
        self.check(of_help(), 8)

    def test_sources(self):
        self.check(of_sources(), 10)

    def test_a_wrong_command_fails(self):
        for line in ("onnx-hwest model.onnx --target jetson-orin --no-such-flag", "onnx-hwest describe nothing",
                     "onnx-hwest nothing.onnx --target T", "python3 examples/nothing.py", "make"):
            for words in commands_in(line):
                self.assertIsNotNone(self.check_words(words), msg=line)

    def test_the_command_of_the_free_dims_error(self):
        for model in ("bert.onnx", "llm.onnx"):
            done = subprocess.run([PROGRAM, model, "--target", "jetson-orin"], cwd=self.folder, capture_output=True,
                                  text=True)
            self.assertEqual(done.returncode, 5, msg=done.stderr)
            command = shlex.split(done.stderr[done.stderr.index("onnx-hwest " + model):])
            self.assertEqual(self.run_ours(command[1:]).returncode, 0, msg=done.stderr)

    def test_the_flags_of_what_if(self):
        base = ["model.onnx", "--target", "tda4vm"]
        rows = json.loads(self.run_ours(base + ["--what-if", "--json"]).stdout)["what_if"]
        self.assertGreaterEqual(len(rows), 3)
        commands = [shlex.split(row["command"]) for row in rows if (row["command"] or "").startswith("onnx-hwest ")]
        self.assertGreaterEqual(len(commands), 2)
        for command in commands:
            again = self.run_ours(command[1:])
            self.assertEqual(again.returncode, 0, msg=f"{command}: {again.stderr}")

    def test_nearest_names_can_be_pasted(self):
        for words in (["targets", "show", "jetson-orrin"], ["describe", "fusion"], ["model.onnx", "--targt", "x"]):
            done = self.run_ours(words)
            self.assertIn(done.returncode, (2, 4))
            self.assertIn("did you mean", done.stderr)
        self.assertEqual(self.run_ours(["describe", "fusions"]).returncode, 0)


if __name__ == "__main__":
    unittest.main(verbosity=1)
