"""From a PyTorch model to a report, without intermediate files.

    import onnx_hwest.torch

    model = onnx_hwest.torch.export(net, torch.zeros(1, 3, 224, 224))
    print(model.analyze("jetson-orin").report())

Needs the PyTorch that made the model, imported when export() is called.
"""

from __future__ import annotations

import contextlib
import io
import logging
import os
import sys
import tempfile
import typing
import warnings

from . import _torch_inputs
from ._model import Model, load
from ._torch_trace import Watch, module_of, operator_of, reason_of

__all__ = ["ExportError", "export"]

_KEPT_BYTES = 16 << 10  # tensors up to this size may be shapes or indices, which the analysis reads
_SCRIPT_OPSET = 17
_LARGEST_PROTO = (1 << 31) - 1


class ExportError(Exception):
    """A model that cannot be called or exported.

    module: path and class of the module where it stopped, e.g. "head.conv (Conv2d)"; None if unknown.
    operator: the operator where it stopped; None if unknown. reasons: the message of each exporter, by its name.
    """

    def __init__(self, what: str, place: tuple[str, str] | None, operator: str | None, reasons: dict[str, str]):
        self.module = None if place is None else f"{place[0] or 'the model'} ({place[1]})"
        self.operator = operator
        self.reasons = reasons
        where = "" if self.module is None else f" in {self.module}"
        at = "" if operator is None else f" at {operator}"
        said = "; ".join(f"{name}: {reason}" for name, reason in reasons.items())
        super().__init__(f"{what} stopped{where}{at}: {said}")


def export(model: typing.Any, example_inputs: typing.Any = None, *, path: str | os.PathLike | None = None,
           weights: bool = False, exporter: str = "auto", opset: int | None = None, name: str | None = None) -> Model:
    """Exports a PyTorch model to ONNX and loads it.

    model: an nn.Module, an ExportedProgram of torch.export, or the path of an ultralytics `.pt` file, which your
    ultralytics opens.
    example_inputs: a tensor; a tuple of forward's arguments; a mapping by name, also for keyword-only inputs. A tuple
    of ints means zeros of that shape. None: the example inputs that models of transformers, timm, Lightning and
    ultralytics provide; an ExportedProgram holds its inputs and takes no others.
    path: where to keep the file; None = nowhere. weights: whether it holds the weights, which no analysis reads.
    exporter: "dynamo", "torchscript", or "auto" for the first that succeeds. name: what reports call it.

    Calls the model once first, without gradients, to create what it makes at its first call, in eval mode, and then
    restores its mode. Raises ExportError, TypeError for inputs that do not fit, ImportError.
    """
    if exporter not in ("auto", *_EXPORTERS):
        raise ValueError(f"exporter {exporter!r}: write auto, {' or '.join(_EXPORTERS)}")
    torch = _import_torch()
    if isinstance(model, torch.export.ExportedProgram):
        return _of_program(torch, model, example_inputs, path, weights, exporter, opset, name)
    model = _opened(torch, model)
    args, kwargs = _torch_inputs.arguments(torch, model, example_inputs)
    job = _Job(torch, model, args, kwargs, opset, weights)
    script = isinstance(model, torch.jit.ScriptModule)
    names = [exporter] if exporter != "auto" else ["torchscript"] if script else list(_EXPORTERS)
    with tempfile.TemporaryDirectory() as folder, _still(torch, model):
        if not script:
            _warm_up(job)
        file = os.fspath(path) if path is not None else os.path.join(folder, "model.onnx")
        _export(job, names, file)
        return _loaded(file, path is not None, name or type(model).__name__)


def _of_program(torch, program, example_inputs, path, weights, exporter, opset, name):
    if example_inputs is not None:
        raise TypeError("an ExportedProgram holds its inputs: leave example_inputs out")
    if exporter == "torchscript":
        raise TypeError("an ExportedProgram goes through dynamo alone: leave exporter out")
    with tempfile.TemporaryDirectory() as folder, _still(torch, torch.nn.Module()):
        file = os.fspath(path) if path is not None else os.path.join(folder, "model.onnx")
        _export(_Job(torch, program, (), {}, opset, weights), ["dynamo"], file)
        return _loaded(file, path is not None, name or "program")


