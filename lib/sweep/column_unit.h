// One unit for all figures of a column.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace hwest {

// What a figure measures, which determines its possible units.
enum class Measure : uint8_t { kPlain, kSeconds, kJoules, kWatts, kBytes };
inline constexpr size_t kMeasures = 5;

struct ColumnUnit {
  double factor = 1;
  const char* name = "";  // "ms"
};

// The unit in which the figures read best, the largest of equally good ones: best with one to three digits before the
// point, less well with a fourth or with a zero there, worst with zeros after it. No figure may have more than six
// digits while a larger unit is left. Zeros and non-finite figures do not count; without others, the base unit.
ColumnUnit UnitOf(Measure measure, const std::vector<double>& figures);

// "0.4544", "12.35", "2767": four significant digits, more before the point.
std::string FormatIn(const ColumnUnit& unit, double figure);

}  // namespace hwest
