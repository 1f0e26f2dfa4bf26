// Targets: the machine a model is estimated for, as plain rows. Every figure names its source; an absent figure is
// unknown, never 0.
//
//   HWEST_ASSIGN_OR_RETURN(Target target, LoadTarget("jetson-orin"));
//   HWEST_ASSIGN_OR_RETURN(target, ApplyMode(target, "30W"));
//   for (const Unit& unit : target.units) { ... unit.clock_hz.value(), ParamOf(unit, "dram_efficiency") ... }
//
// Units of measure are the suffix of the field. Rates are dense; sparsity has its own field.
//
// Parameters of the cost models (`Unit::params`), with their meaning, kinds of unit and range: `onnx-hwest describe
// target-format`. A model uses the parameters its kind has and falls back to its own stated default when one is absent.
// A name with a precision behind a dot, "compute_efficiency.int8", holds for work at that precision in place of the
// plain name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "hwest/diagnostic.h"
#include "hwest/id.h"

namespace hwest {

// Numbers of these enums equal those of target.proto and are never reused.
enum class Num : int32_t {
  kUnset = 0,
  kFp32 = 1,
  kTf32 = 2,
  kFp16 = 3,
  kBf16 = 4,
  kFp8 = 5,
  kInt16 = 6,
  kInt8 = 7,
  kInt4 = 8,
  kInt32 = 9,
  kFp4 = 10,
};
enum class WorkKind : int32_t {
  kUnset = 0,
  kContraction = 1,
  kDepthwise = 2,
  kPointwise = 3,
  kTranscendental = 4,
  kMove = 5,
};
enum class UnitKind : int32_t {
  kUnset = 0,
  kSimtGpu = 1,
  kSystolic = 2,
  kDataflow = 3,
  kVectorDsp = 4,
  kSimdCpu = 5,
};
enum class Trust : int32_t {
  kUnset = 0,
  kPublished = 1,
  kMeasured = 2,
  kSecondary = 3,
  kRecalled = 4,
  kDerived = 5,
  kEstimated = 6,
};

absl::string_view NumName(Num num);             // "fp16"
std::string NumPairName(Num act, Num weight);   // "int8", "w8a16"
absl::string_view WorkKindName(WorkKind kind);  // "contraction"
absl::string_view UnitKindName(UnitKind kind);  // "simt_gpu"
absl::string_view TrustName(Trust trust);       // "published"
int NumBits(Num num);                           // 32 for tf32; 0 when unset

// Fit is a value found from measurements; it replaces the stated one. `spread` is the standard deviation of ln(value).
struct Fit {
  double value = 0;
  double spread = 0;
  int32_t count = 0;
  std::string data;       // which measurements
  std::string shared_by;  // the targets or units that share this one value; empty = its own
};

// Fact is one figure. value() is what to compute with.
struct Fact {
  std::optional<double> stated;
  std::string source;  // key into Target::sources or Toolchain::sources
  Trust trust = Trust::kUnset;
  std::string note;
  std::optional<Fit> fit;
  std::optional<double> min;  // least and greatest credible value of an estimate
  std::optional<double> max;

