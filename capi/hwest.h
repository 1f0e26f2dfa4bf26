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
 *   and writes no byte past struct_size. In option structs zero means default, so start from {0}; a reserved member that
 *   is not 0 is HWEST_INVALID_ARGUMENT.
 * - Handles are opaque, made by one function and released by its _free, which takes NULL. They may be released in any
 *   order: an analysis keeps what it needs of its model. Borrowed strings and arrays live as long as the handle named.
 * - Strings are UTF-8 and end in NUL. Unknown is never 0: it is -1 for counts, NaN for figures and NULL for strings.
 * - Units are the suffix: _s seconds, _j joules, _w watts, _bytes bytes. Shares are 0 to 1.
 * - A finished handle is immutable and may be read from any number of threads. Freeing it needs the last reader gone.
 *   Every function may be called from any thread; callbacks come in the calling thread unless their type says
 *   otherwise.
 * - Callbacks must neither throw nor longjmp and must not free what the call works on; they may call this library.
 * - The library prints nothing and needs no initialisation; hwest_main() alone is a program and behaves like one.
 *
 * Tables stand in hwest_rows.h; each has three functions. X_count() is the number of rows, 0 for NULL. X_get() fills
 * one struct, whose struct_size the caller sets and which afterwards says how many bytes were filled;
 * HWEST_INVALID_ARGUMENT when there is no such row. X_read() fills `count` rows from `first` on, all or none, into
 * structs that lie `stride` bytes apart (sizeof the struct as the caller knows it); `rows` may be NULL when count is 0.
 * The first call that asks for a table makes it, which may take memory (X_count() is 0 when there is none, and reading
 * says so); from then on a row costs the same whatever its index and nothing is allocated. Strings and arrays in rows
 * live as long as the handle.
 *
 * Options of an analysis stand in hwest_options.h.
 *
 * Compatibility: this interface is not frozen yet: while HWEST_ABI_MAJOR is 0, build with the header of the library you
 * run. From 1 on, functions, struct members at their ends and enum members are only added within one HWEST_ABI_MAJOR, so
 * programs built with an older header run on a newer library. Read enums with a default branch.
 */
#ifndef HWEST_H_
#define HWEST_H_

#include <stddef.h>
#include <stdint.h>

/** Version of this interface. The shared library's name carries the major number. */
#define HWEST_ABI_MAJOR 0
#define HWEST_ABI_MINOR 3

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
  HWEST_CANCELLED = 1,           /**< a callback or hwest_cancel_request() asked to stop */
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
/** A device with every figure that is known of it. */
typedef struct hwest_target hwest_target;
/** The built-in targets. */
typedef struct hwest_target_list hwest_target_list;
/** The problems of one target file. */
typedef struct hwest_lint hwest_lint;
/** Everything that is known of one model on one target. */
typedef struct hwest_analysis hwest_analysis;
/** Changes that were tried on an analysis, and what each saves. */
typedef struct hwest_what_if hwest_what_if;
/** What a language model costs by the length of the context. */
typedef struct hwest_generation hwest_generation;
/** Why a node is where it is. */
typedef struct hwest_explanation hwest_explanation;
/** How far predictions are from measurements. */
typedef struct hwest_validation hwest_validation;
/** A target, or a family of them, fitted to measurements. */
typedef struct hwest_calibration hwest_calibration;
/** Several models on one chip. */
typedef struct hwest_workload hwest_workload;
/** What differs between two analyses, and what each difference is worth. */
typedef struct hwest_diff hwest_diff;
/** Analyses beside the limits of a budget. */
typedef struct hwest_check hwest_check;
/** Points of a sweep. */
typedef struct hwest_sweep_plan hwest_sweep_plan;
/** Rows of a sweep. */
typedef struct hwest_sweep hwest_sweep;
/** Cancellation token. May be set from any thread. */
typedef struct hwest_cancel hwest_cancel;
/** Bytes owned by the library. */
typedef struct hwest_buffer hwest_buffer;

/** A count that may depend on free dims: the number, or -1 and a Python expression over the symbols. Unknown: -1, NULL.
 * `text` lives as long as the handle it came from. This struct never grows. */
typedef struct hwest_count {
  int64_t value;  /**< the number, or -1 */
  const char *text;  /**< digits, or the expression */
} hwest_count;

/** In arrays of ids: an optional input or output that is absent. */
#define HWEST_NO_ID 0xffffffffu

#include "hwest_rows.h"

/* The library */

/** Version of the library, e.g. "0.1.0". Never NULL; lives for ever. Thread-safe. */
HWEST_API const char *hwest_version(void);

/** The same as a number that grows: 1000000 * major + 1000 * minor + patch. Thread-safe. */
HWEST_API uint32_t hwest_version_number(void);

/** The interface this library has: 65536 * HWEST_ABI_MAJOR + HWEST_ABI_MINOR as it was built. A program may go on when
 * the major number equals its own and the minor number is not below its own; while the major number is 0, when both are
 * equal. Thread-safe. */
HWEST_API uint32_t hwest_abi_version(void);

/** What went wrong in this thread's last call that returned a status: "WHAT: REMEDY", in which "options.dims" is a member
 * of the option struct of the call; "" after success. Never NULL;
 * valid until this thread's next such call. */
HWEST_API const char *hwest_last_error_message(void);

/** The same error as a stable word, finer than the status: "model_missing", "free_dims", "target_unknown", ...; see
 * `onnx-hwest describe codes`. "" after success. Never NULL; lives for ever. */
HWEST_API const char *hwest_last_error_code(void);

/** Severity of a diagnostic. */
enum {
  HWEST_SEVERITY_ERROR = 0,
  HWEST_SEVERITY_WARNING = 1,
  HWEST_SEVERITY_NOTE = 2
};

/** Takes a diagnostic as soon as a call knows it.
 * @param[in] payload     as handed over beside the callback.
 * @param[in] diagnostic  valid during the call only. */
typedef void (*hwest_log)(void *payload, const hwest_diagnostic *diagnostic);

/** Called before each step; hwest_validate() and hwest_calibrate() call it after each step.
 * @param[in] payload  as handed over beside the callback.
 * @param[in] what     name of the step; valid during the call only.
 * @param[in] done     steps that are behind.
 * @param[in] total    steps in all; 0 = not known.
 * @return 0 to go on; anything else ends the call with HWEST_CANCELLED, studies after the analyses at hand.
 * hwest_validate() and hwest_calibrate() call it from threads of their own, one at a time. */
typedef int32_t (*hwest_progress)(void *payload, const char *what, uint64_t done, uint64_t total);

