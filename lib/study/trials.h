// Trials: one model with one change after the other, and the rows of those that stand. What is tried is in
// study/ideas.h, one file for each idea.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "analysis/rerun.h"
#include "hwest/analysis.h"
#include "hwest/rewrite.h"
#include "hwest/study.h"
#include "rewrite/search.h"
#include "study/cures.h"
#include "study/recipes.h"
#include "study/what_if.h"

namespace hwest {

// Of two analyses the same figure, as far as a file that is written and read again keeps it.
inline constexpr double kAsPromised = 1e-9;

struct LatencyInterval {
  double low_s = 0, s = 0, high_s = 0;
};
LatencyInterval LatencyOf(const Plan& plan);

// What running at a precision asks of a model whose file is of floating point; the most that work of a plan asks; what
// a rewrite asks.
AccuracyRisk RiskOf(absl::string_view precision);
AccuracyRisk RiskOf(const Analysis& analysis);
AccuracyRisk RiskOf(Exactness exactness);

// Groups without a time.
int64_t NumUnknown(const Plan& plan);

class Trials {
 public:
  // A setting that was tried alone, of those that keep network and batch, and its row.
  struct Setting {
    RecipePart part;
    WhatIfRow row;
  };

  // What is handed in outlives this; `progress` and `stop` may be null.
  Trials(const std::shared_ptr<const Graph>& graph, const Analysis& base, const CureSource& source,
         const StudyProgress& progress, const std::function<bool()>& stop, Rerun rerun);

  const std::shared_ptr<const Graph>& graph() const { return graph_; }
  const Analysis& base() const { return base_; }
  const Plan& plan() const { return *base_.plan; }
  const CureSource& source() const { return source_; }
  const AnalysisRequest& request() const { return request_; }  // of `base`, that `stop` ends
  const StudyProgress& progress() const { return progress_; }
  const std::function<bool()>& stop() const { return stop_; }
  const std::vector<RefusalRow>& refusals() const { return refusals_; }
  const std::vector<Setting>& settings() const { return settings_; }

  bool IsStopped() const { return stop_ != nullptr && stop_(); }
  bool Begin(const std::string& what) const;  // false when the study is to stop

  double SavingOf(const Analysis& changed) const;
  bool Stands(double saving_s) const { return saving_s > 0 && saving_s >= kLeastSaving * plan().latency_s; }
  // A plan that leaves more of the model without a time is no gain.
  bool KnowsLess(const Analysis& changed) const { return NumUnknown(*changed.plan) > NumUnknown(plan()); }
  // `row` with the risk of the changed analysis, where that is more than the one of `base`.
  void SetRisk(const Analysis& changed, WhatIfRow* row) const;

  // The request with flags of the program in place of its own.
  absl::StatusOr<AnalysisRequest> With(const std::vector<std::string>& flags) const;
  // The model with another request of the same inputs; it lives until the next call.
  absl::StatusOr<const Analysis*> Planned(const AnalysisRequest& request) { return rerun_.Plan(request); }
  absl::StatusOr<Rewritten> Rewrite(const AnalysisRequest& request, const RewriteOptions& options,
                                    const VariantSeen& seen) const;
  // Whether the file that `rewrite` writes takes as long once it is read again; none = it is too large to be read.
  std::optional<bool> KeepsPromise(const Analysis& changed, const EditedModel& model) const;

  // Tries the flags of the row as a setting of one kind, which recipes may use.
  void TrySetting(const std::string& of, WhatIfRow row);
  void TryRequest(WhatIfRow row, const AnalysisRequest& request);
  void TryModel(WhatIfRow row, const std::shared_ptr<const Graph>& graph, const AnalysisRequest& request);

  // Adds the row of an analysis with the change; `beside` is what it takes on the CPU meanwhile. The first of equal
  // changes stands.
  void Add(WhatIfRow row, const Analysis& changed, const std::optional<LatencyInterval>& beside = std::nullopt);
  void AddWritten(WhatIfRow row, const Analysis& changed, const EditedModel& model);
  void Note(Diagnostic note) { changes_.notes.push_back(std::move(note)); }
  const std::vector<WhatIfRow>& rows() const { return changes_.rows; }
  // By scope, then the largest saving first.
  Changes Sorted() &&;

 private:
  const std::shared_ptr<const Graph>& graph_;
  const Analysis& base_;
  const CureSource& source_;
  const StudyProgress& progress_;
  const std::function<bool()>& stop_;
  const AnalysisRequest request_;
  Rerun rerun_;
  const AccuracyRisk risk_;  // of `base_`
  const std::vector<RefusalRow> refusals_;
  Changes changes_;
  std::vector<Setting> settings_;
};

}  // namespace hwest
