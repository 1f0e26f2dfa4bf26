#include "app/width.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "app/watching.h"
#include "base/status_macros.h"
#include "base/text.h"
#include "chart/axis.h"
#include "chart/drawing.h"
#include "import/import.h"
#include "report/chart.h"
#include "report/document.h"
#include "report/still_page.h"
#include "report/text_parts.h"
#include "report/text_table.h"
#include "report/writers.h"

namespace hwest::app {
namespace {

constexpr int64_t kRowsShown = 20;
constexpr size_t kStaircasesDrawn = 9;
constexpr size_t kTiedNamed = 3;
constexpr double kWidthPage = 1200;

double TimeOf(const WidthRow& row) { return row.time_s.value_or(-1); }

// The rows that take most time first.
std::vector<const WidthRow*> ByTime(const WidthReport& report) {
  std::vector<const WidthRow*> rows;
  for (const WidthRow& row : report.rows) rows.push_back(&row);
  std::stable_sort(rows.begin(), rows.end(),
                   [](const WidthRow* a, const WidthRow* b) { return TimeOf(*a) > TimeOf(*b); });
  return rows;
}

// JSON

CellTable LayerTable(const WidthReport& report) {
  std::vector<Cells> rows;
  const auto of = [](const std::optional<WidthChange>& change, auto member) {
    return change.has_value() ? Cell((*change).*member) : Cell();
  };
  for (const WidthRow& row : report.rows) {
    rows.push_back({row.layer, row.op, row.set < 0 ? Cell() : Cell(row.set), row.unit.empty() ? Cell() : Cell(row.unit),
                    row.width, row.time_s, row.share, row.filled, row.waste, of(row.smaller, &WidthChange::width),
                    of(row.smaller, &WidthChange::saving_s), of(row.larger, &WidthChange::width),
                    of(row.larger, &WidthChange::saving_s), of(row.asked, &WidthChange::width),
                    of(row.asked, &WidthChange::saving_s), row.tied, row.readers,
                    row.fixed.empty() ? Cell() : Cell(row.fixed)});
  }
  return TableOfCells(
      {"layer", "op", "set", "unit", "width", "time_s", "share", "filled", "waste", "smaller", "smaller_saving_s",
       "larger", "larger_saving_s", "asked", "asked_saving_s", "tied", "readers", "fixed"},
      std::move(rows));
}

Cell EditsCell(const std::vector<WidthEdit>& edits) {
  Cell list = Cell::OfList();
  for (const WidthEdit& edit : edits) {
    Cell dims = Cell::OfList();
    for (const int64_t dim : edit.dims) dims.push_back(dim);
    list.push_back(Cell{{"name", edit.name},
                        {"attribute", edit.attribute.empty() ? Cell() : Cell(edit.attribute)},
                        {"dims", std::move(dims)},
                        {"reader", edit.reader.empty() ? Cell() : Cell(edit.reader)},
                        {"operand", edit.reader.empty() ? Cell() : Cell(edit.operand)}});
  }
  return list;
}

CellTable ChangeTable(const WidthReport& report) {
  std::vector<Cells> rows;
  std::vector<std::pair<int64_t, int64_t>> seen;
  for (const WidthRow& row : report.rows) {
    for (const auto* change : {&row.smaller, &row.larger, &row.asked}) {
      if (!change->has_value()) continue;
      const std::pair<int64_t, int64_t> key(row.set, (*change)->width);
      if (std::find(seen.begin(), seen.end(), key) != seen.end()) continue;
      seen.push_back(key);
      const WidthChange& made = **change;
      rows.push_back({row.set, row.layer, made.width, made.latency_s, made.saving_s, made.energy_j, made.macs,
                      made.params, EditsCell(made.edits)});
    }
  }
  return TableOfCells({"set", "layer", "width", "latency_s", "saving_s", "energy_j", "macs", "params", "edits"},
                      std::move(rows));
}

CellTable StaircaseTable(const WidthReport& report) {
  std::vector<Cells> rows;
  for (const WidthRow& row : report.rows) {
    if (row.staircase.empty()) continue;
    Cell widths = Cell::OfList(), times = Cell::OfList();
    for (const WidthPoint& point : row.staircase) {
      widths.push_back(point.width);
      times.push_back(point.time_s);
    }
    rows.push_back({row.set, row.layer, std::move(widths), std::move(times)});
  }
  return TableOfCells({"set", "layer", "widths", "times_s"}, std::move(rows));
}

CellTable BestTable(const WidthReport& report) {
  std::vector<Cells> rows;
  for (const WidthGain& gain : BestWidths(report)) {
    rows.push_back({gain.layers, gain.from, gain.to, gain.latency_s, gain.saving_s, gain.is_free});
  }
  return TableOfCells({"layers", "from", "to", "latency_s", "saving_s", "is_free"}, std::move(rows));
}

Document WidthDocument(const WidthResult& result, const View& view) {
  Document document = HeadOf(ReportKind::kWidth, view);
  auto& parts = document.parts;
  parts.push_back({"totals", Cell{{"latency_s", result.report.latency_s}, {"waste_share", result.report.waste_share}}});
  parts.push_back({"layers", LayerTable(result.report)});
  parts.push_back({"best", BestTable(result.report)});
  parts.push_back({"changes", ChangeTable(result.report)});
  parts.push_back({"staircases", StaircaseTable(result.report)});
  document.tables = {"layers", "best"};
  return document;
}

// Text

std::string ChangeText(const std::optional<WidthChange>& change, double latency_s) {
  if (!change.has_value()) return "";
  const bool saves = change->saving_s > 0;
  const double seconds = saves ? change->saving_s : -change->saving_s;
  if (seconds < 1e-4 * latency_s) return absl::StrCat(change->width, ": no change");
  return absl::StrCat(change->width, saves ? ": saves " : ": costs ", Percent(seconds / latency_s));
}

std::string TiedText(const WidthRow& row) {
  std::string text;
  for (size_t i = 0; i < row.tied.size() && i < kTiedNamed; ++i) absl::StrAppend(&text, i > 0 ? ", " : "", row.tied[i]);
  if (row.tied.size() > kTiedNamed) absl::StrAppend(&text, " and ", row.tied.size() - kTiedNamed, " more");
  return text;
}

std::vector<Column> ColumnsOfLayers(bool has_asked) {
  std::vector<Column> columns = {{.title = "layer", .squeeze = Squeeze::kShorten},
                                 {.title = "width", .align = Align::kRight},
                                 {.title = "time", .align = Align::kRight},
                                 {.title = "share", .align = Align::kRight},
                                 {.title = "wasted", .align = Align::kRight},
                                 {.title = "next smaller"},
                                 {.title = "next larger"}};
  if (has_asked) columns.push_back({.title = "asked"});
  columns.push_back({.title = "changes with", .squeeze = Squeeze::kCut, .spare = 1});
  return columns;
}

std::vector<std::string> LayerCells(const WidthRow& row, double latency_s, bool has_asked) {
  std::vector<std::string> cells = {EscapeControl(row.layer),
                                    absl::StrCat(row.width),
                                    row.time_s.has_value() ? FormatSeconds(*row.time_s) : "unknown",
                                    row.share.has_value() ? Percent(*row.share) : "",
                                    row.waste.has_value() ? Percent(*row.waste) : "",
                                    ChangeText(row.smaller, latency_s),
                                    ChangeText(row.larger, latency_s)};
  if (has_asked) cells.push_back(ChangeText(row.asked, latency_s));
  cells.push_back(EscapeControl(TiedText(row)));
  return cells;
}

std::string LayersText(const WidthReport& report, const ReportOptions& options) {
  const bool has_asked =
      std::any_of(report.rows.begin(), report.rows.end(), [](const WidthRow& row) { return row.asked.has_value(); });
  TextTable table(ColumnsOfLayers(has_asked));
  const int64_t most = options.top.value_or(kRowsShown);
  int64_t shown = 0, left_out = 0;
  for (const WidthRow* row : ByTime(report)) {
    if (row->set < 0) continue;
    if (most > 0 && shown == most) {
      ++left_out;
      continue;
    }
    ++shown;
    table.Add(LayerCells(*row, report.latency_s, has_asked));
  }
  if (table.empty()) return "";
  const std::string more =
      left_out > 0 ? absl::StrCat("  and ", left_out, left_out == 1 ? " layer" : " layers", " more: --top 0\n") : "";
  return absl::StrCat("\n", table.Print(options), more);
}

std::string FixedText(const WidthReport& report, const ReportOptions& options) {
  TextTable table({{.title = "cannot change", .squeeze = Squeeze::kShorten},
                   {.title = "width", .align = Align::kRight},
                   {.title = "share", .align = Align::kRight},
                   {.title = "because", .squeeze = Squeeze::kWrap}});
  const int64_t most = options.top.value_or(kRowsShown / 2);
  int64_t shown = 0, left_out = 0;
  for (const WidthRow* row : ByTime(report)) {
    if (row->set >= 0 && (row->fixed.empty() || row->asked.has_value())) continue;
    if (most > 0 && shown == most) {
      ++left_out;
      continue;
    }
    ++shown;
    table.Add({EscapeControl(row->layer), absl::StrCat(row->width), row->share.has_value() ? Percent(*row->share) : "",
               EscapeControl(row->fixed)});
  }
  if (table.empty()) return "";
  const std::string more =
      left_out > 0 ? absl::StrCat("  and ", left_out, left_out == 1 ? " layer" : " layers", " more: --top 0\n") : "";
  return absl::StrCat("\n", table.Print(options), more);
}

std::string TotalsText(const WidthReport& report) {
  int64_t steps = 0;
  for (const WidthRow& row : report.rows) steps += row.smaller.has_value() || row.filled.has_value() ? 1 : 0;
  if (steps == 0) {
    return "No step: the time of every layer follows its channels, one by one. Fewer channels save in proportion.";
  }
  return absl::StrCat(Percent(report.waste_share),
                      " of the latency goes to lanes that no channel fills. Savings are of "
                      "the latency, ",
                      FormatSeconds(report.latency_s), ", with all that changes with the layer.");
}

std::string WidthText(const WidthResult& result, const View& view, const ReportOptions& options) {
  std::string text = absl::StrCat(HeaderText(view, options), "\n", Wrapped(TotalsText(result.report), "", "", options),
                                  LayersText(result.report, options), FixedText(result.report, options));
  absl::StrAppend(
      &text, "\n",
      Wrapped("`--layer NAME --at N` says what a layer takes at another width, `--output widths.html` shows "
              "the steps.",
              "", "", options));
  return text;
}

// Pictures

std::string ChannelsText(double channels) { return absl::StrFormat("%.0f", channels); }

class Staircases {
 public:
  Staircases(const WidthReport& report, const std::string& title)
      : drawing_(kWidthPage, title,
                 {"time of the kernels of a layer and all that change with it, by its channels; "
                  "dashed: the width now"}) {
    std::vector<const WidthRow*> rows;
    for (const WidthRow* row : ByTime(report)) {
      if (!row->staircase.empty() && rows.size() < kStaircasesDrawn) rows.push_back(row);
    }
    for (size_t i = 0; i < rows.size(); ++i) DrawOne(*rows[i], i);
    if (!rows.empty()) drawing_.y += kRow;
  }
  Drawing Draw() && { return std::move(drawing_); }

