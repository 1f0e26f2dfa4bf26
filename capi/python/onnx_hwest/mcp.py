"""python -m onnx_hwest.mcp [FOLDER]: a server of the Model Context Protocol, over standard input and output.

It offers analyze, compare, explain, what_if, rewrite, check and targets as tools; the targets and the pages of the
command line's manual as resources. Takes onnx_hwest[mcp]. A client starts it:

    {"mcpServers": {"onnx-hwest": {"command": "python3", "args": ["-m", "onnx_hwest.mcp", "models"]}}}

FOLDER (by default the working folder) holds every file that a tool reads or writes; links that leave it are refused.
Nothing is overwritten. Targets are built in, or files that --target FILE names here: a file may name others to read, so
the one who starts the server chooses them. A call that takes longer than --timeout seconds is cancelled.
"""

from __future__ import annotations

import argparse
import functools
import importlib
import os
import pathlib
import subprocess
import sys
import threading
from typing import Any, Callable, Dict, List, Optional

from ._analysis import Analysis
from ._callbacks import Cancel
from ._compare import check as check_limits
from ._compare import diff
from ._errors import Cancelled, Error
from ._library import library
from ._model import Model, load
from ._target import load_target
from ._target import targets as all_targets
from ._version import __version__

_MANUAL = {"man": "the manual page: every verb and flag", "ops": "operators with a rule",
           "patterns": "fusions and the toolchains that make them", "rewrites": "rules of `rewrite`",
           "codes": "errors, warnings and notes by their stable names", "target-format": "how a target file is written",
           "budget": "how a budget file is written", "workload": "how a workload file is written"}
_INSTRUCTIONS = (
    "Estimates latency, memory, energy and bottleneck of ONNX models on accelerators, without running them. Paths are "
    "relative to the served folder. `targets` finds the name of a board. Start with `analyze`; `what_if` lists the "
    "changes that would help, `explain` why a node runs where it does, `rewrite` writes an equivalent model that runs "
    "better. Figures are estimates with an 80 % interval; unknown ones are named, never 0.")


class Refused(Exception):
    """What a call may not do, and what to do instead."""


class Workspace:
    """The folder that tools read and write, the targets they may use, and the time a call may take."""

    def __init__(self, folder: str = ".", target_files: Any = (), timeout_s: float = 300) -> None:
        library()  # whose absence a call would not explain
        self.folder = pathlib.Path(folder).resolve(strict=True)
        self.timeout_s = timeout_s
        self.targets: Dict[str, str] = {}
        for file in target_files:
            self.targets[str(load_target(file).info.name)] = os.path.abspath(file)

    def inside(self, path: str) -> pathlib.Path:
        """The file that `path` leads to, links followed. Raises Refused when that is outside of the folder."""
        try:
            real = (self.folder / path).resolve()
        except (OSError, RuntimeError, ValueError) as error:
            raise Refused(f"{path!r} leads nowhere: {error}") from None
        if real != self.folder and self.folder not in real.parents:
            raise Refused(f"{path!r} is outside of the served folder: name a file in it")
        return real

    def model(self, path: str) -> Model:
        file = self.inside(path)
        if not file.is_file():
            raise Refused(f"{path!r} is no file in the served folder: " + self._models())
        return load(os.path.relpath(file))  # as the caller named it, where the served folder is the working folder

    def _models(self) -> str:
        found: List[str] = []
        for folder, _, names in os.walk(self.folder):
            found += [os.path.relpath(os.path.join(folder, name), self.folder) for name in names
                      if name.endswith((".onnx", ".ort", ".gguf"))]
            if len(found) > 20:
                break
        return f"it has {', '.join(sorted(found)[:20])}" if found else "it has no *.onnx"

    def target(self, name: str) -> str:
        if name in self.targets:
            return self.targets[name]
        if os.path.sep in name or name.endswith(".textproto"):
            raise Refused(f"{name!r} is a file: start the server with --target {name} to allow it")
        return name

    def output(self, path: str, extension: str) -> str:
        """A new file in the folder."""
        file = self.inside(path)
        if not file.name.lower().endswith(extension):
            raise Refused(f"{path!r} does not end with {extension}")
        if os.path.lexists(self.folder / path) or file.exists():
            raise Refused(f"{path!r} exists: choose another name")
        if not file.parent.is_dir():
            raise Refused(f"{path!r} is in no folder that exists")
        return str(file)

    def run(self, work: Callable[[Cancel], str]) -> str:
        """What `work` says, with the served folder's path left out; cancelled after the time that a call may take."""
        cancel = Cancel()
        timer = threading.Timer(self.timeout_s, cancel.request)
        timer.daemon = True
        timer.start()
        try:
            return work(cancel).replace(f"{self.folder}{os.path.sep}", "")
        except Cancelled:
            raise Refused(f"cancelled after {self.timeout_s:g} s: start the server with a longer --timeout") from None
        except Error as error:
            raise Refused(f"{error.message.replace(f'{self.folder}{os.path.sep}', '')} [{error.code}]") from None
        finally:
            timer.cancel()