  std::optional<double> value() const { return fit.has_value() ? std::optional<double>(fit->value) : stated; }
  bool known() const { return value().has_value(); }
  double value_or(double fallback) const { return value().value_or(fallback); }
};

struct Param {
  std::string name;
  Fact fact;
  double min = 0;
  double max = 0;
};

// Evidence is the work that the measurements behind a unit's fits have seen at one precision: classes of operators by
// size as lib/plan/operator_class.h writes them, sorted, apart by spaces. A class is listed when models of several
// families spend time in it; with "=0.6" behind it, up to that share of their time.
struct Evidence {
  std::string precision;  // as in names of parameters: "int8", "w8a16"
  std::string classes;
  int32_t count = 0;      // measurements
  int32_t families = 0;   // of models
  std::string data;       // which measurements
  std::string shared_by;  // as of Fit
};

struct Memory {
  std::string name;
  bool scratchpad = false;  // software decides what lives here (VTCM, MSMC, DLA SRAM); false = cache or DRAM
  bool read_only = false;   // flash or ROM: weights lie here and nothing else
  Fact capacity_bytes;
  Fact usable_bytes;  // what the toolchain leaves for tensors; unknown = all of it
  Fact bytes_per_s;   // peak
  Fact latency_s;
  Fact energy_j_per_byte;
  Fact static_w;
};

struct Rate {
  WorkKind work = WorkKind::kUnset;
  Num act = Num::kUnset;
  Num weight = Num::kUnset;  // unset in the file = as act
  Num acc = Num::kUnset;
  Fact per_cycle;  // per cycle and core, dense: MACs of contraction and depthwise, bytes of move (what the unit itself
                   // can load and store, whichever memory they come from; act INT8), else ops
  Fact sparse_per_cycle;                   // with 2:4 weights
  Fact energy_j;                           // per MAC or op
  std::vector<std::string> energy_covers;  // memories whose accesses energy_j already includes
};

struct Tile {
  uint32_t m = 0;         // output rows (pixels, tokens) of one pass
  uint32_t n = 0;         // output channels
  uint32_t k = 0;         // input channels times taps
  uint32_t m_height = 0;  // m is a block of so many rows of an image; 0 = rows follow each other
  Num num = Num::kUnset;
  std::string source;
};

// Unit is one engine. After ApplyMode clock_hz and cores are those of the mode.
struct Unit {
  std::string name;
  UnitKind kind = UnitKind::kUnset;
  uint32_t instances = 1;  // equal engines behind this name that work on one inference together
  uint32_t cores = 1;      // per instance
  bool placeable = true;   // false: listed, but no toolchain here places work on it
  std::string toolchain;
  Fact clock_hz;
  std::vector<Rate> rates;
  std::vector<Tile> tiles;
  Fact vector_bytes;               // per core
  std::vector<uint32_t> memories;  // indices into Target::memories, nearest first, the shared one last
  Fact launch_s;                   // per group: kernel launch or task descriptor
  Fact invoke_s;                   // per segment: submit, wait, cache maintenance
  Fact switch_s;                   // per context reload
  Fact static_w;                   // while powered, work or not
  Num precision = Num::kUnset;     // what `auto` means for a float graph
  std::vector<Param> params;
  std::vector<Evidence> evidence;  // by precision; none = its figures rest on no measurements of models
};

// Link hands a value from one unit to another: latency_s + bytes / bytes_per_s (copy, layout change or cache
// maintenance). `copies`: a second copy of the value exists afterwards.
struct Link {
  std::string from;
  std::string to;
  Fact bytes_per_s;
  Fact latency_s;
  Fact energy_j_per_byte;
  bool copies = false;
};

// Setting changes one unit or memory in one mode; absent fields stay.
struct Setting {
  std::string of;
  std::optional<uint32_t> cores;
  Fact clock_hz;
  Fact bytes_per_s;
  Fact launch_s;
  Fact invoke_s;
  bool off = false;
};

struct Mode {
  std::string name;
  bool is_default = false;
  Fact cap_w;
  std::vector<Setting> settings;
  std::string source;
};

// MeasuredAs maps rows of a measurement file to this target. device, unit and mode must be equal, runtime is a prefix.
// An empty text matches anything; an empty mode matches only an unstated one.
struct MeasuredAs {
  std::string device;
  std::string unit;
  std::string runtime;
  std::string mode;
  std::vector<std::string> on_units;
  std::string in_mode;    // empty = the default mode
  std::string toolchain;  // empty = that of the units
};

struct FactSource {
  std::string key;
  std::string title;
  std::string url;
  std::string date;
};

enum class LimitKind : uint8_t {
  kStatic,        // "static": every dim of inputs and outputs is a constant
  kBatch,         // "batch": dim 0 of the first input
  kConst,         // "const:I": input I is a constant (or absent)
  kRank,          // "rank:I"
  kNumel,         // "numel:I": elements; "numel:I:FROM" of the dims from axis FROM on; "numel:I:@NAME" of the dims
                  // before the axis that attribute NAME gives
  kDim,           // "dim:I:AXIS": one dim, negative axes count from the end; AXIS "*" = each dim after dim 0, "@NAME"
                  // = the axis that attribute NAME gives
  kNonSingleton,  // "nonsingleton:I": number of dims that are not 1
  kDtype,         // "dtype:I": text as ElemTypeName writes it
  kAttr,       // "attr:NAME" each element of the attribute; "attr:NAME:INDEX" one element. A convolution's kernel_shape
               // is that of its weights where it is not written
  kAxis,       // "axis:NAME": each axis in the attribute counted from the end of input 0: axis - rank when it is >= 0;
               // "axis:I": each axis in the contents of input I
  kInputs,     // "inputs": number of inputs that are present
  kOutputs,    // "outputs": number of outputs that are present
  kHas,        // "has:NAME": 1 when the node writes the attribute; "has:I": when the input or output is present; else 0
  kValue,      // "value:I" each element of a constant input; "value:I:INDEX" one element, negative from the end
  kScale,      // "scale:AXIS": dim of output 0 over that of input 0; "scale:*" of each axis
  kBroadcast,  // "broadcast:I": text with one letter for each axis of output 0, "x" where input I has the output's
               // dim and "1" where it is stretched; "broadcast:I:AXIS": 1 when it is stretched along AXIS, else 0
  kJoined,     // "joined:I": elements of each part of input I over those of output 0, where a concatenation makes it
               // for this node alone; else 0
  kSlot,       // "slot:I": which input of it each operator that reads output -1 - I takes it as; 0 where inputs may
               // change places
  kNeighbour,  // "neighbour:I": text, the operator that makes input I, or each operator that reads output -1 - I
  kOrigin,     // "origin:I": the same behind whatever is only a view
  kEdge,       // "edge": 1 when an input or output of the node is one of the model, else 0
  kPrecision,  // "precision": text, the number format the unit computes in, as NumName writes it
  kOpset,      // "opset": version of the operator set the node is of
  kConsts,     // "consts": number of inputs that are constants
  kOp,         // "op": text, the operator; of a fusion the one that ends it
};

// I in the forms above is an input; negative I counts outputs: -1 is output 0, -2 output 1. kConst and kConsts accept
// values known before run time too.
//
// Limit is one typed condition of support. It counts where every limit of `when` applies and holds. It holds when the
// value lies in [min, max], is a multiple of `multiple_of`, stands in its relation to `other` and, if `any` is not
// empty, has its text in `any`; kStatic, kConst and kEdge without bounds hold when they are so. An index past the
// node's inputs, or an absent attribute with `absent` unset, satisfies. Contents that are not known neither satisfy nor
// violate: the node is noted.
struct Limit {
  enum class Relation : uint8_t { kNone, kEqual, kAtMost };

