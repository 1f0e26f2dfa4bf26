"""Option structs of the C ABI from keyword arguments. Written by lib/report/tables/generate.py from
options.table beside it."""

from __future__ import annotations

from typing import Any, Iterable, Mapping, Optional, Sequence, Union

from . import _abi
from . import _arguments as to
from ._arguments import PathLike
from ._handles import Handle
from ._words import WORDS


def watch(*, progress: Any = None, cancel: Any = None) -> Any:
    """A hwest_watch."""
    return to.structure(
        _abi.hwest_watch,
        progress=progress,
        cancel=cancel,
    )


def load_options(*, max_depth: Optional[int] = None, max_rank: Optional[int] = None,
                 max_call_depth: Optional[int] = None, max_nodes: Optional[int] = None,
                 max_objects: Optional[int] = None, max_stdin_bytes: Optional[int] = None,
                 decode_bytes: Optional[int] = None, decode_integer_bytes: Optional[int] = None,
                 log: Any = None) -> Any:
    """A hwest_load_options."""
    return to.structure(
        _abi.hwest_load_options,
        max_depth=to.count("max_depth", max_depth),
        max_rank=to.count("max_rank", max_rank),
        max_call_depth=to.count("max_call_depth", max_call_depth),
        max_nodes=to.count("max_nodes", max_nodes),
        max_objects=to.count("max_objects", max_objects),
        max_stdin_bytes=to.count("max_stdin_bytes", max_stdin_bytes),
        decode_bytes=to.count("decode_bytes", decode_bytes),
        decode_integer_bytes=to.count("decode_integer_bytes", decode_integer_bytes),
        log=log,
    )


def rewrite_options(*, allow_approximate: bool = False, fold: bool = False, annotate: bool = False,
                    rules: Iterable[str] = (), no_rules: Iterable[str] = (), data: Optional[bytes] = None,
                    opset: Optional[int] = None) -> Any:
    """A hwest_rewrite_options."""
    return to.structure(
        _abi.hwest_rewrite_options,
        allow_approximate=to.switch("allow_approximate", allow_approximate),
        fold=to.switch("fold", fold),
        annotate=to.switch("annotate", annotate),
        **to.counted_texts("rules", rules),
        **to.counted_texts("no_rules", no_rules),
        **to.sized(data),
        opset=to.count("opset", opset),
    )


def memory_options(*, rows: bool = False, arenas: Sequence[int] = (), dim_range: Optional[str] = None) -> Any:
    """A hwest_memory_options."""
    return to.structure(
        _abi.hwest_memory_options,
        rows=to.switch("rows", rows),
        **to.counted_ints("arenas", arenas),
        dim_range=to.text("dim_range", dim_range),
    )


def width_options(*, at: Optional[int] = None, layers: Iterable[str] = (), data: Optional[bytes] = None) -> Any:
    """A hwest_width_options."""
    return to.structure(
        _abi.hwest_width_options,
        at=to.count("at", at),
        **to.counted_texts("layers", layers),
        **to.sized(data),
    )


def llm_options(*, what_if: bool = False, models: Iterable[str] = (), targets: Iterable[str] = (),
                mode: Optional[str] = None, runtime: Optional[str] = None, weights: Optional[str] = None,
                kv: Optional[str] = None, prompts: Sequence[int] = (), contexts: Sequence[int] = (),
                batches: Sequence[int] = (), new_tokens: Optional[int] = None, image_tokens: Optional[int] = None,
                draft: Optional[PathLike] = None, draft_tokens: Optional[int] = None, acceptance: Any = None) -> Any:
    """A hwest_llm_options."""
    return to.structure(
        _abi.hwest_llm_options,
        what_if=to.switch("what_if", what_if),
        models=to.words("models", models),
        targets=to.words("targets", targets),
        mode=to.text("mode", mode),
        runtime=to.text("runtime", runtime),
        weights=to.text("weights", weights),
        kv=to.text("kv", kv),
        **to.counted_ints("prompts", prompts),
        **to.counted_ints("contexts", contexts),
        **to.counted_ints("batches", batches),
        new_tokens=to.count("new_tokens", new_tokens),
        image_tokens=to.count("image_tokens", image_tokens),
        draft=to.path_or_none("draft", draft),
        draft_tokens=to.count("draft_tokens", draft_tokens),
        acceptance=acceptance,
    )


