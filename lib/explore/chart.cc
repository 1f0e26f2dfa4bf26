#include "explore/chart.h"

#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/text.h"
#include "chart/axis.h"

namespace hwest {
namespace {

constexpr double kWidth = 900, kHeight = 480;
// Dots beyond would hide each other and make the file large: the front and the first ones stay.
constexpr size_t kMostDots = 5000;

// What is drawn upwards.
struct Upwards {
  const char* title;
  std::optional<double> (*of)(const ExplorePoint& point);
  std::string (*words)(double figure);
};
constexpr Upwards kUpwards[] = {
    {"area", [](const ExplorePoint& point) { return point.area_mm2; },
     [](double figure) { return absl::StrFormat("%.3g mm2", figure); }},
    {"energy (geometric mean)", [](const ExplorePoint& point) { return point.geomean_energy_j; }, FormatJoules},
    {"latency of the slowest model",
     [](const ExplorePoint& point) { return std::optional<double>(point.worst_latency_s); }, FormatSeconds},
};

class TradeOff {
 public:
  explicit TradeOff(const Exploration& found)
      : found_(found),
        up_(*std::find_if(std::begin(kUpwards), std::end(kUpwards) - 1,
                          [&](const Upwards& row) { return row.of(found.base).has_value(); })),
        drawing_(kWidth, absl::StrCat("Exploration of ", found.target),
                 {absl::StrCat(found.points.size(), " of ", found.size, " points, ", found.models.size(),
                               found.models.size() == 1 ? " model" : " models",
                               "; joined: the Pareto set, hollow: breaks a constraint")}) {}

  Drawing Draw() && {
    plot_ = {.left = Drawing::kMargin + 80,
             .top = drawing_.y + 20,
             .width = kWidth - 2 * Drawing::kMargin - 100,
             .height = kHeight};
    std::vector<double> times, figures;
    for (const ExplorePoint* point : Drawn()) {
      times.push_back(point->geomean_latency_s);
      figures.push_back(*up_.of(*point));
    }
    x_ = Axis::Of(times, plot_.Across());
    y_ = Axis::Of(figures, plot_.Up());
    DrawAxisAtLeft(plot_, y_, up_.words, up_.title, &drawing_);
    DrawAxisBelow(plot_, x_, FormatSeconds, "latency (geometric mean)", &drawing_);
    DrawFront();
    for (const ExplorePoint* point : Drawn()) DrawDot(*point);
    Mark(found_.base, "as it is");
    if (found_.best.has_value()) Mark(found_.points[*found_.best], "best");
    drawing_.y = plot_.bottom() + 56;
    DrawLegend();
    return std::move(drawing_);
  }

 private:
  bool HasPlace(const ExplorePoint& point) const { return point.ok() && up_.of(point).has_value(); }

  std::vector<const ExplorePoint*> Drawn() const {
    std::vector<const ExplorePoint*> drawn;
    size_t others = 0;
    for (const ExplorePoint& point : found_.points) {
      if (HasPlace(point) && (point.pareto || ++others <= kMostDots)) drawn.push_back(&point);
    }
    if (HasPlace(found_.base)) drawn.push_back(&found_.base);
    return drawn;
  }

  double X(const ExplorePoint& point) const { return x_.At(point.geomean_latency_s); }
  double Y(const ExplorePoint& point) const { return y_.At(*up_.of(point)); }

  // Of the Pareto set what is not beaten in these two figures either.
  void DrawFront() {
    std::vector<const ExplorePoint*> front;
    for (const ExplorePoint& point : found_.points) {
      if (point.pareto && HasPlace(point)) front.push_back(&point);
    }
    std::stable_sort(front.begin(), front.end(), [](const ExplorePoint* a, const ExplorePoint* b) {
      return a->geomean_latency_s < b->geomean_latency_s;
    });
    const ExplorePoint* last = nullptr;
    for (const ExplorePoint* point : front) {
      if (last != nullptr && *up_.of(*point) >= *up_.of(*last)) continue;
      if (last != nullptr) drawing_.Line(X(*last), Y(*last), X(*point), Y(*point), kInk, {.width = 1.2});
      last = point;
    }
  }

  size_t ColorOf(const ExplorePoint& point) const { return point.point.empty() ? 0 : point.point.front(); }

  void DrawDot(const ExplorePoint& point) {
    const Tint tint = TintAt(ColorOf(point));
    const std::string tip = absl::StrCat(PointText(found_, point), ": ", FormatSeconds(point.geomean_latency_s), ", ",
                                         up_.words(*up_.of(point)), point.pareto ? ", in the Pareto set" : "");
    drawing_.Dot(X(point), Y(point), point.pareto ? 10 : 6, point.keeps ? tint.fill : kPaper,
                 point.pareto ? kInk : tint.line, tip);
  }

  void Mark(const ExplorePoint& point, absl::string_view name) {
    if (!HasPlace(point)) return;
    constexpr double kArm = 7;
    const double x = X(point), y = Y(point);
    drawing_.Line(x - kArm, y - kArm, x + kArm, y + kArm, kInk, {.width = 2});
    drawing_.Line(x - kArm, y + kArm, x + kArm, y - kArm, kInk, {.width = 2});
    const bool is_right = x > plot_.right() - 80;
    drawing_.Text(is_right ? x - 12 : x + 12, y - 6, name,
                  {.size = 12, .anchor = is_right ? Anchor::kEnd : Anchor::kStart, .is_bold = true});
  }

  void DrawLegend() {
    const Settable& figure = found_.figures.front();
    std::vector<double> values;
    for (const ExplorePoint& point : found_.points) {
      if (values.size() <= ColorOf(point)) values.resize(ColorOf(point) + 1);
      values[ColorOf(point)] = point.values.front();
    }
    std::vector<LegendEntry> entries;
    for (size_t i = 0; i < std::min(values.size(), kTints); ++i) {
      entries.push_back({absl::StrCat(figure.path, " ", ValueText(figure, values[i])), TintAt(i)});
    }
    drawing_.Legend(entries, Drawing::kMargin, kWidth - Drawing::kMargin);
    drawing_.y += 6;
  }

  const Exploration& found_;
  const Upwards& up_;
  Drawing drawing_;
  Plot plot_;
  Axis x_, y_;
};

}  // namespace

Drawing DrawExploration(const Exploration& found) { return TradeOff(found).Draw(); }

}  // namespace hwest
