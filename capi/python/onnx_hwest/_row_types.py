"""Rows of the C ABI as dataclasses, written by lib/report/tables/generate.py. None is unknown; units are the
suffix of a name."""

from dataclasses import dataclass
from typing import Optional, Tuple, Union

from ._rows import Row

Count = Union[int, str, None]  # a str is a Python expression over the model's free dims


@dataclass(frozen=True)
class Group(Row):
    """Nodes that run as one kernel, where, and for how long. See hwest_group in hwest_rows.h."""

    id: int
    """= index of the row"""
    pattern: str
    """name of the fusion, or the op of a node that runs alone"""
    nodes: Tuple[int, ...]
    """ids, ascending"""
    unit: Optional[str]
    """that runs it; None = none does"""
    segment: Optional[int]
    """run of groups on one unit; None = none"""
    precision: Optional[str]
    """it runs at; None = unknown"""
    macs: Optional[int]
    """of all its runs in one inference"""
    int_macs: Optional[int]
    """the part of macs whose operands are integer in the graph"""
    flops: Optional[int]
    """2 * macs + other float operations"""
    in_bytes: Optional[int]
    """activations read from outside"""
    weight_bytes: Optional[int]
    """constants read, as deployed"""
    out_bytes: Optional[int]
    """written for use outside"""
    dram_bytes: Optional[int]
    """that cross to the shared memory, or to a cache in front of it"""
    live_bytes: int
    """activations alive while it runs, data-dependent sizes at their upper bound; with deployed_bytes their maximum is
    the peak, unless addresses leave gaps"""
    onchip_bytes: Optional[int]
    """that cross the memory on the chip; 0 = there is none"""
    saved_bytes: int
    """not moved thanks to the fusion"""
    saved_launches: int
    """kernels not launched thanks to the fusion"""
    start_s: Optional[float]
    """from the beginning of the inference"""
    end_s: Optional[float]
    """start_s + time_s"""
    intensity: Optional[float]
    """flops per byte read or written; None = no traffic, or counts unknown"""
    compute_s: Optional[float]
    """time of the arithmetic alone"""
    memory_s: Optional[float]
    """time of the traffic alone"""
    overhead_s: Optional[float]
    """time of launching it"""
    time_s: Optional[float]
    """>= max(compute_s, memory_s)"""
    low_s: Optional[float]
    """of the prediction interval of time_s"""
    high_s: Optional[float]
    """of the prediction interval of time_s"""
    energy_j: Optional[float]
    """of all its runs in one inference"""
    compute_j: Optional[float]
    """part of energy_j: the arithmetic"""
    onchip_j: Optional[float]
    """part of energy_j: accesses of on-chip memories"""
    dram_j: Optional[float]
    """part of energy_j: accesses of the shared memory"""
    static_j: Optional[float]
    """part of energy_j: of being powered"""
    bound: Optional[str]
    """what its time is bound by: 'compute', 'memory', 'overhead', 'transfer', 'balanced'"""
    utilisation: Optional[float]
    """compute at dense peak / time_s"""
    assumptions: Tuple[str, ...]
    """that the estimate rests on"""
    energy_low_j: Optional[float]
    """of the prediction interval of energy_j"""
    energy_high_j: Optional[float]
    """of the prediction interval of energy_j"""
    grade: Optional[str]
    """how far the figures of its unit can be trusted; None = no unit: 'measured', 'family', 'datasheet', 'assumed'"""
    name: str
    """of the node the group is for"""
    measured_s: Optional[float]
    """time that a measured profile has of it alone; None = not measured, or only together with other groups"""
    measured_ratio: Optional[float]
    """measured over predicted time, of all groups that were measured together with it; None = not measured"""
    root: int
    """the node the group is for, which need not be the last of `nodes`"""
    dram_intensity: Optional[float]
    """flops per byte of dram_bytes; None = none crosses, or counts unknown"""
    reload_bytes: Optional[int]
    """those of dram_bytes that cross once more: no tile on the chip holds a whole operand"""
    tile_m: Optional[int]
    """rows of a tile of its largest contraction, [m, k] x [k, n]; None = no contraction, or no memory on the chip of
    known size"""
    tile_n: Optional[int]
    """columns of it"""
    tile_k: Optional[int]
    """depth of it"""
    loop_order: Optional[str]
    """which operand waits on the chip while the others stream past it: 'weight_stationary', 'input_stationary' or
    'output_stationary'"""


@dataclass(frozen=True)
class Traffic(Row):
    """What a memory gives and takes while a group runs. See hwest_traffic in hwest_rows.h."""

    group: int
    """that runs meanwhile"""
    memory: str
    """as the target calls it"""
    read_bytes: int
    """from it, by the unit or to fill a nearer memory"""
    written_bytes: int
    """to it, by the unit or from a farther memory"""


@dataclass(frozen=True)
class MeasuredEntry(Row):
    """A kernel of a measured profile, and what of the plan it is about. See hwest_measured_entry in hwest_rows.h."""

    name: str
    """as the profile has it"""
    op: Optional[str]
    """operator that it ran; None = the profile does not say"""
    time_s: float
    """of one inference"""
    match: str
    """'groups' that are measured; 'part' of groups whose main node no kernel names; nodes that have 'no kernel' in the
    plan; 'none' of the model's nodes"""
    nodes: Tuple[int, ...]
    """ids that its name stands for, ascending"""
    groups: Tuple[int, ...]
    """ids that hold them, ascending"""
    set_time_s: Optional[float]
    """of all kernels that are about the same groups; None = none is measured"""
    set_predicted_s: Optional[float]
    """predicted for these groups; None = none is measured, or a time is unknown"""


@dataclass(frozen=True)
class Segment(Row):
    """A run of groups on one unit. See hwest_segment in hwest_rows.h."""

    id: int
    """= index of the row"""
    unit: str
    """that runs it"""
    groups: Tuple[int, ...]
    """ids, in execution order"""
    in_bytes: int
    """read from other segments or inputs of the model"""
    out_bytes: int
    """written for other segments or as outputs of the model"""
    transfer_s: float
    """first its inputs are moved,"""
    invoke_s: float
    """then it is started,"""
    start_s: float
    """from the beginning of the inference"""
    time_s: Optional[float]
    """then its groups run; in a pipeline no sum of theirs; None = that of some group is unknown"""
    energy_j: Optional[float]
    """of all three"""
    reason: str
    """why it starts here"""
    contexts: Optional[int]
    """of pipelined units: parts loaded one after the other; None = no such unit"""
    interval_s: Optional[float]
    """of pipelines: between results when inferences follow each other"""
    reloaded_bytes: Optional[int]
    """of pipelines: weights and values that cross memory because of contexts"""
    low_s: Optional[float]
    """of the prediction interval of time_s"""
    high_s: Optional[float]
    """of the prediction interval of time_s"""
    energy_low_j: Optional[float]
    """of the prediction interval of energy_j"""
    energy_high_j: Optional[float]
    """of the prediction interval of energy_j"""
    grade: str
    """how far the figures of its unit can be trusted: 'unknown', 'measured', 'family', 'datasheet', 'assumed'"""


