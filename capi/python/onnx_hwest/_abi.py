"""hwest.h in ctypes: every constant, struct and function. Written by lib/report/tables/generate.py."""

import ctypes
from ctypes import POINTER, c_char_p, c_double, c_int32, c_int64, c_size_t, c_uint32, c_uint64, c_void_p
from typing import Any, Dict, Tuple

SONAME = "libhwest.so.0"

HWEST_OK = 0
HWEST_CANCELLED = 1
HWEST_UNKNOWN = 2
HWEST_INVALID_ARGUMENT = 3
HWEST_DEADLINE_EXCEEDED = 4
HWEST_NOT_FOUND = 5
HWEST_ALREADY_EXISTS = 6
HWEST_PERMISSION_DENIED = 7
HWEST_RESOURCE_EXHAUSTED = 8
HWEST_FAILED_PRECONDITION = 9
HWEST_ABORTED = 10
HWEST_OUT_OF_RANGE = 11
HWEST_UNIMPLEMENTED = 12
HWEST_INTERNAL = 13
HWEST_UNAVAILABLE = 14
HWEST_DATA_LOSS = 15
HWEST_UNAUTHENTICATED = 16

HWEST_WORDS_C = 0
HWEST_WORDS_PYTHON = 1

HWEST_SEVERITY_ERROR = 0
HWEST_SEVERITY_WARNING = 1
HWEST_SEVERITY_NOTE = 2

HWEST_VALUE_UNKNOWN = 0
HWEST_VALUE_TENSOR = 1
HWEST_VALUE_SEQUENCE = 2
HWEST_VALUE_OPTIONAL = 3
HWEST_VALUE_MAP = 4
HWEST_VALUE_SPARSE = 5

HWEST_VALUE_IS_INPUT = 1
HWEST_VALUE_IS_OUTPUT = 2
HWEST_VALUE_IS_CONSTANT = 4

HWEST_UNIT_UNKNOWN = 0
HWEST_UNIT_SIMT_GPU = 1
HWEST_UNIT_SYSTOLIC = 2
HWEST_UNIT_DATAFLOW = 3
HWEST_UNIT_VECTOR_DSP = 4
HWEST_UNIT_SIMD_CPU = 5

HWEST_UNIT_IS_CPU = 1
HWEST_UNIT_IS_PLACEABLE = 2
HWEST_UNIT_IS_LEFT_OUT = 4
HWEST_UNIT_IS_PREFIX_ONLY = 8

HWEST_TRUST_UNKNOWN = 0
HWEST_TRUST_PUBLISHED = 1
HWEST_TRUST_MEASURED = 2
HWEST_TRUST_SECONDARY = 3
HWEST_TRUST_RECALLED = 4
HWEST_TRUST_DERIVED = 5
HWEST_TRUST_ESTIMATED = 6

HWEST_OBJECTIVE_LATENCY = 0
HWEST_OBJECTIVE_ENERGY = 1

HWEST_OVERLAP_NO = 0
HWEST_OVERLAP_YES = 1

HWEST_GRADE_UNKNOWN = 0
HWEST_GRADE_MEASURED = 1
HWEST_GRADE_FAMILY = 2
HWEST_GRADE_DATASHEET = 3
HWEST_GRADE_ASSUMED = 4

HWEST_BOUND_UNKNOWN = 0
HWEST_BOUND_COMPUTE = 1
HWEST_BOUND_MEMORY = 2
HWEST_BOUND_OVERHEAD = 3
HWEST_BOUND_TRANSFER = 4
HWEST_BOUND_BALANCED = 5

HWEST_NODE_COMPUTE = 0
HWEST_NODE_LAYOUT = 1
HWEST_NODE_VIEW = 2
HWEST_NODE_SHAPE = 3
HWEST_NODE_CONSTANT = 4
HWEST_NODE_CONTROL = 5
HWEST_NODE_OPAQUE = 6
HWEST_NODE_DEAD = 7

HWEST_ORIGIN_MODULE = 0
HWEST_ORIGIN_FUNCTION = 1
HWEST_ORIGIN_UNKNOWN = 2

HWEST_EVENT_TRANSFER = 0
HWEST_EVENT_INVOKE = 1
HWEST_EVENT_GROUP = 2
HWEST_EVENT_PIPELINE = 3

HWEST_VERDICT_YES = 0
HWEST_VERDICT_NO = 1
HWEST_VERDICT_NOTED = 2

HWEST_EVIDENCE_UNKNOWN = 0
HWEST_EVIDENCE_COMPILER = 1
HWEST_EVIDENCE_LIST = 2
HWEST_EVIDENCE_INFERRED = 3
HWEST_EVIDENCE_REQUEST = 4

HWEST_CURE_NONE = 0
HWEST_CURE_REWRITE = 1
HWEST_CURE_FOLD = 2
HWEST_CURE_OPSET = 3
HWEST_CURE_TOOLCHAIN = 4
HWEST_CURE_PRECISION = 5
HWEST_CURE_CUT = 6

HWEST_CHANGE_SUPPORT = 0
HWEST_CHANGE_ACTIVATION = 1
HWEST_CHANGE_PRECISION = 2
HWEST_CHANGE_BATCH = 3
HWEST_CHANGE_BANDWIDTH = 4
HWEST_CHANGE_MODE = 5
HWEST_CHANGE_REWRITE = 6
HWEST_CHANGE_OPSET = 7
HWEST_CHANGE_TOOLCHAIN = 8
HWEST_CHANGE_PLACEMENT = 9
HWEST_CHANGE_CUT = 10
HWEST_CHANGE_SPARSITY = 11
HWEST_CHANGE_RECIPE = 12
HWEST_CHANGE_WIDTH = 13
HWEST_CHANGE_LAYERS = 14

HWEST_SCOPE_SAME = 0
HWEST_SCOPE_BATCH = 1
HWEST_SCOPE_NETWORK = 2
HWEST_SCOPE_BOARD = 3

HWEST_RISK_NONE = 0
HWEST_RISK_ROUNDING = 1
HWEST_RISK_CALIBRATION = 2
HWEST_RISK_TRAINING = 3

HWEST_JUDGE_POINT = 0
HWEST_JUDGE_UPPER = 1
HWEST_JUDGE_INTERVAL = 2

HWEST_LEAVE_OUT_NONE = 0
HWEST_LEAVE_OUT_FAMILY = 1
HWEST_LEAVE_OUT_DEVICE = 2
HWEST_LEAVE_OUT_SOURCE = 3
HWEST_LEAVE_OUT_FAMILY_DEVICE = 4

HWEST_REPORT_ANALYSIS = 0
HWEST_REPORT_SHAPES = 1
HWEST_REPORT_SUPPORT = 2
HWEST_REPORT_EXPLAIN = 3
HWEST_REPORT_GRAPH = 4

HWEST_FORMAT_TEXT = 0
HWEST_FORMAT_JSON = 1
HWEST_FORMAT_CSV = 2
HWEST_FORMAT_MARKDOWN = 3
HWEST_FORMAT_DOT = 4
HWEST_FORMAT_SVG = 5
HWEST_FORMAT_PNG = 6
HWEST_FORMAT_PDF = 7
HWEST_FORMAT_PERFETTO = 8
HWEST_FORMAT_NETRON = 9
HWEST_FORMAT_MODEL_EXPLORER = 10
HWEST_FORMAT_C = 11
HWEST_FORMAT_HTML = 12
HWEST_FORMAT_JSONL = 13
HWEST_FORMAT_JUNIT = 14
HWEST_FORMAT_SARIF = 15
HWEST_FORMAT_CODEQUALITY = 16
HWEST_FORMAT_OPENMETRICS = 17
HWEST_FORMAT_BENCHMARK = 18
HWEST_FORMAT_BENCHER = 19
HWEST_FORMAT_ONNXTEXT = 20

HWEST_LEVEL_DEFAULT = 0
HWEST_LEVEL_NODE = 1
HWEST_LEVEL_GROUP = 2
HWEST_LEVEL_SEGMENT = 3
HWEST_LEVEL_MODULE = 4
HWEST_LEVEL_UNIT = 5

HWEST_COLOR_BY_DEFAULT = 0
HWEST_COLOR_BY_UNIT = 1
HWEST_COLOR_BY_BOUND = 2
HWEST_COLOR_BY_TIME = 3
HWEST_COLOR_BY_ENERGY = 4
HWEST_COLOR_BY_INTENSITY = 5
HWEST_COLOR_BY_PRECISION = 6
HWEST_COLOR_BY_MEASURED = 7

HWEST_COLLAPSE_AUTO = 0
HWEST_COLLAPSE_MODULE = 1
HWEST_COLLAPSE_SEGMENT = 2
HWEST_COLLAPSE_NONE = 3

HWEST_CHART_NONE = 0
HWEST_CHART_TIMELINE = 1
HWEST_CHART_MEMORY = 2
HWEST_CHART_ROOFLINE = 3
HWEST_CHART_MODULES = 4

HWEST_ABI_MAJOR = 0
HWEST_ABI_MINOR = 3
HWEST_NO_ID = 0xFFFFFFFF
HWEST_TOP_ALL = -1
HWEST_ZERO = -1

Strings = POINTER(c_char_p)


class hwest_count(ctypes.Structure):
    _fields_ = [
        ("value", c_int64),
        ("text", c_char_p),
    ]


