"""The runtimes of boards. Each is imported, or called, on demand."""

from __future__ import annotations

import json
import os
import re
import shutil
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from importlib import import_module
from typing import Any

from ._measure_model import Failure, make_input, precision_of, shape_of, table_rows

MAX_PROTO_BYTES = 1 << 30  # of weights in one message; above, they go into a file of their own


@dataclass
class Job:
    """One model to measure."""

    stem: str               # name of the file without .onnx
    path: str               # what is on disk, None of its weights changed
    model: Any              # onnx.ModelProto with all weights, None where the package onnx is missing
    weight_bytes: int
    filled: int             # tensors that were given random weights
    dims: dict[str, int]
    runs: int
    warmup: int
    seconds: float
    seed: int
    threads: int | None
    precision: str | None
    artifacts: str | None   # what a compiler made of the models on another machine
    arguments: list[str]    # for a runtime that is a program
    profile: str | None     # folder for profiles


@dataclass
class Result:
    """What a runtime measured."""

    times: list[float]      # milliseconds
    unit: str
    runtime: str            # with its version
    precision: str
    batch: str
    notes: list[str] = field(default_factory=list)


def time_runs(run: Callable[[], Any], warmup: int, runs: int, seconds: float) -> list[float]:
    """Milliseconds of each of up to `runs` runs, at least three; starts none after `seconds`."""
    for _ in range(warmup):
        run()
    times: list[float] = []
    begin = time.perf_counter()
    while len(times) < runs and (len(times) < 3 or time.perf_counter() - begin < seconds):
        start = time.perf_counter()
        run()
        times.append((time.perf_counter() - start) * 1e3)
    return times


class Runtime:
    """One runtime. `unit` and `name` go into the rows; `name` precedes the version in `Result.runtime`."""

    unit = "NPU"
    name = ""
    short = ""  # what comes after the version
    mode = ""   # how much of the chip runs, where that is chosen here
    needs = ""  # what to install

    def __init__(self, option: str, arguments: Sequence[str] = ()) -> None:
        self.option = option

    def check(self) -> None:
        """Raises Failure or ImportError if this machine lacks the runtime."""

    def measure(self, job: Job) -> Result:
        raise NotImplementedError


# The short names of ONNX Runtime's providers, the unit of each and what rows call it.
PROVIDERS = {
    "cpu": ("CPUExecutionProvider", "CPU", "CPU"),
    "cuda": ("CUDAExecutionProvider", "GPU", "CUDA"),
    "tensorrt": ("TensorrtExecutionProvider", "GPU", "TensorRT"),
    "qnn": ("QNNExecutionProvider", "NPU", "QNN"),
    "xnnpack": ("XnnpackExecutionProvider", "CPU", "XNNPACK"),
    "dnnl": ("DnnlExecutionProvider", "CPU", "oneDNN"),
    "openvino": ("OpenVINOExecutionProvider", "CPU", "OpenVINO"),
    "acl": ("ACLExecutionProvider", "CPU", "ACL"),
    "armnn": ("ArmNNExecutionProvider", "CPU", "ArmNN"),
}


