#include "plan/plan.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/enumerators.h"
#include "base/status_macros.h"
#include "cost/cost.h"
#include "cost/group_work.h"
#include "hwest/host.h"
#include "plan/draft.h"
#include "plan/evidence.h"
#include "plan/memory_plan.h"
#include "plan/mode_cap.h"
#include "plan/operator_class.h"
#include "plan/overlap.h"
#include "plan/pipeline.h"
#include "plan/policy.h"
#include "plan/reasons.h"
#include "plan/repeat.h"
#include "plan/search.h"
#include "plan/timeline.h"
#include "plan/weight_copies.h"

namespace hwest {
namespace {

int64_t MovedBytes(const GroupWork& work) { return work.in_bytes + work.weight_bytes + work.out_bytes; }

constexpr size_t kNumGrades = kNumEnumerators<Grade>;

double SecondsOf(const Segment& segment) { return segment.transfer_s + segment.invoke_s + segment.time_s; }

// Assembler turns the winning draft into the tables of the contract. Of the problem it leaves no more than `keep` asks:
// the rows of a huge model take the place of what the search needed.
class Assembler {
 public:
  enum class Keep { kUnits, kProblem };
  Assembler(const PlanInput& input, Candidate& candidate, Keep keep)
      : input_(input), candidate_(candidate), keep_(keep) {}

  Plan Run() {
    plan_.group_of = IdMap<NodeId, GroupId>(input_.model.graph.nodes().size());
    plan_.units = IdMap<UnitId, UnitTotals>(input_.target.units.size());
    plan_.segments = candidate_.draft.segments;
    SetReasons();
    plan_.lifetimes = PlanMemory(input_, candidate_.problem, candidate_.draft);
    if (keep_ == Keep::kUnits) DropProblem();
    plan_.groups.reserve(candidate_.draft.steps.size());
    for (const Step& step : candidate_.draft.steps) AddGroup(step);
    SetTotals();
    SetMemory();
    SetEvidence();
    SetIntervals();
    SetGrades();
    return std::move(plan_);
  }

 private:
  void AddGroup(const Step& step);
  void SetSavings(const RunGroup& run, PlannedGroup& row) const;
  void SetReasons();
  void DropProblem();
  void SetTotals();
  void SetMemory();
  void SetEvidence();
  void AddUnseen(UnitId unit, const Evidence* evidence, double seconds);
  void SetIntervals();
  void SetGrades();

