// Applies power modes in place.
#pragma once

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "hwest/target.h"

namespace hwest {

// SetMode is ApplyMode on the target itself, which an error leaves unchanged.
absl::Status SetMode(absl::string_view mode, Target* target);

}  // namespace hwest
