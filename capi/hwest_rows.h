/* Rows of the tables of hwest.h, which includes this file and says what holds for all of them, and the words in them.
 * Written by lib/report/tables/generate.py from the .table files beside it. */
#ifndef HWEST_ROWS_H_
#define HWEST_ROWS_H_

/** How messages name options; since 0.3. */
enum {
  HWEST_WORDS_C = 0,     /**< members of structs: options.dims = {"seq=128"} */
  HWEST_WORDS_PYTHON = 1 /**< keyword arguments: dims={"seq": 128} */
};

/** Severity of a diagnostic. */
enum {
  HWEST_SEVERITY_ERROR = 0,
  HWEST_SEVERITY_WARNING = 1,
  HWEST_SEVERITY_NOTE = 2
};

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
  HWEST_VALUE_IS_INPUT = 1,   /**< of the graph it lies in */
  HWEST_VALUE_IS_OUTPUT = 2,  /**< of the graph it lies in */
  HWEST_VALUE_IS_CONSTANT = 4 /**< an initialiser, or made by a Constant node */
};

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
  HWEST_UNIT_IS_CPU = 1,        /**< runs what the others refuse */
  HWEST_UNIT_IS_PLACEABLE = 2,  /**< work can be put there */
  HWEST_UNIT_IS_LEFT_OUT = 4,   /**< by hwest_options.only */
  HWEST_UNIT_IS_PREFIX_ONLY = 8 /**< takes one segment, from the inputs on */
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

/** How far a target's figures can be trusted. */
enum {
  HWEST_GRADE_UNKNOWN = 0,   /**< no target */
  HWEST_GRADE_MEASURED = 1,
  HWEST_GRADE_FAMILY = 2,
  HWEST_GRADE_DATASHEET = 3,
  HWEST_GRADE_ASSUMED = 4    /**< its file leaves what decides its times to defaults */
};

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
  HWEST_NODE_LAYOUT = 1,   /**< moves data */
  HWEST_NODE_VIEW = 2,     /**< the same bytes under another type; free */
  HWEST_NODE_SHAPE = 3,    /**< shape arithmetic; free */
  HWEST_NODE_CONSTANT = 4, /**< folded before run time */
  HWEST_NODE_CONTROL = 5,
  HWEST_NODE_OPAQUE = 6,   /**< no rule knows it */
  HWEST_NODE_DEAD = 7      /**< no output of the model needs it; counted in no total */
};

/** A node in PyTorch's terms. */
enum {
  HWEST_ORIGIN_MODULE = 0,
  HWEST_ORIGIN_FUNCTION = 1,
  HWEST_ORIGIN_UNKNOWN = 2   /**< the file says nothing */
};

/** What happens in an interval of the timeline. */
enum {
  HWEST_EVENT_TRANSFER = 0, /**< values are moved to the unit */
  HWEST_EVENT_INVOKE = 1,   /**< the segment is started */
  HWEST_EVENT_GROUP = 2,    /**< a group runs */
  HWEST_EVENT_PIPELINE = 3  /**< all groups of a segment run side by side */
};

/** Whether a unit runs a node. */
enum {
  HWEST_VERDICT_YES = 0,
  HWEST_VERDICT_NO = 1,
  HWEST_VERDICT_NOTED = 2 /**< yes, but for something that cannot be decided here */
};

/** How the verdict on a node is known; since 0.3. */
enum {
  HWEST_EVIDENCE_UNKNOWN = 0,
  HWEST_EVIDENCE_COMPILER = 1, /**< seen in it */
  HWEST_EVIDENCE_LIST = 2,     /**< read in a list of the vendor's, or in one made after it */
  HWEST_EVIDENCE_INFERRED = 3, /**< neither: recalled, derived or assumed */
  HWEST_EVIDENCE_REQUEST = 4   /**< denied or assumed by it */
};

/** What kind of change ends a refusal; since 0.3. */
enum {
  HWEST_CURE_NONE = 0,
  HWEST_CURE_REWRITE = 1,   /**< by a rule of `rewrite` */
  HWEST_CURE_FOLD = 2,      /**< by computing constants before compiling */
  HWEST_CURE_OPSET = 3,     /**< by an older operator set */
  HWEST_CURE_TOOLCHAIN = 4, /**< another version of it */
  HWEST_CURE_PRECISION = 5,
  HWEST_CURE_CUT = 6        /**< ending or beginning the model elsewhere */
};

/** Kinds of changes. */
enum {
  HWEST_CHANGE_SUPPORT = 0,
  HWEST_CHANGE_ACTIVATION = 1,
  HWEST_CHANGE_PRECISION = 2,
  HWEST_CHANGE_BATCH = 3,
  HWEST_CHANGE_BANDWIDTH = 4,  /**< not offered since 0.3: no setting changes it */
  HWEST_CHANGE_MODE = 5,
  HWEST_CHANGE_REWRITE = 6,    /**< by rules of `rewrite`; this and the next ones since 0.3 */
  HWEST_CHANGE_OPSET = 7,      /**< an older operator set */
  HWEST_CHANGE_TOOLCHAIN = 8,  /**< another version of it */
  HWEST_CHANGE_PLACEMENT = 9,  /**< which units may work, and who divides the model */
  HWEST_CHANGE_CUT = 10,       /**< the host runs what stands behind the network, or before it */
  HWEST_CHANGE_SPARSITY = 11,  /**< 2:4 sparse weights */
  HWEST_CHANGE_RECIPE = 12,    /**< several of these together */
  HWEST_CHANGE_WIDTH = 13,     /**< fewer channels of a layer */
  HWEST_CHANGE_LAYERS = 14     /**< single layers in another format than the rest */
};

/** What a change leaves as it is; since 0.3. */
enum {
  HWEST_SCOPE_SAME = 0,    /**< network and board */
  HWEST_SCOPE_BATCH = 1,   /**< these, too; a run takes several inputs, and longer */
  HWEST_SCOPE_NETWORK = 2, /**< the board; the network is another one */
  HWEST_SCOPE_BOARD = 3    /**< the network; the board, or its compiler, is another one */
};

/** What a change asks of the results; since 0.3. */
enum {
  HWEST_RISK_NONE = 0,
  HWEST_RISK_ROUNDING = 1,    /**< the same function, rounded in other places */
  HWEST_RISK_CALIBRATION = 2, /**< on samples of the inputs */
  HWEST_RISK_TRAINING = 3     /**< of the weights */
};

/** Which end of an estimate's interval a limit is held against. */
enum {
  HWEST_JUDGE_POINT = 0,   /**< the estimate, alone */
  HWEST_JUDGE_UPPER = 1,   /**< the worse end of its interval, alone */
  HWEST_JUDGE_INTERVAL = 2 /**< both ends: over beyond the better one, undecided between them */
};

/** Which measurements are predicted by targets that were fitted without them. */
enum {
  HWEST_LEAVE_OUT_NONE = 0,         /**< by the targets as they are */
  HWEST_LEAVE_OUT_FAMILY = 1,
  HWEST_LEAVE_OUT_DEVICE = 2,
  HWEST_LEAVE_OUT_SOURCE = 3,
  HWEST_LEAVE_OUT_FAMILY_DEVICE = 4 /**< without the family of the model, and without the device */
};

/** What a report on an analysis is about. */
enum {
  HWEST_REPORT_ANALYSIS = 0,
  HWEST_REPORT_SHAPES = 1,   /**< every value; needs no target */
  HWEST_REPORT_SUPPORT = 2,  /**< which unit runs which node, and which limit refuses it */
  HWEST_REPORT_EXPLAIN = 3,  /**< one node */
  HWEST_REPORT_GRAPH = 4     /**< every node in order with its neighbours and its place in the plan; needs no target */
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
  HWEST_FORMAT_PERFETTO = 8,        /**< this and the next ones: of HWEST_REPORT_ANALYSIS with a target */
  HWEST_FORMAT_NETRON = 9,
  HWEST_FORMAT_MODEL_EXPLORER = 10,
  HWEST_FORMAT_C = 11,              /**< of memory plans: an array of offsets; since 0.3 */
  HWEST_FORMAT_HTML = 12,           /**< one page to explore, of an analysis or of shapes; since 0.3 */
  HWEST_FORMAT_JSONL = 13,          /**< of sweeps; since 0.3 */
  HWEST_FORMAT_JUNIT = 14,          /**< this and the next ones: of checks, for CI services; since 0.3 */
  HWEST_FORMAT_SARIF = 15,
  HWEST_FORMAT_CODEQUALITY = 16,
  HWEST_FORMAT_OPENMETRICS = 17,
  HWEST_FORMAT_BENCHMARK = 18,
  HWEST_FORMAT_BENCHER = 19,
  HWEST_FORMAT_ONNXTEXT = 20        /**< of HWEST_REPORT_GRAPH: the graph in the text form of ONNX; since 0.3 */
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
  HWEST_COLOR_BY_DEFAULT = 0,   /**< the unit; of HWEST_FORMAT_MODEL_EXPLORER the time */
  HWEST_COLOR_BY_UNIT = 1,
  HWEST_COLOR_BY_BOUND = 2,
  HWEST_COLOR_BY_TIME = 3,
  HWEST_COLOR_BY_ENERGY = 4,
  HWEST_COLOR_BY_INTENSITY = 5,
  HWEST_COLOR_BY_PRECISION = 6,
  HWEST_COLOR_BY_MEASURED = 7   /**< measured over predicted time, of an analysis with a measured profile; since 0.3 */
};

/** What a box of a picture stands for. */
enum {
  HWEST_COLLAPSE_AUTO = 0,    /**< what fits */
  HWEST_COLLAPSE_MODULE = 1,
  HWEST_COLLAPSE_SEGMENT = 2,
  HWEST_COLLAPSE_NONE = 3     /**< what the level says, however many there are */
};

/** A picture in place of the graph. */
enum {
  HWEST_CHART_NONE = 0,
  HWEST_CHART_TIMELINE = 1, /**< when each unit is busy */
  HWEST_CHART_MEMORY = 2,   /**< weights and activations over time, the largest ones at the peak named */
  HWEST_CHART_ROOFLINE = 3, /**< what the groups reach below what units can do */
  HWEST_CHART_MODULES = 4   /**< time by module */
};

/** Nodes that run as one kernel, where, and for how long. Strings and arrays live as long as the analysis. */
typedef struct hwest_group {
  uint32_t struct_size;            /**< sizeof this struct */
  int32_t bound;                   /**< HWEST_BOUND_*: what its time is bound by; HWEST_BOUND_UNKNOWN = unknown */
  int64_t id;                      /**< = index of the row */
  const char *pattern;             /**< name of the fusion, or the op of a node that runs alone; never NULL */
  const uint32_t *nodes;           /**< ids, ascending */
  uint64_t node_count;             /**< length of `nodes` */
  const char *unit;                /**< that runs it; NULL = none does */
  int64_t segment;                 /**< run of groups on one unit; -1 = none */
  const char *precision;           /**< it runs at; NULL = unknown */
  int64_t macs;                    /**< of all its runs in one inference; -1 = unknown */
  int64_t int_macs;                /**< the part of macs whose operands are integer in the graph; -1 = unknown */
  int64_t flops;                   /**< 2 * macs + other float operations; -1 = unknown */
  int64_t in_bytes;                /**< activations read from outside; -1 = unknown */
  int64_t weight_bytes;            /**< constants read, as deployed; -1 = unknown */
  int64_t out_bytes;               /**< written for use outside; -1 = unknown */
  int64_t dram_bytes;              /**< that cross to the shared memory, or to a cache in front of it; -1 = unknown */
  int64_t live_bytes;              /**< activations alive while it runs, data-dependent sizes at their upper bound; with
                                        deployed_bytes their maximum is the peak, unless addresses leave gaps */
  int64_t saved_bytes;             /**< not moved thanks to the fusion */
  int64_t saved_launches;          /**< kernels not launched thanks to the fusion */
  double start_s;                  /**< from the beginning of the inference; NaN = unknown */
  double end_s;                    /**< start_s + time_s; NaN = unknown */
  double compute_s;                /**< time of the arithmetic alone; NaN = unknown */
  double memory_s;                 /**< time of the traffic alone; NaN = unknown */
  double overhead_s;               /**< time of launching it; NaN = unknown */
  double time_s;                   /**< >= max(compute_s, memory_s); NaN = unknown */
  double low_s;                    /**< of the prediction interval of time_s; NaN = unknown */
  double high_s;                   /**< of the prediction interval of time_s; NaN = unknown */
  double energy_j;                 /**< of all its runs in one inference; NaN = unknown */
  double compute_j;                /**< part of energy_j: the arithmetic; NaN = unknown */
  double onchip_j;                 /**< part of energy_j: accesses of on-chip memories; NaN = unknown */
  double dram_j;                   /**< part of energy_j: accesses of the shared memory; NaN = unknown */
  double static_j;                 /**< part of energy_j: of being powered; NaN = unknown */
  double utilisation;              /**< compute at dense peak / time_s; NaN = unknown */
  const char *const *assumptions;  /**< that the estimate rests on */
  const char *name;                /**< of the node the group is for; never NULL */
  int32_t grade;                   /**< HWEST_GRADE_*: how far the figures of its unit can be trusted;
                                        HWEST_GRADE_UNKNOWN = no unit */
  uint32_t reserved;               /**< 0 */
  int64_t onchip_bytes;            /**< that cross the memory on the chip; 0 = there is none; -1 = unknown */
  double intensity;                /**< flops per byte read or written; NaN = no traffic, or counts unknown */
  double energy_low_j;             /**< of the prediction interval of energy_j; NaN = unknown */
  double energy_high_j;            /**< of the prediction interval of energy_j; NaN = unknown */
  double measured_s;               /**< time that a measured profile has of it alone; NaN = not measured, or only
                                        together with other groups */
  double measured_ratio;           /**< measured over predicted time, of all groups that were measured together with it;
                                        NaN = not measured */
  int64_t root;                    /**< the node the group is for, which need not be the last of `nodes` */
  double dram_intensity;           /**< flops per byte of dram_bytes; NaN = none crosses, or counts unknown */
  int64_t reload_bytes;            /**< those of dram_bytes that cross once more: no tile on the chip holds a whole
                                        operand; -1 = unknown */
  int64_t tile_m;                  /**< rows of a tile of its largest contraction, [m, k] x [k, n]; -1 = no contraction,
                                        or no memory on the chip of known size */
  int64_t tile_n;                  /**< columns of it; -1 = unknown */
  int64_t tile_k;                  /**< depth of it; -1 = unknown */
  const char *loop_order;          /**< which operand waits on the chip while the others stream past it:
                                        "weight_stationary", "input_stationary" or "output_stationary"; NULL =
                                        unknown */
} hwest_group;

