// The formats of a workload.
#pragma once

#include <string>
#include <vector>

#include "chart/drawing.h"
#include "hwest/workload.h"
#include "report/report.h"
#include "report/text_table.h"

namespace hwest {

// A table in words. Cells are escaped for a terminal.
struct WorkloadTable {
  std::string heading;
  std::vector<Column> columns;
  std::vector<std::vector<std::string>> rows;
  bool holds_tasks = false;  // the first one; the reasons of missed tasks follow it
};
// In report order; tables without rows have nothing to show.
std::vector<WorkloadTable> WorkloadTables(const WorkloadReport& report, Glyphs glyphs);
// Whether the times are lower bounds.
bool IsIncomplete(const WorkloadReport& report);

std::string WorkloadText(const WorkloadReport& report, const ReportOptions& options);
Drawing WorkloadTimeline(const WorkloadReport& report);
// The same timeline as a JSON trace that Perfetto and chrome://tracing open.
absl::Status WriteWorkloadTrace(const WorkloadReport& report, Sink sink);

// A line of the timeline: stretches on one core of one unit, without overlap.
struct TimelineLane {
  std::string name;  // "npu", or "npu #2" of the second core that is busy at a time
  std::vector<const WorkloadSpan*> spans;
};
// In the order of the units, then transfers; idle units have none.
std::vector<TimelineLane> TimelineLanes(const WorkloadReport& report);

}  // namespace hwest
