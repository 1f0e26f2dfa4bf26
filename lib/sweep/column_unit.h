// One unit for all figures of a column.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace hwest {

// What a figure counts, which says what units it can be written in.
enum class Measure : uint8_t { kPlain, kSeconds, kJoules, kWatts, kBytes };
inline constexpr size_t kMeasures = 5;

struct ColumnUnit {
  double factor = 1;
  const char* name = "";  // "ms"
};

// The unit that shows the figures best, of equally good ones the largest: a figure reads best with one to three digits
// before the point, less well with a digit more or a zero there, worst with zeros behind it. None may have more than
// six where a larger unit is left. Figures of 0 and what is not finite do not count; without others the base unit.
ColumnUnit UnitOf(Measure measure, const std::vector<double>& figures);

// "0.4544", "12.35", "2767": four significant digits, more before the point.
std::string FormatIn(const ColumnUnit& unit, double figure);

}  // namespace hwest