/** What a memory gives and takes while a group runs. */
typedef struct hwest_traffic {
  uint32_t struct_size;   /**< sizeof this struct */
  uint32_t reserved;      /**< 0 */
  int64_t group;          /**< that runs meanwhile */
  const char *memory;     /**< as the target calls it; never NULL */
  int64_t read_bytes;     /**< from it, by the unit or to fill a nearer memory */
  int64_t written_bytes;  /**< to it, by the unit or from a farther memory */
} hwest_traffic;

/** A kernel of a measured profile, and what of the plan it is about. */
typedef struct hwest_measured_entry {
  uint32_t struct_size;    /**< sizeof this struct */
  uint32_t reserved;       /**< 0 */
  const char *name;        /**< as the profile has it; never NULL */
  const char *op;          /**< operator that it ran; NULL = the profile does not say */
  double time_s;           /**< of one inference */
  const char *match;       /**< "groups" that are measured; "part" of groups whose main node no kernel names; nodes that
                                have "no kernel" in the plan; "none" of the model's nodes; never NULL */
  const uint32_t *nodes;   /**< ids that its name stands for, ascending */
  uint64_t node_count;     /**< length of `nodes` */
  const uint32_t *groups;  /**< ids that hold them, ascending */
  uint64_t group_count;    /**< length of `groups` */
  double set_time_s;       /**< of all kernels that are about the same groups; NaN = none is measured */
  double set_predicted_s;  /**< predicted for these groups; NaN = none is measured, or a time is unknown */
} hwest_measured_entry;

/** A run of groups on one unit. */
typedef struct hwest_segment {
  uint32_t struct_size;    /**< sizeof this struct */
  uint32_t reserved;       /**< 0 */
  int64_t id;              /**< = index of the row */
  const char *unit;        /**< that runs it; never NULL */
  const uint32_t *groups;  /**< ids, in execution order */
  uint64_t group_count;    /**< length of `groups` */
  int64_t in_bytes;        /**< read from other segments or inputs of the model */
  int64_t out_bytes;       /**< written for other segments or as outputs of the model */
  double transfer_s;       /**< first its inputs are moved, */
  double invoke_s;         /**< then it is started, */
  double start_s;          /**< from the beginning of the inference */
  double time_s;           /**< then its groups run; in a pipeline no sum of theirs; NaN = that of some group is
                                unknown */
  double energy_j;         /**< of all three; NaN = unknown */
  const char *reason;      /**< why it starts here; never NULL */
  int64_t contexts;        /**< of pipelined units: parts loaded one after the other; -1 = no such unit */
  double interval_s;       /**< of pipelines: between results when inferences follow each other; NaN = unknown */
  int64_t reloaded_bytes;  /**< of pipelines: weights and values that cross memory because of contexts; -1 = unknown */
  int32_t grade;           /**< HWEST_GRADE_*: how far the figures of its unit can be trusted */
  uint32_t reserved1;      /**< 0 */
  double low_s;            /**< of the prediction interval of time_s; NaN = unknown */
  double high_s;           /**< of the prediction interval of time_s; NaN = unknown */
  double energy_low_j;     /**< of the prediction interval of energy_j; NaN = unknown */
  double energy_high_j;    /**< of the prediction interval of energy_j; NaN = unknown */
} hwest_segment;

/** An engine of the target and what it does in this plan. */
typedef struct hwest_unit {
  uint32_t struct_size;   /**< sizeof this struct */
  int32_t kind;           /**< HWEST_UNIT_*: what it is */
  uint32_t flags;         /**< HWEST_UNIT_IS_* */
  uint32_t reserved;      /**< 0 */
  const char *name;       /**< as the target calls it; never NULL */
  const char *toolchain;  /**< that compiles for it; NULL = none is stated */
  int64_t groups;         /**< that it runs */
  double busy_s;          /**< of one inference; NaN = the time of some group on it is unknown */
  double energy_j;        /**< of its groups; NaN = unknown */
  int64_t macs;           /**< that it runs */
  int32_t grade;          /**< HWEST_GRADE_*: how far its figures can be trusted */
  uint32_t reserved1;     /**< 0 */
} hwest_unit;

/** Latency split by what it is bound by. */
typedef struct hwest_bound_total {
  uint32_t struct_size;  /**< sizeof this struct */
  int32_t bound;         /**< HWEST_BOUND_*: what the time is bound by */
  double time_s;         /**< part of the latency */
  int64_t flops;         /**< of these groups */
  int64_t bytes;         /**< read and written by these groups */
  int64_t groups;        /**< bound by it */
  double intensity;      /**< flops per byte read or written; NaN = no traffic */
  double groups_share;   /**< of all groups; NaN = there are none */
  double flops_share;    /**< of those of all groups that have a bound; NaN = there are none */
  double bytes_share;    /**< of those of all groups that have a bound; NaN = there are none */
} hwest_bound_total;

/** A module of the source program with everything below it. */
typedef struct hwest_module {
  uint32_t struct_size;    /**< sizeof this struct */
  uint32_t reserved;       /**< 0 */
  const char *path;        /**< "" = the root; never NULL */
  int64_t parent;          /**< index of its row; -1 = none */
  const char *class_name;  /**< NULL = unknown */
  int64_t nodes;           /**< in it */
  hwest_count macs;        /**< of its nodes */
  hwest_count flops;       /**< of its nodes */
  int64_t params;          /**< elements of the weights it uses, each once */
  double time_s;           /**< of its nodes; of the root latency_s, transfers and invokes included; NaN = unknown */
  double energy_j;         /**< as time_s; NaN = unknown */
} hwest_module;

/** One node on one unit. */
typedef struct hwest_support {
  uint32_t struct_size;   /**< sizeof this struct */
  int32_t verdict;        /**< HWEST_VERDICT_*: whether the unit runs the node */
  int32_t only_in_group;  /**< runs only as a member of the fusion the toolchain states, 1 or 0 */
  uint32_t reserved;      /**< 0 */
  const char *label;      /**< of the node; never NULL */
  const char *op;         /**< operator of the node; never NULL */
  const char *unit;       /**< its name; never NULL */
  const char *limit;      /**< that decided, as the toolchain's file writes it; NULL = none */
  const char *what;       /**< the same in words; NULL = none */
  const char *found;      /**< NULL = does not apply, as the next two */
  const char *allowed;    /**< what the limit asks for; NULL = unknown */
  const char *source;     /**< of the limit; NULL = unknown */
  int64_t node;           /**< id */
  int32_t evidence;       /**< HWEST_EVIDENCE_*: how the verdict is known; HWEST_EVIDENCE_UNKNOWN = nothing was
                               stated */
  uint32_t reserved1;     /**< 0 */
  const char *document;   /**< that source names: title, with the version of the compiler or list; NULL = unknown */
} hwest_support;

/** Nodes of one operator that one unit refuses for one reason. */
typedef struct hwest_refusal {
  uint32_t struct_size;      /**< sizeof this struct */
  int32_t evidence;          /**< HWEST_EVIDENCE_*: how the refusal is known; HWEST_EVIDENCE_UNKNOWN = unknown */
  int32_t cure_kind;         /**< HWEST_CURE_*: the shortest change, of those tried, that helps most of them;
                                  HWEST_CURE_UNKNOWN = none helps */
  uint32_t reserved;         /**< 0 */
  const char *unit;          /**< its name; never NULL */
  const char *op;            /**< operator of the nodes; never NULL */
  const char *limit;         /**< that refuses them, as the toolchain's file writes it; NULL = unknown */
  const char *what;          /**< the same in words; NULL = none */
  const char *found;         /**< in the first node; NULL = does not apply, as the next two */
  const char *allowed;       /**< what the limit asks for; NULL = unknown */
  const char *source;        /**< of the limit; NULL = unknown */
  const char *document;      /**< that source names: title, with the version of the compiler or list; NULL = unknown */
  int64_t nodes;             /**< how many */
  double nodes_share;        /**< of the kernels of the model */
  int64_t macs;              /**< of them, where they are known */
  double macs_share;         /**< of those of the model; NaN = it has none that are known */
  const char *example;       /**< label of the first of them; never NULL */
  int64_t example_id;        /**< its id */
  const char *cure;          /**< the same in words; NULL = unknown */
  int64_t cure_nodes;        /**< of the nodes that are refused no longer then */
  const char *cure_command;  /**< that makes the change; NULL = unknown */
} hwest_refusal;

/** An interval of the timeline of one inference. */
typedef struct hwest_event {
  uint32_t struct_size;  /**< sizeof this struct */
  int32_t kind;          /**< HWEST_EVENT_*: what happens */
  const char *unit;      /**< where; never NULL */
  int64_t segment;       /**< index */
  int64_t group;         /**< index; -1 = all of the segment */
  double start_s;        /**< from the beginning of the inference */
  double end_s;          /**< of the last event = latency_s */
} hwest_event;

/** When an activation is in memory. Weights have no rows: all of them are there all the time. */
typedef struct hwest_lifetime {
  uint32_t struct_size;  /**< sizeof this struct */
  uint32_t reserved;     /**< 0 */
  int64_t value;         /**< id */
  const char *name;      /**< of the value; never NULL */
  int64_t bytes;         /**< as deployed; -1 = unknown */
  int64_t first_group;   /**< that makes it; of inputs of the model the first; after the one that hands its place
                              over */
  int64_t last_group;    /**< that reads it; of outputs of the model the last; before the one that takes its place
                              over */
} hwest_lifetime;

/** Totals of the whole graph. What could not be counted is not in them, but in unknown_nodes and the node counts.
 * Strings live as long as the analysis. */
