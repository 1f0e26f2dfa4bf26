// Trace events of one inference.
#include <map>
#include <set>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "report/document.h"
#include "report/getters.h"
#include "report/trace_events.h"

namespace hwest {
namespace {

Cell ArgsOf(const View& view, const GroupRow& group) {
  const Estimate& estimate = *group.estimate;
  Cell args{{"group", absl::StrCat("g", group.id.index())},
            {"pattern", group.pattern},
            {"precision", group.precision},
            {"bound", std::string(BoundName(estimate.bound))},
            {"compute_us", estimate.compute_s * 1e6},
            {"memory_us", estimate.memory_s * 1e6},
            {"overhead_us", estimate.overhead_s * 1e6},
            {"macs", group.macs},
            {"flops", group.flops},
            {"in_bytes", group.in_bytes},
            {"weight_bytes", group.weight_bytes},
            {"out_bytes", group.out_bytes}};
  if (view.measured != nullptr) {
    args.Set("measured_us", group.measured_s ? Cell(*group.measured_s * 1e6) : Cell());
    args.Set("measured_ratio", group.measured_ratio);
  }
  return args;
}

// Where a segment's inputs come from: for each other segment, its last group that makes one.
std::map<SegmentId, GroupId> SuppliersOf(const View& view, const SegmentRow& segment) {
  std::map<SegmentId, GroupId> suppliers;
  for (const GroupId id : segment.groups) {
    for (const NodeId node : view.groups[id.index()].nodes) {
      for (const ValueId input : view.graph->inputs(node)) {
        const NodeId producer = input.valid() ? view.graph->value(input).producer : NodeId();
        if (!producer.valid()) continue;
        const GroupId maker = view.nodes[producer.index()].group;
        if (!maker.valid()) continue;
        const SegmentId from = view.groups[maker.index()].segment;
        if (!from.valid() || from == segment.id) continue;
        GroupId& last = suppliers.try_emplace(from, maker).first->second;
        if (last < maker) last = maker;
      }
    }
  }
  return suppliers;
}

// A moment inside the slice that runs the group.
double MomentOf(const View& view, const GroupRow& group) {
  const SegmentRow& segment = view.segments[group.segment.index()];
  const bool is_pipeline = segment.IsPipeline();
  return (is_pipeline ? segment.BeginSeconds() : *group.start_s) +
         (is_pipeline ? segment.time_s : group.estimate->time_s) / 2;
}

absl::Status WriteSegment(const View& view, const SegmentRow& segment, TraceEvents* trace) {
  const double moved_s = segment.InvokedSeconds(), begin_s = segment.BeginSeconds();
  const Cell args{{"segment", static_cast<int64_t>(segment.id.index())},
                  {"in_bytes", segment.in_bytes},
                  {"reason", segment.reason}};
  HWEST_RETURN_IF_ERROR(trace->Slice("transfer", "transfer", segment.unit, segment.start_s, moved_s, args));
  HWEST_RETURN_IF_ERROR(trace->Slice("invoke", "invoke", segment.unit, moved_s, begin_s, args));
  if (segment.IsPipeline()) {
    const Cell pipeline{{"segment", static_cast<int64_t>(segment.id.index())},
                        {"groups", segment.groups.size()},
                        {"contexts", segment.contexts},
                        {"interval_us", segment.interval_s ? Cell(*segment.interval_s * 1e6) : Cell()}};
    HWEST_RETURN_IF_ERROR(
        trace->Slice("pipeline", "pipeline", segment.unit, begin_s, begin_s + segment.time_s, pipeline));
  }
  if (!(segment.transfer_s > 0)) return absl::OkStatus();
  for (const auto& [from, maker] : SuppliersOf(view, segment)) {
    const GroupRow group = view.groups[maker.index()];
    if (!group.estimate.has_value() || !group.start_s.has_value() || group.unit == segment.unit) continue;
    HWEST_RETURN_IF_ERROR(trace->Arrow(group.unit, MomentOf(view, group), segment.unit, segment.start_s));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status WritePerfetto(const Document& document, const ReportOptions&, Sink sink) {
  const View& view = *document.view;
  TraceEvents trace(sink);
  HWEST_RETURN_IF_ERROR(trace.Begin());
  const std::string process = absl::StrCat(view.request.model, " on ", view.request.target.value_or(""));
  HWEST_RETURN_IF_ERROR(trace.Name("process_name", 0, Cell{{"name", process}}));
  for (uint32_t u = 0; u < view.units.size(); ++u) {
    if (view.units[u].groups == 0) continue;
    HWEST_RETURN_IF_ERROR(trace.Thread(TraceEvents::ThreadOf(UnitId(u)), view.units[u].name));
  }
  for (const SegmentRow& segment : view.segments) HWEST_RETURN_IF_ERROR(WriteSegment(view, segment, &trace));
  for (const GroupRow& group : view.groups) {
    if (!group.start_s.has_value()) continue;
    if (!group.estimate.has_value() || IsPipelined(view, group)) continue;
    HWEST_RETURN_IF_ERROR(trace.Slice(group.label, "group", group.unit, *group.start_s,
                                      *group.start_s + group.estimate->time_s, ArgsOf(view, group)));
  }
  for (const MemoryStep& step : MemorySteps(view)) HWEST_RETURN_IF_ERROR(trace.Count(step.start_s, step.live_bytes));
  HWEST_RETURN_IF_ERROR(trace.Count(view.summary.latency_s.value_or(0), 0));
  return trace.End();
}

}  // namespace hwest