class hwest_group(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("bound", c_int32),
        ("id", c_int64),
        ("pattern", c_char_p),
        ("nodes", POINTER(c_uint32)),
        ("node_count", c_uint64),
        ("unit", c_char_p),
        ("segment", c_int64),
        ("precision", c_char_p),
        ("macs", c_int64),
        ("int_macs", c_int64),
        ("flops", c_int64),
        ("in_bytes", c_int64),
        ("weight_bytes", c_int64),
        ("out_bytes", c_int64),
        ("dram_bytes", c_int64),
        ("live_bytes", c_int64),
        ("saved_bytes", c_int64),
        ("saved_launches", c_int64),
        ("start_s", c_double),
        ("end_s", c_double),
        ("compute_s", c_double),
        ("memory_s", c_double),
        ("overhead_s", c_double),
        ("time_s", c_double),
        ("low_s", c_double),
        ("high_s", c_double),
        ("energy_j", c_double),
        ("compute_j", c_double),
        ("onchip_j", c_double),
        ("dram_j", c_double),
        ("static_j", c_double),
        ("utilisation", c_double),
        ("assumptions", Strings),
        ("name", c_char_p),
        ("grade", c_int32),
        ("reserved", c_uint32),
        ("onchip_bytes", c_int64),
        ("intensity", c_double),
        ("energy_low_j", c_double),
        ("energy_high_j", c_double),
        ("measured_s", c_double),
        ("measured_ratio", c_double),
        ("root", c_int64),
        ("dram_intensity", c_double),
        ("reload_bytes", c_int64),
        ("tile_m", c_int64),
        ("tile_n", c_int64),
        ("tile_k", c_int64),
        ("loop_order", c_char_p),
    ]


class hwest_traffic(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("reserved", c_uint32),
        ("group", c_int64),
        ("memory", c_char_p),
        ("read_bytes", c_int64),
        ("written_bytes", c_int64),
    ]


class hwest_measured_entry(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("reserved", c_uint32),
        ("name", c_char_p),
        ("op", c_char_p),
        ("time_s", c_double),
        ("match", c_char_p),
        ("nodes", POINTER(c_uint32)),
        ("node_count", c_uint64),
        ("groups", POINTER(c_uint32)),
        ("group_count", c_uint64),
        ("set_time_s", c_double),
        ("set_predicted_s", c_double),
    ]


class hwest_segment(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("reserved", c_uint32),
        ("id", c_int64),
        ("unit", c_char_p),
        ("groups", POINTER(c_uint32)),
        ("group_count", c_uint64),
        ("in_bytes", c_int64),
        ("out_bytes", c_int64),
        ("transfer_s", c_double),
        ("invoke_s", c_double),
        ("start_s", c_double),
        ("time_s", c_double),
        ("energy_j", c_double),
        ("reason", c_char_p),
        ("contexts", c_int64),
        ("interval_s", c_double),
        ("reloaded_bytes", c_int64),
        ("grade", c_int32),
        ("reserved1", c_uint32),
        ("low_s", c_double),
        ("high_s", c_double),
        ("energy_low_j", c_double),
        ("energy_high_j", c_double),
    ]


class hwest_unit(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("kind", c_int32),
        ("flags", c_uint32),
        ("reserved", c_uint32),
        ("name", c_char_p),
        ("toolchain", c_char_p),
        ("groups", c_int64),
        ("busy_s", c_double),
        ("energy_j", c_double),
        ("macs", c_int64),
        ("grade", c_int32),
        ("reserved1", c_uint32),
    ]


class hwest_bound_total(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("bound", c_int32),
        ("time_s", c_double),
        ("flops", c_int64),
        ("bytes", c_int64),
        ("groups", c_int64),
        ("intensity", c_double),
        ("groups_share", c_double),
        ("flops_share", c_double),
        ("bytes_share", c_double),
    ]


class hwest_module(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("reserved", c_uint32),
        ("path", c_char_p),
        ("parent", c_int64),
        ("class_name", c_char_p),
        ("nodes", c_int64),
        ("macs", hwest_count),
        ("flops", hwest_count),
        ("params", c_int64),
        ("time_s", c_double),
        ("energy_j", c_double),
    ]


class hwest_support(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("verdict", c_int32),
        ("only_in_group", c_int32),
        ("reserved", c_uint32),
        ("label", c_char_p),
        ("op", c_char_p),
        ("unit", c_char_p),
        ("limit", c_char_p),
        ("what", c_char_p),
        ("found", c_char_p),
        ("allowed", c_char_p),
        ("source", c_char_p),
        ("node", c_int64),
        ("evidence", c_int32),
        ("reserved1", c_uint32),
        ("document", c_char_p),
    ]


class hwest_refusal(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("evidence", c_int32),
        ("cure_kind", c_int32),
        ("reserved", c_uint32),
        ("unit", c_char_p),
        ("op", c_char_p),
        ("limit", c_char_p),
        ("what", c_char_p),
        ("found", c_char_p),
        ("allowed", c_char_p),
        ("source", c_char_p),
        ("document", c_char_p),
        ("nodes", c_int64),
        ("nodes_share", c_double),
        ("macs", c_int64),
        ("macs_share", c_double),
        ("example", c_char_p),
        ("example_id", c_int64),
        ("cure", c_char_p),
        ("cure_nodes", c_int64),
        ("cure_command", c_char_p),
    ]


class hwest_event(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("kind", c_int32),
        ("unit", c_char_p),
        ("segment", c_int64),
        ("group", c_int64),
        ("start_s", c_double),
        ("end_s", c_double),
    ]


class hwest_lifetime(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("reserved", c_uint32),
        ("value", c_int64),
        ("name", c_char_p),
        ("bytes", c_int64),
        ("first_group", c_int64),
        ("last_group", c_int64),
    ]


class hwest_totals(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("grade", c_int32),
        ("host_competes", c_int32),
        ("reserved", c_uint32),
        ("macs", hwest_count),
        ("int_macs", hwest_count),
        ("flops", hwest_count),
        ("params", c_int64),
        ("params_by_use", c_int64),
        ("buffers", c_int64),
        ("stored_bytes", c_int64),
        ("deployed_bytes", c_int64),
        ("moved_bytes", c_int64),
        ("peak_memory_bytes", c_int64),
        ("batch", c_int64),
        ("nodes", c_int64),
        ("typed_nodes", c_int64),
        ("counted_nodes", c_int64),
        ("costed_nodes", c_int64),
        ("placed_nodes", c_int64),
        ("unknown_nodes", c_int64),
        ("intensity", c_double),
        ("latency_s", c_double),
        ("latency_low_s", c_double),
        ("latency_high_s", c_double),
        ("interval_s", c_double),
        ("throughput_per_s", c_double),
        ("energy_j", c_double),
        ("energy_low_j", c_double),
        ("energy_high_j", c_double),
        ("power_w", c_double),
        ("gap", c_double),
        ("target", c_char_p),
        ("mode", c_char_p),
        ("precision", c_char_p),
        ("causal_macs", hwest_count),
        ("flops_as", hwest_count),
        ("macs_share", c_double),
        ("time_share", c_double),
        ("transfer_s", c_double),
        ("greedy_latency_s", c_double),
        ("overlap_latency_s", c_double),
        ("incomplete", c_char_p),
        ("measured_share", c_double),
        ("family_share", c_double),
        ("datasheet_share", c_double),
        ("evidence_share", c_double),
        ("size_low_s", c_double),
        ("size_high_s", c_double),
        ("tokens_per_s", c_double),
        ("precisions", c_char_p),
        ("fits", c_int32),
        ("reserved1", c_uint32),
        ("sparse_macs", c_int64),
        ("unseen", c_char_p),
        ("power_of", c_char_p),
        ("constant_bytes", c_int64),
        ("placement", c_char_p),
        ("placed_as", c_char_p),
        ("best_latency_s", c_double),
        ("dram_bytes", c_int64),
        ("onchip_bytes", c_int64),
        ("dram_intensity", c_double),
        ("utilisation", c_double),
        ("assumed_share", c_double),
    ]


class hwest_memory_need(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("is_part", c_int32),
        ("fits", c_int32),
        ("reserved", c_uint32),
        ("memory", c_char_p),
        ("size_bytes", c_int64),
        ("needed_bytes", c_int64),
        ("weight_bytes", c_int64),
        ("cache_bytes", c_int64),
        ("activation_bytes", c_int64),
        ("system_bytes", c_int64),
        ("why", c_char_p),
    ]


class hwest_diagnostic(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("severity", c_int32),
        ("code", c_char_p),
        ("message", c_char_p),
        ("remedy", c_char_p),
        ("node", c_char_p),
        ("value", c_char_p),
    ]


class hwest_model_info(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("reserved", c_uint32),
        ("name", c_char_p),
        ("producer", c_char_p),
        ("ir_version", c_int64),
        ("nodes", c_int64),
        ("values", c_int64),
        ("file_bytes", c_int64),
        ("metadata_bytes", c_int64),
    ]


class hwest_opset(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("reserved", c_uint32),
        ("domain", c_char_p),
        ("version", c_int64),
    ]


