#include "plan/search.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "cost/cost.h"
#include "hwest/diagnostic.h"
#include "pass/work.h"

namespace hwest {
namespace {

bool IsCpu(const Target& target, UnitId unit) { return target.units[unit].kind == UnitKind::kSimdCpu; }

bool IsNamed(const std::vector<std::string>& names, const Unit& unit) {
  return std::find(names.begin(), names.end(), unit.name) != names.end();
}

// Placing more comes first: an unplaced group has no time.
bool IsBetter(const Draft& a, const Draft& b, Weights weights) {
  const size_t unplaced_a = NumUnplaced(a), unplaced_b = NumUnplaced(b);
  if (unplaced_a != unplaced_b) return unplaced_a < unplaced_b;
  return ObjectiveOf(a, weights) < ObjectiveOf(b, weights) * (1 - kPlanTolerance);
}

// Seconds that a CPU needs at the very least for the contractions of `atom` that `unit` refuses.
double RefusedSeconds(const PlanInput& input, const Atom& atom, UnitId unit, double cpu_macs_per_s) {
  int64_t macs = 0;
  for (const NodeId node : atom.nodes) {
    const std::optional<Work>& work = input.model.work[node];
    if (input.support[unit][node].verdict != Verdict::kNo || !work.has_value()) continue;
    macs += Evaluate(work->macs, input.model.dims).value_or(0);
  }
  return static_cast<double>(macs) / cpu_macs_per_s;
}

// Peak of the fastest CPU among the fallbacks; 0 when it is not known.
double CpuMacsPerS(const PlanInput& input, const std::vector<UnitChoice>& choice) {
  double fastest = 0;
  for (const UnitChoice& option : choice) {
    if (!IsCpu(input.target, option.unit)) continue;
    const Unit& unit = input.target.units[option.unit];
    const Rate* rate = RateFor(unit, WorkKind::kContraction, input.precisions[option.unit]->floating);
    if (rate != nullptr) fastest = std::max(fastest, PeakPerS(unit, *rate).value_or(0));
  }
  return fastest;
}

// IsHopeless bounds the plan of one unit with the CPUs behind it from below with the figures of the whole problem:
// what the unit can run costs what it costs there, what it refuses at least the CPU's peak. The margin covers that
// another order may keep more values on chip.
bool IsHopeless(const PlanInput& input, const Candidate& whole, const std::vector<UnitChoice>& choice) {
  constexpr double kMargin = 1.25;
  if (WeightsOf(input.request) != kInSeconds || NumUnplaced(whole.draft) > 0) return false;
  const auto asked = std::find_if(choice.begin(), choice.end(), [](const UnitChoice& c) { return !c.fallback; });
  const std::vector<UnitChoice>& rows = whole.problem.usable.units;
  const auto row = std::find_if(rows.begin(), rows.end(), [&](const UnitChoice& c) { return c.unit == asked->unit; });
  const double cpu_macs_per_s = CpuMacsPerS(input, choice);
  if (row == rows.end() || cpu_macs_per_s <= 0) return false;
  double least = 0;
  for (uint32_t atom = 0; atom < whole.problem.atoms.atoms.size(); ++atom) {
    const double cost = whole.problem.solver.CostOf(atom, static_cast<uint32_t>(row - rows.begin()));
    least += cost < kInfeasible ? cost
                                : RefusedSeconds(input, whole.problem.atoms.atoms[atom], asked->unit, cpu_macs_per_s);
  }
  return least > kMargin * whole.draft.latency_s;
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
    if (is_asked || IsCpu(input.target, id)) chosen.push_back({id, !is_asked});
  }
  return chosen;
}

std::vector<std::vector<UnitChoice>> ListChoices(const Target& target, const std::vector<UnitChoice>& all) {
  std::vector<std::vector<UnitChoice>> choices = {all};
  const auto num_asked = std::count_if(all.begin(), all.end(), [](const UnitChoice& c) { return !c.fallback; });
  if (num_asked < 2) return choices;
  for (const UnitChoice& alone : all) {
    if (alone.fallback) continue;
    std::vector<UnitChoice> choice;
    for (const UnitChoice& other : all) {
      if (other.unit == alone.unit) choice.push_back(alone);
      if (other.unit != alone.unit && IsCpu(target, other.unit)) choice.push_back({other.unit, true});
    }
    choices.push_back(std::move(choice));
  }
  return choices;
}

Weights WeightsOf(const AnalysisRequest& request) {
  return request.objective == Objective::kLatency ? kInSeconds : kInJoules;
}

double ObjectiveOf(const Draft& draft, Weights weights) {
  return weights.seconds * draft.latency_s + weights.joules * draft.energy_j;
}

size_t NumUnplaced(const Draft& draft) {
  return static_cast<size_t>(
      std::count_if(draft.steps.begin(), draft.steps.end(), [](const Step& step) { return !step.unit.valid(); }));
}

std::optional<Candidate> Solve(const PlanInput& input, const Problem& problem, Weights weights) {
  std::vector<Assignment> seeds;
  const std::optional<Assignment> greedy = LongestSegments(problem.solver);
  if (greedy.has_value()) seeds.push_back(*greedy);
  const std::optional<Placement> placement = SolvePlacement(problem.solver, SolverOptions(), seeds);
  if (!placement.has_value()) return std::nullopt;
  Candidate candidate{.draft = Evaluate(input, problem, placement->units), .lower_bound = placement->lower_bound};
  candidate.search = {.atoms = problem.atoms.atoms.size(),
                      .states = placement->peak_states,
                      .live = placement->peak_live,
                      .exact = placement->lower_bound >= placement->cost};
  candidate.greedy_latency_s = candidate.draft.latency_s;
  if (!greedy.has_value() || *greedy == placement->units) return candidate;
  Draft draft = Evaluate(input, problem, *greedy);
  candidate.greedy_latency_s = draft.latency_s;
  if (ObjectiveOf(draft, weights) < ObjectiveOf(candidate.draft, weights) * (1 - kPlanTolerance)) {
    candidate.draft = std::move(draft);
  }
  return candidate;
}

std::optional<Candidate> SolveChoice(const SearchInput& input, const std::vector<UnitChoice>& units, Weights weights) {
  const bool has_fallback = std::any_of(units.begin(), units.end(), [](const UnitChoice& c) { return c.fallback; });
  for (const Fallback fallback : {Fallback::kRefusedOnly, Fallback::kEverywhere}) {
    if (fallback == Fallback::kEverywhere && !has_fallback) break;
    Problem problem = MakeProblem(input.plan, input.groups, input.pins, units, fallback, weights);
    std::optional<Candidate> candidate = Solve(input.plan, problem, weights);
    if (!candidate.has_value()) continue;
    candidate->problem = std::move(problem);
    return candidate;
  }
  return std::nullopt;
}

absl::Status NoPlacement() {
  return MakeError(Code::kUsage, "no placement keeps all limits of the request and the toolchains",
                   "allow more segments or more units");
}

absl::StatusOr<Candidate> Search(const SearchInput& input) {
  const Weights weights = WeightsOf(input.plan.request);
  // Bounds, the greedy plan and what the search did are those of the whole problem, which comes first.
  std::optional<Candidate> whole, best;
  for (const std::vector<UnitChoice>& choice : input.choices) {
    if (whole.has_value() && IsHopeless(input.plan, *whole, choice)) continue;
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
