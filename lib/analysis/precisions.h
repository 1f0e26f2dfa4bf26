// Precisions of a finished plan: per node, by share of the model, and notes on units that differ.
#pragma once

#include "analysis/stages.h"

namespace hwest {

// FillSparsity sets Plan::sparse_macs where the request takes weights as sparse, and notes of how many MACs that holds.
// Requires a plan.
void FillSparsity(Workspace& workspace);

// FillPrecisions sets Analysis::precisions and Plan::precision_shares, and notes each unit that multiplies at another
// precision than the one assumed, or that a mix gives one which needs calibration. Requires a plan.
void FillPrecisions(Workspace& workspace);

}  // namespace hwest
