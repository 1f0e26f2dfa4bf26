// Compares two analyses or saved reports, and checks an analysis against limits.
#include "compare.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "callbacks.h"
#include "guard.h"
#include "handle_report.h"
#include "handles.h"
#include "hwest.h"
#include "numbers.h"
#include "request.h"

namespace hwest::capi {
namespace {

absl::StatusOr<app::Side> SideOf(const char* name, const hwest_analysis* analysis, const char* saved) {
  if ((analysis == nullptr) == (saved == nullptr)) {
    return MakeError(
        Code::kUsage,
        absl::StrCat("side ", name, " is ", saved == nullptr ? "neither" : "both", " an analysis and a saved report"),
        "hand over one of them");
  }
  if (saved != nullptr) {
    absl::StatusOr<DiffSide> side = ReadSide(saved);
    if (!side.ok()) return side.status();
    return app::Side{*std::move(side), nullptr};
  }
  if (!analysis->state->analysis.plan.has_value()) {
    return MakeError(Code::kUsage, absl::StrCat("the analysis of side ", name, " has no target"), "analyse with one");
  }
  const std::shared_ptr<const Analysis> shared(analysis->state, &analysis->state->analysis);
  return app::Side{hwest::SideOf(*shared, analysis->state->model->name), shared};
}

absl::StatusOr<app::DiffReport> Against(const ModelState& model, const hwest_options& options,
                                        const app::Against& against) {
  if (!against.is_asked()) {
    return MakeError(Code::kUsage, "nothing tells the second side from the first", "name a target, mode or precision");
  }
  absl::StatusOr<RequestDraft> draft = DraftOf(options);
  if (!draft.ok()) return draft.status();
  if (draft->target.empty() && draft->loaded == nullptr) {
    return MakeError(Code::kUsage, "a comparison needs a target", "name one in hwest_options");
  }
  draft->watch = WatcherOf(options.progress, options.progress_payload, options.cancel);
  absl::StatusOr<app::DiffReport> report = app::DiffAgainst(model.analyzer, model.name, *draft, against);
  if (!report.ok()) return report.status();
  for (const auto& analysis : {report->of_a, report->of_b}) {
    LogAll(analysis->diagnostics, options.log, options.log_payload);
  }
  return report;
}

struct TextLimit {
  const char* text;
  BudgetFigure figure;
};

// The check that the limits make.
absl::StatusOr<BudgetCheck> CheckOf(const hwest_limits& limits, const AnalysisState& state) {
  Judge judge = Judge::kPoint;
  if (absl::Status status = Choose("limits.judge", limits.judge, &judge); !status.ok()) return status;
  std::vector<BudgetLimit> all;
  for (const TextLimit& row : {TextLimit{limits.max_latency, BudgetFigure::kLatency},
                               {limits.min_rate, BudgetFigure::kRate},
                               {limits.max_energy, BudgetFigure::kEnergy},
                               {limits.max_power, BudgetFigure::kPower},
                               {limits.max_memory, BudgetFigure::kPeakMemory},
                               {limits.max_fallback, BudgetFigure::kFallback},
                               {limits.max_ttft, BudgetFigure::kTtft},
                               {limits.min_tokens_per_s, BudgetFigure::kTokensPerS}}) {
    if (row.text == nullptr) continue;
    absl::StatusOr<BudgetLimit> limit = ParseLimit(row.figure, row.text);
    if (!limit.ok()) return limit.status();
    all.push_back(*std::move(limit));
  }
  if (limits.fits != 0) all.push_back(FitsLimit());
  if (all.empty()) return MakeError(Code::kUsage, "no limit was given", "set one, such as max_latency");
  return app::CheckOf(state.model->name, state.model->source.path, state.analysis.request, std::move(all), judge);
}

auto WriterOf(const hwest_diff* diff) {
  return DocumentWriter(
      [=](const ReportOptions& options, Sink sink) { return app::WriteDiff(diff->state, options, sink); });
}

auto WriterOf(const hwest_check* check) {
  return DocumentWriter([=](const ReportOptions& options, Sink sink) {
    return WriteCheck(check->state.budget, check->state.results, options, sink);
  });
}

}  // namespace
}  // namespace hwest::capi

using hwest::capi::CheckState;
using hwest::capi::CopyIn;
using hwest::capi::Guard;
using hwest::capi::ModelOf;
using hwest::capi::NullArgument;
using hwest::capi::WatchOf;

hwest_status hwest_diff_create(const hwest_analysis* a, const char* saved_a, const hwest_analysis* b,
                               const char* saved_b, hwest_diff** diff) {
  return Guard([&]() -> absl::Status {
    if (diff == nullptr) return NullArgument("diff");
    absl::StatusOr<hwest::app::Side> first = hwest::capi::SideOf("a", a, saved_a);
    if (!first.ok()) return first.status();
    absl::StatusOr<hwest::app::Side> second = hwest::capi::SideOf("b", b, saved_b);
    if (!second.ok()) return second.status();
    *diff = new hwest_diff{hwest::app::Compared(*std::move(first), *std::move(second))};
    return absl::OkStatus();
  });
}

hwest_status hwest_diff_against(const hwest_model* model, const hwest_options* options, const char* target,
                                const hwest_target* loaded, const char* mode, const char* precision,
                                hwest_diff** diff) {
  return Guard([&]() -> absl::Status {
    if (model == nullptr) return NullArgument("model");
    if (diff == nullptr) return NullArgument("diff");
    const absl::StatusOr<hwest_options> ours = CopyIn("options", options);
    if (!ours.ok()) return ours.status();
    const auto text = [](const char* given) { return given != nullptr ? given : ""; };
    const hwest::app::Against against{.target = text(target),
                                      .loaded = loaded != nullptr ? loaded->target : nullptr,
                                      .mode = text(mode),
                                      .precision = text(precision)};
    absl::StatusOr<hwest::app::DiffReport> report = hwest::capi::Against(*model->state, *ours, against);
    if (!report.ok()) return report.status();
    *diff = new hwest_diff{*std::move(report)};
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
    auto report = hwest::app::Check(*std::move(budget), hwest::RequestDraft(), WatchOf(progress, payload, cancel));
    if (!report.ok()) return report.status();
    *check = new hwest_check(*std::move(report));
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
    auto report =
        hwest::app::Check(*std::move(asked), ModelOf(*state.model), state.analysis, WatchOf(progress, payload, cancel));
    if (!report.ok()) return report.status();
    *check = new hwest_check(*std::move(report));
    return absl::OkStatus();
  });
}

void hwest_check_free(hwest_check* check) { delete check; }

HWEST_REPORT(hwest_diff_report, hwest_diff)
HWEST_REPORT(hwest_check_report, hwest_check)
