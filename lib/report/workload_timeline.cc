// The timeline of a workload: a Gantt chart, and a trace for viewers of traces.
#include <algorithm>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/status_macros.h"
#include "base/text.h"
#include "report/chart_time.h"
#include "report/palette.h"
#include "report/text_table.h"
#include "report/trace_events.h"
#include "report/workload_parts.h"

namespace hwest {
namespace {

constexpr size_t kMostBoxes = 20'000;

Tint TintOfTask(uint32_t task) { return TintOfUnit(UnitId(task)); }

void DrawSpan(const WorkloadReport& report, const WorkloadSpan& span, const TimeAxis& axis, double y, double height,
              Drawing* drawing) {
  const std::string& name = report.names[span.task];
  const Tint tint = TintOfTask(span.task);
  const double x = axis.X(span.start_s), width = std::max(0.5, axis.X(span.end_s) - x);
  drawing->Box(x, y, width, height, tint.fill, width > 2 ? tint.line : "",
               EscapeControl(absl::StrFormat("%s, job %d on %s: %s to %s, %s", name, span.job, span.unit,
                                             FormatSeconds(span.start_s), FormatSeconds(span.end_s),
                                             FormatSeconds(span.end_s - span.start_s))));
  DrawLabel(x, y + height / 2 + 3, width, name, drawing);
}

// A row of names by their colours; returns the height below it.
double DrawNames(const WorkloadReport& report, double y, Drawing* drawing) {
  constexpr double kColumn = 180, kRow = 18, kSquare = 10;
  constexpr uint32_t kColumns = 6;
  for (uint32_t t = 0; t < report.names.size(); ++t) {
    const double x = TimeAxis::kLeft + kColumn * (t % kColumns), top = y + kRow * (t / kColumns);
    const bool is_missed = t < report.tasks.size() && report.tasks[t].verdict == TaskVerdict::kMissed;
    const Tint tint = TintOfTask(t);
    drawing->Box(x, top, kSquare, kSquare, tint.fill, tint.line, "");
    drawing->Text(x + kSquare + 6, top + kSquare,
                  absl::StrCat(Shorten(EscapeControl(report.names[t]), 20), is_missed ? " (missed)" : ""));
  }
  return y + kRow * ((report.names.size() + kColumns - 1) / kColumns);
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
  constexpr double kTop = 40, kRow = 26, kBar = 20;
  const std::vector<TimelineLane> lanes = TimelineLanes(report);
  TimeAxis axis{report.hyperperiod_s.value_or(0)};
  size_t spans = 0;
  for (const WorkloadSpan& span : report.segments) axis.end_s = std::max(axis.end_s, span.end_s);
  for (const TimelineLane& lane : lanes) spans += lane.spans.size();
  Drawing drawing{.width = TimeAxis::kWidth,
                  .title = EscapeControl(absl::StrCat("Timeline of ", report.workload.origin, " on ",
                                                      report.target->name))};
  drawing.Text(16, 24, drawing.title, Anchor::kStart, 14, true);
  const double bottom = kTop + kRow * static_cast<double>(lanes.size());
  DrawTimeAxis(axis, kTop, bottom, &drawing);
  size_t boxes = 0;
  for (size_t i = 0; i < lanes.size(); ++i) {
    const double y = kTop + kRow * static_cast<double>(i) + (kRow - kBar) / 2;
    drawing.Text(TimeAxis::kLeft - 8, y + 14, EscapeControl(lanes[i].name), Anchor::kEnd);
    for (const WorkloadSpan* span : lanes[i].spans) {
      if (++boxes <= kMostBoxes) DrawSpan(report, *span, axis, y, kBar, &drawing);
    }
  }
  double y = DrawNames(report, bottom + 30, &drawing);
  if (spans > kMostBoxes) {
    drawing.Text(TimeAxis::kLeft, y + 12, absl::StrCat(kMostBoxes, " of ", spans, " boxes are drawn"));
    y += 18;
  }
  drawing.height = y + 10;
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
