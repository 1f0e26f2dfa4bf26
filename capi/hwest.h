/** C ABI of onnx-hwest: latency, memory, energy, fusion and placement of an ONNX model on an accelerator.
 *
 *     hwest_model *model = NULL;
 *     hwest_analysis *analysis = NULL;
 *     hwest_options options = {0};
 *     hwest_totals totals = {0};
 *     options.struct_size = sizeof options;
 *     options.target = "jetson-orin";
 *     totals.struct_size = sizeof totals;
 *     if (hwest_model_load("resnet18.onnx", &model) || hwest_analyze(model, &options, &analysis) ||
 *         hwest_analysis_totals(analysis, &totals)) {
 *       fprintf(stderr, "%s\n", hwest_last_error_message());
 *     }
 *     hwest_analysis_free(analysis);
 *     hwest_model_free(model);
 *
 * Conventions, for every function here:
 * - What can fail returns a hwest_status, what cannot returns its value. Outputs are the last arguments and stay
 *   untouched on failure. Passing NULL where it is not said to be allowed is HWEST_INVALID_ARGUMENT.
 * - Structs begin with struct_size, which the caller sets to sizeof. They only ever grow at the end; the library reads
 *   and writes no byte past struct_size. In option structs zero means default, so start from {0}.
 * - Handles are opaque, made by one function and released by its _free, which takes NULL. They may be released in any
 *   order: an analysis keeps what it needs of its model. Borrowed strings and arrays live as long as the handle named.
 * - Strings are UTF-8 and end in NUL. Unknown is never 0: it is -1 for counts, NaN for figures and NULL for strings.
 * - Units are the suffix: _s seconds, _j joules, _w watts, _bytes bytes. Shares are 0 to 1.
 * - A finished handle is immutable and may be read from any number of threads. Freeing it needs the last reader gone.
 * - The library prints nothing and needs no initialisation.
 */
#ifndef HWEST_H_
#define HWEST_H_

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define HWEST_API __attribute__((visibility("default")))
#else
#define HWEST_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** Result of a call. The numbers equal those of absl::StatusCode and gRPC. */
typedef int32_t hwest_status;
enum {
  HWEST_OK = 0,
  HWEST_CANCELLED = 1,           /**< the sink asked to stop */
  HWEST_UNKNOWN = 2,
  HWEST_INVALID_ARGUMENT = 3,    /**< an argument, option, row or target file is wrong, or the file is no ONNX model */
  HWEST_DEADLINE_EXCEEDED = 4,
  HWEST_NOT_FOUND = 5,           /**< no such model file or target */
  HWEST_ALREADY_EXISTS = 6,
  HWEST_PERMISSION_DENIED = 7,
  HWEST_RESOURCE_EXHAUSTED = 8,  /**< out of memory */
  HWEST_FAILED_PRECONDITION = 9, /**< free dims must be bound, or the model breaks a rule of its format */
  HWEST_ABORTED = 10,
  HWEST_OUT_OF_RANGE = 11,
  HWEST_UNIMPLEMENTED = 12,
  HWEST_INTERNAL = 13,           /**< a bug in the library */
  HWEST_UNAVAILABLE = 14,
  HWEST_DATA_LOSS = 15,          /**< the model is truncated or malformed */
  HWEST_UNAUTHENTICATED = 16
};

/** A model file's graph, read without its weights. */
typedef struct hwest_model hwest_model;
/** Everything that is known of one model on one target. */
typedef struct hwest_analysis hwest_analysis;
/** Bytes owned by the library. */
typedef struct hwest_buffer hwest_buffer;

/** Version of the library, e.g. "0.1.0". Never NULL; lives for ever. Thread-safe. */
HWEST_API const char *hwest_version(void);

/** What went wrong in this thread's last call that returned a status: "WHAT: REMEDY"; "" after success. Never NULL;
 * valid until this thread's next such call. */
HWEST_API const char *hwest_last_error_message(void);

/** The same error as a stable word, finer than the status: "model_missing", "free_dims", "target_unknown", ...; see
 * `onnx-hwest describe codes`. "" after success. Never NULL; lives for ever. */
HWEST_API const char *hwest_last_error_code(void);

/* Models */