class OnnxRuntime(Runtime):
    name = "onnxruntime"
    needs = "pip install onnxruntime onnx numpy"

    def __init__(self, option: str, arguments: Sequence[str] = ()) -> None:
        super().__init__(option)
        known = PROVIDERS.get((option or "cpu").lower())
        self.provider, self.unit, self.short = known or (option, "NPU", option.removesuffix("ExecutionProvider"))

    def check(self) -> None:
        import_module("numpy")
        import_module("onnx")
        onnxruntime = import_module("onnxruntime")

        there = onnxruntime.get_available_providers()
        if self.provider not in there:
            raise Failure(f"this onnxruntime has no {self.provider}, only {', '.join(there)}")

    def measure(self, job: Job) -> Result:
        onnxruntime = import_module("onnxruntime")

        with tempfile.TemporaryDirectory() as folder:
            session = self._open(job, folder)
            feeds, batch = feeds_of(job, [(i.name, i.type, list(i.shape)) for i in session.get_inputs()])
            times = time_runs(self._runner(session, feeds), job.warmup, job.runs, job.seconds)
            notes = self._details(session, job)
            if job.profile:
                session = self._open(job, folder, profile=True)
                for _ in range(3):
                    session.run(None, feeds)
                kept = os.path.join(job.profile, f"{job.stem}.onnxruntime.json")
                shutil.move(session.end_profiling(), kept)
                notes.append(f"profile {kept}")
        return Result(times, self.unit, f"{self.name} {onnxruntime.__version__} {self.short}".strip(),
                      job.precision or precision_of(job.model), batch, notes)

    def _open(self, job: Job, folder: str, profile: bool = False) -> Any:
        onnxruntime = import_module("onnxruntime")

        options = onnxruntime.SessionOptions()
        options.log_severity_level = 3
        if job.threads:
            options.intra_op_num_threads = job.threads
        if profile:
            options.enable_profiling = True
            options.profile_file_prefix = os.path.join(folder, "profile")
        session = onnxruntime.InferenceSession(self._source(job, folder), options, providers=self._providers(job))
        if session.get_providers()[0] != self.provider:
            raise Failure(f"{self.provider} did not start, see the messages of onnxruntime")
        return session

    def _source(self, job: Job, folder: str) -> Any:
        """The model as one message, or as files if its weights are too large for one."""
        return job.model.SerializeToString() if job.weight_bytes < MAX_PROTO_BYTES else file_of(job, folder)

    def _providers(self, job: Job) -> list[Any]:
        flags = {"trt_fp16_enable": True} if self.short == "TensorRT" and job.precision == "fp16" else {}
        return [(self.provider, flags)] + ([("CUDAExecutionProvider", {})] if self.short == "TensorRT" else [])

    def _details(self, session: Any, job: Job) -> list[str]:
        return []

    def _runner(self, session: Any, feeds: dict[str, Any]) -> Callable[[], Any]:
        """A function that runs the model once; on a GPU, with inputs and outputs in its memory."""
        if self.unit != "GPU":
            return lambda: session.run(None, feeds)
        onnxruntime = import_module("onnxruntime")

        binding = session.io_binding()
        for name, value in feeds.items():
            binding.bind_ortvalue_input(name, onnxruntime.OrtValue.ortvalue_from_numpy(value, "cuda", 0))
        for output in session.get_outputs():
            binding.bind_output(output.name, "cuda", 0)

        def run() -> None:
            session.run_with_iobinding(binding)
            binding.synchronize_outputs()

        return run


class Tidl(OnnxRuntime):
    """TI's ONNX Runtime with its compiler's artifacts of the model, in ARTIFACTS/STEM or in ARTIFACTS itself."""

    name = "TIDL"
    needs = "TI's onnxruntime-tidl, onnx and numpy"

    def __init__(self, option: str, arguments: Sequence[str] = ()) -> None:
        super().__init__("TIDLExecutionProvider")
        self.short = ""

    def _source(self, job: Job, folder: str) -> Any:
        return job.path  # the artifacts belong to this file

    def _providers(self, job: Job) -> list[Any]:
        flags = {"artifacts_folder": artifact_of(job, ""), "platform": "J7", "version": "7.2"}
        return [(self.provider, flags), ("CPUExecutionProvider", {})]

    def _details(self, session: Any, job: Job) -> list[str]:
        return [tidl_details(session.get_TI_benchmark_data())] if hasattr(session, "get_TI_benchmark_data") else []

    def measure(self, job: Job) -> Result:
        result = super().measure(replace(job, precision=job.precision or "int8"))
        if not job.precision:
            result.notes.append("int8 assumed")
        return result


def tidl_details(data: dict[str, int]) -> str:
    """What get_TI_benchmark_data() reports for the last run: nanoseconds that subgraphs computed and copied."""
    sums, count = {}, 0
    for part in ("proc", "copy_in", "copy_out"):
        pattern = rf"ts:subgraph_.+_{part}_start"
        starts = {key.removesuffix("_start"): at for key, at in data.items() if re.fullmatch(pattern, key)}
        sums[part] = sum(data.get(f"{key}_end", at) - at for key, at in starts.items()) / 1e6
        count = max(count, len(starts))
    return (f"{count} subgraphs computed {sums['proc']:.3f} ms and copied {sums['copy_in'] + sums['copy_out']:.3f} ms "
            "in the last run")


