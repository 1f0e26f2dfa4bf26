// The share of a plan's time in work that the measurements behind its units' figures cover.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "hwest/analysis.h"

namespace hwest {

struct ModelView;  // cost/model_view.h

// Seconds of the unit's groups by their class, see OperatorClassOf; most first.
using TimeByClass = std::vector<std::pair<std::string, double>>;
TimeByClass TimeByClassOf(const ModelView& model, const Plan& plan, UnitId unit);

// Null = the unit has none at that precision.
const Evidence* EvidenceAt(const Unit& unit, absl::string_view precision);
// Share of a model's time in that class that `evidence` has seen; 0 = it does not list the class.
double SeenShare(const Evidence& evidence, absl::string_view operator_class);
// Share of the time beyond what `evidence` has seen in its classes; 0 without time.
double UnseenShare(const Evidence& evidence, const TimeByClass& times);

}  // namespace hwest
