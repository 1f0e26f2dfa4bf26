#include "plan/plan.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/status_macros.h"
#include "cost/cost.h"
#include "cost/group_work.h"
#include "hwest/diagnostic.h"
#include "partition/names.h"
#include "pass/work.h"
#include "plan/draft.h"
#include "plan/liveness.h"
#include "plan/reasons.h"

namespace hwest {
namespace {

// A candidate replaces another only when it is cheaper by more than rounding.
constexpr double kTolerance = 1e-12;

struct Candidate {
  Problem problem;
  Draft draft;
  double lower_bound = 0;   // in the objective, of every plan of this problem
  double greedy_latency_s = 0;
};

bool IsCpu(const Target& target, UnitId unit) { return target.units[unit].kind == UnitKind::kSimdCpu; }

bool IsNamed(const std::vector<std::string>& names, const Unit& unit) {
  return std::find(names.begin(), names.end(), unit.name) != names.end();
}

// Units that may take part: those of --only with the CPUs behind them, else all.
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

// One problem per way of using the units: all of them, and each alone with the CPUs behind it.
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

double ObjectiveOf(const PlanInput& input, const Draft& draft) {
  return input.request.objective == Objective::kLatency ? draft.latency_s : draft.energy_j;
}

std::optional<Candidate> Solve(const PlanInput& input, Problem problem) {
  std::vector<Assignment> seeds;
  const std::optional<Assignment> greedy = LongestSegments(problem.solver);
  if (greedy.has_value()) seeds.push_back(*greedy);
  const std::optional<Placement> placement = SolvePlacement(problem.solver, SolverOptions(), seeds);
  if (!placement.has_value()) return std::nullopt;
  Candidate candidate{.draft = Evaluate(input, problem, placement->units), .lower_bound = placement->lower_bound};
  candidate.greedy_latency_s = candidate.draft.latency_s;
  if (greedy.has_value() && *greedy != placement->units) {
    Draft draft = Evaluate(input, problem, *greedy);
    candidate.greedy_latency_s = draft.latency_s;
    if (ObjectiveOf(input, draft) < ObjectiveOf(input, candidate.draft) * (1 - kTolerance)) {
      candidate.draft = std::move(draft);
    }
  }
  candidate.problem = std::move(problem);
  return candidate;
}

std::optional<Candidate> SolveChoice(const PlanInput& input, RunGroups& groups, const IdMap<NodeId, UnitId>& pins,
                                     const std::vector<UnitChoice>& units) {
  std::optional<Candidate> candidate =
      Solve(input, MakeProblem(input, groups, pins, units, Fallback::kRefusedOnly));
  const bool has_fallback = std::any_of(units.begin(), units.end(), [](const UnitChoice& c) { return c.fallback; });
  if (candidate.has_value() || !has_fallback) return candidate;
  return Solve(input, MakeProblem(input, groups, pins, units, Fallback::kEverywhere));
}

size_t NumUnplaced(const Draft& draft) {
  return static_cast<size_t>(
      std::count_if(draft.steps.begin(), draft.steps.end(), [](const Step& step) { return !step.unit.valid(); }));
}

// Placing more comes first: an unplaced group has no time.
bool IsBetter(const PlanInput& input, const Draft& a, const Draft& b) {
  const size_t unplaced_a = NumUnplaced(a), unplaced_b = NumUnplaced(b);
  if (unplaced_a != unplaced_b) return unplaced_a < unplaced_b;
  return ObjectiveOf(input, a) < ObjectiveOf(input, b) * (1 - kTolerance);
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
  if (input.request.objective != Objective::kLatency || NumUnplaced(whole.draft) > 0) return false;
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

Estimate Scaled(const Estimate& once, int64_t runs) {
  Estimate all = once;
  const auto times = static_cast<double>(runs);
  for (double* figure : {&all.compute_s, &all.memory_s, &all.overhead_s, &all.time_s, &all.low_s, &all.high_s,
                         &all.energy.compute_j, &all.energy.onchip_j, &all.energy.dram_j, &all.energy.static_j}) {
    *figure *= times;
  }
  all.dram_bytes = static_cast<int64_t>(static_cast<double>(once.dram_bytes) * times);
  if (runs == 0) all.utilisation = 0;
  return all;
}

int64_t MovedBytes(const GroupWork& work) { return work.in_bytes + work.weight_bytes + work.out_bytes; }

// Assembler turns the winning draft into the tables of the contract.
class Assembler {
 public:
  Assembler(const PlanInput& input, const Candidate& candidate) : input_(input), candidate_(candidate) {}

  Plan Run() {
    plan_.group_of = IdMap<NodeId, GroupId>(input_.model.graph.nodes().size());
    plan_.units = IdMap<UnitId, UnitTotals>(input_.target.units.size());
    plan_.segments = candidate_.draft.segments;
    for (const Step& step : candidate_.draft.steps) AddGroup(step);
    SetReasons();
    SetTimeline();
    SetMemory();
    SetIntervals();
    return std::move(plan_);
  }

 private:
  void AddGroup(const Step& step);
  void SetSavings(const RunGroup& run, PlannedGroup& row) const;
  void SetReasons();
  void SetTimeline();
  void SetMemory();
  void SetIntervals();

  const PlanInput& input_;
  const Candidate& candidate_;
  Plan plan_;
};

void Assembler::AddGroup(const Step& step) {
  const RunGroup& run = *step.group;
  const GroupId id(plan_.groups.size());
  PlannedGroup row{.group = run.group, .unit = step.unit, .segment = step.segment, .work = Scale(run.work, run.runs)};
  if (step.estimate->has_value()) row.estimate = Scaled(**step.estimate, run.runs);
  SetSavings(run, row);
  for (const NodeId node : run.group.nodes) {
    // A view or folded node may be a member of several matches; the first one has it.
    if (!plan_.group_of[node].valid()) plan_.group_of[node] = id;
  }
  if (step.unit.valid()) {
    plan_.segments[step.segment.index()].groups.push_back(id);
    UnitTotals& totals = plan_.units[step.unit];
    ++totals.groups;
    totals.macs += row.work.macs;
    if (row.estimate.has_value()) {
      totals.busy_s += row.estimate->time_s;
      totals.energy_j += row.estimate->energy.total();
    }
  }
  plan_.groups.push_back(std::move(row));
}

void Assembler::SetSavings(const RunGroup& run, PlannedGroup& row) const {
  if (run.work.num_nodes < 2) return;
  int64_t parts = 0;
  for (const NodeId node : run.group.nodes) {
    if (!IsKernel(input_.model.classes[node])) continue;
    parts += MovedBytes(MakeGroupWork(input_.model, SingleNode(input_.model, node), run.work.precision));
  }
  row.saved_bytes = std::max<int64_t>(0, parts - MovedBytes(run.work)) * run.runs;
  row.saved_launches = (run.work.num_nodes - run.work.num_kernels) * run.runs;
}

void Assembler::SetReasons() {
  const std::vector<std::string> reasons = SegmentReasons(input_, candidate_.problem, candidate_.draft);
  for (size_t s = 0; s < reasons.size(); ++s) plan_.segments[s].reason = reasons[s];
}

void Assembler::SetTimeline() {
  double now = 0;
  SegmentId current;
  for (PlannedGroup& row : plan_.groups) {
    if (row.segment.valid() && row.segment != current) {
      Segment& segment = plan_.segments[row.segment.index()];
      segment.start_s = now;
      segment.time_s = 0;
      now += segment.transfer_s + segment.invoke_s;
      plan_.transfer_s += segment.transfer_s;
      current = row.segment;
    }
    row.start_s = now;
    if (!row.estimate.has_value() || !row.segment.valid()) continue;
    now += row.estimate->time_s;
    plan_.segments[row.segment.index()].time_s += row.estimate->time_s;
  }
  plan_.latency_s = now;
  plan_.interval_s = now;
  for (const Segment& segment : plan_.segments) plan_.energy_j += segment.energy_j;
  const double objective = ObjectiveOf(input_, candidate_.draft);
  if (objective > 0) plan_.gap = std::max(0.0, (objective - candidate_.lower_bound) / objective);
  if (plan_.gap < 1e-9) plan_.gap = 0;
  plan_.greedy_latency_s = candidate_.greedy_latency_s;
}

void Assembler::SetMemory() {
  std::vector<const RunGroup*> order;
  for (const Step& step : candidate_.draft.steps) order.push_back(step.group);
  plan_.deployed_bytes = WeightBytes(input_.model, order);
  plan_.peak_memory_bytes = plan_.deployed_bytes + PeakLiveBytes(input_.model, order);
}

// Errors of the groups of one model are fully correlated: intervals add up.
void Assembler::SetIntervals() {
  plan_.grade = Grade::kMeasured;
  const auto add = [&](double seconds, double joules, UnitId unit) {
    const Grade grade = GradeOf(input_.target.units[unit]);
    plan_.grade = std::max(plan_.grade, grade);
    const double factor = IntervalFactor(grade);
    plan_.latency_low_s += seconds / factor;
    plan_.latency_high_s += seconds * factor;
    plan_.energy_low_j += joules / factor;
    plan_.energy_high_j += joules * factor;
  };
  for (const Segment& segment : plan_.segments) {
    add(segment.transfer_s + segment.invoke_s + segment.time_s, segment.energy_j, segment.unit);
  }
  if (plan_.segments.empty()) plan_.grade = Grade::kDatasheet;
}

}  // namespace

absl::StatusOr<Plan> PlaceAndPlan(const PlanInput& input) {
  HWEST_ASSIGN_OR_RETURN(const auto pins, ResolvePins(input.model, input.target, input.support, input.request));
  HWEST_ASSIGN_OR_RETURN(const std::vector<UnitChoice> units, ChooseUnits(input));
  RunGroups groups(input.model, input.runs, input.overlays, input.precisions);
  // Bounds and the greedy plan are those of the whole problem, which comes first.
  std::optional<Candidate> whole, best;
  for (const std::vector<UnitChoice>& choice : ListChoices(input.target, units)) {
    if (whole.has_value() && IsHopeless(input, *whole, choice)) continue;
    std::optional<Candidate> candidate = SolveChoice(input, groups, pins, choice);
    if (!candidate.has_value()) continue;
    if (!whole.has_value()) {
      whole = std::move(candidate);
      continue;
    }
    candidate->lower_bound = std::min(candidate->lower_bound, whole->lower_bound);
    candidate->greedy_latency_s = whole->greedy_latency_s;
    const Draft& known = best.has_value() ? best->draft : whole->draft;
    if (IsBetter(input, candidate->draft, known)) best = std::move(candidate);
  }
  if (!whole.has_value()) {
    return MakeError(Code::kUsage, "no placement keeps all limits of the request and the toolchains",
                     "allow more segments or more units");
  }
  return Assembler(input, best.has_value() ? *best : *whole).Run();
}

}  // namespace hwest
