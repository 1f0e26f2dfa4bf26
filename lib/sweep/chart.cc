#include "sweep/chart.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "base/text.h"
#include "report/chart.h"
#include "report/palette.h"
#include "report/text_parts.h"
#include "report/text_table.h"

namespace hwest {
namespace {

constexpr double kWidth = 1100, kMargin = 16, kPanelWidth = 530, kPanelHeight = 280;
constexpr double kLeft = 78, kRight = 14, kTop = 30, kBottom = 44;  // of a panel, around its plot
constexpr size_t kMostLines = 8, kMostBars = 40, kMostSteps = 8;  // lines: as many as there are colours
constexpr size_t kMostNamed = 6;
constexpr double kBarsLeft = kMargin + 420, kBarsWidth = kWidth - kMargin - 90 - kBarsLeft, kBarRow = 20;
constexpr double kShareText = 8;  // size of the letters in a bar of shares
constexpr const char* kGrid = "#e4e4e4";
constexpr const char* kInk = "#222222";

// The axis that points stand along.
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

// A line: rows that differ along the axis alone.
struct Series {
  std::string name;
  Tint tint;
  std::vector<const SweepRow*> rows;
};

// What every row has of its name, and what tells lines apart.
std::vector<std::string> WordsOf(const SweepRow& row, const Along& along) {
  std::string dims;
  for (const auto& [name, size] : row.dims) {
    if (along.dim != name) absl::StrAppend(&dims, dims.empty() ? "" : ";", name, "=", size);
  }
  const bool along_batch = along.title == "batch", along_size = along.title == "size of images";
  const auto number = [](const char* word, const std::optional<int64_t>& n) {
    return n.has_value() ? absl::StrCat(word, *n) : std::string();
  };
  return {row.model.substr(row.model.rfind('/') + 1), row.target, row.mode.value_or(""), row.precision.value_or(""),
          along_batch ? "" : number("batch ", row.batch), along_size ? "" : number("size ", row.size), dims,
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
    if (!rows[r].ok) continue;
    const auto [at, fresh] = known.try_emplace(words[r], series.size());
    if (fresh) {
      std::vector<std::string> telling;
      for (size_t i = 0; i < words[r].size(); ++i) {
        if (seen[i].size() > 1 && !words[r][i].empty()) telling.push_back(words[r][i]);
      }
      const std::string name = telling.empty() ? words[r][1] : absl::StrJoin(telling, ", ");
      series.push_back({EscapeControl(name), TintOfUnit(UnitId(static_cast<uint32_t>(series.size()))), {}});
    }
    series[at->second].rows.push_back(&rows[r]);
  }
  return series;
}

// An axis of values: from 0 on, or by decades where they lie far apart.
class Scale {
 public:
  explicit Scale(const std::vector<double>& values) {
    double least = HUGE_VAL;
    for (const double value : values) {
      if (value > 0) least = std::min(least, value);
      most_ = std::max(most_, value);
    }
    is_log_ = most_ > 0 && least < most_ / 50;
    if (is_log_) {
      first_ = std::floor(std::log10(least));
      last_ = std::max(first_ + 1, std::ceil(std::log10(most_)));
      for (double decade = first_; decade <= last_; ++decade) ticks_.push_back(std::pow(10.0, decade));
    } else {
      ticks_ = TicksOf(most_ * 1.05, 5);
    }
  }

  const std::vector<double>& ticks() const { return ticks_; }
  bool is_log() const { return is_log_; }
  // From 0 at the low end to 1.
  double At(double value) const {
    if (is_log_) return std::clamp((std::log10(std::max(value, 1e-300)) - first_) / (last_ - first_), 0.0, 1.0);
    return most_ > 0 ? value / (most_ * 1.05) : 0;
  }

