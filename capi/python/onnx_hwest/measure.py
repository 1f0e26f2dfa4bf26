"""Measures models with what a board has and writes rows that `onnx-hwest calibrate` and `validate` read.

    python -m onnx_hwest.measure models/*.onnx --runtime onnxruntime --output rows.csv
    python -m onnx_hwest.measure models/*.onnx --runtime trtexec --precision fp16 --profile profiles --output rows.csv
    python -m onnx_hwest.measure bert.onnx --dim batch=1 --dim seq=128 --threads 4 --output rows.csv

Runtimes: onnxruntime[:PROVIDER] (cpu, cuda, tensorrt, qnn, xnnpack, openvino or a full name), trtexec[:PROGRAM], tidl,
rknn[:CORES] (0, 1, 2, 0_1, 0_1_2, auto) and openvino[:DEVICE]. tidl and rknn run what their compilers made of the
models: --artifacts FOLDER holds STEM, or STEM.rknn. Models need no weights: tensors whose payload is not in the file,
nor in a file beside it, get random ones, as inputs do. libhwest is not needed here.

What the output file has is not measured again (--again does). Exit status: 0 every model was measured, 1 some were not
(the others are written), 2 nothing was done, 130 interrupted.
"""

from __future__ import annotations

import argparse
import csv
import datetime
import os
import shlex
import statistics
import sys
from importlib import import_module
from typing import Any

from . import _measure_board as board
from ._measure_model import Failure, fill_weights
from ._measure_runtimes import RUNTIMES, Job, Result, Runtime, find_runtime, spread_of

COLUMNS = ("model", "family", "bind", "batch", "match", "device", "chipset", "unit", "runtime", "precision", "mode",
           "metric", "value", "power_w", "source", "source_version", "trust", "note")
SAME = ("model", "bind", "batch", "device", "unit", "runtime", "precision", "mode", "metric")  # one measurement


def mode_of(runtime: Runtime, threads: int | None, arguments: argparse.Namespace) -> str:
    """The user's mode, else how much of the chip runs, the power mode, or for a CPU without one its threads."""
    if arguments.mode is not None:
        return str(arguments.mode)
    if runtime.mode or arguments.power_mode:
        return runtime.mode or str(arguments.power_mode)
    return f"{threads} threads" if threads and runtime.unit == "CPU" else ""


def bind_of(arguments: argparse.Namespace) -> str:
    return ";".join(f"{name}={size}" for name, size in sorted(arguments.dim.items()))


def is_done(rows: list[dict[str, str]], stem: str, runtime: Runtime, mode: str, arguments: argparse.Namespace) -> bool:
    """Whether an earlier run measured the model with this runtime, whatever its version, in this mode."""
    want = {"model": stem, "bind": bind_of(arguments), "device": arguments.device, "unit": runtime.unit, "mode": mode}
    if arguments.precision:
        want["precision"] = arguments.precision
    return any(all(row[column] == text for column, text in want.items()) and row["runtime"].startswith(runtime.name) and
               row["runtime"].endswith(runtime.short) for row in rows)


def row_of(stem: str, mode: str, result: Result, watts: float | None, arguments: argparse.Namespace) -> dict[str, str]:
    """One row of the output."""
    notes = [spread_of(result.times), *result.notes]
    return {
        "model": stem, "family": arguments.family or stem.split(".")[0], "bind": bind_of(arguments),
        "batch": result.batch, "match": "exact", "device": arguments.device, "chipset": arguments.chipset,
        "unit": result.unit,
        "runtime": result.runtime, "precision": result.precision, "mode": mode, "metric": "latency_ms",
        "value": f"{statistics.median(result.times):.4f}", "power_w": "" if watts is None else f"{watts:.2f}",
        "source": "onnx_hwest.measure", "source_version": datetime.date.today().isoformat(), "trust": "A",
        "note": "; ".join(notes),
    }


def load(path: str, seed: int) -> tuple[Any, int, int]:
    """The model with all weights, their bytes and how many tensors had none; no model without the package onnx."""
    try:
        onnx = import_module("onnx")
    except ImportError:
        return None, 0, 0
    model = onnx.load(path, load_external_data=False)
    total, filled = fill_weights(model, os.path.dirname(path), seed)
    return model, total, filled


def measure(path: str, runtime: Runtime, threads: int | None, arguments: argparse.Namespace) -> dict[str, str]:
    """The row of one model. Raises Failure, or any error of the runtime."""
    stem = os.path.basename(path).removesuffix(".onnx")
    model, total, filled = load(path, arguments.seed)
    job = Job(stem, path, model, total, filled, arguments.dim, arguments.runs, arguments.warmup, arguments.seconds,
              arguments.seed, threads, arguments.precision, arguments.artifacts, arguments.runtime_argument,
              arguments.profile)
    with board.Power() as power:
        result = runtime.measure(job)
    if filled:
        result.notes.append(f"{filled} weights drawn at random")
    result.notes += [text for text in (board.clocks(), power.rails) if text]
    return row_of(stem, mode_of(runtime, threads, arguments), result, power.watts, arguments)


def read_rows(path: str) -> list[dict[str, str]]:
    """Rows of an earlier run; none when there is no file. Raises ValueError for one with other columns."""
    if not os.path.exists(path):
        return []
    with open(path, newline="", encoding="utf-8") as file:
        reader = csv.DictReader(file)
        rows = list(reader)
    if tuple(reader.fieldnames or ()) != COLUMNS:
        raise ValueError(f"{path} has other columns than rows of measurements; name another --output")
    return rows


