#include "sweep/report.h"

#include <algorithm>
#include <optional>
#include <utility>

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
#include "sweep/language.h"
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

constexpr char kOfRuntimes[] = "Language models, as their runtimes run them";

// Of runtimes that run language models; none where no row is of one, or the user names the columns of one table.
std::optional<Overview> RuntimesOf(const std::vector<SweepRow>& rows, const ReportOptions& options) {
  const bool has_any = std::any_of(rows.begin(), rows.end(), HasRuntime);
  if (!has_any || !options.graph.columns.empty()) return std::nullopt;
  return std::optional<Overview>(std::in_place, rows, options, OverviewOf::kRuntimes);
}

std::string TableText(const Overview& overview, const std::vector<SweepRow>& rows, const ReportOptions& options) {
  TextTable table(overview.Columns());
  for (const size_t i : overview.shown()) table.Add(overview.Cells(rows[i]));
  if (table.empty()) return "";
  return absl::StrCat(table.Print(options), LeftOutText(table.LeftOut(options), options));
}

std::string SweepText(const std::vector<SweepRow>& rows, const ReportOptions& options) {
  const Overview overview(rows, options);
  const bool is_marked =
      !overview.Legend().empty() && std::any_of(overview.shown().begin(), overview.shown().end(),
                                                [&](size_t i) { return !overview.Cells(rows[i])[0].empty(); });
  std::string text = absl::StrCat(Paint(overview.Head(), Style::kBold, options.color), "\n");
  if (const std::string table = TableText(overview, rows, options); !table.empty()) {
    absl::StrAppend(&text, "\n", table);
  }
  if (is_marked) absl::StrAppend(&text, "\n", Wrapped(overview.Legend(), "  ", "  ", options));
  if (const std::optional<Overview> runtimes = RuntimesOf(rows, options); runtimes.has_value()) {
    absl::StrAppend(&text, "\n", Paint(kOfRuntimes, Style::kBold, options.color), "\n",
                    TableText(*runtimes, rows, options), "\n", Wrapped(runtimes->Legend(), "  ", "  ", options));
  }
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

std::string MarkdownTable(const Overview& overview, const std::vector<SweepRow>& rows) {
  if (overview.shown().empty()) return "";
  std::string rule = "|";
  for (const Column& column : overview.Columns())
    absl::StrAppend(&rule, column.align == Align::kRight ? " ---: |" : " --- |");
  std::string text = absl::StrCat("\n", MarkdownLine(overview.Titles()), rule, "\n");
  for (const size_t i : overview.shown()) absl::StrAppend(&text, MarkdownLine(overview.Cells(rows[i])));
  return text;
}

std::string SweepMarkdown(const std::vector<SweepRow>& rows, const SweepRequest& request,
                          const ReportOptions& options) {
  const Overview overview(rows, options);
  std::string text = absl::StrCat("# Sweep\n\n", MarkdownCell(overview.Head()), "\n");
  const std::optional<Overview> runtimes = RuntimesOf(rows, options);
  absl::StrAppend(&text, MarkdownTable(overview, rows));
  const bool has_kernels = !runtimes.has_value() || !overview.shown().empty();
  if (has_kernels && !overview.Legend().empty()) {
    absl::StrAppend(&text, "\n", MarkdownCell(overview.Legend()), "\n");
  }
  if (runtimes.has_value()) {
    absl::StrAppend(&text, "\n## ", kOfRuntimes, "\n", MarkdownTable(*runtimes, rows), "\n",
                    MarkdownCell(runtimes->Legend()), "\n");
  }
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
  const auto add = [&](const Overview& table, const std::string& heading) {
    cells.clear();
    for (const size_t i : table.shown()) cells.push_back(table.Cells(rows[i]));
    if (cells.empty()) return;
    page.Heading(heading);
    if (!table.Legend().empty()) page.Paragraph(table.Legend());
    page.Table(table.Titles(), cells);
  };
  const std::optional<Overview> runtimes = RuntimesOf(rows, shown);
  const bool is_cut = overview.shown().size() < rows.size() && shown.top.value_or(0) > 0;
  add(overview, is_cut ? absl::StrCat("The ", overview.shown().size(), " fastest points") : std::string("Points"));
  if (runtimes.has_value()) add(*runtimes, kOfRuntimes);
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
