#include "plan/search.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "cost/cost.h"
#include "hwest/diagnostic.h"
#include "partition/host.h"
#include "pass/work.h"
#include "plan/engines.h"
#include "plan/moves.h"
#include "plan/policy.h"
#include "target/kinds.h"

namespace hwest {
namespace {

// A second search beside the first would take more memory than graphs above this leave.
constexpr size_t kMostNodesCompared = 100'000;

bool IsNamed(const std::vector<std::string>& names, const Unit& unit) {
  return std::find(names.begin(), names.end(), unit.name) != names.end();
}

// Placing more comes first: an unplaced group has no time.
bool IsBetter(const Draft& a, const Draft& b, CostWeights weights) {
  const size_t unplaced_a = NumUnplaced(a), unplaced_b = NumUnplaced(b);
  if (unplaced_a != unplaced_b) return unplaced_a < unplaced_b;
  return ObjectiveOf(a, weights) < ObjectiveOf(b, weights) * (1 - kPlanTolerance);
}

// Seconds that `group` needs at the very least when `unit` runs it whole and everything stays on chip; for one that it
// refuses, the peak of the CPU for the contractions among the refused nodes.
double LeastSeconds(const SearchInput& input, const Usable& usable, size_t unit, GroupId id, double cpu_macs_per_s) {
  const PlanInput& plan = input.plan;
  const UnitId unit_id = usable.units[unit].unit;
  const Group& group = usable.overlays[unit]->groups[id];
  if (!usable.Runs(unit, group, plan.model.classes)) {
    int64_t macs = 0;
    for (const NodeId node : group.nodes) {
      const std::optional<Work>& work = plan.model.work[node];
      if (plan.support[unit_id][node].verdict != Verdict::kNo || !work.has_value()) continue;
      macs += Evaluate(work->macs, plan.model.dims).value_or(0);
    }
    return static_cast<double>(macs) / cpu_macs_per_s;
  }
  const RunGroup& run = *input.groups.Get(unit_id, {id, NodeId()});
  const Residency all{run.work.in_bytes, run.work.out_bytes, run.work.weight_bytes};
  const std::optional<Estimate>& estimate = *input.groups.EstimateOf(plan.target, unit_id, run, all);
  return estimate.has_value() ? estimate->time_s * static_cast<double>(run.runs) : 0;
}

// Peak of the fastest CPU among the fallbacks; 0 when it is not known.
double CpuMacsPerS(const PlanInput& input, const std::vector<UnitChoice>& choice) {
  double fastest = 0;
  for (const UnitChoice& option : choice) {
    if (!IsCpu(input.target.units[option.unit])) continue;
    const Unit& unit = input.target.units[option.unit];
    const Rate* rate = RateFor(unit, WorkKind::kContraction, input.precisions[option.unit]->floating);
    if (rate != nullptr) fastest = std::max(fastest, PeakPerS(unit, *rate).value_or(0));
  }
  return fastest;
}

// Whether `choice` lets all units of `problem`, and no other, run whatever they can.
bool OpensAll(const Problem& problem, const std::vector<UnitChoice>& choice) {
  return std::equal(choice.begin(), choice.end(), problem.usable.units.begin(), problem.usable.units.end(),
                    [](const UnitChoice& a, const UnitChoice& b) { return a.unit == b.unit && !a.is_fallback(); });
}

// The least that the atoms of `problem` take, whatever unit runs them.
double LeastSeconds(const Problem& problem) {
  double least = 0;
  for (size_t atom = 0; atom < problem.atoms().size(); ++atom) {
    double fastest = kInfeasible;
    for (size_t unit = 0; unit < problem.num_units(); ++unit) {
      fastest = std::min(fastest, AtomCost(problem, atom, unit, kInSeconds));
    }
    if (fastest < kInfeasible) least += fastest;
  }
  return least;
}

bool SameMoves(const Target& target, UnitId a, UnitId b, UnitId other) {
  const auto same = [&](bool changes_layout) {
    return MoveBetween(target, a, other, changes_layout) == MoveBetween(target, b, other, changes_layout) &&
           MoveBetween(target, other, a, changes_layout) == MoveBetween(target, other, b, changes_layout);
  };
  return same(false) && same(true);
}

// Whether a choice of one unit is that of the first of `engines`, which are alike, under another name: no plan of it
// takes less.
bool IsRepeated(const SearchInput& input, const std::vector<UnitId>& engines, const std::vector<UnitChoice>& choice) {
  const UnitId unit = FirstInTurn(choice);
  if (std::find(engines.begin(), engines.end(), unit) == engines.end() || unit == engines[0]) return false;
  const PlanInput& plan = input.plan;
  if (plan.overlays[unit] != plan.overlays[engines[0]]) return false;
  if (MoveFromHost(plan.target, unit) != MoveFromHost(plan.target, engines[0])) return false;
  return std::all_of(choice.begin(), choice.end(), [&](const UnitChoice& c) {
    return c.unit == unit || SameMoves(plan.target, unit, engines[0], c.unit);
  });
}

// IsHopeless bounds the plan of one unit with the CPUs behind it from below, by the groups of its own overlay: in the
// whole problem other units may have split them.
bool IsHopeless(const SearchInput& input, const Candidate& whole, const std::vector<UnitChoice>& choice) {
  if (WeightsOf(input.plan.request) != kInSeconds || NumUnplaced(whole.draft) > 0) return false;
  const UnitId asked = FirstInTurn(choice);
  const Usable& usable = whole.problem.usable;
  const auto found =
      std::find_if(usable.units.begin(), usable.units.end(), [&](const UnitChoice& c) { return c.unit == asked; });
  const double cpu_macs_per_s = CpuMacsPerS(input.plan, choice);
  if (found == usable.units.end() || cpu_macs_per_s <= 0) return false;
  const auto unit = static_cast<size_t>(found - usable.units.begin());
  double least = 0;
  for (uint32_t group = 0; group < usable.overlays[unit]->groups.size(); ++group) {
    least += LeastSeconds(input, usable, unit, GroupId(group), cpu_macs_per_s);
    if (least > whole.draft.latency_s * (1 + kPlanTolerance)) return true;
  }
  return false;
}

}  // namespace

absl::StatusOr<std::vector<UnitChoice>> ChooseUnits(const PlanInput& input) {
  const std::vector<std::string>& only = input.request.only;
  for (const std::string& name : only) {
    HWEST_ASSIGN_OR_RETURN(const UnitId unit, FindUnit(input.target, name));
    if (input.target.units[unit].placeable) continue;
    return MakeError(Code::kUsage, absl::StrCat("nothing places work on '", name, "'"), "choose a placeable unit");
  }
  std::vector<UnitChoice> chosen;
  for (uint32_t u = 0; u < input.target.units.size(); ++u) {
    const UnitId id(u);
    const Unit& unit = input.target.units[id];
    if (!unit.placeable || !input.precisions[id].has_value()) continue;
    const bool is_asked = only.empty() || IsNamed(only, unit);
    if (is_asked || IsCpu(input.target.units[id])) chosen.push_back({id, is_asked ? 0 : 1});
  }
  const bool has_accelerator = std::any_of(
      chosen.begin(), chosen.end(), [&](const UnitChoice& choice) { return !IsCpu(input.target.units[choice.unit]); });
  for (UnitChoice& choice : chosen) {
    if (has_accelerator && IsHeldBack(input.target, input.request, choice.unit)) choice.turn = 1;
  }
  return chosen;
}

std::vector<std::vector<UnitChoice>> ListChoices(const Target& target, const std::vector<UnitChoice>& all) {
  std::vector<std::vector<UnitChoice>> choices = {all};
  const auto num_asked = std::count_if(all.begin(), all.end(), [](const UnitChoice& c) { return !c.is_fallback(); });
  if (num_asked < 2) return choices;
  for (const UnitChoice& alone : all) {
    if (alone.is_fallback()) continue;
    std::vector<UnitChoice> choice;
    for (const UnitChoice& other : all) {
      if (other.unit == alone.unit) choice.push_back(alone);
      if (other.unit != alone.unit && IsCpu(target.units[other.unit])) choice.push_back({other.unit, 1});
    }
    choices.push_back(std::move(choice));
  }
  // What layers cost on a unit they stream through depends on which others are there, which the search that splits the
  // model does not see: it would give and take layers by chance.
  const auto streams = [&](const UnitChoice& c) { return !c.is_fallback() && IsStreaming(target.units[c.unit]); };
  if (std::any_of(all.begin(), all.end(), streams)) choices.erase(choices.begin());
  return choices;
}

CostWeights WeightsOf(const AnalysisRequest& request) {
  return request.objective == Objective::kLatency ? kInSeconds : kInJoules;
}

double ObjectiveOf(const Draft& draft, CostWeights weights) {
  return weights.seconds * draft.latency_s + weights.joules * draft.energy_j;
}

size_t NumUnplaced(const Draft& draft) {
  return static_cast<size_t>(
      std::count_if(draft.steps.begin(), draft.steps.end(), [](const Step& step) { return !step.unit.valid(); }));
}

std::optional<Candidate> Solve(const PlanInput& input, const Problem& problem, CostWeights weights) {
  std::vector<Assignment> seeds;
  const std::optional<Assignment> greedy = LongestSegments(problem.solver);
  if (greedy.has_value()) seeds.push_back(*greedy);
  const std::optional<Placement> placement = SolvePlacement(problem.solver, SolverOptions(), seeds);
  if (!placement.has_value()) return std::nullopt;
  Candidate candidate{.draft = Evaluate(input, problem, placement->units),
                      .lower_bound = std::max(0.0, placement->lower_bound - HoldBackCost(problem, placement->units))};
  candidate.search = {.atoms = problem.atoms().size(),
                      .states = placement->peak_states,
                      .live = placement->peak_live,
                      .exact = placement->lower_bound >= placement->cost};
  candidate.greedy_latency_s = candidate.draft.latency_s;
  if (!greedy.has_value() || *greedy == placement->units) return candidate;
  Draft draft = Evaluate(input, problem, *greedy);
  candidate.greedy_latency_s = draft.latency_s;
  const bool holds_back = HoldBackCost(problem, *greedy) <= HoldBackCost(problem, placement->units);
  if (holds_back && ObjectiveOf(draft, weights) < ObjectiveOf(candidate.draft, weights) * (1 - kPlanTolerance)) {
    candidate.draft = std::move(draft);
  }
  return candidate;
}

std::optional<Candidate> SolveChoice(const SearchInput& input, const std::vector<UnitChoice>& units,
                                     CostWeights weights) {
  const bool has_fallback =
      std::any_of(units.begin(), units.end(), [](const UnitChoice& c) { return c.is_fallback(); });
  Problem problem = input.closed != nullptr && OpensAll(*input.closed, units)
                        ? Opened(*input.closed)
                        : MakeProblem(input.plan, input.groups, input.pins, units, weights);
  std::optional<Candidate> candidate = Solve(input.plan, problem, weights);
  if (!candidate.has_value() && has_fallback) {
    problem.fallback = Fallback::kAsLittleAsPossible;
    Reweigh(input.plan, weights, &problem);
    candidate = Solve(input.plan, problem, weights);
  }
  if (candidate.has_value()) candidate->problem = std::move(problem);
  return candidate;
}

std::optional<double> BestBeside(SearchInput input, const Candidate& own) {
  const std::vector<UnitChoice>& turns = own.problem.usable.units;
  input.choices.erase(std::remove(input.choices.begin(), input.choices.end(), turns), input.choices.end());
  if (input.choices.empty() || input.plan.model.graph.nodes().size() > kMostNodesCompared) return std::nullopt;
  const double enough = own.draft.latency_s * (1 - kWorthwhileGain);
  const size_t unplaced = NumUnplaced(own.draft);
  if (OpensAll(own.problem, input.choices[0])) {
    if (unplaced == 0 && LeastSeconds(own.problem) >= enough) return std::nullopt;
    if (own.problem.fallback == Fallback::kRefusedOnly) input.closed = &own.problem;
  }
  const absl::StatusOr<Candidate> best = Search(input);
  if (!best.ok() || NumUnplaced(best->draft) > unplaced || best->draft.latency_s >= enough) return std::nullopt;
  return best->draft.latency_s;
}

absl::Status NoPlacement() {
  return MakeError(Code::kUsage, "no placement keeps all limits of the request and the toolchains",
                   "allow more segments or more units");
}

absl::StatusOr<Candidate> Search(const SearchInput& input) {
  const CostWeights weights = WeightsOf(input.plan.request);
  // Bounds, the greedy plan and what the search did are those of the whole problem, which comes first.
  std::optional<Candidate> whole, best;
  std::vector<UnitId> engines;
  if (weights == kInSeconds) engines = EqualEngines(input.plan.target, input.plan.request, input.plan.precisions);
  for (const std::vector<UnitChoice>& choice : input.choices) {
    if (whole.has_value() && (IsRepeated(input, engines, choice) || IsHopeless(input, *whole, choice))) continue;
    std::optional<Candidate> candidate = SolveChoice(input, choice, weights);
    if (!candidate.has_value()) continue;
    if (!whole.has_value()) {
      whole = std::move(candidate);
      continue;
    }
    candidate->lower_bound = std::min(candidate->lower_bound, whole->lower_bound);
    candidate->greedy_latency_s = whole->greedy_latency_s;
    candidate->search = whole->search;
    const Draft& known = best.has_value() ? best->draft : whole->draft;
    if (IsBetter(candidate->draft, known, weights)) best = std::move(candidate);
  }
  if (!whole.has_value()) return NoPlacement();
  return best.has_value() ? *std::move(best) : *std::move(whole);
}

}  // namespace hwest
