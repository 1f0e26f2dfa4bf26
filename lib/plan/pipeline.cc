#include "plan/pipeline.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "base/text.h"
#include "cost/cost.h"
#include "cost/dataflow.h"
#include "pass/work.h"
#include "plan/moves.h"
#include "target/kinds.h"

namespace hwest {
namespace {

// `seconds` of all executions of a group that is a RunGroup or a row of a plan.
template <class AnyGroup>
PipelineStage StageOf(const ModelView& model, const AnyGroup& group, double seconds) {
  PipelineStage stage{.work = &group.work,
                      .seconds = seconds,
                      .needs_whole_input = NeedsWholeInput(model, group.group, group.work),
                      .takes_statistics = TakesStatistics(model, group.group, group.work)};
  for (const Access& read : group.reads) stage.reads.push_back({read.value, read.bytes.value_or(0)});
  for (const Access& write : group.writes) stage.writes.push_back(write.value);
  return stage;
}

PipelineStage StageOf(const ModelView& model, const Step& step) {
  const std::optional<Estimate>& estimate = *step.estimate;
  const auto runs = static_cast<double>(step.group->runs);
  return StageOf(model, *step.group, estimate.has_value() ? estimate->time_s * runs : 0);
}

PipelineStage StageOf(const ModelView& model, const PlannedGroup& group) {
  return StageOf(model, group, group.estimate.has_value() ? group.estimate->time_s : 0);
}

std::string CountOfContexts(int contexts) { return absl::StrCat(contexts, contexts == 1 ? " context" : " contexts"); }

void PriceSegment(const Target& target, const PipelineEstimate& pipeline, Segment& segment) {
  const Unit& unit = target.units[segment.unit];
  const Memory& shared = *SharedMemoryOf(target, unit);
  // What the groups' static energy leaves out, or has too much of where they take less time than on a full chip.
  const double rest_s = pipeline.interval_s - segment.time_s;
  segment.contexts = static_cast<int>(pipeline.contexts.size());
  segment.time_s = pipeline.latency_s;
  segment.interval_s = pipeline.interval_s;
  segment.reloaded_bytes = pipeline.reloaded_bytes;
  segment.looser = pipeline.looser;
  segment.tighter = pipeline.tighter;
  segment.energy_j += static_cast<double>(pipeline.reloaded_bytes) * shared.energy_j_per_byte.value_or(0) +
                      rest_s * StaticWatts(target, unit);
}

}  // namespace

bool IsPipelined(const Target& target, UnitId unit) { return IsStreaming(target.units[unit]); }

Estimate InContext(Estimate estimate, double time_share) {
  for (double* figure : {&estimate.compute_s, &estimate.memory_s, &estimate.overhead_s, &estimate.conversion_s,
                         &estimate.time_s, &estimate.low_s, &estimate.high_s, &estimate.energy.static_j}) {
    *figure *= time_share;
  }
  estimate.utilisation /= time_share;
  return estimate;
}

std::vector<PipelineStage> PipelineOf(const ModelView& model, const Plan& plan, SegmentId segment) {
  std::vector<PipelineStage> stages;
  for (const GroupId group : plan.segments[segment.index()].groups) {
    stages.push_back(StageOf(model, plan.groups[group.index()]));
  }
  return stages;
}

void PricePipelines(const PlanInput& input, Draft* draft) {
  std::vector<std::vector<PipelineStage>> stages(draft->segments.size());
  std::vector<std::vector<Step*>> steps(draft->segments.size());
  for (Step& step : draft->steps) {
    if (!step.segment.valid() || !IsPipelined(input.target, step.unit)) continue;
    stages[step.segment.index()].push_back(StageOf(input.model, step));
    steps[step.segment.index()].push_back(&step);
  }
  for (size_t s = 0; s < stages.size(); ++s) {
    Segment& segment = draft->segments[s];
    if (stages[s].empty()) continue;
    const auto others = std::count_if(draft->segments.begin(), draft->segments.end(),
                                      [&](const Segment& other) { return other.unit == segment.unit; });
    const Tenancy tenancy = others > 1 ? Tenancy::kShared : Tenancy::kAlone;
    const absl::StatusOr<PipelineEstimate> pipeline =
        EstimatePipeline(input.target, input.target.units[segment.unit], stages[s], input.batch, tenancy);
    if (!pipeline.ok()) continue;
    PriceSegment(input.target, *pipeline, segment);
    for (const Context& context : pipeline->contexts) {
      for (size_t i = context.first; i < context.last; ++i) steps[s][i]->time_share = context.time_share;
    }
  }
}

std::string ContextsText(const Segment& segment) {
  std::string text;
  if (segment.reloaded_bytes > 0) {
    absl::StrAppend(&text, "; ", CountOfContexts(segment.contexts), ", ",
                    FormatBytes(static_cast<double>(segment.reloaded_bytes)), " reloaded for each inference");
  }
  for (const Packing* other : {&segment.tighter, &segment.looser}) {
    if (other->contexts == 0) continue;
    absl::StrAppend(&text, "; near the edge of what fits: ", FormatSeconds(other->time_s), " if it takes ",
                    CountOfContexts(other->contexts));
  }
  return text;
}

Segment FastestPacking(Segment segment) {
  for (const Packing& other : {segment.tighter, segment.looser}) {
    if (other.contexts == 0) continue;
    segment.time_s = std::min(segment.time_s, other.time_s);
    segment.interval_s = std::min(segment.interval_s, other.interval_s);
  }
  return segment;
}

Segment SlowestPacking(Segment segment) {
  for (const Packing& other : {segment.tighter, segment.looser}) {
    segment.time_s = std::max(segment.time_s, other.time_s);
    segment.interval_s = std::max(segment.interval_s, other.interval_s);
  }
  return segment;
}

double CopiedAheadSeconds(const std::vector<Segment>& segments, const Target& target) {
  if (segments.empty() || !segments[0].unit.valid()) return 0;
  const bool ahead =
      KindTraitsOf(target.units[segments[0].unit]).copies_ahead && HasOwnMemory(target, segments[0].unit);
  return ahead ? segments[0].transfer_s : 0;
}

double IntervalSeconds(const std::vector<Segment>& segments, const Target& target, double latency_s) {
  double pipelined = 0, moves = 0, others = 0;
  bool has_pipeline = false;
  for (const Segment& segment : segments) {
    if (segment.contexts > 0) {
      has_pipeline = true;
      pipelined += segment.interval_s;
      moves += segment.transfer_s;
    } else {
      others += segment.transfer_s + segment.invoke_s + segment.time_s;
    }
  }
  if (has_pipeline) return std::max({pipelined, moves, others});
  const double copied_s = CopiedAheadSeconds(segments, target);
  return std::max(latency_s - copied_s, copied_s);
}

}  // namespace hwest
