#include "analysis/grades.h"

#include "cost/cost.h"
#include "hwest/estimate.h"

namespace hwest {

absl::string_view GradeNameOf(const Unit& unit) { return GradeName(GradeOf(unit)); }

}  // namespace hwest
