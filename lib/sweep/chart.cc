#include "sweep/chart.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "base/text.h"
#include "chart/axis.h"
#include "report/text_parts.h"
#include "report/text_table.h"
#include "sweep/language.h"

namespace hwest {
namespace {

constexpr double kWidth = 1100, kMargin = Drawing::kMargin, kPanelWidth = 530, kPanelHeight = 280;
constexpr size_t kMostBars = 40, kMostSteps = 8, kMostNamed = 6;

// The axis along which points stand.
struct Along {
  std::string title;  // "" = nothing varies
  std::optional<int64_t> (*of)(const SweepRow& row, const std::string& dim) = nullptr;
  std::string dim;
  std::vector<int64_t> steps;

  std::optional<size_t> StepOf(const SweepRow& row) const {
    const std::optional<int64_t> value = of == nullptr ? std::nullopt : of(row, dim);
    const auto step = std::find(steps.begin(), steps.end(), value.value_or(-1));
    return value.has_value() && step != steps.end() ? std::optional<size_t>(step - steps.begin()) : std::nullopt;
  }
};

std::optional<int64_t> DimOf(const SweepRow& row, const std::string& dim) {
  for (const auto& [name, size] : row.dims) {
    if (name == dim) return size;
  }
  return std::nullopt;
}

Along AlongOf(const std::vector<SweepRow>& rows) {
  std::vector<Along> candidates = {
      {"batch", [](const SweepRow& row, const std::string&) { return row.batch; }, "", {}},
      {"size of images", [](const SweepRow& row, const std::string&) { return row.size; }, "", {}}};
  std::set<std::string> dims;
  for (const SweepRow& row : rows) {
    for (const auto& [name, size] : row.dims) dims.insert(name);
  }
  for (const std::string& dim : dims) candidates.push_back({dim, DimOf, dim, {}});
  for (Along& along : candidates) {
    std::set<int64_t> steps;
    for (const SweepRow& row : rows) {
      if (row.ok && along.of(row, along.dim).has_value()) steps.insert(*along.of(row, along.dim));
    }
    along.steps.assign(steps.begin(), steps.end());
    if (steps.size() > 1) return along;
  }
  return {};
}

// A line: rows that differ only along the axis.
struct Series {
  std::string name;
  Tint tint;
  std::vector<const SweepRow*> rows;
};

// The words of a row's name, in which lines differ.
std::vector<std::string> WordsOf(const SweepRow& row, const Along& along) {
  std::string dims;
  for (const auto& [name, size] : row.dims) {
    if (along.dim != name) absl::StrAppend(&dims, dims.empty() ? "" : ";", name, "=", size);
  }
  const bool along_batch = along.title == "batch", along_size = along.title == "size of images";
  const auto number = [](const char* word, const std::optional<int64_t>& n) {
    return n.has_value() ? absl::StrCat(word, *n) : std::string();
  };
  return {row.model.substr(row.model.rfind('/') + 1),
          row.target,
          row.mode.value_or(""),
          SetText(row.set),
          row.precision.value_or(""),
          along_batch ? "" : number("batch ", row.batch),
          along_size ? "" : number("size ", row.size),
          dims,
          row.rewritten ? "after rewrites" : ""};
}

std::vector<Series> SeriesOf(const std::vector<SweepRow>& rows, const Along& along) {
  std::vector<std::vector<std::string>> words;
  std::vector<std::set<std::string>> seen;
  for (const SweepRow& row : rows) {
    words.push_back(WordsOf(row, along));
    seen.resize(words.back().size());
    for (size_t i = 0; i < words.back().size(); ++i) seen[i].insert(words.back()[i]);
  }
  std::vector<Series> series;
  std::map<std::vector<std::string>, size_t> known;
  for (size_t r = 0; r < rows.size(); ++r) {
    if (!rows[r].ok || IsOfRuntimeAlone(rows[r])) continue;
    const auto [at, fresh] = known.try_emplace(words[r], series.size());
    if (fresh) {
      std::vector<std::string> telling;
      for (size_t i = 0; i < words[r].size(); ++i) {
        if (seen[i].size() > 1 && !words[r][i].empty()) telling.push_back(words[r][i]);
      }
      const std::string name = telling.empty() ? words[r][1] : absl::StrJoin(telling, ", ");
      series.push_back({name, TintAt(series.size()), {}});
    }
    series[at->second].rows.push_back(&rows[r]);
  }
  return series;
}

using ValueOf = std::optional<double> (*)(const SweepRow& row);

std::optional<double> LatencyOf(const SweepRow& row) { return row.summary.latency_s; }
std::optional<double> RateOf(const SweepRow& row) { return row.summary.throughput_per_s; }
std::optional<double> MemoryOf(const SweepRow& row) {
  const std::optional<int64_t>& bytes = row.summary.peak_memory_bytes;
  return bytes.has_value() ? std::optional<double>(static_cast<double>(*bytes)) : std::nullopt;
}
// Per input, so that batches are comparable.
std::optional<double> PerInput(const std::optional<double>& figure, const SweepRow& row) {
  const int64_t batch = std::max<int64_t>(1, row.batch.value_or(1));
  return figure.has_value() ? std::optional<double>(*figure / static_cast<double>(batch)) : std::nullopt;
}

bool IsBound(const SweepRow& row) { return row.summary.incomplete.value_or(false); }

bool HasBoth(const SweepRow& row) { return row.summary.latency_s.has_value() && row.summary.energy_j.has_value(); }

bool SameUnits(const SweepRow& a, const SweepRow& b) {
  return std::equal(a.units.begin(), a.units.end(), b.units.begin(), b.units.end(),
                    [](const auto& x, const auto& y) { return x.first == y.first; });
}

std::string BoundText(const SweepRow& row, const std::string& figure) {
  return absl::StrCat(IsBound(row) ? ">= " : "", figure);
}

// The number of points, and how many of `series` lines or bars the picture leaves out.
std::string HeadText(const std::vector<SweepRow>& rows, size_t series, size_t shown, const char* which,
                     const char* what) {
  size_t failed = 0, unknown = 0, bounds = 0, too_large = 0, runtimes = 0;
  for (const SweepRow& row : rows) {
    const bool is_known = LatencyOf(row).has_value();
    if (!row.ok) ++failed;
    if (IsOfRuntimeAlone(row)) ++runtimes;
    if (row.ok && !is_known && !IsOfRuntimeAlone(row)) ++unknown;
    if (row.ok && is_known && IsBound(row)) ++bounds;
    if (!row.summary.fits.value_or(true)) ++too_large;
  }
  std::vector<std::string> facts = {absl::StrCat(rows.size(), rows.size() == 1 ? " point" : " points")};
  if (failed > 0) facts.push_back(absl::StrCat(failed, " failed"));
  if (runtimes > 0) facts.push_back(absl::StrCat(runtimes, " of language models, in the tables alone"));
  if (unknown > 0) facts.push_back(absl::StrCat(unknown, " without a known latency"));
  if (bounds > 0) facts.push_back(absl::StrCat(bounds, " that leave nodes out, hollow: at least this long"));
  if (too_large > 0) {
    facts.push_back(absl::StrCat(too_large, too_large == 1 ? " that does" : " that do", " not fit into memory"));
  }
  if (series > shown) facts.push_back(absl::StrCat("the ", which, " ", shown, " of ", series, " ", what));
  return absl::StrJoin(facts, ", ");
}

// The whole picture, drawn from top to bottom.
class SweepChart {
 public:
  explicit SweepChart(const std::vector<SweepRow>& rows)
      : rows_(rows),
        along_(AlongOf(rows)),
        has_lines_(!along_.title.empty()),
        series_(SeriesOf(rows, along_)),
        drawing_(Head(rows)) {}

