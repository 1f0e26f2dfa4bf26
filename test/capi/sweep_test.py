#!/usr/bin/env python3
"""onnx_hwest.sweep() here and on a cluster of two processes. The packages of onnx-hwest[sweep] lie in a virtual
environment outside the build: cmake/setup.sh --with-sweep makes it. ONNX_HWEST_SWEEP_PYTHON names the interpreter of
another one. Skipped (77) without."""

import concurrent.futures
import contextlib
import errno
import importlib.util
import json
import os
import pathlib
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest
import unittest.mock
import urllib.request

_DEFAULT = pathlib.Path.home() / ".cache/onnx-hwest/sweep-venv/bin/python"
_OTHER = os.environ.get("ONNX_HWEST_SWEEP_PYTHON", str(_DEFAULT))

try:
    import dask
    import distributed
    import pandas  # noqa: F401  a data frame of rows
    import pyarrow.compute
    import pyarrow.dataset
except ImportError:
    if not os.access(_OTHER, os.X_OK) or os.environ.get("HWEST_SWEEP_TEST"):
        print(f"DID NOT RUN: no distributed, pandas and pyarrow at {_OTHER}: cmake/setup.sh --with-sweep installs them")
        sys.exit(77)
    os.execve(_OTHER, [_OTHER, *sys.argv], {**os.environ, "HWEST_SWEEP_TEST": "1"})

import onnx_hwest
from onnx_hwest import _sweep, _sweep_points
from onnx_hwest._weights import without_weights

SOURCE = pathlib.Path(os.environ["HWEST_SOURCE_DIR"])
sys.path.insert(0, str(SOURCE / "test" / "support"))
from language_models import write_decoder

RESNET = str(SOURCE / "examples" / "models" / "resnet18.onnx")
BERT = str(SOURCE / "test" / "models" / "bert-base_128.ts.onnx")
SIMPLE = str(SOURCE / "test" / "models" / "simple_resnet.ts.onnx")
TARGETS = ["jetson-orin", "tda4vm", "no-such-target"]
POISON = 5  # the point that ends its process, see sitecustomize below

# In every process that a cluster starts, but not in this one.
KILLER = f"""
import os, signal
from onnx_hwest import _sweep_points
real = _sweep_points.run_points
def run_points(chunk, model, first, count, failed=None, cancel=None):
    if failed is None and first <= {POISON} < first + count:
        os.kill(os.getpid(), signal.SIGKILL)
    return real(chunk, model, first, count, failed, cancel)
_sweep_points.run_points = run_points
"""


def full_disk(*_, **__):
    raise OSError(errno.ENOSPC, "No space left on device")


def rows_of(sweep):
    return sweep.dataset.to_table().to_pylist()


def small_chunks(points):
    """As if the models had many nodes."""
    return unittest.mock.patch.object(_sweep, "_MOST_POINTS", points)


