#include "sweep/overview.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "absl/types/span.h"
#include "base/text.h"
#include "report/writers.h"
#include "sweep/columns.h"
#include "sweep/language.h"

namespace hwest {
namespace {

// A setting that distinguishes rows; its column is left out where all rows agree.
struct SweptAxis {
  const char* title;
  const char* named;  // its name in the head line; "" = the value needs none
  Squeeze squeeze;
  std::string (*text)(const SweepRow& row);
};

std::string NumberText(const std::optional<int64_t>& number) { return number.has_value() ? absl::StrCat(*number) : ""; }

constexpr size_t kModel = 0, kTarget = 1, kPrecision = 4, kBatch = 5;  // of the axes
constexpr SweptAxis kAxes[] = {
    {"model", "", Squeeze::kShorten, [](const SweepRow& row) { return EscapeControl(row.model); }},
    {"target", "", Squeeze::kKeep, [](const SweepRow& row) { return EscapeControl(row.target); }},
    {"mode", "mode ", Squeeze::kShorten, [](const SweepRow& row) { return EscapeControl(row.mode.value_or("")); }},
    {"set", "", Squeeze::kKeep, [](const SweepRow& row) { return EscapeControl(SetText(row.set)); }},
    {"precision", "", Squeeze::kKeep, [](const SweepRow& row) { return EscapeControl(row.precision.value_or("")); }},
    {"batch", "batch ", Squeeze::kKeep, [](const SweepRow& row) { return NumberText(row.batch); }},
    {"dims", "", Squeeze::kKeep, [](const SweepRow& row) { return EscapeControl(DimsText(row.dims)); }},
    {"size", "size ", Squeeze::kKeep, [](const SweepRow& row) { return NumberText(row.size); }},
    {"form", "", Squeeze::kKeep,
     [](const SweepRow& row) { return std::string(row.rewritten ? "after rewrites" : ""); }},
};
constexpr size_t kLeastName = 14;  // the shortest a narrow page makes it

// Puts ">= " before a figure that is only a lower bound.
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

// A figure as a column. A narrow page drops spare ones first.
struct Figure {
  const char* key;  // of the table; "" = the table has it in several columns
  const char* title;
  Measure measure;
  uint8_t spare;
  std::string (*text)(const SweepRow& row, const ColumnUnit& unit);
};

constexpr uint8_t kSpareAxis = 5;  // between the figures
constexpr Figure kFigures[] = {
    {"latency_s", "latency", Measure::kSeconds, 0,
     [](const SweepRow& row, const ColumnUnit& unit) { return TextOf(row.summary.latency_s, unit, IsLeast(row)); }},
    {"", "80 % interval", Measure::kSeconds, 6, IntervalText},
    {"throughput_per_s", "rate/s", Measure::kPlain, 1,
     [](const SweepRow& row, const ColumnUnit& unit) {
       return TextOf(row.summary.throughput_per_s, unit, IsLeast(row), "<= ");
     }},
    {"energy_per_input_j", "energy/input", Measure::kJoules, 2,
     [](const SweepRow& row, const ColumnUnit& unit) { return TextOf(row.energy_per_input_j, unit, IsLeast(row)); }},
    {"energy_j", "energy", Measure::kJoules, 4,
     [](const SweepRow& row, const ColumnUnit& unit) { return TextOf(row.summary.energy_j, unit, IsLeast(row)); }},
    {"power_w", "power", Measure::kWatts, 7,
     [](const SweepRow& row, const ColumnUnit& unit) { return TextOf(row.summary.power_w, unit, false); }},
    {"peak_memory_bytes", "memory", Measure::kBytes, 3,
     [](const SweepRow& row, const ColumnUnit& unit) {
       return TextOf(AsFigure(row.summary.peak_memory_bytes), unit, row.summary.bytes_partial);
     }},
    {"segments", "segments", Measure::kPlain, 8,
     [](const SweepRow& row, const ColumnUnit&) { return NumberText(row.segments); }},
    {"accelerated_macs_share", "accelerated", Measure::kPlain, 9,
     [](const SweepRow& row, const ColumnUnit&) {
       return row.accelerated_macs_share.has_value() ? Percent(*row.accelerated_macs_share) : std::string("-");
     }},
};

// Of a runtime that runs a language model.
std::string RangeText(const std::optional<double>& low, const std::optional<double>& high, const ColumnUnit& unit) {
  if (!low.has_value() || !high.has_value()) return "unknown";
  return absl::StrCat(FormatIn(unit, *low), " to ", FormatIn(unit, *high));
}

constexpr Figure kRuntimeFigures[] = {
    {"runtime", "runtime", Measure::kPlain, 0,
     [](const SweepRow& row, const ColumnUnit&) { return EscapeControl(row.language.runtime.value_or("")); }},
    {"weights", "weights", Measure::kPlain, 0,
     [](const SweepRow& row, const ColumnUnit&) { return EscapeControl(row.language.weights.value_or("")); }},
    {"ttft_s", "first token", Measure::kSeconds, 0,
     [](const SweepRow& row, const ColumnUnit& unit) { return TextOf(row.language.ttft_s, unit, false); }},
    {"", "80 % interval", Measure::kSeconds, 6,
     [](const SweepRow& row, const ColumnUnit& unit) {
       return RangeText(row.language.ttft_low_s, row.language.ttft_high_s, unit);
     }},
    {"tokens_per_s", "tokens/s", Measure::kPlain, 0,
     [](const SweepRow& row, const ColumnUnit& unit) { return TextOf(row.language.tokens_per_s, unit, false); }},
    {"", "80 % interval", Measure::kPlain, 6,
     [](const SweepRow& row, const ColumnUnit& unit) {
       return RangeText(row.language.tokens_per_s_low, row.language.tokens_per_s_high, unit);
     }},
    {"energy_per_token_j", "energy/token", Measure::kJoules, 4,
     [](const SweepRow& row, const ColumnUnit& unit) { return TextOf(row.language.energy_per_token_j, unit, false); }},
    {"runtime_memory_bytes", "memory", Measure::kBytes, 1,
     [](const SweepRow& row, const ColumnUnit& unit) {
       return TextOf(AsFigure(row.language.memory_bytes), unit, false);
     }},
    {"max_context", "largest context", Measure::kPlain, 7,
     [](const SweepRow& row, const ColumnUnit&) {
       return row.language.max_context.has_value() ? absl::StrCat(*row.language.max_context) : std::string("unknown");
     }},
};

bool IsText(const Figure& figure) {
  return figure.key == absl::string_view("runtime") || figure.key == absl::string_view("weights");
}

// The unit of each measure, for all of its figures.
std::array<ColumnUnit, kMeasures> UnitsOf(const std::vector<SweepRow>& rows, OverviewOf of) {
  std::array<std::vector<double>, kMeasures> figures;
  const auto add = [&](Measure measure, const std::optional<double>& figure) {
    if (figure.has_value()) figures[static_cast<size_t>(measure)].push_back(*figure);
  };
  for (const SweepRow& row : rows) {
    if (!row.ok) continue;
    if (of == OverviewOf::kRuntimes) {
      add(Measure::kSeconds, row.language.ttft_s);
      add(Measure::kJoules, row.language.energy_per_token_j);
      add(Measure::kBytes, AsFigure(row.language.memory_bytes));
      continue;
    }
    add(Measure::kSeconds, row.summary.latency_s);
    add(Measure::kJoules, row.summary.energy_j);
    add(Measure::kJoules, row.energy_per_input_j);
    add(Measure::kWatts, row.summary.power_w);
    add(Measure::kBytes, AsFigure(row.summary.peak_memory_bytes));
  }
  std::array<ColumnUnit, kMeasures> units;
  for (size_t i = 0; i < kMeasures; ++i) units[i] = UnitOf(static_cast<Measure>(i), figures[i]);
  return units;
}

// Removes the unit from the end of a key and returns its measure.
Measure TakeUnit(std::string* key) {
  constexpr struct {
    const char* end;
    Measure measure;
    // clang-format off
  } kEnds[] = {{"_per_s", Measure::kPlain}, {"_s", Measure::kSeconds}, {"_j", Measure::kJoules},
               {"_w", Measure::kWatts},     {"_bytes", Measure::kBytes}};
  // clang-format on
  for (const auto& [end, measure] : kEnds) {
    if (!absl::EndsWith(*key, end)) continue;
    if (measure != Measure::kPlain) *key = std::string(absl::StripSuffix(*key, end));
    return measure;
  }
  return Measure::kPlain;
}

// Unknown bytes include those of uncounted nodes.
bool IsPartial(const ColumnInfo& figure, const SweepRow& row) {
  if ((figure.needs & need::kTypes) != 0) return row.summary.bytes_partial;
  return figure.needs == need::kCounts ? row.summary.counts_partial : IsLeast(row);
}

std::string BoundText(const ColumnInfo& figure, const SweepRow& row, const std::string& text) {
  const bool is_bound = figure.bound != BoundKind::kNone && IsPartial(figure, row);
  return AsBound(is_bound, text, figure.bound == BoundKind::kAtMost ? "<= " : ">= ");
}

std::string SharesText(const Cell& shares) {
  const auto text = [](std::string* to, const Cell::Member& one) {
    absl::StrAppend(to, EscapeControl(one.first), " ", Percent(one.second.figure()));
  };
  return absl::StrJoin(*shares.object(), ", ", text);
}

std::string FolderPart(const std::string& path) { return path.substr(0, path.rfind('/') + 1); }

// The folder that contains all paths, with its slash.
std::string CommonFolder(const std::set<std::string>& paths) {
  // The first and the last of sorted texts share exactly the prefix that all share.
  const std::string &first = *paths.begin(), &last = *paths.rbegin();
  const auto common = std::mismatch(first.begin(), first.end(), last.begin(), last.end()).first;
  return FolderPart(std::string(first.begin(), common));
}

// Each path's file name, or, where two are equal, everything after the common folder.
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

Overview::Overview(const std::vector<SweepRow>& rows, const ReportOptions& options, OverviewOf of)
    : rows_(rows), of_(of), are_named_(!options.graph.columns.empty()) {
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
  if (options.graph.columns.empty()) {
    ChooseColumns();
  } else {
    NameColumns(options.graph.columns);
  }
}

bool Overview::IsOfThis(const SweepRow& row) const {
  if (of_ == OverviewOf::kRuntimes) return HasRuntime(row);
  return row.ok && (are_named_ || !IsOfRuntimeAlone(row));
}

void Overview::ChooseAxes() {
  for (size_t i = 0; i < std::size(kAxes); ++i) {
    std::set<std::string> seen, own;
    for (const SweepRow& row : rows_) {
      // What a runtime chooses itself is no part of what it has in common with other rows.
      const bool is_of_kernels = i == kPrecision || i > kBatch;
      if (!is_of_kernels || !IsOfRuntimeAlone(row)) seen.insert(kAxes[i].text(row));
      if (IsOfThis(row)) own.insert(kAxes[i].text(row));
    }
    const bool is_known = of_ == OverviewOf::kRuntimes && TargetTells(i);  // a mode may be of kernels alone
    if ((seen.size() > 1 || own.size() > 1) && !is_known) axes_.push_back(i);
    if (seen.size() == 1 && !seen.begin()->empty()) common_.push_back(absl::StrCat(kAxes[i].named, *seen.begin()));
  }
}

void Overview::ChooseRows(size_t top) {
  for (size_t i = 0; i < rows_.size(); ++i) {
    if (IsOfThis(rows_[i])) shown_.push_back(i);
  }
  if (top == 0 || top >= shown_.size()) return;
  const auto seconds = [&](size_t i) {
    const SweepRow& row = rows_[i];
    if (of_ == OverviewOf::kKernels) return FiguresOf(row)[0].value_or(HUGE_VAL);
    return row.language.fits.value_or(true) ? 1 / row.language.tokens_per_s.value_or(0) : HUGE_VAL;
  };
  std::stable_sort(shown_.begin(), shown_.end(), [&](size_t a, size_t b) { return seconds(a) < seconds(b); });
  shown_.resize(top);
}

// Whether the target alone determines the axis, such as a mode that is left to it.
bool Overview::TargetTells(size_t axis) const {
  if (axis <= kTarget) return false;
  std::map<std::string, std::string> known;
  return std::all_of(rows_.begin(), rows_.end(), [&](const SweepRow& row) {
    if (!IsOfThis(row)) return true;
    const std::string text = kAxes[axis].text(row);
    return known.try_emplace(row.target, text).first->second == text;
  });
}

std::string Overview::Head() const {
  const auto failed = std::count_if(rows_.begin(), rows_.end(), [](const SweepRow& row) { return !row.ok; });
  std::string text = absl::StrCat(rows_.size(), rows_.size() == 1 ? " point" : " points");
  const auto too_large = std::count_if(rows_.begin(), rows_.end(), [](const SweepRow& row) {
    return !row.summary.fits.value_or(true) || !row.language.fits.value_or(true);
  });
  if (failed > 0) absl::StrAppend(&text, ", ", failed, " failed");
  if (too_large > 0) absl::StrAppend(&text, ", ", too_large, too_large == 1 ? " does" : " do", " not fit into memory");
  if (!common_.empty()) absl::StrAppend(&text, ": ", absl::StrJoin(common_, ", "));
  if (!folder_.empty()) absl::StrAppend(&text, common_.empty() ? ": " : ", ", "models in ", EscapeControl(folder_));
  return text;
}

std::string Overview::Legend() const {
  if (columns_.empty() || !columns_[0].head.title.empty()) return "";
  if (of_ == OverviewOf::kRuntimes) {
    return "a prompt of 128 tokens, and a token in the middle of an answer of 128, in the runtime's usual formats; "
           "`onnx-hwest llm` has others. Precision, dims, sizes and rewrites, best, front and pareto are of kernels; "
           "--top is by tokens a second here. no fit: the target lacks the memory for it";
  }
  return "best: no point with the same model and sizes is faster; front: none beats it in latency, energy and memory; "
         "no fit: the target lacks the memory for it";
}

void Overview::ChooseColumns() {
  columns_.push_back({{.title = "", .style = Style::kGood}, [this](const SweepRow& row) { return Mark(row); }});
  for (const size_t i : axes_) {
    const SweptAxis& axis = kAxes[i];
    columns_.push_back({{.title = axis.title,
                         .squeeze = axis.squeeze,
                         .least = kLeastName,
                         .spare = TargetTells(i) ? kSpareAxis : uint8_t{0}},
                        [this, i](const SweepRow& row) { return i == kModel ? ModelText(row) : kAxes[i].text(row); }});
  }
  ChooseFigures();
}

void Overview::ChooseFigures() {
  const std::array<ColumnUnit, kMeasures> units = UnitsOf(rows_, of_);
  const absl::Span<const Figure> figures =
      of_ == OverviewOf::kRuntimes ? absl::MakeConstSpan(kRuntimeFigures) : absl::MakeConstSpan(kFigures);
  // With one input each, both energies are the same.
  const bool are_single =
      std::all_of(rows_.begin(), rows_.end(), [](const SweepRow& row) { return row.batch.value_or(1) == 1; });
  for (const Figure& figure : figures) {
    if (are_single && figure.key == absl::string_view("energy_per_input_j")) continue;
    const ColumnUnit unit = units[static_cast<size_t>(figure.measure)];
    columns_.push_back({{.title = absl::StrCat(figure.title, *unit.name == '\0' ? "" : " ", unit.name),
                         .align = IsText(figure) ? Align::kLeft : Align::kRight,
                         .spare = figure.spare},
                        [&figure, unit](const SweepRow& row) { return figure.text(row, unit); }});
  }
}

void Overview::NameColumns(const std::vector<std::string>& names) {
  const absl::StatusOr<std::vector<size_t>> columns = SweepColumnsNamed(names);
  if (!columns.ok()) return;
  for (const size_t column : *columns) columns_.push_back(Named(column));
}

// A column of the table, with its figures in the unit that shows them best.
Overview::ShownColumn Overview::Named(size_t column) const {
  const std::string key = ColumnsOf(static_cast<const SweepRow*>(nullptr))[column].key;
  std::string title = key;
  const Measure measure = TakeUnit(&title);
  std::vector<double> figures;
  bool is_figure = false;
  for (const size_t i : shown_) {
    const Cell cell = CellsOf(rows_[i])[column];
    if (cell.is_number()) figures.push_back(cell.figure());
    is_figure |= cell.is_number();
  }
  const ColumnUnit unit = UnitOf(measure, figures);
  ShownColumn shown{{.title = absl::StrCat(title, *unit.name == '\0' ? "" : " ", unit.name),
                     .align = is_figure ? Align::kRight : Align::kLeft},
                    nullptr};
  shown.text = [this, column, key, measure, unit](const SweepRow& row) -> std::string {
    if (key == "model") return ModelText(row);
    const Cell cell = CellsOf(row)[column];
    if (cell.is_null()) return "-";
    if (cell.text() != nullptr) return EscapeControl(*cell.text());
    if (key == "dims") return EscapeControl(DimsText(row.dims));
    if (key == "set") return EscapeControl(SetText(row.set));
    if (cell.object() != nullptr) return SharesText(cell);
    if (!cell.is_number()) return DumpJson(cell);
    if (absl::EndsWith(key, "_share") || key == "utilisation") return Percent(cell.figure());
    const std::string text = cell.number() != nullptr && measure == Measure::kPlain ? absl::StrCat(*cell.number())
                                                                                    : FormatIn(unit, cell.figure());
    return BoundText(ColumnsOf(&row)[column], row, text);
  };
  return shown;
}

std::vector<Column> Overview::Columns() const {
  std::vector<Column> columns;
  for (const ShownColumn& shown : columns_) columns.push_back(shown.head);
  return columns;
}

std::vector<std::string> Overview::Titles() const {
  std::vector<std::string> titles;
  for (const ShownColumn& shown : columns_) titles.push_back(shown.head.title);
  return titles;
}

std::vector<std::string> Overview::Cells(const SweepRow& row) const {
  std::vector<std::string> cells;
  for (const ShownColumn& shown : columns_) cells.push_back(shown.text(row));
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
  if (of_ == OverviewOf::kRuntimes) return row.language.fits.value_or(true) ? "" : "no fit";
  if (!row.summary.fits.value_or(true)) return "no fit";
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
