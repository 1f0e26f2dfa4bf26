// Predicted against measured, one dot per point, on logarithmic axes.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "base/text.h"
#include "report/validation_parts.h"

namespace hwest {
namespace {

constexpr double kSide = 560;  // of the plot, in pixels
constexpr double kLeft = 70, kTop = 30;
constexpr double kLegendWidth = 240, kLine = 16;
constexpr const char* kColors[] = {"#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e",
                                   "#17becf", "#8c564b", "#e377c2", "#7f7f7f", "#bcbd22"};
constexpr const char* kMoreColors[] = {"#9ec9e8", "#f2a3a3", "#9ad79a", "#cbb2e0", "#ffc68a",
                                       "#9fe3ec", "#c9a79f", "#f4c4e3", "#c4c4c4", "#e0e08a"};

std::string Escaped(const std::string& text) {
  return absl::StrReplaceAll(EscapeControl(text), {{"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}, {"\"", "&quot;"}});
}

// Milliseconds of one result.
double Milliseconds(const Point& point, double figure) {
  const MetricInfo* metric = FindMetric(point.measured.metric);
  return metric != nullptr && metric->quantity == Quantity::kLatency ? figure * 1e3 / metric->per_s : 1e3 / figure;
}

// Decades that hold every point, and where a value lies between them.
struct Axes {
  int first = 0;
  int last = 1;

  double Along(double milliseconds) const {
    return kSide * (std::log10(milliseconds) - first) / static_cast<double>(last - first);
  }
  double X(double milliseconds) const { return kLeft + Along(milliseconds); }
  double Y(double milliseconds) const { return kTop + kSide - Along(milliseconds); }
};

Axes AxesOf(const std::vector<Point>& points) {
  if (points.empty()) return {};
  double least = INFINITY, most = 0;
  for (const Point& point : points) {
    for (const double figure : {point.measured.value, point.prediction.value}) {
      least = std::min(least, Milliseconds(point, figure));
      most = std::max(most, Milliseconds(point, figure));
    }
  }
  const int first = static_cast<int>(std::floor(std::log10(least)));
  return {first, std::max(first + 1, static_cast<int>(std::ceil(std::log10(most))))};
}

std::string Text(double x, double y, const char* anchor, const std::string& text) {
  return absl::StrFormat("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n", x, y, anchor, Escaped(text));
}

std::string Line(double x1, double y1, double x2, double y2, const char* style) {
  return absl::StrFormat("<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" %s/>\n", x1, y1, x2, y2, style);
}

// Grid by decade, and the lines of no error and of a factor of two either way.
std::string Grid(const Axes& axes) {
  std::string text;
  for (int decade = axes.first; decade <= axes.last; ++decade) {
    const double at = std::pow(10.0, decade);
    const std::string label = absl::StrFormat("%g", at);
    absl::StrAppend(&text, Line(axes.X(at), kTop, axes.X(at), kTop + kSide, "stroke=\"#dddddd\""),
                    Line(kLeft, axes.Y(at), kLeft + kSide, axes.Y(at), "stroke=\"#dddddd\""),
                    Text(axes.X(at), kTop + kSide + 18, "middle", label), Text(kLeft - 8, axes.Y(at) + 4, "end", label));
  }
  const double low = std::pow(10.0, axes.first), high = std::pow(10.0, axes.last);
  absl::StrAppend(&text, Line(axes.X(low), axes.Y(low), axes.X(high), axes.Y(high), "stroke=\"#444444\""),
                  Line(axes.X(low), axes.Y(2 * low), axes.X(high / 2), axes.Y(high),
                       "stroke=\"#999999\" stroke-dasharray=\"4 4\""),
                  Line(axes.X(2 * low), axes.Y(low), axes.X(high), axes.Y(high / 2),
                       "stroke=\"#999999\" stroke-dasharray=\"4 4\""));
  return absl::StrCat(text, Text(kLeft + kSide / 2, kTop + kSide + 40, "middle", "measured, ms per result"),
                      absl::StrFormat("<text transform=\"translate(16 %.1f) rotate(-90)\" text-anchor=\"middle\">"
                                      "predicted, ms per result</text>\n",
                                      kTop + kSide / 2));
}

std::string Dot(const Point& point, const Axes& axes, const std::string& color) {
  const bool exact = point.measured.closeness == Closeness::kExact;
  const Measurement& m = point.measured;
  return absl::StrFormat(
      "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\" fill=\"%s\" stroke=\"%s\" fill-opacity=\"0.5\"><title>%s</title></circle>\n",
      axes.X(Milliseconds(point, m.value)), axes.Y(Milliseconds(point, point.prediction.value)),
      exact ? color : std::string("none"), color,
      Escaped(absl::StrFormat("%s on %s, %s %s: %s %.4g measured, %.4g predicted", m.model, point.query.target->name,
                              m.runtime, m.precision, m.metric, m.value, point.prediction.value)));
}

// What the colours tell apart: families of targets, or targets where there are few.
class Series {
 public:
  explicit Series(const std::vector<Point>& points) {
    std::set<std::string> targets;
    for (const Point& point : points) targets.insert(point.query.target->name);
    of_families_ = targets.size() > std::size(kColors);
    for (const Point& point : points) ++rows_[NameOf(point)];
  }

  std::string ColorOf(const Point& point) const { return ColorAt(rows_.find(NameOf(point))); }

  std::string Legend(double left, double top) const {
    std::string text;
    double y = top;
    for (auto row = rows_.begin(); row != rows_.end(); ++row, y += kLine) {
      absl::StrAppend(&text, absl::StrFormat("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"%s\"/>\n", left + 4, y,
                                             ColorAt(row)),
                      Text(left + 14, y + 4, "start", absl::StrCat(row->first, ", ", row->second)));
    }
    return text;
  }

  size_t size() const { return rows_.size(); }

 private:
  using Rows = std::map<std::string, size_t>;  // points by name

  std::string NameOf(const Point& point) const {
    const Target& target = *point.query.target;
    return of_families_ && !target.family.empty() ? target.family : target.name;
  }
  // Past the colours that are told apart, lighter ones of the same order.
  std::string ColorAt(Rows::const_iterator row) const {
    const auto at = static_cast<size_t>(std::distance(rows_.begin(), row));
    return at < std::size(kColors) ? kColors[at] : kMoreColors[at % std::size(kMoreColors)];
  }

  bool of_families_ = false;
  Rows rows_;
};

}  // namespace

std::string ValidationPlot(const Validation& validation) {
  const Series series(validation.points);
  const Axes axes = AxesOf(validation.points);
  const double width = kLeft + kSide + 20 + kLegendWidth;
  const double height = kTop + std::max(kSide + 60, (static_cast<double>(series.size()) + 4) * kLine);
  std::string text = absl::StrFormat(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\" "
      "font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
      width, height, width, height);
  absl::StrAppend(&text, Grid(axes));
  for (const Point& point : validation.points) absl::StrAppend(&text, Dot(point, axes, series.ColorOf(point)));
  const double left = kLeft + kSide + 20;
  return absl::StrCat(text, Text(left, kTop, "start", "filled: exact match, hollow: near"),
                      Text(left, kTop + kLine, "start", "line: as measured, dashed: a factor of 2"),
                      series.Legend(left, kTop + 3 * kLine), "</svg>\n");
}

}  // namespace hwest