  Drawing Draw() {
    if (has_lines_) {
      DrawLegend();
      DrawLines(0, "Latency", LatencyOf, FormatSeconds);
      DrawLines(1, "Rate", RateOf, [](double rate) { return absl::StrCat(RateText(rate), "/s"); });
      drawing_.y += kPanelHeight;
      DrawLines(0, "Peak memory", MemoryOf, FormatBytes);
      DrawFront(1);
      drawing_.y += kPanelHeight;
      DrawMultiples();
      DrawPlans();
    } else {
      DrawBars();
      DrawFront(0);
      drawing_.y += kPanelHeight;
    }
    drawing_.y += 10;
    return std::move(drawing_);
  }

 private:
  // Of bars: first what fits into memory, by a latency of all nodes.
  static bool IsFaster(const Series& a, const Series& b) {
    const auto rank = [](const Series& one) {
      const SweepRow& row = *one.rows.front();
      const bool is_known = LatencyOf(row).has_value() && !IsBound(row) && row.summary.fits.value_or(true);
      return std::pair(!is_known, LatencyOf(row).value_or(std::numeric_limits<double>::infinity()));
    };
    return rank(a) < rank(b);
  }

  // Drops series beyond what fits: as many lines as there are colours, or the fastest bars.
  Drawing Head(const std::vector<SweepRow>& rows) {
    const size_t all = series_.size();
    const bool is_ranked = !has_lines_ && all > kMostBars;
    if (is_ranked) std::stable_sort(series_.begin(), series_.end(), IsFaster);
    series_.resize(std::min(all, has_lines_ ? kTints : kMostBars));
    return Drawing(
        kWidth, "Sweep",
        {HeadText(rows, all, series_.size(), is_ranked ? "fastest" : "first", has_lines_ ? "lines" : "bars")});
  }

