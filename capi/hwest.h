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
 * - A function that can fail returns a hwest_status; any other returns its value. Outputs are the last arguments and
 *   stay untouched on failure. NULL is HWEST_INVALID_ARGUMENT unless a comment allows it.
 * - Structs begin with struct_size, which the caller sets to sizeof. They only ever grow at the end; the library reads
 *   and writes no byte past struct_size. In option structs zero means default, so start from {0}; a reserved member
 *   that is not 0 is HWEST_INVALID_ARGUMENT.
 * - Handles are opaque. Release each with its _free, which accepts NULL, in any order: an analysis keeps what it needs
 *   of its model. Borrowed strings and arrays live as long as the handle that their comment names.
 * - Strings are UTF-8 and end in NUL. Unknown is never 0: it is -1 for counts, NaN for figures and NULL for strings.
 * - Units are the suffix: _s seconds, _j joules, _w watts, _bytes bytes. Shares are 0 to 1.
 * - A finished handle is immutable: any number of threads may read it. Free it once no thread reads it any more.
 *   Any thread may call any function; callbacks run in the calling thread unless their type says otherwise.
 * - Callbacks must not throw, longjmp or free anything that the call uses; they may call this library.
 * - The library prints nothing and needs no initialisation; only hwest_main() behaves like a program.
 *
 * hwest_rows.h declares the tables; each has three functions. X_count() returns the number of rows, 0 for NULL. X_get()
 * fills one struct: the caller sets struct_size, and the library sets it to the number of bytes it filled;
 * HWEST_INVALID_ARGUMENT when there is no such row. X_read() fills `count` rows starting at `first`, all or none, into
 * structs that lie `stride` bytes apart (sizeof the struct as the caller knows it); `rows` may be NULL when count is 0.
 * The first call on a table builds it and may run out of memory (then X_count() is 0 and reading returns the error);
 * after that every row costs the same and nothing is allocated. Strings and arrays in rows live as long as the handle.
 *
 * hwest_options.h declares the option structs; hwest_rows.h also declares the numbers of words.
 *
 * Compatibility: the interface is not frozen yet. While HWEST_ABI_MAJOR is 0, build with the header of the library you
 * run. From 1 on, one HWEST_ABI_MAJOR only gains functions, enum members and members at the end of structs, so a
 * program built with an older header runs on a newer library. Read enums with a default branch.
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
  HWEST_CANCELLED = 1, /**< a callback or hwest_cancel_request() asked to stop */
  HWEST_UNKNOWN = 2,
  HWEST_INVALID_ARGUMENT = 3, /**< an argument, option, row or target file is wrong, or the file is no ONNX model */
  HWEST_DEADLINE_EXCEEDED = 4,
  HWEST_NOT_FOUND = 5, /**< no such model file or target */
  HWEST_ALREADY_EXISTS = 6,
  HWEST_PERMISSION_DENIED = 7,
  HWEST_RESOURCE_EXHAUSTED = 8,  /**< out of memory */
  HWEST_FAILED_PRECONDITION = 9, /**< free dims must be bound, or the model breaks a rule of its format */
  HWEST_ABORTED = 10,
  HWEST_OUT_OF_RANGE = 11,
  HWEST_UNIMPLEMENTED = 12,
  HWEST_INTERNAL = 13, /**< a bug in the library */
  HWEST_UNAVAILABLE = 14,
  HWEST_DATA_LOSS = 15, /**< the model is truncated or malformed */
  HWEST_UNAUTHENTICATED = 16
};

/** A model file's graph, read without its weights. */
typedef struct hwest_model hwest_model;
/** A device with all its known figures. */
typedef struct hwest_target hwest_target;
/** The built-in targets. */
typedef struct hwest_target_list hwest_target_list;
/** The problems of one target file. */
typedef struct hwest_lint hwest_lint;
/** The results for one model on one target. */
typedef struct hwest_analysis hwest_analysis;
/** Changes tried on an analysis, and what each saves. */
typedef struct hwest_what_if hwest_what_if;
/** What accelerators refuse, by reason, and what ends it. */
typedef struct hwest_refusals hwest_refusals;
/** A compiler's own log beside an analysis. */
typedef struct hwest_import_log hwest_import_log;
/** What a language model costs at each context length. */
typedef struct hwest_generation hwest_generation;
/** Times of single layers on a target, many at once. */
typedef struct hwest_predictor hwest_predictor;
/** Why a node runs where it does. */
typedef struct hwest_explanation hwest_explanation;
/** How far predictions are from measurements. */
typedef struct hwest_validation hwest_validation;
/** A target, or a family of them, fitted to measurements. */
typedef struct hwest_calibration hwest_calibration;
/** Several models on one chip. */
typedef struct hwest_workload hwest_workload;
/** Boards that hold a number of streams. */
typedef struct hwest_boards hwest_boards;
/** What differs between two analyses, and what each difference is worth. */
typedef struct hwest_diff hwest_diff;
/** Analyses checked against the limits of a budget. */
typedef struct hwest_check hwest_check;
/** Points of a sweep. */
typedef struct hwest_sweep_plan hwest_sweep_plan;
/** Rows of a sweep. */
typedef struct hwest_sweep hwest_sweep;
/** Cancellation token. Any thread may set it. */
typedef struct hwest_cancel hwest_cancel;
/** Bytes owned by the library. */
typedef struct hwest_buffer hwest_buffer;

/** A count that may depend on free dims: the number, or -1 and a Python expression over the symbols. Unknown: -1, NULL.
 * `text` lives as long as the handle it came from. This struct never grows. */
typedef struct hwest_count {
  int64_t value;    /**< the number, or -1 */
  const char* text; /**< digits, or the expression */
} hwest_count;