@dataclass(frozen=True)
class Unit(Row):
    """An engine of the target and what it does in this plan. See hwest_unit in hwest_rows.h."""

    name: str
    """as the target calls it"""
    kind: str
    """what it is: 'unknown', 'simt_gpu', 'systolic', 'dataflow', 'vector_dsp', 'simd_cpu'"""
    toolchain: Optional[str]
    """that compiles for it; None = none is stated"""
    groups: int
    """that it runs"""
    busy_s: Optional[float]
    """of one inference; None = the time of some group on it is unknown"""
    energy_j: Optional[float]
    """of its groups"""
    macs: int
    """that it runs"""
    grade: str
    """how far its figures can be trusted: 'unknown', 'measured', 'family', 'datasheet', 'assumed'"""
    is_cpu: bool
    """it runs what the others refuse"""
    is_placeable: bool
    """work can be put there"""
    is_left_out: bool
    """by the request"""
    is_prefix_only: bool
    """it takes one segment, from the inputs on"""


@dataclass(frozen=True)
class BoundTotal(Row):
    """Latency split by what it is bound by. See hwest_bound_total in hwest_rows.h."""

    bound: str
    """what the time is bound by: 'unknown', 'compute', 'memory', 'overhead', 'transfer', 'balanced'"""
    time_s: float
    """part of the latency"""
    flops: int
    """of these groups"""
    bytes: int
    """read and written by these groups"""
    groups: int
    """bound by it"""
    intensity: Optional[float]
    """flops per byte read or written; None = no traffic"""
    groups_share: Optional[float]
    """of all groups; None = there are none"""
    flops_share: Optional[float]
    """of those of all groups that have a bound; None = there are none"""
    bytes_share: Optional[float]
    """of those of all groups that have a bound; None = there are none"""


@dataclass(frozen=True)
class Module(Row):
    """A module of the source program with everything below it. See hwest_module in hwest_rows.h."""

    path: str
    """'' = the root"""
    parent: Optional[int]
    """index of its row; None = none"""
    class_name: Optional[str]
    """None = unknown"""
    nodes: int
    """in it"""
    macs: Count
    """of its nodes"""
    flops: Count
    """of its nodes"""
    params: int
    """elements of the weights it uses, each once"""
    time_s: Optional[float]
    """of its nodes; of the root latency_s, transfers and invokes included"""
    energy_j: Optional[float]
    """as time_s"""


@dataclass(frozen=True)
class Support(Row):
    """One node on one unit. See hwest_support in hwest_rows.h."""

    label: str
    """of the node"""
    op: str
    """operator of the node"""
    unit: str
    """its name"""
    verdict: str
    """whether the unit runs the node: 'yes', 'no', 'noted'"""
    limit: Optional[str]
    """that decided, as the toolchain's file writes it; None = none"""
    what: Optional[str]
    """the same in words; None = none"""
    found: Optional[str]
    """None = does not apply, as the next two"""
    allowed: Optional[str]
    """what the limit asks for"""
    source: Optional[str]
    """of the limit"""
    node: int
    """id """
    only_in_group: bool
    """runs only as a member of the fusion the toolchain states"""
    evidence: Optional[str]
    """how the verdict is known; None = nothing was stated: 'compiler', 'list', 'inferred', 'request'"""
    document: Optional[str]
    """that source names: title, with the version of the compiler or list"""


@dataclass(frozen=True)
class Refusal(Row):
    """Nodes of one operator that one unit refuses for one reason. See hwest_refusal in hwest_rows.h."""

    unit: str
    """its name"""
    op: str
    """operator of the nodes"""
    limit: Optional[str]
    """that refuses them, as the toolchain's file writes it"""
    what: Optional[str]
    """the same in words; None = none"""
    found: Optional[str]
    """in the first node; None = does not apply, as the next two"""
    allowed: Optional[str]
    """what the limit asks for"""
    source: Optional[str]
    """of the limit"""
    document: Optional[str]
    """that source names: title, with the version of the compiler or list"""
    evidence: Optional[str]
    """how the refusal is known: 'compiler', 'list', 'inferred', 'request'"""
    nodes: int
    """how many"""
    nodes_share: float
    """of the kernels of the model"""
    macs: int
    """of them, where they are known"""
    macs_share: Optional[float]
    """of those of the model; None = it has none that are known"""
    example: str
    """label of the first of them"""
    example_id: int
    """its id"""
    cure_kind: Optional[str]
    """the shortest change, of those tried, that helps most of them; None = none helps: 'none', 'rewrite', 'fold',
    'opset', 'toolchain', 'precision', 'cut'"""
    cure: Optional[str]
    """the same in words"""
    cure_nodes: int
    """of the nodes that are refused no longer then"""
    cure_command: Optional[str]
    """that makes the change"""


@dataclass(frozen=True)
class Event(Row):
    """An interval of the timeline of one inference. See hwest_event in hwest_rows.h."""

    kind: str
    """what happens: 'transfer', 'invoke', 'group', 'pipeline'"""
    unit: str
    """where """
    segment: int
    """index """
    group: Optional[int]
    """index; None = all of the segment"""
    start_s: float
    """from the beginning of the inference"""
    end_s: float
    """of the last event = latency_s"""


@dataclass(frozen=True)
class Lifetime(Row):
    """When an activation is in memory. Weights have no rows: all of them are there all the time. See hwest_lifetime in
    hwest_rows.h."""

    value: int
    """id """
    name: str
    """of the value"""
    bytes: Optional[int]
    """as deployed"""
    first_group: int
    """that makes it; of inputs of the model the first; after the one that hands its place over"""
    last_group: int
    """that reads it; of outputs of the model the last; before the one that takes its place over"""