 private:
  static constexpr size_t kColumns = 3;
  static constexpr double kHeight = 150, kRow = kHeight + 90;

  void DrawOne(const WidthRow& row, size_t index) {
    if (index > 0 && index % kColumns == 0) drawing_.y += kRow;
    const double across = (kWidthPage - 2 * Drawing::kMargin) / static_cast<double>(kColumns);
    const Plot plot = {.left = Drawing::kMargin + across * static_cast<double>(index % kColumns) + 75,
                       .top = drawing_.y + 30,
                       .width = across - 100,
                       .height = kHeight};
    double most_s = 0;
    for (const WidthPoint& point : row.staircase) most_s = std::max(most_s, point.time_s);
    constexpr int kTicks = 4;
    const Axis x = Axis::Linear(static_cast<double>(row.staircase.back().width), plot.Across(), kTicks);
    const Axis y = Axis::Linear(most_s, plot.Up(), kTicks);
    DrawAxisAtLeft(plot, y, FormatSeconds, "", &drawing_);
    DrawAxisBelow(plot, x, ChannelsText, "output channels", &drawing_);
    drawing_.Text(plot.left, plot.top - 12, Shortened(row.layer));
    const Tint tint = TintAt(0);
    for (size_t i = 1; i < row.staircase.size(); ++i) {
      const WidthPoint &from = row.staircase[i - 1], &to = row.staircase[i];
      drawing_.Line(x.At(static_cast<double>(from.width)), y.At(from.time_s), x.At(static_cast<double>(to.width)),
                    y.At(to.time_s), tint.line, {.width = 1.5});
    }
    const double now = x.At(static_cast<double>(row.width));
    drawing_.Line(now, plot.bottom(), now, plot.top, kInk, {.is_dashed = true});
  }