/** Reads a model file. Weights are not read, external data is not opened.
 * @param[in]  path   of the file, "-" for standard input.
 * @param[out] model  the caller's; release with hwest_model_free().
 * @return HWEST_OK; HWEST_NOT_FOUND when there is no such file; HWEST_INVALID_ARGUMENT when it is no ONNX model;
 *         HWEST_DATA_LOSS when it is truncated or malformed; HWEST_FAILED_PRECONDITION when it breaks a rule of the
 *         format or a size cap. Thread-safe. */
HWEST_API hwest_status hwest_model_load(const char *path, hwest_model **model);

/** As hwest_model_load() from bytes in memory, which need to stay alive only during the call.
 * @param[in]  data   the serialised model; may be NULL when size is 0.
 * @param[in]  name   what reports and messages call it; NULL = "model". */
HWEST_API hwest_status hwest_model_load_memory(const void *data, size_t size, const char *name, hwest_model **model);

/** Releases a model. Analyses made from it stay valid. NULL is allowed. */
HWEST_API void hwest_model_free(hwest_model *model);

/* Analyses */

/** What to place for. */
enum {
  HWEST_OBJECTIVE_LATENCY = 0,
  HWEST_OBJECTIVE_ENERGY = 1
};

/** What to analyse and how. All zero beside struct_size: no target, so counts and shapes only.
 * Lists are arrays of strings that end in NULL; a NULL list is empty. All is copied during the call. */
typedef struct hwest_options {
  uint32_t struct_size;
  int32_t objective;         /**< HWEST_OBJECTIVE_* */
  const char *target;        /**< built-in name, alias, or path of a .textproto file; NULL = none */
  const char *mode;          /**< power mode; NULL = the target's default */
  const char *precision;     /**< fp32, tf32, fp16, bf16, fp8, int8, w8a16, w4a16 or w4a8; NULL = auto */
  const char *fusions;       /**< "none" = every node its own kernel; NULL = what the toolchains fuse */
  int64_t batch;             /**< leading dim of every input, also of a static export; 0 = as exported */
  const char *const *dims;   /**< "NAME=N" or "INPUT.AXIS=N" */
  const char *const *shapes; /**< "INPUT=1x3x224x224", or "1x128" for every input of that rank */
  const char *const *expect; /**< "NAME=N": assumed value of a data-dependent size */
  const char *const *only;   /**< units to use; the CPU runs what they refuse */
  const char *const *deny;   /**< "OP@UNIT": never run it there */
  const char *const *assume; /**< "OP@UNIT": take it as supported there */
  const char *const *pin;    /**< "NODE@UNIT": run this node there */
  int32_t max_segments;      /**< at most so many runs on accelerators; 0 = as many as pay off */
  const char *const *values; /**< "INPUT=FILE.pb" or "INPUT=[1, 2]": contents of an input */
  const char *op_rules;      /**< shape and cost of custom operators: the text of a file as
                                  `onnx-hwest describe op-rules` says; NULL = none */
} hwest_options;

/** Analyses a model. Several threads may analyse one model at the same time.
 * @param[in]  model     still the caller's.
 * @param[in]  options   NULL = all default.
 * @param[out] analysis  the caller's; release with hwest_analysis_free().
 * @return HWEST_OK, also when some nodes are unknown (see hwest_totals); HWEST_NOT_FOUND for a target, mode or unit
 *         that does not exist; HWEST_FAILED_PRECONDITION when a target is named and dims are free, all of them in the
 *         message; HWEST_INVALID_ARGUMENT for an option that makes no sense or that this library does not know. */
HWEST_API hwest_status hwest_analyze(const hwest_model *model, const hwest_options *options, hwest_analysis **analysis);

/** Releases an analysis. NULL is allowed. */
HWEST_API void hwest_analysis_free(hwest_analysis *analysis);

/** A count that may depend on free dims: the number, or -1 and a Python expression over the symbols. Unknown: -1, NULL.
 * `text` lives as long as the analysis. This struct never grows. */
typedef struct hwest_count {
  int64_t value;
  const char *text;
} hwest_count;

/** How far a target's figures can be trusted. */
enum {
  HWEST_GRADE_UNKNOWN = 0, /**< no target */
  HWEST_GRADE_MEASURED = 1,
  HWEST_GRADE_FAMILY = 2,
  HWEST_GRADE_DATASHEET = 3
};