class hwest_node(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("node_class", c_int32),
        ("origin", c_int32),
        ("reserved", c_uint32),
        ("id", c_int64),
        ("name", c_char_p),
        ("label", c_char_p),
        ("domain", c_char_p),
        ("op", c_char_p),
        ("since", c_int64),
        ("module", c_char_p),
        ("graph", c_int64),
        ("inputs", POINTER(c_uint32)),
        ("input_count", c_uint64),
        ("outputs", POINTER(c_uint32)),
        ("output_count", c_uint64),
        ("macs", hwest_count),
        ("int_macs", hwest_count),
        ("causal_macs", hwest_count),
        ("flops", hwest_count),
        ("params", hwest_count),
        ("in_bytes", hwest_count),
        ("weight_bytes", hwest_count),
        ("out_bytes", hwest_count),
        ("group", c_int64),
        ("unit", c_char_p),
        ("intensity", c_double),
        ("reading", c_char_p),
        ("measured_s", c_double),
    ]


class hwest_value(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("kind", c_int32),
        ("flags", c_uint32),
        ("reserved", c_uint32),
        ("name", c_char_p),
        ("dtype", c_char_p),
        ("rank", c_int64),
        ("dims", POINTER(hwest_count)),
        ("contents", c_char_p),
        ("id", c_int64),
        ("producer", c_int64),
        ("graph", c_int64),
        ("blocked_by", c_int64),
    ]


class hwest_symbol(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("is_data_dependent", c_int32),
        ("name", c_char_p),
        ("text", c_char_p),
        ("min", c_int64),
        ("max", hwest_count),
        ("assumed", c_int64),
        ("cause", c_char_p),
    ]


class hwest_change(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("kind", c_int32),
        ("change", c_char_p),
        ("flags", Strings),
        ("edits", Strings),
        ("target_text", c_char_p),
        ("batch", c_int64),
        ("latency_s", c_double),
        ("interval_s", c_double),
        ("saving_s", c_double),
        ("energy_j", c_double),
        ("scope", c_int32),
        ("risk", c_int32),
        ("writes", c_int32),
        ("as_promised", c_int32),
        ("throughput_per_s", c_double),
        ("how", c_char_p),
        ("work", c_char_p),
        ("saving_low_s", c_double),
        ("saving_high_s", c_double),
        ("beside_s", c_double),
        ("rewrite", Strings),
        ("inputs", Strings),
        ("outputs", Strings),
        ("parts", Strings),
        ("command", c_char_p),
        ("width", Strings),
        ("rules_text", c_char_p),
        ("precision_of", c_char_p),
    ]


class hwest_context(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("reserved", c_uint32),
        ("context", c_int64),
        ("first_token_s", c_double),
        ("first_token_low_s", c_double),
        ("first_token_high_s", c_double),
        ("first_token_j", c_double),
        ("token_s", c_double),
        ("token_low_s", c_double),
        ("token_high_s", c_double),
        ("tokens_per_s", c_double),
        ("tokens_low_per_s", c_double),
        ("tokens_high_per_s", c_double),
        ("token_j", c_double),
        ("cache_bytes", c_int64),
        ("peak_memory_bytes", c_int64),
        ("fits", c_int32),
        ("reserved1", c_uint32),
        ("runtime", c_char_p),
    ]


class hwest_fusion(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("reserved", c_uint32),
        ("node", c_int64),
        ("pattern", c_char_p),
        ("words", c_char_p),
        ("expression", c_char_p),
        ("source", c_char_p),
    ]


class hwest_miss(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("reserved", c_uint32),
        ("pattern", c_char_p),
        ("node", c_char_p),
        ("guard", c_char_p),
        ("found", c_char_p),
        ("needed", c_char_p),
        ("edit", c_char_p),
    ]


class hwest_move(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("reserved", c_uint32),
        ("unit", c_char_p),
        ("time_s", c_double),
        ("latency_s", c_double),
    ]


class hwest_accuracy(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("reserved", c_uint32),
        ("family", c_char_p),
        ("target", c_char_p),
        ("device", c_char_p),
        ("unit", c_char_p),
        ("runtime", c_char_p),
        ("mode", c_char_p),
        ("precision", c_char_p),
        ("metric", c_char_p),
        ("devices", c_int64),
        ("points", c_int64),
        ("families", c_int64),
        ("fitted", c_int64),
        ("median", c_double),
        ("p90", c_double),
        ("bias", c_double),
        ("coverage80", c_double),
        ("noise", c_double),
        ("roofline_median", c_double),
        ("flops_median", c_double),
        ("spearman", c_double),
    ]


class hwest_point(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("is_near", c_int32),
        ("row", c_int64),
        ("target", c_char_p),
        ("model", c_char_p),
        ("family", c_char_p),
        ("device", c_char_p),
        ("unit", c_char_p),
        ("runtime", c_char_p),
        ("precision", c_char_p),
        ("metric", c_char_p),
        ("measured", c_double),
        ("predicted", c_double),
        ("low", c_double),
        ("high", c_double),
        ("fold", c_char_p),
        ("mode", c_char_p),
        ("roofline", c_double),
        ("flops", c_double),
        ("fits", c_int32),
        ("reserved", c_uint32),
        ("bind", c_char_p),
        ("batch", c_char_p),
        ("source", c_char_p),
        ("source_version", c_char_p),
        ("evidence_share", c_double),
        ("time_in", c_char_p),
    ]


class hwest_skipped(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("reserved", c_uint32),
        ("reason", c_char_p),
        ("count", c_int64),
    ]


class hwest_fit(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("reserved", c_uint32),
        ("target", c_char_p),
        ("path", c_char_p),
        ("prior", c_double),
        ("min", c_double),
        ("max", c_double),
        ("value", c_double),
        ("spread", c_double),
        ("count", c_int64),
        ("data", c_char_p),
        ("shared_by", c_char_p),
    ]


class hwest_log_node(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("agrees", c_int32),
        ("evidence", c_int32),
        ("reserved", c_uint32),
        ("node", c_int64),
        ("label", c_char_p),
        ("op", c_char_p),
        ("log_unit", c_char_p),
        ("unit", c_char_p),
        ("kernel", c_char_p),
        ("type", c_char_p),
        ("reason", c_char_p),
        ("refusal", c_char_p),
    ]


class hwest_log_totals(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("reserved", c_uint32),
        ("program", c_char_p),
        ("format", c_char_p),
        ("nodes", c_int64),
        ("agree", c_int64),
        ("agree_share", c_double),
        ("unnamed", c_int64),
        ("unmatched", c_int64),
        ("log_kernels", c_int64),
        ("plan_groups", c_int64),
        ("edges", c_int64),
        ("edges_agree", c_int64),
        ("edges_share", c_double),
        ("log_segments", c_int64),
        ("plan_segments", c_int64),
    ]


class hwest_target_info(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("reserved", c_uint32),
        ("name", c_char_p),
        ("aliases", Strings),
        ("base", c_char_p),
        ("family", c_char_p),
        ("summary", c_char_p),
        ("units", Strings),
        ("modes", Strings),
        ("default_mode", c_char_p),
        ("precision", c_char_p),
        ("toolchains", Strings),
        ("facts", c_int64),
        ("estimated", c_int64),
        ("fitted", c_int64),
        ("grade", c_int32),
        ("reserved1", c_uint32),
    ]


class hwest_target_unit(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("kind", c_int32),
        ("flags", c_uint32),
        ("reserved", c_uint32),
        ("name", c_char_p),
        ("toolchain", c_char_p),
        ("precision", c_char_p),
        ("memory", c_char_p),
        ("instances", c_int64),
        ("cores", c_int64),
        ("clock_hz", c_double),
        ("macs_per_s", c_double),
        ("bytes_per_s", c_double),
        ("launch_s", c_double),
        ("invoke_s", c_double),
        ("static_w", c_double),
    ]


class hwest_target_mode(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("is_default", c_int32),
        ("name", c_char_p),
        ("cap_w", c_double),
    ]


class hwest_fact(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("trust", c_int32),
        ("path", c_char_p),
        ("value", c_double),
        ("unit", c_char_p),
        ("source", c_char_p),
        ("note", c_char_p),
        ("stated", c_double),
        ("fitted", c_double),
        ("fitted_spread", c_double),
        ("fitted_count", c_int64),
        ("fitted_data", c_char_p),
        ("fitted_shared_by", c_char_p),
        ("is_read", c_int32),
        ("reserved", c_uint32),
        ("min", c_double),
        ("max", c_double),
    ]


class hwest_problem(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("severity", c_int32),
        ("line", c_int64),
        ("path", c_char_p),
        ("message", c_char_p),
        ("remedy", c_char_p),
    ]


class hwest_workload_task(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("incomplete", c_int32),
        ("name", c_char_p),
        ("model", c_char_p),
        ("precision", c_char_p),
        ("batch", c_int64),
        ("rate_per_s", c_double),
        ("reached_per_s", c_double),
        ("deadline_s", c_double),
        ("priority", c_int64),
        ("units", Strings),
        ("alone_s", c_double),
        ("unknown_groups", c_int64),
        ("response_mean_s", c_double),
        ("response_worst_s", c_double),
        ("response_bound_s", c_double),
        ("margin_s", c_double),
        ("missed_per_s", c_double),
        ("max_rate_per_s", c_double),
        ("age_s", c_double),
        ("energy_j", c_double),
        ("verdict", c_char_p),
        ("reason", c_char_p),
    ]


