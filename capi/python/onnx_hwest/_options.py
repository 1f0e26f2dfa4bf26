"""What Model.analyze() and Model.generation() can be told, as the C ABI takes it."""

from __future__ import annotations

import ctypes
from typing import Any, Iterable, Mapping, Optional, Sequence, Union

from . import _abi
from ._arguments import PathLike, choose, contents, count, shapes as shape_texts, sizes, strings, words
from ._callbacks import Callbacks
from ._handles import Handle
from ._library import encode
from ._target import Target

_OBJECTIVES = {"latency": _abi.HWEST_OBJECTIVE_LATENCY, "energy": _abi.HWEST_OBJECTIVE_ENERGY}


def options_of(loaded: Optional[Handle], target: Union[PathLike, Target, None], callbacks: Callbacks, *,
               mode: Optional[str] = None, precision: Optional[str] = None, fusions: Optional[str] = None,
               objective: str = "latency", batch: Optional[int] = None, dims: Optional[Mapping[str, int]] = None,
               shapes: Optional[Mapping[str, Sequence[int]]] = None, expect: Optional[Mapping[str, int]] = None,
               only: Iterable[str] = (), deny: Iterable[str] = (), assume: Iterable[str] = (),
               pin: Iterable[str] = (), max_segments: Optional[int] = None,
               values: Optional[Mapping[str, Any]] = None, op_rules: Optional[str] = None,
               toolchains: Optional[Mapping[str, str]] = None, fusion_rules: Optional[str] = None,
               flops_as: Optional[str] = None, power_cap_w: Optional[float] = None, overlap: bool = False,
               host_competes: bool = False,
               host: Optional[PathLike] = None) -> Any:
    """A hwest_options. `loaded`, the handle of a Target, and `callbacks` are the caller's to keep during the call."""
    return _abi.hwest_options(
        struct_size=ctypes.sizeof(_abi.hwest_options),
        objective=choose("objective", objective, _OBJECTIVES),
        target=None if isinstance(target, Target) else encode(target),
        mode=encode(mode),
        precision=encode(precision),
        fusions=encode(fusions),
        batch=count("batch", batch),
        dims=sizes(dims),
        shapes=shape_texts(shapes),
        expect=sizes(expect),
        only=strings(words("only", only)),
        deny=strings(words("deny", deny)),
        assume=strings(words("assume", assume)),
        pin=strings(words("pin", pin)),
        max_segments=count("max_segments", max_segments),
        values=strings(f"{key}={contents(value)}" for key, value in (values or {}).items()),
        op_rules=encode(op_rules),
        loaded=loaded.pointer if loaded else None,
        toolchains=strings(f"{unit}={toolchain}" for unit, toolchain in (toolchains or {}).items()),
        fusion_rules=encode(fusion_rules),
        flops_as=encode(flops_as),
        power_cap_w=power_cap_w or 0,
        overlap=_abi.HWEST_OVERLAP_YES if overlap else _abi.HWEST_OVERLAP_NO,
        host_competes=int(host_competes),
        progress=callbacks.progress,
        log=callbacks.log,
        cancel=callbacks.cancel,
        host=encode(host),
    )
