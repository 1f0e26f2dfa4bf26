// Charts of a plan: when units are busy, what memory holds, what limits the groups, and where the time goes.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "chart/axis.h"
#include "chart/drawing.h"
#include "report/report.h"
#include "report/view.h"

namespace hwest {

absl::string_view ChartName(Chart chart);  // "timeline", ...

// Errors: kUsage without a target, and for modules of a file that names none.
absl::StatusOr<Drawing> DrawChart(const View& view, Chart chart);

// A page that says what it shows of which model, and the latency.
Drawing ChartPage(const View& view, absl::string_view what, double width);

// Of charts along time: how wide they are, the rectangle for bars, and its axis.
inline constexpr double kTimeWidth = 1200;
Plot TimePlot(double top, double height);
Axis DrawTimeAxis(const Plot& plot, double end_s, Drawing* drawing);

// An SVG as it is, as png or as pdf. Errors: kUsage for other formats; as Rasterise.
absl::StatusOr<std::string> PictureBytes(const std::string& svg, Format format);

}  // namespace hwest
