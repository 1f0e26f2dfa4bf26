// Notes on the user's rules that matched nothing.
#pragma once

#include "hwest/analysis.h"
#include "op/op_rules.h"

namespace hwest {

// Notes each rule of an operator that no node of the model is.
void NoteUnusedOpRules(const OpRules& rules, Analysis* analysis);

// Notes each pattern of --fusions that made no group on any unit, and why when no unit has a toolchain it is for.
void NoteUnusedFusions(const Overlays& overlays, Analysis* analysis);

}  // namespace hwest
