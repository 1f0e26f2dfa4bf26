// Documents about workloads: the tables of the contract, and the choice of the format.
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "base/status_macros.h"
#include "base/text.h"
#include "report/document.h"
#include "report/getters.h"
#include "report/still_page.h"
#include "report/text_parts.h"
#include "report/view_parts.h"
#include "report/workload_parts.h"
#include "report/writers.h"

namespace hwest {
namespace {

Cell RequestCell(const WorkloadReport& report) {
  return Cell{{"model", NonEmpty(report.workload.origin)},
              {"target", report.target->name},
              {"mode", NonEmpty(report.mode)},
              {"precision", nullptr},
              {"objective", nullptr},
              {"batch", nullptr},
              {"dims", Cell::OfObject()},
              {"host", NonEmpty(report.target->host)}};
}

// A figure of each task and load, by its name.
template <class Figure>
Cell ByName(const WorkloadMemory& memory, Figure WorkloadTraffic::* figure) {
  Cell object = Cell::OfObject();
  for (const WorkloadTraffic& row : memory.tasks) object.Set(row.task, row.*figure);
  return object;
}

Cell MemoryCell(const WorkloadMemory& memory) {
  return Cell{{"peak_bytes", memory.peak_bytes},
              {"mean_bytes_per_s", memory.mean_bytes_per_s},
              {"peak_bytes_per_s", memory.peak_bytes_per_s},
              {"capacity_bytes_per_s", memory.capacity_bytes_per_s},
              {"by_task", ByName(memory, &WorkloadTraffic::mean_bytes_per_s)},
              {"peak_by_task", ByName(memory, &WorkloadTraffic::peak_bytes_per_s)},
              {"bytes_by_task", ByName(memory, &WorkloadTraffic::bytes)},
              {"fits", memory.fits}};
}

Document DocumentOf(const WorkloadReport& report) {
  Document document;
  document.kind = ReportKind::kWorkload;
  auto& parts = document.parts;
  parts.push_back({"request", RequestCell(report)});
  parts.push_back({"diagnostics", TableOfRows(report.diagnostics)});
  parts.push_back({"tasks", TableOfRows(report.tasks)});
  parts.push_back({"units", TableOfRows(report.units)});
  parts.push_back({"memory", MemoryCell(report.memory)});
  parts.push_back({"memory_needs", TableOfRows(report.memory.needs)});
  parts.push_back({"traffic", TableOfRows(report.memory.tasks)});
  parts.push_back({"slowdown", TableOfRows(report.slowdown)});
  parts.push_back({"hyperperiod_s", report.hyperperiod_s});
  parts.push_back({"simulated_s", report.simulated_s});
  parts.push_back({"jobs", report.jobs});
  parts.push_back({"energy_j_per_s", report.energy_j_per_s});
  parts.push_back({"cap_w", report.cap_w});
  parts.push_back({"power_of", report.power_of});
  parts.push_back({"reached_per_s", report.reached_per_s});
  parts.push_back({"segments", TableOfRows(report.segments, report)});
  parts.push_back({"fixes", TableOfRows(report.fixes)});
  document.tables = {"tasks", "units", "traffic", "slowdown", "fixes"};
  return document;
}

void AddReasons(const WorkloadReport& report, StillPage* page) {
  for (const TaskRow& task : report.tasks) {
    if (!task.reason.empty()) page->Paragraph(absl::StrCat(task.name, " is missed: ", task.reason));
  }
}

std::string WorkloadPage(const WorkloadReport& report) {
  StillPage page(absl::StrCat(report.workload.origin, " on ", report.target->name));
  const int64_t missed = getters::MissedTasks(report);
  std::vector<std::string> facts = {absl::StrCat(report.tasks.size(), report.tasks.size() == 1 ? " task" : " tasks"),
                                    missed == 0 ? std::string("none is missed") : absl::StrCat(missed, " missed")};
  if (!report.mode.empty()) facts.push_back(absl::StrCat("mode ", report.mode));
  facts.push_back(absl::StrCat(RateText(report.reached_per_s), " inputs a second in all"));
  if (report.energy_j_per_s.has_value()) {
    facts.push_back(absl::StrCat(absl::StrFormat("%.3g W on average", *report.energy_j_per_s),
                                 report.power_of.has_value() ? absl::StrCat(" of ", *report.power_of) : ""));
  }
  facts.push_back(absl::StrCat("peak memory ", FormatBytes(static_cast<double>(report.memory.peak_bytes))));
  if (!report.memory.fits.value_or(true)) facts.insert(facts.begin(), "does not fit into memory");
  page.Paragraph(absl::StrJoin(facts, ", "));
  page.Picture(WorkloadTimeline(report));
  for (const WorkloadTable& table : WorkloadTables(report, Glyphs::kUnicode)) {
    if (table.rows.empty()) continue;
    std::vector<std::string> titles;
    for (const Column& column : table.columns) titles.push_back(column.title);
    page.Heading(table.heading);
    page.Table(titles, table.rows);
    if (table.holds_tasks) AddReasons(report, &page);
  }
  if (!report.diagnostics.empty()) page.Heading("Notes");
  for (const Diagnostic& note : report.diagnostics) page.Paragraph(note.message);
  return page.Finish();
}

}  // namespace

absl::Status WriteWorkload(const WorkloadReport& report, const ReportOptions& options, Sink sink) {
  HWEST_RETURN_IF_ERROR(CheckFormat(ReportKind::kWorkload, options.format));
  switch (options.format) {
    case Format::kText: return sink(WorkloadText(report, options));
    case Format::kSvg: return sink(WorkloadTimeline(report).Svg());
    case Format::kHtml: return sink(WorkloadPage(report));
    case Format::kPerfetto: return WriteWorkloadTrace(report, sink);
    default: return WriteDocument(DocumentOf(report), options, sink);
  }
}

}  // namespace hwest
