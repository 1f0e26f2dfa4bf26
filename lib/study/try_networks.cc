// Other networks: Relu in place of an activation that costs more, and fewer channels.
#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/status_macros.h"
#include "study/activations.h"
#include "study/edited_model.h"
#include "study/ideas.h"
#include "study/width.h"

namespace hwest {
namespace {

constexpr size_t kMostWidths = 6;  // layers whose width is tried

// The change of nodes as rules that `rewrite` applies, where these lead to the same; false = they do not.
bool AddByRules(Trials& trials, WhatIfRow row, const std::vector<std::string>& rules, const Analysis& changed) {
  if (trials.source().model == nullptr || !trials.request().rewrite_rules.empty() ||
      !trials.Stands(trials.SavingOf(changed)))
    return false;
  std::vector<std::string> names;
  for (const std::string& rule : rules) {
    names.push_back(absl::StrCat("relu_in_place_", names.size() + 1));
    absl::StrAppend(&row.rules_text, names.back(), " = ", rule, "\n  exactness approximate\n");
  }
  AnalysisRequest request = trials.request();
  request.rewrite_rules = row.rules_text;
  const absl::StatusOr<Rewritten> made = trials.Rewrite(request, {.rules = names, .allow_approximate = true}, nullptr);
  if (!made.ok() || !made->after->plan.has_value()) return false;
  const double latency_s = changed.plan->latency_s;
  if (std::abs(made->after->plan->latency_s - latency_s) > kAsPromised * latency_s) return false;
  // Sizes that the request binds are written into the file, and then no flag of the command binds them.
  row.as_promised = trials.KeepsPromise(*made->after, *made->model);
  if (row.as_promised == false) return false;
  row.edits.clear();
  row.writes = true;
  row.rewrite = {"--rule", absl::StrJoin(names, ","), "--allow-approximate"};
  trials.Add(std::move(row), *made->after);
  return true;
}

}  // namespace

void TryActivations(Trials& trials) {
  if (trials.source().read == nullptr) return;
  for (const ActivationFamily& family : FindActivations(trials.base())) {
    if (trials.IsStopped()) return;
    const absl::StatusOr<std::shared_ptr<const Graph>> edited = LoadEdited(trials.source(), family.edits);
    if (!edited.ok()) continue;
    WhatIfRow row{.kind = WhatIfKind::kActivation,
                  .scope = ChangeScope::kNetwork,
                  .risk = AccuracyRisk::kTraining,
                  .change = absl::StrCat("Relu instead of ", family.name, " in ", family.places,
                                         family.places == 1 ? " place" : " places", " (another network)"),
                  .work = "train it again",
                  .edits = family.edits};
    if (!trials.Begin(row.change)) return;
    const absl::StatusOr<Analysis> changed = Analyze(*edited, trials.request());
    if (changed.ok() && !AddByRules(trials, row, family.rules, *changed)) trials.Add(std::move(row), *changed);
  }
}

void TryWidths(Trials& trials) {
  if (trials.source().read == nullptr || !trials.Begin("fewer channels")) return;
  const absl::StatusOr<WidthReport> report = WidthsOf(trials.base(), trials.source().read, trials.source().limits,
                                                      {.most = kMostWidths}, trials.progress(), trials.stop());
  if (!report.ok()) return;
  const std::vector<WidthGain> gains = BestWidths(*report);
  const auto best = std::find_if(gains.begin(), gains.end(), [](const WidthGain& gain) { return !gain.is_free; });
  if (best == gains.end()) return;
  const auto changed = [&]() -> absl::StatusOr<std::shared_ptr<const Graph>> {
    HWEST_ASSIGN_OR_RETURN(RawModel raw, trials.source().read());
    HWEST_ASSIGN_OR_RETURN(raw, WidthModel(std::move(raw), best->edits));
    return BuildModel(std::move(raw), trials.source().limits);
  };
  const absl::StatusOr<std::shared_ptr<const Graph>> graph = changed();
  if (!graph.ok()) return;
  const size_t others = best->layers.size() - 1;
  const std::string with =
      others == 0 ? "" : absl::StrCat(" and ", others, others == 1 ? " layer" : " layers", " beside it");
  trials.TryModel({.kind = WhatIfKind::kWidth,
                   .scope = ChangeScope::kNetwork,
                   .risk = AccuracyRisk::kTraining,
                   .change = absl::StrCat(best->to, " instead of ", best->from, " channels in ", best->layers[0], with,
                                          " (another network)"),
                   .work = "prune the channels and train it again",
                   .width = {"--layer", best->layers[0], "--at", absl::StrCat(best->to)}},
                  *graph, trials.request());
}

}  // namespace hwest