/** Creates a token that is not cancelled.
 * @param[out] cancel  the caller's; release with hwest_cancel_free(), also while calls that were given it still run.
 * @return HWEST_OK; HWEST_RESOURCE_EXHAUSTED. */
HWEST_API hwest_status hwest_cancel_create(hwest_cancel **cancel);

/** Every call that was given `cancel`, now or later, ends with HWEST_CANCELLED before its next step. NULL is
 * allowed. May be called from any thread and from a signal handler. */
HWEST_API void hwest_cancel_request(hwest_cancel *cancel);

/** 1 when the token is cancelled, else 0; 0 for NULL. */
HWEST_API int32_t hwest_cancel_requested(const hwest_cancel *cancel);

/** Frees the token; running calls hold a reference of their own. NULL is allowed. */
HWEST_API void hwest_cancel_free(hwest_cancel *cancel);

/** Who watches a call, and who may end it. All zero beside struct_size: nobody. Since 0.3. */
typedef struct hwest_watch {
  uint32_t struct_size;        /**< sizeof this struct */
  uint32_t reserved;           /**< 0 */
  hwest_progress progress;     /**< called before each step, in the calling thread; NULL = none */
  void *progress_payload;      /**< for `progress` */
  const hwest_cancel *cancel;  /**< looked at before each stage of each analysis that a step makes; NULL = never */
} hwest_watch;

/* Models */

/** Limits of reading, against hostile files. All zero beside struct_size: the defaults. A model beyond a limit is
 * HWEST_FAILED_PRECONDITION, code "model_refused". */
typedef struct hwest_load_options {
  uint32_t struct_size;          /**< sizeof this struct */
  int32_t max_depth;             /**< nested bodies and types; 0 = 64 */
  int32_t max_rank;              /**< axes of a shape; 0 = 1024 */
  int32_t max_call_depth;        /**< local functions that call each other; 0 = 100 */
  int64_t max_nodes;             /**< after local functions were inlined; 0 = 10 million */
  int64_t max_objects;           /**< nodes, attributes, tensors and declared values together; 0 = 32 million */
  int64_t max_stdin_bytes;       /**< 0 = 16 GiB */
  int64_t decode_bytes;          /**< tensors up to this size are decoded; 0 = 1024 */
  int64_t decode_integer_bytes;  /**< of integers and bools; 0 = 65536 */
  hwest_log log;                 /**< called for every diagnostic of the model; NULL = none */
  void *log_payload;             /**< for `log` */
} hwest_load_options;

/** Reads a model file. Weights are not read, external data is not opened.
 * @param[in]  path   of the file, "-" for standard input.
 * @param[out] model  the caller's; release with hwest_model_free().
 * @return HWEST_OK; HWEST_NOT_FOUND when there is no such file; HWEST_INVALID_ARGUMENT when it is no ONNX model;
 *         HWEST_DATA_LOSS when it is truncated or malformed; HWEST_FAILED_PRECONDITION when it breaks a rule of the
 *         format or a size cap. Thread-safe. */
HWEST_API hwest_status hwest_model_load(const char *path, hwest_model **model);

/** As hwest_model_load() with limits.
 * @param[in]  options  NULL = all default. */
HWEST_API hwest_status hwest_model_load_with(const char *path, const hwest_load_options *options,
                                             hwest_model **model);

/** As hwest_model_load() from bytes in memory, which need to stay alive only during the call.
 * @param[in]  data   the serialised model; may be NULL when size is 0.
 * @param[in]  size   in bytes.
 * @param[in]  name   what reports and messages call it; NULL = "model".
 * @param[out] model  the caller's; release with hwest_model_free(). */
HWEST_API hwest_status hwest_model_load_memory(const void *data, size_t size, const char *name, hwest_model **model);

/** As hwest_model_load_memory() with limits.
 * @param[in]  options  NULL = all default. */
HWEST_API hwest_status hwest_model_load_memory_with(const void *data, size_t size, const char *name,
                                                    const hwest_load_options *options, hwest_model **model);

/** Releases a model. Analyses made from it stay valid. NULL is allowed. */
HWEST_API void hwest_model_free(hwest_model *model);

/** Describes a model.
 * @param[in,out] info  the caller sets struct_size; after success it holds the number of bytes filled. */
HWEST_API hwest_status hwest_model_describe(const hwest_model *model, hwest_model_info *info);

/** What a value holds. */
enum {
  HWEST_VALUE_UNKNOWN = 0,
  HWEST_VALUE_TENSOR = 1,
  HWEST_VALUE_SEQUENCE = 2,
  HWEST_VALUE_OPTIONAL = 3,
  HWEST_VALUE_MAP = 4,
  HWEST_VALUE_SPARSE = 5
};

/** Bits of hwest_value.flags. */
enum {
  HWEST_VALUE_IS_INPUT = 1,    /**< of the graph it lies in */
  HWEST_VALUE_IS_OUTPUT = 2,   /**< of the graph it lies in */
  HWEST_VALUE_IS_CONSTANT = 4  /**< an initialiser, or made by a Constant node */
};

/* Targets */

/** Loads a target.
 * @param[in]  name    built-in name or alias, or the path of a .textproto file (it ends so or holds a '/').
 * @param[out] target  the caller's; release with hwest_target_free().
 * @return HWEST_OK; HWEST_NOT_FOUND with the nearest names; HWEST_INVALID_ARGUMENT when the file is wrong. */
HWEST_API hwest_status hwest_target_load(const char *name, hwest_target **target);

/** As hwest_target_load() from the text of a target file, which needs to stay alive only during the call.
 * @param[in]  data    UTF-8, `size` bytes; may be NULL when size is 0.
 * @param[in]  size    in bytes.
 * @param[in]  name    what messages call it; NULL = "target".
 * @param[out] target  the caller's; release with hwest_target_free(). */
HWEST_API hwest_status hwest_target_load_memory(const void *data, size_t size, const char *name,
                                                hwest_target **target);

/** Releases a target. Analyses made with it stay valid. NULL is allowed. */
HWEST_API void hwest_target_free(hwest_target *target);

/** Describes a target.
 * @param[in,out] info  the caller sets struct_size; after success it holds the number of bytes filled. */
HWEST_API hwest_status hwest_target_describe(const hwest_target *target, hwest_target_info *info);

/** Lists the built-in targets.
 * @param[out] list  the caller's; release with hwest_target_list_free(). */
HWEST_API hwest_status hwest_target_list_create(hwest_target_list **list);

/** Releases a list. NULL is allowed. */
HWEST_API void hwest_target_list_free(hwest_target_list *list);