def quantize_options(*, formats: Iterable[str] = (), sensitivity: Optional[str] = None, budget: Optional[str] = None,
                     export_as: Optional[str] = None, ranges: Optional[str] = None) -> Any:
    """A hwest_quantize_options."""
    return to.structure(
        _abi.hwest_quantize_options,
        formats=to.words("formats", formats),
        sensitivity=to.text("sensitivity", sensitivity),
        budget=to.text("budget", budget),
        export_as=to.text("export_as", export_as),
        ranges=to.text("ranges", ranges),
    )


def explore_options(*, models: Iterable[str] = (), vary: Optional[Mapping[str, str]] = None,
                    objective: Optional[str] = None, constraint: Optional[str] = None, search: Optional[str] = None,
                    budget: Optional[int] = None, process_nm: Optional[float] = None,
                    output: Optional[PathLike] = None) -> Any:
    """A hwest_explore_options."""
    return to.structure(
        _abi.hwest_explore_options,
        models=to.words("models", models),
        vary=to.names("vary", vary),
        objective=to.text("objective", objective),
        constraint=to.text("constraint", constraint),
        search=to.text("search", search),
        budget=to.count("budget", budget),
        process_nm=to.amount("process_nm", process_nm),
        output=to.path_or_none("output", output),
    )


def fit_options(*, threads: Optional[int] = None, models: Iterable[str] = (), targets: Iterable[str] = (),
                modes: Iterable[str] = (), precisions: Iterable[str] = (), batches: Sequence[int] = (),
                streams: Optional[int] = None, rate: Optional[str] = None, deadline: Optional[str] = None,
                max_power: Optional[str] = None, stages: Iterable[str] = (), prices: Optional[PathLike] = None,
                host: Optional[str] = None) -> Any:
    """A hwest_fit_options."""
    return to.structure(
        _abi.hwest_fit_options,
        threads=to.count("threads", threads),
        models=to.words("models", models),
        targets=to.words("targets", targets),
        modes=to.words("modes", modes),
        precisions=to.words("precisions", precisions),
        **to.counted_ints("batches", batches),
        streams=to.count("streams", streams),
        rate=to.text("rate", rate),
        deadline=to.text("deadline", deadline),
        max_power=to.text("max_power", max_power),
        stages=to.words("stages", stages),
        prices=to.path_or_none("prices", prices),
        host=to.text("host", host),
    )


def limits(*, judge: str = "point", max_latency: Optional[str] = None, min_rate: Optional[str] = None,
           max_energy: Optional[str] = None, max_power: Optional[str] = None, max_memory: Optional[str] = None,
           max_fallback: Optional[str] = None, fits: bool = False, max_ttft: Optional[str] = None,
           min_tokens_per_s: Optional[str] = None) -> Any:
    """A hwest_limits."""
    return to.structure(
        _abi.hwest_limits,
        judge=to.choose("judge", judge, WORDS["JUDGE"]),
        max_latency=to.text("max_latency", max_latency),
        min_rate=to.text("min_rate", min_rate),
        max_energy=to.text("max_energy", max_energy),
        max_power=to.text("max_power", max_power),
        max_memory=to.text("max_memory", max_memory),
        max_fallback=to.text("max_fallback", max_fallback),
        fits=to.switch("fits", fits),
        max_ttft=to.text("max_ttft", max_ttft),
        min_tokens_per_s=to.text("min_tokens_per_s", min_tokens_per_s),
    )


def sweep_lists(*, rewritten: bool = False, models: Iterable[str] = (), targets: Iterable[str] = (),
                modes: Iterable[str] = (), precisions: Iterable[str] = (), batches: Sequence[int] = (),
                dims: Iterable[str] = (), sizes: Sequence[int] = (), loaded_targets: Any = None, loaded: Any = None,
                loaded_count: Any = None, options: Any = None, settings: Optional[Mapping[str, str]] = None) -> Any:
    """A hwest_sweep_lists."""
    return to.structure(
        _abi.hwest_sweep_lists,
        rewritten=to.switch("rewritten", rewritten),
        models=to.words("models", models),
        targets=to.words("targets", targets),
        modes=to.words("modes", modes),
        precisions=to.words("precisions", precisions),
        **to.counted_ints("batches", batches),
        dims=to.words("dims", dims),
        **to.counted_ints("sizes", sizes),
        loaded_targets=loaded_targets,
        loaded=loaded,
        loaded_count=loaded_count,
        options=options,
        settings=to.names("settings", settings),
    )


