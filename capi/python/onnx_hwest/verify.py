"""Runs two ONNX files on the same inputs in ONNX Runtime and says whether they compute the same.

    python -m onnx_hwest.verify model.onnx rewritten.onnx
    python -m onnx_hwest.verify model.onnx simplified.onnx -n 20 --dim seq=128 --class exact
    python -m onnx_hwest.verify model.onnx rewritten.onnx --value ids=ids.npy --samples samples --json

Inputs are drawn with a fixed seed by their declared types, indices within what they index; --value gives one input,
--samples a folder with an entry for each run. Weights that a file lacks are drawn, the same in both. Free sizes are
those of --dim and --shape, else small ones, which are printed. Optimisations of ONNX Runtime are off.

The relative difference of a tensor is its largest difference over the largest magnitude in it. How much is allowed
follows from --class, as the rules of `onnx-hwest describe rewrites` state it: exact = the same function computed alike,
rounding = the order of rounding differs, approximate = another function close by. Where rounding turns a choice, as of
TopK among scores that are equal within that, and the operator is the same in both files, the second file goes on with
the choice of the first; and where moving inputs and weights by one rounding moves the results of the first file by more
than a tenth of what is allowed, ten times that is.

Exit status: 0 equal, 2 the command is wrong, 3 a file cannot be read, 7 not compared (a package or an operator is
missing, or ONNX Runtime refuses the first file), 8 the files differ. It needs `pip install onnx-hwest[verify]`;
libhwest is not needed here.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from importlib import import_module
from typing import Any

from ._measure_model import Failure
from ._verify_choices import give
from ._verify_inputs import Input, declared_of, drawn, index_limits, read_value, sample_of, samples_in, sizes_of
from ._verify_rounding import FACTOR, Rounding, moved_by_rounding
from ._verify_weights import Weights

PACKAGES = ("onnxruntime", "onnx", "numpy")
PIP = "pip install 'onnx-hwest[verify]', or onnxruntime, onnx and numpy"
# Allowed relative difference by class, times the factor of the coarsest element type that the files compute in.
ALLOWED = {"exact": 1e-5, "rounding": 1e-4, "approximate": 2e-3}
CLASSES = tuple(ALLOWED)  # finest first
COARSER = {10: 100.0, 16: 800.0}  # float16, bfloat16, by their numbers in ONNX
QUANTISED = 200.0  # what rounding moves over the edge of a step moves the result by that step
STEPS = ("uint8", "int8")  # quantised: one step is rounding
GAINS = (1.0, 0.5, 0.25)  # of weights that are drawn: smaller ones where rounding becomes too large
MOST_NAMED = 3  # outputs and choices that the text names
PROBES = 64  # values that one round of the search looks at
EQUAL, USAGE, UNREADABLE, NOT_RUN, DIFFERS = 0, 2, 3, 7, 8
NO_MEMORY = r"bfc_arena|Failed to allocate|bad_alloc|out of memory"
MISSING = (r"No Op registered for (\S+)", r"Could not find an implementation for ([\w.:]+\(\d+\))",
           r"([\w.]+:\w+\(-?\d+\)) is not a registered function/op", r"Fatal error: ([\w.:]+)\(")


class NotRun(Exception):
    """Why the files were not compared."""


class Untold(NotRun):
    """The first file makes rounding so large that a difference would say nothing."""


class File:
    """A model without its large weights, which a session is handed."""

    def __init__(self, path: str, weights: Weights) -> None:
        onnx = import_module("onnx")
        try:
            self.model = onnx.load(path, load_external_data=False)
        except Exception as error:
            raise OSError(f"{path}: {' '.join(str(error).split())}") from error
        self.path = path
        self.arrays = weights.take(self.model, os.path.dirname(path))
        self.declared = declared_of(self.model)
        self.outputs = [value.name for value in self.model.graph.output]

    def made(self) -> list[str]:
        """Values of the main graph in the order of its nodes."""
        return [name for node in self.model.graph.node for name in node.output if name]

    def session(self, extra: list[str], given: dict[str, Any], arrays: dict[str, Any]) -> Any:
        """A session that also returns the values `extra`, and takes the values `given` for what the file makes, with
        these weights."""
        onnxruntime = import_module("onnxruntime")
        graph = self.model.graph
        for name in extra:
            graph.output.add().name = name
        data = self.model.SerializeToString()
        del graph.output[len(self.outputs):]
        if given:
            other = import_module("onnx").ModelProto.FromString(data)
            give(other.graph, given)
            data = other.SerializeToString()
        options = onnxruntime.SessionOptions()
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
        options.log_severity_level = 4
        present = {tensor.name for tensor in graph.initializer if tensor.data_location == 1}
        arrays = {name: array for name, array in arrays.items() if name in present}
        values = [onnxruntime.OrtValue.ortvalue_from_numpy(import_module("numpy").asarray(array))
                  for array in arrays.values()]
        if values:
            options.add_external_initializers(list(arrays), values)
        return onnxruntime.InferenceSession(data, options, providers=["CPUExecutionProvider"])


def missing_operators(message: str, model: Any) -> list[str]:
    """The operators that ONNX Runtime lacks, as it names them, and domains that are not its own."""
    found = [match for pattern in MISSING for match in re.findall(pattern, message)]
    if not found:
        return []
    known = {"", "ai.onnx", "ai.onnx.ml", "com.microsoft", "com.microsoft.nchwc"}
    local = {(function.domain, function.name) for function in model.functions}
    for node in model.graph.node:
        if node.domain not in known and (node.domain, node.op_type) not in local:
            found.append(f"{node.domain}::{node.op_type}")
    return sorted(set(found))


def session_of(file: File, extra: list[str], given: dict[str, Any], arrays: dict[str, Any]) -> Any:
    """As File.session. Raises NotRun naming the operators that ONNX Runtime lacks; its own error for all else."""
    try:
        return file.session(extra, given, arrays)
    except Exception as error:
        missing = missing_operators(str(error), file.model)
        if not missing:
            raise
        raise NotRun(f"{file.path}: ONNX Runtime has no kernel for {', '.join(missing)}") from error


def coarseness(model: Any) -> float:
    """How much more than in float32 rounding moves results, by the types that the file computes in."""
    kinds = {tensor.data_type for tensor in model.graph.initializer}
    kinds |= {value.type.tensor_type.elem_type for value in [*model.graph.input, *model.graph.output]}
    kinds |= {a.i for node in model.graph.node if node.op_type == "Cast" for a in node.attribute if a.name == "to"}
    factor = max(COARSER.get(kind, 1.0) for kind in {1, *kinds})
    is_quantised = any(node.op_type in ("QuantizeLinear", "DynamicQuantizeLinear") or "QLinear" in node.op_type
                       for node in model.graph.node)
    return max(factor, QUANTISED if is_quantised else 1.0)


def difference(first: Any, second: Any, allowed: float, by_class: str) -> tuple[float | None, float | None, bool]:
    """Largest absolute and relative difference, None where they are not to be compared; whether it is allowed."""
    numpy = import_module("numpy")
    if not isinstance(first, numpy.ndarray) or not isinstance(second, numpy.ndarray):
        return None, None, repr(first) == repr(second)
    if first.shape != second.shape or first.dtype != second.dtype:
        return None, None, False
    if first.dtype.kind in "OUS":
        return None, None, bool(numpy.array_equal(first, second))
    if first.size == 0:
        return 0.0, 0.0, True
    is_float = first.dtype.kind == "f" or first.dtype.name == "bfloat16"
    one, two = first.astype("float64"), second.astype("float64")
    good = numpy.isfinite(one)
    strange = ~good
    if strange.any() and not numpy.array_equal(one[strange], two[strange], equal_nan=True):
        return None, None, False
    if not numpy.isfinite(two[good]).all():
        return None, None, False
    if not good.any():
        return 0.0, 0.0, True
    largest = float(numpy.max(numpy.abs(one[good] - two[good])))
    relative = largest / max(float(numpy.max(numpy.abs(one[good]))), 1e-6)
    if not is_float:
        steps = 1 if first.dtype.name in STEPS and by_class != "exact" else 0
        return largest, relative, largest <= steps
    return largest, relative, relative <= allowed


class Comparison:
    """Two files and the inputs of every run."""

    def __init__(self, first: File, second: File, arguments: argparse.Namespace) -> None:
        self.first, self.second, self.arguments = first, second, arguments
        self.allowed = arguments.tolerance
        if self.allowed is None:
            self.allowed = ALLOWED[arguments.by_class] * max(coarseness(first.model), coarseness(second.model))
        if set(first.declared) != set(second.declared):
            names = sorted(set(first.declared) ^ set(second.declared))
            raise NotRun(f"the files have other inputs: {', '.join(names)} is in one of them alone")
        self.sizes, self.assumed = sizes_of(first.declared, second.declared, arguments.dim, arguments.shape)
        self.limits = index_limits(first.model)
        self.entries: list[Input] = []  # inputs in the order of the first file, once it is loaded

    def runs(self) -> int:
        if self.arguments.samples:
            return len(samples_in(self.arguments.samples))
        return int(self.arguments.runs)

    def feeds(self, run: int) -> dict[str, Any]:
        """The inputs of a run: of the user's, then random, drawn in the order of the first file."""
        numpy = import_module("numpy")
        source = numpy.random.default_rng([self.arguments.seed, run])
        feeds = {entry.name: drawn(entry, self.limits, source) for entry in self.entries}
        by_name = {entry.name: entry for entry in self.entries}
        if self.arguments.samples:
            feeds.update(sample_of(samples_in(self.arguments.samples)[run], self.entries))
        for name, text in self.arguments.value.items():
            if name not in by_name:
                raise Failure(f"--value {name}: the inputs are {', '.join(by_name)}")
            feeds[name] = read_value(text, by_name[name])
        return feeds

    def take_entries(self, session: Any) -> None:
        for value in session.get_inputs():
            if not value.type.startswith("tensor("):
                raise NotRun(f"input {value.name} is a {value.type}: only tensors are filled")
            self.entries.append(Input(value.name, value.type, self.sizes[value.name]))

    def results(self, file: File, runs: range, extra: list[str], given: dict[str, Any] | None = None,
                draw: int | None = None) -> list[dict[str, Any]]:
        """What a file computes in each run, by name; values that are `given` as they are; with a `draw`, inputs and
        weights moved by a rounding. The session is gone when it returns. Raises NotRun where memory is short."""
        try:
            return self.computed(file, runs, extra, given, draw)
        except Exception as error:
            if not isinstance(error, MemoryError) and not re.search(NO_MEMORY, str(error)):
                raise
            raise NotRun(f"there is too little memory to run {file.path}") from error

    def computed(self, file: File, runs: range, extra: list[str], given: dict[str, Any] | None,
                 draw: int | None) -> list[dict[str, Any]]:
        given, arrays = given or {}, file.arrays
        if draw is not None:
            source = import_module("numpy").random.default_rng([self.arguments.seed, runs[0], draw])
            arrays = moved_by_rounding(arrays, source)
        session = session_of(file, extra, given, arrays)
        if not self.entries:
            self.take_entries(session)
        names, found = [value.name for value in session.get_outputs()], []
        for run in runs:
            feeds = self.feeds(run) if draw is None else moved_by_rounding(self.feeds(run), source)
            found.append({**dict(zip(names, session.run(names, {**feeds, **given}))), **given})
        return found

    def difference(self, first: Any, second: Any, allowed: float) -> tuple[float | None, float | None, bool]:
        return difference(first, second, allowed, self.arguments.by_class)

    def compare(self) -> dict[str, Any]:
        """Raises NotRun, and Failure for inputs that do not fit."""
        runs = range(self.runs())
        document: dict[str, Any] = {
            "runs": len(runs), "verdict": "equal", "class": self.arguments.by_class, "tolerance": self.allowed,
            "outputs": [], "first_difference": None, "choices": [], "weights_drawn": 0, "sizes": self.assumed,
            "message": None}
        try:
            before = self.results(self.first, runs, [])
        except (Failure, NotRun):
            raise
        except Exception as error:  # of ONNX Runtime
            raise NotRun(f"ONNX Runtime refuses {self.first.path}: {brief(error)}") from error
        try:
            after = self.results(self.second, runs, [])
        except (Failure, NotRun):
            raise
        except Exception as error:  # the first file runs
            document.update(verdict="differs", message=f"ONNX Runtime refuses {self.second.path}: {brief(error)}")
            return document
        rounding = {run: Rounding(self, run) for run in runs}
        for run in runs:
            if not all(name in after[run] and rounding[run].is_same(name, before[run][name], after[run][name])
                       for name in self.first.outputs):
                after[run] = rounding[run].settle(document["choices"])
        worst_run = 0
        untold: dict[str, int] = {}
        for name in self.first.outputs:
            row: dict[str, Any] = {"name": name, "max_abs": 0.0, "max_rel": 0.0, "rounding": None, "varies": False,
                                   "equal": True}
            for run in runs:
                row["varies"] = row["varies"] or varies(before[run][name])
                if name not in after[run]:
                    row.update(max_abs=None, max_rel=None, equal=False)
                    break
                largest, relative, is_equal = self.difference(before[run][name], after[run][name],
                                                              rounding[run].allowed(name))
                if not is_equal and row["equal"]:
                    worst_run = run
                is_within = self.difference(before[run][name], after[run][name], self.allowed)[2]
                if not is_within and not rounding[run].is_told(name):
                    untold.setdefault(name, run)
                row["equal"] = row["equal"] and is_equal
                row["max_abs"] = larger(row["max_abs"], largest)
                row["max_rel"] = larger(row["max_rel"], relative)
                moves = [found for found in (row["rounding"], rounding[run].moves(name)) if found is not None]
                row["rounding"] = max(moves, default=None)
            document["outputs"].append(row)
        others = [row["name"] for row in document["outputs"] if not row["equal"] and row["name"] not in untold]
        if untold and not others:
            name, run = next(iter(untold.items()))
            raise Untold(f"moving each input and weight by one rounding moves {name} of the first file by "
                         f"{figure(rounding[run].moves(name))} of it, so a difference says nothing; give real weights, "
                         "and inputs by --samples")
        if others:
            document["verdict"] = "differs"
            document["first_difference"] = self.first_difference(rounding[worst_run])
        elif document["outputs"] and not any(row["varies"] for row in document["outputs"]):
            self.look_inside(rounding[0], document)
        return document

    def look_inside(self, rounding: Rounding, document: dict[str, Any]) -> None:
        """Compares values inside where outputs that hold one number, or none, are equal whatever made them."""
        there = set(self.second.made()) - set(self.first.outputs)
        order = [name for name in self.first.made() if name in there]
        names = order[::len(order) // PROBES + 1]
        seen = [name for name, array in self.both(names, rounding)[0].items() if name in names and varies(array)]
        told = (f"each output holds one number, so {len(seen)} values inside were compared" if seen else
                "no value holds more than one number, so that many files would be equal")
        document["message"] = f"{told}; --samples gives other inputs"
        if not (seen or self.arguments.value or self.arguments.samples):
            raise NotRun(document["message"])
        if self.first_of(names, rounding) is not None:
            document.update(verdict="differs", message=None, first_difference=self.first_difference(rounding))

    def first_difference(self, rounding: Rounding) -> str | None:
        """The first value, in the order of the first file, that differs and has its name in both files."""
        there = set(self.second.made()) - set(rounding.given)
        order = [name for name in self.first.made() if name in there]
        low, high = -1, len(order)  # what `low` stands at is equal
        while high - low > 1:
            step = max(1, (high - low) // PROBES)
            probes = list(range(low + step, high, step))[:PROBES] or [low + 1]
            found = self.first_of([order[i] for i in probes], rounding)
            if found is None:
                low = probes[-1]
                if step == 1:
                    break
                continue
            low, high = (probes[found - 1] if found > 0 else low), probes[found]
        return order[high] if high < len(order) else None

    def both(self, names: list[str], rounding: Rounding) -> tuple[dict[str, Any], dict[str, Any]]:
        """What the files compute of values that they both have, the second one with the choices of the first."""
        one = [name for name in names if name not in self.first.outputs]
        two = [name for name in names if name not in self.second.outputs]
        return (self.results(self.first, rounding.run, one)[0],
                self.results(self.second, rounding.run, two, rounding.given)[0])

    def first_of(self, names: list[str], rounding: Rounding) -> int | None:
        before, after = self.both(names, rounding)
        rounding.measure([name for name in names if not rounding.is_same(name, before[name], after[name])])
        differ = (i for i, name in enumerate(names) if not rounding.is_same(name, before[name], after[name]))
        return next(differ, None)


def varies(array: Any) -> bool:
    """Whether there is something to see: more than one number, or one by itself."""
    numpy = import_module("numpy")
    if not isinstance(array, numpy.ndarray) or array.dtype.kind in "OUS":
        return True
    if array.size < 2:
        return bool(array.size and numpy.isfinite(array.astype("float64")).all())
    first = array.reshape(-1)[0]
    return not bool(numpy.all((array == first) | ((array != array) & (first != first))))


def larger(known: float | None, found: float | None) -> float | None:
    return None if known is None or found is None else max(known, found)


def brief(error: BaseException) -> str:
    return " ".join(str(error).split())[:300]


def not_run(message: str, arguments: argparse.Namespace) -> dict[str, Any]:
    return {"runs": 0, "verdict": "not_run", "class": arguments.by_class, "tolerance": None, "outputs": [],
            "first_difference": None, "choices": [], "weights_drawn": 0, "sizes": {}, "message": message}


def verify(first: str, second: str, **options: Any) -> dict[str, Any]:
    """Compares two files; `options` are those of the command line by their long names with underscores.

    Returns {"runs", "verdict": "equal", "differs" or "not_run", "class", "tolerance", "outputs": [{"name", "max_abs",
    "max_rel", "rounding", "varies", "equal"}], "first_difference", "choices": [{"name", "operator", "changed",
    "elements"}], "weights_drawn", "sizes", "message"}. Raises OSError for a file that cannot be read, ValueError for
    inputs that do not fit."""
    defaults = {"runs": 3, "seed": 0, "by_class": "rounding", "tolerance": None, "dim": {}, "shape": {}, "value": {},
                "samples": None}
    arguments = argparse.Namespace(**{**defaults, **options})
    for package in PACKAGES:
        try:
            import_module(package)
        except ImportError:
            return not_run(f"the Python package {package} is missing: {PIP}", arguments)
    for gain in GAINS:
        weights = Weights(arguments.seed, gain)
        try:
            document = Comparison(File(first, weights), File(second, weights), arguments).compare()
        except NotRun as reason:
            document = not_run(str(reason), arguments)
            if isinstance(reason, Untold) and weights.filled:
                continue
        except Failure as reason:
            raise ValueError(str(reason)) from reason
        break
    document["weights_drawn"] = len(weights.filled)
    return document


def figure(value: float | None) -> str:
    return "-" if value is None else f"{value:.2e}"


def is_amplified(document: dict[str, Any], row: dict[str, Any]) -> bool:
    """Whether more is allowed, and needed, than the class says."""
    return row["rounding"] is not None and row["max_rel"] is not None and row["max_rel"] > document["tolerance"]


def shortened(texts: list[str]) -> str:
    more = f" and {len(texts) - MOST_NAMED} more" if len(texts) > MOST_NAMED else ""
    return ", ".join(texts[:MOST_NAMED]) + more


def text_of(document: dict[str, Any]) -> str:
    """The findings for people."""
    lines = []
    sizes = ", ".join(f"{name}={size}" for name, size in document["sizes"].items())
    if sizes:
        lines.append(f"sizes assumed: {sizes}; --dim NAME=N sets others")
    if document["weights_drawn"]:
        lines.append(f"{document['weights_drawn']} weights are not in the files: drawn at random, the same in both")
    width = max([len(row["name"]) for row in document["outputs"]] + [len("output")])
    if document["outputs"]:
        lines.append(f"{'output':{width}}  largest difference  relative")
        lines += [f"{row['name']:{width}}  {figure(row['max_abs']):>18}  {figure(row['max_rel']):>8}"
                  f"{'' if row['equal'] else '  differs'}" for row in document["outputs"]]
    moved = [f"{row['name']} by {figure(row['rounding'])}" for row in document["outputs"]
             if is_amplified(document, row)]
    if moved:
        lines.append(f"moving each input and weight by one rounding moves {shortened(moved)} in the first file alone: "
                     f"{FACTOR:g} times that is allowed")
    if document["choices"]:
        rows = [f"{row['name']} ({row['operator']}, {row['changed']} of {row['elements']})"
                for row in document["choices"]]
        lines.append(f"rounding turned what is chosen by {shortened(rows)}: what follows is compared with the choice "
                     "of the first file")
    if document["verdict"] == "not_run":
        lines.append(f"not compared: {document['message']}")
    elif document["verdict"] == "equal":
        lines += [document["message"]] if document["message"] else []
        lines.append(f"equal in {document['runs']} runs, within {document['tolerance']:g} ({document['class']})")
    else:
        lines.append(document["message"] or f"the files differ by more than {document['tolerance']:g} "
                                            f"({document['class']})")
        if document["first_difference"] is not None:
            lines.append(f"the first tensor that differs: {document['first_difference']}")
    return "\n".join(lines)


def read_pair(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name or not value:
        raise argparse.ArgumentTypeError(f"'{text}' is not NAME=VALUE")
    return name, value


def read_dim(text: str) -> tuple[str, int]:
    name, value = read_pair(text)
    if not value.isdigit() or int(value) < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not NAME=N with a whole number N")
    return name, int(value)


def read_shape(text: str) -> tuple[str, list[int]]:
    name, equals, value = text.rpartition("=")
    sizes = value.split("x")
    if (equals and not name) or not all(size.isdigit() and int(size) > 0 for size in sizes):
        raise argparse.ArgumentTypeError(f"'{text}' is not INPUT=1x3x224x224, or 1x3x224x224 of the only input")
    return name, [int(size) for size in sizes]


def count(text: str) -> int:
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is no whole number of at least 1")
    return int(text)


def read_arguments(words: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m onnx_hwest.verify", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("first", metavar="A.onnx")
    parser.add_argument("second", metavar="B.onnx")
    parser.add_argument("-n", "--runs", type=count, default=3, metavar="N", help="sets of random inputs, default 3")
    parser.add_argument("--class", dest="by_class", choices=CLASSES, default="rounding", help="default rounding")
    parser.add_argument("--tolerance", type=float, metavar="REL", help="relative difference that is allowed, instead")
    parser.add_argument("--value", type=read_pair, action="append", default=[], metavar="NAME=FILE.npy",
                        help="contents of an input in every run, also as numbers: ids=[[1,2]]")
    parser.add_argument("--samples", metavar="FOLDER", help="a run for each .npz or .npy file, or folder, in it")
    parser.add_argument("--dim", type=read_dim, action="append", default=[], metavar="NAME=N",
                        help="size of a symbol or of INPUT.AXIS")
    parser.add_argument("--shape", type=read_shape, action="append", default=[], metavar="[INPUT=]1x128",
                        help="sizes of an input")
    parser.add_argument("--seed", type=int, default=0, help="of inputs and weights that are drawn, default 0")
    parser.add_argument("--json", action="store_true", help="the findings as JSON")
    arguments = parser.parse_args(words)
    arguments.value, arguments.dim = dict(arguments.value), dict(arguments.dim)
    arguments.shape = dict(arguments.shape)
    return arguments


def main(words: list[str]) -> int:
    arguments = read_arguments(words)
    options = {name: value for name, value in vars(arguments).items() if name not in ("first", "second", "json")}
    try:
        document = verify(arguments.first, arguments.second, **options)
    except OSError as error:
        print(f"verify: {error}", file=sys.stderr)
        return UNREADABLE
    except (Failure, ValueError) as error:
        print(f"verify: {error}", file=sys.stderr)
        return USAGE
    print(json.dumps(document, indent=2) if arguments.json else text_of(document))
    return {"equal": EQUAL, "differs": DIFFERS, "not_run": NOT_RUN}[document["verdict"]]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