/** Totals of the whole graph. What could not be counted is not in them, but in unknown_nodes and the node counts.
 * Strings live as long as the analysis. */
typedef struct hwest_totals {
  uint32_t struct_size;
  int32_t grade;             /**< HWEST_GRADE_* */
  hwest_count macs;          /**< multiply-accumulates of contractions */
  hwest_count int_macs;      /**< the part of macs whose operands are integer in the graph */
  hwest_count flops;         /**< 2 * macs + other float operations */
  int64_t params;            /**< elements of distinct weight tensors */
  int64_t params_by_use;     /**< the same, summed over uses */
  int64_t buffers;           /**< statistics of BatchNormalization */
  int64_t stored_bytes;      /**< weights in the file */
  int64_t deployed_bytes;    /**< weights at the precision run */
  int64_t moved_bytes;       /**< read and written by all groups, before residency */
  int64_t peak_memory_bytes; /**< deployed weights + largest sum of live activations */
  int64_t batch;             /**< leading dim of the first input */
  int64_t nodes;             /**< after inlining */
  int64_t typed_nodes;       /**< whose outputs have a known type and shape */
  int64_t counted_nodes;
  int64_t costed_nodes;
  int64_t placed_nodes;
  int64_t unknown_nodes;     /**< without a rule */
  double intensity;          /**< flops per moved byte */
  double latency_s;          /**< of one inference: warm, steady clocks, without pre- and post-processing */
  double latency_low_s;      /**< prediction interval */
  double latency_high_s;
  double interval_s;         /**< between results when inferences follow each other */
  double throughput_per_s;   /**< batch / interval_s */
  double energy_j;           /**< of one inference */
  double energy_low_j;
  double energy_high_j;
  double power_w;
  double gap;                /**< how far from the best placement this one can be at most, share of it; 0 = optimal */
  const char *target;        /**< its full name */
  const char *mode;
  const char *precision;     /**< of the main unit */
} hwest_totals;

/** Totals of an analysis.
 * @param[in,out] totals  the caller sets struct_size; after success it holds the number of bytes filled. */
HWEST_API hwest_status hwest_analysis_totals(const hwest_analysis *analysis, hwest_totals *totals);

/** What a group's time is bound by. */
enum {
  HWEST_BOUND_UNKNOWN = 0,
  HWEST_BOUND_COMPUTE = 1,
  HWEST_BOUND_MEMORY = 2,
  HWEST_BOUND_OVERHEAD = 3,
  HWEST_BOUND_TRANSFER = 4,
  HWEST_BOUND_BALANCED = 5
};

/** One group: nodes that run as one kernel. Strings and the array live as long as the analysis. */
typedef struct hwest_group {
  uint32_t struct_size;
  int32_t bound;          /**< HWEST_BOUND_* */
  int64_t id;             /**< = index of the row */
  const char *pattern;    /**< name of the fusion, or the op of a node that runs alone; never NULL */
  const char *name;       /**< of the node the group is for; never NULL */
  const char *unit;       /**< that runs it; NULL = none does */
  const char *precision;
  const uint32_t *nodes;  /**< ids, ascending */
  uint64_t node_count;
  int64_t segment;        /**< run of groups on one unit; -1 = none */
  int64_t macs;
  int64_t int_macs;
  int64_t flops;
  int64_t in_bytes;       /**< activations read from outside */
  int64_t weight_bytes;
  int64_t out_bytes;
  int64_t saved_bytes;    /**< not moved thanks to the fusion */
  int64_t saved_launches;
  double start_s;
  double compute_s;
  double memory_s;
  double overhead_s;
  double time_s;          /**< >= max(compute_s, memory_s) */
  double low_s;           /**< prediction interval */
  double high_s;
  double energy_j;
  double utilisation;     /**< compute at dense peak / time_s */
} hwest_group;

/** Number of groups; 0 without a target, and for NULL. */
HWEST_API uint64_t hwest_analysis_group_count(const hwest_analysis *analysis);

/** One group, in execution order.
 * @param[in,out] group  the caller sets struct_size; after success it holds the number of bytes filled.
 * @return HWEST_OK; HWEST_INVALID_ARGUMENT when index >= hwest_analysis_group_count(). */
HWEST_API hwest_status hwest_analysis_group_get(const hwest_analysis *analysis, uint64_t index, hwest_group *group);