  void DrawLegend() {
    std::vector<LegendEntry> entries;
    for (const Series& one : series_) entries.push_back({one.name, one.tint});
    drawing_.y -= 6;
    drawing_.Legend(entries, kMargin, kWidth - kMargin);
  }

  // The place of one of two panels side by side, below their titles.
  Plot PanelOf(size_t column, const std::string& title, absl::string_view note) {
    constexpr double kLeft = 78, kRight = 14, kTop = 30, kBottom = 44;
    const double x = kMargin + static_cast<double>(column) * (kPanelWidth + 8);
    const Plot plot{.left = x + kLeft,
                    .top = drawing_.y + kTop,
                    .width = kPanelWidth - kLeft - kRight,
                    .height = kPanelHeight - kTop - kBottom};
    drawing_.Text(plot.left, plot.top - 10, title, {.size = 12, .is_bold = true});
    drawing_.Text(plot.right(), plot.top - 10, note, {.size = 9, .anchor = Anchor::kEnd});
    return plot;
  }

  static const char* NoteOf(const Axis& axis) { return axis.is_log() ? "on a logarithmic scale" : ""; }

  void DrawLines(size_t column, const std::string& title, ValueOf figure, FigureText words) {
    std::vector<double> values;
    for (const Series& one : series_) {
      for (const SweepRow* row : one.rows) {
        if (figure(*row).has_value()) values.push_back(*figure(*row));
      }
    }
    const Plot plot = PanelOf(column, absl::StrCat(title, " by ", along_.title), NoteOf(Axis::Of(values, {})));
    const Axis x = Axis::Steps(along_.steps.size(), plot.Across()), y = Axis::Of(values, plot.Up());
    DrawAxisAtLeft(plot, y, words, "", &drawing_);
    DrawAxisBelow(
        plot, x, [&](double step) { return absl::StrCat(along_.steps[static_cast<size_t>(step)]); }, along_.title,
        &drawing_);
    for (const Series& one : series_) DrawLineOf(one, x, y, figure, words);
  }

  void DrawLineOf(const Series& one, const Axis& x, const Axis& y, ValueOf figure, FigureText words) {
    std::map<size_t, const SweepRow*> by_step;
    for (const SweepRow* row : one.rows) {
      const std::optional<size_t> step = along_.StepOf(*row);
      if (step.has_value() && figure(*row).has_value()) by_step.emplace(*step, row);
    }
    const auto x_of = [&](size_t step) { return x.At(static_cast<double>(step)); };
    for (const auto& [step, row] : by_step) {
      const auto next = by_step.find(step + 1);
      if (next == by_step.end()) continue;
      drawing_.Line(x_of(step), y.At(*figure(*row)), x_of(step + 1), y.At(*figure(*next->second)), one.tint.line,
                    {.width = 1.5});
    }
    for (const auto& [step, row] : by_step) {
      drawing_.Dot(x_of(step), y.At(*figure(*row)), 7, IsBound(*row) ? kPaper : one.tint.fill, one.tint.line,
                   absl::StrCat(one.name, ", ", along_.title, " ", along_.steps[step], ": ", words(*figure(*row))));
    }
  }