class OpenVino(Runtime):
    needs = "pip install openvino onnx numpy"
    name = "OpenVINO"

    def __init__(self, option: str, arguments: Sequence[str] = ()) -> None:
        super().__init__(option or "CPU")
        self.short = self.option
        self.unit = next((unit for unit in ("CPU", "GPU", "NPU") if self.option.upper().startswith(unit)), "NPU")

    def check(self) -> None:
        import_module("numpy")
        import_module("onnx")
        openvino = import_module("openvino")

        devices = openvino.Core().available_devices
        if not any(self.option.split(".")[0] == device.split(".")[0] for device in devices):
            raise Failure(f"this OpenVINO has no {self.option}, only {', '.join(devices)}")

    def measure(self, job: Job) -> Result:
        openvino = import_module("openvino")

        version = openvino.__version__.split("-")[0]
        with tempfile.TemporaryDirectory() as folder:
            core = openvino.Core()
            model = core.read_model(file_of(job, folder) if job.filled else job.path)
            feeds, batch = feeds_of(job, declared_inputs(job.model))
            model.reshape({name: list(value.shape) for name, value in feeds.items()})
            request = self._compile(core, model, job, profile=False).create_infer_request()
            times = time_runs(lambda: request.infer(feeds), job.warmup, job.runs, job.seconds)
            notes = []
            if job.profile:
                request = self._compile(core, model, job, profile=True).create_infer_request()
                for _ in range(2):
                    request.infer(feeds)
                kept = os.path.join(job.profile, f"{job.stem}.openvino.json")
                with open(kept, "w", encoding="utf-8") as file:
                    rows = [{"name": i.node_name, "type": i.node_type, "kernel": i.exec_type,
                             "real_us": i.real_time.total_seconds() * 1e6} for i in request.profiling_info]
                    json.dump(rows, file, indent=1)
                notes.append(f"profile {kept}")
        return Result(times, self.unit, f"{self.name} {version} {self.option}",
                      job.precision or precision_of(job.model), batch, notes)

    def _compile(self, core: Any, model: Any, job: Job, profile: bool) -> Any:
        settings: dict[str, Any] = {"PERFORMANCE_HINT": "LATENCY", "PERF_COUNT": profile}
        if job.threads and self.unit == "CPU":
            settings["INFERENCE_NUM_THREADS"] = job.threads
        precision = {"fp32": "f32", "fp16": "f16", "bf16": "bf16"}.get(job.precision or "")
        if precision:  # else what it takes for best, which on some processors is a shorter type than the file's
            settings["INFERENCE_PRECISION_HINT"] = precision
        elif self.unit == "CPU":
            settings["INFERENCE_PRECISION_HINT"] = {"fp16": "f16", "bf16": "bf16"}.get(precision_of(job.model), "f32")
        return core.compile_model(model, self.option, settings)


class Rknn(Runtime):
    """rknn-toolkit-lite2 on the board, with ARTIFACTS/STEM.rknn that rknn-toolkit2 made elsewhere."""

    needs = "rknn-toolkit-lite2 and numpy"
    name = "RKNN"
    cores = {"": "NPU_CORE_0", "auto": "NPU_CORE_AUTO", "0": "NPU_CORE_0", "1": "NPU_CORE_1", "2": "NPU_CORE_2",
             "0_1": "NPU_CORE_0_1", "0_1_2": "NPU_CORE_0_1_2", "all": "NPU_CORE_ALL"}

    def __init__(self, option: str, arguments: Sequence[str] = ()) -> None:
        super().__init__(option)
        self.mode = f"cores {option}" if option not in ("", "0", "1", "2") else ""

    def check(self) -> None:
        import_module("numpy")
        import_module("rknnlite.api")

        if self.option not in self.cores:
            raise Failure(f"rknn has no cores '{self.option}', but {', '.join(filter(None, self.cores))}")

    def measure(self, job: Job) -> Result:
        RKNNLite = import_module("rknnlite.api").RKNNLite

        if job.model is None:
            raise Failure("the inputs are read from the ONNX file: pip install onnx")
        feeds, batch = feeds_of(job, declared_inputs(job.model))
        runtime = RKNNLite()
        try:
            self._ok(runtime.load_rknn(artifact_of(job, ".rknn")), "load_rknn")
            try:
                started = runtime.init_runtime(core_mask=getattr(RKNNLite, self.cores[self.option]))
            except (AttributeError, TypeError):  # chips with one core
                started = runtime.init_runtime()
            self._ok(started, "init_runtime")
            layouts = ["nchw" if value.ndim == 4 else "nhwc" for value in feeds.values()]
            inputs = list(feeds.values())

            def run() -> Any:
                return runtime.inference(inputs=inputs, data_format=layouts)

            if run() is None:
                raise Failure("inference returned nothing, see the messages of rknn")
            times = time_runs(run, job.warmup, job.runs, job.seconds)
            version = rknn_version(runtime.get_sdk_version() if hasattr(runtime, "get_sdk_version") else "")
        finally:
            runtime.release()
        notes = [] if job.precision else ["int8 assumed"]
        return Result(times, self.unit, f"{self.name} {version}".strip(), job.precision or "int8", batch, notes)

    @staticmethod
    def _ok(status: int, call: str) -> None:
        if status != 0:
            raise Failure(f"{call} ended with {status}, see the messages of rknn")


