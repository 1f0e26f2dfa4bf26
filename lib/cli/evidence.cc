// --evidence and verify: records what a report was made from, and checks that it still gives the same report.
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

// Changes the working folder while it lives.
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

Rerun RunForJson(const Command& command) {
  const std::vector<std::string> args = ArgsOf(WithFlags(command, {"--json"}));
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
  // A name without a folder could mean a built-in one.
  const bool has_folder = absl::StrContains(path, "/") && !absl::StrContains(relative.generic_string(), "/");
  return absl::StrCat(has_folder ? "./" : "", relative.generic_string());
}

// The paths in a command, found by the declarations of its verb and flags.
class PathsOf {
 public:
  // Words that are no flag's value have the kind kNone.
  using Change = std::function<std::string(PathIn kind, const std::string& path)>;

  PathsOf(const Command& command, const Options& options) : command_(command), options_(options) {}

  // The command without flags for the form of the output, with `change` applied to each path.
  std::vector<std::string> With(const Change& change);

 private:
  std::string Changed(const Flag& flag, const std::string& value, const Change& change);
  std::optional<size_t> PathAt(PathIn kind, const std::string& value);

  const Command& command_;
  const Options& options_;
  std::shared_ptr<const Graph> graph_;  // of the first model, needed where contents of inputs name files
};

std::vector<std::string> PathsOf::With(const Change& change) {
  std::vector<CommandPart> parts;
  size_t words = 0;
  for (CommandPart part : command_.parts) {
    if (part.flag != nullptr && part.flag->is_form) continue;
    const bool is_word = part.kind == CommandPart::Kind::kWord;
    if (is_word && words++ < InfoOf(command_.verb).files) part.text = change(PathIn::kNone, part.text);
    if (part.flag != nullptr && part.value.has_value()) part.value = Changed(*part.flag, *part.value, change);
    parts.push_back(std::move(part));
  }
  return ArgsOf(parts);
}

std::string PathsOf::Changed(const Flag& flag, const std::string& value, const Change& change) {
  const absl::string_view other_word = WordInPlaceOfFile(flag);
  if (!other_word.empty() && value == other_word) return value;
  const bool is_list = flag.path == PathIn::kTarget && flag.lists != nullptr;
  std::vector<std::string> parts = {value};
  if (is_list) parts = absl::StrSplit(value, ',');
  for (std::string& part : parts) {
    const std::optional<size_t> at = PathAt(flag.path, part);
    if (at.has_value()) part = absl::StrCat(part.substr(0, *at), change(flag.path, part.substr(*at)));
  }
  return absl::StrJoin(parts, ",");
}

// Where the path begins in a value; none = there is no path.
std::optional<size_t> PathsOf::PathAt(PathIn kind, const std::string& value) {
  if (kind == PathIn::kFile || kind == PathIn::kFolder) return 0;
  if (kind == PathIn::kTarget && IsPath(value)) return 0;
  const size_t behind_name = value.find('=') + 1;  // 0 without a name
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
  const auto* const check = dynamic_cast<const CheckOptions*>(&options);
  if (check != nullptr && options.words.empty()) {
    const std::string path = check->budget.empty() ? kDefaultBudget : check->budget;
    AddOnce(path, &subject->files);
    HWEST_ASSIGN_OR_RETURN(const Budget budget, ReadBudget(path));
    for (const BudgetCheck& row : budget.checks) {
      AddOnce(row.model_path, &subject->models);
      add_target(row.target);
      for (const BudgetLimit& limit : row.limits) {
        if (!limit.against.empty()) AddOnce(limit.against, &subject->files);
      }
    }
  }
  const size_t models = options.verb == Verb::kExplain ? 1 : options.words.size();
  for (size_t i = 0; i < models; ++i) {
    const std::string& word = options.words[i];
    if (word == "-")
      return MakeError(Code::kUsage, "--evidence cannot name a model from standard input",
                       "save the model and name the file");
    if (!IsFile(word)) continue;  // a row of a sweep says so
    AddOnce(word, IsSavedReport(word) ? &subject->files : &subject->models);
  }
  const auto* const diff = dynamic_cast<const DiffOptions*>(&options);
  for (const std::string& name :
       {options.request.target, options.request.host, diff != nullptr ? diff->against_target : ""}) {
    if (!name.empty()) add_target(name);
  }
  if (const auto* sweep = dynamic_cast<const SweepOptions*>(&options)) {
    SweepAxes axes = sweep->axes;
    axes.models = {"any"};
    HWEST_ASSIGN_OR_RETURN(const SweepPlan plan, SweepPlan::Make(std::move(axes)));
    for (size_t i = 0; i < plan.size(); ++i) {
      const std::string target = plan.point(i).target;
      if (LoadTarget(target).ok()) add_target(target);
    }
  }
  return absl::OkStatus();
}