  // Latency beside energy of every input.
  void DrawFront(size_t column) {
    ParetoFront front;
    std::map<std::string, size_t> rivals;
    for (const SweepRow& row : rows_) {
      if (!row.ok) continue;
      front.Add(WorkOf(row), FiguresOf(row));
      ++rivals[WorkOf(row)];
    }
    const Plot plot = PanelOf(column, "Energy and latency of an input", "outlined: no point of the same work beats it");
    std::vector<double> times, energies;
    for (const Series& one : series_) {
      for (const SweepRow* row : one.rows) {
        if (!HasBoth(*row)) continue;
        times.push_back(*PerInput(row->summary.latency_s, *row));
        energies.push_back(*PerInput(row->summary.energy_j, *row));
      }
    }
    const Axis x = Axis::Of(times, plot.Across()), y = Axis::Of(energies, plot.Up());
    DrawAxisAtLeft(plot, y, FormatJoules, "", &drawing_);
    if (times.empty()) {
      drawing_.Text(plot.left, plot.top + 20, "No point has both a known latency and a known energy.");
      return;
    }
    DrawAxisBelow(plot, x, FormatSeconds, "latency over batch", &drawing_);
    size_t named = 0;
    for (const Series& one : series_) {
      for (const SweepRow* row : one.rows) {
        if (!HasBoth(*row)) continue;
        const std::string work = WorkOf(*row);
        const bool is_on = rivals[work] > 1 && front.IsOn(work, FiguresOf(*row)).value_or(false);
        DrawTrade(one, *row, is_on, !has_lines_ && is_on && ++named <= kMostNamed, plot, x, y);
      }
    }
  }

  // A point of the front's panel.
  void DrawTrade(const Series& one, const SweepRow& row, bool is_on_front, bool is_named, const Plot& plot,
                 const Axis& x, const Axis& y) {
    const double at = x.At(*PerInput(row.summary.latency_s, row)), height = y.At(*PerInput(row.summary.energy_j, row));
    if (is_named) drawing_.Text(at + 8, height + 3, one.name, {.size = 9, .room = plot.right() - at});
    drawing_.Dot(
        at, height, is_on_front ? 10 : 7, IsBound(row) ? kPaper : one.tint.fill, is_on_front ? kInk : one.tint.line,
        absl::StrCat(one.name, row.batch.has_value() ? absl::StrCat(", batch ", *row.batch) : "", ": ",
                     BoundText(row, FormatSeconds(*row.summary.latency_s)), ", ",
                     BoundText(row, FormatJoules(*row.summary.energy_j)), is_on_front ? ", on the front" : ""));
  }

