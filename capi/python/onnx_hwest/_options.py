"""Options of an analysis: arguments of Python, members of hwest_options.
Written by lib/report/tables/generate.py from lib/analysis/request.table."""

from __future__ import annotations

from typing import Any, Iterable, Mapping, Optional, Sequence, Union

from . import _abi
from ._analysis import Analysis
from ._arguments import (PathLike, amount, choose, contents_of_inputs, count, names, path, path_or_none,
                         shapes as shape_texts, sizes, structure, switch, text, words)
from ._callbacks import Callbacks, Cancel, Log, Progress
from ._handles import Handle
from ._target import Target
from ._words import WORDS


def options_of(loaded: Optional[Handle], target: Union[PathLike, Target, None], callbacks: Callbacks, *,
               objective: str = "latency", mode: Optional[str] = None, precision: Optional[str] = None,
               fusions: Optional[str] = None, batch: Optional[int] = None, dims: Optional[Mapping[str, int]] = None,
               shapes: Optional[Mapping[str, Sequence[int]]] = None, expect: Optional[Mapping[str, int]] = None,
               only: Iterable[str] = (), deny: Iterable[str] = (), assume: Iterable[str] = (), pin: Iterable[str] = (),
               max_segments: Optional[int] = None, values: Optional[Mapping[str, Any]] = None,
               op_rules: Optional[str] = None, toolchains: Optional[Mapping[str, str]] = None,
               fusion_rules: Optional[str] = None, flops_as: Optional[str] = None, power_cap_w: Optional[float] = None,
               overlap: bool = False, host_competes: bool = False, host: Optional[PathLike] = None,
               sparsity: Optional[str] = None, seq_len: Optional[int] = None, image_size: Optional[int] = None,
               measured_profile: Optional[str] = None, context: Optional[int] = None, placement: Optional[str] = None,
               precision_of: Optional[str] = None, rewrite_rules: Optional[str] = None) -> Any:
    """A hwest_options. `loaded`, the handle of a Target, and `callbacks` are the caller's to keep during the call."""
    return structure(
        _abi.hwest_options,
        objective=choose("objective", objective, WORDS["OBJECTIVE"]),
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
        values=contents_of_inputs("values", values),
        op_rules=text("op_rules", op_rules),
        toolchains=names("toolchains", toolchains),
        fusion_rules=text("fusion_rules", fusion_rules),
        flops_as=text("flops_as", flops_as),
        power_cap_w=amount("power_cap_w", power_cap_w),
        overlap=switch("overlap", overlap),
        host_competes=switch("host_competes", host_competes),
        host=path_or_none("host", host),
        sparsity=text("sparsity", sparsity),
        seq_len=count("seq_len", seq_len),
        image_size=count("image_size", image_size),
        measured_profile=text("measured_profile", measured_profile),
        context=count("context", context),
        placement=text("placement", placement),
        precision_of=text("precision_of", precision_of),
        rewrite_rules=text("rewrite_rules", rewrite_rules),
        loaded=loaded.pointer if loaded else None,
        progress=callbacks.progress,
        log=callbacks.log,
        cancel=callbacks.cancel,
    )