class hwest_workload_unit(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("reserved", c_uint32),
        ("name", c_char_p),
        ("policy", c_char_p),
        ("runs", c_char_p),
        ("servers", c_int64),
        ("busy_share", c_double),
        ("by_task", Strings),
        ("asked_share", c_double),
    ]


class hwest_workload_traffic(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("reserved", c_uint32),
        ("task", c_char_p),
        ("mean_bytes_per_s", c_double),
        ("peak_bytes_per_s", c_double),
        ("bytes", c_int64),
    ]


class hwest_workload_slowdown(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("reserved", c_uint32),
        ("task", c_char_p),
        ("by", c_char_p),
        ("factor", c_double),
    ]


class hwest_workload_segment(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("reserved", c_uint32),
        ("task", c_char_p),
        ("job", c_int64),
        ("unit", c_char_p),
        ("start_s", c_double),
        ("end_s", c_double),
    ]


class hwest_workload_fix(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("reserved", c_uint32),
        ("task", c_char_p),
        ("kind", c_char_p),
        ("change", c_char_p),
        ("verdict", c_char_p),
        ("response_worst_s", c_double),
        ("response_bound_s", c_double),
    ]


class hwest_workload_total(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("fits", c_int32),
        ("tasks", c_int64),
        ("missed", c_int64),
        ("hyperperiod_s", c_double),
        ("simulated_s", c_double),
        ("jobs", c_int64),
        ("energy_j_per_s", c_double),
        ("cap_w", c_double),
        ("peak_memory_bytes", c_int64),
        ("mean_bytes_per_s", c_double),
        ("peak_bytes_per_s", c_double),
        ("capacity_bytes_per_s", c_double),
        ("reached_per_s", c_double),
        ("power_of", c_char_p),
    ]


class hwest_diff_info(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("same", c_int32),
        ("segments_delta_s", c_double),
        ("model_a", c_char_p),
        ("target_a", c_char_p),
        ("mode_a", c_char_p),
        ("precision_a", c_char_p),
        ("model_b", c_char_p),
        ("target_b", c_char_p),
        ("mode_b", c_char_p),
        ("precision_b", c_char_p),
    ]


class hwest_diff_total(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("reserved", c_uint32),
        ("key", c_char_p),
        ("a", c_double),
        ("b", c_double),
        ("delta", c_double),
        ("share", c_double),
    ]


class hwest_diff_module(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("reserved", c_uint32),
        ("path", c_char_p),
        ("a_s", c_double),
        ("b_s", c_double),
        ("delta_s", c_double),
    ]


class hwest_diff_node(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("reserved", c_uint32),
        ("change", c_char_p),
        ("a", c_int64),
        ("b", c_int64),
        ("op", c_char_p),
        ("name_a", c_char_p),
        ("name_b", c_char_p),
        ("what", Strings),
        ("delta_s", c_double),
    ]


class hwest_check_line(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("fits", c_int32),
        ("model", c_char_p),
        ("target", c_char_p),
        ("mode", c_char_p),
        ("precision", c_char_p),
        ("batch", c_int64),
        ("figure", c_char_p),
        ("limit", c_double),
        ("judge", c_char_p),
        ("value", c_double),
        ("low", c_double),
        ("high", c_double),
        ("margin", c_double),
        ("verdict", c_char_p),
        ("why", c_char_p),
        ("help", Strings),
        ("file", c_char_p),
        ("line", c_int64),
        ("probability", c_double),
    ]


class hwest_check_total(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("reserved", c_uint32),
        ("verdict", c_char_p),
        ("checks", c_int64),
        ("limits", c_int64),
        ("over", c_int64),
        ("undecided", c_int64),
        ("unknown", c_int64),
    ]


class hwest_sweep_row(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("rewritten", c_int32),
        ("fits", c_int32),
        ("runtime_fits", c_int32),
        ("pareto", c_int32),
        ("reserved", c_uint32),
        ("model", c_char_p),
        ("sha256", c_char_p),
        ("target", c_char_p),
        ("mode", c_char_p),
        ("precision", c_char_p),
        ("batch", c_int64),
        ("dims", c_char_p),
        ("size", c_int64),
        ("status", c_char_p),
        ("code", c_char_p),
        ("message", c_char_p),
        ("latency_s", c_double),
        ("latency_low_s", c_double),
        ("latency_high_s", c_double),
        ("interval_s", c_double),
        ("throughput_per_s", c_double),
        ("energy_j", c_double),
        ("power_w", c_double),
        ("peak_memory_bytes", c_int64),
        ("macs", hwest_count),
        ("flops", hwest_count),
        ("moved_bytes", c_int64),
        ("intensity", c_double),
        ("segments", c_int64),
        ("accelerated_macs_share", c_double),
        ("grade", c_char_p),
        ("groups", c_int64),
        ("units", c_char_p),
        ("energy_per_input_j", c_double),
        ("params", c_int64),
        ("nodes", c_int64),
        ("dram_bytes", c_int64),
        ("utilisation", c_double),
        ("onchip_bytes", c_int64),
        ("dram_intensity", c_double),
        ("bounds", c_char_p),
        ("set", c_char_p),
        ("runtime", c_char_p),
        ("weights", c_char_p),
        ("kv", c_char_p),
        ("prompt", c_int64),
        ("context", c_int64),
        ("ttft_s", c_double),
        ("ttft_low_s", c_double),
        ("ttft_high_s", c_double),
        ("tokens_per_s", c_double),
        ("tokens_per_s_low", c_double),
        ("tokens_per_s_high", c_double),
        ("energy_per_token_j", c_double),
        ("runtime_memory_bytes", c_int64),
        ("max_context", c_int64),
    ]


class hwest_board(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("holds", c_int32),
        ("at_least", c_int32),
        ("reserved", c_uint32),
        ("target", c_char_p),
        ("mode", c_char_p),
        ("precision", c_char_p),
        ("batch", c_int64),
        ("streams", c_int64),
        ("shown", c_int64),
        ("verdict", c_char_p),
        ("runs_on", c_char_p),
        ("power_w", c_double),
        ("power_of", c_char_p),
        ("price", c_double),
        ("headroom", c_double),
        ("busiest", c_char_p),
        ("response_worst_s", c_double),
        ("response_bound_s", c_double),
        ("first_limit", c_char_p),
        ("reason", c_char_p),
        ("workload", c_char_p),
    ]


hwest_log = ctypes.CFUNCTYPE(None, c_void_p, POINTER(hwest_diagnostic))

hwest_progress = ctypes.CFUNCTYPE(c_int32, c_void_p, c_char_p, c_uint64, c_uint64)


class hwest_options(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("objective", c_int32),
        ("target", c_char_p),
        ("mode", c_char_p),
        ("precision", c_char_p),
        ("fusions", c_char_p),
        ("batch", c_int64),
        ("dims", Strings),
        ("shapes", Strings),
        ("expect", Strings),
        ("only", Strings),
        ("deny", Strings),
        ("assume", Strings),
        ("pin", Strings),
        ("max_segments", c_int32),
        ("reserved", c_uint32),
        ("values", Strings),
        ("op_rules", c_char_p),
        ("loaded", c_void_p),
        ("toolchains", Strings),
        ("fusion_rules", c_char_p),
        ("flops_as", c_char_p),
        ("power_cap_w", c_double),
        ("overlap", c_int32),
        ("reserved1", c_uint32),
        ("progress", hwest_progress),
        ("progress_payload", c_void_p),
        ("log", hwest_log),
        ("log_payload", c_void_p),
        ("cancel", c_void_p),
        ("host_competes", c_int32),
        ("reserved2", c_uint32),
        ("host", c_char_p),
        ("sparsity", c_char_p),
        ("seq_len", c_int64),
        ("image_size", c_int64),
        ("measured_profile", c_char_p),
        ("context", c_int64),
        ("placement", c_char_p),
        ("precision_of", c_char_p),
        ("rewrite_rules", c_char_p),
    ]


class hwest_watch(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("reserved", c_uint32),
        ("progress", hwest_progress),
        ("progress_payload", c_void_p),
        ("cancel", c_void_p),
    ]


class hwest_load_options(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("max_depth", c_int32),
        ("max_rank", c_int32),
        ("max_call_depth", c_int32),
        ("max_nodes", c_int64),
        ("max_objects", c_int64),
        ("max_stdin_bytes", c_int64),
        ("decode_bytes", c_int64),
        ("decode_integer_bytes", c_int64),
        ("log", hwest_log),
        ("log_payload", c_void_p),
    ]


class hwest_rewrite_options(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("allow_approximate", c_int32),
        ("fold", c_int32),
        ("annotate", c_int32),
        ("rules", Strings),
        ("rule_count", c_uint64),
        ("no_rules", Strings),
        ("no_rule_count", c_uint64),
        ("data", c_char_p),
        ("size", c_size_t),
        ("opset", c_int32),
        ("reserved", c_int32),
    ]


class hwest_memory_options(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("rows", c_int32),
        ("arenas", POINTER(c_int64)),
        ("arena_count", c_uint64),
        ("dim_range", c_char_p),
    ]


class hwest_width_options(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("at", c_int32),
        ("layers", Strings),
        ("layer_count", c_uint64),
        ("data", c_char_p),
        ("size", c_size_t),
    ]