@dataclass(frozen=True)
class Totals(Row):
    """Totals of the whole graph. What could not be counted is not in them, but in unknown_nodes and the node counts.
    See hwest_totals in hwest_rows.h."""

    grade: Optional[str]
    """how far the target's figures can be trusted; None = no target: 'measured', 'family', 'datasheet', 'assumed'"""
    macs: Count
    """multiply-accumulates of contractions"""
    int_macs: Count
    """the part of macs whose operands are integer in the graph"""
    flops: Count
    """2 * macs + other float operations"""
    params: int
    """elements of distinct weight tensors"""
    params_by_use: int
    """the same, summed over uses"""
    buffers: int
    """statistics of BatchNormalization"""
    stored_bytes: int
    """weights in the file"""
    deployed_bytes: Optional[int]
    """weights and other constants at the precision run"""
    moved_bytes: Optional[int]
    """read and written by all groups, before residency"""
    peak_memory_bytes: Optional[int]
    """deployed weights + largest sum of live activations + what their addresses leave unused, data-dependent sizes at
    their upper bound"""
    batch: Optional[int]
    """inputs per run: the leading dim that every input of rank 2 or more (caches aside) and an output have in common,
    or their dim called batch or N; 1 = one, or no such dim"""
    nodes: int
    """after inlining"""
    typed_nodes: int
    """whose outputs have a known type and shape"""
    counted_nodes: int
    """with a work rule that could be evaluated"""
    costed_nodes: Optional[int]
    """with a time"""
    placed_nodes: Optional[int]
    """that a unit runs"""
    unknown_nodes: int
    """without a rule"""
    intensity: Optional[float]
    """flops per moved byte"""
    latency_s: Optional[float]
    """of one inference: warm, steady clocks, without pre- and post-processing"""
    latency_low_s: Optional[float]
    """of the prediction interval"""
    latency_high_s: Optional[float]
    """of the prediction interval; None as energy_high_j and power_w where a node has no time: the other figures are
    bounds then"""
    interval_s: Optional[float]
    """between results when inferences follow each other"""
    throughput_per_s: Optional[float]
    """batch / interval_s"""
    energy_j: Optional[float]
    """of one inference"""
    energy_low_j: Optional[float]
    """of the prediction interval"""
    energy_high_j: Optional[float]
    """of the prediction interval"""
    power_w: Optional[float]
    """energy_j / interval_s"""
    gap: Optional[float]
    """how far from the best placement this one can be at most, share of it; 0 = optimal"""
    target: Optional[str]
    """its full name"""
    mode: Optional[str]
    """power mode"""
    precision: Optional[str]
    """of the main unit"""
    causal_macs: Count
    """macs when what causal masks hide is skipped; unknown also when nothing is causal"""
    flops_as: Count
    """in the convention of flops_as"""
    macs_share: Optional[float]
    """of the macs that are costed; None = the macs of some node are unknown"""
    time_share: Optional[float]
    """of the time that is known: 1 when every group has one, else not known itself"""
    transfer_s: Optional[float]
    """part of latency_s that moves values between units"""
    greedy_latency_s: Optional[float]
    """of the plan that takes the longest segments, for comparison"""
    overlap_latency_s: Optional[float]
    """with overlap=True"""
    incomplete: Optional[str]
    """what is unknown, in words; None = nothing"""
    measured_share: Optional[float]
    """of latency_s, on units fitted to measurements of this very device"""
    family_share: Optional[float]
    """of latency_s, on units fitted to devices of the same family"""
    datasheet_share: Optional[float]
    """of latency_s, on units known from data sheets alone"""
    evidence_share: Optional[float]
    """of latency_s, in operators and shapes that calibration covers"""
    size_low_s: Optional[float]
    """latency_s, where the model has data-dependent sizes; None = it has none"""
    size_high_s: Optional[float]
    """latency of the same placement with these at their largest value; None = no such sizes, or one without an upper
    bound"""
    tokens_per_s: Optional[float]
    """new tokens; of runs over several per sequence, tokens processed; None = no token model"""
    precisions: Optional[str]
    """share of macs by precision, e.g. 'int8=0.85,fp16=0.15', largest first; None = unknown"""
    host_competes: Optional[bool]
    """a discrete host may run what the accelerator takes, too; None = no target"""
    sparse_macs: Optional[int]
    """the part of macs whose weights were taken as 2:4 sparse; None = not asked for"""
    unseen: Optional[str]
    """operators that calibration does not cover with their share of latency_s, e.g. 'Transpose
    5-D=0.15,GridSample=0.1', largest first; None = none, or evidence_share is"""
    power_of: Optional[str]
    """what energy_j and power_w cover, e.g. 'the card without its host'; None = not stated"""
    constant_bytes: Optional[int]
    """the part of deployed_bytes that is no weights: masks, grids, scales, canvases"""
    placement: Optional[str]
    """'toolchain' = as the toolchain of the target's accelerator divides the model, 'best' = the plan of least cost;
    None = no target"""
    placed_as: Optional[str]
    """that toolchain with its version; None = none decides, as on a CPU alone"""
    best_latency_s: Optional[float]
    """of the plan of least cost; None = moving layers saves no more than 5 %"""
    dram_bytes: Optional[int]
    """that cross the shared memory in one inference: the sum over the groups; None = of some group unknown"""
    onchip_bytes: Optional[int]
    """the same over the memories on the chip"""
    dram_intensity: Optional[float]
    """flops per byte that crosses the shared memory; None = none does, or counts unknown"""
    utilisation: Optional[float]
    """share of latency_s that the MACs would take at the dense peak of the units that run them; None = of some group
    unknown"""
    fits: Optional[bool]
    """the memories of the target hold weights, activations and caches; None = no target, or sizes that are not known
    may decide"""
    assumed_share: Optional[float]
    """of latency_s, on units whose file leaves what decides their times to defaults"""


@dataclass(frozen=True)
class MemoryNeed(Row):
    """What a memory of the target has to hold at once, and whether it can. See hwest_memory_need in hwest_rows.h."""

    memory: str
    """its name"""
    size_bytes: Optional[int]
    """of the memory; None = the target does not state it"""
    needed_bytes: int
    """weight_bytes, cache_bytes, activation_bytes and system_bytes together"""
    weight_bytes: int
    """constants as deployed"""
    cache_bytes: int
    """of what is alive at the peak, what one run hands to the next: keys, values, states"""
    activation_bytes: int
    """the rest of what is alive at the peak"""
    system_bytes: int
    """what the target says that software keeps for itself"""
    is_part: bool
    """some size is not known: the bytes are at least these"""
    fits: Optional[bool]
    """the memory holds that; None = unknown"""
    why: Optional[str]
    """it is unknown; None = it is not"""


@dataclass(frozen=True)
class Diagnostic(Row):
    """Something the library has to say beside its figures. See hwest_diagnostic in hwest_rows.h."""

    severity: str
    """how grave it is: 'error', 'warning', 'note'"""
    code: str
    """stable word, see `onnx-hwest describe codes`"""
    message: str
    """what was found"""
    remedy: Optional[str]
    """what to do about it; None = nothing to do"""
    node: Optional[str]
    """the node it is about; None = none"""
    value: Optional[str]
    """the value it is about; None = none"""


@dataclass(frozen=True)
class ModelInfo(Row):
    """What a model file says of itself. See hwest_model_info in hwest_rows.h."""

    name: str
    """of its graph"""
    producer: str
    """program and version"""
    ir_version: int
    """of the format"""
    nodes: int
    """after local functions were inlined, bodies of control flow included"""
    values: int
    """inputs, weights and what nodes make"""
    file_bytes: int
    """size of the file or of the bytes in memory"""
    metadata_bytes: int
    """of these, what is not weights left in the file"""


@dataclass(frozen=True)
class Opset(Row):
    """A set of operators the model uses. See hwest_opset in hwest_rows.h."""

    domain: str
    """'ai.onnx' for the default one"""
    version: int
    """of the set"""