class Analyzable:
    """What can be analysed."""

    def _analyze(self, target: Union[PathLike, Target, None], callbacks: Callbacks, **options: Any) -> Analysis:
        raise NotImplementedError

    def analyze(self, target: Union[PathLike, Target, None] = None, *, objective: str = "latency",
                mode: Optional[str] = None, precision: Optional[str] = None, fusions: Optional[str] = None,
                batch: Optional[int] = None, dims: Optional[Mapping[str, int]] = None,
                shapes: Optional[Mapping[str, Sequence[int]]] = None, expect: Optional[Mapping[str, int]] = None,
                only: Iterable[str] = (), deny: Iterable[str] = (), assume: Iterable[str] = (), pin: Iterable[str] = (),
                max_segments: Optional[int] = None, values: Optional[Mapping[str, Any]] = None,
                op_rules: Optional[str] = None, toolchains: Optional[Mapping[str, str]] = None,
                fusion_rules: Optional[str] = None, flops_as: Optional[str] = None, power_cap_w: Optional[float] = None,
                overlap: bool = False, host_competes: bool = False, host: Optional[PathLike] = None,
                sparsity: Optional[str] = None, seq_len: Optional[int] = None, image_size: Optional[int] = None,
                measured_profile: Optional[str] = None, context: Optional[int] = None, placement: Optional[str] = None,
                precision_of: Optional[str] = None, rewrite_rules: Optional[str] = None,
                progress: Optional[Progress] = None, log: Optional[Log] = None,
                cancel: Optional[Cancel] = None) -> Analysis:
        """Estimates this model on a target; without one, counts and shapes only. Raises Error.

        target: built-in name or alias, or the path of a .textproto file, or a Target.
        objective: place for latency or energy: "latency", "energy".
        mode: power mode; None = as the target says.
        precision: auto, fp32, tf32, fp16, bf16, fp8, fp4, int8, w8a16, w4a16, w4a8, mixed (each unit its own) or
            UNIT=P,..; None = auto.
        fusions: "none" makes every node its own kernel; None = what the toolchains fuse.
        batch: inputs per run: the leading dimension that inputs and outputs share; None = as exported.
        dims: size of a symbol or of INPUT.AXIS; {"seq": 128} or {"input.0": 1}.
        shapes: shape of an input, or of every input of that rank; {"input": (1, 3, 224, 224)}, "" for every input of
            that rank.
        expect: a data-dependent size in place of the one of `onnx-hwest describe sizes`; NAME may hold * and ?; {"nms":
            100, "nonzero*": 50}.
        only: units to use; the CPU runs what they refuse.
        deny: "OP@UNIT": never run OP there.
        assume: "OP@UNIT": take OP as supported there.
        pin: "NODE@UNIT": run this node there.
        max_segments: at most N runs on accelerators; None = as many as pay off.
        values: contents of an input: a serialised tensor, FILE.pb, or e.g. [1, 2]; {"input": [1, 2]}: a number, nested
            lists, an array, or the path of a file.
        op_rules: shape and cost of custom operators, see `onnx-hwest describe op-rules`; the text of such a file.
        toolchains: another toolchain for a unit, built in or a file; {"gpu": "pytorch-eager"}.
        fusion_rules: further patterns, see `onnx-hwest describe fusions`; the text of such a file.
        flops_as: count as native, fvcore, torch, thop or onnx-tool does, too; None = do not.
        power_cap_w: the fastest plan whose energy over latency stays within W watts; None = no cap.
        overlap: time the plan again with independent branches side by side.
        host_competes: the host of a module may run what the module can, where that is better.
        host: target whose CPU, in its default mode, takes the place of a module's host, e.g. raspberry-pi-5; the link
            is no wider than the slot that target states, idle power stays the module's; None = as the target says.
        sparsity: 2:4 = take constant weights as 2:4 sparse on units that state a rate for that; the file's are not
            looked at.
        seq_len: length of the sequences: every integer input of rank 2, and inputs as long as those; a static export is
            followed through its constants; None = as exported.
        image_size: height and width of images: inputs of rank 4 with up to four channels; a static export is followed
            through its constants; None = as exported.
        measured_profile: times that a runtime measured operator by operator, laid beside the groups: what `trtexec
            --exportProfile`, ONNX Runtime with enable_profiling, RKNN, QNN, TIDL, TFLite, OpenVINO, Vela and others
            write; the text of such a file.
        context: tokens in the key/value cache of a language model: one step beside them; None = sizes as bound.
        placement: as the toolchain of the target's accelerator divides a model, or the plan of least cost; None =
            toolchain.
        precision_of: layers with a precision of their own: a line "node,format" for each, as `quantize-plan` writes
            them; the text of such a file.
        rewrite_rules: further rules for what rewrites the model, see `onnx-hwest describe rules`; the text of such a
            file.
        progress: called with (stage, index, count) before each stage; False ends with Cancelled.
        log: called with each Diagnostic.
        cancel: ends with Cancelled when another thread asks for it.
        """
        return self._analyze(target, Callbacks(progress, log, cancel), objective=objective, mode=mode,
                             precision=precision, fusions=fusions, batch=batch, dims=dims, shapes=shapes, expect=expect,
                             only=only, deny=deny, assume=assume, pin=pin, max_segments=max_segments, values=values,
                             op_rules=op_rules, toolchains=toolchains, fusion_rules=fusion_rules, flops_as=flops_as,
                             power_cap_w=power_cap_w, overlap=overlap, host_competes=host_competes, host=host,
                             sparsity=sparsity, seq_len=seq_len, image_size=image_size,
                             measured_profile=measured_profile, context=context, placement=placement,
                             precision_of=precision_of, rewrite_rules=rewrite_rules)
