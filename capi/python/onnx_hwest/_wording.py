"""Messages of the C library name members of its option structs; here they name the keyword arguments that fill them."""

import re
from typing import Dict

from ._option_forms import DICTS, SHAPES

# What has another name in Python; a member that is not listed is the keyword of that name.
_CALLS: Dict[str, str] = {
    "hwest_target_list_create()": "onnx_hwest.targets()",
    "hwest_lint_create()": "onnx_hwest.lint_target()",
    "hwest_generation_create()": "Model.generation()",
    "hwest_analysis_module_get()": "Analysis.modules",
}
_MEMBER = re.compile(r'\boptions\.(\w+)(?: = (\{[^}]*\}|"[^"]*"|[\w.]+))?')


def in_python(message: str) -> str:
    """'set options.dims = {"seq=1"}' -> 'set dims={"seq": 1}'."""
    for call, word in _CALLS.items():
        message = message.replace(call, word)
    return _MEMBER.sub(_keyword, message)


def _keyword(found: "re.Match[str]") -> str:
    name, value = found[1], found[2]
    if value is None:
        return name
    if not value.startswith("{"):
        return f"{name}={value}"
    elements = re.findall(r'"([^"]*)"', value)
    if name in SHAPES:
        return f"{name}={{{', '.join(map(_shape, elements))}}}"
    if name in DICTS:
        return f"{name}={{{', '.join(map(_entry, elements))}}}"
    return f"{name}=[{', '.join(f'{element!r}' for element in elements)}]"


def _entry(text: str) -> str:
    name, _, value = text.partition("=")
    quoted = value if re.fullmatch(r"-?\d+|\[.*\]|N", value) else f'"{value}"'
    return f'"{name}": {quoted}'


def _shape(text: str) -> str:
    name, equals, sizes = text.rpartition("=")
    return f'"{name if equals else ""}": ({", ".join(sizes.split("x"))}{"," if "x" not in sizes else ""})'
