// Explorations as text, tables, a picture and a page.
#include <algorithm>
#include <cmath>
#include <functional>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "base/enumerators.h"
#include "base/status_macros.h"
#include "base/text.h"
#include "explore/chart.h"
#include "explore/explore.h"
#include "plan/operator_class.h"
#include "report/chart.h"
#include "report/document.h"
#include "report/still_page.h"
#include "report/text_parts.h"
#include "report/text_table.h"
#include "report/writers.h"

namespace hwest {
namespace {

constexpr size_t kFrontInText = 20;   // of the Pareto set in text
constexpr size_t kLayersInText = 10;  // likewise
constexpr size_t kMostClasses = 3;    // columns beside latency and energy
constexpr char kUnknown[] = "unknown";

std::string AreaText(std::optional<double> mm2) {
  return mm2.has_value() ? absl::StrFormat("%.3g mm2", *mm2) : kUnknown;
}
std::string JoulesText(std::optional<double> joules) { return joules.has_value() ? FormatJoules(*joules) : kUnknown; }
std::string WattsText(std::optional<double> watts) {
  return watts.has_value() ? absl::StrFormat("%.3g W", *watts) : kUnknown;
}
std::string SlopeText(std::optional<double> slope) {
  if (!slope.has_value()) return "-";
  return std::abs(*slope) < 0.005 ? "0" : absl::StrFormat("%+.2f", *slope);
}
std::string Counted(size_t count, absl::string_view what) {
  return absl::StrCat(count, " ", what, count == 1 ? "" : "s");
}

std::string HeadText(const Exploration& found) {
  return absl::StrCat(EscapeControl(found.target), ": ",
                      found.points.size() < found.size
                          ? absl::StrCat(found.points.size(), " of ", Counted(found.size, "point"))
                          : Counted(found.size, "point"),
                      " of ", Counted(found.figures.size(), "figure"), ", ", Counted(found.models.size(), "model"),
                      ", best by ", ExploreForName(found.objective),
                      found.constraint.empty() ? "" : absl::StrCat(" with ", EscapeControl(found.constraint)));
}

struct TableOfTexts {
  std::vector<Column> columns;
  std::vector<std::vector<std::string>> rows;

