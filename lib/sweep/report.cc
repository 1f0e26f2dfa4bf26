#include "sweep/report.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <set>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/types/span.h"
#include "base/status_macros.h"
#include "base/text.h"
#include "report/document.h"
#include "report/drawing.h"
#include "report/still_page.h"
#include "report/text_parts.h"
#include "report/text_table.h"
#include "report/writers.h"
#include "sweep/chart.h"

namespace hwest {
namespace {

// The folder that all paths lie in, with its slash; "" when there is none or only one path.
std::string CommonFolder(const std::vector<SweepRow>& rows) {
  std::set<std::string> models;
  for (const SweepRow& row : rows) models.insert(row.model);
  if (models.size() < 2) return "";
  // Of sorted texts the first and the last have in common what all have.
  const std::string &first = *models.begin(), &last = *models.rbegin();
  const size_t common = static_cast<size_t>(std::mismatch(first.begin(), first.end(), last.begin(), last.end()).first - first.begin());
  return common == 0 ? "" : first.substr(0, first.rfind('/', common - 1) + 1);
}

// What tells rows apart, as a column that is left out where all rows agree.
struct Axis {
  const char* title;
  const char* named;  // before its value in the head line; "" = the value speaks for itself
  Squeeze squeeze;
  std::string (*text)(const SweepRow& row);
};

std::string NumberText(const std::optional<int64_t>& number) { return number.has_value() ? absl::StrCat(*number) : ""; }

constexpr Axis kAxes[] = {
    {"model", "", Squeeze::kShorten, [](const SweepRow& row) { return EscapeControl(row.model); }},
    {"target", "", Squeeze::kShorten, [](const SweepRow& row) { return EscapeControl(row.target); }},
    {"mode", "mode ", Squeeze::kKeep, [](const SweepRow& row) { return EscapeControl(row.mode.value_or("")); }},
    {"precision", "", Squeeze::kKeep, [](const SweepRow& row) { return EscapeControl(row.precision.value_or("")); }},
    {"batch", "batch ", Squeeze::kKeep, [](const SweepRow& row) { return NumberText(row.batch); }},
    {"dims", "", Squeeze::kKeep, [](const SweepRow& row) { return EscapeControl(DimsText(row.dims)); }},
    {"size", "size ", Squeeze::kKeep, [](const SweepRow& row) { return NumberText(row.size); }},
    {"form", "", Squeeze::kKeep, [](const SweepRow& row) { return std::string(row.rewritten ? "after rewrites" : ""); }},
};

// A figure as a column.
struct Figure {
  const char* title;
  std::string (*text)(const SweepRow& row);
};

// ">= " before what is only the least that it can be.
std::string Bounded(const SweepRow& row, const std::string& text, const char* sign = ">= ") {
  return row.summary.incomplete.value_or(false) ? absl::StrCat(sign, text) : text;
}

std::string SecondsText(const SweepRow& row) {
  const auto& s = row.summary;
  return s.latency_s.has_value() ? Bounded(row, FormatSeconds(*s.latency_s)) : "unknown";
}

std::string IntervalText(const SweepRow& row) {
  const auto& s = row.summary;
  if (!s.latency_low_s.has_value() || !s.latency_high_s.has_value()) return "unknown";
  return absl::StrCat(FormatSeconds(*s.latency_low_s), " to ", FormatSeconds(*s.latency_high_s));
}

std::string EnergyText(const SweepRow& row) {
  const auto& s = row.summary;
  return s.energy_j.has_value() ? Bounded(row, FormatJoules(*s.energy_j)) : "unknown";
}

constexpr Figure kFigures[] = {
    {"latency", SecondsText},
    {"80 % interval", IntervalText},
    {"rate/s", [](const SweepRow& row) {
       const std::optional<double>& rate = row.summary.throughput_per_s;
       return rate.has_value() ? Bounded(row, RateText(*rate), "<= ") : std::string("unknown");
     }},
    {"energy", EnergyText},
    {"power", [](const SweepRow& row) {
       return row.summary.power_w.has_value() ? absl::StrFormat("%.3g W", *row.summary.power_w) : std::string("unknown");
     }},
    {"memory", [](const SweepRow& row) {
       return absl::StrCat(row.summary.bytes_partial ? ">= " : "", BytesText(row.summary.peak_memory_bytes));
     }},
    {"segments", [](const SweepRow& row) { return NumberText(row.segments); }},
    {"accelerated", [](const SweepRow& row) {
       return row.accelerated_macs_share.has_value() ? Percent(*row.accelerated_macs_share) : std::string("-");
     }},
};

// Rows of a table, and which columns it has.
class Overview {
 public:
  Overview(const std::vector<SweepRow>& rows, const ReportOptions& options) : rows_(rows), folder_(CommonFolder(rows)) {
    for (const SweepRow& row : rows) {
      if (row.ok) front_.Add(WorkOf(row), FiguresOf(row));
      if (row.ok) ++work_[WorkOf(row)];
    }
    for (const Axis& axis : kAxes) {
      std::set<std::string> seen;
      for (const SweepRow& row : rows) seen.insert(axis.text(row));
      if (seen.size() > 1) axes_.push_back(&axis);
      if (seen.size() == 1 && !seen.begin()->empty()) common_.push_back(absl::StrCat(axis.named, *seen.begin()));
    }
    for (size_t i = 0; i < rows.size(); ++i) {
      if (rows[i].ok) shown_.push_back(i);
    }
    const int64_t top = options.top.value_or(0);
    if (top == 0 || static_cast<size_t>(top) >= shown_.size()) return;
    std::stable_sort(shown_.begin(), shown_.end(), [&](size_t a, size_t b) {
      return FiguresOf(rows[a])[0].value_or(HUGE_VAL) < FiguresOf(rows[b])[0].value_or(HUGE_VAL);
    });
    shown_.resize(static_cast<size_t>(top));
  }

