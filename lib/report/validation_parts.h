// The formats of a validation.
#pragma once

#include <string>
#include <vector>

#include "chart/drawing.h"
#include "fit/summary.h"
#include "report/document.h"
#include "report/report.h"

namespace hwest {

std::string ValidationText(const Validation& validation, const ValidationRequest& request,
                           const ReportOptions& options);
std::string ValidationMarkdown(const Validation& validation, const ValidationRequest& request,
                               const ReportOptions& options);
// Predicted against measured, on logarithmic axes. Draws a rate as the time of one result.
Drawing ValidationPlot(const Validation& validation);

// Indices of the `count` points furthest off, furthest first; 0 = all.
std::vector<size_t> FurthestOff(const std::vector<Point>& points, int64_t count);

}  // namespace hwest
