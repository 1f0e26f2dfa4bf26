// The tables of a workload as text, for terminals and pages.
#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "base/text.h"
#include "hwest/host.h"
#include "report/text_parts.h"
#include "report/workload_parts.h"

namespace hwest {
namespace {

constexpr size_t kBarWidth = 20;
constexpr double kNotable = 1.005;  // smaller slowdowns are not shown

Column Right(std::string title) { return {.title = std::move(title), .align = Align::kRight}; }
Column Named(std::string title) { return {.title = std::move(title), .style = Style::kAccent}; }

std::string Seconds(const std::optional<double>& seconds) {
  return seconds.has_value() ? FormatSeconds(*seconds) : "-";
}
std::string Signed(const std::optional<double>& seconds) {
  if (!seconds.has_value()) return "-";
  return *seconds < 0 ? absl::StrCat("-", FormatSeconds(-*seconds)) : FormatSeconds(*seconds);
}
std::string Rate(const std::optional<double>& per_s) { return per_s.has_value() ? RateText(*per_s) : "-"; }
std::string TimeOf(const std::optional<double>& seconds, bool at_least) {
  if (at_least && seconds.value_or(0) <= 0) return "unknown";
  return absl::StrCat(at_least ? ">= " : "", Seconds(seconds));
}

std::string UnitsOf(const TaskRow& task) {
  std::vector<std::string> parts;
  for (const UnitTimeShare& share : task.units) {
    parts.push_back(share.share > 0.9995 ? share.unit : absl::StrCat(share.unit, " ", Percent(share.share)));
  }
  return absl::StrJoin(parts, ", ");
}

WorkloadTable TasksTable(const WorkloadReport& report) {
  WorkloadTable table{.heading = "Tasks (rates in inputs per second)", .holds_tasks = true};
  table.columns = {{.title = "task", .squeeze = Squeeze::kShorten, .style = Style::kAccent},
                   {.title = "verdict"},
                   Right("rate"),
                   Right("reached"),
                   Right("alone"),
                   Right("mean"),
                   Right("worst"),
                   Right("bound"),
                   Right("deadline"),
                   Right("margin"),
                   Right("missed/s"),
                   Right("at most"),
                   {.title = "precision"},
                   {.title = "runs on"}};
  for (const TaskRow& task : report.tasks) {
    table.rows.push_back(
        {EscapeControl(task.name), std::string(TaskVerdictName(task.verdict)), Rate(task.rate_per_s),
         absl::StrCat(task.incomplete ? "<= " : "", Rate(task.reached_per_s)),
         TimeOf(task.alone_s, task.unknown_groups > 0), TimeOf(task.mean_s, task.incomplete),
         TimeOf(task.worst_s, task.incomplete), Seconds(task.bound_s), Seconds(task.deadline_s), Signed(task.margin_s),
         absl::StrCat(task.incomplete ? ">= " : "", task.missed_per_s > 0 ? RateText(task.missed_per_s) : "0"),
         Rate(task.max_rate_per_s), task.precision.empty() ? "-" : task.precision, UnitsOf(task)});
  }
  return table;
}

WorkloadTable AgesTable(const WorkloadReport& report) {
  WorkloadTable table{.heading = "Chains (oldest data, since the release of the first task)"};
  table.columns = {Named("task"), {.title = "after"}, Right("age of its result")};
  for (size_t t = 0; t < report.tasks.size(); ++t) {
    const TaskRow& task = report.tasks[t];
    const std::string& after = report.workload.tasks[t].after;
    if (!after.empty())
      table.rows.push_back({EscapeControl(task.name), EscapeControl(after), TimeOf(task.age_s, task.incomplete)});
  }
  return table;
}

std::string NameOf(const WorkloadReport& report, const std::string& unit) {
  const UnitId id = UnitIdOf(*report.target, unit);
  return id.valid() && IsDiscreteHost(*report.target, id) ? absl::StrCat(unit, " (host ", report.target->host, ")")
                                                          : unit;
}

WorkloadTable UnitsTable(const WorkloadReport& report, Glyphs glyphs) {
  WorkloadTable table{.heading = IsIncomplete(report) ? "Units (at least; asked = by the rates, if each task ran alone)"
                                                      : "Units (asked = by the rates, if each task ran alone)"};
  table.columns = {Named("unit"),       Right("asked"),
                   Right("busy"),       {},
                   {.title = "policy"}, {.title = "by task", .squeeze = Squeeze::kWrap}};
  const bool has_rates = std::any_of(report.tasks.begin(), report.tasks.end(),
                                     [](const TaskRow& task) { return task.rate_per_s.has_value(); });
  for (const WorkloadUnitRow& unit : report.units) {
    std::vector<std::string> parts;
    for (const ByTask& row : unit.by_task)
      parts.push_back(absl::StrCat(EscapeControl(row.task), " ", Percent(row.value)));
    const std::string cores = unit.servers > 1 ? absl::StrCat(", ", unit.servers, " cores") : "";
    table.rows.push_back({NameOf(report, unit.name), has_rates ? Percent(unit.asked_share) : "-",
                          Percent(unit.busy_share), Bar(unit.busy_share, kBarWidth, glyphs),
                          absl::StrCat(PolicyKindName(unit.policy), ", ", unit.runs, cores),
                          absl::StrJoin(parts, ", ")});
  }
  return table;
}

WorkloadTable TrafficTable(const WorkloadReport& report) {
  WorkloadTable table{.heading = IsIncomplete(report) ? "Memory traffic (at least)" : "Memory traffic"};
  table.columns = {Named("task"), Right("bytes/s"), Right("over 1 ms"), Right("share"), Right("memory")};
  const WorkloadMemory& memory = report.memory;
  for (const WorkloadTraffic& row : memory.tasks) {
    const double share = memory.mean_bytes_per_s > 0 ? row.mean_bytes_per_s / memory.mean_bytes_per_s : 0;
    table.rows.push_back({EscapeControl(row.task), absl::StrCat(FormatBytes(row.mean_bytes_per_s), "/s"),
                          absl::StrCat(FormatBytes(row.peak_bytes_per_s), "/s"), Percent(share),
                          FormatBytes(static_cast<double>(row.bytes))});
  }
  return table;
}

std::string FactorOf(const WorkloadReport& report, const std::string& task, const std::string& by) {
  for (const SlowdownRow& row : report.slowdown) {
    if (row.task != task || row.by != by) continue;
    if (!row.factor.has_value()) return "-";
    return *row.factor < kNotable && *row.factor > 2 - kNotable ? "." : absl::StrFormat("%.2f", *row.factor);
  }
  return "";
}

WorkloadTable SlowdownTable(const WorkloadReport& report) {
  WorkloadTable table{.heading = "Who slows whom (mean response over that without the other)"};
  if (report.slowdown.empty()) return table;
  table.columns = {Named("")};
  for (const TaskRow& by : report.tasks) table.columns.push_back(Right(absl::StrCat("by ", EscapeControl(by.name))));
  for (const TaskRow& task : report.tasks) {
    std::vector<std::string> cells = {EscapeControl(task.name)};
    for (const TaskRow& by : report.tasks) cells.push_back(FactorOf(report, task.name, by.name));
    table.rows.push_back(std::move(cells));
  }
  return table;
}

WorkloadTable FixesTable(const WorkloadReport& report) {
  WorkloadTable table{.heading = "What would make it hold, each alone"};
  table.columns = {Named("task"), {.title = "change"}, {.title = "then"}, Right("worst"), Right("bound")};
  for (const FixRow& row : report.fixes) {
    table.rows.push_back({EscapeControl(row.task), row.change,
                          row.verdict == TaskVerdict::kHolds ? "holds" : "holds in simulation", Seconds(row.worst_s),
                          Seconds(row.bound_s)});
  }
  return table;
}

}  // namespace

bool IsIncomplete(const WorkloadReport& report) {
  return std::any_of(report.tasks.begin(), report.tasks.end(), [](const TaskRow& task) { return task.incomplete; });
}

std::vector<WorkloadTable> WorkloadTables(const WorkloadReport& report, Glyphs glyphs) {
  return {TasksTable(report),   AgesTable(report),     UnitsTable(report, glyphs),
          TrafficTable(report), SlowdownTable(report), FixesTable(report)};
}

}  // namespace hwest
