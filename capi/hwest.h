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
 * Tables: each has three functions. X_count() is the number of rows, 0 for NULL. X_get() fills one struct, whose
 * struct_size the caller sets and which afterwards says how many bytes were filled; HWEST_INVALID_ARGUMENT when there
 * is no such row. X_read() fills `count` rows from `first` on, all or none, into structs that lie `stride` bytes apart
 * (sizeof the struct as the caller knows it); `rows` may be NULL when count is 0. The first call that asks for a table
 * makes it, which may take memory (X_count() is 0 when there is none, and reading says so); from then on a row costs
 * the same whatever its index and nothing is allocated. Strings and arrays in rows live as long as the handle.
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
#define HWEST_ABI_MINOR 2

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
/** A wish to stop, told from one thread to the calls of others. */
typedef struct hwest_cancel hwest_cancel;
/** Bytes owned by the library. */
typedef struct hwest_buffer hwest_buffer;

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

/** How grave a diagnostic is. */
enum {
  HWEST_SEVERITY_ERROR = 0,
  HWEST_SEVERITY_WARNING = 1,
  HWEST_SEVERITY_NOTE = 2
};

/** Something the library has to say beside its figures. Strings live as long as the handle of the table, in a log
 * callback as long as the call. */
typedef struct hwest_diagnostic {
  uint32_t struct_size;  /**< sizeof this struct */
  int32_t severity;    /**< HWEST_SEVERITY_* */
  const char *code;    /**< stable word, see `onnx-hwest describe codes` */
  const char *message;  /**< what was found; never NULL */
  const char *remedy;  /**< what to do about it; NULL = nothing to do */
  const char *node;    /**< the node it is about; NULL = none */
  const char *value;   /**< the value it is about; NULL = none */
} hwest_diagnostic;

/** Takes a diagnostic as soon as a call knows it.
 * @param[in] payload     as handed over beside the callback.
 * @param[in] diagnostic  valid during the call only. */
typedef void (*hwest_log)(void *payload, const hwest_diagnostic *diagnostic);

/** Told of every step before it begins, but by hwest_validate() and hwest_calibrate() after it ended.
 * @param[in] payload  as handed over beside the callback.
 * @param[in] what     name of the step; valid during the call only.
 * @param[in] done     steps that are behind.
 * @param[in] total    steps in all; 0 = not known.
 * @return 0 to go on; anything else ends the call with HWEST_CANCELLED, studies after the analyses at hand.
 * hwest_validate() and hwest_calibrate() call it from threads of their own, one at a time. */
typedef int32_t (*hwest_progress)(void *payload, const char *what, uint64_t done, uint64_t total);

/** Makes a wish that nobody has had yet.
 * @param[out] cancel  the caller's; release with hwest_cancel_free(), also while calls that were given it still run.
 * @return HWEST_OK; HWEST_RESOURCE_EXHAUSTED. */
HWEST_API hwest_status hwest_cancel_create(hwest_cancel **cancel);

/** Asks every call that was given `cancel`, now and later, to end with HWEST_CANCELLED before its next step. NULL is
 * allowed. May be called from any thread and from a signal handler. */
HWEST_API void hwest_cancel_request(hwest_cancel *cancel);

/** 1 when it was asked for, else 0; 0 for NULL. */
HWEST_API int32_t hwest_cancel_requested(const hwest_cancel *cancel);

/** Releases a wish; calls at work keep what they need of it. NULL is allowed. */
HWEST_API void hwest_cancel_free(hwest_cancel *cancel);

/** A count that may depend on free dims: the number, or -1 and a Python expression over the symbols. Unknown: -1, NULL.
 * `text` lives as long as the handle it came from. This struct never grows. */
typedef struct hwest_count {
  int64_t value;  /**< the number, or -1 */
  const char *text;  /**< digits, or the expression */
} hwest_count;

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
  hwest_log log;                 /**< told of every diagnostic of the model; NULL = nobody is */
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

/** What a model file says of itself. Strings live as long as the model. */
typedef struct hwest_model_info {
  uint32_t struct_size;     /**< sizeof this struct */
  uint32_t reserved;        /**< 0 */
  const char *name;         /**< of its graph; never NULL */
  const char *producer;     /**< program and version; never NULL */
  int64_t ir_version;       /**< of the format */
  int64_t nodes;            /**< after local functions were inlined, bodies of control flow included */
  int64_t values;           /**< inputs, weights and what nodes make */
  int64_t file_bytes;       /**< size of the file or of the bytes in memory */
  int64_t metadata_bytes;   /**< of these, what is not weights left in the file */
} hwest_model_info;

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

/** In arrays of ids: an optional input or output that is absent. */
#define HWEST_NO_ID 0xffffffffu

/** A value: an input, an output, a weight, or what a node makes. */
typedef struct hwest_value {
  uint32_t struct_size;     /**< sizeof this struct */
  int32_t kind;             /**< HWEST_VALUE_* */
  int64_t id;               /**< = index in hwest_analysis_value_get() */
  const char *name;         /**< never NULL */
  const char *dtype;        /**< of its elements, e.g. "float16"; NULL = unknown */
  int64_t rank;             /**< -1 = unknown */
  const hwest_count *dims;  /**< `rank` of them; NULL when the rank is 0 or unknown */
  uint32_t flags;           /**< HWEST_VALUE_IS_* */
  uint32_t graph;           /**< 0 = the main graph, else a body of control flow */
  int64_t producer;         /**< id of the node that makes it; -1 = none does */
  const char *contents;     /**< known elements in row-major order, e.g. "[1, batch, 64]"; NULL = not known */
  int64_t blocked_by;       /**< id of the node where its type or shape was lost; -1 = nothing was */
} hwest_value;

/** Inputs of the model as the file declares them, initialisers left out. A dim that the file leaves open is a symbol
 * named INPUT.AXIS. */
HWEST_API uint64_t hwest_model_input_count(const hwest_model *model);
/** One of them. */
HWEST_API hwest_status hwest_model_input_get(const hwest_model *model, uint64_t index, hwest_value *row);
/** Several of them. */
HWEST_API hwest_status hwest_model_input_read(const hwest_model *model, uint64_t first, uint64_t count,
                                              hwest_value *rows, size_t stride);

/** Outputs of the model as the file declares them; analyses know more. */
HWEST_API uint64_t hwest_model_output_count(const hwest_model *model);
/** One of them. */
HWEST_API hwest_status hwest_model_output_get(const hwest_model *model, uint64_t index, hwest_value *row);
/** Several of them. */
HWEST_API hwest_status hwest_model_output_read(const hwest_model *model, uint64_t first, uint64_t count,
                                               hwest_value *rows, size_t stride);

/** A size that is no number yet. */
typedef struct hwest_symbol {
  uint32_t struct_size;       /**< sizeof this struct */
  int32_t is_data_dependent;  /**< 1 = decided by contents of tensors, hence never free to bind; else 0 */
  const char *name;           /**< as expressions write it and hwest_options.dims takes it; never NULL */
  const char *text;           /**< as the file writes it; never NULL */
  int64_t min;                /**< smallest value */
  hwest_count max;            /**< largest value; unknown = no bound is known */
  int64_t assumed;            /**< typical or stated value of a data-dependent size, at which figures are; -1 = none */
  const char *cause;          /**< node that made it; NULL = the file names it */
} hwest_symbol;

