#include "app/rules.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "app/verify.h"
#include "base/status_macros.h"
#include "hwest/diagnostic.h"
#include "hwest/rewrite.h"
#include "rewrite/find.h"
#include "rewrite/sample.h"
#include "rewrite/user_rules.h"

namespace hwest::app {
namespace {

// A folder of its own that goes with the object.
class Folder {
 public:
  static absl::StatusOr<std::unique_ptr<Folder>> Make() {
    std::error_code error;
    std::string name = (std::filesystem::temp_directory_path(error) / "onnx-hwest-XXXXXX").string();
    if (error || ::mkdtemp(name.data()) == nullptr) {
      return MakeError(Code::kOutputUnwritable, "no folder for the models that rules are tried on",
                       "set TMPDIR to a folder that can be written");
    }
    return std::unique_ptr<Folder>(new Folder(std::move(name)));
  }
  ~Folder() {
    std::error_code error;
    std::filesystem::remove_all(name_, error);
  }
  Folder(const Folder&) = delete;

  std::string PathOf(absl::string_view file) const { return absl::StrCat(name_, "/", file); }

 private:
  explicit Folder(std::string name) : name_(std::move(name)) {}
  std::string name_;
};

void WriteBytes(const std::string& path, absl::string_view bytes) {
  std::ofstream file(path, std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

// The rule of the file that takes the place of `rule` in its own sample; null = it does itself.
const UserRule* InFrontOf(const UserRule& rule, const UserRules& rules, const std::string& bytes) {
  absl::StatusOr<EditedModel> model = EditedModel::FromMemory(bytes, "sample.onnx");
  if (!model.ok()) return nullptr;
  absl::StatusOr<std::shared_ptr<const Graph>> graph = model->GraphOf();
  if (!graph.ok()) return nullptr;
  const absl::StatusOr<Analysis> analysis = Analyze(*std::move(graph), AnalysisRequest());
  if (!analysis.ok()) return nullptr;
  RuleSet set;
  for (const UserRule& each : rules.rules) set.push_back(&each.rule);
  const UserRule* other = nullptr;
  for (const Place& place : FindMatches(*analysis, set, &*model)) {
    if (place.rule == &rule.rule) return nullptr;
    for (const UserRule& each : rules.rules) {
      if (&each.rule == place.rule && each.line < rule.line) other = &each;
    }
  }
  return other;
}

class Trials {
 public:
  Trials(const RulesRequest& request, const UserRules& rules, const Folder* folder)
      : request_(request), rules_(rules), folder_(folder) {}

  RuleTrial Try(const UserRule& rule) {
    RuleTrial trial{.name = std::string(rule.rule.name),
                    .line = static_cast<int64_t>(rule.line),
                    .exactness = rule.rule.exactness,
                    .verdict = request_.run ? "equal" : "ok"};
    for (const SampleNumbers numbers : {SampleNumbers::kPositive, SampleNumbers::kSigned}) {
      const absl::StatusOr<std::string> bytes = SampleOf(rule, numbers);
      if (!bytes.ok()) {
        // Checks may hold for positive constants alone.
        if (numbers == SampleNumbers::kSigned) break;
        const Diagnostic why = DiagnosticOf(bytes.status());
        return With(trial, request_.run ? "not_run" : "untried", absl::StrCat(why.message, ": ", why.remedy));
      }
      if (const UserRule* other = InFrontOf(rule, rules_, *bytes); other != nullptr) {
        return With(trial, "problem",
                    absl::StrCat("never reached where its pattern is found: '", other->rule.name, "' in line ",
                                 other->line, " stands in front of it"));
      }
      if (!TryOn(rule, *bytes, &trial)) break;
    }
    return trial;
  }

 private:
  static RuleTrial With(RuleTrial trial, absl::string_view verdict, std::string finding) {
    trial.verdict = std::string(verdict);
    trial.finding = std::move(finding);
    return trial;
  }

  // Whether there is more to try.
  bool TryOn(const UserRule& rule, const std::string& bytes, RuleTrial* trial) {
    RewriteOptions options;
    options.rules = {std::string(rule.rule.name)};
    options.allow_approximate = true;
    const auto request_of = [&](const Graph&) -> absl::StatusOr<AnalysisRequest> {
      AnalysisRequest request;
      request.rewrite_rules = request_.text;
      return request;
    };
    const absl::StatusOr<Rewritten> rewritten = RewriteModelMemory(bytes, "sample.onnx", request_of, options, nullptr);
    if (!rewritten.ok()) {
      *trial = With(*trial, "problem", DiagnosticOf(rewritten.status()).message);
      return false;
    }
    if (rewritten->rules.empty()) {
      *trial = With(*trial, "problem",
                    "its place was found, but the replacement cannot be written there: a figure has no value, or the "
                    "operator set lacks an operator");
      return false;
    }
    return !request_.run || Run(bytes, *rewritten, trial);
  }

  bool Run(const std::string& bytes, const Rewritten& rewritten, RuleTrial* trial) {
    const std::string first = folder_->PathOf("before.onnx"), second = folder_->PathOf("after.onnx");
    std::string after;
    const absl::Status written = WriteRewritten(rewritten, [&](absl::string_view part) {
                                   after.append(part.data(), part.size());
                                   return absl::OkStatus();
                                 }).status();
    if (!written.ok()) {
      *trial = With(*trial, "problem", DiagnosticOf(written).message);
      return false;
    }
    WriteBytes(first, bytes);
    WriteBytes(second, after);
    const Verification found = Verify({.first = first,
                                       .second = second,
                                       .runs = request_.runs,
                                       .exactness = trial->exactness,
                                       .values = {},
                                       .samples = ""});
    trial->runs += found.runs;
    trial->verdict = found.verdict;
    for (const Verification::Output& output : found.outputs) {
      if (output.max_rel.has_value()) trial->max_rel = std::max(trial->max_rel.value_or(0), *output.max_rel);
    }
    if (found.verdict == "equal") return true;
    trial->finding = !found.message.empty() ? found.message
                                            : absl::StrCat("differs by more than ", found.tolerance.value_or(0), " (",
                                                           ExactnessName(trial->exactness), ")");
    return false;
  }

  const RulesRequest& request_;
  const UserRules& rules_;
  const Folder* folder_;
};

bool IsProblem(const RuleTrial& trial) { return trial.verdict == "problem" || trial.verdict == "differs"; }

}  // namespace

absl::StatusOr<std::vector<RuleTrial>> TryRules(const RulesRequest& request) {
  HWEST_ASSIGN_OR_RETURN(const std::shared_ptr<const UserRules> rules, UserRules::Parse(request.text, request.file));
  std::unique_ptr<Folder> folder;
  if (request.run) {
    HWEST_ASSIGN_OR_RETURN(folder, Folder::Make());
  }
  Trials trials(request, *rules, folder.get());
  std::vector<RuleTrial> found;
  for (const UserRule& rule : rules->rules) found.push_back(trials.Try(rule));
  return found;
}

absl::Status StatusOf(const std::vector<RuleTrial>& trials) {
  const auto problems = std::count_if(trials.begin(), trials.end(), IsProblem);
  if (problems > 0) {
    return MakeError(Code::kCheckFailed, absl::StrCat(problems, problems == 1 ? " rule is" : " rules are", " wrong"),
                     "each row of the report says why");
  }
  for (const RuleTrial& trial : trials) {
    if (trial.verdict != "not_run") continue;
    return MakeError(Code::kIncomplete, absl::StrCat("the rule ", trial.name, " was not run"), trial.finding);
  }
  return absl::OkStatus();
}

}  // namespace hwest::app