typedef struct hwest_totals {
  uint32_t struct_size;       /**< sizeof this struct */
  int32_t grade;              /**< HWEST_GRADE_*: how far the target's figures can be trusted; HWEST_GRADE_UNKNOWN = no
                                   target */
  int32_t host_competes;      /**< a discrete host may run what the accelerator takes, too, 1 or 0; -1 = no target */
  uint32_t reserved;          /**< 0 */
  hwest_count macs;           /**< multiply-accumulates of contractions */
  hwest_count int_macs;       /**< the part of macs whose operands are integer in the graph */
  hwest_count flops;          /**< 2 * macs + other float operations */
  int64_t params;             /**< elements of distinct weight tensors */
  int64_t params_by_use;      /**< the same, summed over uses */
  int64_t buffers;            /**< statistics of BatchNormalization */
  int64_t stored_bytes;       /**< weights in the file */
  int64_t deployed_bytes;     /**< weights and other constants at the precision run; -1 = unknown */
  int64_t moved_bytes;        /**< read and written by all groups, before residency; -1 = unknown */
  int64_t peak_memory_bytes;  /**< deployed weights + largest sum of live activations + what their addresses leave
                                   unused, data-dependent sizes at their upper bound; -1 = unknown */
  int64_t batch;              /**< inputs per run: the leading dim that every input of rank 2 or more (caches aside) and
                                   an output have in common, or their dim called batch or N; 1 = one, or no such dim; -1
                                   = unknown */
  int64_t nodes;              /**< after inlining */
  int64_t typed_nodes;        /**< whose outputs have a known type and shape */
  int64_t counted_nodes;      /**< with a work rule that could be evaluated */
  int64_t costed_nodes;       /**< with a time; -1 = unknown */
  int64_t placed_nodes;       /**< that a unit runs; -1 = unknown */
  int64_t unknown_nodes;      /**< without a rule */
  double intensity;           /**< flops per moved byte; NaN = unknown */
  double latency_s;           /**< of one inference: warm, steady clocks, without pre- and post-processing; NaN =
                                   unknown */
  double latency_low_s;       /**< of the prediction interval; NaN = unknown */
  double latency_high_s;      /**< of the prediction interval; NaN as energy_high_j and power_w where a node has no
                                   time: the other figures are bounds then */
  double interval_s;          /**< between results when inferences follow each other; NaN = unknown */
  double throughput_per_s;    /**< batch / interval_s; NaN = unknown */
  double energy_j;            /**< of one inference; NaN = unknown */
  double energy_low_j;        /**< of the prediction interval; NaN = unknown */
  double energy_high_j;       /**< of the prediction interval; NaN = unknown */
  double power_w;             /**< energy_j / interval_s; NaN = unknown */
  double gap;                 /**< how far from the best placement this one can be at most, share of it; 0 = optimal;
                                   NaN = unknown */
  const char *target;         /**< its full name; NULL = unknown */
  const char *mode;           /**< power mode; NULL = unknown */
  const char *precision;      /**< of the main unit; NULL = unknown */
  hwest_count causal_macs;    /**< macs when what causal masks hide is skipped; unknown also when nothing is causal */
  hwest_count flops_as;       /**< in the convention of hwest_options.flops_as */
  double macs_share;          /**< of the macs that are costed; NaN = the macs of some node are unknown */
  double time_share;          /**< of the time that is known: 1 when every group has one, else not known itself; NaN =
                                   unknown */
  double transfer_s;          /**< part of latency_s that moves values between units; NaN = unknown */
  double greedy_latency_s;    /**< of the plan that takes the longest segments, for comparison; NaN = unknown */
  double overlap_latency_s;   /**< with HWEST_OVERLAP_YES; NaN = unknown */
  const char *incomplete;     /**< what is unknown, in words; NULL = nothing */
  double measured_share;      /**< of latency_s, on units fitted to measurements of this very device; NaN = unknown */
  double family_share;        /**< of latency_s, on units fitted to devices of the same family; NaN = unknown */
  double datasheet_share;     /**< of latency_s, on units known from data sheets alone; NaN = unknown */
  double evidence_share;      /**< of latency_s, in operators and shapes that calibration covers; NaN = unknown */
  double size_low_s;          /**< latency_s, where the model has data-dependent sizes; NaN = it has none */
  double size_high_s;         /**< latency of the same placement with these at their largest value; NaN = no such sizes,
                                   or one without an upper bound */
  double tokens_per_s;        /**< new tokens; of runs over several per sequence, tokens processed; NaN = no token
                                   model */
  const char *precisions;     /**< share of macs by precision, e.g. "int8=0.85,fp16=0.15", largest first; NULL =
                                   unknown */
  int32_t fits;               /**< the memories of the target hold weights, activations and caches, 1 or 0; -1 = no
                                   target, or sizes that are not known may decide */
  uint32_t reserved1;         /**< 0 */
  int64_t sparse_macs;        /**< the part of macs whose weights were taken as 2:4 sparse; -1 = not asked for */
  const char *unseen;         /**< operators that calibration does not cover with their share of latency_s, e.g.
                                   "Transpose 5-D=0.15,GridSample=0.1", largest first; NULL = none, or evidence_share
                                   is */
  const char *power_of;       /**< what energy_j and power_w cover, e.g. "the card without its host"; NULL = not
                                   stated */
  int64_t constant_bytes;     /**< the part of deployed_bytes that is no weights: masks, grids, scales, canvases; -1 =
                                   unknown */
  const char *placement;      /**< "toolchain" = as the toolchain of the target's accelerator divides the model, "best"
                                   = the plan of least cost; NULL = no target */
  const char *placed_as;      /**< that toolchain with its version; NULL = none decides, as on a CPU alone */
  double best_latency_s;      /**< of the plan of least cost; NaN = moving layers saves no more than 5 % */
  int64_t dram_bytes;         /**< that cross the shared memory in one inference: the sum over the groups; -1 = of some
                                   group unknown */
  int64_t onchip_bytes;       /**< the same over the memories on the chip; -1 = unknown */
  double dram_intensity;      /**< flops per byte that crosses the shared memory; NaN = none does, or counts unknown */
  double utilisation;         /**< share of latency_s that the MACs would take at the dense peak of the units that run
                                   them; NaN = of some group unknown */
  double assumed_share;       /**< of latency_s, on units whose file leaves what decides their times to defaults; NaN =
                                   unknown */
} hwest_totals;

/** What a memory of the target has to hold at once, and whether it can. */
typedef struct hwest_memory_need {
  uint32_t struct_size;      /**< sizeof this struct */
  int32_t is_part;           /**< some size is not known: the bytes are at least these, 1 or 0 */
  int32_t fits;              /**< the memory holds that, 1 or 0; -1 = unknown */
  uint32_t reserved;         /**< 0 */
  const char *memory;        /**< its name; never NULL */
  int64_t size_bytes;        /**< of the memory; -1 = the target does not state it */
  int64_t needed_bytes;      /**< weight_bytes, cache_bytes, activation_bytes and system_bytes together */
  int64_t weight_bytes;      /**< constants as deployed */
  int64_t cache_bytes;       /**< of what is alive at the peak, what one run hands to the next: keys, values, states */
  int64_t activation_bytes;  /**< the rest of what is alive at the peak */
  int64_t system_bytes;      /**< what the target says that software keeps for itself */
  const char *why;           /**< it is unknown; NULL = it is not */
} hwest_memory_need;

/** Something the library has to say beside its figures. Strings live as long as the handle of the table, in a log
 * callback as long as the call. */
typedef struct hwest_diagnostic {
  uint32_t struct_size;  /**< sizeof this struct */
  int32_t severity;      /**< HWEST_SEVERITY_*: how grave it is */
  const char *code;      /**< stable word, see `onnx-hwest describe codes`; never NULL */
  const char *message;   /**< what was found; never NULL */
  const char *remedy;    /**< what to do about it; NULL = nothing to do */
  const char *node;      /**< the node it is about; NULL = none */
  const char *value;     /**< the value it is about; NULL = none */
} hwest_diagnostic;

/** What a model file says of itself. Strings live as long as the model. */
typedef struct hwest_model_info {
  uint32_t struct_size;    /**< sizeof this struct */
  uint32_t reserved;       /**< 0 */
  const char *name;        /**< of its graph; never NULL */
  const char *producer;    /**< program and version; never NULL */
  int64_t ir_version;      /**< of the format */
  int64_t nodes;           /**< after local functions were inlined, bodies of control flow included */
  int64_t values;          /**< inputs, weights and what nodes make */
  int64_t file_bytes;      /**< size of the file or of the bytes in memory */
  int64_t metadata_bytes;  /**< of these, what is not weights left in the file */
} hwest_model_info;

/** A set of operators the model uses. */
typedef struct hwest_opset {
  uint32_t struct_size;  /**< sizeof this struct */
  uint32_t reserved;     /**< 0 */
  const char *domain;    /**< "ai.onnx" for the default one; never NULL */
  int64_t version;       /**< of the set */
} hwest_opset;

/** One operator node. */
typedef struct hwest_node {
  uint32_t struct_size;      /**< sizeof this struct */
  int32_t node_class;        /**< HWEST_NODE_*: what it is at run time */
  int32_t origin;            /**< HWEST_ORIGIN_*: the node in PyTorch's terms */
  uint32_t reserved;         /**< 0 */
  int64_t id;                /**< = index of the row */
  const char *name;          /**< as in the file; may be ""; never NULL */
  const char *label;         /**< for people; never ""; never NULL */
  const char *domain;        /**< "ai.onnx" for the default one; never NULL */
  const char *op;            /**< operator, e.g. "Conv"; never NULL */
  int64_t since;             /**< version of the operator; -1 = unknown */
  const char *module;        /**< path of its module; NULL = unknown */
  int64_t graph;             /**< 0 = the main graph, else a body of control flow */
  const uint32_t *inputs;    /**< ids of values; HWEST_NO_ID = absent */
  uint64_t input_count;      /**< length of `inputs` */
  const uint32_t *outputs;   /**< ids of values; HWEST_NO_ID = absent */
  uint64_t output_count;     /**< length of `outputs` */
  hwest_count macs;          /**< of one inference, as the next ones */
  hwest_count int_macs;      /**< the part of macs whose operands are integer */
  hwest_count causal_macs;   /**< macs without what a causal mask hides; unknown also when it is not causal */
  hwest_count flops;         /**< 2 * macs + other float operations */
  hwest_count params;        /**< elements of the weights it reads */
  hwest_count in_bytes;      /**< as the file types it, as the next two */
  hwest_count weight_bytes;  /**< constants read */
  hwest_count out_bytes;     /**< written */
  int64_t group;             /**< that it is in; -1 = none */
  const char *unit;          /**< that runs it; NULL = none does */
  double intensity;          /**< flops per byte read or written; NaN = no traffic, or formulas */
  const char *reading;       /**< what compilers read it as, with the reason; NULL = as it is written */
  double measured_s;         /**< time that a measured profile has of its group, where it stands for the group; of other
                                  members 0; NaN = the group is not measured alone */
} hwest_node;

/** A value: an input, an output, a weight, or what a node makes. */
typedef struct hwest_value {
  uint32_t struct_size;     /**< sizeof this struct */
  int32_t kind;             /**< HWEST_VALUE_*: what it holds */
  uint32_t flags;           /**< HWEST_VALUE_IS_* */
  uint32_t reserved;        /**< 0 */
  const char *name;         /**< as in the file; never NULL */
  const char *dtype;        /**< of its elements, e.g. "float16"; NULL = unknown */
  int64_t rank;             /**< length of `dims`; -1 = unknown */
  const hwest_count *dims;  /**< sizes by axis; NULL when the rank is 0 or unknown */
  const char *contents;     /**< known elements in row-major order, e.g. "[1, batch, 64]"; NULL = not known */
  int64_t id;               /**< = index of its row among all values */
  int64_t producer;         /**< id of the node that makes it; -1 = none does */
  int64_t graph;            /**< 0 = the main graph, else a body of control flow */
  int64_t blocked_by;       /**< id of the node where its type or shape was lost; -1 = nothing was */
} hwest_value;

/** A size that is no number yet. */
typedef struct hwest_symbol {
  uint32_t struct_size;       /**< sizeof this struct */
  int32_t is_data_dependent;  /**< decided by contents of tensors, hence never free to bind, 1 or 0 */
  const char *name;           /**< as expressions write it and hwest_options.dims takes it; never NULL */
  const char *text;           /**< as the file writes it; never NULL */
  int64_t min;                /**< smallest value */
  hwest_count max;            /**< largest value; unknown = no bound is known */
  int64_t assumed;            /**< typical or stated value of a data-dependent size, at which figures are; -1 = none */
  const char *cause;          /**< node that made it; NULL = the file names it */
} hwest_symbol;

