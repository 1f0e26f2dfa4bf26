// The text of target files that hold fits.
#pragma once

#include <string>

#include "hwest/target.h"

namespace hwest {

// CalibratedText is a file with `base` that adds to it what was fitted in `target`: clocks, invocations and parameters,
// and the rows of measured_as, which files do not inherit. Reading it back gives the same figures.
std::string CalibratedText(const Target& target, const std::string& name, const std::string& base);

}  // namespace hwest
