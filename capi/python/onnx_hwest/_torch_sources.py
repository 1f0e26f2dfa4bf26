"""Models by name or PyTorch file, for the command line: exported once, step by step, then analysed like any other."""

from __future__ import annotations

import contextlib
import importlib
import logging
import os
import re
import typing
import warnings

from ._torch_files import Refused, Unreadable, of_file

__all__ = ["OPTIONS", "Refused", "Unreadable", "exported", "listing", "sources_in", "without_export"]

_LIBRARIES = {"timm": "timm", "hf": "transformers", "torchvision": "torchvision"}  # prefix: package
_FILES = (".pt", ".pth", ".pt2")
_STEPS = 4
_BEFORE_FILES = ("--output", "--export", "--evidence")  # whose value is a file, but no model
OPTIONS = ("--seq-len", "--export")


def is_source(word: str) -> bool:
    return word.partition(":")[0] in _LIBRARIES and ":" in word or word.endswith(_FILES)


def sources_in(words: list[str]) -> list[str]:
    """The models of a command line that are not ONNX files, each once."""
    found = [word for i, word in enumerate(words) if is_source(word) and not (i > 0 and words[i - 1] in _BEFORE_FILES)]
    return list(dict.fromkeys(found))


def listing() -> str:
    """The models that the installed packages offer, a line each."""
    lines = []
    for prefix in _LIBRARIES:
        try:
            lines += [f"{prefix}:{name}" for name in _NAMES[prefix](_package(prefix))]
        except Refused as error:
            lines.append(f"# {error}")
    lines.append("# FILE.pt2: a program of torch.export.save(); FILE.pt, FILE.pth: TorchScript, or of ultralytics")
    return "\n".join(lines) + "\n"


def exported(words: list[str], sources: list[str], say: typing.Callable[[str], None]) -> list[str]:
    """The command line with every one of the sources replaced by its ONNX file. Raises Refused; ExportError."""
    rest, given = _taken(words)
    if "--export" in given and len(sources) > 1:
        raise Refused(f"--export keeps one file, and there are {len(sources)} models: leave it out")
    sequence = _number("--seq-len", given.get("--seq-len"))
    batch = _value_of(words, "--batch")
    # A list makes a sweep; the program makes all its points from one export.
    size = 1 if batch is None or re.search("[,:]", batch) else _number("--batch", batch)
    call = _Call(_shape_in(words), size or 1, sequence)
    files = {}
    for source in sources:
        files[source] = given.get("--export") or _place_of(source)
        _export(source, files[source], call, say)
    say(f"[{_STEPS}/{_STEPS}] analysing {', '.join(files.values())}")
    return [files.get(word, word) for word in rest]


class _Call(typing.NamedTuple):
    """What the user specifies about the inputs."""

    shape: tuple[int, ...] | None
    batch: int
    sequence: int | None


def _export(source: str, file: str, call: _Call, say: typing.Callable[[str], None]) -> None:
    from . import torch as hwest_torch

    say(f"[1/{_STEPS}] loading {source}")
    with _quiet():
        model = _opened(source)
        inputs = _inputs(source, model, call)
    say(f"[2/{_STEPS}] calling it with {_described(inputs)}")
    say(f"[3/{_STEPS}] exporting it, without weights")
    with _whole(file) as unfinished:
        hwest_torch.export(model, inputs, path=unfinished).close()


@contextlib.contextmanager
def _quiet() -> typing.Iterator[None]:
    """Silences libraries' deprecation warnings, and the hub's complaints when offline."""
    logger = logging.getLogger("huggingface_hub")
    level = logger.level
    logger.setLevel(logging.ERROR)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logger.setLevel(level)


def without_export(words: list[str]) -> list[str]:
    """The command line for an ONNX file, which needs no export. Raises Refused."""
    if any(word.partition("=")[0] == "--export" for word in words):
        raise Refused("--export keeps the ONNX file of a PyTorch model: name one, or leave it out")
    return words


def _taken(words: list[str]) -> tuple[list[str], dict[str, str]]:
    """The words without the options of this module, and those."""
    rest, given = [], {}
    words = list(words)
    while words:
        word = words.pop(0)
        name, equals, value = word.partition("=")
        if name not in OPTIONS:
            rest.append(word)
        elif equals or (words and not words[0].startswith("--")):
            given[name] = value if equals else words.pop(0)
        else:
            raise Refused(f"{name} needs a value")
    return rest, given


def _value_of(words: list[str], option: str) -> str | None:
    for i, word in enumerate(words):
        if word == option and i + 1 < len(words):
            return words[i + 1]
        if word.startswith(option + "="):
            return word[len(option) + 1:]
    return None


def _number(option: str, text: str | None) -> int | None:
    if text is None:
        return None
    if not re.fullmatch(r"[1-9]\d{0,8}", text):
        raise Refused(f"{option} cannot be {text!r}: write a whole number of at least 1")
    return int(text)


def _shape_in(words: list[str]) -> tuple[int, ...] | None:
    text = _value_of(words, "--shape")
    if text is None:
        return None
    sizes = text.rpartition("=")[2].split("x")
    if not all(re.fullmatch(r"[1-9]\d*", size) for size in sizes):
        raise Refused(f"--shape cannot be {text!r}: write e.g. 1x3x224x224")
    return tuple(map(int, sizes))