/** What an engine is; new kinds may come. */
enum {
  HWEST_UNIT_UNKNOWN = 0,
  HWEST_UNIT_SIMT_GPU = 1,
  HWEST_UNIT_SYSTOLIC = 2,
  HWEST_UNIT_DATAFLOW = 3,
  HWEST_UNIT_VECTOR_DSP = 4,
  HWEST_UNIT_SIMD_CPU = 5
};

/** Bits of the flags of units. */
enum {
  HWEST_UNIT_IS_CPU = 1,          /**< runs what the others refuse */
  HWEST_UNIT_IS_PLACEABLE = 2,    /**< work can be put there */
  HWEST_UNIT_IS_LEFT_OUT = 4,     /**< by hwest_options.only */
  HWEST_UNIT_IS_PREFIX_ONLY = 8   /**< takes one segment, from the inputs on */
};

/** Where a figure comes from. */
enum {
  HWEST_TRUST_UNKNOWN = 0,
  HWEST_TRUST_PUBLISHED = 1,
  HWEST_TRUST_MEASURED = 2,
  HWEST_TRUST_SECONDARY = 3,
  HWEST_TRUST_RECALLED = 4,
  HWEST_TRUST_DERIVED = 5,
  HWEST_TRUST_ESTIMATED = 6
};

/** Checks a target or toolchain file; reports every problem, not only the first.
 * @param[in]  data  its text, UTF-8, `size` bytes, alive during the call; may be NULL when size is 0.
 * @param[in]  size  in bytes.
 * @param[in]  name  what messages call it; NULL = "target".
 * @param[out] lint  the caller's; release with hwest_lint_free().
 * @return HWEST_OK, also when there are problems. */
HWEST_API hwest_status hwest_lint_create(const void *data, size_t size, const char *name, hwest_lint **lint);

/** Releases it. NULL is allowed. */
HWEST_API void hwest_lint_free(hwest_lint *lint);

/* Analyses */

/** What to place for. */
enum {
  HWEST_OBJECTIVE_LATENCY = 0,
  HWEST_OBJECTIVE_ENERGY = 1
};

/** Whether the plan is timed once more with independent branches side by side on different units. */
enum {
  HWEST_OVERLAP_NO = 0,
  HWEST_OVERLAP_YES = 1
};

#include "hwest_options.h"

/** Analyses a model. Several threads may analyse one model at the same time.
 * @param[in]  model     still the caller's.
 * @param[in]  options   NULL = all default.
 * @param[out] analysis  the caller's; release with hwest_analysis_free().
 * @return HWEST_OK, also when some nodes are unknown (see hwest_totals); HWEST_NOT_FOUND for a target, mode or unit
 *         that does not exist; HWEST_FAILED_PRECONDITION when a target is named and dims are free, all of them in the
 *         message; HWEST_INVALID_ARGUMENT for an option that makes no sense or that this library does not know;
 *         HWEST_CANCELLED when `progress` or `cancel` asked for it. */
HWEST_API hwest_status hwest_analyze(const hwest_model *model, const hwest_options *options, hwest_analysis **analysis);

/** Releases an analysis. NULL is allowed. */
HWEST_API void hwest_analysis_free(hwest_analysis *analysis);

/** How far a target's figures can be trusted. */
enum {
  HWEST_GRADE_UNKNOWN = 0, /**< no target */
  HWEST_GRADE_MEASURED = 1,
  HWEST_GRADE_FAMILY = 2,
  HWEST_GRADE_DATASHEET = 3
};

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

/** What a node is at run time. */
enum {
  HWEST_NODE_COMPUTE = 0,
  HWEST_NODE_LAYOUT = 1,    /**< moves data */
  HWEST_NODE_VIEW = 2,      /**< the same bytes under another type; free */
  HWEST_NODE_SHAPE = 3,     /**< shape arithmetic; free */
  HWEST_NODE_CONSTANT = 4,  /**< folded before run time */
  HWEST_NODE_CONTROL = 5,
  HWEST_NODE_OPAQUE = 6,    /**< no rule knows it */
  HWEST_NODE_DEAD = 7       /**< no output of the model needs it; counted in no total */
};

/** A node in PyTorch's terms. */
enum {
  HWEST_ORIGIN_MODULE = 0,
  HWEST_ORIGIN_FUNCTION = 1,
  HWEST_ORIGIN_UNKNOWN = 2   /**< the file says nothing */
};

/** What happens in an interval of the timeline. */
enum {
  HWEST_EVENT_TRANSFER = 0,  /**< values are moved to the unit */
  HWEST_EVENT_INVOKE = 1,    /**< the segment is started */
  HWEST_EVENT_GROUP = 2,     /**< a group runs */
  HWEST_EVENT_PIPELINE = 3   /**< all groups of a segment run side by side */
};

/** Whether a unit runs a node. */
enum {
  HWEST_VERDICT_YES = 0,
  HWEST_VERDICT_NO = 1,
  HWEST_VERDICT_NOTED = 2  /**< yes, but for something that cannot be decided here */
};

/** Takes the next bytes of a report or a file.
 * @param[in] payload  as handed over beside the sink.
 * @param[in] data     `size` bytes, valid only during the call, not ended by NUL.
 * @return 0 to go on; anything else ends it. */
typedef int32_t (*hwest_sink)(void *payload, const char *data, size_t size);

/* What would help */

/** Kinds of changes. */
enum {
  HWEST_CHANGE_SUPPORT = 0,
  HWEST_CHANGE_ACTIVATION = 1,
  HWEST_CHANGE_PRECISION = 2,
  HWEST_CHANGE_BATCH = 3,
  HWEST_CHANGE_BANDWIDTH = 4,
  HWEST_CHANGE_MODE = 5
};

/** Tries the changes that may help, each alone, as whole analyses.
 * @param[in]  analysis  with a target; still the caller's. Activations are changed in the file its model was read from;
 *                       models from memory go without these rows.
 * @param[in]  progress  called before each change is tried, in this thread; NULL = none.
 * @param[in]  payload   for `progress`.
 * @param[out] what_if   the caller's; release with hwest_what_if_free().
 * @return HWEST_OK; HWEST_INVALID_ARGUMENT without a target; HWEST_CANCELLED when `progress` asked for it. */
HWEST_API hwest_status hwest_what_if_create(const hwest_analysis *analysis, hwest_progress progress, void *payload,
                                            hwest_what_if **what_if);

/** As hwest_what_if_create() with a watch; since 0.3.
 * @param[in] watch  NULL = nobody watches.
 * @return HWEST_CANCELLED also when `watch->cancel` asked for it. */
HWEST_API hwest_status hwest_what_if_create_with(const hwest_analysis *analysis, const hwest_watch *watch,
                                                 hwest_what_if **what_if);

