"""The inputs of a PyTorch model: from tensors, shapes, names, or the model itself."""

from __future__ import annotations

import inspect
import itertools
import typing


def _is_shape(value) -> bool:
    return isinstance(value, (tuple, list)) and len(value) > 0 and all(type(size) is int for size in value)


def _floating_dtype(torch, model):
    return next((p.dtype for p in model.parameters() if p.is_floating_point()), torch.float32)


def _filled(torch, model, value):
    """A tensor for a shape; anything else as it is."""
    return torch.zeros(tuple(value), dtype=_floating_dtype(torch, model)) if _is_shape(value) else value


def _own_example(model):
    """The example inputs of models from known libraries; None if this one has none."""
    example = getattr(model, "example_input_array", None)  # Lightning
    if example is None:
        example = getattr(model, "dummy_inputs", None)  # transformers
    if example is not None:
        return example
    for name in ("pretrained_cfg", "default_cfg"):  # timm
        config = getattr(model, name, None)
        if isinstance(config, typing.Mapping) and _is_shape(config.get("input_size")):
            return (1, *config["input_size"])
    if isinstance(getattr(model, "yaml", None), dict) and hasattr(model, "stride"):  # ultralytics
        return (1, model.yaml.get("channels") or model.yaml.get("ch") or 3, 640, 640)
    return None


def arguments(torch, model, example):
    """`example` as (args, kwargs) of the model's forward, on the model's device.

    A tensor or a shape is the first argument, a tuple or list all of them in order, a mapping arguments by name. Raises
    TypeError, with the signature, when forward does not take them.
    """
    if example is None:
        example = _own_example(model)
    signature = None if isinstance(model, torch.jit.ScriptModule) else inspect.signature(model.forward)
    if example is None:
        raise TypeError(f"name the inputs with example_inputs: forward takes {signature or 'inputs'}")
    if isinstance(example, typing.Mapping):
        args, kwargs = (), {name: _filled(torch, model, value) for name, value in example.items()}
    elif _is_shape(example) or not isinstance(example, (tuple, list)):
        args, kwargs = (_filled(torch, model, example),), {}
    else:
        args, kwargs = tuple(_filled(torch, model, value) for value in example), {}
    try:
        if signature is not None:
            signature.bind(*args, **kwargs)
    except TypeError as error:
        raise TypeError(f"example_inputs do not fit: {error}: forward takes {signature}") from None
    device = _device(torch, model)
    return torch.utils._pytree.tree_map(
        lambda value: value.to(device) if isinstance(value, torch.Tensor) and device is not None else value,
        (args, kwargs))


def _device(torch, model):
    """Where the model's tensors are; None when it has none with contents."""
    for tensor in itertools.chain(model.parameters(), model.buffers()):
        if not torch.nn.parameter.is_lazy(tensor) and tensor.device.type != "meta":
            return tensor.device
    return None
