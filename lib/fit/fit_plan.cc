#include "fit/fit_plan.h"

#include <algorithm>
#include <cmath>

#include "absl/container/flat_hash_map.h"
#include "cost/cost.h"
#include "cost/model_view.h"
#include "fit/machines.h"
#include "hwest/reading.h"
#include "plan/levels.h"
#include "plan/pipeline.h"

namespace hwest {
namespace {

constexpr double kTolerance = 1e-6;  // relative, of sums in another order

struct Alike {
  UnitId unit;
  const GroupWork* work;
  Residency residency;
  int beside = 1;

  bool operator==(const Alike& other) const {
    return unit == other.unit && *work == *other.work && residency == other.residency && beside == other.beside;
  }
  template <class H>
  friend H AbslHashValue(H state, const Alike& a) {
    return H::combine(std::move(state), a.unit, *a.work, a.residency, a.beside);
  }
};

ModelView ViewOf(const Analysis& analysis) {
  return {GraphAsRead(analysis), analysis.facts, analysis.classes, analysis.work, *analysis.dims};
}

std::vector<TimeByClass> TimesOf(const Analysis& analysis) {
  const ModelView model = ViewOf(analysis);
  std::vector<TimeByClass> times;
  for (size_t unit = 0; unit < analysis.target->units.size(); ++unit) {
    times.push_back(TimeByClassOf(model, *analysis.plan, UnitId(unit)));
  }
  return times;
}

// How many kernels stand beside the groups of a plan, as its units fuse them.
class Levels {
 public:
  explicit Levels(const Analysis& analysis) : analysis_(analysis), beside_(analysis.overlays.size()) {}

  // 1 for a part of a group of the overlay, whose launches the plan counts each.
  int BesideOf(const PlannedGroup& planned) {
    const Overlay& overlay = *analysis_.overlays[planned.unit];
    const GroupId group = overlay.group_of[planned.group.root];
    if (!group.valid() || overlay.groups[group].nodes != planned.group.nodes) return 1;
    IdMap<GroupId, int>& beside = beside_[planned.unit];
    if (beside.empty()) beside = KernelsBeside(ViewOf(analysis_), overlay);
    return beside[group];
  }

