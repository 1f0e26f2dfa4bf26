"""Inspects a PyTorch file without running its code."""

from __future__ import annotations

import os
import pickletools
import typing
import zipfile

_PICKLE = b"\x80"  # how files begin that were written before PyTorch 1.6


class Refused(Exception):
    """A model that is not available, and what to do about it."""


class Unreadable(Refused):
    """A file that does not exist or is of another kind."""


def of_file(path: str) -> typing.Any:
    """What onnx_hwest.torch.export() takes: a program, a ScriptModule, or the path of a file of ultralytics."""
    if not os.path.isfile(path):
        raise Unreadable(f"cannot open {path}: check the path")
    try:
        import torch
    except ImportError as error:
        raise Refused(f"{path}: needs torch ({error}): pip install torch") from error
    members = _members(path)
    if any(name.endswith("archive_format") or name == "serialized_exported_program.json" for name in members):
        return torch.export.load(path)
    try:
        return torch.jit.load(path, map_location="cpu")
    except RuntimeError:
        pass  # no TorchScript
    classes = _classes(path, members)
    if classes is None:
        raise Unreadable(f"{path} is no file of PyTorch: name one that torch.export.save() or torch.jit.save() wrote")
    if any(name.startswith("ultralytics.") for name in classes):
        return path
    raise Refused(f"{path} holds {_held(torch, path, classes)} and no program: call onnx_hwest.torch.export() on the "
                  "nn.Module, or save it with torch.export.save()")


def _members(path: str) -> list[str]:
    if not zipfile.is_zipfile(path):
        return []
    with zipfile.ZipFile(path) as archive:
        return archive.namelist()


def _classes(path: str, members: list[str]) -> list[str] | None:
    """Names of the classes that unpickling would load; None = the file is no pickle."""
    name = next((name for name in members if name.endswith("data.pkl")), None)
    with zipfile.ZipFile(path).open(name) if name is not None else open(path, "rb") as file:
        if name is None and file.peek(1)[:1] != _PICKLE:
            return None
        found = []
        try:
            while file.peek(1):  # old files are several pickles, then tensors
                codes = pickletools.genops(file)
                found += [str(arg).replace(" ", ".") for code, arg, _ in codes if code.name == "GLOBAL"]
        except ValueError:
            pass
        return found


def _held(torch: typing.Any, path: str, classes: list[str]) -> str:
    try:
        state = torch.load(path, map_location="cpu", weights_only=True)
    except Exception:  # other classes than those of tensors
        return f"a pickled {classes[0]}" if classes else "a pickle"
    return f"{len(state)} tensors" if isinstance(state, dict) else "tensors"
