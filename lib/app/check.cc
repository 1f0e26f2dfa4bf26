#include "app/check.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "app/watching.h"
#include "base/status_macros.h"

namespace hwest::app {

BudgetCheck CheckOf(const std::string& name, const std::string& path, const AnalysisRequest& request,
                    std::vector<BudgetLimit> limits, Judge judge) {
  for (BudgetLimit& limit : limits) limit.judge = judge;
  BudgetCheck check;
  check.model = name;
  check.model_path = path;
  check.target = request.loaded != nullptr ? request.loaded->name : request.target;
  check.mode = request.mode;
  check.precision = request.precision;
  check.batch = request.bind.batch;
  check.dims = request.bind.dims;
  check.limits = std::move(limits);
  return check;
}

absl::StatusOr<CheckReport> Check(Budget budget, RequestDraft base, const Watch& watch) {
  if (watch.stop != nullptr) base.watch = StagesOf(watch);
  HWEST_ASSIGN_OR_RETURN(std::vector<CheckResult> results, RunBudget(budget, base, {StepsOf(watch), watch.stop, {}}));
  return CheckReport{std::move(budget), std::move(results)};
}

absl::StatusOr<CheckReport> Check(BudgetCheck check, const LoadedModel& model, const Analysis& analysis,
                                  const Watch& watch) {
  HWEST_ASSIGN_OR_RETURN(CheckResult result,
                         JudgeCheck(check, analysis, model.graph, {StepsOf(watch), watch.stop, model.source.limits}));
  CheckReport report;
  report.budget.checks.push_back(std::move(check));
  report.results.push_back(std::move(result));
  return report;
}

CheckTally TallyOf(const std::vector<CheckResult>& results) {
  CheckTally tally;
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

absl::Status GateOf(const CheckReport& report) {
  const CheckTally tally = TallyOf(report.results);
  if (tally.over > 0) {
    return MakeError(Code::kCheckFailed, LimitsText(tally.over, "broken"),
                     "the report says by how much, and what would help");
  }
  if (tally.undecided > 0 && Refuses(report.budget, BudgetVerdict::kUndecided)) {
    return MakeError(Code::kCheckFailed, LimitsText(tally.undecided, "undecided"),
                     "judge by the point or the upper end alone, or let it pass with --undecided warn");
  }
  if (tally.unknown == 0) return absl::OkStatus();
  return MakeError(Code::kIncomplete,
                   absl::StrCat(tally.unknown, tally.unknown == 1 ? " figure is unknown" : " figures are unknown"),
                   "the report says what is missing");
}

}  // namespace hwest::app
