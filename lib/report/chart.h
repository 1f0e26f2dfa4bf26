// Charts of a plan: when units are busy, what memory holds, what limits the groups, and where the time goes.
#pragma once

#include "absl/status/statusor.h"
#include "report/drawing.h"
#include "report/report.h"
#include "report/view.h"

namespace hwest {

absl::string_view ChartName(Chart chart);  // "timeline", ...

// Errors: kUsage without a target, and for modules of a file that names none.
absl::StatusOr<Drawing> DrawChart(const View& view, Chart chart);

// The title, subtitle and page that every chart begins with; returns the height they take.
double BeginChart(const View& view, absl::string_view what, double width, Drawing* drawing);
// Round numbers, at most `most`, from 0 on: ticks of an axis up to `end`.
std::vector<double> TicksOf(double end, int most);

// A figure as a tick says it: "2 ms", not "2.000 ms".
std::string Short(std::string figure);

void DrawTimeline(const View& view, Drawing* drawing);
void DrawMemory(const View& view, Drawing* drawing);
void DrawRoofline(const View& view, Drawing* drawing);
void DrawModules(const View& view, Drawing* drawing);
void DrawBounds(const View& view, Drawing* drawing);

}  // namespace hwest