@dataclass(frozen=True)
class Node(Row):
    """One operator node. See hwest_node in hwest_rows.h."""

    id: int
    """= index of the row"""
    name: str
    """as in the file; may be ''"""
    label: str
    """for people; never ''"""
    domain: str
    """'ai.onnx' for the default one"""
    op: str
    """operator, e.g. 'Conv'"""
    since: Optional[int]
    """version of the operator"""
    node_class: str
    """what it is at run time: 'compute', 'layout', 'view', 'shape', 'constant', 'control', 'opaque', 'dead'"""
    origin: str
    """the node in PyTorch's terms: 'module', 'function', 'unknown'"""
    module: Optional[str]
    """path of its module"""
    graph: int
    """0 = the main graph, else a body of control flow"""
    inputs: Tuple[Optional[int], ...]
    """ids of values; None = absent"""
    outputs: Tuple[Optional[int], ...]
    """ids of values; None = absent"""
    macs: Count
    """of one inference, as the next ones"""
    int_macs: Count
    """the part of macs whose operands are integer"""
    causal_macs: Count
    """macs without what a causal mask hides; unknown also when it is not causal"""
    flops: Count
    """2 * macs + other float operations"""
    params: Count
    """elements of the weights it reads"""
    in_bytes: Count
    """as the file types it, as the next two"""
    weight_bytes: Count
    """constants read"""
    out_bytes: Count
    """written """
    intensity: Optional[float]
    """flops per byte read or written; None = no traffic, or formulas"""
    group: Optional[int]
    """that it is in; None = none"""
    unit: Optional[str]
    """that runs it; None = none does"""
    reading: Optional[str]
    """what compilers read it as, with the reason; None = as it is written"""
    measured_s: Optional[float]
    """time that a measured profile has of its group, where it stands for the group; of other members 0; None = the
    group is not measured alone"""


@dataclass(frozen=True)
class Value(Row):
    """A value: an input, an output, a weight, or what a node makes. See hwest_value in hwest_rows.h."""

    name: str
    """as in the file"""
    kind: str
    """what it holds: 'unknown', 'tensor', 'sequence', 'optional', 'map', 'sparse'"""
    dtype: Optional[str]
    """of its elements, e.g. 'float16'"""
    rank: Optional[int]
    """number of axes; None = unknown"""
    dims: Optional[Tuple[Count, ...]]
    """sizes by axis; None = the rank is unknown"""
    contents: Optional[str]
    """known elements in row-major order, e.g. '[1, batch, 64]'; None = not known"""
    is_constant: bool
    """an initialiser, or made by a Constant node"""
    id: int
    """= index of its row among all values"""
    producer: Optional[int]
    """id of the node that makes it; None = none does"""
    is_input: bool
    """of the graph it lies in"""
    is_output: bool
    """of the graph it lies in"""
    graph: int
    """0 = the main graph, else a body of control flow"""
    blocked_by: Optional[int]
    """id of the node where its type or shape was lost; None = nothing was"""


@dataclass(frozen=True)
class Symbol(Row):
    """A size that is no number yet. See hwest_symbol in hwest_rows.h."""

    name: str
    """as expressions write it and dims takes it"""
    text: str
    """as the file writes it"""
    min: int
    """smallest value"""
    max: Count
    """largest value; unknown = no bound is known"""
    assumed: Optional[int]
    """typical or stated value of a data-dependent size, at which figures are; None = none"""
    cause: Optional[str]
    """node that made it; None = the file names it"""
    is_data_dependent: bool
    """decided by contents of tensors, hence never free to bind"""


@dataclass(frozen=True)
class Change(Row):
    """A change that may help, and the whole model with it in place. See hwest_change in hwest_rows.h."""

    kind: str
    """what is changed: 'support', 'activation', 'precision', 'batch', 'bandwidth', 'mode', 'rewrite', 'opset',
    'toolchain', 'placement', 'cut', 'sparsity', 'recipe', 'width', 'layers'"""
    change: str
    """in words"""
    flags: Tuple[str, ...]
    """of the command line, to see it"""
    edits: Tuple[str, ...]
    """of the model: 'OUTPUT = OP(INPUT)'"""
    target_text: Optional[str]
    """target file to use instead; None = the same target, as in all changes since 0.3"""
    batch: int
    """that the change is shown at"""
    latency_s: float
    """of one inference then"""
    interval_s: float
    """between results then"""
    saving_s: float
    """for the inputs of the analysis"""
    throughput_per_s: Optional[float]
    """batch / interval_s"""
    energy_j: Optional[float]
    """of one inference then"""
    how: str
    """to see it, in words: the flags, 'edit 3 nodes' of edits, or 'another target file' of target_text"""
    scope: str
    """what it leaves as it is: 'same', 'batch', 'network', 'board'"""
    risk: str
    """what it asks of the results, beyond what the analysis assumes already: 'none', 'rounding', 'calibration',
    'training'"""
    work: str
    """what it takes, in words"""
    saving_low_s: float
    """least saving between both latencies at their low ends and both at their high ends"""
    saving_high_s: float
    """greatest saving between these"""
    beside_s: Optional[float]
    """of a cut: what the CPU takes for what is cut off; saving_s counts it"""
    writes: bool
    """`rewrite` writes a file with `flags` and `rewrite`"""
    rewrite: Tuple[str, ...]
    """further flags of `rewrite`"""
    inputs: Tuple[str, ...]
    """of a cut: values that the model then begins with"""
    outputs: Tuple[str, ...]
    """of a cut: values that the model then ends with"""
    parts: Tuple[str, ...]
    """of a recipe: its changes in words"""
    as_promised: Optional[bool]
    """the written file, read again, takes latency_s to 1e-9; None = none is written, or it is too large to try"""
    command: Optional[str]
    """that makes the change; None = no command does"""
    width: Tuple[str, ...]
    """of another width: flags of `width`, which lists the weights to reshape"""
    rules_text: Optional[str]
    """with `writes`: the file of --rules; None = no rules but the built-in ones and one's own"""
    precision_of: Optional[str]
    """of single layers: the file of --precision-of; None = no such file"""


@dataclass(frozen=True)
class Context(Row):
    """What a language model costs at one length of the context. Intervals are those that hold 80 of 100 measurements.
    See hwest_context in hwest_rows.h."""

    context: int
    """tokens of the prompt, and in the cache when a token is made"""
    first_token_s: Optional[float]
    """the prompt in one run; None, as the next three, when the file fixes the tokens of a run"""
    first_token_low_s: Optional[float]
    """of the interval of first_token_s"""
    first_token_high_s: Optional[float]
    """of the interval of first_token_s"""
    first_token_j: Optional[float]
    """energy of that run"""
    token_s: float
    """one further token"""
    token_low_s: float
    """of the interval of token_s"""
    token_high_s: float
    """of the interval of token_s"""
    tokens_per_s: Optional[float]
    """1 / token_s"""
    tokens_low_per_s: Optional[float]
    """1 / token_high_s"""
    tokens_high_per_s: Optional[float]
    """1 / token_low_s"""
    token_j: Optional[float]
    """energy of one further token"""
    cache_bytes: int
    """keys and values of `context` tokens, in the file's type"""
    peak_memory_bytes: int
    """of making a token"""
    fits: Optional[bool]
    """the memories of the target hold the prompt and each token; None = sizes that are not known may decide"""
    runtime: Optional[str]
    """of language models, whose figures these are, as `onnx-hwest llm` has them; None = kernel by kernel, as the target
    has none"""