/** Releases it. NULL is allowed. */
HWEST_API void hwest_what_if_free(hwest_what_if *what_if);

/** What rewriting may do beside what hwest_rewrite() says. All zero beside struct_size: the rules that help, or without a
 * target those of the canonical form. */
typedef struct hwest_rewrite_options {
  uint32_t struct_size;         /**< sizeof this struct */
  int32_t allow_approximate;    /**< 1 = also rules that change results by more than rounding does; else 0 */
  int32_t fold;                 /**< 1 = compute constants and leave out dead nodes, nothing else; else 0 */
  int32_t annotate;             /**< 1 = add the figures to the nodes as metadata, and change nothing else; else 0 */
  const char *const *rules;     /**< these rules alone, wherever they apply; NULL = see above */
  uint64_t rule_count;          /**< number of `rules` */
  const char *const *no_rules;  /**< never these; NULL = none */
  uint64_t no_rule_count;       /**< number of `no_rules` */
  const char *data;             /**< of a model that was loaded from memory: its bytes once more; NULL = the file that
                                     it was loaded from */
  size_t size;                  /**< number of bytes at `data` */
  int32_t opset;                /**< the older operator set of the default domain that the model gets: nodes get its form,
                                     and what it lacks is written out; 0 = its own */
  int32_t reserved;             /**< 0 */
} hwest_rewrite_options;

/** Finds an equivalent model that runs better on the target and writes it as an ONNX file. What no rule touches is copied
 * byte for byte; weights in other files stay there.
 * @param[in]  options  the target and how inputs are bound, as for hwest_analyze(); still the caller's.
 * @param[in]  rewrite  NULL = as if all were zero.
 * @param[in]  sink     takes the file, in this thread, in order; bytes already handed over when an error occurs are void.
 *                      NULL = the report alone.
 * @param[in]  payload  for `sink`.
 * @param[out] report   what was done, as the program's JSON document of kind "rewrite"; release with hwest_buffer_free().
 *                      NULL = not wanted.
 * @return HWEST_OK; what hwest_analyze() returns; HWEST_INVALID_ARGUMENT for a rule that does not exist;
 *         HWEST_FAILED_PRECONDITION for a model from memory without `data`, or from standard input; HWEST_CANCELLED when
 *         the sink, a callback or `cancel` asked for it. */
HWEST_API hwest_status hwest_rewrite(const hwest_model *model, const hwest_options *options,
                                     const hwest_rewrite_options *rewrite, hwest_sink sink, void *payload,
                                     hwest_buffer **report);

/** Times a decoder-only language model by the length of the context: the first token is one run over the whole prompt
 * with an empty key/value cache, each further one a run over one token with the context in the cache. The model must
 * take its past keys and values as inputs of free length, which an output continues. Both are whole analyses.
 * @param[in]  model       still the caller's.
 * @param[in]  options     with a target; dims that it binds stay bound, the context and the tokens of a run are to stay
 *                         free. `progress` is called before each run, `cancel` is checked before each
 *                         stage of a run, `log` is not called.
 * @param[in]  contexts    `count` lengths in tokens, each from 1 to 2^24.
 * @param[in]  count       at least 1.
 * @param[out] generation  the caller's; release with hwest_generation_free().
 * @return HWEST_OK; HWEST_INVALID_ARGUMENT for a graph without such a cache (the message says what to export), without
 *         a target, or for a length that is none; HWEST_FAILED_PRECONDITION when a part of the model has no unit or no
 *         time; else as hwest_analyze(). */
HWEST_API hwest_status hwest_generation_create(const hwest_model *model, const hwest_options *options,
                                               const int64_t *contexts, uint64_t count,
                                               hwest_generation **generation);

/** Releases it. NULL is allowed. */
HWEST_API void hwest_generation_free(hwest_generation *generation);

/** Explains one node: the fusion it is in, those that nearly happened, and what each other unit would make of it.
 * @param[in]  analysis     with a target; still the caller's.
 * @param[in]  node         its name, the name of an output, "#id", or "gN" for all of group N.
 * @param[out] explanation  the caller's; release with hwest_explanation_free().
 * @return HWEST_OK; HWEST_INVALID_ARGUMENT when there is no such node (with the nearest names) or no target. */
HWEST_API hwest_status hwest_explain(const hwest_analysis *analysis, const char *node,
                                     hwest_explanation **explanation);

/** As hwest_explain() with a watch, which is told of each unit that is tried; since 0.3.
 * @param[in] watch  NULL = nobody watches.
 * @return as hwest_explain(); HWEST_CANCELLED when `watch` asked for it. */
HWEST_API hwest_status hwest_explain_with(const hwest_analysis *analysis, const char *node, const hwest_watch *watch,
                                          hwest_explanation **explanation);

/** Releases it. NULL is allowed. */
HWEST_API void hwest_explanation_free(hwest_explanation *explanation);

/** The fusion of an explained node.
 * @param[in,out] fusion  the caller sets struct_size; after success it holds the number of bytes filled. */
HWEST_API hwest_status hwest_explanation_fusion(const hwest_explanation *explanation, hwest_fusion *fusion);

/* Several models on one chip */

/** Places the tasks of a workload file together, simulates them and bounds their responses.
 * @param[in]  path      of the file, as `onnx-hwest workload` reads it; paths of models are relative to its folder.
 * @param[in]  target    in place of the file's; NULL = the file's.
 * @param[in]  mode      in place of the file's; NULL = the file's.
 * @param[in]  progress  called before each step, in this thread; NULL = none.
 * @param[in]  payload   for `progress`.
 * @param[out] workload  the caller's; release with hwest_workload_free().
 * @return HWEST_OK whatever the verdicts; HWEST_INVALID_ARGUMENT for a wrong file, with its line; HWEST_CANCELLED when
 *         `progress` asked for it; else as hwest_analyze(). */
HWEST_API hwest_status hwest_workload_run(const char *path, const char *target, const char *mode,
                                          hwest_progress progress, void *payload, hwest_workload **workload);

/** As hwest_workload_run() with a watch; since 0.3.
 * @param[in] watch  NULL = nobody watches. */
HWEST_API hwest_status hwest_workload_run_with(const char *path, const char *target, const char *mode,
                                               const hwest_watch *watch, hwest_workload **workload);

/** Releases it. NULL is allowed. */
HWEST_API void hwest_workload_free(hwest_workload *workload);

/** Figures of the whole chip.
 * @param[in,out] total  the caller sets struct_size; after success it holds the number of bytes filled. */
HWEST_API hwest_status hwest_workload_totals(const hwest_workload *workload, hwest_workload_total *total);

/* Comparisons */