  const std::vector<const Axis*>& axes() const { return axes_; }
  const std::vector<size_t>& shown() const { return shown_; }

  // "6 points, 1 failed: resnet18.onnx, batch 1"
  std::string Head() const {
    const auto failed = std::count_if(rows_.begin(), rows_.end(), [](const SweepRow& row) { return !row.ok; });
    std::string text = absl::StrCat(rows_.size(), rows_.size() == 1 ? " point" : " points");
    if (failed > 0) absl::StrAppend(&text, ", ", failed, " failed");
    if (!common_.empty()) absl::StrAppend(&text, ": ", absl::StrJoin(common_, ", "));
    if (!folder_.empty()) absl::StrAppend(&text, common_.empty() ? ": " : ", ", "models in ", EscapeControl(folder_));
    return text;
  }

  // "best" = the fastest of its work, "front" = no other row of the work beats it.
  std::string Mark(const SweepRow& row) const {
    const std::string work = WorkOf(row);
    if (work_.at(work) < 2) return "";
    if (front_.IsFastest(work, FiguresOf(row))) return "best";
    return front_.IsOn(work, FiguresOf(row)).value_or(false) ? "front" : "";
  }

  std::vector<std::string> Cells(const SweepRow& row) const {
    std::vector<std::string> cells = {Mark(row)};
    for (const Axis* axis : axes_) cells.push_back(axis == &kAxes[0] ? ModelText(row) : axis->text(row));
    for (const Figure& figure : kFigures) cells.push_back(figure.text(row));
    return cells;
  }

  // Failed points by what they say, with the first of them.
  struct Failure {
    std::string message, first;
    size_t count = 0;
  };
  std::vector<Failure> Failures() const {
    std::vector<Failure> failures;
    std::map<std::string, size_t> known;
    for (const SweepRow& row : rows_) {
      if (row.ok) continue;
      const auto [at, fresh] = known.try_emplace(absl::StrCat(row.code, ": ", row.message), failures.size());
      if (fresh) failures.push_back({EscapeControl(at->first), PointText(row)});
      ++failures[at->second].count;
    }
    return failures;
  }

  static std::string Legend() {
    return "best: no point with the same model and sizes is faster; front: none beats it in latency, energy and memory";
  }

 private:
  // Without the folder that the head line names.
  std::string ModelText(const SweepRow& row) const { return EscapeControl(row.model.substr(folder_.size())); }

  std::string PointText(const SweepRow& row) const {
    std::vector<std::string> words = {ModelText(row)};
    for (const Axis& axis : absl::MakeSpan(kAxes).subspan(1)) {
      if (!axis.text(row).empty()) words.push_back(absl::StrCat(axis.named, axis.text(row)));
    }
    return absl::StrJoin(words, ", ");
  }