/** A change that may help, and the whole model with it in place. Lists end in NULL. */
typedef struct hwest_change {
  uint32_t struct_size;        /**< sizeof this struct */
  int32_t kind;                /**< HWEST_CHANGE_*: what is changed */
  const char *change;          /**< in words; never NULL */
  const char *const *flags;    /**< of the command line, to see it */
  const char *const *edits;    /**< of the model: "OUTPUT = OP(INPUT)" */
  const char *target_text;     /**< target file to use instead; NULL = the same target, as in all changes since 0.3 */
  int64_t batch;               /**< that the change is shown at */
  double latency_s;            /**< of one inference then */
  double interval_s;           /**< between results then */
  double saving_s;             /**< for the inputs of the analysis */
  double energy_j;             /**< of one inference then; NaN = unknown */
  int32_t scope;               /**< HWEST_SCOPE_*: what it leaves as it is */
  int32_t risk;                /**< HWEST_RISK_*: what it asks of the results, beyond what the analysis assumes
                                    already */
  int32_t writes;              /**< `rewrite` writes a file with `flags` and `rewrite`, 1 or 0 */
  int32_t as_promised;         /**< the written file, read again, takes latency_s to 1e-9, 1 or 0; -1 = none is written,
                                    or it is too large to try */
  double throughput_per_s;     /**< batch / interval_s; NaN = unknown */
  const char *how;             /**< to see it, in words: the flags, "edit 3 nodes" of edits, or "another target file" of
                                    target_text; never NULL */
  const char *work;            /**< what it takes, in words; never NULL */
  double saving_low_s;         /**< least saving between both latencies at their low ends and both at their high ends */
  double saving_high_s;        /**< greatest saving between these */
  double beside_s;             /**< of a cut: what the CPU takes for what is cut off; saving_s counts it; NaN =
                                    unknown */
  const char *const *rewrite;  /**< further flags of `rewrite` */
  const char *const *inputs;   /**< of a cut: values that the model then begins with */
  const char *const *outputs;  /**< of a cut: values that the model then ends with */
  const char *const *parts;    /**< of a recipe: its changes in words */
  const char *command;         /**< that makes the change; NULL = no command does */
  const char *const *width;    /**< of another width: flags of `width`, which lists the weights to reshape */
  const char *rules_text;      /**< with `writes`: the file of --rules; NULL = no rules but the built-in ones and one's
                                    own */
  const char *precision_of;    /**< of single layers: the file of --precision-of; NULL = no such file */
} hwest_change;

/** What a language model costs at one length of the context. Intervals are those that hold 80 of 100 measurements. */
typedef struct hwest_context {
  uint32_t struct_size;       /**< sizeof this struct */
  uint32_t reserved;          /**< 0 */
  int64_t context;            /**< tokens of the prompt, and in the cache when a token is made */
  double first_token_s;       /**< the prompt in one run; NaN, as the next three, when the file fixes the tokens of a
                                   run */
  double first_token_low_s;   /**< of the interval of first_token_s; NaN = unknown */
  double first_token_high_s;  /**< of the interval of first_token_s; NaN = unknown */
  double first_token_j;       /**< energy of that run; NaN = unknown */
  double token_s;             /**< one further token */
  double token_low_s;         /**< of the interval of token_s */
  double token_high_s;        /**< of the interval of token_s */
  double tokens_per_s;        /**< 1 / token_s; NaN = unknown */
  double tokens_low_per_s;    /**< 1 / token_high_s; NaN = unknown */
  double tokens_high_per_s;   /**< 1 / token_low_s; NaN = unknown */
  double token_j;             /**< energy of one further token; NaN = unknown */
  int64_t cache_bytes;        /**< keys and values of `context` tokens, in the file's type */
  int64_t peak_memory_bytes;  /**< of making a token */
  int32_t fits;               /**< the memories of the target hold the prompt and each token, 1 or 0; -1 = sizes that
                                   are not known may decide */
  uint32_t reserved1;         /**< 0 */
  const char *runtime;        /**< of language models, whose figures these are, as `onnx-hwest llm` has them; NULL =
                                   kernel by kernel, as the target has none */
} hwest_context;

/** A node and the pattern that made its group. Strings live as long as the explanation. */
typedef struct hwest_fusion {
  uint32_t struct_size;    /**< sizeof this struct */
  uint32_t reserved;       /**< 0 */
  int64_t node;            /**< id */
  const char *pattern;     /**< NULL = nothing fused, as the next three */
  const char *words;       /**< what the pattern does; NULL = unknown */
  const char *expression;  /**< of the pattern; NULL = unknown */
  const char *source;      /**< of the pattern; NULL = unknown */
} hwest_fusion;

/** A fusion that nearly happened. Texts are "" where they do not apply. */
typedef struct hwest_miss {
  uint32_t struct_size;  /**< sizeof this struct */
  uint32_t reserved;     /**< 0 */
  const char *pattern;   /**< its name; never NULL */
  const char *node;      /**< where it failed; never NULL */
  const char *guard;     /**< what failed; never NULL */
  const char *found;     /**< what was there; never NULL */
  const char *needed;    /**< what the pattern asks for; never NULL */
  const char *edit;      /**< the smallest change that makes it match; never NULL */
} hwest_miss;

/** What one unit would make of a node or, for gN, of a group. */
typedef struct hwest_move {
  uint32_t struct_size;  /**< sizeof this struct */
  uint32_t reserved;     /**< 0 */
  const char *unit;      /**< where the node would run; never NULL */
  double time_s;         /**< of the groups that hold it there; NaN = it cannot run there */
  double latency_s;      /**< of the whole model then; NaN = unknown */
} hwest_move;

/** Errors of predictions over points: |ln(predicted / measured)| as a share. Texts are NULL where rows of different
 * ones were pooled. */
typedef struct hwest_accuracy {
  uint32_t struct_size;    /**< sizeof this struct */
  uint32_t reserved;       /**< 0 */
  const char *family;      /**< of targets; NULL = unknown */
  const char *target;      /**< that predicts; NULL = unknown */
  const char *device;      /**< as published, as the next five; NULL = unknown */
  const char *unit;        /**< as published; NULL = unknown */
  const char *runtime;     /**< as published; NULL = unknown */
  const char *mode;        /**< as published; NULL = unknown */
  const char *precision;   /**< as published; NULL = unknown */
  const char *metric;      /**< what was measured, e.g. "latency_ms"; NULL = unknown */
  int64_t devices;         /**< -1 where `device` is one */
  int64_t points;          /**< measurements behind the row */
  int64_t families;        /**< of models */
  int64_t fitted;          /**< numbers fitted to measurements behind the predictions */
  double median;           /**< of the errors; NaN = unknown */
  double p90;              /**< 90th percentile of the errors; NaN = unknown */
  double bias;             /**< median of ln(predicted / measured) as a share; NaN = unknown */
  double coverage80;       /**< share of the measured values inside the predicted interval; NaN = unknown */
  double noise;            /**< median error between two versions of one source for the same thing; NaN = unknown */
  double roofline_median;  /**< of the baselines; NaN = unknown */
  double flops_median;     /**< of the other baseline: operations over their peak; NaN = unknown */
  double spearman;         /**< of pools the least of their devices; NaN = unknown */
} hwest_accuracy;

/** A measurement and what was predicted for it, in the unit of the metric. */
typedef struct hwest_point {
  uint32_t struct_size;        /**< sizeof this struct */
  int32_t is_near;             /**< a detail of the model differs, 1 or 0; such points are in no pool */
  int64_t row;                 /**< of the file, from 1, the header not counted */
  const char *target;          /**< that predicts; never NULL */
  const char *model;           /**< file name without ".onnx"; never NULL */
  const char *family;          /**< of the model; never NULL */
  const char *device;          /**< as published, as the next four; never NULL */
  const char *unit;            /**< as published; never NULL */
  const char *runtime;         /**< as published; never NULL */
  const char *precision;       /**< as published; never NULL */
  const char *metric;          /**< what was measured, e.g. "latency_ms"; never NULL */
  double measured;             /**< as published */
  double predicted;            /**< by `target` */
  double low;                  /**< of the prediction interval */
  double high;                 /**< of the prediction interval */
  const char *fold;            /**< what the target was fitted without; NULL = nothing was fitted */
  const char *mode;            /**< power mode of the target; "" = its default; never NULL */
  double roofline;             /**< the roofline baseline; NaN = unknown */
  double flops;                /**< the other baseline: operations over their peak; NaN = unknown */
  int32_t fits;                /**< the memories of the target hold the model, as they did when it ran, 1 or 0; -1 = not
                                    known */
  uint32_t reserved;           /**< 0 */
  const char *bind;            /**< dims that were bound, as written; "" = none; never NULL */
  const char *batch;           /**< inputs per run, as written; "" = as exported; never NULL */
  const char *source;          /**< of the measurement; NULL = unknown */
  const char *source_version;  /**< of the source; NULL = unknown */
  double evidence_share;       /**< of the time, in operators and shapes that calibration covers; NaN = not
                                    calibrated */
  const char *time_in;         /**< where the time goes, e.g. "conv.l=0.62,Softmax.m=0.2", most first; never NULL */
} hwest_point;

/** Rows of the file that were passed over. */
typedef struct hwest_skipped {
  uint32_t struct_size;  /**< sizeof this struct */
  uint32_t reserved;     /**< 0 */
  const char *reason;    /**< why; never NULL */
  int64_t count;         /**< rows */
} hwest_skipped;

/** One fitted figure. */
typedef struct hwest_fit {
  uint32_t struct_size;   /**< sizeof this struct */
  uint32_t reserved;      /**< 0 */
  const char *target;     /**< NULL = all of the family share it */
  const char *path;       /**< its place in the target file; never NULL */
  double prior;           /**< where the search began */
  double min;             /**< lower bound of the search */
  double max;             /**< upper bound of the search */
  double value;           /**< that was found */
  double spread;          /**< standard deviation of ln(value) */
  int64_t count;          /**< measurements behind it */
  const char *data;       /**< what it was found from; never NULL */
  const char *shared_by;  /**< targets or units that share the value; NULL = its own */
} hwest_fit;

/** A node that both a compiler's log and the plan put on a unit. */
typedef struct hwest_log_node {
  uint32_t struct_size;  /**< sizeof this struct */
  int32_t agrees;        /**< both are of one kind: a CPU, a GPU, or another accelerator, 1 or 0 */
  int32_t evidence;      /**< HWEST_EVIDENCE_*: how that is known; HWEST_EVIDENCE_UNKNOWN = unknown */
  uint32_t reserved;     /**< 0 */
  int64_t node;          /**< id */
  const char *label;     /**< of the node; never NULL */
  const char *op;        /**< its operator; never NULL */
  const char *log_unit;  /**< where the compiler puts it, as the log writes it; never NULL */
  const char *unit;      /**< where the plan puts it; never NULL */
  const char *kernel;    /**< as the log writes it; NULL = the log does not name the node */
  const char *type;      /**< of the kernel; NULL = the log does not say */
  const char *reason;    /**< why the compiler's accelerator does not run it; NULL = the log does not say */
  const char *refusal;   /**< why this program's accelerators do not, with its source; NULL = one could */
} hwest_log_node;

/** A compiler's log beside the plan. */
typedef struct hwest_log_totals {
  uint32_t struct_size;   /**< sizeof this struct */
  uint32_t reserved;      /**< 0 */
  const char *program;    /**< that wrote the log; never NULL */
  const char *format;     /**< of the log; never NULL */
  int64_t nodes;          /**< that both put on a unit */
  int64_t agree;          /**< of them, on units of one kind */
  double agree_share;     /**< agree over nodes; NaN = there are none */
  int64_t unnamed;        /**< nodes on a unit of the plan that the log puts nowhere, such as folded ones */
  int64_t unmatched;      /**< kernels of the log that name no node, such as copies */
  int64_t log_kernels;    /**< of the log that name nodes; -1 = it knows no kernels, as the next four */
  int64_t plan_groups;    /**< of the plan that hold such nodes; -1 = unknown */
  int64_t edges;          /**< of the graph between such nodes; -1 = unknown */
  int64_t edges_agree;    /**< inside one kernel of the log and one group of the plan, or in neither; -1 = unknown */
  double edges_share;     /**< edges_agree over edges; NaN = unknown */
  int64_t log_segments;   /**< pieces of accelerators in the log; -1 = it does not say, as the next one */
  int64_t plan_segments;  /**< in the plan; -1 = unknown */
} hwest_log_totals;

