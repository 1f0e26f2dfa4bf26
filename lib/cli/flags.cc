// The table of flags: what each is called, who takes it, and what its value means.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "analysis/request_text.h"
#include "base/status_macros.h"
#include "base/text.h"
#include "cli/options.h"
#include "fuse/fusion_rules.h"
#include "op/op_rules.h"

namespace hwest {
namespace {

absl::Status Bad(absl::string_view flag, const std::string& value, absl::string_view remedy) {
  return MakeError(Code::kUsage, absl::StrCat(flag, " cannot be '", EscapeControl(value), "'"), remedy);
}

// What a flag may be set to, space separated: read when it is parsed, and offered by completion.
constexpr char kFormatWords[] = "text json csv markdown dot svg png pdf";
constexpr char kLevelWords[] = "node group segment module unit";
constexpr char kConventionWords[] = "native fvcore torch thop onnx-tool";
constexpr char kProgressWords[] = "auto never";
constexpr char kColorWords[] = "auto always never";
constexpr char kPrecisionWords[] = "auto mixed fp32 tf32 fp16 bf16 fp8 int8 w8a16 w4a16 w4a8";
constexpr char kObjectiveWords[] = "latency energy";
constexpr char kLeaveOutWords[] = "none family device source";
constexpr char kShellWords[] = "bash zsh fish";

absl::Status AddSize(absl::string_view flag, const std::string& text,
                     std::vector<std::pair<std::string, int64_t>>* sizes) {
  auto size = ParseSize(text);
  if (!size.has_value()) {
    return Bad(flag, text, absl::StrCat("write ", flag, " NAME=N with a whole number N, e.g. ", flag, " batch=1"));
  }
  sizes->push_back(*std::move(size));
  return absl::OkStatus();
}

absl::Status AddAt(absl::string_view flag, const std::string& text, std::vector<Pin>* pins) {
  std::optional<Pin> pin = ParsePin(text);
  if (!pin.has_value()) return Bad(flag, text, absl::StrCat("write ", flag, " WHAT@UNIT, e.g. ", flag, " Conv@cpu"));
  pins->push_back(*std::move(pin));
  return absl::OkStatus();
}

constexpr size_t kMaxTextBytes = 1 << 20;
constexpr int64_t kMaxContext = 1 << 24;

absl::StatusOr<std::string> ReadTextFile(absl::string_view flag, const std::string& path) {
  std::error_code error;
  std::ifstream file(path, std::ios::binary);
  if (!file || !std::filesystem::is_regular_file(path, error)) return Bad(flag, path, "name a file that can be read");
  std::string text(kMaxTextBytes + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<size_t>(file.gcount()));
  if (text.size() > kMaxTextBytes) return Bad(flag, path, "name a file of at most 1 MiB");
  return text;
}

absl::StatusOr<int64_t> ParseNumber(absl::string_view flag, const std::string& text, int64_t least) {
  int64_t value;
  if (absl::SimpleAtoi(text, &value) && value >= least) return value;
  return Bad(flag, text, absl::StrCat("write a whole number of at least ", least));
}

// Index of `text` among `words`, separated by spaces.
absl::StatusOr<size_t> ParseWord(absl::string_view flag, const std::string& text, absl::string_view words) {
  const std::vector<std::string> choices = absl::StrSplit(words, ' ');
  for (size_t i = 0; i < choices.size(); ++i) {
    if (choices[i] == text) return i;
  }
  const std::vector<std::string> nearest = NearestNames(text, choices, 1);
  return Bad(flag, text,
             nearest.empty() ? absl::StrCat("write one of ", absl::StrJoin(choices, ", "))
                             : absl::StrCat("did you mean ", nearest[0], "?"));
}

absl::Status SetFormat(const std::string& value, Options* options) {
  HWEST_ASSIGN_OR_RETURN(const size_t index, ParseWord("--format", value, kFormatWords));
  options->format = static_cast<Format>(index);
  return absl::OkStatus();
}

absl::Status SetJson(const std::string&, Options* options) {
  if (options->format.has_value() && *options->format != Format::kJson) {
    return MakeError(Code::kUsage, "--json contradicts --format", "give one of them");
  }
  options->format = Format::kJson;
  return absl::OkStatus();
}

absl::Status SetOutput(const std::string& value, Options* options) {
  if (value.empty()) return Bad("--output", value, "name a file, or - for standard output");
  options->output = value == "-" ? "" : value;
  return absl::OkStatus();
}

absl::Status SetLevel(const std::string& value, Options* options) {
  HWEST_ASSIGN_OR_RETURN(const size_t index, ParseWord("--level", value, kLevelWords));
  options->report.level = static_cast<Level>(index);
  return absl::OkStatus();
}

absl::Status SetFlopsAs(const std::string& value, Options* options) {
  HWEST_ASSIGN_OR_RETURN(const size_t index, ParseWord("--flops-as", value, kConventionWords));
  options->request.flops_as = AllConventions()[index].convention;
  return absl::OkStatus();
}

absl::Status SetTop(const std::string& value, Options* options) {
  HWEST_ASSIGN_OR_RETURN(options->report.top, ParseNumber("--top", value, 0));
  return absl::OkStatus();
}

absl::Status SetQuiet(const std::string&, Options* options) {
  options->quiet = Quiet::kYes;
  return absl::OkStatus();
}

absl::Status SetProgress(const std::string& value, Options* options) {
  HWEST_ASSIGN_OR_RETURN(const size_t index, ParseWord("--progress", value, kProgressWords));
  options->progress = index == 0 ? Progress::kAuto : Progress::kNever;
  return absl::OkStatus();
}

absl::Status SetColor(const std::string& value, Options* options) {
  HWEST_ASSIGN_OR_RETURN(const size_t index, ParseWord("--color", value, kColorWords));
  options->color = static_cast<ColorMode>(index);
  return absl::OkStatus();
}

absl::Status SetStrict(const std::string&, Options* options) {
  options->strict = Strict::kYes;
  return absl::OkStatus();
}

absl::Status SetCheck(const std::string&, Options* options) {
  options->check = Check::kYes;
  return absl::OkStatus();
}

absl::Status AddDim(const std::string& value, Options* options) {
  return AddSize("--dim", value, &options->request.bind.dims);
}

absl::Status AddExpect(const std::string& value, Options* options) {
  return AddSize("--expect", value, &options->request.bind.expect);
}

absl::Status AddShape(const std::string& value, Options* options) {
  auto shape = ParseShape(value);
  if (!shape.has_value()) {
    return Bad("--shape", value, "write --shape 1x3x224x224, or --shape INPUT=1x128 for one input");
  }
  options->request.bind.shapes.push_back(*std::move(shape));
  return absl::OkStatus();
}

absl::Status SetBatch(const std::string& value, Options* options) {
  HWEST_ASSIGN_OR_RETURN(options->request.bind.batch, ParseNumber("--batch", value, 1));
  return absl::OkStatus();
}

absl::Status AddContents(const std::string& value, Options* options) {
  options->values.push_back(value);
  return absl::OkStatus();
}

// Checked here, so that an error names the file.
absl::Status SetOpRules(const std::string& value, Options* options) {
  HWEST_ASSIGN_OR_RETURN(options->request.op_rules, ReadTextFile("--op-rules", value));
  return OpRules::Parse(options->request.op_rules, value).status();
}

absl::Status SetTarget(const std::string& value, Options* options) {
  if (value.empty()) return Bad("--target", value, "name a target, see `onnx-hwest targets`");
  options->request.target = value;
  return absl::OkStatus();
}

absl::Status SetMode(const std::string& value, Options* options) {
  options->request.mode = value;
  return absl::OkStatus();
}

absl::Status SetHost(const std::string& value, Options* options) {
  if (value.empty()) return Bad("--host", value, "name a target with a CPU, e.g. raspberry-pi-5");
  options->host = value;
  return absl::OkStatus();
}

absl::Status SetStats(const std::string&, Options* options) {
  options->report.stats = Stats::kAlone;
  return absl::OkStatus();
}

absl::Status SetPrecision(const std::string& value, Options* options) {
  for (const absl::string_view item : absl::StrSplit(value, ',')) {
    const size_t equals = item.find('=');
    const bool is_list = value.find('=') != std::string::npos;
    if (is_list && (equals == absl::string_view::npos || equals == 0)) {
      return Bad("--precision", value, "write --precision P, or UNIT=P,UNIT=P, e.g. gpu=fp16,dla0=int8");
    }
    const absl::string_view word = is_list ? item.substr(equals + 1) : absl::string_view(value);
    HWEST_RETURN_IF_ERROR(ParseWord("--precision", std::string(word), kPrecisionWords).status());
  }
  options->request.precision = value;
  return absl::OkStatus();
}

// Checked here, so that an error names the file.
absl::Status SetFusions(const std::string& value, Options* options) {
  if (value == "none") {
    options->request.fusions = value;
    return absl::OkStatus();
  }
  HWEST_ASSIGN_OR_RETURN(options->request.fusion_rules, ReadTextFile("--fusions", value));
  options->fusions_file = value;
  return FusionRules::Parse(options->request.fusion_rules, value).status();
}

absl::Status SetObjective(const std::string& value, Options* options) {
  HWEST_ASSIGN_OR_RETURN(const size_t index, ParseWord("--objective", value, kObjectiveWords));
  options->request.objective = index == 0 ? Objective::kLatency : Objective::kEnergy;
  return absl::OkStatus();
}

absl::Status AddOnly(const std::string& value, Options* options) {
  for (const absl::string_view unit : absl::StrSplit(value, ',')) {
    if (unit.empty()) return Bad("--only", value, "write --only UNIT or --only UNIT,UNIT");
    options->request.only.emplace_back(unit);
  }
  return absl::OkStatus();
}

absl::Status AddDeny(const std::string& value, Options* options) {
  return AddAt("--deny", value, &options->request.deny);
}
absl::Status AddAssume(const std::string& value, Options* options) {
  return AddAt("--assume", value, &options->request.assume);
}
absl::Status AddPin(const std::string& value, Options* options) {
  return AddAt("--pin", value, &options->request.pin);
}

absl::Status SetMaxSegments(const std::string& value, Options* options) {
  HWEST_ASSIGN_OR_RETURN(const int64_t count, ParseNumber("--max-segments", value, 1));
  options->request.max_segments = static_cast<int>(std::min<int64_t>(count, INT32_MAX));
  return absl::OkStatus();
}

absl::Status SetToolchain(const std::string& value, Options* options) {
  if (options->verb == Verb::kFusions) {
    options->toolchain = value;
    return absl::OkStatus();
  }
  const size_t equals = value.find('=');
  if (equals == 0 || equals == std::string::npos || equals + 1 == value.size()) {
    return Bad("--toolchain", value, "write --toolchain UNIT=NAME, NAME built in or a file");
  }
  options->request.toolchains.emplace_back(value.substr(0, equals), value.substr(equals + 1));
  return absl::OkStatus();
}

absl::Status SetPowerCap(const std::string& value, Options* options) {
  double watts = 0;
  if (!absl::SimpleAtod(value, &watts) || !(watts > 0) || watts > 1e9) {
    return Bad("--power-cap", value, "write watts above zero, e.g. --power-cap 15");
  }
  options->request.power_cap_w = watts;
  return absl::OkStatus();
}

absl::Status SetHostCompetes(const std::string&, Options* options) {
  options->request.host_competes = HostCompetes::kYes;
  return absl::OkStatus();
}

absl::Status SetOverlap(const std::string&, Options* options) {
  options->request.overlap = Overlap::kYes;
  return absl::OkStatus();
}

// MODEL=FILE, unless a file is called so.
absl::Status AddMeasurements(const std::string& value, Options* options) {
  std::error_code error;
  const size_t equals = value.find('=');
  const bool named = equals != std::string::npos && equals > 0 && !std::filesystem::exists(value, error);
  std::string path = named ? value.substr(equals + 1) : value;
  if (path.empty()) return Bad("--measurements", value, "name a file of measured figures");
  absl::StrAppend(&options->measurements, options->measurements.empty() ? "" : ", ", path);
  options->measured.emplace_back(named ? value.substr(0, equals) : "", std::move(path));
  return absl::OkStatus();
}

absl::Status AddMeasuredModel(const std::string& value, Options* options) {
  const size_t equals = value.find('=');
  const bool has_part = equals != std::string::npos;
  std::string model = has_part ? value.substr(equals + 1) : value;
  if (model.empty() || equals == 0) return Bad("--model", value, "write --model MODEL, or PART=MODEL for one of several");
  options->unsaid.models.emplace_back(has_part ? value.substr(0, equals) : "", std::move(model));
  return absl::OkStatus();
}

absl::Status SetMeasuredDevice(const std::string& value, Options* options) {
  options->unsaid.device = value;
  return absl::OkStatus();
}

absl::Status SetMeasuredUnit(const std::string& value, Options* options) {
  options->unsaid.unit = value;
  return absl::OkStatus();
}

absl::Status SetMeasuredRuntime(const std::string& value, Options* options) {
  options->unsaid.runtime = value;
  return absl::OkStatus();
}

absl::Status SetModels(const std::string& value, Options* options) {
  options->models = value;
  return absl::OkStatus();
}

absl::Status SetLeaveOut(const std::string& value, Options* options) {
  HWEST_ASSIGN_OR_RETURN(const size_t index, ParseWord("--leave-out", value, kLeaveOutWords));
  options->leave_out = static_cast<LeaveOut>(index);
  return absl::OkStatus();
}

absl::Status SetShell(const std::string& value, Options* options) {
  HWEST_ASSIGN_OR_RETURN(const size_t index, ParseWord("--shell", value, kShellWords));
  options->shell = static_cast<Shell>(index);
  return absl::OkStatus();
}

absl::Status SetWhatIf(const std::string&, Options* options) {
  options->study = Study::kWhatIf;
  return absl::OkStatus();
}

absl::Status SetContext(const std::string& value, Options* options) {
  for (const absl::string_view text : absl::StrSplit(value, ',')) {
    int64_t tokens;
    if (!absl::SimpleAtoi(text, &tokens) || tokens < 1 || tokens > kMaxContext) {
      return Bad("--context", value, "write tokens of context, e.g. --context 128,512,2048");
    }
    options->contexts.push_back(tokens);
  }
  return absl::OkStatus();
}

constexpr uint32_t Bit(Verb verb) { return 1u << static_cast<uint32_t>(verb); }
constexpr uint32_t kTimed = Bit(Verb::kAnalyze) | Bit(Verb::kSupport) | Bit(Verb::kExplain);
constexpr uint32_t kModels = kTimed | Bit(Verb::kShapes);
constexpr uint32_t kMeasured = Bit(Verb::kValidate) | Bit(Verb::kCalibrate);
constexpr uint32_t kAll = kModels | Bit(Verb::kTargets) | Bit(Verb::kFusions) | Bit(Verb::kDescribe) | kMeasured;
constexpr uint32_t kTables = Bit(Verb::kAnalyze) | Bit(Verb::kShapes);

constexpr char kReport[] = "Report";
constexpr char kModel[] = "Model";
constexpr char kTarget[] = "Target";
constexpr char kPlace[] = "Placement";
constexpr char kStudy[] = "Study";

constexpr FlagInfo kFlags[] = {
    {"--format", "FORMAT", "text, json, csv, markdown, dot, svg, png or pdf", kReport, kAll, false, SetFormat, kFormatWords},
    {"--json", nullptr, "the same as --format json", kReport, kAll, false, SetJson},
    {"--output", "FILE", "write there; the extension chooses the format", kReport, kAll, false, SetOutput},
    {"--level", "LEVEL", "rows of the main table or boxes of a picture: node, group, segment, module or unit", kReport, kTables, false, SetLevel, kLevelWords},
    {"--top", "N", "show the N most expensive rows, 0 for all", kReport, kModels | Bit(Verb::kValidate), false, SetTop},
    {"--flops-as", "TOOL", "count as native, fvcore, torch, thop or onnx-tool does, too", kReport, kTables, false,
     SetFlopsAs, kConventionWords},
    {"--quiet", nullptr, "no notes on standard error", kReport, kAll, false, SetQuiet},
    {"--progress", "WHEN", "auto or never", kReport, kModels | kMeasured, false, SetProgress, kProgressWords},
    {"--color", "WHEN", "auto, always or never", kReport, kAll, false, SetColor, kColorWords},
    {"--strict", nullptr, "exit with 7 when anything is unknown", kReport, kModels, false, SetStrict},
    {"--check", nullptr, "ask libonnx's checker first; exit with 8 when it rejects the model", kModel, kModels, false,
     SetCheck},
    {"--dim", "NAME=N", "size of a symbol or of INPUT.AXIS", kModel, kModels | kMeasured, true, AddDim},
    {"--shape", "[INPUT=]AxB", "shape of an input, or of every input of that rank", kModel, kModels, true, AddShape},
    {"--batch", "N", "inputs per run: the leading dimension that inputs and outputs share", kModel, kModels | kMeasured, false, SetBatch},
    {"--expect", "NAME=N", "a data-dependent size in place of the one of `onnx-hwest describe sizes`; NAME may hold * and ?",
     kModel, kModels, true, AddExpect},
    {"--value", "INPUT=FILE|LITERAL", "contents of an input: a serialised tensor, FILE.pb, or e.g. [1, 2]", kModel, kModels,
     true, AddContents},
    {"--op-rules", "FILE", "shape and cost of custom operators, see `onnx-hwest describe op-rules`", kModel, kModels, false,
     SetOpRules},
    {"--target", "NAME", "built-in name or ./file.textproto, see `onnx-hwest targets`; a family for `calibrate`", kTarget,
     kTimed | kMeasured, false, SetTarget},
    {"--mode", "MODE", "power mode, default as the target says", kTarget, kTimed | kMeasured, false, SetMode},
    {"--host", "NAME", "target whose CPU, in its default mode, takes the place of a module's host, e.g. raspberry-pi-5; the link and idle "
     "power stay the module's", kTarget, kTimed, false, SetHost},
    {"--precision", "P",
     "auto, fp32, tf32, fp16, bf16, fp8, int8, w8a16, w4a16, w4a8, mixed (each unit its own) or UNIT=P,..", kTarget,
     kTimed | kMeasured, false, SetPrecision, kPrecisionWords},
    {"--fusions", "FILE|none", "further patterns, see `onnx-hwest describe fusions`; none = every node its own kernel",
     kTarget, kTimed | Bit(Verb::kFusions), false, SetFusions},
    {"--objective", "WHAT", "place for latency or energy", kPlace, kTimed, false, SetObjective, kObjectiveWords},
    {"--only", "UNIT,..", "units to use; the CPU runs what they refuse", kPlace, kTimed, true, AddOnly},
    {"--deny", "OP@UNIT", "never run OP there", kPlace, kTimed, true, AddDeny},
    {"--assume", "OP@UNIT", "take OP as supported there", kPlace, kTimed, true, AddAssume},
    {"--pin", "NODE@UNIT", "run this node there", kPlace, kTimed, true, AddPin},
    {"--max-segments", "N", "at most N runs on accelerators", kPlace, kTimed, false, SetMaxSegments},
    {"--measurements", "[MODEL=]FILE", "measured figures, see `onnx-hwest describe measurements` and `onnx-hwest describe imports`", kStudy, kMeasured, true,
     AddMeasurements},
    {"--model", "[PART=]MODEL", "which model a file measured that does not say", kStudy, kMeasured, true,
     AddMeasuredModel},
    {"--device", "NAME", "on which device, else that of --target", kStudy, kMeasured, false, SetMeasuredDevice},
    {"--unit", "NAME", "on which unit: CPU, GPU, NPU or a unit of the target", kStudy, kMeasured, false,
     SetMeasuredUnit},
    {"--runtime", "NAME", "with which runtime", kStudy, kMeasured, false, SetMeasuredRuntime},
    {"--models", "DIR", "folder of the models the rows name", kStudy, kMeasured, false, SetModels},
    {"--leave-out", "WHAT", "none: as the targets are; family, device or source: fitted without it", kStudy,
     Bit(Verb::kValidate), false, SetLeaveOut, kLeaveOutWords},
    {"--shell", "SHELL", "bash, zsh or fish: of `describe completions`", kReport, Bit(Verb::kDescribe), false, SetShell,
     kShellWords},
    {"--power-cap", "W", "the fastest plan whose energy over latency stays within W watts", kPlace, kTimed, false,
     SetPowerCap},
    {"--overlap", nullptr, "time the plan again with independent branches side by side", kPlace, kTimed, false,
     SetOverlap},
    {"--host-competes", nullptr, "the host of a module may run what the module can, where that is better", kPlace, kTimed,
     false, SetHostCompetes},
    {"--what-if", nullptr, "try the changes that may help, and rank them by what they save", kReport, Bit(Verb::kAnalyze),
     false, SetWhatIf},
    {"--stats", nullptr, "how much of what each toolchain demands is typed, without the rows (json holds both)", kReport,
     Bit(Verb::kSupport), false, SetStats},
    {"--context", "N,N,..", "of a language model with a key/value cache: time to first token and tokens per second", kReport,
     Bit(Verb::kAnalyze), false, SetContext},
    {"--toolchain", "[UNIT=]NAME", "another toolchain for a unit, built in or a file; of `fusions`: whose patterns", kTarget,
     kTimed | Bit(Verb::kFusions), true, SetToolchain},
};

constexpr VerbInfo kVerbs[] = {
    {Verb::kAnalyze, "analyze", "MODEL", "latency, memory and energy on a target (the default)", 1, 1},
    {Verb::kShapes, "shapes", "MODEL", "types, shapes and counts of every value, no target needed", 1, 1},
    {Verb::kSupport, "support", "MODEL", "which unit runs which node, and which limit refuses it", 1, 1},
    {Verb::kExplain, "explain", "MODEL NODE", "why a node (name, output, #id, or gN of a group) is where it is and costs what it does", 2, 2},
    {Verb::kTargets, "targets", "[list | show NAME | lint FILE|FOLDER...]", "built-in targets, one target's figures, or checks",
     0, SIZE_MAX},
    {Verb::kFusions, "fusions", "", "the fusion patterns and who applies them", 0, 0},
    {Verb::kDescribe, "describe", "[PAGE]", "tables of this program; alone, the list of them", 0, 1},
    {Verb::kValidate, "validate", "--measurements FILE --models DIR", "how far predictions are from measured figures", 0,
     0},
    {Verb::kCalibrate, "calibrate", "--target T --measurements FILE --models DIR --output FILE",
     "fits a target, or a family of them, to measured figures", 0, 0},
    {Verb::kHelp, "help", "[VERB]", "what this program, or one of its verbs, takes", 0, 1},
};

}  // namespace

absl::Span<const FlagInfo> AllFlags() { return kFlags; }
absl::Span<const VerbInfo> AllVerbs() { return kVerbs; }

const FlagInfo* FindFlag(absl::string_view name) {
  for (const FlagInfo& flag : kFlags) {
    if (name == flag.name) return &flag;
  }
  return nullptr;
}

}  // namespace hwest