/** In arrays of ids: an optional input or output that is absent. */
#define HWEST_NO_ID 0xffffffffu

#include "hwest_rows.h"

/* The library */

/** Version of the library, e.g. "0.3.0". Never NULL; lives for ever. Thread-safe. */
HWEST_API const char* hwest_version(void);

/** The same as a number that grows: 1000000 * major + 1000 * minor + patch. Thread-safe. */
HWEST_API uint32_t hwest_version_number(void);

/** The interface that this library was built with: 65536 * HWEST_ABI_MAJOR + HWEST_ABI_MINOR. A program can use the
 * library if its major number is the same and its minor number no higher; while the major number is 0, if both are the
 * same. Thread-safe. */
HWEST_API uint32_t hwest_abi_version(void);

/** Chooses how messages spell options: HWEST_WORDS_C, or the words of a language binding, which sets them once when it
 * opens the library. They apply to the whole process from the next message on; an unknown number changes nothing.
 * Since 0.3. Thread-safe. */
HWEST_API void hwest_set_words(int32_t words);

/** The error of this thread's last call that returned a status, as "WHAT: REMEDY"; "options.dims" in it is a member of
 * that call's option struct, see hwest_set_words(). "" after success. Never NULL; valid until this thread's next such
 * call. */
HWEST_API const char* hwest_last_error_message(void);

/** The same error as a stable word, finer than the status: "model_missing", "free_dims", "target_unknown", ...; see
 * `onnx-hwest describe codes`. "" after success. Never NULL; lives for ever. */
HWEST_API const char* hwest_last_error_code(void);

/** Receives each diagnostic as soon as a call knows it.
 * @param[in] payload     the pointer passed with the callback.
 * @param[in] diagnostic  valid during the call only. */
typedef void (*hwest_log)(void* payload, const hwest_diagnostic* diagnostic);

/** Called before each step; hwest_validate() and hwest_calibrate() call it after each step.
 * @param[in] payload  the pointer passed with the callback.
 * @param[in] what     name of the step; valid during the call only.
 * @param[in] done     steps completed.
 * @param[in] total    steps in all; 0 = not known.
 * @return 0 to continue; any other value ends the call with HWEST_CANCELLED, a study once its running analyses end.
 *         hwest_validate() and hwest_calibrate() call it from their own threads, one call at a time. */
typedef int32_t (*hwest_progress)(void* payload, const char* what, uint64_t done, uint64_t total);

#include "hwest_options.h"

/** Creates a token that is not cancelled.
 * @param[out] cancel  the caller's; release with hwest_cancel_free(), even while calls that were given it still run.
 * @return HWEST_OK; HWEST_RESOURCE_EXHAUSTED. */
HWEST_API hwest_status hwest_cancel_create(hwest_cancel** cancel);

/** Ends every call that has `cancel`, now or later, with HWEST_CANCELLED before its next step. NULL is allowed. Any
 * thread and any signal handler may call it. */
HWEST_API void hwest_cancel_request(hwest_cancel* cancel);

/** 1 when the token is cancelled, else 0; 0 for NULL. */
HWEST_API int32_t hwest_cancel_requested(const hwest_cancel* cancel);

/** Frees the token; running calls hold a reference of their own. NULL is allowed. */
HWEST_API void hwest_cancel_free(hwest_cancel* cancel);

/* Models */

/** Reads a model file. Skips weights and does not open external data.
 * @param[in]  path   of the file, "-" for standard input.
 * @param[out] model  the caller's; release with hwest_model_free().
 * @return HWEST_OK; HWEST_NOT_FOUND when there is no such file; HWEST_INVALID_ARGUMENT when it is no ONNX model;
 *         HWEST_DATA_LOSS when it is truncated or malformed; HWEST_FAILED_PRECONDITION when it breaks a rule of the
 *         format or a size cap. Thread-safe. */
HWEST_API hwest_status hwest_model_load(const char* path, hwest_model** model);

/** Like hwest_model_load() with limits.
 * @param[in]  options  NULL = all default. */
HWEST_API hwest_status hwest_model_load_with(const char* path, const hwest_load_options* options, hwest_model** model);

/** Like hwest_model_load() from bytes in memory, which need to stay alive only during the call.
 * @param[in]  data   the serialised model; may be NULL when size is 0.
 * @param[in]  size   in bytes.
 * @param[in]  name   what reports and messages call it; NULL = "model".
 * @param[out] model  the caller's; release with hwest_model_free(). */
HWEST_API hwest_status hwest_model_load_memory(const void* data, size_t size, const char* name, hwest_model** model);

/** Like hwest_model_load_memory() with limits.
 * @param[in]  options  NULL = all default. */
HWEST_API hwest_status hwest_model_load_memory_with(const void* data, size_t size, const char* name,
                                                    const hwest_load_options* options, hwest_model** model);

/** Releases a model. Analyses made from it stay valid. NULL is allowed. */
HWEST_API void hwest_model_free(hwest_model* model);

/* Targets */

/** Loads a target.
 * @param[in]  name    built-in name or alias, or a path: text that ends in .textproto or contains '/'.
 * @param[out] target  the caller's; release with hwest_target_free().
 * @return HWEST_OK; HWEST_NOT_FOUND with the nearest names; HWEST_INVALID_ARGUMENT when the file is invalid. */
HWEST_API hwest_status hwest_target_load(const char* name, hwest_target** target);

/** Like hwest_target_load() from the text of a target file, which needs to stay alive only during the call.
 * @param[in]  data    UTF-8, `size` bytes; may be NULL when size is 0.
 * @param[in]  size    in bytes.
 * @param[in]  name    what messages call it; NULL = "target".
 * @param[out] target  the caller's; release with hwest_target_free(). */
HWEST_API hwest_status hwest_target_load_memory(const void* data, size_t size, const char* name, hwest_target** target);