  const std::vector<SweepRow>& rows_;
  const std::string folder_;
  ParetoFront front_;
  std::map<std::string, size_t> work_;  // rows of each
  std::vector<const Axis*> axes_;
  std::vector<std::string> common_;
  std::vector<size_t> shown_;
};

std::string SweepText(const std::vector<SweepRow>& rows, const ReportOptions& options) {
  const Overview overview(rows, options);
  std::vector<Column> columns = {{.title = "", .style = Style::kGood}};
  for (const Axis* axis : overview.axes()) columns.push_back({.title = axis->title, .squeeze = axis->squeeze});
  for (const Figure& figure : kFigures) columns.push_back({.title = figure.title, .align = Align::kRight});
  TextTable table(std::move(columns));
  bool marked = false;
  for (const size_t i : overview.shown()) {
    std::vector<std::string> cells = overview.Cells(rows[i]);
    marked |= !cells[0].empty();
    table.Add(std::move(cells));
  }
  std::string text = absl::StrCat(Paint(overview.Head(), Style::kBold, options.color), "\n");
  if (!table.empty()) absl::StrAppend(&text, "\n", table.Print(options));
  if (marked) absl::StrAppend(&text, "\n", Wrapped(Overview::Legend(), "  ", "  ", options));
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

std::string SweepMarkdown(const std::vector<SweepRow>& rows, const ReportOptions& options) {
  const Overview overview(rows, options);
  std::string text = absl::StrCat("# Sweep\n\n", MarkdownCell(overview.Head()), "\n");
  std::vector<std::string> titles = {""};
  std::string rule = "| --- |";
  for (const Axis* axis : overview.axes()) {
    titles.emplace_back(axis->title);
    absl::StrAppend(&rule, " --- |");
  }
  for (const Figure& figure : kFigures) {
    titles.emplace_back(figure.title);
    absl::StrAppend(&rule, " ---: |");
  }
  if (!overview.shown().empty()) absl::StrAppend(&text, "\n", MarkdownLine(titles), rule, "\n");
  for (const size_t i : overview.shown()) absl::StrAppend(&text, MarkdownLine(overview.Cells(rows[i])));
  absl::StrAppend(&text, "\n", MarkdownCell(Overview::Legend()), "\n");
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
  Document document;
  document.kind = ReportKind::kSweep;
  document.parts.push_back({"request", Cell{{"models", axes.models},
                                            {"targets", axes.targets},
                                            {"modes", axes.modes},
                                            {"precisions", axes.precisions},
                                            {"batches", NumbersCell(axes.batches)},
                                            {"dims", dims},
                                            {"sizes", NumbersCell(axes.sizes)},
                                            {"rewrite", axes.rewritten},
                                            {"shard", request.shard.has_value()
                                                          ? Cell(absl::StrCat(request.shard->index, "/", request.shard->count))
                                                          : Cell()}}});
  document.parts.push_back({"diagnostics", Cell::OfList()});
  Columns columns;
  for (const SweepColumn& column : SweepColumns()) columns.push_back({column.key});
  document.parts.push_back({"rows", CellTable{std::move(columns), rows.size(), [&rows](size_t i) {
                                                Cells cells;
                                                for (const SweepColumn& column : SweepColumns()) {
                                                  cells.push_back(column.get(rows[i]));
                                                }
                                                return cells;
                                              }}});
  document.tables = {"rows"};
  return document;
}

constexpr size_t kMostRows = 2000;  // of a page

std::string SweepPage(const std::vector<SweepRow>& rows, const ReportOptions& options) {
  ReportOptions shown = options;
  if (!shown.top.has_value() && rows.size() > kMostRows) shown.top = static_cast<int64_t>(kMostRows);
  const Overview overview(rows, shown);
  StillPage page("Sweep");
  page.Paragraph(overview.Head());
  page.Picture(DrawSweep(rows));
  std::vector<std::string> titles = {""};
  for (const Axis* axis : overview.axes()) titles.emplace_back(axis->title);
  for (const Figure& figure : kFigures) titles.emplace_back(figure.title);
  std::vector<std::vector<std::string>> cells;
  for (const size_t i : overview.shown()) cells.push_back(overview.Cells(rows[i]));
  if (!cells.empty()) {
    page.Heading(overview.shown().size() < rows.size() && shown.top.value_or(0) > 0
                     ? absl::StrCat("The ", overview.shown().size(), " fastest points") : std::string("Points"));
    page.Paragraph(Overview::Legend());
    page.Table(titles, cells);
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
  HWEST_ASSIGN_OR_RETURN(const std::string picture, RenderDrawing(DrawSweep(rows), format));
  return sink(picture);
}

absl::Status WriteLines(const std::vector<SweepRow>& rows, std::string (*line)(const SweepRow&), std::string head,
                        Sink sink) {
  for (const SweepRow& row : rows) {
    absl::StrAppend(&head, line(row));
    if (head.size() < 65536) continue;
    HWEST_RETURN_IF_ERROR(sink(head));
    head.clear();
  }
  return sink(head);
}

}  // namespace

absl::Status WriteSweep(const std::vector<SweepRow>& rows, const SweepRequest& request, const ReportOptions& options,
                        Sink sink) {
  switch (options.format) {
    case Format::kText:
      return sink(SweepText(rows, options));
    case Format::kMarkdown:
      return sink(SweepMarkdown(rows, options));
    case Format::kJson:
      return WriteDocument(SweepDocument(rows, request), options, sink);
    case Format::kJsonl:
      return WriteLines(rows, JsonLine, "", sink);
    case Format::kCsv:
      return WriteLines(rows, CsvLine, CsvHead(), sink);
    case Format::kSvg:
    case Format::kPng:
    case Format::kPdf:
      return WritePicture(rows, options.format, sink);
    case Format::kHtml:
      return sink(SweepPage(rows, options));
    default:
      return MakeError(Code::kUsage, absl::StrCat("format ", InfoOf(options.format).name, " cannot show a sweep"),
                       "use text, markdown, json, jsonl, csv, html, svg, png or pdf");
  }
}

}  // namespace hwest