  LimitKind kind = LimitKind::kStatic;
  int32_t input = 0;             // negative: output -1 - input
  std::optional<int32_t> index;  // axis (none = "*"), first axis of kNumel, element of kAttr and kValue (none = each)
  std::string attr;              // of kAttr, kAxis and kHas; the one that gives the axis of kDim and kNumel
  std::optional<double> min;
  std::optional<double> max;
  std::optional<int64_t> absent;  // value of an attribute that the node does not write
  std::vector<std::string> any;
  std::string text;  // as written, for reports
  std::optional<int64_t> multiple_of;
  Relation relation = Relation::kNone;
  std::vector<Limit> other;  // one, of which only the value counts, when there is a relation
  std::vector<Limit> when;
  bool advice = false;   // violated = noted, not refused
  bool of_core = false;  // "core:...": of the convolution or product of a fusion, not of the operator that ends it
};

// SupportRow states whether the toolchain runs some ops. Constraints that no Limit can express stay in `note`, so a
// yes with a note is "noted".
struct SupportRow {
  std::vector<std::string> ops;
  std::string domain;
  bool supported = true;
  std::vector<Limit> limits;
  std::string note;
  std::string source;
  Trust trust = Trust::kUnset;
  std::vector<std::string> only_in;      // patterns; not empty = supported inside a group of one of these only
  UnitKind fallback = UnitKind::kUnset;  // where it goes instead, when the toolchain fixes it
  std::vector<std::string> also_in;      // patterns; inside a group of one of these the limits do not count
};

// Pick selects one fusion by name; `onnx-hwest describe target-format` lists the names.
struct Pick {
  std::string pattern;
  std::vector<Limit> limits;
  std::string source;
  Trust trust = Trust::kUnset;
};

// Keep names a reading (lib/target/readings.cc) that the compiler does not apply: it takes the nodes as written.
struct Keep {
  std::string reading;
  std::string source;
};

// Widening names groups, by operator or pattern, that the compiler computes in a wider format than the model around
// them. What they read and write stays in the model's format.
struct Widening {
  std::vector<std::string> groups;
  Num from = Num::kUnset;
  Num to = Num::kUnset;
  std::string source;
  Trust trust = Trust::kUnset;
  bool operator==(const Widening&) const = default;
};

// SlowKernel names operators whose kernels in this runtime stay behind what the unit can do.
struct SlowKernel {
  std::vector<std::string> ops;
  std::vector<Limit> limits;  // all have to hold
  // Of a core, on top of all else, for each element: of a convolution those of its windows, else those of the larger of
  // first input and first result.
  Fact cycles;
  std::vector<std::string> only_in;  // patterns, or operators by themselves; not empty = in groups of one of these only
  bool one_core = false;             // not spread over the cores; of DequantizeLinear also what widened kernels read
  std::vector<std::string> after;    // operators; not empty = in groups whose data one of these makes, behind views
  uint32_t channel_block = 1;        // elements of images count in whole blocks of so many channels
};

// HostCopy names operators around which the cores of the host bring values into another order, though no operator of
// the model says so: a segment of the unit ends there.
struct HostCopy {
  std::vector<std::string> ops;
  std::vector<Limit> limits;               // all have to hold
  std::vector<std::vector<Limit>> unless;  // no copy where all of one of these hold
  bool before = false;                     // what the operator reads
  bool after = false;                      // what it makes
  bool given = false;                      // what the model gives out of that
  bool no = false;                         // none of these, though a row before says so
  std::string source;
  Trust trust = Trust::kUnset;
};

// Which waiting job a unit takes next.
enum class PolicyKind : uint8_t { kFifo, kPriority, kRoundRobin };
// When a running job yields the unit: at the end of its segment, after each group or transfer, or after a time slice.
enum class Preemption : uint8_t { kNever, kBetweenPieces, kSlices };

// Sharing is how models take turns on a unit.
struct Sharing {
  PolicyKind policy = PolicyKind::kFifo;
  Preemption preemption = Preemption::kNever;
  double slice_s = 0;  // of kSlices
  std::string source;
  Trust trust = Trust::kUnset;
};

// Partition is how a toolchain divides a model between its unit and others: the unit takes every operator that the
// toolchain supports, whatever that costs.
struct Partition {
  bool on_request = false;  // where the target has another accelerator, only for who names the unit
  std::string means;        // how to keep operators off the unit; empty = not stated
  std::string source;
  Trust trust = Trust::kUnset;
  // A model of which the host runs a part runs width first: of the kernels that are ready, what the host brings into
  // another order and those of one operator come before products with what is applied to them, those before sums, then
  // normalisations and products of two values, then `last`; of those alike the one that was ready first.
  bool width_first = false;
  std::vector<std::string> last;  // operators
};

// WeightFormat is what a runtime of language models makes of the weights. Bits hold scales and zero points.
struct WeightFormat {
  std::string name;
  std::vector<std::string> aliases;
  Fact block_bits;
  Fact attention_bits;  // unknown = block_bits
  Fact head_bits;       // unknown = block_bits
  Fact embedding_bits;  // unknown = head_bits
  Fact vector_bits;     // of norms and biases; unknown = 16
  Num act = Num::kUnset;
  Num weight = Num::kUnset;  // unset in the file = as act
  bool needs_rate = false;   // only where the unit states a contraction rate of these formats
  // How the runtimes of measurement files begin that mean this one of several formats with an alias.
  std::vector<std::string> measured_as;
};

// CacheFormat is a format of keys and values kept for later tokens.
struct CacheFormat {
  std::string name;
  std::vector<std::string> aliases;
  Fact bits;
  Num act = Num::kUnset;  // that attention computes in; unset = as the weight format
};

enum class ModelForm : int32_t {
  kUnset = 0,
  kExperts = 1,
  kRecurrent = 2,
  kEncoderDecoder = 3,
  kVision = 4,
  kDraft = 5,
};
absl::string_view ModelFormName(ModelForm form);  // "experts"

struct TakesForm {
  ModelForm form = ModelForm::kUnset;
  bool no = false;
  std::string note;
  std::string source;
  Trust trust = Trust::kUnset;
};

// Language is how a runtime runs language models: decoders whole, whatever operators their file writes. target.proto
// says what each field means.
struct Language {
  std::string title;
  std::vector<std::string> aliases;
  std::vector<std::string> measured_as;
  std::vector<WeightFormat> weights;  // the usual one first
  std::vector<CacheFormat> caches;    // the usual one first
  Fact default_context;
  Fact max_context;
  Fact max_prompt;
  Fact max_batch;
  Fact prompt_rows;
  bool pads_prompt = false;
  bool reads_whole_cache = false;
  bool scores_in_memory = false;
  bool head_of_every_row = false;
  bool experts_apart = false;
  bool shares_tied = false;
  bool embedding_in_flash = false;
  bool keeps_windows = false;
  std::vector<TakesForm> takes;
  std::vector<Param> constants;
  std::string source;
  Trust trust = Trust::kUnset;
  std::string note;
};

// LanguageRuntime is one that exists for a target.
struct LanguageRuntime {
  std::string toolchain;  // with a language
  std::string unit;
  bool is_default = false;
  std::vector<std::string> weights;  // formats it has here, the usual one first; empty = all
  std::string cache;                 // the usual one here; empty = the runtime's
  std::vector<Param> constants;      // each in place of the runtime's
  std::optional<uint32_t> cores;     // of the unit; none = as many as the mode has
};

// VideoDecoder is what the device decodes of one codec in hardware of its own, beside its units.
struct VideoDecoder {
  std::string codec;  // of Codecs()
  Fact pixels_per_s;  // of all pictures together; 0 = there is no such block, unknown = not known
};
const std::vector<std::string>& Codecs();

struct Toolchain {
  struct OpIndex {
    std::string domain;
    std::string op;
    uint32_t row = 0;
  };

