/* Option structs of hwest.h, which includes this file. Written by lib/report/tables/generate.py from
 * lib/analysis/request.table and options.table beside it. */
#ifndef HWEST_OPTIONS_H_
#define HWEST_OPTIONS_H_

/** What to analyse and how. All zero beside struct_size: no target, so counts and shapes only. Lists are arrays of
 * strings that end in NULL; a NULL list is empty. All is copied during the call. */
typedef struct hwest_options {
  uint32_t struct_size;           /**< sizeof this struct */
  int32_t objective;              /**< HWEST_OBJECTIVE_*: place for latency or energy */
  const char *target;             /**< built-in name or alias, or the path of a .textproto file; NULL = none */
  const char *mode;               /**< power mode; NULL = as the target says */
  const char *precision;          /**< auto, fp32, tf32, fp16, bf16, fp8, fp4, int8, w8a16, w4a16, w4a8, mixed (each
                                       unit its own) or UNIT=P,..; NULL = auto */
  const char *fusions;            /**< "none" makes every node its own kernel; NULL = what the toolchains fuse */
  int64_t batch;                  /**< inputs per run: the leading dimension that inputs and outputs share; an error
                                       above 1 where the file has no batch, see hwest_totals; 0 = as exported */
  const char *const *dims;        /**< "NAME=N": size of a symbol or of INPUT.AXIS */
  const char *const *shapes;      /**< "[INPUT=]AxB": shape of an input, or of every input of that rank; e.g.
                                       "INPUT=1x3x224x224" or "1x128" */
  const char *const *expect;      /**< "NAME=N": a data-dependent size in place of the one of `onnx-hwest describe
                                       sizes`; NAME may hold * and ?; of several that fit a size the last counts */
  const char *const *only;        /**< units to use; the CPU runs what they refuse */
  const char *const *deny;        /**< "OP@UNIT": never run OP there */
  const char *const *assume;      /**< "OP@UNIT": take OP as supported there */
  const char *const *pin;         /**< "NODE@UNIT": run this node there */
  int32_t max_segments;           /**< at most N runs on accelerators; 0 = as many as pay off */
  uint32_t reserved;              /**< 0 */
  const char *const *values;      /**< "INPUT=FILE|LITERAL": contents of an input: a serialised tensor, FILE.pb, or e.g.
                                       [1, 2] */
  const char *op_rules;           /**< shape and cost of custom operators, see `onnx-hwest describe op-rules`; the text
                                       of such a file; NULL = none */
  const hwest_target *loaded;     /**< in place of `target`; still the caller's; NULL = load `target` */
  const char *const *toolchains;  /**< "UNIT=NAME": another toolchain for a unit, built in or a file */
  const char *fusion_rules;       /**< further patterns, see `onnx-hwest describe fusions`; the text of such a file;
                                       NULL = none */
  const char *flops_as;           /**< count as native, fvcore, torch, thop or onnx-tool does, too; NULL = do not */
  double power_cap_w;             /**< the fastest plan whose energy over latency stays within W watts; 0 = no cap */
  int32_t overlap;                /**< 1 = time the plan again with independent branches side by side; 0 = do not */
  uint32_t reserved1;             /**< 0 */
  hwest_progress progress;        /**< called before each stage; NULL = none */
  void *progress_payload;         /**< for `progress` */
  hwest_log log;                  /**< called for every diagnostic of the analysis; NULL = none */
  void *log_payload;              /**< for `log` */
  const hwest_cancel *cancel;     /**< looked at before each stage; NULL = never cancelled */
  int32_t host_competes;          /**< 1 = the host of a module may run what the module can, where that is better; 0 =
                                       do not */
  uint32_t reserved2;             /**< 0 */
  const char *host;               /**< target whose CPU, in its default mode, takes the place of a module's host, e.g.
                                       raspberry-pi-5; the link is no wider than the slot that target states, idle power
                                       stays the module's; NULL = as the target says */
  const char *sparsity;           /**< 2:4 = take constant weights as 2:4 sparse on units that state a rate for that;
                                       the file's are not looked at; NULL = none */
  int64_t seq_len;                /**< length of the sequences: every integer input of rank 2, and inputs as long as
                                       those; a static export is followed through its constants; an error where the file
                                       cannot work at it; 0 = as exported */
  int64_t image_size;             /**< height and width of images: inputs of rank 4 with up to four channels; a static
                                       export is followed through its constants; an error where the file cannot work at
                                       it; 0 = as exported */
  const char *measured_profile;   /**< times that a runtime measured operator by operator, laid beside the groups: what
                                       `trtexec --exportProfile`, ONNX Runtime with enable_profiling, RKNN, QNN, TIDL,
                                       TFLite, OpenVINO, Vela and others write; the text of such a file; NULL = none */
  int64_t context;                /**< tokens in the key/value cache of a language model: one step beside them; an error
                                       where the graph keeps no such cache; 0 = sizes as bound */
  const char *placement;          /**< as the toolchain of the target's accelerator divides a model, or the plan of
                                       least cost; NULL = toolchain */
  const char *precision_of;       /**< layers with a precision of their own: a line "node,format" for each, as
                                       `quantize-plan` writes them; the text of such a file; NULL = none */
  const char *rewrite_rules;      /**< further rules for what rewrites the model, see `onnx-hwest describe rules`; the
                                       text of such a file; NULL = none */
} hwest_options;

