#!/usr/bin/env python3
"""The parts of onnx_hwest.measure that need no runtime, onnx or numpy."""

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
sys.path.insert(0, os.path.join(ROOT, "capi", "python"))
sys.dont_write_bytecode = True
from onnx_hwest import _measure_board as board
from onnx_hwest import _measure_model as tool
from onnx_hwest import _measure_runtimes as runtimes
from onnx_hwest import measure


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
            total, filled = tool.fill_weights(model, folder, 0)
        self.assertEqual(inside.raw_data, b"12345678")
        self.assertEqual((listed.raw_data, empty.raw_data), (b"", b""))
        self.assertEqual([len(t.raw_data) for t in (stripped, lost, constant, body)], [32, 24, 20, 12])
        self.assertEqual((lost.data_location, lost.external_data), (0, []))
        self.assertEqual((total, filled), (8 + 32 + 24 + 20 + 12, 4))

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
        self.assertEqual(tool.table_rows(graph(nodes, tensors, ["ids", "kinds", "x"])),
                         {"ids": 512, "kinds": 2, "x": 9})


class Shapes(unittest.TestCase):
    def test_sizes_by_symbol_and_by_axis(self):
        self.assertEqual(tool.shape_of("x", [1, "seq", None], {"seq": 64, "x.2": 3}), [1, 64, 3])

    def test_a_free_size_names_its_flag(self):
        with self.assertRaisesRegex(tool.Failure, "input x has free sizes: --dim seq=N --dim x.2=N"):
            tool.shape_of("x", [1, "seq", None], {})


