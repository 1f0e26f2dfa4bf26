// Charts over the time of one inference: busy units, and memory in use.
#include <algorithm>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "base/text.h"
#include "report/chart.h"
#include "report/palette.h"
#include "report/text_parts.h"
#include "report/text_table.h"

namespace hwest {
namespace {

std::string GroupTip(const View& view, const GroupRow& group) {
  const std::string bound = group.estimate ? absl::StrCat(", bound by ", BoundName(group.estimate->bound)) : "";
  return absl::StrCat("g", group.id.index(), " ", group.label, ": ", group.pattern, ", ",
                      group.estimate ? FormatSeconds(group.estimate->time_s) : "time unknown", bound,
                      view.segments.empty() ? "" : absl::StrCat(", from ", FormatSeconds(group.start_s.value_or(0))));
}

constexpr double kBar = 34, kInset = 4;

// Bars on a row for each unit.
struct Timeline {
  const View& view;
  Drawing drawing;
  std::vector<double> row_of;  // by unit
  Axis axis;

  // With its name if there is one.
  void DrawBar(UnitId unit, double from_s, double time_s, Tint tint, const std::string& tooltip,
               absl::string_view name) {
    const double x = axis.At(from_s), width = axis.At(from_s + time_s) - x, y = row_of[unit.index()] + kInset;
    drawing.Box(x, y, width, kBar, tint.fill, width > 2 ? tint.line : "", tooltip);
    drawing.Label(x, y + kBar / 2 + 3, width, name);
  }

  // The parts of a segment besides its groups: moving inputs, starting it, and a pipeline that runs all groups at once.
  void DrawSegment(const SegmentRow& segment) {
    const auto bar = [&](double from_s, double time_s, const char* fill, absl::string_view what) {
      if (time_s <= 0) return;
      const std::string tooltip = absl::StrCat(what, segment.id.index(), ": ", FormatSeconds(time_s));
      DrawBar(segment.unit, from_s, time_s, {fill, ""}, tooltip, "");
    };
    bar(segment.start_s, segment.transfer_s, "#9a9a9a", "transfer into segment ");
    bar(segment.InvokedSeconds(), segment.invoke_s, "#c9c9c9", "starting segment ");
    if (!segment.IsPipeline()) return;
    const std::string text =
        absl::StrCat("pipeline of ", segment.groups.size(), " groups, ", FormatSeconds(segment.time_s));
    DrawBar(segment.unit, segment.BeginSeconds(), segment.time_s, TintOfUnit(segment.unit), text, text);
  }

