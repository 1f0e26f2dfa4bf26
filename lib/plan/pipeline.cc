#include "plan/pipeline.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "base/text.h"
#include "cost/cost.h"
#include "cost/dataflow.h"
#include "pass/work.h"

namespace hwest {
namespace {

PipelineStage StageOf(const ModelView& model, const Step& step) {
  const RunGroup& run = *step.group;
  PipelineStage stage{.work = &run.work, .needs_whole_input = NeedsWholeInput(model, run.group, run.work)};
  if (step.estimate->has_value()) stage.seconds = (*step.estimate)->time_s * static_cast<double>(run.runs);
  for (size_t r = 0; r < run.reads.size(); ++r) stage.reads.push_back({run.reads[r], run.read_bytes[r]});
  stage.writes.assign(run.writes.begin(), run.writes.end());
  return stage;
}

PipelineStage StageOf(const ModelView& model, const PlannedGroup& planned) {
  const Group& group = planned.group;
  PipelineStage stage{.work = &planned.work, .needs_whole_input = NeedsWholeInput(model, group, planned.work)};
  if (planned.estimate.has_value()) stage.seconds = planned.estimate->time_s;
  const auto is_member = [&](NodeId node) {
    return node.valid() && std::binary_search(group.nodes.begin(), group.nodes.end(), node);
  };
  const auto is_read = [&](ValueId value) {
    return std::any_of(stage.reads.begin(), stage.reads.end(),
                       [&](const PipelineStage::Read& read) { return read.value == value; });
  };
  for (const NodeId node : group.nodes) {
    if (model.classes[node] == NodeClass::kConstant || model.classes[node] == NodeClass::kShape) continue;
    for (const ValueId root : DataReads(model, node)) {
      if (is_member(model.graph.value(root).producer) || is_read(root)) continue;
      stage.reads.push_back({root, DeployedBytes(model, root, planned.work.precision).value_or(0)});
    }
  }
  for (const ValueId output : group.outputs) stage.writes.push_back(RootOf(model, output));
  return stage;
}

void PriceSegment(const Target& target, const PipelineEstimate& pipeline, Segment& segment) {
  const Unit& unit = target.units[segment.unit];
  const Memory& shared = *SharedMemoryOf(target, unit);
  const double idle_s = pipeline.interval_s - segment.time_s;
  segment.contexts = static_cast<int>(pipeline.contexts.size());
  segment.time_s = pipeline.latency_s;
  segment.interval_s = pipeline.interval_s;
  segment.reloaded_bytes = pipeline.reloaded_bytes;
  segment.energy_j += static_cast<double>(pipeline.reloaded_bytes) * shared.energy_j_per_byte.value_or(0) +
                      std::max(0.0, idle_s) * StaticWatts(target, unit);
}

}  // namespace

bool IsPipelined(const Target& target, UnitId unit) { return target.units[unit].kind == UnitKind::kDataflow; }

std::vector<PipelineStage> PipelineOf(const ModelView& model, const Plan& plan, SegmentId segment) {
  std::vector<PipelineStage> stages;
  for (const GroupId group : plan.segments[segment.index()].groups) {
    stages.push_back(StageOf(model, plan.groups[group.index()]));
  }
  return stages;
}

void PricePipelines(const PlanInput& input, Draft* draft) {
  std::vector<std::vector<PipelineStage>> stages(draft->segments.size());
  for (const Step& step : draft->steps) {
    if (!step.segment.valid() || !IsPipelined(input.target, step.unit)) continue;
    stages[step.segment.index()].push_back(StageOf(input.model, step));
  }
  for (size_t s = 0; s < stages.size(); ++s) {
    Segment& segment = draft->segments[s];
    if (stages[s].empty()) continue;
    const auto others = std::count_if(draft->segments.begin(), draft->segments.end(),
                                      [&](const Segment& other) { return other.unit == segment.unit; });
    const Tenancy tenancy = others > 1 ? Tenancy::kShared : Tenancy::kAlone;
    const absl::StatusOr<PipelineEstimate> pipeline =
        EstimatePipeline(input.target, input.target.units[segment.unit], stages[s], input.batch, tenancy);
    if (pipeline.ok()) PriceSegment(input.target, *pipeline, segment);
  }
}

std::string ContextsText(const Segment& segment) {
  if (segment.reloaded_bytes == 0) return "";
  return absl::StrCat("; ", segment.contexts, segment.contexts == 1 ? " context, " : " contexts, ",
                      FormatBytes(static_cast<double>(segment.reloaded_bytes)), " reloaded for each inference");
}

double IntervalSeconds(const std::vector<Segment>& segments, double latency_s) {
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
  return has_pipeline ? std::max({pipelined, moves, others}) : latency_s;
}

}  // namespace hwest
