#include "rewrite/search.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "analysis/reading_notes.h"
#include "base/status_macros.h"
#include "rewrite/apply.h"
#include "target/kinds.h"

namespace hwest {
namespace {

constexpr double kLeastShare = 0.01;  // of the figure that a rule has to save: an estimate tells no less apart

// What a plan is judged by: first what it leaves without a time, or takes for granted of a file that compilers refuse,
// then the objective.
struct Score {
  int64_t unknown = 0;
  double figure = 0;

  bool IsBetterThan(const Score& other) const {
    if (unknown != other.unknown) return unknown < other.unknown;
    return figure < other.figure - kLeastShare * other.figure;
  }
};

Score ScoreOf(const Analysis& analysis, Objective objective) {
  Score score;
  for (const PlannedGroup& group : analysis.plan->groups) score.unknown += group.estimate.has_value() ? 0 : 1;
  score.unknown += CountTakenForPlain(analysis);
  score.figure = objective == Objective::kEnergy && analysis.plan->energy_j > 0 ? analysis.plan->energy_j
                                                                                : analysis.plan->latency_s;
  return score;
}

// A rule may find new places after others.
void AddRow(AppliedRule row, std::vector<AppliedRule>* rows) {
  const auto same =
      std::find_if(rows->begin(), rows->end(), [&](const AppliedRule& each) { return each.name == row.name; });
  if (same == rows->end()) return rows->push_back(std::move(row));
  same->places += row.places;
  if (same->saved_s.has_value() && row.saved_s.has_value()) *same->saved_s += *row.saved_s;
}

// Applies one rule; no value when it applies nowhere.
absl::StatusOr<std::optional<Variant>> ApplyOne(const RewriteRule& rule, const Variant& from,
                                                const AnalysisRequest& request) {
  auto model = std::make_shared<EditedModel>(from.model->Clone());
  HWEST_ASSIGN_OR_RETURN(const PlaceCounts places, ApplyRules({&rule}, from.analysis, request, model.get()));
  if (places.empty()) return std::optional<Variant>();
  HWEST_ASSIGN_OR_RETURN(std::shared_ptr<const Graph> graph, model->GraphOf());
  HWEST_ASSIGN_OR_RETURN(Analysis analysis, Analyze(std::move(graph), request));
  Variant variant{std::move(model), std::make_shared<const Analysis>(std::move(analysis)), from.rules};
  AppliedRule row = RowOf(rule, places.begin()->second);
  if (variant.analysis->plan.has_value() && from.analysis->plan.has_value()) {
    row.saved_s = from.analysis->plan->latency_s - variant.analysis->plan->latency_s;
  }
  AddRow(std::move(row), &variant.rules);
  return std::optional<Variant>(std::move(variant));
}

bool Undoes(const RewriteRule& a, const RewriteRule& b) { return a.undoes == b.name || b.undoes == a.name; }

class Search {
 public:
  Search(const RuleSet& rules, const AnalysisRequest& request, const RewriteProgress& progress, const VariantSeen& seen)
      : rules_(rules), request_(request), progress_(progress), seen_(seen) {}

  absl::StatusOr<Variant> Run(const Variant& from) {
    Variant best = from;
    do {
      // What saved too little of a longer time may save enough of a shorter one.
      idle_.clear();
      const size_t taken = taken_.size();
      do {
        HWEST_RETURN_IF_ERROR(TakeOne(&best));
      } while (improved_);
      HWEST_RETURN_IF_ERROR(TakeTogether(&best));
      improved_ = taken_.size() > taken;
    } while (improved_);
    return best;
  }

 private:
  Score ScoreOfVariant(const Variant& variant) const { return ScoreOf(*variant.analysis, request_.objective); }
  bool IsOpen(const RewriteRule& rule) const;
  absl::StatusOr<std::optional<Variant>> Try(const RewriteRule& rule, const Variant& from);
  absl::Status TakeOne(Variant* best);
  absl::Status TakeTogether(Variant* best);