/** Releases a target. Analyses made with it stay valid. NULL is allowed. */
HWEST_API void hwest_target_free(hwest_target* target);

/** Lists the built-in targets.
 * @param[out] list  the caller's; release with hwest_target_list_free(). */
HWEST_API hwest_status hwest_target_list_create(hwest_target_list** list);

/** Releases a list. NULL is allowed. */
HWEST_API void hwest_target_list_free(hwest_target_list* list);

/** Checks a target or toolchain file and reports every problem, not just the first.
 * @param[in]  data  its text, UTF-8, `size` bytes, alive during the call; may be NULL when size is 0.
 * @param[in]  size  in bytes.
 * @param[in]  name  what messages call it; NULL = "target".
 * @param[out] lint  the caller's; release with hwest_lint_free().
 * @return HWEST_OK, even when there are problems. */
HWEST_API hwest_status hwest_lint_create(const void* data, size_t size, const char* name, hwest_lint** lint);

/** Releases it. NULL is allowed. */
HWEST_API void hwest_lint_free(hwest_lint* lint);

/* Analyses */

/** Analyses a model. Several threads may analyse the same model at once.
 * @param[in]  model     still the caller's.
 * @param[in]  options   NULL = all default.
 * @param[out] analysis  the caller's; release with hwest_analysis_free().
 * @return HWEST_OK, even when some nodes are unknown (see hwest_totals); HWEST_NOT_FOUND for a target, mode or unit
 *         that does not exist; HWEST_FAILED_PRECONDITION when a target is named but dims are free (the message lists
 *         them all); HWEST_INVALID_ARGUMENT for an option that makes no sense or that this library does not know;
 *         HWEST_CANCELLED when `progress` or `cancel` asked for it. */
HWEST_API hwest_status hwest_analyze(const hwest_model* model, const hwest_options* options, hwest_analysis** analysis);

/** Releases an analysis. NULL is allowed. */
HWEST_API void hwest_analysis_free(hwest_analysis* analysis);

/** Receives the next bytes of a report or a file.
 * @param[in] payload  the pointer passed with the sink.
 * @param[in] data     `size` bytes, valid only during the call, not ended by NUL.
 * @return 0 to continue; any other value ends the call. */
typedef int32_t (*hwest_sink)(void* payload, const char* data, size_t size);

/* What would help */

/** Tries each change that may help, and sets of them, by complete analyses: settings, rewrites, cuts, other networks
 * and other boards. Rows save at least 0.5 % of the latency.
 * @param[in]  analysis  with a target; still the caller's. Changes of the model are tried on its file, read again;
 *                       models from memory lack these rows.
 * @param[in]  progress  called before each change is tried, in this thread; NULL = none.
 * @param[in]  payload   for `progress`.
 * @param[out] what_if   the caller's; release with hwest_what_if_free().
 * @return HWEST_OK; HWEST_INVALID_ARGUMENT without a target; HWEST_CANCELLED when `progress` asked for it. */
HWEST_API hwest_status hwest_what_if_create(const hwest_analysis* analysis, hwest_progress progress, void* payload,
                                            hwest_what_if** what_if);

/** Like hwest_what_if_create() with a watch; since 0.3.
 * @param[in] watch  NULL = nobody watches.
 * @return HWEST_CANCELLED also when `watch->cancel` asked for it. */
HWEST_API hwest_status hwest_what_if_create_with(const hwest_analysis* analysis, const hwest_watch* watch,
                                                 hwest_what_if** what_if);

/** Releases it. NULL is allowed. */
HWEST_API void hwest_what_if_free(hwest_what_if* what_if);

/** Groups what the accelerators refuse by reason, and tries changes that end it: rewrite rules, older operator sets,
 * other versions of the toolchain, precisions and cuts. Reports of HWEST_REPORT_SUPPORT do the same; since 0.3.
 * @param[in]  analysis  with a target; still the caller's. Rules and cuts are tried on the model's file, read again;
 *                       models from memory lack these.
 * @param[in]  watch     called before each change is tried; NULL = nobody watches.
 * @param[out] refusals  the caller's; release with hwest_refusals_free().
 * @return HWEST_OK; HWEST_INVALID_ARGUMENT without a target; HWEST_CANCELLED when `watch` asked for it. */
HWEST_API hwest_status hwest_refusals_create(const hwest_analysis* analysis, const hwest_watch* watch,
                                             hwest_refusals** refusals);

/** Releases it. NULL is allowed. */
HWEST_API void hwest_refusals_free(hwest_refusals* refusals);

/** Lays a compiler's own log over an analysis; since 0.3. Formats: RKNN-Toolkit2's verbose log, ONNX Runtime's and its
 * QNN provider's with log_severity_level 0, TensorRT's or its layer information, TIDL's or its allowedNode.txt, Hailo's
 * parser, and OpenVINO's query_model() as JSON.
 * @param[in]  analysis    with a target; still the caller's.
 * @param[in]  log         `size` bytes of text, which need not outlive the call.
 * @param[in]  name        of the log, in messages; NULL = "log".
 * @param[in]  format      "rknn", "qnn", "ort", "tensorrt", "tidl", "hailo" or "openvino"; NULL or "auto" = by what it
 *                         holds.
 * @param[out] import_log  the caller's; release with hwest_import_log_free().
 * @return HWEST_OK; HWEST_INVALID_ARGUMENT without a target, for a text that is no such log, and for one that names no
 *         node of the model. */
HWEST_API hwest_status hwest_import_log_create(const hwest_analysis* analysis, const char* log, size_t size,
                                               const char* name, const char* format, hwest_import_log** import_log);

/** Releases it. NULL is allowed. */
HWEST_API void hwest_import_log_free(hwest_import_log* import_log);

