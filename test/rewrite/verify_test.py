#!/usr/bin/env python3
"""onnx_hwest.verify on tiny models, rewrite --verify, and rules test on the examples of docs/rules.md.

usage: verify_test.py ONNX_HWEST SOURCE_DIR

See with_onnxruntime.py for the Python that it takes.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

import with_onnxruntime

with_onnxruntime.need()

import numpy
import onnx
import onnx.parser

PROGRAM, SOURCE = pathlib.Path(sys.argv[-2]), pathlib.Path(sys.argv[-1])
del sys.argv[-2:]
PACKAGE = SOURCE / "capi" / "python"
sys.path.insert(0, str(PACKAGE))
from onnx_hwest import verify as verifier

ENVIRONMENT = {**os.environ, "PYTHON": sys.executable, "PYTHONPATH": str(PACKAGE), "PYTHONDONTWRITEBYTECODE": "1"}
CONV = """(float[N,3,S,S] x) => (float[N,8,S,S] y) {
 c = Conv<pads=[1,1,1,1]>(x, w, b)
 s = Sigmoid(c)
 m = Mul(c, s)
 y = Relu(m)
}"""


def model_of(graph, weights=(), opset=17):
    model = onnx.parser.parse_model(f'<ir_version: 8, opset_import: ["" : {opset}]> agraph {graph}')
    source = numpy.random.default_rng(0)
    for name, shape in weights:
        model.graph.initializer.append(
            onnx.numpy_helper.from_array(source.standard_normal(shape).astype(numpy.float32), name))
    return model


def conv(change=None):
    model = model_of(CONV, [("w", (8, 3, 3, 3)), ("b", (8,))])
    if change is not None:
        change(model)
    return model


class Files(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)

    def saved(self, name, model):
        path = self.folder / name
        path.write_bytes(model.SerializeToString())
        return str(path)

    def verify(self, first, second, **options):
        return verifier.verify(self.saved("a.onnx", first), self.saved("b.onnx", second), **options)

    def run_module(self, *words):
        done = subprocess.run([sys.executable, "-m", "onnx_hwest.verify", *map(str, words)], capture_output=True,
                              text=True, env=ENVIRONMENT, check=False)
        return done.returncode, done.stdout, done.stderr

    def run_program(self, *words, **environment):
        done = subprocess.run([str(PROGRAM), *map(str, words)], capture_output=True, text=True, check=False,
                              env={**ENVIRONMENT, **environment})
        return done.returncode, done.stdout, done.stderr


class Verify(Files):
    def test_equal_files(self):
        found = self.verify(conv(), conv(), by_class="exact", runs=2)
        self.assertEqual((found["verdict"], found["runs"], found["first_difference"]), ("equal", 2, None))
        self.assertEqual(found["outputs"], [{"name": "y", "max_abs": 0.0, "max_rel": 0.0, "rounding": None,
                                             "varies": True, "equal": True}])
        self.assertEqual(found["sizes"], {"N": 1, "S": 64})
        self.assertEqual(found["weights_drawn"], 0)

    def test_the_first_tensor_that_differs(self):
        def harder(model):
            model.graph.node[1].op_type = "HardSigmoid"
        found = self.verify(conv(), conv(harder), dim={"S": 8})
        self.assertEqual((found["verdict"], found["first_difference"]), ("differs", "s"))
        self.assertGreater(found["outputs"][0]["max_rel"], 1e-4)

    def test_the_first_of_many(self):
        names = ["x"] + [f"v{i}" for i in range(300)]
        lines = [f" {to} = {'Abs' if i % 2 else 'Sin'}({of})" for i, (of, to) in enumerate(zip(names, names[1:]))]
        graph = "(float[4] x) => (float[4] v299) {\n" + "\n".join(lines) + "\n}"

        def changed(at):
            model = model_of(graph)
            model.graph.node[at].op_type = "Cos"
            return model
        for at in (0, 63, 64, 65, 217, 299):
            self.assertEqual(self.verify(model_of(graph), changed(at), runs=1)["first_difference"], f"v{at}")

    def test_tolerance_by_class(self):
        def scaled(model):
            weights = onnx.numpy_helper.to_array(model.graph.initializer[0]) * numpy.float32(1 + 4e-5)
            model.graph.initializer[0].CopyFrom(onnx.numpy_helper.from_array(weights, "w"))
        for by_class, verdict in (("exact", "differs"), ("rounding", "equal"), ("approximate", "equal")):
            self.assertEqual(self.verify(conv(), conv(scaled), by_class=by_class, runs=1)["verdict"], verdict, by_class)
        self.assertEqual(self.verify(conv(), conv(scaled), tolerance=1e-7, runs=1)["verdict"], "differs")

    def test_tolerance_by_the_types_inside(self):
        for graph, factor in (("(float[4] x) => (float[4] y) { y = Relu(x) }", 1),
                              ("(float[4] x) => (float[4] y) { a = Cast<to=10>(x) y = Cast<to=1>(a) }", 100),
                              ("(bfloat16[4] x) => (float[4] y) { y = Cast<to=1>(x) }", 800),
                              ("(float[4] x) => (float[4] y) <float s = {0.1}, uint8 z = {3}> "
                               "{ a = QuantizeLinear(x, s, z) y = DequantizeLinear(a, s, z) }", 200)):
            self.assertEqual(verifier.coarseness(model_of(graph)), factor)
        half = model_of("(float16[4] x) => (float16[4] y) { y = Relu(x) }")
        self.assertAlmostEqual(self.verify(half, half, by_class="exact", runs=1)["tolerance"], 1e-3)

    def test_absent_weights_are_the_same_in_both(self):
        def stripped(model):
            for tensor in model.graph.initializer:
                tensor.ClearField("raw_data")
        found = self.verify(conv(stripped), conv(stripped), runs=1)
        self.assertEqual((found["verdict"], found["weights_drawn"]), ("equal", 2))

        def external(model):
            for tensor in model.graph.initializer:
                tensor.ClearField("raw_data")
                tensor.data_location = 1
                entry = tensor.external_data.add()
                entry.key, entry.value = "location", "absent.bin"
        found = self.verify(conv(external), conv(external), runs=1)
        self.assertEqual((found["verdict"], found["weights_drawn"]), ("equal", 2))

    def test_weights_in_files_of_their_own(self):
        path = str(self.folder / "a.onnx")
        model = model_of("(float[2,64] x) => (float[2,64] y) { y = MatMul(x, w) }", [("w", (64, 64))])
        onnx.save(model, path, save_as_external_data=True, location="w.bin", size_threshold=0)
        inline = model_of("(float[2,64] x) => (float[2,64] y) { y = MatMul(x, w) }", [("w", (64, 64))])
        found = verifier.verify(path, self.saved("b.onnx", inline), runs=1)
        self.assertEqual((found["verdict"], found["weights_drawn"]), ("equal", 0))
        proto = onnx.load(path, load_external_data=False)
        proto.graph.initializer[0].external_data[0].value = "../w.bin"
        (self.folder / "sub").mkdir()
        outside = self.saved("sub/c.onnx", proto)
        self.assertEqual(self.run_module(outside, path)[0], 2)
        with self.assertRaisesRegex(ValueError, "outside"):
            verifier.verify(outside, path)

    def test_indices_stay_within_what_they_index(self):
        graph = """(int64[1,6] ids, int64[3] at) => (float[1,6,4] y, float[3,4] z) {
 i = Identity(ids)
 y = Gather(t, i)
 g = Transpose<perm=[1,0]>(t2)
 z = Gather<axis=0>(g, at)
}"""
        model = model_of(graph, [("t", (7, 4)), ("t2", (4, 5))])
        found = self.verify(model, model, runs=20)
        self.assertEqual((found["verdict"], found["message"]), ("equal", None))

    def test_one_hot_and_other_integers(self):
        graph = """(int64[4] c, int32[5] n) => (float[4,3] y, float[5] z)
 <int64 depth = {3}, float[2] ends = {0, 1}> {
 y = OneHot(c, depth, ends)
 z = Cast<to=1>(n)
}"""
        self.assertEqual(self.verify(model_of(graph), model_of(graph), runs=5)["verdict"], "equal")

    def test_how_tensors_are_compared(self):
        def equal(first, second, dtype, by_class):
            arrays = [numpy.array(numbers, dtype) for numbers in (first, second)]
            return verifier.difference(*arrays, verifier.ALLOWED[by_class], by_class)[2]
        self.assertTrue(equal([1, 200], [1, 201], "uint8", "rounding"))
        self.assertFalse(equal([1, 200], [1, 201], "uint8", "exact"))
        self.assertFalse(equal([1, 200], [1, 202], "uint8", "approximate"))
        self.assertFalse(equal([1, 200], [1, 201], "int64", "approximate"))
        self.assertFalse(equal([True], [False], "bool", "rounding"))
        self.assertTrue(equal([1.0, 1e-9], [1.0, 0.0], "float32", "exact"))
        self.assertFalse(equal([1.0], [numpy.nan], "float32", "approximate"))
        self.assertTrue(equal([numpy.nan, numpy.inf], [numpy.nan, numpy.inf], "float32", "exact"))
        self.assertFalse(equal([numpy.inf], [-numpy.inf], "float32", "exact"))
        self.assertTrue(equal([], [], "float32", "exact"))
        self.assertFalse(equal([1.0], [[1.0]], "float32", "exact"))

    def test_values_and_samples(self):
        model = model_of("(float[2,3] x) => (float[2,3] y) { y = Relu(x) }")
        path = self.saved("a.onnx", model)
        numpy.save(self.folder / "x.npy", numpy.ones((2, 3), numpy.float32))
        samples = self.folder / "samples"
        (samples / "three").mkdir(parents=True)
        numpy.save(samples / "one.npy", numpy.zeros((2, 3), numpy.float32))
        numpy.savez(samples / "two.npz", x=numpy.zeros((2, 3), numpy.float32))
        tensor = onnx.numpy_helper.from_array(numpy.zeros((2, 3), numpy.float32))
        (samples / "three" / "input_0.pb").write_bytes(tensor.SerializeToString())
        for words, code in ((["--value", f"x={self.folder}/x.npy"], 0), (["--value", "x=[[1,2,3],[4,5,6]]"], 0),
                            (["--value", "x=0"], 0), (["--samples", samples], 0), (["--value", "z=1"], 2),
                            (["--value", "x=[1,2]"], 2), (["--value", "x=nowhere.npy"], 2),
                            (["--samples", self.folder / "none"], 2), (["-n", "0"], 2)):
            self.assertEqual(self.run_module(path, path, *words)[0], code, words)
        self.assertEqual(json.loads(self.run_module(path, path, "--samples", samples, "--json")[1])["runs"], 3)

    def test_sizes(self):
        free = model_of("(float[N,K] x) => (float[N,K] y) { y = Relu(x) }")
        fixed = model_of("(float[2,5] x) => (float[2,5] y) { y = Relu(x) }")
        other = model_of("(float[3,5] x) => (float[3,5] y) { y = Relu(x) }")
        self.assertEqual(self.verify(free, fixed, runs=1)["sizes"], {})  # those of the second file
        self.assertEqual(self.verify(free, free, shape={"": [4, 6]}, runs=1)["sizes"], {})
        self.assertEqual(self.verify(free, free, dim={"K": 3}, runs=1)["sizes"], {"N": 1})
        with self.assertRaisesRegex(ValueError, "input x is"):
            self.verify(fixed, other)
        with self.assertRaisesRegex(ValueError, "--shape"):
            self.verify(free, free, shape={"x": [4]})

    # A mean near 0 of large numbers, and what divides by it: what rounding does to it, does 1e4 times as much here.
    LOUD = """(float[1,64] x) => (float[1,64] y) {
 a = Mul(x, big)
 b = Sin(a)
 y = Relu(b)
}"""

    def loud(self, big):
        model = model_of(self.LOUD)
        model.graph.initializer.append(onnx.numpy_helper.from_array(numpy.float32(big), "big"))
        return model

    def test_rounding_that_the_file_makes_large(self):
        # sin(x * big) moves by big * eps where x moves by eps.
        def moved(big, by):
            first, second = self.loud(big), self.loud(big)
            second.graph.initializer[0].CopyFrom(onnx.numpy_helper.from_array(numpy.float32(big * (1 + by)), "big"))
            return self.verify(first, second, runs=1)
        found = moved(1e3, 4e-7)
        self.assertEqual((found["verdict"], found["choices"]), ("equal", []))
        self.assertGreater(found["outputs"][0]["max_rel"], 2e-4)  # more than the class allows
        self.assertGreater(10 * found["outputs"][0]["rounding"], found["outputs"][0]["max_rel"])
        self.assertIn("one rounding moves y", verifier.text_of(found))
        self.assertEqual((moved(1e3, 1e-5)["verdict"], moved(1e3, 1e-5)["first_difference"]), ("differs", "b"))
        self.assertEqual(moved(1, 1e-3)["verdict"], "differs")  # by more than rounding, and nothing makes it large
        unclear = moved(1e7, 1e-3)
        self.assertEqual(unclear["verdict"], "not_run")
        self.assertIn("give real weights", unclear["message"])
        strict = self.loud(1e3)
        strict.graph.initializer[0].CopyFrom(onnx.numpy_helper.from_array(numpy.float32(1e3 * (1 + 4e-7)), "big"))
        self.assertEqual(self.verify(self.loud(1e3), strict, runs=1, tolerance=1e-4)["verdict"], "differs")

    def test_drawn_weights_are_smaller_where_rounding_becomes_large(self):
        def deep(act, order):
            lines, at = [], "x"
            for i in range(24):  # sums double, so that a sine at the end sees thousands
                lines += [f"a{i} = MatMul({at}, w{i})", f"r{i} = Relu(a{i})", f"m{i} = MatMul(r{i}, u{i})",
                          f"b{i} = Add({at}, m{i})" if order else f"b{i} = Add(m{i}, {at})"]
                at = f"b{i}"
            lines += ["c = Mul(b23, ten)", f"y = {act}(c)"]
            model = model_of("(float[4,64] x) => (float[4,64] y) {\n" + "\n".join(lines) + "\n}")
            ten = numpy.float32(10 if order else 10.00001)
            model.graph.initializer.append(onnx.numpy_helper.from_array(ten, "ten"))
            for i in range(24):
                for name in (f"w{i}", f"u{i}"):
                    model.graph.initializer.add(name=name, data_type=1, dims=[64, 64])
            return model
        found = self.verify(deep("Sin", True), deep("Sin", False), runs=1)
        self.assertEqual(found["verdict"], "equal", found)
        self.assertEqual(found["weights_drawn"], 48)
        self.assertEqual(self.verify(deep("Sin", True), deep("Cos", False), runs=1)["verdict"], "differs")

    def test_outputs_that_say_nothing(self):
        graph = """(float[1,64] x) => (float[1,64] y) <float far = {-100}> {
 a = Mul(x, big)
 b = Add(a, far)
 y = Relu(b)
}"""
        def scaled(by):
            model = model_of(graph)
            model.graph.initializer.append(onnx.numpy_helper.from_array(numpy.float32(by), "big"))
            return model
        found = self.verify(scaled(1), scaled(1))
        self.assertEqual((found["verdict"], found["outputs"][0]["varies"]), ("equal", False))
        self.assertIn("2 values inside were compared", verifier.text_of(found))
        found = self.verify(scaled(1), scaled(2))  # y is 0 in both
        self.assertEqual((found["verdict"], found["first_difference"]), ("differs", "a"))
        self.assertEqual(self.verify(scaled(0), scaled(0))["verdict"], "not_run")
        self.assertEqual(self.verify(scaled(0), scaled(0), value={"x": "1"})["verdict"], "equal")

    def test_inputs_in_another_order(self):
        first = model_of("(float[2] a, float[2] b) => (float[2] y) { y = Sub(a, b) }")
        second = model_of("(float[2] b, float[2] a) => (float[2] y) { y = Sub(a, b) }")
        self.assertEqual(self.verify(first, second)["verdict"], "equal")

    def test_what_cannot_be_compared(self):
        model = conv()
        custom = conv()
        custom.opset_import.add().domain = "my.domain"
        custom.opset_import[-1].version = 1
        custom.graph.node[1].domain, custom.graph.node[1].op_type = "my.domain", "Swish"
        found = self.verify(custom, custom)
        self.assertEqual(found["verdict"], "not_run")
        self.assertIn("my.domain", found["message"])
        self.assertIn("Swish", found["message"])
        renamed = conv()
        renamed.graph.input[0].name = renamed.graph.node[0].input[0] = "z"
        self.assertIn("other inputs", self.verify(model, renamed)["message"])
        broken = conv()
        broken.graph.node[0].input[0] = "nobody"
        found = self.verify(model, broken)
        self.assertEqual(found["verdict"], "differs")
        self.assertIn("refuses", found["message"])
        self.assertEqual(self.verify(broken, model)["verdict"], "not_run")
        path = self.saved("a.onnx", model)
        for words, code in (([path, path], 0), ([path, self.folder / "none.onnx"], 3), ([path], 2),
                            ([path, path, "--dim", "S=x"], 2), ([self.saved("b.onnx", broken), path], 7),
                            ([path, self.saved("b.onnx", broken)], 8)):
            self.assertEqual(self.run_module(*words)[0], code, words)

    def test_a_lack_of_memory_is_no_difference(self):
        session_of, sessions = verifier.session_of, []

        def short(file, *rest):
            sessions.append(file)
            if len(sessions) == 2:
                raise RuntimeError("[ONNXRuntimeError] : 1 : FAIL : bfc_arena.cc:360 AllocateRawInternal")
            return session_of(file, *rest)
        with mock.patch.object(verifier, "session_of", short):
            found = self.verify(conv(), conv())
        self.assertEqual((found["verdict"], found["first_difference"]), ("not_run", None))
        self.assertIn("too little memory", found["message"])

    def test_infinities_have_their_places(self):
        graph = "(float[4] x) => (float[4] y) { y = Div(x, z) }"
        zero, one = model_of(graph), model_of(graph)
        for model, number in ((zero, 0.0), (one, 1.0)):
            model.graph.initializer.append(onnx.numpy_helper.from_array(numpy.float32(number), "z"))
        self.assertEqual(self.verify(zero, zero)["verdict"], "equal")
        self.assertEqual(self.verify(zero, one)["verdict"], "differs")


class Choices(Files):
    """Operators in which rounding turns the result: `near` moves scores by some 1e-6, `far` by 1e-2."""
    near, far = 1e-6, 1e-2

    def models(self, graph, change, opset=17):
        """The graph with scores `s` that all tie, and a second one where they do not, quite."""
        made = []
        for moved in (0, change):
            model = model_of(graph, [("t", (40, 4)), ("u", (40, 4))], opset)
            scores = 1 + moved * numpy.random.default_rng(3).uniform(-1, 1, 40)
            model.graph.initializer.append(onnx.numpy_helper.from_array(scores.astype(numpy.float32), "k"))
            made.append(model)
        return made

    def verdict(self, graph, change, edit=None, **options):
        first, second = self.models(graph, change)
        if edit is not None:
            edit(second)
        found = self.verify(first, second, value={"x": json.dumps([1.0] * 40)}, runs=2, **options)
        names = [row["name"] for row in found["choices"]]
        return found["verdict"], names, found["first_difference"]

    TOP = """(float[40] x) => (float[5,4] y) <int64[1] five = {5}> {
 s = Mul(x, k)
 v, i = TopK(s, five)
 g = Gather(t, i)
 y = Sin(g)
}"""

    def test_a_choice_among_equal_scores(self):
        self.assertEqual(self.verdict(self.TOP, self.near), ("equal", ["i"], None))
        self.assertEqual(self.verdict(self.TOP, 0), ("equal", [], None))

    def test_scores_that_differ_are_found(self):
        self.assertEqual(self.verdict(self.TOP, self.far), ("differs", [], "s"))

    def test_another_operator_is_found(self):
        def smallest(model):
            model.graph.node[1].attribute.append(onnx.helper.make_attribute("largest", 0))
        self.assertEqual(self.verdict(self.TOP, self.near, smallest), ("differs", [], "i"))

    def test_another_count_is_found(self):
        def number(model, name, count):
            five = next(tensor for tensor in model.graph.initializer if tensor.name == "five")
            five.CopyFrom(onnx.numpy_helper.from_array(numpy.array([count]), name))
            model.graph.node[1].input[1] = name
        self.assertEqual(self.verdict(self.TOP, self.near, lambda model: number(model, "5", 5)), ("equal", ["i"], None))
        verdict, names, _ = self.verdict(self.TOP, self.near, lambda model: number(model, "five", 4))
        self.assertEqual((verdict, names), ("differs", []))

    def test_what_follows_is_still_compared(self):
        def cosine(model):
            model.graph.node[3].op_type = "Cos"

        def other_table(model):
            model.graph.node[2].input[0] = "u"
        self.assertEqual(self.verdict(self.TOP, self.near, cosine), ("differs", ["i"], "y"))
        self.assertEqual(self.verdict(self.TOP, self.near, other_table), ("differs", ["i"], "g"))

    def test_choices_that_follow_each_other(self):
        graph = """(float[40] x) => (float[N,4] y, int64[1] a, float[N] n) <float one = {1}, int64[1] two = {2}> {
 s = Mul(x, k)
 b = Greater(s, one)
 z = NonZero(b)
 r = Transpose<perm=[1,0]>(z)
 h = GatherND(t, r)
 c = Shape<end=1>(h)
 p = Concat<axis=0>(h, t)
 w = ReduceMax<axes=[1], keepdims=0>(p)
 v, i = TopK(w, two)
 y = Gather(p, i)
 a = ArgMax(s)
 q = Cast<to=6>(s)
 n = Cast<to=1>(q)
}"""
        verdict, names, _ = self.verdict(graph, self.near)
        self.assertEqual((verdict, names), ("equal", ["b", "a", "q"]))
        self.assertEqual(self.verdict(graph, self.far), ("differs", [], "s"))

    def test_a_choice_in_a_body(self):
        graph = """(float[40] x) => (int64[N,3] y, float[M] e)
 <float half = {0.5}, bool yes = {1}, int64[3] box = {1, 40, 4}, int64[3] of = {1, 1, 40}, int64[1] all = {40},
  float score = {1}> {
 s = Mul(x, k)
 f = Reshape(s, of)
 o = Reshape(t, box)
 y = If(yes) <then_branch = g1 () => (int64[N,3] y1)
               { y1 = NonMaxSuppression(o, f, all, half, score) },
              else_branch = g2 () => (int64[N,3] y2) { y2 = NonMaxSuppression(o, f, all, half) }>
 d = Cast<to=1>(y)
 e = ReduceSum<keepdims=0>(d)
}"""
        self.assertEqual(self.verdict(graph, self.near), ("equal", ["y"], None))
        self.assertEqual(self.verdict(graph, self.far), ("differs", [], "s"))

        def other_body(model):
            body = next(a.g for a in model.graph.node[3].attribute if a.name == "then_branch")
            body.node[0].input[3] = "score"
        self.assertEqual(self.verdict(graph, self.near, other_body), ("differs", [], "y"))

    def test_steps_of_integers(self):
        graph = """(float[40] x) => (float[40] y) <float step = {0.4}, int8 zero = {0}> {
 s = Mul(x, k)
 q = QuantizeLinear(s, step, zero)
 d = DequantizeLinear(q, step, zero)
 y = Mul(d, d)
}"""  # 2.5 steps are 2, and a little more 3
        self.assertEqual(self.verdict(graph, self.near), ("equal", ["q"], None))

        def other_step(model):
            tensor = next(tensor for tensor in model.graph.initializer if tensor.name == "step")
            tensor.CopyFrom(onnx.numpy_helper.from_array(numpy.float32(0.42), "step"))
        self.assertEqual(self.verdict(graph, self.near, other_step), ("differs", [], "d"))

    def test_they_are_told(self):
        first, second = self.models(self.TOP, self.near)
        code, text, _ = self.run_module(self.saved("a.onnx", first), self.saved("b.onnx", second), "--value",
                                        f"x={json.dumps([1.0] * 40)}")
        self.assertEqual(code, 0)
        self.assertRegex(text, r"rounding turned what is chosen by i \(TopK, [345] of 5\): what follows")


class Program(Files):
    def test_rewrite_verifies(self):
        source, output = self.saved("a.onnx", conv()), self.folder / "b.onnx"
        code, text, error = self.run_program("rewrite", source, "--rule", "constants_folded,dead_removed", "--verify",
                                             "--output", output)
        self.assertEqual((code, error), (0, ""))
        self.assertIn("equal in 3 runs", text)
        rules = self.folder / "wrong.rules"
        rules.write_text("wrong = Mul(x, Sigmoid(x)) -> Mul(x, Tanh(x))\n  exactness exact\n")
        code, text, error = self.run_program("rewrite", source, "--rules", rules, "--verify", "1", "--json", "--output",
                                             output)
        found = json.loads(text)["verify"]
        self.assertEqual((code, found["verdict"], found["runs"], found["class"]), (8, "differs", 1, "exact"))
        self.assertEqual(found["first_difference"], "m")
        self.assertIn("computes something else", error)
        code, text, _ = self.run_program("rewrite", source, "--json", "--output", output)
        self.assertEqual((code, json.loads(text)["verify"]), (0, None))

    def test_what_is_missing_is_said(self):
        source, output = self.saved("a.onnx", conv()), self.folder / "b.onnx"
        for environment, words in (({"PYTHONPATH": ""}, "onnx-hwest[verify]"),
                                   ({"PYTHON": "/no/python"}, "cannot start")):
            output.unlink(missing_ok=True)
            code, text, error = self.run_program("rewrite", source, "--verify", "1", "--output", output, **environment)
            self.assertEqual(code, 7, error)
            self.assertIn(words, error)
            self.assertIn("not verified", text)
            self.assertTrue(output.exists())

    def test_the_examples_of_the_documentation(self):
        text = (SOURCE / "docs" / "rules.md").read_text()
        blocks = re.findall(r"```(rules|wrong)\n(.*?)```", text, flags=re.S)
        self.assertEqual([kind for kind, _ in blocks], ["rules"] * 3 + ["wrong"])
        good, wrong = self.folder / "good.rules", self.folder / "wrong.rules"
        good.write_text("\n".join(block for kind, block in blocks if kind == "rules"))
        wrong.write_text(blocks[-1][1])
        code, text, error = self.run_program("rules", "lint", good, "--json")
        self.assertEqual((code, {row["verdict"] for row in json.loads(text)["rules"]}), (0, {"ok"}), error)
        code, text, error = self.run_program("rules", "test", good, "--json", "--runs", "1")
        rows = json.loads(text)["rules"]
        self.assertEqual((code, [row["verdict"] for row in rows]), (0, ["equal"] * 3), error)
        self.assertEqual(self.run_program("rules", "lint", wrong)[0], 0)
        code, text, _ = self.run_program("rules", "test", wrong, "--json")
        self.assertEqual((code, json.loads(text)["rules"][0]["verdict"]), (8, "differs"))


if __name__ == "__main__":
    unittest.main(verbosity=1)