  static std::string Shortened(const std::string& name) {
    constexpr size_t kLetters = 44;
    return Shorten(EscapeControl(name), kLetters);
  }

  Drawing drawing_;
};

std::string TitleOf(const View& view) {
  return absl::StrCat("Widths of ", view.request.model, " on ", view.request.target.value_or(""));
}

std::string WidthPage(const WidthResult& result, const View& view) {
  StillPage page(TitleOf(view));
  page.Paragraph(TotalsText(result.report));
  page.Picture(Staircases(result.report, TitleOf(view)).Draw());
  std::vector<std::vector<std::string>> rows, fixed;
  for (const WidthRow* row : ByTime(result.report)) {
    if (row->set >= 0) rows.push_back(LayerCells(*row, result.report.latency_s, false));
    if (row->set < 0) fixed.push_back({row->layer, absl::StrCat(row->width), row->fixed});
  }
  std::vector<std::string> titles;
  for (const Column& column : ColumnsOfLayers(false)) titles.push_back(column.title);
  page.Heading("Layers");
  page.Table(titles, rows);
  if (!fixed.empty()) {
    page.Heading("Layers that cannot change");
    page.Table({"layer", "width", "because"}, fixed);
  }
  return page.Finish();
}

}  // namespace

absl::StatusOr<WidthResult> Width(const LoadedModel& model, const RequestDraft& draft, const WidthOptions& options,
                                  const Watch& watch) {
  if (draft.target.empty() && draft.loaded == nullptr) {
    return MakeError(Code::kUsage, "no target was named", "add --target NAME (`onnx-hwest targets` lists them)",
                     {{"--target", {"NAME"}}, "`onnx-hwest targets`"});
  }
  const bool is_kept = model.bytes.data() != nullptr;
  if (!is_kept && (model.source.path.empty() || model.source.path == "-")) {
    return MakeError(Code::kUsage, "the model cannot be read again", "give it as a file");
  }
  HWEST_ASSIGN_OR_RETURN(const AnalysisRequest request, RequestFor(draft, *model.graph));
  HWEST_ASSIGN_OR_RETURN(Analysis analysis, hwest::Analyze(model.graph, request));
  WidthResult result{.analysis = std::make_shared<const Analysis>(std::move(analysis)), .report = {}};
  const auto read = [&]() {
    return is_kept ? ReadModelMemory(model.bytes, model.name, model.source.limits.read)
                   : ReadModelFile(model.source.path, model.source.limits.read);
  };
  HWEST_ASSIGN_OR_RETURN(result.report,
                         WidthsOf(*result.analysis, read, model.source.limits, options, StepsOf(watch), watch.stop));
  return result;
}

absl::Status WriteWidth(const WidthResult& result, const ReportOptions& options, Sink sink) {
  HWEST_RETURN_IF_ERROR(CheckFormat(ReportKind::kWidth, options.format));
  const View view = MakeView(*result.analysis, {.model_path = options.model_path});
  switch (options.format) {
    case Format::kText: return sink(WidthText(result, view, options));
    case Format::kHtml: return sink(WidthPage(result, view));
    case Format::kSvg:
    case Format::kPng:
    case Format::kPdf: {
      const Drawing drawing = Staircases(result.report, TitleOf(view)).Draw();
      HWEST_ASSIGN_OR_RETURN(const std::string picture, PictureBytes(WithDarkScheme(drawing.Svg()), options.format));
      return sink(picture);
    }
    default: return WriteDocument(WidthDocument(result, view), options, sink);
  }
}

}  // namespace hwest::app