class HereTest(unittest.TestCase):
    def test_the_rows_are_those_of_the_program(self):
        sweep = onnx_hwest.sweep([RESNET, BERT, "missing.onnx"], TARGETS, precisions=["auto", "int8"], batches=[1, 4],
                                 dims={"seq": [128]})
        printed = subprocess.run([os.environ["HWEST_PROGRAM"], "sweep", RESNET, BERT, "missing.onnx", "--target",
                                  ",".join(TARGETS), "--precision", "auto,int8", "--batch", "1,4", "--dim", "seq=128",
                                  "--format", "jsonl", "--quiet"], capture_output=True, text=True, check=True).stdout
        theirs = [json.loads(line) for line in printed.splitlines()]
        ours = [{**json.loads(line), "pareto": None} for line in sweep.report("jsonl").splitlines()]
        self.assertEqual(len(sweep), 36)
        self.assertEqual(ours, theirs)
        self.assertEqual({row["code"] for row in sweep.errors.to_pylist()}, {"target_unknown", "model_missing"})
        self.assertEqual(sweep.notes, (f"dims=seq was left out of {RESNET}, where it fits nothing",))

    def program(self, *words):
        printed = subprocess.run([os.environ["HWEST_PROGRAM"], "sweep", *words, "--format", "jsonl", "--quiet"],
                                 capture_output=True, text=True, check=True).stdout
        return [json.loads(line) for line in printed.splitlines()]

    def test_language_models(self):
        config = SOURCE / "examples" / "models" / "qwen3-4b.json"
        with tempfile.TemporaryDirectory() as folder:
            shutil.copy(config, pathlib.Path(folder) / "config.json")
            decoder = pathlib.Path(folder) / "decoder.onnx"
            write_decoder(decoder)
            sweep = onnx_hwest.sweep([config, folder, decoder, RESNET], ["rk3588", "jetson-orin"])
            rows = list(sweep)
            for model, pair in zip((config, folder, decoder), (rows[:2], rows[2:4], rows[4:6])):
                for row in pair:
                    alone = json.loads(onnx_hwest.llm(model, row.target))["runs"][0]
                    self.assertEqual((row.status, row.runtime, row.weights, row.ttft_s, row.tokens_per_s),
                                     ("ok", alone["runtime"], alone["weights"], alone["ttft_s"], alone["tokens_per_s"]))
            self.assertEqual([row.runtime for row in rows[6:]], [None, None])
        self.assertIn("Language models", sweep.report())
        self.assertEqual(len(sweep.pareto("ttft_s", "tokens_per_s", "runtime_memory_bytes")), 6)

    def test_options_of_an_analysis(self):
        flags = ["--only", "gpu", "--deny", "MaxPool@gpu", "--objective", "energy", "--toolchain", "gpu=pytorch-eager",
                 "--overlap", "--precision", "gpu=fp16,cpu=fp32"]
        options = {"only": ["gpu"], "deny": ["MaxPool@gpu"], "objective": "energy",
                   "toolchains": {"gpu": "pytorch-eager"},
                   "overlap": True, "precisions": "gpu=fp16,cpu=fp32"}
        sweep = onnx_hwest.sweep(RESNET, "jetson-orin", **options)
        self.assertEqual([{**json.loads(line), "pareto": None} for line in sweep.report("jsonl").splitlines()],
                         self.program(RESNET, "--target", "jetson-orin", *flags))
        plain = rows_of(onnx_hwest.sweep(RESNET, "jetson-orin"))[0]
        self.assertNotEqual(rows_of(sweep)[0]["latency_s"], plain["latency_s"])
        for name in ("mode", "precision", "batch", "image_size", "target"):
            with self.assertRaisesRegex(TypeError, "is what a sweep lists" if name != "target" else "targets|lists"):
                onnx_hwest.sweep(RESNET, "jetson-orin", **{name: "x"})
        with self.assertRaisesRegex(TypeError, "onyl"):
            onnx_hwest.sweep(RESNET, "jetson-orin", onyl=["gpu"])
        with self.assertRaises(onnx_hwest.Error):
            onnx_hwest.sweep(RESNET, "jetson-orin", precisions="gpu=fp17")

    def test_where_they_fit(self):
        sweep = onnx_hwest.sweep([RESNET, BERT], "jetson-orin", dims={"batch": 1}, seq_len=64, sizes=[224, 320])
        self.assertEqual([(row["dims"], row["size"], row["status"]) for row in rows_of(sweep)],
                         [(None, 224, "ok"), (None, 320, "ok"), ("batch=1", None, "ok")])
        self.assertEqual(len(sweep.notes), 3)
        with self.assertRaisesRegex(onnx_hwest.Error, "fits none of the models"):
            onnx_hwest.sweep([RESNET, BERT], "jetson-orin", dims={"sequence": 64})

    def test_rewritten(self):
        models, target = [SIMPLE, RESNET], "tda4vm"
        words = [*models, "--target", target, "--rewrite"]
        theirs = self.program(*words)
        for sources in (models, {name: pathlib.Path(name).read_bytes() for name in models}):
            sweep = onnx_hwest.sweep(sources, target, rewritten=True)
            self.assertEqual([{**json.loads(line), "pareto": None} for line in sweep.report("jsonl").splitlines()],
                             theirs)

    def test_targets_that_are_objects(self):
        text = subprocess.run([os.environ["HWEST_PROGRAM"], "describe", "target-example"], capture_output=True,
                              text=True,
                              check=True).stdout
        mine, orin = onnx_hwest.parse_target(text), onnx_hwest.load_target("jetson-orin")
        listed = [row for row in onnx_hwest.targets() if row.name in ("tda4vm", "hailo-8")]
        sweep = onnx_hwest.sweep(RESNET, [mine, orin, *listed, "rk3588"])
        self.assertEqual([row["target"] for row in rows_of(sweep)],
                         [mine.info.name, orin.info.name, *(row.name for row in listed), "rk3588"])
        self.assertEqual({row["status"] for row in rows_of(sweep)}, {"ok"})
        self.assertEqual(rows_of(onnx_hwest.sweep(RESNET, onnx_hwest.load_target("tda4vm"), modes="all")),
                         rows_of(onnx_hwest.sweep(RESNET, "tda4vm", modes="all")))

    def test_rows_one_by_one(self):
        sweep = onnx_hwest.sweep(RESNET, "jetson-orin", modes="all", batches=[1, 4])
        rows = list(sweep)
        self.assertEqual([row.to_dict() for row in rows], rows_of(sweep))
        self.assertIsInstance(rows[0], type(rows[-1]))
        self.assertEqual(rows[0].energy_per_input_j, rows[0].energy_j / rows[0].batch)
        self.assertTrue(rows[0].bounds.startswith("compute="))
        self.assertIn("utilisation", sweep.report("csv", columns=["utilisation"]))

    def test_frames_are_made_by_column(self):
        nodes = onnx_hwest.load(RESNET).analyze("jetson-orin").nodes
        with unittest.mock.patch.object(type(nodes[0]), "to_dict", side_effect=AssertionError("row by row")):
            frame, table = nodes.to_pandas(), nodes.to_arrow()
        self.assertEqual(list(frame.columns), list(nodes[0].to_dict()))
        for name in frame.columns:
            self.assertEqual([value if value == value else None for value in frame[name]],
                             [getattr(row, name) for row in nodes])
        self.assertEqual(table.num_rows, len(nodes))

    def test_workers_and_chunks_change_nothing(self):
        arguments = ([RESNET], ["jetson-orin", "tda4vm"])
        options = {"modes": "all", "batches": [1, 2, 8], "progress": False}
        alone = rows_of(onnx_hwest.sweep(*arguments, **options, workers=1))
        with small_chunks(5):
            self.assertEqual(rows_of(onnx_hwest.sweep(*arguments, **options, workers=4)), alone)

    def test_parts_are_kept(self):
        with tempfile.TemporaryDirectory() as folder, small_chunks(4):
            def run(**options):
                ran = []
                with unittest.mock.patch.object(_sweep, "run_chunk", lambda chunk, *rest, **more: (
                        ran.append(chunk.first), _sweep_points.run_chunk(chunk, *rest, **more))[1]):
                    sweep = onnx_hwest.sweep(RESNET, "jetson-orin", batches=range(1, 13), output=folder, **options)
                return sorted(ran), rows_of(sweep)

            ran, rows = run()
            self.assertEqual((ran, len(rows)), ([0, 4, 8], 12))
            self.assertEqual([row["batch"] for row in rows], list(range(1, 13)))
            parts = sorted(pathlib.Path(folder).iterdir())
            self.assertEqual(len(parts), 3)  # and nothing unfinished
            parts[1].unlink()
            again, same = run()
            self.assertEqual((len(again), same), (1, rows))
            self.assertEqual(run(resume=False), ([0, 4, 8], rows))
            other = rows_of(onnx_hwest.sweep(RESNET, "tda4vm", batches=range(1, 13), output=folder))
            self.assertEqual({row["target"] for row in other}, {"tda4vm"})  # beside the parts of another sweep

    def test_what_stops_it_keeps_what_is_done(self):
        with tempfile.TemporaryDirectory() as folder, small_chunks(2):
            def stop(done, failed, points):
                if done >= 4:
                    raise KeyboardInterrupt

            with self.assertRaises(KeyboardInterrupt):
                onnx_hwest.sweep(RESNET, "jetson-orin", batches=range(1, 21), output=folder, workers=1, progress=stop)
            parts = set(os.listdir(folder))
            self.assertLess(len(parts), 10)
            self.assertEqual(len(onnx_hwest.sweep(RESNET, "jetson-orin", batches=range(1, 21), output=folder)), 20)
            self.assertTrue(parts < set(os.listdir(folder)))

    def test_front_errors_and_frames(self):
        sweep = onnx_hwest.sweep(RESNET, "jetson-orin", modes="all", batches=[1, 4])
        rows = rows_of(sweep)
        front = sweep.pareto("latency_s", "energy_j").to_pylist()
        for row in rows:
            beaten = any(other["batch"] == row["batch"] and other["latency_s"] <= row["latency_s"] and
                         other["energy_j"] <= row["energy_j"] and
                         (other["latency_s"], other["energy_j"]) != (row["latency_s"], row["energy_j"])
                         for other in rows)
            self.assertEqual(row not in front, beaten)
        fastest = max(rows, key=lambda row: row["throughput_per_s"])
        self.assertIn(fastest, sweep.pareto("throughput_per_s", "power_w").to_pylist())
        self.assertEqual(list(sweep.to_pandas().columns), sweep.dataset.schema.names)
        self.assertEqual(sweep.errors.num_rows, 0)
        self.assertIn("<svg", sweep.report("html"))
        self.assertIn("Latency by batch", sweep.report("svg", filter=pyarrow.compute.field("mode") == "MAXN"))
        with self.assertRaises(ValueError):
            sweep.pareto("speed")
        with self.assertRaises(onnx_hwest.Error):
            onnx_hwest.sweep(RESNET, "jetson-orin", batches=[1, 1])
        with self.assertRaises(ValueError):
            onnx_hwest.sweep([RESNET, RESNET], "jetson-orin")
        named = onnx_hwest.sweep({"a": RESNET, "b": pathlib.Path(RESNET).read_bytes()}, "jetson-orin")
        first, second = rows_of(named)
        self.assertEqual(first["sha256"], second["sha256"])
        self.assertEqual((first["model"], second["model"]), ("a", "b"))
        self.assertEqual(first["latency_s"], second["latency_s"])

    def test_weights_stay_at_home(self):
        # 1 MiB of weights as raw bytes, behind an input of the same name.
        def field(number, content):
            size, out = len(content), bytearray([number << 3 | 2])
            while size > 127:
                out.append(size & 127 | 128)
                size >>= 7
            return bytes(out) + bytes([size]) + content

        def value(name, *dims):
            shape = b"".join(field(1, b"\x08" + bytes([dim & 127 | 128, dim >> 7])) for dim in dims)
            return field(1, name) + field(2, field(1, b"\x08\x01" + field(2, shape)))

        weights = b"\x08\x80\x04\x08\x80\x04\x10\x01" + field(8, b"w") + field(9, b"\0" * 512 * 512 * 4)
        node = field(1, b"x") + field(1, b"w") + field(2, b"y") + field(4, b"MatMul")
        graph = field(1, node) + field(2, b"g") + field(5, weights) + field(11, value(b"x", 128, 512)) + field(
            12, value(b"y", 128, 512))
        model = b"\x08\x08" + field(7, graph) + field(8, b"\x10\x0d")
        light = without_weights(model)
        self.assertLess(len(light), 400)
        full, other = (onnx_hwest.load(data).analyze("jetson-orin").totals for data in (model, light))
        self.assertEqual(full.macs, 128 * 512 * 512)
        for name in ("macs", "params", "latency_s", "energy_j", "peak_memory_bytes"):
            self.assertEqual(getattr(full, name), getattr(other, name), name)
        for broken in (b"", b"no model", model[:200], model[:-3]):
            self.assertEqual(without_weights(broken), broken)


    def test_an_interrupt_at_any_moment_keeps_what_is_done(self):
        script = ("import sys, onnx_hwest\nfrom onnx_hwest import _sweep\n_sweep._MOST_POINTS = 4\n"
                  "print('on', flush=True)\nonnx_hwest.sweep(sys.argv[1], ['jetson-orin', 'tda4vm'], modes='all', "
                  "batches=range(1, 41), output=sys.argv[2], workers=2)")
        dice, cut = random.Random(11), 0
        wanted = rows_of(onnx_hwest.sweep(RESNET, ["jetson-orin", "tda4vm"], modes="all", batches=range(1, 41)))
        for _ in range(4):
            with tempfile.TemporaryDirectory() as folder:
                process = subprocess.Popen([sys.executable, "-c", script, RESNET, folder], stdout=subprocess.PIPE,
                                           stderr=subprocess.PIPE, text=True)
                process.stdout.readline()
                while process.poll() is None and not os.listdir(folder):
                    time.sleep(0.002)
                time.sleep(0.3 * dice.random())
                process.send_signal(signal.SIGINT)
                said = process.communicate()[1]
                parts = {name: pathlib.Path(folder, name).read_bytes() for name in os.listdir(folder)}
                if process.returncode:
                    cut += 1
                    self.assertIn("the same call goes on", said)
                    self.assertFalse([name for name in parts if not name.endswith(".parquet")])
                with small_chunks(4):
                    again = onnx_hwest.sweep(RESNET, ["jetson-orin", "tda4vm"], modes="all", batches=range(1, 41),
                                             output=folder)
                self.assertEqual(rows_of(again), wanted)
                for name, data in parts.items():
                    self.assertEqual(pathlib.Path(folder, name).read_bytes(), data)
        self.assertGreater(cut, 0)

    def test_a_full_disk_is_one_error_and_keeps_what_is_done(self):
        with tempfile.TemporaryDirectory() as folder, small_chunks(4):
            real, written = _sweep_points.write_part, []

            def write_part(folder, name, table):
                if len(written) == 3:
                    raise OSError(28, "No space left on device", name)
                written.append(name)
                real(folder, name, table)

            with unittest.mock.patch.object(_sweep_points, "write_part",
                                            write_part), self.assertRaises(OSError) as caught:
                onnx_hwest.sweep(RESNET, "jetson-orin", batches=range(1, 41), output=folder, workers=1)
            self.assertEqual(caught.exception.errno, 28)
            self.assertEqual(sorted(os.listdir(folder)), sorted(written))
            self.assertEqual(len(onnx_hwest.sweep(RESNET, "jetson-orin", batches=range(1, 41), output=folder)), 40)
            self.assertTrue(set(written) < set(os.listdir(folder)))

    def test_what_cannot_be_read_is_a_row(self):
        sweep = onnx_hwest.sweep([RESNET, "nowhere://host/model.onnx", "memory://missing.onnx"], "jetson-orin",
                                 batches=[1, 2])
        self.assertEqual([row["status"] for row in rows_of(sweep)], ["ok"] * 2 + ["error"] * 4)
        messages = [row["message"] for row in sweep.errors.to_pylist()]
        self.assertIn("nowhere", messages[0])
        self.assertIn("Protocol not known", messages[0])
        self.assertIn("cannot open 'memory://missing.onnx'", messages[2])


