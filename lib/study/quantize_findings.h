// What hinders a quantised model on a target, in words with figures.
#pragma once

#include "hwest/quantize.h"

namespace hwest {

// FillFindings compares the narrowest form of the model, the file where it has Q/DQ, else `narrow` with every layer at
// the last of the plan's formats, with the base. Requires all else of the plan.
void FillFindings(const Analysis& narrow, QuantizePlan* plan);

}  // namespace hwest