 private:
  bool is_log_ = false;
  double most_ = 0, first_ = 0, last_ = 1;
  std::vector<double> ticks_;
};

using ValueOf = std::optional<double> (*)(const SweepRow& row);
using Words = std::string (*)(double);

std::optional<double> LatencyOf(const SweepRow& row) { return row.summary.latency_s; }
std::optional<double> RateOf(const SweepRow& row) { return row.summary.throughput_per_s; }
std::optional<double> MemoryOf(const SweepRow& row) {
  const std::optional<int64_t>& bytes = row.summary.peak_memory_bytes;
  return bytes.has_value() ? std::optional<double>(static_cast<double>(*bytes)) : std::nullopt;
}
// Per input, so that batches compare.
std::optional<double> PerInput(const std::optional<double>& figure, const SweepRow& row) {
  const int64_t batch = std::max<int64_t>(1, row.batch.value_or(1));
  return figure.has_value() ? std::optional<double>(*figure / static_cast<double>(batch)) : std::nullopt;
}

bool IsBound(const SweepRow& row) { return row.summary.incomplete.value_or(false) || !row.code.empty(); }

class SweepChart {
 public:
  explicit SweepChart(const std::vector<SweepRow>& rows)
      : rows_(rows), along_(AlongOf(rows)), all_(SeriesOf(rows, along_)), series_(all_) {
    series_.resize(std::min(series_.size(), along_.title.empty() ? kMostBars : kMostLines));
  }

  Drawing Draw() {
    drawing_.width = kWidth;
    drawing_.title = "Sweep";
    DrawHead();
    if (!along_.title.empty()) {
      DrawLegend();
      const double left = kMargin, right = kMargin + kPanelWidth + 8;
      DrawLines(left, "Latency", LatencyOf, FormatSeconds);
      DrawLines(right, "Rate", RateOf, [](double rate) { return absl::StrCat(RateText(rate), "/s"); });
      y_ += kPanelHeight;
      DrawLines(left, "Peak memory", MemoryOf, FormatBytes);
      DrawFront(right);
      y_ += kPanelHeight;
      DrawPlans();
    } else {
      DrawBars();
      DrawFront(kMargin);
      y_ += kPanelHeight;
    }
    drawing_.height = y_ + 10;
    return std::move(drawing_);
  }

 private:
  void DrawHead() {
    const auto failed = std::count_if(rows_.begin(), rows_.end(), [](const SweepRow& row) { return !row.ok; });
    const auto unknown = std::count_if(rows_.begin(), rows_.end(),
                                       [](const SweepRow& row) { return row.ok && !LatencyOf(row).has_value(); });
    const auto bounds = std::count_if(rows_.begin(), rows_.end(),
                                      [](const SweepRow& row) { return row.ok && LatencyOf(row).has_value() && IsBound(row); });
    std::vector<std::string> facts = {absl::StrCat(rows_.size(), rows_.size() == 1 ? " point" : " points")};
    if (failed > 0) facts.push_back(absl::StrCat(failed, " failed"));
    if (unknown > 0) facts.push_back(absl::StrCat(unknown, " without a known latency"));
    if (bounds > 0) facts.push_back(absl::StrCat(bounds, " that leave nodes out, hollow: at least this long"));
    if (all_.size() > series_.size()) facts.push_back(absl::StrCat("the first ", series_.size(), " of ", all_.size(), along_.title.empty() ? " bars" : " lines"));
    drawing_.Text(kMargin, 24, drawing_.title, Anchor::kStart, 14, true);
    drawing_.Text(kMargin, 42, absl::StrJoin(facts, ", "));
    y_ = 54;
  }

  void DrawLegend() {
    constexpr double kColumn = 530, kRow = 17;
    for (size_t i = 0; i < series_.size(); ++i) {
      const double x = kMargin + kColumn * static_cast<double>(i % 2), y = y_ + kRow * std::floor(static_cast<double>(i) / 2);
      drawing_.Box(x, y, 11, 11, series_[i].tint.fill, series_[i].tint.line, "");
      drawing_.Text(x + 17, y + 10, Shorten(series_[i].name, 70), Anchor::kStart, 10);
    }
    y_ += kRow * std::ceil(static_cast<double>(series_.size()) / 2) + 8;
  }

  double PlotHeight() const { return kPanelHeight - kTop - kBottom; }
  double PlotWidth() const { return kPanelWidth - kLeft - kRight; }

  // Title, grid and the words of the axis at the left.
  void DrawFrame(double x, const std::string& title, const Scale& scale, Words words) {
    drawing_.Text(x + kLeft, y_ + 20, title, Anchor::kStart, 12, true);
    for (const double tick : scale.ticks()) {
      const double at = y_ + kTop + PlotHeight() * (1 - scale.At(tick));
      drawing_.Line(x + kLeft, at, x + kLeft + PlotWidth(), at, kGrid);
      drawing_.Text(x + kLeft - 6, at + 4, tick == 0 ? "0" : Short(words(tick)), Anchor::kEnd, 9);
    }
  }

  void SayIfLog(const Scale& scale, double x, double y) {
    if (scale.is_log()) drawing_.Text(x, y, "on a logarithmic scale", Anchor::kEnd, 9);
  }