// Files that flags name, except targets.
void FillFiles(const Command& command, const Options& options, EvidenceSubject* subject) {
  PathsOf(command, options).With([&](PathIn kind, const std::string& path) {
    if (kind != PathIn::kTarget && kind != PathIn::kNone && IsFile(path)) AddOnce(path, &subject->files);
    return path;
  });
}

// A record may come from someone else: its command may read files but not write any.
absl::Status CheckReads(const Options& options) {
  const auto* const check = dynamic_cast<const CheckOptions*>(&options);
  const bool updates = check != nullptr && check->update;
  const bool writes = !options.output.empty() || !options.evidence.path.empty() || updates ||
                      options.verb == Verb::kRewrite || options.verb == Verb::kCalibrate ||
                      options.verb == Verb::kVerify;
  if (!writes) return absl::OkStatus();
  return MakeError(Code::kUsage, "the record holds a command that writes files, which no record is made of",
                   "make the record again with --evidence");
}

// The record of a command, run in the folder that its paths are relative to.
absl::StatusOr<Cell> RecordOf(const std::vector<std::string>& args) {
  const Command command = ReadCommand(args);
  HWEST_ASSIGN_OR_RETURN(const std::unique_ptr<Options> parsed, ParseOptions(command));
  const Options& options = *parsed;
  HWEST_RETURN_IF_ERROR(CheckReads(options));
  EvidenceSubject subject;
  subject.command = args;
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
  const auto place = [&](const std::string& path) {
    return fs::weakly_canonical(fs::absolute(path, ignored), ignored);
  };
  if (place(options.output) != place(options.evidence.path)) return absl::OkStatus();
  return MakeError(Code::kUsage, absl::StrCat("--evidence and --output both name ", EscapeControl(options.output)),
                   "name two files");
}

absl::Status Record(const Command& command, const Options& options) {
  if (options.evidence.path.empty()) return absl::OkStatus();
  std::error_code error;
  const std::string path = fs::absolute(options.evidence.path, error).string();
  std::string text;
  const fs::path records = RecordFolder(path);
  std::vector<std::string> args =
      PathsOf(command, options).With([&](PathIn, const std::string& word) { return SeenFrom(records, word); });
  const auto* const check = dynamic_cast<const CheckOptions*>(&options);
  if (check != nullptr && options.words.empty() && check->budget.empty()) {
    args = ArgsOf(WithFlags(ReadCommand(args), {"--budget", SeenFrom(records, kDefaultBudget)}));
  }
  {
    const FolderGuard folder(records);
    if (!folder.ok()) {
      return MakeError(Code::kOutputUnwritable, absl::StrCat("cannot write ", EscapeControl(options.evidence.path)),
                       "choose a file in a folder that exists");
    }
    HWEST_ASSIGN_OR_RETURN(const Cell evidence, RecordOf(args));
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
    HWEST_ASSIGN_OR_RETURN(const Cell now, RecordOf(CommandOf(recorded)));
    HWEST_ASSIGN_OR_RETURN(const Cell document, ReadJson(EvidenceText(now)));
    differences = CompareEvidence(recorded, document);
  }
  HWEST_RETURN_IF_ERROR(
      Deliver(options, streams, [&](Sink sink) { return WriteVerification(path, differences, options.report, sink); }));
  if (differences.empty()) return absl::OkStatus();
  return AfterReport(MakeError(Code::kCheckFailed,
                               absl::StrCat(EscapeControl(path), " is not what its inputs give now"),
                               "the report says what differs"));
}

}  // namespace hwest
