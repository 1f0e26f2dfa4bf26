// Types of SummaryView's members. An empty optional is unknown and never shown as 0.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "hwest/analysis.h"

namespace hwest {

// Count is unknown, a number, or a Python expression over View::symbols.
using Count = std::variant<std::monostate, int64_t, std::string>;

using NamedShares = std::vector<std::pair<std::string, double>>;

// One operator in the convention of another tool.
struct ConventionRowView {
  std::string op;
  int64_t nodes = 0;
  Count native_macs, native_flops, theirs;
  std::string reason;
};

struct ConventionView {
  std::string name, version, counts;  // see ConventionInfo
  Count total;
  std::vector<ConventionRowView> rows;
};

// The energy of groups and waiting units, and the rest of the plan's: moves between memories and units.
struct PlanEnergy : EnergyParts {
  double moves_j = 0;
};

}  // namespace hwest