/** Writes the comparison. Formats: text, json, csv, markdown. As hwest_report(). */
HWEST_API hwest_status hwest_import_log_report(const hwest_import_log* import_log, const hwest_report_options* options,
                                               hwest_sink sink, void* payload);
/** As above, into memory. */
HWEST_API hwest_status hwest_import_log_report_buffer(const hwest_import_log* import_log,
                                                      const hwest_report_options* options, hwest_buffer** buffer);

/** Finds an equivalent model that runs better on the target and writes it as an ONNX file. Copies everything that no
 * rule touches byte for byte; weights in other files stay there.
 * @param[in]  options  the target and how inputs are bound, as for hwest_analyze(); still the caller's.
 * @param[in]  rewrite  NULL = as if all were zero.
 * @param[in]  sink     receives the file, in this thread, in order; after an error, discard the bytes it received.
 *                      NULL = only the report.
 * @param[in]  payload  for `sink`.
 * @param[out] report   what was done, as the program's JSON document of kind "rewrite"; release with
 *                      hwest_buffer_free(). NULL = not wanted.
 * @return HWEST_OK; what hwest_analyze() returns; HWEST_INVALID_ARGUMENT for a rule that does not exist;
 *         HWEST_FAILED_PRECONDITION for a model from memory without `data`, or from standard input; HWEST_CANCELLED
 *         when the sink, a callback or `cancel` asked for it. */
HWEST_API hwest_status hwest_rewrite(const hwest_model* model, const hwest_options* options,
                                     const hwest_rewrite_options* rewrite, hwest_sink sink, void* payload,
                                     hwest_buffer** report);

/** Plans the memory of a model: which activation lies where, whether it fits, what makes the peak, what takes less.
 * @param[in]  model    still the caller's.
 * @param[in]  options  with a target, as for hwest_analyze(); still the caller's.
 * @param[in]  memory   NULL = as if all were zero.
 * @param[in]  form     formats: text, JSON, CSV (the tensors), Markdown, SVG, PNG, PDF, HTML and C; NULL = text.
 * @param[out] report   release with hwest_buffer_free().
 * @return HWEST_OK whatever the verdict; what hwest_analyze() returns; HWEST_INVALID_ARGUMENT without a target, or for
 *         a size or range that is none. Since 0.3. */
HWEST_API hwest_status hwest_memory(const hwest_model* model, const hwest_options* options,
                                    const hwest_memory_options* memory, const hwest_report_options* form,
                                    hwest_buffer** report);

/** Says which format pays for which layer of a model, which of its Q/DQ hinder, and which formats are the fastest
 * within a loss.
 * @param[in]  model     still the caller's. Of one that was loaded from memory, Q/DQ stay where they are.
 * @param[in]  options   with a target, as for hwest_analyze(), without precision_of; still the caller's.
 * @param[in]  quantize  NULL = as if all were zero.
 * @param[in]  form      formats: text, JSON, CSV (a row for each layer and format), Markdown, SVG, PNG, PDF and HTML;
 *                       NULL = text.
 * @param[out] report    release with hwest_buffer_free().
 * @return HWEST_OK; what hwest_analyze() returns; HWEST_INVALID_ARGUMENT without a target, for a format that the target
 *         does not run, for a sensitivity that cannot be read or names what the model lacks, for a budget without one,
 *         and for an export where nothing is chosen. Since 0.3. */
HWEST_API hwest_status hwest_quantize_plan(const hwest_model* model, const hwest_options* options,
                                           const hwest_quantize_options* quantize, const hwest_report_options* form,
                                           hwest_buffer** report);

/** Finds which other numbers of output channels pay off: the steps that time takes over the width of each convolution
 * and product with constant weights, and what the model takes at the steps beside the width now.
 * @param[in]  model    still the caller's.
 * @param[in]  options  with a target, as for hwest_analyze(); still the caller's.
 * @param[in]  width    NULL = as if all were zero.
 * @param[in]  form     formats: text, JSON, CSV (the layers), Markdown, SVG, PNG, PDF and HTML; NULL = text.
 * @param[out] report   release with hwest_buffer_free().
 * @return HWEST_OK; what hwest_analyze() returns; HWEST_INVALID_ARGUMENT without a target, or for a layer that does not
 *         exist, or for a model from memory without `data`; HWEST_CANCELLED when a callback or `cancel` asked for it.
 *         Since 0.3. */
HWEST_API hwest_status hwest_width(const hwest_model* model, const hwest_options* options,
                                   const hwest_width_options* width, const hwest_report_options* form,
                                   hwest_buffer** report);

/** Makes a predictor: times of single layers on one target, many at once, for searches over architectures.
 * @param[in]  options    the target and how a model runs there, as for hwest_analyze(); still the caller's. What names
 *                        inputs or nodes of a model finds none.
 * @param[out] predictor  the caller's; release with hwest_predictor_free().
 * @return HWEST_OK; what hwest_analyze() returns; HWEST_INVALID_ARGUMENT without a target. Since 0.3. */
HWEST_API hwest_status hwest_predictor_create(const hwest_options* options, hwest_predictor** predictor);

/** Releases it; NULL is fine. Since 0.3. */
HWEST_API void hwest_predictor_free(hwest_predictor* predictor);

/** Times convolutions without bias: what a whole analysis of a model of this one layer says of its kernels, without
 * what it takes to invoke a model. Layers that were asked for before are remembered. Several threads may call it; it
 * uses those of the machine.
 * @param[in]  predictor   still the caller's.
 * @param[in]  activation  an operator behind the layer: "Relu", "SiLU", "HardSwish", ...; NULL or "" = none.
 * @param[in]  sizes       `count` rows of 11 numbers: batch, input channels, height, width, output channels, kernel
 *                         height, kernel width, stride, padding on each side, dilation, groups.
 * @param[out] seconds     `count` numbers; NaN = no unit runs the layer, its time is not known, or there is no such
 *                         layer: a size below 1, channels that are no multiple of the groups, a kernel that leaves
 *                         nothing of the image.
 * @return HWEST_OK; HWEST_INVALID_ARGUMENT for an activation that does not exist. Since 0.3. */