  double StepX(double x, size_t step) const {
    const double each = PlotWidth() / static_cast<double>(along_.steps.size());
    return x + kLeft + each * (static_cast<double>(step) + 0.5);
  }

  void DrawLines(double x, const std::string& title, ValueOf figure, Words words) {
    std::vector<double> values;
    for (const Series& one : series_) {
      for (const SweepRow* row : one.rows) {
        if (figure(*row).has_value()) values.push_back(*figure(*row));
      }
    }
    const Scale scale(values);
    DrawFrame(x, absl::StrCat(title, " by ", EscapeControl(along_.title)), scale, words);
    SayIfLog(scale, x + kLeft + PlotWidth(), y_ + 20);
    const size_t skip = (along_.steps.size() + 11) / 12;
    for (size_t i = 0; i < along_.steps.size(); i += skip) {
      drawing_.Text(StepX(x, i), y_ + kTop + PlotHeight() + 16, absl::StrCat(along_.steps[i]), Anchor::kMiddle, 9);
    }
    drawing_.Text(x + kLeft + PlotWidth() / 2, y_ + kTop + PlotHeight() + 32, EscapeControl(along_.title), Anchor::kMiddle, 10);
    for (const Series& one : series_) DrawLineOf(x, one, scale, figure, words);
  }

  void DrawLineOf(double x, const Series& one, const Scale& scale, ValueOf figure, Words words) {
    std::map<size_t, const SweepRow*> by_step;
    for (const SweepRow* row : one.rows) {
      const std::optional<size_t> step = along_.StepOf(*row);
      if (step.has_value() && figure(*row).has_value()) by_step.emplace(*step, row);
    }
    const auto y_of = [&](const SweepRow& row) { return y_ + kTop + PlotHeight() * (1 - scale.At(*figure(row))); };
    const SweepRow* before = nullptr;
    size_t before_step = 0;
    for (const auto& [step, row] : by_step) {
      if (before != nullptr && step == before_step + 1) {
        drawing_.Line(StepX(x, before_step), y_of(*before), StepX(x, step), y_of(*row), one.tint.line, 1.5);
      }
      before = row;
      before_step = step;
    }
    for (const auto& [step, row] : by_step) {
      drawing_.Dot(StepX(x, step), y_of(*row), 7, IsBound(*row) ? "#ffffff" : one.tint.fill, one.tint.line,
                   absl::StrCat(one.name, ", ", along_.title, " ", along_.steps[step], ": ", words(*figure(*row))));
    }
  }

  // Latency beside energy of every input.
  void DrawFront(double x) {
    ParetoFront front;
    std::map<std::string, size_t> rivals;
    for (const SweepRow& row : rows_) {
      if (row.ok) front.Add(WorkOf(row), FiguresOf(row));
      if (row.ok) ++rivals[WorkOf(row)];
    }
    std::vector<double> times, energies;
    for (const Series& one : series_) {
      for (const SweepRow* row : one.rows) {
        if (!HasBoth(*row)) continue;
        times.push_back(*PerInput(row->summary.latency_s, *row));
        energies.push_back(*PerInput(row->summary.energy_j, *row));
      }
    }
    const Scale across(times), up(energies);
    DrawFrame(x, "Energy and latency of an input", up, FormatJoules);
    drawing_.Text(x + kLeft + PlotWidth(), y_ + 20, "outlined: no point of the same work beats it", Anchor::kEnd, 9);
    if (times.empty()) {
      drawing_.Text(x + kLeft, y_ + kTop + 20, "No point has both a known latency and a known energy.");
      return;
    }
    for (const double tick : across.ticks()) {
      const double at = x + kLeft + PlotWidth() * across.At(tick);
      drawing_.Line(at, y_ + kTop, at, y_ + kTop + PlotHeight(), kGrid);
      drawing_.Text(at, y_ + kTop + PlotHeight() + 16, tick == 0 ? "0" : Short(FormatSeconds(tick)), Anchor::kMiddle, 9);
    }
    drawing_.Text(x + kLeft + PlotWidth() / 2, y_ + kTop + PlotHeight() + 32, "latency over batch", Anchor::kMiddle, 10);
    size_t named = 0;
    for (const Series& one : series_) {
      for (const SweepRow* row : one.rows) {
        if (!HasBoth(*row)) continue;
        const std::string work = WorkOf(*row);
        const bool is_on = rivals[work] > 1 && front.IsOn(work, FiguresOf(*row)).value_or(false);
        const double at = x + kLeft + PlotWidth() * across.At(*PerInput(row->summary.latency_s, *row));
        const double height = y_ + kTop + PlotHeight() * (1 - up.At(*PerInput(row->summary.energy_j, *row)));
        if (along_.title.empty() && is_on && ++named <= kMostNamed) drawing_.Text(at + 8, height + 3, one.name, Anchor::kStart, 9);
        drawing_.Dot(at, height, is_on ? 10 : 7, IsBound(*row) ? "#ffffff" : one.tint.fill, is_on ? kInk : one.tint.line,
                     absl::StrCat(one.name, row->batch.has_value() ? absl::StrCat(", batch ", *row->batch) : "", ": ",
                                  IsBound(*row) ? ">= " : "", FormatSeconds(*row->summary.latency_s), ", ",
                                  IsBound(*row) ? ">= " : "", FormatJoules(*row->summary.energy_j),
                                  is_on ? ", on the front" : ""));
      }
    }
  }

