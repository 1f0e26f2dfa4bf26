// What charts along time share: the axis and the names in bars.
#pragma once

#include <string>

#include "report/drawing.h"

namespace hwest {

// Seconds along the page.
struct TimeAxis {
  static constexpr double kWidth = 1200, kLeft = 110, kRight = 24;  // of the page, and what is free beside the axis
  static constexpr double kPlot = kWidth - kLeft - kRight;

  double end_s;
  double X(double at_s) const { return kLeft + (end_s > 0 ? at_s / end_s : 0) * kPlot; }
};

void DrawTimeAxis(const TimeAxis& axis, double top, double bottom, Drawing* drawing);
// A name inside its bar, if it fits there.
void DrawLabel(double x, double y, double width, const std::string& text, Drawing* drawing);

}  // namespace hwest