  std::string name;      // by which units name it: of a file of one's own, its path
  std::string own_name;  // that its file states
  std::string version;
  std::vector<FactSource> sources;
  std::vector<SupportRow> support;
  std::vector<OpIndex> by_op;  // sorted by domain and op; op "*" holds limits of every op
  std::vector<Pick> fuses;
  std::vector<Keep> keeps;
  std::vector<Widening> widens;
  std::vector<SlowKernel> slow;
  std::vector<HostCopy> host_copies;
  std::vector<std::string> shares_fits_with;  // other toolchains, whose units run this one, too
  Fact launch_share;                          // of launch_s that a kernel takes; unknown = all of it
  std::vector<std::string> measured_as;       // prefixes of the runtimes of measurement files that are this one there
  std::optional<Sharing> sharing;             // none = not known
  std::optional<Partition> partition;         // none = not known: placement looks for the plan of least cost
  std::vector<Num> winograd;                  // formats beside half precision in which 3 x 3 windows are transformed
  std::vector<Num> precisions;                // what a whole graph can be compiled for; empty = not stated
  std::optional<int32_t> max_segments;        // per inference and unit
  std::optional<int32_t> min_nodes;           // smallest segment the toolchain offloads
  bool prefix_only = false;                   // one segment, from the inputs on
  bool absorbs_qdq = false;                   // Q/DQ around an op become its integer kernel
  bool static_only = false;
  bool runs_everything = false;      // an op without a row runs too
  bool thread_per_core = false;      // of a CPU, each with an equal part of a kernel
  std::optional<Language> language;  // none = no runtime of language models

