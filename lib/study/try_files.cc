// Files that compute the same: exact rewrites, and older operator sets.
#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "study/candidates.h"
#include "study/ideas.h"

namespace hwest {
namespace {

constexpr size_t kMostOpsets = 3;

}  // namespace

bool TryRewrites(Trials& trials) {
  if (trials.source().model == nullptr || !trials.Begin("rewriting")) return false;
  std::map<std::string, Variant> alone;  // rules that stand by themselves
  const auto see = [&](const Variant& variant) {
    if (variant.rules.size() != 1 || !variant.analysis->plan.has_value()) return;
    if (trials.Stands(trials.SavingOf(*variant.analysis))) alone.try_emplace(variant.rules[0].name, variant);
  };
  const absl::StatusOr<Rewritten> best = trials.Rewrite(trials.request(), {}, see);
  for (const auto& [name, variant] : alone) {
    const AppliedRule& rule = variant.rules[0];
    trials.AddWritten({.kind = WhatIfKind::kRewrite,
                       .risk = RiskOf(rule.exactness),
                       .change = absl::StrCat(name, ": ", rule.words),
                       .work = "write the file again",
                       .rewrite = {"--rule", name}},
                      *variant.analysis, *variant.model);
  }
  if (!best.ok() || best->rules.size() < 2 || !best->after->plan.has_value()) return !alone.empty();
  WhatIfRow row{.kind = WhatIfKind::kRewrite, .work = "write the file again"};
  for (const AppliedRule& rule : best->rules) {
    row.risk = std::max(row.risk, RiskOf(rule.exactness));
    absl::StrAppend(&row.change, row.change.empty() ? "" : ", ", rule.name);
  }
  row.change = absl::StrCat(best->rules.size(), " rewrites: ", row.change);
  trials.AddWritten(std::move(row), *best->after, *best->model);
  return !alone.empty() || trials.Stands(trials.SavingOf(*best->after));
}

void TryOpsets(Trials& trials) {
  if (trials.source().model == nullptr) return;
  std::vector<const RefusalRow*> rows;
  for (const RefusalRow& row : trials.refusals()) rows.push_back(&row);
  int now = 0;
  size_t tried = 0;
  for (const int opset : OlderOpsets(*trials.graph(), rows, &now)) {
    if (++tried > kMostOpsets || !trials.Begin(absl::StrCat("operator set ", opset))) return;
    const absl::StatusOr<Rewritten> lowered =
        trials.Rewrite(trials.request(), {.scope = RewriteScope::kFold, .opset = opset}, nullptr);
    if (!lowered.ok() || !lowered->after->plan.has_value()) continue;
    trials.AddWritten({.kind = WhatIfKind::kOpset,
                       .change = absl::StrCat("operator set ", opset, " instead of ", now),
                       .work = "write the file again, or export it so",
                       .rewrite = {"--opset", absl::StrCat(opset), "--fold"}},
                      *lowered->after, *lowered->model);
  }
}

}  // namespace hwest