/** Compares two sides, each an analysis with a target or a report that one saved as JSON; the other argument of a side
 * is NULL. Nodes are matched by what they compute, so other names are no difference.
 * @param[in]  a        the first side, or NULL.
 * @param[in]  saved_a  path of the report in place of `a`, or NULL. A saved report knows nothing of attributes and types.
 * @param[in]  b        the second side, or NULL.
 * @param[in]  saved_b  path of the report in place of `b`, or NULL.
 * @param[out] diff     the caller's; release with hwest_diff_free(). The analyses may be released before it.
 * @return HWEST_OK whatever differs; HWEST_INVALID_ARGUMENT without a target, or for a file that is no such report. */
HWEST_API hwest_status hwest_diff_create(const hwest_analysis *a, const char *saved_a, const hwest_analysis *b,
                                         const char *saved_b, hwest_diff **diff);

/** Compares a model with itself on another target, in another mode or at another precision; since 0.3.
 * @param[in]  model      still the caller's.
 * @param[in]  options    of the first side, with a target; of the second one, too, but for what the next arguments say.
 * @param[in]  target     of the second side, in its default mode unless `mode` says another; NULL = the same.
 * @param[in]  loaded     in place of `target`; still the caller's; NULL = load `target`.
 * @param[in]  mode       of the second side; NULL = the same.
 * @param[in]  precision  of the second side; NULL = the same.
 * @param[out] diff       the caller's; release with hwest_diff_free().
 * @return as hwest_diff_create() and hwest_analyze(); HWEST_INVALID_ARGUMENT when the second side is the first. */
HWEST_API hwest_status hwest_diff_against(const hwest_model *model, const hwest_options *options, const char *target,
                                          const hwest_target *loaded, const char *mode, const char *precision,
                                          hwest_diff **diff);

/** Releases it. NULL is allowed. */
HWEST_API void hwest_diff_free(hwest_diff *diff);

/** Describes a comparison.
 * @param[in,out] info  the caller sets struct_size; after success it holds the number of bytes filled. */
HWEST_API hwest_status hwest_diff_describe(const hwest_diff *diff, hwest_diff_info *info);

/** Holds a comparison against limits of growth.
 * @param[in] limits  "latency:+5%,memory:+2%": the second side may exceed the first by that much at most; of "rate:-5%"
 *                    fall short by that much. Keys: latency, rate, energy, power, memory, macs or a key of
 *                    hwest_diff_total.
 * @return HWEST_OK when none is broken; else the code of the error is "check_failed", or "incomplete" where a side does
 *         not know the figure; HWEST_INVALID_ARGUMENT for a limit that makes no sense. */
HWEST_API hwest_status hwest_diff_judge(const hwest_diff *diff, const char *limits);

/** Which end of an estimate's interval a limit is held against. */
enum {
  HWEST_JUDGE_POINT = 0,   /**< the estimate, alone */
  HWEST_JUDGE_UPPER = 1,   /**< the worse end of its interval, alone */
  HWEST_JUDGE_INTERVAL = 2 /**< both ends: over beyond the better one, undecided between them */
};

/** Limits, as amounts with their units; NULL = none. All zero beside struct_size: no limit. */
typedef struct hwest_limits {
  uint32_t struct_size;     /**< sizeof this struct */
  int32_t judge;            /**< HWEST_JUDGE_* */
  const char *max_latency;  /**< of one run: "12 ms" */
  const char *min_rate;     /**< inputs per second: "30 FPS" */
  const char *max_energy;   /**< of one run: "200 mJ" */
  const char *max_power;    /**< on average: "15 W" */
  const char *max_memory;   /**< at the peak: "64 MB" */
  const char *max_fallback; /**< share of the time that CPUs spend on what accelerators do not take: "5%" */
} hwest_limits;

/** Analyses every model of a budget file and holds it against its limits.
 * @param[in]  path      of the file, as `onnx-hwest check` reads it; paths in it are relative to its folder.
 * @param[in]  progress  called before each step, in this thread; NULL = none.
 * @param[in]  payload   for `progress`.
 * @param[in]  cancel    looked at before each analysis; NULL = never.
 * @param[out] check     the caller's; release with hwest_check_free().
 * @return HWEST_OK whatever the verdicts; HWEST_INVALID_ARGUMENT for a wrong file, with its line; HWEST_CANCELLED; else
 *         as hwest_analyze(). */
HWEST_API hwest_status hwest_check_run(const char *path, hwest_progress progress, void *payload,
                                       const hwest_cancel *cancel, hwest_check **check);

/** Holds one analysis against limits. Changes that may mend a broken one are tried as whole analyses.
 * @param[in]  analysis  with a target; still the caller's.
 * @param[in]  limits    one at least.
 * @param[out] check     the caller's; release with hwest_check_free(). The other arguments are as of hwest_check_run().
 * @return HWEST_OK whatever the verdicts; HWEST_INVALID_ARGUMENT without a target, without a limit, or for an amount
 *         that is none; HWEST_CANCELLED. */
HWEST_API hwest_status hwest_check_analysis(const hwest_analysis *analysis, const hwest_limits *limits,
                                            hwest_progress progress, void *payload, const hwest_cancel *cancel,
                                            hwest_check **check);

/** Releases it. NULL is allowed. */
HWEST_API void hwest_check_free(hwest_check *check);

/** The verdict and how many limits have which.
 * @param[in,out] total  the caller sets struct_size; after success it holds the number of bytes filled. */
HWEST_API hwest_status hwest_check_totals(const hwest_check *check, hwest_check_total *total);

/* Sweeps */

/** What a sweep runs over: every combination of what is listed. Lists of texts end in NULL; NULL = what an analysis takes
 * by default. */
typedef struct hwest_sweep_lists {
  uint32_t struct_size;           /**< sizeof this struct */
  int32_t rewritten;              /**< 1 = every point is of the model after the rewrites that help it there */
  const char *const *models;      /**< names in rows, and paths of those that are not loaded; needed */
  const char *const *targets;     /**< names or paths; "all" = every built-in one; needed */
  const char *const *modes;       /**< "all" = every mode of each target */
  const char *const *precisions;  /**< as hwest_options.precision */
  const int64_t *batches;         /**< `batch_count` of them */
  uint64_t batch_count;           /**< length of `batches` */
  const char *const *dims;        /**< "NAME=128,256" or "NAME=128:2048:x2" */
  const int64_t *sizes;           /**< height and width of images, `size_count` of them */
  uint64_t size_count;            /**< length of `sizes` */
  const hwest_target *const *loaded_targets;  /**< one for each of `targets`, NULL = load that; still the caller's; NULL =
                                                   none is loaded */
  const hwest_model *const *loaded;  /**< one for each of `models`, NULL = read its path: to see what fits it; still the
                                          caller's; NULL = none is loaded */
  uint64_t loaded_count;          /**< length of `loaded` */
  const hwest_options *options;   /**< what all points have in common, beside the lists; NULL = defaults */
} hwest_sweep_lists;