class Rows(unittest.TestCase):
    def arguments(self, *more):
        arguments = measure.read_arguments(["m.onnx", "--device", "my board", "--output", "o.csv", *more])
        arguments.power_mode = ""
        return arguments

    def row(self, stem="net.v1", value=2.0, threads=2, runtime="onnxruntime", *more):
        arguments = self.arguments(*more)
        found = runtimes.find_runtime(runtime)
        result = runtimes.Result([value + 1, value, value], found.unit, f"{found.name} 1.31.1 {found.short}".strip(),
                                 "fp32", "1")
        return measure.row_of(stem, measure.mode_of(found, threads, arguments), result, None, arguments)

    def test_a_row_has_every_column(self):
        row = self.row("net.v1", 2.0, 2, "onnxruntime", "--dim", "seq=64", "--dim", "batch=1")
        self.assertEqual(tuple(row), measure.COLUMNS)
        self.assertEqual((row["model"], row["family"], row["bind"], row["batch"]),
                         ("net.v1", "net", "batch=1;seq=64", "1"))
        self.assertEqual((row["unit"], row["runtime"], row["mode"]), ("CPU", "onnxruntime 1.31.1 CPU", "2 threads"))
        self.assertEqual((row["metric"], row["value"]), ("latency_ms", "2.0000"))
        self.assertEqual(row["note"], "median of 3, 2.0000 to 3.0000 ms")

    def test_spread_of_many_runs_leaves_the_odd_ones_out(self):
        self.assertEqual(runtimes.spread_of([1.0] * 5 + [2.0] * 5 + [90.0]), "median of 11, 1.0000 to 72.4000 ms")
        self.assertEqual(runtimes.spread_of([float(i) for i in range(1, 100)]), "median of 99, 10.0000 to 90.0000 ms")

    def test_runtimes(self):
        for words, unit, runtime, mode in (("onnxruntime:tensorrt", "GPU", "onnxruntime 1.31.1 TensorRT", ""),
                                           ("onnxruntime:FooExecutionProvider", "NPU", "onnxruntime 1.31.1 Foo", ""),
                                           ("openvino", "CPU", "OpenVINO 1.31.1 CPU", "1 threads"),
                                           ("openvino:GPU.0", "GPU", "OpenVINO 1.31.1 GPU.0", ""),
                                           ("tidl", "NPU", "TIDL 1.31.1", ""),
                                           ("trtexec", "GPU", "TensorRT 1.31.1", ""),
                                           ("rknn", "NPU", "RKNN 1.31.1", ""),
                                           ("rknn:0_1_2", "NPU", "RKNN 1.31.1", "cores 0_1_2")):
            row = self.row("net", 2.0, 1, words)
            self.assertEqual((row["unit"], row["runtime"], row["mode"]), (unit, runtime, mode), words)
        self.assertEqual(runtimes.find_runtime("trtexec", ["--useDLACore=0"]).name, "TensorRT DLA")
        with self.assertRaisesRegex(tool.Failure, "no runtime 'abacus', but onnxruntime, trtexec"):
            runtimes.find_runtime("abacus")

    def test_merged_rows_are_sorted_and_the_new_one_stays(self):
        rows = measure.merge([self.row("b"), self.row("a", 5.0)], [self.row("a", 4.0), self.row("a", 9.0, 1)])
        self.assertEqual([(r["model"], r["mode"], r["value"]) for r in rows],
                         [("a", "1 threads", "9.0000"), ("a", "2 threads", "4.0000"), ("b", "2 threads", "2.0000")])

    def test_what_is_there_is_not_measured_again(self):
        rows = [self.row("a"), self.row("a", 2.0, None, "trtexec")]

        def done(stem, runtime, mode, *more):
            return measure.is_done(rows, stem, runtimes.find_runtime(runtime), mode, self.arguments(*more))

        self.assertTrue(done("a", "onnxruntime", "2 threads"))
        self.assertTrue(done("a", "trtexec", "", "--precision", "fp32"))
        for words in (("b", "onnxruntime", "2 threads"), ("a", "onnxruntime", "1 threads"),
                      ("a", "openvino", "2 threads"),
                      ("a", "onnxruntime:xnnpack", "2 threads"), ("a", "trtexec", "", "--precision", "fp16"),
                      ("a", "trtexec", "", "--dim", "batch=2"), ("a", "onnxruntime:tensorrt", "")):
            self.assertFalse(done(*words), words)

    def test_written_rows_are_read_again(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "rows.csv")
            self.assertEqual(measure.read_rows(path), [])
            rows = [self.row("a, \"b\""), self.row("c")]
            measure.write_rows(path, rows)
            self.assertEqual(measure.read_rows(path), rows)
            self.assertEqual(os.listdir(folder), ["rows.csv"])
            with open(path, "w") as file:
                file.write("model,value\n")
            with self.assertRaisesRegex(ValueError, "other columns"):
                measure.read_rows(path)

    def test_bad_arguments_end_with_2(self):
        for words in (["--threads", "0"], ["--dim", "seq"], ["--dim", "seq=-1"], ["--runs", "few"]):
            with self.subTest(words=words), redirect_stderr(io.StringIO()), self.assertRaises(SystemExit) as end:
                self.arguments(*words)
            self.assertEqual(end.exception.code, 2)
        with self.assertRaises(argparse.ArgumentTypeError):
            measure.read_dim("=3")

    def test_too_few_models_for_a_fit_are_said(self):
        arguments = argparse.Namespace(device="board")
        rows = [{"model": f"net{i}", "device": "board"} for i in range(4)]
        self.assertEqual(measure.hint(rows, arguments), "")
        self.assertIn("3 models of 4", measure.hint(rows[1:] + [{"model": "net0", "device": "other"}] + rows[1:],
                                                    arguments))

    def test_the_last_lines_are_the_commands_to_type(self):
        arguments = measure.read_arguments(["my models/a.onnx", "--output", "rows.csv", "--target", "rk3588"])
        self.assertEqual(measure.closing(arguments).splitlines(), [
            "onnx-hwest calibrate --target rk3588 --measurements rows.csv --models 'my models' --output mine.textproto",
            "onnx-hwest validate --target ./mine.textproto --measurements rows.csv --models 'my models'"])


class Timing(unittest.TestCase):
    def test_runs_and_warm_up_are_counted(self):
        calls = []
        times = runtimes.time_runs(lambda: calls.append(1), warmup=2, runs=5, seconds=10)
        self.assertEqual((len(times), len(calls)), (5, 7))

    def test_at_least_three_runs(self):
        self.assertEqual(len(runtimes.time_runs(lambda: None, warmup=1, runs=30, seconds=0)), 3)


