// Reads whole files of measured figures.
#pragma once

#include <string>

#include "absl/status/statusor.h"

namespace hwest {

// Errors: kUsage for a file that cannot be read or is above 256 MiB.
absl::StatusOr<std::string> ReadMeasuredText(const std::string& path);

}  // namespace hwest
