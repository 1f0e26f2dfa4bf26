// Fit advice: what is said when the memories of a target do not hold a model.
#pragma once

#include <optional>

#include "analysis/stages.h"

namespace hwest {

// The diagnostic kDoesNotFit: which memory lacks how much, and what would make the model fit: a narrower precision, a
// smaller batch, a shorter cache, a target of the same line. None when nothing is known to be missing. Requires the
// plan and its memory needs.
std::optional<Diagnostic> DoesNotFit(const Workspace& workspace);

}  // namespace hwest
