// Comparisons: two analyses or saved reports, and an analysis beside its limits.
#include "compare.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "callbacks.h"
#include "guard.h"
#include "handles.h"
#include "hwest.h"

namespace hwest::capi {
namespace {

absl::StatusOr<DiffSide> SideOf(const char* name, const hwest_analysis* analysis, const char* saved) {
  if ((analysis == nullptr) == (saved == nullptr)) {
    return MakeError(Code::kUsage, absl::StrCat("side ", name, " is ", saved == nullptr ? "neither" : "both",
                                                " an analysis and a saved report"), "hand over one of them");
  }
  if (saved != nullptr) return ReadSide(saved);
  if (!analysis->state->analysis.plan.has_value()) {
    return MakeError(Code::kUsage, absl::StrCat("the analysis of side ", name, " has no target"), "analyse with one");
  }
  return hwest::SideOf(analysis->state->analysis, analysis->state->model->name);
}

struct TextLimit {
  const char* text;
  BudgetFigure figure;
};

// The check that the limits make.
absl::StatusOr<BudgetCheck> CheckOf(const hwest_limits& limits, const AnalysisState& state) {
  if (limits.judge < HWEST_JUDGE_POINT || limits.judge > HWEST_JUDGE_INTERVAL) {
    return BadOption("limits.judge", limits.judge, "use a constant of hwest.h");
  }
  BudgetCheck check;
  check.model = state.model->name;
  check.model_path = state.model->source.path;
  check.target = state.analysis.target->name;
  for (const TextLimit& row : {TextLimit{limits.max_latency, BudgetFigure::kLatency},
                               {limits.min_rate, BudgetFigure::kRate},
                               {limits.max_energy, BudgetFigure::kEnergy},
                               {limits.max_power, BudgetFigure::kPower},
                               {limits.max_memory, BudgetFigure::kPeakMemory},
                               {limits.max_fallback, BudgetFigure::kFallback}}) {
    if (row.text == nullptr) continue;
    absl::StatusOr<BudgetLimit> limit = ParseLimit(row.figure, row.text);
    if (!limit.ok()) return limit.status();
    limit->judge = static_cast<Judge>(limits.judge);  // numbers of hwest.h, in the same order
    check.limits.push_back(*std::move(limit));
  }
  if (check.limits.empty()) return MakeError(Code::kUsage, "no limit was given", "set one, such as max_latency");
  return check;
}

absl::StatusOr<std::vector<CheckResult>> RunOne(const BudgetCheck& check, const AnalysisState& state,
                                                const CheckWatch& watch) {
  absl::StatusOr<CheckResult> result = JudgeCheck(check, state.analysis, state.model->graph, watch);
  if (!result.ok()) return result.status();
  std::vector<CheckResult> results;
  results.push_back(*std::move(result));
  return results;
}

}  // namespace
}  // namespace hwest::capi

using hwest::capi::CheckState;
using hwest::capi::CopyIn;
using hwest::capi::Guard;
using hwest::capi::NullArgument;
using hwest::capi::StudyWatch;

hwest_status hwest_diff_create(const hwest_analysis* a, const char* saved_a, const hwest_analysis* b,
                               const char* saved_b, hwest_diff** diff) {
  return Guard([&]() -> absl::Status {
    if (diff == nullptr) return NullArgument("diff");
    absl::StatusOr<hwest::DiffSide> first = hwest::capi::SideOf("a", a, saved_a);
    if (!first.ok()) return first.status();
    absl::StatusOr<hwest::DiffSide> second = hwest::capi::SideOf("b", b, saved_b);
    if (!second.ok()) return second.status();
    hwest::DiffResult result = hwest::CompareSides(*first, *second);
    *diff = new hwest_diff{{*std::move(first), *std::move(second), std::move(result), a != nullptr ? a->state : nullptr,
                            b != nullptr ? b->state : nullptr}};
    return absl::OkStatus();
  });
}

void hwest_diff_free(hwest_diff* diff) { delete diff; }

hwest_status hwest_diff_judge(const hwest_diff* diff, const char* limits) {
  return Guard([&]() -> absl::Status {
    if (diff == nullptr) return NullArgument("diff");
    if (limits == nullptr) return NullArgument("limits");
    const auto parsed = hwest::ParseFailOn("limits", limits);
    if (!parsed.ok()) return parsed.status();
    return hwest::CheckFailOn(diff->state.diff, *parsed);
  });
}

hwest_status hwest_check_run(const char* path, hwest_progress progress, void* payload, const hwest_cancel* cancel,
                             hwest_check** check) {
  return Guard([&]() -> absl::Status {
    if (path == nullptr) return NullArgument("path");
    if (check == nullptr) return NullArgument("check");
    absl::StatusOr<hwest::Budget> budget = hwest::ReadBudget(path);
    if (!budget.ok()) return budget.status();
    const StudyWatch watch(progress, payload, cancel);
    hwest::RequestDraft base;
    base.watch = watch.Watcher();
    auto results = hwest::RunBudget(*budget, base, {watch.Steps(0), watch.Stop(), {}});
    if (!results.ok()) return results.status();
    *check = new hwest_check(*std::move(budget), *std::move(results));
    return absl::OkStatus();
  });
}

hwest_status hwest_check_analysis(const hwest_analysis* analysis, const hwest_limits* limits, hwest_progress progress,
                                  void* payload, const hwest_cancel* cancel, hwest_check** check) {
  return Guard([&]() -> absl::Status {
    if (analysis == nullptr) return NullArgument("analysis");
    if (limits == nullptr) return NullArgument("limits");
    if (check == nullptr) return NullArgument("check");
    const absl::StatusOr<hwest_limits> ours = CopyIn("limits", limits);
    if (!ours.ok()) return ours.status();
    const hwest::capi::AnalysisState& state = *analysis->state;
    if (!state.analysis.plan.has_value()) {
      return MakeError(hwest::Code::kUsage, "a check needs a target", "analyse with one");
    }
    absl::StatusOr<hwest::BudgetCheck> asked = hwest::capi::CheckOf(*ours, state);
    if (!asked.ok()) return asked.status();
    const StudyWatch watch(progress, payload, cancel);
    auto results = hwest::capi::RunOne(*asked, state, {watch.Steps(0), watch.Stop(), state.model->source.limits});
    if (!results.ok()) return results.status();
    hwest::Budget budget;
    budget.checks.push_back(*std::move(asked));
    *check = new hwest_check(std::move(budget), *std::move(results));
    return absl::OkStatus();
  });
}

void hwest_check_free(hwest_check* check) { delete check; }
