// A workload as JSON, put into protobuf's text form line by line, so that one parser reads both and names the same
// lines.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace hwest {

bool LooksLikeJson(absl::string_view text);

// Errors: kUsage with `origin` and the line.
absl::StatusOr<std::string> TextFromJson(absl::string_view json, absl::string_view origin);

}  // namespace hwest