def _import_torch():
    try:
        import torch
    except ImportError as error:
        raise ImportError("onnx_hwest.torch needs PyTorch (pip install torch)") from error
    return torch


def _opened(torch, model):
    """The nn.Module in what the user passed."""
    if isinstance(model, (str, os.PathLike)):
        try:
            from ultralytics import YOLO
        except ImportError as error:
            raise ImportError(f"{os.fspath(model)} needs ultralytics (pip install ultralytics), or pass the nn.Module: "
                              "a .pt file holds no program that others could read") from error
        model = YOLO(os.fspath(model))
    if not isinstance(model, torch.nn.Module) or type(model).__module__.startswith("ultralytics.models"):
        model = getattr(model, "model", model)  # of ultralytics, what does the work
    if not isinstance(model, torch.nn.Module):
        raise TypeError(f"{type(model).__name__} is no nn.Module")
    return model


@contextlib.contextmanager
def _still(torch, model):
    """Evaluation mode, without gradients, output or a change of the random state; ultralytics' heads as for
    export."""
    logger = logging.getLogger("torch")
    level = logger.level
    modes = {module: module.training for module in model.modules()}
    heads = {module: (module.export, module.format) for module in model.modules()
             if hasattr(module, "export") and hasattr(module, "format") and hasattr(module, "stride")}
    model.eval()
    logger.setLevel(logging.ERROR)
    for head in heads:
        head.export, head.format = True, "onnx"
    try:
        with torch.no_grad(), torch.random.fork_rng(devices=[]), warnings.catch_warnings(), \
             contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            warnings.simplefilter("ignore")
            yield
    finally:
        logger.setLevel(level)
        for module, mode in modes.items():
            module.training = mode
        for head, before in heads.items():
            head.export, head.format = before


class _Job(typing.NamedTuple):
    torch: typing.Any
    model: typing.Any
    args: tuple
    kwargs: dict
    opset: int | None
    weights: bool


def _warm_up(job):
    watch = Watch()
    try:
        with watch.modules_of(job.model), watch.functions(job.torch):
            job.model(*job.args, **job.kwargs)
    except Exception as error:
        place = watch.modules[-1] if watch.modules else None
        raise ExportError(f"the forward of {type(job.model).__name__}", place, watch.function,
                          {"forward": reason_of(error)}) from error


def _export(job, names, file):
    """Writes `file` with the first exporter that succeeds; else ExportError with the place that the first one found."""
    place, operator, reasons, first = None, None, {}, None
    for name in names:
        watch, captured = Watch(), []
        try:
            _EXPORTERS[name](job, file, watch, captured)
            return
        except Exception as error:
            found = operator_of(error)
            operator = operator or found
            place = place or module_of(captured[0] if captured else None, found)
            place = place or (watch.modules[-1] if watch.modules else None)
            reasons[name] = reason_of(error)
            first = first or error
    raise ExportError(f"the export of {type(job.model).__name__}", place, operator, reasons) from first


