// --evidence and verify: a record of what a report was made from, and whether that still gives the same.
#include "cli/evidence.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <system_error>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "analysis/value_text.h"
#include "base/status_macros.h"
#include "base/text.h"
#include "cli/output.h"
#include "cli/verbs.h"
#include "diff/diff.h"
#include "evidence/evidence.h"
#include "report/read_json.h"
#include "target/embedded.h"

namespace hwest {
namespace {

namespace fs = std::filesystem;

// The working folder, until this goes.
class FolderGuard {
 public:
  explicit FolderGuard(const fs::path& folder) : before_(fs::current_path(error_)) { fs::current_path(folder, error_); }
  ~FolderGuard() { fs::current_path(before_, error_); }
  FolderGuard(const FolderGuard&) = delete;
  FolderGuard& operator=(const FolderGuard&) = delete;
  bool ok() const { return !error_; }

 private:
  std::error_code error_;
  fs::path before_;
};

fs::path RecordFolder(const std::string& file) {
  std::error_code error;
  return fs::absolute(fs::path(file), error).parent_path();
}

// The report of a command as JSON.
struct Rerun {
  std::string report, said;
  int exit_code = 0;
};

Rerun RunForJson(const std::vector<std::string>& command) {
  const std::vector<std::string> args = WithFlags(command, {"--json"});
  char* bytes[2] = {nullptr, nullptr};
  size_t sizes[2] = {0, 0};
  std::FILE* const out = ::open_memstream(&bytes[0], &sizes[0]);
  std::FILE* const err = ::open_memstream(&bytes[1], &sizes[1]);
  Rerun rerun;
  rerun.exit_code = RunCli(args, {out, err});
  std::fclose(out);
  std::fclose(err);
  rerun.report.assign(bytes[0], sizes[0]);
  rerun.said.assign(bytes[1], sizes[1]);
  for (char* each : bytes) std::free(each);
  return rerun;
}

// Flags about the form of the output, which a record leaves out.
bool IsAboutOutput(absl::string_view flag) {
  constexpr absl::string_view kFlags[] = {"--format", "--json",     "--output",           "--color", "--progress",
                                          "--quiet",  "--evidence", "--evidence-weights", "--level", "--top",   "--update"};
  return std::find(std::begin(kFlags), std::end(kFlags), flag) != std::end(kFlags);
}

bool IsFile(const std::string& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

// A path, seen from another folder.
std::string SeenFrom(const fs::path& folder, const std::string& path) {
  if (path.empty() || fs::path(path).is_absolute()) return path;
  std::error_code error;
  const fs::path relative = fs::absolute(path, error).lexically_normal().lexically_relative(folder.lexically_normal());
  if (relative.empty()) return path;
  // A name without a folder may mean what is built in.
  const bool has_folder = absl::StrContains(path, "/") && !absl::StrContains(relative.generic_string(), "/");
  return absl::StrCat(has_folder ? "./" : "", relative.generic_string());
}

// The words of a command, told apart by what the tables of flags and verbs say of them.
class Command {
 public:
  using Change = std::function<std::string(PathIn kind, const std::string& path)>;

  Command(const std::vector<std::string>& words, const Options& options) : words_(words), options_(options) {}

  // The words without flags about the form of the output, `change` made to each path in them; kNone is that of a word
  // which is no flag's value.
  std::vector<std::string> With(const Change& change);

 private:
  void AddFlag(const FlagInfo& flag, size_t* at, const Change& change);
  void AddWord(const std::string& word, const Change& change);
  std::string Changed(const FlagInfo& flag, const std::string& value, const Change& change);
  std::optional<size_t> PathAt(PathIn kind, const std::string& value);

  const std::vector<std::string>& words_;
  const Options& options_;
  std::vector<std::string> made_;
  size_t num_words_ = 0;  // so far, without the verb
  bool is_first_ = true;
  std::shared_ptr<const Graph> graph_;  // of the first model, once contents of its inputs name files
};

std::vector<std::string> Command::With(const Change& change) {
  made_.clear();
  num_words_ = 0;
  is_first_ = true;
  bool only_words = false;
  for (size_t i = 0; i < words_.size(); ++i) {
    const bool is_flag = !only_words && absl::StartsWith(words_[i], "--");
    const FlagInfo* flag = is_flag ? FindFlag(words_[i].substr(0, words_[i].find('='))) : nullptr;
    only_words = only_words || words_[i] == "--";
    if (flag != nullptr) {
      AddFlag(*flag, &i, change);
    } else if (is_flag) {
      made_.push_back(words_[i]);
    } else {
      AddWord(words_[i], change);
    }
  }
  return std::move(made_);
}

// The first word is the verb if it equals one.
void Command::AddWord(const std::string& word, const Change& change) {
  bool is_verb = false;
  size_t files = 0;
  for (const VerbInfo& info : AllVerbs()) {
    is_verb = is_verb || (is_first_ && word == info.name);
    if (info.verb == options_.verb) files = info.files;
  }
  is_first_ = false;
  const bool is_path = !is_verb && num_words_ < files;
  num_words_ += is_verb ? 0 : 1;
  made_.push_back(is_path ? change(PathIn::kNone, word) : word);
}

void Command::AddFlag(const FlagInfo& flag, size_t* at, const Change& change) {
  const std::string& word = words_[*at];
  const size_t equals = word.find('=');
  const bool is_next = flag.value != nullptr && equals == std::string::npos && *at + 1 < words_.size();
  if (is_next) ++*at;
  if (IsAboutOutput(flag.name)) return;
  if (is_next) {
    made_.push_back(word);
    made_.push_back(Changed(flag, words_[*at], change));
  } else {
    made_.push_back(equals == std::string::npos
                        ? word
                        : absl::StrCat(word.substr(0, equals + 1), Changed(flag, word.substr(equals + 1), change)));
  }
}

std::string Command::Changed(const FlagInfo& flag, const std::string& value, const Change& change) {
  const std::string other_word = WordInPlaceOfFile(flag);
  if (!other_word.empty() && value == other_word) return value;
  const bool is_list = flag.path == PathIn::kTarget && options_.verb == Verb::kSweep;
  std::vector<std::string> parts = {value};
  if (is_list) parts = absl::StrSplit(value, ',');
  for (std::string& part : parts) {
    const std::optional<size_t> at = PathAt(flag.path, part);
    if (at.has_value()) part = absl::StrCat(part.substr(0, *at), change(flag.path, part.substr(*at)));
  }
  return absl::StrJoin(parts, ",");
}

// Where in a value the path begins; none = it holds none.
std::optional<size_t> Command::PathAt(PathIn kind, const std::string& value) {
  if (kind == PathIn::kFile || kind == PathIn::kFolder) return 0;
  if (kind == PathIn::kTarget && IsPath(value)) return 0;
  const size_t behind_name = value.find('=') + 1;  // 0 where there is no name
  if (kind == PathIn::kToolchain && IsPath(value.substr(behind_name))) return behind_name;
  if (kind != PathIn::kContents || options_.words.empty()) return std::nullopt;
  if (graph_ == nullptr) graph_ = LoadModel(options_.words[0]).value_or(nullptr);
  return graph_ != nullptr ? FileOfValue(*graph_, value).value_or(std::nullopt) : std::nullopt;
}

void AddOnce(const std::string& text, std::vector<std::string>* to) {
  if (std::find(to->begin(), to->end(), text) == to->end()) to->push_back(text);
}

// Models, targets and other files of a command, as it names them.
absl::Status FillInputs(const Options& options, EvidenceSubject* subject) {
  const auto add_target = [&](const std::string& name) { AddOnce(name, &subject->targets); };
  if (options.verb == Verb::kCheck && options.words.empty()) {
    const std::string path = options.budget.path.empty() ? kDefaultBudget : options.budget.path;
    AddOnce(path, &subject->files);
    HWEST_ASSIGN_OR_RETURN(const Budget budget, ReadBudget(path));
    for (const BudgetCheck& check : budget.checks) {
      AddOnce(check.model_path, &subject->models);
      add_target(check.target);
      for (const BudgetLimit& limit : check.limits) {
        if (!limit.against.empty()) AddOnce(limit.against, &subject->files);
      }
    }
  }
  const size_t models = options.verb == Verb::kExplain ? 1 : options.words.size();
  for (size_t i = 0; i < models; ++i) {
    const std::string& word = options.words[i];
    if (word == "-") return MakeError(Code::kUsage, "--evidence cannot name a model from standard input", "save the model and name the file");
    if (!IsFile(word)) continue;  // a row of a sweep says so
    AddOnce(word, IsSavedReport(word) ? &subject->files : &subject->models);
  }
  for (const std::string& name : {options.request.target, options.request.host, options.diff.target}) {
    if (!name.empty()) add_target(name);
  }
  if (options.verb == Verb::kSweep) {
    SweepAxes axes = options.sweep.axes;
    axes.models = {"any"};
    HWEST_ASSIGN_OR_RETURN(const SweepPlan plan, SweepPlan::Make(std::move(axes)));
    for (size_t i = 0; i < plan.size(); ++i) {
      const std::string target = plan.point(i).target;
      if (LoadTarget(target).ok()) add_target(target);
    }
  }
  return absl::OkStatus();
}

// Files that flags name, but for targets.
void FillFiles(const std::vector<std::string>& command, const Options& options, EvidenceSubject* subject) {
  Command(command, options).With([&](PathIn kind, const std::string& path) {
    if (kind != PathIn::kTarget && kind != PathIn::kNone && IsFile(path)) AddOnce(path, &subject->files);
    return path;
  });
}

// A record may come from someone else: what it makes this program run may read, not write.
absl::Status CheckReads(const Options& options) {
  const bool writes = !options.output.empty() || !options.evidence.path.empty() || options.budget.update ||
                      options.verb == Verb::kRewrite || options.verb == Verb::kCalibrate ||
                      options.verb == Verb::kVerify;
  if (!writes) return absl::OkStatus();
  return MakeError(Code::kUsage, "the record holds a command that writes files, which no record is made of",
                   "make the record again with --evidence");
}

// The record of a command, made in the folder that its paths are relative to.
absl::StatusOr<Cell> RecordOf(const std::vector<std::string>& command, bool with_weights) {
  HWEST_ASSIGN_OR_RETURN(const Options options, ParseOptions(command));
  HWEST_RETURN_IF_ERROR(CheckReads(options));
  EvidenceSubject subject;
  subject.command = command;
  subject.with_weights = with_weights;
  HWEST_RETURN_IF_ERROR(FillInputs(options, &subject));
  FillFiles(command, options, &subject);
  Rerun rerun = RunForJson(command);
  subject.report = std::move(rerun.report);
  subject.exit_code = rerun.exit_code;
  return EvidenceOf(subject);
}

}  // namespace

absl::Status CheckEvidencePath(const Options& options) {
  if (options.evidence.path.empty() || options.output.empty()) return absl::OkStatus();
  std::error_code ignored;
  const auto place = [&](const std::string& path) { return fs::weakly_canonical(fs::absolute(path, ignored), ignored); };
  if (place(options.output) != place(options.evidence.path)) return absl::OkStatus();
  return MakeError(Code::kUsage, absl::StrCat("--evidence and --output both name ", EscapeControl(options.output)),
                   "name two files");
}

absl::Status Record(const std::vector<std::string>& args, const Options& options) {
  if (options.evidence.path.empty()) return absl::OkStatus();
  std::error_code error;
  const std::string path = fs::absolute(options.evidence.path, error).string();
  std::string text;
  const fs::path records = RecordFolder(path);
  std::vector<std::string> command =
      Command(args, options).With([&](PathIn, const std::string& word) { return SeenFrom(records, word); });
  if (options.verb == Verb::kCheck && options.words.empty() && options.budget.path.empty()) {
    command = WithFlags(std::move(command), {"--budget", SeenFrom(records, kDefaultBudget)});
  }
  {
    const FolderGuard folder(records);
    if (!folder.ok()) {
      return MakeError(Code::kOutputUnwritable, absl::StrCat("cannot write ", EscapeControl(options.evidence.path)),
                       "choose a file in a folder that exists");
    }
    HWEST_ASSIGN_OR_RETURN(const Cell evidence, RecordOf(command, options.evidence.with_weights));
    text = EvidenceText(evidence);
  }
  return WriteFile(path, [&](Sink sink) { return sink(text); });
}

absl::Status RunVerify(const Options& options, const Streams& streams) {
  const std::string& path = options.words[0];
  HWEST_RETURN_IF_ERROR(CheckFormat(ReportKind::kVerify, options.report.format));
  HWEST_ASSIGN_OR_RETURN(const Cell recorded, ReadEvidence(path));
  std::vector<EvidenceDifference> differences;
  {
    const FolderGuard folder(RecordFolder(path));
    HWEST_ASSIGN_OR_RETURN(const Cell now, RecordOf(CommandOf(recorded), HasWeights(recorded)));
    HWEST_ASSIGN_OR_RETURN(const Cell document, ReadJson(EvidenceText(now)));
    differences = CompareEvidence(recorded, document);
  }
  HWEST_RETURN_IF_ERROR(Deliver(options, streams, [&](Sink sink) {
    return WriteVerification(path, differences, options.report, sink);
  }));
  if (differences.empty()) return absl::OkStatus();
  return AfterReport(MakeError(Code::kCheckFailed, absl::StrCat(EscapeControl(path), " is not what its inputs give now"),
                               "the report says what differs"));
}

}  // namespace hwest