/** Who watches a call, and who may end it. All zero beside struct_size: nobody. Since 0.3. */
typedef struct hwest_watch {
  uint32_t struct_size;        /**< sizeof this struct */
  uint32_t reserved;           /**< 0 */
  hwest_progress progress;     /**< called before each step, in the calling thread; NULL = none */
  void *progress_payload;      /**< for `progress` */
  const hwest_cancel *cancel;  /**< looked at before each stage of each analysis that a step makes; NULL = never */
} hwest_watch;

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

/** What rewriting may do beside what hwest_rewrite() says. All zero beside struct_size: the rules that help, or without
 * a target those of the canonical form. */
typedef struct hwest_rewrite_options {
  uint32_t struct_size;         /**< sizeof this struct */
  int32_t allow_approximate;    /**< 1 = also rules that change results by more than rounding does; 0 = do not */
  int32_t fold;                 /**< 1 = compute constants and leave out dead nodes, nothing else; 0 = do not */
  int32_t annotate;             /**< 1 = add the figures to the nodes as metadata, and change nothing else; 0 = do
                                     not */
  const char *const *rules;     /**< these rules alone, wherever they apply; NULL = see above */
  uint64_t rule_count;          /**< length of `rules` */
  const char *const *no_rules;  /**< never these; NULL = none */
  uint64_t no_rule_count;       /**< length of `no_rules` */
  const char *data;             /**< of a model that was loaded from memory: its bytes once more; NULL = the file that
                                     it was loaded from */
  size_t size;                  /**< number of bytes at `data` */
  int32_t opset;                /**< the older operator set of the default domain that the model gets: nodes get its
                                     form, and what it lacks is written out; 0 = its own */
  int32_t reserved;             /**< 0 */
} hwest_rewrite_options;

/** What to say of memory beside the plan. All zero beside struct_size: nothing. Since 0.3. */
typedef struct hwest_memory_options {
  uint32_t struct_size;   /**< sizeof this struct */
  int32_t rows;           /**< 1 = text lists every tensor, with the map; 0 = do not */
  const int64_t *arenas;  /**< bytes of arenas that the activations may fit into, `arena_count` of them */
  uint64_t arena_count;   /**< length of `arenas` */
  const char *dim_range;  /**< "NAME=A:B": whether it fits at every size of that symbol or INPUT.AXIS; NULL = none */
} hwest_memory_options;

/** Which layers hwest_width() looks at. All zero beside struct_size: every one, at its steps. Since 0.3. */
typedef struct hwest_width_options {
  uint32_t struct_size;       /**< sizeof this struct */
  int32_t at;                 /**< also what each layer takes with so many output channels; 0 = its steps alone */
  const char *const *layers;  /**< only these layers, by the names that the report lists; NULL = all */
  uint64_t layer_count;       /**< length of `layers` */
  const char *data;           /**< of a model that was loaded from memory: its bytes once more; NULL = the file that it
                                   was loaded from */
  size_t size;                /**< number of bytes at `data` */
} hwest_width_options;

/** A language model on runtimes of targets. What is zero or NULL is as `onnx-hwest llm` has it without the flag. Since
 * 0.3. */
