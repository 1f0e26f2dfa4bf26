// --check: libonnx's verdict on a model file, from the separate program onnx-hwest-check.
#pragma once

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "hwest/diagnostic.h"

namespace hwest {

// CheckModel runs onnx-hwest-check on the file. OK when libonnx accepts it, or when the file is too new for libonnx;
// then `notes` says that it was not checked. Errors: kCheckFailed with libonnx's words; kUsage for standard input, and
// when the program is missing or gives no verdict.
absl::Status CheckModel(const std::string& path, std::vector<Diagnostic>* notes);

}  // namespace hwest