  const PlanInput& input_;
  Candidate& candidate_;
  const Keep keep_;
  Plan plan_;
  IdMap<UnitId, double> unseen_;  // share of each unit's time, see Evidence
};

void Assembler::AddGroup(const Step& step) {
  const RunGroup& run = *step.group;
  const GroupId id(plan_.groups.size());
  PlannedGroup row{.group = run.group,
                   .unit = step.unit,
                   .segment = step.segment,
                   .work = Scale(run.work, run.runs),
                   .reads = run.reads,
                   .writes = run.writes,
                   .residency = Scale(step.residency, run.runs)};
  if (step.estimate->has_value()) row.estimate = InContext(Scale(**step.estimate, run.runs), step.time_share);
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
  if (!run.FusesKernels()) return;
  const bool is_counted = run.apart_bytes != RunGroup::kNotCounted;
  const int64_t parts = is_counted ? run.apart_bytes : ApartBytes(input_.model, run.group, run.work);
  row.saved_bytes = std::max<int64_t>(0, parts - MovedBytes(run.work)) * run.runs;
  row.saved_launches = (run.work.num_nodes - run.work.num_kernels) * run.runs;
}

void Assembler::SetReasons() {
  const std::vector<std::string> reasons = SegmentReasons(input_, candidate_.problem, candidate_.draft);
  for (size_t s = 0; s < reasons.size(); ++s) {
    plan_.segments[s].reason = absl::StrCat(reasons[s], ContextsText(plan_.segments[s]));
  }
}

void Assembler::DropProblem() {
  std::vector<UnitChoice> units = std::move(candidate_.problem.usable.units);
  const Fallback fallback = candidate_.problem.fallback;
  candidate_.problem = {};
  candidate_.problem.usable.units = std::move(units);
  candidate_.problem.fallback = fallback;
}

void Assembler::SetTotals() {
  SetTimeline(&plan_);
  plan_.interval_s = IntervalSeconds(plan_.segments, input_.target, plan_.latency_s);
  for (const Segment& segment : plan_.segments) plan_.energy_j += segment.energy_j;
  const double objective = ObjectiveOf(candidate_.draft, WeightsOf(input_.request));
  if (objective > 0) plan_.gap = std::max(0.0, (objective - candidate_.lower_bound) / objective);
  if (plan_.gap < 1e-9) plan_.gap = 0;
  plan_.search = candidate_.search;
  plan_.greedy_latency_s = candidate_.greedy_latency_s;
}

void Assembler::SetMemory() {
  const WeightCopies constants = WeightCopiesOf(input_.model, input_.target, plan_);
  plan_.deployed_bytes = constants.Bytes();
  plan_.other_constants = constants.Others();
  plan_.peak_memory_bytes = plan_.deployed_bytes + PeakOfActivations(plan_.lifetimes, plan_.groups.size());
}

// Of the time of a unit, transfers and invocations too, its groups take their shares.
void Assembler::AddUnseen(UnitId unit, const Evidence* evidence, double seconds) {
  const TimeByClass times = TimeByClassOf(input_.model, plan_, unit);
  double all_s = 0;
  for (const auto& [operator_class, own_s] : times) all_s += own_s;
  if (all_s <= 0) return;
  for (const auto& [operator_class, own_s] : times) {
    const double seen = evidence != nullptr ? SeenShare(*evidence, operator_class) : 0;
    if (own_s / all_s <= seen) continue;
    const std::string what = OperatorClassText(operator_class);
    const auto known =
        std::find_if(plan_.unseen.begin(), plan_.unseen.end(), [&](const UnseenWork& row) { return row.what == what; });
    const double share = (own_s / all_s - seen) * seconds / plan_.latency_s;
    if (known != plan_.unseen.end())
      known->share += share;
    else
      plan_.unseen.push_back({what, share});
  }
  if (evidence != nullptr) unseen_[unit] = UnseenShare(*evidence, times);
}

void Assembler::SetEvidence() {
  unseen_ = IdMap<UnitId, double>(input_.target.units.size(), 0);
  IdMap<UnitId, double> seconds(input_.target.units.size(), 0);
  IdMap<UnitId, const Evidence*> evidence(input_.target.units.size(), nullptr);
  bool any = false;
  for (const Segment& segment : plan_.segments) {
    const UnitId unit = segment.unit;
    seconds[unit] += SecondsOf(segment);
    evidence[unit] = EvidenceAt(input_.target.units[unit], PrecisionName(input_.precisions[unit]->main));
    any = any || evidence[unit] != nullptr;
  }
  if (!any || plan_.latency_s <= 0) return;
  for (size_t u = 0; u < seconds.size(); ++u) {
    if (seconds[UnitId(u)] > 0) AddUnseen(UnitId(u), evidence[UnitId(u)], seconds[UnitId(u)]);
  }
  std::stable_sort(plan_.unseen.begin(), plan_.unseen.end(),
                   [](const UnseenWork& a, const UnseenWork& b) { return a.share > b.share; });
  double unseen = 0;
  for (const UnseenWork& row : plan_.unseen) unseen += row.share;
  plan_.evidence_share = std::max(0.0, 1 - unseen);
}

// Errors of the groups of one model are fully correlated: intervals add up.
void Assembler::SetIntervals() {
  for (PlannedGroup& group : plan_.groups) {
    if (!group.unit.valid() || !group.estimate.has_value() || unseen_[group.unit] <= 0) continue;
    const Unit& unit = input_.target.units[group.unit];
    const double factor = IntervalFactor(unit, input_.precisions[group.unit]->main, unseen_[group.unit]);
    group.estimate->low_s = group.estimate->time_s / factor;
    group.estimate->high_s = group.estimate->time_s * factor;
  }
  std::vector<Segment> fastest, slowest;
  double low_s = 0, high_s = 0;
  for (const Segment& segment : plan_.segments) {
    const Unit& unit = input_.target.units[segment.unit];
    const double factor = IntervalFactor(unit, input_.precisions[segment.unit]->main, unseen_[segment.unit]);
    const double energy_factor = EnergyIntervalFactor(factor);
    fastest.push_back(FastestPacking(segment));
    slowest.push_back(SlowestPacking(segment));
    low_s += SecondsOf(segment) / factor;
    high_s += SecondsOf(segment) * factor;
    plan_.latency_low_s += SecondsOf(fastest.back()) / factor;
    plan_.latency_high_s += SecondsOf(slowest.back()) * factor;
    plan_.energy_low_j += segment.energy_j / energy_factor;
    plan_.energy_high_j += segment.energy_j * energy_factor;
  }
  if (plan_.latency_s <= 0) return;
  // That of a rate has the relative width of the latency's.
  plan_.interval_low_s = IntervalSeconds(fastest, input_.target, plan_.latency_s) * low_s / plan_.latency_s;
  plan_.interval_high_s = IntervalSeconds(slowest, input_.target, plan_.latency_s) * high_s / plan_.latency_s;
}

// A segment's whole time, transfers and invoke too, has the grade of its unit.
void Assembler::SetGrades() {
  std::array<double, kNumGrades> seconds = {};
  double total_s = 0;
  for (const Segment& segment : plan_.segments) {
    seconds[static_cast<size_t>(GradeOf(input_.target.units[segment.unit]))] += SecondsOf(segment);
    total_s += SecondsOf(segment);
  }
  plan_.grade = Grade::kDatasheet;
  if (total_s <= 0) return;
  plan_.grade = Grade::kAssumed;
  const auto share = [&](Grade grade) { return seconds[static_cast<size_t>(grade)] / total_s; };
  plan_.grades =
      GradeShares{share(Grade::kMeasured), share(Grade::kFamily), share(Grade::kDatasheet), share(Grade::kAssumed)};
  for (const Grade better : {Grade::kDatasheet, Grade::kFamily, Grade::kMeasured}) {
    if (share(plan_.grade) == 0) plan_.grade = better;
  }
}

size_t NumCosted(const Draft& draft) {
  return static_cast<size_t>(std::count_if(draft.steps.begin(), draft.steps.end(),
                                           [](const Step& step) { return step.estimate->has_value(); }));
}

// Prices the placement of `best` with data-dependent sizes at their largest value.
void SetLargest(const PlanInput& largest, const IdMap<NodeId, UnitId>& pins, const Candidate& best, Plan& plan) {
  RunGroups groups(largest.model, largest.runs, largest.overlays, largest.precisions);
  const std::vector<UnitChoice>& units = best.problem.usable.units;
  Problem problem = MakeProblem(largest, groups, pins, units, kInSeconds);
  problem.fallback = best.problem.fallback;
  const Draft draft = Evaluate(largest, problem, best.draft.units);
  plan.size_range = SizeRange{.low_s = plan.latency_s, .high_s = std::nullopt};
  // A count that does not fit its integer has no time.
  if (NumCosted(draft) >= NumCosted(best.draft)) plan.size_range->high_s = std::max(plan.latency_s, draft.latency_s);
  std::vector<Lifetime> lifetimes = PlanMemory(largest, problem, draft);
  const int64_t live = PeakOfActivations(lifetimes, draft.steps.size());
  plan.peak_memory_bytes = std::max(plan.peak_memory_bytes, plan.deployed_bytes + live);
  // A time that is known at one size only may leave an atom without a unit.
  if (draft.steps.size() == plan.groups.size()) plan.lifetimes = std::move(lifetimes);
}

}  // namespace

absl::StatusOr<Plan> PlaceAndPlan(const PlanInput& input, const PlanInput* largest) {
  HWEST_ASSIGN_OR_RETURN(const auto pins, ResolvePins(input.model, input.target, input.support, input.request));
  HWEST_ASSIGN_OR_RETURN(const std::vector<UnitChoice> units, ChooseUnits(input));
  RunGroups groups(input.model, input.runs, input.overlays, input.precisions, input.known_groups);
  const std::optional<std::vector<UnitChoice>> turns = TurnsOf(input, units);
  SearchInput search{input, groups, pins, ListChoices(input.target, units)};
  std::vector<std::vector<UnitChoice>> by_cost;
  if (turns.has_value()) by_cost = std::exchange(search.choices, {*turns});
  HWEST_ASSIGN_OR_RETURN(Candidate best,
                         input.request.power_cap_w.has_value() ? SearchUnderCap(search) : Search(search));
  search.choices = std::move(by_cost);
  const std::optional<double> better = input.finds_best ? BestBeside(std::move(search), best) : std::nullopt;
  const bool overlaps = input.request.overlap == Overlap::kYes;
  Plan plan = Assembler(input, best, overlaps ? Assembler::Keep::kProblem : Assembler::Keep::kUnits).Run();
  if (turns.has_value()) plan.compiled_for = FirstInTurn(*turns);
  plan.best_latency_s = better;
  plan.host_competes = std::any_of(units.begin(), units.end(), [&](const UnitChoice& choice) {
    return input.request.host_competes == HostCompetes::kYes && IsDiscreteHost(input.target, choice.unit);
  });
  if (largest != nullptr) SetLargest(*largest, pins, best, plan);
  if (overlaps) {
    plan.overlap_latency_s = std::min(plan.latency_s, OverlappedSeconds(input, best.problem, best.draft));
  }
  KeepModeCap(input.target, &plan);
  return plan;
}

}  // namespace hwest