class hwest_llm_options(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("what_if", c_int32),
        ("models", Strings),
        ("targets", Strings),
        ("mode", c_char_p),
        ("runtime", c_char_p),
        ("weights", c_char_p),
        ("kv", c_char_p),
        ("prompts", POINTER(c_int64)),
        ("prompt_count", c_uint64),
        ("contexts", POINTER(c_int64)),
        ("context_count", c_uint64),
        ("batches", POINTER(c_int64)),
        ("batch_count", c_uint64),
        ("new_tokens", c_int64),
        ("image_tokens", c_int64),
        ("draft", c_char_p),
        ("draft_tokens", c_int64),
        ("acceptance", c_double),
    ]


class hwest_quantize_options(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("reserved", c_uint32),
        ("formats", Strings),
        ("sensitivity", c_char_p),
        ("budget", c_char_p),
        ("export_as", c_char_p),
        ("ranges", c_char_p),
    ]


class hwest_explore_options(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("reserved", c_uint32),
        ("models", Strings),
        ("vary", Strings),
        ("objective", c_char_p),
        ("constraint", c_char_p),
        ("search", c_char_p),
        ("budget", c_int64),
        ("process_nm", c_double),
        ("output", c_char_p),
    ]


class hwest_fit_options(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("threads", c_int32),
        ("models", Strings),
        ("targets", Strings),
        ("modes", Strings),
        ("precisions", Strings),
        ("batches", POINTER(c_int64)),
        ("batch_count", c_uint64),
        ("streams", c_int64),
        ("rate", c_char_p),
        ("deadline", c_char_p),
        ("max_power", c_char_p),
        ("stages", Strings),
        ("prices", c_char_p),
        ("host", c_char_p),
    ]


class hwest_limits(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("judge", c_int32),
        ("max_latency", c_char_p),
        ("min_rate", c_char_p),
        ("max_energy", c_char_p),
        ("max_power", c_char_p),
        ("max_memory", c_char_p),
        ("max_fallback", c_char_p),
        ("fits", c_int32),
        ("reserved", c_uint32),
        ("max_ttft", c_char_p),
        ("min_tokens_per_s", c_char_p),
    ]


class hwest_sweep_lists(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("rewritten", c_int32),
        ("models", Strings),
        ("targets", Strings),
        ("modes", Strings),
        ("precisions", Strings),
        ("batches", POINTER(c_int64)),
        ("batch_count", c_uint64),
        ("dims", Strings),
        ("sizes", POINTER(c_int64)),
        ("size_count", c_uint64),
        ("loaded_targets", POINTER(c_void_p)),
        ("loaded", POINTER(c_void_p)),
        ("loaded_count", c_uint64),
        ("options", POINTER(hwest_options)),
        ("settings", Strings),
    ]


class hwest_sweep_options(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("threads", c_int32),
        ("loaded", POINTER(c_void_p)),
        ("loaded_count", c_uint64),
        ("first", c_uint64),
        ("count", c_uint64),
        ("failed", c_char_p),
        ("progress", hwest_progress),
        ("progress_payload", c_void_p),
        ("cancel", c_void_p),
        ("data", Strings),
        ("data_sizes", POINTER(c_uint64)),
    ]


class hwest_validate_options(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("leave_out", c_int32),
        ("measurements", c_char_p),
        ("models", c_char_p),
        ("target", c_char_p),
        ("loaded", c_void_p),
        ("progress", hwest_progress),
        ("progress_payload", c_void_p),
        ("cancel", c_void_p),
        ("threads", c_int32),
        ("reserved", c_uint32),
    ]


class hwest_calibrate_options(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("threads", c_int32),
        ("measurements", c_char_p),
        ("models", c_char_p),
        ("target", c_char_p),
        ("progress", hwest_progress),
        ("progress_payload", c_void_p),
        ("cancel", c_void_p),
    ]


class hwest_report_options(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("kind", c_int32),
        ("format", c_int32),
        ("level", c_int32),
        ("top", c_int64),
        ("node", c_char_p),
        ("what_if", c_void_p),
        ("explanation", c_void_p),
        ("color", c_int32),
        ("reserved", c_uint32),
        ("color_by", c_int32),
        ("collapse", c_int32),
        ("unfold", c_int32),
        ("chart", c_int32),
        ("start", c_int64),
        ("end", c_int64),
        ("max_nodes", c_int64),
        ("context", c_int64),
        ("around", c_char_p),
        ("module", c_char_p),
        ("grep", c_char_p),
        ("ops", Strings),
        ("units", Strings),
        ("bounds", Strings),
        ("columns", Strings),
    ]


hwest_sink = ctypes.CFUNCTYPE(c_int32, c_void_p, c_void_p, c_size_t)


STRUCTS = (
    hwest_count,
    hwest_group,
    hwest_traffic,
    hwest_measured_entry,
    hwest_segment,
    hwest_unit,
    hwest_bound_total,
    hwest_module,
    hwest_support,
    hwest_refusal,
    hwest_event,
    hwest_lifetime,
    hwest_totals,
    hwest_memory_need,
    hwest_diagnostic,
    hwest_model_info,
    hwest_opset,
    hwest_node,
    hwest_value,
    hwest_symbol,
    hwest_change,
    hwest_context,
    hwest_fusion,
    hwest_miss,
    hwest_move,
    hwest_accuracy,
    hwest_point,
    hwest_skipped,
    hwest_fit,
    hwest_log_node,
    hwest_log_totals,
    hwest_target_info,
    hwest_target_unit,
    hwest_target_mode,
    hwest_fact,
    hwest_problem,
    hwest_workload_task,
    hwest_workload_unit,
    hwest_workload_traffic,
    hwest_workload_slowdown,
    hwest_workload_segment,
    hwest_workload_fix,
    hwest_workload_total,
    hwest_diff_info,
    hwest_diff_total,
    hwest_diff_module,
    hwest_diff_node,
    hwest_check_line,
    hwest_check_total,
    hwest_sweep_row,
    hwest_board,
    hwest_options,
    hwest_watch,
    hwest_load_options,
    hwest_rewrite_options,
    hwest_memory_options,
    hwest_width_options,
    hwest_llm_options,
    hwest_quantize_options,
    hwest_explore_options,
    hwest_fit_options,
    hwest_limits,
    hwest_sweep_lists,
    hwest_sweep_options,
    hwest_validate_options,
    hwest_calibrate_options,
    hwest_report_options,
)

