"""hwest.h in ctypes: every constant, struct and function, in the header's order. A test holds the two together."""

import ctypes
from ctypes import POINTER, c_char_p, c_double, c_int32, c_int64, c_size_t, c_uint32, c_uint64, c_void_p

SONAME = "libhwest.so.0"

HWEST_OK = 0

HWEST_OBJECTIVE_LATENCY = 0
HWEST_OBJECTIVE_ENERGY = 1

HWEST_GRADE_UNKNOWN = 0
HWEST_GRADE_MEASURED = 1
HWEST_GRADE_FAMILY = 2
HWEST_GRADE_DATASHEET = 3

HWEST_BOUND_UNKNOWN = 0
HWEST_BOUND_COMPUTE = 1
HWEST_BOUND_MEMORY = 2
HWEST_BOUND_OVERHEAD = 3
HWEST_BOUND_TRANSFER = 4
HWEST_BOUND_BALANCED = 5

HWEST_REPORT_ANALYSIS = 0
HWEST_REPORT_SHAPES = 1
HWEST_REPORT_SUPPORT = 2
HWEST_REPORT_EXPLAIN = 3

HWEST_FORMAT_TEXT = 0
HWEST_FORMAT_JSON = 1
HWEST_FORMAT_CSV = 2
HWEST_FORMAT_MARKDOWN = 3
HWEST_FORMAT_DOT = 4
HWEST_FORMAT_SVG = 5
HWEST_FORMAT_PNG = 6
HWEST_FORMAT_PDF = 7

HWEST_LEVEL_DEFAULT = 0
HWEST_LEVEL_NODE = 1
HWEST_LEVEL_GROUP = 2
HWEST_LEVEL_SEGMENT = 3
HWEST_LEVEL_MODULE = 4

HWEST_TOP_ALL = -1

Strings = POINTER(c_char_p)


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
        ("values", Strings),
        ("op_rules", c_char_p),
    ]


class hwest_count(ctypes.Structure):
    _fields_ = [("value", c_int64), ("text", c_char_p)]


class hwest_totals(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("grade", c_int32),
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
    ]


class hwest_group(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("bound", c_int32),
        ("id", c_int64),
        ("pattern", c_char_p),
        ("name", c_char_p),
        ("unit", c_char_p),
        ("precision", c_char_p),
        ("nodes", POINTER(c_uint32)),
        ("node_count", c_uint64),
        ("segment", c_int64),
        ("macs", c_int64),
        ("int_macs", c_int64),
        ("flops", c_int64),
        ("in_bytes", c_int64),
        ("weight_bytes", c_int64),
        ("out_bytes", c_int64),
        ("saved_bytes", c_int64),
        ("saved_launches", c_int64),
        ("start_s", c_double),
        ("compute_s", c_double),
        ("memory_s", c_double),
        ("overhead_s", c_double),
        ("time_s", c_double),
        ("low_s", c_double),
        ("high_s", c_double),
        ("energy_j", c_double),
        ("utilisation", c_double),
    ]


class hwest_report_options(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_uint32),
        ("kind", c_int32),
        ("format", c_int32),
        ("level", c_int32),
        ("top", c_int64),
        ("node", c_char_p),
    ]


hwest_sink = ctypes.CFUNCTYPE(c_int32, c_void_p, c_void_p, c_size_t)

STRUCTS = (hwest_options, hwest_count, hwest_totals, hwest_group, hwest_report_options)

# name: (what it returns, its arguments). Handles are void pointers; so is a buffer's data, which may hold NULs.
FUNCTIONS = {
    "hwest_version": (c_char_p, ()),
    "hwest_last_error_message": (c_char_p, ()),
    "hwest_last_error_code": (c_char_p, ()),
    "hwest_model_load": (c_int32, (c_char_p, POINTER(c_void_p))),
    "hwest_model_load_memory": (c_int32, (c_char_p, c_size_t, c_char_p, POINTER(c_void_p))),
    "hwest_model_free": (None, (c_void_p,)),
    "hwest_analyze": (c_int32, (c_void_p, POINTER(hwest_options), POINTER(c_void_p))),
    "hwest_analysis_free": (None, (c_void_p,)),
    "hwest_analysis_totals": (c_int32, (c_void_p, POINTER(hwest_totals))),
    "hwest_analysis_group_count": (c_uint64, (c_void_p,)),
    "hwest_analysis_group_get": (c_int32, (c_void_p, c_uint64, POINTER(hwest_group))),
    "hwest_analysis_group_read": (c_int32, (c_void_p, c_uint64, c_uint64, POINTER(hwest_group), c_size_t)),
    "hwest_report": (c_int32, (c_void_p, POINTER(hwest_report_options), hwest_sink, c_void_p)),
    "hwest_report_buffer": (c_int32, (c_void_p, POINTER(hwest_report_options), POINTER(c_void_p))),
    "hwest_buffer_data": (c_void_p, (c_void_p,)),
    "hwest_buffer_size": (c_size_t, (c_void_p,)),
    "hwest_buffer_free": (None, (c_void_p,)),
}


def declare(library):
    """Gives every function of `library` its signature."""
    for name, (restype, argtypes) in FUNCTIONS.items():
        function = getattr(library, name)
        function.restype = restype
        function.argtypes = argtypes
    return library
