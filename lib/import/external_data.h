// External data: where tensors outside the model file may lie. The files themselves are never opened.
#pragma once

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace hwest {

// IsMemoryAddress is true for locations by which ONNX Runtime marks data of its own process.
bool IsMemoryAddress(absl::string_view location);

// CheckLocation accepts relative paths without "..", in the spelling of any system. Errors: kExternalData.
absl::Status CheckLocation(absl::string_view location);

}  // namespace hwest