 private:
  const Analysis& analysis_;
  IdMap<UnitId, IdMap<GroupId, int>> beside_;
};

FitPlan::Pipeline MakePipeline(const Analysis& analysis, SegmentId id) {
  const ModelView model = ViewOf(analysis);
  const Segment& segment = analysis.plan->segments[id.index()];
  FitPlan::Pipeline pipeline{.unit = segment.unit,
                             .works = {},
                             .members = PipelineOf(model, *analysis.plan, id),
                             .tenancy = Tenancy::kAlone,
                             .transfer_s = segment.transfer_s};
  for (PipelineStage& stage : pipeline.members) {
    pipeline.works.push_back(*stage.work);
    stage.work = nullptr;
  }
  for (const Segment& other : analysis.plan->segments) {
    if (&other != &segment && other.unit == segment.unit) pipeline.tenancy = Tenancy::kShared;
  }
  return pipeline;
}

std::optional<PipelineEstimate> Price(const FitPlan::Pipeline& pipeline, Machines& machines, double batch) {
  const Target& target = machines.target();
  const Unit& unit = target.units[pipeline.unit];
  std::vector<PipelineStage> stages = pipeline.members;
  for (size_t i = 0; i < stages.size(); ++i) {
    const absl::StatusOr<Machine>& machine = machines.At(pipeline.unit, pipeline.works[i].precision);
    if (!machine.ok()) return std::nullopt;
    const absl::StatusOr<Estimate> estimate = EstimateOn(*machine, pipeline.works[i], {});
    if (!estimate.ok()) return std::nullopt;
    stages[i].work = &pipeline.works[i];
    stages[i].seconds = estimate->time_s;
  }
  const auto priced = EstimatePipeline(target, unit, stages, static_cast<int64_t>(batch), pipeline.tenancy);
  return priced.ok() ? std::optional(*priced) : std::nullopt;
}

}  // namespace

absl::StatusOr<FitPlan> MakeFitPlan(const Analysis& analysis) {
  const auto refuse = [](absl::string_view why) { return absl::NotFoundError(why); };
  if (!analysis.plan.has_value() || analysis.target == nullptr) return refuse("analysis incomplete");
  const Plan& plan = *analysis.plan;
  FitPlan fit{.steps = {},
              .invokes = std::vector<double>(analysis.target->units.size(), 0),
              .transfer_s = plan.transfer_s,
              .copied_ahead_s = CopiedAheadSeconds(plan.segments, *analysis.target),
              .batch = static_cast<double>(analysis.batch),
              .times = TimesOf(analysis)};
  Levels levels(analysis);
  absl::flat_hash_map<Alike, size_t> known;
  for (const PlannedGroup& group : plan.groups) {
    if (!group.unit.valid() || !group.estimate.has_value()) return refuse("a part of the model has no unit or no time");
    if (plan.segments[group.segment.index()].contexts > 0) continue;
    const int beside = levels.BesideOf(group);
    const auto [at, fresh] =
        known.try_emplace(Alike{group.unit, &group.work, group.residency, beside}, fit.steps.size());
    if (fresh) {
      fit.steps.push_back({group.unit, group.work, group.residency, beside, 1});
    } else {
      fit.steps[at->second].runs += 1;
    }
  }
  for (size_t s = 0; s < plan.segments.size(); ++s) {
    const Segment& segment = plan.segments[s];
    if (segment.contexts == 0) fit.invokes[segment.unit.index()] += 1;
    if (segment.contexts == 0) continue;
    fit.pipelines.push_back(MakePipeline(analysis, SegmentId(s)));
    fit.transfer_s -= segment.transfer_s;
  }
  const std::optional<double> again = SecondsOf(fit, *analysis.target);
  // Bodies of loops add up differently.
  const double figure = fit.pipelines.empty() ? plan.latency_s : plan.interval_s;
  const bool is_sum = again.has_value() && std::fabs(*again - figure) <= kTolerance * figure;
  if (!is_sum) return refuse("its time is not the sum of its groups");
  return fit;
}

const absl::StatusOr<Machine>& Machines::At(UnitId unit, Precision precision) {
  for (const Row& row : rows_) {
    if (row.unit == unit && row.precision == precision) return row.machine;
  }
  rows_.push_back({unit, precision, MakeMachine(target_, target_.units[unit], precision)});
  return rows_.back().machine;
}

std::optional<double> SecondsOf(const FitPlan& plan, const Target& target) {
  Machines machines(target);
  return SecondsOf(plan, machines);
}

std::optional<double> SecondsOf(const FitPlan& plan, Machines& machines) {
  const Target& target = machines.target();
  double seconds = plan.transfer_s;
  for (size_t unit = 0; unit < plan.invokes.size(); ++unit) {
    seconds += plan.invokes[unit] * target.units[UnitId(static_cast<uint32_t>(unit))].invoke_s.value_or(0);
  }
  for (const FitPlan::Step& step : plan.steps) {
    const absl::StatusOr<Machine>& machine = machines.At(step.unit, step.work.precision);
    if (!machine.ok()) return std::nullopt;
    const absl::StatusOr<Estimate> estimate = EstimateOn(*machine, step.work, step.residency, step.beside);
    if (!estimate.ok()) return std::nullopt;
    seconds += step.runs * estimate->time_s;
  }
  double pipelined = 0, moves = 0;
  for (const FitPlan::Pipeline& pipeline : plan.pipelines) {
    const std::optional<PipelineEstimate> priced = Price(pipeline, machines, plan.batch);
    if (!priced.has_value()) return std::nullopt;
    pipelined += priced->interval_s;
    moves += pipeline.transfer_s;
  }
  return std::max({seconds, pipelined, moves});
}

}  // namespace hwest