/** A target in a few words. Lists end in NULL. Strings live as long as the handle it came from. */
typedef struct hwest_target_info {
  uint32_t struct_size;           /**< sizeof this struct */
  uint32_t reserved;              /**< 0 */
  const char *name;               /**< full name; never NULL */
  const char *const *aliases;     /**< other names of it */
  const char *base;               /**< target it is derived from; NULL = none */
  const char *family;             /**< NULL = none */
  const char *summary;            /**< in a line; never NULL */
  const char *const *units;       /**< names of its engines */
  const char *const *modes;       /**< power modes */
  const char *default_mode;       /**< NULL = it has no modes */
  const char *precision;          /**< that float graphs run at on its main unit; NULL = as the file */
  const char *const *toolchains;  /**< that compile for its units */
  int64_t facts;                  /**< figures with a value that an estimate reads */
  int64_t estimated;              /**< of these, engineering estimates */
  int64_t fitted;                 /**< of these, fitted to measurements */
  int32_t grade;                  /**< HWEST_GRADE_*: how far the figures of its main unit can be trusted */
  uint32_t reserved1;             /**< 0 */
} hwest_target_info;

/** An engine of a target, in its default power mode. */
typedef struct hwest_target_unit {
  uint32_t struct_size;   /**< sizeof this struct */
  int32_t kind;           /**< HWEST_UNIT_*: what it is */
  uint32_t flags;         /**< HWEST_UNIT_IS_* */
  uint32_t reserved;      /**< 0 */
  const char *name;       /**< as the target calls it; never NULL */
  const char *toolchain;  /**< that compiles for it; NULL = none is stated */
  const char *precision;  /**< that float graphs run at; NULL = as the file */
  const char *memory;     /**< the shared one; NULL = none */
  int64_t instances;      /**< equal engines that work on one inference together */
  int64_t cores;          /**< of one instance */
  double clock_hz;        /**< in the default power mode; NaN = unknown */
  double macs_per_s;      /**< dense peak of contractions at `precision`, all instances; NaN = unknown */
  double bytes_per_s;     /**< peak of the shared memory; NaN = unknown */
  double launch_s;        /**< for each group; NaN = unknown */
  double invoke_s;        /**< for each segment; NaN = unknown */
  double static_w;        /**< while powered, work or not; NaN = unknown */
} hwest_target_unit;

/** A power mode of a target. */
typedef struct hwest_target_mode {
  uint32_t struct_size;  /**< sizeof this struct */
  int32_t is_default;    /**< the one that runs without a choice, 1 or 0 */
  const char *name;      /**< as the target calls it; never NULL */
  double cap_w;          /**< NaN = none stated */
} hwest_target_mode;

/** One figure of a target. */
typedef struct hwest_fact {
  uint32_t struct_size;          /**< sizeof this struct */
  int32_t trust;                 /**< HWEST_TRUST_*: where it comes from; HWEST_TRUST_UNKNOWN = unknown */
  const char *path;              /**< its place in the file, e.g. "unit/gpu/clock_hz"; never NULL */
  double value;                  /**< that is computed with: the fitted one if there is one, else the stated one */
  const char *unit;              /**< "Hz", "B/s", "s", "J", "W", "B" or "1/cycle"; NULL = a plain number */
  const char *source;            /**< title of the source; never NULL */
  const char *note;              /**< NULL = none */
  double stated;                 /**< NaN = none */
  double fitted;                 /**< NaN = not fitted */
  double fitted_spread;          /**< standard deviation of ln(fitted); NaN = unknown */
  int64_t fitted_count;          /**< measurements behind it; -1 = not fitted */
  const char *fitted_data;       /**< which; NULL = not fitted */
  const char *fitted_shared_by;  /**< targets or units that share the value; NULL = its own */
  int32_t is_read;               /**< an estimate reads it, 1 or 0 */
  uint32_t reserved;             /**< 0 */
  double min;                    /**< least credible value; NaN = none stated */
  double max;                    /**< greatest credible value; NaN = none stated */
} hwest_fact;

/** One problem of a target file. */
typedef struct hwest_problem {
  uint32_t struct_size;  /**< sizeof this struct */
  int32_t severity;      /**< HWEST_SEVERITY_*: an error, or a warning for a figure that is not credible */
  int64_t line;          /**< from 1; 0 = not known */
  const char *path;      /**< of the field; NULL = the text does not parse */
  const char *message;   /**< what is wrong; never NULL */
  const char *remedy;    /**< what to do about it; never NULL */
} hwest_problem;

/** A task of a workload: a model that runs again and again beside others. */
typedef struct hwest_workload_task {
  uint32_t struct_size;      /**< sizeof this struct */
  int32_t incomplete;        /**< some task has such groups: times are at least, rates at most what stands here, 1 or
                                  0 */
  const char *name;          /**< of the file; never NULL */
  const char *model;         /**< path as written; NULL = the task states its time */
  const char *precision;     /**< as run; NULL = unknown */
  int64_t batch;             /**< inputs of one job */
  double rate_per_s;         /**< inputs per second as asked for, chances counted; NaN = back to back */
  double reached_per_s;      /**< inputs per second in the simulation */
  double deadline_s;         /**< from the release of a job to its end; NaN = none */
  int64_t priority;          /**< 0 is the highest, 5 that of a task without one */
  const char *const *units;  /**< where its time alone is spent: "gpu=0.85" */
  double alone_s;            /**< a job with the chip to itself */
  int64_t unknown_groups;    /**< without a known time, which no figure has in it */
  double response_mean_s;    /**< from release to end, of the jobs that were counted; NaN = unknown */
  double response_worst_s;   /**< the longest one of all simulated jobs; NaN = unknown */
  double response_bound_s;   /**< none is longer while estimates stay inside their intervals; NaN = no finite one, or
                                  incomplete */
  double margin_s;           /**< deadline_s - response_worst_s; NaN when incomplete */
  double missed_per_s;       /**< jobs that end late or find the queue full */
  double max_rate_per_s;     /**< the largest rate at which no task does worse than now, of a missed one by any of its
                                  plans; NaN = none, or incomplete */
  double age_s;              /**< longest from the release of the first task of its chain to its own end; NaN =
                                  unknown */
  double energy_j;           /**< of one job, beside what the chip draws anyway; NaN = unknown */
  const char *verdict;       /**< "holds" (the bound keeps the deadline), "simulated" (the simulation does) or "missed";
                                  never NULL */
  const char *reason;        /**< why it is missed; NULL = unknown */
} hwest_workload_task;

/** A unit and who keeps it busy. */
typedef struct hwest_workload_unit {
  uint32_t struct_size;        /**< sizeof this struct */
  uint32_t reserved;           /**< 0 */
  const char *name;            /**< of the unit; never NULL */
  const char *policy;          /**< how it chooses what to run: "FIFO", "PRIORITY" or "ROUND_ROBIN"; never NULL */
  const char *runs;            /**< when it gives way, in words; never NULL */
  int64_t servers;             /**< jobs that run at a time */
  double busy_share;           /**< of its time, in the simulation */
  const char *const *by_task;  /**< of its time, by task and load: "detect=0.42" */
  double asked_share;          /**< of its time, as the rates ask for if each task ran alone; above 1 = more than there
                                    is */
} hwest_workload_unit;

/** What a task or a load asks of the memory. */
typedef struct hwest_workload_traffic {
  uint32_t struct_size;     /**< sizeof this struct */
  uint32_t reserved;        /**< 0 */
  const char *task;         /**< of the task or the load; never NULL */
  double mean_bytes_per_s;  /**< over the shared memory */
  double peak_bytes_per_s;  /**< the same over its busiest millisecond */
  int64_t bytes;            /**< weights and activations, and 0 of a load */
} hwest_workload_traffic;

/** What one task does to another. */
typedef struct hwest_workload_slowdown {
  uint32_t struct_size;  /**< sizeof this struct */
  uint32_t reserved;     /**< 0 */
  const char *task;      /**< that is slowed; never NULL */
  const char *by;        /**< the task that slows it; never NULL */
  double factor;         /**< mean response over that with the other one taking no time; NaN = unknown */
} hwest_workload_slowdown;

/** A stretch of one job on one unit. */
typedef struct hwest_workload_segment {
  uint32_t struct_size;  /**< sizeof this struct */
  uint32_t reserved;     /**< 0 */
  const char *task;      /**< whose job it is, or the load; never NULL */
  int64_t job;           /**< counted from 0 */
  const char *unit;      /**< "to dla0" = a transfer there; never NULL */
  double start_s;        /**< since the first release */
  double end_s;          /**< since the first release */
} hwest_workload_segment;

/** A change to the file after which a missed task is not missed, and no other does worse. */
typedef struct hwest_workload_fix {
  uint32_t struct_size;     /**< sizeof this struct */
  uint32_t reserved;        /**< 0 */
  const char *task;         /**< that it is for; never NULL */
  const char *kind;         /**< "rate", "precision", "units", "mode" or "batch"; never NULL */
  const char *change;       /**< as to be written in place of what the task has, a mode of what the file has; never
                                 NULL */
  const char *verdict;      /**< of the task then; never NULL */
  double response_worst_s;  /**< of the task then; NaN = unknown */
  double response_bound_s;  /**< of the task then; NaN = no finite one */
} hwest_workload_fix;

/** The whole chip under a workload. */
typedef struct hwest_workload_total {
  uint32_t struct_size;         /**< sizeof this struct */
  int32_t fits;                 /**< the memories of the chip hold all tasks together, 1 or 0; -1 = sizes that are not
                                     known may decide */
  int64_t tasks;                /**< of the file */
  int64_t missed;               /**< tasks whose verdict is "missed" */
  double hyperperiod_s;         /**< after which releases repeat; NaN = nothing is periodic, or too long a one */
  double simulated_s;           /**< from the critical instant on */
  int64_t jobs;                 /**< that ended in all simulations */
  double energy_j_per_s;        /**< average power; NaN = unknown */
  double cap_w;                 /**< power that the mode allows; NaN = unknown */
  int64_t peak_memory_bytes;    /**< weights and activations of all tasks */
  double mean_bytes_per_s;      /**< over the shared memory, loads included */
  double peak_bytes_per_s;      /**< the same over the busiest millisecond */
  double capacity_bytes_per_s;  /**< the most that a unit gets of it; NaN = unknown */
  double reached_per_s;         /**< inputs of all tasks together, in the simulation */
  const char *power_of;         /**< what energy_j_per_s and cap_w cover; NULL = not stated */
} hwest_workload_total;

/** A comparison as a whole. */
typedef struct hwest_diff_info {
  uint32_t struct_size;     /**< sizeof this struct */
  int32_t same;             /**< nothing differs, 1 or 0 */
  double segments_delta_s;  /**< of transfers and invocations; with delta_s of all nodes the difference of the
                                 latencies */
  const char *model_a;      /**< of the first side; never NULL */
  const char *target_a;     /**< of the first side; NULL = unknown */
  const char *mode_a;       /**< of the first side; NULL = the target has none */
  const char *precision_a;  /**< of the first side; NULL = unknown */
  const char *model_b;      /**< of the second side; never NULL */
  const char *target_b;     /**< of the second side; NULL = unknown */
  const char *mode_b;       /**< of the second side; NULL = the target has none */
  const char *precision_b;  /**< of the second side; NULL = unknown */
} hwest_diff_info;

/** A figure of both summaries. */
typedef struct hwest_diff_total {
  uint32_t struct_size;  /**< sizeof this struct */
  uint32_t reserved;     /**< 0 */
  const char *key;       /**< of the summary; never NULL */
  double a;              /**< of the first side; NaN = unknown */
  double b;              /**< of the second side; NaN = unknown */
  double delta;          /**< b - a; NaN = a side leaves nodes out */
  double share;          /**< delta over a; NaN = unknown */
} hwest_diff_total;

/** A module whose time differs. */
typedef struct hwest_diff_module {
  uint32_t struct_size;  /**< sizeof this struct */
  uint32_t reserved;     /**< 0 */
  const char *path;      /**< of the module; never NULL */
  double a_s;            /**< of the first side; NaN = not there, or unknown */
  double b_s;            /**< of the second side; NaN = not there, or unknown */
  double delta_s;        /**< what is not there takes 0 s; NaN = unknown */
} hwest_diff_module;

/** A node that differs. */
typedef struct hwest_diff_node {
  uint32_t struct_size;     /**< sizeof this struct */
  uint32_t reserved;        /**< 0 */
  const char *change;       /**< "removed", "added", "changed", "moved" (another unit) or "fused" (another kind of
                                 group); never NULL */
  int64_t a;                /**< its id on the first side; -1 = added */
  int64_t b;                /**< its id on the second side; -1 = removed */
  const char *op;           /**< with its domain, unless that is the default one; never NULL */
  const char *name_a;       /**< its name on the first side; NULL = none */
  const char *name_b;       /**< its name on the second side; NULL = none */
  const char *const *what;  /**< each thing that differs: "attribute strides: [1, 1] -> [2, 2]" */
  double delta_s;           /**< of its group, at the group's root, and 0 elsewhere; NaN = unknown */
} hwest_diff_node;

