// Charts of where the time goes: the roofline, the modules, and the bounds.
#include <algorithm>
#include <cmath>
#include <map>

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

constexpr const char* kGrid = "#e4e4e4";

// Decades of an axis, and where a value lies between them.
struct LogAxis {
  int first = 0, last = 1;
  double from = 0, to = 1;  // points
  double At(double value) const {
    return from + (to - from) * (std::log10(value) - first) / static_cast<double>(last - first);
  }
};

LogAxis LogAxisOf(double least, double most, double from, double to) {
  const int first = static_cast<int>(std::floor(std::log10(least)));
  return {first, std::max(first + 1, static_cast<int>(std::ceil(std::log10(most)))), from, to};
}

std::string RateOf(double flops_per_s) { return absl::StrCat(Short(FormatCount(flops_per_s)), "FLOP/s"); }

struct RoofPoint {
  GroupRow group;
  double intensity = 0, flops_per_s = 0;
};

std::vector<RoofPoint> RoofPoints(const View& view) {
  std::vector<RoofPoint> points;
  for (const GroupRow& group : view.groups) {
    if (!group.estimate || !(group.estimate->time_s > 0) || group.flops.value_or(0) <= 0) continue;
    const auto intensity = getters::RatioOfSum(group.flops, group.in_bytes, group.weight_bytes, group.out_bytes);
    if (!intensity) continue;
    points.push_back({group, *intensity, static_cast<double>(*group.flops) / group.estimate->time_s});
  }
  return points;
}

void DrawRoof(const View& view, const RoofRow& roof, const LogAxis& x, const LogAxis& y, double label_y,
              Drawing* drawing) {
  if (!roof.flops_per_s || !roof.bytes_per_s) return;
  const char* color = TintOfUnit(roof.unit).line;
  const double ridge = *roof.flops_per_s / *roof.bytes_per_s;
  const double low = std::pow(10.0, x.first), high = std::pow(10.0, x.last), floor = std::pow(10.0, y.first);
  const double begin = std::max(low, floor / *roof.bytes_per_s);
  if (ridge > begin) {
    const double end = std::min(ridge, high);
    drawing->Line(x.At(begin), y.At(begin * *roof.bytes_per_s), x.At(end), y.At(end * *roof.bytes_per_s), color, 1.5);
  }
  if (ridge < high)
    drawing->Line(x.At(std::max(ridge, low)), y.At(*roof.flops_per_s), x.At(high), y.At(*roof.flops_per_s), color, 1.5);
  drawing->Box(x.to + 12, label_y - 4, 10, 3, color, "", "");
  drawing->Text(x.to + 28, label_y,
                EscapeControl(absl::StrCat(view.units[roof.unit.index()].name, " ", roof.precision, ": ",
                                           RateOf(*roof.flops_per_s), ", ", FormatBytes(*roof.bytes_per_s), "/s")),
                Anchor::kStart, 10);
}

// The ids of these groups at their dots, where they are clear of those before.
void NameDots(const std::vector<RoofPoint>& points, const std::vector<size_t>& rows, const LogAxis& x, const LogAxis& y,
              Drawing* drawing) {
  constexpr double kSize = 9, kGap = 3;
  std::vector<std::pair<double, double>> taken;
  for (const size_t i : rows) {
    const std::string name = absl::StrCat("g", points[i].group.id.index());
    const double at_x = std::min(x.At(points[i].intensity) + 8, x.to - 24), at_y = y.At(points[i].flops_per_s) - 6;
    const double width = TextWidth("g000", kSize) + kGap;
    const bool is_clear = std::none_of(taken.begin(), taken.end(), [&](const std::pair<double, double>& other) {
      return std::abs(other.first - at_x) < width && std::abs(other.second - at_y) < kSize + kGap;
    });
    if (!is_clear) continue;
    taken.emplace_back(at_x, at_y);
    drawing->Text(at_x, at_y, name, Anchor::kStart, kSize);
  }
}

// A path without that of the module around it.
std::string Below(const std::string& parent, const std::string& path) {
  if (parent.empty() || path.size() <= parent.size() + 1 || path.compare(0, parent.size(), parent) != 0) return path;
  return path.substr(parent.size() + 1);
}

}  // namespace

