// The table of flags: what each is called, who takes it, and what its value means.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "analysis/request_text.h"
#include "base/enumerators.h"
#include "base/status_macros.h"
#include "cli/options.h"
#include "hwest/generation.h"
#include "report/words.h"

namespace hwest {
namespace {

// What a flag may be set to, space separated: read when it is parsed, and offered by completion.
constexpr char kProgressWords[] = "auto never";
constexpr char kColorWords[] = "auto always never";
constexpr char kShellWords[] = "bash zsh fish";
constexpr char kUndecidedWords[] = "fail warn";
// By their numbers.
static_assert(NumWords(kFormatWords) == kNumEnumerators<Format>);
static_assert(NumWords(kLevelWords) == kNumEnumerators<Level>);
static_assert(NumWords(kProgressWords) == kNumEnumerators<Progress>);
static_assert(NumWords(kColorByWords) == kNumEnumerators<ColorBy>);
static_assert(NumWords(kChartWords) == kNumEnumerators<Chart>);
static_assert(NumWords(kCollapseWords) == kNumEnumerators<Collapse>);
static_assert(NumWords(kColorWords) == kNumEnumerators<ColorMode>);
static_assert(NumWords(kLeaveOutWords) == kNumEnumerators<LeaveOut>);
static_assert(NumWords(kShellWords) == kNumEnumerators<Shell>);
static_assert(NumWords(kJudgeWords) == kNumEnumerators<Judge>);
static_assert(NumWords(kUndecidedWords) == kNumEnumerators<Undecided>);

constexpr size_t kMaxTextBytes = 1 << 20;
constexpr size_t kMaxProfileBytes = 64 << 20;  // traces of many runs
constexpr int64_t kMostThreads = 1024;
constexpr int64_t kLeastWidth = 40;  // that anything can be laid out on

absl::StatusOr<std::string> ReadTextFile(absl::string_view flag, const std::string& path, size_t most_bytes) {
  std::error_code error;
  std::ifstream file(path, std::ios::binary);
  if (!file || !std::filesystem::is_regular_file(path, error)) return BadValue(flag, path, "name a file that can be read");
  const auto size = static_cast<size_t>(std::filesystem::file_size(path, error));
  if (!error && size > most_bytes) {
    return BadValue(flag, path, absl::StrCat("name a file of at most ", most_bytes >> 20, " MiB"));
  }
  std::string text(std::min(size, most_bytes), '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<size_t>(file.gcount()));
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

absl::Status SetColorBy(const std::string& value, Options* options) {
  HWEST_ASSIGN_OR_RETURN(const size_t index, ParseWord("--color-by", value, kColorByWords));
  options->report.picture.color_by = static_cast<ColorBy>(index);
  return absl::OkStatus();
}

absl::Status SetCollapse(const std::string& value, Options* options) {
  HWEST_ASSIGN_OR_RETURN(const size_t index, ParseWord("--collapse", value, kCollapseWords));
  options->report.picture.collapse = static_cast<Collapse>(index);
  return absl::OkStatus();
}

absl::Status SetChart(const std::string& value, Options* options) {
  HWEST_ASSIGN_OR_RETURN(const size_t index, ParseWord("--chart", value, kChartWords));
  options->report.picture.chart = static_cast<Chart>(index);
  return absl::OkStatus();
}

absl::Status SetUnfold(const std::string&, Options* options) {
  options->report.picture.repeats = Repeats::kUnfold;
  return absl::OkStatus();
}

absl::Status SetWidth(const std::string& value, Options* options) {
  HWEST_ASSIGN_OR_RETURN(const int64_t width, ParseNumber("--width", value, 0));
  if (width > 0 && width < kLeastWidth) {
    return BadValue("--width", value, absl::StrCat("write at least ", kLeastWidth, ", or 0 for lines as long as they are"));
  }
  options->width = static_cast<size_t>(width);
  return absl::OkStatus();
}

absl::Status SetCount(absl::string_view flag, const std::string& value, int64_t least, std::optional<int64_t>* count) {
  HWEST_ASSIGN_OR_RETURN(*count, ParseNumber(flag, value, least));
  return absl::OkStatus();
}

// Names that commas separate; the flag may be given again.
absl::Status AddNames(absl::string_view flag, const std::string& value, std::vector<std::string>* names) {
  for (const std::string& name : SplitNames(value)) {
    if (name.empty()) return BadValue(flag, value, "write names with a comma between them");
    names->push_back(name);
  }
  return absl::OkStatus();
}

absl::Status SetStart(const std::string& value, Options* options) {
  return SetCount("--start", value, 0, &options->report.graph.start);
}

absl::Status SetEnd(const std::string& value, Options* options) {
  return SetCount("--end", value, 0, &options->report.graph.end);
}

absl::Status SetMaxNodes(const std::string& value, Options* options) {
  return SetCount("--max-nodes", value, 0, &options->report.graph.max_nodes);
}

absl::Status SetAround(const std::string& value, Options* options) {
  if (value.empty()) return BadValue("--around", value, "name a node");
  options->report.graph.around = value;
  return absl::OkStatus();
}

absl::Status AddOps(const std::string& value, Options* options) {
  return AddNames("--op", value, &options->report.graph.ops);
}

absl::Status AddBounds(const std::string& value, Options* options) {
  return AddNames("--bound", value, &options->report.graph.bounds);
}

absl::Status SetModule(const std::string& value, Options* options) {
  if (value.empty()) return BadValue("--module", value, "name a module");
  options->report.graph.module = value;
  return absl::OkStatus();
}

absl::Status SetGrep(const std::string& value, Options* options) {
  if (value.empty()) return BadValue("--grep", value, "write the text to look for");
  options->report.graph.grep = value;
  return absl::OkStatus();
}

absl::Status SetColumns(const std::string& value, Options* options) {
  return AddNames("--columns", value, &options->report.graph.columns);
}

// The program alone names files where C and Python hand over texts.
absl::Status GiveFlag(const RequestOption& option, const std::string& value, Options* options) {
  if (option.form != OptionForm::kFile) return Give(option, value, &options->request);
  HWEST_ASSIGN_OR_RETURN(const std::string text, ReadTextFile(option.flag, value, kMaxTextBytes));
  return Give(option, text, &options->request, value);
}

absl::Status SetFusions(const std::string& value, Options* options) {
  if (value == "none") return Give(RequestOptionNamed("fusions"), value, &options->request);
  options->fusions_file = value;
  return GiveFlag(RequestOptionNamed("fusion_rules"), value, options);
}

absl::Status SetMeasuredProfile(const std::string& value, Options* options) {
  HWEST_ASSIGN_OR_RETURN(const std::string text, ReadTextFile("--measured-profile", value, kMaxProfileBytes));
  return Give(RequestOptionNamed("measured_profile"), text, &options->request, value);
}

absl::Status SetToolchain(const std::string& value, Options* options) {
  if (options->verb != Verb::kFusions) return GiveFlag(RequestOptionNamed("toolchains"), value, options);
  options->toolchain = value;
  return absl::OkStatus();
}

// Where several points are run, these are lists.
absl::Status SetTargets(const std::string& value, Options* options) {
  if (options->verb == Verb::kSweep) return AddNames("--target", value, &options->sweep.axes.targets);
  return GiveFlag(RequestOptionNamed("target"), value, options);
}

absl::Status SetModes(const std::string& value, Options* options) {
  if (options->verb == Verb::kSweep) return AddNames("--mode", value, &options->sweep.axes.modes);
  return GiveFlag(RequestOptionNamed("mode"), value, options);
}

// UNIT=P,.. is one point.
absl::Status SetPrecisions(const std::string& value, Options* options) {
  std::vector<std::string>* const precisions = &options->sweep.axes.precisions;
  const bool is_list = value.find('=') == std::string::npos;
  if (options->verb != Verb::kSweep) return GiveFlag(RequestOptionNamed("precision"), value, options);
  if (is_list) return AddNames("--precision", value, precisions);
  precisions->push_back(value);
  return absl::OkStatus();
}

absl::Status SetBatches(const std::string& value, Options* options) {
  if (options->verb != Verb::kSweep) return GiveFlag(RequestOptionNamed("batch"), value, options);
  HWEST_ASSIGN_OR_RETURN(options->sweep.axes.batches, ParseSizes("--batch", value));
  for (const int64_t batch : options->sweep.axes.batches) {
    if (batch < 1) return BadValue("--batch", value, "give batches of 1 or more");
  }
  return absl::OkStatus();
}

absl::Status AddDimSizes(const std::string& value, Options* options) {
  if (options->verb == Verb::kSweep) return AddDimAxis("--dim", value, &options->sweep.axes);
  return GiveFlag(RequestOptionNamed("dims"), value, options);
}

absl::Status SetSizes(const std::string& value, Options* options) {
  if (options->verb != Verb::kSweep) return GiveFlag(RequestOptionNamed("image_size"), value, options);
  HWEST_ASSIGN_OR_RETURN(options->sweep.axes.sizes, ParseSizes("--size", value));
  for (const int64_t size : options->sweep.axes.sizes) {
    if (size < 1) return BadValue("--size", value, "give sizes of 1 or more");
  }
  return absl::OkStatus();
}

absl::Status SetShard(const std::string& value, Options* options) {
  HWEST_ASSIGN_OR_RETURN(options->sweep.shard, ParseShard("--shard", value));
  return absl::OkStatus();
}

absl::Status SetResume(const std::string&, Options* options) {
  options->sweep.resume = Resume::kYes;
  return absl::OkStatus();
}

absl::Status SetThreads(const std::string& value, Options* options) {
  HWEST_ASSIGN_OR_RETURN(const int64_t threads, ParseNumber("--threads", value, 1));
  options->sweep.threads = static_cast<size_t>(std::min<int64_t>(threads, kMostThreads));
  return absl::OkStatus();
}

absl::Status SetEvidence(const std::string& value, Options* options) {
  if (value.empty() || value == "-") return BadValue("--evidence", value, "name a file");
  options->evidence.path = value;
  return absl::OkStatus();
}

absl::Status SetEvidenceWeights(const std::string&, Options* options) {
  options->evidence.with_weights = true;
  return absl::OkStatus();
}

absl::Status SetAgainst(const std::string& value, Options* options) {
  if (value.empty()) return BadValue("--against", value, "name a target");
  options->diff.target = value;
  return absl::OkStatus();
}

absl::Status SetAgainstMode(const std::string& value, Options* options) {
  if (value.empty()) return BadValue("--against-mode", value, "name a mode of the target");
  options->diff.mode = value;
  return absl::OkStatus();
}

absl::Status SetAgainstPrecision(const std::string& value, Options* options) {
  Options checked;
  HWEST_RETURN_IF_ERROR(GiveFlag(RequestOptionNamed("precision"), value, &checked));
  options->diff.precision = checked.request.precision;
  return absl::OkStatus();
}

absl::Status SetExitCode(const std::string&, Options* options) {
  options->diff.exit_code = true;
  return absl::OkStatus();
}

absl::Status SetFailOn(const std::string& value, Options* options) {
  HWEST_ASSIGN_OR_RETURN(const std::vector<FailOn> limits, ParseFailOn("--fail-on", value));
  options->diff.fail_on.insert(options->diff.fail_on.end(), limits.begin(), limits.end());
  return absl::OkStatus();
}

absl::Status SetBudget(const std::string& value, Options* options) {
  if (value.empty()) return BadValue("--budget", value, "name a file");
  options->budget.path = value;
  return absl::OkStatus();
}

template <BudgetFigure figure>
absl::Status SetLimit(const std::string& value, Options* options) {
  HWEST_ASSIGN_OR_RETURN(BudgetLimit limit, ParseLimit(figure, value));
  options->budget.limits.push_back(std::move(limit));
  return absl::OkStatus();
}

absl::Status SetJudge(const std::string& value, Options* options) {
  HWEST_ASSIGN_OR_RETURN(const size_t index, ParseWord("--judge", value, kJudgeWords));
  options->budget.judge = static_cast<Judge>(index);
  return absl::OkStatus();
}

absl::Status SetUndecided(const std::string& value, Options* options) {
  HWEST_ASSIGN_OR_RETURN(const size_t index, ParseWord("--undecided", value, kUndecidedWords));
  options->budget.undecided = static_cast<Undecided>(index);
  return absl::OkStatus();
}

absl::Status SetUpdate(const std::string&, Options* options) {
  options->budget.update = true;
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

absl::Status SetUnit(const std::string& value, Options* options) {
  if (options->verb == Verb::kGraph) return AddNames("--unit", value, &options->report.graph.units);
  if (!options->defaults.unit.empty()) return MakeError(Code::kUsage, "--unit was given twice", "give it once");
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

// A,B or several times the flag.
void AddNames(const std::string& value, std::vector<std::string>* names) {
  for (const absl::string_view name : absl::StrSplit(value, ',', absl::SkipEmpty())) names->emplace_back(name);
}

absl::Status AddRules(const std::string& value, Options* options) {
  AddNames(value, &options->rewrite.rules);
  return options->rewrite.rules.empty() ? BadValue("--rule", value, "name rules, see `onnx-hwest describe rewrites`")
                                        : absl::OkStatus();
}

absl::Status AddRefusedRules(const std::string& value, Options* options) {
  AddNames(value, &options->rewrite.no_rules);
  return options->rewrite.no_rules.empty()
             ? BadValue("--no-rule", value, "name rules, see `onnx-hwest describe rewrites`")
             : absl::OkStatus();
}

absl::Status AllowApproximate(const std::string&, Options* options) {
  options->rewrite.allow_approximate = true;
  return absl::OkStatus();
}

absl::Status SetScope(RewriteScope scope, Options* options) {
  if (options->rewrite.scope != RewriteScope::kRules && options->rewrite.scope != scope) {
    return MakeError(Code::kUsage, "--fold contradicts --annotate", "give one of them");
  }
  options->rewrite.scope = scope;
  return absl::OkStatus();
}

absl::Status SetOpset(const std::string& value, Options* options) {
  int opset = 0;
  if (!absl::SimpleAtoi(value, &opset) || opset < 1) {
    return BadValue("--opset", value, "give the number of an operator set, such as 17");
  }
  options->rewrite.opset = opset;
  return absl::OkStatus();
}

absl::Status SetFold(const std::string&, Options* options) { return SetScope(RewriteScope::kFold, options); }
absl::Status SetAnnotate(const std::string&, Options* options) { return SetScope(RewriteScope::kAnnotate, options); }

absl::Status SetCopyData(const std::string&, Options* options) {
  options->copy_data = CopyData::kYes;
  return absl::OkStatus();
}

absl::Status SetWithRewrites(const std::string&, Options* options) {
  options->with_rewrites = true;
  return absl::OkStatus();
}

absl::Status SetContext(const std::string& value, Options* options) {
  if (options->verb == Verb::kGraph) return SetCount("--context", value, 0, &options->report.graph.context);
  if (options->verb != Verb::kAnalyze) return GiveFlag(RequestOptionNamed("context"), value, options);
  for (const absl::string_view text : absl::StrSplit(value, ',')) {
    int64_t tokens;
    if (!absl::SimpleAtoi(text, &tokens) || tokens < 1 || tokens > kMostContext) {
      return BadValue("--context", value, "write tokens of context, e.g. --context 128,512,2048");
    }
    options->contexts.push_back(tokens);
  }
  return absl::OkStatus();
}

constexpr uint32_t Bit(Verb verb) { return 1u << static_cast<uint32_t>(verb); }
constexpr uint32_t kGraph = Bit(Verb::kGraph);
constexpr uint32_t kRewrites = Bit(Verb::kRewrite);
constexpr uint32_t kSweep = Bit(Verb::kSweep);
constexpr uint32_t kCheck = Bit(Verb::kCheck);
constexpr uint32_t kDiff = Bit(Verb::kDiff);
constexpr uint32_t kWorkload = Bit(Verb::kWorkload);
constexpr uint32_t kRanked = Bit(Verb::kAnalyze) | Bit(Verb::kShapes) | Bit(Verb::kSupport) | Bit(Verb::kExplain);
constexpr uint32_t kSingle = kRanked | kGraph | kRewrites;  // of one model
constexpr uint32_t kTimed = (kSingle & ~Bit(Verb::kShapes)) | kSweep | kCheck | kDiff;
constexpr uint32_t kModels = kTimed | kSingle;
constexpr uint32_t kMeasured = Bit(Verb::kValidate) | Bit(Verb::kCalibrate);
constexpr uint32_t kAll = kModels | Bit(Verb::kVerify) | Bit(Verb::kTargets) | Bit(Verb::kFusions) | Bit(Verb::kDescribe) |
                          kMeasured | kWorkload;
constexpr uint32_t kDrawn = Bit(Verb::kAnalyze) | Bit(Verb::kShapes) | kGraph;
constexpr uint32_t kTables = Bit(Verb::kAnalyze) | Bit(Verb::kShapes);
constexpr uint32_t kPlans = Bit(Verb::kAnalyze) | Bit(Verb::kExplain) | kGraph;  // reports with rows of a plan

constexpr uint32_t kSteps = Bit(Verb::kAnalyze) | Bit(Verb::kExplain) | kGraph | kDiff | kCheck;  // of language models

constexpr char kReport[] = "Report";
constexpr char kModel[] = "Model";
constexpr char kStudy[] = "Study";
constexpr char kNodes[] = "Nodes";
constexpr char kPicture[] = "Picture";
constexpr char kRewrite[] = "Rewrite";

constexpr FlagInfo kProgramFlags[] = {
    {"--format", "FORMAT", "text, json, csv, markdown, dot, svg, png, pdf, html, perfetto, netron, model-explorer or speedscope; of `sweep` jsonl, of `check` junit, sarif, codequality, openmetrics, benchmark or bencher, of `graph` onnxtext", kReport, kAll, false, SetFormat, kFormatWords},
    {"--json", nullptr, "the same as --format json", kReport, kAll, false, SetJson},
    {"--output", "FILE", "write there; the extension chooses the format", kReport, kAll, false, SetOutput, nullptr, PathIn::kFile},
    {"--level", "LEVEL", "rows of the main table or boxes of a picture: node, group, segment, module or unit", kReport, kDrawn, false, SetLevel, kLevelWords},
    {"--top", "N", "show the N most expensive rows, of a sweep the N fastest; 0 for all", kReport, kRanked | kSweep | kDiff | Bit(Verb::kValidate), false, SetTop},
    {"--quiet", nullptr, "no notes on standard error", kReport, kAll, false, SetQuiet},
    {"--progress", "WHEN", "auto or never", kReport, kModels | kMeasured | Bit(Verb::kWorkload), false, SetProgress, kProgressWords},
    {"--color", "WHEN", "auto, always or never", kReport, kAll, false, SetColor, kColorWords},
    {"--strict", nullptr, "exit with 7 when anything is unknown, of a workload with 8 when a task is missed", kReport,
     (kModels & ~(kCheck | kDiff)) | kWorkload, false, SetStrict},
    {"--check", nullptr, "ask libonnx's checker first; exit with 8 when it rejects the model", kModel, kSingle, false,
     SetCheck},
    {"--shell", "SHELL", "bash, zsh or fish: of `describe completions`", kReport, Bit(Verb::kDescribe), false, SetShell,
     kShellWords},
    {"--what-if", nullptr, "try the changes that may help, and rank them by what they save", kReport, Bit(Verb::kAnalyze),
     false, SetWhatIf},
    {"--evidence", "FILE", "writes there what the report was made from, for `verify`: hashes, command and assumptions", kReport,
     kModels, false, SetEvidence, nullptr, PathIn::kFile},
    {"--evidence-weights", nullptr, "of --evidence: hashes of whole models, beside those of their graphs", kReport, kModels, false,
     SetEvidenceWeights},
    {"--stats", nullptr, "how much of what each toolchain demands is typed, without the rows (json holds both)", kReport,
     Bit(Verb::kSupport), false, SetStats},
    {"--rewrite", nullptr, "also find the rewrites that make the model better here, and say what they bring; of `sweep`: its rows are those after them", kStudy,
     Bit(Verb::kAnalyze) | kSweep, false, SetWithRewrites},
    {"--rule", "A,B", "these rules alone, wherever they apply", kRewrite, kRewrites, true, AddRules},
    {"--no-rule", "A,B", "never these rules", kRewrite, kRewrites, true, AddRefusedRules},
    {"--allow-approximate", nullptr, "also rules that change results by more than rounding does", kRewrite, kRewrites,
     false, AllowApproximate},
    {"--opset", "N", "the model in this older operator set of the default domain: nodes get its form, and what it lacks is written out",
     kRewrite, kRewrites, false, SetOpset},
    {"--fold", nullptr, "compute constants and leave out dead nodes, nothing else", kRewrite, kRewrites, false, SetFold},
    {"--annotate", nullptr, "add the figures to the nodes as metadata hwest.*, and change nothing else", kRewrite,
     kRewrites, false, SetAnnotate},
    {"--copy-data", nullptr, "copy files with weights to the folder of the output", kRewrite, kRewrites, false,
     SetCopyData},
    {"--color-by", "KEY", "colours of a picture, and figures of model-explorer: unit, bound, time, energy, intensity, precision, or measured over predicted time", kPicture, kDrawn, false,
     SetColorBy, kColorByWords},
    {"--collapse", "WHEN", "boxes of a picture: auto = what fits, module, segment, none = every one", kPicture, kDrawn, false,
     SetCollapse, kCollapseWords},
    {"--chart", "NAME", "in place of the graph: timeline of the units, memory over time, roofline, time by modules, or bounds",
     kPicture, Bit(Verb::kAnalyze), false, SetChart, kChartWords},
    {"--unfold", nullptr, "draw equal blocks in a row each, not once with their number", kPicture, kDrawn, false, SetUnfold},
    {"--width", "N", "columns of text, 0 = as many as it takes; default those of the terminal, and 0 for a file or pipe",
     kReport, kSingle, false, SetWidth},
    {"--start", "N", "from the node of this id", kNodes, kGraph, false, SetStart},
    {"--end", "N", "to the node of this id", kNodes, kGraph, false, SetEnd},
    {"--around", "NODE", "name, output, #id, id, or gN of a group: the nodes before and after it", kNodes, kGraph, false,
     SetAround},
    {"--max-nodes", "N", "the first N of the nodes that fit", kNodes, kGraph, false, SetMaxNodes},
    {"--op", "OP,..", "nodes of these operators", kNodes, kGraph, true, AddOps},
    {"--bound", "BOUND,..", "nodes of groups bound by compute, memory, overhead, transfer or balanced", kNodes, kGraph,
     true, AddBounds},
    {"--module", "PATH", "nodes of this module and of those in it", kNodes, kGraph, false, SetModule},
    {"--grep", "TEXT", "nodes with this in a name, operator, value, module or source line, in any case", kNodes, kGraph,
     false, SetGrep},
    {"--columns", "KEY,..", "these columns of the table, see docs/tables.md; JSON has all", kNodes, kGraph | kSweep, false, SetColumns},
};

constexpr char kSweepGroup[] = "Sweep";

constexpr FlagInfo kSweepFlags[] = {
    {"--shard", "I/N", "only that part of the points, e.g. of a job array; all parts in order are the whole", kSweepGroup,
     kSweep, false, SetShard},
    {"--resume", nullptr, "go on with the rows of --output FILE.csv or FILE.jsonl", kSweepGroup, kSweep, false, SetResume},
    {"--threads", "N", "default as many as there are cores", kSweepGroup, kSweep, false, SetThreads},
};

constexpr char kBudget[] = "Budget";

constexpr FlagInfo kBudgetFlags[] = {
    {"--budget", "FILE", "see `onnx-hwest describe budget`, default hwest.budget", kBudget, kCheck, false, SetBudget, nullptr, PathIn::kFile},
    {"--max-latency", "TIME", "of one run, e.g. 12ms", kBudget, kCheck, false, SetLimit<BudgetFigure::kLatency>},
    {"--min-rate", "RATE", "inputs per second, e.g. 30", kBudget, kCheck, false, SetLimit<BudgetFigure::kRate>},
    {"--max-energy", "ENERGY", "of one run, e.g. 200mJ", kBudget, kCheck, false, SetLimit<BudgetFigure::kEnergy>},
    {"--max-power", "POWER", "on average, e.g. 15W", kBudget, kCheck, false, SetLimit<BudgetFigure::kPower>},
    {"--max-memory", "SIZE", "peak, e.g. 64MB", kBudget, kCheck, false, SetLimit<BudgetFigure::kPeakMemory>},
    {"--max-fallback", "SHARE", "of the time on CPUs that accelerators could save, e.g. 5%", kBudget, kCheck, false,
     SetLimit<BudgetFigure::kFallback>},
    {"--judge", "WHICH", "point: the estimate; upper: the worse end of its interval; interval: both ends", kBudget, kCheck, false, SetJudge,
     kJudgeWords},
    {"--undecided", "WHAT", "fail or warn when a limit judged by both ends lies between them", kBudget, kCheck, false,
     SetUndecided, kUndecidedWords},
    {"--update", nullptr, "write the values of today as comments beside the limits of the budget file", kBudget, kCheck,
     false, SetUpdate},
};

constexpr char kCompare[] = "Compare";

constexpr FlagInfo kDiffFlags[] = {
    {"--against", "TARGET", "compare the model with itself on that target", kCompare, kDiff, false, SetAgainst, nullptr, PathIn::kTarget},
    {"--against-mode", "MODE", "in that power mode", kCompare, kDiff, false, SetAgainstMode},
    {"--against-precision", "P", "at that precision", kCompare, kDiff, false, SetAgainstPrecision},
    {"--exit-code", nullptr, "exit with 8 when anything differs", kCompare, kDiff, false, SetExitCode},
    {"--fail-on", "KEY:+P%,..", "exit with 8 when latency, rate, energy, power, memory, macs or a number of the summary changes by more, e.g. latency:+5%,rate:-5%",
     kCompare, kDiff, true, SetFailOn},
};

// N, or N@RATE.
absl::Status SetStreams(const std::string& value, Options* options) {
  const std::pair<absl::string_view, absl::string_view> parts = absl::StrSplit(value, absl::MaxSplits('@', 1));
  if (!absl::SimpleAtoi(parts.first, &options->streams.count) || options->streams.count < 1) {
    return BadValue("--streams", value, "write how many, e.g. --streams 4, or with a rate --streams 4@30FPS");
  }
  options->streams.rate = std::string(parts.second);
  return absl::OkStatus();
}

constexpr FlagInfo kStudyFlags[] = {
    {"--streams", "N[@RATE]", "of `workload`: the words are models, and N streams of each run at once, back to back or at a rate, e.g. 4@30FPS",
     kStudy, kWorkload, false, SetStreams},
    {"--measurements", "[MODEL=]FILE", "measured figures, see `onnx-hwest describe measurements` and `onnx-hwest describe imports`", kStudy, kMeasured, true,
     AddMeasurements, nullptr, PathIn::kNamedFile},
    {"--model", "[PART=]MODEL", "which model a file measured that does not say", kStudy, kMeasured, true,
     AddMeasuredModel},
    {"--device", "NAME", "on which device, else that of --target", kStudy, kMeasured, false, SetMeasuredDevice},
    {"--unit", "NAME", "measured on this unit: CPU, GPU, NPU or a unit of the target; of `graph`: nodes on these units, "
     "none = on no unit", kStudy, kMeasured | kGraph, true, SetUnit},
    {"--runtime", "NAME", "with which runtime", kStudy, kMeasured, false, SetMeasuredRuntime},
    {"--models", "DIR", "folder of the models the rows name", kStudy, kMeasured, false, SetModels, nullptr, PathIn::kFolder},
    {"--leave-out", "WHAT", "none: as the targets are; family, device, source or family,device: fitted without it", kStudy,
     Bit(Verb::kValidate), false, SetLeaveOut, kLeaveOutWords},
};

// Flags of options whose value means more to the program than to C and Python.
struct OwnApply {
  absl::string_view flag;
  absl::Status (*apply)(const std::string& value, Options* options);
};
constexpr OwnApply kOwnApplies[] = {{"--fusions", SetFusions},     {"--toolchain", SetToolchain}, {"--target", SetTargets},
                                    {"--mode", SetModes},          {"--precision", SetPrecisions}, {"--batch", SetBatches},
                                    {"--dim", AddDimSizes},        {"--size", SetSizes},
                                    {"--measured-profile", SetMeasuredProfile}, {"--context", SetContext}};

struct VerbSet {
  absl::string_view name;  // in request.table
  uint32_t verbs;
};
constexpr VerbSet kVerbSets[] = {{"timed", kTimed}, {"models", kModels}, {"measured", kMeasured}, {"tables", kTables}, {"plans", kPlans}, {"steps", kSteps},
                                 {"fusions", Bit(Verb::kFusions)}, {"workloads", Bit(Verb::kWorkload)}};

uint32_t VerbsOf(const RequestOption& option) {
  uint32_t verbs = 0;
  for (const absl::string_view name : absl::StrSplit(option.verbs, ' ')) {
    for (const VerbSet& set : kVerbSets) verbs |= set.name == name ? set.verbs : 0;
  }
  return verbs;
}

FlagInfo FlagOf(const RequestOption& option) {
  FlagInfo flag{option.flag, option.value, option.help, option.group, VerbsOf(option), option.form == OptionForm::kList,
                nullptr, option.choices, option.path, &option};
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
  flags.insert(flags.end(), std::begin(kSweepFlags), std::end(kSweepFlags));
  flags.insert(flags.end(), std::begin(kBudgetFlags), std::end(kBudgetFlags));
  flags.insert(flags.end(), std::begin(kDiffFlags), std::end(kDiffFlags));
  flags.insert(flags.end(), std::begin(kStudyFlags), std::end(kStudyFlags));
  return flags;
}

constexpr VerbInfo kVerbs[] = {
    {Verb::kAnalyze, "analyze", "MODEL", "latency, memory and energy on a target (the default)", 1, 1, 1},
    {Verb::kShapes, "shapes", "MODEL", "types, shapes and counts of every value, no target needed", 1, 1, 1},
    {Verb::kSupport, "support", "MODEL", "which unit runs which node, and which limit refuses it", 1, 1, 1},
    {Verb::kExplain, "explain", "MODEL NODE", "why a node (name, output, #id, or gN of a group) is where it is and costs what it does", 2, 2, 1},
    {Verb::kGraph, "graph", "MODEL", "every node in order: operands, types, attributes, users, work, and its place in the plan", 1, 1, 1},
    {Verb::kTargets, "targets", "[list | show NAME | lint FILE|FOLDER...]", "built-in targets, one target's figures, or checks",
     0, SIZE_MAX},
    {Verb::kFusions, "fusions", "", "the fusion patterns and who applies them", 0, 0},
    {Verb::kDescribe, "describe", "[PAGE]", "tables of this program; alone, the list of them", 0, 1},
    {Verb::kValidate, "validate", "--measurements FILE --models DIR", "how far predictions are from measured figures", 0,
     0},
    {Verb::kCalibrate, "calibrate", "--target T --measurements FILE --models DIR --output FILE",
     "fits a target, or a family of them, to measured figures", 0, 0},
    {Verb::kRewrite, "rewrite", "MODEL [--target T] --output OUT.onnx",
     "an equivalent model that runs better on the target, as an ONNX file", 1, 1, 1},
    {Verb::kSweep, "sweep", "MODEL...", "a row for every combination of models, targets, modes, precisions and sizes", 1,
     SIZE_MAX, SIZE_MAX,
     "--target, --mode, --precision, --batch, --dim and --size take lists: A,B. Numbers may be ranges: 128:2048:x2, 64:256:+64.\n"
     "--target all and --mode all name every one."},
    {Verb::kCheck, "check", "[--budget FILE | MODEL]", "models against their budgets; exit with 8 when a limit is broken", 0, 1, 1},
    {Verb::kDiff, "diff", "A [B]", "what differs between two models or saved reports, and what each difference costs", 1, 2, 2},
    {Verb::kVerify, "verify", "EVIDENCE", "runs the command of a record again and says what differs; exit with 8 when anything does", 1, 1, 1},
    {Verb::kWorkload, "workload", "FILE | MODEL... --streams N", "several models on one chip: does each keep its deadline, and what does the chip reach?", 1,
     SIZE_MAX, SIZE_MAX},
    {Verb::kHelp, "help", "[VERB]", "what this program, or one of its verbs, takes", 0, 1},
};

}  // namespace

absl::Status FlagInfo::Apply(const std::string& text, Options* options) const {
  return apply != nullptr ? apply(text, options) : GiveFlag(*option, text, options);
}

std::string WordInPlaceOfFile(const FlagInfo& flag) {
  const absl::string_view value = flag.value != nullptr ? flag.value : "";
  const size_t bar = value.find('|');
  return flag.path == PathIn::kFile && bar != value.npos ? std::string(value.substr(bar + 1)) : "";
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
