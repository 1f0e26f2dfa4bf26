#include "rewrite/apply.h"

#include <utility>

#include "base/status_macros.h"
#include "rewrite/make.h"

namespace hwest {
namespace {

constexpr int kMostPasses = 16;

RuleSet Patterned(const RuleSet& rules) {
  RuleSet found;
  for (const RewriteRule* rule : rules) {
    if (rule->whole == nullptr) found.push_back(rule);
  }
  return found;
}

// One sweep; the number of places.
int64_t Sweep(const RuleSet& rules, const RuleSet& patterned, const Analysis& analysis, EditedModel* model,
              PlaceCounts* places) {
  int64_t made = 0;
  std::vector<StrId> doubtful;
  Renames renames;
  for (const Place& place : FindMatches(analysis, patterned, model)) {
    if (!MakePlace(analysis, place, model, &renames, &doubtful)) continue;
    ++(*places)[place.rule];
    ++made;
  }
  if (made == 0) {
    for (const RewriteRule* rule : rules) {
      if (rule->whole == nullptr) continue;
      const int64_t done = rule->whole(analysis, model, &doubtful);
      if (done == 0) continue;
      (*places)[rule] += done;
      made += done;
      break;  // the next one sees the model as this one left it
    }
  }
  if (made > 0) model->Settle(std::move(doubtful));
  return made;
}

}  // namespace

AnalysisRequest ModelPartOf(const AnalysisRequest& request) {
  AnalysisRequest part;
  part.bind = request.bind;
  part.op_rules = request.op_rules;
  part.watch = request.watch;
  return part;
}

absl::StatusOr<PlaceCounts> ApplyRules(const RuleSet& rules, std::shared_ptr<const Analysis> analysis,
                                       const AnalysisRequest& request, EditedModel* model) {
  PlaceCounts places;
  const RuleSet patterned = Patterned(rules);
  const AnalysisRequest part = ModelPartOf(request);
  for (int pass = 0; pass < kMostPasses; ++pass) {
    if (Sweep(rules, patterned, *analysis, model, &places) == 0) break;
    HWEST_ASSIGN_OR_RETURN(std::shared_ptr<const Graph> graph, model->GraphOf());
    HWEST_ASSIGN_OR_RETURN(Analysis next, Analyze(std::move(graph), part));
    analysis = std::make_shared<const Analysis>(std::move(next));
  }
  return places;
}

}  // namespace hwest
