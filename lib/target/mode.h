// Power modes in place.
#pragma once

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "hwest/target.h"

namespace hwest {

// SetMode is ApplyMode on the target itself, which stays as it is where there is an error.
absl::Status SetMode(absl::string_view mode, Target* target);

}  // namespace hwest
