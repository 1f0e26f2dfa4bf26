"""Rows of the C ABI as dataclasses, in the order of hwest.h. None is unknown; units are the suffix of a name."""

from dataclasses import dataclass
from typing import Optional, Tuple, Union

from ._rows import Row

Count = Union[int, str, None]  # a str is a Python expression over the model's free dims


@dataclass(frozen=True)
class Totals(Row):
    """Totals of the whole graph. What could not be counted is only in the node counts. See hwest_totals in hwest.h."""

    grade: Optional[str]
    macs: Count
    int_macs: Count
    flops: Count
    params: int
    params_by_use: int
    buffers: int
    stored_bytes: int
    deployed_bytes: Optional[int]
    moved_bytes: Optional[int]
    peak_memory_bytes: Optional[int]
    batch: Optional[int]
    nodes: int
    typed_nodes: int
    counted_nodes: int
    costed_nodes: Optional[int]
    placed_nodes: Optional[int]
    unknown_nodes: int
    intensity: Optional[float]
    latency_s: Optional[float]
    latency_low_s: Optional[float]
    latency_high_s: Optional[float]
    interval_s: Optional[float]
    throughput_per_s: Optional[float]
    energy_j: Optional[float]
    energy_low_j: Optional[float]
    energy_high_j: Optional[float]
    power_w: Optional[float]
    gap: Optional[float]
    target: Optional[str]
    mode: Optional[str]
    precision: Optional[str]
    causal_macs: Count
    flops_as: Count
    macs_share: Optional[float]
    time_share: Optional[float]
    transfer_s: Optional[float]
    greedy_latency_s: Optional[float]
    overlap_latency_s: Optional[float]
    incomplete: Optional[str]
    measured_share: Optional[float]
    family_share: Optional[float]
    datasheet_share: Optional[float]
    evidence_share: Optional[float]
    size_low_s: Optional[float]
    size_high_s: Optional[float]
    tokens_per_s: Optional[float]
    precisions: Optional[str]
    host_competes: Optional[bool]


@dataclass(frozen=True)
class Group(Row):
    """Nodes that run as one kernel, where, and for how long. See hwest_group in hwest.h."""

    bound: Optional[str]
    id: int
    pattern: str
    name: str
    unit: Optional[str]
    precision: Optional[str]
    nodes: Tuple[int, ...]
    segment: Optional[int]
    macs: Optional[int]
    int_macs: Optional[int]
    flops: Optional[int]
    in_bytes: Optional[int]
    weight_bytes: Optional[int]
    out_bytes: Optional[int]
    saved_bytes: int
    saved_launches: int
    start_s: Optional[float]
    compute_s: Optional[float]
    memory_s: Optional[float]
    overhead_s: Optional[float]
    time_s: Optional[float]
    low_s: Optional[float]
    high_s: Optional[float]
    energy_j: Optional[float]
    utilisation: Optional[float]
    end_s: Optional[float]
    dram_bytes: Optional[int]
    live_bytes: int
    compute_j: Optional[float]
    onchip_j: Optional[float]
    dram_j: Optional[float]
    static_j: Optional[float]
    assumptions: Tuple[str, ...]


@dataclass(frozen=True)
class Node(Row):
    """An operator node. See hwest_node in hwest.h."""

    node_class: str
    id: int
    name: str
    label: str
    domain: str
    op: str
    since: Optional[int]
    origin: str
    graph: int
    module: Optional[str]
    inputs: Tuple[Optional[int], ...]
    outputs: Tuple[Optional[int], ...]
    macs: Count
    int_macs: Count
    flops: Count
    causal_macs: Count
    params: Count
    in_bytes: Count
    weight_bytes: Count
    out_bytes: Count
    group: Optional[int]
    unit: Optional[str]


@dataclass(frozen=True)
class Value(Row):
    """An input, an output, a weight, or what a node makes. See hwest_value in hwest.h."""

    kind: str
    id: int
    name: str
    dtype: Optional[str]
    rank: Optional[int]
    dims: Optional[Tuple[Count, ...]]
    is_input: bool
    is_output: bool
    is_constant: bool
    graph: int
    producer: Optional[int]
    contents: Optional[str]
    blocked_by: Optional[int]