  static bool HasBoth(const SweepRow& row) {
    return row.summary.latency_s.has_value() && row.summary.energy_j.has_value();
  }

  // Where the time goes at each step, and the kernels: a line a series.
  void DrawPlans() {
    const size_t steps = std::min(along_.steps.size(), kMostSteps);
    constexpr double kNames = 300, kRow = 40, kBar = 13;
    const double each = (kWidth - 2 * kMargin - kNames) / static_cast<double>(steps);
    drawing_.Text(kMargin, y_ + 16, absl::StrCat("Units by share of the time (a whole bar = all of it), kernels and segments by ", EscapeControl(along_.title),
                                                 "; outlined: not as one step before"), Anchor::kStart, 12, true);
    y_ += 36;
    for (size_t i = 0; i < steps; ++i) {
      drawing_.Text(kMargin + kNames + each * static_cast<double>(i), y_, absl::StrCat(along_.steps[i]), Anchor::kStart, 10, true);
    }
    y_ += 8;
    for (const Series& one : series_) {
      drawing_.Text(kMargin, y_ + 11, Shorten(one.name, 46), Anchor::kStart, 10);
      const SweepRow* before = nullptr;
      for (size_t i = 0; i < steps; ++i) {
        const auto at = std::find_if(one.rows.begin(), one.rows.end(), [&](const SweepRow* row) { return along_.StepOf(*row) == i; });
        const double x = kMargin + kNames + each * static_cast<double>(i);
        if (at == one.rows.end()) {
          drawing_.Text(x, y_ + 11, "-", Anchor::kStart, 9);
          continue;
        }
        DrawPlanOf(**at, before, x, each - 12, kBar);
        before = *at;
      }
      y_ += kRow;
    }
    DrawUnits();
    if (along_.steps.size() > steps) {
      drawing_.Text(kMargin, y_ + 10, absl::StrCat("the first ", steps, " of ", along_.steps.size(), " steps"), Anchor::kStart, 9);
      y_ += 16;
    }
  }

  Tint TintOfName(const std::string& unit) {
    const auto [at, fresh] = units_.try_emplace(unit, units_.size());
    return TintOfUnit(UnitId(static_cast<uint32_t>(at->second)));
  }

  static bool SameUnits(const SweepRow& a, const SweepRow& b) {
    return std::equal(a.units.begin(), a.units.end(), b.units.begin(), b.units.end(),
                      [](const auto& x, const auto& y) { return x.first == y.first; });
  }

  void DrawPlanOf(const SweepRow& row, const SweepRow* before, double x, double width, double height) {
    double left = x;
    for (const auto& [unit, share] : row.units) {
      const Tint tint = TintOfName(unit);
      drawing_.Box(left, y_, width * share, height, tint.fill, tint.line, absl::StrCat(EscapeControl(unit), " ", Percent(share)));
      const std::string label = Percent(share);
      if (TextWidth(label, kShareText) + 4 < width * share) {
        drawing_.Text(left + width * share / 2, y_ + height - 3.5, label, Anchor::kMiddle, kShareText);
      }
      left += width * share;
    }
    if (row.units.empty()) drawing_.Text(x, y_ + 10, "unknown", Anchor::kStart, 9);
    const auto count = [](const std::optional<int64_t>& n) { return n.has_value() ? absl::StrCat(*n) : std::string("unknown"); };
    drawing_.Text(x, y_ + height + 11, absl::StrCat(count(row.groups), " kernels, ", count(row.segments), " seg."), Anchor::kStart, 9);
    const bool differs = before != nullptr && (before->groups != row.groups || before->segments != row.segments || !SameUnits(*before, row));
    if (!differs) return;
    const double bottom = y_ + height + 15;
    for (const auto& [x0, y0, x1, y1] : {std::array<double, 4>{x - 3, y_ - 3, x + width + 3, y_ - 3},
                                         {x - 3, bottom, x + width + 3, bottom},
                                         {x - 3, y_ - 3, x - 3, bottom},
                                         {x + width + 3, y_ - 3, x + width + 3, bottom}}) {
      drawing_.Line(x0, y0, x1, y1, kInk);
    }
  }