  void DrawGroup(const GroupRow& group) {
    if (!group.unit.valid() || !group.estimate || !group.start_s || IsPipelined(view, group)) return;
    DrawBar(group.unit, *group.start_s, group.estimate->time_s, TintOfUnit(group.unit), GroupTip(view, group),
            group.label);
  }
};

void NameUnit(const UnitRow& unit, double latency_s, Drawing* drawing) {
  const double share = latency_s > 0 ? unit.busy_s / latency_s : 0, right = TimePlot(0, 0).left - 8;
  drawing->Text(right, drawing->y + 18, unit.name, {.anchor = Anchor::kEnd, .is_bold = true});
  drawing->Text(right, drawing->y + 32, absl::StrCat("busy ", AtLeast(Percent(share), share, unit.incomplete)),
                {.size = 9, .anchor = Anchor::kEnd});
}

// The values that are alive in a group, the largest first.
void ListAlive(const View& view, GroupId group, double left, Drawing* drawing) {
  constexpr double kLine = 14, kSizes = 80;
  constexpr size_t kNamed = 8;
  drawing->Text(left, drawing->y += kLine,
                absl::StrCat("Alive at the peak, in g", group.index(), " ", view.groups[group.index()].label,
                             " (sizes as run, types of the file):"),
                {.is_bold = true});
  const std::vector<Lifetime> alive = LargestLifetimes(view, group);
  for (size_t i = 0; i < alive.size() && i < kNamed; ++i) {
    const ValueRow value = view.values[alive[i].value.index()];
    drawing->Text(left, drawing->y += kLine, FormatBytes(static_cast<double>(*alive[i].bytes)), {.size = 10});
    drawing->Text(left + kSizes, drawing->y, absl::StrCat(value.name, "  ", TypeText(value)), {.size = 10});
  }
  if (alive.size() <= kNamed) return;
  drawing->Text(left, drawing->y += kLine, absl::StrCat("and ", alive.size() - kNamed, " more"), {.size = 10});
}

}  // namespace

Drawing DrawTimeline(const View& view) {
  constexpr double kRow = 46;
  const double latency_s = *view.summary.latency_s;
  Timeline timeline{view, ChartPage(view, "Timeline", kTimeWidth), std::vector<double>(view.units.size()), {}};
  Drawing& drawing = timeline.drawing;
  const double top = drawing.y;
  for (size_t u = 0; u < view.units.size(); ++u) {
    if (view.units[u].groups == 0 && !view.units[u].placeable) continue;
    timeline.row_of[u] = drawing.y;
    NameUnit(view.units[u], latency_s, &drawing);
    drawing.y += kRow;
  }
  const Plot plot = TimePlot(top, drawing.y - top);
  timeline.axis = DrawTimeAxis(plot, latency_s, &drawing);
  for (const SegmentRow& segment : view.segments) timeline.DrawSegment(segment);
  for (const GroupRow& group : view.groups) timeline.DrawGroup(group);
  std::string note = "dark grey: moving data between units, light grey: starting a segment";
  if (absl::c_any_of(view.segments, [](const SegmentRow& segment) { return segment.IsPipeline(); })) {
    note += "; busy: the groups alone, without what filling a pipeline and loading its contexts adds";
  }
  drawing.Text(plot.left, drawing.y += 32, note, {.size = 9});
  drawing.y += 16;
  return drawing;
}

Drawing DrawMemory(const View& view) {
  constexpr char kWeights[] = "#d6d6f5", kActivations[] = "#fdbe6f", kPeak[] = "#b3261e";
  Drawing drawing = ChartPage(view, "Memory over time", kTimeWidth);
  const std::vector<MemoryStep> steps = MemorySteps(view);
  const auto fullest =
      absl::c_max_element(steps, [](const MemoryStep& a, const MemoryStep& b) { return a.live_bytes < b.live_bytes; });
  const auto weights = static_cast<double>(view.model.deployed_bytes.value_or(0));
  const double peak = weights + (fullest == steps.end() ? 0 : static_cast<double>(fullest->live_bytes));
  const Plot plot = TimePlot(drawing.y + 10, 340);
  const Axis y = Axis::Linear(peak, plot.Up(), 6), x = DrawTimeAxis(plot, *view.summary.latency_s, &drawing);
  DrawAxisAtLeft(plot, y, FormatBytes, "", &drawing);
  const auto band = [&](double left, double right, double from, double to, const char* fill, const std::string& tip) {
    drawing.Box(left, y.At(to), std::max(0.4, right - left), y.At(from) - y.At(to), fill, "", tip);
  };
  band(plot.left, plot.right(), 0, weights, kWeights,
       absl::StrCat("weights and other constants as deployed: ", FormatBytes(weights)));
  for (const MemoryStep& step : steps) {
    const auto live = static_cast<double>(step.live_bytes);
    band(x.At(step.start_s), x.At(step.end_s), weights, weights + live, kActivations,
         absl::StrCat(GroupTip(view, view.groups[step.group.index()]), "; ", FormatBytes(live), " of activations"));
  }
  const double at = fullest == steps.end() ? plot.left : x.At(fullest->start_s);
  const bool is_right = at > plot.left + plot.width / 2;
  drawing.Line(at, plot.top - 8, at, plot.bottom(), kPeak, {.width = 1.5, .is_dashed = true});
  drawing.Text(at + (is_right ? -6 : 6), plot.top - 8,
               absl::StrCat("peak ", AtLeast(FormatBytes(peak), peak, view.summary.bytes_partial)),
               {.anchor = is_right ? Anchor::kEnd : Anchor::kStart, .is_bold = true});
  drawing.y = plot.bottom() + 28;
  drawing.Legend(
      {{absl::StrCat("weights ", FormatBytes(weights)), {kWeights, ""}}, {"activations", {kActivations, ""}}},
      plot.left, plot.right());
  if (fullest != steps.end()) ListAlive(view, fullest->group, plot.left, &drawing);
  drawing.y += 10;
  return drawing;
}

}  // namespace hwest