HWEST_API hwest_status hwest_predictor_conv(hwest_predictor* predictor, const char* activation, const int64_t* sizes,
                                            uint64_t count, double* seconds);

/** Like hwest_predictor_conv() for products with constant weights.
 * @param[in] sizes  `count` rows of 4 numbers: batch, m, k, n: matrices of m x k times weights of k x n. Since 0.3. */
HWEST_API hwest_status hwest_predictor_matmul(hwest_predictor* predictor, const char* activation, const int64_t* sizes,
                                              uint64_t count, double* seconds);

/** Finds which values of a target's figures make models fast, frugal or small: every combination, or simulated
 * annealing.
 * @param[in]  explore  the models and what varies; still the caller's.
 * @param[in]  options  with a target, as for hwest_analyze(); `progress` is called before each model is read and after
 * each point; still the caller's.
 * @param[in]  form     formats: text, JSON, CSV (the points), Markdown, SVG, PNG, PDF and HTML; NULL = text.
 * @param[out] report   release with hwest_buffer_free().
 * @param[out] best     text of a target file that states what the best point sets and has the target as its base, for
 *                      hwest_target_load_memory(); release with hwest_buffer_free(); NULL where no point keeps the
 * constraint. NULL = not asked for.
 * @return HWEST_OK; what hwest_model_load() and hwest_analyze() return; HWEST_INVALID_ARGUMENT without a model, a
 * target or what varies, for a path or value that does not exist, and for a limit or objective on what is not known;
 *         HWEST_CANCELLED when a callback or `cancel` asked for it. Since 0.3. */
HWEST_API hwest_status hwest_explore(const hwest_explore_options* explore, const hwest_options* options,
                                     const hwest_report_options* form, hwest_buffer** report, hwest_buffer** best);

/** Language models on runtimes of targets: time to the first token, tokens per second, energy and memory, by prompt,
 * context and batch.
 * @param[in]  llm     the models and targets; still the caller's.
 * @param[in]  form    formats: text, JSON, CSV, Markdown, SVG, PNG, PDF and HTML; NULL = text.
 * @param[out] report  release with hwest_buffer_free().
 * @return HWEST_OK, also where a target does not run the model; HWEST_INVALID_ARGUMENT without a model or a target, for
 *         a file that is no language model, or for a runtime, format or length that does not exist; what
 *         hwest_analyze() and hwest_model_load() return. Since 0.3. */
HWEST_API hwest_status hwest_llm(const hwest_llm_options* llm, const hwest_report_options* form, hwest_buffer** report);

/** Times a decoder-only language model at each context length: where the target has a runtime of language models, as
 * hwest_llm() does; else the first token is one run over the whole prompt with an empty key/value cache, each further
 * token one run with the context in the cache, and each run a complete analysis. The model must take its past keys and
 * values as inputs of free length, which an output extends.
 * @param[in]  model       still the caller's.
 * @param[in]  options     with a target. Dims that it binds stay bound; leave the context length and the tokens of a
 *                         run free. `progress` is called before each run, `cancel` is checked before each stage of a
 *                         run, `log` is not called.
 * @param[in]  contexts    `count` lengths in tokens, each from 1 to 2^24.
 * @param[in]  count       at least 1.
 * @param[out] generation  the caller's; release with hwest_generation_free().
 * @return HWEST_OK; HWEST_INVALID_ARGUMENT for a graph without such a cache (the message says what to export), without
 *         a target, or for an invalid length; HWEST_FAILED_PRECONDITION when a part of the model has no unit or no
 *         time; else as hwest_analyze(). */
HWEST_API hwest_status hwest_generation_create(const hwest_model* model, const hwest_options* options,
                                               const int64_t* contexts, uint64_t count, hwest_generation** generation);

/** Releases it. NULL is allowed. */
HWEST_API void hwest_generation_free(hwest_generation* generation);

/** Explains one node: its fusion, those that nearly happened, and how it would run on every other unit.
 * @param[in]  analysis     with a target; still the caller's.
 * @param[in]  node         its name, the name of an output, "#id", or "gN" for all of group N.
 * @param[out] explanation  the caller's; release with hwest_explanation_free().
 * @return HWEST_OK; HWEST_INVALID_ARGUMENT when there is no such node (with the nearest names) or no target. */
HWEST_API hwest_status hwest_explain(const hwest_analysis* analysis, const char* node, hwest_explanation** explanation);

/** Like hwest_explain() with a watch, called before each unit is tried; since 0.3.
 * @param[in] watch  NULL = nobody watches.
 * @return as hwest_explain(); HWEST_CANCELLED when `watch` asked for it. */
HWEST_API hwest_status hwest_explain_with(const hwest_analysis* analysis, const char* node, const hwest_watch* watch,
                                          hwest_explanation** explanation);

/** Releases it. NULL is allowed. */
HWEST_API void hwest_explanation_free(hwest_explanation* explanation);

/* Several models on one chip */

/** Places the tasks of a workload file together, simulates them and bounds their responses.
 * @param[in]  path      of the file, as `onnx-hwest workload` reads it; paths of models are relative to its folder.
 * @param[in]  target    overrides the file's; NULL = the file's.
 * @param[in]  mode      overrides the file's; NULL = the file's.
 * @param[in]  progress  called before each step, in this thread; NULL = none.
 * @param[in]  payload   for `progress`.
 * @param[out] workload  the caller's; release with hwest_workload_free().
 * @return HWEST_OK whatever the verdicts; HWEST_INVALID_ARGUMENT for a wrong file, with its line; HWEST_CANCELLED when
 *         `progress` asked for it; else as hwest_analyze(). */
