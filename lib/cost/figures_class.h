// Which figures of a unit hold at a precision.
#pragma once

#include <string>

#include "hwest/estimate.h"
#include "hwest/target.h"

namespace hwest {

// The class, the precision behind a parameter's dot, whose figures hold at `precision`: its own where the file has any,
// else that of the nearest precision with fitted ones, since kernels of one library differ less between precisions than
// all of them from a data sheet. Its own name when there are none.
std::string FiguresClass(const Unit& unit, Precision precision);

// Whether it is a floating point type.
bool IsFloating(Num num);

}  // namespace hwest