/** Numbers the points of a sweep: models before targets, modes, precisions, batches, dims and sizes. Of several models
 * `dims`, `sizes`, and seq_len, shapes and values of the options apply where they fit, see hwest_sweep_plan_left_out().
 * @param[in]  lists  need to stay alive only during the call.
 * @param[out] plan   the caller's; release with hwest_sweep_plan_free().
 * @return HWEST_OK; HWEST_INVALID_ARGUMENT without a model or a target, when a list names something twice, a dim fits no
 *         model, or the options hold what is listed here. */
HWEST_API hwest_status hwest_sweep_plan_create(const hwest_sweep_lists *lists, hwest_sweep_plan **plan);

/** Number of points; 0 for NULL. */
HWEST_API uint64_t hwest_sweep_plan_points(const hwest_sweep_plan *plan);

/** What does not fit a model and is left out of its points: texts such as "dims=seq", "sizes", "seq_len", "shapes=x" or
 * "values=x=[1]", then NULL; live as long as the plan. NULL for a model that it does not have. */
HWEST_API const char *const *hwest_sweep_plan_left_out(const hwest_sweep_plan *plan, uint64_t model);

/** Releases it; sweeps made with it stay valid. NULL is allowed. */
HWEST_API void hwest_sweep_plan_free(hwest_sweep_plan *plan);

/** Which points to run, and how. All zero beside struct_size: all of them, in one thread. */
typedef struct hwest_sweep_options {
  uint32_t struct_size;              /**< sizeof this struct */
  int32_t threads;                   /**< that analyse; 0 = 1. Rows do not depend on it */
  const hwest_model *const *loaded;  /**< one for each model of the plan, NULL = load its path; still the caller's;
                                          NULL = none is loaded */
  uint64_t loaded_count;             /**< length of `loaded` */
  uint64_t first;                    /**< the first point, counted from 0 */
  uint64_t count;                    /**< points; 0 = all from `first` on */
  const char *failed;                /**< no point is run, each becomes a row with this error; NULL = they are run */
  hwest_progress progress;           /**< called after each point; NULL = none */
  void *progress_payload;            /**< for `progress` */
  const hwest_cancel *cancel;        /**< looked at between the stages of each analysis; NULL = never */
  const char *const *data;           /**< bytes of models in `loaded` that are from no file, which rewriting reads once
                                          more; NULL = none */
  const uint64_t *data_sizes;        /**< their lengths; as many as `loaded` */
} hwest_sweep_options;

/** Runs points. A point that fails is a row that says why.
 * @param[in]  plan     still the caller's.
 * @param[in]  options  NULL = as if all were zero.
 * @param[out] sweep    the caller's; release with hwest_sweep_free().
 * @return HWEST_OK, also when points failed; HWEST_INVALID_ARGUMENT for points that the plan does not have;
 *         HWEST_CANCELLED. */
HWEST_API hwest_status hwest_sweep_run(const hwest_sweep_plan *plan, const hwest_sweep_options *options,
                                       hwest_sweep **sweep);

/** Makes a sweep of rows that were run before, for its reports.
 * @param[in]  lines  JSON lines as HWEST_FORMAT_JSONL writes them, `size` bytes; may be NULL when size is 0.
 * @param[in]  size   in bytes.
 * @param[out] sweep  the caller's; release with hwest_sweep_free().
 * @return HWEST_OK; HWEST_INVALID_ARGUMENT for a line that is no row. */
HWEST_API hwest_status hwest_sweep_from_rows(const char *lines, size_t size, hwest_sweep **sweep);

/** Releases it. NULL is allowed. */
HWEST_API void hwest_sweep_free(hwest_sweep *sweep);

/* Studies: many models on many devices, beside measurements */

/** Which measurements are predicted by targets that were fitted without them. */
enum {
  HWEST_LEAVE_OUT_NONE = 0,  /**< by the targets as they are */
  HWEST_LEAVE_OUT_FAMILY = 1,
  HWEST_LEAVE_OUT_DEVICE = 2,
  HWEST_LEAVE_OUT_SOURCE = 3,
  HWEST_LEAVE_OUT_FAMILY_DEVICE = 4  /**< without the family of the model, and without the device */
};

/** What to validate. */
typedef struct hwest_validate_options {
  uint32_t struct_size;        /**< sizeof this struct */
  int32_t leave_out;           /**< HWEST_LEAVE_OUT_* */
  const char *measurements;    /**< CSV file; needed */
  const char *models;          /**< folder of the models its rows name; needed */
  const char *target;          /**< predicts every row on this one; NULL = by the devices of the rows */
  const hwest_target *loaded;  /**< in place of `target`; still the caller's; NULL = load `target` */
  hwest_progress progress;     /**< called after each analysis and each fit; NULL = none */
  void *progress_payload;      /**< for `progress` */
  const hwest_cancel *cancel;  /**< looked at before each analysis; a fit at hand is finished; NULL = never */
  int32_t threads;             /**< that analyse; 0 = 2. The result does not depend on it */
  uint32_t reserved;           /**< 0 */
} hwest_validate_options;

/** Predicts measured figures.
 * @param[in]  options     still the caller's.
 * @param[out] validation  the caller's; release with hwest_validation_free().
 * @return HWEST_OK, also when rows could not be predicted (see hwest_validation_skipped_get()); HWEST_NOT_FOUND without
 *         the folder of models or the target; HWEST_INVALID_ARGUMENT for a file of measurements that cannot be read;
 *         HWEST_CANCELLED. */
HWEST_API hwest_status hwest_validate(const hwest_validate_options *options, hwest_validation **validation);

/** Releases it. NULL is allowed. */
HWEST_API void hwest_validation_free(hwest_validation *validation);

/** What to calibrate. */
typedef struct hwest_calibrate_options {
  uint32_t struct_size;        /**< sizeof this struct */
  int32_t threads;             /**< that analyse; 0 = 2. The result does not depend on it */
  const char *measurements;    /**< CSV file; needed */
  const char *models;          /**< folder of the models its rows name; needed */
  const char *target;          /**< name or path of a target, or a family of built-in ones; needed */
  hwest_progress progress;     /**< called after each analysis and each fit; NULL = none */
  void *progress_payload;      /**< for `progress` */
  const hwest_cancel *cancel;  /**< looked at before each analysis; a fit at hand is finished; NULL = never */
} hwest_calibrate_options;