def merge(old: list[dict[str, str]], new: list[dict[str, str]]) -> list[dict[str, str]]:
    """All rows, ordered by what they measured; a new row replaces an old one of the same."""
    rows = {tuple(row[column] for column in SAME): row for row in old + new}
    return [rows[key] for key in sorted(rows)]


def write_rows(path: str, rows: list[dict[str, str]]) -> None:
    """Writes the file whole or not at all."""
    temporary = f"{path}.new"
    with open(temporary, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    os.replace(temporary, path)


def read_dim(text: str) -> tuple[str, int]:
    name, _, size = text.partition("=")
    if not name or not size.isdigit() or int(size) < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not NAME=N with a whole number N")
    return name, int(size)


def positive(text: str) -> int:
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is no whole number of at least 1")
    return int(text)


def read_arguments(words: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m onnx_hwest.measure", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="+", metavar="MODEL.onnx")
    parser.add_argument("--runtime", default="onnxruntime", metavar="NAME[:OPTION]", help=", ".join(RUNTIMES))
    parser.add_argument("--output", required=True, metavar="FILE.csv", help="rows are added there")
    parser.add_argument("--device", help="what to call this machine, default what it calls itself")
    parser.add_argument("--threads", type=positive, action="append", help="of a CPU, repeat for several; default 1")
    parser.add_argument("--dim", type=read_dim, action="append", default=[], metavar="NAME=N",
                        help="size of a symbol or of INPUT.AXIS")
    parser.add_argument("--runs", type=positive, default=30, help="at most, of trtexec at least; default 30")
    parser.add_argument("--seconds", type=float, default=10, help="no new run after that many, default 10")
    parser.add_argument("--warmup", type=positive, default=3, help="runs that are not timed, default 3")
    parser.add_argument("--precision", help="what to compute in, where the runtime can be told, and to write")
    parser.add_argument("--artifacts", metavar="FOLDER", help="what the compiler of tidl or rknn made")
    parser.add_argument("--runtime-argument", action="append", default=[], metavar="WORD",
                        help="passed on to trtexec, e.g. --runtime-argument=--useDLACore=0")
    parser.add_argument("--profile", metavar="FOLDER", help="keep profiles by operator there")
    parser.add_argument("--mode", help="power mode to write, default what nvpmodel says, else the number of threads")
    parser.add_argument("--chipset", default="", help="to write")
    parser.add_argument("--family", help="what is left out together, default the name up to its first dot")
    parser.add_argument("--target", help="for the commands printed at the end, default what this machine seems to be")
    parser.add_argument("--again", action="store_true", help="measure what the output has already, too")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args(words)
    arguments.dim = dict(arguments.dim)
    arguments.device = arguments.device or board.device_name() or "this machine"
    arguments.target = arguments.target or board.target_name() or "TARGET"
    arguments.power_mode = board.power_mode()
    return arguments


def closing(arguments: argparse.Namespace) -> str:
    """The commands to type on a machine with onnx-hwest, the rows and the models."""
    rows, target = shlex.quote(arguments.output), shlex.quote(arguments.target)
    folder = shlex.quote(os.path.dirname(arguments.models[0]) or ".")
    return (f"onnx-hwest calibrate --target {target} --measurements {rows} --models {folder} --output mine.textproto\n"
            f"onnx-hwest validate --target ./mine.textproto --measurements {rows} --models {folder}")


def hint(rows: list[dict[str, str]], arguments: argparse.Namespace) -> str:
    """What there are too few rows for; nothing if they are enough."""
    models = {row["model"] for row in rows if row["device"] == arguments.device}
    fewest = 4  # models that a fit takes
    if len(models) >= fewest:
        return ""
    return f"{len(models)} models of {fewest} that a fit takes at least; with the same --output"


def run(arguments: argparse.Namespace, runtime: Runtime, rows: list[dict[str, str]]) -> tuple[int, int]:
    """The number of requested measurements in the output, and of failed ones."""
    threads = arguments.threads or ([1] if runtime.unit == "CPU" else [None])
    work = [(path, count) for path in sorted(arguments.models) for count in threads]
    done = failed = 0
    for i, (path, count) in enumerate(work):
        stem = os.path.basename(path).removesuffix(".onnx")
        at = f"[{i + 1}/{len(work)}] {stem}"
        if not arguments.again and is_done(rows, stem, runtime, mode_of(runtime, count, arguments), arguments):
            print(f"{at}: measured before", flush=True)
            done += 1
            continue
        try:
            row = measure(path, runtime, count, arguments)
        except Exception as error:  # one model that the runtime refuses is no reason to lose the others
            print(f"{at}: {' '.join(str(error).split()) or type(error).__name__}", file=sys.stderr, flush=True)
            failed += 1
            continue
        rows[:] = merge(rows, [row])
        write_rows(arguments.output, rows)
        done += 1
        print(f"{at}: {row['value']} ms, {row['mode'] or row['runtime']}; {row['note']}", flush=True)
    return done, failed


def main(words: list[str]) -> int:
    arguments = read_arguments(words)
    try:
        runtime = find_runtime(arguments.runtime, arguments.runtime_argument)
        try:
            runtime.check()
        except ImportError as error:
            raise Failure(f"{error}: {runtime.needs}") from error
        if arguments.profile:
            os.makedirs(arguments.profile, exist_ok=True)
        rows = read_rows(arguments.output)
    except (Failure, OSError, ValueError) as error:
        print(f"measure: {error}", file=sys.stderr)
        return 2
    try:
        done, failed = run(arguments, runtime, rows)
    except KeyboardInterrupt:
        print("measure: interrupted; the same command goes on", file=sys.stderr)
        return 130
    if done:
        print(*(text for text in (hint(rows, arguments), closing(arguments)) if text), sep="\n")
    return 0 if not failed else 1 if done else 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