def _manual(page: str) -> str:
    """A page of the manual: what the program prints, run in a process of its own because it prints."""
    here = str(pathlib.Path(__file__).resolve().parents[1])
    words = ["describe", page] if page in _MANUAL else ["help", page]
    done = subprocess.run([sys.executable, "-m", "onnx_hwest", *words], cwd=here, stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=60)
    if done.returncode != 0:
        raise Refused(done.stderr.strip())
    return done.stdout


class _Options(Dict[str, Any]):
    """Options of an analysis that a call stated."""

    def __init__(self, **options: Any) -> None:
        super().__init__((name, value) for name, value in options.items() if value is not None)


class Tools:
    """The tools, as functions from arguments to text. Raise Refused."""

    def __init__(self, workspace: Workspace) -> None:
        self._space = workspace

    def _analysis(self, model: str, target: Optional[str], cancel: Cancel, options: Dict[str, Any]) -> Analysis:
        place = None if target is None else self._space.target(target)
        return self._space.model(model).analyze(place, cancel=cancel, **options)

    def analyze(self, model: str, target: Optional[str] = None, precision: Optional[str] = None,
                mode: Optional[str] = None, batch: Optional[int] = None, dims: Optional[Dict[str, int]] = None,
                top: int = 10, output: Optional[str] = None) -> str:
        """Latency, rate, energy, memory, bottleneck and the most expensive kernels of a model on a target; without a
        target its counts and shapes.

        model: a file in the served folder. precision: int8, fp16, ... mode: a power mode of the target. dims: sizes of
        free dims, {"seq": 128}. top: rows of the table of kernels. output: a new .html, .json, .md, .svg or .csv there
        to write the whole report into.
        """
        def work(cancel: Cancel) -> str:
            options = _Options(precision=precision, mode=mode, batch=batch, dims=dims)
            analysis = self._analysis(model, target, cancel, options)
            text = str(analysis.report("text", top=top) if target else analysis.report("text", kind="shapes", top=top))
            return text + self._written(analysis, output) if output else text

        return self._space.run(work)

    def _written(self, analysis: Analysis, output: str) -> str:
        formats = {".html": "html", ".json": "json", ".md": "markdown", ".svg": "svg", ".csv": "csv"}
        extension = os.path.splitext(output)[1].lower()
        if extension not in formats:
            raise Refused(f"{output!r} has no extension of a report: {', '.join(formats)}")
        path = self._space.output(output, extension)
        with open(path, "x", encoding="utf-8") as file:
            file.write(str(analysis.report(formats[extension])))
        return f"\nThe whole report is in {output}.\n"

    def compare(self, a: str, b: str, target: str, against: Optional[str] = None, precision: Optional[str] = None,
                against_precision: Optional[str] = None, batch: Optional[int] = None,
                dims: Optional[Dict[str, int]] = None) -> str:
        """What differs between two models on a target, node by node; or, with `b` the same file as `a`, between one
        model on `target` and on the target `against`, or in `against_precision`."""
        def work(cancel: Cancel) -> str:
            first = self._analysis(a, target, cancel, _Options(precision=precision, batch=batch, dims=dims))
            second = self._analysis(b, against or target, cancel,
                                    _Options(precision=against_precision or precision, batch=batch, dims=dims))
            return diff(first, second).report("text")

        return self._space.run(work)

    def explain(self, model: str, node: str, target: str, precision: Optional[str] = None, mode: Optional[str] = None,
                batch: Optional[int] = None, dims: Optional[Dict[str, int]] = None) -> str:
        """Why a node runs where it does, what it costs there and on other units, and what would move it.

        node: its name, the name of an output, "#id", or "gN" for kernel N of the report.
        """
        def work(cancel: Cancel) -> str:
            options = _Options(precision=precision, mode=mode, batch=batch, dims=dims)
            return self._analysis(model, target, cancel, options).explain(node, cancel=cancel).report("text")

        return self._space.run(work)

    def what_if(self, model: str, target: str, precision: Optional[str] = None, mode: Optional[str] = None,
                batch: Optional[int] = None, dims: Optional[Dict[str, int]] = None) -> str:
        """The changes that would make the model faster on the target, ranked by what they save, each with its flag."""
        def work(cancel: Cancel) -> str:
            options = _Options(precision=precision, mode=mode, batch=batch, dims=dims)
            return str(self._analysis(model, target, cancel, options).what_if(cancel=cancel).report("text"))

        return self._space.run(work)

    def rewrite(self, model: str, output: str, target: Optional[str] = None, precision: Optional[str] = None,
                allow_approximate: bool = False, batch: Optional[int] = None,
                dims: Optional[Dict[str, int]] = None) -> str:
        """Writes an equivalent model that runs better on the target into a new file of the served folder, and says
        which rules changed what. Without a target: the canonical form."""
        def work(cancel: Cancel) -> str:
            path = self._space.output(output, ".onnx")
            place = None if target is None else self._space.target(target)
            done = self._space.model(model).rewrite(place, path, allow_approximate=allow_approximate, cancel=cancel,
                                                    **_Options(precision=precision, batch=batch, dims=dims))
            assert isinstance(done, dict)
            lines = [f"{rule['name']} ({rule['exactness']}), {rule['places']} places: {rule['reason']}"
                     for rule in done["rules"]]
            lines = lines or ["no rule makes the model better: it is written as it is"]
            before, after = (done[side]["summary"]["latency_s"] for side in ("before", "after"))
            if before is not None and after is not None:
                lines.append(f"latency {before * 1e3:.4g} ms before, {after * 1e3:.4g} ms after")
            return "\n".join([*lines, f"written to {output}", ""])

        return self._space.run(work)

    def check(self, model: str, target: str, max_latency: Optional[str] = None, min_rate: Optional[str] = None,
              max_energy: Optional[str] = None, max_power: Optional[str] = None, max_memory: Optional[str] = None,
              max_fallback: Optional[str] = None, precision: Optional[str] = None, mode: Optional[str] = None,
              batch: Optional[int] = None, dims: Optional[Dict[str, int]] = None) -> str:
        """Holds a model against limits: "12 ms", "30 FPS", "200 mJ", "15 W", "64 MB", "5%". Says for each whether it
        holds, how likely, and what would mend a broken one."""
        def work(cancel: Cancel) -> str:
            limits = {"max_latency": max_latency, "min_rate": min_rate, "max_energy": max_energy,
                      "max_power": max_power, "max_memory": max_memory, "max_fallback": max_fallback}
            if all(limit is None for limit in limits.values()):
                raise Refused("no limit is stated: add max_latency, min_rate, max_energy, max_power, max_memory or "
                              "max_fallback")
            options = _Options(precision=precision, mode=mode, batch=batch, dims=dims)
            analysis = self._analysis(model, target, cancel, options)
            return check_limits(analysis, cancel=cancel, **limits).report("text")  # type: ignore[arg-type]

        return self._space.run(work)

    def targets(self, contains: str = "") -> str:
        """The accelerators and boards with this text in name, alias or summary; all without it."""
        rows = [f"{name}  a file of this server" for name in self._space.targets]
        for row in all_targets():
            if contains.lower() in " ".join([row.name, *row.aliases, row.summary]).lower():
                rows.append(f"{row.name}  {row.summary}  [{', '.join(row.aliases)}]")
        if not rows:
            raise Refused(f"no target has {contains!r} in its names: leave it out to list all")
        return "\n".join(rows) + "\n"

    def target(self, name: str) -> str:
        """A target's figures, each with its source."""
        def work(_: Cancel) -> str:
            target = load_target(self._space.target(name))
            return f"{target.info.name}: {target.info.summary}\n\n{target.report('csv')}"

        return self._space.run(work)