typedef struct hwest_llm_options {
  uint32_t struct_size;        /**< sizeof this struct */
  int32_t what_if;             /**< 1 = text lists every format of weights and cache; 0 = do not */
  const char *const *models;   /**< paths: an ONNX graph, the parts of a split one, an encoder and its decoder, a
                                    config.json or a GGUF file; needed */
  const char *const *targets;  /**< names or paths; needed */
  const char *mode;            /**< power mode; NULL = as each target says */
  const char *runtime;         /**< NULL = the target's first that takes the model */
  const char *weights;         /**< format of the weights, by the runtime's name; NULL = as the file, else the usual
                                    one */
  const char *kv;              /**< format of keys and values in the cache; NULL = the runtime's usual one */
  const int64_t *prompts;      /**< tokens of the prompt, `prompt_count` of them; none = 128 */
  uint64_t prompt_count;       /**< length of `prompts` */
  const int64_t *contexts;     /**< tokens in the cache when a token is timed, and for which memory is kept; none = the
                                    prompt and half its answer */
  uint64_t context_count;      /**< length of `contexts` */
  const int64_t *batches;      /**< requests that are answered together; none = 1 */
  uint64_t batch_count;        /**< length of `batches` */
  int64_t new_tokens;          /**< of the answer; 0 = 128 */
  int64_t image_tokens;        /**< of the prompt that a vision part makes; 0 = one run of it */
  const char *draft;           /**< a smaller model that proposes tokens; NULL = none */
  int64_t draft_tokens;        /**< that it proposes at once; 0 = 4 */
  double acceptance;           /**< share of proposed tokens that the model takes; 0 = 0.7 */
} hwest_llm_options;

/** From which formats a plan chooses. All zero beside struct_size: what each format of each layer brings. Since 0.3. */
typedef struct hwest_quantize_options {
  uint32_t struct_size;        /**< sizeof this struct */
  uint32_t reserved;           /**< 0 */
  const char *const *formats;  /**< that layers may have, as hwest_options.precision; NULL = fp16, w8a16 and int8, as
                                    far as the target has them */
  const char *sensitivity;     /**< loss of each layer in each format, the text of a CSV with the columns node, format
                                    and loss, of what ONNX Runtime's qdq_loss_debug returns as JSON, or of AIMET's
                                    per_layer_mse_loss.json or sensitivity_results.json; NULL = none */
  const char *budget;          /**< the most that losses may add up to: "0.01"; NULL = none */
  const char *export_as;       /**< "hwest", "ort", "tensorrt", "qnn", "rknn", "tidl" or "hailo": the plan in the form
                                    of that tool in place of the report; "onnx": the model with Q/DQ for the layers in
                                    int8, by `ranges`; NULL = the report */
  const char *ranges;          /**< what tensors lie between, for "onnx": the text of ONNX Runtime's calibration.json or
                                    of TensorRT's calibration cache; NULL = none */
} hwest_quantize_options;

/** Which values of a target's figures hwest_explore() looks for. What is zero or NULL is as `onnx-hwest explore` has it
 * without the flag. Since 0.3. */
typedef struct hwest_explore_options {
  uint32_t struct_size;       /**< sizeof this struct */
  uint32_t reserved;          /**< 0 */
  const char *const *models;  /**< paths; needed */
  const char *const *vary;    /**< figures of the target, by path, and their values: "npu.rows=16:64:x2"; needed */
  const char *objective;      /**< what the best point has least of, as the geometric mean over the models: "latency",
                                   which NULL stands for, "energy" or "edp" */
  const char *constraint;     /**< limits on area, power, latency and energy: "area<4mm2,power<2W"; NULL = none */
  const char *search;         /**< "grid", which NULL stands for: every point; "anneal": simulated annealing with a
                                   fixed seed */
  int64_t budget;             /**< points that annealing may ask for; 0 = 1000 */
  double process_nm;          /**< of the chip, 5 to 45 nm: areas, and energies that the file does not state, are
                                   estimated for it; 0 = areas are unknown */
  const char *output;         /**< where the text of `best` will be a file: it names its base by the path from there;
                                   NULL = in the working folder */
} hwest_explore_options;

/** Which boards hold a number of streams. What is zero or NULL is as `onnx-hwest fit` has it without the flag. Since
 * 0.3. */
