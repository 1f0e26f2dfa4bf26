// The roofline: what each group reaches, below what its unit can do.
#include <algorithm>
#include <cmath>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/text.h"
#include "report/chart.h"
#include "report/getters.h"
#include "report/palette.h"
#include "report/text_parts.h"
#include "report/text_table.h"
#include "report/writers.h"

namespace hwest {
namespace {

constexpr double kRoofWidth = 1100, kSide = 12;  // of the page, and between plot and texts beside it
constexpr size_t kMostNamedGroups = 12;

std::string FlopRate(double flops_per_s) { return absl::StrCat(ShortFigure(FormatCount(flops_per_s)), "FLOP/s"); }

struct RoofPoint {
  GroupRow group;
  double intensity = 0, flops_per_s = 0;
};

// Slowest groups first, so that small dots lie above large ones.
std::vector<RoofPoint> RoofPoints(const View& view) {
  std::vector<RoofPoint> points;
  for (const GroupRow& group : view.groups) {
    if (!group.estimate || !(group.estimate->time_s > 0) || group.flops.value_or(0) <= 0) continue;
    const auto intensity = getters::RatioOfSum(group.flops, group.in_bytes, group.weight_bytes, group.out_bytes);
    if (!intensity) continue;
    points.push_back({group, *intensity, static_cast<double>(*group.flops) / group.estimate->time_s});
  }
  std::stable_sort(points.begin(), points.end(), [](const RoofPoint& a, const RoofPoint& b) {
    return a.group.estimate->time_s > b.group.estimate->time_s;
  });
  return points;
}

// The rectangle with its two axes.
struct RoofPlot {
  Plot plot;
  Axis x, y;
};

RoofPlot RoofPlotOf(const View& view, const std::vector<RoofPoint>& points, double top) {
  const Plot plot{.left = 110, .top = top, .width = 640, .height = 480};
  std::vector<double> intensities, rates;
  for (const RoofPoint& point : points) {
    intensities.push_back(point.intensity);
    rates.push_back(point.flops_per_s);
  }
  if (points.empty()) intensities = {0.1, 100}, rates = {1e9, 1e10};
  for (const RoofRow& roof : view.roofs) {
    if (roof.flops_per_s) rates.push_back(*roof.flops_per_s);
    if (roof.flops_per_s && roof.bytes_per_s) intensities.push_back(*roof.flops_per_s / *roof.bytes_per_s);
  }
  const auto [least_x, most_x] = std::minmax_element(intensities.begin(), intensities.end());
  const auto [least_y, most_y] = std::minmax_element(rates.begin(), rates.end());
  return {plot, Axis::Log(*least_x, *most_x, plot.Across()), Axis::Log(*least_y, *most_y, plot.Up())};
}

void DrawRoof(const RoofPlot& on, const RoofRow& roof, Drawing* drawing) {
  if (!roof.flops_per_s || !roof.bytes_per_s) return;
  const auto& [plot, x, y] = on;
  const char* color = TintOfUnit(roof.unit).line;
  const double ridge = *roof.flops_per_s / *roof.bytes_per_s, end = std::min(ridge, x.high());
  const double begin = std::max(x.low(), y.low() / *roof.bytes_per_s);
  if (end > begin) {
    drawing->Line(x.At(begin), y.At(begin * *roof.bytes_per_s), x.At(end), y.At(end * *roof.bytes_per_s), color,
                  {.width = 1.5});
  }
  if (ridge < x.high()) {
    drawing->Line(x.At(std::max(ridge, x.low())), y.At(*roof.flops_per_s), plot.right(), y.At(*roof.flops_per_s), color,
                  {.width = 1.5});
  }
}

void DrawRoofPoint(const RoofPlot& on, const RoofPoint& point, double latency_s, Drawing* drawing) {
  const double time_s = point.group.estimate->time_s, share = latency_s > 0 ? time_s / latency_s : 0;
  const Tint tint = TintOfUnit(point.group.unit);
  const auto dram = getters::RatioOfSum(point.group.flops, std::optional(point.group.estimate->dram_bytes));
  drawing->Dot(on.x.At(point.intensity), on.y.At(point.flops_per_s), 5 + 40 * std::sqrt(share), tint.fill, tint.line,
               absl::StrCat("g", point.group.id.index(), " ", point.group.label, ": ", FormatSeconds(time_s), ", ",
                            FlopRate(point.flops_per_s), " at ", absl::StrFormat("%.4g FLOP/B", point.intensity),
                            dram ? absl::StrFormat(", %.4g of DRAM", *dram) : ""));
}

// Labels the slowest groups with their ids, where a label is clear of earlier ones.
void NameDots(const RoofPlot& on, const std::vector<RoofPoint>& points, Drawing* drawing) {
  constexpr double kSize = 9, kGap = 3, kAside = 8;
  std::vector<std::pair<double, double>> taken;
  for (size_t i = 0; i < points.size() && i < kMostNamedGroups; ++i) {
    const std::string name = absl::StrCat("g", points[i].group.id.index());
    const double width = TextWidth(name, {.size = kSize}) + kGap;
    const double x = std::min(on.x.At(points[i].intensity) + kAside, on.plot.right() - width);
    const double y = on.y.At(points[i].flops_per_s) - 6;
    if (absl::c_any_of(taken, [&](const std::pair<double, double>& other) {
          return std::abs(other.first - x) < width && std::abs(other.second - y) < kSize + kGap;
        }))
      continue;
    taken.emplace_back(x, y);
    drawing->Text(x, y, name, {.size = kSize});
  }
}

// What the lines are, and the groups by name, from `y` on down.
void DrawRoofTexts(const View& view, const std::vector<RoofPoint>& points, double x, Drawing* drawing) {
  constexpr double kLine = 15, kSize = 10;
  drawing->Text(x, drawing->y, "Dense peak and shared memory of", {.size = kSize, .is_bold = true});
  std::vector<LegendEntry> roofs;
  for (const RoofRow& roof : view.roofs) {
    if (!roof.flops_per_s || !roof.bytes_per_s) continue;
    const Tint tint = TintOfUnit(roof.unit);
    roofs.push_back({absl::StrCat(view.units[roof.unit.index()].name, " ", roof.precision, ": ",
                                  FlopRate(*roof.flops_per_s), ", ", FormatBytes(*roof.bytes_per_s), "/s"),
                     {tint.line, tint.line}});
  }
  drawing->y += 6;
  drawing->Legend(roofs, x, kRoofWidth - Drawing::kMargin);
  drawing->Text(x, drawing->y += 20, "Groups that take longest", {.size = kSize, .is_bold = true});
  for (size_t i = 0; i < points.size() && i < kMostNamedGroups; ++i) {
    const std::string text = absl::StrCat("g", points[i].group.id.index(), " ",
                                          FormatSeconds(points[i].group.estimate->time_s), "  ", points[i].group.label);
    drawing->Text(x, drawing->y += kLine, text, {.size = kSize});
  }
}

}  // namespace

Drawing DrawRoofline(const View& view) {
  Drawing drawing = ChartPage(view, "Roofline", kRoofWidth);
  const std::vector<RoofPoint> points = RoofPoints(view);
  const RoofPlot on = RoofPlotOf(view, points, drawing.y + 10);
  DrawAxisBelow(on.plot, on.x, [](double x) { return absl::StrFormat("%g", x); }, "FLOP per byte moved", &drawing);
  DrawAxisAtLeft(on.plot, on.y, FlopRate, "", &drawing);
  for (const RoofRow& roof : view.roofs) DrawRoof(on, roof, &drawing);
  for (const RoofPoint& point : points) DrawRoofPoint(on, point, *view.summary.latency_s, &drawing);
  NameDots(on, points, &drawing);
  drawing.y = on.plot.top + 14;
  DrawRoofTexts(view, points, on.plot.right() + kSide, &drawing);
  const bool leaves_out = view.groups.size() > points.size();
  const double below = on.plot.bottom() + 54;
  drawing.Text(on.plot.left, below,
               absl::StrCat("Larger dots take longer; those over a slope are fed from memory on the chip. ",
                            points.size(), " of ", view.groups.size(), " groups",
                            leaves_out ? "; the rest do no arithmetic, move nothing, or are not known" : ""),
               {.size = 9});
  drawing.y = std::max(below + 16, drawing.y + 20);
  return drawing;
}

}  // namespace hwest
