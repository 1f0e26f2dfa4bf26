// Recognises files that users take for a model but that are not binary ONNX.
#pragma once

#include <cstddef>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace hwest {

// What CheckContainer wants of a file: a tar archive says what it is in the middle of its first block.
inline constexpr size_t kContainerHeadBytes = 512;

// CheckContainer looks at the first bytes of a file. Errors: kModelFormat naming the container and
// what to do; OK means "may be a protobuf message".
absl::Status CheckContainer(absl::string_view head, absl::string_view name);

}  // namespace hwest