  bool IsCalled(absl::string_view text) const { return text == name || text == own_name; }
};

struct Target {
  std::string name;
  std::vector<std::string> aliases;
  std::string summary;
  std::string family;
  std::string base;
  std::string host;    // of a discrete module: the target its CPU is of; empty = none, or not known
  std::string origin;  // where the text came from: "built-in" or the path
  std::vector<FactSource> sources;
  std::vector<Memory> memories;
  IdMap<UnitId, Unit> units;
  std::vector<Link> links;
  std::vector<Mode> modes;
  std::optional<size_t> default_mode;  // index into modes
  std::string mode;                    // name of the mode in force; empty before ApplyMode
  Fact idle_w;                         // what power_of names, nothing running
  std::string power_of;   // what every power covers: chip, module, card, board or computer; empty = not stated
  Fact slot_bytes_per_s;  // of a board: what a module in its PCIe slot gets in each direction
  std::vector<MeasuredAs> measured_as;
  std::vector<Toolchain> toolchains;  // those the units name, in the order of the units
  std::vector<LanguageRuntime> runtimes;
  std::vector<VideoDecoder> decoders;
};

// Lookups; null (or none) when there is no such row. Pointers live as long as the argument.
const Memory* MemoryOf(const Target& target, absl::string_view name);
const Memory* SharedMemoryOf(const Target& target, const Unit& unit);  // the last of its memories
const Unit* UnitOf(const Target& target, absl::string_view name);
UnitId UnitIdOf(const Target& target, absl::string_view name);
const Toolchain* ToolchainOf(const Target& target, const Unit& unit);
const Link* LinkOf(const Target& target, absl::string_view from, absl::string_view to);  // as written, else reversed
const Mode* ModeOf(const Target& target, absl::string_view name);
const VideoDecoder* VideoDecoderOf(const Target& target, absl::string_view codec);
const Rate* RateOf(const Unit& unit, WorkKind work, Num act, Num weight);
std::optional<double> ParamOf(const Unit& unit, absl::string_view name);
// MACs or ops per second of the whole unit at its clock: per_cycle * cores * instances * clock_hz.
std::optional<double> PeakPerS(const Unit& unit, const Rate& rate);
// The row for this op, null when the toolchain does not state it. "ai.onnx" and "" are one domain.
const SupportRow* SupportOf(const Toolchain& toolchain, absl::string_view domain, absl::string_view op);
// Limits of every op of the toolchain (op "*"); null when none.
const SupportRow* SupportOfAll(const Toolchain& toolchain);
const Pick* PickOf(const Toolchain& toolchain, absl::string_view pattern);
const Keep* KeepOf(const Toolchain& toolchain, absl::string_view reading);

// LoadTarget reads a built-in target by name or alias, or a file when the text ends in ".textproto" or has a '/'.
// Errors: kTargetUnknown (with the nearest names), kTargetInvalid.
absl::StatusOr<Target> LoadTarget(absl::string_view name_or_path);
// ParseTarget reads the text of a target file; `origin` names it in errors.
absl::StatusOr<Target> ParseTarget(absl::string_view text, absl::string_view origin);
// ApplyMode returns the target with the mode's clocks, cores and bandwidths in place; "" = the default mode. A unit
// that the mode turns off is not placeable. Errors: kTargetUnknown with the nearest mode names.
absl::StatusOr<Target> ApplyMode(const Target& target, absl::string_view mode);

// SharedTarget is ApplyMode of LoadTarget. A process reads each built-in target once, for all threads; it reads files
// every time. Errors: those of both.
absl::StatusOr<std::shared_ptr<const Target>> SharedTarget(absl::string_view name_or_path, absl::string_view mode);
// The same of a loaded target; null = the one of that name.
absl::StatusOr<std::shared_ptr<const Target>> SharedTarget(const std::shared_ptr<const Target>& loaded,
                                                           absl::string_view name_or_path, absl::string_view mode);

// FindUnit is UnitIdOf with an error that lists the units. Errors: kTargetUnknown.
absl::StatusOr<UnitId> FindUnit(const Target& target, absl::string_view name);
// UseToolchain returns the target with another toolchain on one unit. Errors: kTargetUnknown, kTargetInvalid.
absl::StatusOr<Target> UseToolchain(const Target& target, absl::string_view unit, absl::string_view toolchain);

absl::StatusOr<Toolchain> LoadToolchain(absl::string_view name);  // built-in name or path
std::vector<std::string> ListToolchains();                        // built-in, sorted

struct TargetSummary {
  std::string name;
  std::vector<std::string> aliases;
  std::string base;
  std::string family;
  std::string summary;
  std::vector<std::string> units;
  std::vector<std::string> modes;
  std::string default_mode;     // empty when there are no modes
  Num precision = Num::kUnset;  // of the first placeable accelerator, else CPU
  std::vector<std::string> toolchains;
  size_t facts = 0;        // figures with a value that an estimate reads
  size_t estimated = 0;    // of these, engineering estimates
  size_t fitted = 0;       // of these, fitted to measurements
  size_t own_fits = 0;     // of the unit of `precision`, fitted to this device
  size_t shared_fits = 0;  // of the unit of `precision`, fitted to its family
};
// Built-in targets sorted by name.
std::vector<TargetSummary> ListTargets();
TargetSummary SummaryOf(const Target& target);

// FactPlace identifies a figure of a target: a field of one of its parts.
struct FactPlace {
  enum class Part : uint8_t { kTarget, kMemory, kUnit, kRate, kParam, kLink, kMode, kRuntime, kDecoder };
  Part part = Part::kTarget;
  std::string name;   // of the memory, mode, runtime, codec or unit, of a rate or parameter too; a link's is "FROM:TO"
  std::string field;  // e.g. "per_cycle", or the name of the parameter
  Num act = Num::kUnset;  // of a rate: the type of its activations
};

// TargetFact is one figure with its place in the file, e.g. "unit/gpu/rate/contraction/int8/per_cycle".
struct TargetFact {
  std::string path;
  FactPlace place;
  double value = 0;    // the effective one
  std::string unit;    // "Hz", "B/s", "s", "J", "W", "B", "1/cycle" or empty
  std::string source;  // title of the source
  Trust trust = Trust::kUnset;
  std::string note;
  std::optional<double> stated;
  std::optional<Fit> fit;
  std::optional<double> min;  // least and greatest credible value of an estimate
  std::optional<double> max;
  bool is_read = true;  // by an estimate; false = listed for readers of the file alone
};
// Every figure with a value, in file order.
std::vector<TargetFact> FactsOf(const Target& target);

struct LintProblem {
  std::string path;  // field path; empty when the text does not parse
  int line = 0;      // 1-based; 0 = not known
  std::string message;
  std::string remedy;
  Severity severity = Severity::kError;  // kWarning: the file can be used, but the figure is not credible
};
struct TrustShare {
  Trust trust = Trust::kUnset;
  size_t count = 0;
  double share = 0;
};
struct LintReport {
  std::string origin;
  std::vector<LintProblem> problems;  // errors first; no errors = it can be used
  std::vector<TrustShare> trust;      // of all figures with a value, in enum order
  size_t facts = 0;
  size_t noted = 0;  // support rows of a toolchain with a constraint that is only a note
};
// SupportStats counts the conditions of a toolchain that can be decided on a model, for each operator of each row that
// says yes: typed = limits, plus one for only_in; noted = parts of its note between ';'. Conditions on every operator
// ("*", static_only) count once. `ops` are the operators of the default domain for which the toolchain has a row.
struct SupportStats {
  int64_t typed = 0;
  int64_t noted = 0;
  std::vector<std::string> ops;  // sorted
};
SupportStats StatsOf(const Toolchain& toolchain);

// LintTarget reports all problems of a target or toolchain file. Figures that no machine of today has are warnings; see
// `onnx-hwest describe target-format` for the ranges.
LintReport LintTarget(absl::string_view text, absl::string_view origin);
// How many of the problems are errors.
size_t ErrorsIn(const LintReport& report);

}  // namespace hwest