@dataclass(frozen=True)
class Fusion(Row):
    """A node and the pattern that made its group. See hwest_fusion in hwest_rows.h."""

    node: int
    """id """
    pattern: Optional[str]
    """None = nothing fused, as the next three"""
    words: Optional[str]
    """what the pattern does"""
    expression: Optional[str]
    """of the pattern"""
    source: Optional[str]
    """of the pattern"""


@dataclass(frozen=True)
class Miss(Row):
    """A fusion that nearly happened. Texts are "" where they do not apply. See hwest_miss in hwest_rows.h."""

    pattern: str
    """its name"""
    node: str
    """where it failed"""
    guard: str
    """what failed"""
    found: str
    """what was there"""
    needed: str
    """what the pattern asks for"""
    edit: str
    """the smallest change that makes it match"""


@dataclass(frozen=True)
class Move(Row):
    """What one unit would make of a node or, for gN, of a group. See hwest_move in hwest_rows.h."""

    unit: str
    """where the node would run"""
    time_s: Optional[float]
    """of the groups that hold it there; None = it cannot run there"""
    latency_s: Optional[float]
    """of the whole model then"""


@dataclass(frozen=True)
class Accuracy(Row):
    """Errors of predictions over points: |ln(predicted / measured)| as a share. Texts are NULL where rows of different
    ones were pooled. See hwest_accuracy in hwest_rows.h."""

    family: Optional[str]
    """of targets"""
    target: Optional[str]
    """that predicts"""
    device: Optional[str]
    """as published, as the next five"""
    unit: Optional[str]
    """as published"""
    runtime: Optional[str]
    """as published"""
    mode: Optional[str]
    """as published"""
    precision: Optional[str]
    """as published"""
    metric: Optional[str]
    """what was measured, e.g. 'latency_ms'"""
    devices: Optional[int]
    """None where `device` is one"""
    points: int
    """measurements behind the row"""
    families: int
    """of models"""
    fitted: int
    """numbers fitted to measurements behind the predictions"""
    median: Optional[float]
    """of the errors"""
    p90: Optional[float]
    """90th percentile of the errors"""
    bias: Optional[float]
    """median of ln(predicted / measured) as a share"""
    coverage80: Optional[float]
    """share of the measured values inside the predicted interval"""
    noise: Optional[float]
    """median error between two versions of one source for the same thing"""
    roofline_median: Optional[float]
    """of the baselines"""
    flops_median: Optional[float]
    """of the other baseline: operations over their peak"""
    spearman: Optional[float]
    """of pools the least of their devices"""


@dataclass(frozen=True)
class Point(Row):
    """A measurement and what was predicted for it, in the unit of the metric. See hwest_point in hwest_rows.h."""

    row: int
    """of the file, from 1, the header not counted"""
    target: str
    """that predicts"""
    model: str
    """file name without '.onnx'"""
    family: str
    """of the model"""
    bind: str
    """dims that were bound, as written; '' = none"""
    batch: str
    """inputs per run, as written; '' = as exported"""
    is_near: bool
    """a detail of the model differs; such points are in no pool"""
    device: str
    """as published, as the next four"""
    unit: str
    """as published"""
    runtime: str
    """as published"""
    precision: str
    """as published"""
    metric: str
    """what was measured, e.g. 'latency_ms'"""
    source: Optional[str]
    """of the measurement"""
    source_version: Optional[str]
    """of the source"""
    measured: float
    """as published"""
    predicted: float
    """by `target`"""
    low: float
    """of the prediction interval"""
    high: float
    """of the prediction interval"""
    fold: Optional[str]
    """what the target was fitted without; None = nothing was fitted"""
    mode: str
    """power mode of the target; '' = its default"""
    roofline: Optional[float]
    """the roofline baseline"""
    flops: Optional[float]
    """the other baseline: operations over their peak"""
    evidence_share: Optional[float]
    """of the time, in operators and shapes that calibration covers; None = not calibrated"""
    time_in: str
    """where the time goes, e.g. 'conv.l=0.62,Softmax.m=0.2', most first"""
    fits: Optional[bool]
    """the memories of the target hold the model, as they did when it ran; None = not known"""


@dataclass(frozen=True)
class Skipped(Row):
    """Rows of the file that were passed over. See hwest_skipped in hwest_rows.h."""

    reason: str
    """why """
    count: int
    """rows """


@dataclass(frozen=True)
class Fit(Row):
    """One fitted figure. See hwest_fit in hwest_rows.h."""

    target: Optional[str]
    """None = all of the family share it"""
    path: str
    """its place in the target file"""
    prior: float
    """where the search began"""
    min: float
    """lower bound of the search"""
    max: float
    """upper bound of the search"""
    value: float
    """that was found"""
    spread: float
    """standard deviation of ln(value)"""
    count: int
    """measurements behind it"""
    data: str
    """what it was found from"""
    shared_by: Optional[str]
    """targets or units that share the value; None = its own"""


@dataclass(frozen=True)
class LogNode(Row):
    """A node that both a compiler's log and the plan put on a unit. See hwest_log_node in hwest_rows.h."""

    node: int
    """id """
    label: str
    """of the node"""
    op: str
    """its operator"""
    log_unit: str
    """where the compiler puts it, as the log writes it"""
    unit: str
    """where the plan puts it"""
    agrees: bool
    """both are of one kind: a CPU, a GPU, or another accelerator"""
    kernel: Optional[str]
    """as the log writes it; None = the log does not name the node"""
    type: Optional[str]
    """of the kernel; None = the log does not say"""
    reason: Optional[str]
    """why the compiler's accelerator does not run it; None = the log does not say"""
    refusal: Optional[str]
    """why this program's accelerators do not, with its source; None = one could"""
    evidence: Optional[str]
    """how that is known: 'compiler', 'list', 'inferred', 'request'"""


@dataclass(frozen=True)
class LogTotals(Row):
    """A compiler's log beside the plan. See hwest_log_totals in hwest_rows.h."""

    program: str
    """that wrote the log"""
    format: str
    """of the log"""
    nodes: int
    """that both put on a unit"""
    agree: int
    """of them, on units of one kind"""
    agree_share: Optional[float]
    """agree over nodes; None = there are none"""
    unnamed: int
    """nodes on a unit of the plan that the log puts nowhere, such as folded ones"""
    unmatched: int
    """kernels of the log that name no node, such as copies"""
    log_kernels: Optional[int]
    """of the log that name nodes; None = it knows no kernels, as the next four"""
    plan_groups: Optional[int]
    """of the plan that hold such nodes"""
    edges: Optional[int]
    """of the graph between such nodes"""
    edges_agree: Optional[int]
    """inside one kernel of the log and one group of the plan, or in neither"""
    edges_share: Optional[float]
    """edges_agree over edges"""
    log_segments: Optional[int]
    """pieces of accelerators in the log; None = it does not say, as the next one"""
    plan_segments: Optional[int]
    """in the plan"""