/** A limit and what became of it. */
typedef struct hwest_check_line {
  uint32_t struct_size;     /**< sizeof this struct */
  int32_t fits;             /**< the memories of the target hold the model, 1 or 0; -1 = sizes that are not known may
                                 decide */
  const char *model;        /**< as written; never NULL */
  const char *target;       /**< in force; never NULL */
  const char *mode;         /**< in force; NULL = the target has none */
  const char *precision;    /**< in force; never NULL */
  int64_t batch;            /**< inputs of one run */
  const char *figure;       /**< "latency", "rate", "energy", "power", "peak_memory", "fallback", ...; never NULL */
  double limit;             /**< in s, 1/s, J, W, bytes, a count or a share, as the next four */
  const char *judge;        /**< "point", "upper" (the worse end of the interval) or "interval" (both ends); never
                                 NULL */
  double value;             /**< the estimate, or what is known of it; NaN = unknown */
  double low;               /**< lower end of its interval; NaN = unknown */
  double high;              /**< upper end of its interval; NaN = unknown */
  double margin;            /**< room that is left; below 0 = over; NaN = unknown */
  const char *verdict;      /**< "ok", "over", "undecided" (judged by both ends, the limit lies between them) or
                                 "unknown"; never NULL */
  const char *why;          /**< the figure is unknown, which nodes or memory a broken limit is about; NULL = neither */
  const char *const *help;  /**< the most expensive groups, and the change that would mend it */
  const char *file;         /**< of the budget; NULL = the limit is in none */
  int64_t line;             /**< of the budget; -1 = the limit is in none, or in one of JSON */
  double probability;       /**< that the limit holds, by the interval; NaN = the figure has none */
} hwest_check_line;

/** How many limits hold. */
typedef struct hwest_check_total {
  uint32_t struct_size;  /**< sizeof this struct */
  uint32_t reserved;     /**< 0 */
  const char *verdict;   /**< the worst of the limits: "over", "unknown", "undecided", "ok"; never NULL */
  int64_t checks;        /**< models on their targets */
  int64_t limits;        /**< of all checks */
  int64_t over;          /**< limits that are broken */
  int64_t undecided;     /**< limits judged by both ends that lie between them */
  int64_t unknown;       /**< limits whose figure is not known */
} hwest_check_total;

/** A point of a sweep: what it gave, or why it gave nothing. */
typedef struct hwest_sweep_row {
  uint32_t struct_size;           /**< sizeof this struct */
  int32_t rewritten;              /**< the figures are those after the rewrites that help, 1 or 0 */
  int32_t fits;                   /**< the memories of the target hold weights, activations and caches, 1 or 0; -1 = no
                                       target, or sizes that are not known may decide */
  int32_t runtime_fits;           /**< the target holds those, 1 or 0; -1 = its memory is not known */
  int32_t pareto;                 /**< no other row of the same work beats it in figures of kernels, 1 or 0; -1 = it
                                       cannot be compared, or is one of a range */
  uint32_t reserved;              /**< 0 */
  const char *model;              /**< as it was named; never NULL */
  const char *sha256;             /**< of the graph without weights; NULL = there is none, or it could not be read */
  const char *target;             /**< its name; never NULL */
  const char *mode;               /**< in force; NULL = the target has none, or of a failed point that none was asked
                                       for */
  const char *precision;          /**< in force; NULL = of a failed point, that none was asked for */
  int64_t batch;                  /**< inputs of one run; -1 = of a failed point, that none was asked for */
  const char *dims;               /**< sizes that were asked for and that the model has: "seq=128"; NULL = none */
  int64_t size;                   /**< height and width of images that were asked for; -1 = none */
  const char *status;             /**< "ok" or "error"; never NULL */
  const char *code;               /**< of the error, "does_not_fit": the figures need more memory than there is, or
                                       "incomplete": they leave nodes out; NULL = none of these */
  const char *message;            /**< of the same; NULL = none */
  double latency_s;               /**< of one inference: warm, steady clocks, without pre- and post-processing; NaN =
                                       unknown */
  double latency_low_s;           /**< of the prediction interval; NaN = unknown */
  double latency_high_s;          /**< of the prediction interval; NaN as energy_high_j and power_w where a node has no
                                       time: the other figures are bounds then */
  double interval_s;              /**< between results when inferences follow each other; NaN = unknown */
  double throughput_per_s;        /**< batch / interval_s; NaN = unknown */
  double energy_j;                /**< of one inference; NaN = unknown */
  double power_w;                 /**< energy_j / interval_s; NaN = unknown */
  int64_t peak_memory_bytes;      /**< deployed weights + largest sum of live activations + what their addresses leave
                                       unused, data-dependent sizes at their upper bound; -1 = unknown */
  hwest_count macs;               /**< multiply-accumulates of contractions */
  hwest_count flops;              /**< 2 * macs + other float operations */
  int64_t moved_bytes;            /**< read and written by all groups, before residency; -1 = unknown */
  double intensity;               /**< flops per moved byte; NaN = unknown */
  int64_t segments;               /**< runs of groups on one unit; -1 = unknown */
  double accelerated_macs_share;  /**< of the MACs that units other than CPUs run; NaN = unknown, or there are no
                                       MACs */
  const char *grade;              /**< how far the figures can be trusted: "measured", "family", "datasheet" or
                                       "assumed"; NULL = unknown */
  int64_t groups;                 /**< kernels: the more nodes are fused, the fewer; -1 = unknown */
  const char *units;              /**< share of the time by unit: "gpu=0.85;cpu=0.15"; NULL = unknown */
  double energy_per_input_j;      /**< energy_j over batch: beside throughput_per_s what compares batches; NaN =
                                       unknown */
  int64_t params;                 /**< elements of distinct weight tensors; -1 = unknown */
  int64_t nodes;                  /**< after inlining; -1 = unknown */
  int64_t dram_bytes;             /**< that cross the shared memory in one inference: the sum over the groups; -1 = of
                                       some group unknown */
  double utilisation;             /**< share of latency_s that the MACs would take at the dense peak of the units that
                                       run them; NaN = of some group unknown */
  int64_t onchip_bytes;           /**< the same over the memories on the chip; -1 = unknown */
  double dram_intensity;          /**< flops per byte that crosses the shared memory; NaN = none does, or counts
                                       unknown */
  const char *bounds;             /**< share of latency_s by what bounds it:
                                       "compute=0.56;memory=0;overhead=0.19;transfer=0; balanced=0.25"; NULL = some time
                                       is unknown */
  const char *set;                /**< figures of the target that the point states anew:
                                       "npu.rows=64;sram.size=2097152"; NULL = none */
  const char *runtime;            /**< of a language model: that runs it on the target, as the next ones `llm` has them
                                       without a flag; NULL = the row is of kernels alone */
  const char *weights;            /**< format that the runtime runs, by its name; NULL = unknown */
  const char *kv;                 /**< likewise of keys and values in the cache; NULL = unknown */
  int64_t prompt;                 /**< tokens of the prompt; -1 = unknown */
  int64_t context;                /**< tokens in the cache when a token is timed; -1 = unknown */
  double ttft_s;                  /**< time to the first token; NaN = unknown */
  double ttft_low_s;              /**< ttft_low_s to ttft_high_s holds four of five measurements; NaN = unknown */
  double ttft_high_s;             /**< see ttft_low_s; NaN = unknown */
  double tokens_per_s;            /**< of each request of the batch; NaN = unknown */
  double tokens_per_s_low;        /**< tokens_per_s_low to tokens_per_s_high holds four of five measurements; NaN =
                                       unknown */
  double tokens_per_s_high;       /**< see tokens_per_s_low; NaN = unknown */
  double energy_per_token_j;      /**< of what the target's power covers; NaN = unknown */
  int64_t runtime_memory_bytes;   /**< of weights, cache and work space with the runtime; -1 = unknown */
  int64_t max_context;            /**< tokens, the most that fit with the runtime; -1 = unknown */
} hwest_sweep_row;

/** A board, with the mode, precision and batch in which it holds the streams at least power; of boards that do not hold
 * them, those of the most streams. */
typedef struct hwest_board {
  uint32_t struct_size;     /**< sizeof this struct */
  int32_t holds;            /**< the streams that were asked for, or any, 1 or 0; -1 = not known */
  int32_t at_least;         /**< more streams were not tried, 1 or 0 */
  uint32_t reserved;        /**< 0 */
  const char *target;       /**< its name; never NULL */
  const char *mode;         /**< power mode; NULL = it has none */
  const char *precision;    /**< as run; NULL = it runs nothing */
  int64_t batch;            /**< streams whose frames run together */
  int64_t streams;          /**< that it holds in this mode, precision and batch */
  int64_t shown;            /**< streams that the figures of this row are of: as many as asked for, else as it holds */
  const char *verdict;      /**< of these: "holds" (the bound keeps every deadline) or "simulated"; NULL = it holds
                                 none */
  const char *runs_on;      /**< units, e.g. "npu, cpu"; NULL = unknown */
  double power_w;           /**< on average, at most what the mode allows; NaN = unknown */
  const char *power_of;     /**< what that covers; NULL = unknown */
  double price;             /**< as the list of prices has it; NaN = unknown */
  double headroom;          /**< share that is left of what is used most; NaN = unknown */
  const char *busiest;      /**< what is used most: a unit, "bandwidth", a codec, "power"; NULL = unknown */
  double response_worst_s;  /**< longest one of any task in the simulation; NaN = unknown */
  double response_bound_s;  /**< none is longer while estimates stay inside their intervals; NaN = no finite one */
  const char *first_limit;  /**< what gives way with one stream more, or keeps the board from holding them: "unit",
                                 "bandwidth", "memory", "deadline", "power", "decode", "support", "unknown"; NULL =
                                 nothing up to as many as were tried */
  const char *reason;       /**< the same in words; NULL = unknown */
  const char *workload;     /**< file of `onnx-hwest workload` with the streams that are shown; NULL = unknown */
} hwest_board;

/** One row per kernel, in execution order; empty without a target. */
HWEST_API uint64_t hwest_analysis_group_count(const hwest_analysis *analysis);
/** One of them. */
HWEST_API hwest_status hwest_analysis_group_get(const hwest_analysis *analysis, uint64_t index, hwest_group *row);
/** Several of them. */
HWEST_API hwest_status hwest_analysis_group_read(const hwest_analysis *analysis, uint64_t first, uint64_t count,
                                                 hwest_group *rows, size_t stride);

/** Bytes that each memory of its unit gives and takes, for every group, the nearest to the unit first; empty without a
 * target. */
HWEST_API uint64_t hwest_analysis_traffic_count(const hwest_analysis *analysis);
/** One of them. */
HWEST_API hwest_status hwest_analysis_traffic_get(const hwest_analysis *analysis, uint64_t index, hwest_traffic *row);
/** Several of them. */
HWEST_API hwest_status hwest_analysis_traffic_read(const hwest_analysis *analysis, uint64_t first, uint64_t count,
                                                   hwest_traffic *rows, size_t stride);

/** Kernels of the measured profile that the request had, and the groups that each is about; empty without one. */
HWEST_API uint64_t hwest_analysis_measured_count(const hwest_analysis *analysis);
/** One of them. */
HWEST_API hwest_status hwest_analysis_measured_get(const hwest_analysis *analysis, uint64_t index,
                                                   hwest_measured_entry *row);
/** Several of them. */
HWEST_API hwest_status hwest_analysis_measured_read(const hwest_analysis *analysis, uint64_t first, uint64_t count,
                                                    hwest_measured_entry *rows, size_t stride);

/** Runs of groups on one unit, in execution order. */
HWEST_API uint64_t hwest_analysis_segment_count(const hwest_analysis *analysis);
/** One of them. */
HWEST_API hwest_status hwest_analysis_segment_get(const hwest_analysis *analysis, uint64_t index, hwest_segment *row);
/** Several of them. */
HWEST_API hwest_status hwest_analysis_segment_read(const hwest_analysis *analysis, uint64_t first, uint64_t count,
                                                   hwest_segment *rows, size_t stride);