void DrawRoofline(const View& view, Drawing* drawing) {
  constexpr double kWidth = 1100, kLeft = 110, kPlot = 640, kHeight = 480;
  const double top = BeginChart(view, "Roofline", kWidth, drawing) + 10;
  const std::vector<RoofPoint> points = RoofPoints(view);
  double least_x = 0.1, most_x = 100, least_y = 1e9, most_y = 1e10;
  if (!points.empty()) {
    const auto by_x = [](const RoofPoint& a, const RoofPoint& b) { return a.intensity < b.intensity; };
    const auto by_y = [](const RoofPoint& a, const RoofPoint& b) { return a.flops_per_s < b.flops_per_s; };
    least_x = std::min_element(points.begin(), points.end(), by_x)->intensity;
    most_x = std::max_element(points.begin(), points.end(), by_x)->intensity;
    least_y = std::min_element(points.begin(), points.end(), by_y)->flops_per_s;
    most_y = std::max_element(points.begin(), points.end(), by_y)->flops_per_s;
  }
  for (const RoofRow& roof : view.roofs) {
    most_y = std::max(most_y, roof.flops_per_s.value_or(0));
    if (roof.flops_per_s && roof.bytes_per_s) most_x = std::max(most_x, *roof.flops_per_s / *roof.bytes_per_s);
  }
  const LogAxis x = LogAxisOf(least_x, most_x, kLeft, kLeft + kPlot);
  const LogAxis y = LogAxisOf(least_y, most_y, top + kHeight, top);
  for (int decade = x.first; decade <= x.last; ++decade) {
    const double at = std::pow(10.0, decade);
    drawing->Line(x.At(at), top, x.At(at), top + kHeight, kGrid);
    drawing->Text(x.At(at), top + kHeight + 16, absl::StrFormat("%g", at), Anchor::kMiddle, 10);
  }
  for (int decade = y.first; decade <= y.last; ++decade) {
    const double at = std::pow(10.0, decade);
    drawing->Line(kLeft, y.At(at), kLeft + kPlot, y.At(at), kGrid);
    drawing->Text(kLeft - 6, y.At(at) + 4, RateOf(at), Anchor::kEnd, 10);
  }
  drawing->Text(kLeft + kPlot / 2, top + kHeight + 34, "FLOP per byte moved", Anchor::kMiddle, 10);
  double label_y = top + 14;
  drawing->Text(x.to + 12, label_y, "Dense peak and shared memory of", Anchor::kStart, 10, true);
  for (const RoofRow& roof : view.roofs) DrawRoof(view, roof, x, y, label_y += 15, drawing);
  const double latency_s = *view.summary.latency_s;
  for (const RoofPoint& point : points) {
    const Tint tint = TintOfUnit(point.group.unit);
    const double share = latency_s > 0 ? point.group.estimate->time_s / latency_s : 0;
    drawing->Dot(
        x.At(point.intensity), y.At(point.flops_per_s), 5 + 40 * std::sqrt(share), tint.fill, tint.line,
        EscapeControl(absl::StrCat("g", point.group.id.index(), " ", point.group.label, ": ",
                                   FormatSeconds(point.group.estimate->time_s), ", ", RateOf(point.flops_per_s), " at ",
                                   absl::StrFormat("%.4g FLOP/B", point.intensity))));
  }
  label_y += 28;
  drawing->Text(x.to + 12, label_y, "Groups that take longest", Anchor::kStart, 10, true);
  std::vector<double> times;
  for (const RoofPoint& point : points) times.push_back(point.group.estimate->time_s);
  NameDots(points, CostliestRows(times, 12), x, y, drawing);
  for (const size_t i : CostliestRows(times, 12)) {
    label_y += 15;
    drawing->Text(x.to + 12, label_y,
                  EscapeControl(absl::StrCat("g", points[i].group.id.index(), " ", FormatSeconds(times[i]), "  ",
                                             Shorten(points[i].group.label, 48))),
                  Anchor::kStart, 10);
  }
  const size_t left_out = view.groups.size() - points.size();
  std::string note =
      absl::StrCat("Larger dots take longer; those over a slope are fed from memory on the chip. ", points.size(), " of ",
                   view.groups.size(), " groups");
  if (left_out > 0) note += "; the rest do no arithmetic, move nothing, or are not known";
  drawing->Text(kLeft, top + kHeight + 54, note, Anchor::kStart, 9);
  drawing->height = std::max(top + kHeight + 70, label_y + 20);
}

