// How far the figures of a planned unit can be trusted.
#pragma once

#include "absl/strings/string_view.h"
#include "hwest/target.h"

namespace hwest {

// "measured", "family" or "datasheet", as in the summary of a report.
absl::string_view GradeNameOf(const Unit& unit);

}  // namespace hwest
