// A workload as a page of text.
#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "base/text.h"
#include "plan/memory_needs.h"
#include "report/text_parts.h"
#include "report/text_table.h"
#include "report/workload_parts.h"

namespace hwest {
namespace {

std::string HeadText(const WorkloadReport& report) {
  const size_t n = report.tasks.size();
  std::string text = absl::StrCat(EscapeControl(report.workload.origin), " on ", report.target->name, "\n  ");
  if (!report.target->host.empty()) absl::StrAppend(&text, "host ", report.target->host, ", ");
  if (!report.mode.empty()) absl::StrAppend(&text, "mode ", report.mode, ", ");
  absl::StrAppend(&text, n, n == 1 ? " task, " : " tasks, ");
  if (report.hyperperiod_s.has_value())
    absl::StrAppend(&text, "hyperperiod ", FormatSeconds(*report.hyperperiod_s), ", ");
  return absl::StrCat(text, report.jobs, " jobs simulated\n\n");
}

std::string MisfitLines(const WorkloadReport& report, const ReportOptions& options) {
  std::string text;
  for (const Diagnostic& found : report.diagnostics) {
    if (found.code != Code::kDoesNotFit) continue;
    const std::string line = absl::StrCat(MissingMemoryText(report.memory.needs), ": ", found.remedy);
    absl::StrAppend(&text, Paint(Wrapped(line, "DOES NOT FIT: ", "  ", options), Style::kBad, options.color));
  }
  return text;
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
  return absl::StrCat(
      "  Verdict      ", absl::StrJoin(parts, ", "),
      IsIncomplete(report) ? "; groups without a known time (see Notes) are left out of all figures" : "", "\n");
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
  absl::StrAppend(&text, "  Rate         ", IsIncomplete(report) ? "at most " : "", RateText(report.reached_per_s),
                  " inputs a second in all\n");
  if (report.energy_j_per_s.has_value()) {
    absl::StrAppend(&text, absl::StrFormat("  Power        %.1f W on average", *report.energy_j_per_s));
    if (report.power_of.has_value()) absl::StrAppend(&text, " of ", *report.power_of);
    if (report.cap_w.has_value())
      absl::StrAppend(&text, absl::StrFormat(", of %.0f W that the mode allows", *report.cap_w));
    text += "\n";
  }
  return text;
}

Style StyleOf(TaskVerdict verdict) {
  return verdict == TaskVerdict::kHolds       ? Style::kGood
         : verdict == TaskVerdict::kSimulated ? Style::kWarn
                                              : Style::kBad;
}

std::string ReasonsText(const WorkloadReport& report, const ReportOptions& options) {
  std::string text;
  for (const TaskRow& task : report.tasks) {
    if (task.reason.empty()) continue;
    const std::string line = absl::StrCat(EscapeControl(task.name), " is missed: ", task.reason);
    absl::StrAppend(&text, Paint(Wrapped(line, "  ", "    ", options), StyleOf(task.verdict), options.color));
  }
  return text;
}

std::string TableText(const WorkloadTable& table, const ReportOptions& options) {
  if (table.rows.empty()) return "";
  TextTable text(table.columns);
  for (const std::vector<std::string>& row : table.rows) text.Add(row);
  return absl::StrCat("\n", table.heading, "\n", text.Print(options));
}

std::string NoFixText(const WorkloadReport& report) {
  const bool any_missed = std::any_of(report.tasks.begin(), report.tasks.end(),
                                      [](const TaskRow& task) { return task.verdict == TaskVerdict::kMissed; });
  if (!any_missed || !report.fixes.empty()) return "";
  return IsIncomplete(report)
             ? "\nWhat would make it hold is not known without all times\n"
             : "\nNo single change of rate, precision, units, batch or mode makes a missed task hold\n";
}

std::string DiagnosticsText(const WorkloadReport& report, const ReportOptions& options) {
  std::string text;
  for (const Diagnostic& diagnostic : report.diagnostics) {
    if (diagnostic.code != Code::kDoesNotFit)
      absl::StrAppend(&text, Wrapped(diagnostic.message, "  ", "    ", options));
  }
  return text.empty() ? "" : absl::StrCat("\nNotes\n", text);
}

}  // namespace

std::string WorkloadText(const WorkloadReport& report, const ReportOptions& options) {
  std::string text = absl::StrCat(MisfitLines(report, options), HeadText(report), FiguresText(report, options));
  for (const WorkloadTable& table : WorkloadTables(report, options.glyphs)) {
    absl::StrAppend(&text, TableText(table, options));
    if (table.holds_tasks) absl::StrAppend(&text, ReasonsText(report, options));
  }
  return absl::StrCat(text, NoFixText(report), DiagnosticsText(report, options));
}

}  // namespace hwest