/** Engines of the target and what each does, in its order. */
HWEST_API uint64_t hwest_analysis_unit_count(const hwest_analysis *analysis);
/** One of them. */
HWEST_API hwest_status hwest_analysis_unit_get(const hwest_analysis *analysis, uint64_t index, hwest_unit *row);
/** Several of them. */
HWEST_API hwest_status hwest_analysis_unit_read(const hwest_analysis *analysis, uint64_t first, uint64_t count,
                                                hwest_unit *rows, size_t stride);

/** The latency split by what it is bound by, with every bound but unknown; empty without a target. */
HWEST_API uint64_t hwest_analysis_bound_count(const hwest_analysis *analysis);
/** One of them. */
HWEST_API hwest_status hwest_analysis_bound_get(const hwest_analysis *analysis, uint64_t index, hwest_bound_total *row);
/** Several of them. */
HWEST_API hwest_status hwest_analysis_bound_read(const hwest_analysis *analysis, uint64_t first, uint64_t count,
                                                 hwest_bound_total *rows, size_t stride);

/** Modules of the source program; a parent comes before its children. */
HWEST_API uint64_t hwest_analysis_module_count(const hwest_analysis *analysis);
/** One of them. */
HWEST_API hwest_status hwest_analysis_module_get(const hwest_analysis *analysis, uint64_t index, hwest_module *row);
/** Several of them. */
HWEST_API hwest_status hwest_analysis_module_read(const hwest_analysis *analysis, uint64_t first, uint64_t count,
                                                  hwest_module *rows, size_t stride);

/** Every kernel on every unit: whether it runs there, and which limit refuses it; by node and then unit, empty without
 * a target. */
HWEST_API uint64_t hwest_analysis_support_count(const hwest_analysis *analysis);
/** One of them. */
HWEST_API hwest_status hwest_analysis_support_get(const hwest_analysis *analysis, uint64_t index, hwest_support *row);
/** Several of them. */
HWEST_API hwest_status hwest_analysis_support_read(const hwest_analysis *analysis, uint64_t first, uint64_t count,
                                                   hwest_support *rows, size_t stride);

/** By unit, the reasons for most nodes first. */
HWEST_API uint64_t hwest_refusals_row_count(const hwest_refusals *refusals);
/** One of them. */
HWEST_API hwest_status hwest_refusals_row_get(const hwest_refusals *refusals, uint64_t index, hwest_refusal *row);
/** Several of them. */
HWEST_API hwest_status hwest_refusals_row_read(const hwest_refusals *refusals, uint64_t first, uint64_t count,
                                               hwest_refusal *rows, size_t stride);

/** Intervals of one inference; those of no length are left out. */
HWEST_API uint64_t hwest_analysis_event_count(const hwest_analysis *analysis);
/** One of them. */
HWEST_API hwest_status hwest_analysis_event_get(const hwest_analysis *analysis, uint64_t index, hwest_event *row);
/** Several of them. */
HWEST_API hwest_status hwest_analysis_event_read(const hwest_analysis *analysis, uint64_t first, uint64_t count,
                                                 hwest_event *rows, size_t stride);

/** When each activation is in memory, by value. */
HWEST_API uint64_t hwest_analysis_lifetime_count(const hwest_analysis *analysis);
/** One of them. */
HWEST_API hwest_status hwest_analysis_lifetime_get(const hwest_analysis *analysis, uint64_t index, hwest_lifetime *row);
/** Several of them. */
HWEST_API hwest_status hwest_analysis_lifetime_read(const hwest_analysis *analysis, uint64_t first, uint64_t count,
                                                    hwest_lifetime *rows, size_t stride);

/** Totals of the whole graph.
 * @param[in,out] totals  the caller sets struct_size; after success it holds the number of bytes filled. */
HWEST_API hwest_status hwest_analysis_totals(const hwest_analysis *analysis, hwest_totals *totals);

/** What each memory that the plan uses has to hold; empty without a target. */
HWEST_API uint64_t hwest_analysis_memory_need_count(const hwest_analysis *analysis);
/** One of them. */
HWEST_API hwest_status hwest_analysis_memory_need_get(const hwest_analysis *analysis, uint64_t index,
                                                      hwest_memory_need *row);
/** Several of them. */
HWEST_API hwest_status hwest_analysis_memory_need_read(const hwest_analysis *analysis, uint64_t first, uint64_t count,
                                                       hwest_memory_need *rows, size_t stride);

/** What reading the model had to say. */
HWEST_API uint64_t hwest_model_diagnostic_count(const hwest_model *model);
/** One of them. */
HWEST_API hwest_status hwest_model_diagnostic_get(const hwest_model *model, uint64_t index, hwest_diagnostic *row);
/** Several of them. */
HWEST_API hwest_status hwest_model_diagnostic_read(const hwest_model *model, uint64_t first, uint64_t count,
                                                   hwest_diagnostic *rows, size_t stride);

/** What the analysis had to say, what reading the model said included. */
HWEST_API uint64_t hwest_analysis_diagnostic_count(const hwest_analysis *analysis);
/** One of them. */
HWEST_API hwest_status hwest_analysis_diagnostic_get(const hwest_analysis *analysis, uint64_t index,
                                                     hwest_diagnostic *row);
/** Several of them. */
HWEST_API hwest_status hwest_analysis_diagnostic_read(const hwest_analysis *analysis, uint64_t first, uint64_t count,
                                                      hwest_diagnostic *rows, size_t stride);

/** What was assumed, and what is not known. */
HWEST_API uint64_t hwest_workload_diagnostic_count(const hwest_workload *workload);
/** One of them. */
HWEST_API hwest_status hwest_workload_diagnostic_get(const hwest_workload *workload, uint64_t index,
                                                     hwest_diagnostic *row);
/** Several of them. */
HWEST_API hwest_status hwest_workload_diagnostic_read(const hwest_workload *workload, uint64_t first, uint64_t count,
                                                      hwest_diagnostic *rows, size_t stride);

/** What the file says of itself.
 * @param[in,out] info  the caller sets struct_size; after success it holds the number of bytes filled. */
HWEST_API hwest_status hwest_model_describe(const hwest_model *model, hwest_model_info *info);

/** Operator sets the model uses. */
HWEST_API uint64_t hwest_model_opset_count(const hwest_model *model);
/** One of them. */
HWEST_API hwest_status hwest_model_opset_get(const hwest_model *model, uint64_t index, hwest_opset *row);
/** Several of them. */
HWEST_API hwest_status hwest_model_opset_read(const hwest_model *model, uint64_t first, uint64_t count,
                                              hwest_opset *rows, size_t stride);

/** Operator nodes, in topological order; the index is the id. */
HWEST_API uint64_t hwest_analysis_node_count(const hwest_analysis *analysis);
/** One of them. */
HWEST_API hwest_status hwest_analysis_node_get(const hwest_analysis *analysis, uint64_t index, hwest_node *row);
/** Several of them. */
HWEST_API hwest_status hwest_analysis_node_read(const hwest_analysis *analysis, uint64_t first, uint64_t count,
                                                hwest_node *rows, size_t stride);

/** Inputs of the model as the file declares them, initialisers left out. A dim that the file leaves open is a symbol
 * named INPUT.AXIS. */
HWEST_API uint64_t hwest_model_input_count(const hwest_model *model);
/** One of them. */
HWEST_API hwest_status hwest_model_input_get(const hwest_model *model, uint64_t index, hwest_value *row);
/** Several of them. */
HWEST_API hwest_status hwest_model_input_read(const hwest_model *model, uint64_t first, uint64_t count,
                                              hwest_value *rows, size_t stride);

/** Outputs as the file declares them; analyses know more. */
HWEST_API uint64_t hwest_model_output_count(const hwest_model *model);
/** One of them. */
HWEST_API hwest_status hwest_model_output_get(const hwest_model *model, uint64_t index, hwest_value *row);
/** Several of them. */
HWEST_API hwest_status hwest_model_output_read(const hwest_model *model, uint64_t first, uint64_t count,
                                               hwest_value *rows, size_t stride);

/** Inputs, weights and what nodes make; the index is the id. */
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

/** Free dims of the inputs: what hwest_options.dims or .shapes must bind before a target can be named. */
HWEST_API uint64_t hwest_model_symbol_count(const hwest_model *model);
/** One of them. */
HWEST_API hwest_status hwest_model_symbol_get(const hwest_model *model, uint64_t index, hwest_symbol *row);
/** Several of them. */
HWEST_API hwest_status hwest_model_symbol_read(const hwest_model *model, uint64_t first, uint64_t count,
                                               hwest_symbol *rows, size_t stride);

/** Symbols that formulas may name. */
HWEST_API uint64_t hwest_analysis_symbol_count(const hwest_analysis *analysis);
/** One of them. */
HWEST_API hwest_status hwest_analysis_symbol_get(const hwest_analysis *analysis, uint64_t index, hwest_symbol *row);
/** Several of them. */
HWEST_API hwest_status hwest_analysis_symbol_read(const hwest_analysis *analysis, uint64_t first, uint64_t count,
                                                  hwest_symbol *rows, size_t stride);

/** Changes that can be made, by scope, then the largest saving first. */
HWEST_API uint64_t hwest_what_if_change_count(const hwest_what_if *what_if);
/** One of them. */
HWEST_API hwest_status hwest_what_if_change_get(const hwest_what_if *what_if, uint64_t index, hwest_change *row);
/** Several of them. */
HWEST_API hwest_status hwest_what_if_change_read(const hwest_what_if *what_if, uint64_t first, uint64_t count,
                                                 hwest_change *rows, size_t stride);

/** One row per length, in the order they were asked for. */
HWEST_API uint64_t hwest_generation_context_count(const hwest_generation *generation);
/** One of them. */
HWEST_API hwest_status hwest_generation_context_get(const hwest_generation *generation, uint64_t index,
                                                    hwest_context *row);
/** Several of them. */
HWEST_API hwest_status hwest_generation_context_read(const hwest_generation *generation, uint64_t first, uint64_t count,
                                                     hwest_context *rows, size_t stride);

/** The node and the pattern that made its group.
 * @param[in,out] fusion  the caller sets struct_size; after success it holds the number of bytes filled. */
HWEST_API hwest_status hwest_explanation_fusion(const hwest_explanation *explanation, hwest_fusion *fusion);

/** Fusions that nearly happened, the largest first. */
HWEST_API uint64_t hwest_explanation_miss_count(const hwest_explanation *explanation);
/** One of them. */
HWEST_API hwest_status hwest_explanation_miss_get(const hwest_explanation *explanation, uint64_t index,
                                                  hwest_miss *row);
/** Several of them. */
HWEST_API hwest_status hwest_explanation_miss_read(const hwest_explanation *explanation, uint64_t first, uint64_t count,
                                                   hwest_miss *rows, size_t stride);

/** What each placeable unit would make of the node, in the order of the target. */
HWEST_API uint64_t hwest_explanation_move_count(const hwest_explanation *explanation);
/** One of them. */
HWEST_API hwest_status hwest_explanation_move_get(const hwest_explanation *explanation, uint64_t index,
                                                  hwest_move *row);
/** Several of them. */
HWEST_API hwest_status hwest_explanation_move_read(const hwest_explanation *explanation, uint64_t first, uint64_t count,
                                                   hwest_move *rows, size_t stride);

/** Errors by kind of machine. */
HWEST_API uint64_t hwest_validation_pool_count(const hwest_validation *validation);
/** One of them. */
HWEST_API hwest_status hwest_validation_pool_get(const hwest_validation *validation, uint64_t index,
                                                 hwest_accuracy *row);
/** Several of them. */
HWEST_API hwest_status hwest_validation_pool_read(const hwest_validation *validation, uint64_t first, uint64_t count,
                                                  hwest_accuracy *rows, size_t stride);

/** Errors by device and way of measuring. */
HWEST_API uint64_t hwest_validation_device_count(const hwest_validation *validation);
/** One of them. */
HWEST_API hwest_status hwest_validation_device_get(const hwest_validation *validation, uint64_t index,
                                                   hwest_accuracy *row);
/** Several of them. */
HWEST_API hwest_status hwest_validation_device_read(const hwest_validation *validation, uint64_t first, uint64_t count,
                                                    hwest_accuracy *rows, size_t stride);

/** Errors without the fit. */
HWEST_API uint64_t hwest_calibration_before_count(const hwest_calibration *calibration);
/** One of them. */
HWEST_API hwest_status hwest_calibration_before_get(const hwest_calibration *calibration, uint64_t index,
                                                    hwest_accuracy *row);
/** Several of them. */
HWEST_API hwest_status hwest_calibration_before_read(const hwest_calibration *calibration, uint64_t first,
                                                     uint64_t count, hwest_accuracy *rows, size_t stride);

