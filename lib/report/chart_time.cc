// Charts along the time of one inference: the units that are busy, and the memory in use.
#include <algorithm>
#include <optional>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/text.h"
#include "report/chart.h"
#include "report/chart_time.h"
#include "report/palette.h"
#include "report/text_parts.h"
#include "report/text_table.h"

namespace hwest {
namespace {

constexpr double kWidth = TimeAxis::kWidth, kLeft = TimeAxis::kLeft, kPlot = TimeAxis::kPlot;
constexpr const char* kTickLine = "#dddddd";

}  // namespace

void DrawTimeAxis(const TimeAxis& axis, double top, double bottom, Drawing* drawing) {
  for (const double tick : TicksOf(axis.end_s, 10)) {
    drawing->Line(axis.X(tick), top, axis.X(tick), bottom, kTickLine);
    drawing->Text(axis.X(tick), bottom + 16, Short(FormatSeconds(tick)), Anchor::kMiddle, 10);
  }
}

void DrawLabel(double x, double y, double width, const std::string& text, Drawing* drawing) {
  constexpr double kSize = 9;
  const auto fits = static_cast<size_t>(std::max(0.0, (width - 4) / TextWidth("x", kSize)));
  if (fits < 9) return;
  drawing->Text(x + 3, y, Shorten(EscapeControl(text), fits), Anchor::kStart, kSize);
}

namespace {

std::string GroupTip(const View& view, const GroupRow& group) {
  const std::string bound = group.estimate ? absl::StrCat(", bound by ", BoundName(group.estimate->bound)) : "";
  return EscapeControl(
      absl::StrCat("g", group.id.index(), " ", group.label, ": ", group.pattern, ", ",
                   group.estimate ? FormatSeconds(group.estimate->time_s) : "time unknown", bound,
                   view.segments.empty() ? "" : absl::StrCat(", from ", FormatSeconds(group.start_s.value_or(0)))));
}

// What of a segment is not its groups: moving its inputs, starting it, and a pipeline that runs them all at once.
void DrawSegment(const SegmentRow& segment, const TimeAxis& axis, double y, double height, Drawing* drawing) {
  const double invoked_s = segment.InvokedSeconds(), begin_s = segment.BeginSeconds();
  const auto bar = [&](double from_s, double time_s, const char* fill, const std::string& tip) {
    if (time_s > 0) drawing->Box(axis.X(from_s), y, axis.X(from_s + time_s) - axis.X(from_s), height, fill, "", tip);
  };
  bar(segment.start_s, segment.transfer_s, "#9a9a9a",
      absl::StrCat("transfer into segment ", segment.id.index(), ": ", FormatSeconds(segment.transfer_s)));
  bar(invoked_s, segment.invoke_s, "#c9c9c9",
      absl::StrCat("starting segment ", segment.id.index(), ": ", FormatSeconds(segment.invoke_s)));
  if (!segment.IsPipeline()) return;
  const Tint tint = TintOfUnit(segment.unit);
  const double x = axis.X(begin_s), width = axis.X(begin_s + segment.time_s) - x;
  const std::string text =
      absl::StrCat("pipeline of ", segment.groups.size(), " groups, ", FormatSeconds(segment.time_s));
  drawing->Box(x, y, width, height, tint.fill, tint.line, text);
  DrawLabel(x, y + height / 2 + 3, width, text, drawing);
}

}  // namespace

void DrawTimeline(const View& view, Drawing* drawing) {
  constexpr double kRow = 46, kBar = 34;
  double y = BeginChart(view, "Timeline", kWidth, drawing);
  std::vector<double> row_of(view.units.size(), -1);
  const double top = y;
  for (size_t u = 0; u < view.units.size(); ++u) {
    const UnitRow& unit = view.units[u];
    if (unit.groups == 0 && !unit.placeable) continue;
    row_of[u] = y;
    y += kRow;
  }
  const TimeAxis axis{*view.summary.latency_s};
  DrawTimeAxis(axis, top, y, drawing);
  for (size_t u = 0; u < view.units.size(); ++u) {
    if (row_of[u] < 0) continue;
    const double share = *view.summary.latency_s > 0 ? view.units[u].busy_s / *view.summary.latency_s : 0;
    drawing->Text(kLeft - 8, row_of[u] + 18, EscapeControl(view.units[u].name), Anchor::kEnd, 11, true);
    const std::string busy = AtLeast(Percent(share), share, view.units[u].incomplete);
    drawing->Text(kLeft - 8, row_of[u] + 32, absl::StrCat("busy ", busy), Anchor::kEnd, 9);
  }
  for (const SegmentRow& segment : view.segments) {
    DrawSegment(segment, axis, row_of[segment.unit.index()] + 4, kBar, drawing);
  }
  for (const GroupRow& group : view.groups) {
    if (!group.unit.valid() || !group.estimate || !group.start_s || IsPipelined(view, group)) continue;
    const Tint tint = TintOfUnit(group.unit);
    const double x = axis.X(*group.start_s), width = axis.X(*group.start_s + group.estimate->time_s) - x;
    const double bar_y = row_of[group.unit.index()] + 4;
    drawing->Box(x, bar_y, width, kBar, tint.fill, width > 2 ? tint.line : "", GroupTip(view, group));
    DrawLabel(x, bar_y + kBar / 2 + 3, width, group.label, drawing);
  }
  y += 30;
  std::string note = "dark grey: moving data between units, light grey: starting a segment";
  if (absl::c_any_of(view.segments, [](const SegmentRow& segment) { return segment.IsPipeline(); })) {
    note += "; busy: the groups alone, without what filling a pipeline and loading its contexts adds";
  }
  drawing->Text(kLeft, y, note, Anchor::kStart, 9);
  drawing->height = y + 16;
}

void DrawMemory(const View& view, Drawing* drawing) {
  constexpr double kHeight = 340, kNameLine = 14;
  constexpr size_t kNamed = 8;
  const double top = BeginChart(view, "Memory over time", kWidth, drawing) + 10;
  const auto weights = static_cast<double>(view.model.deployed_bytes.value_or(0));
  const std::vector<MemoryStep> steps = MemorySteps(view);
  const auto fuller = [](const MemoryStep& a, const MemoryStep& b) { return a.live_bytes < b.live_bytes; };
  const auto fullest = absl::c_max_element(steps, fuller);
  const double peak = weights + (fullest == steps.end() ? 0 : static_cast<double>(fullest->live_bytes));
  const TimeAxis axis{*view.summary.latency_s};
  const auto y_of = [&](double bytes) { return top + kHeight - (peak > 0 ? bytes / peak : 0) * kHeight; };
  for (const double tick : TicksOf(peak, 6)) {
    drawing->Line(kLeft, y_of(tick), kLeft + kPlot, y_of(tick), kTickLine);
    drawing->Text(kLeft - 6, y_of(tick) + 4, Short(FormatBytes(tick)), Anchor::kEnd, 10);
  }
  DrawTimeAxis(axis, top, top + kHeight, drawing);
  drawing->Box(kLeft, y_of(weights), kPlot, top + kHeight - y_of(weights), "#d6d6f5", "",
               absl::StrCat("weights and other constants as deployed: ", FormatBytes(weights)));
  drawing->Text(kLeft + 6, top + kHeight - 6, absl::StrCat("weights ", FormatBytes(weights)), Anchor::kStart, 10);
  for (const MemoryStep& step : steps) {
    const auto live = static_cast<double>(step.live_bytes);
    const double x = axis.X(step.start_s), y = y_of(weights + live);
    const std::string tip = GroupTip(view, view.groups[step.group.index()]);
    drawing->Box(x, y, std::max(0.4, axis.X(step.end_s) - x), y_of(weights) - y, "#fdbe6f", "",
                 absl::StrCat(tip, "; ", FormatBytes(live), " of activations"));
  }
  drawing->Text(kLeft + 6, y_of(weights) - 6, "activations", Anchor::kStart, 10);
  const double peak_x = fullest == steps.end() ? kLeft : axis.X(fullest->start_s);
  drawing->Line(peak_x, top - 8, peak_x, top + kHeight, "#b3261e", 1.5, true);
  const bool is_right = peak_x > kLeft + kPlot / 2;
  const Anchor anchor = is_right ? Anchor::kEnd : Anchor::kStart;
  const double text_x = peak_x + (is_right ? -6 : 6);
  double y = top + kHeight + 40;
  const std::string most = AtLeast(FormatBytes(peak), peak, view.summary.bytes_partial);
  drawing->Text(text_x, top - 10, absl::StrCat("peak ", most), anchor, 11, true);
  if (fullest == steps.end()) {
    drawing->height = y;
    return;
  }
  const GroupId peak_group = fullest->group;
  const GroupRow at_peak = view.groups[peak_group.index()];
  drawing->Text(kLeft, y,
                EscapeControl(absl::StrCat("Alive at the peak, in g", peak_group.index(), " ", at_peak.label,
                                           " (sizes as run, types of the file):")),
                Anchor::kStart, 11, true);
  const std::vector<Lifetime> alive = LargestLifetimes(view, peak_group);
  for (size_t i = 0; i < alive.size() && i < kNamed; ++i) {
    const ValueRow value = view.values[alive[i].value.index()];
    y += kNameLine;
    drawing->Text(kLeft, y, FormatBytes(static_cast<double>(*alive[i].bytes)), Anchor::kStart, 10);
    drawing->Text(kLeft + 80, y, Shorten(EscapeControl(absl::StrCat(value.name, "  ", TypeText(value))), 140),
                  Anchor::kStart, 10);
  }
  if (alive.size() > kNamed) {
    y += kNameLine;
    drawing->Text(kLeft, y, absl::StrCat("and ", alive.size() - kNamed, " more"), Anchor::kStart, 10);
  }
  drawing->height = y + 20;
}

}  // namespace hwest