  // A small panel for each series, all to one scale: the time of an input against that of the first step, by what
  // bounds it. Bars that shrink say that a larger step pays off, colours why.
  void DrawMultiples() {
    constexpr double kEach = 210, kHigh = 150, kTop = 34, kBottom = 34, kLeft = 40;
    const size_t steps = std::min(along_.steps.size(), kMostSteps);
    struct Panel {
      const Series* series;
      std::vector<std::pair<size_t, const SweepRow*>> rows;
      double first_s;
    };
    std::vector<Panel> panels;
    double most = 1;
    for (const Series& one : series_) {
      Panel panel{&one, {}, 0};
      for (size_t i = 0; i < steps; ++i) {
        const auto at = std::find_if(one.rows.begin(), one.rows.end(), [&](const SweepRow* row) {
          return along_.StepOf(*row) == i && LatencyOf(*row).has_value() && !row->bounds.empty();
        });
        if (at == one.rows.end()) continue;
        const double input_s = *PerInput(LatencyOf(**at), **at);
        if (panel.rows.empty()) panel.first_s = input_s;
        panel.rows.emplace_back(i, *at);
        most = std::max(most, panel.first_s > 0 ? input_s / panel.first_s : 1);
      }
      if (panel.first_s > 0) panels.push_back(std::move(panel));
    }
    if (panels.empty()) return;
    drawing_.Text(kMargin, drawing_.y + 12,
                  absl::StrCat("Time of an input by ", along_.title, ", the first = 100 %, by what bounds it"),
                  {.size = 12, .is_bold = true});
    drawing_.y += 20;
    std::map<std::string, size_t> bounds;  // by name: in order of first use
    const auto across = static_cast<size_t>((kWidth - 2 * kMargin) / kEach);
    for (size_t p = 0; p < panels.size(); ++p) {
      const Panel& panel = panels[p];
      if (p > 0 && p % across == 0) drawing_.y += kHigh;
      const double x = kMargin + kEach * static_cast<double>(p % across);
      const Plot plot{
          .left = x + kLeft, .top = drawing_.y + kTop, .width = kEach - kLeft - 14, .height = kHigh - kTop - kBottom};
      const Axis along = Axis::Steps(steps, plot.Across()), up = Axis::Linear(most, plot.Up(), 3);
      drawing_.Text(x, drawing_.y + 20, panel.series->name, {.size = 10, .is_bold = true, .room = kEach - 14});
      DrawAxisAtLeft(plot, up, [](double share) { return absl::StrFormat("%.0f %%", share * 100); }, "", &drawing_);
      DrawAxisBelow(
          plot, along, [&](double step) { return absl::StrCat(along_.steps[static_cast<size_t>(step)]); }, "",
          &drawing_);
      const double width = 0.62 * plot.width / static_cast<double>(steps);
      for (const auto& [step, row] : panel.rows) {
        const double input_s = *PerInput(LatencyOf(*row), *row), share = input_s / panel.first_s;
        double from = 0;
        for (const auto& [bound, part] : row->bounds) {
          if (part <= 0) continue;
          const Tint tint = TintAt(bounds.try_emplace(bound, bounds.size()).first->second);
          const double bottom = up.At(from), top = up.At(from + share * part);
          drawing_.Box(along.At(static_cast<double>(step)) - width / 2, top, width, bottom - top, tint.fill, tint.line,
                       absl::StrCat(panel.series->name, ", ", along_.title, " ", along_.steps[step], ": ",
                                    FormatSeconds(input_s), " an input, ", Percent(part), " ", bound));
          from += share * part;
        }
      }
    }
    drawing_.y += kHigh;
    std::vector<LegendEntry> entries(bounds.size());
    for (const auto& [bound, index] : bounds) entries[index] = {bound, TintAt(index)};
    drawing_.Legend(entries, kMargin, kWidth - kMargin);
    drawing_.y += 10;
  }

  // Where time goes at each step, and the number of kernels: a line for each series.
  void DrawPlans() {
    constexpr double kNames = 300, kRow = 40, kGap = 12;
    const size_t steps = std::min(along_.steps.size(), kMostSteps);
    const double each = (kWidth - 2 * kMargin - kNames) / static_cast<double>(steps);
    const auto x_of = [&](size_t step) { return kMargin + kNames + each * static_cast<double>(step); };
    drawing_.Text(kMargin, drawing_.y + 16,
                  absl::StrCat("Units by share of the time (a whole bar = all of it), kernels and segments by ",
                               along_.title, "; outlined: not as one step before"),
                  {.size = 12, .is_bold = true});
    drawing_.y += 36;
    for (size_t i = 0; i < steps; ++i) {
      drawing_.Text(x_of(i), drawing_.y, absl::StrCat(along_.steps[i]), {.size = 10, .is_bold = true});
    }
    drawing_.y += 8;
    for (const Series& one : series_) {
      drawing_.Text(kMargin, drawing_.y + 11, one.name, {.size = 10, .room = kNames - kGap});
      const SweepRow* before = nullptr;
      for (size_t i = 0; i < steps; ++i) before = DrawStepOf(one, i, before, x_of(i), each - kGap);
      drawing_.y += kRow;
    }
    std::vector<LegendEntry> units(units_.size());
    for (const auto& [unit, index] : units_) units[index] = {unit, TintAt(index)};
    drawing_.Legend(units, kMargin, kWidth - kMargin);
    drawing_.y += 5;
    if (along_.steps.size() == steps) return;
    drawing_.Text(kMargin, drawing_.y + 10, absl::StrCat("the first ", steps, " of ", along_.steps.size(), " steps"),
                  {.size = 9});
    drawing_.y += 16;
  }

  // The plan of a series at a step; returns the row to compare the next one with.
  const SweepRow* DrawStepOf(const Series& one, size_t step, const SweepRow* before, double x, double width) {
    const auto at = std::find_if(one.rows.begin(), one.rows.end(),
                                 [&](const SweepRow* row) { return along_.StepOf(*row) == step; });
    if (at == one.rows.end()) {
      drawing_.Text(x, drawing_.y + 11, "-", {.size = 9});
      return before;
    }
    DrawPlanOf(**at, before, x, width);
    return *at;
  }