@dataclass(frozen=True)
class Symbol(Row):
    """A size that is no number yet. See hwest_symbol in hwest.h."""

    is_data_dependent: bool
    name: str
    text: str
    min: int
    max: Count
    assumed: Optional[int]
    cause: Optional[str]


@dataclass(frozen=True)
class Opset(Row):
    """A set of operators the model uses. See hwest_opset in hwest.h."""

    domain: str
    version: int


@dataclass(frozen=True)
class Diagnostic(Row):
    """Something the library has to say beside its figures. See hwest_diagnostic in hwest.h."""

    severity: str
    code: str
    message: str
    remedy: Optional[str]
    node: Optional[str]
    value: Optional[str]


@dataclass(frozen=True)
class Module(Row):
    """A module of the source program with everything below it. See hwest_module in hwest.h."""

    path: str
    class_name: Optional[str]
    parent: Optional[int]
    nodes: int
    macs: Count
    flops: Count
    params: int
    time_s: Optional[float]
    energy_j: Optional[float]


@dataclass(frozen=True)
class Segment(Row):
    """A run of groups on one unit. See hwest_segment in hwest.h."""

    contexts: int
    id: int
    unit: str
    reason: str
    groups: Tuple[int, ...]
    in_bytes: int
    out_bytes: int
    start_s: Optional[float]
    transfer_s: Optional[float]
    invoke_s: Optional[float]
    time_s: Optional[float]
    energy_j: Optional[float]
    interval_s: Optional[float]
    reloaded_bytes: Optional[int]


@dataclass(frozen=True)
class Unit(Row):
    """An engine of the target and what it does in this plan. See hwest_unit in hwest.h."""

    kind: str
    name: str
    toolchain: Optional[str]
    is_cpu: bool
    is_placeable: bool
    is_left_out: bool
    is_prefix_only: bool
    groups: int
    macs: int
    busy_s: Optional[float]
    energy_j: Optional[float]


@dataclass(frozen=True)
class Event(Row):
    """An interval of the timeline of one inference. See hwest_event in hwest.h."""

    kind: str
    unit: str
    segment: int
    group: Optional[int]
    start_s: Optional[float]
    end_s: Optional[float]


@dataclass(frozen=True)
class Lifetime(Row):
    """When an activation is in memory. See hwest_lifetime in hwest.h."""

    value: int
    name: str
    bytes: int
    first_group: int
    last_group: int


@dataclass(frozen=True)
class BoundTotal(Row):
    """Part of the latency that one thing bounds. See hwest_bound_total in hwest.h."""

    bound: str
    time_s: Optional[float]
    flops: int
    bytes: int
    groups: int


@dataclass(frozen=True)
class Support(Row):
    """One node on one unit. See hwest_support in hwest.h."""

    verdict: str
    node: int
    label: str
    op: str
    unit: str
    limit: Optional[str]
    what: Optional[str]
    found: Optional[str]
    allowed: Optional[str]
    source: Optional[str]
    only_in_group: bool


@dataclass(frozen=True)
class Change(Row):
    """A change that may help, and the whole model with it in place. See hwest_change in hwest.h."""

    kind: str
    change: str
    flags: Tuple[str, ...]
    edits: Tuple[str, ...]
    target_text: Optional[str]
    batch: int
    latency_s: Optional[float]
    interval_s: Optional[float]
    saving_s: Optional[float]
    energy_j: Optional[float]


@dataclass(frozen=True)
class Context(Row):
    """What a language model costs at one length of the context. See hwest_context in hwest.h."""

    context: int
    first_token_s: Optional[float]
    first_token_low_s: Optional[float]
    first_token_high_s: Optional[float]
    first_token_j: Optional[float]
    token_s: Optional[float]
    token_low_s: Optional[float]
    token_high_s: Optional[float]
    token_j: Optional[float]
    tokens_per_s: Optional[float]
    tokens_low_per_s: Optional[float]
    tokens_high_per_s: Optional[float]
    cache_bytes: Optional[int]
    peak_memory_bytes: Optional[int]


@dataclass(frozen=True)
class Fusion(Row):
    """A node and the pattern that made its group. See hwest_fusion in hwest.h."""

    node: int
    pattern: Optional[str]
    words: Optional[str]
    expression: Optional[str]
    source: Optional[str]


