/* Options of hwest_analyze(), part of hwest.h.
 * Written by lib/report/tables/generate.py from lib/analysis/request.table. */
#ifndef HWEST_OPTIONS_H_
#define HWEST_OPTIONS_H_

/** What to analyse and how. All zero beside struct_size: no target, so counts and shapes only.
 * Lists are arrays of strings that end in NULL; a NULL list is empty. All is copied during the call. */
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
                                       `trtexec --exportProfile` or ONNX Runtime with enable_profiling writes; the text
                                       of such a file; NULL = none */
  int64_t context;                /**< tokens in the key/value cache of a language model: one step beside them; an error
                                       where the graph keeps no such cache; 0 = sizes as bound */
  const char *placement;          /**< as the toolchain of the target's accelerator divides a model, or the plan of
                                       least cost; NULL = toolchain */
} hwest_options;

#endif /* HWEST_OPTIONS_H_ */