/** The groups [first, first + count), all or none.
 * @param[out] groups  array of `count` structs, `stride` bytes apart; may be NULL when count is 0. struct_size of each
 *                     is set to the number of bytes filled, at most stride.
 * @param[in]  stride  sizeof(hwest_group) as the caller knows it.
 * @return HWEST_OK; HWEST_INVALID_ARGUMENT when some of the rows do not exist. */
HWEST_API hwest_status hwest_analysis_group_read(const hwest_analysis *analysis, uint64_t first, uint64_t count,
                                                 hwest_group *groups, size_t stride);

/* Reports */

/** What a report is about. */
enum {
  HWEST_REPORT_ANALYSIS = 0,
  HWEST_REPORT_SHAPES = 1,  /**< every value; needs no target */
  HWEST_REPORT_SUPPORT = 2, /**< which unit runs which node, and which limit refuses it */
  HWEST_REPORT_EXPLAIN = 3  /**< one node */
};

/** JSON is complete and its keys are stable within a schema number; text is for people and may change. */
enum {
  HWEST_FORMAT_TEXT = 0,
  HWEST_FORMAT_JSON = 1,
  HWEST_FORMAT_CSV = 2,
  HWEST_FORMAT_MARKDOWN = 3,
  HWEST_FORMAT_DOT = 4,
  HWEST_FORMAT_SVG = 5,
  HWEST_FORMAT_PNG = 6,
  HWEST_FORMAT_PDF = 7
};

/** Rows of the main table. */
enum {
  HWEST_LEVEL_DEFAULT = 0, /**< groups with a target, nodes without */
  HWEST_LEVEL_NODE = 1,
  HWEST_LEVEL_GROUP = 2,
  HWEST_LEVEL_SEGMENT = 3,
  HWEST_LEVEL_MODULE = 4
};

/** For hwest_report_options.top: every row. */
#define HWEST_TOP_ALL (-1)

/** How to write a report. All zero beside struct_size: the analysis as text. */
typedef struct hwest_report_options {
  uint32_t struct_size;
  int32_t kind;     /**< HWEST_REPORT_* */
  int32_t format;   /**< HWEST_FORMAT_* */
  int32_t level;    /**< HWEST_LEVEL_*; JSON always has all tables */
  int64_t top;      /**< rows shown, the dearest ones; 0 = the format's default, HWEST_TOP_ALL = all */
  const char *node; /**< for HWEST_REPORT_EXPLAIN: its name, the name of an output, or "#id" */
} hwest_report_options;

/** Takes the next bytes of a report. It must not throw, longjmp or free the analysis; it may call this library.
 * @param[in] payload  as handed to hwest_report().
 * @param[in] data     `size` bytes, valid only during the call, not ended by NUL.
 * @return 0 to go on; anything else ends the report. */
typedef int32_t (*hwest_sink)(void *payload, const char *data, size_t size);

/** Writes a report. The bytes depend on the arguments alone.
 * @param[in] options  NULL = the analysis as text.
 * @param[in] sink     called in this thread, in order; bytes already handed over when an error occurs are void.
 * @return HWEST_OK; HWEST_CANCELLED when the sink ended it; HWEST_INVALID_ARGUMENT when the options make no sense, the
 *         format cannot show the kind, the node does not exist, or the kind needs a target. Pictures are laid out one
 *         at a time in the whole process. */
HWEST_API hwest_status hwest_report(const hwest_analysis *analysis, const hwest_report_options *options,
                                    hwest_sink sink, void *payload);

/** As hwest_report(), into memory.
 * @param[out] buffer  the caller's; release with hwest_buffer_free(). */
HWEST_API hwest_status hwest_report_buffer(const hwest_analysis *analysis, const hwest_report_options *options,
                                           hwest_buffer **buffer);

/** The bytes of a buffer, ended by a NUL that hwest_buffer_size() does not count; live as long as the buffer. "" for
 * NULL. */
HWEST_API const char *hwest_buffer_data(const hwest_buffer *buffer);

/** Number of bytes; 0 for NULL. */
HWEST_API size_t hwest_buffer_size(const hwest_buffer *buffer);

/** Releases a buffer. NULL is allowed. */
HWEST_API void hwest_buffer_free(hwest_buffer *buffer);

#ifdef __cplusplus
}
#endif

#endif /* HWEST_H_ */