HWEST_API hwest_status hwest_workload_run(const char* path, const char* target, const char* mode,
                                          hwest_progress progress, void* payload, hwest_workload** workload);

/** Like hwest_workload_run() with a watch; since 0.3.
 * @param[in] watch  NULL = nobody watches. */
HWEST_API hwest_status hwest_workload_run_with(const char* path, const char* target, const char* mode,
                                               const hwest_watch* watch, hwest_workload** workload);

/** Releases it. NULL is allowed. */
HWEST_API void hwest_workload_free(hwest_workload* workload);

/** Which boards hold a number of streams, in which mode, precision and batch, and how many streams each holds.
 * @param[in]  fit     models, boards and what they have to keep; still the caller's.
 * @param[in]  watch   NULL = nobody watches. Boards are counted from any thread, one at a time.
 * @param[out] boards  the caller's; release with hwest_boards_free().
 * @return HWEST_OK, also where no board holds them; HWEST_INVALID_ARGUMENT without a model or a target, or for a rate,
 *         time, stage or list of prices that is none; what hwest_model_load() returns; HWEST_NOT_FOUND for a target
 *         that does not exist; HWEST_CANCELLED. Since 0.3. */
HWEST_API hwest_status hwest_boards_create(const hwest_fit_options* fit, const hwest_watch* watch,
                                           hwest_boards** boards);

/** Releases it. NULL is allowed. */
HWEST_API void hwest_boards_free(hwest_boards* boards);

/* Comparisons */

/** Compares two sides, each an analysis with a target or its report saved as JSON; the side's other argument is NULL.
 * Nodes are matched by what they compute, so different names are no difference.
 * @param[in]  a        the first side, or NULL.
 * @param[in]  saved_a  path of a saved report instead of `a`, or NULL. It holds no attributes and types.
 * @param[in]  b        the second side, or NULL.
 * @param[in]  saved_b  path of a saved report instead of `b`, or NULL.
 * @param[out] diff     the caller's; release with hwest_diff_free(). The analyses may be released before it.
 * @return HWEST_OK whatever differs; HWEST_INVALID_ARGUMENT without a target, or for a file that is no such report. */
HWEST_API hwest_status hwest_diff_create(const hwest_analysis* a, const char* saved_a, const hwest_analysis* b,
                                         const char* saved_b, hwest_diff** diff);

/** Compares a model with itself on another target, in another mode or at another precision; since 0.3.
 * @param[in]  model      still the caller's.
 * @param[in]  options    of both sides, with a target; the next arguments override them for the second side.
 * @param[in]  target     of the second side, in its default mode unless `mode` says another; NULL = the same.
 * @param[in]  loaded     used instead of `target`; still the caller's; NULL = load `target`.
 * @param[in]  mode       of the second side; NULL = the same.
 * @param[in]  precision  of the second side; NULL = the same.
 * @param[out] diff       the caller's; release with hwest_diff_free().
 * @return as hwest_diff_create() and hwest_analyze(); HWEST_INVALID_ARGUMENT when the second side is the first. */
HWEST_API hwest_status hwest_diff_against(const hwest_model* model, const hwest_options* options, const char* target,
                                          const hwest_target* loaded, const char* mode, const char* precision,
                                          hwest_diff** diff);

/** Releases it. NULL is allowed. */
HWEST_API void hwest_diff_free(hwest_diff* diff);

/** Checks a comparison against growth limits.
 * @param[in] limits  "latency:+5%,memory:+2%": the most by which the second side may exceed the first; "rate:-5%": by
 *                    which it may fall short. Keys: latency, rate, energy, power, memory, macs or a key of
 *                    hwest_diff_total.
 * @return HWEST_OK when every limit holds; else the error's code is "check_failed", or "incomplete" when the figure is
 *         unknown on one side; HWEST_INVALID_ARGUMENT for a limit that makes no sense. */
HWEST_API hwest_status hwest_diff_judge(const hwest_diff* diff, const char* limits);

/** Analyses every model of a budget file and checks it against its limits.
 * @param[in]  path      of the file, as `onnx-hwest check` reads it; paths in it are relative to its folder.
 * @param[in]  progress  called before each step, in this thread; NULL = none.
 * @param[in]  payload   for `progress`.
 * @param[in]  cancel    checked before each analysis; NULL = never.
 * @param[out] check     the caller's; release with hwest_check_free().
 * @return HWEST_OK whatever the verdicts; HWEST_INVALID_ARGUMENT for a wrong file, with its line; HWEST_CANCELLED; else
 *         as hwest_analyze(). */
HWEST_API hwest_status hwest_check_run(const char* path, hwest_progress progress, void* payload,
                                       const hwest_cancel* cancel, hwest_check** check);

/** Checks one analysis against limits. Tries changes that may mend a broken limit, each by a complete analysis.
 * @param[in]  analysis  with a target; still the caller's.
 * @param[in]  limits    at least one.
 * @param[out] check     the caller's; release with hwest_check_free(). The other arguments are as of hwest_check_run().
 * @return HWEST_OK whatever the verdicts; HWEST_INVALID_ARGUMENT without a target, without a limit, or for an invalid
 *         amount; HWEST_CANCELLED. */
HWEST_API hwest_status hwest_check_analysis(const hwest_analysis* analysis, const hwest_limits* limits,
                                            hwest_progress progress, void* payload, const hwest_cancel* cancel,
                                            hwest_check** check);

/** Releases it. NULL is allowed. */
HWEST_API void hwest_check_free(hwest_check* check);