  void DrawPlanOf(const SweepRow& row, const SweepRow* before, double x, double width) {
    constexpr double kBar = 13, kEdge = 3;
    const double y = drawing_.y;
    double left = x;
    for (const auto& [unit, share] : row.units) {
      const Tint tint = TintAt(units_.try_emplace(unit, units_.size()).first->second);
      const std::string label = Percent(share);
      drawing_.Box(left, y, width * share, kBar, tint.fill, tint.line, absl::StrCat(unit, " ", label));
      drawing_.Label(left, y + kBar - 3.5, width * share, label);
      left += width * share;
    }
    if (row.units.empty()) drawing_.Text(x, y + 10, "unknown", {.size = 9});
    const auto count = [](const std::optional<int64_t>& n) {
      return n.has_value() ? absl::StrCat(*n) : std::string("unknown");
    };
    drawing_.Text(x, y + kBar + 11, absl::StrCat(count(row.groups), " kernels, ", count(row.segments), " seg."),
                  {.size = 9});
    const bool differs = before != nullptr &&
                         (before->groups != row.groups || before->segments != row.segments || !SameUnits(*before, row));
    if (differs) drawing_.Box(x - kEdge, y - kEdge, width + 2 * kEdge, kBar + 15 + kEdge, "", kInk);
  }

  // Latencies with their intervals, where nothing varies that could be an axis.
  void DrawBars() {
    constexpr double kNames = 420, kFigures = 90, kRow = 20;
    std::vector<double> values;
    for (const Series& one : series_) {
      const SummaryView& s = one.rows.front()->summary;
      for (const auto& seconds : {s.latency_low_s, s.latency_s, s.latency_high_s}) {
        if (seconds.has_value()) values.push_back(*seconds);
      }
    }
    drawing_.y += 6;
    const Plot plot{.left = kMargin + kNames,
                    .top = drawing_.y + 12,
                    .width = kWidth - 2 * kMargin - kNames - kFigures,
                    .height = kRow * static_cast<double>(series_.size()) + 4};
    const Axis axis = Axis::Of(values, plot.Across());
    drawing_.Text(kMargin, drawing_.y, "Latency, with its 80 % interval", {.size = 12, .is_bold = true});
    drawing_.Text(kWidth - kMargin, drawing_.y, NoteOf(axis), {.size = 9, .anchor = Anchor::kEnd});
    DrawAxisBelow(plot, axis, FormatSeconds, "", &drawing_);
    drawing_.y = plot.top + 2;
    for (const Series& one : series_) {
      drawing_.Text(plot.left - 8, drawing_.y + 13, one.name, {.size = 10, .anchor = Anchor::kEnd});
      DrawBar(one, plot, axis);
      drawing_.y += kRow;
    }
    drawing_.y += 32;
  }

  void DrawBar(const Series& one, const Plot& plot, const Axis& axis) {
    const SweepRow& row = *one.rows.front();
    const SummaryView& s = row.summary;
    const double y = drawing_.y;
    if (!s.latency_s.has_value()) {
      drawing_.Text(plot.left, y + 13, "unknown", {.size = 10});
      return;
    }
    drawing_.Box(plot.left, y + 3, axis.At(*s.latency_s) - plot.left, 13, IsBound(row) ? kPaper : one.tint.fill,
                 one.tint.line, one.name);
    if (s.latency_low_s.has_value() && s.latency_high_s.has_value()) {
      drawing_.Line(axis.At(*s.latency_low_s), y + 9.5, axis.At(*s.latency_high_s), y + 9.5, kInk);
    }
    drawing_.Text(kWidth - kMargin, y + 13, BoundText(row, FormatSeconds(*s.latency_s)),
                  {.size = 10, .anchor = Anchor::kEnd});
  }

  const std::vector<SweepRow>& rows_;
  const Along along_;
  const bool has_lines_;
  std::vector<Series> series_;
  std::map<std::string, size_t> units_;  // by name: in order of first use
  Drawing drawing_;
};

}  // namespace

Drawing DrawSweep(const std::vector<SweepRow>& rows) { return SweepChart(rows).Draw(); }

}  // namespace hwest