def rknn_version(text: Any) -> str:
    """The version of librknnrt in the output of get_sdk_version(): `API version: 2.3.0
    (c949ad889d@2024-11-07T11:35:33)`."""
    found = re.search(r"API(?: [Vv]ersion)?:? *v?(\d+(?:\.\d+)+)", str(text))
    return found[1] if found else ""


class Trtexec(Runtime):
    """TensorRT's trtexec, from /usr/src/tensorrt/bin if it is not on the path."""

    unit = "GPU"
    name = "TensorRT"
    needs = "trtexec of TensorRT"

    def __init__(self, option: str, arguments: Sequence[str] = ()) -> None:
        super().__init__(option)
        if any(word.startswith("--useDLACore") for word in arguments):
            self.unit, self.name = "NPU", "TensorRT DLA"

    def program(self) -> str | None:
        return self.option or shutil.which("trtexec") or shutil.which("trtexec", path="/usr/src/tensorrt/bin")

    def check(self) -> None:
        if not self.program():
            raise Failure("there is no trtexec, in the path or in /usr/src/tensorrt/bin")

    def measure(self, job: Job) -> Result:
        with tempfile.TemporaryDirectory() as folder:
            times_file = os.path.join(folder, "times.json")
            path = file_of(job, folder) if job.model is not None and job.filled else job.path
            shapes, batch = "", ""
            if job.model is not None:
                declared = declared_inputs(job.model)
                sizes = {name: shape_of(name, shape, job.dims) for name, _, shape in declared}
                batch = batch_of(list(sizes.values()))
                if any(sizes[name] != shape for name, _, shape in declared):
                    shapes = ",".join(f"{name}:{'x'.join(map(str, sizes[name]))}" for name in sizes)
            words = [str(self.program()), f"--onnx={path}", f"--exportTimes={times_file}", f"--iterations={job.runs}",
                     f"--warmUp={max(200, int(job.warmup * 100))}", f"--duration={max(1, int(job.seconds))}"]
            words += [f"--{job.precision}"] if job.precision in ("fp16", "bf16", "int8", "fp8", "best") else []
            words += [f"--shapes={shapes}"] if shapes else []
            notes = []
            if job.profile:
                kept = os.path.join(job.profile, f"{job.stem}.trtexec.json")
                words += [f"--exportProfile={kept}", "--separateProfileRun"]
                notes.append(f"profile {kept}")
            words += job.arguments
            done = subprocess.run(words, capture_output=True, text=True, check=False)
            log = done.stdout + done.stderr
            if done.returncode != 0 or not os.path.exists(times_file):
                raise Failure(trtexec_failure(log, done.returncode))
            with open(times_file, encoding="utf-8") as file:
                times = trtexec_times(json.load(file))
        runtime = f"{self.name} {trtexec_version(log)}".strip()
        precision = job.precision or (precision_of(job.model) if job.model is not None else "fp32")
        if precision == "fp32" and "--noTF32" not in job.arguments:
            notes.append("TF32 where the GPU has it")
        return Result(times, self.unit, runtime, precision, batch, notes)


def trtexec_times(entries: Any) -> list[float]:
    """The GPU compute time of each run in a file of --exportTimes."""
    times = []
    for entry in entries:
        if "computeMs" in entry:
            times.append(float(entry["computeMs"]))
        elif "startComputeMs" in entry and "endComputeMs" in entry:
            times.append(float(entry["endComputeMs"]) - float(entry["startComputeMs"]))
    if not times or min(times) <= 0:
        raise Failure("trtexec wrote no times above 0")
    return times