@unittest.skipUnless(importlib.util.find_spec("moto") and importlib.util.find_spec("s3fs")
                     and importlib.util.find_spec("flask"),
                     "no moto and s3fs: cmake/setup.sh --with-sweep installs them")
class StoreTest(unittest.TestCase):
    """Models from, and parts in, an S3 store: a server on this machine."""

    def setUp(self):
        import logging

        import s3fs
        from moto.server import ThreadedMotoServer

        logging.getLogger("werkzeug").setLevel(logging.ERROR)
        self.server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
        self.server.start()
        self.addCleanup(self.server.stop)
        where = {"AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_DEFAULT_REGION": "us-east-1",
                 "AWS_ENDPOINT_URL": "http://%s:%d" % self.server.get_host_and_port(), "NO_PROXY": "127.0.0.1"}
        patch = unittest.mock.patch.dict(os.environ, where)
        patch.start()
        self.addCleanup(patch.stop)
        s3fs.S3FileSystem.clear_instance_cache()
        reset = urllib.request.Request(where["AWS_ENDPOINT_URL"] + "/moto-api/reset", method="POST")
        urllib.request.build_opener(urllib.request.ProxyHandler({})).open(reset).close()
        self.files = s3fs.S3FileSystem()
        self.files.mkdir("bucket")
        self.files.put(RESNET, "bucket/models/resnet18.onnx")

    def test_models_and_parts(self):
        def run(**options):
            return onnx_hwest.sweep(["s3://bucket/models/resnet18.onnx", "s3://bucket/models/missing.onnx"],
                                    ["jetson-orin"],
                                    batches=range(1, 9), output="s3://bucket/out", **options)

        here = rows_of(onnx_hwest.sweep({"s3://bucket/models/resnet18.onnx": RESNET}, ["jetson-orin"],
                                        batches=range(1, 9)))
        with small_chunks(4):
            rows = rows_of(run())
            self.assertEqual(rows[:8], here)
            self.assertEqual({row["code"] for row in rows[8:]}, {"model_missing"})
            parts = set(self.files.ls("bucket/out"))
            self.assertEqual(len(parts), 4)
            self.files.rm(min(parts))
            ran = []
            with unittest.mock.patch.object(_sweep, "run_chunk", lambda chunk, *rest, **more: (
                    ran.append(chunk.first), _sweep_points.run_chunk(chunk, *rest, **more))[1]):
                self.assertEqual(rows_of(run()), rows)
            self.assertEqual(len(ran), 1)
            self.files.invalidate_cache()
            self.assertEqual(set(self.files.ls("bucket/out")), parts)

    def test_a_store_that_is_not_there(self):
        self.server.stop()
        sweep = onnx_hwest.sweep(["s3://bucket/models/resnet18.onnx", RESNET], "jetson-orin")
        self.assertEqual([row["status"] for row in rows_of(sweep)], ["error", "ok"])
        self.assertIn("cannot read s3://bucket/models/resnet18.onnx: ", sweep.errors.to_pylist()[0]["message"])