@dataclass(frozen=True)
class Miss(Row):
    """A fusion that nearly happened. See hwest_miss in hwest.h."""

    pattern: str
    node: str
    guard: str
    found: str
    needed: str
    edit: str


@dataclass(frozen=True)
class Move(Row):
    """What one unit would make of a node. See hwest_move in hwest.h."""

    unit: str
    time_s: Optional[float]
    latency_s: Optional[float]


@dataclass(frozen=True)
class ModelInfo(Row):
    """What a model file says of itself. See hwest_model_info in hwest.h."""

    name: str
    producer: str
    ir_version: int
    nodes: int
    values: int
    file_bytes: int
    metadata_bytes: int


@dataclass(frozen=True)
class TargetInfo(Row):
    """A target in a few words. See hwest_target_info in hwest.h."""

    name: str
    aliases: Tuple[str, ...]
    base: Optional[str]
    family: Optional[str]
    summary: str
    units: Tuple[str, ...]
    modes: Tuple[str, ...]
    default_mode: Optional[str]
    precision: Optional[str]
    toolchains: Tuple[str, ...]
    facts: int
    estimated: int
    fitted: int


@dataclass(frozen=True)
class TargetUnit(Row):
    """An engine of a target, in its default power mode. See hwest_target_unit in hwest.h."""

    kind: str
    name: str
    toolchain: Optional[str]
    precision: Optional[str]
    memory: Optional[str]
    is_cpu: bool
    is_placeable: bool
    is_prefix_only: bool
    instances: int
    cores: int
    clock_hz: Optional[float]
    macs_per_s: Optional[float]
    bytes_per_s: Optional[float]
    launch_s: Optional[float]
    invoke_s: Optional[float]
    static_w: Optional[float]


@dataclass(frozen=True)
class TargetMode(Row):
    """A power mode of a target. See hwest_target_mode in hwest.h."""

    is_default: bool
    name: str
    cap_w: Optional[float]


@dataclass(frozen=True)
class Fact(Row):
    """One figure of a target. See hwest_fact in hwest.h."""

    trust: Optional[str]
    path: str
    unit: Optional[str]
    source: str
    note: Optional[str]
    value: Optional[float]
    stated: Optional[float]
    fitted: Optional[float]
    fitted_spread: Optional[float]
    fitted_count: Optional[int]
    fitted_data: Optional[str]
    fitted_shared_by: Optional[str]


@dataclass(frozen=True)
class Problem(Row):
    """One problem of a target file. See hwest_problem in hwest.h."""

    line: int
    path: Optional[str]
    message: str
    remedy: str


@dataclass(frozen=True)
class Accuracy(Row):
    """Errors of predictions over points. See hwest_accuracy in hwest.h."""

    family: Optional[str]
    target: Optional[str]
    device: Optional[str]
    unit: Optional[str]
    runtime: Optional[str]
    mode: Optional[str]
    precision: Optional[str]
    metric: Optional[str]
    devices: Optional[int]
    points: int
    families: int
    fitted: int
    median: Optional[float]
    p90: Optional[float]
    bias: Optional[float]
    coverage80: Optional[float]
    noise: Optional[float]
    roofline_median: Optional[float]
    flops_median: Optional[float]
    spearman: Optional[float]


@dataclass(frozen=True)
class Point(Row):
    """A measurement and what was predicted for it. See hwest_point in hwest.h."""

    is_near: bool
    row: int
    model: str
    family: str
    device: str
    unit: str
    runtime: str
    precision: str
    metric: str
    target: str
    mode: str
    fold: Optional[str]
    measured: Optional[float]
    predicted: Optional[float]
    low: Optional[float]
    high: Optional[float]
    roofline: Optional[float]
    flops: Optional[float]


@dataclass(frozen=True)
class Skipped(Row):
    """Rows of measurements that were passed over. See hwest_skipped in hwest.h."""

    reason: str
    count: int


@dataclass(frozen=True)
class Fit(Row):
    """One fitted figure. See hwest_fit in hwest.h."""

    target: Optional[str]
    path: str
    data: str
    value: Optional[float]
    spread: Optional[float]
    prior: Optional[float]
    min: Optional[float]
    max: Optional[float]
    count: int