def trtexec_version(log: str) -> str:
    """Parses `TensorRT version: 10.3.0`, or from older releases `[TensorRT v8502]`: 8.5.2, as v100300 is 10.3.0."""
    found = re.search(r"TensorRT version: (\d+(?:\.\d+)+)", log)
    if found:
        return found[1]
    found = re.search(r"\[TensorRT v(\d+)\]", log)
    if not found:
        return ""
    number = int(found[1])
    large = 10000 if number >= 100000 else 1000
    return f"{number // large}.{number % large // 100}.{number % 100}"


def trtexec_failure(log: str, status: int) -> str:
    errors = [line.split("[E] ", 1)[1] for line in log.splitlines() if "[E] " in line]
    return f"trtexec ended with {status}: {errors[0] if errors else (log.strip().splitlines() or ['nothing said'])[-1]}"


def declared_inputs(model: Any) -> list[tuple[str, str, list[Any]]]:
    """The name, type as ONNX Runtime writes it, and declared sizes of each input that is no weight."""
    onnx = import_module("onnx")

    names = {onnx.TensorProto.FLOAT: "float", onnx.TensorProto.DOUBLE: "double"}
    weights = {tensor.name for tensor in model.graph.initializer}
    inputs = []
    for value in model.graph.input:
        if value.name in weights:
            continue
        tensor = value.type.tensor_type
        kind = names.get(tensor.elem_type, onnx.TensorProto.DataType.Name(tensor.elem_type).lower())
        inputs.append((value.name, f"tensor({kind})", [d.dim_value if d.HasField("dim_value") else d.dim_param or None
                                                       for d in tensor.shape.dim]))
    return inputs


def feeds_of(job: Job, declared: list[tuple[str, str, list[Any]]]) -> tuple[dict[str, Any], str]:
    """Random contents for every input, and the batch."""
    numpy = import_module("numpy")

    source = numpy.random.default_rng(job.seed)
    ids = table_rows(job.model.graph)
    shapes = {name: shape_of(name, shape, job.dims) for name, _, shape in declared}
    feeds = {name: make_input(name, kind, shapes[name], ids.get(name), source) for name, kind, _ in declared}
    return feeds, batch_of(list(shapes.values()))


def batch_of(shapes: list[list[int]]) -> str:
    return str(shapes[0][0]) if shapes and shapes[0] else ""


def file_of(job: Job, folder: str) -> str:
    """The model with all its weights as a file in `folder`."""
    onnx = import_module("onnx")

    path = os.path.join(folder, "model.onnx")
    onnx.save_model(job.model, path, save_as_external_data=job.weight_bytes >= MAX_PROTO_BYTES, location="weights.bin")
    return path


def artifact_of(job: Job, suffix: str) -> str:
    """A compiler's artifact of the model: ARTIFACTS/STEM with the suffix; a folder may be ARTIFACTS itself."""
    if not job.artifacts:
        raise Failure("this runtime runs what its compiler made: name the folder with --artifacts")
    path = os.path.join(job.artifacts, job.stem + suffix)
    if os.path.exists(path):
        return path
    if not suffix and any(name.endswith((".bin", ".yaml", ".txt")) for name in os.listdir(job.artifacts)):
        return job.artifacts
    raise Failure(f"there is no {path}")


RUNTIMES: dict[str, type[Runtime]] = {"onnxruntime": OnnxRuntime, "trtexec": Trtexec, "tidl": Tidl, "rknn": Rknn,
                                      "openvino": OpenVino}


def find_runtime(words: str, arguments: Sequence[str] = ()) -> Runtime:
    """`onnxruntime:cuda`, `openvino:GPU`, `rknn:0_1_2`, `trtexec:/path`, ... Raises Failure for another name."""
    name, _, option = words.partition(":")
    if name not in RUNTIMES:
        raise Failure(f"there is no runtime '{name}', but {', '.join(RUNTIMES)}")
    return RUNTIMES[name](option, arguments)


def spread_of(times: list[float]) -> str:
    """`median of 30, 4.100 to 4.400 ms`, from the 10th to the 90th percentile if there are enough runs."""
    ordered = sorted(times)
    low, high = ordered[0], ordered[-1]
    if len(ordered) >= 10:
        tenths = statistics.quantiles(ordered, n=10)
        low, high = tenths[0], tenths[-1]
    return f"median of {len(times)}, {low:.4f} to {high:.4f} ms"
