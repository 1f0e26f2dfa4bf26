#!/usr/bin/env python3
"""The parts of examples/measure_onnxruntime.py that need neither onnxruntime nor onnx nor numpy."""

import argparse
import io
import os
import statistics
import struct
import sys
import tempfile
import unittest
from contextlib import redirect_stderr
from types import SimpleNamespace

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "examples"))
sys.dont_write_bytecode = True
import measure_onnxruntime as tool  # noqa: E402


class Tensor:
    """As much of onnx.TensorProto as the script looks at."""

    def __init__(self, name, dims, data_type=tool.FLOAT, raw=b"", location=None, floats=()):
        self.name, self.dims, self.data_type, self.raw_data, self.float_data = name, dims, data_type, raw, list(floats)
        self.int32_data = self.int64_data = self.double_data = self.uint64_data = self.string_data = ()
        self.data_location = 0 if location is None else 1
        self.external_data = [] if location is None else [SimpleNamespace(key="location", value=location)]


class Attribute:
    def __init__(self, **fields):
        self.__dict__.update(fields)

    def HasField(self, name):
        return name in self.__dict__


def node(op_type, inputs, outputs, attribute=()):
    return SimpleNamespace(op_type=op_type, input=inputs, output=outputs, attribute=list(attribute))


def graph(nodes, tensors=(), inputs=()):
    return SimpleNamespace(node=nodes, initializer=list(tensors), input=[SimpleNamespace(name=name) for name in inputs])


