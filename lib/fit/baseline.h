// Predictions that need no cost model, as baselines of a validation.
#pragma once

#include <optional>

#include "hwest/analysis.h"

namespace hwest {

struct Baselines {
  // MACs of the model over the dense peak of the unit that does most of them, at the precision it does them in.
  std::optional<double> flops_s;
  // Sum over the groups of max(MACs over the unit's dense peak, bytes over the shared memory's peak).
  std::optional<double> roofline_s;
};

// Unknown where the target states no peak for a unit and precision that does work. Needs a plan.
Baselines BaselinesOf(const Analysis& analysis);

}  // namespace hwest