  void DrawUnits() {
    std::vector<std::string> names(units_.size());
    for (const auto& [unit, index] : units_) names[index] = unit;
    double x = kMargin;
    for (size_t i = 0; i < names.size(); ++i) {
      const std::string name = EscapeControl(names[i]);
      if (x + 30 + TextWidth(name, 10) > kWidth) {
        x = kMargin;
        y_ += 17;
      }
      const Tint tint = TintOfUnit(UnitId(static_cast<uint32_t>(i)));
      drawing_.Box(x, y_, 11, 11, tint.fill, tint.line, "");
      drawing_.Text(x + 16, y_ + 10, name, Anchor::kStart, 10);
      x += 40 + TextWidth(name, 10);
    }
    y_ += 22;
  }

  // Latencies with their intervals, where nothing varies that a line could stand along.
  void DrawBars() {
    std::vector<double> values;
    for (const Series& one : series_) {
      const SummaryView& s = one.rows.front()->summary;
      for (const auto& seconds : {s.latency_low_s, s.latency_s, s.latency_high_s}) {
        if (seconds.has_value()) values.push_back(*seconds);
      }
    }
    const Scale scale(values);
    drawing_.Text(kMargin, y_ + 16, "Latency, with its 80 % interval", Anchor::kStart, 12, true);
    SayIfLog(scale, kWidth - kMargin, y_ + 16);
    y_ += 28;
    DrawBarScale(scale);
    for (const Series& one : series_) {
      drawing_.Text(kBarsLeft - 8, y_ + 12, Shorten(one.name, 62), Anchor::kEnd, 10);
      DrawBar(one, scale);
      y_ += kBarRow;
    }
    y_ += 8;
  }

  // The ticks over the bars, and lines through them.
  void DrawBarScale(const Scale& scale) {
    const double height = kBarRow * static_cast<double>(series_.size());
    for (const double tick : scale.ticks()) {
      const double x = kBarsLeft + kBarsWidth * scale.At(tick);
      drawing_.Text(x, y_ + 10, tick == 0 ? "0" : Short(FormatSeconds(tick)), Anchor::kMiddle, 9);
      drawing_.Line(x, y_ + 14, x, y_ + 16 + height, kGrid);
    }
    y_ += 16;
  }

  void DrawBar(const Series& one, const Scale& scale) {
    const SweepRow& row = *one.rows.front();
    const SummaryView& s = row.summary;
    if (!s.latency_s.has_value()) {
      drawing_.Text(kBarsLeft, y_ + 12, "unknown", Anchor::kStart, 10);
      return;
    }
    drawing_.Box(kBarsLeft, y_ + 2, kBarsWidth * scale.At(*s.latency_s), kBarRow - 7, IsBound(row) ? "#ffffff" : one.tint.fill,
                 one.tint.line, one.name);
    if (s.latency_low_s.has_value() && s.latency_high_s.has_value()) {
      drawing_.Line(kBarsLeft + kBarsWidth * scale.At(*s.latency_low_s), y_ + 8,
                    kBarsLeft + kBarsWidth * scale.At(*s.latency_high_s), y_ + 8, kInk);
    }
    drawing_.Text(kWidth - kMargin, y_ + 12, absl::StrCat(IsBound(row) ? ">= " : "", FormatSeconds(*s.latency_s)), Anchor::kEnd,
                  10);
  }

  const std::vector<SweepRow>& rows_;
  const Along along_;
  const std::vector<Series> all_;
  std::vector<Series> series_;
  std::map<std::string, size_t> units_;  // by name: the order in which they came up
  Drawing drawing_;
  double y_ = 0;
};

}  // namespace

Drawing DrawSweep(const std::vector<SweepRow>& rows) { return SweepChart(rows).Draw(); }

}  // namespace hwest
