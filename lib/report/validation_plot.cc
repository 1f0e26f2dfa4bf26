// Predicted against measured, one dot per point, on logarithmic axes.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "chart/axis.h"
#include "report/validation_parts.h"

namespace hwest {
namespace {

constexpr double kWidth = 1000;
constexpr const char* kColors[] = {"#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e",
                                   "#17becf", "#8c564b", "#e377c2", "#7f7f7f", "#bcbd22"};
constexpr const char* kMoreColors[] = {"#9ec9e8", "#f2a3a3", "#9ad79a", "#cbb2e0", "#ffc68a",
                                       "#9fe3ec", "#c9a79f", "#f4c4e3", "#c4c4c4", "#e0e08a"};

// Milliseconds of one result.
double Milliseconds(const Point& point, double figure) {
  const MetricInfo* metric = FindMetric(point.measured.metric);
  return metric != nullptr && metric->quantity == Quantity::kLatency ? figure * 1e3 / metric->per_s : 1e3 / figure;
}

// Both axes have the same decades, which cover every point.
Axis AxisOf(const std::vector<Point>& points, Stretch on) {
  double least = INFINITY, most = 0;
  for (const Point& point : points) {
    for (const double figure : {point.measured.value, point.prediction.value}) {
      least = std::min(least, Milliseconds(point, figure));
      most = std::max(most, Milliseconds(point, figure));
    }
  }
  return points.empty() ? Axis::Log(1, 10, on) : Axis::Log(least, most, on);
}

// Lines for no error and for a factor of two either way.
void DrawErrors(const Axis& x, const Axis& y, Drawing* drawing) {
  const double low = x.low(), high = x.high();
  drawing->Line(x.At(low), y.At(low), x.At(high), y.At(high), "#444444");
  drawing->Line(x.At(low), y.At(2 * low), x.At(high / 2), y.At(high), "#999999", {.is_dashed = true});
  drawing->Line(x.At(2 * low), y.At(low), x.At(high), y.At(high / 2), "#999999", {.is_dashed = true});
}

void DrawPoint(const Point& point, const Axis& x, const Axis& y, const char* color, Drawing* drawing) {
  const Measurement& m = point.measured;
  drawing->Dot(x.At(Milliseconds(point, m.value)), y.At(Milliseconds(point, point.prediction.value)), 5,
               m.closeness == Closeness::kExact ? color : "", color,
               absl::StrFormat("%s on %s, %s %s: %s %.4g measured, %.4g predicted", m.model, point.query.target->name,
                               m.runtime, m.precision, m.metric, m.value, point.prediction.value));
}

// What the colours distinguish: families of targets, or targets if there are few.
class Series {
 public:
  explicit Series(const std::vector<Point>& points) {
    std::set<std::string> targets;
    for (const Point& point : points) targets.insert(point.query.target->name);
    of_families_ = targets.size() > std::size(kColors);
    for (const Point& point : points) ++rows_[NameOf(point)];
  }

  const char* ColorOf(const Point& point) const { return ColorAt(rows_.find(NameOf(point))); }

  std::vector<LegendEntry> Legend() const {
    std::vector<LegendEntry> entries;
    for (auto row = rows_.begin(); row != rows_.end(); ++row) {
      entries.push_back({absl::StrCat(row->first, ", ", row->second), {ColorAt(row), ColorAt(row)}});
    }
    return entries;
  }

 private:
  using Rows = std::map<std::string, size_t>;  // points by name

  std::string NameOf(const Point& point) const {
    const Target& target = *point.query.target;
    return of_families_ && !target.family.empty() ? target.family : target.name;
  }
  // Beyond the distinct colours, lighter ones in the same order.
  const char* ColorAt(Rows::const_iterator row) const {
    const auto at = static_cast<size_t>(std::distance(rows_.begin(), row));
    return at < std::size(kColors) ? kColors[at] : kMoreColors[at % std::size(kMoreColors)];
  }

  bool of_families_ = false;
  Rows rows_;
};

}  // namespace

Drawing ValidationPlot(const Validation& validation) {
  Drawing drawing(kWidth, "Predicted and measured time of a result", {});
  const Plot plot{.left = 90, .top = drawing.y + 12, .width = 600, .height = 600};
  const Axis x = AxisOf(validation.points, plot.Across()), y = AxisOf(validation.points, plot.Up());
  const auto words = [](double milliseconds) { return absl::StrFormat("%g", milliseconds); };
  DrawAxisBelow(plot, x, words, "measured, ms per result", &drawing);
  DrawAxisAtLeft(plot, y, words, "predicted, ms per result", &drawing);
  DrawErrors(x, y, &drawing);
  const Series series(validation.points);
  for (const Point& point : validation.points) DrawPoint(point, x, y, series.ColorOf(point), &drawing);
  const double left = plot.right() + 20;
  drawing.Text(left, plot.top + 10, "filled: exact match, hollow: near");
  drawing.Text(left, plot.top + 26, "line: as measured, dashed: a factor of 2");
  drawing.y = plot.top + 44;
  drawing.Legend(series.Legend(), left, kWidth - Drawing::kMargin);
  drawing.y = std::max(drawing.y, plot.bottom() + 40) + 8;
  return drawing;
}

}  // namespace hwest