void DrawModules(const View& view, Drawing* drawing) {
  constexpr double kWidth = 1200, kLeft = 16, kRow = 30;
  const double top = BeginChart(view, "Time by module", kWidth, drawing);
  const double plot = kWidth - 2 * kLeft, total_s = *view.summary.latency_s;
  struct Place {
    double x = 0, next = 0;
    int depth = 0;
  };
  std::vector<Place> places(view.modules.size());
  double next_root = kLeft;
  int deepest = 0;
  size_t hidden = 0;
  for (size_t m = 0; m < view.modules.size(); ++m) {
    const ModuleView& module = view.modules[m];
    const bool has_parent = module.parent_index.has_value();
    Place* parent = has_parent ? &places[static_cast<size_t>(*module.parent_index)] : nullptr;
    double& next = has_parent ? parent->next : next_root;
    places[m] = {next, next, has_parent ? parent->depth + 1 : 0};
    const double width = total_s > 0 ? module.time_s.value_or(0) / total_s * plot : 0;
    next += width;
    if (width < 0.5) {
      ++hidden;
      continue;
    }
    deepest = std::max(deepest, places[m].depth);
    const double y = top + kRow * places[m].depth;
    const double share = total_s > 0 ? *module.time_s / total_s : 0;
    const Tint tint = TintOfUnit(UnitId(static_cast<uint32_t>(places[m].depth % 8)));
    const std::string name = module.path.empty() ? "the model" : module.path;
    const std::string tip =
        EscapeControl(absl::StrCat(name, module.class_name ? absl::StrCat(", ", *module.class_name) : "", ": ",
                                   FormatSeconds(*module.time_s), ", ", Percent(share)));
    drawing->Box(places[m].x, y, width, kRow - 2, tint.fill, width > 3 ? tint.line : "", tip);
    const auto fits = static_cast<size_t>((width - 6) / TextWidth("x", 9));
    const std::string label =
        has_parent ? Below(view.modules[static_cast<size_t>(*module.parent_index)].path, name) : name;
    if (width > 30 && (fits >= label.size() || fits >= 9)) {
      drawing->Text(places[m].x + 3, y + 12, Shorten(EscapeControl(label), fits), Anchor::kStart, 9);
      if (fits >= 7) drawing->Text(places[m].x + 3, y + 23, Percent(share), Anchor::kStart, 8);
    }
  }
  const double y = top + kRow * (deepest + 1) + 14;
  drawing->Text(kLeft, y,
                absl::StrCat("Widths are shares of the latency, rows levels of the tree; a fused group counts for the "
                             "module of its node with the most MACs",
                             hidden > 0 ? absl::StrCat("; ", hidden, " modules too narrow to draw") : ""),
                Anchor::kStart, 9);
  drawing->Text(kLeft, y + 13,
                "Blank below a module: its own kernels, moving data between units, and starting segments", Anchor::kStart, 9);
  drawing->height = y + 27;
}

void DrawBounds(const View& view, Drawing* drawing) {
  constexpr double kWidth = 1000, kLeft = 130, kRight = 30, kRow = 40;
  double y = BeginChart(view, "Bounds", kWidth, drawing);
  const double plot = kWidth - kLeft - kRight;
  const auto bar = [&](const std::string& name, const std::string& total, const std::vector<double>& parts) {
    double sum = 0;
    for (const double part : parts) sum += part;
    drawing->Text(kLeft - 8, y + 14, EscapeControl(name), Anchor::kEnd, 11, true);
    drawing->Text(kLeft - 8, y + 27, total, Anchor::kEnd, 9);
    double x = kLeft;
    for (size_t i = 0; i < parts.size() && sum > 0; ++i) {
      const double width = parts[i] / sum * plot;
      if (width <= 0) continue;
      const Tint tint = TintOfBound(view.bounds[i].bound);
      const std::string text = absl::StrCat(BoundName(view.bounds[i].bound), " ", Percent(parts[i] / sum));
      drawing->Box(x, y, width, kRow - 10, tint.fill, tint.line, text);
      if (width > TextWidth(text, 10) + 6) drawing->Text(x + 5, y + 19, text, Anchor::kStart, 10);
      x += width;
    }
    y += kRow;
  };
  std::vector<double> times, groups, flops, bytes;
  for (const BoundRow& row : view.bounds) {
    times.push_back(row.time_s);
    groups.push_back(static_cast<double>(row.groups));
    flops.push_back(static_cast<double>(row.flops));
    bytes.push_back(static_cast<double>(row.bytes));
  }
  const auto total = [](const std::vector<double>& parts) {
    double sum = 0;
    for (const double part : parts) sum += part;
    return sum;
  };
  const SummaryView& summary = view.summary;
  const double time_s = total(times), flop = total(flops), moved = total(bytes);
  bar("time", AtLeast(FormatSeconds(time_s), time_s, summary.incomplete.value_or(false)), times);
  bar("groups", FormatCount(total(groups)), groups);
  bar("FLOP", AtLeast(FormatCount(flop), flop, summary.counts_partial), flops);
  bar("bytes moved", AtLeast(FormatBytes(moved), moved, summary.bytes_partial || summary.counts_partial), bytes);
  y += 10;
  std::map<UnitId, std::vector<double>> by_unit;
  for (const GroupRow& group : view.groups) {
    if (!group.unit.valid() || !group.estimate) continue;
    std::vector<double>& parts = by_unit.try_emplace(group.unit, view.bounds.size(), 0.0).first->second;
    parts[static_cast<size_t>(group.estimate->bound)] += group.estimate->time_s;
  }
  for (const auto& [unit, parts] : by_unit) bar(view.units[unit.index()].name, FormatSeconds(total(parts)), parts);
  double x = kLeft;
  for (const BoundRow& row : view.bounds) {
    const Tint tint = TintOfBound(row.bound);
    drawing->Box(x, y, 12, 12, tint.fill, tint.line, "");
    drawing->Text(x + 16, y + 10, std::string(BoundName(row.bound)), Anchor::kStart, 10);
    x += 30 + TextWidth(std::string(BoundName(row.bound)), 10) + 16;
  }
  drawing->Text(kLeft, y + 32, "time holds transfers and starting segments; units hold their groups alone",
                Anchor::kStart, 9);
  drawing->height = y + 48;
}

}  // namespace hwest
