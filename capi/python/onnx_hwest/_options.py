"""Options of Model.analyze() and Model.generation() as the C ABI takes them."""

from __future__ import annotations

from typing import Any, Iterable, Mapping, Optional, Sequence, Union

from . import _abi
from ._arguments import (PathLike, amount, choose, contents, count, names, pairs, path, shapes as shape_texts, sizes,
                         structure, text, words)
from ._callbacks import Callbacks
from ._handles import Handle
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
    return structure(
        _abi.hwest_options,
        objective=choose("objective", objective, _OBJECTIVES),
        target=None if target is None or isinstance(target, Target) else path("target", target),
        mode=text("mode", mode),
        precision=text("precision", precision),
        fusions=text("fusions", fusions),
        batch=count("batch", batch),
        dims=sizes("dims", dims),
        shapes=shape_texts("shapes", shapes),
        expect=sizes("expect", expect),
        only=words("only", only),
        deny=words("deny", deny),
        assume=words("assume", assume),
        pin=words("pin", pin),
        max_segments=count("max_segments", max_segments),
        values=pairs("values", values, lambda _, value: contents(value)),
        op_rules=text("op_rules", op_rules),
        loaded=loaded.pointer if loaded else None,
        toolchains=names("toolchains", toolchains),
        fusion_rules=text("fusion_rules", fusion_rules),
        flops_as=text("flops_as", flops_as),
        power_cap_w=amount("power_cap_w", power_cap_w),
        overlap=_abi.HWEST_OVERLAP_YES if overlap else _abi.HWEST_OVERLAP_NO,
        host_competes=int(host_competes),
        progress=callbacks.progress,
        log=callbacks.log,
        cancel=callbacks.cancel,
        host=None if host is None else path("host", host),
    )