/* Sweeps */

/** Numbers the points of a sweep: models before targets, modes, precisions, batches, dims and sizes. With several
 * models, `dims`, `sizes` and the options seq_len, shapes and values apply to the models that they fit, see
 * hwest_sweep_plan_left_out().
 * @param[in]  lists  need to stay alive only during the call.
 * @param[out] plan   the caller's; release with hwest_sweep_plan_free().
 * @return HWEST_OK; HWEST_INVALID_ARGUMENT without a model or a target, when a list names something twice, a dim fits
 *         no model, or the options set what `lists` lists. */
HWEST_API hwest_status hwest_sweep_plan_create(const hwest_sweep_lists* lists, hwest_sweep_plan** plan);

/** Number of points; 0 for NULL. */
HWEST_API uint64_t hwest_sweep_plan_points(const hwest_sweep_plan* plan);

/** The settings that do not fit a model and are left out of its points: texts such as "dims=seq", "sizes", "seq_len",
 * "shapes=x" or "values=x=[1]", then NULL; they live as long as the plan. NULL when the plan has no such model. */
HWEST_API const char* const* hwest_sweep_plan_left_out(const hwest_sweep_plan* plan, uint64_t model);

/** Releases it; sweeps made with it stay valid. NULL is allowed. */
HWEST_API void hwest_sweep_plan_free(hwest_sweep_plan* plan);

/** Runs points. A point that fails becomes a row that says why.
 * @param[in]  plan     still the caller's.
 * @param[in]  options  NULL = as if all were zero.
 * @param[out] sweep    the caller's; release with hwest_sweep_free().
 * @return HWEST_OK, even when points failed; HWEST_INVALID_ARGUMENT for points that the plan does not have;
 *         HWEST_CANCELLED. */
HWEST_API hwest_status hwest_sweep_run(const hwest_sweep_plan* plan, const hwest_sweep_options* options,
                                       hwest_sweep** sweep);

/** Makes a sweep from the rows of an earlier run, to report on them.
 * @param[in]  lines  JSON lines as HWEST_FORMAT_JSONL writes them, `size` bytes; may be NULL when size is 0.
 * @param[in]  size   in bytes.
 * @param[out] sweep  the caller's; release with hwest_sweep_free().
 * @return HWEST_OK; HWEST_INVALID_ARGUMENT for a line that is no row. */
HWEST_API hwest_status hwest_sweep_from_rows(const char* lines, size_t size, hwest_sweep** sweep);

/** Releases it. NULL is allowed. */
HWEST_API void hwest_sweep_free(hwest_sweep* sweep);

/* Studies: many models on many devices, compared with measurements */

/** Predicts measured figures.
 * @param[in]  options     still the caller's.
 * @param[out] validation  the caller's; release with hwest_validation_free().
 * @return HWEST_OK, even when rows could not be predicted (see hwest_validation_skipped_get()); HWEST_NOT_FOUND without
 *         the folder of models or the target; HWEST_INVALID_ARGUMENT for a file of measurements that cannot be read;
 *         HWEST_CANCELLED. */
HWEST_API hwest_status hwest_validate(const hwest_validate_options* options, hwest_validation** validation);

/** Releases it. NULL is allowed. */
HWEST_API void hwest_validation_free(hwest_validation* validation);

/** Fits a target, or a family of them, to measured figures.
 * @param[in]  options      still the caller's.
 * @param[out] calibration  the caller's; release with hwest_calibration_free().
 * @return as hwest_validate(); HWEST_INVALID_ARGUMENT also when no row can be fitted. */
HWEST_API hwest_status hwest_calibrate(const hwest_calibrate_options* options, hwest_calibration** calibration);

/** Releases it. NULL is allowed. */
HWEST_API void hwest_calibration_free(hwest_calibration* calibration);

/** Text of the fitted target file, for hwest_target_load_memory(); for a family one file per target, each after a line
 * "# target NAME". "" for NULL; lives as long as the calibration. */
HWEST_API const char* hwest_calibration_target_text(const hwest_calibration* calibration);

/* Reports */

/** For hwest_report_options.top: every row. */
#define HWEST_TOP_ALL (-1)

/** An explicit 0 for hwest_report_options.end and .context, where 0 means the default; since 0.3. */
#define HWEST_ZERO (-1)

/** Writes a report. The bytes depend only on the arguments. A process lays out one picture at a time.
 * @param[in] options  NULL = the analysis as text.
 * @param[in] sink     called in this thread, in order; after an error, discard the bytes it received.
 * @return HWEST_OK; HWEST_CANCELLED when the sink ended it; HWEST_INVALID_ARGUMENT when the options make no sense, the
 *         format cannot show the kind, the node does not exist, or the kind needs a target. */
HWEST_API hwest_status hwest_report(const hwest_analysis* analysis, const hwest_report_options* options,
                                    hwest_sink sink, void* payload);

/** Like hwest_report(), into memory.
 * @param[out] buffer  the caller's; release with hwest_buffer_free(). */
HWEST_API hwest_status hwest_report_buffer(const hwest_analysis* analysis, const hwest_report_options* options,
                                           hwest_buffer** buffer);

/** Writes the figures of a target. Formats: text, JSON, CSV and Markdown; of the options only `format` and `color`
 * count.
 * @param[in] options  NULL = text.
 * @param[in] sink     as hwest_report().
 * @return as hwest_report(). */
HWEST_API hwest_status hwest_target_report(const hwest_target* target, const hwest_report_options* options,
                                           hwest_sink sink, void* payload);

/** Like hwest_target_report(), into memory; release with hwest_buffer_free(). */
HWEST_API hwest_status hwest_target_report_buffer(const hwest_target* target, const hwest_report_options* options,
                                                  hwest_buffer** buffer);

