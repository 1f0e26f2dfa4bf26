// Branches, trip counts and sizes that depend on the contents of small inputs, which the caller can state.
#pragma once

#include <string>

#include "hwest/analysis.h"

namespace hwest {

// Notes, for each set of such inputs, what hangs on them and the flags that settle it. Requires facts and classes.
void NoteUnsettled(Analysis* analysis);

// All of these flags, e.g. "--value sr=16000"; "" when nothing hangs on small inputs alone.
std::string SettlingFlags(const Analysis& analysis);

}  // namespace hwest
