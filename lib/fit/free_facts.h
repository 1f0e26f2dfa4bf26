// What a fit may change: a few parameters that the units of a family share per precision, two numbers of each device,
// and a scale of each of its formats where many families were measured. Each has a prior, the value that the target
// files state, with a spread, and bounds.
#pragma once

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "fit/match.h"
#include "hwest/target.h"

namespace hwest {

struct FreeFact {
  std::string family;
  UnitKind kind = UnitKind::kUnset;
  std::string target;     // whose own number it is; empty = shared by all units of the kind in the family
  std::string unit;       // of that target
  std::string name;       // "invoke_s" or a parameter, e.g. "compute_efficiency.int8"
  std::string precision;  // that it holds for; empty = all
  double prior = 0;
  double spread = 0;  // standard deviation of ln of the prior
  double min = 0;
  double max = 0;
  double start = 0;  // where the search begins: an earlier fit, else the prior
};

// One row per name, with the reason of its spread in the table itself.
struct FreeRow {
  absl::string_view name;
  double fallback;  // prior where no file states a value; what the cost models take then
  double spread;
  double min;
  double max;
};
absl::Span<const FreeRow> FreeRows(UnitKind kind);  // parameters; at most ten

// Where priors come from: what the files state, or, for a target fitted on its own, the values in force, held tighter
// when they were fitted before.
enum class PriorFrom : uint8_t { kStated, kInForce };

// The shared parameters of units of `kind` at `precision`, by the targets of one family.
std::vector<FreeFact> SharedFacts(const Targets& family, UnitKind kind, const std::string& precision, PriorFrom from);
// clock_scale and invoke_s of one unit; not what a power mode sets.
std::vector<FreeFact> DeviceFacts(const Target& target, const Unit& unit, bool with_launch, PriorFrom from);

// What one unit's rate at one precision departs by from those that its family shares.
FreeFact FormatFact(const Target& target, const Unit& unit, const std::string& precision, PriorFrom from);

// False for invoke_s, which is a field of the unit.
bool IsParam(const FreeFact& free);
// The fact of this unit, made when it is a parameter the unit does not have; null when `free` is not of this unit.
Fact* FactOf(const FreeFact& free, const Target& target, Unit* unit);

}  // namespace hwest