class Board(unittest.TestCase):
    def test_the_target_of_a_board(self):
        for files, target in (
                ({"proc/device-tree/model": "NVIDIA Jetson AGX Orin Developer Kit\0"}, "jetson-agx-orin-64gb"),
                ({"proc/device-tree/model": "Radxa ROCK 5B\0",
                  "proc/device-tree/compatible": "radxa,rock-5b\0rockchip,rk3588\0"},
                 "rk3588"),
                ({"proc/cpuinfo": "model name\t: Any\nflags\t\t: fpu sse avx2 avx512f\n"}, "x86-avx512"),
                ({"proc/cpuinfo": "model name\t: Any\nflags\t\t: fpu sse avx2\n"}, "x86-avx2"),
                ({"proc/cpuinfo": "model name\t: Any\nflags\t\t: fpu sse\n"}, ""), ({}, "")):
            with self.subTest(target=target, files=files):
                self.assertEqual(board.target_name(self.tree(files)), target)

    def test_every_target_of_a_board_exists(self):
        for _, target in board.TARGETS + board.CPU_TARGETS:
            with self.subTest(target=target):
                self.assertTrue(os.path.exists(os.path.join(ROOT, "lib", "target", "data", f"{target}.textproto")))

    def tree(self, files):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        for path, text in files.items():
            os.makedirs(os.path.dirname(os.path.join(folder.name, path)), exist_ok=True)
            with open(os.path.join(folder.name, path), "w") as file:
                file.write(text)
        return folder.name

    def test_name(self):
        self.assertEqual(board.device_name(self.tree({"proc/device-tree/model": "Radxa ROCK 5B\0"})), "Radxa ROCK 5B")
        self.assertEqual(board.device_name(self.tree({"proc/cpuinfo": "flags: x\nmodel name\t: Some  CPU\n"})),
                         "Some CPU")
        self.assertEqual(board.device_name(self.tree({})), "")

    def test_nvpmodel(self):
        self.assertEqual(board.read_nvpmodel("NV Power Mode: MAXN\n0\n"), "MAXN")
        self.assertEqual(board.read_nvpmodel("NVPM WARN: fan mode is not set!\nNV Power Mode: MODE_30W\n2\n"), "30W")
        self.assertEqual(board.read_nvpmodel(""), "")

    def test_clocks(self):
        cpu = "sys/devices/system/cpu/cpufreq/policy"
        root = self.tree({f"{cpu}0/related_cpus": "0 1 2 3\n", f"{cpu}0/scaling_governor": "schedutil\n",
                          f"{cpu}0/scaling_cur_freq": "1800000\n", f"{cpu}4/related_cpus": "4\n",
                          f"{cpu}4/scaling_governor": "performance\n", f"{cpu}4/scaling_cur_freq": "2400000\n",
                          f"{cpu}10/related_cpus": "10", f"{cpu}10/scaling_cur_freq": "<unknown>\n",
                          "sys/class/devfreq/fdab0000.npu/governor": "rknpu_ondemand\n",
                          "sys/class/devfreq/fdab0000.npu/cur_freq": "1000000000\n"})
        self.assertEqual(board.clocks(root), "cpu0-3 schedutil 1.80 GHz, cpu4 performance 2.40 GHz, "
                                             "fdab0000.npu rknpu_ondemand 1.00 GHz")
        self.assertEqual(board.clocks(self.tree({})), "")

    def test_tegrastats(self):
        orin = ("11-20-2024 10:00:00 RAM 4722/30536MB (lfb 5x4MB) SWAP 0/15268MB (cached 0MB) CPU [1%@729,0%@729] "
                "EMC_FREQ 0%@2133 GR3D_FREQ 0%@[305,305] VIC_FREQ 729 APE 174 CPU@46.5C GPU@43C VDD_GPU_SOC "
                "{}mW/2391mW "
                "VDD_CPU_CV 398mW/398mW VIN_SYS_5V0 3215mW/3215mW VDDQ_VDD2_1V8AO 400mW/400mW")
        self.assertEqual(board.read_tegrastats([orin.format(2000), orin.format(4000)]), (
            None, "VDD_GPU_SOC 3.00 W, VDD_CPU_CV 0.40 W, VIN_SYS_5V0 3.21 W, VDDQ_VDD2_1V8AO 0.40 W"))
        nano = "RAM 1/7620MB GR3D_FREQ 0% VDD_IN 4877mW/4877mW VDD_CPU_GPU_CV 500mW/500mW VDD_SOC 1300mW/1300mW"
        self.assertEqual(board.read_tegrastats([nano])[0], 4.877)
        older = "RAM 2/3964MB (lfb 1x4MB) IRAM 0/252kB(lfb 252kB) CPU [5%@102] POM_5V_IN 2100/2100 POM_5V_GPU 40/40"
        self.assertEqual(board.read_tegrastats([older]), (2.1, "POM_5V_IN 2.10 W, POM_5V_GPU 0.04 W"))
        self.assertEqual(board.read_tegrastats([]), (None, ""))


if __name__ == "__main__":
    unittest.main()