/** Fits a target, or a family of them, to measured figures.
 * @param[in]  options      still the caller's.
 * @param[out] calibration  the caller's; release with hwest_calibration_free().
 * @return as hwest_validate(); HWEST_INVALID_ARGUMENT also when no row can be fitted. */
HWEST_API hwest_status hwest_calibrate(const hwest_calibrate_options *options, hwest_calibration **calibration);

/** Releases it. NULL is allowed. */
HWEST_API void hwest_calibration_free(hwest_calibration *calibration);

/** Text of the target file with what was found, for hwest_target_load_memory(); of a family one file for each target
 * behind a line "# target NAME". "" for NULL; lives as long as the calibration. */
HWEST_API const char *hwest_calibration_target_text(const hwest_calibration *calibration);

/* Reports */

/** What a report on an analysis is about. */
enum {
  HWEST_REPORT_ANALYSIS = 0,
  HWEST_REPORT_SHAPES = 1,  /**< every value; needs no target */
  HWEST_REPORT_SUPPORT = 2, /**< which unit runs which node, and which limit refuses it */
  HWEST_REPORT_EXPLAIN = 3, /**< one node */
  HWEST_REPORT_GRAPH = 4    /**< every node in order with its neighbours and its place in the plan; needs no target */
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
  HWEST_FORMAT_PDF = 7,
  HWEST_FORMAT_PERFETTO = 8,       /**< this and the next ones: of HWEST_REPORT_ANALYSIS with a target */
  HWEST_FORMAT_NETRON = 9,
  HWEST_FORMAT_MODEL_EXPLORER = 10,
  HWEST_FORMAT_SPEEDSCOPE = 11,
  HWEST_FORMAT_HTML = 12,          /**< one page to explore, of an analysis or of shapes; since 0.3 */
  HWEST_FORMAT_JSONL = 13,         /**< of sweeps; since 0.3 */
  HWEST_FORMAT_JUNIT = 14,         /**< this and the next ones: of checks, for CI services; since 0.3 */
  HWEST_FORMAT_SARIF = 15,
  HWEST_FORMAT_CODEQUALITY = 16,
  HWEST_FORMAT_OPENMETRICS = 17,
  HWEST_FORMAT_BENCHMARK = 18,
  HWEST_FORMAT_BENCHER = 19,
  HWEST_FORMAT_ONNXTEXT = 20 /**< of HWEST_REPORT_GRAPH: the graph in the text form of ONNX; since 0.3 */
};

/** Rows of the main table. */
enum {
  HWEST_LEVEL_DEFAULT = 0, /**< groups with a target, nodes without */
  HWEST_LEVEL_NODE = 1,
  HWEST_LEVEL_GROUP = 2,
  HWEST_LEVEL_SEGMENT = 3,
  HWEST_LEVEL_MODULE = 4,
  HWEST_LEVEL_UNIT = 5
};

/** What the colours of a picture tell, and the figure of HWEST_FORMAT_MODEL_EXPLORER. */
enum {
  HWEST_COLOR_BY_DEFAULT = 0, /**< the unit; of HWEST_FORMAT_MODEL_EXPLORER the time */
  HWEST_COLOR_BY_UNIT = 1,
  HWEST_COLOR_BY_BOUND = 2,
  HWEST_COLOR_BY_TIME = 3,
  HWEST_COLOR_BY_ENERGY = 4,
  HWEST_COLOR_BY_INTENSITY = 5,
  HWEST_COLOR_BY_PRECISION = 6,
  HWEST_COLOR_BY_MEASURED = 7 /**< measured over predicted time, of an analysis with a measured profile; since 0.3 */
};

/** What a box of a picture stands for. */
enum {
  HWEST_COLLAPSE_AUTO = 0, /**< what fits */
  HWEST_COLLAPSE_MODULE = 1,
  HWEST_COLLAPSE_SEGMENT = 2,
  HWEST_COLLAPSE_NONE = 3  /**< what the level says, however many there are */
};

/** A picture in place of the graph. */
enum {
  HWEST_CHART_NONE = 0,
  HWEST_CHART_TIMELINE = 1, /**< when each unit is busy */
  HWEST_CHART_MEMORY = 2,   /**< weights and activations over time, the largest ones at the peak named */
  HWEST_CHART_ROOFLINE = 3, /**< what the groups reach below what units can do */
  HWEST_CHART_MODULES = 4,  /**< time by module */
  HWEST_CHART_BOUNDS = 5    /**< time, groups, flops and bytes by what bounds them */
};

/** For hwest_report_options.top: every row. */
#define HWEST_TOP_ALL (-1)

/** For hwest_report_options.end and .context, whose 0 is the default: a 0 that is meant; since 0.3. */
#define HWEST_ZERO (-1)

/** How to write a report. All zero beside struct_size: the analysis as text. */
typedef struct hwest_report_options {
  uint32_t struct_size;  /**< sizeof this struct */
  int32_t kind;     /**< HWEST_REPORT_* */
  int32_t format;   /**< HWEST_FORMAT_* */
  int32_t level;    /**< HWEST_LEVEL_*; JSON always has all tables */
  int64_t top;      /**< rows shown, the most expensive ones; 0 = the format's default, HWEST_TOP_ALL = all */
  const char *node; /**< for HWEST_REPORT_EXPLAIN: its name, the name of an output, "#id", or "gN" */
  const hwest_what_if *what_if;          /**< made from this analysis: its changes are in the report; NULL = those that a
                                              page of an analysis opens with, in other formats none */
  const hwest_explanation *explanation;  /**< for HWEST_REPORT_EXPLAIN in place of `node`; NULL = `node` is explained */
  int32_t color;    /**< 1 = escape sequences of terminals in text; else 0 */
  uint32_t reserved;  /**< 0 */
  int32_t color_by; /**< HWEST_COLOR_BY_*; of pictures, as the next ones; since 0.3 */
  int32_t collapse; /**< HWEST_COLLAPSE_*; since 0.3 */
  int32_t unfold;   /**< 1 = draw equal blocks in a row each; 0 = once, with their number; since 0.3 */
  int32_t chart;    /**< HWEST_CHART_*; since 0.3 */
  int64_t start;    /**< of HWEST_REPORT_GRAPH, as the next ones; together they choose nodes, in the order of their ids:
                         from this id on; since 0.3 */
  int64_t end;      /**< up to this id, included; 0 = to the last, HWEST_ZERO = to node 0; since 0.3 */
  int64_t max_nodes;   /**< the first ones of those that fit; 0 = all; since 0.3 */
  int64_t context;     /**< nodes on either side of `around`; 0 = 5, HWEST_ZERO = none; since 0.3 */
  const char *around;  /**< this node, as `node` or its bare id, and its neighbours; NULL = no such condition, as in the
                            next ones; since 0.3 */
  const char *module;  /**< in this module or one inside it; since 0.3 */
  const char *grep;    /**< with this text in a name, operator, value, module or source line, in any case; since 0.3 */
  const char *const *ops;      /**< of one of these operators, as all lists up to a NULL; since 0.3 */
  const char *const *units;    /**< on one of these units; "none" = on no unit; since 0.3 */
  const char *const *bounds;   /**< in a group bound by one of these: "compute", "memory", ..; since 0.3 */
  const char *const *columns;  /**< columns of text, CSV and Markdown, in this order; NULL = the usual ones; since 0.3 */
} hwest_report_options;

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