/** Errors of each family of models by a fit to the others. */
HWEST_API uint64_t hwest_calibration_after_count(const hwest_calibration *calibration);
/** One of them. */
HWEST_API hwest_status hwest_calibration_after_get(const hwest_calibration *calibration, uint64_t index,
                                                   hwest_accuracy *row);
/** Several of them. */
HWEST_API hwest_status hwest_calibration_after_read(const hwest_calibration *calibration, uint64_t first,
                                                    uint64_t count, hwest_accuracy *rows, size_t stride);

/** Measurements and predictions, by row of the file. */
HWEST_API uint64_t hwest_validation_point_count(const hwest_validation *validation);
/** One of them. */
HWEST_API hwest_status hwest_validation_point_get(const hwest_validation *validation, uint64_t index, hwest_point *row);
/** Several of them. */
HWEST_API hwest_status hwest_validation_point_read(const hwest_validation *validation, uint64_t first, uint64_t count,
                                                   hwest_point *rows, size_t stride);

/** Rows of the file that were passed over, by reason, most first. */
HWEST_API uint64_t hwest_validation_skipped_count(const hwest_validation *validation);
/** One of them. */
HWEST_API hwest_status hwest_validation_skipped_get(const hwest_validation *validation, uint64_t index,
                                                    hwest_skipped *row);
/** Several of them. */
HWEST_API hwest_status hwest_validation_skipped_read(const hwest_validation *validation, uint64_t first, uint64_t count,
                                                     hwest_skipped *rows, size_t stride);

/** Rows of the file that were passed over, by reason, most first. */
HWEST_API uint64_t hwest_calibration_skipped_count(const hwest_calibration *calibration);
/** One of them. */
HWEST_API hwest_status hwest_calibration_skipped_get(const hwest_calibration *calibration, uint64_t index,
                                                     hwest_skipped *row);
/** Several of them. */
HWEST_API hwest_status hwest_calibration_skipped_read(const hwest_calibration *calibration, uint64_t first,
                                                      uint64_t count, hwest_skipped *rows, size_t stride);

/** The fitted figures. */
HWEST_API uint64_t hwest_calibration_fit_count(const hwest_calibration *calibration);
/** One of them. */
HWEST_API hwest_status hwest_calibration_fit_get(const hwest_calibration *calibration, uint64_t index, hwest_fit *row);
/** Several of them. */
HWEST_API hwest_status hwest_calibration_fit_read(const hwest_calibration *calibration, uint64_t first, uint64_t count,
                                                  hwest_fit *rows, size_t stride);

/** By id. */
HWEST_API uint64_t hwest_import_log_node_count(const hwest_import_log *import_log);
/** One of them. */
HWEST_API hwest_status hwest_import_log_node_get(const hwest_import_log *import_log, uint64_t index,
                                                 hwest_log_node *row);
/** Several of them. */
HWEST_API hwest_status hwest_import_log_node_read(const hwest_import_log *import_log, uint64_t first, uint64_t count,
                                                  hwest_log_node *rows, size_t stride);

/** What the log and the plan say in common.
 * @param[in,out] totals  the caller sets struct_size; after success it holds the number of bytes filled. */
HWEST_API hwest_status hwest_import_log_totals(const hwest_import_log *import_log, hwest_log_totals *totals);

/** Built-in targets, sorted by name. */
HWEST_API uint64_t hwest_target_list_count(const hwest_target_list *list);
/** One of them. */
HWEST_API hwest_status hwest_target_list_get(const hwest_target_list *list, uint64_t index, hwest_target_info *row);
/** Several of them. */
HWEST_API hwest_status hwest_target_list_read(const hwest_target_list *list, uint64_t first, uint64_t count,
                                              hwest_target_info *rows, size_t stride);

/** The target in a few words.
 * @param[in,out] info  the caller sets struct_size; after success it holds the number of bytes filled. */
HWEST_API hwest_status hwest_target_describe(const hwest_target *target, hwest_target_info *info);

/** Engines, in the default power mode. */
HWEST_API uint64_t hwest_target_unit_count(const hwest_target *target);
/** One of them. */
HWEST_API hwest_status hwest_target_unit_get(const hwest_target *target, uint64_t index, hwest_target_unit *row);
/** Several of them. */
HWEST_API hwest_status hwest_target_unit_read(const hwest_target *target, uint64_t first, uint64_t count,
                                              hwest_target_unit *rows, size_t stride);

/** Power modes. */
HWEST_API uint64_t hwest_target_mode_count(const hwest_target *target);
/** One of them. */
HWEST_API hwest_status hwest_target_mode_get(const hwest_target *target, uint64_t index, hwest_target_mode *row);
/** Several of them. */
HWEST_API hwest_status hwest_target_mode_read(const hwest_target *target, uint64_t first, uint64_t count,
                                              hwest_target_mode *rows, size_t stride);

/** Every figure with its source, in the order of the file. */
HWEST_API uint64_t hwest_target_fact_count(const hwest_target *target);
/** One of them. */
HWEST_API hwest_status hwest_target_fact_get(const hwest_target *target, uint64_t index, hwest_fact *row);
/** Several of them. */
HWEST_API hwest_status hwest_target_fact_read(const hwest_target *target, uint64_t first, uint64_t count,
                                              hwest_fact *rows, size_t stride);

/** Problems, errors first; without errors the file can be used. */
HWEST_API uint64_t hwest_lint_problem_count(const hwest_lint *lint);
/** One of them. */
HWEST_API hwest_status hwest_lint_problem_get(const hwest_lint *lint, uint64_t index, hwest_problem *row);
/** Several of them. */
HWEST_API hwest_status hwest_lint_problem_read(const hwest_lint *lint, uint64_t first, uint64_t count,
                                               hwest_problem *rows, size_t stride);

/** Responses, bounds and verdicts, in the order of the file. */
HWEST_API uint64_t hwest_workload_task_count(const hwest_workload *workload);
/** One of them. */
HWEST_API hwest_status hwest_workload_task_get(const hwest_workload *workload, uint64_t index,
                                               hwest_workload_task *row);
/** Several of them. */
HWEST_API hwest_status hwest_workload_task_read(const hwest_workload *workload, uint64_t first, uint64_t count,
                                                hwest_workload_task *rows, size_t stride);

/** Units and who keeps them busy, in the order of the target. */
HWEST_API uint64_t hwest_workload_unit_count(const hwest_workload *workload);
/** One of them. */
HWEST_API hwest_status hwest_workload_unit_get(const hwest_workload *workload, uint64_t index,
                                               hwest_workload_unit *row);
/** Several of them. */
HWEST_API hwest_status hwest_workload_unit_read(const hwest_workload *workload, uint64_t first, uint64_t count,
                                                hwest_workload_unit *rows, size_t stride);

/** What each task and load asks of the memory: tasks, in the order of the file, then loads. */
HWEST_API uint64_t hwest_workload_traffic_count(const hwest_workload *workload);
/** One of them. */
HWEST_API hwest_status hwest_workload_traffic_get(const hwest_workload *workload, uint64_t index,
                                                  hwest_workload_traffic *row);
/** Several of them. */
HWEST_API hwest_status hwest_workload_traffic_read(const hwest_workload *workload, uint64_t first, uint64_t count,
                                                   hwest_workload_traffic *rows, size_t stride);

/** Who slows whom, by the one that slows. */
HWEST_API uint64_t hwest_workload_slowdown_count(const hwest_workload *workload);
/** One of them. */
HWEST_API hwest_status hwest_workload_slowdown_get(const hwest_workload *workload, uint64_t index,
                                                   hwest_workload_slowdown *row);
/** Several of them. */
HWEST_API hwest_status hwest_workload_slowdown_read(const hwest_workload *workload, uint64_t first, uint64_t count,
                                                    hwest_workload_slowdown *rows, size_t stride);

/** What runs when in the first hyperperiod, by its start. */
HWEST_API uint64_t hwest_workload_segment_count(const hwest_workload *workload);
/** One of them. */
HWEST_API hwest_status hwest_workload_segment_get(const hwest_workload *workload, uint64_t index,
                                                  hwest_workload_segment *row);
/** Several of them. */
HWEST_API hwest_status hwest_workload_segment_read(const hwest_workload *workload, uint64_t first, uint64_t count,
                                                   hwest_workload_segment *rows, size_t stride);

/** What would make missed tasks hold; empty when all hold. */
HWEST_API uint64_t hwest_workload_fix_count(const hwest_workload *workload);
/** One of them. */
HWEST_API hwest_status hwest_workload_fix_get(const hwest_workload *workload, uint64_t index, hwest_workload_fix *row);
/** Several of them. */
HWEST_API hwest_status hwest_workload_fix_read(const hwest_workload *workload, uint64_t first, uint64_t count,
                                               hwest_workload_fix *rows, size_t stride);

/** Figures of the whole chip.
 * @param[in,out] total  the caller sets struct_size; after success it holds the number of bytes filled. */
HWEST_API hwest_status hwest_workload_totals(const hwest_workload *workload, hwest_workload_total *total);

/** The two sides, and whether they are the same.
 * @param[in,out] info  the caller sets struct_size; after success it holds the number of bytes filled. */
HWEST_API hwest_status hwest_diff_describe(const hwest_diff *diff, hwest_diff_info *info);

/** Figures of the summaries, changed or not. */
HWEST_API uint64_t hwest_diff_total_count(const hwest_diff *diff);
/** One of them. */
HWEST_API hwest_status hwest_diff_total_get(const hwest_diff *diff, uint64_t index, hwest_diff_total *row);
/** Several of them. */
HWEST_API hwest_status hwest_diff_total_read(const hwest_diff *diff, uint64_t first, uint64_t count,
                                             hwest_diff_total *rows, size_t stride);

/** Modules whose time differs, in the order of the first side. */
HWEST_API uint64_t hwest_diff_module_count(const hwest_diff *diff);
/** One of them. */
HWEST_API hwest_status hwest_diff_module_get(const hwest_diff *diff, uint64_t index, hwest_diff_module *row);
/** Several of them. */
HWEST_API hwest_status hwest_diff_module_read(const hwest_diff *diff, uint64_t first, uint64_t count,
                                              hwest_diff_module *rows, size_t stride);

/** Nodes that differ, in the order of the first side, then those of the second alone. */
HWEST_API uint64_t hwest_diff_node_count(const hwest_diff *diff);
/** One of them. */
HWEST_API hwest_status hwest_diff_node_get(const hwest_diff *diff, uint64_t index, hwest_diff_node *row);
/** Several of them. */
HWEST_API hwest_status hwest_diff_node_read(const hwest_diff *diff, uint64_t first, uint64_t count,
                                            hwest_diff_node *rows, size_t stride);

/** Limits and what became of them, in the order of the budget, or of hwest_limits. */
HWEST_API uint64_t hwest_check_line_count(const hwest_check *check);
/** One of them. */
HWEST_API hwest_status hwest_check_line_get(const hwest_check *check, uint64_t index, hwest_check_line *row);
/** Several of them. */
HWEST_API hwest_status hwest_check_line_read(const hwest_check *check, uint64_t first, uint64_t count,
                                             hwest_check_line *rows, size_t stride);

/** The verdict and how many limits have which.
 * @param[in,out] total  the caller sets struct_size; after success it holds the number of bytes filled. */
HWEST_API hwest_status hwest_check_totals(const hwest_check *check, hwest_check_total *total);

/** Points, in the order of the lists: models before targets, modes, precisions, batches, dims, sizes. */
HWEST_API uint64_t hwest_sweep_row_count(const hwest_sweep *sweep);
/** One of them. */
HWEST_API hwest_status hwest_sweep_row_get(const hwest_sweep *sweep, uint64_t index, hwest_sweep_row *row);
/** Several of them. */
HWEST_API hwest_status hwest_sweep_row_read(const hwest_sweep *sweep, uint64_t first, uint64_t count,
                                            hwest_sweep_row *rows, size_t stride);

/** One a target: those that hold the streams, those of which it is not known, the others. */
HWEST_API uint64_t hwest_boards_row_count(const hwest_boards *boards);
/** One of them. */
HWEST_API hwest_status hwest_boards_row_get(const hwest_boards *boards, uint64_t index, hwest_board *row);
/** Several of them. */
HWEST_API hwest_status hwest_boards_row_read(const hwest_boards *boards, uint64_t first, uint64_t count,
                                             hwest_board *rows, size_t stride);

#endif /* HWEST_ROWS_H_ */