@dataclass(frozen=True)
class TargetInfo(Row):
    """A target in a few words. See hwest_target_info in hwest_rows.h."""

    name: str
    """full name"""
    aliases: Tuple[str, ...]
    """other names of it"""
    base: Optional[str]
    """target it is derived from; None = none"""
    family: Optional[str]
    """None = none"""
    summary: str
    """in a line"""
    units: Tuple[str, ...]
    """names of its engines"""
    modes: Tuple[str, ...]
    """power modes"""
    default_mode: Optional[str]
    """None = it has no modes"""
    precision: Optional[str]
    """that float graphs run at on its main unit; None = as the file"""
    toolchains: Tuple[str, ...]
    """that compile for its units"""
    grade: str
    """how far the figures of its main unit can be trusted: 'unknown', 'measured', 'family', 'datasheet', 'assumed'"""
    facts: int
    """figures with a value that an estimate reads"""
    estimated: int
    """of these, engineering estimates"""
    fitted: int
    """of these, fitted to measurements"""


@dataclass(frozen=True)
class TargetUnit(Row):
    """An engine of a target, in its default power mode. See hwest_target_unit in hwest_rows.h."""

    kind: str
    """what it is: 'unknown', 'simt_gpu', 'systolic', 'dataflow', 'vector_dsp', 'simd_cpu'"""
    name: str
    """as the target calls it"""
    toolchain: Optional[str]
    """that compiles for it; None = none is stated"""
    precision: Optional[str]
    """that float graphs run at; None = as the file"""
    memory: Optional[str]
    """the shared one; None = none"""
    is_cpu: bool
    """it runs what the others refuse"""
    is_placeable: bool
    """work can be put there"""
    is_prefix_only: bool
    """it takes one segment, from the inputs on"""
    instances: int
    """equal engines that work on one inference together"""
    cores: int
    """of one instance"""
    clock_hz: Optional[float]
    """in the default power mode"""
    macs_per_s: Optional[float]
    """dense peak of contractions at `precision`, all instances"""
    bytes_per_s: Optional[float]
    """peak of the shared memory"""
    launch_s: Optional[float]
    """for each group"""
    invoke_s: Optional[float]
    """for each segment"""
    static_w: Optional[float]
    """while powered, work or not"""


@dataclass(frozen=True)
class TargetMode(Row):
    """A power mode of a target. See hwest_target_mode in hwest_rows.h."""

    is_default: bool
    """the one that runs without a choice"""
    name: str
    """as the target calls it"""
    cap_w: Optional[float]
    """None = none stated"""


@dataclass(frozen=True)
class Fact(Row):
    """One figure of a target. See hwest_fact in hwest_rows.h."""

    path: str
    """its place in the file, e.g. 'unit/gpu/clock_hz'"""
    value: float
    """that is computed with: the fitted one if there is one, else the stated one"""
    unit: Optional[str]
    """'Hz', 'B/s', 's', 'J', 'W', 'B' or '1/cycle'; None = a plain number"""
    source: str
    """title of the source"""
    trust: Optional[str]
    """where it comes from: 'published', 'measured', 'secondary', 'recalled', 'derived', 'estimated'"""
    note: Optional[str]
    """None = none"""
    stated: Optional[float]
    """None = none"""
    fitted: Optional[float]
    """None = not fitted"""
    fitted_spread: Optional[float]
    """standard deviation of ln(fitted)"""
    fitted_count: Optional[int]
    """measurements behind it; None = not fitted"""
    fitted_data: Optional[str]
    """which; None = not fitted"""
    fitted_shared_by: Optional[str]
    """targets or units that share the value; None = its own"""
    min: Optional[float]
    """least credible value; None = none stated"""
    max: Optional[float]
    """greatest credible value; None = none stated"""
    is_read: bool
    """an estimate reads it"""


@dataclass(frozen=True)
class Problem(Row):
    """One problem of a target file. See hwest_problem in hwest_rows.h."""

    line: int
    """from 1; 0 = not known"""
    path: Optional[str]
    """of the field; None = the text does not parse"""
    message: str
    """what is wrong"""
    remedy: str
    """what to do about it"""
    severity: str
    """an error, or a warning for a figure that is not credible: 'error', 'warning', 'note'"""


@dataclass(frozen=True)
class WorkloadTask(Row):
    """A task of a workload: a model that runs again and again beside others. See hwest_workload_task in
    hwest_rows.h."""

    name: str
    """of the file"""
    model: Optional[str]
    """path as written; None = the task states its time"""
    precision: Optional[str]
    """as run"""
    batch: int
    """inputs of one job"""
    rate_per_s: Optional[float]
    """inputs per second as asked for, chances counted; None = back to back"""
    reached_per_s: float
    """inputs per second in the simulation"""
    deadline_s: Optional[float]
    """from the release of a job to its end; None = none"""
    priority: int
    """0 is the highest, 5 that of a task without one"""
    units: Tuple[str, ...]
    """where its time alone is spent: 'gpu=0.85'"""
    alone_s: float
    """a job with the chip to itself"""
    unknown_groups: int
    """without a known time, which no figure has in it"""
    incomplete: bool
    """some task has such groups: times are at least, rates at most what stands here"""
    response_mean_s: Optional[float]
    """from release to end, of the jobs that were counted"""
    response_worst_s: Optional[float]
    """the longest one of all simulated jobs"""
    response_bound_s: Optional[float]
    """none is longer while estimates stay inside their intervals; None = no finite one, or incomplete"""
    margin_s: Optional[float]
    """deadline_s - response_worst_s; None when incomplete"""
    missed_per_s: float
    """jobs that end late or find the queue full"""
    max_rate_per_s: Optional[float]
    """the largest rate at which no task does worse than now, of a missed one by any of its plans; None = none, or
    incomplete"""
    age_s: Optional[float]
    """longest from the release of the first task of its chain to its own end"""
    energy_j: Optional[float]
    """of one job, beside what the chip draws anyway"""
    verdict: str
    """'holds' (the bound keeps the deadline), 'simulated' (the simulation does) or 'missed'"""
    reason: Optional[str]
    """why it is missed"""


@dataclass(frozen=True)
class WorkloadUnit(Row):
    """A unit and who keeps it busy. See hwest_workload_unit in hwest_rows.h."""

    name: str
    """of the unit"""
    policy: str
    """how it chooses what to run: 'FIFO', 'PRIORITY' or 'ROUND_ROBIN'"""
    runs: str
    """when it gives way, in words"""
    servers: int
    """jobs that run at a time"""
    busy_share: float
    """of its time, in the simulation"""
    by_task: Tuple[str, ...]
    """of its time, by task and load: 'detect=0.42'"""
    asked_share: float
    """of its time, as the rates ask for if each task ran alone; above 1 = more than there is"""


