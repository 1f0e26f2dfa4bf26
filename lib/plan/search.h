// Search: the best plan of a request, from the placement problems of every way of using the units.
#pragma once

#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "plan/draft.h"

namespace hwest {

// A candidate replaces another only when it is cheaper by more than rounding.
inline constexpr double kPlanTolerance = 1e-12;

struct Candidate {
  Problem problem;
  Draft draft;
  double lower_bound = 0;                  // in the objective, of every plan of this problem
  std::optional<double> greedy_latency_s;  // none = not looked for
  PlacementSearch search;
};

struct SearchInput {
  const PlanInput& plan;
  RunGroups& groups;
  const IdMap<NodeId, UnitId>& pins;
  std::vector<std::vector<UnitChoice>> choices;  // see ListChoices
  const Problem* closed = nullptr;  // one of some choice where fallbacks run what others refuse, with kInSeconds
};

// Units that may take part: those of --only with the CPUs behind them, else all. Errors: kTargetUnknown, kUsage.
absl::StatusOr<std::vector<UnitChoice>> ChooseUnits(const PlanInput& input);

// One choice per way of using the units: all of them first, then each alone with the CPUs behind it. With a unit of
// kind DATAFLOW each alone only.
std::vector<std::vector<UnitChoice>> ListChoices(const Target& target, const std::vector<UnitChoice>& all);

// What the request minimises. Under a power cap that is latency.
CostWeights WeightsOf(const AnalysisRequest& request);
double ObjectiveOf(const Draft& draft, CostWeights weights);
size_t NumUnplaced(const Draft& draft);

// Solve finds the best plan of `problem` in its weights, priced in full; the greedy longest-segment plan takes part.
// The problem stays where it is: that of the candidate is empty. None when no plan is feasible.
std::optional<Candidate> Solve(const PlanInput& input, const Problem& problem, CostWeights weights);

// SolveChoice makes the problem of one choice and solves it: units run more than their turn leaves them only where
// limits leave no other way. None when no placement keeps all limits; NoPlacement is the error for that.
std::optional<Candidate> SolveChoice(const SearchInput& input, const std::vector<UnitChoice>& units,
                                     CostWeights weights);
absl::Status NoPlacement();

// Search returns the plan with the least objective. Errors: kUsage when no placement keeps all limits.
absl::StatusOr<Candidate> Search(const SearchInput& input);

// BestBeside is the latency of the best plan of `input` where it is less than that of `own`, which is a plan of other
// turns, by more than kWorthwhileGain. Graphs above 100,000 nodes are not looked at.
std::optional<double> BestBeside(SearchInput input, const Candidate& own);

// SearchUnderCap returns the fastest plan found whose energy over latency is within request.power_cap_w. Errors: kUsage
// when no placement keeps all limits, when the target states no energy, and for a cap below the least power that was
// reached, which it names: that cap succeeds.
absl::StatusOr<Candidate> SearchUnderCap(const SearchInput& input);

}  // namespace hwest