typedef struct hwest_fit_options {
  uint32_t struct_size;           /**< sizeof this struct */
  int32_t threads;                /**< boards that are tried at a time; 0 = as many as the machine has cores */
  const char *const *models;      /**< paths, with "=RATE" behind one that runs at a rate of its own; needed */
  const char *const *targets;     /**< names or paths, "edge" or "all"; NULL = "edge" */
  const char *const *modes;       /**< power modes to try; NULL = all of each board */
  const char *const *precisions;  /**< to try; NULL = "auto" */
  const int64_t *batches;         /**< streams whose frames run together, to try; none = 1 */
  uint64_t batch_count;           /**< length of `batches` */
  int64_t streams;                /**< that a board has to hold; 0 = count how many it holds */
  const char *rate;               /**< of each stream: "30FPS", which NULL stands for, too */
  const char *deadline;           /**< from a frame to the end of its job: "50ms"; NULL = the time between two */
  const char *max_power;          /**< on average: "15W"; NULL = none */
  const char *const *stages;      /**< before and behind the models: "h265", "resize", "nms", "NAME=2ms" */
  const char *prices;             /**< a CSV of target and price, which boards are then ordered by; NULL = none */
  const char *host;               /**< of cards and modules; NULL = as the file of each says */
} hwest_fit_options;

/** Limits, as amounts with their units; NULL = none. All zero beside struct_size: no limit. */
typedef struct hwest_limits {
  uint32_t struct_size;          /**< sizeof this struct */
  int32_t judge;                 /**< HWEST_JUDGE_* */
  const char *max_latency;       /**< of one run: "12 ms" */
  const char *min_rate;          /**< inputs per second: "30 FPS" */
  const char *max_energy;        /**< of one run: "200 mJ" */
  const char *max_power;         /**< on average: "15 W" */
  const char *max_memory;        /**< at the peak: "64 MB" */
  const char *max_fallback;      /**< share of the time that CPUs spend on what accelerators do not take: "5%" */
  int32_t fits;                  /**< 1 = the memories of the target hold the model; 0 = do not */
  uint32_t reserved;             /**< 0 */
  const char *max_ttft;          /**< time to the first token of a language model, on the target's runtime, for a prompt
                                      of 128 tokens: "500 ms"; since 0.3 */
  const char *min_tokens_per_s;  /**< of its answer: "10 FPS"; since 0.3 */
} hwest_limits;

/** What a sweep runs over: every combination of what is listed. Lists of texts end in NULL; NULL = what an analysis
 * takes by default. */
typedef struct hwest_sweep_lists {
  uint32_t struct_size;                       /**< sizeof this struct */
  int32_t rewritten;                          /**< 1 = every point is of the model after the rewrites that help it
                                                   there; 0 = do not */
  const char *const *models;                  /**< names in rows, and paths of those that are not loaded; needed */
  const char *const *targets;                 /**< names or paths; "all" = every built-in one; needed */
  const char *const *modes;                   /**< "all" = every mode of each target */
  const char *const *precisions;              /**< as hwest_options.precision */
  const int64_t *batches;                     /**< `batch_count` of them */
  uint64_t batch_count;                       /**< length of `batches` */
  const char *const *dims;                    /**< "NAME=128,256" or "NAME=128:2048:x2" */
  const int64_t *sizes;                       /**< height and width of images, `size_count` of them */
  uint64_t size_count;                        /**< length of `sizes` */
  const hwest_target *const *loaded_targets;  /**< one for each of `targets`, NULL = load that; still the caller's; NULL
                                                   = none is loaded */
  const hwest_model *const *loaded;           /**< one for each of `models`, NULL = read its path: to see what fits it;
                                                   still the caller's; NULL = none is loaded */
  uint64_t loaded_count;                      /**< length of `loaded` */
  const hwest_options *options;               /**< what all points have in common, beside the lists; NULL = defaults */
  const char *const *settings;                /**< figures of the targets, by path, and their values:
                                                   "sram.size=1MB,2MB" or "npu.clock=0.5GHz:2GHz:x2"; since 0.3 */
} hwest_sweep_lists;