  std::vector<std::string> Titles() const {
    std::vector<std::string> titles;
    for (const Column& column : columns) titles.push_back(column.title);
    return titles;
  }
  std::string Print(const ReportOptions& options) const {
    TextTable table(columns);
    for (const std::vector<std::string>& row : rows) table.Add(row);
    return table.Print(options);
  }
};

Column Right(std::string title, uint8_t spare = 0) {
  return {.title = std::move(title), .align = Align::kRight, .spare = spare};
}

// The best point beside the target as it is.
TableOfTexts BestTable(const Exploration& found) {
  TableOfTexts table;
  table.columns = {{.title = ""}, Right("best"), Right("as it is")};
  const ExplorePoint& base = found.base;
  const ExplorePoint* best = found.best.has_value() ? &found.points[*found.best] : nullptr;
  const auto add = [&](std::string name, const std::function<std::string(const ExplorePoint&)>& text) {
    table.rows.push_back(
        {std::move(name), best != nullptr ? text(*best) : "-", base.ok() ? text(base) : std::string(kUnknown)});
  };
  for (size_t i = 0; i < found.figures.size(); ++i) {
    const Settable& figure = found.figures[i];
    table.rows.push_back({figure.path, best != nullptr ? ValueText(figure, best->values[i]) : "-",
                          figure.value.has_value() ? ValueText(figure, *figure.value) : "not stated"});
  }
  const bool several = found.models.size() > 1;
  add(several ? "latency, geometric mean" : "latency",
      [](const ExplorePoint& point) { return FormatSeconds(point.geomean_latency_s); });
  if (several) add("latency, slowest", [](const ExplorePoint& point) { return FormatSeconds(point.worst_latency_s); });
  add(several ? "energy, geometric mean" : "energy",
      [](const ExplorePoint& point) { return JoulesText(point.geomean_energy_j); });
  add("power", [](const ExplorePoint& point) { return WattsText(point.power_w); });
  add("area", [](const ExplorePoint& point) { return AreaText(point.area_mm2); });
  return table;
}

std::vector<const ExplorePoint*> FrontOf(const Exploration& found) {
  std::vector<const ExplorePoint*> front;
  for (const ExplorePoint& point : found.points) {
    if (point.pareto) front.push_back(&point);
  }
  std::stable_sort(front.begin(), front.end(), [](const ExplorePoint* a, const ExplorePoint* b) {
    return a->geomean_latency_s < b->geomean_latency_s;
  });
  return front;
}

TableOfTexts FrontTable(const Exploration& found, size_t most) {
  TableOfTexts table;
  for (const Settable& figure : found.figures) table.columns.push_back(Right(figure.path));
  table.columns.push_back(Right("latency"));
  if (found.models.size() > 1) table.columns.push_back(Right("slowest", 3));
  table.columns.push_back(Right("energy"));
  table.columns.push_back(Right("power", 2));
  table.columns.push_back(Right("area", 1));
  for (const ExplorePoint* point : FrontOf(found)) {
    if (table.rows.size() == most) break;
    std::vector<std::string> cells;
    for (size_t i = 0; i < found.figures.size(); ++i) {
      cells.push_back(ValueText(found.figures[i], point->values[i]));
    }
    cells.push_back(FormatSeconds(point->geomean_latency_s));
    if (found.models.size() > 1) cells.push_back(FormatSeconds(point->worst_latency_s));
    cells.push_back(JoulesText(point->geomean_energy_j));
    cells.push_back(WattsText(point->power_w));
    cells.push_back(AreaText(point->area_mm2));
    table.rows.push_back(std::move(cells));
  }
  return table;
}

// The classes that take most time, in the order of the first figure.
std::vector<std::string> ClassesShown(const Exploration& found, size_t most) {
  std::vector<std::string> classes;
  for (const Sensitivity& row : found.sensitivities) {
    for (const auto& [name, slope] : row.classes) {
      const bool is_known = std::find(classes.begin(), classes.end(), name) != classes.end();
      if (!is_known && classes.size() < most) classes.push_back(name);
    }
  }
  return classes;
}

std::string ClassText(const std::string& name) {
  const std::string text = OperatorClassText(absl::StrCat(name, ".m"));
  return text.substr(0, text.rfind(", "));
}

TableOfTexts SensitivityTable(const Exploration& found, size_t most_classes) {
  TableOfTexts table;
  table.columns = {{.title = "figure"}, Right("latency"), Right("energy")};
  const std::vector<std::string> classes = ClassesShown(found, most_classes);
  for (const std::string& name : classes) table.columns.push_back(Right(ClassText(name), 1));
  for (const Sensitivity& row : found.sensitivities) {
    std::vector<std::string> cells = {row.path, SlopeText(row.latency), SlopeText(row.energy)};
    for (const std::string& name : classes) {
      const auto at =
          std::find_if(row.classes.begin(), row.classes.end(), [&](const auto& one) { return one.first == name; });
      cells.push_back(at == row.classes.end() ? "-" : SlopeText(at->second));
    }
    table.rows.push_back(std::move(cells));
  }
  return table;
}

TableOfTexts LayerTable(const Exploration& found, size_t most) {
  TableOfTexts table;
  const bool several = found.models.size() > 1;
  table.columns = {{.title = "layer", .squeeze = Squeeze::kShorten, .least = 30}};
  if (several) table.columns.push_back({.title = "model", .squeeze = Squeeze::kShorten, .least = 8, .spare = 2});
  table.columns.push_back({.title = "what", .squeeze = Squeeze::kCut, .least = 10, .spare = 1});
  table.columns.push_back(Right("as it is"));
  table.columns.push_back(Right("best"));
  table.columns.push_back({.title = "bound"});
  for (const LayerChange& row : found.layers) {
    if (table.rows.size() == most) break;
    std::vector<std::string> cells = {EscapeControl(row.layer)};
    if (several) cells.push_back(EscapeControl(row.model.substr(row.model.rfind('/') + 1)));
    cells.push_back(EscapeControl(row.what));
    cells.push_back(FormatSeconds(row.base_s));
    cells.push_back(FormatSeconds(row.best_s));
    cells.push_back(row.base_bound == row.best_bound ? row.best_bound
                                                     : absl::StrCat(row.base_bound, ", now ", row.best_bound));
    table.rows.push_back(std::move(cells));
  }
  return table;
}

std::string FrontTitle(const Exploration& found) {
  return absl::StrCat("Pareto set: ", Counted(FrontOf(found).size(), "point"),
                      " that no other beats in all of latency, energy and area");
}
constexpr char kSensitivityTitle[] =
    "Sensitivities at the best point: by how many per cent latency and energy change where a figure grows by 1 %";
constexpr char kLayerTitle[] = "Layers whose time changes most";

std::string SectionText(absl::string_view title, const TableOfTexts& table, const ReportOptions& options) {
  if (table.rows.empty()) return "";
  std::string text = "\n";
  for (const std::string& line : WrapText(title, LineWidth(options))) {
    absl::StrAppend(&text, Paint(line, Style::kBold, options.color), "\n");
  }
  return absl::StrCat(text, table.Print(options));
}

std::string ExploreText(const Exploration& found, const ReportOptions& options) {
  const auto most = [&](size_t usual) {
    if (!options.top.has_value()) return usual;
    return *options.top == 0 ? found.points.size() + found.layers.size() : static_cast<size_t>(*options.top);
  };
  std::string text;
  for (const std::string& line : WrapText(HeadText(found), LineWidth(options))) {
    absl::StrAppend(&text, Paint(line, Style::kBold, options.color), "\n");
  }
  absl::StrAppend(&text, "\n", BestTable(found).Print(options));
  absl::StrAppend(&text, SectionText(FrontTitle(found), FrontTable(found, most(kFrontInText)), options));
  absl::StrAppend(&text, SectionText(kSensitivityTitle, SensitivityTable(found, kMostClasses), options));
  absl::StrAppend(&text, SectionText(kLayerTitle, LayerTable(found, most(kLayersInText)), options));
  if (found.notes.empty()) return text;
  absl::StrAppend(&text, "\n", Paint("Notes", Style::kBold, options.color), "\n");
  for (const Diagnostic& note : found.notes) {
    absl::StrAppend(
        &text, Wrapped(EscapeControl(absl::StrCat(note.message, note.remedy.empty() ? "" : ": ", note.remedy)), "  - ",
                       "    ", options));
  }
  return text;
}

Cell SetOf(const Exploration& found, const ExplorePoint& point) {
  Cell set = Cell::OfObject();
  for (size_t i = 0; i < found.figures.size(); ++i) {
    const double value = point.values[i];
    const auto whole = static_cast<int64_t>(value);
    set.Set(found.figures[i].path, static_cast<double>(whole) == value ? Cell(whole) : Cell(value));
  }
  return set;
}

Cell ByModel(const Exploration& found, const std::vector<double>& figures) {
  if (figures.empty()) return Cell();
  Cell cell = Cell::OfObject();
  for (size_t m = 0; m < figures.size(); ++m) cell.Set(found.models[m], figures[m]);
  return cell;
}

const std::vector<std::string>& PointKeys() {
  static const auto* const keys = new std::vector<std::string>{"set",
                                                               "latency_s",
                                                               "energy_j",
                                                               "geomean_latency_s",
                                                               "worst_latency_s",
                                                               "geomean_energy_j",
                                                               "worst_energy_j",
                                                               "power_w",
                                                               "area_mm2",
                                                               "keeps",
                                                               "pareto",
                                                               "message"};
  return *keys;
}

Cells PointCells(const Exploration& found, const ExplorePoint& point) {
  const auto if_ok = [&](double figure) { return point.ok() ? Cell(figure) : Cell(); };
  return {SetOf(found, point),
          ByModel(found, point.latency_s),
          ByModel(found, point.energy_j),
          if_ok(point.geomean_latency_s),
          if_ok(point.worst_latency_s),
          Cell(point.geomean_energy_j),
          Cell(point.worst_energy_j),
          Cell(point.power_w),
          Cell(point.area_mm2),
          Cell(point.keeps),
          Cell(point.pareto),
          point.ok() ? Cell() : Cell(point.message)};
}

Cell PointObject(const Exploration& found, const ExplorePoint& point) {
  Cell object = Cell::OfObject();
  Cells cells = PointCells(found, point);
  for (size_t i = 0; i < cells.size(); ++i) object.Set(PointKeys()[i], std::move(cells[i]));
  return object;
}

Cell Slopes(const std::vector<std::pair<std::string, double>>& classes) {
  Cell cell = Cell::OfObject();
  for (const auto& [name, slope] : classes) cell.Set(name, slope);
  return cell;
}

Document ExploreDocument(const Exploration& found) {
  constexpr absl::string_view kSearches[] = {"grid", "anneal"};
  static_assert(std::size(kSearches) == kNumEnumerators<SearchBy>);
  Document document;
  document.kind = ReportKind::kExplore;
  Cell vary = Cell::OfObject();
  for (const Settable& figure : found.figures) vary.Set(figure.path, figure.measure);
  document.parts.push_back({"request", Cell{{"target", found.target},
                                            {"models", found.models},
                                            {"vary", vary},
                                            {"objective", ExploreForName(found.objective)},
                                            {"constraint", NonEmpty(found.constraint)},
                                            {"search", std::string(kSearches[static_cast<size_t>(found.search)])},
                                            {"process_nm", Cell(found.process_nm)},
                                            {"size", found.size}}});
  document.parts.push_back({"diagnostics", TableOfRows(found.notes)});
  document.parts.push_back({"base", PointObject(found, found.base)});
  document.parts.push_back({"best", found.best.has_value() ? PointObject(found, found.points[*found.best]) : Cell()});
  document.parts.push_back({"points", CellTable{TableOfCells(PointKeys(), {}).columns, found.points.size(),
                                                [&found](size_t i) { return PointCells(found, found.points[i]); }}});
  std::vector<Cells> slopes, layers;
  for (const Sensitivity& row : found.sensitivities) {
    slopes.push_back({row.path, Cell(row.latency), Cell(row.energy), Slopes(row.classes)});
  }
  document.parts.push_back(
      {"sensitivities", TableOfCells({"path", "latency", "energy", "classes"}, std::move(slopes))});
  for (const LayerChange& row : found.layers) {
    layers.push_back({row.model, row.layer, row.what, row.base_s, row.best_s, row.base_bound, row.best_bound});
  }
  document.parts.push_back(
      {"layers",
       TableOfCells({"model", "layer", "what", "base_s", "best_s", "base_bound", "best_bound"}, std::move(layers))});
  document.tables = {"points", "sensitivities", "layers"};
  return document;
}

std::string ExplorePage(const Exploration& found) {
  constexpr size_t kMostOnPage = 500, kClassesOnPage = 8;
  StillPage page(absl::StrCat("Exploration of ", found.target));
  page.Paragraph(HeadText(found));
  const auto add = [&](absl::string_view title, const TableOfTexts& table) {
    if (table.rows.empty()) return;
    page.Heading(title);
    page.Table(table.Titles(), table.rows);
  };
  add("Best point", BestTable(found));
  page.Heading("Trade-off");
  page.Picture(DrawExploration(found));
  add(FrontTitle(found), FrontTable(found, kMostOnPage));
  add(kSensitivityTitle, SensitivityTable(found, kClassesOnPage));
  add(kLayerTitle, LayerTable(found, found.layers.size()));
  page.Heading("Notes");
  for (const Diagnostic& note : found.notes) {
    page.Paragraph(absl::StrCat(note.message, note.remedy.empty() ? "" : ": ", note.remedy));
  }
  return page.Finish();
}

}  // namespace

absl::Status WriteExploration(const Exploration& found, const ReportOptions& options, Sink sink) {
  HWEST_RETURN_IF_ERROR(CheckFormat(ReportKind::kExplore, options.format));
  switch (options.format) {
    case Format::kText: return sink(ExploreText(found, options));
    case Format::kHtml: return sink(ExplorePage(found));
    case Format::kSvg: return sink(DrawExploration(found).Svg());
    default: return WriteDocument(ExploreDocument(found), options, sink);
  }
}

}  // namespace hwest
