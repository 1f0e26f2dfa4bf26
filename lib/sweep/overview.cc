#include "sweep/overview.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/text.h"

namespace hwest {
namespace {

// What tells rows apart, as a column that is left out where all rows agree.
struct Axis {
  const char* title;
  const char* named;  // before its value in the head line; "" = the value speaks for itself
  Squeeze squeeze;
  std::string (*text)(const SweepRow& row);
};

std::string NumberText(const std::optional<int64_t>& number) { return number.has_value() ? absl::StrCat(*number) : ""; }

constexpr size_t kModel = 0, kTarget = 1;  // of the axes
constexpr Axis kAxes[] = {
    {"model", "", Squeeze::kShorten, [](const SweepRow& row) { return EscapeControl(row.model); }},
    {"target", "", Squeeze::kKeep, [](const SweepRow& row) { return EscapeControl(row.target); }},
    {"mode", "mode ", Squeeze::kShorten, [](const SweepRow& row) { return EscapeControl(row.mode.value_or("")); }},
    {"precision", "", Squeeze::kKeep, [](const SweepRow& row) { return EscapeControl(row.precision.value_or("")); }},
    {"batch", "batch ", Squeeze::kKeep, [](const SweepRow& row) { return NumberText(row.batch); }},
    {"dims", "", Squeeze::kKeep, [](const SweepRow& row) { return EscapeControl(DimsText(row.dims)); }},
    {"size", "size ", Squeeze::kKeep, [](const SweepRow& row) { return NumberText(row.size); }},
    {"form", "", Squeeze::kKeep, [](const SweepRow& row) { return std::string(row.rewritten ? "after rewrites" : ""); }},
};
constexpr size_t kLeastName = 14;  // that a narrow page leaves of one

// ">= " before what is only the least that it can be.
std::string AsBound(bool is_bound, const std::string& text, const char* sign = ">= ") {
  return is_bound ? absl::StrCat(sign, text) : text;
}

bool IsLeast(const SweepRow& row) { return row.summary.incomplete.value_or(false); }

std::string TextOf(const std::optional<double>& figure, const ColumnUnit& unit, bool is_bound,
                   const char* sign = ">= ") {
  return figure.has_value() ? AsBound(is_bound, FormatIn(unit, *figure), sign) : "unknown";
}

std::string IntervalText(const SweepRow& row, const ColumnUnit& unit) {
  const SummaryView& s = row.summary;
  if (!s.latency_low_s.has_value() || !s.latency_high_s.has_value()) return "unknown";
  return absl::StrCat(FormatIn(unit, *s.latency_low_s), " to ", FormatIn(unit, *s.latency_high_s));
}

std::optional<double> AsFigure(const std::optional<int64_t>& count) {
  return count.has_value() ? std::optional<double>(static_cast<double>(*count)) : std::nullopt;
}

// A figure as a column. Spare ones go first on a narrow page.
struct Figure {
  const char* title;
  Measure measure;
  uint8_t spare;
  std::string (*text)(const SweepRow& row, const ColumnUnit& unit);
};

constexpr uint8_t kSpareAxis = 4;  // between the figures
constexpr Figure kFigures[] = {
    {"latency", Measure::kSeconds, 0,
     [](const SweepRow& row, const ColumnUnit& unit) { return TextOf(row.summary.latency_s, unit, IsLeast(row)); }},
    {"80 % interval", Measure::kSeconds, 5, IntervalText},
    {"rate/s", Measure::kPlain, 1,
     [](const SweepRow& row, const ColumnUnit& unit) {
       return TextOf(row.summary.throughput_per_s, unit, IsLeast(row), "<= ");
     }},
    {"energy", Measure::kJoules, 2,
     [](const SweepRow& row, const ColumnUnit& unit) { return TextOf(row.summary.energy_j, unit, IsLeast(row)); }},
    {"power", Measure::kWatts, 6,
     [](const SweepRow& row, const ColumnUnit& unit) { return TextOf(row.summary.power_w, unit, false); }},
    {"memory", Measure::kBytes, 3,
     [](const SweepRow& row, const ColumnUnit& unit) {
       return TextOf(AsFigure(row.summary.peak_memory_bytes), unit, row.summary.bytes_partial);
     }},
    {"segments", Measure::kPlain, 7, [](const SweepRow& row, const ColumnUnit&) { return NumberText(row.segments); }},
    {"accelerated", Measure::kPlain, 8,
     [](const SweepRow& row, const ColumnUnit&) {
       return row.accelerated_macs_share.has_value() ? Percent(*row.accelerated_macs_share) : std::string("-");
     }},
};

// The units of each measure, in which every one of its figures is written.
std::array<ColumnUnit, kMeasures> UnitsOf(const std::vector<SweepRow>& rows) {
  std::array<std::vector<double>, kMeasures> figures;
  const auto add = [&](Measure measure, const std::optional<double>& figure) {
    if (figure.has_value()) figures[static_cast<size_t>(measure)].push_back(*figure);
  };
  for (const SweepRow& row : rows) {
    if (!row.ok) continue;
    add(Measure::kSeconds, row.summary.latency_s);
    add(Measure::kJoules, row.summary.energy_j);
    add(Measure::kWatts, row.summary.power_w);
    add(Measure::kBytes, AsFigure(row.summary.peak_memory_bytes));
  }
  std::array<ColumnUnit, kMeasures> units;
  for (size_t i = 0; i < kMeasures; ++i) units[i] = UnitOf(static_cast<Measure>(i), figures[i]);
  return units;
}

std::string FolderPart(const std::string& path) { return path.substr(0, path.rfind('/') + 1); }

// The folder that all paths lie in, with its slash.
std::string CommonFolder(const std::set<std::string>& paths) {
  // Of sorted texts the first and the last have in common what all have.
  const std::string &first = *paths.begin(), &last = *paths.rbegin();
  const auto common = std::mismatch(first.begin(), first.end(), last.begin(), last.end()).first;
  return FolderPart(std::string(first.begin(), common));
}

// Of each path the name of its file, or where two are equal all behind the common folder.
std::map<std::string, std::string> ShortPaths(const std::set<std::string>& paths, const std::string& folder) {
  std::set<std::string> names;
  for (const std::string& path : paths) names.insert(path.substr(FolderPart(path).size()));
  const bool are_told_apart = names.size() == paths.size();
  std::map<std::string, std::string> shown;
  for (const std::string& path : paths) {
    shown[path] = path.substr(are_told_apart ? FolderPart(path).size() : folder.size());
  }
  return shown;
}

}  // namespace

Overview::Overview(const std::vector<SweepRow>& rows, const ReportOptions& options)
    : rows_(rows), units_(UnitsOf(rows)) {
  std::set<std::string> paths;
  for (const SweepRow& row : rows) {
    paths.insert(row.model);
    if (row.ok) front_.Add(WorkOf(row), FiguresOf(row));
    if (row.ok) ++work_[WorkOf(row)];
  }
  if (paths.size() > 1) {
    folder_ = CommonFolder(paths);
    models_ = ShortPaths(paths, folder_);
  }
  ChooseAxes();
  ChooseRows(static_cast<size_t>(options.top.value_or(0)));
}

void Overview::ChooseAxes() {
  for (size_t i = 0; i < std::size(kAxes); ++i) {
    std::set<std::string> seen;
    for (const SweepRow& row : rows_) seen.insert(kAxes[i].text(row));
    if (seen.size() > 1) axes_.push_back(i);
    if (seen.size() == 1 && !seen.begin()->empty()) common_.push_back(absl::StrCat(kAxes[i].named, *seen.begin()));
  }
}

void Overview::ChooseRows(size_t top) {
  for (size_t i = 0; i < rows_.size(); ++i) {
    if (rows_[i].ok) shown_.push_back(i);
  }
  if (top == 0 || top >= shown_.size()) return;
  std::stable_sort(shown_.begin(), shown_.end(), [&](size_t a, size_t b) {
    return FiguresOf(rows_[a])[0].value_or(HUGE_VAL) < FiguresOf(rows_[b])[0].value_or(HUGE_VAL);
  });
  shown_.resize(top);
}

// Whether the target alone says what the axis is, as it does of a mode that was left to it.
bool Overview::TargetTells(size_t axis) const {
  if (axis <= kTarget) return false;
  std::map<std::string, std::string> known;
  return std::all_of(rows_.begin(), rows_.end(), [&](const SweepRow& row) {
    if (!row.ok) return true;
    const std::string text = kAxes[axis].text(row);
    return known.try_emplace(row.target, text).first->second == text;
  });
}

std::string Overview::Head() const {
  const auto failed = std::count_if(rows_.begin(), rows_.end(), [](const SweepRow& row) { return !row.ok; });
  std::string text = absl::StrCat(rows_.size(), rows_.size() == 1 ? " point" : " points");
  if (failed > 0) absl::StrAppend(&text, ", ", failed, " failed");
  if (!common_.empty()) absl::StrAppend(&text, ": ", absl::StrJoin(common_, ", "));
  if (!folder_.empty()) absl::StrAppend(&text, common_.empty() ? ": " : ", ", "models in ", EscapeControl(folder_));
  return text;
}

std::string Overview::Legend() {
  return "best: no point with the same model and sizes is faster; front: none beats it in latency, energy and memory";
}

std::vector<Column> Overview::Columns() const {
  std::vector<Column> columns = {{.title = "", .style = Style::kGood}};
  for (const size_t i : axes_) {
    columns.push_back({.title = kAxes[i].title,
                       .squeeze = kAxes[i].squeeze,
                       .least = kLeastName,
                       .spare = TargetTells(i) ? kSpareAxis : uint8_t{0}});
  }
  for (const Figure& figure : kFigures) {
    const char* unit = units_[static_cast<size_t>(figure.measure)].name;
    columns.push_back({.title = absl::StrCat(figure.title, *unit == '\0' ? "" : " ", unit),
                       .align = Align::kRight,
                       .spare = figure.spare});
  }
  return columns;
}

std::vector<std::string> Overview::Titles() const {
  std::vector<std::string> titles;
  for (Column& column : Columns()) titles.push_back(std::move(column.title));
  return titles;
}

std::vector<std::string> Overview::Cells(const SweepRow& row) const {
  std::vector<std::string> cells = {Mark(row)};
  for (const size_t i : axes_) cells.push_back(i == kModel ? ModelText(row) : kAxes[i].text(row));
  for (const Figure& figure : kFigures) cells.push_back(figure.text(row, units_[static_cast<size_t>(figure.measure)]));
  return cells;
}

std::vector<Overview::Failure> Overview::Failures() const {
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

std::string Overview::Mark(const SweepRow& row) const {
  const std::string work = WorkOf(row);
  if (work_.at(work) < 2) return "";
  if (front_.IsFastest(work, FiguresOf(row))) return "best";
  return front_.IsOn(work, FiguresOf(row)).value_or(false) ? "front" : "";
}

std::string Overview::ModelText(const SweepRow& row) const {
  const auto known = models_.find(row.model);
  return EscapeControl(known == models_.end() ? row.model : known->second);
}

std::string Overview::PointText(const SweepRow& row) const {
  std::vector<std::string> words = {ModelText(row)};
  for (size_t i = kModel + 1; i < std::size(kAxes); ++i) {
    if (const std::string text = kAxes[i].text(row); !text.empty()) words.push_back(absl::StrCat(kAxes[i].named, text));
  }
  return absl::StrJoin(words, ", ");
}

}  // namespace hwest
