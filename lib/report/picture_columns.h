// Fits a long picture on one page.
#pragma once

#include "report/picture.h"

namespace hwest {

// Breaks a picture that is much higher than wide into columns side by side, between levels and, where possible, not
// inside a repeated block. Sets the column of every box.
void BreakIntoColumns(Picture* picture);

}  // namespace hwest
