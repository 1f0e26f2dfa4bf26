// The list of changes: what is tried, and which rows stand.
#include "study/what_if.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "base/enumerators.h"
#include "base/status_macros.h"
#include "study/ideas.h"
#include "study/recipes.h"
#include "study/trials.h"

namespace hwest {
namespace {

// A larger batch has to save more than the next smaller one.
void LeaveOutIdleBatches(double least_s, std::vector<WhatIfRow>* rows) {
  double saved_s = 0;
  std::vector<const WhatIfRow*> batches;
  for (const WhatIfRow& row : *rows) {
    if (row.scope == ChangeScope::kBatch) batches.push_back(&row);
  }
  std::sort(batches.begin(), batches.end(), [](const WhatIfRow* a, const WhatIfRow* b) { return a->batch < b->batch; });
  std::set<int64_t> idle;
  for (const WhatIfRow* row : batches) {
    if (row->saving_s - saved_s < least_s) idle.insert(row->batch);
    saved_s = std::max(saved_s, row->saving_s);
  }
  rows->erase(std::remove_if(
                  rows->begin(), rows->end(),
                  [&](const WhatIfRow& row) { return row.scope == ChangeScope::kBatch && idle.contains(row.batch); }),
              rows->end());
}

}  // namespace

absl::string_view WhatIfKindName(WhatIfKind kind) {
  constexpr absl::string_view kNames[] = {"support", "activation", "precision", "batch",     "bandwidth",
                                          "mode",    "rewrite",    "opset",     "toolchain", "placement",
                                          "cut",     "sparsity",   "recipe",    "width",     "layers"};
  static_assert(std::size(kNames) == kNumEnumerators<WhatIfKind>);
  return kNames[static_cast<size_t>(kind)];
}

absl::string_view ChangeScopeName(ChangeScope scope) {
  constexpr absl::string_view kNames[] = {"same", "batch", "network", "board"};
  static_assert(std::size(kNames) == kNumEnumerators<ChangeScope>);
  return kNames[static_cast<size_t>(scope)];
}

absl::string_view AccuracyRiskName(AccuracyRisk risk) {
  constexpr absl::string_view kNames[] = {"none", "rounding", "calibration", "training"};
  static_assert(std::size(kNames) == kNumEnumerators<AccuracyRisk>);
  return kNames[static_cast<size_t>(risk)];
}

absl::StatusOr<std::vector<WhatIfRow>> WhatIf(const std::shared_ptr<const Graph>& graph, const Analysis& base,
                                              const std::string& model_path, const StudyProgress& progress) {
  const CureSource source = SourceOf({.path = model_path, .limits = {}});
  HWEST_ASSIGN_OR_RETURN(Changes changes, WhatIfUntil(graph, base, source, progress, nullptr));
  return std::move(changes.rows);
}

absl::StatusOr<Changes> WhatIfUntil(const std::shared_ptr<const Graph>& graph, const Analysis& base,
                                    const CureSource& source, const StudyProgress& progress,
                                    const std::function<bool()>& stop) {
  HWEST_ASSIGN_OR_RETURN(Changes changes, TryChanges(graph, base, source, progress, stop));
  const double least_s = base.plan.has_value() ? base.plan->latency_s * kLeastSaving : 0;
  const auto is_void = [&](const WhatIfRow& row) { return row.saving_s <= 0 || row.saving_s < least_s; };
  std::vector<WhatIfRow>& rows = changes.rows;
  rows.erase(std::remove_if(rows.begin(), rows.end(), is_void), rows.end());
  LeaveOutIdleBatches(least_s, &rows);
  return changes;
}

absl::StatusOr<Changes> TryChanges(const std::shared_ptr<const Graph>& graph, const Analysis& base,
                                   const CureSource& source, const StudyProgress& progress,
                                   const std::function<bool()>& stop) {
  if (!base.plan.has_value()) return Changes();
  HWEST_ASSIGN_OR_RETURN(Rerun rerun, Rerun::Start(graph, RequestUntil(base, stop)));
  Trials trials(graph, base, source, progress, stop, std::move(rerun));
  TryModes(trials);
  TryPrecisions(trials);
  TrySparsity(trials);
  TryToolchains(trials);
  TryPlacements(trials);
  const bool has_rewrite = TryRewrites(trials);
  TryOpsets(trials);
  TryCuts(trials);
  TryRecipes(trials, has_rewrite);
  TryLayers(trials);
  TryBatches(trials);
  TryActivations(trials);
  TryWidths(trials);
  TrySupport(trials);
  if (trials.IsStopped()) return MakeError(Code::kInterrupted, "the study was cancelled", "");
  NoteSlowerIntegers(trials);
  return std::move(trials).Sorted();
}

}  // namespace hwest