@dataclass(frozen=True)
class WorkloadTraffic(Row):
    """What a task or a load asks of the memory. See hwest_workload_traffic in hwest_rows.h."""

    task: str
    """of the task or the load"""
    mean_bytes_per_s: float
    """over the shared memory"""
    peak_bytes_per_s: float
    """the same over its busiest millisecond"""
    bytes: int
    """weights and activations, and 0 of a load"""


@dataclass(frozen=True)
class WorkloadSlowdown(Row):
    """What one task does to another. See hwest_workload_slowdown in hwest_rows.h."""

    task: str
    """that is slowed"""
    by: str
    """the task that slows it"""
    factor: Optional[float]
    """mean response over that with the other one taking no time"""


@dataclass(frozen=True)
class WorkloadSegment(Row):
    """A stretch of one job on one unit. See hwest_workload_segment in hwest_rows.h."""

    task: str
    """whose job it is, or the load"""
    job: int
    """counted from 0"""
    unit: str
    """'to dla0' = a transfer there"""
    start_s: float
    """since the first release"""
    end_s: float
    """since the first release"""


@dataclass(frozen=True)
class WorkloadFix(Row):
    """A change to the file after which a missed task is not missed, and no other does worse. See hwest_workload_fix in
    hwest_rows.h."""

    task: str
    """that it is for"""
    kind: str
    """'rate', 'precision', 'units', 'mode' or 'batch'"""
    change: str
    """as to be written in place of what the task has, a mode of what the file has"""
    verdict: str
    """of the task then"""
    response_worst_s: Optional[float]
    """of the task then"""
    response_bound_s: Optional[float]
    """of the task then; None = no finite one"""


@dataclass(frozen=True)
class WorkloadTotal(Row):
    """The whole chip under a workload. See hwest_workload_total in hwest_rows.h."""

    tasks: int
    """of the file"""
    missed: int
    """tasks whose verdict is 'missed'"""
    hyperperiod_s: Optional[float]
    """after which releases repeat; None = nothing is periodic, or too long a one"""
    simulated_s: float
    """from the critical instant on"""
    jobs: int
    """that ended in all simulations"""
    energy_j_per_s: Optional[float]
    """average power"""
    cap_w: Optional[float]
    """power that the mode allows"""
    peak_memory_bytes: int
    """weights and activations of all tasks"""
    mean_bytes_per_s: float
    """over the shared memory, loads included"""
    peak_bytes_per_s: float
    """the same over the busiest millisecond"""
    capacity_bytes_per_s: Optional[float]
    """the most that a unit gets of it"""
    reached_per_s: float
    """inputs of all tasks together, in the simulation"""
    power_of: Optional[str]
    """what energy_j_per_s and cap_w cover; None = not stated"""
    fits: Optional[bool]
    """the memories of the chip hold all tasks together; None = sizes that are not known may decide"""


@dataclass(frozen=True)
class DiffInfo(Row):
    """A comparison as a whole. See hwest_diff_info in hwest_rows.h."""

    same: bool
    """nothing differs"""
    segments_delta_s: float
    """of transfers and invocations; with delta_s of all nodes the difference of the latencies"""
    model_a: str
    """of the first side"""
    target_a: Optional[str]
    """of the first side"""
    mode_a: Optional[str]
    """of the first side; None = the target has none"""
    precision_a: Optional[str]
    """of the first side"""
    model_b: str
    """of the second side"""
    target_b: Optional[str]
    """of the second side"""
    mode_b: Optional[str]
    """of the second side; None = the target has none"""
    precision_b: Optional[str]
    """of the second side"""


@dataclass(frozen=True)
class DiffTotal(Row):
    """A figure of both summaries. See hwest_diff_total in hwest_rows.h."""

    key: str
    """of the summary"""
    a: Optional[float]
    """of the first side"""
    b: Optional[float]
    """of the second side"""
    delta: Optional[float]
    """b - a; None = a side leaves nodes out"""
    share: Optional[float]
    """delta over a"""


@dataclass(frozen=True)
class DiffModule(Row):
    """A module whose time differs. See hwest_diff_module in hwest_rows.h."""

    path: str
    """of the module"""
    a_s: Optional[float]
    """of the first side; None = not there, or unknown"""
    b_s: Optional[float]
    """of the second side; None = not there, or unknown"""
    delta_s: Optional[float]
    """what is not there takes 0 s"""


@dataclass(frozen=True)
class DiffNode(Row):
    """A node that differs. See hwest_diff_node in hwest_rows.h."""

    change: str
    """'removed', 'added', 'changed', 'moved' (another unit) or 'fused' (another kind of group)"""
    a: Optional[int]
    """its id on the first side; None = added"""
    b: Optional[int]
    """its id on the second side; None = removed"""
    op: str
    """with its domain, unless that is the default one"""
    name_a: Optional[str]
    """its name on the first side; None = none"""
    name_b: Optional[str]
    """its name on the second side; None = none"""
    what: Tuple[str, ...]
    """each thing that differs: 'attribute strides: [1, 1] -> [2, 2]'"""
    delta_s: Optional[float]
    """of its group, at the group's root, and 0 elsewhere"""


@dataclass(frozen=True)
class CheckLine(Row):
    """A limit and what became of it. See hwest_check_line in hwest_rows.h."""

    model: str
    """as written"""
    target: str
    """in force"""
    mode: Optional[str]
    """in force; None = the target has none"""
    precision: str
    """in force"""
    batch: int
    """inputs of one run"""
    figure: str
    """'latency', 'rate', 'energy', 'power', 'peak_memory', 'fallback', ..."""
    limit: float
    """in s, 1/s, J, W, bytes, a count or a share, as the next four"""
    judge: str
    """'point', 'upper' (the worse end of the interval) or 'interval' (both ends)"""
    value: Optional[float]
    """the estimate, or what is known of it"""
    low: Optional[float]
    """lower end of its interval"""
    high: Optional[float]
    """upper end of its interval"""
    margin: Optional[float]
    """room that is left; below 0 = over"""
    verdict: str
    """'ok', 'over', 'undecided' (judged by both ends, the limit lies between them) or 'unknown'"""
    why: Optional[str]
    """the figure is unknown, which nodes or memory a broken limit is about; None = neither"""
    help: Tuple[str, ...]
    """the most expensive groups, and the change that would mend it"""
    file: Optional[str]
    """of the budget; None = the limit is in none"""
    line: Optional[int]
    """of the budget; None = the limit is in none, or in one of JSON"""
    probability: Optional[float]
    """that the limit holds, by the interval; None = the figure has none"""
    fits: Optional[bool]
    """the memories of the target hold the model; None = sizes that are not known may decide"""


@dataclass(frozen=True)
class CheckTotal(Row):
    """How many limits hold. See hwest_check_total in hwest_rows.h."""

    verdict: str
    """the worst of the limits: 'over', 'unknown', 'undecided', 'ok'"""
    checks: int
    """models on their targets"""
    limits: int
    """of all checks"""
    over: int
    """limits that are broken"""
    undecided: int
    """limits judged by both ends that lie between them"""
    unknown: int
    """limits whose figure is not known"""


