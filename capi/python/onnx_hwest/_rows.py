"""Rows of the C ABI as dataclasses. None is unknown."""

import math
from dataclasses import dataclass, fields
from typing import Optional, Tuple, Union

from . import _abi
from ._library import decode

_GRADES = {
    _abi.HWEST_GRADE_UNKNOWN: None,
    _abi.HWEST_GRADE_MEASURED: "measured",
    _abi.HWEST_GRADE_FAMILY: "family",
    _abi.HWEST_GRADE_DATASHEET: "datasheet",
}
_BOUNDS = {
    _abi.HWEST_BOUND_UNKNOWN: None,
    _abi.HWEST_BOUND_COMPUTE: "compute",
    _abi.HWEST_BOUND_MEMORY: "memory",
    _abi.HWEST_BOUND_OVERHEAD: "overhead",
    _abi.HWEST_BOUND_TRANSFER: "transfer",
    _abi.HWEST_BOUND_BALANCED: "balanced",
}

Count = Union[int, str, None]  # a str is a Python expression over the model's free dims


@dataclass(frozen=True)
class Totals:
    """Totals of the whole graph; see hwest_totals in hwest.h. What could not be counted is only in the node counts."""

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


@dataclass(frozen=True)
class Group:
    """Nodes that run as one kernel, where, and for how long; see hwest_group in hwest.h."""

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


def _plain(field):
    if isinstance(field, _abi.hwest_count):
        return decode(field.text) if field.value < 0 else field.value
    if isinstance(field, float):
        return None if math.isnan(field) else field
    if isinstance(field, int):
        return None if field == -1 else field
    return decode(field)


def _row(row_class, struct, **special):
    plain = {f.name: _plain(getattr(struct, f.name)) for f in fields(row_class) if f.name not in special}
    return row_class(**plain, **special)


def totals_of(struct):
    return _row(Totals, struct, grade=_GRADES.get(struct.grade))


def group_of(struct):
    nodes = tuple(struct.nodes[i] for i in range(struct.node_count))
    return _row(Group, struct, bound=_BOUNDS.get(struct.bound), nodes=nodes)