def _dynamo(job, file, watch, captured):
    program = job.model
    if not isinstance(program, job.torch.export.ExportedProgram):
        with watch.modules_of(job.model):
            program = job.torch.export.export(job.model, job.args, job.kwargs, strict=False)
    captured.append(program)
    options = {} if job.opset is None else {"opset_version": job.opset}
    result = job.torch.onnx.export(program, dynamo=True, verbose=False, **options)
    if job.weights:
        size = sum(tensor.numel() * tensor.element_size() for tensor in program.state_dict.values())
        result.save(file, external_data=size > _LARGEST_PROTO // 2)
        return
    import onnx_ir

    _leave_out(onnx_ir, result.model)
    with open(file, "wb") as out:
        out.write(onnx_ir.serde.serialize_model(result.model).SerializeToString())


def _leave_out(onnx_ir, model):
    """Turns the large constants of the graph into references to a file that is not there."""
    offset = 0
    for value in model.graph.initializers.values():
        tensor = value.const_value
        if tensor is None or tensor.nbytes <= _KEPT_BYTES:
            continue
        value.const_value = onnx_ir.ExternalTensor("weights.bin", offset, tensor.nbytes, tensor.dtype,
                                                   shape=tensor.shape, name=tensor.name)
        offset += tensor.nbytes


def _torchscript(job, file, watch, _captured):
    positional = _positional(job)
    options = {"opset_version": job.opset or _SCRIPT_OPSET, "input_names": positional.input_names}
    try:
        # A ScriptModule takes no hooks.
        is_script = isinstance(job.model, job.torch.jit.ScriptModule)
        with contextlib.nullcontext() if is_script else watch.modules_of(job.model), _no_output():
            job.torch.onnx.export(positional.module, positional.inputs, file, dynamo=False, verbose=False, **options)
    finally:
        if os.path.exists(file) and os.path.getsize(file) == 0:
            os.remove(file)
    if not job.weights:
        _strip(file)


@contextlib.contextmanager
def _no_output():
    """Silences the exporter, which prints a failed graph from C++, bypassing sys.stdout."""
    sys.stdout.flush()
    before, nowhere = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    try:
        yield
    finally:
        os.dup2(before, 1)
        os.close(before)
        os.close(nowhere)


class _Positional(typing.NamedTuple):
    module: typing.Any
    inputs: tuple
    input_names: list[str]


def _positional(job):
    """Binds arguments by name and those that are no tensors beforehand: TorchScript passes tensors in order."""
    torch, model = job.torch, job.model
    if isinstance(model, torch.jit.ScriptModule):
        return _Positional(model, job.args, [])
    leaves, spec = torch.utils._pytree.tree_flatten((job.args, job.kwargs))
    places = [i for i, leaf in enumerate(leaves) if isinstance(leaf, torch.Tensor)]

    class Positional(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.model = model

        def forward(self, *tensors):
            given = list(leaves)
            for place, tensor in zip(places, tensors):
                given[place] = tensor
            args, kwargs = torch.utils._pytree.tree_unflatten(given, spec)
            return tuple(_tensors(torch, self.model(*args, **kwargs)))

    names = list(job.kwargs) if not job.args and len(places) == len(job.kwargs) else []
    return _Positional(Positional().eval(), tuple(leaves[place] for place in places), names)


def _tensors(torch, output):
    """The tensors of any nest of tuples, mappings and dataclasses."""
    if isinstance(output, torch.Tensor):
        yield output
        return
    items = output.values() if isinstance(output, typing.Mapping) else output
    if hasattr(output, "__dataclass_fields__") and not isinstance(output, typing.Mapping):
        items = vars(output).values()
    for item in items if isinstance(items, typing.Iterable) and not isinstance(items, str) else ():
        yield from _tensors(torch, item)


def _strip(file):
    """Like _leave_out, on a file; without the onnx package the weights stay."""
    try:
        import onnx
    except ImportError:
        return
    proto = onnx.load(file, load_external_data=False)
    offset = 0
    for tensor in proto.graph.initializer:
        size = len(tensor.raw_data)
        if size <= _KEPT_BYTES:
            continue
        tensor.ClearField("raw_data")
        tensor.data_location = onnx.TensorProto.EXTERNAL
        for key, value in (("location", "weights.bin"), ("offset", offset), ("length", size)):
            tensor.external_data.add(key=key, value=str(value))
        offset += size
    with open(file, "wb") as out:
        out.write(proto.SerializeToString())


def _loaded(file, stays, name):
    if stays or os.path.getsize(file) > _LARGEST_PROTO:
        return load(file)
    with open(file, "rb") as data:
        return load(data.read(), name)


_EXPORTERS = {"dynamo": _dynamo, "torchscript": _torchscript}