@dataclass(frozen=True)
class SweepRow(Row):
    """A point of a sweep: what it gave, or why it gave nothing. See hwest_sweep_row in hwest_rows.h."""

    model: str
    """as it was named"""
    sha256: Optional[str]
    """of the graph without weights; None = there is none, or it could not be read"""
    target: str
    """its name"""
    mode: Optional[str]
    """in force; None = the target has none, or of a failed point that none was asked for"""
    precision: Optional[str]
    """in force; None = of a failed point, that none was asked for"""
    batch: Optional[int]
    """inputs of one run; None = of a failed point, that none was asked for"""
    dims: Optional[str]
    """sizes that were asked for and that the model has: 'seq=128'; None = none"""
    size: Optional[int]
    """height and width of images that were asked for; None = none"""
    rewritten: bool
    """the figures are those after the rewrites that help"""
    status: str
    """'ok' or 'error'"""
    code: Optional[str]
    """of the error, 'does_not_fit': the figures need more memory than there is, or 'incomplete': they leave nodes out;
    None = none of these"""
    message: Optional[str]
    """of the same; None = none"""
    latency_s: Optional[float]
    """of one inference: warm, steady clocks, without pre- and post-processing"""
    latency_low_s: Optional[float]
    """of the prediction interval"""
    latency_high_s: Optional[float]
    """of the prediction interval; None as energy_high_j and power_w where a node has no time: the other figures are
    bounds then"""
    interval_s: Optional[float]
    """between results when inferences follow each other"""
    throughput_per_s: Optional[float]
    """batch / interval_s"""
    energy_j: Optional[float]
    """of one inference"""
    power_w: Optional[float]
    """energy_j / interval_s"""
    peak_memory_bytes: Optional[int]
    """deployed weights + largest sum of live activations + what their addresses leave unused, data-dependent sizes at
    their upper bound"""
    macs: Count
    """multiply-accumulates of contractions"""
    flops: Count
    """2 * macs + other float operations"""
    moved_bytes: Optional[int]
    """read and written by all groups, before residency"""
    intensity: Optional[float]
    """flops per moved byte"""
    segments: Optional[int]
    """runs of groups on one unit"""
    accelerated_macs_share: Optional[float]
    """of the MACs that units other than CPUs run; None = unknown, or there are no MACs"""
    grade: Optional[str]
    """how far the figures can be trusted: 'measured', 'family', 'datasheet' or 'assumed'"""
    groups: Optional[int]
    """kernels: the more nodes are fused, the fewer"""
    units: Optional[str]
    """share of the time by unit: 'gpu=0.85;cpu=0.15'"""
    energy_per_input_j: Optional[float]
    """energy_j over batch: beside throughput_per_s what compares batches"""
    params: Optional[int]
    """elements of distinct weight tensors"""
    nodes: Optional[int]
    """after inlining"""
    dram_bytes: Optional[int]
    """that cross the shared memory in one inference: the sum over the groups; None = of some group unknown"""
    utilisation: Optional[float]
    """share of latency_s that the MACs would take at the dense peak of the units that run them; None = of some group
    unknown"""
    fits: Optional[bool]
    """the memories of the target hold weights, activations and caches; None = no target, or sizes that are not known
    may decide"""
    onchip_bytes: Optional[int]
    """the same over the memories on the chip"""
    dram_intensity: Optional[float]
    """flops per byte that crosses the shared memory; None = none does, or counts unknown"""
    bounds: Optional[str]
    """share of latency_s by what bounds it: 'compute=0.56;memory=0;overhead=0.19;transfer=0; balanced=0.25'; None =
    some time is unknown"""
    set: Optional[str]
    """figures of the target that the point states anew: 'npu.rows=64;sram.size=2097152'; None = none"""
    runtime: Optional[str]
    """of a language model: that runs it on the target, as the next ones `llm` has them without a flag; None = the row
    is of kernels alone"""
    weights: Optional[str]
    """format that the runtime runs, by its name"""
    kv: Optional[str]
    """likewise of keys and values in the cache"""
    prompt: Optional[int]
    """tokens of the prompt"""
    context: Optional[int]
    """tokens in the cache when a token is timed"""
    ttft_s: Optional[float]
    """time to the first token"""
    ttft_low_s: Optional[float]
    """ttft_low_s to ttft_high_s holds four of five measurements"""
    ttft_high_s: Optional[float]
    """see ttft_low_s"""
    tokens_per_s: Optional[float]
    """of each request of the batch"""
    tokens_per_s_low: Optional[float]
    """tokens_per_s_low to tokens_per_s_high holds four of five measurements"""
    tokens_per_s_high: Optional[float]
    """see tokens_per_s_low"""
    energy_per_token_j: Optional[float]
    """of what the target's power covers"""
    runtime_memory_bytes: Optional[int]
    """of weights, cache and work space with the runtime"""
    runtime_fits: Optional[bool]
    """the target holds those; None = its memory is not known"""
    max_context: Optional[int]
    """tokens, the most that fit with the runtime"""
    pareto: Optional[bool]
    """no other row of the same work beats it in figures of kernels; None = it cannot be compared, or is one of a
    range"""


@dataclass(frozen=True)
class Board(Row):
    """A board, with the mode, precision and batch in which it holds the streams at least power; of boards that do not
    hold them, those of the most streams. See hwest_board in hwest_rows.h."""

    target: str
    """its name"""
    mode: Optional[str]
    """power mode; None = it has none"""
    precision: Optional[str]
    """as run; None = it runs nothing"""
    batch: int
    """streams whose frames run together"""
    holds: Optional[bool]
    """the streams that were asked for, or any; None = not known"""
    streams: int
    """that it holds in this mode, precision and batch"""
    at_least: bool
    """more streams were not tried"""
    shown: int
    """streams that the figures of this row are of: as many as asked for, else as it holds"""
    verdict: Optional[str]
    """of these: 'holds' (the bound keeps every deadline) or 'simulated'; None = it holds none"""
    runs_on: Optional[str]
    """units, e.g. 'npu, cpu'"""
    power_w: Optional[float]
    """on average, at most what the mode allows"""
    power_of: Optional[str]
    """what that covers"""
    price: Optional[float]
    """as the list of prices has it"""
    headroom: Optional[float]
    """share that is left of what is used most"""
    busiest: Optional[str]
    """what is used most: a unit, 'bandwidth', a codec, 'power'"""
    response_worst_s: Optional[float]
    """longest one of any task in the simulation"""
    response_bound_s: Optional[float]
    """none is longer while estimates stay inside their intervals; None = no finite one"""
    first_limit: Optional[str]
    """what gives way with one stream more, or keeps the board from holding them: 'unit', 'bandwidth', 'memory',
    'deadline', 'power', 'decode', 'support', 'unknown'; None = nothing up to as many as were tried"""
    reason: Optional[str]
    """the same in words"""
    workload: Optional[str]
    """file of `onnx-hwest workload` with the streams that are shown"""
