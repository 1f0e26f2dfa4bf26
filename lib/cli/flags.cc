// The flags that several verbs take.
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "analysis/request_table.h"
#include "base/enumerators.h"
#include "cli/setters.h"
#include "cli/verbs.h"
#include "report/words.h"
#include "rewrite/user_rules.h"

namespace hwest {
namespace {

constexpr size_t kMaxTextBytes = 1 << 20;
constexpr size_t kMaxProfileBytes = 64 << 20;  // traces of many runs
constexpr int64_t kLeastWidth = 40;            // that layouts can use

// By their numbers.
constexpr char kProgressWords[] = "never auto";
constexpr char kColorWords[] = "auto always never";
static_assert(NumWords(kLevelWords) == kNumEnumerators<Level>);
static_assert(NumWords(kProgressWords) == kNumEnumerators<Progress>);
static_assert(NumWords(kColorByWords) == kNumEnumerators<ColorBy>);
static_assert(NumWords(kCollapseWords) == kNumEnumerators<Collapse>);
static_assert(NumWords(kColorWords) == kNumEnumerators<ColorMode>);

std::string FormatWords() {
  return absl::StrJoin(AllFormats(), " ",
                       [](std::string* out, const FormatInfo& row) { absl::StrAppend(out, row.name); });
}

std::string FormatWordsOf(Verb verb) {
  return absl::StrJoin(FormatsOf(InfoOf(verb).report), " ",
                       [](std::string* out, Format format) { absl::StrAppend(out, InfoOf(format).name); });
}

absl::Status SetFormat(const Flag& flag, const std::string& value, Options* options) {
  HWEST_ASSIGN_OR_RETURN(const size_t index, ChoiceOf(flag, value));
  options->format = AllFormats()[index].format;
  return absl::OkStatus();
}

absl::Status SetOutput(const Flag& flag, const std::string& value, Options* options) {
  if (value.empty()) return BadValue(flag.name, value, "name a file, or - for standard output");
  options->output = value == "-" ? "" : value;
  return absl::OkStatus();
}

absl::Status SetEvidence(const Flag& flag, const std::string& value, Options* options) {
  if (value.empty() || value == "-") return BadValue(flag.name, value, "name a file");
  options->evidence.path = value;
  return absl::OkStatus();
}

absl::Status SetWidth(const Flag& flag, const std::string& value, Options* options) {
  HWEST_ASSIGN_OR_RETURN(const int64_t width, ParseNumber(flag.name, value, 0));
  if (width > 0 && width < kLeastWidth) {
    return BadValue(flag.name, value,
                    absl::StrCat("write at least ", kLeastWidth, ", or 0 for lines as long as they are"));
  }
  options->width = static_cast<size_t>(width);
  return absl::OkStatus();
}

// MODEL=FILE, unless a file has that name.
absl::Status AddMeasurements(const Flag& flag, const std::string& value, Options* options) {
  std::error_code error;
  const size_t equals = value.find('=');
  const bool named = equals != std::string::npos && equals > 0 && !std::filesystem::exists(value, error);
  std::string path = named ? value.substr(equals + 1) : value;
  if (path.empty()) return BadValue(flag.name, value, "name a file of measured figures");
  auto& to = dynamic_cast<MeasuredOptions&>(*options);
  absl::StrAppend(&to.measurements, to.measurements.empty() ? "" : ", ", path);
  to.measured.emplace_back(named ? value.substr(0, equals) : "", std::move(path));
  return absl::OkStatus();
}

absl::Status AddFolder(const Flag& flag, const std::string& value, Options* options) {
  if (value.empty()) return BadValue(flag.name, value, "name a folder of models");
  auto& to = dynamic_cast<MeasuredOptions&>(*options);
  absl::StrAppend(&to.models, to.models.empty() ? "" : ", ", value);
  return absl::OkStatus();
}

absl::Status AddMeasuredModel(const Flag& flag, const std::string& value, Options* options) {
  const size_t equals = value.find('=');
  const bool has_part = equals != std::string::npos;
  std::string model = has_part ? value.substr(equals + 1) : value;
  if (model.empty() || equals == 0)
    return BadValue(flag.name, value, "write --model MODEL, or PART=MODEL for one of several");
  dynamic_cast<MeasuredOptions&>(*options).defaults.models.emplace_back(has_part ? value.substr(0, equals) : "",
                                                                        std::move(model));
  return absl::OkStatus();
}

absl::StatusOr<std::string> ReadTextFile(const Flag& flag, const std::string& path, size_t most_bytes) {
  std::error_code error;
  std::ifstream file(path, std::ios::binary);
  if (!file || !std::filesystem::is_regular_file(path, error))
    return BadValue(flag.name, path, "name a file that can be read");
  const auto size = static_cast<size_t>(std::filesystem::file_size(path, error));
  if (!error && size > most_bytes) {
    return BadValue(flag.name, path, absl::StrCat("name a file of at most ", most_bytes >> 20, " MiB"));
  }
  std::string text(std::min(size, most_bytes), '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<size_t>(file.gcount()));
  return text;
}

// The command line names files where C and Python pass texts.
absl::Status SetRequest(const Flag& flag, const std::string& value, Options* options) {
  if (flag.option->form != OptionForm::kFile) return Give(*flag.option, value, &options->request);
  const bool is_trace = absl::string_view(flag.option->name) == "measured_profile";
  HWEST_ASSIGN_OR_RETURN(const std::string text,
                         ReadTextFile(flag, value, is_trace ? kMaxProfileBytes : kMaxTextBytes));
  return Give(*flag.option, text, &options->request, value);
}

// Two options in C and Python.
absl::Status SetFusions(const Flag& flag, const std::string& value, Options* options) {
  if (value == WordInPlaceOfFile(flag)) return Give(RequestOptionNamed("fusions"), value, &options->request);
  options->fusions_file = value;
  return SetRequest(flag, value, options);
}

// Rules are read above the folder that knows options, so that the file is named here.
absl::Status SetRewriteRules(const Flag& flag, const std::string& value, Options* options) {
  HWEST_RETURN_IF_ERROR(SetRequest(flag, value, options));
  return UserRules::Parse(options->request.rewrite_rules, value).status();
}

constexpr SetFlag SetterOf(std::string_view option) {
  if (option == "fusion_rules") return SetFusions;
  return option == "rewrite_rules" ? SetRewriteRules : SetRequest;
}

constexpr uint32_t Bit(Verb verb) { return 1u << static_cast<uint32_t>(verb); }
constexpr uint32_t kGraph = Bit(Verb::kGraph);
constexpr uint32_t kSweep = Bit(Verb::kSweep);
constexpr uint32_t kCheck = Bit(Verb::kCheck);
constexpr uint32_t kDiff = Bit(Verb::kDiff);
constexpr uint32_t kWorkload = Bit(Verb::kWorkload);
constexpr uint32_t kExplore = Bit(Verb::kExplore);
constexpr uint32_t kRanked =
    Bit(Verb::kAnalyze) | Bit(Verb::kShapes) | Bit(Verb::kSupport) | Bit(Verb::kExplain) | Bit(Verb::kCures);
constexpr uint32_t kLog = Bit(Verb::kImportLog);
constexpr uint32_t kSingle = kRanked | kGraph | kLog | Bit(Verb::kRewrite) | Bit(Verb::kMemory) |
                             Bit(Verb::kQuantizePlan) | Bit(Verb::kWidth);  // of one model
constexpr uint32_t kTimed = (kSingle & ~Bit(Verb::kShapes)) | kSweep | kCheck | kDiff;
constexpr uint32_t kModels = kTimed | kSingle;
constexpr uint32_t kMeasured = Bit(Verb::kValidate) | Bit(Verb::kCalibrate);
constexpr uint32_t kEvery = (1u << kNumEnumerators<Verb>)-1;
constexpr uint32_t kReports = kEvery & ~Bit(Verb::kHelp);
constexpr uint32_t kDrawn = Bit(Verb::kAnalyze) | Bit(Verb::kShapes) | kGraph;
constexpr uint32_t kTables = Bit(Verb::kAnalyze) | Bit(Verb::kShapes);
constexpr uint32_t kPlans = Bit(Verb::kAnalyze) | Bit(Verb::kExplain) | kGraph;  // reports with rows of a plan
constexpr uint32_t kSteps = Bit(Verb::kExplain) | kDiff | kCheck;                // of one step of language models

constexpr uint32_t kRewriting =
    Bit(Verb::kAnalyze) | Bit(Verb::kRewrite) | Bit(Verb::kSupport) | Bit(Verb::kCures) | kSweep;

struct VerbSet {
  std::string_view name;  // in request.table
  uint32_t verbs;
};
constexpr VerbSet kVerbSets[] = {{"timed", kTimed | kExplore},
                                 {"models", kModels | kExplore},
                                 {"measured", kMeasured},
                                 {"tables", kTables},
                                 {"plans", kPlans},
                                 {"steps", kSteps},
                                 {"fusions", Bit(Verb::kFusions)},
                                 {"rewrites", kRewriting},
                                 {"workloads", kWorkload}};

// clang-format off: a paragraph a flag
constexpr Flag kProgramFlags[] = {
    {.name = "--json", .help = "the same as --format json", .group = "Report", .verbs = kReports,
     .set = Switch<Format::kJson, &Options::format>, .conflicts = "--format", .is_form = true},
    {.name = "--output", .value = "FILE", .help = "file for the report, its extension chooses the format",
     .group = "Report", .verbs = kReports, .set = SetOutput, .default_text = "standard output",
     .example = "report.html", .path = PathIn::kFile, .is_form = true},
    {.name = "--format", .value = "FORMAT", .help = "of the report, see `onnx-hwest describe formats`",
     .group = "Report", .verbs = kReports, .set = SetFormat, .named_choices = FormatWords,
     .choices_of = FormatWordsOf, .default_text = "by the extension of --output, else text", .is_form = true},
    {.name = "--top", .value = "N", .help = "show the N most expensive rows, of a sweep the N fastest; 0 for all",
     .group = "Report",
     .verbs = kRanked | kSweep | kExplore | kDiff | kLog | Bit(Verb::kValidate) | Bit(Verb::kQuantizePlan) |
              Bit(Verb::kWidth),
     .set = SetNumber<0, &Options::report, &ReportOptions::top>, .example = "20", .is_form = true},
    {.name = "--level", .value = "LEVEL", .help = "rows of the main table or boxes of a picture", .group = "Report",
     .verbs = kDrawn, .set = SetChoice<&Options::report, &ReportOptions::level>, .choices = TextIn(kLevelWords),
     .is_form = true},
    {.name = "--columns", .value = "KEY,..", .help = "these columns of the table, see docs/tables.md; JSON has all",
     .group = "Report", .verbs = kGraph | kSweep,
     .set = AddNames<&Options::report, &ReportOptions::graph, &GraphSelection::columns>, .example = "name,macs"},
    {.name = "--width", .value = "N", .help = "columns of text, 0 = as many as it takes", .group = "Report",
     .verbs = kSingle | kExplore | Bit(Verb::kLlm), .set = SetWidth,
     .default_text = "those of the terminal, and 0 for a file or pipe",
     .example = "120", .is_rare = true},
    {.name = "--strict", .help = "exit with 7 when anything is unknown", .group = "Report",
     .verbs = kModels & ~(kCheck | kDiff | kLog), .set = Switch<Strict::kYes, &Options::strict>},
    {.name = "--evidence", .value = "FILE",
     .help = "writes there what the report was made from, for `verify`: hashes, command and assumptions",
     .group = "Report", .verbs = kModels & ~kLog, .set = SetEvidence, .example = "evidence.json",
     .path = PathIn::kFile, .is_form = true},
    {.name = "--quiet", .help = "no notes on standard error", .group = "Report", .verbs = kReports,
     .set = Switch<Quiet::kYes, &Options::quiet>, .is_rare = true, .is_form = true},
    {.name = "--progress", .value = "WHEN", .help = "steps that take seconds, on the terminal", .group = "Report",
     .verbs = kModels | kExplore | kMeasured | kWorkload | Bit(Verb::kFit),
     .set = SetChoice<&Options::progress>, .choices = TextIn(kProgressWords),
     .default_text = "auto", .is_rare = true, .is_form = true},
    {.name = "--color", .value = "WHEN", .help = "colours of text", .group = "Report", .verbs = kReports,
     .set = SetChoice<&Options::color>, .choices = TextIn(kColorWords), .default_text = "auto", .is_rare = true,
     .is_form = true},
    {.name = "--check", .help = "ask libonnx's checker first; exit with 8 when it rejects the model", .group = "Model",
     .verbs = kSingle, .set = Switch<Check::kYes, &Options::check>},
    {.name = "--color-by", .value = "KEY",
     .help = "colours of a picture, and figures of model-explorer; measured = over predicted time", .group = "Picture",
     .verbs = kDrawn, .set = SetChoice<&Options::report, &ReportOptions::picture, &PictureOptions::color_by>,
     .choices = TextIn(kColorByWords), .default_text = "unit"},
    {.name = "--collapse", .value = "WHEN", .help = "boxes of a picture: auto = what fits, none = every one",
     .group = "Picture", .verbs = kDrawn,
     .set = SetChoice<&Options::report, &ReportOptions::picture, &PictureOptions::collapse>,
     .choices = TextIn(kCollapseWords), .default_text = "auto", .is_rare = true},
    {.name = "--unfold", .help = "draw equal blocks in a row each, not once with their number", .group = "Picture",
     .verbs = kDrawn,
     .set = Switch<Repeats::kUnfold, &Options::report, &ReportOptions::picture, &PictureOptions::repeats>,
     .is_rare = true},
    {.name = "--measurements", .value = "[MODEL=]FILE",
     .help = "measured figures, see `onnx-hwest describe measurements` and `onnx-hwest describe imports`",
     .group = "Study", .verbs = kMeasured, .set = AddMeasurements, .example = "measured.csv",
     .path = PathIn::kNamedFile, .repeats = true},
    {.name = "--models", .value = "DIR",
     .help = "folder of the models that the rows name; of several, the first that has one counts", .group = "Study",
     .verbs = kMeasured, .set = AddFolder, .example = "models", .path = PathIn::kFolder, .repeats = true},
    {.name = "--model", .value = "[PART=]MODEL", .help = "which model a file measured that does not say",
     .group = "Study", .verbs = kMeasured, .set = AddMeasuredModel, .example = "resnet50", .repeats = true},
    {.name = "--device", .value = "NAME", .help = "device that was measured", .group = "Study", .verbs = kMeasured,
     .set = SetText<&MeasuredOptions::defaults, &MeasurementDefaults::device>, .default_text = "that of --target",
     .example = "jetson-orin"},
    {.name = "--unit", .value = "NAME", .help = "measured on this unit: CPU, GPU, NPU or a unit of the target",
     .group = "Study", .verbs = kMeasured, .set = SetText<&MeasuredOptions::defaults, &MeasurementDefaults::unit>,
     .example = "NPU"},
    {.name = "--runtime", .value = "NAME", .help = "runtime that was measured", .group = "Study", .verbs = kMeasured,
     .set = SetText<&MeasuredOptions::defaults, &MeasurementDefaults::runtime>, .example = "onnxruntime"},
    {.name = "--help", .letter = "-h", .help = "print what the program, or this verb, takes", .group = "Program",
     .verbs = kEvery, .set = Switch<Action::kHelp, &Options::action>},
    {.name = "--help-all", .help = "print what every verb takes", .group = "Program", .verbs = kEvery,
     .set = Switch<Action::kHelpAll, &Options::action>},
    {.name = "--version", .help = "print the version", .group = "Program", .verbs = kEvery,
     .set = Switch<Action::kVersion, &Options::action>},
};
// clang-format on

constexpr uint32_t VerbsOf(std::string_view sets) {
  uint32_t verbs = 0;
  while (!sets.empty()) {
    const std::string_view name = sets.substr(0, sets.find(' '));
    for (const VerbSet& set : kVerbSets) verbs |= set.name == name ? set.verbs : 0;
    sets.remove_prefix(std::min(name.size() + 1, sets.size()));
  }
  return verbs;
}

constexpr absl::string_view TextOf(const char* text) {
  return text == nullptr ? absl::string_view() : absl::string_view(text);
}

constexpr Flag FlagOf(const RequestOption& option) {
  return {.name = option.flag,
          .value = TextOf(option.value),
          .help = option.help,
          .group = option.group,
          .verbs = VerbsOf(option.verbs),
          .set = SetterOf(option.name),
          .choices = TextOf(option.choices),
          .default_text = TextOf(option.default_text),
          .example = TextOf(option.example),
          .path = option.path,
          .repeats = option.form == OptionForm::kList,
          .is_rare = option.is_rare,
          .option = &option};
}

constexpr size_t kNumRequestFlags = std::count_if(std::begin(kRequestOptions), std::end(kRequestOptions),
                                                  [](const RequestOption& option) { return option.flag != nullptr; });

constexpr auto kSharedFlags = [] {
  std::array<Flag, std::size(kProgramFlags) + kNumRequestFlags> flags{};
  size_t count = 0;
  for (const Flag& flag : kProgramFlags) flags[count++] = flag;
  for (const RequestOption& option : kRequestOptions) {
    if (option.flag != nullptr) flags[count++] = FlagOf(option);
  }
  return flags;
}();

bool IsCalled(const Flag& flag, absl::string_view name) {
  return name == flag.name || (!flag.letter.empty() && name == flag.letter);
}

const Flag* FindIn(absl::Span<const Flag> flags, absl::string_view name) {
  const auto found = std::find_if(flags.begin(), flags.end(), [&](const Flag& flag) { return IsCalled(flag, name); });
  return found == flags.end() ? nullptr : &*found;
}

}  // namespace

absl::Status RefuseValue(const Flag& flag, const std::string& value) {
  return BadValue(flag.name, value,
                  absl::StrCat("write ", flag.name, " ", flag.value, ", e.g. ", flag.name, " ", flag.example));
}

absl::Status AppendNames(const Flag& flag, const std::string& value, std::vector<std::string>* names) {
  for (std::string& name : SplitNames(value)) {
    if (name.empty()) return BadValue(flag.name, value, "write names with a comma between them");
    names->push_back(std::move(name));
  }
  return absl::OkStatus();
}

absl::StatusOr<size_t> ChoiceOf(const Flag& flag, const std::string& value) {
  return ParseWord(flag.name, value, ChoicesOf(flag));
}

std::string ChoicesOf(const Flag& flag) {
  return flag.named_choices != nullptr ? flag.named_choices() : std::string(flag.choices);
}

std::string ChoicesOf(const Flag& flag, Verb verb) {
  return flag.choices_of != nullptr ? flag.choices_of(verb) : ChoicesOf(flag);
}

absl::string_view WordInPlaceOfFile(const Flag& flag) {
  const size_t bar = flag.value.find('|');
  return flag.path == PathIn::kFile && bar != flag.value.npos ? flag.value.substr(bar + 1) : "";
}

const Flag* FindFlag(absl::string_view name, Verb verb) {
  if (const Flag* own = FindIn(InfoOf(verb).flags(), name)) return own;
  const Flag* shared = FindIn(kSharedFlags, name);
  return shared != nullptr && (shared->verbs & Bit(verb)) != 0 ? shared : nullptr;
}

const Flag* FindFlag(absl::string_view name) {
  const Flag* found = FindIn(kSharedFlags, name);
  for (const VerbInfo& verb : AllVerbs()) {
    if (found == nullptr) found = FindIn(verb.flags(), name);
  }
  return found;
}

std::vector<const Flag*> FlagsOf(Verb verb) {
  std::vector<const Flag*> flags;
  const absl::Span<const Flag> own = InfoOf(verb).flags();
  for (const Flag& flag : kSharedFlags) {
    const Flag* hides = FindIn(own, flag.name);
    if (hides != nullptr || (flag.verbs & Bit(verb)) != 0) flags.push_back(hides != nullptr ? hides : &flag);
  }
  for (const Flag& flag : own) {
    if (FindIn(kSharedFlags, flag.name) == nullptr) flags.push_back(&flag);
  }
  return flags;
}

std::vector<const Flag*> AllFlags() {
  std::vector<const Flag*> flags;
  for (const Flag& flag : kSharedFlags) flags.push_back(&flag);
  for (const VerbInfo& verb : AllVerbs()) {
    for (const Flag& flag : verb.flags()) flags.push_back(&flag);
  }
  return flags;
}

}  // namespace hwest