def sweep_options(*, threads: Optional[int] = None, loaded: Any = None, loaded_count: Any = None, first: Any = None,
                  count: Any = None, failed: Optional[str] = None, progress: Any = None, cancel: Any = None,
                  data: Any = None, data_sizes: Any = None) -> Any:
    """A hwest_sweep_options."""
    return to.structure(
        _abi.hwest_sweep_options,
        threads=to.count("threads", threads),
        loaded=loaded,
        loaded_count=loaded_count,
        first=first,
        count=count,
        failed=to.text("failed", failed),
        progress=progress,
        cancel=cancel,
        data=data,
        data_sizes=data_sizes,
    )


def validate_options(*, measurements: PathLike, models: PathLike, leave_out: str = "none",
                     target: Optional[PathLike] = None, loaded: Optional[Handle] = None, progress: Any = None,
                     cancel: Any = None, threads: Optional[int] = None) -> Any:
    """A hwest_validate_options."""
    return to.structure(
        _abi.hwest_validate_options,
        measurements=to.path("measurements", measurements),
        models=to.path("models", models),
        leave_out=to.choose("leave_out", leave_out, WORDS["LEAVE_OUT"]),
        target=to.path_or_none("target", target),
        loaded=loaded.pointer if loaded else None,
        progress=progress,
        cancel=cancel,
        threads=to.count("threads", threads),
    )


def calibrate_options(*, measurements: PathLike, models: PathLike, target: PathLike, threads: Optional[int] = None,
                      progress: Any = None, cancel: Any = None) -> Any:
    """A hwest_calibrate_options."""
    return to.structure(
        _abi.hwest_calibrate_options,
        measurements=to.path("measurements", measurements),
        models=to.path("models", models),
        target=to.path("target", target),
        threads=to.count("threads", threads),
        progress=progress,
        cancel=cancel,
    )


def report_options(*, kind: str = "analysis", format: str = "text", level: Optional[str] = None,
                   top: Optional[int] = None, node: Optional[str] = None, what_if: Optional[Handle] = None,
                   explanation: Optional[Handle] = None, color: bool = False, color_by: Optional[str] = None,
                   collapse: str = "auto", unfold: bool = False, chart: Optional[str] = None,
                   start: Optional[int] = None, end: Optional[int] = None, max_nodes: Optional[int] = None,
                   context: Optional[int] = None, around: Union[None, str, int] = None, module: Optional[str] = None,
                   grep: Optional[str] = None, ops: Iterable[str] = (), units: Iterable[str] = (),
                   bounds: Iterable[str] = (), columns: Iterable[str] = ()) -> Any:
    """A hwest_report_options."""
    return to.structure(
        _abi.hwest_report_options,
        kind=to.choose("kind", kind, WORDS["REPORT"]),
        format=to.choose("format", format, WORDS["FORMAT"]),
        level=to.choose("level", level, WORDS["LEVEL"]),
        top=to.count_or_zero("top", top),
        node=to.text("node", node),
        what_if=what_if.pointer if what_if else None,
        explanation=explanation.pointer if explanation else None,
        color=to.switch("color", color),
        color_by=to.choose("color_by", color_by, WORDS["COLOR_BY"]),
        collapse=to.choose("collapse", collapse, WORDS["COLLAPSE"]),
        unfold=to.switch("unfold", unfold),
        chart=to.choose("chart", chart, WORDS["CHART"]),
        start=to.id_or_first("start", start),
        end=to.count_or_zero("end", end),
        max_nodes=to.count("max_nodes", max_nodes),
        context=to.count_or_zero("context", context),
        around=to.node_name("around", around),
        module=to.text("module", module),
        grep=to.text("grep", grep),
        ops=to.words("ops", ops),
        units=to.words("units", units),
        bounds=to.words("bounds", bounds),
        columns=to.words("columns", columns),
    )
