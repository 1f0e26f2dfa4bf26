// Boards that hold a number of streams, as text and tables.
#include "hwest/capacity.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "base/status_macros.h"
#include "base/text.h"
#include "report/document.h"
#include "report/text_parts.h"
#include "report/text_table.h"
#include "report/view_parts.h"
#include "report/writers.h"

namespace hwest {
namespace {

constexpr size_t kReasonWidth = 66;

std::string RateOf(const Fraction& period) {
  return absl::StrFormat("%.4g FPS", static_cast<double>(period.den) / static_cast<double>(period.num));
}

// "4 streams at 30 FPS of yolov8n.onnx and segment.onnx at 10 FPS, within 50 ms, 15 W"
std::string AskedText(const CapacityRequest& request) {
  std::string text = request.streams > 0 ? absl::StrCat(request.streams, request.streams == 1 ? " stream" : " streams")
                                         : std::string("as many streams as there are");
  absl::StrAppend(&text, " at ", RateOf(request.period), " of ");
  std::vector<std::string> models;
  for (const CapacityModel& model : request.models) {
    models.push_back(absl::StrCat(EscapeControl(model.path),
                                  model.period.has_value() ? absl::StrCat(" at ", RateOf(*model.period)) : ""));
  }
  absl::StrAppend(&text, absl::StrJoin(models, ", "));
  if (request.deadline_s.has_value()) absl::StrAppend(&text, ", due after ", FormatSeconds(*request.deadline_s));
  if (request.max_w.has_value()) absl::StrAppend(&text, absl::StrFormat(", at most %.3g W", *request.max_w));
  std::vector<std::string> stages;
  for (const CapacityStage& stage : request.stages) stages.push_back(EscapeControl(stage.name));
  if (!stages.empty()) absl::StrAppend(&text, ", beside ", absl::StrJoin(stages, ", "));
  return text;
}

std::string PowerCell(const CapacityRow& row) {
  return row.power_w.has_value() ? absl::StrFormat("%.1f W", *row.power_w) : "unknown";
}
// "the module" is as short as it gets in a table.
std::string CoversCell(const CapacityRow& row) {
  if (!row.power_of.has_value()) return "";
  absl::string_view text = *row.power_of;
  if (text.substr(0, 4) == "the ") text.remove_prefix(4);
  const size_t rest = text.find(" with");
  return std::string(text.substr(0, rest));
}
std::string StreamsCell(const CapacityRow& row) { return absl::StrCat(row.streams, row.at_least ? "+" : ""); }
std::string LimitCell(const CapacityRow& row) {
  return row.first_limit == CapacityLimit::kNone ? "" : std::string(CapacityLimitName(row.first_limit));
}

struct CapacityTable {
  std::string heading;
  std::vector<Column> columns;
  std::vector<std::vector<std::string>> rows;
};

CapacityTable HoldTable(const CapacityReport& report) {
  const CapacityRequest& request = report.request;
  const bool has_prices = !request.prices.empty();
  const auto is_batched = [](const CapacityRow& row) { return row.batch > 1; };
  const bool has_batches = std::any_of(report.boards.begin(), report.boards.end(), is_batched);
  CapacityTable table{request.streams > 0
                          ? absl::StrCat("Boards that hold them, ", has_prices ? "by price" : "the least power first")
                          : absl::StrCat("Boards, ", has_prices ? "by price" : "the most streams first"),
                      {{.title = "board"}, {.title = "mode"}, {.title = "type"}},
                      {}};
  if (has_batches) table.columns.push_back({.title = "batch", .align = Align::kRight});
  if (has_prices) table.columns.push_back({.title = "price", .align = Align::kRight});
  table.columns.push_back({.title = "power", .align = Align::kRight});
  table.columns.push_back({.title = "of"});
  table.columns.push_back({.title = "verdict"});
  table.columns.push_back({.title = "worst", .align = Align::kRight});
  table.columns.push_back({.title = "headroom"});
  table.columns.push_back({.title = "streams", .align = Align::kRight});
  table.columns.push_back({.title = "then"});
  for (const CapacityRow& row : report.boards) {
    if (!row.holds.value_or(false)) continue;
    std::vector<std::string> cells = {EscapeControl(row.target), EscapeControl(row.mode), row.precision};
    if (has_batches) cells.push_back(absl::StrCat(row.batch));
    if (has_prices) cells.push_back(row.price.has_value() ? absl::StrFormat("%.6g", *row.price) : "unknown");
    cells.push_back(PowerCell(row));
    cells.push_back(CoversCell(row));
    cells.emplace_back(row.verdict.has_value() ? TaskVerdictName(*row.verdict) : "");
    cells.push_back(row.worst_s.has_value() ? FormatSeconds(*row.worst_s) : "");
    cells.push_back(row.headroom.has_value() ? absl::StrCat(Percent(*row.headroom), " ", row.busiest) : "");
    cells.push_back(StreamsCell(row));
    cells.push_back(row.at_least ? "" : LimitCell(row));
    table.rows.push_back(std::move(cells));
  }
  return table;
}

CapacityTable OtherTable(const CapacityReport& report, bool is_unknown) {
  CapacityTable table{is_unknown ? "Not known" : "Boards that do not",
                      {{.title = "board"},
                       {.title = "mode"},
                       {.title = "type"},
                       {.title = "streams", .align = Align::kRight},
                       {.title = "first"},
                       {.title = "why", .squeeze = Squeeze::kWrap}},
                      {}};
  for (const CapacityRow& row : report.boards) {
    if (row.holds.has_value() == is_unknown || row.holds.value_or(false)) continue;
    table.rows.push_back({EscapeControl(row.target), EscapeControl(row.mode), row.precision,
                          is_unknown ? "?" : StreamsCell(row), LimitCell(row),
                          Cut(EscapeControl(row.reason), kReasonWidth)});
  }
  return table;
}

std::string Print(const CapacityTable& table, const ReportOptions& options) {
  if (table.rows.empty()) return "";
  TextTable text(table.columns);
  for (const std::vector<std::string>& row : table.rows) text.Add(row);
  return absl::StrCat("\n", Paint(table.heading, Style::kBold, options.color), "\n", text.Print(options));
}

std::string StageNotes(const CapacityReport& report, const ReportOptions& options) {
  std::string text;
  for (const CapacityStage& stage : report.request.stages) {
    if (stage.figure.empty()) continue;
    absl::StrAppend(
        &text,
        Wrapped(absl::StrCat(EscapeControl(stage.name), ": ", stage.figure,
                             stage.trust == Trust::kUnset ? "" : absl::StrCat(" (", TrustName(stage.trust), ")")),
                "  - ", "    ", options));
  }
  return text.empty() ? "" : absl::StrCat("\nStages\n", text);
}

std::string CapacityText(const CapacityReport& report, const ReportOptions& options) {
  const auto count = [&](auto is) { return std::count_if(report.boards.begin(), report.boards.end(), is); };
  const auto holding = count([](const CapacityRow& row) { return row.holds.value_or(false); });
  const auto unknown = count([](const CapacityRow& row) { return !row.holds.has_value(); });
  std::string first =
      absl::StrCat(holding, " of ", report.boards.size(), report.boards.size() == 1 ? " board holds " : " boards hold ",
                   AskedText(report.request), unknown > 0 ? absl::StrCat("; of ", unknown, " it is not known.") : ".");
  std::string text = Wrapped(first, "", "", options);
  absl::StrAppend(&text, Print(HoldTable(report), options), Print(OtherTable(report, true), options),
                  Print(OtherTable(report, false), options), StageNotes(report, options));
  const bool counts = report.request.streams > 0 && holding > 0;
  absl::StrAppend(&text, "\n");
  absl::StrAppend(&text,
                  Wrapped(absl::StrCat("headroom = what is left of the share that is used most, at these streams; "
                                       "power is an average over time, not a peak",
                                       counts ? "; streams are counted up to twice as many, + = at least" : "",
                                       ". The figures are for estimates themselves; a verdict \"holds\" is for "
                                       "the upper ends of their intervals."),
                          "", "", options));
  if (holding > 0) {
    absl::StrAppend(&text, "--workloads DIR writes a file for each board: `onnx-hwest workload DIR/",
                    EscapeControl(report.boards.front().target), ".textproto` gives its figures task by task.\n");
  }
  return text;
}

Cell TextsCell(const std::vector<std::string>& texts) {
  Cell list = Cell::OfList();
  for (const std::string& text : texts) list.push_back(text);
  return list;
}

Cell CapacityRequestCell(const CapacityRequest& request) {
  Cell models = Cell::OfList();
  for (const CapacityModel& model : request.models) {
    models.push_back(Cell{{"model", model.path}, {"rate_per_s", 1 / model.period.value_or(request.period).value()}});
  }
  Cell stages = Cell::OfList();
  for (const CapacityStage& stage : request.stages) {
    stages.push_back(Cell{{"name", stage.name},
                          {"codec", NonEmpty(stage.codec)},
                          {"pixels", stage.pixels > 0 ? Cell(stage.pixels) : Cell()},
                          {"core_cycles", stage.cycles > 0 ? Cell(stage.cycles) : Cell()},
                          {"core_time_s", stage.time_s > 0 ? Cell(stage.time_s) : Cell()},
                          {"bytes", stage.bytes},
                          {"source", NonEmpty(stage.figure)},
                          {"trust", stage.trust == Trust::kUnset ? Cell() : Cell(TrustName(stage.trust))}});
  }
  Cell batches = Cell::OfList();
  for (const int64_t batch : request.batches) batches.push_back(batch);
  return Cell{{"models", std::move(models)},
              {"targets", TextsCell(request.targets)},
              {"modes", TextsCell(request.modes)},
              {"precisions", TextsCell(request.precisions)},
              {"batches", std::move(batches)},
              {"streams", request.streams > 0 ? Cell(request.streams) : Cell()},
              {"rate_per_s", 1 / request.period.value()},
              {"deadline_s", request.deadline_s},
              {"max_power_w", request.max_w},
              {"stages", std::move(stages)},
              {"host", NonEmpty(request.host)}};
}

Document DocumentOf(const CapacityReport& report) {
  Document document;
  document.kind = ReportKind::kFit;
  auto& parts = document.parts;
  parts.push_back({"request", CapacityRequestCell(report.request)});
  parts.push_back({"diagnostics", TableOfRows(report.diagnostics)});
  parts.push_back({"boards", TableOfRows(report.boards)});
  parts.push_back({"tried", TableOfRows(report.tried)});
  document.tables = {"boards"};
  return document;
}

}  // namespace

absl::Status WriteCapacity(const CapacityReport& report, const ReportOptions& options, Sink sink) {
  HWEST_RETURN_IF_ERROR(CheckFormat(ReportKind::kFit, options.format));
  if (options.format == Format::kText) return sink(CapacityText(report, options));
  return WriteDocument(DocumentOf(report), options, sink);
}

}  // namespace hwest
