// The table of flags: what each is called, who takes it, and what its value means.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "analysis/request_text.h"
#include "base/status_macros.h"
#include "cli/options.h"

namespace hwest {
namespace {

// What a flag may be set to, space separated: read when it is parsed, and offered by completion.
constexpr char kFormatWords[] = "text json csv markdown dot svg png pdf";
constexpr char kLevelWords[] = "node group segment module unit";
constexpr char kProgressWords[] = "auto never";
constexpr char kColorWords[] = "auto always never";
constexpr char kLeaveOutWords[] = "none family device source";
constexpr char kShellWords[] = "bash zsh fish";

constexpr size_t kMaxTextBytes = 1 << 20;
constexpr int64_t kMaxContext = 1 << 24;

absl::StatusOr<std::string> ReadTextFile(absl::string_view flag, const std::string& path) {
  std::error_code error;
  std::ifstream file(path, std::ios::binary);
  if (!file || !std::filesystem::is_regular_file(path, error)) return BadValue(flag, path, "name a file that can be read");
  std::string text(kMaxTextBytes + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<size_t>(file.gcount()));
  if (text.size() > kMaxTextBytes) return BadValue(flag, path, "name a file of at most 1 MiB");
  return text;
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
  if (value.empty()) return BadValue("--output", value, "name a file, or - for standard output");
  options->output = value == "-" ? "" : value;
  return absl::OkStatus();
}

absl::Status SetLevel(const std::string& value, Options* options) {
  HWEST_ASSIGN_OR_RETURN(const size_t index, ParseWord("--level", value, kLevelWords));
  options->report.level = static_cast<Level>(index);
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

absl::Status SetStats(const std::string&, Options* options) {
  options->report.stats = Stats::kAlone;
  return absl::OkStatus();
}

// The program alone names files where C and Python hand over texts.
absl::Status GiveFlag(const RequestOption& option, const std::string& value, Options* options) {
  if (option.form != OptionForm::kFile) return Give(option, value, &options->request);
  HWEST_ASSIGN_OR_RETURN(const std::string text, ReadTextFile(option.flag, value));
  return Give(option, text, &options->request, value);
}

absl::Status SetFusions(const std::string& value, Options* options) {
  if (value == "none") return Give(RequestOptionNamed("fusions"), value, &options->request);
  options->fusions_file = value;
  return GiveFlag(RequestOptionNamed("fusion_rules"), value, options);
}

absl::Status SetToolchain(const std::string& value, Options* options) {
  if (options->verb != Verb::kFusions) return GiveFlag(RequestOptionNamed("toolchains"), value, options);
  options->toolchain = value;
  return absl::OkStatus();
}

// MODEL=FILE, unless a file is called so.
absl::Status AddMeasurements(const std::string& value, Options* options) {
  std::error_code error;
  const size_t equals = value.find('=');
  const bool named = equals != std::string::npos && equals > 0 && !std::filesystem::exists(value, error);
  std::string path = named ? value.substr(equals + 1) : value;
  if (path.empty()) return BadValue("--measurements", value, "name a file of measured figures");
  absl::StrAppend(&options->measurements, options->measurements.empty() ? "" : ", ", path);
  options->measured.emplace_back(named ? value.substr(0, equals) : "", std::move(path));
  return absl::OkStatus();
}

absl::Status AddMeasuredModel(const std::string& value, Options* options) {
  const size_t equals = value.find('=');
  const bool has_part = equals != std::string::npos;
  std::string model = has_part ? value.substr(equals + 1) : value;
  if (model.empty() || equals == 0) return BadValue("--model", value, "write --model MODEL, or PART=MODEL for one of several");
  options->defaults.models.emplace_back(has_part ? value.substr(0, equals) : "", std::move(model));
  return absl::OkStatus();
}

absl::Status SetMeasuredDevice(const std::string& value, Options* options) {
  options->defaults.device = value;
  return absl::OkStatus();
}

absl::Status SetMeasuredUnit(const std::string& value, Options* options) {
  options->defaults.unit = value;
  return absl::OkStatus();
}

absl::Status SetMeasuredRuntime(const std::string& value, Options* options) {
  options->defaults.runtime = value;
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
      return BadValue("--context", value, "write tokens of context, e.g. --context 128,512,2048");
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
constexpr char kStudy[] = "Study";

constexpr FlagInfo kProgramFlags[] = {
    {"--format", "FORMAT", "text, json, csv, markdown, dot, svg, png or pdf", kReport, kAll, false, SetFormat, kFormatWords},
    {"--json", nullptr, "the same as --format json", kReport, kAll, false, SetJson},
    {"--output", "FILE", "write there; the extension chooses the format", kReport, kAll, false, SetOutput},
    {"--level", "LEVEL", "rows of the main table or boxes of a picture: node, group, segment, module or unit", kReport, kTables, false, SetLevel, kLevelWords},
    {"--top", "N", "show the N most expensive rows, 0 for all", kReport, kModels | Bit(Verb::kValidate), false, SetTop},
    {"--quiet", nullptr, "no notes on standard error", kReport, kAll, false, SetQuiet},
    {"--progress", "WHEN", "auto or never", kReport, kModels | kMeasured, false, SetProgress, kProgressWords},
    {"--color", "WHEN", "auto, always or never", kReport, kAll, false, SetColor, kColorWords},
    {"--strict", nullptr, "exit with 7 when anything is unknown", kReport, kModels, false, SetStrict},
    {"--check", nullptr, "ask libonnx's checker first; exit with 8 when it rejects the model", kModel, kModels, false,
     SetCheck},
    {"--shell", "SHELL", "bash, zsh or fish: of `describe completions`", kReport, Bit(Verb::kDescribe), false, SetShell,
     kShellWords},
    {"--what-if", nullptr, "try the changes that may help, and rank them by what they save", kReport, Bit(Verb::kAnalyze),
     false, SetWhatIf},
    {"--stats", nullptr, "how much of what each toolchain demands is typed, without the rows (json holds both)", kReport,
     Bit(Verb::kSupport), false, SetStats},
    {"--context", "N,N,..", "of a language model with a key/value cache: time to first token and tokens per second", kReport,
     Bit(Verb::kAnalyze), false, SetContext},
};

constexpr FlagInfo kStudyFlags[] = {
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
};

// Flags of options whose value means more to the program than to C and Python.
struct OwnApply {
  absl::string_view flag;
  absl::Status (*apply)(const std::string& value, Options* options);
};
constexpr OwnApply kOwnApplies[] = {{"--fusions", SetFusions}, {"--toolchain", SetToolchain}};

struct VerbSet {
  absl::string_view name;  // in request.table
  uint32_t verbs;
};
constexpr VerbSet kVerbSets[] = {{"timed", kTimed}, {"models", kModels}, {"measured", kMeasured}, {"tables", kTables},
                                 {"fusions", Bit(Verb::kFusions)}};

uint32_t VerbsOf(const RequestOption& option) {
  uint32_t verbs = 0;
  for (const absl::string_view name : absl::StrSplit(option.verbs, ' ')) {
    for (const VerbSet& set : kVerbSets) verbs |= set.name == name ? set.verbs : 0;
  }
  return verbs;
}

FlagInfo FlagOf(const RequestOption& option) {
  FlagInfo flag{option.flag, option.value, option.help, option.group, VerbsOf(option), option.form == OptionForm::kList,
                nullptr, option.choices, &option};
  for (const OwnApply& own : kOwnApplies) {
    if (own.flag == option.flag) flag.apply = own.apply;
  }
  return flag;
}

std::vector<FlagInfo> MakeFlags() {
  std::vector<FlagInfo> flags(std::begin(kProgramFlags), std::end(kProgramFlags));
  for (const RequestOption& option : AllRequestOptions()) {
    if (option.flag != nullptr) flags.push_back(FlagOf(option));
  }
  flags.insert(flags.end(), std::begin(kStudyFlags), std::end(kStudyFlags));
  return flags;
}

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

absl::Status FlagInfo::Apply(const std::string& text, Options* options) const {
  return apply != nullptr ? apply(text, options) : GiveFlag(*option, text, options);
}

absl::Span<const FlagInfo> AllFlags() {
  static const auto* const flags = new std::vector<FlagInfo>(MakeFlags());
  return *flags;
}
absl::Span<const VerbInfo> AllVerbs() { return kVerbs; }

const FlagInfo* FindFlag(absl::string_view name) {
  for (const FlagInfo& flag : AllFlags()) {
    if (name == flag.name) return &flag;
  }
  return nullptr;
}

}  // namespace hwest
