// External data: where tensors outside the model file may lie. Nothing is opened unless a value is asked for.
#pragma once

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace hwest {

// IsMemoryAddress is true for locations by which ONNX Runtime marks data of its own process.
bool IsMemoryAddress(absl::string_view location);

// CheckLocation accepts relative paths without "..", in the spelling of any system. Errors: kExternalData.
absl::Status CheckLocation(absl::string_view location);

// ResolveExternal returns the canonical path of `location`, looked up beside `model_path` as given. It must be a
// regular file under the canonical folder of that path, or under the folder of the canonical model file (model caches
// keep both as links into another folder). Errors: kExternalData when refused or missing.
absl::StatusOr<std::string> ResolveExternal(const std::string& model_path, absl::string_view location);

// ReadExternal returns `length` bytes at `offset`. Errors: as ResolveExternal; kExternalData when the range is not in
// the file or longer than `max_bytes`.
absl::StatusOr<std::string> ReadExternal(const std::string& model_path, absl::string_view location, int64_t offset,
                                         int64_t length, int64_t max_bytes);

}  // namespace hwest