/** Free dims of the inputs: what hwest_options.dims or .shapes must bind before a target can be named. */
HWEST_API uint64_t hwest_model_symbol_count(const hwest_model *model);
/** One of them. */
HWEST_API hwest_status hwest_model_symbol_get(const hwest_model *model, uint64_t index, hwest_symbol *row);
/** Several of them. */
HWEST_API hwest_status hwest_model_symbol_read(const hwest_model *model, uint64_t first, uint64_t count,
                                               hwest_symbol *rows, size_t stride);

/** A set of operators the model uses. */
typedef struct hwest_opset {
  uint32_t struct_size;  /**< sizeof this struct */
  uint32_t reserved;   /**< 0 */
  const char *domain;  /**< "ai.onnx" for the default one; never NULL */
  int64_t version;     /**< of the set */
} hwest_opset;

/** Operator sets of the model. */
HWEST_API uint64_t hwest_model_opset_count(const hwest_model *model);
/** One of them. */
HWEST_API hwest_status hwest_model_opset_get(const hwest_model *model, uint64_t index, hwest_opset *row);
/** Several of them. */
HWEST_API hwest_status hwest_model_opset_read(const hwest_model *model, uint64_t first, uint64_t count,
                                              hwest_opset *rows, size_t stride);

/** What reading the model had to say. */
HWEST_API uint64_t hwest_model_diagnostic_count(const hwest_model *model);
/** One of them. */
HWEST_API hwest_status hwest_model_diagnostic_get(const hwest_model *model, uint64_t index, hwest_diagnostic *row);
/** Several of them. */
HWEST_API hwest_status hwest_model_diagnostic_read(const hwest_model *model, uint64_t first, uint64_t count,
                                                   hwest_diagnostic *rows, size_t stride);

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

/** A target in a few words. Lists end in NULL. Strings live as long as the handle it came from. */
typedef struct hwest_target_info {
  uint32_t struct_size;           /**< sizeof this struct */
  uint32_t reserved;              /**< 0 */
  const char *name;               /**< never NULL */
  const char *const *aliases;     /**< other names of it */
  const char *base;               /**< target it is derived from; NULL = none */
  const char *family;             /**< NULL = none */
  const char *summary;            /**< never NULL */
  const char *const *units;       /**< names of its engines */
  const char *const *modes;       /**< power modes */
  const char *default_mode;       /**< NULL = it has no modes */
  const char *precision;          /**< that float graphs run at on its main unit; NULL = as the file */
  const char *const *toolchains;  /**< that compile for its units */
  int64_t facts;                  /**< figures with a value */
  int64_t estimated;              /**< of these, engineering estimates */
  int64_t fitted;                 /**< of these, fitted to measurements */
} hwest_target_info;

/** Describes a target.
 * @param[in,out] info  the caller sets struct_size; after success it holds the number of bytes filled. */
HWEST_API hwest_status hwest_target_describe(const hwest_target *target, hwest_target_info *info);

/** Lists the built-in targets.
 * @param[out] list  the caller's; release with hwest_target_list_free(). */
HWEST_API hwest_status hwest_target_list_create(hwest_target_list **list);

/** Releases a list. NULL is allowed. */
HWEST_API void hwest_target_list_free(hwest_target_list *list);

/** Built-in targets, sorted by name. */
HWEST_API uint64_t hwest_target_list_count(const hwest_target_list *list);
/** One of them. */
HWEST_API hwest_status hwest_target_list_get(const hwest_target_list *list, uint64_t index, hwest_target_info *row);
/** Several of them. */
HWEST_API hwest_status hwest_target_list_read(const hwest_target_list *list, uint64_t first, uint64_t count,
                                              hwest_target_info *rows, size_t stride);

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

/** An engine of a target, in its default power mode. */
typedef struct hwest_target_unit {
  uint32_t struct_size;     /**< sizeof this struct */
  int32_t kind;             /**< HWEST_UNIT_* */
  const char *name;         /**< never NULL */
  const char *toolchain;    /**< that compiles for it; NULL = none is stated */
  const char *precision;    /**< that float graphs run at; NULL = as the file */
  const char *memory;       /**< the shared one; NULL = none */
  uint32_t flags;           /**< HWEST_UNIT_IS_* */
  uint32_t instances;       /**< equal engines that work on one inference together */
  uint32_t cores;           /**< of one instance */
  uint32_t reserved;        /**< 0 */
  double clock_hz;          /**< in the default power mode */
  double macs_per_s;        /**< dense peak of contractions at `precision`, all instances */
  double bytes_per_s;       /**< peak of the shared memory */
  double launch_s;          /**< for each group */
  double invoke_s;          /**< for each segment */
  double static_w;          /**< while powered, work or not */
} hwest_target_unit;

/** Engines of the target. */
HWEST_API uint64_t hwest_target_unit_count(const hwest_target *target);
/** One of them. */
HWEST_API hwest_status hwest_target_unit_get(const hwest_target *target, uint64_t index, hwest_target_unit *row);
/** Several of them. */
HWEST_API hwest_status hwest_target_unit_read(const hwest_target *target, uint64_t first, uint64_t count,
                                              hwest_target_unit *rows, size_t stride);

/** A power mode of a target. */
typedef struct hwest_target_mode {
  uint32_t struct_size;  /**< sizeof this struct */
  int32_t is_default;  /**< 1 or 0 */
  const char *name;    /**< never NULL */
  double cap_w;        /**< NaN = none stated */
} hwest_target_mode;

/** Power modes of the target. */
HWEST_API uint64_t hwest_target_mode_count(const hwest_target *target);
/** One of them. */
HWEST_API hwest_status hwest_target_mode_get(const hwest_target *target, uint64_t index, hwest_target_mode *row);
/** Several of them. */
HWEST_API hwest_status hwest_target_mode_read(const hwest_target *target, uint64_t first, uint64_t count,
                                              hwest_target_mode *rows, size_t stride);

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

/** One figure of a target. */
typedef struct hwest_fact {
  uint32_t struct_size;  /**< sizeof this struct */
  int32_t trust;         /**< HWEST_TRUST_* */
  const char *path;      /**< its place in the file, e.g. "unit/gpu/clock_hz"; never NULL */
  const char *unit;      /**< "Hz", "B/s", "s", "J", "W", "B" or "1/cycle"; NULL = a plain number */
  const char *source;    /**< never NULL */
  const char *note;      /**< NULL = none */
  double value;          /**< that is computed with: the fitted one if there is one, else the stated one */
  double stated;         /**< NaN = none */
  double fitted;         /**< NaN = not fitted */
  double fitted_spread;  /**< standard deviation of ln(fitted) */
  int64_t fitted_count;  /**< measurements behind it; -1 = not fitted */
  const char *fitted_data;       /**< which; NULL = not fitted */
  const char *fitted_shared_by;  /**< targets or units that share the value; NULL = its own */
} hwest_fact;

