"""The verb rewrite: where the file and the report go, its notes about weights in other files, and what it refuses."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

TOOL, MODELS = sys.argv[-2:]
del sys.argv[-2:]
BERT = os.path.join(MODELS, "bert-base_128.ts.onnx")
MEAN = os.path.join(MODELS, "simple_resnet.ts.onnx")  # ends in a mean over more than the pooling of TIDL takes


def run(*words, data=None):
    done = subprocess.run([TOOL, *words], capture_output=True, input=data)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


class RewriteTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        self.output = os.path.join(self.folder, "out.onnx")

    def test_report_and_file(self):
        code, out, _ = run("rewrite", BERT, "--output", self.output, "--json")
        document = json.loads(out)
        self.assertEqual((code, document["kind"]), (0, "rewrite"))
        self.assertEqual(document["output"]["bytes"], os.path.getsize(self.output))
        self.assertEqual([*document["rules"][0]], ["name", "exactness", "places", "saved_s", "reason"])
        self.assertIn("summary", document["before"])
        self.assertIn("summary", document["after"])

    def test_older_operator_set(self):
        code, _, error = run("rewrite", BERT, "--opset", "13", "--output", self.output)
        self.assertEqual(code, 0)
        self.assertIn("the model is of operator set 13 now", error)
        code, out, _ = run("shapes", self.output, "--json")
        self.assertEqual(json.loads(out)["model"]["opsets"]["ai.onnx"], 13)
        before = os.stat(self.output)
        for opset, words in (("14", "newer than the model"), ("8", "too old"), ("x", "operator set"),
                             ("9", "has no form there")):
            code, _, error = run("rewrite", self.output, "--opset", opset, "--output", self.output)
            self.assertEqual((code, os.stat(self.output)), (2, before))
            self.assertIn(words, error)
        code, _, _ = run("rewrite", BERT, "--opset", "13", "--annotate", "--output", self.output)
        self.assertEqual((code, os.stat(self.output)), (2, before))

    def test_target_makes_it_faster(self):
        code, out, _ = run("rewrite", MEAN, "--target", "tda4vm", "--output", self.output, "--json")
        self.assertEqual(code, 0)
        summaries = [json.loads(out)[key]["summary"]["latency_s"] for key in ("before", "after")]
        self.assertLess(summaries[1], summaries[0])
        code, out, _ = run(MEAN, "--target", "tda4vm", "--rewrite")
        self.assertIn("as written", out)
        self.assertIn("onnx-hwest rewrite", out)

    def test_target_writes_sizes_and_is_faster(self):
        ask = ("--target", "metis")  # takes images, not stacks of matrices
        bind = ("--shape", "1x128")
        code, out, _ = run("rewrite", BERT, *ask, *bind, "--output", self.output, "--json")
        self.assertEqual(code, 0)
        summaries = [json.loads(out)[key]["summary"]["latency_s"] for key in ("before", "after")]
        self.assertLess(summaries[1], summaries[0])
        code, out, _ = run(self.output, *ask, "--json")
        self.assertEqual(json.loads(out)["summary"]["latency_s"], summaries[1])
        code, out, _ = run(BERT, *ask, *bind, "--rewrite", "--json")
        self.assertEqual(json.loads(out)["rewritten"]["summary"]["latency_s"], summaries[1])
        code, out, _ = run(self.output, *ask, "--rewrite", "--json")
        rewritten = json.loads(out)["rewritten"]
        self.assertEqual((code, rewritten["rules"], rewritten["command"]), (0, [], None))

    def test_printed_command_writes_what_is_printed(self):
        model = os.path.join(self.folder, "the model's.onnx")
        shutil.copy(MEAN, model)
        for request in (("--batch", "2"), ("--precision", "w8a16"), ("--only", "c7x-mma", "--objective", "energy"),
                        ("--shape", "input=1x3x448x448"), ("--max-segments=1", "--assume", "Flatten@c7x-mma")):
            words = (model, "--target", "tda4vm", *request, "--rewrite")
            code, out, error = run(*words, "--width", "60")
            self.assertEqual(code, 0, error)
            command = next(line for line in out.splitlines() if "onnx-hwest rewrite" in line)
            rewritten = json.loads(run(*words, "--json")[1])["rewritten"]
            self.assertEqual(rewritten["command"], command.strip())
            expected = rewritten["summary"]["latency_s"]
            folder = tempfile.mkdtemp(dir=self.folder)
            shell = f'onnx-hwest() {{ "{os.path.abspath(TOOL)}" "$@"; }}\n{command} --json'
            done = subprocess.run(["bash", "-c", shell], capture_output=True, cwd=folder)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(json.loads(done.stdout)["after"]["summary"]["latency_s"], expected, command)
            self.assertEqual(os.listdir(folder), ["better.onnx"])

    def test_same_command_same_bytes(self):
        run("rewrite", BERT, "--output", self.output)
        with open(self.output, "rb") as file:
            first = file.read()
        run("rewrite", BERT, "--output", self.output)
        with open(self.output, "rb") as file:
            self.assertEqual(file.read(), first)

    def test_standard_input(self):
        with open(BERT, "rb") as file:
            code, _, _ = run("rewrite", "-", "--output", self.output, data=file.read())
        self.assertEqual(code, 0)

    def test_missing_weights_are_a_note(self):
        code, _, error = run("rewrite", BERT, "--output", self.output)
        self.assertEqual(code, 0)
        self.assertIn("note: the files with weights are not there: weights.bin", error)

    def test_copy_data(self):
        source = os.path.join(self.folder, "in")
        os.mkdir(source)
        shutil.copy(BERT, source)
        with open(os.path.join(source, "weights.bin"), "wb") as file:
            file.write(b"weights")
        model = os.path.join(source, os.path.basename(BERT))
        _, _, error = run("rewrite", model, "--output", self.output)
        self.assertIn("the weights have to lie beside the output, too: weights.bin", error)
        self.assertFalse(os.path.exists(os.path.join(self.folder, "weights.bin")))
        code, _, error = run("rewrite", model, "--copy-data", "--output", self.output)
        self.assertEqual((code, error), (0, ""))
        with open(os.path.join(self.folder, "weights.bin"), "rb") as file:
            self.assertEqual(file.read(), b"weights")

    def test_data_outside_of_the_folder_is_neither_read_nor_written(self):
        source, out = os.path.join(self.folder, "in"), os.path.join(self.folder, "out", "deep")
        os.makedirs(source)
        os.makedirs(out)
        with open(BERT, "rb") as file:
            bert = file.read()
        with open(os.path.join(self.folder, "secr.bin"), "wb") as file:
            file.write(b"secret")
        os.symlink(os.path.join(self.folder, "secr.bin"), os.path.join(source, "weights.bin"))
        for name, location, why in (("up.onnx", b"../secr.bin", "leaves the model's folder"),
                                    ("link.onnx", b"weights.bin", "is a link that leaves the model's folder")):
            model = os.path.join(source, name)
            with open(model, "wb") as file:
                file.write(bert.replace(b"weights.bin", location))
            words = ("rewrite", model, "--output", os.path.join(out, "out.onnx"))
            code, _, error = run(*words)
            self.assertEqual(code, 0)
            self.assertIn(why, error)
            os.remove(os.path.join(out, "out.onnx"))
            code, _, error = run(*words, "--copy-data")
            self.assertEqual((code, os.listdir(out)), (7, []))
            self.assertIn(why, error)
            self.assertEqual(os.listdir(os.path.join(self.folder, "out")), ["deep"])

    def test_data_beside_what_a_link_links_to(self):
        blobs, snapshot = os.path.join(self.folder, "blobs"), os.path.join(self.folder, "snapshots", "main")
        os.makedirs(blobs)
        os.makedirs(snapshot)
        shutil.copy(BERT, os.path.join(blobs, "0a1b"))
        with open(os.path.join(blobs, "2c3d"), "wb") as file:
            file.write(b"weights")
        for blob, name in (("0a1b", "model.onnx"), ("2c3d", "weights.bin")):
            os.symlink(os.path.join("..", "..", "blobs", blob), os.path.join(snapshot, name))
        code, _, error = run("rewrite", os.path.join(snapshot, "model.onnx"), "--copy-data", "--output", self.output)
        self.assertEqual((code, error), (0, ""))
        with open(os.path.join(self.folder, "weights.bin"), "rb") as file:
            self.assertEqual(file.read(), b"weights")

    def test_refused(self):
        for words in (("rewrite", BERT), ("rewrite", BERT, "--rule", "nothing", "--output", self.output),
                      ("rewrite", BERT, "--fold", "--annotate", "--output", self.output),
                      ("rewrite", BERT, "--rule", "gelu_erf_to_tanh", "--output", self.output),
                      ("rewrite", BERT, "--format", "svg", "--output", self.output)):
            code, out, error = run(*words)
            self.assertEqual((code, out, error.count("\n")), (2, "", 1), words)
        self.assertEqual(os.listdir(self.folder), [])

    def test_an_output_is_replaced_only_when_complete(self):
        with open(self.output, "wb") as file:
            file.write(b"old")
        code, _, _ = run("rewrite", BERT, "--target", "tda4vm", "--output", self.output)
        self.assertEqual(code, 5)
        code, _, _ = run("rewrite", BERT, "--output", os.path.join(self.folder, "no", "out.onnx"))
        self.assertEqual(code, 6)
        with open(self.output, "rb") as file:
            self.assertEqual(file.read(), b"old")

    def test_the_model_itself_may_be_the_output(self):
        shutil.copy(BERT, self.output)
        code, _, _ = run("rewrite", self.output, "--output", self.output)
        self.assertEqual(code, 0)
        code, out, _ = run("rewrite", self.output, "--output", self.output, "--json")
        self.assertEqual((code, json.loads(out)["rules"]), (0, []))


if __name__ == "__main__":
    unittest.main()
