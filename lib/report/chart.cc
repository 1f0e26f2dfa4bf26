#include "report/chart.h"

#include <iterator>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/enumerators.h"
#include "base/text.h"
#include "chart/rasterise.h"
#include "report/text_parts.h"

namespace hwest {

// Each in a file of charts; nothing but the table below calls them.
Drawing DrawTimeline(const View& view);
Drawing DrawMemory(const View& view);
Drawing DrawRoofline(const View& view);
Drawing DrawModules(const View& view);

namespace {

constexpr absl::string_view kNames[] = {"timeline", "memory", "roofline", "modules"};
static_assert(std::size(kNames) == kNumEnumerators<Chart>);
constexpr Drawing (*kDraw[])(const View&) = {DrawTimeline, DrawMemory, DrawRoofline, DrawModules};
static_assert(std::size(kDraw) == kNumEnumerators<Chart>);

}  // namespace

absl::string_view ChartName(Chart chart) { return kNames[static_cast<size_t>(chart)]; }

Drawing ChartPage(const View& view, absl::string_view what, double width) {
  const RequestView& request = view.request;
  std::vector<std::string> latency = {absl::StrCat("latency ", LatencyText(view))}, facts;
  if (const std::string missing = MissingText(view); !missing.empty()) latency.push_back(missing);
  if (request.mode) facts.push_back(absl::StrCat("mode ", *request.mode));
  if (request.precision) facts.push_back(PrecisionText(view));
  if (request.batch) facts.push_back(absl::StrCat("batch ", *request.batch));
  std::vector<std::string> lines = {absl::StrJoin(latency, ", ")};
  if (!facts.empty()) lines.push_back(absl::StrJoin(facts, ", "));
  return Drawing(width, absl::StrCat(what, " of ", request.model, " on ", request.target.value_or("")), lines);
}

absl::StatusOr<Drawing> DrawChart(const View& view, Chart chart) {
  if (!view.summary.latency_s.has_value() || view.groups.empty()) {
    return MakeError(Code::kUsage, absl::StrCat("the chart ", ChartName(chart), " needs times"),
                     "add --target NAME; a model of which no time is known has none", {{"--target", {"NAME"}}});
  }
  if (chart == Chart::kModules && view.modules.empty()) {
    return MakeError(Code::kUsage, "the file names no modules to draw", "use --chart timeline, memory or roofline",
                     {"--chart"});
  }
  return kDraw[static_cast<size_t>(chart)](view);
}

Plot TimePlot(double top, double height) {
  constexpr double kLeft = 110, kRight = 24;
  return {.left = kLeft, .top = top, .width = kTimeWidth - kLeft - kRight, .height = height};
}

Axis DrawTimeAxis(const Plot& plot, double end_s, Drawing* drawing) {
  const Axis axis = Axis::Linear(end_s, plot.Across(), 10);
  DrawAxisBelow(plot, axis, FormatSeconds, "", drawing);
  return axis;
}

absl::StatusOr<std::string> PictureBytes(const std::string& svg, Format format) {
  if (format == Format::kSvg) return svg;
  if (format == Format::kPng) return Rasterise(svg, Raster::kPng);
  if (format == Format::kPdf) return Rasterise(svg, Raster::kPdf);
  return MakeError(Code::kUsage, absl::StrCat("a chart has no form in ", InfoOf(format).name), "use svg, png or pdf");
}

}  // namespace hwest