/** Writes the figures of a target. Formats: text, JSON, CSV and Markdown; of the options only `format` and `color`
 * count.
 * @param[in] options  NULL = text.
 * @param[in] sink     as hwest_report().
 * @return as hwest_report(). */
HWEST_API hwest_status hwest_target_report(const hwest_target *target, const hwest_report_options *options,
                                           hwest_sink sink, void *payload);

/** As hwest_target_report(), into memory; release with hwest_buffer_free(). */
HWEST_API hwest_status hwest_target_report_buffer(const hwest_target *target, const hwest_report_options *options,
                                                  hwest_buffer **buffer);

/** Writes a table of targets, as hwest_target_report(). */
HWEST_API hwest_status hwest_target_list_report(const hwest_target_list *list, const hwest_report_options *options,
                                                hwest_sink sink, void *payload);

/** As hwest_target_list_report(), into memory; release with hwest_buffer_free(). */
HWEST_API hwest_status hwest_target_list_report_buffer(const hwest_target_list *list,
                                                       const hwest_report_options *options, hwest_buffer **buffer);

/** Writes the problems of a target file, as hwest_target_report(). */
HWEST_API hwest_status hwest_lint_report(const hwest_lint *lint, const hwest_report_options *options, hwest_sink sink,
                                         void *payload);

/** As hwest_lint_report(), into memory; release with hwest_buffer_free(). */
HWEST_API hwest_status hwest_lint_report_buffer(const hwest_lint *lint, const hwest_report_options *options,
                                                hwest_buffer **buffer);

/** Writes a validation. Formats: text, JSON, CSV, Markdown and SVG; `top` is the number of points furthest off. */
HWEST_API hwest_status hwest_validation_report(const hwest_validation *validation, const hwest_report_options *options,
                                               hwest_sink sink, void *payload);

/** As hwest_validation_report(), into memory; release with hwest_buffer_free(). */
HWEST_API hwest_status hwest_validation_report_buffer(const hwest_validation *validation,
                                                      const hwest_report_options *options, hwest_buffer **buffer);

/** Writes a calibration. Formats: text, JSON, CSV and Markdown. */
HWEST_API hwest_status hwest_calibration_report(const hwest_calibration *calibration,
                                                const hwest_report_options *options, hwest_sink sink, void *payload);

/** As hwest_calibration_report(), into memory; release with hwest_buffer_free(). */
HWEST_API hwest_status hwest_calibration_report_buffer(const hwest_calibration *calibration,
                                                       const hwest_report_options *options, hwest_buffer **buffer);

/** Writes what becomes of a workload. Formats: text, JSON, CSV, Markdown, SVG (the timeline), HTML and Perfetto. */
HWEST_API hwest_status hwest_workload_report(const hwest_workload *workload, const hwest_report_options *options,
                                             hwest_sink sink, void *payload);

/** As hwest_workload_report(), into memory; release with hwest_buffer_free(). */
HWEST_API hwest_status hwest_workload_report_buffer(const hwest_workload *workload,
                                                    const hwest_report_options *options, hwest_buffer **buffer);

/** Writes a comparison. Formats: text, JSON, CSV, Markdown and, of two analyses, HTML; `top` is the number of nodes listed in
 * all but JSON and CSV. */
HWEST_API hwest_status hwest_diff_report(const hwest_diff *diff, const hwest_report_options *options, hwest_sink sink,
                                         void *payload);

/** As hwest_diff_report(), into memory; release with hwest_buffer_free(). */
HWEST_API hwest_status hwest_diff_report_buffer(const hwest_diff *diff, const hwest_report_options *options,
                                                hwest_buffer **buffer);

/** Writes a check. Formats: text, JSON, CSV, Markdown, and those of CI services from HWEST_FORMAT_JUNIT on. */
HWEST_API hwest_status hwest_check_report(const hwest_check *check, const hwest_report_options *options,
                                          hwest_sink sink, void *payload);

/** As hwest_check_report(), into memory; release with hwest_buffer_free(). */
HWEST_API hwest_status hwest_check_report_buffer(const hwest_check *check, const hwest_report_options *options,
                                                 hwest_buffer **buffer);

/** Writes a sweep. Formats: text, JSON, JSON lines, CSV, Markdown, SVG and HTML; `top` is the number of rows in text and
 * Markdown, the fastest ones, `columns` those of text, CSV, Markdown and HTML. */
HWEST_API hwest_status hwest_sweep_report(const hwest_sweep *sweep, const hwest_report_options *options,
                                          hwest_sink sink, void *payload);

/** As hwest_sweep_report(), into memory; release with hwest_buffer_free(). */
HWEST_API hwest_status hwest_sweep_report_buffer(const hwest_sweep *sweep, const hwest_report_options *options,
                                                 hwest_buffer **buffer);

/** The bytes of a buffer, ended by a NUL that hwest_buffer_size() does not count; live as long as the buffer. "" for
 * NULL. */
HWEST_API const char *hwest_buffer_data(const hwest_buffer *buffer);

/** Number of bytes; 0 for NULL. */
HWEST_API size_t hwest_buffer_size(const hwest_buffer *buffer);

/** Releases a buffer. NULL is allowed. */
HWEST_API void hwest_buffer_free(hwest_buffer *buffer);

/* The program */

/** Runs the command line `onnx-hwest` in this process: writes to standard output and standard error, reads the
 * environment, and takes SIGINT for itself unless it is ignored. For launchers; programs use the functions above.
 * @param[in] argc  number of words, the program's name included.
 * @param[in] argv  `argc` strings; argv[0] is not looked at.
 * @return the exit code; 2 when argv is NULL. Not to be called from two threads at a time. */
HWEST_API int32_t hwest_main(int32_t argc, const char *const *argv);

#ifdef __cplusplus
}
#endif

#endif /* HWEST_H_ */