/** Writes a table of targets, as hwest_target_report(). */
HWEST_API hwest_status hwest_target_list_report(const hwest_target_list* list, const hwest_report_options* options,
                                                hwest_sink sink, void* payload);

/** Like hwest_target_list_report(), into memory; release with hwest_buffer_free(). */
HWEST_API hwest_status hwest_target_list_report_buffer(const hwest_target_list* list,
                                                       const hwest_report_options* options, hwest_buffer** buffer);

/** Writes the problems of a target file, as hwest_target_report(). */
HWEST_API hwest_status hwest_lint_report(const hwest_lint* lint, const hwest_report_options* options, hwest_sink sink,
                                         void* payload);

/** Like hwest_lint_report(), into memory; release with hwest_buffer_free(). */
HWEST_API hwest_status hwest_lint_report_buffer(const hwest_lint* lint, const hwest_report_options* options,
                                                hwest_buffer** buffer);

/** Writes a validation. Formats: text, JSON, CSV, Markdown and SVG; `top` is the number of points furthest off. */
HWEST_API hwest_status hwest_validation_report(const hwest_validation* validation, const hwest_report_options* options,
                                               hwest_sink sink, void* payload);

/** Like hwest_validation_report(), into memory; release with hwest_buffer_free(). */
HWEST_API hwest_status hwest_validation_report_buffer(const hwest_validation* validation,
                                                      const hwest_report_options* options, hwest_buffer** buffer);

/** Writes a calibration. Formats: text, JSON, CSV and Markdown. */
HWEST_API hwest_status hwest_calibration_report(const hwest_calibration* calibration,
                                                const hwest_report_options* options, hwest_sink sink, void* payload);

/** Like hwest_calibration_report(), into memory; release with hwest_buffer_free(). */
HWEST_API hwest_status hwest_calibration_report_buffer(const hwest_calibration* calibration,
                                                       const hwest_report_options* options, hwest_buffer** buffer);

/** Writes the results of a workload. Formats: text, JSON, CSV, Markdown, SVG (the timeline), HTML and Perfetto. */
HWEST_API hwest_status hwest_workload_report(const hwest_workload* workload, const hwest_report_options* options,
                                             hwest_sink sink, void* payload);

/** Like hwest_workload_report(), into memory; release with hwest_buffer_free(). */
HWEST_API hwest_status hwest_workload_report_buffer(const hwest_workload* workload, const hwest_report_options* options,
                                                    hwest_buffer** buffer);

/** Writes boards that hold a number of streams. Formats: text, JSON, CSV and Markdown. */
HWEST_API hwest_status hwest_boards_report(const hwest_boards* boards, const hwest_report_options* options,
                                           hwest_sink sink, void* payload);

/** Like hwest_boards_report(), into memory; release with hwest_buffer_free(). */
HWEST_API hwest_status hwest_boards_report_buffer(const hwest_boards* boards, const hwest_report_options* options,
                                                  hwest_buffer** buffer);

/** Writes a comparison. Formats: text, JSON, CSV, Markdown and, of two analyses, HTML; `top` is the number of nodes
 * listed in all but JSON and CSV. */
HWEST_API hwest_status hwest_diff_report(const hwest_diff* diff, const hwest_report_options* options, hwest_sink sink,
                                         void* payload);

/** Like hwest_diff_report(), into memory; release with hwest_buffer_free(). */
HWEST_API hwest_status hwest_diff_report_buffer(const hwest_diff* diff, const hwest_report_options* options,
                                                hwest_buffer** buffer);

/** Writes a check. Formats: text, JSON, CSV, Markdown, and those of CI services from HWEST_FORMAT_JUNIT on. */
HWEST_API hwest_status hwest_check_report(const hwest_check* check, const hwest_report_options* options,
                                          hwest_sink sink, void* payload);

/** Like hwest_check_report(), into memory; release with hwest_buffer_free(). */
HWEST_API hwest_status hwest_check_report_buffer(const hwest_check* check, const hwest_report_options* options,
                                                 hwest_buffer** buffer);

/** Writes a sweep. Formats: text, JSON, JSON lines, CSV, Markdown, SVG and HTML; `top` limits text and Markdown to the
 * fastest rows, `columns` chooses the columns of text, CSV, Markdown and HTML. */
HWEST_API hwest_status hwest_sweep_report(const hwest_sweep* sweep, const hwest_report_options* options,
                                          hwest_sink sink, void* payload);

/** Like hwest_sweep_report(), into memory; release with hwest_buffer_free(). */
HWEST_API hwest_status hwest_sweep_report_buffer(const hwest_sweep* sweep, const hwest_report_options* options,
                                                 hwest_buffer** buffer);

/** The bytes of a buffer, ended by a NUL that hwest_buffer_size() does not count; live as long as the buffer. "" for
 * NULL. */
HWEST_API const char* hwest_buffer_data(const hwest_buffer* buffer);

/** Number of bytes; 0 for NULL. */
HWEST_API size_t hwest_buffer_size(const hwest_buffer* buffer);

/** Releases a buffer. NULL is allowed. */
HWEST_API void hwest_buffer_free(hwest_buffer* buffer);

/* The program */

/** Runs the command line `onnx-hwest` in this process: writes to standard output and standard error, reads the
 * environment, and handles SIGINT unless it is ignored. For launchers; other programs use the functions above.
 * @param[in] argc  number of words, including the program's name.
 * @param[in] argv  `argc` strings; argv[0] is ignored.
 * @return the exit code; 2 when argv is NULL. Not to be called from two threads at a time. */
HWEST_API int32_t hwest_main(int32_t argc, const char* const* argv);

#ifdef __cplusplus
}
#endif

#endif /* HWEST_H_ */
