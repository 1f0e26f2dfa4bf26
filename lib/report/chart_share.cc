// The chart of the time by module.
#include <algorithm>

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

}  // namespace hwest