/** Which points to run, and how. All zero beside struct_size: all of them, in one thread. */
typedef struct hwest_sweep_options {
  uint32_t struct_size;              /**< sizeof this struct */
  int32_t threads;                   /**< that analyse; 0 = 1. Rows do not depend on it */
  const hwest_model *const *loaded;  /**< one for each model of the plan, NULL = load its path; still the caller's; NULL
                                          = none is loaded */
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

/** What to validate. */
typedef struct hwest_validate_options {
  uint32_t struct_size;        /**< sizeof this struct */
  int32_t leave_out;           /**< HWEST_LEAVE_OUT_* */
  const char *measurements;    /**< CSV file; needed */
  const char *models;          /**< folder of the models its rows name, or several, "a, b": the first that has one
                                    counts; needed */
  const char *target;          /**< predicts every row on this one; NULL = by the devices of the rows */
  const hwest_target *loaded;  /**< in place of `target`; still the caller's; NULL = load `target` */
  hwest_progress progress;     /**< called after each analysis and each fit; NULL = none */
  void *progress_payload;      /**< for `progress` */
  const hwest_cancel *cancel;  /**< looked at before each analysis; a fit at hand is finished; NULL = never */
  int32_t threads;             /**< that analyse; 0 = 2. The result does not depend on it */
  uint32_t reserved;           /**< 0 */
} hwest_validate_options;

/** What to calibrate. */
typedef struct hwest_calibrate_options {
  uint32_t struct_size;        /**< sizeof this struct */
  int32_t threads;             /**< that analyse; 0 = 2. The result does not depend on it */
  const char *measurements;    /**< CSV file; needed */
  const char *models;          /**< folder of the models its rows name, or several, "a, b": the first that has one
                                    counts; needed */
  const char *target;          /**< name or path of a target, or a family of built-in ones; needed */
  hwest_progress progress;     /**< called after each analysis and each fit; NULL = none */
  void *progress_payload;      /**< for `progress` */
  const hwest_cancel *cancel;  /**< looked at before each analysis; a fit at hand is finished; NULL = never */
} hwest_calibrate_options;

/** How to write a report. All zero beside struct_size: the analysis as text. */
typedef struct hwest_report_options {
  uint32_t struct_size;                  /**< sizeof this struct */
  int32_t kind;                          /**< HWEST_REPORT_* */
  int32_t format;                        /**< HWEST_FORMAT_* */
  int32_t level;                         /**< HWEST_LEVEL_*; JSON always has all tables */
  int64_t top;                           /**< rows shown, the most expensive ones; 0 = the format's default,
                                              HWEST_TOP_ALL = all */
  const char *node;                      /**< for HWEST_REPORT_EXPLAIN: its name, the name of an output, "#id", or
                                              "gN" */
  const hwest_what_if *what_if;          /**< made from this analysis: its changes are in the report; NULL = those that
                                              a page of an analysis opens with, in other formats none */
  const hwest_explanation *explanation;  /**< for HWEST_REPORT_EXPLAIN in place of `node`; NULL = `node` is explained */
  int32_t color;                         /**< 1 = escape sequences of terminals in text; 0 = do not */
  uint32_t reserved;                     /**< 0 */
  int32_t color_by;                      /**< HWEST_COLOR_BY_*; of pictures, as the next ones; since 0.3 */
  int32_t collapse;                      /**< HWEST_COLLAPSE_*; since 0.3 */
  int32_t unfold;                        /**< 1 = draw equal blocks in a row each, not once with their number; since
                                              0.3; 0 = do not */
  int32_t chart;                         /**< HWEST_CHART_*; since 0.3 */
  int64_t start;                         /**< of HWEST_REPORT_GRAPH, as the next ones; together they choose nodes, in
                                              the order of their ids: from this id on; since 0.3 */
  int64_t end;                           /**< up to this id, included; 0 = to the last, HWEST_ZERO = to node 0; since
                                              0.3 */
  int64_t max_nodes;                     /**< the first ones of those that fit; 0 = all; since 0.3 */
  int64_t context;                       /**< nodes on either side of `around`; 0 = 5, HWEST_ZERO = none; since 0.3 */
  const char *around;                    /**< this node, as `node` or its bare id, and its neighbours; NULL = no such
                                              condition, as in the next ones; since 0.3 */
  const char *module;                    /**< in this module or one inside it; since 0.3 */
  const char *grep;                      /**< with this text in a name, operator, value, module or source line, in any
                                              case; since 0.3 */
  const char *const *ops;                /**< of one of these operators, as all lists up to a NULL; since 0.3 */
  const char *const *units;              /**< on one of these units; "none" = on no unit; since 0.3 */
  const char *const *bounds;             /**< in a group bound by one of these: "compute", "memory", ..; since 0.3 */
  const char *const *columns;            /**< columns of text, CSV and Markdown, in this order; NULL = the usual ones;
                                              since 0.3 */
} hwest_report_options;

#endif /* HWEST_OPTIONS_H_ */
