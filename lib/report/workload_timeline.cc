// The timeline of a workload: a Gantt chart, and a trace for trace viewers.
#include <algorithm>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/status_macros.h"
#include "base/text.h"
#include "report/chart.h"
#include "report/trace_events.h"
#include "report/workload_parts.h"

namespace hwest {
namespace {

constexpr size_t kMostSpans = 20'000;

void DrawSpan(const WorkloadReport& report, const WorkloadSpan& span, const Axis& axis, double y, double height,
              Drawing* drawing) {
  const std::string& name = report.names[span.task];
  const Tint tint = TintAt(span.task);
  const double x = axis.At(span.start_s), width = std::max(0.5, axis.At(span.end_s) - x);
  drawing->Box(x, y, width, height, tint.fill, width > 2 ? tint.line : "",
               absl::StrFormat("%s, job %d on %s: %s to %s, %s", name, span.job, span.unit, FormatSeconds(span.start_s),
                               FormatSeconds(span.end_s), FormatSeconds(span.end_s - span.start_s)));
  drawing->Label(x, y + height / 2 + 3, width, name);
}

std::vector<LegendEntry> TaskLegend(const WorkloadReport& report) {
  std::vector<LegendEntry> entries;
  for (size_t t = 0; t < report.names.size(); ++t) {
    const bool is_missed = t < report.tasks.size() && report.tasks[t].verdict == TaskVerdict::kMissed;
    entries.push_back({absl::StrCat(report.names[t], is_missed ? " (missed)" : ""), TintAt(t)});
  }
  return entries;
}

}  // namespace

std::vector<TimelineLane> TimelineLanes(const WorkloadReport& report) {
  std::vector<std::string> units;
  for (const WorkloadUnitRow& unit : report.units) units.push_back(unit.name);
  for (const WorkloadUnitRow& unit : report.units) units.push_back(absl::StrCat("to ", unit.name));
  std::vector<TimelineLane> lanes;
  for (const std::string& unit : units) {
    const size_t first = lanes.size();
    for (const WorkloadSpan& span : report.segments) {
      if (span.unit != unit) continue;
      size_t lane = first;
      while (lane < lanes.size() && lanes[lane].spans.back()->end_s > span.start_s * (1 + 1e-12)) ++lane;
      if (lane == lanes.size())
        lanes.push_back({lane == first ? unit : absl::StrCat(unit, " #", lane - first + 1), {}});
      lanes[lane].spans.push_back(&span);
    }
  }
  return lanes;
}

Drawing WorkloadTimeline(const WorkloadReport& report) {
  constexpr double kRow = 26, kBar = 20;
  Drawing drawing(kTimeWidth, absl::StrCat("Timeline of ", report.workload.origin, " on ", report.target->name), {});
  const std::vector<TimelineLane> lanes = TimelineLanes(report);
  double end_s = report.hyperperiod_s.value_or(0);
  for (const WorkloadSpan& span : report.segments) end_s = std::max(end_s, span.end_s);
  const Plot plot = TimePlot(drawing.y, kRow * static_cast<double>(lanes.size()));
  const Axis axis = DrawTimeAxis(plot, end_s, &drawing);
  size_t spans = 0;
  for (const TimelineLane& lane : lanes) {
    const double right = plot.left - 8;
    drawing.Text(right, drawing.y + 17, lane.name, {.anchor = Anchor::kEnd});
    for (const WorkloadSpan* span : lane.spans) {
      if (++spans <= kMostSpans) DrawSpan(report, *span, axis, drawing.y + (kRow - kBar) / 2, kBar, &drawing);
    }
    drawing.y += kRow;
  }
  drawing.y += 30;
  drawing.Legend(TaskLegend(report), plot.left, plot.right());
  if (spans > kMostSpans) {
    drawing.Text(plot.left, drawing.y + 12, absl::StrCat(kMostSpans, " of ", spans, " boxes are drawn"));
    drawing.y += 18;
  }
  drawing.y += 10;
  return drawing;
}

absl::Status WriteWorkloadTrace(const WorkloadReport& report, Sink sink) {
  const std::vector<TimelineLane> lanes = TimelineLanes(report);
  TraceEvents trace(sink);
  HWEST_RETURN_IF_ERROR(trace.Begin());
  const std::string process = absl::StrCat(report.workload.origin, " on ", report.target->name);
  HWEST_RETURN_IF_ERROR(trace.Name("process_name", 0, Cell{{"name", process}}));
  for (size_t i = 0; i < lanes.size(); ++i) {
    const int thread = static_cast<int>(i) + 1;
    HWEST_RETURN_IF_ERROR(trace.Thread(thread, lanes[i].name));
    for (const WorkloadSpan* span : lanes[i].spans) {
      HWEST_RETURN_IF_ERROR(trace.Slice(report.names[span->task],
                                        absl::StartsWith(span->unit, "to ") ? "transfer" : "segment", thread,
                                        span->start_s, span->end_s, Cell{{"job", span->job}}));
    }
  }
  return trace.End();
}

}  // namespace hwest