class Payload(unittest.TestCase):
    def test_sizes(self):
        for elem_type, bits in tool.BITS.items():
            for dims in ([], [3], [7, 3], [0, 4], [300, 401]):
                count = 1
                for dim in dims:
                    count *= dim
                with self.subTest(elem_type=elem_type, dims=dims):
                    self.assertEqual(len(tool.payload(elem_type, dims, "weight", 1)), (count * bits + 7) // 8)

    def test_floats_by_role(self):
        def numbers(role, elem_type=tool.FLOAT, form="f"):
            return struct.unpack(f"<800{form}", tool.payload(elem_type, [8, 100], role, 1))

        self.assertAlmostEqual(statistics.pstdev(numbers("weight")), (2 / 100) ** 0.5, delta=0.02)
        self.assertTrue(all(0.5 <= x <= 1.5 for x in numbers("positive")))
        self.assertTrue(all(0 < x < 0.021 for x in numbers("step")))
        self.assertTrue(all(abs(x) < 0.1 for x in numbers("bias")))
        self.assertTrue(all(0.5 <= x <= 1.5 for x in numbers("positive", tool.FLOAT16, "e")))

    def test_bfloat16_is_the_upper_half(self):
        halves = tool.payload(tool.BFLOAT16, [50], "positive", 1)
        wide = b"".join(b"\0\0" + halves[i:i + 2] for i in range(0, 100, 2))
        self.assertTrue(all(0.49 <= x <= 1.5 for x in struct.unpack("<50f", wide)))

    def test_indices_exist(self):
        self.assertEqual(tool.payload(tool.INT64, [3], "weight", 1), bytes(24))
        self.assertEqual(tool.payload(tool.BOOL, [3], "weight", 1), b"\1\1\1")

    def test_same_seed_same_bytes(self):
        self.assertEqual(tool.payload(tool.FLOAT, [9], "weight", 4), tool.payload(tool.FLOAT, [9], "weight", 4))
        self.assertNotEqual(tool.payload(tool.FLOAT, [9], "weight", 4), tool.payload(tool.FLOAT, [9], "weight", 5))

    def test_texts_have_none(self):
        with self.assertRaisesRegex(tool.Failure, "element type 8"):
            tool.payload(8, [2], "weight", 1)


class Weights(unittest.TestCase):
    def test_roles(self):
        self.assertEqual(tool.role_of([4], [("BatchNormalization", 4)]), "positive")
        self.assertEqual(tool.role_of([4], [("Conv", 2)]), "bias")
        self.assertEqual(tool.role_of([], [("DequantizeLinear", 1)]), "step")
        self.assertEqual(tool.role_of([4, 4], [("MatMul", 1)]), "weight")
        self.assertEqual(tool.role_of([4], []), "positive")

    def test_only_what_is_missing_is_filled(self):
        with tempfile.TemporaryDirectory() as folder:
            inside = Tensor("in", [2], raw=b"12345678")
            listed = Tensor("li", [1], floats=[3.0])
            empty = Tensor("em", [0])
            stripped = Tensor("st", [4, 2])
            lost = Tensor("lo", [2, 3], location="weights.bin")
            constant = Tensor("", [5])
            body = Tensor("bo", [3])
            nodes = [node("Constant", [], ["c"], [Attribute(t=constant)]),
                     node("If", ["p"], ["y"], [Attribute(g=graph([], [body]))])]
            model = SimpleNamespace(graph=graph(nodes, [inside, listed, empty, stripped, lost]))
            tool.fill_weights(model, folder, 0)
        self.assertEqual(inside.raw_data, b"12345678")
        self.assertEqual((listed.raw_data, empty.raw_data), (b"", b""))
        self.assertEqual([len(t.raw_data) for t in (stripped, lost, constant, body)], [32, 24, 20, 12])
        self.assertEqual((lost.data_location, lost.external_data), (0, []))

    def test_a_file_that_is_there_is_not_missing(self):
        with tempfile.TemporaryDirectory() as folder:
            tensor = Tensor("w", [2], location="w.bin")
            self.assertTrue(tool.is_missing(tensor, folder))
            open(os.path.join(folder, "w.bin"), "wb").close()
            self.assertFalse(tool.is_missing(tensor, folder))

    def test_ids_stay_within_the_smallest_table(self):
        nodes = [node("Cast", ["ids"], ["i32"]), node("Gather", ["words", "i32"], ["a"]),
                 node("Gather", ["few", "ids"], ["b"]), node("Gather", ["few", "a"], ["c"]),
                 node("EmbedLayerNormalization", ["x", "kinds", "t", "p", "two"], ["d"])]
        tensors = [Tensor("words", [30522, 8]), Tensor("few", [512, 8]), Tensor("two", [2, 8]), Tensor("t", [9, 8])]
        self.assertEqual(tool.table_rows(graph(nodes, tensors, ["ids", "kinds", "x"])), {"ids": 512, "kinds": 2, "x": 9})


class Shapes(unittest.TestCase):
    def test_sizes_by_symbol_and_by_axis(self):
        self.assertEqual(tool.shape_of("x", [1, "seq", None], {"seq": 64, "x.2": 3}), [1, 64, 3])

    def test_a_free_size_names_its_flag(self):
        with self.assertRaisesRegex(tool.Failure, "input x has free sizes: --dim seq=N --dim x.2=N"):
            tool.shape_of("x", [1, "seq", None], {})


class Rows(unittest.TestCase):
    def arguments(self, *more):
        return tool.read_arguments(["m.onnx", "--device", "my board", "--output", "o.csv", *more])

    def row(self, stem="net.v1", value=2.0, threads=2, *more):
        return tool.row_of(stem, [1, 3], "fp32", threads, "1.31.1", [value + 1, value], self.arguments(*more))

    def test_a_row_has_every_column(self):
        row = self.row("net.v1", 2.0, 2, "--dim", "seq=64", "--dim", "batch=1")
        self.assertEqual(tuple(row), tool.COLUMNS)
        self.assertEqual((row["model"], row["family"], row["bind"], row["batch"]), ("net.v1", "net", "batch=1;seq=64", "1"))
        self.assertEqual((row["unit"], row["runtime"], row["mode"]), ("CPU", "onnxruntime 1.31.1 CPU", "2 threads"))
        self.assertEqual((row["metric"], row["value"], row["note"]), ("latency_ms", "2.0000", "best of 2; median 2.5000 ms"))

    def test_providers(self):
        row = self.row("net", 2.0, 1, "--provider", "tensorrt", "--precision", "fp16", "--mode", "15W")
        self.assertEqual((row["unit"], row["runtime"], row["mode"]), ("GPU", "onnxruntime 1.31.1 TensorRT", "15W"))
        self.assertEqual(row["precision"], "fp16")

    def test_merged_rows_are_sorted_and_the_new_one_stays(self):
        rows = tool.merge([self.row("b"), self.row("a", 5.0)], [self.row("a", 4.0), self.row("a", 9.0, 1)])
        self.assertEqual([(r["model"], r["mode"], r["value"]) for r in rows],
                         [("a", "1 threads", "9.0000"), ("a", "2 threads", "4.0000"), ("b", "2 threads", "2.0000")])

    def test_written_rows_are_read_again(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "rows.csv")
            self.assertEqual(tool.read_rows(path), [])
            rows = [self.row("a, \"b\""), self.row("c")]
            tool.write_rows(path, rows)
            self.assertEqual(tool.read_rows(path), rows)
            self.assertEqual(os.listdir(folder), ["rows.csv"])
            with open(path, "w") as file:
                file.write("model,value\n")
            with self.assertRaisesRegex(ValueError, "other columns"):
                tool.read_rows(path)

    def test_bad_arguments_end_with_2(self):
        for words in (["--threads", "0"], ["--dim", "seq"], ["--dim", "seq=-1"], ["--provider", "abacus"]):
            with self.subTest(words=words), redirect_stderr(io.StringIO()), self.assertRaises(SystemExit) as end:
                self.arguments(*words)
            self.assertEqual(end.exception.code, 2)
        with self.assertRaises(argparse.ArgumentTypeError):
            tool.read_dim("=3")


class Timing(unittest.TestCase):
    def test_runs_and_warm_up_are_counted(self):
        calls = []
        times = tool.time_runs(lambda: calls.append(1), warmup=2, runs=5, seconds=10)
        self.assertEqual((len(times), len(calls)), (5, 7))

    def test_at_least_three_runs(self):
        self.assertEqual(len(tool.time_runs(lambda: None, warmup=1, runs=30, seconds=0)), 3)


if __name__ == "__main__":
    unittest.main()
