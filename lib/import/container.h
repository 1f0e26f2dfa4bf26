// Recognises what users call a model but is no binary ONNX file.
#pragma once

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace hwest {

// CheckContainer looks at the first bytes of a file (128 are enough). Errors: kModelFormat naming the container and
// what to do; OK means "may be a protobuf message".
absl::Status CheckContainer(absl::string_view head, absl::string_view name);

}  // namespace hwest
