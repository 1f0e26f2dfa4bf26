// A workload as a page of text.
#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "base/text.h"
#include "report/text_parts.h"
#include "report/text_table.h"
#include "report/workload_parts.h"

namespace hwest {
namespace {

constexpr size_t kBarWidth = 20;
constexpr double kNotable = 1.005;  // slowdowns below it are shown as none

std::string Seconds(const std::optional<double>& seconds) {
  return seconds.has_value() ? FormatSeconds(*seconds) : "-";
}
std::string Signed(const std::optional<double>& seconds) {
  if (!seconds.has_value()) return "-";
  return *seconds < 0 ? absl::StrCat("-", FormatSeconds(-*seconds)) : FormatSeconds(*seconds);
}
std::string Rate(const std::optional<double>& per_s) { return per_s.has_value() ? RateText(*per_s) : "-"; }

bool IsIncomplete(const WorkloadReport& report) {
  return std::any_of(report.tasks.begin(), report.tasks.end(), [](const TaskRow& task) { return task.incomplete; });
}
std::string TimeOf(const std::optional<double>& seconds, bool at_least) {
  if (at_least && seconds.value_or(0) <= 0) return "unknown";
  return absl::StrCat(at_least ? ">= " : "", Seconds(seconds));
}

std::string HeadText(const WorkloadReport& report) {
  const size_t n = report.tasks.size();
  std::string text = absl::StrCat(EscapeControl(report.workload.origin), " on ", report.target->name, "\n  ");
  if (!report.mode.empty()) absl::StrAppend(&text, "mode ", report.mode, ", ");
  absl::StrAppend(&text, n, n == 1 ? " task, " : " tasks, ");
  if (report.hyperperiod_s.has_value())
    absl::StrAppend(&text, "hyperperiod ", FormatSeconds(*report.hyperperiod_s), ", ");
  return absl::StrCat(text, report.jobs, " jobs simulated\n\n");
}

std::string VerdictLine(const WorkloadReport& report, const ReportOptions& options) {
  size_t holds = 0, simulated = 0, missed = 0;
  for (const TaskRow& task : report.tasks) {
    ++(task.verdict == TaskVerdict::kHolds ? holds : task.verdict == TaskVerdict::kSimulated ? simulated : missed);
  }
  std::vector<std::string> parts;
  if (missed > 0) parts.push_back(Paint(absl::StrCat(missed, " missed"), Style::kBad, options.color));
  if (simulated > 0)
    parts.push_back(Paint(absl::StrCat(simulated, " in simulation only"), Style::kWarn, options.color));
  if (holds > 0)
    parts.push_back(Paint(absl::StrCat(holds, holds == 1 ? " holds" : " hold"), Style::kGood, options.color));
  return absl::StrCat("  Verdict      ", absl::StrJoin(parts, ", "),
                      IsIncomplete(report) ? "; groups without a known time (see Notes) are left out of all figures" : "",
                      "\n");
}

std::string FiguresText(const WorkloadReport& report, const ReportOptions& options) {
  std::string text = VerdictLine(report, options);
  const WorkloadMemory& memory = report.memory;
  absl::StrAppend(&text, "  Traffic      ", FormatBytes(memory.mean_bytes_per_s), "/s, ",
                  FormatBytes(memory.peak_bytes_per_s), "/s over the busiest 1 ms");
  if (memory.capacity_bytes_per_s.has_value())
    absl::StrAppend(&text, ", of ", FormatBytes(*memory.capacity_bytes_per_s), "/s");
  absl::StrAppend(&text, "\n  Memory       ", FormatBytes(static_cast<double>(memory.peak_bytes)),
                  " of weights and activations\n");
  if (report.energy_j_per_s.has_value()) {
    absl::StrAppend(&text, absl::StrFormat("  Power        %.1f W on average", *report.energy_j_per_s));
    if (report.cap_w.has_value())
      absl::StrAppend(&text, absl::StrFormat(", of %.0f W that the mode allows", *report.cap_w));
    text += "\n";
  }
  return text;
}

std::string UnitsOf(const TaskRow& task) {
  std::vector<std::string> parts;
  for (const UnitTimeShare& share : task.units) {
    parts.push_back(share.share > 0.9995 ? share.unit : absl::StrCat(share.unit, " ", Percent(share.share)));
  }
  return absl::StrJoin(parts, ", ");
}

Style StyleOf(TaskVerdict verdict) {
  return verdict == TaskVerdict::kHolds       ? Style::kGood
         : verdict == TaskVerdict::kSimulated ? Style::kWarn
                                              : Style::kBad;
}

std::string TasksText(const WorkloadReport& report, const ReportOptions& options) {
  TextTable table({{.title = "task", .squeeze = Squeeze::kShorten, .style = Style::kAccent},
                   {.title = "verdict"},
                   {.title = "rate", .align = Align::kRight},
                   {.title = "reached", .align = Align::kRight},
                   {.title = "alone", .align = Align::kRight},
                   {.title = "mean", .align = Align::kRight},
                   {.title = "worst", .align = Align::kRight},
                   {.title = "bound", .align = Align::kRight},
                   {.title = "deadline", .align = Align::kRight},
                   {.title = "margin", .align = Align::kRight},
                   {.title = "missed/s", .align = Align::kRight},
                   {.title = "at most", .align = Align::kRight},
                   {.title = "runs on"}});
  for (const TaskRow& task : report.tasks) {
    table.Add({EscapeControl(task.name), std::string(TaskVerdictName(task.verdict)), Rate(task.rate_per_s),
               absl::StrCat(task.incomplete ? "<= " : "", Rate(task.reached_per_s)),
               TimeOf(task.alone_s, task.unknown_groups > 0), TimeOf(task.mean_s, task.incomplete),
               TimeOf(task.worst_s, task.incomplete),
               Seconds(task.bound_s), Seconds(task.deadline_s), Signed(task.margin_s),
               absl::StrCat(task.incomplete ? ">= " : "", task.missed_per_s > 0 ? RateText(task.missed_per_s) : "0"),
               Rate(task.max_rate_per_s), UnitsOf(task)});
  }
  std::string text = absl::StrCat("\nTasks (rates in inputs per second)\n", table.Print(options));
  for (const TaskRow& task : report.tasks) {
    if (task.reason.empty()) continue;
    const std::string line = absl::StrCat(EscapeControl(task.name), " is missed: ", task.reason);
    absl::StrAppend(&text, Paint(Wrapped(line, "  ", "    ", options), StyleOf(task.verdict), options.color));
  }
  return text;
}

std::string AgesText(const WorkloadReport& report, const ReportOptions& options) {
  TextTable table({{.title = "task", .style = Style::kAccent},
                   {.title = "after"},
                   {.title = "age of its result", .align = Align::kRight}});
  for (size_t t = 0; t < report.tasks.size(); ++t) {
    const std::string& after = report.workload.tasks[t].after;
    if (!after.empty())
      table.Add({EscapeControl(report.tasks[t].name), EscapeControl(after),
                 TimeOf(report.tasks[t].age_s, report.tasks[t].incomplete)});
  }
  return table.empty()
             ? ""
             : absl::StrCat("\nChains (oldest data, since the release of the first task)\n", table.Print(options));
}

std::string UnitsText(const WorkloadReport& report, const ReportOptions& options) {
  TextTable table({{.title = "unit", .style = Style::kAccent},
                   {.title = "busy", .align = Align::kRight},
                   {.title = ""},
                   {.title = "policy"},
                   {.title = "by task", .squeeze = Squeeze::kWrap}});
  for (const WorkloadUnitRow& unit : report.units) {
    std::vector<std::string> parts;
    for (const ByTask& row : unit.by_task)
      parts.push_back(absl::StrCat(EscapeControl(row.task), " ", Percent(row.value)));
    const std::string cores = unit.servers > 1 ? absl::StrCat(", ", unit.servers, " cores") : "";
    table.Add({unit.name, Percent(unit.busy_share), Bar(unit.busy_share, kBarWidth, options.glyphs),
               absl::StrCat(PolicyKindName(unit.policy), ", ", unit.runs, cores), absl::StrJoin(parts, ", ")});
  }
  return absl::StrCat("\nUnits", IsIncomplete(report) ? " (at least)" : "", "\n", table.Print(options));
}

std::string MemoryText(const WorkloadReport& report, const ReportOptions& options) {
  TextTable table({{.title = "task", .style = Style::kAccent},
                   {.title = "bytes/s", .align = Align::kRight},
                   {.title = "over 1 ms", .align = Align::kRight},
                   {.title = "share", .align = Align::kRight},
                   {.title = "memory", .align = Align::kRight}});
  const WorkloadMemory& memory = report.memory;
  for (const WorkloadTraffic& row : memory.tasks) {
    const double share = memory.mean_bytes_per_s > 0 ? row.mean_bytes_per_s / memory.mean_bytes_per_s : 0;
    table.Add({EscapeControl(row.task), absl::StrCat(FormatBytes(row.mean_bytes_per_s), "/s"),
               absl::StrCat(FormatBytes(row.peak_bytes_per_s), "/s"), Percent(share), FormatBytes(static_cast<double>(row.bytes))});
  }
  return absl::StrCat("\nMemory traffic", IsIncomplete(report) ? " (at least)" : "", "\n", table.Print(options));
}

std::string SlowdownText(const WorkloadReport& report, const ReportOptions& options) {
  if (report.slowdown.empty()) return "";
  std::vector<Column> columns = {{.title = "", .style = Style::kAccent}};
  for (const TaskRow& task : report.tasks)
    columns.push_back({.title = absl::StrCat("by ", EscapeControl(task.name)), .align = Align::kRight});
  TextTable table(columns);
  for (const TaskRow& task : report.tasks) {
    std::vector<std::string> cells = {EscapeControl(task.name)};
    for (const TaskRow& by : report.tasks) {
      std::string cell = "";
      for (const SlowdownRow& row : report.slowdown) {
        if (row.task != task.name || row.by != by.name) continue;
        cell = !row.factor.has_value()                                ? "-"
               : *row.factor < kNotable && *row.factor > 2 - kNotable ? "."
                                                                      : absl::StrFormat("%.2f", *row.factor);
      }
      cells.push_back(cell);
    }
    table.Add(std::move(cells));
  }
  return absl::StrCat("\nWho slows whom (mean response over that without the other)\n", table.Print(options));
}

std::string FixesText(const WorkloadReport& report, const ReportOptions& options) {
  const bool any_missed = std::any_of(report.tasks.begin(), report.tasks.end(),
                                      [](const TaskRow& task) { return task.verdict == TaskVerdict::kMissed; });
  if (!any_missed) return "";
  if (report.fixes.empty() && IsIncomplete(report)) return "\nWhat would make it hold is not known without all times\n";
  if (report.fixes.empty())
    return "\nNo single change of rate, precision, units, batch or mode makes a missed task hold\n";
  TextTable table({{.title = "task", .style = Style::kAccent},
                   {.title = "change"},
                   {.title = "then"},
                   {.title = "worst", .align = Align::kRight},
                   {.title = "bound", .align = Align::kRight}});
  for (const FixRow& row : report.fixes) {
    table.Add({EscapeControl(row.task), row.change,
               row.verdict == TaskVerdict::kHolds ? "holds" : "holds in simulation", Seconds(row.worst_s),
               Seconds(row.bound_s)});
  }
  return absl::StrCat("\nWhat would make it hold, each alone\n", table.Print(options));
}

std::string DiagnosticsText(const WorkloadReport& report, const ReportOptions& options) {
  std::string text;
  for (const Diagnostic& diagnostic : report.diagnostics)
    absl::StrAppend(&text, Wrapped(diagnostic.message, "  ", "    ", options));
  return text.empty() ? "" : absl::StrCat("\nNotes\n", text);
}

}  // namespace

std::string WorkloadText(const WorkloadReport& report, const ReportOptions& options) {
  return absl::StrCat(HeadText(report), FiguresText(report, options), TasksText(report, options),
                      AgesText(report, options), UnitsText(report, options), MemoryText(report, options),
                      SlowdownText(report, options), FixesText(report, options), DiagnosticsText(report, options));
}

}  // namespace hwest
