#include "sweep/column_unit.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_format.h"
#include "absl/types/span.h"

namespace hwest {
namespace {

constexpr ColumnUnit kPlain[] = {{1, ""}};
constexpr ColumnUnit kSeconds[] = {{1e-6, "us"}, {1e-3, "ms"}, {1, "s"}};
constexpr ColumnUnit kJoules[] = {{1e-6, "uJ"}, {1e-3, "mJ"}, {1, "J"}};
constexpr ColumnUnit kWatts[] = {{1e-3, "mW"}, {1, "W"}};
constexpr ColumnUnit kBytes[] = {{1, "B"}, {1e3, "kB"}, {1e6, "MB"}, {1e9, "GB"}};
constexpr double kMostShown = 1e6;  // of a unit

// Units, smallest first.
absl::Span<const ColumnUnit> ChoicesOf(Measure measure) {
  switch (measure) {
    case Measure::kSeconds: return kSeconds;
    case Measure::kJoules: return kJoules;
    case Measure::kWatts: return kWatts;
    case Measure::kBytes: return kBytes;
    case Measure::kPlain: break;
  }
  return kPlain;
}

int Readable(double scaled) {
  if (scaled < 0.01) return -1;
  return scaled >= 1 && scaled < 1e3 ? 2 : scaled >= 0.1 && scaled < 1e4 ? 1 : 0;
}

}  // namespace

ColumnUnit UnitOf(Measure measure, const std::vector<double>& figures) {
  const absl::Span<const ColumnUnit> units = ChoicesOf(measure);
  std::vector<int> score(units.size());
  double most = 0;
  for (const double figure : figures) {
    const double size = std::fabs(figure);
    if (size == 0 || !std::isfinite(size)) continue;
    most = std::max(most, size);
    for (size_t i = 0; i < units.size(); ++i) score[i] += Readable(size / units[i].factor);
  }
  const auto is_base = [](const ColumnUnit& unit) { return unit.factor == 1; };
  if (most == 0) return *std::find_if(units.begin(), units.end(), is_base);
  size_t chosen = 0;
  for (size_t i = 1; i < units.size(); ++i) {
    if (score[i] >= std::max(score[chosen], 1) || most >= kMostShown * units[chosen].factor) chosen = i;
  }
  return units[chosen];
}

std::string FormatIn(const ColumnUnit& unit, double figure) {
  const double scaled = figure / unit.factor, size = std::fabs(scaled);
  if (!std::isfinite(scaled)) return "unknown";
  if (scaled == 0) return "0";
  int decimals = 3;
  for (double limit = 9.9995; size >= limit && decimals > 0; limit *= 10) --decimals;
  for (double limit = 0.99995; size < limit && decimals < 9; limit /= 10) ++decimals;
  return absl::StrFormat("%.*f", decimals, scaled);
}

}  // namespace hwest