  const RuleSet& rules_;
  const AnalysisRequest& request_;
  const RewriteProgress& progress_;
  const VariantSeen& seen_;
  RuleSet taken_;
  RuleSet idle_;  // rules that made the model no better when they were tried last
  bool improved_ = false;
};

// Not the way back from a rule that was taken.
bool Search::IsOpen(const RewriteRule& rule) const {
  return std::none_of(taken_.begin(), taken_.end(), [&](const RewriteRule* taken) { return Undoes(*taken, rule); });
}

absl::StatusOr<std::optional<Variant>> Search::Try(const RewriteRule& rule, const Variant& from) {
  if (progress_ != nullptr) progress_(absl::StrCat("trying ", rule.name));
  if (request_.watch != nullptr && !request_.watch("rewrite", 0, 1)) {
    return MakeError(Code::kInterrupted, "the search was cancelled", "");
  }
  absl::StatusOr<std::optional<Variant>> variant = ApplyOne(rule, from, request_);
  // A model that cannot be analysed any more is no candidate; a rule of the user's that makes one is wrong.
  const bool is_own = rule.parsed != nullptr;
  if (!variant.ok() && !is_own && DiagnosticOf(variant.status()).code != Code::kInterrupted) {
    return std::optional<Variant>();
  }
  if (seen_ != nullptr && variant.ok() && variant->has_value()) seen_(**variant);
  return variant;
}

// Takes the rule that helps most. Rules that did not help are not tried again until another one has changed what they
// look at: those of operators that were not there before.
absl::Status Search::TakeOne(Variant* best) {
  improved_ = false;
  const RewriteRule* winner = nullptr;
  Variant won = *best;
  for (const RewriteRule* rule : RulesFor(*best->analysis->graph, rules_)) {
    const bool is_idle = std::find(idle_.begin(), idle_.end(), rule) != idle_.end();
    if (is_idle || !IsOpen(*rule)) continue;
    HWEST_ASSIGN_OR_RETURN(std::optional<Variant> variant, Try(*rule, *best));
    if (!variant.has_value() || !ScoreOfVariant(*variant).IsBetterThan(ScoreOfVariant(*best))) {
      if (variant.has_value()) idle_.push_back(rule);
      continue;
    }
    if (!ScoreOfVariant(*variant).IsBetterThan(ScoreOfVariant(won))) continue;
    winner = rule;
    won = *std::move(variant);
  }
  if (winner == nullptr) return absl::OkStatus();
  *best = std::move(won);
  taken_.push_back(winner);
  improved_ = true;
  return absl::OkStatus();
}

// Rules whose nodes fall back may help only once all nodes of a stretch run on the accelerator. Takes all of them, then
// leaves out each that is not needed.
absl::Status Search::TakeTogether(Variant* best) {
  improved_ = false;
  RuleSet helpers;
  Variant all = *best;
  for (int round = 0; round < 2; ++round) {  // what one rule writes, another may replace
    const std::vector<bool> refused = FallbacksOf(*all.analysis);
    for (const Place& place : FindMatches(*all.analysis, rules_, all.model.get(), refused)) {
      const auto is_against = [&](const RewriteRule* rule) { return rule == place.rule || Undoes(*rule, *place.rule); };
      if (!IsOpen(*place.rule) || std::any_of(helpers.begin(), helpers.end(), is_against)) continue;
      HWEST_ASSIGN_OR_RETURN(std::optional<Variant> variant, Try(*place.rule, all));
      if (!variant.has_value()) continue;
      helpers.push_back(place.rule);
      all = *std::move(variant);
    }
  }
  if (!ScoreOfVariant(all).IsBetterThan(ScoreOfVariant(*best))) return absl::OkStatus();
  for (size_t i = 0; i < helpers.size() && helpers.size() > 1;) {
    RuleSet fewer = helpers;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    HWEST_ASSIGN_OR_RETURN(Variant variant, ApplyAll(fewer, *best, request_));
    if (ScoreOfVariant(all).IsBetterThan(ScoreOfVariant(variant))) {
      ++i;
      continue;
    }
    helpers = std::move(fewer);
    all = std::move(variant);
  }
  *best = std::move(all);
  taken_.insert(taken_.end(), helpers.begin(), helpers.end());
  improved_ = true;
  return absl::OkStatus();
}

}  // namespace

AppliedRule RowOf(const RewriteRule& rule, int64_t places) {
  return {.name = std::string(rule.name),
          .exactness = rule.exactness,
          .places = places,
          .saved_s = std::nullopt,
          .words = std::string(rule.words),
          .reason = std::string(rule.reason)};
}

absl::StatusOr<Variant> ApplyAll(const RuleSet& rules, const Variant& from, const AnalysisRequest& request) {
  Variant variant = from;
  for (const RewriteRule* rule : rules) {
    HWEST_ASSIGN_OR_RETURN(std::optional<Variant> next, ApplyOne(*rule, variant, request));
    if (next.has_value()) variant = *std::move(next);
  }
  return variant;
}

absl::StatusOr<Variant> FindBest(const RuleSet& rules, const Variant& from, const AnalysisRequest& request,
                                 const RewriteProgress& progress, const VariantSeen& seen) {
  return Search(rules, request, progress, seen).Run(from);
}

std::vector<bool> FallbacksOf(const Analysis& analysis) {
  std::vector<bool> refused(analysis.graph->nodes().size(), false);
  if (!analysis.plan.has_value()) return refused;
  for (const PlannedGroup& group : analysis.plan->groups) {
    if (group.unit.valid() && !IsCpu(analysis.target->units[group.unit])) continue;
    for (const NodeId node : group.group.nodes) {
      for (size_t u = 0; u < analysis.target->units.size(); ++u) {
        const Unit& unit = analysis.target->units[UnitId(u)];
        if (IsCpu(unit) || !unit.placeable) continue;
        if (analysis.support[UnitId(u)][node].verdict == Verdict::kNo) refused[node.index()] = true;
      }
    }
  }
  return refused;
}

}  // namespace hwest