/** Figures of the target, in the order of its file. */
HWEST_API uint64_t hwest_target_fact_count(const hwest_target *target);
/** One of them. */
HWEST_API hwest_status hwest_target_fact_get(const hwest_target *target, uint64_t index, hwest_fact *row);
/** Several of them. */
HWEST_API hwest_status hwest_target_fact_read(const hwest_target *target, uint64_t first, uint64_t count,
                                              hwest_fact *rows, size_t stride);

/** Checks a target or toolchain file; reports every problem, not only the first.
 * @param[in]  data  its text, UTF-8, `size` bytes, alive during the call; may be NULL when size is 0.
 * @param[in]  size  in bytes.
 * @param[in]  name  what messages call it; NULL = "target".
 * @param[out] lint  the caller's; release with hwest_lint_free().
 * @return HWEST_OK, also when there are problems. */
HWEST_API hwest_status hwest_lint_create(const void *data, size_t size, const char *name, hwest_lint **lint);

/** Releases it. NULL is allowed. */
HWEST_API void hwest_lint_free(hwest_lint *lint);

/** One problem of a target file. */
typedef struct hwest_problem {
  uint32_t struct_size;  /**< sizeof this struct */
  int32_t line;         /**< from 1; 0 = not known */
  const char *path;     /**< of the field; NULL = the text does not parse */
  const char *message;  /**< never NULL */
  const char *remedy;   /**< never NULL */
  int32_t severity;     /**< HWEST_SEVERITY_ERROR, or HWEST_SEVERITY_WARNING for a figure that is not credible */
  uint32_t reserved;    /**< 0 */
} hwest_problem;

/** Problems, errors first; without errors the file can be used. */
HWEST_API uint64_t hwest_lint_problem_count(const hwest_lint *lint);
/** One of them. */
HWEST_API hwest_status hwest_lint_problem_get(const hwest_lint *lint, uint64_t index, hwest_problem *row);
/** Several of them. */
HWEST_API hwest_status hwest_lint_problem_read(const hwest_lint *lint, uint64_t first, uint64_t count,
                                               hwest_problem *rows, size_t stride);

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

/** What to analyse and how. All zero beside struct_size: no target, so counts and shapes only.
 * Lists are arrays of strings that end in NULL; a NULL list is empty. All is copied during the call. */
typedef struct hwest_options {
  uint32_t struct_size;      /**< sizeof this struct */
  int32_t objective;         /**< HWEST_OBJECTIVE_* */
  const char *target;        /**< built-in name, alias, or path of a .textproto file; NULL = none */
  const char *mode;          /**< power mode; NULL = the target's default */
  const char *precision;     /**< fp32, tf32, fp16, bf16, fp8, int8, w8a16, w4a16, w4a8, mixed or
                                  "UNIT=P,.."; NULL = auto */
  const char *fusions;       /**< "none" = every node its own kernel; NULL = what the toolchains fuse */
  int64_t batch;             /**< inputs per run, also of a static export; 0 = as exported. An error above 1 where the
                                  file has no batch: see hwest_totals */
  const char *const *dims;   /**< "NAME=N" or "INPUT.AXIS=N" */
  const char *const *shapes; /**< "INPUT=1x3x224x224", or "1x128" for every input of that rank */
  const char *const *expect; /**< "NAME=N": value of a data-dependent size in place of its typical one; NAME may be a
                                  pattern with * and ?, and of several that fit a size the last counts */
  const char *const *only;   /**< units to use; the CPU runs what they refuse */
  const char *const *deny;   /**< "OP@UNIT": never run it there */
  const char *const *assume; /**< "OP@UNIT": take it as supported there */
  const char *const *pin;    /**< "NODE@UNIT": run this node there */
  int32_t max_segments;      /**< at most so many runs on accelerators; 0 = as many as pay off */
  uint32_t reserved2;        /**< 0 */
  const char *const *values; /**< "INPUT=FILE.pb" or "INPUT=[1, 2]": contents of an input */
  const char *op_rules;      /**< shape and cost of custom operators: the text of a file as
                                  `onnx-hwest describe op-rules` says; NULL = none */
  const hwest_target *loaded;        /**< in place of `target`; still the caller's; NULL = load `target` */
  const char *const *toolchains;     /**< "UNIT=NAME", NAME built in or a file: in place of the target's own */
  const char *fusion_rules;          /**< further patterns: the text of a file as `onnx-hwest describe fusions` says;
                                          NULL = none */
  const char *flops_as;              /**< count as another tool does, too: native, fvcore, torch, thop or onnx-tool;
                                          NULL = do not */
  double power_cap_w;                /**< the fastest plan whose energy over latency stays within; 0 = no cap */
  int32_t overlap;                   /**< HWEST_OVERLAP_* */
  uint32_t reserved;                 /**< 0 */
  hwest_progress progress;           /**< told of each stage before it begins; NULL = nobody is */
  void *progress_payload;    /**< for `progress` */
  hwest_log log;                     /**< told of every diagnostic of the analysis; NULL = nobody is */
  void *log_payload;         /**< for `log` */
  const hwest_cancel *cancel;        /**< looked at before each stage; NULL = never cancelled */
  int32_t host_competes;             /**< 1 = the host of a module may run what the module can, where that is better;
                                          0 = only what the module refuses */
  uint32_t reserved1;                /**< 0 */
  const char *host;                  /**< of a discrete module: built-in name or path of a target whose CPU, with its
                                          memory, takes the place of the module's host; NULL = as the target says */
} hwest_options;

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

/** Totals of the whole graph. What could not be counted is not in them, but in unknown_nodes and the node counts.
 * Strings live as long as the analysis. */
