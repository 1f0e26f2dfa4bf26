// External data: where tensors outside the model file may lie. Reading a model never opens the files; rewriting does.
#pragma once

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace hwest {

// IsMemoryAddress is true for locations by which ONNX Runtime marks data of its own process.
bool IsMemoryAddress(absl::string_view location);

// CheckLocation accepts relative paths without "..", in the spelling of any system. Errors: kExternalData.
absl::Status CheckLocation(absl::string_view location);

// ExternalPath is the file beside the model at `model_path`; none when there is no regular file. Errors: kExternalData,
// as CheckLocation and for links that lead out of the model's folder. Where the model is a link itself, as in the
// caches of Hugging Face, data may also lie in the folder of what it links to, or below.
absl::StatusOr<std::optional<std::string>> ExternalPath(const std::string& model_path, absl::string_view location);

}  // namespace hwest
