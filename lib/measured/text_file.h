// Reads whole files of measured figures.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace hwest {

// `flag` is the one that named the file. Errors: kUsage for a file that cannot be read or is above 256 MiB.
absl::StatusOr<std::string> ReadMeasuredText(const std::string& path, absl::string_view flag = "--measurements");

}  // namespace hwest
