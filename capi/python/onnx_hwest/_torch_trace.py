"""Finds where a forward or export of a PyTorch model stopped: the module and the operator."""

from __future__ import annotations

import contextlib
import re

_OPERATORS = (
    re.compile(r"<OpOverload\(op='([\w:.]+)'"),
    re.compile(r"operator '([\w:.]+)'"),
    re.compile(r"\b((?!c10|std|torch|at::)[a-z_]\w*::\w+)"),
)


class Watch:
    """Tracks the module whose forward is running, by hooks, and the last torch function called, by a mode."""

    def __init__(self):
        self.modules: list[tuple[str, str]] = []  # (path, class), outermost first
        self.function: str | None = None

    @contextlib.contextmanager
    def modules_of(self, model):
        hooks = []

        def enter(name):
            return lambda module, _inputs: self.modules.append((name, type(module).__name__))

        def leave(_module, _inputs, _outputs):
            self.modules.pop()

        for name, module in model.named_modules():
            hooks.append(module.register_forward_pre_hook(enter(name)))
            hooks.append(module.register_forward_hook(leave))
        try:
            yield self
        finally:
            for hook in hooks:
                hook.remove()

    def functions(self, torch):
        watch = self

        class Mode(torch.overrides.TorchFunctionMode):
            def __torch_function__(self, function, _types, args=(), kwargs=None):
                watch.function = torch.overrides.resolve_name(function) or getattr(function, "__name__", str(function))
                return function(*args, **(kwargs or {}))

        return Mode()


def _chain(error):
    seen = []
    while error is not None and error not in seen:
        seen.append(error)
        error = error.__cause__ or error.__context__
    return seen


def operator_of(error) -> str | None:
    """The operator named in an exporter's error or in one of its causes."""
    for link in _chain(error):
        for pattern in _OPERATORS:
            found = pattern.search(str(link))
            if found:
                return found.group(1)
    return None


def module_of(program, operator) -> tuple[str, str] | None:
    """(path, class) of the module that calls `operator` first in a captured program."""
    for node in program.graph.nodes if program is not None and operator is not None else ():
        same = str(node.target).split(".default")[0] == operator.replace("::", ".").split(".default")[0]
        stack = node.meta.get("nn_module_stack")
        if same and stack:
            path, kind = list(stack.values())[-1]
            return path, (kind if isinstance(kind, str) else kind.__name__).rsplit(".", 1)[-1]
    return None


def reason_of(error) -> str:
    """The first meaningful line of an error's innermost cause."""
    for link in reversed(_chain(error)):
        for line in str(link).splitlines():
            if line.strip():
                return line.strip()
    return type(error).__name__