typedef struct hwest_totals {
  uint32_t struct_size;      /**< sizeof this struct */
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
  int64_t peak_memory_bytes; /**< deployed weights + largest sum of live activations, data-dependent sizes at their
                                  upper bound */
  int64_t batch;             /**< inputs per run: the leading dim that every input of rank 2 or more (caches aside) and
                                  an output have in common, or their dim called batch or N; 1 = one, or no such dim */
  int64_t nodes;             /**< after inlining */
  int64_t typed_nodes;       /**< whose outputs have a known type and shape */
  int64_t counted_nodes;     /**< with a work rule that could be evaluated */
  int64_t costed_nodes;      /**< with a time */
  int64_t placed_nodes;      /**< that a unit runs */
  int64_t unknown_nodes;     /**< without a rule */
  double intensity;          /**< flops per moved byte */
  double latency_s;          /**< of one inference: warm, steady clocks, without pre- and post-processing */
  double latency_low_s;      /**< prediction interval */
  double latency_high_s;     /**< of the prediction interval; NaN as energy_high_j and power_w where `incomplete` says
                                  that a node has no time: the other figures are bounds then */
  double interval_s;         /**< between results when inferences follow each other */
  double throughput_per_s;   /**< batch / interval_s */
  double energy_j;           /**< of one inference */
  double energy_low_j;       /**< prediction interval */
  double energy_high_j;      /**< of the prediction interval */
  double power_w;            /**< energy_j / interval_s */
  double gap;                /**< how far from the best placement this one can be at most, share of it; 0 = optimal */
  const char *target;        /**< its full name */
  const char *mode;          /**< power mode */
  const char *precision;     /**< of the main unit */
  hwest_count causal_macs;   /**< macs when what causal masks hide is skipped; unknown also when nothing is causal */
  hwest_count flops_as;      /**< in the convention of hwest_options.flops_as */
  double macs_share;         /**< of the macs that are costed; NaN = the macs of some node are unknown */
  double time_share;         /**< of the time that is known: 1 when every group has one, else not known itself */
  double transfer_s;         /**< part of latency_s that moves values between units */
  double greedy_latency_s;   /**< of the plan that takes the longest segments, for comparison */
  double overlap_latency_s;  /**< with HWEST_OVERLAP_YES */
  const char *incomplete;    /**< what is unknown, in words; NULL = nothing */
  double measured_share;     /**< of latency_s, on units fitted to measurements of this very device */
  double family_share;       /**< of latency_s, on units fitted to devices of the same family */
  double datasheet_share;    /**< of latency_s, on units known from data sheets alone */
  double evidence_share;     /**< of latency_s, in operators and shapes that calibration covers */
  double size_low_s;         /**< latency_s, where the model has data-dependent sizes; NaN = it has none */
  double size_high_s;        /**< latency of the same placement with these at their largest value; NaN = no such sizes,
                                  or one without an upper bound */
  double tokens_per_s;       /**< new tokens; of runs over several per sequence, tokens processed; NaN: no token model */
  const char *precisions;    /**< share of macs by precision, e.g. "int8=0.85,fp16=0.15", largest first; NULL = unknown */
  int32_t host_competes;     /**< 1 = a discrete host may run what the accelerator takes, too; -1 = no target */
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
  uint32_t struct_size;   /**< sizeof this struct */
  int32_t bound;          /**< HWEST_BOUND_* */
  int64_t id;             /**< = index of the row */
  const char *pattern;    /**< name of the fusion, or the op of a node that runs alone; never NULL */
  const char *name;       /**< of the node the group is for; never NULL */
  const char *unit;       /**< that runs it; NULL = none does */
  const char *precision;  /**< it runs at; NULL = unknown */
  const uint32_t *nodes;  /**< ids, ascending */
  uint64_t node_count;    /**< length of `nodes` */
  int64_t segment;        /**< run of groups on one unit; -1 = none */
  int64_t macs;           /**< of all its runs in one inference */
  int64_t int_macs;       /**< the part of macs whose operands are integer in the graph */
  int64_t flops;          /**< 2 * macs + other float operations */
  int64_t in_bytes;       /**< activations read from outside */
  int64_t weight_bytes;   /**< constants read, as deployed */
  int64_t out_bytes;      /**< written for use outside */
  int64_t saved_bytes;    /**< not moved thanks to the fusion */
  int64_t saved_launches;  /**< kernels not launched thanks to the fusion */
  double start_s;         /**< from the beginning of the inference */
  double compute_s;       /**< time of the arithmetic alone */
  double memory_s;        /**< time of the traffic alone */
  double overhead_s;      /**< time of launching it */
  double time_s;          /**< >= max(compute_s, memory_s) */
  double low_s;           /**< prediction interval */
  double high_s;          /**< of the prediction interval */
  double energy_j;        /**< of all its runs in one inference */
  double utilisation;     /**< compute at dense peak / time_s */
  double end_s;           /**< start_s + time_s */
  int64_t dram_bytes;     /**< that really cross the shared memory */
  int64_t live_bytes;     /**< activations alive while it runs, data-dependent sizes at their upper bound; with
                               deployed_bytes their maximum is the peak */
  double compute_j;       /**< parts of energy_j */
  double onchip_j;        /**< accesses of on-chip memories */
  double dram_j;          /**< accesses of the shared memory */
  double static_j;        /**< of being powered */
  const char *const *assumptions;  /**< that the estimate rests on; ends in NULL */
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

/** What a node is at run time. */
enum {
  HWEST_NODE_COMPUTE = 0,
  HWEST_NODE_LAYOUT = 1,    /**< moves data */
  HWEST_NODE_VIEW = 2,      /**< the same bytes under another type; free */
  HWEST_NODE_SHAPE = 3,     /**< shape arithmetic; free */
  HWEST_NODE_CONSTANT = 4,  /**< folded before run time */
  HWEST_NODE_CONTROL = 5,
  HWEST_NODE_OPAQUE = 6     /**< no rule knows it */
};

/** A node in PyTorch's terms. */
enum {
  HWEST_ORIGIN_MODULE = 0,
  HWEST_ORIGIN_FUNCTION = 1,
  HWEST_ORIGIN_UNKNOWN = 2   /**< the file says nothing */
};

/** One operator node. */
typedef struct hwest_node {
  uint32_t struct_size;     /**< sizeof this struct */
  int32_t node_class;       /**< HWEST_NODE_* */
  int64_t id;               /**< = index of the row */
  const char *name;         /**< as in the file; may be "" */
  const char *label;        /**< for people; never "" */
  const char *domain;       /**< "ai.onnx" for the default one */
  const char *op;           /**< operator, e.g. "Conv" */
  int64_t since;            /**< version of the operator; -1 = unknown */
  int32_t origin;           /**< HWEST_ORIGIN_* */
  uint32_t graph;           /**< 0 = the main graph, else a body of control flow */
  const char *module;       /**< path of its module; NULL = unknown */
  const uint32_t *inputs;   /**< ids of values; HWEST_NO_ID = absent */
  uint64_t input_count;     /**< length of `inputs` */
  const uint32_t *outputs;  /**< ids of values; HWEST_NO_ID = absent */
  uint64_t output_count;    /**< length of `outputs` */
  hwest_count macs;         /**< of one inference, as the next ones */
  hwest_count int_macs;     /**< the part of macs whose operands are integer */
  hwest_count flops;        /**< 2 * macs + other float operations */
  hwest_count causal_macs;  /**< unknown also when it is not causal */
  hwest_count params;       /**< elements of the weights it reads */
  hwest_count in_bytes;     /**< as the file types it, as the next two */
  hwest_count weight_bytes;  /**< constants read */
  hwest_count out_bytes;    /**< written */
  int64_t group;            /**< index of its group; -1 = none */
  const char *unit;         /**< that runs it; NULL = none does */
} hwest_node;

/** Nodes, in topological order. */
HWEST_API uint64_t hwest_analysis_node_count(const hwest_analysis *analysis);
/** One of them. */
HWEST_API hwest_status hwest_analysis_node_get(const hwest_analysis *analysis, uint64_t index, hwest_node *row);
/** Several of them. */
HWEST_API hwest_status hwest_analysis_node_read(const hwest_analysis *analysis, uint64_t first, uint64_t count,
                                                hwest_node *rows, size_t stride);

/** Values; the index of a row is its id. */
HWEST_API uint64_t hwest_analysis_value_count(const hwest_analysis *analysis);
/** One of them. */
HWEST_API hwest_status hwest_analysis_value_get(const hwest_analysis *analysis, uint64_t index, hwest_value *row);
/** Several of them. */
HWEST_API hwest_status hwest_analysis_value_read(const hwest_analysis *analysis, uint64_t first, uint64_t count,
                                                 hwest_value *rows, size_t stride);

/** Inputs of the model as they were bound. */
HWEST_API uint64_t hwest_analysis_input_count(const hwest_analysis *analysis);
/** One of them. */
HWEST_API hwest_status hwest_analysis_input_get(const hwest_analysis *analysis, uint64_t index, hwest_value *row);
/** Several of them. */
HWEST_API hwest_status hwest_analysis_input_read(const hwest_analysis *analysis, uint64_t first, uint64_t count,
                                                 hwest_value *rows, size_t stride);

/** Outputs of the model as they were inferred. */
HWEST_API uint64_t hwest_analysis_output_count(const hwest_analysis *analysis);
/** One of them. */
HWEST_API hwest_status hwest_analysis_output_get(const hwest_analysis *analysis, uint64_t index, hwest_value *row);
/** Several of them. */
HWEST_API hwest_status hwest_analysis_output_read(const hwest_analysis *analysis, uint64_t first, uint64_t count,
                                                  hwest_value *rows, size_t stride);

/** Symbols that expressions of this analysis may name. */
HWEST_API uint64_t hwest_analysis_symbol_count(const hwest_analysis *analysis);
/** One of them. */
HWEST_API hwest_status hwest_analysis_symbol_get(const hwest_analysis *analysis, uint64_t index, hwest_symbol *row);
/** Several of them. */
HWEST_API hwest_status hwest_analysis_symbol_read(const hwest_analysis *analysis, uint64_t first, uint64_t count,
                                                  hwest_symbol *rows, size_t stride);

/** A module of the source program with everything below it. */
typedef struct hwest_module {
  uint32_t struct_size;    /**< sizeof this struct */
  uint32_t reserved;       /**< 0 */
  const char *path;        /**< "" = the root; never NULL */
  const char *class_name;  /**< NULL = unknown */
  int64_t parent;          /**< index of its row; -1 = none */
  int64_t nodes;           /**< in it */
  hwest_count macs;        /**< of its nodes */
  hwest_count flops;       /**< of its nodes */
  int64_t params;          /**< elements of the weights it uses, each once */
  double time_s;           /**< of its nodes; of the root latency_s, transfers and invokes included; NaN = unknown */
  double energy_j;         /**< as time_s */
} hwest_module;

/** Modules; a parent comes before its children. */
HWEST_API uint64_t hwest_analysis_module_count(const hwest_analysis *analysis);
/** One of them. */
HWEST_API hwest_status hwest_analysis_module_get(const hwest_analysis *analysis, uint64_t index, hwest_module *row);
/** Several of them. */
HWEST_API hwest_status hwest_analysis_module_read(const hwest_analysis *analysis, uint64_t first, uint64_t count,
                                                  hwest_module *rows, size_t stride);

/** A run of groups on one unit. */
typedef struct hwest_segment {
  uint32_t struct_size;    /**< sizeof this struct */
  int32_t contexts;        /**< of pipelined units: parts loaded one after the other; 0 = no such unit */
  int64_t id;              /**< = index of the row */
  const char *unit;        /**< never NULL */
  const char *reason;      /**< why it starts here; never NULL */
  const uint32_t *groups;  /**< indices, in execution order */
  uint64_t group_count;    /**< length of `groups` */
  int64_t in_bytes;        /**< read from other segments or inputs of the model */
  int64_t out_bytes;       /**< written for other segments or as outputs of the model */
  double start_s;          /**< from the beginning of the inference */
  double transfer_s;       /**< first its inputs are moved, */
  double invoke_s;         /**< then it is started, */
  double time_s;           /**< then its groups run; in a pipeline no sum of theirs; NaN = that of some group is unknown */
  double energy_j;         /**< of all three */
  double interval_s;       /**< of pipelines: between results when inferences follow each other */
  int64_t reloaded_bytes;  /**< of pipelines: weights and values that cross memory because of contexts */
} hwest_segment;

/** Segments, in execution order. */
HWEST_API uint64_t hwest_analysis_segment_count(const hwest_analysis *analysis);
/** One of them. */
HWEST_API hwest_status hwest_analysis_segment_get(const hwest_analysis *analysis, uint64_t index, hwest_segment *row);
/** Several of them. */
HWEST_API hwest_status hwest_analysis_segment_read(const hwest_analysis *analysis, uint64_t first, uint64_t count,
                                                   hwest_segment *rows, size_t stride);

/** An engine of the target and what it does in this plan. */
typedef struct hwest_unit {
  uint32_t struct_size;   /**< sizeof this struct */
  int32_t kind;           /**< HWEST_UNIT_* */
  const char *name;       /**< never NULL */
  const char *toolchain;  /**< NULL = none is stated */
  uint32_t flags;         /**< HWEST_UNIT_IS_* */
  uint32_t reserved;      /**< 0 */
  int64_t groups;         /**< that it runs */
  int64_t macs;           /**< that it runs */
  double busy_s;          /**< of one inference; NaN = the time of some group on it is unknown */
  double energy_j;        /**< of its groups */
} hwest_unit;

/** Units of the target, in its order. */
HWEST_API uint64_t hwest_analysis_unit_count(const hwest_analysis *analysis);
/** One of them. */
HWEST_API hwest_status hwest_analysis_unit_get(const hwest_analysis *analysis, uint64_t index, hwest_unit *row);
/** Several of them. */
HWEST_API hwest_status hwest_analysis_unit_read(const hwest_analysis *analysis, uint64_t first, uint64_t count,
                                                hwest_unit *rows, size_t stride);

/** What happens in an interval of the timeline. */
enum {
  HWEST_EVENT_TRANSFER = 0,  /**< values are moved to the unit */
  HWEST_EVENT_INVOKE = 1,    /**< the segment is started */
  HWEST_EVENT_GROUP = 2,     /**< a group runs */
  HWEST_EVENT_PIPELINE = 3   /**< all groups of a segment run side by side */
};

/** An interval of the timeline of one inference. */
typedef struct hwest_event {
  uint32_t struct_size;  /**< sizeof this struct */
  int32_t kind;      /**< HWEST_EVENT_* */
  const char *unit;  /**< never NULL */
  int64_t segment;   /**< index */
  int64_t group;     /**< index; -1 = all of the segment */
  double start_s;    /**< from the beginning of the inference */
  double end_s;      /**< of the last event = latency_s */
} hwest_event;

/** The timeline; intervals of no length are left out. */
HWEST_API uint64_t hwest_analysis_event_count(const hwest_analysis *analysis);
/** One of them. */
HWEST_API hwest_status hwest_analysis_event_get(const hwest_analysis *analysis, uint64_t index, hwest_event *row);
/** Several of them. */
HWEST_API hwest_status hwest_analysis_event_read(const hwest_analysis *analysis, uint64_t first, uint64_t count,
                                                 hwest_event *rows, size_t stride);

/** When an activation is in memory. Weights have no rows: all of them are there all the time. */
typedef struct hwest_lifetime {
  uint32_t struct_size;  /**< sizeof this struct */
  uint32_t reserved;    /**< 0 */
  int64_t value;        /**< id */
  const char *name;     /**< never NULL */
  int64_t bytes;        /**< as deployed; -1 = unknown */
  int64_t first_group;  /**< that makes it; of inputs of the model the first */
  int64_t last_group;   /**< that reads it; of outputs of the model the last */
} hwest_lifetime;

/** The memory plan: lifetimes by value. */
HWEST_API uint64_t hwest_analysis_lifetime_count(const hwest_analysis *analysis);
/** One of them. */
HWEST_API hwest_status hwest_analysis_lifetime_get(const hwest_analysis *analysis, uint64_t index,
                                                   hwest_lifetime *row);
/** Several of them. */
HWEST_API hwest_status hwest_analysis_lifetime_read(const hwest_analysis *analysis, uint64_t first, uint64_t count,
                                                    hwest_lifetime *rows, size_t stride);

/** Latency split by what it is bound by. */
typedef struct hwest_bound_total {
  uint32_t struct_size;  /**< sizeof this struct */
  int32_t bound;    /**< HWEST_BOUND_* */
  double time_s;    /**< part of the latency */
  int64_t flops;    /**< of these groups */
  int64_t bytes;    /**< read and written by these groups */
  int64_t groups;   /**< bound by it */
} hwest_bound_total;

/** Every bound but unknown; none without a target. */
HWEST_API uint64_t hwest_analysis_bound_count(const hwest_analysis *analysis);
/** One of them. */
HWEST_API hwest_status hwest_analysis_bound_get(const hwest_analysis *analysis, uint64_t index,
                                                hwest_bound_total *row);
/** Several of them. */
HWEST_API hwest_status hwest_analysis_bound_read(const hwest_analysis *analysis, uint64_t first, uint64_t count,
                                                 hwest_bound_total *rows, size_t stride);

/** Whether a unit runs a node. */
enum {
  HWEST_VERDICT_YES = 0,
  HWEST_VERDICT_NO = 1,
  HWEST_VERDICT_NOTED = 2  /**< yes, but for something that cannot be decided here */
};

/** One node on one unit. */
typedef struct hwest_support {
  uint32_t struct_size;   /**< sizeof this struct */
  int32_t verdict;        /**< HWEST_VERDICT_* */
  int64_t node;           /**< id */
  const char *label;      /**< of the node; never NULL */
  const char *op;         /**< operator of the node; never NULL */
  const char *unit;       /**< its name; never NULL */
  const char *limit;      /**< that decided, as the toolchain's file writes it; NULL = none */
  const char *what;       /**< the same in words; NULL = none */
  const char *found;      /**< NULL = does not apply, as the next two */
  const char *allowed;    /**< what the limit asks for */
  const char *source;     /**< of the limit */
  int32_t only_in_group;  /**< 1 = only as a member of the fusion the toolchain states; else 0 */
  uint32_t reserved;      /**< 0 */
} hwest_support;

/** Support of kernels, by node and then unit; none without a target. */
HWEST_API uint64_t hwest_analysis_support_count(const hwest_analysis *analysis);
/** One of them. */
HWEST_API hwest_status hwest_analysis_support_get(const hwest_analysis *analysis, uint64_t index, hwest_support *row);
/** Several of them. */
HWEST_API hwest_status hwest_analysis_support_read(const hwest_analysis *analysis, uint64_t first, uint64_t count,
                                                   hwest_support *rows, size_t stride);

/** What the analysis had to say, what reading the model said included. */
HWEST_API uint64_t hwest_analysis_diagnostic_count(const hwest_analysis *analysis);
/** One of them. */
HWEST_API hwest_status hwest_analysis_diagnostic_get(const hwest_analysis *analysis, uint64_t index,
                                                     hwest_diagnostic *row);
/** Several of them. */
HWEST_API hwest_status hwest_analysis_diagnostic_read(const hwest_analysis *analysis, uint64_t first, uint64_t count,
                                                      hwest_diagnostic *rows, size_t stride);

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
 * @param[in]  progress  told of each change before it is tried, in this thread; NULL = nobody is.
 * @param[in]  payload   for `progress`.
 * @param[out] what_if   the caller's; release with hwest_what_if_free().
 * @return HWEST_OK; HWEST_INVALID_ARGUMENT without a target; HWEST_CANCELLED when `progress` asked for it. */
HWEST_API hwest_status hwest_what_if_create(const hwest_analysis *analysis, hwest_progress progress, void *payload,
                                            hwest_what_if **what_if);

/** Releases it. NULL is allowed. */
HWEST_API void hwest_what_if_free(hwest_what_if *what_if);

/** A change and the whole model with it in place. Lists end in NULL. */
typedef struct hwest_change {
  uint32_t struct_size;      /**< sizeof this struct */
  int32_t kind;              /**< HWEST_CHANGE_* */
  const char *change;        /**< in words; never NULL */
  const char *const *flags;  /**< of the command line, to see it */
  const char *const *edits;  /**< of the model: "OUTPUT = OP(INPUT)" */
  const char *target_text;   /**< target file to use instead; NULL = the same target */
  int64_t batch;             /**< that the change is shown at */
  double latency_s;          /**< of one inference then */
  double interval_s;         /**< between results then */
  double saving_s;           /**< for the inputs of the analysis */
  double energy_j;           /**< of one inference then */
} hwest_change;

/** Changes that can be made, the largest saving first. */
HWEST_API uint64_t hwest_what_if_change_count(const hwest_what_if *what_if);
/** One of them. */
HWEST_API hwest_status hwest_what_if_change_get(const hwest_what_if *what_if, uint64_t index, hwest_change *row);
/** Several of them. */
HWEST_API hwest_status hwest_what_if_change_read(const hwest_what_if *what_if, uint64_t first, uint64_t count,
                                                 hwest_change *rows, size_t stride);

/** Times a decoder-only language model by the length of the context: the first token is one run over the whole prompt
 * with an empty key/value cache, each further one a run over one token with the context in the cache. The model must
 * take its past keys and values as inputs of free length, which an output continues. Both are whole analyses.
 * @param[in]  model       still the caller's.
 * @param[in]  options     with a target; dims that it binds stay bound, the context and the tokens of a run are to stay
 *                         free. `progress` is told of each run before it begins, `cancel` is looked at before each
 *                         stage of a run, `log` is told nothing.
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

/** The cost of one length of the context. Intervals are those that hold 80 of 100 measurements. */
typedef struct hwest_context {
  uint32_t struct_size;      /**< sizeof this struct */
  uint32_t reserved;         /**< 0 */
  int64_t context;           /**< tokens of the prompt, and in the cache when a token is made */
  double first_token_s;      /**< the prompt in one run; NaN, as the next three, when the file fixes the tokens of a
                                  run */
  double first_token_low_s;  /**< interval of it */
  double first_token_high_s; /**< upper end */
  double first_token_j;      /**< energy of that run */
  double token_s;            /**< one further token */
  double token_low_s;        /**< interval of it */
  double token_high_s;       /**< upper end */
  double token_j;            /**< energy of one further token */
  double tokens_per_s;       /**< 1 / token_s */
  double tokens_low_per_s;   /**< interval of it, 1 / token_high_s */
  double tokens_high_per_s;  /**< upper end */
  int64_t cache_bytes;       /**< keys and values of `context` tokens, in the file's type */
  int64_t peak_memory_bytes; /**< of making a token */
} hwest_context;

/** One row per length, in the order they were asked for. */
HWEST_API uint64_t hwest_generation_context_count(const hwest_generation *generation);
/** One of them. */
HWEST_API hwest_status hwest_generation_context_get(const hwest_generation *generation, uint64_t index,
                                                    hwest_context *row);
/** Several of them. */
HWEST_API hwest_status hwest_generation_context_read(const hwest_generation *generation, uint64_t first,
                                                     uint64_t count, hwest_context *rows, size_t stride);

/** Explains one node: the fusion it is in, those that nearly happened, and what each other unit would make of it.
 * @param[in]  analysis     with a target; still the caller's.
 * @param[in]  node         its name, the name of an output, "#id", or "gN" for the root of group N.
 * @param[out] explanation  the caller's; release with hwest_explanation_free().
 * @return HWEST_OK; HWEST_INVALID_ARGUMENT when there is no such node (with the nearest names) or no target. */
HWEST_API hwest_status hwest_explain(const hwest_analysis *analysis, const char *node,
                                     hwest_explanation **explanation);

/** Releases it. NULL is allowed. */
HWEST_API void hwest_explanation_free(hwest_explanation *explanation);

/** The node and the pattern that made its group. Strings live as long as the explanation. */
typedef struct hwest_fusion {
  uint32_t struct_size;    /**< sizeof this struct */
  uint32_t reserved;       /**< 0 */
  int64_t node;            /**< id */
  const char *pattern;     /**< NULL = nothing fused, as the next three */
  const char *words;       /**< what the pattern does */
  const char *expression;  /**< of the pattern */
  const char *source;      /**< of the pattern */
} hwest_fusion;

/** The fusion of an explained node.
 * @param[in,out] fusion  the caller sets struct_size; after success it holds the number of bytes filled. */
HWEST_API hwest_status hwest_explanation_fusion(const hwest_explanation *explanation, hwest_fusion *fusion);

/** A fusion that nearly happened. Never NULL, but "". */
typedef struct hwest_miss {
  uint32_t struct_size;  /**< sizeof this struct */
  uint32_t reserved;    /**< 0 */
  const char *pattern;  /**< its name */
  const char *node;     /**< where it failed */
  const char *guard;    /**< what failed */
  const char *found;    /**< what was there */
  const char *needed;   /**< what the pattern asks for */
  const char *edit;     /**< the smallest change that makes it match */
} hwest_miss;

/** Fusions that nearly happened, the largest first. */
HWEST_API uint64_t hwest_explanation_miss_count(const hwest_explanation *explanation);
/** One of them. */
HWEST_API hwest_status hwest_explanation_miss_get(const hwest_explanation *explanation, uint64_t index,
                                                  hwest_miss *row);
/** Several of them. */
HWEST_API hwest_status hwest_explanation_miss_read(const hwest_explanation *explanation, uint64_t first,
                                                   uint64_t count, hwest_miss *rows, size_t stride);

/** What one unit would make of the node. */
typedef struct hwest_move {
  uint32_t struct_size;  /**< sizeof this struct */
  uint32_t reserved;  /**< 0 */
  const char *unit;   /**< never NULL */
  double time_s;      /**< of the node's group there; NaN = it cannot run there */
  double latency_s;   /**< of the whole model then */
} hwest_move;

/** Placeable units, in the order of the target. */
HWEST_API uint64_t hwest_explanation_move_count(const hwest_explanation *explanation);
/** One of them. */
HWEST_API hwest_status hwest_explanation_move_get(const hwest_explanation *explanation, uint64_t index,
                                                  hwest_move *row);
/** Several of them. */
HWEST_API hwest_status hwest_explanation_move_read(const hwest_explanation *explanation, uint64_t first,
                                                   uint64_t count, hwest_move *rows, size_t stride);

/* Studies: many models on many devices, beside measurements */

/** Which measurements are predicted by targets that were fitted without them. */
enum {
  HWEST_LEAVE_OUT_NONE = 0,  /**< by the targets as they are */
  HWEST_LEAVE_OUT_FAMILY = 1,
  HWEST_LEAVE_OUT_DEVICE = 2,
  HWEST_LEAVE_OUT_SOURCE = 3
};

/** What to validate. */
typedef struct hwest_validate_options {
  uint32_t struct_size;        /**< sizeof this struct */
  int32_t leave_out;           /**< HWEST_LEAVE_OUT_* */
  const char *measurements;    /**< CSV file; needed */
  const char *models;          /**< folder of the models its rows name; needed */
  const char *target;          /**< predicts every row on this one; NULL = by the devices of the rows */
  const hwest_target *loaded;  /**< in place of `target`; still the caller's; NULL = load `target` */
  hwest_progress progress;     /**< told of each analysis and each fit; NULL = nobody is */
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

/** Errors of predictions over points: |ln(predicted / measured)| as a share. Texts are NULL where rows of different
 * ones were pooled. */
typedef struct hwest_accuracy {
  uint32_t struct_size;    /**< sizeof this struct */
  uint32_t reserved;       /**< 0 */
  const char *family;      /**< of targets */
  const char *target;      /**< that predicts */
  const char *device;      /**< as published, as the next five */
  const char *unit;        /**< as published */
  const char *runtime;     /**< as published */
  const char *mode;        /**< as published */
  const char *precision;   /**< as published */
  const char *metric;      /**< what was measured, e.g. "latency_ms" */
  int64_t devices;         /**< -1 where `device` is one */
  int64_t points;          /**< measurements behind the row */
  int64_t families;        /**< of models */
  int64_t fitted;          /**< numbers fitted to measurements behind the predictions */
  double median;           /**< of the errors */
  double p90;              /**< 90th percentile of the errors */
  double bias;             /**< median of ln(predicted / measured) as a share */
  double coverage80;       /**< share of the measured values inside the predicted interval */
  double noise;            /**< median error between two versions of one source for the same thing */
  double roofline_median;  /**< of the baselines */
  double flops_median;     /**< of the other baseline: operations over their peak */
  double spearman;         /**< of pools the least of their devices */
} hwest_accuracy;

/** Points of one kind of machine together. */
HWEST_API uint64_t hwest_validation_pool_count(const hwest_validation *validation);
/** One of them. */
HWEST_API hwest_status hwest_validation_pool_get(const hwest_validation *validation, uint64_t index,
                                                 hwest_accuracy *row);
/** Several of them. */
HWEST_API hwest_status hwest_validation_pool_read(const hwest_validation *validation, uint64_t first, uint64_t count,
                                                  hwest_accuracy *rows, size_t stride);

/** Points measured in one way on one device together. */
HWEST_API uint64_t hwest_validation_device_count(const hwest_validation *validation);
/** One of them. */
HWEST_API hwest_status hwest_validation_device_get(const hwest_validation *validation, uint64_t index,
                                                   hwest_accuracy *row);
/** Several of them. */
HWEST_API hwest_status hwest_validation_device_read(const hwest_validation *validation, uint64_t first,
                                                    uint64_t count, hwest_accuracy *rows, size_t stride);

/** A measurement and what was predicted for it, in the unit of the metric. */
typedef struct hwest_point {
  uint32_t struct_size;   /**< sizeof this struct */
  int32_t is_near;        /**< 1 = a detail of the model differs; such points are in no pool; else 0 */
  int64_t row;            /**< of the file, from 1, the header not counted */
  const char *model;      /**< never NULL, as the next ones but `fold` */
  const char *family;     /**< of the model */
  const char *device;     /**< as published, as the next four */
  const char *unit;       /**< as published */
  const char *runtime;    /**< as published */
  const char *precision;  /**< as published */
  const char *metric;     /**< what was measured, e.g. "latency_ms" */
  const char *target;     /**< that predicts */
  const char *mode;       /**< power mode of the target; "" = its default */
  const char *fold;       /**< what the target was fitted without; NULL = nothing was fitted */
  double measured;        /**< as published */
  double predicted;       /**< by `target` */
  double low;             /**< prediction interval */
  double high;            /**< of the prediction interval */
  double roofline;        /**< the baselines */
  double flops;           /**< operations over their peak */
} hwest_point;

/** Points, by row of the file. */
HWEST_API uint64_t hwest_validation_point_count(const hwest_validation *validation);
/** One of them. */
HWEST_API hwest_status hwest_validation_point_get(const hwest_validation *validation, uint64_t index,
                                                  hwest_point *row);
/** Several of them. */
HWEST_API hwest_status hwest_validation_point_read(const hwest_validation *validation, uint64_t first, uint64_t count,
                                                   hwest_point *rows, size_t stride);

/** Rows of the file that were passed over. */
typedef struct hwest_skipped {
  uint32_t struct_size;  /**< sizeof this struct */
  uint32_t reserved;   /**< 0 */
  const char *reason;  /**< never NULL */
  int64_t count;       /**< rows */
} hwest_skipped;

/** Rows passed over by reason, most first. */
HWEST_API uint64_t hwest_validation_skipped_count(const hwest_validation *validation);
/** One of them. */
HWEST_API hwest_status hwest_validation_skipped_get(const hwest_validation *validation, uint64_t index,
                                                    hwest_skipped *row);
/** Several of them. */
HWEST_API hwest_status hwest_validation_skipped_read(const hwest_validation *validation, uint64_t first,
                                                     uint64_t count, hwest_skipped *rows, size_t stride);

/** What to calibrate. */
typedef struct hwest_calibrate_options {
  uint32_t struct_size;        /**< sizeof this struct */
  int32_t threads;             /**< that analyse; 0 = 2. The result does not depend on it */
  const char *measurements;    /**< CSV file; needed */
  const char *models;          /**< folder of the models its rows name; needed */
  const char *target;          /**< name or path of a target, or a family of built-in ones; needed */
  hwest_progress progress;     /**< told of each analysis and each fit; NULL = nobody is */
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

/** One fitted figure. */
typedef struct hwest_fit {
  uint32_t struct_size;   /**< sizeof this struct */
  uint32_t reserved;      /**< 0 */
  const char *target;     /**< NULL = all of the family share it */
  const char *path;       /**< as hwest_fact.path; never NULL */
  const char *data;       /**< what it was found from; never NULL */
  double value;           /**< that was found */
  double spread;          /**< standard deviation of ln(value) */
  double prior;           /**< where the search began */
  double min;             /**< bounds of the search */
  double max;             /**< the upper one */
  int64_t count;          /**< measurements behind it */
} hwest_fit;

/** Fitted figures. */
HWEST_API uint64_t hwest_calibration_fit_count(const hwest_calibration *calibration);
/** One of them. */
HWEST_API hwest_status hwest_calibration_fit_get(const hwest_calibration *calibration, uint64_t index, hwest_fit *row);
/** Several of them. */
HWEST_API hwest_status hwest_calibration_fit_read(const hwest_calibration *calibration, uint64_t first, uint64_t count,
                                                  hwest_fit *rows, size_t stride);

/** Errors of the rows of the fit as they are predicted without it. */
HWEST_API uint64_t hwest_calibration_before_count(const hwest_calibration *calibration);
/** One of them. */
HWEST_API hwest_status hwest_calibration_before_get(const hwest_calibration *calibration, uint64_t index,
                                                    hwest_accuracy *row);
/** Several of them. */
HWEST_API hwest_status hwest_calibration_before_read(const hwest_calibration *calibration, uint64_t first,
                                                     uint64_t count, hwest_accuracy *rows, size_t stride);

/** Errors of the same rows as they are predicted by a fit to the other families of models. */
HWEST_API uint64_t hwest_calibration_after_count(const hwest_calibration *calibration);
/** One of them. */
HWEST_API hwest_status hwest_calibration_after_get(const hwest_calibration *calibration, uint64_t index,
                                                   hwest_accuracy *row);
/** Several of them. */
HWEST_API hwest_status hwest_calibration_after_read(const hwest_calibration *calibration, uint64_t first,
                                                    uint64_t count, hwest_accuracy *rows, size_t stride);

/** Rows of the file that were passed over by reason, most first. */
HWEST_API uint64_t hwest_calibration_skipped_count(const hwest_calibration *calibration);
/** One of them. */
HWEST_API hwest_status hwest_calibration_skipped_get(const hwest_calibration *calibration, uint64_t index,
                                                     hwest_skipped *row);
/** Several of them. */
HWEST_API hwest_status hwest_calibration_skipped_read(const hwest_calibration *calibration, uint64_t first,
                                                      uint64_t count, hwest_skipped *rows, size_t stride);

/* Reports */

/** What a report on an analysis is about. */
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
  HWEST_LEVEL_MODULE = 4,
  HWEST_LEVEL_UNIT = 5
};

/** For hwest_report_options.top: every row. */
#define HWEST_TOP_ALL (-1)

/** How to write a report. All zero beside struct_size: the analysis as text. */
typedef struct hwest_report_options {
  uint32_t struct_size;  /**< sizeof this struct */
  int32_t kind;     /**< HWEST_REPORT_* */
  int32_t format;   /**< HWEST_FORMAT_* */
  int32_t level;    /**< HWEST_LEVEL_*; JSON always has all tables */
  int64_t top;      /**< rows shown, the dearest ones; 0 = the format's default, HWEST_TOP_ALL = all */
  const char *node; /**< for HWEST_REPORT_EXPLAIN: its name, the name of an output, "#id", or "gN" */
  const hwest_what_if *what_if;          /**< made from this analysis: its changes are in the report; NULL = none are */
  const hwest_explanation *explanation;  /**< for HWEST_REPORT_EXPLAIN in place of `node`: its moves are in the report;
                                              NULL = none are */
  int32_t color;    /**< 1 = escape sequences of terminals in text; else 0 */
  uint32_t reserved;  /**< 0 */
} hwest_report_options;

/** Takes the next bytes of a report.
 * @param[in] payload  as handed over beside the sink.
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
