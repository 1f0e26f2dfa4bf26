#include "sweep/report.h"

#include "absl/functional/function_ref.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/status_macros.h"
#include "report/chart.h"
#include "report/document.h"
#include "report/still_page.h"
#include "report/text_parts.h"
#include "report/text_table.h"
#include "report/writers.h"
#include "sweep/chart.h"
#include "sweep/columns.h"
#include "sweep/overview.h"

namespace hwest {
namespace {

// The line below a table that was too wide for some columns.
std::string LeftOutText(const std::vector<std::string>& titles, const ReportOptions& options) {
  if (titles.empty()) return "";
  return Wrapped(
      absl::StrCat("left out on so narrow a page: ", absl::StrJoin(titles, ", "), "; --format csv has every column"),
      "  ", "  ", options);
}

std::string SweepText(const std::vector<SweepRow>& rows, const ReportOptions& options) {
  const Overview overview(rows, options);
  TextTable table(overview.Columns());
  bool marked = false;
  for (const size_t i : overview.shown()) {
    std::vector<std::string> cells = overview.Cells(rows[i]);
    marked |= !overview.Legend().empty() && !cells[0].empty();
    table.Add(std::move(cells));
  }
  std::string text = absl::StrCat(Paint(overview.Head(), Style::kBold, options.color), "\n");
  if (!table.empty()) absl::StrAppend(&text, "\n", table.Print(options), LeftOutText(table.LeftOut(options), options));
  if (marked) absl::StrAppend(&text, "\n", Wrapped(overview.Legend(), "  ", "  ", options));
  const std::vector<Overview::Failure> failures = overview.Failures();
  if (failures.empty()) return text;
  absl::StrAppend(&text, "\n", Paint("Failed", Style::kBold, options.color), "\n");
  TextTable failed({{.title = "points", .align = Align::kRight},
                    {.title = "because", .squeeze = Squeeze::kWrap},
                    {.title = "the first", .squeeze = Squeeze::kWrap}});
  for (const Overview::Failure& row : failures) failed.Add({absl::StrCat(row.count), row.message, row.first});
  return absl::StrCat(text, failed.Print(options));
}

std::string MarkdownLine(const std::vector<std::string>& cells) {
  std::string line = "|";
  for (const std::string& cell : cells) absl::StrAppend(&line, " ", MarkdownCell(cell), " |");
  return absl::StrCat(line, "\n");
}

std::string SweepMarkdown(const std::vector<SweepRow>& rows, const SweepRequest& request,
                          const ReportOptions& options) {
  const Overview overview(rows, options);
  std::string text = absl::StrCat("# Sweep\n\n", MarkdownCell(overview.Head()), "\n");
  std::string rule = "|";
  for (const Column& column : overview.Columns())
    absl::StrAppend(&rule, column.align == Align::kRight ? " ---: |" : " --- |");
  if (!overview.shown().empty()) absl::StrAppend(&text, "\n", MarkdownLine(overview.Titles()), rule, "\n");
  for (const size_t i : overview.shown()) absl::StrAppend(&text, MarkdownLine(overview.Cells(rows[i])));
  if (!overview.Legend().empty()) absl::StrAppend(&text, "\n", MarkdownCell(overview.Legend()), "\n");
  for (const Diagnostic& note : request.notes) absl::StrAppend(&text, "\n", MarkdownCell(note.message), "\n");
  const std::vector<Overview::Failure> failures = overview.Failures();
  if (failures.empty()) return text;
  absl::StrAppend(&text, "\n## Failed\n\n| points | because | the first |\n| ---: | --- | --- |\n");
  for (const Overview::Failure& row : failures) {
    absl::StrAppend(&text, MarkdownLine({absl::StrCat(row.count), row.message, row.first}));
  }
  return text;
}

Cell NumbersCell(const std::vector<int64_t>& numbers) { return Cell::OfList({numbers.begin(), numbers.end()}); }

Document SweepDocument(const std::vector<SweepRow>& rows, const SweepRequest& request) {
  const SweepAxes& axes = request.axes;
  Cell dims = Cell::OfObject();
  for (const auto& [name, sizes] : axes.dims) dims.Set(name, NumbersCell(sizes));
  Cell settings = Cell::OfObject();
  for (const auto& [path, values] : axes.settings) settings.Set(path, values);
  Document document;
  document.kind = ReportKind::kSweep;
  document.parts.push_back(
      {"request",
       Cell{{"models", axes.models},
            {"targets", axes.targets},
            {"modes", axes.modes},
            {"precisions", axes.precisions},
            {"batches", NumbersCell(axes.batches)},
            {"dims", dims},
            {"set", settings},
            {"sizes", NumbersCell(axes.sizes)},
            {"rewrite", axes.rewritten},
            {"shard", request.shard.has_value() ? Cell(absl::StrCat(request.shard->index, "/", request.shard->count))
                                                : Cell()}}});
  document.parts.push_back({"diagnostics", TableOfRows(request.notes)});
  const Columns& columns = ColumnsOf(static_cast<const SweepRow*>(nullptr));
  document.parts.push_back({"rows", CellTable{columns, rows.size(), [&rows](size_t i) { return CellsOf(rows[i]); }}});
  document.tables = {"rows"};
  return document;
}

constexpr size_t kMostRows = 2000;  // of a page

std::string SweepPage(const std::vector<SweepRow>& rows, const SweepRequest& request, const ReportOptions& options) {
  ReportOptions shown = options;
  if (!shown.top.has_value() && rows.size() > kMostRows) shown.top = static_cast<int64_t>(kMostRows);
  const Overview overview(rows, shown);
  StillPage page("Sweep");
  page.Paragraph(overview.Head());
  for (const Diagnostic& note : request.notes) page.Paragraph(note.message);
  page.Picture(DrawSweep(rows));
  std::vector<std::vector<std::string>> cells;
  for (const size_t i : overview.shown()) cells.push_back(overview.Cells(rows[i]));
  if (!cells.empty()) {
    page.Heading(overview.shown().size() < rows.size() && shown.top.value_or(0) > 0
                     ? absl::StrCat("The ", overview.shown().size(), " fastest points")
                     : std::string("Points"));
    if (!overview.Legend().empty()) page.Paragraph(overview.Legend());
    page.Table(overview.Titles(), cells);
  }
  const std::vector<Overview::Failure> failures = overview.Failures();
  if (failures.empty()) return page.Finish();
  page.Heading("Failed");
  cells.clear();
  for (const Overview::Failure& row : failures) cells.push_back({absl::StrCat(row.count), row.message, row.first});
  page.Table({"points", "because", "the first"}, cells);
  return page.Finish();
}

absl::Status WritePicture(const std::vector<SweepRow>& rows, Format format, Sink sink) {
  HWEST_ASSIGN_OR_RETURN(const std::string picture, PictureBytes(DrawSweep(rows).Svg(), format));
  return sink(picture);
}

absl::Status WriteLines(const std::vector<SweepRow>& rows, absl::FunctionRef<std::string(const SweepRow&)> line,
                        std::string head, Sink sink) {
  for (const SweepRow& row : rows) {
    absl::StrAppend(&head, line(row));
    if (head.size() < 65536) continue;
    HWEST_RETURN_IF_ERROR(sink(head));
    head.clear();
  }
  return sink(head);
}

}  // namespace

absl::Status CheckSweepReport(const ReportOptions& options) {
  HWEST_RETURN_IF_ERROR(SweepColumnsNamed(options.graph.columns).status());
  HWEST_RETURN_IF_ERROR(CheckFormat(ReportKind::kSweep, options.format));
  if (!InfoOf(options.format).is_picture) return absl::OkStatus();
  return PictureBytes(DrawSweep({}).Svg(), options.format).status();  // the library for pictures may be missing
}

absl::Status WriteSweep(const std::vector<SweepRow>& rows, const SweepRequest& request, const ReportOptions& options,
                        Sink sink) {
  HWEST_ASSIGN_OR_RETURN(const std::vector<size_t> columns, SweepColumnsNamed(options.graph.columns));
  HWEST_RETURN_IF_ERROR(CheckFormat(ReportKind::kSweep, options.format));
  switch (options.format) {
    case Format::kText: return sink(SweepText(rows, options));
    case Format::kMarkdown: return sink(SweepMarkdown(rows, request, options));
    case Format::kJsonl: return WriteLines(rows, JsonLine, "", sink);
    case Format::kCsv:
      return WriteLines(rows, [&](const SweepRow& row) { return CsvLine(row, columns); }, CsvHead(columns), sink);
    case Format::kSvg:
    case Format::kPng:
    case Format::kPdf: return WritePicture(rows, options.format, sink);
    case Format::kHtml: return sink(SweepPage(rows, request, options));
    default: return WriteDocument(SweepDocument(rows, request), options, sink);
  }
}

}  // namespace hwest