class ClusterTest(unittest.TestCase):
    def cluster(self, stack, *, path=""):
        if path:
            before = os.environ["PYTHONPATH"]
            stack.callback(os.environ.__setitem__, "PYTHONPATH", before)
            os.environ["PYTHONPATH"] = path + os.pathsep + before
        cluster = stack.enter_context(distributed.LocalCluster(2, threads_per_worker=1, dashboard_address=None,
                                                               silence_logs=50))
        return stack.enter_context(distributed.Client(cluster))

    def test_a_cluster_gives_the_same_rows(self):
        options = {"modes": "all", "batches": range(1, 9), "progress": False}
        models = [RESNET, "missing.onnx"]
        here = rows_of(onnx_hwest.sweep(models, "jetson-orin", **options))
        with contextlib.ExitStack() as stack, small_chunks(4):
            client = self.cluster(stack)
            self.assertEqual(rows_of(onnx_hwest.sweep(models, "jetson-orin", client=client, **options)), here)
            folder = stack.enter_context(tempfile.TemporaryDirectory())
            killed = []

            def kill_one(done, failed, points):
                if not killed:
                    killed.extend(client.run(os.getpid).values())
                    os.kill(killed[0], signal.SIGKILL)

            options["progress"] = kill_one
            address = client.scheduler.address
            self.assertEqual(rows_of(onnx_hwest.sweep(models, "jetson-orin", client=address, output=folder, **options)),
                             here)
            self.assertTrue(killed)

    def test_a_killed_scheduler_is_one_error_and_keeps_what_is_done(self):
        def start(*words):
            process = subprocess.Popen([sys.executable, "-m", *words, "--no-dashboard"], stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL)
            self.addCleanup(process.wait)
            self.addCleanup(process.kill)
            return process

        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        options = {"modes": "all", "batches": range(1, 41)}
        with tempfile.TemporaryDirectory() as folder, small_chunks(4), dask.config.set(
                {"distributed.comm.timeouts.connect": "3s"}):
            output, address = os.path.join(folder, "rows"), f"tcp://127.0.0.1:{port}"
            scheduler = start("distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", str(port), "--no-show")
            start("distributed.cli.dask_worker", address, "--nthreads", "1", "--no-nanny", "--death-timeout", "60",
                  "--local-directory", folder)

            def kill(done, failed, points):
                if done >= 20:
                    scheduler.kill()

            with dask.config.set({"distributed.comm.timeouts.connect": "60s"}):
                client = distributed.Client(address)
            with contextlib.closing(client), self.assertRaises(ConnectionError) as caught:
                onnx_hwest.sweep(RESNET, "jetson-orin", client=client, output=output, progress=kill, **options)
            self.assertIn("the same call goes on", str(caught.exception))
            parts = {name: pathlib.Path(output, name).read_bytes() for name in os.listdir(output)}
            self.assertGreaterEqual(len(parts), 5)
            again = rows_of(onnx_hwest.sweep(RESNET, "jetson-orin", output=output, **options))
            self.assertEqual(again, rows_of(onnx_hwest.sweep(RESNET, "jetson-orin", **options)))
            for name, data in parts.items():
                self.assertEqual(pathlib.Path(output, name).read_bytes(), data)

    def test_a_scheduler_lost_at_any_call_is_one_error(self):
        closed = distributed.comm.CommClosedError("in ConnectionPool.gather: connection reset by peer")
        calls = [(distributed.Future, "result", closed), (distributed.Client, "nthreads", OSError("timed out")),
                 (distributed.Client, "submit", concurrent.futures.CancelledError())]
        with contextlib.ExitStack() as stack, small_chunks(4):
            client = self.cluster(stack)
            for owner, name, error in calls:
                with self.subTest(name=name, error=error), unittest.mock.patch.object(owner, name, side_effect=error):
                    with self.assertRaises(ConnectionError) as caught:
                        onnx_hwest.sweep(RESNET, "jetson-orin", batches=range(1, 9), client=client, progress=False)
                    self.assertIn("name an output to be able to go on later", str(caught.exception))
            with self.assertRaises(ConnectionError):
                onnx_hwest.sweep(RESNET, "jetson-orin", batches=range(1, 41), client=client,
                                 progress=lambda *_: client.close())

    def test_an_error_of_a_worker_is_no_lost_scheduler(self):
        with contextlib.ExitStack() as stack:
            client = self.cluster(stack)
            stack.enter_context(unittest.mock.patch.object(_sweep, "run_chunk", full_disk))
            with self.assertRaises(OSError) as caught:
                onnx_hwest.sweep(RESNET, "jetson-orin", client=client, progress=False)
            self.assertEqual((type(caught.exception), caught.exception.errno), (OSError, errno.ENOSPC))

    def test_the_example(self):
        with tempfile.TemporaryDirectory() as folder:
            out = subprocess.run([sys.executable, SOURCE / "examples" / "cluster_sweep.py", RESNET, "jetson-orin",
                                  folder],
                                 capture_output=True, text=True, check=True).stdout
        self.assertRegex(out, r"^42 points, 0 failed\n *batch +mode +precision +latency_s +energy_j\n +1 +MAXN +int8 ")

    def test_a_point_that_ends_its_worker_is_one_error(self):
        with contextlib.ExitStack() as stack, small_chunks(8):
            folder = stack.enter_context(tempfile.TemporaryDirectory())
            (pathlib.Path(folder) / "sitecustomize.py").write_text(KILLER)
            stack.enter_context(dask.config.set({"distributed.scheduler.allowed-failures": 1}))
            client = self.cluster(stack, path=folder)
            rows = rows_of(onnx_hwest.sweep(RESNET, "jetson-orin", batches=range(1, 17), client=client, progress=False))
        here = rows_of(onnx_hwest.sweep(RESNET, "jetson-orin", batches=range(1, 17)))
        self.assertEqual([row["status"] for row in rows].index("error"), POISON)
        self.assertIn("killed by signal 9", rows[POISON]["message"])
        self.assertEqual(rows[POISON]["batch"], here[POISON]["batch"])
        self.assertEqual(rows[POISON]["sha256"], here[POISON]["sha256"])
        self.assertEqual(rows[:POISON] + rows[POISON + 1:], here[:POISON] + here[POISON + 1:])


if __name__ == "__main__":
    unittest.main()