_TOOLS = ("analyze", "compare", "explain", "what_if", "rewrite", "check", "targets")


def server_of(workspace: Workspace) -> Any:
    """The server, before it runs. Raises ImportError without the package mcp."""
    mcpserver: Any = importlib.import_module("mcp.server.mcpserver")
    annotations: Any = importlib.import_module("mcp_types").ToolAnnotations
    server: Any = mcpserver.MCPServer("onnx-hwest", instructions=_INSTRUCTIONS, version=__version__,
                                      log_level="ERROR")
    tools = Tools(workspace)

    def answering(function: Callable[..., str], error: Any) -> Callable[..., str]:
        """`function` with the error that the protocol hands to the model."""
        @functools.wraps(function)
        def answer(*args: Any, **named: Any) -> str:
            try:
                return function(*args, **named)
            except (Refused, ValueError, TypeError, OSError) as problem:
                raise error(str(problem)) from None

        return answer

    for name in _TOOLS:
        writes = name in ("rewrite", "analyze")
        server.tool(name=name, structured_output=False,
                    annotations=annotations(read_only_hint=not writes, destructive_hint=False, open_world_hint=False))(
                        answering(getattr(tools, name), mcpserver.exceptions.ToolError))
    lost = mcpserver.exceptions.ResourceError

    def resource(uri: str, name: str, about: str, function: Callable[..., str]) -> None:
        server.resource(uri, name=name, description=about, mime_type="text/plain")(answering(function, lost))

    resource("hwest://targets", "targets", "every accelerator and board", lambda: tools.targets())
    resource("hwest://targets/{name}", "target", "the figures of a target, with their sources", tools.target)
    for page, about in _MANUAL.items():
        resource(f"hwest://docs/{page}", page, about, _page(page))
    resource("hwest://docs/verbs/{verb}", "verb", "the help of a verb", lambda verb: _manual(verb))
    return server


def _page(page: str) -> Callable[[], str]:
    return lambda: _manual(page)


def main(args: Optional[List[str]] = None) -> int:
    about = (__doc__ or "").split("\n", 1)
    parser = argparse.ArgumentParser(prog="python -m onnx_hwest.mcp", description=about[0].split(": ", 1)[1],
                                     epilog=about[1], formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", default=".", help="what tools may read and write")
    parser.add_argument("--target", action="append", default=[], metavar="FILE", help="a target that tools may use")
    parser.add_argument("--timeout", type=float, default=300, metavar="S", help="seconds that a call may take: 300")
    given = parser.parse_args(args)
    try:
        workspace = Workspace(given.folder, given.target, given.timeout)
        server = server_of(workspace)
        os.chdir(workspace.folder)
    except (ImportError, Error, OSError) as error:
        lacks_mcp = isinstance(error, ModuleNotFoundError)
        print(f"onnx_hwest.mcp: error: {error}{': pip install onnx-hwest[mcp]' if lacks_mcp else ''}", file=sys.stderr)
        return 2
    server.run("stdio")
    return 0


if __name__ == "__main__":
    sys.exit(main())
