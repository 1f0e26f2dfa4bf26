// check: models against their budgets, for people and as a gate in CI.
#include <fstream>
#include <iterator>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "base/text.h"
#include "budget/report.h"
#include "cli/output.h"
#include "cli/verbs.h"

namespace hwest {
namespace {

// The check that MODEL and flags make.
absl::StatusOr<Budget> BudgetOfFlags(const Options& options) {
  if (!options.budget.path.empty()) {
    return MakeError(Code::kUsage, "a model and --budget were both named", "a budget names its models; give one of them");
  }
  if (options.request.target.empty()) return MakeError(Code::kUsage, "no target was named", "add --target NAME");
  if (options.budget.limits.empty()) {
    return MakeError(Code::kUsage, "no limit was given", "add one, e.g. --max-latency 12ms, or use --budget FILE");
  }
  if (options.budget.update) return MakeError(Code::kUsage, "--update writes into a budget file", "add --budget FILE");
  BudgetCheck check;
  check.model = check.model_path = options.words[0];
  check.target = options.request.target;
  check.mode = options.request.mode;
  check.precision = options.request.precision;
  check.batch = options.request.bind.batch;
  check.dims = options.request.bind.dims;
  check.limits = options.budget.limits;
  for (BudgetLimit& limit : check.limits) limit.judge = options.budget.judge;
  return Budget{"", {std::move(check)}};
}

absl::StatusOr<Budget> BudgetOfFile(const Options& options) {
  const RequestDraft& request = options.request;
  const bool has_point = !request.target.empty() || !request.mode.empty() || request.precision != "auto" ||
                         request.bind.batch.has_value() || !request.bind.dims.empty() ||
                         request.context.has_value();
  if (has_point || !options.budget.limits.empty()) {
    return MakeError(Code::kUsage, "limits and targets of a budget stand in its file",
                     "name a model before the flags, or leave them out");
  }
  return ReadBudget(options.budget.path.empty() ? kDefaultBudget : options.budget.path);
}

absl::StatusOr<Budget> BudgetOf(const Options& options) {
  HWEST_ASSIGN_OR_RETURN(Budget budget, options.words.empty() ? BudgetOfFile(options) : BudgetOfFlags(options));
  if (options.budget.undecided.has_value()) budget.undecided = *options.budget.undecided;
  return budget;
}

absl::Status Update(const Budget& budget, const std::vector<CheckResult>& results) {
  std::ifstream file(budget.path, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  HWEST_ASSIGN_OR_RETURN(const std::string updated, WithValuesOfToday(text, budget, results));
  return WriteFile(budget.path, [&](Sink sink) { return sink(updated); });
}

struct Tally {
  size_t over = 0, unknown = 0, undecided = 0;
};

Tally TallyOf(const std::vector<CheckResult>& results) {
  Tally tally;
  for (const CheckResult& result : results) {
    for (const LimitLine& line : result.lines) {
      tally.over += line.verdict == BudgetVerdict::kOver;
      tally.unknown += line.verdict == BudgetVerdict::kUnknown;
      tally.undecided += line.verdict == BudgetVerdict::kUndecided;
    }
  }
  return tally;
}

std::string LimitsText(size_t count, const char* are) {
  return count == 1 ? absl::StrCat("1 limit is ", are) : absl::StrCat(count, " limits are ", are);
}

absl::Status StatusOf(const Tally& tally, const Budget& budget, const Options& options, const Streams& streams) {
  if (tally.over > 0) {
    return AfterReport(MakeError(Code::kCheckFailed, LimitsText(tally.over, "broken"),
                                 "the report says by how much, and what would help"));
  }
  if (tally.undecided > 0 && Refuses(budget, BudgetVerdict::kUndecided)) {
    return AfterReport(MakeError(Code::kCheckFailed, LimitsText(tally.undecided, "undecided"),
                                 "judge by the point or the upper end alone, or let it pass with --undecided warn"));
  }
  if (tally.undecided > 0 && options.quiet == Quiet::kNo) {
    std::fprintf(streams.err, "onnx-hwest: warning: %s: inside the interval of the estimate\n",
                 LimitsText(tally.undecided, "undecided").c_str());
  }
  if (tally.unknown == 0) return absl::OkStatus();
  return AfterReport(MakeError(Code::kIncomplete,
                               absl::StrCat(tally.unknown, tally.unknown == 1 ? " figure is unknown" : " figures are unknown"),
                               "the report says what is missing"));
}

}  // namespace

absl::Status RunCheckVerb(const Options& options, const Streams& streams) {
  HWEST_ASSIGN_OR_RETURN(const Budget budget, BudgetOf(options));
  HWEST_RETURN_IF_ERROR(CheckFormat(ReportKind::kCheck, options.report.format));
  const auto progress = [&](const std::string& what) { PrintProgress(what, options, streams); };
  HWEST_ASSIGN_OR_RETURN(const std::vector<CheckResult> results, RunBudget(budget, options.request, {progress, nullptr}));
  HWEST_RETURN_IF_ERROR(
      Deliver(options, streams, [&](Sink sink) { return WriteCheck(budget, results, options.report, sink); }));
  if (options.budget.update) HWEST_RETURN_IF_ERROR(Update(budget, results));
  return StatusOf(TallyOf(results), budget, options, streams);
}

}  // namespace hwest
