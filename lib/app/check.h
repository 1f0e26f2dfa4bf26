// Checks models against their limits: all of a budget file, or one model.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "app/model.h"
#include "budget/judge.h"
#include "hwest/analysis.h"
#include "hwest/watch.h"

namespace hwest::app {

struct CheckReport {
  Budget budget;
  std::vector<CheckResult> results;
};

// The check of one model against limits, with the target and options of `request`.
BudgetCheck CheckOf(const std::string& name, const std::string& path, const AnalysisRequest& request,
                    std::vector<BudgetLimit> limits, Judge judge);

// Check analyses every model of the budget; `base` is what they all share. Errors: as RunBudget.
absl::StatusOr<CheckReport> Check(Budget budget, RequestDraft base, const Watch& watch);
// The same for an existing analysis. Errors: as JudgeCheck.
absl::StatusOr<CheckReport> Check(BudgetCheck check, const LoadedModel& model, const Analysis& analysis,
                                  const Watch& watch);

struct CheckTally {
  size_t over = 0, unknown = 0, undecided = 0;
};
CheckTally TallyOf(const std::vector<CheckResult>& results);
std::string LimitsText(size_t count, const char* are);  // "2 limits are broken"

// The verdict as a gate. Errors: kCheckFailed, or else kIncomplete where a figure is unknown.
absl::Status GateOf(const CheckReport& report);

}  // namespace hwest::app