# name: (what it returns, its arguments). Handles are void pointers; so is a buffer's data, which may hold NULs.
FUNCTIONS: Dict[str, Tuple[Any, Tuple[Any, ...]]] = {
    "hwest_analysis_group_count": (c_uint64, (c_void_p,)),
    "hwest_analysis_group_get": (c_int32, (c_void_p, c_uint64, POINTER(hwest_group))),
    "hwest_analysis_group_read": (c_int32, (c_void_p, c_uint64, c_uint64, POINTER(hwest_group), c_size_t)),
    "hwest_analysis_traffic_count": (c_uint64, (c_void_p,)),
    "hwest_analysis_traffic_get": (c_int32, (c_void_p, c_uint64, POINTER(hwest_traffic))),
    "hwest_analysis_traffic_read": (c_int32, (c_void_p, c_uint64, c_uint64, POINTER(hwest_traffic), c_size_t)),
    "hwest_analysis_measured_count": (c_uint64, (c_void_p,)),
    "hwest_analysis_measured_get": (c_int32, (c_void_p, c_uint64, POINTER(hwest_measured_entry))),
    "hwest_analysis_measured_read": (c_int32, (c_void_p, c_uint64, c_uint64, POINTER(hwest_measured_entry), c_size_t)),
    "hwest_analysis_segment_count": (c_uint64, (c_void_p,)),
    "hwest_analysis_segment_get": (c_int32, (c_void_p, c_uint64, POINTER(hwest_segment))),
    "hwest_analysis_segment_read": (c_int32, (c_void_p, c_uint64, c_uint64, POINTER(hwest_segment), c_size_t)),
    "hwest_analysis_unit_count": (c_uint64, (c_void_p,)),
    "hwest_analysis_unit_get": (c_int32, (c_void_p, c_uint64, POINTER(hwest_unit))),
    "hwest_analysis_unit_read": (c_int32, (c_void_p, c_uint64, c_uint64, POINTER(hwest_unit), c_size_t)),
    "hwest_analysis_bound_count": (c_uint64, (c_void_p,)),
    "hwest_analysis_bound_get": (c_int32, (c_void_p, c_uint64, POINTER(hwest_bound_total))),
    "hwest_analysis_bound_read": (c_int32, (c_void_p, c_uint64, c_uint64, POINTER(hwest_bound_total), c_size_t)),
    "hwest_analysis_module_count": (c_uint64, (c_void_p,)),
    "hwest_analysis_module_get": (c_int32, (c_void_p, c_uint64, POINTER(hwest_module))),
    "hwest_analysis_module_read": (c_int32, (c_void_p, c_uint64, c_uint64, POINTER(hwest_module), c_size_t)),
    "hwest_analysis_support_count": (c_uint64, (c_void_p,)),
    "hwest_analysis_support_get": (c_int32, (c_void_p, c_uint64, POINTER(hwest_support))),
    "hwest_analysis_support_read": (c_int32, (c_void_p, c_uint64, c_uint64, POINTER(hwest_support), c_size_t)),
    "hwest_refusals_row_count": (c_uint64, (c_void_p,)),
    "hwest_refusals_row_get": (c_int32, (c_void_p, c_uint64, POINTER(hwest_refusal))),
    "hwest_refusals_row_read": (c_int32, (c_void_p, c_uint64, c_uint64, POINTER(hwest_refusal), c_size_t)),
    "hwest_analysis_event_count": (c_uint64, (c_void_p,)),
    "hwest_analysis_event_get": (c_int32, (c_void_p, c_uint64, POINTER(hwest_event))),
    "hwest_analysis_event_read": (c_int32, (c_void_p, c_uint64, c_uint64, POINTER(hwest_event), c_size_t)),
    "hwest_analysis_lifetime_count": (c_uint64, (c_void_p,)),
    "hwest_analysis_lifetime_get": (c_int32, (c_void_p, c_uint64, POINTER(hwest_lifetime))),
    "hwest_analysis_lifetime_read": (c_int32, (c_void_p, c_uint64, c_uint64, POINTER(hwest_lifetime), c_size_t)),
    "hwest_analysis_totals": (c_int32, (c_void_p, POINTER(hwest_totals))),
    "hwest_analysis_memory_need_count": (c_uint64, (c_void_p,)),
    "hwest_analysis_memory_need_get": (c_int32, (c_void_p, c_uint64, POINTER(hwest_memory_need))),
    "hwest_analysis_memory_need_read": (c_int32, (c_void_p, c_uint64, c_uint64, POINTER(hwest_memory_need), c_size_t)),
    "hwest_model_diagnostic_count": (c_uint64, (c_void_p,)),
    "hwest_model_diagnostic_get": (c_int32, (c_void_p, c_uint64, POINTER(hwest_diagnostic))),
    "hwest_model_diagnostic_read": (c_int32, (c_void_p, c_uint64, c_uint64, POINTER(hwest_diagnostic), c_size_t)),
    "hwest_analysis_diagnostic_count": (c_uint64, (c_void_p,)),
    "hwest_analysis_diagnostic_get": (c_int32, (c_void_p, c_uint64, POINTER(hwest_diagnostic))),
    "hwest_analysis_diagnostic_read": (c_int32, (c_void_p, c_uint64, c_uint64, POINTER(hwest_diagnostic), c_size_t)),
    "hwest_workload_diagnostic_count": (c_uint64, (c_void_p,)),
    "hwest_workload_diagnostic_get": (c_int32, (c_void_p, c_uint64, POINTER(hwest_diagnostic))),
    "hwest_workload_diagnostic_read": (c_int32, (c_void_p, c_uint64, c_uint64, POINTER(hwest_diagnostic), c_size_t)),
    "hwest_model_describe": (c_int32, (c_void_p, POINTER(hwest_model_info))),
    "hwest_model_opset_count": (c_uint64, (c_void_p,)),
    "hwest_model_opset_get": (c_int32, (c_void_p, c_uint64, POINTER(hwest_opset))),
    "hwest_model_opset_read": (c_int32, (c_void_p, c_uint64, c_uint64, POINTER(hwest_opset), c_size_t)),
    "hwest_analysis_node_count": (c_uint64, (c_void_p,)),
    "hwest_analysis_node_get": (c_int32, (c_void_p, c_uint64, POINTER(hwest_node))),
    "hwest_analysis_node_read": (c_int32, (c_void_p, c_uint64, c_uint64, POINTER(hwest_node), c_size_t)),
    "hwest_model_input_count": (c_uint64, (c_void_p,)),
    "hwest_model_input_get": (c_int32, (c_void_p, c_uint64, POINTER(hwest_value))),
    "hwest_model_input_read": (c_int32, (c_void_p, c_uint64, c_uint64, POINTER(hwest_value), c_size_t)),
    "hwest_model_output_count": (c_uint64, (c_void_p,)),
    "hwest_model_output_get": (c_int32, (c_void_p, c_uint64, POINTER(hwest_value))),
    "hwest_model_output_read": (c_int32, (c_void_p, c_uint64, c_uint64, POINTER(hwest_value), c_size_t)),
    "hwest_analysis_value_count": (c_uint64, (c_void_p,)),
    "hwest_analysis_value_get": (c_int32, (c_void_p, c_uint64, POINTER(hwest_value))),
    "hwest_analysis_value_read": (c_int32, (c_void_p, c_uint64, c_uint64, POINTER(hwest_value), c_size_t)),
    "hwest_analysis_input_count": (c_uint64, (c_void_p,)),
    "hwest_analysis_input_get": (c_int32, (c_void_p, c_uint64, POINTER(hwest_value))),
    "hwest_analysis_input_read": (c_int32, (c_void_p, c_uint64, c_uint64, POINTER(hwest_value), c_size_t)),
    "hwest_analysis_output_count": (c_uint64, (c_void_p,)),
    "hwest_analysis_output_get": (c_int32, (c_void_p, c_uint64, POINTER(hwest_value))),
    "hwest_analysis_output_read": (c_int32, (c_void_p, c_uint64, c_uint64, POINTER(hwest_value), c_size_t)),
    "hwest_model_symbol_count": (c_uint64, (c_void_p,)),
    "hwest_model_symbol_get": (c_int32, (c_void_p, c_uint64, POINTER(hwest_symbol))),
    "hwest_model_symbol_read": (c_int32, (c_void_p, c_uint64, c_uint64, POINTER(hwest_symbol), c_size_t)),
    "hwest_analysis_symbol_count": (c_uint64, (c_void_p,)),
    "hwest_analysis_symbol_get": (c_int32, (c_void_p, c_uint64, POINTER(hwest_symbol))),
    "hwest_analysis_symbol_read": (c_int32, (c_void_p, c_uint64, c_uint64, POINTER(hwest_symbol), c_size_t)),
    "hwest_what_if_change_count": (c_uint64, (c_void_p,)),
    "hwest_what_if_change_get": (c_int32, (c_void_p, c_uint64, POINTER(hwest_change))),
    "hwest_what_if_change_read": (c_int32, (c_void_p, c_uint64, c_uint64, POINTER(hwest_change), c_size_t)),
    "hwest_generation_context_count": (c_uint64, (c_void_p,)),
    "hwest_generation_context_get": (c_int32, (c_void_p, c_uint64, POINTER(hwest_context))),
    "hwest_generation_context_read": (c_int32, (c_void_p, c_uint64, c_uint64, POINTER(hwest_context), c_size_t)),
    "hwest_explanation_fusion": (c_int32, (c_void_p, POINTER(hwest_fusion))),
    "hwest_explanation_miss_count": (c_uint64, (c_void_p,)),
    "hwest_explanation_miss_get": (c_int32, (c_void_p, c_uint64, POINTER(hwest_miss))),
    "hwest_explanation_miss_read": (c_int32, (c_void_p, c_uint64, c_uint64, POINTER(hwest_miss), c_size_t)),
    "hwest_explanation_move_count": (c_uint64, (c_void_p,)),
    "hwest_explanation_move_get": (c_int32, (c_void_p, c_uint64, POINTER(hwest_move))),
    "hwest_explanation_move_read": (c_int32, (c_void_p, c_uint64, c_uint64, POINTER(hwest_move), c_size_t)),
    "hwest_validation_pool_count": (c_uint64, (c_void_p,)),
    "hwest_validation_pool_get": (c_int32, (c_void_p, c_uint64, POINTER(hwest_accuracy))),
    "hwest_validation_pool_read": (c_int32, (c_void_p, c_uint64, c_uint64, POINTER(hwest_accuracy), c_size_t)),
    "hwest_validation_device_count": (c_uint64, (c_void_p,)),
    "hwest_validation_device_get": (c_int32, (c_void_p, c_uint64, POINTER(hwest_accuracy))),
    "hwest_validation_device_read": (c_int32, (c_void_p, c_uint64, c_uint64, POINTER(hwest_accuracy), c_size_t)),
    "hwest_calibration_before_count": (c_uint64, (c_void_p,)),
    "hwest_calibration_before_get": (c_int32, (c_void_p, c_uint64, POINTER(hwest_accuracy))),
    "hwest_calibration_before_read": (c_int32, (c_void_p, c_uint64, c_uint64, POINTER(hwest_accuracy), c_size_t)),
    "hwest_calibration_after_count": (c_uint64, (c_void_p,)),
    "hwest_calibration_after_get": (c_int32, (c_void_p, c_uint64, POINTER(hwest_accuracy))),
    "hwest_calibration_after_read": (c_int32, (c_void_p, c_uint64, c_uint64, POINTER(hwest_accuracy), c_size_t)),
    "hwest_validation_point_count": (c_uint64, (c_void_p,)),
    "hwest_validation_point_get": (c_int32, (c_void_p, c_uint64, POINTER(hwest_point))),
    "hwest_validation_point_read": (c_int32, (c_void_p, c_uint64, c_uint64, POINTER(hwest_point), c_size_t)),
    "hwest_validation_skipped_count": (c_uint64, (c_void_p,)),
    "hwest_validation_skipped_get": (c_int32, (c_void_p, c_uint64, POINTER(hwest_skipped))),
    "hwest_validation_skipped_read": (c_int32, (c_void_p, c_uint64, c_uint64, POINTER(hwest_skipped), c_size_t)),
    "hwest_calibration_skipped_count": (c_uint64, (c_void_p,)),
    "hwest_calibration_skipped_get": (c_int32, (c_void_p, c_uint64, POINTER(hwest_skipped))),
    "hwest_calibration_skipped_read": (c_int32, (c_void_p, c_uint64, c_uint64, POINTER(hwest_skipped), c_size_t)),
    "hwest_calibration_fit_count": (c_uint64, (c_void_p,)),
    "hwest_calibration_fit_get": (c_int32, (c_void_p, c_uint64, POINTER(hwest_fit))),
    "hwest_calibration_fit_read": (c_int32, (c_void_p, c_uint64, c_uint64, POINTER(hwest_fit), c_size_t)),
    "hwest_import_log_node_count": (c_uint64, (c_void_p,)),
    "hwest_import_log_node_get": (c_int32, (c_void_p, c_uint64, POINTER(hwest_log_node))),
    "hwest_import_log_node_read": (c_int32, (c_void_p, c_uint64, c_uint64, POINTER(hwest_log_node), c_size_t)),
    "hwest_import_log_totals": (c_int32, (c_void_p, POINTER(hwest_log_totals))),
    "hwest_target_list_count": (c_uint64, (c_void_p,)),
    "hwest_target_list_get": (c_int32, (c_void_p, c_uint64, POINTER(hwest_target_info))),
    "hwest_target_list_read": (c_int32, (c_void_p, c_uint64, c_uint64, POINTER(hwest_target_info), c_size_t)),
    "hwest_target_describe": (c_int32, (c_void_p, POINTER(hwest_target_info))),
    "hwest_target_unit_count": (c_uint64, (c_void_p,)),
    "hwest_target_unit_get": (c_int32, (c_void_p, c_uint64, POINTER(hwest_target_unit))),
    "hwest_target_unit_read": (c_int32, (c_void_p, c_uint64, c_uint64, POINTER(hwest_target_unit), c_size_t)),
    "hwest_target_mode_count": (c_uint64, (c_void_p,)),
    "hwest_target_mode_get": (c_int32, (c_void_p, c_uint64, POINTER(hwest_target_mode))),
    "hwest_target_mode_read": (c_int32, (c_void_p, c_uint64, c_uint64, POINTER(hwest_target_mode), c_size_t)),
    "hwest_target_fact_count": (c_uint64, (c_void_p,)),
    "hwest_target_fact_get": (c_int32, (c_void_p, c_uint64, POINTER(hwest_fact))),
    "hwest_target_fact_read": (c_int32, (c_void_p, c_uint64, c_uint64, POINTER(hwest_fact), c_size_t)),
    "hwest_lint_problem_count": (c_uint64, (c_void_p,)),
    "hwest_lint_problem_get": (c_int32, (c_void_p, c_uint64, POINTER(hwest_problem))),
    "hwest_lint_problem_read": (c_int32, (c_void_p, c_uint64, c_uint64, POINTER(hwest_problem), c_size_t)),
    "hwest_workload_task_count": (c_uint64, (c_void_p,)),
    "hwest_workload_task_get": (c_int32, (c_void_p, c_uint64, POINTER(hwest_workload_task))),
    "hwest_workload_task_read": (c_int32, (c_void_p, c_uint64, c_uint64, POINTER(hwest_workload_task), c_size_t)),
    "hwest_workload_unit_count": (c_uint64, (c_void_p,)),
    "hwest_workload_unit_get": (c_int32, (c_void_p, c_uint64, POINTER(hwest_workload_unit))),
    "hwest_workload_unit_read": (c_int32, (c_void_p, c_uint64, c_uint64, POINTER(hwest_workload_unit), c_size_t)),
    "hwest_workload_traffic_count": (c_uint64, (c_void_p,)),
    "hwest_workload_traffic_get": (c_int32, (c_void_p, c_uint64, POINTER(hwest_workload_traffic))),
    "hwest_workload_traffic_read": (c_int32,
        (c_void_p, c_uint64, c_uint64, POINTER(hwest_workload_traffic), c_size_t)),
    "hwest_workload_slowdown_count": (c_uint64, (c_void_p,)),
    "hwest_workload_slowdown_get": (c_int32, (c_void_p, c_uint64, POINTER(hwest_workload_slowdown))),
    "hwest_workload_slowdown_read": (c_int32,
        (c_void_p, c_uint64, c_uint64, POINTER(hwest_workload_slowdown), c_size_t)),
    "hwest_workload_segment_count": (c_uint64, (c_void_p,)),
    "hwest_workload_segment_get": (c_int32, (c_void_p, c_uint64, POINTER(hwest_workload_segment))),
    "hwest_workload_segment_read": (c_int32,
        (c_void_p, c_uint64, c_uint64, POINTER(hwest_workload_segment), c_size_t)),
    "hwest_workload_fix_count": (c_uint64, (c_void_p,)),
    "hwest_workload_fix_get": (c_int32, (c_void_p, c_uint64, POINTER(hwest_workload_fix))),
    "hwest_workload_fix_read": (c_int32, (c_void_p, c_uint64, c_uint64, POINTER(hwest_workload_fix), c_size_t)),
    "hwest_workload_totals": (c_int32, (c_void_p, POINTER(hwest_workload_total))),
    "hwest_diff_describe": (c_int32, (c_void_p, POINTER(hwest_diff_info))),
    "hwest_diff_total_count": (c_uint64, (c_void_p,)),
    "hwest_diff_total_get": (c_int32, (c_void_p, c_uint64, POINTER(hwest_diff_total))),
    "hwest_diff_total_read": (c_int32, (c_void_p, c_uint64, c_uint64, POINTER(hwest_diff_total), c_size_t)),
    "hwest_diff_module_count": (c_uint64, (c_void_p,)),
    "hwest_diff_module_get": (c_int32, (c_void_p, c_uint64, POINTER(hwest_diff_module))),
    "hwest_diff_module_read": (c_int32, (c_void_p, c_uint64, c_uint64, POINTER(hwest_diff_module), c_size_t)),
    "hwest_diff_node_count": (c_uint64, (c_void_p,)),
    "hwest_diff_node_get": (c_int32, (c_void_p, c_uint64, POINTER(hwest_diff_node))),
    "hwest_diff_node_read": (c_int32, (c_void_p, c_uint64, c_uint64, POINTER(hwest_diff_node), c_size_t)),
    "hwest_check_line_count": (c_uint64, (c_void_p,)),
    "hwest_check_line_get": (c_int32, (c_void_p, c_uint64, POINTER(hwest_check_line))),
    "hwest_check_line_read": (c_int32, (c_void_p, c_uint64, c_uint64, POINTER(hwest_check_line), c_size_t)),
    "hwest_check_totals": (c_int32, (c_void_p, POINTER(hwest_check_total))),
    "hwest_sweep_row_count": (c_uint64, (c_void_p,)),
    "hwest_sweep_row_get": (c_int32, (c_void_p, c_uint64, POINTER(hwest_sweep_row))),
    "hwest_sweep_row_read": (c_int32, (c_void_p, c_uint64, c_uint64, POINTER(hwest_sweep_row), c_size_t)),
    "hwest_boards_row_count": (c_uint64, (c_void_p,)),
    "hwest_boards_row_get": (c_int32, (c_void_p, c_uint64, POINTER(hwest_board))),
    "hwest_boards_row_read": (c_int32, (c_void_p, c_uint64, c_uint64, POINTER(hwest_board), c_size_t)),
    "hwest_version": (c_char_p, ()),
    "hwest_version_number": (c_uint32, ()),
    "hwest_abi_version": (c_uint32, ()),
    "hwest_set_words": (None, (c_int32,)),
    "hwest_last_error_message": (c_char_p, ()),
    "hwest_last_error_code": (c_char_p, ()),
    "hwest_cancel_create": (c_int32, (POINTER(c_void_p),)),
    "hwest_cancel_request": (None, (c_void_p,)),
    "hwest_cancel_requested": (c_int32, (c_void_p,)),
    "hwest_cancel_free": (None, (c_void_p,)),
    "hwest_model_load": (c_int32, (c_char_p, POINTER(c_void_p))),
    "hwest_model_load_with": (c_int32, (c_char_p, POINTER(hwest_load_options), POINTER(c_void_p))),
    "hwest_model_load_memory": (c_int32, (c_char_p, c_size_t, c_char_p, POINTER(c_void_p))),
    "hwest_model_load_memory_with": (c_int32,
        (c_char_p, c_size_t, c_char_p, POINTER(hwest_load_options), POINTER(c_void_p))),
    "hwest_model_free": (None, (c_void_p,)),
    "hwest_target_load": (c_int32, (c_char_p, POINTER(c_void_p))),
    "hwest_target_load_memory": (c_int32, (c_char_p, c_size_t, c_char_p, POINTER(c_void_p))),
    "hwest_target_free": (None, (c_void_p,)),
    "hwest_target_list_create": (c_int32, (POINTER(c_void_p),)),
    "hwest_target_list_free": (None, (c_void_p,)),
    "hwest_lint_create": (c_int32, (c_char_p, c_size_t, c_char_p, POINTER(c_void_p))),
    "hwest_lint_free": (None, (c_void_p,)),
    "hwest_analyze": (c_int32, (c_void_p, POINTER(hwest_options), POINTER(c_void_p))),
    "hwest_analysis_free": (None, (c_void_p,)),
    "hwest_what_if_create": (c_int32, (c_void_p, hwest_progress, c_void_p, POINTER(c_void_p))),
    "hwest_what_if_create_with": (c_int32, (c_void_p, POINTER(hwest_watch), POINTER(c_void_p))),
    "hwest_what_if_free": (None, (c_void_p,)),
    "hwest_refusals_create": (c_int32, (c_void_p, POINTER(hwest_watch), POINTER(c_void_p))),
    "hwest_refusals_free": (None, (c_void_p,)),
    "hwest_import_log_create": (c_int32, (c_void_p, c_char_p, c_size_t, c_char_p, c_char_p, POINTER(c_void_p))),
    "hwest_import_log_free": (None, (c_void_p,)),
    "hwest_import_log_report": (c_int32, (c_void_p, POINTER(hwest_report_options), hwest_sink, c_void_p)),
    "hwest_import_log_report_buffer": (c_int32, (c_void_p, POINTER(hwest_report_options), POINTER(c_void_p))),
    "hwest_rewrite": (c_int32,
        (c_void_p, POINTER(hwest_options), POINTER(hwest_rewrite_options), hwest_sink, c_void_p, POINTER(c_void_p))),
    "hwest_memory": (c_int32,
        (c_void_p, POINTER(hwest_options), POINTER(hwest_memory_options), POINTER(hwest_report_options),
        POINTER(c_void_p))),
    "hwest_quantize_plan": (c_int32,
        (c_void_p, POINTER(hwest_options), POINTER(hwest_quantize_options), POINTER(hwest_report_options),
        POINTER(c_void_p))),
    "hwest_width": (c_int32,
        (c_void_p, POINTER(hwest_options), POINTER(hwest_width_options), POINTER(hwest_report_options), POINTER(c_void_p))),
    "hwest_predictor_create": (c_int32, (POINTER(hwest_options), POINTER(c_void_p))),
    "hwest_predictor_free": (None, (c_void_p,)),
    "hwest_predictor_conv": (c_int32, (c_void_p, c_char_p, POINTER(c_int64), c_uint64, POINTER(c_double))),
    "hwest_predictor_matmul": (c_int32, (c_void_p, c_char_p, POINTER(c_int64), c_uint64, POINTER(c_double))),
    "hwest_explore": (c_int32,
        (POINTER(hwest_explore_options), POINTER(hwest_options), POINTER(hwest_report_options), POINTER(c_void_p),
        POINTER(c_void_p))),
    "hwest_llm": (c_int32, (POINTER(hwest_llm_options), POINTER(hwest_report_options), POINTER(c_void_p))),
    "hwest_generation_create": (c_int32,
        (c_void_p, POINTER(hwest_options), POINTER(c_int64), c_uint64, POINTER(c_void_p))),
    "hwest_generation_free": (None, (c_void_p,)),
    "hwest_explain": (c_int32, (c_void_p, c_char_p, POINTER(c_void_p))),
    "hwest_explain_with": (c_int32, (c_void_p, c_char_p, POINTER(hwest_watch), POINTER(c_void_p))),
    "hwest_explanation_free": (None, (c_void_p,)),
    "hwest_workload_run": (c_int32, (c_char_p, c_char_p, c_char_p, hwest_progress, c_void_p, POINTER(c_void_p))),
    "hwest_workload_run_with": (c_int32, (c_char_p, c_char_p, c_char_p, POINTER(hwest_watch), POINTER(c_void_p))),
    "hwest_workload_free": (None, (c_void_p,)),
    "hwest_boards_create": (c_int32, (POINTER(hwest_fit_options), POINTER(hwest_watch), POINTER(c_void_p))),
    "hwest_boards_free": (None, (c_void_p,)),
    "hwest_diff_create": (c_int32, (c_void_p, c_char_p, c_void_p, c_char_p, POINTER(c_void_p))),
    "hwest_diff_against": (c_int32,
        (c_void_p, POINTER(hwest_options), c_char_p, c_void_p, c_char_p, c_char_p, POINTER(c_void_p))),
    "hwest_diff_free": (None, (c_void_p,)),
    "hwest_diff_judge": (c_int32, (c_void_p, c_char_p)),
    "hwest_check_run": (c_int32, (c_char_p, hwest_progress, c_void_p, c_void_p, POINTER(c_void_p))),
    "hwest_check_analysis": (c_int32,
        (c_void_p, POINTER(hwest_limits), hwest_progress, c_void_p, c_void_p, POINTER(c_void_p))),
    "hwest_check_free": (None, (c_void_p,)),
    "hwest_sweep_plan_create": (c_int32, (POINTER(hwest_sweep_lists), POINTER(c_void_p))),
    "hwest_sweep_plan_points": (c_uint64, (c_void_p,)),
    "hwest_sweep_plan_left_out": (Strings, (c_void_p, c_uint64)),
    "hwest_sweep_plan_free": (None, (c_void_p,)),
    "hwest_sweep_run": (c_int32, (c_void_p, POINTER(hwest_sweep_options), POINTER(c_void_p))),
    "hwest_sweep_from_rows": (c_int32, (c_char_p, c_size_t, POINTER(c_void_p))),
    "hwest_sweep_free": (None, (c_void_p,)),
    "hwest_validate": (c_int32, (POINTER(hwest_validate_options), POINTER(c_void_p))),
    "hwest_validation_free": (None, (c_void_p,)),
    "hwest_calibrate": (c_int32, (POINTER(hwest_calibrate_options), POINTER(c_void_p))),
    "hwest_calibration_free": (None, (c_void_p,)),
    "hwest_calibration_target_text": (c_char_p, (c_void_p,)),
    "hwest_report": (c_int32, (c_void_p, POINTER(hwest_report_options), hwest_sink, c_void_p)),
    "hwest_report_buffer": (c_int32, (c_void_p, POINTER(hwest_report_options), POINTER(c_void_p))),
    "hwest_target_report": (c_int32, (c_void_p, POINTER(hwest_report_options), hwest_sink, c_void_p)),
    "hwest_target_report_buffer": (c_int32, (c_void_p, POINTER(hwest_report_options), POINTER(c_void_p))),
    "hwest_target_list_report": (c_int32, (c_void_p, POINTER(hwest_report_options), hwest_sink, c_void_p)),
    "hwest_target_list_report_buffer": (c_int32, (c_void_p, POINTER(hwest_report_options), POINTER(c_void_p))),
    "hwest_lint_report": (c_int32, (c_void_p, POINTER(hwest_report_options), hwest_sink, c_void_p)),
    "hwest_lint_report_buffer": (c_int32, (c_void_p, POINTER(hwest_report_options), POINTER(c_void_p))),
    "hwest_validation_report": (c_int32, (c_void_p, POINTER(hwest_report_options), hwest_sink, c_void_p)),
    "hwest_validation_report_buffer": (c_int32, (c_void_p, POINTER(hwest_report_options), POINTER(c_void_p))),
    "hwest_calibration_report": (c_int32, (c_void_p, POINTER(hwest_report_options), hwest_sink, c_void_p)),
    "hwest_calibration_report_buffer": (c_int32, (c_void_p, POINTER(hwest_report_options), POINTER(c_void_p))),
    "hwest_workload_report": (c_int32, (c_void_p, POINTER(hwest_report_options), hwest_sink, c_void_p)),
    "hwest_workload_report_buffer": (c_int32, (c_void_p, POINTER(hwest_report_options), POINTER(c_void_p))),
    "hwest_boards_report": (c_int32, (c_void_p, POINTER(hwest_report_options), hwest_sink, c_void_p)),
    "hwest_boards_report_buffer": (c_int32, (c_void_p, POINTER(hwest_report_options), POINTER(c_void_p))),
    "hwest_diff_report": (c_int32, (c_void_p, POINTER(hwest_report_options), hwest_sink, c_void_p)),
    "hwest_diff_report_buffer": (c_int32, (c_void_p, POINTER(hwest_report_options), POINTER(c_void_p))),
    "hwest_check_report": (c_int32, (c_void_p, POINTER(hwest_report_options), hwest_sink, c_void_p)),
    "hwest_check_report_buffer": (c_int32, (c_void_p, POINTER(hwest_report_options), POINTER(c_void_p))),
    "hwest_sweep_report": (c_int32, (c_void_p, POINTER(hwest_report_options), hwest_sink, c_void_p)),
    "hwest_sweep_report_buffer": (c_int32, (c_void_p, POINTER(hwest_report_options), POINTER(c_void_p))),
    "hwest_buffer_data": (c_void_p, (c_void_p,)),
    "hwest_buffer_size": (c_size_t, (c_void_p,)),
    "hwest_buffer_free": (None, (c_void_p,)),
    "hwest_main": (c_int32, (c_int32, Strings)),
}


def declare(library: ctypes.CDLL) -> ctypes.CDLL:
    """Gives every function of `library` its signature."""
    for name, (restype, argtypes) in FUNCTIONS.items():
        function = getattr(library, name)
        function.restype = restype
        function.argtypes = argtypes
    return library
