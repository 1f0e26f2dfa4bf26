// Charts of shares: the time by module, and what bounds the groups.
#include <algorithm>
#include <map>
#include <numeric>

#include "absl/strings/str_cat.h"
#include "base/text.h"
#include "report/chart.h"
#include "report/palette.h"
#include "report/text_parts.h"
#include "report/text_table.h"

namespace hwest {
namespace {

// A path relative to its parent module.
std::string Below(const std::string& parent, const std::string& path) {
  if (parent.empty() || path.size() <= parent.size() + 1 || path.compare(0, parent.size(), parent) != 0) return path;
  return path.substr(parent.size() + 1);
}

constexpr double kModulesWidth = 1200, kModuleRow = 30;

// Where a module is drawn, and where its children start.
struct ModulePlace {
  double x = 0, next = 0;
  size_t depth = 0;
};

void DrawModule(const View& view, const ModuleView& module, const ModulePlace& place, double width, double y,
                Drawing* drawing) {
  const std::string name = module.path.empty() ? "the model" : module.path;
  const std::string share = Percent(*view.summary.latency_s > 0 ? *module.time_s / *view.summary.latency_s : 0);
  const Tint tint = TintAt(place.depth);
  drawing->Box(place.x, y, width, kModuleRow - 2, tint.fill, width > 3 ? tint.line : "",
               absl::StrCat(name, module.class_name ? absl::StrCat(", ", *module.class_name) : "", ": ",
                            FormatSeconds(*module.time_s), ", ", share));
  const bool has_parent = module.parent_index.has_value();
  const std::string parent = has_parent ? view.modules[static_cast<size_t>(*module.parent_index)].path : "";
  drawing->Label(place.x, y + 12, width, Below(parent, name));
  drawing->Label(place.x, y + 23, width, share);
}

double SumOf(const std::vector<double>& parts) { return std::accumulate(parts.begin(), parts.end(), 0.0); }

// A bar divided by bound, in the order of the view.
void DrawBoundBar(const View& view, const std::string& name, const std::string& total, const std::vector<double>& parts,
                  const Plot& plot, Drawing* drawing) {
  constexpr double kBar = 30;
  const double y = drawing->y, sum = SumOf(parts);
  drawing->Text(plot.left - 8, y + 14, name, {.anchor = Anchor::kEnd, .is_bold = true});
  drawing->Text(plot.left - 8, y + 27, total, {.size = 9, .anchor = Anchor::kEnd});
  double x = plot.left;
  for (size_t i = 0; i < parts.size() && sum > 0; ++i) {
    const double width = parts[i] / sum * plot.width;
    if (width <= 0) continue;
    const Tint tint = TintOfBound(view.bounds[i].bound);
    const std::string text = absl::StrCat(BoundName(view.bounds[i].bound), " ", Percent(parts[i] / sum));
    drawing->Box(x, y, width, kBar, tint.fill, tint.line, text);
    if (width > TextWidth(text, {.size = 10}) + 8) drawing->Text(x + 4, y + 19, text, {.size = 10});
    x += width;
  }
  drawing->y += 40;
}

// Time of the groups of each unit, by bound.
std::map<UnitId, std::vector<double>> TimesByUnit(const View& view) {
  std::map<UnitId, std::vector<double>> by_unit;
  for (const GroupRow& group : view.groups) {
    if (!group.unit.valid() || !group.estimate) continue;
    std::vector<double>& parts = by_unit.try_emplace(group.unit, view.bounds.size(), 0.0).first->second;
    parts[static_cast<size_t>(group.estimate->bound)] += group.estimate->time_s;
  }
  return by_unit;
}

}  // namespace

Drawing DrawModules(const View& view) {
  Drawing drawing = ChartPage(view, "Time by module", kModulesWidth);
  const double plot = kModulesWidth - 2 * Drawing::kMargin, total_s = *view.summary.latency_s;
  std::vector<ModulePlace> places(view.modules.size());
  double next_root = Drawing::kMargin;
  size_t deepest = 0, hidden = 0;
  for (size_t m = 0; m < places.size(); ++m) {
    const ModuleView& module = view.modules[m];
    ModulePlace* parent = module.parent_index ? &places[static_cast<size_t>(*module.parent_index)] : nullptr;
    double& next = parent != nullptr ? parent->next : next_root;
    places[m] = {next, next, parent != nullptr ? parent->depth + 1 : 0};
    const double width = total_s > 0 ? module.time_s.value_or(0) / total_s * plot : 0;
    next += width;
    if (width < 0.5) {
      ++hidden;
      continue;
    }
    deepest = std::max(deepest, places[m].depth);
    const double y = drawing.y + kModuleRow * static_cast<double>(places[m].depth);
    DrawModule(view, module, places[m], width, y, &drawing);
  }
  drawing.y += kModuleRow * static_cast<double>(deepest + 1) + 14;
  drawing.Text(Drawing::kMargin, drawing.y,
               absl::StrCat("Widths are shares of the latency, rows levels of the tree; a fused group counts for the "
                            "module of its node with the most MACs",
                            hidden > 0 ? absl::StrCat("; ", hidden, " modules too narrow to draw") : ""),
               {.size = 9});
  drawing.Text(Drawing::kMargin, drawing.y += 13,
               "Blank below a module: its own kernels, moving data between units, and starting segments", {.size = 9});
  drawing.y += 14;
  return drawing;
}

Drawing DrawBounds(const View& view) {
  constexpr double kWidth = 1000, kLeft = 130, kRight = 30;
  Drawing drawing = ChartPage(view, "Bounds", kWidth);
  const Plot plot{.left = kLeft, .width = kWidth - kLeft - kRight};
  std::vector<double> times, groups, flops, bytes;
  std::vector<LegendEntry> legend;
  for (const BoundRow& row : view.bounds) {
    times.push_back(row.time_s);
    groups.push_back(static_cast<double>(row.groups));
    flops.push_back(static_cast<double>(row.flops));
    bytes.push_back(static_cast<double>(row.bytes));
    legend.push_back({std::string(BoundName(row.bound)), TintOfBound(row.bound)});
  }
  const SummaryView& summary = view.summary;
  const double time_s = SumOf(times), flop = SumOf(flops), moved = SumOf(bytes);
  const auto bar = [&](const std::string& name, const std::string& total, const std::vector<double>& parts) {
    DrawBoundBar(view, name, total, parts, plot, &drawing);
  };
  bar("time", AtLeast(FormatSeconds(time_s), time_s, summary.incomplete.value_or(false)), times);
  bar("groups", FormatCount(SumOf(groups)), groups);
  bar("FLOP", AtLeast(FormatCount(flop), flop, summary.counts_partial), flops);
  bar("bytes moved", AtLeast(FormatBytes(moved), moved, summary.bytes_partial || summary.counts_partial), bytes);
  drawing.y += 10;
  for (const auto& [unit, parts] : TimesByUnit(view))
    bar(view.units[unit.index()].name, FormatSeconds(SumOf(parts)), parts);
  drawing.Legend(legend, kLeft, kWidth - kRight);
  drawing.Text(kLeft, drawing.y + 12, "time holds transfers and starting segments; units hold their groups alone",
               {.size = 9});
  drawing.y += 28;
  return drawing;
}

}  // namespace hwest
