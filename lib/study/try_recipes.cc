// Settings together, and a rewrite beside them.
#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "study/ideas.h"
#include "study/recipes.h"

namespace hwest {
namespace {

using Latencies = std::map<std::vector<size_t>, std::optional<double>>;  // of settings together, by index

void TryRecipe(Trials& trials, AccuracyRisk most, bool has_rewrite, Latencies& known) {
  const std::vector<Trials::Setting>& settings = trials.settings();
  std::vector<RecipePart> parts;
  for (const Trials::Setting& setting : settings) parts.push_back(setting.part);
  const auto request_of = [&](const std::vector<size_t>& set) {
    std::vector<std::string> flags;
    for (const size_t i : set) {
      flags.insert(flags.end(), settings[i].row.flags.begin(), settings[i].row.flags.end());
    }
    return trials.With(flags);
  };
  const auto planned = [&](const std::vector<size_t>& set) -> std::optional<double> {
    if (trials.IsStopped()) return std::nullopt;
    const absl::StatusOr<AnalysisRequest> request = request_of(set);
    if (!request.ok()) return std::nullopt;
    const absl::StatusOr<const Analysis*> changed = trials.Planned(*request);
    if (!changed.ok() || trials.KnowsLess(**changed)) return std::nullopt;
    return (*changed)->plan->latency_s;
  };
  const auto latency_of = [&](const std::vector<size_t>& set) -> std::optional<double> {
    if (set.empty()) return trials.plan().latency_s;
    if (set.size() == 1) return parts[set[0]].latency_s;
    const auto at = known.find(set);
    return at != known.end() ? at->second : known.emplace(set, planned(set)).first->second;
  };
  if (!trials.Begin("several of these together")) return;
  const std::vector<size_t> set = BestSet(parts, trials.plan().latency_s, most, latency_of);
  const absl::StatusOr<AnalysisRequest> request = request_of(set);
  if (set.empty() || !request.ok()) return;
  double best_single_s = 0;
  for (const WhatIfRow& row : trials.rows()) {
    if (row.scope == ChangeScope::kSame && row.risk <= most) best_single_s = std::max(best_single_s, row.saving_s);
  }
  const auto is_better = [&](double saving_s, double than_s) {
    return saving_s - than_s >= kLeastSaving * trials.plan().latency_s;
  };
  WhatIfRow row{.kind = WhatIfKind::kRecipe};
  std::vector<std::string> works;
  for (const size_t i : set) {
    const WhatIfRow& part = settings[i].row;
    row.flags.insert(row.flags.end(), part.flags.begin(), part.flags.end());
    row.parts.push_back(part.change);
    row.risk = std::max(row.risk, part.risk);
    if (std::find(works.begin(), works.end(), part.work) == works.end()) works.push_back(part.work);
  }
  const std::optional<double> latency_s = latency_of(set);
  if (!latency_s.has_value()) return;
  const double set_saving_s = trials.plan().latency_s - *latency_s;
  if (has_rewrite) {
    const absl::StatusOr<Rewritten> rewritten = trials.Rewrite(*request, {}, nullptr);
    if (rewritten.ok() && rewritten->after->plan.has_value() && !rewritten->rules.empty() &&
        is_better(trials.SavingOf(*rewritten->after), std::max(set_saving_s, best_single_s))) {
      std::vector<std::string> names;
      for (const AppliedRule& rule : rewritten->rules) {
        row.risk = std::max(row.risk, RiskOf(rule.exactness));
        names.push_back(rule.name);
      }
      row.parts.push_back(absl::StrCat("rewriting by ", absl::StrJoin(names, ", ")));
      works.emplace_back("write the file again");
      row.change = absl::StrJoin(row.parts, " + ");
      row.work = absl::StrJoin(works, ", ");
      return trials.AddWritten(std::move(row), *rewritten->after, *rewritten->model);
    }
  }
  if (set.size() < 2 || !is_better(set_saving_s, best_single_s)) return;
  row.change = absl::StrJoin(row.parts, " + ");
  row.work = absl::StrJoin(works, ", ");
  const absl::StatusOr<const Analysis*> changed = trials.Planned(*request);
  if (changed.ok()) trials.Add(std::move(row), **changed);
}

}  // namespace

void TryRecipes(Trials& trials, bool has_rewrite) {
  Latencies known;
  for (const AccuracyRisk most : {AccuracyRisk::kRounding, AccuracyRisk::kTraining}) {
    TryRecipe(trials, most, has_rewrite, known);
  }
}

}  // namespace hwest
