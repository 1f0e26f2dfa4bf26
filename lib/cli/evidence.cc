// --evidence and verify: a record of what a report was made from, and whether that still gives the same.
#include "cli/evidence.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "base/text.h"
#include "cli/output.h"
#include "cli/verbs.h"
#include "diff/diff.h"
#include "evidence/evidence.h"
#include "report/read_json.h"

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

// A word that names a file, seen from another folder; NAME=FILE likewise.
std::string SeenFrom(const fs::path& folder, const std::string& word) {
  const size_t equals = word.find('=');
  if (!IsFile(word) && equals != std::string::npos) {
    return absl::StrCat(word.substr(0, equals + 1), SeenFrom(folder, word.substr(equals + 1)));
  }
  if (!IsFile(word) || fs::path(word).is_absolute()) return word;
  std::error_code error;
  const fs::path relative = fs::absolute(word, error).lexically_normal().lexically_relative(folder.lexically_normal());
  return relative.empty() ? word : relative.generic_string();
}

// The command as a record has it.
std::vector<std::string> Recorded(const std::vector<std::string>& args, const fs::path& folder) {
  std::vector<std::string> words;
  const size_t end = EndOfFlags(args);
  for (size_t i = 0; i < args.size(); ++i) {
    const std::string name = args[i].substr(0, args[i].find('='));
    const FlagInfo* flag = i < end && absl::StartsWith(args[i], "--") ? FindFlag(name) : nullptr;
    if (flag == nullptr) {
      words.push_back(SeenFrom(folder, args[i]));
      continue;
    }
    const bool is_next = flag->value != nullptr && name.size() == args[i].size();
    if (IsAboutOutput(name)) {
      i += is_next;
      continue;
    }
    words.push_back(is_next || flag->value == nullptr
                        ? args[i]
                        : absl::StrCat(name, "=", SeenFrom(folder, args[i].substr(name.size() + 1))));
    if (is_next && i + 1 < args.size()) words.push_back(SeenFrom(folder, args[++i]));
  }
  return words;
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
void FillFiles(const std::vector<std::string>& command, EvidenceSubject* subject) {
  for (size_t i = 0; i < EndOfFlags(command); ++i) {
    const std::string name = command[i].substr(0, command[i].find('='));
    const FlagInfo* flag = absl::StartsWith(command[i], "--") ? FindFlag(name) : nullptr;
    if (flag == nullptr || flag->value == nullptr || name == "--target" || name == "--against" || name == "--host") continue;
    std::string value = name.size() < command[i].size() ? command[i].substr(name.size() + 1)
                        : i + 1 < command.size()        ? command[++i]
                                                        : std::string();
    if (!IsFile(value) && value.find('=') != std::string::npos) value = value.substr(value.find('=') + 1);
    if (IsFile(value)) AddOnce(value, &subject->files);
  }
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
  FillFiles(command, &subject);
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
  std::vector<std::string> command = Recorded(args, RecordFolder(path));
  if (options.verb == Verb::kCheck && options.words.empty() && options.budget.path.empty()) {
    command = WithFlags(std::move(command), {"--budget", SeenFrom(RecordFolder(path), kDefaultBudget)});
  }
  {
    const FolderGuard folder(RecordFolder(path));
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
  const auto nowhere = [](absl::string_view) { return absl::OkStatus(); };
  HWEST_RETURN_IF_ERROR(WriteVerification(path, {}, options.report, nowhere));
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