def _place_of(source: str) -> str:
    """Where a model's file stays between calls, so that reports stay the same."""
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    folder = os.path.join(cache, "onnx-hwest", "exports")
    os.makedirs(folder, exist_ok=True)
    name = os.path.basename(source) if source.endswith(_FILES) else source
    return os.path.join(folder, re.sub(r"[^\w.-]", "_", name) + ".onnx")


@contextlib.contextmanager
def _whole(file: str) -> typing.Iterator[str]:
    """A file that is moved into place once it is complete."""
    unfinished = f"{file}.{os.getpid()}.tmp"
    try:
        yield unfinished
        os.replace(unfinished, file)
    finally:
        if os.path.exists(unfinished):
            os.unlink(unfinished)


def _package(prefix: str) -> typing.Any:
    name = _LIBRARIES[prefix]
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise Refused(f"{prefix}: needs {name} ({error}): pip install {name}") from error


def _opened(source: str) -> typing.Any:
    if source.endswith(_FILES):
        return of_file(source)
    prefix, _, name = source.partition(":")
    return _OPEN[prefix](_package(prefix), name)


def _unknown(source: str, near: typing.Iterable[str]) -> Refused:
    like = _like(source.partition(":")[2], near)
    return Refused(f"there is no {source}: `python -m onnx_hwest --list` names what there is{like}")


def _like(name: str, near: typing.Iterable[str]) -> str:
    import difflib

    names = difflib.get_close_matches(name, list(near), n=3)
    return f", such as {', '.join(names)}" if names else ""


def _of_timm(timm: typing.Any, name: str) -> typing.Any:
    if not timm.is_model(name):
        raise _unknown(f"timm:{name}", timm.list_models())
    return timm.create_model(name, pretrained=False)


def _of_torchvision(torchvision: typing.Any, name: str) -> typing.Any:
    if name not in torchvision.models.list_models():
        raise _unknown(f"torchvision:{name}", torchvision.models.list_models())
    # Detectors would otherwise download a backbone.
    more = {"weights_backbone": None} if name in torchvision.models.list_models(torchvision.models.detection) else {}
    return torchvision.models.get_model(name, weights=None, **more)


def _of_transformers(transformers: typing.Any, name: str) -> typing.Any:
    known = transformers.models.auto.configuration_auto.CONFIG_MAPPING
    if name in known:
        config = transformers.AutoConfig.for_model(name)  # as the architecture is by default, from no network
    else:
        try:
            config = transformers.AutoConfig.from_pretrained(name)
        except OSError as error:
            raise Refused(f"hf:{name} cannot be had ({str(error).splitlines()[0]}): name a folder with its "
                          f"config.json, "
                          f"or an architecture that `python -m onnx_hwest --list` names{_like(name, known)}") from error
    if hasattr(config, "use_cache"):
        config.use_cache = False
    return transformers.AutoModel.from_config(config)


def _inputs(source: str, model: typing.Any, call: _Call) -> typing.Any:
    """The inputs of the model; None = its own."""
    import torch

    shape, batch, sequence = call
    if isinstance(model, torch.export.ExportedProgram):
        for option, value in (("--shape", shape), ("--seq-len", sequence)):
            if value is not None:
                raise Refused(f"{source} holds its inputs: leave {option} out")
        return None
    config = getattr(model, "config", None)
    name = getattr(model, "main_input_name", None)
    if source.startswith("hf:") and shape is None:
        return _transformers_inputs(torch, source, config, name, batch, sequence)
    if sequence is not None:
        raise Refused(f"--seq-len is for models that take tokens, and {source} takes none: leave it out")
    if shape is not None:
        return shape
    if source.startswith("torchvision:"):
        return (batch, 3, 299, 299) if "inception" in source else (batch, 3, 224, 224)
    if source.endswith(_FILES) and not isinstance(model, str):
        raise Refused(f"{source} does not say what it is called with: add --shape, e.g. --shape 1x3x224x224")
    own = getattr(model, "pretrained_cfg", None)
    return (batch, *own["input_size"]) if isinstance(own, typing.Mapping) and own.get("input_size") else None


def _transformers_inputs(torch: typing.Any, source: str, config: typing.Any, name: str | None, batch: int,
                         sequence: int | None) -> typing.Any:
    if name == "input_ids":
        return {"input_ids": torch.ones(batch, sequence or 128, dtype=torch.int64)}
    if sequence is not None:
        raise Refused(f"--seq-len is for models that take tokens, and {source} takes {name}: leave it out")
    if name != "pixel_values":
        return None
    size = getattr(getattr(config, "vision_config", config), "image_size", 224)
    height, width = size if isinstance(size, (list, tuple)) else (size, size)
    return {"pixel_values": torch.zeros(batch, getattr(config, "num_channels", 3), height, width)}


def _described(inputs: typing.Any) -> str:
    if inputs is None:
        return "the inputs that it names itself"
    if isinstance(inputs, dict):
        return ", ".join(f"{name} {'x'.join(map(str, value.shape))}" for name, value in inputs.items())
    return "x".join(map(str, inputs))


_OPEN: dict[str, typing.Callable[[typing.Any, str], typing.Any]] = {
    "timm": _of_timm, "hf": _of_transformers, "torchvision": _of_torchvision}
_NAMES: dict[str, typing.Callable[[typing.Any], typing.Iterable[str]]] = {
    "timm": lambda timm: timm.list_models(),
    "hf": lambda transformers: sorted(transformers.models.auto.modeling_auto.MODEL_MAPPING_NAMES),
    "torchvision": lambda torchvision: torchvision.models.list_models(),
}
